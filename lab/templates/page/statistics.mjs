// Medians and bootstrap intervals, as lab/src/Measure/Statistics.php has them: the page divides by any baseline.

const RESAMPLES = 400;

/** @typedef {Record<string, number[]>} Rounds samples by round */
/** @typedef {{median: number, low: number, high: number}} Estimate */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
}

/** @param {number[]} values @param {number} index */
const at = (values, index) => values[index] ?? Number.NaN;

/** A small generator of random numbers (mulberry32), so that a page says the same twice. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * The median of the rounds' ratios with its 95 % interval, or undefined if the two share no round.
 *
 * @param {Rounds} of
 * @param {Rounds} to
 * @param {number} seed
 * @returns {Estimate | undefined}
 */
export function ratio(of, to, seed) {
  const shared = Object.keys(of).filter((round) => to[round] !== undefined);
  if (shared.length === 0) return undefined;
  if (of === to) return { median: 1, low: 1, high: 1 };
  const random = randomFrom(seed);
  /** @template T @param {T[]} values @returns {T[]} */
  const resample = (values) => values.map(() => /** @type {T} */ (values[Math.floor(random() * values.length)]));
  const middle = median(shared.map((round) => median(of[round] ?? []) / median(to[round] ?? [])));
  const found = Array.from({ length: RESAMPLES }, () =>
    median(resample(shared).map((round) => median(resample(of[round] ?? [])) / median(resample(to[round] ?? [])))),
  ).sort((a, b) => a - b);
  return {
    median: middle,
    low: Math.min(middle, at(found, Math.floor(0.025 * RESAMPLES))),
    high: Math.max(middle, at(found, Math.floor(0.975 * RESAMPLES) - 1)),
  };
}

/** @param {Estimate} estimate @returns {'faster' | 'slower' | 'tied'} than what it's a ratio to */
export function verdict({ low, high }) {
  if (high < 1) return 'faster';
  return low > 1 ? 'slower' : 'tied';
}
