// Moments at every boundary of the three forms, in each form that holds them, behind each head (spec/04).

import { valid } from '../../cases.mjs';
import { array, fields, timestamp } from '../../values.mjs';

// biome-ignore format: a table
/** @type {[string, bigint][]} */
const SECONDS = [
  ['epoch', 0n],
  ['1', 1n],
  ['minus-1', -1n],
  ['minus-2', -2n],
  ['2-to-31-minus-1', (1n << 31n) - 1n],
  ['2-to-31', 1n << 31n],
  ['minus-2-to-31', -(1n << 31n)],
  ['before-minus-2-to-31', -(1n << 31n) - 1n],
  ['2-to-32-minus-1', (1n << 32n) - 1n],
  ['2-to-32', 1n << 32n],
  ['minus-2-to-32', -(1n << 32n)],
  ['2-to-33', 1n << 33n],
  ['2-to-34-minus-1', (1n << 34n) - 1n],
  ['2-to-34', 1n << 34n],
  ['minus-2-to-34', -(1n << 34n)],
  ['year-0', -62_167_219_200n],
  ['year-1', -62_135_596_800n],
  ['before-year-1', -62_135_596_801n],
  ['1900', -2_208_988_800n],
  ['1970-02', 2_678_400n],
  ['2001', 1_000_000_000n],
  ['2024-02-29', 1_709_164_800n],
  ['leap-second-2016', 1_483_228_799n],
  ['year-9999', 253_402_300_799n],
  ['year-10000', 253_402_300_800n],
  ['last-of-date', 8_640_000_000_000n],
  ['after-date', 8_640_000_000_001n],
  ['first-of-date', -8_640_000_000_000n],
  ['before-date', -8_640_000_000_001n],
  ['2-to-53', 1n << 53n],
  ['minus-2-to-53', -(1n << 53n)],
  ['int-64-max', (1n << 63n) - 1n],
  ['int-64-max-minus-1', (1n << 63n) - 2n],
  ['int-64-min', -(1n << 63n)],
  ['int-64-min-plus-1', -(1n << 63n) + 1n],
  ['last-of-go', 9_223_371_974_719_179_007n],
  ['after-go', 9_223_371_974_719_179_008n],
  ['first-of-go', -9_223_372_028_715_321_600n],
  ['before-go', -9_223_372_028_715_321_601n],
];

const NANOSECONDS = [0, 1, 999, 1_000, 999_999, 1_000_000, 481_955_000, 500_000_000, 999_000_000, 999_999_999];

export default {
  kind: 'valid',
  room: 'timestamp',
  about: 'moments at every boundary, in each form that holds them, behind each head',
  cases: [
    ...SECONDS.flatMap(([name, seconds], index) =>
      // Every moment at the ends of its second; every nanosecond count at a few of them.
      NANOSECONDS.filter((nanoseconds) => index < 4 || [0, 1, 999_999_999].includes(nanoseconds)).map((nanoseconds) =>
        valid(`timestamp-${name}-and-${nanoseconds}-ns`, '04#timestamp', timestamp(seconds, nanoseconds)),
      ),
    ),
    valid('timestamp-minus-1-ns', '04#timestamp', timestamp(-1, 999_999_999)),
    valid('timestamp-in-array', '04#timestamp', array([timestamp(0), timestamp(0, 1), timestamp(-1)])),
    valid('timestamp-in-map', '04#timestamp', fields([['at', timestamp(1_709_164_800, 500_000_000)]])),
  ],
};
