// Float 32 for decimal numbers (option useFloat32).
//
// Plan: FLOAT32_OPTIONS · rounding on decode · the choice on encode · the choice of msgpackr.
//
// A float 32 has 6 to 9 significant decimal digits. The number with the fewest digits that still rounds to the same
// float 32 is most likely what was meant, such as 7.99 instead of 7.989999771118164. Because this number rounds to the
// same float 32, encoding it again gives the same bytes.

// The members of FLOAT32_OPTIONS. They are separate constants, because bundlers replace constants by their values.
export const NEVER = 0;
export const ALWAYS = 1;
export const DECIMAL_ROUND = 3;
const DECIMAL_FIT = 4;

/** Values of the option `useFloat32`. */
export const FLOAT32_OPTIONS = /* @__PURE__ */ Object.freeze({
  /** Floats are written as float 64. */
  NEVER,
  /**
   * Non-integral numbers with an absolute value below 2³¹ are rounded and written as float 32. With `compat`, also
   * those from 2³¹ to 2³².
   */
  ALWAYS,
  /** Like ALWAYS, but a float 32 decodes to the number with the fewest digits, at least 6, that rounds to it. */
  DECIMAL_ROUND,
  /** Like DECIMAL_ROUND, but writes float 32 only if decoding gives the same number back. */
  DECIMAL_FIT,
} as const);

/** A value of `FLOAT32_OPTIONS`. */
export type Float32Option = (typeof FLOAT32_OPTIONS)[keyof typeof FLOAT32_OPTIONS];

const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;

/** From this absolute value on, every option writes float 64. With `compat`, the positive bound is twice as high. */
const FLOAT32_BOUND = 2_147_483_648;

/**
 * Returns the decimal number with the fewest digits, at least 6, that rounds to the float 32 `number`. Returns
 * integers, numbers that aren't float 32, NaN and the infinities unchanged.
 */
export function roundFloat32(number: number): number {
  if (Math.fround(number) !== number || Number.isInteger(number)) return number;
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const rounded = Number(number.toPrecision(digits));
    if (Math.fround(rounded) === number) return rounded;
  }
  return number;
}

/** Whether the option asks for float 32 for this number, which isn't written as an int. */
export function wantsFloat32(number: number, option: Float32Option): boolean {
  if (option === NEVER || Number.isInteger(number) || !(Math.abs(number) < FLOAT32_BOUND)) return false;
  return option !== DECIMAL_FIT || roundFloat32(Math.fround(number)) === number;
}

/** Whether msgpackr would write this number, which isn't a 32-bit int, as float 32 (option compat). */
export function olderWantsFloat32(number: number, option: Float32Option): boolean {
  if (option === NEVER || !(number < 2 * FLOAT32_BOUND && number >= -FLOAT32_BOUND)) return false;
  if (option !== DECIMAL_FIT) return true;
  // The exponent of 10 is how many decimal places every float 32 of this magnitude can hold (0.30103 is log₁₀ 2).
  // Choose float 32 if the number times this power of 10 is a 32-bit int.
  const shifted = number * 10 ** Math.floor(45.15 - 0.30103 * exponentOf(number));
  return shifted >> 0 === shifted;
}

/** Returns the exponent field of a number as float 32, 0 … 255. */
function exponentOf(number: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, number);
  return (view.getUint16(0) >>> 7) & 0xff;
}
