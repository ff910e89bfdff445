// The option that writes integral floats as ints (spec/08#integral-floats-as-ints).

import { canonicalized } from '../../cases.mjs';
import { encode } from '../../reference.mjs';
import { array, fields, float, floatBits, int, map, nil } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

// biome-ignore format: a table
/** @type {[string, Value, number | null][]} */
const VALUES = [
  ['1', float(1), 0],
  ['0', float(0), 0],
  ['minus-0', float(-0), 0],
  ['minus-1', float(-1), 0],
  ['300', float(300), 0],
  ['2-to-53', float(2 ** 53), 0],
  ['2-to-63', float(2 ** 63), 0],
  ['largest', floatBits(0x43ef_ffff_ffff_ffffn), 0],
  ['2-to-64', float(2 ** 64), null],
  ['minus-2-to-63', float(-(2 ** 63)), 0],
  ['below-minus-2-to-63', floatBits(0xc3e0_0000_0000_0001n), null],
  ['1e300', float(1e300), null],
  ['half', float(0.5), null],
  ['infinity', float(Number.POSITIVE_INFINITY), null],
  ['nan', float(Number.NaN), null],
  ['subnormal', floatBits(1n), null],
  ['int', int(5), null],
  ['in-array', array([int(1), float(1), float(1.5)]), 2],
  ['in-map', fields([['price', float(10)]]), 7],
  ['key', map([[float(1), float(2)]]), 1],
  ['keys-that-change-places', map([[float(1), nil], [int(0), nil]]), 1],
  ['int-and-fraction-keys', map([[int(1), nil], [float(1.5), nil]]), null],
];

export default {
  kind: 'canonical',
  room: 'integral',
  about: 'canonical form with integral floats as ints',
  cases: [
    ...VALUES.map(([name, value, departure]) =>
      canonicalized(
        `canonical-integral-${name}`,
        '08#integral-floats-as-ints',
        encode(value, undefined, false),
        departure,
        { integralFloatsAsInts: true },
      ),
    ),
    canonicalized('canonical-integral-float-32', '08#integral-floats-as-ints', 'ca 3f 80 00 00', 0, {
      integralFloatsAsInts: true,
    }),
    canonicalized(
      'canonical-integral-equal-keys',
      '08#integral-floats-as-ints',
      '82 cb 3f f0 00 00 00 00 00 00 c0 01 c0',
      'duplicate_key /1',
      { integralFloatsAsInts: true },
    ),
    canonicalized(
      'canonical-integral-equal-keys-float-second',
      '08#integral-floats-as-ints',
      '82 01 c0 cb 3f f0 00 00 00 00 00 00 c0',
      'duplicate_key /1',
      { integralFloatsAsInts: true },
    ),
    canonicalized(
      'canonical-integral-equal-keys-below-a-float',
      '08#integral-floats-as-ints',
      '81 cb 40 14 00 00 00 00 00 00 82 01 c0 cb 3f f0 00 00 00 00 00 00 c0',
      'duplicate_key /5/1',
      { integralFloatsAsInts: true },
    ),
    canonicalized(
      'canonical-integral-equal-keys-in-arrays',
      '08#integral-floats-as-ints',
      '82 91 01 c0 91 cb 3f f0 00 00 00 00 00 00 c0',
      'duplicate_key /#1',
      { integralFloatsAsInts: true },
    ),
    canonicalized(
      'canonical-integral-equal-zeros',
      '08#integral-floats-as-ints',
      '82 cb 80 00 00 00 00 00 00 00 c0 00 c0',
      'duplicate_key /0',
      { integralFloatsAsInts: true },
    ),
    canonicalized(
      'canonical-integral-fault-below-a-float',
      '08#integral-floats-as-ints',
      '81 cb 40 00 00 00 00 00 00 00 82 01 c0 01 c0',
      'duplicate_key@13 /#0/1',
      {
        integralFloatsAsInts: true,
      },
    ),
    canonicalized(
      'canonical-integral-truncated-below-a-float',
      '08#integral-floats-as-ints',
      '81 cb 40 00 00 00 00 00 00 00 92 01',
      'unexpected_end@10 /#0',
      {
        integralFloatsAsInts: true,
      },
    ),
    canonicalized(
      'canonical-integral-fault-behind-equal-keys',
      '08#integral-floats-as-ints',
      '82 01 c0 cb 3f f0 00 00 00 00 00 00 c1',
      'reserved_byte@12 /#1',
      {
        integralFloatsAsInts: true,
      },
    ),
    canonicalized(
      'canonical-integral-bytes-behind-equal-keys',
      '08#integral-floats-as-ints',
      '82 01 c0 cb 3f f0 00 00 00 00 00 00 c0 c0',
      'trailing_data@13',
      {
        integralFloatsAsInts: true,
      },
    ),
  ],
};
