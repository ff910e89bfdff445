// Timestamps of a length or with nanoseconds that no form has (spec/04#invalid).

import { bytesOf, invalid } from '../../cases.mjs';
import { bigEndian, forms, join } from '../../reference.mjs';
import { ext } from '../../values.mjs';

const LENGTHS = [0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 16, 17, 32, 255, 256, 65_536];
const TOO_MANY = [1_000_000_000, 1_000_000_001, 1_073_741_823];
const FAR_TOO_MANY = [1_073_741_824, 2_147_483_647, 2_147_483_648, 4_294_967_295];
const SECONDS = [0n, 1n, (1n << 34n) - 1n];

/** Every head with this data and type −1. @param {Uint8Array} data */
const behindEveryHead = (data) => forms(ext(-1, Buffer.from(data).toString('hex')));

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const PLACES = [
  ['in-array', '92 01 d4 ff 00', 'invalid_timestamp@2 /1'],
  ['in-map', '81 a1 61 d5 ff 00 00', 'invalid_timestamp@3 /a'],
  ['in-key', '81 d4 ff 00 c0', 'invalid_timestamp@1'],
  ['in-array-key', '81 91 d4 ff 00 c0', 'invalid_timestamp@2'],
  ['empty-in-array', '91 c7 00 ff', 'invalid_timestamp@1 /0'],
  ['before-trailing', 'd4 ff 00 00', 'invalid_timestamp@0'],
  ['before-reserved', '92 d4 ff 00 c1', 'invalid_timestamp@1 /0'],
  ['nanoseconds-in-map', '81 a1 61 d7 ff ff ff ff ff 00 00 00 00', 'invalid_timestamp@3 /a'],
  ['nanoseconds-all-ones', 'd7 ff ff ff ff ff ff ff ff ff', 'invalid_timestamp@0'],
  ['96-all-ones', 'c7 0c ff ff ff ff ff ff ff ff ff ff ff ff ff', 'invalid_timestamp@0'],
];

export default {
  kind: 'invalid',
  room: 'timestamp',
  about: 'timestamps of a length or with nanoseconds that no form has',
  cases: [
    ...LENGTHS.flatMap((length) =>
      behindEveryHead(bytesOf(length === 0 ? '' : `00*${length}`)).map((bytes, form) =>
        invalid(`timestamp-of-${length}-bytes-form-${form + 1}`, '04#invalid', bytes, 'invalid_timestamp@0'),
      ),
    ),
    ...TOO_MANY.flatMap((nanoseconds) =>
      SECONDS.flatMap((seconds) =>
        behindEveryHead(bigEndian((BigInt(nanoseconds) << 34n) | seconds, 8)).map((bytes, form) =>
          invalid(
            `timestamp-64-${nanoseconds}-ns-${seconds}-s-form-${form + 1}`,
            '04#invalid',
            bytes,
            'invalid_timestamp@0',
          ),
        ),
      ),
    ),
    ...[...TOO_MANY, ...FAR_TOO_MANY].flatMap((nanoseconds) =>
      [0n, -1n, -(1n << 63n)].flatMap((seconds, index) =>
        behindEveryHead(join(bigEndian(nanoseconds, 4), bigEndian(seconds, 8))).map((bytes, form) =>
          invalid(
            `timestamp-96-${nanoseconds}-ns-${['0', 'minus-1', 'min'][index]}-s-form-${form + 1}`,
            '04#invalid',
            bytes,
            'invalid_timestamp@0',
          ),
        ),
      ),
    ),
    ...PLACES.map(([name, bytes, meant]) => invalid(`timestamp-invalid-${name}`, '04#invalid', bytes, meant)),
  ],
};
