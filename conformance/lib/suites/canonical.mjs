// canonical: the canonical form of these bytes, and where they depart from it (vectors/canonical).

import { theBytes, theDeparture, theErrorAnywhere } from '../exam.mjs';

export const name = 'canonical';

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ canonical }) {
  for (const one of canonical) {
    const { bytes, options, outcome } = one;
    yield {
      ...one,
      mode: 'canonical',
      run: (exam) => {
        const ask = (/** @type {string} */ op, /** @type {string} */ input) => ({ op, ...options, bytes: input });
        if ('error' in outcome) return exam.expect(ask('canonical', bytes), theErrorAnywhere(outcome.error));
        return Promise.all([
          exam.expect(ask('canonical', bytes), theBytes(outcome.canonical)),
          exam.expect(ask('isCanonical', bytes), theDeparture(outcome.departure)),
          exam.expect(ask('isCanonical', outcome.canonical), theDeparture(null)),
        ]);
      },
    };
  }
}
