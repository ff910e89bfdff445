// valid: bytes ↔ values (vectors/valid). In lossless mode every direction is exact. In default and strict mode the
// value becomes what spec/09 says for the language, or is the error with which its types refuse it.

import { aValue, someBytes, theBytes, theDeparture } from '../exam.mjs';
import { theHabit } from '../habits.mjs';

/**
 * @typedef {import('../exam.mjs').Exam} Exam
 * @typedef {import('../judge.mjs').Case} Case
 */

export const name = 'valid';

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @param {import('../adapters.mjs').Implementation} implementation
 * @param {import('../judge.mjs').ModesOf} modesOf
 * @returns {Generator<Case>}
 */
export function* cases({ valid }, implementation, modesOf) {
  for (const one of valid) {
    yield { ...one, mode: 'lossless', run: (exam) => exchange(exam, one) };
    for (const mode of modesOf(['default', 'strict'])) {
      const { language } = implementation;
      const read = (/** @type {Exam} */ exam) => (/** @type {string} */ bytes) =>
        exam.expect({ op: 'decode', mode, ...one.options, bytes }, theHabit(language, mode, bytes, one.options));
      yield { ...one, mode, run: (exam) => Promise.all([one.canonical, ...one.also].map(read(exam))) };
    }
  }
}

/**
 * Every form decodes to the value and has the same canonical form, the value encodes to it.
 *
 * @param {Exam} exam
 * @param {import('../vectors.mjs').ValidCase} one
 */
async function exchange(exam, { value, canonical, also, options }) {
  const mode = 'lossless';
  const isTheValue = aValue(value);
  const isCanonicalForm = theBytes(canonical);
  const forms = [canonical, ...also].flatMap((bytes) => [
    exam.expect({ op: 'decode', mode, ...options, bytes }, isTheValue),
    exam.expect({ op: 'canonical', ...options, bytes }, isCanonicalForm),
    exam.expect({ op: 'isCanonical', ...options, bytes }, theDeparture(departure(bytes, canonical))),
  ]);
  // As long as the canonical form, as every head must be the shortest (spec/02): only the order of entries is free.
  const encoding = exam.expect({ op: 'encode', mode, ...options, value }, someBytes(canonical.length / 2));
  await Promise.all(forms);
  const encoded = await encoding;
  if (encoded !== null) await exam.expectCanonical(options, String(encoded.bytes), canonical);
}

/**
 * The offset of the first byte that differs (08#is-canonical); null for none.
 *
 * @param {string} bytes
 * @param {string} canonical
 */
function departure(bytes, canonical) {
  if (bytes === canonical) return null;
  let at = 0;
  while (at < bytes.length && bytes[at] === canonical[at]) at++;
  return at >> 1;
}
