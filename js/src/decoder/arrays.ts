// Arrays (spec/02-wire.md#array).
//
// Plan: ArrayDecoder: arrays by length · two or three floats · elements of any kind · tests for floats · points ·
// floats.
//
// Separate loops fill arrays that contain only floats, because engines store the floats of such arrays unboxed. If one
// loop filled all arrays, the engine would allocate memory for each float.

import {
  FIXARRAY,
  FIXSTR,
  FLOAT64,
  INT16,
  INT32,
  MAP32,
  MAX_PREALLOCATED,
  NEGATIVE_FIXINT,
  NIL,
  TRUE,
  UINT8,
  UINT16,
  UINT32,
} from '../core/format.ts';
import { RecordDecoder } from './records.ts';

/** Length in bytes of an array of two float 64, heads included. */
const PAIR_LENGTH = 19;

export abstract class ArrayDecoder extends RecordDecoder {
  protected override array(start: number, count: number): unknown[] {
    const { owed } = this;
    const array = this.list(start, count, owed);
    this.owed = owed;
    return array;
  }

  override list(start: number, count: number, owed: number): unknown[] {
    if (!this.canOpen(count, owed)) this.failOpen(start, count, owed); // rule 5 of spec/07#which-fault-wins
    this.budget -= count;
    this.depth++;
    const array = this.arrayOf(count, owed);
    this.depth--;
    return array;
  }

  /**
   * Reads the elements of an open array. Builds arrays of up to three elements as literals, which is fastest. The first
   * elements of a longer array decide whether it is read as floats or points.
   */
  private arrayOf(count: number, owed: number): unknown[] {
    switch (count) {
      case 0:
        return [];
      case 1:
        return [this.element(owed)];
      case 2:
        return this.areFloats(2) ? this.pair() : [this.element(owed + 1), this.element(owed)];
      case 3:
        if (this.areFloats(3)) return this.triple(owed);
        return [this.element(owed + 2), this.element(owed + 1), this.element(owed)];
      default:
        if (this.areFloats(count)) return this.floats(count, owed);
        return this.arePoints(count, owed)
          ? this.points(count, owed)
          : this.readElements(arrayFor(count), 0, count, owed);
    }
  }

  /** Reads the elements of an array of two floats, such as a point. The caller has checked both heads. */
  private pair(): number[] {
    const { offset, view } = this;
    this.offset = offset + 18;
    return [view.getFloat64(offset + 1), view.getFloat64(offset + 10)];
  }

  /** Reads the three elements of an array that starts with two floats. The third is usually also a float. */
  private triple(owed: number): unknown[] {
    const { offset, view } = this;
    const first = view.getFloat64(offset + 1);
    const second = view.getFloat64(offset + 10);
    this.offset = offset + 18;
    if (this.bytes[offset + 18] !== FLOAT64) return [first, second, this.element(owed)];
    this.offset = offset + 27;
    return [first, second, view.getFloat64(offset + 19)];
  }

  /**
   * Reads elements `from` … `count` − 1. Handles the most frequent heads inline, because a call would cost more than
   * the work.
   */
  private readElements(array: unknown[], from: number, count: number, owed: number): unknown[] {
    const { bytes, view, intsBelow } = this;
    // A head before this offset has at least two bytes after it. `element` reads the values that start later.
    const last = this.end - 2;
    for (let index = from; index < count; index++) {
      const { offset } = this;
      const head = offset < last ? (bytes[offset] as number) : MAP32;
      if (head < intsBelow) {
        this.offset = offset + 1;
        array[index] = head;
      } else if (head >= FIXSTR && head < NIL) {
        array[index] = this.text(offset, offset + 1, head & 0x1f);
      } else if (head === UINT8) {
        this.offset = offset + 2;
        array[index] = bytes[offset + 1];
      } else if (head === UINT16) {
        this.offset = offset + 3;
        array[index] = view.getUint16(offset + 1);
      } else if (head >= NEGATIVE_FIXINT) {
        this.offset = offset + 1;
        array[index] = head - 256;
      } else if (head >= NIL && head <= TRUE) {
        array[index] = this.simple(offset, head);
      } else if (head === INT16) {
        this.offset = offset + 3;
        array[index] = view.getInt16(offset + 1);
      } else if (head === INT32 && offset + 4 < this.end) {
        this.offset = offset + 5;
        array[index] = view.getInt32(offset + 1);
      } else if (head === UINT32 && offset + 4 < this.end) {
        this.offset = offset + 5;
        array[index] = view.getUint32(offset + 1);
      } else if (head === FLOAT64 && offset + 8 < this.end) {
        this.offset = offset + 9;
        array[index] = this.float64(offset + 1);
      } else {
        array[index] = this.element(owed + count - 1 - index);
      }
    }
    return array;
  }

  /**
   * Whether an array starts with two float 64, and the input is long enough for `count` of them. Always false in
   * lossless mode.
   */
  private areFloats(count: number): boolean {
    const { bytes, offset } = this;
    if (this.lossless || 9 * count > this.end - offset) return false;
    return bytes[offset] === FLOAT64 && bytes[offset + 9] === FLOAT64;
  }

  /**
   * Whether an array starts with a point (an array of two float 64), and the input is long enough for `count` points
   * and the values owed. Always false in lossless mode.
   */
  private arePoints(count: number, owed: number): boolean {
    const { bytes, offset } = this;
    if (this.lossless || PAIR_LENGTH * count + owed > this.end - offset) return false;
    return isPair(bytes, offset);
  }

  /**
   * Reads points, such as the coordinates of a line. The caller has checked that the input is long enough for all
   * points and the values owed, so the loop doesn't check each point.
   */
  private points(count: number, owed: number): unknown[] {
    const { bytes, view } = this;
    const array = arrayFor(count);
    // Each point is a container inside this array, and takes two values of the budget.
    const most = this.depth < this.maxDepth ? Math.min(count, Math.floor(this.budget / 2)) : 0;
    let at = this.offset;
    let index = 0;
    for (; index < most && isPair(bytes, at); index++) {
      array[index] = [view.getFloat64(at + 2), view.getFloat64(at + 11)];
      at += PAIR_LENGTH;
    }
    this.offset = at;
    this.budget -= 2 * index;
    return index === count ? array : this.readElements(array, index, count, owed);
  }

  private floats(count: number, owed: number): unknown[] {
    const { bytes, view } = this;
    const array: number[] = count <= MAX_PREALLOCATED ? new Array(count) : [];
    let at = this.offset;
    let index = 0;
    for (; index < count && bytes[at] === FLOAT64; index++) {
      array[index] = view.getFloat64(at + 1);
      at += 9;
    }
    this.offset = at;
    return index === count ? array : this.mixedAfterFloats(array, index, count, owed);
  }

  /**
   * Continues an array that started with floats. Copies the floats to a new array, so that engines see only floats in
   * the arrays that `floats` makes.
   */
  private mixedAfterFloats(floats: readonly number[], from: number, count: number, owed: number): unknown[] {
    const array: unknown[] = floats.slice(0, from);
    for (let index = from; index < count; index++) array[index] = this.element(owed + count - 1 - index);
    return array;
  }
}

function arrayFor(count: number): unknown[] {
  return count <= MAX_PREALLOCATED ? new Array(count) : [];
}

/** Whether an array of two float 64 starts at `at`. The caller ensures that the input is long enough. */
function isPair(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === FIXARRAY + 2 && bytes[at + 1] === FLOAT64 && bytes[at + 10] === FLOAT64;
}
