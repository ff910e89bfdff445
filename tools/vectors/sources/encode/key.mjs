// Maps that no encoder writes in strict mode: with two equal keys, also in lossless mode, and in JavaScript with the
// key __proto__ (spec/07#encoding). A host's own map can't hold all equal keys: PHP and Go have types of entries,
// JavaScript has Map.

import { unencodable } from '../../cases.mjs';
import { array, bin, bool, ext, float, floatBits, int, map, nil, str, timestamp, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */
/** @typedef {import('../../languages.mjs').Language} Language */

/** @param {Value} key @param {Value} [other] */
const twice = (key, other = key) =>
  map([
    [key, nil],
    [other, nil],
  ]);

/** Types of entries hold any keys. @type {Language[]} */
const ENTRIES = ['php', 'go'];

// biome-ignore format: a table
/** @type {[string, Value, string, Language[]?][]} */
const CASES = [
  ['ints', twice(int(1)), '/1'],
  ['negative-ints', twice(int(-1)), '/-1'],
  ['arrays', twice(array([int(1)])), '/#1'],
  ['empty-arrays', twice(array([])), '/#1'],
  ['bins', twice(bin('00ff')), '/0x00ff'],
  ['timestamps', twice(timestamp(1)), '/#1'],
  ['timestamps-with-nanoseconds', twice(timestamp(-1, 999_999_999)), '/#1'],
  ['exts', twice(ext(5, '00')), '/#1'],
  ['floats', twice(float(1.5)), '/#1'],
  ['maps', twice(map([[int(1), nil]])), '/#1'],
  ['maps-in-another-order', twice(map([[int(1), nil], [int(2), nil]]), map([[int(2), nil], [int(1), nil]])), '/#1'],
  ['strs', twice(str('a')), '/a', ENTRIES],
  ['empty-strs', twice(str('')), '/', ENTRIES],
  ['nils', twice(nil), '/#1', ENTRIES],
  ['bools', twice(bool(true)), '/#1', ENTRIES],
  ['undefineds', twice(undef), '/#1', ENTRIES],
  ['nans', twice(floatBits(0x7ff8_0000_0000_0000n)), '/#1', ENTRIES],
  ['largest-ints', twice(int((1n << 64n) - 1n)), '/18446744073709551615', ENTRIES],
  ['third-of-three', map([[int(1), nil], [int(2), nil], [int(1), nil]]), '/1'],
  ['in-array', array([nil, twice(int(1))]), '/1/1'],
  ['in-map', map([[str('a'), twice(int(1))]]), '/a/1'],
  ['in-key', map([[twice(int(1)), nil]]), ''],
];

const prototype = map([[str('__proto__'), nil]]);

/** @type {[string, Value, string][]} */
const PROTOTYPES = [
  ['alone', prototype, 'invalid_key'],
  [
    'behind-another',
    map([
      [str('a'), nil],
      [str('__proto__'), nil],
    ]),
    'invalid_key',
  ],
  ['in-array', array([nil, prototype]), 'invalid_key /1'],
  ['in-map', map([[str('a'), prototype]]), 'invalid_key /a'],
  ['in-key', map([[prototype, nil]]), 'invalid_key'],
];

export default {
  kind: 'encode',
  room: 'key',
  about: 'maps with two equal keys, and in JavaScript with the key __proto__',
  cases: [
    ...CASES.map(([name, value, meant, languages]) =>
      unencodable(`encode-equal-${name}`, '07#encoding', value, `duplicate_key${meant === '' ? '' : ` ${meant}`}`, {
        languages,
      }),
    ),
    ...PROTOTYPES.map(([name, value, meant]) =>
      unencodable(`encode-prototype-${name}`, '07#encoding', value, meant, { languages: ['javascript'] }),
    ),
  ],
};
