// Writes numbers (spec/02, 09).
//
// Plan: NumberEncoder: a number · numbers that aren't 32-bit ints · bigints.

import { rangeFault } from '../core/encode-faults.ts';
import { NEVER, olderWantsFloat32, wantsFloat32 } from '../core/float32.ts';
import { FLOAT64, INT64, UINT64 } from '../core/format.ts';
import type { Settings } from '../options/settings.ts';
import { StrEncoder } from './output/str.ts';

const TWO_63 = 0x8000_0000_0000_0000;
const MIN_INT = -0x8000_0000_0000_0000n;
const MAX_INT = 0xffff_ffff_ffff_ffffn;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

export abstract class NumberEncoder extends StrEncoder {
  protected readonly settings: Settings;
  /** Whether non-integral numbers become float 64 without further checks. False with `useFloat32` or `compat`. */
  protected readonly hasFloat64: boolean;
  /** Whether to write the bytes of msgpackr (option compat). */
  protected readonly compat: boolean;

  constructor(settings: Settings, mayShare: boolean) {
    super(settings.inline, mayShare);
    this.settings = settings;
    this.hasFloat64 = settings.useFloat32 === NEVER && !settings.compat;
    this.compat = settings.compat;
  }

  /**
   * Writes a number. Keep this method short enough for engines to inline. If a call isn't inlined, the engine allocates
   * memory to pass a float.
   */
  protected number(number: number): void {
    // No number takes more than 9 bytes.
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

  /** Writes −0, or a number that isn't a signed 32-bit int. */
  private otherNumber(number: number): void {
    if (Number.isSafeInteger(number) && !Object.is(number, -0)) this.int(number);
    else if (this.compat) this.olderFloat(number);
    else this.float(number);
  }

  /**
   * Writes −0, or a number that isn't a safe integer, as msgpackr does. −0 becomes the int 0, except in a Raw that is
   * encoded again. All other numbers become floats.
   */
  private olderFloat(number: number): void {
    if (number === 0 && !this.settings.keepsNegativeZero) this.int(0);
    else if (olderWantsFloat32(number, this.settings.useFloat32)) this.float32(number);
    else this.anyFloat(number);
  }

  protected float(number: number): void {
    if (wantsFloat32(number, this.settings.useFloat32)) this.float32(number);
    else this.anyFloat(number);
  }

  /** Writes a number rounded to float 32; in canonical form, in the format that `canonicalFloat` chooses. */
  protected override float32(number: number): void {
    if (this.settings.canonical) this.canonicalFloat(Math.fround(number));
    else super.float32(number);
  }

  private anyFloat(number: number): void {
    if (this.settings.canonical) this.canonicalFloat(number);
    else this.float64(number);
  }

  /**
   * Writes a float in canonical form: as float 64, or with `integralFloatsAsInts` as an int if it is integral and fits
   * 64 bits. Strict mode uses canonical form only to compare keys. There a safe integer except −0 becomes an int,
   * because strict readers decode an int and a float of the same value to the same number.
   */
  private canonicalFloat(number: number): void {
    const { integralFloatsAsInts, mode } = this.settings;
    const isFolded = mode === 'strict' && Number.isSafeInteger(number) && !Object.is(number, -0);
    const isInt64 = Number.isInteger(number) && number >= -TWO_63 && number < 2 * TWO_63;
    if (isFolded || (integralFloatsAsInts && isInt64)) this.bigInteger(BigInt(number));
    else this.float64(number);
  }

  protected bigInteger(number: bigint): void {
    if (number < MIN_INT || number > MAX_INT) this.largeBigInt(number);
    else if (this.settings.wideBigInts) this.bigInt64(number > MAX_INT64 ? UINT64 : INT64, number);
    else this.bigInt(number);
  }

  /** Writes a bigint that doesn't fit in an int format, if an option allows it. */
  protected largeBigInt(number: bigint): void {
    if (this.settings.largeBigIntToFloat) this.float64(Number(number));
    else if (this.settings.largeBigIntToString) this.str(String(number));
    else throw rangeFault(number);
  }
}
