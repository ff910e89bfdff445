// Makes a question smaller while it keeps its difference: greedy, until nothing more can go. fast-check says what is a
// little smaller.

import fc from 'fast-check';

/** @typedef {import('./fuzz-opinions.mjs').Question} Question */

const MAX_ATTEMPTS = 1500;

/** Bytes in the chunks that a stream gets them in, so that a cut keeps its place when bytes before it go. */
const CHUNKS = fc.array(fc.array(fc.nat(255)));

/**
 * Finds a smaller question that `differs` as well.
 *
 * @param {Question} question one that differs
 * @param {(smaller: Question) => Promise<boolean>} differs
 * @returns {Promise<Question>}
 */
export async function minimize(question, differs) {
  let best = question;
  let attempts = 0;
  for (let progress = true; progress; ) {
    progress = false;
    for (const smaller of candidates(best)) {
      if (attempts++ >= MAX_ATTEMPTS) return best;
      if (!(await differs(smaller))) continue;
      best = smaller;
      progress = true;
      break;
    }
  }
  return best;
}

/**
 * Everything a little smaller, the largest steps first.
 *
 * @param {Question} question
 * @returns {Generator<Question>}
 */
function* candidates(question) {
  const { bytes, cuts, shared, limits } = question;
  if (cuts.length > 0) yield { ...question, cuts: [] };
  for (const name of Object.keys(limits)) {
    yield { ...question, limits: Object.fromEntries(Object.entries(limits).filter(([other]) => other !== name)) };
  }
  if (question.records === 'inline') yield { ...question, records: 'off' };
  if (shared?.header) yield { ...question, shared: { ...shared, header: false } };
  if (shared !== undefined && shared.dictionary.length > 0) {
    yield { ...question, shared: { ...shared, dictionary: shared.dictionary.slice(0, -1) } };
  }
  const ends = bytes.length === 0 ? [] : [...cuts, bytes.length];
  const chunks = ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
  for (const { value } of CHUNKS.shrink(chunks, undefined)) {
    const smaller = value.filter(({ length }) => length > 0);
    const starts = smaller.map((_, index) => smaller.slice(0, index).flat().length);
    yield { ...question, bytes: smaller.flat(), cuts: starts.slice(1) };
  }
}
