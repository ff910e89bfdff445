// The first messages of a library, counted: what processes and pages measure of first use.

import type { Contestant } from './_contestants.ts';

/** After how many messages the clock is read. */
export const COUNTS = [1, 20, 100, 1000, 5000];

/** Returns the time of each count, and the latest result for each message. */
function run<T, Time>(call: (message: T) => unknown, list: readonly T[], now: () => Time) {
  const results: unknown[] = new Array(list.length).fill(null);
  const times: Time[] = [];
  let count = 0;
  let place = 0;
  for (const next of COUNTS) {
    for (; count < next; count++) {
      results[place] = call(list[place] as T);
      place = place + 1 === list.length ? 0 : place + 1;
    }
    times.push(now());
  }
  return { times, results };
}

/**
 * Encodes values, or decodes messages, one after the other.
 *
 * @returns the time of each count, and values to compare with those that were given
 */
export function runFirst<Time>(contestant: Contestant, isPack: boolean, given: unknown[], now: () => Time) {
  if (!isPack) return run((message) => contestant.unpack(message as Uint8Array), given, now);
  const { times, results } = run((value) => contestant.pack(value), given, now);
  return { times, results: results.map((bytes) => contestant.unpack(bytes as Uint8Array)) };
}
