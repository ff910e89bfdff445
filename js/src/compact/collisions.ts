// Finds numbers that share a bucket of a Map (spec/06-limits.md#collisions), with little code.
//
// Keys are sampled as in core/collisions.ts, which explains the reason.

import { numberHash } from '../core/collisions.ts';

/** A Map with at most this many keys isn't watched. */
export const UNWATCHED = 4096;

/** Whether too many numbers seem to share a bucket. Called before `key` is added to the Map. */
export type Watch = (key: unknown, map: ReadonlyMap<unknown, unknown>) => boolean;

/**
 * Watches a Map while it is filled.
 *
 * @param maxCollisions the limit: how many keys may share a bucket, by the estimate
 */
export function watch(maxCollisions: number): Watch {
  /** The hashes of the samples. */
  const hashes: number[] = [];
  /** How many samples each bucket has. */
  let counts = new Uint32Array(UNWATCHED);
  /** The number of buckets less one. */
  let mask = UNWATCHED - 1;
  /** How many keys come before the next sample. Need not be whole. */
  let next = 0;
  return (key, map) => {
    if ((typeof key !== 'number' && typeof key !== 'bigint') || --next >= 0) return false;
    next = Math.random() * 63; // one key in 32 on average is a sample
    if (map.has(key)) return false;
    const sample = numberHash(key);
    hashes.push(sample);
    let uncounted = [sample];
    if (2 * mask < map.size) {
      // The table has reached two keys per bucket, so the engine has doubled its buckets and moved its keys.
      mask = 2 * mask + 1;
      counts = new Uint32Array(mask + 1);
      uncounted = hashes;
    }
    let count = 0;
    for (const hash of uncounted) count = ++(counts[hash & mask] as number);
    // Eight samples or fewer prove nothing. Each sample stands for 32 keys.
    return count > 8 && 32 * count > maxCollisions;
  };
}
