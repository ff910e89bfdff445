// Head bytes, families and fixed numbers of spec/02-wire.md.
//
// Plan: head bytes by name · extension types · ids of records · limits · FORMAT, the table that a test compares with
// spec/format.json.
//
// Dispatches that must stay one jump table (decoder/decoder.ts) repeat these numbers as literals, with the format's
// name beside them. Everything else uses the names.

export const POSITIVE_FIXINT = 0x00;
export const FIXMAP = 0x80;
export const FIXARRAY = 0x90;
export const FIXSTR = 0xa0;
/** The longest str whose head is one byte, in bytes. */
export const LONGEST_FIXSTR = 31;
export const NIL = 0xc0;
export const RESERVED = 0xc1;
export const FALSE = 0xc2;
export const TRUE = 0xc3;
export const BIN8 = 0xc4;
export const BIN16 = 0xc5;
export const BIN32 = 0xc6;
export const EXT8 = 0xc7;
export const EXT16 = 0xc8;
export const EXT32 = 0xc9;
export const FLOAT32 = 0xca;
export const FLOAT64 = 0xcb;
export const UINT8 = 0xcc;
export const UINT16 = 0xcd;
export const UINT32 = 0xce;
export const UINT64 = 0xcf;
export const INT8 = 0xd0;
export const INT16 = 0xd1;
export const INT32 = 0xd2;
export const INT64 = 0xd3;
export const FIXEXT1 = 0xd4;
export const FIXEXT2 = 0xd5;
export const FIXEXT4 = 0xd6;
export const FIXEXT8 = 0xd7;
export const FIXEXT16 = 0xd8;
export const STR8 = 0xd9;
export const STR16 = 0xda;
export const STR32 = 0xdb;
export const ARRAY16 = 0xdc;
export const ARRAY32 = 0xdd;
export const MAP16 = 0xde;
export const MAP32 = 0xdf;
export const NEGATIVE_FIXINT = 0xe0;

/** Extension types with a meaning in MessagePack or the profile (spec/03). */
export const UNDEFINED_TYPE = 0;
export const TIMESTAMP_TYPE = -1;
export const RECORD_TYPE = 0x72;

/** First bytes of record ids: one-byte ids are 40–7f, two-byte ids start with 60–7f (spec/05). */
export const FIRST_RECORD_ID = 0x40;
export const FIRST_PAIR_ID = 0x60;
export const LAST_RECORD_ID = 0x7f;

/**
 * Default limits (spec/06): open containers, bytes of one message of a stream, elements allocated in advance, keys that
 * share a bucket.
 */
export const MAX_DEPTH = 512;
export const MAX_STREAM_BYTES = 67_108_864;
export const MAX_PREALLOCATED = 1024;
export const MAX_COLLISIONS = 200_000_000;
/** The largest `maxDepth` that is accepted. */
export const DEEPEST = 4096;
/**
 * Infinity, written as `1 / 0`. Bundlers would keep a read of Number.POSITIVE_INFINITY, because they can't know that it
 * has no effect.
 */
export const UNLIMITED: number = 1 / 0;

/** The families of head bytes. */
export type Family =
  | 'nil'
  | 'bool'
  | 'int'
  | 'float'
  | 'str'
  | 'bin'
  | 'array'
  | 'map'
  | 'ext'
  /** `c1`, which is never a value. */
  | 'reserved';

/** A row of the head-byte table. */
export interface FormatRow {
  readonly format: string;
  readonly name: string;
  readonly family: Family;
  /** The head bytes `first` … `last` have this format. */
  readonly first: number;
  readonly last: number;
  /** Bytes of length, count, type or number that follow the head byte. */
  readonly bytes: number;
}

function row(format: string, family: Family, first: number, bytes: number, last: number = first): FormatRow {
  const name = format === 'reserved' ? 'RESERVED' : nameOf(format);
  return Object.freeze({ format, name, family, first, last, bytes });
}

/** Returns the name of a format's constant: POSITIVE_FIXINT for `positive fixint`, STR8 for `str 8`. */
function nameOf(format: string): string {
  return format
    .replace(/ (?=\d)/, '')
    .replace(' ', '_')
    .toUpperCase();
}

/**
 * The head-byte table, extension types and default limits. Has the members of spec/format.json, with numbers instead of
 * hexadecimal text.
 */
export const FORMAT = /* @__PURE__ */ Object.freeze({
  profile: 1,
  heads: /* @__PURE__ */ Object.freeze([
    /* @__PURE__ */ row('positive fixint', 'int', POSITIVE_FIXINT, 0, FIXMAP - 1),
    /* @__PURE__ */ row('fixmap', 'map', FIXMAP, 0, FIXARRAY - 1),
    /* @__PURE__ */ row('fixarray', 'array', FIXARRAY, 0, FIXSTR - 1),
    /* @__PURE__ */ row('fixstr', 'str', FIXSTR, 0, NIL - 1),
    /* @__PURE__ */ row('nil', 'nil', NIL, 0),
    /* @__PURE__ */ row('reserved', 'reserved', RESERVED, 0),
    /* @__PURE__ */ row('false', 'bool', FALSE, 0),
    /* @__PURE__ */ row('true', 'bool', TRUE, 0),
    /* @__PURE__ */ row('bin 8', 'bin', BIN8, 1),
    /* @__PURE__ */ row('bin 16', 'bin', BIN16, 2),
    /* @__PURE__ */ row('bin 32', 'bin', BIN32, 4),
    /* @__PURE__ */ row('ext 8', 'ext', EXT8, 2),
    /* @__PURE__ */ row('ext 16', 'ext', EXT16, 3),
    /* @__PURE__ */ row('ext 32', 'ext', EXT32, 5),
    /* @__PURE__ */ row('float 32', 'float', FLOAT32, 4),
    /* @__PURE__ */ row('float 64', 'float', FLOAT64, 8),
    /* @__PURE__ */ row('uint 8', 'int', UINT8, 1),
    /* @__PURE__ */ row('uint 16', 'int', UINT16, 2),
    /* @__PURE__ */ row('uint 32', 'int', UINT32, 4),
    /* @__PURE__ */ row('uint 64', 'int', UINT64, 8),
    /* @__PURE__ */ row('int 8', 'int', INT8, 1),
    /* @__PURE__ */ row('int 16', 'int', INT16, 2),
    /* @__PURE__ */ row('int 32', 'int', INT32, 4),
    /* @__PURE__ */ row('int 64', 'int', INT64, 8),
    /* @__PURE__ */ row('fixext 1', 'ext', FIXEXT1, 1),
    /* @__PURE__ */ row('fixext 2', 'ext', FIXEXT2, 1),
    /* @__PURE__ */ row('fixext 4', 'ext', FIXEXT4, 1),
    /* @__PURE__ */ row('fixext 8', 'ext', FIXEXT8, 1),
    /* @__PURE__ */ row('fixext 16', 'ext', FIXEXT16, 1),
    /* @__PURE__ */ row('str 8', 'str', STR8, 1),
    /* @__PURE__ */ row('str 16', 'str', STR16, 2),
    /* @__PURE__ */ row('str 32', 'str', STR32, 4),
    /* @__PURE__ */ row('array 16', 'array', ARRAY16, 2),
    /* @__PURE__ */ row('array 32', 'array', ARRAY32, 4),
    /* @__PURE__ */ row('map 16', 'map', MAP16, 2),
    /* @__PURE__ */ row('map 32', 'map', MAP32, 4),
    /* @__PURE__ */ row('negative fixint', 'int', NEGATIVE_FIXINT, 0, 0xff),
  ]),
  extensions: /* @__PURE__ */ Object.freeze({
    UNDEFINED: UNDEFINED_TYPE,
    TIMESTAMP: TIMESTAMP_TYPE,
    RECORD: RECORD_TYPE,
  }),
  limits: /* @__PURE__ */ Object.freeze({ MAX_DEPTH, MAX_STREAM_BYTES, MAX_PREALLOCATED, MAX_COLLISIONS }),
});

/** The formats of the head bytes c0 … df. Most programs need no more of FORMAT, which bundlers drop then. */
const NAMES_FROM_NIL =
  'nil,reserved,false,true,bin 8,bin 16,bin 32,ext 8,ext 16,ext 32,float 32,float 64,uint 8,uint 16,uint 32,uint 64,' +
  'int 8,int 16,int 32,int 64,fixext 1,fixext 2,fixext 4,fixext 8,fixext 16,str 8,str 16,str 32,array 16,array 32,' +
  'map 16,map 32';

/** Returns the name of a head byte's format, for error messages. */
export function formatName(head: number): string {
  if (head < FIXMAP) return 'positive fixint';
  if (head < FIXARRAY) return 'fixmap';
  if (head < FIXSTR) return 'fixarray';
  if (head < NIL) return 'fixstr';
  return NAMES_FROM_NIL.split(',')[head - NIL] ?? 'negative fixint';
}
