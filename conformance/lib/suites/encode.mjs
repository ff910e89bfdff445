// encode: values that no encoder writes, and the error for each (vectors/encode).

import { theError } from '../exam.mjs';

export const name = 'encode';

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ encode }) {
  for (const one of encode) {
    const { value, error, options } = one;
    for (const mode of one.modes) {
      yield { ...one, mode, run: (exam) => exam.expect({ op: 'encode', mode, ...options, value }, theError(error)) };
    }
  }
}
