// canonical: the canonical form of these bytes, and where they depart from it (vectors/canonical).

import { theBytes, theDeparture } from '../exam.mjs';

export const name = 'canonical';

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ canonical }) {
  for (const one of canonical) {
    const { bytes, departure } = one;
    yield {
      ...one,
      mode: 'canonical',
      run: (exam) =>
        Promise.all([
          exam.expect({ op: 'canonical', bytes }, theBytes(one.canonical)),
          exam.expect({ op: 'isCanonical', bytes }, theDeparture(departure)),
          exam.expect({ op: 'isCanonical', bytes: one.canonical }, theDeparture(null)),
        ]),
    };
  }
}
