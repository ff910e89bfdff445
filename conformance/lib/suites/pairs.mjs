// pairs: every valid value through every ordered pair of implementations, writer → reader.
//
// The writer transcodes each form of the value in lossless mode, the reader transcodes what came out, and the canonical
// form of that must be the case's. A result belongs to the writer; its mode is the reader's name. There are two rounds,
// so that an implementation runs alone: all writers, then all readers.

import { someBytes } from '../exam.mjs';

export const name = 'pairs';

/**
 * What a writer made of the forms of each case.
 *
 * @typedef {{one: import('../vectors.mjs').ValidCase, outputs: string[]}[]} Written
 */

const mode = 'lossless';

/**
 * First round: what this implementation writes. A form it fails on has a result here and none in the second round.
 *
 * @param {import('../vectors.mjs').Vectors} vectors
 * @param {Written} written filled by the cases
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* writing({ valid }, written) {
  for (const one of valid) {
    const { canonical, also, options } = one;
    yield {
      ...one,
      mode: 'write',
      async run(exam) {
        const asked = [canonical, ...also].map((bytes) =>
          exam.expect({ op: 'transcode', mode, ...options, bytes }, someBytes()),
        );
        const answers = await Promise.all(asked);
        written.push({ one, outputs: answers.flatMap((answer) => (answer === null ? [] : [String(answer.bytes)])) });
      },
    };
  }
}

/**
 * Second round: what this implementation makes of one writer's bytes. Most writers write the same, which a reader is
 * asked once.
 *
 * @param {Written} written
 * @param {string} reader
 * @param {Map<object, Set<string>>} passed the bytes that this reader was right about, by case, filled by the cases
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* reading(written, reader, passed) {
  for (const { one, outputs } of written) {
    if (outputs.length === 0) continue;
    const { canonical, options } = one;
    yield {
      ...one,
      mode: reader,
      async run(exam) {
        const known = passed.get(one) ?? new Set();
        passed.set(one, known);
        const pass = async (/** @type {string} */ bytes) => {
          if (known.has(bytes)) return exam.recall();
          const answer = await exam.expect({ op: 'transcode', mode, ...options, bytes }, someBytes());
          if (answer === null) return;
          await exam.expectCanonical(options, String(answer.bytes), canonical);
          if (exam.failures.length === 0) known.add(bytes);
        };
        await Promise.all([...new Set(outputs)].map(pass));
      },
    };
  }
}
