// Keys that share a bucket of a Map or Set (spec/06-limits.md#collisions).
//
// V8 hashes strings and properties with a seed, numbers in a Map and a Set by a public function without one. Who knows that can
// send numbers of which each is compared with all before it: a megabyte of them takes minutes. So of the keys of a wide Map, one
// in 32 on average is taken as a sample, at places that the sender cannot foresee, and the samples of each bucket are counted.
// Other engines hash in other ways; there, what V8 would do says nothing, and harms nobody.
//
// Plan: Collisions · V8's hash of a number.

/** Keys that a table may have before they are watched. */
export const UNWATCHED = 4096;

/** One key of so many is a sample. */
const KEYS_OF_A_SAMPLE = 32;

/** Fewer samples in a bucket prove nothing. */
const LEAST = 8;

/** Watches one table while it is filled. */
export class Collisions {
  readonly #most: number;
  /** Of the samples, by key: one that comes again is no other key. */
  readonly #hashes = new Map<number | bigint, number>();
  /** How many samples are in a bucket. */
  #buckets = new Uint32Array(UNWATCHED);
  /** Keys up to the next sample. */
  #next = 1;

  /** @param maxCollisions keys of a table that may share a bucket; estimated */
  constructor(maxCollisions: number) {
    this.#most = Math.max(LEAST, maxCollisions / KEYS_OF_A_SAMPLE);
  }

  /** Whether too many keys seem to share a bucket, now that this one comes into a table of `size` keys. */
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

  /** The table has grown, and its keys have moved to other buckets: two keys for each. */
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
 * V8's hash of a number, of which the lowest 24 bits are exact, and no table has more buckets. An integer of 32 bits is hashed by its
 * value, another number by the bits of its float, a bigint by its magnitude.
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
  // From here on bits above the 64 do not reach those that are asked for.
  big *= 21n;
  big ^= big >> 11n;
  big *= 65n;
  return Number((big ^ (big >> 22n)) & 0xff_ffffn);
}
