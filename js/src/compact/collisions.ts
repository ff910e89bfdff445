// Numbers that share a bucket of a Map (spec/06-limits.md#collisions), in few bytes of program.
//
// Keys are sampled as in the public door: core/collisions.ts says why.

import { numberHash } from '../core/collisions.ts';

/** Keys that a Map may have before they are watched. */
export const UNWATCHED = 4096;

/** Tells whether too many numbers of a Map seem to share a bucket, now that a key comes into it. */
export type Watch = (key: unknown, map: ReadonlyMap<unknown, unknown>) => boolean;

/**
 * Watches one Map while it is filled.
 *
 * @param maxCollisions keys that may share a bucket; estimated
 */
export function watch(maxCollisions: number): Watch {
  /** Of the samples. */
  const hashes: number[] = [];
  /** How many samples are in a bucket. */
  let counts = new Uint32Array(UNWATCHED);
  /** The number of buckets, less one. */
  let mask = UNWATCHED - 1;
  /** Keys before the next sample. */
  let next = 0;
  return (key, map) => {
    if ((typeof key !== 'number' && typeof key !== 'bigint') || --next >= 0) return false;
    next = Math.random() * 63; // one key in 32 on average is a sample
    if (map.has(key)) return false;
    const sample = numberHash(key);
    hashes.push(sample);
    let uncounted = [sample];
    if (2 * mask < map.size) {
      // The table has grown, and its keys have moved to other buckets: two keys for each.
      mask = 2 * mask + 1;
      counts = new Uint32Array(mask + 1);
      uncounted = hashes;
    }
    let count = 0;
    for (const hash of uncounted) count = ++(counts[hash & mask] as number);
    // Fewer prove nothing.
    return count > 8 && 32 * count > maxCollisions;
  };
}
