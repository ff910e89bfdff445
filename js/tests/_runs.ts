// How much of the suite runs: all of it, or what the time between two edits allows (tools/quick.mjs).

/** How often a property is tried: POLYPACK_RUNS, or what its test has without it. */
export function runs(usual: number): number {
  return Number(process.env.POLYPACK_RUNS ?? usual);
}

/** Whether this is the quick run. */
export const QUICK = process.env.POLYPACK_TESTS_QUICK === '1';

/** Whether the suite has run whole, and runs once more without code generation or in another Node (tools/test.mjs). */
export const AGAIN = process.env.POLYPACK_TESTS_AGAIN === '1';

/** For tests that no runtime makes different, and that take long. */
export const ONCE = { skip: AGAIN && 'the first run has tried it, and no runtime makes a difference' };

/** For tests that try everything, or measure: they take seconds, and the quick run does without them. */
export const THOROUGH = { skip: QUICK };
