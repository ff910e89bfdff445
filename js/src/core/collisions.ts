// Counts the key comparisons of hash tables (spec/06-limits.md#collisions).
//
// Plan: comparisonsOf: counting · V8's hashes of numbers and digits.
//
// V8 hashes strings and names of properties with a random seed. But it hashes numbers in a Map or Set without a seed.
// Older versions of V8 also hash strings of digits without a seed. So an attacker can choose keys that all share a
// bucket. V8 compares each of these keys with all keys before it, so a megabyte of keys takes minutes. The code here
// imitates the buckets of V8's hash table and adds up how many keys V8 compares. Other engines hash differently. There
// the sum means nothing, but does no harm.

import type { Account } from './limits.ts';

/** Tables with at most this many keys aren't counted: a key is compared with at most 256 others, which is cheap. */
export const UNCOUNTED = 256;

/** A Map or Set that is being filled. */
interface Table {
  readonly size: number;
  keys(): Iterable<unknown>;
}

/** Adds up the comparisons of looking up a key. Returns whether the message has too many comparisons. */
export type Counter = (key: unknown) => boolean;

/** The factor, subtrahend and shift of each step of V8's hash of a 64-bit value. */
const STEPS = [
  [0x3_ffff, 1, 31],
  [21, 0, 11],
  [65, 0, 22],
] as const;

/**
 * Returns a function to call before each look-up in `table`.
 *
 * @param maxCollisions how many comparisons the account may have
 */
export function comparisonsOf(table: Table, account: Pick<Account, 'comparisons'>, maxCollisions: number): Counter {
  /** How many keys each bucket has. */
  let counts = new Uint32Array();
  /** How many keys the table had before the latest look-up. */
  let size = 0;
  /** The hash of the latest key; −1 if the hash isn't known. */
  let hash = -1;
  const bits = new DataView(new ArrayBuffer(8));

  const count = () => {
    if (hash >= 0) ++(counts[hash & (counts.length - 1)] as number);
  };

  /**
   * Returns the lowest 24 bits of V8's hash, because no table has more than 2²⁴ buckets. V8 hashes 32-bit integers by
   * their value, other numbers by the bits of their float, and bigints by their magnitude. NaN and 0n have hashes of
   * their own. If V8 hashes a string of digits without a seed, the hash is the string's number. Returns −1 for all
   * other keys, because a sender can't make them collide.
   */
  const hashOf = (key: unknown): number => {
    if (typeof key === 'string') {
      const number = key < ':' && key.length < 11 ? Number(key) >>> 0 : 0;
      return String(number) === key ? number & 0xff_ffff : -1;
    }
    if (key === 0n) return 0;
    if (typeof key === 'bigint') bits.setBigUint64(0, key < 0 ? -key : key);
    else if (typeof key !== 'number') return -1;
    else if (key === (key | 0)) return smallHash(key);
    else bits.setFloat64(0, key);
    return Number.isNaN(key) ? 0xff_ffff : wideHash(bits);
  };

  return (key) => {
    const before = size;
    size = table.size;
    // V8 doubles the number of buckets when there are two keys for each bucket.
    if (size >= 2 * counts.length) {
      counts = new Uint32Array(1 << (31 - Math.clz32(size | 128)));
      for (const known of table.keys()) {
        hash = hashOf(known);
        count();
      }
    } else if (size > before) count(); // the latest key was new
    hash = hashOf(key);
    if (hash >= 0) account.comparisons += counts[hash & (counts.length - 1)] as number;
    return account.comparisons > maxCollisions;
  };
}

function smallHash(key: number): number {
  let hash = ~key + (key << 15);
  hash ^= hash >>> 12;
  hash += hash << 2;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2057);
  return (hash ^ (hash >>> 16)) & 0xff_ffff;
}

/** Computes the hash of a 64-bit value in two 32-bit words. The product of a word and a factor is a safe integer. */
function wideHash(bits: DataView): number {
  let high = bits.getInt32(0);
  let low = bits.getInt32(4);
  for (const [factor, less, shift] of STEPS) {
    const product = (low >>> 0) * factor - less;
    high = Math.imul(high, factor) + Math.floor(product / 0x1_0000_0000);
    low = product ^ ((high << (32 - shift)) | (product >>> shift));
    high ^= high >>> shift;
  }
  return low & 0xff_ffff;
}
