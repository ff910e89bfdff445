// records: 0x72 declarations and instances (vectors/records).

import { aValue, theBytes } from '../exam.mjs';
import { canonical } from '../values.mjs';
import { refused } from './invalid.mjs';

export const name = 'records';

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @param {import('../adapters.mjs').Implementation} implementation
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ records }, { writesRecords }) {
  const mode = 'lossless';
  for (const one of records) {
    if ('error' in one) {
      yield* refused(one);
      continue;
    }
    const { bytes, value, options } = one;
    yield {
      ...one,
      mode,
      async run(exam) {
        await Promise.all([
          exam.expect({ op: 'decode', mode, ...options, bytes }, aValue(value)),
          exam.expect({ op: 'canonical', ...options, bytes }, theBytes(canonical(value))),
          writesRecords && one.encodes && exam.expect({ op: 'encode', mode, ...options, value }, theBytes(bytes)),
        ]);
      },
    };
  }
}
