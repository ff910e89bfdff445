// Maps at every head boundary (spec/02#map), in other orders and with other heads.

import { valid } from '../../cases.mjs';
import { encode } from '../../reference.mjs';
import { array, bin, bool, ext, fields, float, int, map, nil, str, timestamp, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */
/** @typedef {import('../../values.mjs').Entry} Entry */

const COUNTS = [0, 1, 2, 3, 7, 8, 14, 15, 16, 17, 31, 32, 33, 63, 64, 100, 255, 256, 257];

// biome-ignore format: a table
/** @type {[string, Value][]} */
const ITEMS = [
  ['nil', nil],
  ['undefined', undef],
  ['bool', bool(false)],
  ['int', int(300)],
  ['negative-int', int(-300)],
  ['uint-64', int((1n << 64n) - 1n)],
  ['float', float(0.1)],
  ['integral-float', float(1)],
  ['str', str('caf\u00e9')],
  ['empty-str', str('')],
  ['long-str', str('a', 300)],
  ['bin', bin('00ff')],
  ['empty-array', array([])],
  ['array', array([int(1), nil])],
  ['empty-map', map([])],
  ['map', fields([['b', int(1)]])],
  ['int-key-map', map([[int(7), int(1)]])],
  ['timestamp', timestamp(1, 1)],
  ['ext', ext(5, '0102')],
];

/** @param {number} count @param {(index: number) => Value} key @returns {Entry[]} */
const entries = (count, key) => Array.from({ length: count }, (_, index) => [key(index), int(index % 100)]);

/**
 * A case with its entries in the reverse order as another form.
 *
 * @param {string} name
 * @param {Value} value
 */
function eitherWay(name, value) {
  if (!('map' in value)) throw new Error(`${name}: not a map`);
  const reversed = encode({ map: [...value.map].reverse() }, () => 0, false);
  return valid(name, '02#map', value, { also: [reversed] });
}

export default {
  kind: 'valid',
  room: 'map',
  about: 'maps at every head boundary, in either order, of every kind of value',
  cases: [
    ...COUNTS.map((count) =>
      eitherWay(`map-${count}-str-keys`, map(entries(count, (index) => str(`k${1_000 + index}`)))),
    ),
    ...COUNTS.map((count) => eitherWay(`map-${count}-int-keys`, map(entries(count, (index) => int(index))))),
    ...[1, 2, 15, 16, 17].map((count) =>
      eitherWay(`map-${count}-negative-keys`, map(entries(count, (index) => int(-1 - index)))),
    ),
    ...ITEMS.flatMap(([name, item]) => [
      valid(`map-of-${name}`, '02#map', fields([['a', item]])),
      eitherWay(
        `map-of-three-${name}`,
        fields([
          ['a', item],
          ['b', item],
          ['c', item],
        ]),
      ),
      valid(`map-int-key-of-${name}`, '02#map', map([[int(1), item]])),
    ]),
    eitherWay('map-of-every-kind', fields(ITEMS.map(([name, item]) => [name, item]))),
    eitherWay(
      'map-nested',
      fields([
        ['a', fields([['b', fields([['c', fields([])]])]])],
        ['d', array([fields([])])],
      ]),
    ),
    eitherWay(
      'map-of-maps-16',
      fields(
        Array.from({ length: 16 }, (_, row) => [
          `row${row}`,
          fields([
            ['x', int(row)],
            ['y', int(-row)],
          ]),
        ]),
      ),
    ),
    eitherWay('map-same-key-at-each-level', fields([['a', fields([['a', fields([['a', nil]])]])]])),
    eitherWay(
      'map-same-keys-beside',
      fields([
        ['a', fields([['k', int(1)]])],
        ['b', fields([['k', int(2)]])],
      ]),
    ),
  ],
};
