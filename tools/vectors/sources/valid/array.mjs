// Arrays at every head boundary, nested and full of other things (spec/02#array).

import { valid } from '../../cases.mjs';
import { array, bin, bool, ext, fields, float, int, map, nil, str, timestamp, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

const COUNTS = [
  0, 1, 2, 3, 4, 7, 8, 14, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 255, 256, 257, 1_000, 1_023, 1_024, 1_025, 1_026,
];
const LARGE = [32_767, 32_768, 65_534, 65_535, 65_536, 65_537, 70_000];

// biome-ignore format: a table
/** @type {[string, Value][]} */
const ELEMENTS = [
  ['nil', nil],
  ['undefined', undef],
  ['bool', bool(true)],
  ['fixint', int(5)],
  ['negative-fixint', int(-5)],
  ['int-64', int(-(1n << 63n))],
  ['uint-64', int((1n << 64n) - 1n)],
  ['float', float(1.5)],
  ['minus-zero', float(-0)],
  ['nan', float(Number.NaN)],
  ['str', str('text')],
  ['empty-str', str('')],
  ['bin', bin('00ff')],
  ['empty-array', array([])],
  ['empty-map', map([])],
  ['array', array([int(1), int(2)])],
  ['map', fields([['a', int(1)]])],
  ['int-key-map', map([[int(1), nil]])],
  ['timestamp', timestamp(1)],
  ['timestamp-96', timestamp(-1, 999_999_999)],
  ['ext', ext(5, '')],
];

const integers = (/** @type {number} */ count) => Array.from({ length: count }, (_, number) => int(number));

export default {
  kind: 'valid',
  room: 'array',
  about: 'arrays at every head boundary, of every kind of element',
  cases: [
    ...COUNTS.map((count) =>
      valid(`array-${count}-elements`, '02#array', count === 0 ? array([]) : array([nil], count)),
    ),
    ...LARGE.map((count) => valid(`array-${count}-elements`, '02#array', array([nil], count))),
    ...[2, 15, 16, 17, 100, 130].map((count) =>
      valid(`array-of-${count}-integers`, '02#array', array(integers(count))),
    ),
    ...ELEMENTS.flatMap(([name, element]) => [
      valid(`array-one-${name}`, '02#array', array([element])),
      valid(`array-three-${name}`, '02#array', array([element], 3)),
      valid(`array-sixteen-${name}`, '02#array', array([element], 16)),
      valid(`array-${name}-between`, '02#array', array([int(1), element, int(2)])),
    ]),
    valid('array-of-every-kind', '02#array', array(ELEMENTS.map(([, element]) => element))),
    valid('array-int-and-float-one', '01#data-model', array([int(1), float(1), str('1'), bin('31'), bool(true)])),
    valid('array-nested-three', '02#array', array([array([array([int(1)]), array([])]), array([array([])])])),
    valid('array-matrix', '02#array', array([array([float(0.5)], 16)], 16)),
    valid('array-str-70000', '02#array', array([str('a', 70_000), int(1)])),
    valid('array-many-short-strs', '02#array', array([str('ab'), str('\u00e9')], 1_000)),
  ],
};
