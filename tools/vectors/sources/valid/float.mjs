// Floats by their bits (spec/02#float): zeros, subnormals, infinities, edges of binary32, and every sort of NaN.

import { valid } from '../../cases.mjs';
import { float, floatBits } from '../../values.mjs';

// biome-ignore format: a table
/** @type {[string, bigint][]} */
const BITS = [
  ['zero', 0x0000000000000000n],
  ['minus-zero', 0x8000000000000000n],
  ['infinity', 0x7ff0000000000000n],
  ['minus-infinity', 0xfff0000000000000n],
  ['least-subnormal', 0x0000000000000001n],
  ['minus-least-subnormal', 0x8000000000000001n],
  ['second-subnormal', 0x0000000000000002n],
  ['middle-subnormal', 0x0008000000000000n],
  ['largest-subnormal', 0x000fffffffffffffn],
  ['minus-largest-subnormal', 0x800fffffffffffffn],
  ['least-normal', 0x0010000000000000n],
  ['minus-least-normal', 0x8010000000000000n],
  ['largest', 0x7fefffffffffffffn],
  ['minus-largest', 0xffefffffffffffffn],
  ['before-one', 0x3fefffffffffffffn],
  ['after-one', 0x3ff0000000000001n],
  ['binary32-least-subnormal', 0x36a0000000000000n],
  ['binary32-minus-least-subnormal', 0xb6a0000000000000n],
  ['binary32-half-least-subnormal', 0x3690000000000000n],
  ['binary32-largest-subnormal', 0x380fffffc0000000n],
  ['binary32-least-normal', 0x3810000000000000n],
  ['binary32-largest', 0x47efffffe0000000n],
  ['binary32-minus-largest', 0xc7efffffe0000000n],
  ['binary32-after-largest', 0x47efffffe0000001n],
  ['binary32-overflow', 0x47effffff0000000n],
  ['binary32-twice-largest', 0x47f0000000000000n],
  ['binary32-before-one', 0x3fefffffe0000000n],
  ['binary32-after-one', 0x3ff0000020000000n],
  ['binary32-one-bit-too-many', 0x3ff0000010000000n],
  ['every-byte-differs', 0x0102030405060708n],
  ['every-byte-differs-high', 0xfedcba9876543210n],
];

// biome-ignore format: a table
const NUMBERS = [
  1, -1, 1.5, -1.5, 0.5, 0.1, -0.1, 0.2, 0.3, 1 / 3, 2, 3, 10, 100, 127, 128, 255, 256, 300, 1000, 32_767, 32_768, 65_535, 65_536, 1e6,
  16_777_215, 16_777_216, 16_777_217, 2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649, 4_294_967_295, 4_294_967_296, 4_294_967_297,
  2 ** 52, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 2 ** 62, 2 ** 63, -(2 ** 63), 2 ** 64, 1e15, 1e16, 1e21, 1e22, 1e23, 1e100, -1e100,
  1e300, 1e-5, 1e-7, 1e-10, 1e-100, 1e-300, 1e-320, 3.14, 2.71, 3.4028234e38, 3.4028236e38, 1.1754944e-38, 1.4e-45, 5e-324, 123.456,
  -123.456, 0.30000000000000004, 1.7976931348623157e308, 2.2250738585072014e-308, 1_700_000_000.123, 37.7749, -122.4194,
];

const EXPONENTS = [
  -1074, -1073, -1030, -1023, -1022, -1021, -512, -150, -149, -148, -127, -126, -125, -64, -2, 24, 25, 52, 54, 65, 126,
  127, 128, 511, 1022, 1023,
];

// biome-ignore format: a table
/** Bits of NaN on the wire; all of them are the one NaN. @type {[string, string][]} */
const NANS = [
  ['one', 'cb 7f f8 00 00 00 00 00 01'],
  ['negative', 'cb ff f8 00 00 00 00 00 00'],
  ['negative-payload', 'cb ff f8 00 00 00 00 12 34'],
  ['all-ones', 'cb 7f ff ff ff ff ff ff ff'],
  ['negative-all-ones', 'cb ff ff ff ff ff ff ff ff'],
  ['signalling', 'cb 7f f0 00 00 00 00 00 01'],
  ['signalling-high', 'cb 7f f4 00 00 00 00 00 00'],
  ['signalling-all-ones', 'cb 7f f7 ff ff ff ff ff ff'],
  ['negative-signalling', 'cb ff f0 00 00 00 00 00 01'],
  ['binary32', 'ca 7f c0 00 00'],
  ['binary32-payload', 'ca 7f c0 00 01'],
  ['binary32-negative', 'ca ff c0 00 00'],
  ['binary32-all-ones', 'ca 7f ff ff ff'],
  ['binary32-signalling', 'ca 7f 80 00 01'],
  ['binary32-signalling-high', 'ca 7f a0 00 00'],
  ['binary32-negative-signalling', 'ca ff 80 00 01'],
  ['binary32-negative-all-ones', 'ca ff ff ff ff'],
];

const nan = float(Number.NaN);

/** @param {number} value */
const nameOf = (value) =>
  `float-${String(value).replace(/^-/, 'minus-').replace('e-', 'e-minus-').replace('e+', 'e').replace('.', '-point-')}`;

export default {
  kind: 'valid',
  room: 'float',
  about: 'floats by their bits, in both widths where binary32 holds them',
  cases: [
    ...BITS.map(([name, bits]) => valid(`float-${name}`, '02#float', floatBits(bits))),
    valid('float-nan', '02#float', nan),
    ...NANS.map(([name, bytes]) => valid(`float-nan-${name}`, '01#float', nan, { also: [bytes] })),
    ...NUMBERS.map((number) => valid(nameOf(number), '02#float', float(number))),
    ...EXPONENTS.map((exponent) =>
      valid(`float-two-to-the-${exponent < 0 ? `minus-${-exponent}` : exponent}`, '02#float', float(2 ** exponent)),
    ),
  ],
};
