// As deep as allowed, and exactly at a limit (spec/06).

import { valid } from '../../cases.mjs';
import { array, fields, int, map, nil, str } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

/** @param {number} depth @param {(inner: Value, level: number) => Value} around @param {Value} core @returns {Value} */
function nest(depth, around, core) {
  let value = core;
  for (let level = depth; level > 0; level--) value = around(value, level);
  return value;
}

// biome-ignore format: a table
/** @type {[string, (inner: Value, level: number) => Value][]} */
const AROUND = [
  ['arrays', (inner) => array([inner])],
  ['maps', (inner) => fields([['a', inner]])],
  ['int-key-maps', (inner) => map([[int(1), inner]])],
  ['arrays-and-maps', (inner, level) => (level % 2 ? array([inner]) : fields([['a', inner]]))],
  ['keys', (inner) => map([[inner, nil]])],
  ['keys-and-arrays', (inner, level) => (level % 2 ? map([[inner, nil]]) : array([inner]))],
  ['arrays-after-elements', (inner) => array([nil, inner])],
  ['arrays-before-elements', (inner) => array([inner, nil])],
];

export default {
  kind: 'valid',
  room: 'depth',
  about: 'containers as deep as the default limit allows, and inputs exactly at a limit',
  cases: [
    ...AROUND.flatMap(([name, around]) => [
      valid(`depth-511-${name}-around-empty`, '06#depth', nest(511, around, array([]))),
      valid(`depth-512-${name}`, '06#depth', nest(512, around, nil)),
      valid(`depth-3-${name}-at-limit`, '06#depth', nest(3, around, int(1)), { limits: { maxDepth: 3 } }),
    ]),
    ...[1, 2, 3, 100].map((maxDepth) =>
      valid(
        `depth-at-limit-${maxDepth}`,
        '06#depth',
        nest(maxDepth, (inner) => array([inner]), nil),
        { limits: { maxDepth } },
      ),
    ),
    valid('depth-beside-each-other', '06#depth', array([array([array([])])], 3), { limits: { maxDepth: 3 } }),
    valid('depth-scalar-with-limit-1', '06#depth', int(1), { limits: { maxDepth: 1 } }),
    valid('max-values-scalar', '06#maxvalues', int(1), { limits: { maxValues: 1 } }),
    valid('max-values-str', '06#maxvalues', str('a', 300), { limits: { maxValues: 1 } }),
    valid('max-values-empty-array', '06#maxvalues', array([]), { limits: { maxValues: 1 } }),
    valid('max-values-empty-map', '06#maxvalues', map([]), { limits: { maxValues: 1 } }),
    valid('max-values-array', '06#maxvalues', array([nil], 9), { limits: { maxValues: 10 } }),
    valid(
      'max-values-map',
      '06#maxvalues',
      fields([
        ['a', nil],
        ['b', nil],
      ]),
      { limits: { maxValues: 5 } },
    ),
    valid('max-values-nested', '06#maxvalues', array([array([nil], 3)], 3), { limits: { maxValues: 13 } }),
    valid('max-values-mixed', '06#maxvalues', array([fields([['a', array([])]]), map([])]), {
      limits: { maxValues: 5 },
    }),
    valid('max-values-array-of-65536', '06#maxvalues', array([nil], 65_536), { limits: { maxValues: 65_537 } }),
    valid('max-values-and-depth', '06#limits', array([array([nil])]), { limits: { maxDepth: 2, maxValues: 3 } }),
  ],
};
