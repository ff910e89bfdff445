// invalid: bytes → exact error (vectors/invalid), and a decoder that goes on working after it.

import { aValue, theError } from '../exam.mjs';

export const name = 'invalid';

/** Asked in the same process right after each error: [1, "a", nil]. */
const FOLLOW_UP = { bytes: '9301a161c0', value: { array: [{ int: '1' }, { str: 'a' }, { nil: true }] } };

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ invalid }) {
  for (const one of invalid) yield* refused(one);
}

/**
 * A case for each mode: the error, and then a value.
 *
 * @param {import('../vectors.mjs').InvalidCase} one
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* refused(one) {
  const { bytes, error, options } = one;
  const { limits: _, ...reader } = options;
  for (const mode of one.modes) {
    yield {
      ...one,
      mode,
      run: (exam) =>
        Promise.all([
          exam.expect({ op: 'decode', mode, ...options, bytes }, theError(error)),
          exam.expect({ op: 'decode', mode, ...reader, bytes: FOLLOW_UP.bytes }, aValue(FOLLOW_UP.value)),
        ]),
    };
  }
}
