// The entry point polypack/msgpackr, which replaces msgpackr in existing programs. It has the names of msgpackr, and
// its behaviour with few exceptions (docs/guides/migrating-from-msgpackr.md), but uses the codec of this package.

import * as polypack from './index.ts';

export { C1, clearSource, FLOAT32_OPTIONS, isNativeAccelerationEnabled } from './index.ts';
export type { UnpackOptions } from './msgpackr/codec.ts';
export {
  addExtension,
  Packr,
  Packr as Encoder,
  pack,
  pack as encode,
  RESERVE_START_SPACE,
  RESET_BUFFER_MODE,
  REUSE_BUFFER_MODE,
  Unpackr,
  Unpackr as Decoder,
  unpack,
  unpack as decode,
  unpackMultiple,
} from './msgpackr/codec.ts';
export { decodeIter, encodeIter } from './msgpackr/iterators.ts';
export type { Extension, Options } from './msgpackr/options.ts';

/**
 * Rounds a number to float 32, and returns the decimal number with the fewest digits, at least 6, that rounds to the
 * same float 32. If the float 32 is an integer, NaN or infinite, returns it unchanged.
 */
export function roundFloat32(float32Number: number): number {
  return polypack.roundFloat32(Math.fround(float32Number));
}

/** The values of the option `useFloat32`, as separate constants. */
export const NEVER = 0;
export const ALWAYS = 1;
export const DECIMAL_ROUND = 3;
export const DECIMAL_FIT = 4;

/** The options that the functions `pack` and `unpack` use. */
export const useRecords = false;
export const mapsAsObjects = true;
