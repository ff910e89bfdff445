// The sink: a growing buffer, and methods that write heads, numbers and bytes (spec/02-wire.md). The methods don't look
// at JavaScript types. Text is in str.ts.
//
// Plan: Sink: results · capacity · heads · ints and floats. Then slabs, and memory for large results.
//
// The bytes that `take` returned are never written to again. Small results lie one after the other in a slab, which is
// memory of a few kilobytes. Each larger result has its own memory, and so does every result of a Sink without slabs.
// `start` is where the message begins in `bytes`.
//
// Allocating an ArrayBuffer costs more than encoding a small result. So slabs are taken from the pool that Node's
// Buffers share. Node doesn't allow transferring the pool, so transferring one result can't make another one disappear.
// Other hosts allow transferring any memory, so every result has its own memory there.

import { Fault } from '../../core/errors.ts';
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
  FLOAT32,
  FLOAT64,
  INT8,
  INT16,
  INT32,
  INT64,
  MAP16,
  MAP32,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
} from '../../core/format.ts';
import { NODE } from '../../core/host.ts';
import { type Bytes, lengthOf } from '../../core/views.ts';

const FIRST_CAPACITY = 1024;

/** Buffers with at most this many bytes are kept for the next message. */
const KEPT_CAPACITY = 65_536;

const TWO_32 = 0x1_0000_0000;
const HIGHEST_NAN = 0x7ff8_0000;

/** A message doesn't start in a slab if more than this many bytes are expected. */
const MOST_IN_SLAB = 2048;

/**
 * Without slabs, messages with at most this many bytes are written to memory that is kept, then copied. Copying costs
 * less than allocating new memory and its views.
 */
const MOST_COPIED = 16_384;

/**
 * Engines store up to this many bytes inside a typed array object. Without slabs, results of at most this length are
 * copied by `new Uint8Array(view)`, which is faster than `slice` of a larger view.
 */
const MOST_IN_OBJECT = 64;

/** A message starts in a slab only if at least this many bytes are free. */
const LEAST_IN_SLAB = 256;

const MOST_HEADROOM = 65_536;

/**
 * A large result keeps the memory it was written to if the unused rest is at most this fraction of the result's length.
 */
const MOST_WASTE = 0.125;

export class Sink {
  protected bytes: Uint8Array;
  protected view: DataView;
  /** `bytes.length`, stored for speed. */
  protected capacity: number;
  /** A view of the end of `bytes` that str.ts uses; null until it is needed, and after `bytes` changes. */
  protected window: Uint8Array | null = null;
  /** Where the message starts in `bytes`; 0 if it isn't in a slab. */
  protected start = 0;
  /** The offset of the next byte to write. */
  protected offset = 0;
  /** Holds small results in its first `slabUsed` bytes; null if this Sink has no slabs. */
  private slab: Uint8Array | null;
  private slabView: DataView;
  /** The memory of the slab. Reading `slab.buffer` each time would cost as much as encoding a dozen numbers. */
  private slabBuffer: ArrayBufferLike;
  private slabStart: number;
  private slabUsed = 0;
  /** Without slabs: the memory for messages that aren't expected to be large. Results are copied from it. */
  private own: Uint8Array;
  /** Views of the start of `own`, indexed by their length, up to MOST_IN_OBJECT. Each is made at its first use. */
  private starts: Uint8Array[] = [];
  /** Memory to reuse for large messages. */
  private spare: Uint8Array | null = null;
  /**
   * `prepareLarge` gives a large message 64 bytes of extra capacity, plus at most this many. Each large result makes
   * this number smaller. When a message outgrows its memory, the number becomes MOST_HEADROOM again.
   */
  private headroom = MOST_HEADROOM;
  /** Approximate length of the latest messages, in bytes. */
  private usualLength = 0;
  /**
   * Non-negative ints below this are written as a single byte. Where bytes 40–7f may be ids of records, ints from 64 on
   * take at least two bytes (spec/05#instance).
   */
  protected readonly lowInts: number;

  /** @param mayShare whether results may be put into slabs, where a message can start anywhere */
  constructor(hasRecords: boolean, mayShare = false) {
    this.lowInts = hasRecords ? 0x40 : 0x80;
    this.slab = mayShare ? newSlab() : null;
    this.bytes = this.slab ?? new Uint8Array(FIRST_CAPACITY);
    this.own = this.bytes;
    this.capacity = this.bytes.length;
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.capacity);
    this.slabView = this.view;
    this.slabBuffer = this.bytes.buffer;
    this.slabStart = this.bytes.byteOffset;
  }

  /**
   * Returns the bytes that were written. They are never written to again. Don't call this while the Sink writes to
   * memory of a caller, which may be shared.
   */
  take(): Bytes {
    const { bytes, start, offset } = this;
    const length = offset - start;
    this.usualLength = Math.max(length, this.usualLength - ((this.usualLength - length) >> 2));
    if (this.slab === null && (length <= MOST_COPIED || bytes === this.own)) return this.takeCopy(length);
    if (bytes === this.slab) {
      this.slabUsed = offset;
      return new Uint8Array(this.slabBuffer, this.slabStart + start, length) as Bytes;
    }
    return this.takeLarge(length);
  }

  private takeCopy(length: number): Bytes {
    const { bytes, capacity } = this;
    if (length <= MOST_IN_OBJECT && bytes === this.own) {
      this.starts[length] ??= bytes.subarray(0, length);
      return new Uint8Array(this.starts[length]);
    }
    if (capacity > this.own.length && capacity <= KEPT_CAPACITY) this.keep(bytes);
    return bytes.slice(0, length);
  }

  private keep(bytes: Uint8Array): void {
    this.own = bytes;
    this.starts = [];
  }

  private takeLarge(length: number): Bytes {
    const { bytes, capacity } = this;
    this.headroom -= this.headroom >> 3;
    if (capacity - length > MOST_WASTE * length) {
      if (capacity <= KEPT_CAPACITY) this.spare = bytes;
      return bytes.slice(0, length);
    }
    if (bytes === this.spare) this.spare = null;
    // Clear the unused rest, because users can reach it through the result's `buffer`.
    bytes.fill(0, length);
    return bytes.subarray(0, length) as Bytes;
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.offset - this.start;
  }

  /**
   * Makes the Sink write to `bytes` from now on, starting at offset 0. If `bytes` is too small, larger memory replaces
   * it.
   *
   * @returns the memory used so far
   */
  exchange(bytes: Uint8Array): Uint8Array {
    const before = this.bytes;
    this.replaceBuffer(bytes);
    this.start = 0;
    this.offset = 0;
    return before;
  }

  /** Copies the bytes written so far to the memory that `exchange` was given, unless they are already there. */
  copyTo(bytes: Uint8Array): void {
    if (this.bytes !== bytes) bytes.set(this.bytes.subarray(this.start, this.offset));
  }

  /** Forgets what was written, and switches from memory for one large message back to the usual memory. */
  reset(): void {
    const { slab } = this;
    if (slab === null) {
      this.start = 0;
      this.offset = 0;
      if (this.bytes !== this.own) this.replaceBuffer(this.own);
      return;
    }
    if (this.bytes !== slab) {
      this.bytes = slab;
      this.view = this.slabView;
      this.capacity = slab.length;
      this.window = null;
    }
    this.start = this.slabUsed;
    this.offset = this.slabUsed;
  }

  /** Chooses memory for a message of the usual length. */
  protected prepare(): void {
    const { slab, usualLength } = this;
    if (usualLength > (slab === null ? MOST_COPIED : MOST_IN_SLAB)) this.prepareLarge(usualLength);
    else if (slab !== null && this.capacity - this.offset < Math.max(LEAST_IN_SLAB, usualLength)) this.nextSlab(0);
  }

  /** @param needed the number of bytes of the message so far, plus the bytes to write next */
  private nextSlab(needed: number): void {
    const slab = newSlab();
    this.slab = slab;
    this.slabUsed = 0;
    this.start = 0;
    this.offset = 0;
    this.replaceBuffer(slab ?? new Uint8Array(Math.max(FIRST_CAPACITY, needed)));
    this.keep(slab ?? new Uint8Array(FIRST_CAPACITY));
    this.slabView = this.view;
    this.slabBuffer = this.bytes.buffer;
    this.slabStart = this.bytes.byteOffset;
  }

  private prepareLarge(usualLength: number): void {
    this.start = 0;
    this.offset = 0;
    const { spare } = this;
    // Reserve slightly more than the usual length. Then a message that is a few bytes longer needn't be moved.
    const capacity = usualLength + Math.min(usualLength >> 4, this.headroom) + 64;
    if (spare !== null && capacity <= spare.length && spare.length <= 4 * capacity) this.replaceBuffer(spare);
    else {
      this.spare = null;
      this.replaceBuffer(newMemory(capacity));
    }
  }

  /** Ensures capacity for `count` more bytes. */
  protected ensure(count: number): void {
    if (this.offset + count > this.capacity) this.grow(count);
  }

  protected grow(count: number): void {
    const used = this.bytes.subarray(this.start, this.offset);
    const needed = used.length + count;
    if (this.bytes === this.slab && needed <= this.capacity) this.nextSlab(needed);
    else this.growLarge(needed);
    this.bytes.set(used);
    this.start = 0;
    this.offset = used.length;
  }

  private growLarge(needed: number): void {
    const { spare } = this;
    const length = Math.max(2 * this.capacity, needed);
    this.headroom = MOST_HEADROOM;
    this.replaceBuffer(spare !== null && spare.length >= needed ? spare : newMemory(length));
  }

  private replaceBuffer(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.window = null;
    this.capacity = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  protected byte(byte: number): void {
    this.ensure(1);
    this.bytes[this.offset] = byte;
    this.offset++;
  }

  protected append(bytes: Uint8Array, length = lengthOf(bytes)): void {
    this.ensure(length);
    this.bytes.set(bytes, this.offset);
    this.offset += length;
  }

  // --- heads ---------------------------------------------------------------------------------------------------------

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

  /** Writes the head of a map 16 or map 32. With `variableMapSize: false`, every object written as a map gets one. */
  protected wideMapHead(count: number): void {
    if (count < 0x1_0000) this.head16(MAP16, count);
    else this.head32(MAP32, checkLength(count));
  }

  /**
   * Writes the head of a map into the bytes that were reserved before its entries.
   *
   * @param begin the offset of the reserved bytes, counted from the start of the message
   * @param left how many bytes were reserved; if the head has another length, the entries move
   * @param least length of the shortest head that is allowed, 1 or 3
   * @returns the length of the head
   */
  protected putMapHead(begin: number, left: number, count: number, least: number): number {
    const needed = count < 16 && least === 1 ? 1 : count < 0x1_0000 ? 3 : 5;
    if (needed !== left) {
      this.ensure(needed);
      const from = this.start + begin;
      this.bytes.copyWithin(from + needed, from + left, this.offset);
      this.offset += needed - left;
    }
    const end = this.offset;
    this.offset = this.start + begin;
    if (needed === 1) this.mapHead(count);
    else this.wideMapHead(count);
    this.offset = end;
    return needed;
  }

  protected bin(bytes: Uint8Array): void {
    const length = lengthOf(bytes);
    if (length < 0x100) this.head8(BIN8, length);
    else if (length < 0x1_0000) this.head16(BIN16, length);
    else this.head32(BIN32, checkLength(length));
    this.append(bytes, length);
  }

  /** Writes the head of an ext value, including its type. */
  protected extHead(type: number, length: number): void {
    if (length === 1 || length === 2 || length === 4 || length === 8 || length === 16) {
      this.byte(FIXEXT1 + 31 - Math.clz32(length));
    } else if (length < 0x100) this.head8(EXT8, length);
    else if (length < 0x1_0000) this.head16(EXT16, length);
    else this.head32(EXT32, checkLength(length));
    this.byte(type & 0xff);
  }

  // --- numbers -------------------------------------------------------------------------------------------------------

  /** Writes a safe integer. */
  protected int(number: number): void {
    const int = number >> 0;
    if (int !== number) {
      if (number > 0 && number < TWO_32) this.head32(UINT32, number);
      else this.int64(number < 0 ? INT64 : UINT64, number);
    } else if (int >= 0 && int < this.lowInts) this.byte(int);
    else this.int32(int);
  }

  /** Writes an integer of −2³¹ … 2³¹−1 that is negative or at least `lowInts`. */
  protected int32(int: number): void {
    if (this.offset + 5 > this.capacity) this.grow(5);
    const { bytes, offset: at } = this;
    if (int >= 0x1_0000 || int < -0x8000) {
      bytes[at] = int < 0 ? INT32 : UINT32;
      this.view.setInt32(at + 1, int);
      this.offset = at + 5;
    } else if (int >= 0x100 || int < -0x80) {
      bytes[at] = int < 0 ? INT16 : UINT16;
      bytes[at + 1] = int >> 8;
      bytes[at + 2] = int;
      this.offset = at + 3;
    } else if (int >= 0 || int < -0x20) {
      bytes[at] = int < 0 ? INT8 : UINT8;
      bytes[at + 1] = int;
      this.offset = at + 2;
    } else {
      bytes[at] = int;
      this.offset = at + 1;
    }
  }

  protected int64(head: number, number: number): void {
    this.ensure(9);
    this.bytes[this.offset] = head;
    this.view.setUint32(this.offset + 1, Math.floor(number / TWO_32) >>> 0);
    this.view.setUint32(this.offset + 5, number >>> 0);
    this.offset += 9;
  }

  /** Writes an integer of −2⁶³ … 2⁶⁴−1. */
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
    // ECMAScript lets engines choose the bits of a NaN; spec/02#float doesn't.
    if (Number.isNaN(number)) {
      this.view.setUint32(this.offset + 1, HIGHEST_NAN);
      this.view.setUint32(this.offset + 5, 0);
    } else {
      this.view.setFloat64(this.offset + 1, number);
    }
    this.offset += 9;
  }

  /** Writes a float 32. The number must not be NaN. */
  protected float32(number: number): void {
    this.ensure(5);
    this.bytes[this.offset] = FLOAT32;
    this.view.setFloat32(this.offset + 1, number);
    this.offset += 5;
  }
}

/** Returns a length or count. Throws `out_of_range` if it doesn't fit 32 bits. */
export function checkLength(length: number): number {
  if (length < TWO_32) return length;
  throw new Fault('out_of_range', null, `a length or count of ${length} does not fit 32 bits`, 'split the value');
}

// --- memory ----------------------------------------------------------------------------------------------------------

/** Just below half of Node's default pool of 8,192 bytes. The pool isn't used for Buffers of half its size or more. */
const SLAB_LENGTH = 4088;

/** Allocates a slab, whose contents are undefined. Returns null if every result needs memory of its own. */
function newSlab(): Uint8Array | null {
  if (NODE === null) return null;
  const { buffer, byteOffset, length } = NODE.Buffer.allocUnsafe(SLAB_LENGTH);
  // Results share a slab, so nobody may transfer its memory. Node forbids transferring its pool, but no other memory.
  // The pool has more than `length` bytes.
  return buffer.byteLength > length ? new Uint8Array(buffer, byteOffset, length) : null;
}

/** Allocates memory for one large result. The contents are undefined. */
function newMemory(length: number): Uint8Array {
  if (NODE === null) return new Uint8Array(length);
  const { buffer, byteOffset } = NODE.Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer, byteOffset, length);
}
