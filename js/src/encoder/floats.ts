// Writes arrays of floats, and arrays of points, which are pairs of floats.
//
// Plan: FloatEncoder: bulk, which undoes failed attempts · floats · points.
//
// These arrays have separate loops, because engines store their floats unboxed. If one loop read all kinds of arrays,
// the engine would allocate each float.

import { FIXARRAY, FLOAT64 } from '../core/format.ts';
import { NumberEncoder } from './numbers.ts';

/** Capacity is reserved for this many floats or points at a time. */
const FLOATS_AT_ONCE = 64;
const POINTS_AT_ONCE = 32;

/** Length of an encoded point in bytes: the head of an array, and two float 64. */
const POINT_LENGTH = 19;

export abstract class FloatEncoder extends NumberEncoder {
  /**
   * Writes the numbers, or points, at the start of an array. The first number isn't an integer.
   *
   * @returns how many elements were written; 0 after an error, and then nothing stays written. The caller writes the
   *   other elements one by one. If that fails, the caller adds the element's index to the path.
   */
  protected bulk(array: readonly unknown[], length: number, arePoints: boolean): number {
    const before = this.length;
    try {
      return arePoints ? this.points(array, length) : this.floats(array, length);
    } catch {
      this.offset = this.start + before;
      return 0;
    }
  }

  /** Writes the elements before the first one that isn't a number. Returns how many these are. */
  private floats(array: readonly unknown[], length: number): number {
    let index = 0;
    while (index < length) {
      const end = Math.min(length, index + FLOATS_AT_ONCE);
      this.ensure(9 * (end - index));
      const { bytes, view } = this;
      let at = this.offset;
      let element: unknown = 0;
      for (; index < end; index++) {
        element = array[index];
        if (typeof element !== 'number' || Math.trunc(element) === element || Number.isNaN(element)) break;
        bytes[at] = FLOAT64;
        view.setFloat64(at + 1, element);
        at += 9;
      }
      this.offset = at;
      if (index === end) continue;
      if (typeof element !== 'number') break;
      this.number(element);
      index++;
    }
    return index;
  }

  /** Writes the elements before the first one that isn't a pair of numbers. Returns how many these are. */
  private points(array: readonly unknown[], length: number): number {
    let index = 0;
    while (index < length) {
      const end = Math.min(length, index + POINTS_AT_ONCE);
      this.ensure(POINT_LENGTH * (end - index));
      const { bytes, view } = this;
      let at = this.offset;
      // The loop assigns only elements of points to these variables. Otherwise engines would box each number.
      let x: unknown = 0;
      let y: unknown = 0;
      for (; index < end; index++) {
        const point: unknown = array[index];
        if (!Array.isArray(point) || point.length !== 2) {
          this.offset = at;
          return index;
        }
        x = point[0];
        y = point[1];
        if (typeof x !== 'number' || Math.trunc(x) === x || Number.isNaN(x)) break;
        if (typeof y !== 'number' || Math.trunc(y) === y || Number.isNaN(y)) break;
        bytes[at] = FIXARRAY + 2;
        bytes[at + 1] = FLOAT64;
        view.setFloat64(at + 2, x);
        bytes[at + 10] = FLOAT64;
        view.setFloat64(at + 11, y);
        at += POINT_LENGTH;
      }
      this.offset = at;
      if (index === end) continue;
      if (typeof x !== 'number' || typeof y !== 'number') break;
      this.byte(FIXARRAY + 2);
      this.number(x);
      this.number(y);
      index++;
    }
    return index;
  }
}
