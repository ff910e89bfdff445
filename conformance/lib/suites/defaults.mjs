// defaults: what decode then encode makes of these bytes in the language's own habits (spec/09, vectors/defaults).

import { theBytes, theError } from '../exam.mjs';

export const name = 'defaults';

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @param {import('../adapters.mjs').Implementation} implementation
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ defaults }, { language }) {
  for (const one of defaults) {
    if (one.room !== language) continue;
    const { bytes, mode, options, outcome } = one;
    const expectation = 'error' in outcome ? theError(outcome.error) : theBytes(outcome.becomes);
    yield { ...one, run: (exam) => exam.expect({ op: 'transcode', mode, ...options, bytes }, expectation) };
  }
}
