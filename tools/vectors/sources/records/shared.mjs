// Records of a dictionary (spec/05#shared), and its header (spec/05#header).

import { invalid, recorded } from '../../cases.mjs';
import { fingerprint } from '../../judge.mjs';
import { array, fields, int, nil, str } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */
/** @typedef {import('../../judge.mjs').Dictionary} Dictionary */

const a = (/** @type {number} */ number) => fields([['a', int(number)]]);
const b = (/** @type {number} */ number) => fields([['b', int(number)]]);

/**
 * A dictionary of shapes with one name each: `f0`, `f1` and so on.
 *
 * @param {number} count
 * @param {Record<number, string[] | null>} [others] shapes that are different, by number
 */
const shapes = (count, others = {}) =>
  Array.from({ length: count }, (_, index) => (index in others ? (others[index] ?? null) : [`f${index}`]));

/** @type {Dictionary} */
const A = [['a']];

// biome-ignore format: a table
/** @type {[string, Dictionary, string, Value][]} */
const VALID = [
  ['spec-example', A, '94 40 01 d4 72 41 91 a1 62 02 41 03 cc 40', array([a(1), b(2), b(3), int(64)])],
  ['spec-example-of-pair', shapes(40, { 33: ['a'] }), '61 00 01', a(1)],
  ['spec-example-declared-pair', shapes(40), '92 d5 72 60 01 91 a1 62 02 60 01 03', array([b(2), b(3)])],
  ['empty-dictionary', [], '92 d4 72 40 91 a1 61 01 40 02', array([a(1), a(2)])],
  ['scalar', A, '05', int(5)],
  ['int-7f', A, 'cc 7f', int(127)],
  ['int-3f', A, '3f', int(63)],
  ['second-shape', [['a'], ['b']], '41 01', b(1)],
  ['last-of-equal-shapes', [['a'], ['a']], '41 01', a(1)],
  ['first-of-equal-shapes', [['a'], ['a']], '40 01', a(1)],
  ['no-names', [[]], '92 40 40', array([fields([]), fields([])])],
  ['behind-an-empty-place', [null, ['a']], '41 01', a(1)],
  ['two-names', [['a', 'b']], '40 01 02', fields([['a', int(1)], ['b', int(2)]])],
  ['names-in-another-order', [['a', 'b']], 'd4 72 41 92 a1 62 a1 61 02 01', fields([['b', int(2)], ['a', int(1)]])],
  ['nested', [['a']], '40 40 01', fields([['a', a(1)]])],
  ['map-with-other-keys', A, '82 01 40 01 a1 61 40 02', { map: [[int(1), a(1)], [str('a'), a(2)]] }],
  ['shape-31', shapes(32), '5f 01', fields([['f31', int(1)]])],
  ['shape-31-of-33', shapes(33), '5f 01', fields([['f31', int(1)]])],
  ['shape-32', shapes(33), '60 00 01', fields([['f32', int(1)]])],
  ['shape-63', shapes(64), '7f 00 01', fields([['f63', int(1)]])],
  ['shape-64', shapes(65), '60 01 01', fields([['f64', int(1)]])],
  ['shape-8159', shapes(8160), '7f fd 01', fields([['f8159', int(1)]])],
  ['declared-behind-32', shapes(32), 'd4 72 60 91 a1 61 01', a(1)],
  ['declared-behind-33', shapes(33), '91 d5 72 60 01 91 a1 61 01', array([a(1)])],
  ['declared-behind-100', shapes(100), 'd5 72 64 02 91 a1 61 01', a(1)],
  ['redeclared', A, '92 d4 72 40 91 a1 62 01 40 02', array([b(1), b(2)])],
  ['declared-over-a-pair', shapes(40), '92 d5 72 61 00 91 a1 62 01 61 00 02', array([b(1), b(2)])],
  ['plain-map', A, '81 a1 61 01', a(1)],
];

// biome-ignore format: a table
/** @type {[string, Dictionary, string, string][]} */
const INVALID = [
  ['id-not-in-the-dictionary', A, '41 01', 'unknown_record@0'],
  ['id-alone', A, '41', 'unknown_record@0'],
  ['id-with-empty-dictionary', [], '92 01 40', 'unknown_record@2 /1'],
  ['empty-place', [null, ['a']], '40 01', 'unknown_record@0'],
  ['pair-not-in-the-dictionary', shapes(33), '60 01 01', 'unknown_record@0'],
  ['lo-not-in-the-dictionary', shapes(33), '61 00 01', 'unknown_record@0'],
  ['pair-cut-off', shapes(33), '60', 'unexpected_end@0'],
  ['empty-place-of-a-pair', shapes(33, { 32: null }), '60 00 01', 'unknown_record@0'],
  ['empty-place-of-a-pair-cut-off', shapes(33, { 32: null }), '60', 'unexpected_end@0'],
  ['id-before-its-declaration', A, '92 41 d4 72 41 90', 'unknown_record@1 /0'],
  ['id-in-map', A, '81 a1 62 41', 'unknown_record@3 /b'],
  ['too-few-values', [['a', 'b']], '40 01', 'unexpected_end@0'],
  ['value-reserved', A, '40 c1', 'reserved_byte@1 /a'],
  ['trailing', A, '40 01 02', 'trailing_data@2'],
  ['declarations-end-with-the-message', A, '92 d4 72 41 91 a1 62 01 42', 'unknown_record@8 /1'],
  ['id-3f-declared', A, 'd4 72 3f 90', 'invalid_record@0'],
  ['header-without-the-option', A, 'c1 50 ae b5 8c 1b 28 93 80 32 40 01', 'reserved_byte@0'],
];

/** The header of a dictionary, in the notation. @param {Dictionary} dictionary */
const header = (dictionary) => `c1 50 ${fingerprint(dictionary).replace(/..(?=.)/g, '$& ')}`;

// biome-ignore format: a table
/** @type {[string, Dictionary, string, Value][]} */
const HEADED = [
  ['spec-example', A, 'c1 50 ae b5 8c 1b 28 93 80 32 40 01', a(1)],
  ['of-what-the-dictionary-began-with', [['a'], ['b']], `${header(A)} 40 01`, a(1)],
  ['of-an-empty-dictionary', A, `${header([])} 05`, int(5)],
  ['with-an-empty-place', [null, ['a']], `${header([null, ['a']])} 41 01`, a(1)],
  ['with-long-names', [['n'.repeat(40), 'é']], `${header([['n'.repeat(40), 'é']])} c0`, nil],
  ['of-17-names', [Array.from({ length: 17 }, (_, index) => `n${index}`)], `${header([Array.from({ length: 17 }, (_, index) => `n${index}`)])} c0`, nil],
  ['absent', A, '40 01', a(1)],
];

// biome-ignore format: a table
/** @type {[string, Dictionary, string, string][]} */
const HEADED_INVALID = [
  ['of-another-dictionary', [['b']], 'c1 50 ae b5 8c 1b 28 93 80 32 40 01', 'invalid_record@0'],
  ['of-a-larger-dictionary', A, `${header([['a'], ['b']])} 41 01`, 'invalid_record@0'],
  ['of-zeros', A, 'c1 50 00 00 00 00 00 00 00 00 c0', 'invalid_record@0'],
  ['cut-off-after-1', A, 'c1', 'unexpected_end@0'],
  ['cut-off-after-2', A, 'c1 50', 'unexpected_end@0'],
  ['cut-off-after-9', A, 'c1 50 ae b5 8c 1b 28 93 80', 'unexpected_end@0'],
  ['alone', A, 'c1 50 ae b5 8c 1b 28 93 80 32', 'unexpected_end@10'],
  ['with-another-mark', A, 'c1 51 ae b5 8c 1b 28 93 80 32 40 01', 'reserved_byte@0'],
  ['twice', A, `${header(A)} ${header(A)} 40 01`, 'reserved_byte@10'],
  ['in-array', A, `91 ${header(A)} 40 01`, 'reserved_byte@1 /0'],
  ['before-a-fault', A, `${header(A)} 40 c1`, 'reserved_byte@11 /a'],
  ['before-trailing', A, `${header(A)} 05 06`, 'trailing_data@11'],
];

export default {
  kind: 'records',
  room: 'shared',
  about: 'records of a dictionary, and the header that names it',
  cases: [
    ...VALID.map(([name, dictionary, bytes, value]) =>
      recorded(`shared-${name}`, '05#shared', bytes, value, { records: 'shared', dictionary }),
    ),
    ...INVALID.map(([name, dictionary, bytes, meant]) =>
      invalid(`shared-bad-${name}`, '05#shared', bytes, meant, { records: 'shared', dictionary }),
    ),
    ...HEADED.map(([name, dictionary, bytes, value]) =>
      recorded(`header-${name}`, '05#header', bytes, value, { records: 'shared', dictionary, header: true }),
    ),
    ...HEADED_INVALID.map(([name, dictionary, bytes, meant]) =>
      invalid(`header-bad-${name}`, '05#header', bytes, meant, { records: 'shared', dictionary, header: true }),
    ),
  ],
};
