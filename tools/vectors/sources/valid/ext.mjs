// Ext values: every type, every head (spec/02#ext, spec/03).

import { valid } from '../../cases.mjs';
import { array, ext, fields } from '../../values.mjs';

const TYPES = [-128, -127, -100, -33, -32, -2, 0, 1, 5, 42, 64, 99, 113, 0x72, 115, 127];
const LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 255, 256];
const LARGE = [65_535, 65_536];

/** @param {number} type */
const typeName = (type) => (type < 0 ? `minus-${-type}` : String(type));

/** Type −1 is a timestamp, and 0x72 with 1 or 2 bytes a declaration. @param {number} type @param {number} length */
const isExt = (type, length) => type !== -1 && !(type === 0x72 && (length === 1 || length === 2));

const everyType = Array.from({ length: 256 }, (_, index) => index - 128).filter(
  (type) => !TYPES.includes(type) && isExt(type, 1),
);

export default {
  kind: 'valid',
  room: 'ext',
  about: 'ext values of every type, behind every head',
  cases: [
    ...TYPES.flatMap((type) =>
      LENGTHS.filter((length) => isExt(type, length)).map((length) =>
        valid(`ext-${typeName(type)}-${length}-bytes`, '02#ext', ext(type, 'a5'.repeat(length))),
      ),
    ),
    ...everyType.map((type) => valid(`ext-${typeName(type)}-1-bytes`, '03#extensions', ext(type, 'ff'))),
    ...LARGE.map((length) => valid(`ext-5-${length}-bytes`, '02#ext', ext(5, '00'.repeat(length)))),
    valid('ext-0-with-01', '03#undefined', ext(0, '01')),
    valid('ext-0-with-two-zeros', '03#undefined', ext(0, '0000')),
    valid('ext-0-empty', '03#undefined', ext(0, '')),
    valid('ext-record-type-empty', '03#reserved-data-of-type-0x72', ext(0x72, '')),
    valid('ext-record-type-like-a-declaration', '03#reserved-data-of-type-0x72', ext(0x72, '4091a161')),
    valid('ext-like-a-timestamp', '03#extensions', ext(1, '00000001')),
    valid('ext-in-array', '03#extensions', array([ext(1, '01'), ext(2, '0202'), ext(-3, '030303')])),
    valid(
      'ext-in-map',
      '03#extensions',
      fields([
        ['a', ext(7, '00')],
        ['b', ext(-7, '')],
      ]),
    ),
  ],
};
