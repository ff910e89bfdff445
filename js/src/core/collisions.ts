// Detects keys that share a bucket of a Map or Set (spec/06-limits.md#collisions).
//
// Plan: Collisions · V8's hash of a number.
//
// V8 hashes strings and properties with a seed, but numbers in a Map or Set by a public function without one. So an
// attacker can choose numbers that all share a bucket. V8 compares each of them with all before it, so a megabyte of
// them takes minutes. Collisions therefore samples the keys of a large table, one in 32 on average, at places that the
// sender can't predict. It counts the samples in each bucket. Other engines hash differently; there the counts mean
// nothing and do no harm.

/** Tables with at most this many keys aren't watched. */
export const UNWATCHED = 4096;

/** One in this many keys is a sample, on average. */
const KEYS_OF_A_SAMPLE = 32;

/** At most this many samples in one bucket prove nothing. */
const LEAST = 8;

/** Watches one table while it is filled. */
export class Collisions {
  readonly #most: number;
  /** The hashes of the samples by key, so that a repeated key isn't counted again. */
  readonly #hashes = new Map<number | bigint, number>();
  /** How many samples each bucket has. */
  #buckets = new Uint32Array(UNWATCHED);
  /** How many keys are left until the next sample. */
  #next = 1;

  /** @param maxCollisions the limit: how many keys of a table may share a bucket, by the estimate */
  constructor(maxCollisions: number) {
    this.#most = Math.max(LEAST, maxCollisions / KEYS_OF_A_SAMPLE);
  }

  /** Whether too many keys seem to share a bucket. Called before `key` is added to a table of `size` keys. */
  findWith(key: unknown, size: number): boolean {
    if (typeof key !== 'number' && typeof key !== 'bigint') return false;
    if (--this.#next > 0) return false;
    this.#next = Math.ceil(Math.random() * (2 * KEYS_OF_A_SAMPLE - 1));
    if (2 * this.#buckets.length <= size) this.#grow(size);
    if (this.#hashes.has(key)) return false;
    const hash = numberHash(key);
    this.#hashes.set(key, hash);
    return this.#count(hash) > this.#most;
  }

  /**
   * Recounts the samples: the table has reached two keys per bucket, so the engine has doubled its buckets and moved
   * its keys.
   */
  #grow(size: number): void {
    let buckets = this.#buckets.length;
    while (2 * buckets <= size) buckets *= 2;
    this.#buckets = new Uint32Array(buckets);
    for (const hash of this.#hashes.values()) this.#count(hash);
  }

  #count(hash: number): number {
    const bucket = hash & (this.#buckets.length - 1);
    return ++(this.#buckets[bucket] as number);
  }
}

/**
 * Returns V8's hash of a number. At least its lowest 24 bits are the same as in V8; no table has more than 2²⁴ buckets.
 * 32-bit integers are hashed by their value, other numbers by the bits of their float, bigints by their magnitude.
 */
export function numberHash(key: number | bigint): number {
  let small = Number(key) | 0;
  if (key === small) {
    small = ~small + (small << 15);
    small ^= small >>> 12;
    small += small << 2;
    small ^= small >>> 4;
    small = Math.imul(small, 2057);
    return small ^ (small >>> 16);
  }
  let big =
    typeof key === 'bigint' ? (key < 0 ? -key : key) : (new BigUint64Array(Float64Array.of(key).buffer)[0] as bigint);
  big = BigInt.asUintN(64, ~big + (big << 18n));
  big ^= big >> 31n;
  // From here on, bits above the lowest 64 don't affect the result.
  big *= 21n;
  big ^= big >> 11n;
  big *= 65n;
  return Number((big ^ (big >> 22n)) & 0xff_ffffn);
}
