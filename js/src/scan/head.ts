// Reads heads without making values. A Head has the lengths of the head and the body, and how many children follow.
// Used by code that walks over encoded values, such as the scanner.
//
// Plan: HeadKind · Head · readHead · plainLength, isId · integerAt.

import {
  BIN8,
  BIN16,
  FALSE,
  FIRST_RECORD_ID,
  FIXARRAY,
  FIXMAP,
  FIXSTR,
  FLOAT32,
  FLOAT64,
  INT64,
  LAST_RECORD_ID,
  NEGATIVE_FIXINT,
  NIL,
  STR8,
  STR16,
  TRUE,
  UINT8,
} from '../core/format.ts';

// The kinds of heads. They are constants rather than an enum, because bundlers replace constants by their values.

/** The kind of nil, bool and int. */
export const SCALAR_HEAD = 0;
export const FLOAT_HEAD = 1;
export const STR_HEAD = 2;
export const BIN_HEAD = 3;
export const EXT_HEAD = 4;
export const ARRAY_HEAD = 5;
export const MAP_HEAD = 6;
export const RESERVED_HEAD = 7;

/** The kind of a head: one of the constants above. */
export type HeadKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** A head that was read. One object is reused for many heads. */
export class Head {
  kind: HeadKind = SCALAR_HEAD;
  /** Length of the head, including the head byte and the type of an ext. */
  length = 0;
  /** Length of the body of a str, bin or ext; otherwise 0. */
  body = 0;
  /** Number of elements of an array, or of keys and values of a map; otherwise 0. */
  children = 0;
  /** The type of an ext; otherwise 0. */
  type = 0;

  set(kind: HeadKind, length: number, body: number, children: number, type: number): void {
    this.kind = kind;
    this.length = length;
    this.body = body;
    this.children = children;
    this.type = type;
  }
}

/**
 * Reads the head at `at` into `head`. Returns false and leaves `head` unchanged if the head goes past `end`. Reads a
 * byte 40–7f as an int, because only the caller knows whether it is the id of a record.
 */
export function readHead(view: DataView, at: number, end: number, head: Head): boolean {
  if (at >= end) return false;
  const byte = view.getUint8(at);
  if (byte < 0x80 || byte >= 0xe0) return known(head, SCALAR_HEAD, 1, 0, 0);
  if (byte < 0x90) return known(head, MAP_HEAD, 1, 0, 2 * (byte & 0x0f));
  if (byte < 0xa0) return known(head, ARRAY_HEAD, 1, 0, byte & 0x0f);
  if (byte < 0xc0) return known(head, STR_HEAD, 1, byte & 0x1f, 0);
  const available = end - at;
  switch (byte) {
    case 0xc1: // reserved
      return known(head, RESERVED_HEAD, 1, 0, 0);
    case 0xc4: // bin 8
    case 0xc5: // bin 16
    case 0xc6: // bin 32
      return bodied(view, at, available, head, BIN_HEAD, 1 << (byte - 0xc4));
    case 0xc7: // ext 8
    case 0xc8: // ext 16
    case 0xc9: // ext 32
      return longExt(view, at, available, head, 1 << (byte - 0xc7));
    case 0xca: // float 32
      return available >= 5 && known(head, FLOAT_HEAD, 5, 0, 0);
    case 0xcb: // float 64
      return available >= 9 && known(head, FLOAT_HEAD, 9, 0, 0);
    case 0xcc: // uint 8
    case 0xcd: // uint 16
    case 0xce: // uint 32
    case 0xcf: // uint 64
    case 0xd0: // int 8
    case 0xd1: // int 16
    case 0xd2: // int 32
    case 0xd3: {
      // int 64
      const length = 1 + (1 << (byte & 3));
      return available >= length && known(head, SCALAR_HEAD, length, 0, 0);
    }
    case 0xd4: // fixext 1
    case 0xd5: // fixext 2
    case 0xd6: // fixext 4
    case 0xd7: // fixext 8
    case 0xd8: // fixext 16
      return available >= 2 && known(head, EXT_HEAD, 2, 1 << (byte - 0xd4), 0, view.getInt8(at + 1));
    case 0xd9: // str 8
    case 0xda: // str 16
    case 0xdb: // str 32
      return bodied(view, at, available, head, STR_HEAD, 1 << (byte - 0xd9));
    case 0xdc: // array 16
      return available >= 3 && known(head, ARRAY_HEAD, 3, 0, view.getUint16(at + 1));
    case 0xdd: // array 32
      return available >= 5 && known(head, ARRAY_HEAD, 5, 0, view.getUint32(at + 1));
    case 0xde: // map 16
      return available >= 3 && known(head, MAP_HEAD, 3, 0, 2 * view.getUint16(at + 1));
    case 0xdf: // map 32
      return available >= 5 && known(head, MAP_HEAD, 5, 0, 2 * view.getUint32(at + 1));
    default: // nil, false, true
      return known(head, SCALAR_HEAD, 1, 0, 0);
  }
}

function known(head: Head, kind: HeadKind, length: number, body: number, children: number, type = 0): true {
  head.set(kind, length, body, children, type);
  return true;
}

/** Reads the head of a bin or str whose length field has `width` bytes. */
function bodied(view: DataView, at: number, available: number, head: Head, kind: HeadKind, width: number): boolean {
  return available > width && known(head, kind, 1 + width, lengthAt(view, at + 1, width), 0);
}

/** Reads the head of an ext whose length field has `width` bytes. The type follows the length. */
function longExt(view: DataView, at: number, available: number, head: Head, width: number): boolean {
  if (available < 2 + width) return false;
  return known(head, EXT_HEAD, 2 + width, lengthAt(view, at + 1, width), 0, view.getInt8(at + 1 + width));
}

function lengthAt(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  return width === 2 ? view.getUint16(at) : view.getUint32(at);
}

/**
 * Returns the length of the value at `at` if it is plain: nil, a bool, a number, an empty fixmap or fixarray, or a str
 * or bin except str 32 and bin 32. Returns 0 for all other values, and if the length field goes past `end`. The value
 * itself may end after `end`, but its first byte must be before `end`.
 *
 * @param hasIds whether a byte 40–7f may be the id of a record; such a byte isn't plain then
 */
export function plainLength(view: DataView, at: number, end: number, hasIds: boolean): number {
  const byte = view.getUint8(at);
  if (byte < FIXMAP) return hasIds && isId(byte) ? 0 : 1;
  if (byte >= NEGATIVE_FIXINT) return 1;
  if (byte < NIL) {
    if (byte >= FIXSTR) return 1 + (byte & 0x1f);
    return byte === FIXMAP || byte === FIXARRAY ? 1 : 0;
  }
  if (byte >= UINT8 && byte <= INT64) return 1 + (1 << (byte & 3));
  if (byte === FLOAT64) return 9;
  if (byte === STR8 || byte === BIN8) return at + 1 < end ? 2 + view.getUint8(at + 1) : 0;
  if (byte === STR16 || byte === BIN16) return at + 2 < end ? 3 + view.getUint16(at + 1) : 0;
  if (byte === FLOAT32) return 5;
  return byte === NIL || byte === FALSE || byte === TRUE ? 1 : 0;
}

/** Whether the byte may be the id of a record, or the first byte of such an id: 40–7f. */
export function isId(byte: number): boolean {
  return byte >= FIRST_RECORD_ID && byte <= LAST_RECORD_ID;
}

/** Returns the int at `start`. All its bytes must be there. */
export function integerAt(view: DataView, start: number): bigint {
  const head = view.getUint8(start);
  switch (head) {
    case 0xcc: // uint 8
      return BigInt(view.getUint8(start + 1));
    case 0xcd: // uint 16
      return BigInt(view.getUint16(start + 1));
    case 0xce: // uint 32
      return BigInt(view.getUint32(start + 1));
    case 0xcf: // uint 64
      return view.getBigUint64(start + 1);
    case 0xd0: // int 8
      return BigInt(view.getInt8(start + 1));
    case 0xd1: // int 16
      return BigInt(view.getInt16(start + 1));
    case 0xd2: // int 32
      return BigInt(view.getInt32(start + 1));
    case 0xd3: // int 64
      return view.getBigInt64(start + 1);
    default: // fixints
      return BigInt((head << 24) >> 24);
  }
}
