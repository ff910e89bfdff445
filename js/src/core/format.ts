// Head bytes, families and fixed numbers of spec/02-wire.md.
//
// Plan: head bytes by name · extension types · ids of records · limits · FORMAT, the table that a test compares with
// spec/format.json.
//
// decoder/decoder.ts uses literals in its switch over head bytes, so that engines compile the switch to a jump table.
// The compact codec and some other code also use literals.

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

// Extension types of structured cloning (spec/03#structured-cloning).

/** A bigint in two's complement, big-endian. */
export const BIGINT_TYPE = 0x42;
/** Prefix of an Error: the array [name, message, cause, code, stack, errors] follows. */
export const ERROR_TYPE = 0x65;
/** Prefix that labels the value after it. Its data is the label, 4 bytes. */
export const LABEL_TYPE = 0x69;
/** Pointer to the value with a label. Its data is the label, 4 bytes. */
export const POINTER_TYPE = 0x70;
/** Prefix of a Set: the array of its elements follows. */
export const SET_TYPE = 0x73;
/** A view or ArrayBuffer. Its data is the view code, then the bytes. */
export const VIEW_TYPE = 0x74;
/** Prefix of a view of a shared buffer: the array [buffer, byteOffset, length] follows. Its data is the view code. */
export const SHARED_VIEW_TYPE = 0x76;
/** Prefix of a RegExp: the array [source, flags] follows. */
export const REGEXP_TYPE = 0x78;

/** Length of a label, in bytes. */
export const LABEL_LENGTH = 4;

/** View codes. The codes of typed arrays, which are smaller, are in clone/format.ts. */
export const ARRAY_BUFFER_CODE = 16;
export const DATA_VIEW_CODE = 17;

/** First bytes of record ids: one-byte ids are 40–7f, two-byte ids start with 60–7f (spec/05). */
export const FIRST_RECORD_ID = 0x40;
export const FIRST_PAIR_ID = 0x60;
export const LAST_RECORD_ID = 0x7f;

/**
 * Limits of spec/06: open containers, bytes of one message of a stream, elements allocated in advance, comparisons of
 * keys that share a bucket. All but MAX_PREALLOCATED are defaults of options.
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
  /** `c1`, which isn't a value in MessagePack. */
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

/** The formats in the order of their head bytes. From c0 to df, each format has one head byte. */
const FORMATS =
  'positive fixint,fixmap,fixarray,fixstr,nil,reserved,false,true,bin 8,bin 16,bin 32,ext 8,ext 16,ext 32,float 32,' +
  'float 64,uint 8,uint 16,uint 32,uint 64,int 8,int 16,int 32,int 64,fixext 1,fixext 2,fixext 4,fixext 8,fixext 16,' +
  'str 8,str 16,str 32,array 16,array 32,map 16,map 32,negative fixint';

/** The index of nil in FORMATS, and of the last format. */
const NIL_INDEX = 4;
const LAST_INDEX = 36;

/** Returns the first head byte of the format with this index. */
function firstHead(index: number): number {
  if (index === 0) return POSITIVE_FIXINT;
  // fixmap 80, fixarray 90, fixstr a0
  return index < NIL_INDEX ? FIXMAP + 0x10 * (index - 1) : NIL + index - NIL_INDEX;
}

function row(format: string, index: number): FormatRow {
  // For example, POSITIVE_FIXINT for `positive fixint` and STR8 for `str 8`.
  const name = format
    .replace(/ (?=\d)/, '')
    .replace(' ', '_')
    .toUpperCase();
  const kind = format.replace(/.*fix|^u| .*/g, '');
  const family = (kind === 'true' || kind === 'false' ? 'bool' : kind) as Family;
  const first = firstHead(index);
  const last = index === LAST_INDEX ? 0xff : firstHead(index + 1) - 1;
  const bits = Number(format.split(' ')[1]) || 0;
  // The type of an ext is a byte of its head. The number after `fixext` is the length of the data, not of the head.
  const bytes = name.startsWith('FIX') ? Number(bits > 0) : bits / 8 + Number(family === 'ext');
  return Object.freeze({ format, name, family, first, last, bytes });
}

function rows(): readonly FormatRow[] {
  return Object.freeze(FORMATS.split(',').map(row));
}

/**
 * The head-byte table, extension types and limits. Has the members of spec/format.json, with numbers instead of
 * hexadecimal text.
 */
export const FORMAT = /* @__PURE__ */ Object.freeze({
  profile: 1,
  heads: /* @__PURE__ */ rows(),
  extensions: /* @__PURE__ */ Object.freeze({
    UNDEFINED: UNDEFINED_TYPE,
    TIMESTAMP: TIMESTAMP_TYPE,
    RECORD: RECORD_TYPE,
  }),
  limits: /* @__PURE__ */ Object.freeze({ MAX_DEPTH, MAX_STREAM_BYTES, MAX_PREALLOCATED, MAX_COLLISIONS }),
});

/** Returns the name of a head byte's format, for error messages. */
export function formatName(head: number): string {
  const names = FORMATS.split(',');
  let index = LAST_INDEX;
  while (head < firstHead(index)) index--;
  return names[index] as string;
}

/** Whether an array starts with this byte. */
export function isArrayHead(byte: number): boolean {
  return (byte >= FIXARRAY && byte < FIXSTR) || byte === ARRAY16 || byte === ARRAY32;
}

/** Whether an ext of this type, with this one byte of data, is a prefix of the array after it. */
export function isArrayPrefix(type: number, data: number): boolean {
  if (type === SHARED_VIEW_TYPE) return true;
  return data === 0 && (type === SET_TYPE || type === ERROR_TYPE || type === REGEXP_TYPE);
}
