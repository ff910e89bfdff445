// Numbers that share a bucket of a Map (spec/06-limits.md#collisions), in few bytes of program.
//
// Keys are sampled as in the public door: its collisions.ts says why. V8's two functions are the same three steps with other
// numbers, and samples are rare, so one loop over bigints is both.

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
  /** Keys up to the next sample. */
  let next = 1;
  return (key, map) => {
    if ((typeof key !== 'number' && typeof key !== 'bigint') || --next > 0) return false;
    next = Math.random() * 63; // so it is one in 32 on average
    if (map.has(key)) return false;
    const sample = hashOf(key);
    hashes.push(sample);
    let uncounted = [sample];
    if (2 * mask < map.size) {
      // The table has grown, and its keys have moved to other buckets: two keys for each.
      mask = 2 * mask + 1;
      counts = new Uint32Array(mask + 1);
      uncounted = hashes;
    }
    let count = 0;
    for (const hash of uncounted) {
      count = ++(counts[hash & mask] as number);
    }
    // Fewer prove nothing.
    return count > 8 && 32 * count > maxCollisions;
  };
}

/** What V8 hashes a number to: an integer of 32 bits by its value, another number by the bits of its float, a bigint by its magnitude. */
function hashOf(key: number | bigint): number {
  const isInt32 = key === (Number(key) | 0);
  let hash =
    isInt32 || typeof key === 'bigint'
      ? BigInt(isInt32 || key > 0 ? key : -key)
      : (new BigUint64Array(Float64Array.of(key).buffer)[0] as bigint);
  let less = 1n;
  const steps: [factor: bigint, shift: bigint][] = isInt32
    ? [
        [32_767n, 12n],
        [5n, 4n],
        [2057n, 16n],
      ]
    : [
        [262_143n, 31n],
        [21n, 11n],
        [65n, 22n],
      ];
  for (const [factor, shift] of steps) {
    hash = BigInt.asUintN(isInt32 ? 32 : 64, hash * factor - less);
    hash ^= hash >> shift;
    less = 0n;
  }
  return Number(hash & 0xff_ffffn); // no table has more buckets
}
