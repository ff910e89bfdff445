// What default mode makes of bytes in each language: every row of the tables in spec/09, and their neighbours.

import { defaulted } from '../../cases.mjs';
import { encode } from '../../reference.mjs';
import { str, timestamp } from '../../values.mjs';
import { CLONED } from './clone.mjs';
import { ALIKE, SAME } from './same.mjs';

/** @typedef {import('../../cases.mjs').Source} Source */
/** @typedef {import('../../cases.mjs').Bytes} Bytes */
/** @typedef {import('../../cases.mjs').Fault} Fault */

/** @param {string} code @param {number} offset @param {string} [path] @returns {Fault} */
const error = (code, offset, path = '') => ({ code, offset, path });

/** Bytes in, and bytes out or the error. @typedef {[string, Bytes, Bytes | Fault]} Row */

// biome-ignore format: a table
/** @type {Row[]} */
const PHP = [
  ['empty-map', '80', '90'],
  ['empty-map-in-map', '81 a1 61 80', '81 a1 61 90'],
  ['empty-map-in-array', '91 80', '91 90'],
  ['empty-map-16', 'de 00 00', '90'],
  ['list-keys', '82 00 a1 61 01 a1 62', '92 a1 61 a1 62'],
  ['list-key-0', '81 00 c0', '91 c0'],
  ['list-keys-of-three', '83 00 c0 01 c0 02 c0', '93 c0 c0 c0'],
  ['list-keys-in-map', '81 a1 61 82 00 01 01 02', '81 a1 61 92 01 02'],
  ['keys-from-1', '82 01 c0 02 c0', '82 01 c0 02 c0'],
  ['keys-with-a-hole', '82 00 c0 02 c0', '82 00 c0 02 c0'],
  ['keys-out-of-order', '82 01 c0 00 c0', '82 01 c0 00 c0'],
  ['keys-int-and-str', '82 00 c0 a1 61 c0', '82 00 c0 a1 61 c0'],
  ['str-key-1', '81 a1 31 02', '81 01 02'],
  ['str-key-0', '81 a1 30 02', '91 02'],
  ['str-key-17', '81 a2 31 37 02', '81 11 02'],
  ['str-key-minus-1', '81 a2 2d 31 02', '81 ff 02'],
  ['str-key-plus-1', '81 a2 2b 31 02', '81 a2 2b 31 02'],
  ['str-key-space-1', '81 a2 20 31 02', '81 a2 20 31 02'],
  ['str-key-1-point-5', '81 a3 31 2e 35 02', '81 a3 31 2e 35 02'],
  ['str-key-int-64-max', `81 b3 ${ascii('9223372036854775807')} c0`, '81 cf 7f ff ff ff ff ff ff ff c0'],
  ['str-key-2-to-63', `81 b3 ${ascii('9223372036854775808')} c0`, `81 b3 ${ascii('9223372036854775808')} c0`],
  ['str-keys-0-and-1', '82 a1 30 c2 a1 31 c3', '92 c2 c3'],
  ['str-and-int-of-one-key', '82 a1 31 c2 01 c3', '81 01 c3'],
  ['bin', 'c4 02 61 62', 'a2 61 62'],
  ['bin-empty', 'c4 00', 'a0'],
  ['bin-300', `c5 01 2c 61*300`, 'da 01 2c 61*300'],
  ['bin-not-utf8', 'c4 01 ff', 'a1 ff'],
  ['bin-not-utf8-in-map', '81 a4 68 61 73 68 c4 04 de ad be ef', '81 a4 68 61 73 68 a4 de ad be ef'],
  ['bin-key-not-utf8', '81 c4 01 ff 02', '81 a1 ff 02'],
  ['bin-in-map', '81 a1 61 c4 01 62', '81 a1 61 a1 62'],
  ['uint-64-max', 'cf ff*8', encode(str('18446744073709551615'))],
  ['uint-2-to-63', 'cf 80 00 00 00 00 00 00 00', encode(str('9223372036854775808'))],
  ['uint-in-array', '91 cf ff*8', `91 b4 ${ascii('18446744073709551615')}`],
  ['undefined', 'd4 00 00', 'c0'],
  ['undefined-in-map', '81 a1 61 d4 00 00', '81 a1 61 c0'],
  ['undefined-behind-ext-8', 'c7 01 00 00', 'c0'],
  ['ext-0-with-01', 'd4 00 01', 'd4 00 01'],
  ['bin-key', '81 c4 01 61 02', '81 a1 61 02'],
  ['bin-key-1', '81 c4 01 31 02', '81 01 02'],
  ['bin-and-str-of-one-key', '82 c4 01 61 01 a1 61 02', '81 a1 61 02'],
  ['fold-int-and-str', '82 01 c2 a1 31 c3', '81 01 c3'],
  ['fold-str-and-bin', '82 a1 61 c2 c4 01 61 c3', '81 a1 61 c3'],
  ['fold-int-and-bin', '82 05 c2 c4 01 35 c3', '81 05 c3'],
  ['fold-uint-and-its-digits', `82 cf 80 00*7 c2 b3 ${ascii('9223372036854775808')} c3`, `81 b3 ${ascii('9223372036854775808')} c3`],
  ['fold-keeps-the-first-place', '83 01 c0 a1 62 c0 a1 31 c3', '82 01 c3 a1 62 c0'],
  ['fold-role', '82 a4 72 6f 6c 65 a4 75 73 65 72 c4 04 72 6f 6c 65 a5 61 64 6d 69 6e', '81 a4 72 6f 6c 65 a5 61 64 6d 69 6e'],
  ['float-32', 'ca 3f c0 00 00', 'cb 3f f8 00 00 00 00 00 00'],
  ['float-32-integral', 'ca 3f 80 00 00', 'cb 3f f0 00 00 00 00 00 00'],
  ['float-32-not-exact', 'ca 3d cc cc cd', 'cb 3f b9 99 99 a0 00 00 00'],
  ['float-integral', 'cb 3f f0 00 00 00 00 00 00', 'cb 3f f0 00 00 00 00 00 00'],
  ['order-of-entries', '82 a1 62 01 a1 61 02', '82 a1 62 01 a1 61 02'],
  ['key-nil', '81 c0 01', error('invalid_key', 1)],
  ['key-bool', '81 c3 01', error('invalid_key', 1)],
  ['key-float', '81 cb 3f f8 00 00 00 00 00 00 01', error('invalid_key', 1)],
  ['key-float-32', '81 ca 3f c0 00 00 01', error('invalid_key', 1)],
  ['key-array', '81 90 01', error('invalid_key', 1)],
  ['key-map', '81 80 01', error('invalid_key', 1)],
  ['key-ext', '81 d4 05 00 01', error('invalid_key', 1)],
  ['key-timestamp', '81 d6 ff 00 00 00 01 01', error('invalid_key', 1)],
  ['key-second', '82 a1 61 01 c0 02', error('invalid_key', 4)],
  ['key-in-map', '81 a1 61 81 c0 02', error('invalid_key', 4, '/a')],
  ['key-truncated-array', '81 93 01', error('invalid_key', 1)],
];

const DATE_MAX = 8_640_000_000_000n;

// biome-ignore format: a table
/** @type {Row[]} */
const JAVASCRIPT = [
  ['float-1', 'cb 3f f0 00 00 00 00 00 00', '01'],
  ['float-0', 'cb 00 00 00 00 00 00 00 00', '00'],
  ['float-minus-1', 'cb bf f0 00 00 00 00 00 00', 'ff'],
  ['float-300', 'cb 40 72 c0 00 00 00 00 00', 'cd 01 2c'],
  ['float-2-to-32', 'cb 41 f0 00 00 00 00 00 00', 'cf 00 00 00 01 00 00 00 00'],
  ['float-2-to-53-minus-1', 'cb 43 3f ff ff ff ff ff ff', 'cf 00 1f ff ff ff ff ff ff'],
  ['float-2-to-53', 'cb 43 40 00 00 00 00 00 00', 'cb 43 40 00 00 00 00 00 00'],
  ['float-minus-2-to-53-minus-1', 'cb c3 3f ff ff ff ff ff ff', 'd3 ff e0 00 00 00 00 00 01'],
  ['float-1-in-array', '91 cb 3f f0 00 00 00 00 00 00', '91 01'],
  ['float-1-in-map', '81 a1 61 cb 3f f0 00 00 00 00 00 00', '81 a1 61 01'],
  ['float-32', 'ca 3f c0 00 00', 'cb 3f f8 00 00 00 00 00 00'],
  ['float-32-integral', 'ca 3f 80 00 00', '01'],
  ['float-32-minus-zero', 'ca 80 00 00 00', 'cb 80 00 00 00 00 00 00 00'],
  ['float-32-not-exact', 'ca 3d cc cc cd', 'cb 3f b9 99 99 a0 00 00 00'],
  ['uint-64-max', 'cf ff*8', 'cf ff*8'],
  ['int-2-to-53-and-1', 'cf 00 20 00 00 00 00 00 01', 'cf 00 20 00 00 00 00 00 01'],
  ['timestamp-1-ns', 'd7 ff 00 00 00 04 00 00 00 00', encode(timestamp(0))],
  ['timestamp-999999-ns', encode(timestamp(1, 999_999)), encode(timestamp(1))],
  ['timestamp-999999999-ns', encode(timestamp(1, 999_999_999)), encode(timestamp(1, 999_000_000))],
  ['timestamp-481955000-ns', encode(timestamp(1, 481_955_000)), encode(timestamp(1, 481_000_000))],
  ['timestamp-minus-1-ns', encode(timestamp(-1, 999_999_999)), encode(timestamp(-1, 999_000_000))],
  ['timestamp-before-1970', encode(timestamp(-2, 1)), encode(timestamp(-2))],
  ['timestamp-last-of-date', encode(timestamp(DATE_MAX)), encode(timestamp(DATE_MAX))],
  ['timestamp-last-of-date-floored', encode(timestamp(DATE_MAX, 999_999)), encode(timestamp(DATE_MAX))],
  ['timestamp-first-of-date', encode(timestamp(-DATE_MAX)), encode(timestamp(-DATE_MAX))],
  ['timestamp-after-date', encode(timestamp(DATE_MAX, 1_000_000)), error('out_of_range', 0)],
  ['timestamp-a-second-after-date', encode(timestamp(DATE_MAX + 1n)), error('out_of_range', 0)],
  ['timestamp-before-date', encode(timestamp(-DATE_MAX - 1n, 999_999_999)), error('out_of_range', 0)],
  ['timestamp-int-64-max', encode(timestamp((1n << 63n) - 1n)), error('out_of_range', 0)],
  ['timestamp-int-64-min-in-array', '92 01 c7 0c ff 00 00 00 00 80 00 00 00 00 00 00 00', error('out_of_range', 2, '/1')],
  ['fold-int-and-float', '82 01 c2 cb 3f f0 00 00 00 00 00 00 c3', '81 01 c3'],
  ['fold-float-and-int', '82 cb 3f f0 00 00 00 00 00 00 c2 01 c3', '81 01 c3'],
  ['fold-int-and-float-32', '82 05 c2 ca 40 a0 00 00 c3', '81 05 c3'],
  ['fold-zeros', '82 00 c2 cb 00 00 00 00 00 00 00 00 c3', '81 00 c3'],
  ['fold-keeps-the-first-place', '83 01 c0 02 c0 cb 3f f0 00 00 00 00 00 00 c3', '82 01 c3 02 c0'],
  ['fold-arrays', '82 91 01 c2 91 cb 3f f0 00 00 00 00 00 00 c3', '81 91 01 c3'],
  ['fold-maps', '82 81 01 a1 61 c2 81 cb 3f f0 00 00 00 00 00 00 a1 61 c3', '81 81 01 a1 61 c3'],
  ['fold-minus-zeros', '82 cb 80 00 00 00 00 00 00 00 c2 ca 80 00 00 00 c3', '81 cb 80 00 00 00 00 00 00 00 c3'],
  ['key-minus-zero', '81 cb 80 00 00 00 00 00 00 00 c2', '81 cb 80 00 00 00 00 00 00 00 c2'],
  ['keys-zero-and-minus-zero', '82 00 c2 cb 80 00 00 00 00 00 00 00 c3', '82 00 c2 cb 80 00 00 00 00 00 00 00 c3'],
  ['keys-float-zeros', '82 cb 00 00 00 00 00 00 00 00 c2 cb 80 00 00 00 00 00 00 00 c3', '82 00 c2 cb 80 00 00 00 00 00 00 00 c3'],
  ['keys-2-to-53-and-next', '82 cf 00 20 00 00 00 00 00 00 c2 cf 00 20 00 00 00 00 00 01 c3', '82 cf 00 20 00 00 00 00 00 00 c2 cf 00 20 00 00 00 00 00 01 c3'],
  ['key-timestamp-1-ns', '81 d7 ff 00 00 00 04 00 00 00 01 c2', '81 d7 ff 00 00 00 04 00 00 00 01 c2'],
  ['key-timestamp-milliseconds', '81 d7 ff 77 35 94 00 00 00 00 01 c2', '81 d7 ff 77 35 94 00 00 00 00 01 c2'],
  ['keys-timestamps-1-ns-apart', '82 d6 ff 00 00 00 01 c2 d7 ff 00 00 00 04 00 00 00 01 c3', '82 d6 ff 00 00 00 01 c2 d7 ff 00 00 00 04 00 00 00 01 c3'],
  ['keys-arrays-of-timestamps-1-ns-apart', '82 91 d6 ff 00 00 00 01 c2 91 d7 ff 00 00 00 04 00 00 00 01 c3', '82 91 d6 ff 00 00 00 01 c2 91 d7 ff 00 00 00 04 00 00 00 01 c3'],
  ['map-keeps-its-order', '83 a1 62 01 a1 32 02 05 03', '83 a1 62 01 a1 32 02 05 03'],
  ['map-keeps-its-order-and-first-places', '86 a1 33 c0 a1 62 01 a1 31 02 a1 62 03 a1 31 04 05 06', '84 a1 33 c0 a1 62 03 a1 31 04 05 06'],
  ['map-keeps-its-order-large-index', '83 aa 34 32 39 34 39 36 37 32 39 34 01 a1 31 02 c0 03', '83 aa 34 32 39 34 39 36 37 32 39 34 01 a1 31 02 c0 03'],
  ['map-keeps-its-order-int-last', '83 a1 62 01 a1 31 02 00 03', '83 a1 62 01 a1 31 02 00 03'],
  ['keys-2-and-1', '82 a1 32 c2 a1 31 c3', '82 a1 31 c3 a1 32 c2'],
  ['key-with-a-lost-entry', '82 82 a1 62 01 a1 62 02 03 81 a1 62 02 04', '81 81 a1 62 02 04'],
  ['key-with-a-lost-entry-in-array', '82 91 82 05 02 05 03 03 91 81 05 03 04', '81 91 81 05 03 04'],
  ['keys-b-and-2', '82 a1 62 c2 a1 32 c3', '82 a1 32 c3 a1 62 c2'],
  ['keys-01-and-00', '82 a2 30 31 c2 a2 30 30 c3', '82 a2 30 31 c2 a2 30 30 c3'],
  ['keys-b-and-a', '82 a1 62 01 a1 61 02', '82 a1 62 01 a1 61 02'],
  ['empty-map', '80', '80'],
  ['int-keys-in-order', '82 02 c0 01 c0', '82 02 c0 01 c0'],
  ['int-and-str-of-one-key', '82 01 c2 a1 31 c3', '82 01 c2 a1 31 c3'],
  ['nil-key', '81 c0 01', '81 c0 01'],
  ['bool-key', '81 c3 01', '81 c3 01'],
  ['bin', 'c4 02 61 62', 'c4 02 61 62'],
  ['undefined', 'd4 00 00', 'd4 00 00'],
  ['undefined-in-array', '91 d4 00 00', '91 d4 00 00'],
  ['not-utf8', 'a1 80', error('invalid_utf8', 0)],
  ['not-utf8-in-key', '81 a1 80 01', error('invalid_utf8', 1)],
];

// biome-ignore format: a table
/** @type {Row[]} */
const GO = [
  ['undefined', 'd4 00 00', 'c0'],
  ['undefined-in-array', '91 d4 00 00', '91 c0'],
  ['undefined-in-map', '81 a1 61 d4 00 00', '81 a1 61 c0'],
  ['undefined-behind-ext-8', 'c7 01 00 00', 'c0'],
  ['ext-0-with-01', 'd4 00 01', 'd4 00 01'],
  ['key-bin', '81 c4 01 61 01', '81 a1 61 01'],
  ['key-bin-not-utf8', '81 c4 01 ff 01', '81 a1 ff 01'],
  ['fold-str-and-bin', '82 a1 61 c2 c4 01 61 c3', '81 a1 61 c3'],
  ['key-array', '81 90 01', error('invalid_key', 1)],
  ['key-map', '81 80 01', error('invalid_key', 1)],
  ['key-ext', '81 d4 05 00 01', error('invalid_key', 1)],
  ['key-second', '82 a1 61 01 90 02', error('invalid_key', 4)],
  ['key-in-map', '81 a1 61 81 90 02', error('invalid_key', 4, '/a')],
  ['key-truncated-array', '81 93 01', error('invalid_key', 1)],
  ['key-nil', '81 c0 01', '81 c0 01'],
  ['key-bool', '81 c3 01', '81 c3 01'],
  ['key-float', '81 cb 3f f8 00 00 00 00 00 00 01', '81 cb 3f f8 00 00 00 00 00 00 01'],
  ['key-float-32', '81 ca 3f c0 00 00 01', '81 cb 3f f8 00 00 00 00 00 00 01'],
  ['key-timestamp-1-ns', '81 d7 ff 00 00 00 04 00 00 00 01 c2', '81 d7 ff 00 00 00 04 00 00 00 01 c2'],
  ['fold-nil-and-undefined', '82 c0 c2 d4 00 00 c3', '81 c0 c3'],
  ['fold-undefined-and-nil', '82 d4 00 00 c2 c0 c3', '81 c0 c3'],
  ['fold-zeros', '82 cb 00 00 00 00 00 00 00 00 c2 cb 80 00 00 00 00 00 00 00 c3', '81 cb 80 00 00 00 00 00 00 00 c3'],
  ['fold-minus-zero-and-zero', '82 cb 80 00 00 00 00 00 00 00 c2 cb 00 00 00 00 00 00 00 00 c3', '81 cb 00 00 00 00 00 00 00 00 c3'],
  ['keys-int-and-float', '82 01 c2 cb 3f f0 00 00 00 00 00 00 c3', '82 01 c2 cb 3f f0 00 00 00 00 00 00 c3'],
  ['timestamp-nanoseconds', encode(timestamp(1, 999_999_999)), encode(timestamp(1, 999_999_999))],
  ['timestamp-minus-1-ns', encode(timestamp(-1, 999_999_999)), encode(timestamp(-1, 999_999_999))],
  ['timestamp-year-10000', encode(timestamp(253_402_300_800n)), encode(timestamp(253_402_300_800n))],
  ['timestamp-int-64-max', encode(timestamp((1n << 63n) - 1n)), error('out_of_range', 0)],
  ['timestamp-int-64-max-in-map', '81 a1 61 c7 0c ff 00 00 00 00 7f ff ff ff ff ff ff ff', error('out_of_range', 3, '/a')],
  ['order-of-entries', '82 a1 62 01 a1 61 02', '82 a1 61 02 a1 62 01'],
  ['order-of-inner-entries', '91 82 a1 62 01 a1 61 02', '91 82 a1 61 02 a1 62 01'],
  ['order-of-int-keys', '82 02 c0 01 c0', '82 01 c0 02 c0'],
  ['empty-map', '80', '80'],
  ['bin', 'c4 02 61 62', 'c4 02 61 62'],
  ['uint-64-max', 'cf ff*8', 'cf ff*8'],
  ['float-integral', 'cb 3f f0 00 00 00 00 00 00', 'cb 3f f0 00 00 00 00 00 00'],
  ['float-32', 'ca 3f c0 00 00', 'ca 3f c0 00 00'],
  ['not-utf8', 'a1 80', 'a1 80'],
  ['str-key-1', '81 a1 31 02', '81 a1 31 02'],
  ['int-and-str-of-one-key', '82 01 c2 a1 31 c3', '82 01 c2 a1 31 c3'],
];

// biome-ignore format: a table
/** Strict mode of PHP writes what it reads, whatever bytes a string has. @type {Row[]} */
const PHP_STRICT = [
  ['bin', 'c4 02 61 62', 'a2 61 62'],
  ['bin-not-utf8', 'c4 01 ff', 'c4 01 ff'],
  ['bin-not-utf8-in-map', '81 a4 68 61 73 68 c4 04 de ad be ef', '81 a4 68 61 73 68 c4 04 de ad be ef'],
  ['bin-300-not-utf8', 'c5 01 2c ff*300', 'c5 01 2c ff*300'],
  ['bin-key-not-utf8', '81 c4 01 ff 02', '81 c4 01 ff 02'],
  ['bin-key', '81 c4 01 61 02', '81 a1 61 02'],
];

/** @param {string} text */
function ascii(text) {
  return [...Buffer.from(text)].map((byte) => byte.toString(16)).join(' ');
}

/** @param {string} language @param {string} row */
function sectionOf(language, row) {
  if (row.startsWith('fold-')) return '09#modes';
  return language === 'javascript' && row.startsWith('timestamp-') ? '04#coarser-types' : `09#${language}`;
}

/** @param {string} language @param {string} name @param {Row[]} rows @returns {Source} */
const of = (language, name, rows) => ({
  kind: 'defaults',
  room: language,
  about: `what ${name} makes of these bytes in default mode`,
  cases: [
    ...rows.map(([row, bytes, outcome]) => defaulted(`${language}-${row}`, sectionOf(language, row), bytes, outcome)),
    ...(language === 'javascript' ? CLONED : []),
    ...(language === 'php' ? PHP_STRICT : []).map(([row, bytes, outcome]) => ({
      ...defaulted(`php-strict-${row}`, '09#lossless', bytes, outcome),
      mode: /** @type {const} */ ('strict'),
    })),
    ...SAME.map(([row, bytes]) => defaulted(`${language}-same-${row}`, `09#${language}`, bytes, bytes)),
    ...ALIKE.map(([row, bytes, becomes]) => defaulted(`${language}-alike-${row}`, '09#modes', bytes, becomes)),
  ],
});

export const defaults = [of('php', 'PHP', PHP), of('javascript', 'JavaScript', JAVASCRIPT), of('go', 'Go', GO)];
