// Declarations and instances by hand (spec/05): what no known writer writes, and every reader must read.

import { recorded } from '../../cases.mjs';
import { array, bin, ext, fields, floatBits, int, map, nil, str, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

const a = (/** @type {Value} */ value) => fields([['a', value]]);
const b = (/** @type {Value} */ value) => fields([['b', value]]);

// biome-ignore format: a table
/** @type {[string, string, Value][]} */
const DECLARATIONS = [
  ['foo-bar', 'd4 72 40 92 a3 66 6f 6f a3 62 61 72 04 02', fields([['foo', int(4)], ['bar', int(2)]])],
  ['no-names', 'd4 72 40 90', map([])],
  ['no-names-array-16', 'd4 72 40 dc 00 00', map([])],
  ['no-names-in-array', '92 d4 72 40 90 40', array([map([]), map([])])],
  ['names-array-16', 'd4 72 40 dc 00 01 a1 61 01', a(int(1))],
  ['names-array-32', 'd4 72 40 dd 00 00 00 01 a1 61 01', a(int(1))],
  ['name-str-8', 'd4 72 40 91 d9 01 61 01', a(int(1))],
  ['name-str-16', 'd4 72 40 91 da 00 01 61 01', a(int(1))],
  ['name-str-32', 'd4 72 40 91 db 00 00 00 01 61 01', a(int(1))],
  ['name-empty', 'd4 72 40 91 a0 01', fields([['', int(1)]])],
  ['name-proto', 'd4 72 40 91 a9 5f 5f 70 72 6f 74 6f 5f 5f 01', fields([['__proto__', int(1)]])],
  ['name-nul', 'd4 72 40 91 a1 00 01', fields([['\0', int(1)]])],
  ['names-differ-by-case', 'd4 72 40 92 a1 61 a1 41 01 02', fields([['a', int(1)], ['A', int(2)]])],
  ['names-integer-like', 'd4 72 40 92 a1 32 a1 31 01 02', fields([['2', int(1)], ['1', int(2)]])],
  ['id-40', 'd4 72 40 91 a1 61 01', a(int(1))],
  ['id-5f', 'd4 72 5f 91 a1 61 01', a(int(1))],
  ['id-60', 'd4 72 60 91 a1 61 01', a(int(1))],
  ['id-7f', 'd4 72 7f 91 a1 61 01', a(int(1))],
  ['two-byte-60-00', 'd5 72 60 00 91 a1 61 01', a(int(1))],
  ['two-byte-7f-ff', 'd5 72 7f ff 91 a1 61 01', a(int(1))],
  ['two-byte-60-60', 'd5 72 60 60 91 a1 61 01', a(int(1))],
  ['two-byte-60-c1', 'd5 72 60 c1 91 a1 61 01', a(int(1))],
  ['value-undefined', 'd4 72 40 91 a1 61 d4 00 00', a(undef)],
  ['value-ext', 'd4 72 40 91 a1 61 c7 00 72', a(ext(0x72, ''))],
  ['value-ext-of-3', 'd4 72 40 91 a1 61 c7 03 72 40 90 00', a(ext(0x72, '409000'))],
  ['value-map', 'd4 72 40 91 a1 61 81 a1 62 01', a(b(int(1)))],
  ['value-bin', 'd4 72 40 91 a1 61 c4 01 40', a(bin('40'))],
  ['value-int-cc-40', 'd4 72 40 91 a1 61 cc 40', a(int(0x40))],
  ['value-int-cd-40', 'd4 72 40 91 a1 61 cd 00 40', a(int(0x40))],
  ['value-int-d0-40', 'd4 72 40 91 a1 61 d0 40', a(int(0x40))],
  ['as-second-element', '92 01 d4 72 40 91 a1 61 02', array([int(1), a(int(2))])],
  ['as-map-value', '81 a1 62 d4 72 40 91 a1 61 01', b(a(int(1)))],
  ['in-map-in-array', '92 81 a1 62 d4 72 40 91 a1 61 01 40 02', array([b(a(int(1))), a(int(2))])],
];

// biome-ignore format: a table
/** @type {[string, string, Value][]} */
const INSTANCES = [
  ['once', '92 d4 72 40 91 a1 61 01 40 02', array([a(int(1)), a(int(2))])],
  ['three-times', '94 d4 72 40 91 a1 61 01 40 02 40 03 40 04', array([1, 2, 3, 4].map((number) => a(int(number))))],
  ['of-two-byte-id', '92 d5 72 60 00 91 a1 61 01 60 00 02', array([a(int(1)), a(int(2))])],
  ['of-two-byte-id-7f-ff', '92 d5 72 7f ff 91 a1 61 01 7f ff 02', array([a(int(1)), a(int(2))])],
  ['of-two-pairs', '94 d5 72 60 00 91 a1 61 01 d5 72 60 01 91 a1 62 02 60 00 03 60 01 04', array([a(int(1)), b(int(2)), a(int(3)), b(int(4))])],
  ['of-two-los', '94 d5 72 60 00 91 a1 61 01 d5 72 61 00 91 a1 62 02 60 00 03 61 00 04', array([a(int(1)), b(int(2)), a(int(3)), b(int(4))])],
  ['hi-is-any-byte', '92 d5 72 60 c1 91 a1 61 01 60 c1 02', array([a(int(1)), a(int(2))])],
  ['inside-its-own-declaration', 'd4 72 40 91 a1 61 40 01', a(a(int(1)))],
  ['inside-its-own-declaration-twice', 'd4 72 40 91 a1 61 40 40 01', a(a(a(int(1))))],
  ['inside-an-instance', '92 d4 72 40 91 a1 61 01 40 40 02', array([a(int(1)), a(a(int(2)))])],
  ['declared-in-a-sibling-field', 'd4 72 40 92 a1 61 a1 62 d4 72 41 91 a1 61 01 41 02', fields([['a', a(int(1))], ['b', a(int(2))]])],
  ['declared-deeper-used-outside', '92 91 d4 72 40 91 a1 61 01 40 02', array([array([a(int(1))]), a(int(2))])],
  ['declared-in-a-key-used-as-value', '81 d4 72 40 91 a1 61 01 40 02', map([[a(int(1)), a(int(2))]])],
  ['as-key', '92 d4 72 40 91 a1 61 01 81 40 02 c0', array([a(int(1)), map([[a(int(2)), nil]])])],
  ['as-both-keys', '82 d4 72 40 91 a1 61 01 c0 40 02 c0', map([[a(int(1)), nil], [a(int(2)), nil]])],
  ['as-map-value', '92 d4 72 40 91 a1 61 01 81 a1 62 40 02', array([a(int(1)), b(a(int(2)))])],
  ['without-names', '93 d4 72 40 90 40 40', array([map([]), map([]), map([])])],
  ['redeclared', '94 d4 72 40 91 a1 61 01 40 02 d4 72 40 91 a1 62 03 40 04', array([a(int(1)), a(int(2)), b(int(3)), b(int(4))])],
  ['redeclared-with-the-same-names', '93 d4 72 40 91 a1 61 01 d4 72 40 91 a1 61 02 40 03', array([1, 2, 3].map((number) => a(int(number))))],
  ['redeclared-with-more-names', '93 d4 72 40 91 a1 61 01 d4 72 40 92 a1 61 a1 62 02 03 40 04 05', array([a(int(1)), fields([['a', int(2)], ['b', int(3)]]), fields([['a', int(4)], ['b', int(5)]])])],
  ['redeclared-inside-itself', 'd4 72 40 92 a1 61 a1 62 d4 72 40 91 a1 63 01 40 02', fields([['a', fields([['c', int(1)]])], ['b', fields([['c', int(2)]])]])],
  ['pair-redeclared', '93 d5 72 60 00 91 a1 61 01 d5 72 60 00 91 a1 62 02 60 00 03', array([a(int(1)), b(int(2)), b(int(3))])],
  ['one-byte-then-two', '93 d4 72 60 91 a1 61 01 d5 72 60 05 91 a1 62 02 60 05 03', array([a(int(1)), b(int(2)), b(int(3))])],
  ['two-bytes-then-one', '93 d5 72 60 05 91 a1 61 01 d4 72 60 91 a1 62 02 60 03', array([a(int(1)), b(int(2)), b(int(3))])],
  ['two-one-two', '94 d5 72 60 05 91 a1 61 01 d4 72 60 91 a1 62 02 d5 72 60 06 91 a1 63 03 60 05 04', array([a(int(1)), b(int(2)), fields([['c', int(3)]]), a(int(4))])],
  ['many-ids', '94 d4 72 40 91 a1 61 01 d4 72 7f 91 a1 62 02 40 03 7f 04', array([a(int(1)), b(int(2)), a(int(3)), b(int(4))])],
  ['same-names-two-ids', '94 d4 72 40 91 a1 61 01 d4 72 41 91 a1 61 02 40 03 41 04', array([1, 2, 3, 4].map((number) => a(int(number))))],
];

// biome-ignore format: a table
/** @type {[string, string, Value][]} */
const INTEGERS = [
  ['40-never-declared', '40', int(0x40)],
  ['5f-never-declared', '5f', int(0x5f)],
  ['60-never-declared', '60', int(0x60)],
  ['7f-never-declared', '7f', int(0x7f)],
  ['in-array', '93 40 60 7f', array([int(0x40), int(0x60), int(0x7f)])],
  ['before-declaration', '92 40 d4 72 40 91 a1 61 01', array([int(0x40), a(int(1))])],
  ['of-another-id', '92 d4 72 40 91 a1 61 01 41', array([a(int(1)), int(0x41)])],
  ['60-beside-one-byte-61', '92 d4 72 61 91 a1 61 01 60', array([a(int(1)), int(0x60)])],
  ['60-beside-two-byte-61', '92 d5 72 61 60 91 a1 61 01 60', array([a(int(1)), int(0x60)])],
  ['as-key', '81 40 41', map([[int(0x40), int(0x41)]])],
  ['as-field', 'd4 72 40 91 a1 61 41', a(int(0x41))],
  ['3f-is-never-an-id', '92 d4 72 40 91 a1 61 01 3f', array([a(int(1)), int(0x3f)])],
  ['80-is-a-map', '92 d4 72 40 91 a1 61 01 80', array([a(int(1)), map([])])],
  ['cc-40-after-declaration', '92 d4 72 40 91 a1 61 01 cc 40', array([a(int(1)), int(0x40)])],
  ['cd-40-after-declaration', '92 d4 72 40 91 a1 61 01 cd 00 40', array([a(int(1)), int(0x40)])],
  ['ce-40-after-declaration', '92 d4 72 40 91 a1 61 01 ce 00 00 00 40', array([a(int(1)), int(0x40)])],
  ['cf-40-after-declaration', '92 d4 72 40 91 a1 61 01 cf 00 00 00 00 00 00 00 40', array([a(int(1)), int(0x40)])],
  ['d3-40-after-declaration', '92 d4 72 40 91 a1 61 01 d3 00 00 00 00 00 00 00 40', array([a(int(1)), int(0x40)])],
  ['bytes-of-a-float-are-no-id', '92 d4 72 40 91 a1 61 01 cb 40 40 40 40 40 40 40 40', array([a(int(1)), floatBits(0x4040404040404040n)])],
  ['bytes-of-a-str-are-no-id', '92 d4 72 40 91 a1 61 01 a1 40', array([a(int(1)), str('@')])],
];

export default {
  kind: 'records',
  room: 'valid',
  about: 'declarations and instances by hand, and integers that could be taken for them',
  cases: [
    ...DECLARATIONS.map(([name, bytes, value]) =>
      recorded(`record-declaration-${name}`, '05#declaration', bytes, value),
    ),
    ...INSTANCES.map(([name, bytes, value]) => recorded(`record-instance-${name}`, '05#instance', bytes, value)),
    ...INTEGERS.map(([name, bytes, value]) => recorded(`record-integer-${name}`, '05#instance', bytes, value)),
    recorded('record-depth-at-limit', '05#limits', '91 91 d4 72 40 91 a1 61 01', array([array([a(int(1))])]), {
      limits: { maxDepth: 3 },
    }),
    recorded(
      'record-depth-instance-at-limit',
      '05#limits',
      '92 d4 72 40 91 a1 61 01 91 40 02',
      array([a(int(1)), array([a(int(2))])]),
      { limits: { maxDepth: 3 } },
    ),
    recorded('record-depth-names-are-no-level', '05#limits', 'd4 72 40 91 a1 61 01', a(int(1)), {
      limits: { maxDepth: 1 },
    }),
    recorded('record-depth-512-instances', '05#limits', 'd4 72 40 91 a1 61 40*511 c0', undefined),
    recorded('record-depth-512-declarations', '05#limits', '(d4 72 40 91 a1 61)*512 c0', undefined),
    recorded(
      'record-max-values-at-limit',
      '05#limits',
      'd4 72 40 92 a1 61 a1 62 01 02',
      fields([
        ['a', int(1)],
        ['b', int(2)],
      ]),
      { limits: { maxValues: 3 } },
    ),
    recorded(
      'record-max-values-instance-at-limit',
      '05#limits',
      '92 d4 72 40 91 a1 61 01 40 02',
      array([a(int(1)), a(int(2))]),
      { limits: { maxValues: 5 } },
    ),
    recorded(
      'record-count-exactly-fits',
      '05#limits',
      '92 d4 72 40 92 a0 a1 61 01 02 c0',
      array([
        fields([
          ['', int(1)],
          ['a', int(2)],
        ]),
        nil,
      ]),
    ),
    recorded('record-off-int-40', '05#records', '40', int(0x40), { records: 'off' }),
    recorded('record-off-ints-in-array', '05#records', '93 40 60 7f', array([int(0x40), int(0x60), int(0x7f)]), {
      records: 'off',
    }),
    recorded(
      'record-off-ext-of-type-0x72',
      '03#reserved-data-of-type-0x72',
      'd6 72 40 91 a1 61',
      ext(0x72, '4091a161'),
      { records: 'off' },
    ),
  ],
};
