// invalid: bytes → exact error (vectors/invalid), and a decoder that goes on working after it.

import { aValue, theError } from '../exam.mjs';

export const name = 'invalid';

/** Asked in the same process right after each error: [1, "a", nil]. */
const FOLLOW_UP = { bytes: '9301a161c0', value: { array: [{ int: '1' }, { str: 'a' }, { nil: true }] } };

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @param {import('../adapters.mjs').Implementation} _
 * @param {import('../judge.mjs').ModesOf} modesOf
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ invalid }, _, modesOf) {
  for (const one of invalid) yield* refused(one, modesOf(one.modes));
}

/**
 * A case for each mode: the error, and then a value.
 *
 * @param {import('../vectors.mjs').InvalidCase} one
 * @param {string[]} [modes]
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* refused(one, modes = one.modes) {
  const { bytes, error, options } = one;
  const { limits: _, ...reader } = options;
  for (const mode of modes) {
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
