// Makes a question smaller while it keeps its difference: greedy, until nothing more can go.

/** @typedef {import('./fuzz-opinions.mjs').Question} Question */

const MAX_ATTEMPTS = 1500;

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
 * Everything a little smaller, the largest cuts first.
 *
 * @param {Question} question
 * @returns {Generator<Question>}
 */
export function* candidates(question) {
  const { bytes, cuts, limits, records } = question;
  for (let length = bytes.length >> 1; length > 0; length >>= 1) {
    for (let at = bytes.length - length; at >= 0; at -= length) yield without(question, at, length);
    // A start that isn't a multiple of the length.
    if (bytes.length % length !== 0) yield without(question, 0, length);
  }
  if (cuts.length > 0) yield { ...question, cuts: [] };
  if (cuts.length > 1) for (const cut of cuts) yield { ...question, cuts: cuts.filter((other) => other !== cut) };
  for (const name of Object.keys(limits)) {
    yield { ...question, limits: Object.fromEntries(Object.entries(limits).filter(([other]) => other !== name)) };
  }
  if (records === 'inline') yield { ...question, records: 'off' };
  for (const [at, byte] of bytes.entries()) {
    // 01 is the plainest value. Never the other way, so that this ends.
    if (byte > 1) yield { ...question, bytes: bytes.with(at, 1) };
  }
}

/**
 * @param {Question} question
 * @param {number} at
 * @param {number} length
 * @returns {Question}
 */
function without(question, at, length) {
  const bytes = [...question.bytes.slice(0, at), ...question.bytes.slice(at + length)];
  const moved = question.cuts.map((cut) => (cut <= at ? cut : Math.max(at, cut - length)));
  const cuts = [...new Set(moved)].filter((cut) => cut > 0 && cut < bytes.length);
  return { ...question, bytes, cuts };
}
