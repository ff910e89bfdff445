// What V8 hashes the numbers in a Map and a Set to (spec/06-limits.md#collisions); public functions, without a seed.

/**
 * V8's hash of a number, of which the lowest 24 bits are exact, and no table has more buckets. An integer of 32 bits is hashed by its
 * value, another number by the bits of its float, a bigint by its magnitude.
 */
export function hashOf(key: number | bigint): number {
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
