// records: 0x72 declarations and instances (vectors/records).

import { aValue, someBytes, theBytes } from '../exam.mjs';
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
          options.records !== 'shared' &&
            exam.expect({ op: 'canonical', ...options, bytes }, theBytes(canonical(value))),
          writesRecords && one.encodes && exam.expect({ op: 'encode', mode, ...options, value }, theBytes(bytes)),
          options.records === 'shared' && roundTrip(exam, { mode, ...options }, value),
        ]);
      },
    };
  }
}

/**
 * What an encoder writes with a dictionary, it reads with it.
 *
 * @param {import('../exam.mjs').Exam} exam
 * @param {Record<string, unknown>} options
 * @param {import('../values.mjs').Tagged} value
 */
async function roundTrip(exam, options, value) {
  const answer = await exam.expect({ op: 'encode', ...options, value }, someBytes());
  if (answer !== null) await exam.expect({ op: 'decode', ...options, bytes: answer.bytes }, aValue(value));
}
