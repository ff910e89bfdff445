// Reads the smallest parts of a snapshot (spec/10-snapshot.md#numbers): bytes, counts, ints and strings. Checks that
// enough bytes remain for each of them. Also counts the values that cost no bytes.

import { codeUnits, decodeText } from '../core/text.ts';
import { ended, Failure, invalid, tooDeep } from './failure.ts';
import type { SnapshotLimits } from './options.ts';
import type { PhpText } from './values.ts';

/** An int of PHP: a number if it is a safe integer, else a bigint. */
export type Int = number | bigint;

/** Strings of SHORTEST … LONGEST bytes get numbers. When such a string occurs again, its number can replace it. */
const SHORTEST = 2;
const LONGEST = 255;

const TWO_32 = 0x1_0000_0000;
const NUMBER_GROUPS = 7; // this many groups of seven bits fit in a safe integer

export function narrowed(int: bigint): Int {
  const number = Number(BigInt.asIntN(64, int));
  return Number.isSafeInteger(number) ? number : BigInt.asIntN(64, int);
}

/** Adds two ints of 64 bits; the result wraps around. */
export function sum(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const total = a + b;
    if (Number.isSafeInteger(total)) return total;
  }
  return narrowed(BigInt(a) + BigInt(b));
}

/** Returns the text of the bytes, or the bytes if they aren't UTF-8. */
export function textOf(bytes: Uint8Array, start: number, end: number): PhpText {
  // A TextDecoder needs 4 µs to refuse bytes. So a megabyte of short strings that aren't UTF-8 would need 2 s.
  if (end - start < SHORT && !isUtf8(bytes, start, end)) return bytes.slice(start, end);
  return decodeText(bytes, start, end) ?? bytes.slice(start, end);
}

/** For fewer bytes than this, checking each byte takes less time than a TextDecoder needs to refuse them. */
const SHORT = 256;

function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const lead = bytes[at++] as number;
    if (lead < 0x80) continue;
    const more = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    const second = bytes[at] as number;
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (more === 0 || more > end - at || second < least || second > most) return false;
    for (let index = 1; index < more; index++) if (((bytes[at + index] as number) & 0xc0) !== 0x80) return false;
    at += more;
  }
  return true;
}

/** Returns a text that identifies a string of PHP. Two strings get the same text if and only if they are equal. */
export function identityOf(text: PhpText): string {
  return typeof text === 'string' ? `s${text}` : `b${codeUnits(text, 0, text.length)}`;
}

/** Reads the parts of one snapshot, from `at` on. */
export class Source {
  at = 4;
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly limits: SnapshotLimits;
  readonly #view: DataView;
  /** How many more values that cost no bytes are allowed. */
  #elements: number;
  readonly #strings: PhpText[] = [];

  constructor(bytes: Uint8Array, limits: SnapshotLimits) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.limits = limits;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#elements = limits.maxElements;
  }

  byte(at: number): number {
    if (this.at >= this.end) throw ended(at, 'a value has no complete head');
    return this.bytes[this.at++] as number;
  }

  /** Skips `length` bytes, and returns where they start. Fails at the offset `at` if fewer bytes remain. */
  take(length: number, at: number): number {
    const start = this.at;
    const remaining = this.end - start;
    if (length > remaining) throw ended(at, `a value takes ${length} bytes but ${remaining} remain`);
    this.at = start + length;
    return start;
  }

  /** Reads an int of 1, 2, 4 or 8 bytes. */
  int(length: number, at: number): Int {
    const start = this.take(length, at);
    if (length === 1) return this.#view.getInt8(start);
    if (length === 2) return this.#view.getInt16(start, true);
    if (length === 4) return this.#view.getInt32(start, true);
    return this.int64(start);
  }

  int64(start: number): Int {
    const number = this.#view.getInt32(start + 4, true) * TWO_32 + this.#view.getUint32(start, true);
    return Number.isSafeInteger(number) ? number : this.#view.getBigInt64(start, true);
  }

  uint32(start: number): number {
    return this.#view.getUint32(start, true);
  }

  double(start: number): number {
    return this.#view.getFloat64(start, true);
  }

  /** Reads a count (spec/10-snapshot.md#numbers). */
  uint(at: number): number {
    let value = 0;
    let factor = 1;
    let byte: number;
    do {
      byte = this.byte(at);
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte > 0x7f && factor < 2 ** 35);
    if (byte > 0x7f || value >= TWO_32) {
      throw new Failure('out_of_range', 'a count is greater than 4294967295', at);
    }
    return value;
  }

  sint(at: number): Int {
    let value = 0;
    let wide = 0n;
    let groups = 0;
    let byte: number;
    do {
      byte = this.byte(at);
      if (groups < NUMBER_GROUPS) value += (byte & 0x7f) * 128 ** groups;
      else wide += BigInt(byte & 0x7f) << BigInt(7 * groups);
      groups++;
    } while (byte > 0x7f && groups < 10);
    if (byte > 0x7f || (groups === 10 && byte > 1)) {
      throw new Failure('out_of_range', 'an int of a column has more than 64 bits', at);
    }
    if (wide === 0n) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    const all = wide + BigInt(value);
    return narrowed((all >> 1n) ^ -(all & 1n));
  }

  /** Reads a string of `length` bytes. Gives it a number if it has SHORTEST … LONGEST bytes. */
  numbered(length: number, at: number): PhpText {
    const start = this.take(length, at);
    const text = textOf(this.bytes, start, start + length);
    if (length >= SHORTEST && length <= LONGEST) this.#strings.push(text);
    return text;
  }

  earlier(number: number, at: number): PhpText {
    const text = this.#strings[number];
    if (text === undefined) throw invalid(`string ${number} has not been there`, at);
    return text;
  }

  /** Returns the string that starts with this head; undefined if another value starts with it. */
  stringOf(head: number, at: number): PhpText | undefined {
    if (head >= 0x40 && head < 0x60) return this.numbered(head & 0x1f, at);
    if (head >= 0x90 && head < 0xc0) return this.earlier(head - 0x90, at);
    if (head === 0xc9) return this.numbered(this.byte(at), at);
    if (head === 0xca) return this.numbered(this.uint(at), at);
    if (head === 0xcb) return this.earlier(48 + this.byte(at), at);
    if (head === 0xcc) return this.earlier(304 + this.uint(at), at);
    return undefined;
  }

  /** Reads a value that must be a string, such as a key or the name of a class. */
  text(): PhpText {
    const at = this.at;
    const text = this.stringOf(this.byte(at), at);
    if (text === undefined) throw invalid('a string should stand here', at);
    return text;
  }

  /** Counts values that cost no bytes. Fails at the offset `at` if a snapshot has more than `maxElements` of them. */
  charge(values: number, at: number): void {
    if (values > this.#elements) {
      const what = `values that take no bytes are more than the limit ${this.limits.maxElements}`;
      throw new Failure('limit_exceeded', what, at, 'raise maxElements if the source is trusted');
    }
    this.#elements -= values;
  }

  checkDepth(depth: number, at: number): void {
    if (depth >= this.limits.maxDepth) throw tooDeep(this.limits.maxDepth, at);
  }

  /** Checks that a container may be opened. `owed` includes its values, each of which needs at least one byte. */
  open(owed: number, depth: number, at: number): void {
    this.checkDepth(depth, at);
    const remaining = this.end - this.at;
    if (owed > remaining) {
      const what = `a container and those around it promise ${owed} values but ${remaining} bytes remain`;
      throw ended(at, what);
    }
  }

  /** Reads the count of a map, or of a list that is a column or table. Refuses 0, and checks the depth. */
  count(depth: number, at: number): number {
    const count = this.uint(at);
    if (count === 0) throw invalid('a column has no cells', at);
    this.checkDepth(depth, at);
    return count;
  }
}
