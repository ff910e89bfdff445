// How much of the suite runs: all of it, or what the time between two edits allows (tools/quick.mjs).

/** How often a property is tried: POLYPACK_RUNS, or what its test has without it. */
export function runs(usual: number): number {
  return Number(process.env.POLYPACK_RUNS ?? usual);
}

/** Whether this is the quick run. */
export const QUICK = process.env.POLYPACK_TESTS_QUICK === '1';

/** For tests that try everything, or measure: they take seconds, and the quick run does without them. */
export const THOROUGH = { skip: QUICK };
