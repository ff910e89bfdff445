// Numbers to bytes (spec/02, 09): the base of the encoder's Writer.
//
// Plan: NumberWriter: a number · what is no int of 32 bits · bigints · arrays of floats and of points.

import { rangeFault } from '../core/encode-faults.ts';
import { FLOAT32_OPTIONS, olderWantsFloat32, wantsFloat32 } from '../core/float32.ts';
import { FIXARRAY, FLOAT64, INT64, UINT64 } from '../core/format.ts';
import type { Settings } from '../options/settings.ts';
import { StrWriter } from './output/str.ts';

/** So many floats, or points, have their room made at once. */
const FLOATS_AT_ONCE = 64;
const POINTS_AT_ONCE = 32;

/** Bytes of an array of two float 64. */
const POINT_LENGTH = 19;

const MIN_INT = -0x8000_0000_0000_0000n;
const MAX_INT = 0xffff_ffff_ffff_ffffn;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

export abstract class NumberWriter extends StrWriter {
  protected readonly settings: Settings;
  /** Whether what is no int is a float 64, and nothing else. */
  protected readonly hasFloat64: boolean;
  /** Whether bytes are to be those of msgpackr. */
  protected readonly compat: boolean;

  constructor(settings: Settings, mayShare: boolean) {
    super(settings.inline, mayShare);
    this.settings = settings;
    this.hasFloat64 = settings.useFloat32 === FLOAT32_OPTIONS.NEVER && !settings.compat;
    this.compat = settings.compat;
  }

  /** Short enough for engines to write it out in place of its call, for which they would have to allocate a float. */
  protected number(number: number): void {
    // Room for each of these, so that one test does for all.
    if (this.offset + 9 > this.capacity) this.grow(9);
    const at = this.offset;
    const int = number >> 0;
    if (int === number && (int !== 0 || !Object.is(number, -0))) {
      if (int >>> 0 < this.lowInts) {
        this.bytes[at] = int;
        this.offset = at + 1;
      } else this.int32(int);
    } else if (this.hasFloat64 && Math.trunc(number) !== number && !Number.isNaN(number)) {
      this.bytes[at] = FLOAT64;
      this.view.setFloat64(at + 1, number);
      this.offset = at + 9;
    } else this.otherNumber(number);
  }

  /** What is no int of 32 bits. */
  private otherNumber(number: number): void {
    if (Number.isSafeInteger(number) && !Object.is(number, -0)) this.int(number);
    else if (this.compat) this.olderFloat(number);
    else this.float(number);
  }

  /** What is no int of 32 bits is a float to msgpackr, but −0 is 0. */
  private olderFloat(number: number): void {
    if (number === 0) this.int(0);
    else if (olderWantsFloat32(number, this.settings.useFloat32)) this.float32(number);
    else this.float64(number);
  }

  protected override int64(head: number, number: number): void {
    if (this.compat) this.float64(number);
    else super.int64(head, number);
  }

  protected float(number: number): void {
    if (wantsFloat32(number, this.settings.useFloat32)) this.float32(number);
    else this.float64(number);
  }

  protected bigInteger(number: bigint): void {
    if (number < MIN_INT || number > MAX_INT) this.largeBigInt(number);
    else if (this.compat) this.bigInt64(number > MAX_INT64 ? UINT64 : INT64, number);
    else this.bigInt(number);
  }

  /** A bigint that no int format holds. */
  protected largeBigInt(number: bigint): void {
    if (this.settings.largeBigIntToFloat) this.float64(Number(number));
    else if (this.settings.largeBigIntToString) this.str(String(number));
    else throw rangeFault(number);
  }

  // --- arrays -------------------------------------------------------------------------------------------------------------

  /**
   * Writes the numbers, or points, that an array begins with, of which the first is, or begins with, no integer.
   *
   * @returns the index behind them; 0 where a getter fails, which is met again where its path is known
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

  /**
   * Apart from other arrays, because engines keep arrays of such numbers in another form: where other arrays are read too, each
   * number would have to be allocated.
   */
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

  /** Pairs of numbers as lines have them, apart from others for the same reason. */
  private points(array: readonly unknown[], length: number): number {
    let index = 0;
    while (index < length) {
      const end = Math.min(length, index + POINTS_AT_ONCE);
      this.ensure(POINT_LENGTH * (end - index));
      const { bytes, view } = this;
      let at = this.offset;
      // Never anything else than what is read, or engines would allocate each number to have one form for both.
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
