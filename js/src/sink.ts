// The sink: a buffer that grows, and everything that is written without looking at JavaScript types: heads, numbers, text,
// bytes (spec/02-wire.md).
//
// Plan: room · heads of containers, ext and bin · ints and floats · text.
//
// `take` copies: a result shares its memory with nothing, so it can be transferred and keeps nothing else alive.

import { Fault } from './errors.ts';
import {
  ARRAY16,
  ARRAY32,
  BIN8,
  BIN16,
  BIN32,
  EXT8,
  EXT16,
  EXT32,
  FIXARRAY,
  FIXEXT1,
  FIXMAP,
  FIXSTR,
  FLOAT32,
  FLOAT64,
  INT8,
  INT16,
  INT32,
  INT64,
  MAP16,
  MAP32,
  STR8,
  STR16,
  STR32,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
} from './format.ts';
import { isWellFormed } from './text.ts';

const FIRST_CAPACITY = 1024;

/** A buffer of up to so many bytes is kept for the next message. */
const KEPT_CAPACITY = 65_536;

/** Up to so many code units a loop beats the call into TextEncoder (measured on V8). */
const SHORT_TEXT = 40;

/** Longer text is encoded to bytes of its own first, so that the buffer need not have room for the worst case. */
const LONG_TEXT = 65_536;

const TWO_32 = 0x1_0000_0000;
const HIGHEST_NAN = 0x7ff8_0000;

const UTF8 = /* @__PURE__ */ new TextEncoder();

export class Sink {
  protected bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  protected view: DataView = new DataView(this.bytes.buffer);
  /** Bytes written. */
  protected offset = 0;
  /** Whether the bytes 40–7f are ids of records, so that ints from 64 on need a uint 8 (spec/05#instance). */
  private readonly hasRecords: boolean;

  constructor(hasRecords: boolean) {
    this.hasRecords = hasRecords;
  }

  /** The bytes written, as an array of their own. */
  take(): Uint8Array {
    return this.bytes.slice(0, this.offset);
  }

  /** How many bytes are written. */
  get length(): number {
    return this.offset;
  }

  /**
   * Writes to other memory from now on, from its start; when that is full, to larger memory.
   *
   * @returns the memory until now
   */
  exchange(bytes: Uint8Array): Uint8Array {
    const before = this.bytes;
    this.replaceBuffer(bytes);
    this.offset = 0;
    return before;
  }

  /** Brings what was written to memory that `exchange` was given, unless it is there. */
  copyTo(bytes: Uint8Array): void {
    if (this.bytes !== bytes) bytes.set(this.bytes.subarray(0, this.offset));
  }

  /** Forgets what was written, and a buffer that has grown large. */
  reset(): void {
    this.offset = 0;
    if (this.bytes.length > KEPT_CAPACITY) this.replaceBuffer(new Uint8Array(FIRST_CAPACITY));
  }

  /** Makes room for so many more bytes. */
  protected ensure(count: number): void {
    if (this.offset + count > this.bytes.length) this.grow(count);
  }

  private grow(count: number): void {
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.offset + count));
    grown.set(this.bytes.subarray(0, this.offset));
    this.replaceBuffer(grown);
  }

  private replaceBuffer(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  protected byte(byte: number): void {
    this.ensure(1);
    this.bytes[this.offset] = byte;
    this.offset++;
  }

  protected append(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.bytes.set(bytes, this.offset);
    this.offset += bytes.length;
  }

  // --- heads --------------------------------------------------------------------------------------------------------------

  protected head8(head: number, number: number): void {
    this.ensure(2);
    this.bytes[this.offset] = head;
    this.bytes[this.offset + 1] = number;
    this.offset += 2;
  }

  protected head16(head: number, number: number): void {
    this.ensure(3);
    this.bytes[this.offset] = head;
    this.view.setUint16(this.offset + 1, number);
    this.offset += 3;
  }

  protected head32(head: number, number: number): void {
    this.ensure(5);
    this.bytes[this.offset] = head;
    this.view.setUint32(this.offset + 1, number);
    this.offset += 5;
  }

  protected arrayHead(count: number): void {
    if (count < 16) this.byte(FIXARRAY | count);
    else if (count < 0x1_0000) this.head16(ARRAY16, count);
    else this.head32(ARRAY32, checkLength(count));
  }

  protected mapHead(count: number): void {
    if (count < 16) this.byte(FIXMAP | count);
    else this.wideMapHead(count);
  }

  /** A map 16 or map 32, as older writers have for every object (option variableMapSize). */
  protected wideMapHead(count: number): void {
    if (count < 0x1_0000) this.head16(MAP16, count);
    else this.head32(MAP32, checkLength(count));
  }

  protected bin(bytes: Uint8Array): void {
    const { length } = bytes;
    if (length < 0x100) this.head8(BIN8, length);
    else if (length < 0x1_0000) this.head16(BIN16, length);
    else this.head32(BIN32, checkLength(length));
    this.append(bytes);
  }

  /** The head of an ext value, type included. */
  protected extHead(type: number, length: number): void {
    if (length === 1 || length === 2 || length === 4 || length === 8 || length === 16) {
      this.byte(FIXEXT1 + 31 - Math.clz32(length));
    } else if (length < 0x100) this.head8(EXT8, length);
    else if (length < 0x1_0000) this.head16(EXT16, length);
    else this.head32(EXT32, checkLength(length));
    this.byte(type & 0xff);
  }

  // --- numbers ------------------------------------------------------------------------------------------------------------

  /** A safe integer. */
  protected int(number: number): void {
    if (number >= 0) {
      if (number < (this.hasRecords ? 0x40 : 0x80)) this.byte(number);
      else if (number < 0x100) this.head8(UINT8, number);
      else if (number < 0x1_0000) this.head16(UINT16, number);
      else if (number < TWO_32) this.head32(UINT32, number);
      else this.int64(UINT64, number);
    } else if (number >= -32) this.byte(number & 0xff);
    else if (number >= -0x80) this.head8(INT8, number & 0xff);
    else if (number >= -0x8000) this.head16(INT16, number & 0xffff);
    else if (number >= -0x8000_0000) this.head32(INT32, number >>> 0);
    else this.int64(INT64, number);
  }

  protected int64(head: number, number: number): void {
    this.ensure(9);
    this.bytes[this.offset] = head;
    this.view.setUint32(this.offset + 1, Math.floor(number / TWO_32) >>> 0);
    this.view.setUint32(this.offset + 5, number >>> 0);
    this.offset += 9;
  }

  /** An integer of −2⁶³ … 2⁶⁴−1. */
  protected bigInt(number: bigint): void {
    if (number >= -0x8000_0000n && number < 0x1_0000_0000n) {
      this.int(Number(number));
      return;
    }
    this.bigInt64(number < 0n ? INT64 : UINT64, number);
  }

  protected bigInt64(head: number, number: bigint): void {
    this.ensure(9);
    this.bytes[this.offset] = head;
    this.view.setBigUint64(this.offset + 1, BigInt.asUintN(64, number));
    this.offset += 9;
  }

  protected float64(number: number): void {
    this.ensure(9);
    this.bytes[this.offset] = FLOAT64;
    // ECMAScript lets engines choose the bits of a NaN; spec/02#float does not.
    if (Number.isNaN(number)) {
      this.view.setUint32(this.offset + 1, HIGHEST_NAN);
      this.view.setUint32(this.offset + 5, 0);
    } else {
      this.view.setFloat64(this.offset + 1, number);
    }
    this.offset += 9;
  }

  /** A number that is not NaN. */
  protected float32(number: number): void {
    this.ensure(5);
    this.bytes[this.offset] = FLOAT32;
    this.view.setFloat32(this.offset + 1, number);
    this.offset += 5;
  }

  // --- text ---------------------------------------------------------------------------------------------------------------

  /** @throws Fault `invalid_utf8` for a lone surrogate */
  protected str(text: string): void {
    const { length } = text;
    if (length > LONG_TEXT) {
      this.longStr(text);
      return;
    }
    // The head that fits when the text is ASCII; the text moves in the rare case that its bytes need a longer one.
    const start = this.offset;
    const guess = strHeadLength(length);
    this.ensure(guess + 3 * length + 2);
    const at = start + guess;
    const end = length <= SHORT_TEXT ? this.shortText(text, at) : this.mediumText(text, at);
    const byteLength = end - at;
    const needed = strHeadLength(byteLength);
    if (needed !== guess) this.bytes.copyWithin(start + needed, at, end);
    this.putStrHead(start, byteLength);
    this.offset = start + needed + byteLength;
  }

  /** The head of a str of so many bytes. */
  protected strHead(length: number): void {
    this.ensure(5);
    this.putStrHead(this.offset, length);
    this.offset += strHeadLength(length);
  }

  private longStr(text: string): void {
    const utf8 = UTF8.encode(text);
    if (utf8.length !== text.length && !isWellFormed(text)) throw surrogateFault();
    this.ensure(strHeadLength(utf8.length) + utf8.length);
    this.putStrHead(this.offset, checkLength(utf8.length));
    this.offset += strHeadLength(utf8.length);
    this.append(utf8);
  }

  private mediumText(text: string, at: number): number {
    const { written } = UTF8.encodeInto(text, this.bytes.subarray(at));
    if (written !== text.length && !isWellFormed(text)) throw surrogateFault();
    return at + written;
  }

  /** Writes UTF-8 at `at`, where there is room. Returns where it ends. */
  private shortText(text: string, at: number): number {
    const { bytes } = this;
    let end = at;
    for (let index = 0; index < text.length; index++) {
      let unit = text.charCodeAt(index);
      if (unit < 0x80) {
        bytes[end++] = unit;
        continue;
      }
      if (unit < 0x800) {
        bytes[end++] = 0xc0 | (unit >> 6);
      } else if ((unit & 0xf800) === 0xd800) {
        index++;
        unit = joinSurrogates(unit, text.charCodeAt(index));
        bytes[end++] = 0xf0 | (unit >> 18);
        bytes[end++] = 0x80 | ((unit >> 12) & 0x3f);
        bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
      } else {
        bytes[end++] = 0xe0 | (unit >> 12);
        bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
      }
      bytes[end++] = 0x80 | (unit & 0x3f);
    }
    return end;
  }

  private putStrHead(at: number, length: number): void {
    if (length < 32) {
      this.bytes[at] = FIXSTR | length;
    } else if (length < 0x100) {
      this.bytes[at] = STR8;
      this.bytes[at + 1] = length;
    } else if (length < 0x1_0000) {
      this.bytes[at] = STR16;
      this.view.setUint16(at + 1, length);
    } else {
      this.bytes[at] = STR32;
      this.view.setUint32(at + 1, length);
    }
  }
}

/** Bytes of the head of a str of so many bytes. */
export function strHeadLength(length: number): number {
  if (length < 32) return 1;
  if (length < 0x100) return 2;
  return length < 0x1_0000 ? 3 : 5;
}

/** The scalar value of a surrogate pair; `second` is NaN behind the end of the text. */
function joinSurrogates(first: number, second: number): number {
  if (first >= 0xdc00 || (second & 0xfc00) !== 0xdc00) throw surrogateFault();
  return 0x1_0000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
}

function surrogateFault(): Fault {
  return new Fault('invalid_utf8', null, 'a string has a lone surrogate', 'mend it with String.prototype.toWellFormed');
}

/** A length or count that is above 65 535. */
function checkLength(length: number): number {
  if (length < TWO_32) return length;
  throw new Fault('out_of_range', null, `a length or count of ${length} does not fit 32 bits`, 'split the value');
}
