// What msgpackr writes (spec/05): its bytes are facts. Two versions write each value; where they differ both are kept.

import { Packr as Packr2 } from 'msgpackr';
import { Packr as Packr1 } from 'msgpackr-1.11';
import { recorded } from '../../cases.mjs';
import { pickFrom, randomFrom } from '../../random.mjs';

/** @typedef {import('../../cases.mjs').Case} Case */
/** @typedef {import('../../random.mjs').Random} Random */

export const WRITERS = [
  { writer: 'msgpackr-2.1.3', Packr: Packr2 },
  { writer: 'msgpackr-1.11.12', Packr: Packr1 },
];

/** @param {number} count @param {(index: number) => [string, unknown]} entry */
const object = (count, entry) => Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));

/** @param {number} count @param {(index: number) => unknown} element */
const list = (count, element) => Array.from({ length: count }, (_, index) => element(index));

// biome-ignore format: a table
/** @type {[string, unknown][]} */
const VALUES = [
  ['spec-example', { foo: 4, bar: 2 }],
  ['two-rows', [{ a: 1 }, { a: 2 }]],
  ['three-rows', list(3, (row) => ({ id: row, name: `n${row}` }))],
  ['hundred-rows', list(100, (row) => ({ id: row, ok: row % 2 === 0 }))],
  ['300-rows', list(300, (row) => ({ id: row }))],
  ['rows-in-object', { rows: [{ x: 1, y: 2 }, { x: 3, y: 4 }], total: 2 }],
  ['empty', {}],
  ['empty-twice', [{}, {}]],
  ['empty-in-record', { a: {} }],
  ['nested', { a: { b: { c: {} } } }],
  ['nested-same-shape', { a: { a: { a: 1 } } }],
  ['nested-then-sibling', { a: { x: 1 }, b: { x: 2 } }],
  ['same-names-other-order', [{ a: 1, b: 2 }, { b: 2, a: 1 }]],
  ['prefix-shapes', [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }, { a: 2 }, { a: 3, b: 4 }]],
  ['alternating-shapes', list(10, (row) => (row % 2 ? { a: row } : { b: row }))],
  ['record-between-scalars', [1, { a: 1 }, 'x', { a: 2 }, null]],
  ['array-in-record', { list: [1, 2, 3], empty: [] }],
  ['arrays-of-records-in-records', { rows: [{ cells: [{ v: 1 }, { v: 2 }] }, { cells: [{ v: 3 }] }] }],
  ['ints-63-to-128', [63, 64, 65, 126, 127, 128]],
  ['ints-64-to-127', list(64, (number) => number + 64)],
  ['int-64-in-record', { a: 64, b: 127, c: 63, d: -1 }],
  ['int-64-alone', 64],
  ['int-127-alone', 127],
  ['int-63-alone', 63],
  ['int-64-after-declaration', [{ a: 1 }, 64, { a: 64 }]],
  ['int-widths', { a: 128, b: 255, c: 256, d: 65_535, e: 65_536, f: 2_147_483_647 }],
  ['int-over-31-bits', { a: 2_147_483_648, b: 4_294_967_295 }],
  ['int-over-32-bits', { a: 4_294_967_296, b: 9_007_199_254_740_991 }],
  ['negative-ints', { a: -1, b: -32, c: -33, d: -128, e: -129, f: -32_768, g: -32_769, h: -2_147_483_648 }],
  ['negative-over-32-bits', { a: -2_147_483_649, b: -9_007_199_254_740_991 }],
  ['bigint', { a: 2n ** 63n, b: 2n ** 64n - 1n, c: -(2n ** 63n) }],
  ['small-bigint', { a: 5n, b: 100n, c: -5n }],
  ['floats', { a: 0.5, b: -1.25, c: 0.1, d: 1e300 }],
  ['float-specials', { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: Number.NEGATIVE_INFINITY }],
  ['minus-zero', { a: -0 }],
  ['scalars', { a: null, b: true, c: false, d: undefined }],
  ['undefined-alone', undefined],
  ['empty-str', { a: '', '': 'b' }],
  ['text', { a: 'caf\u00e9', b: '\u20ac', c: '\u{1f600}' }],
  ['text-32', { a: 'x'.repeat(31), b: 'x'.repeat(32) }],
  ['text-255', { a: 'x'.repeat(255), b: 'x'.repeat(256) }],
  ['long-text', { a: 'lorem ipsum '.repeat(30) }],
  ['names-not-ascii', { 'caf\u00e9': 1, '\u20ac': 2, '\u{1f600}': 3 }],
  ['names-like-ints', { a: 1, b1: 2, 1: 3, 2: 4 }],
  ['name-of-31-bytes', { ['n'.repeat(31)]: 1 }],
  ['name-of-32-bytes', { ['n'.repeat(32)]: 1 }],
  ['name-of-300-bytes', { ['n'.repeat(300)]: 1 }],
  ['name-constructor', { constructor: 1, toString: 2 }],
  ['name-with-slash', { 'a/b': 1, '~': 2 }],
  ['name-with-nul', { '\0a': 1 }],
  ['15-names', object(15, (index) => [`f${index}`, index])],
  ['16-names', object(16, (index) => [`f${index}`, index])],
  ['17-names-twice', list(2, () => object(17, (index) => [`f${index}`, index]))],
  ['100-names', object(100, (index) => [`f${index}`, null])],
  ['binary', { a: new Uint8Array([0, 255]), b: new Uint8Array() }],
  ['date-32', { at: new Date(1_000) }],
  ['date-64', { at: new Date(1_500) }],
  ['date-now', { at: new Date(1_709_164_800_123) }],
  ['date-negative', { at: new Date(-1_000) }],
  ['map-str-keys', new Map([['a', 1]])],
  ['map-int-keys', new Map([[1, { a: 1 }], [2, { a: 2 }]])],
  ['map-in-record', { m: new Map([['x', 1]]) }],
  ['map-int-64-key', new Map([[64, 64]])],
  ['map-record-key', new Map([[{ a: 1 }, 1], [{ a: 2 }, 2]])],
  ['map-empty', new Map()],
  ['ten-shapes', list(10, (shape) => ({ [`s${shape}`]: shape }))],
  ['ten-shapes-twice', list(20, (shape) => ({ [`s${shape % 10}`]: shape }))],
  ['32-shapes', list(32, (shape) => ({ [`s${shape}`]: shape }))],
  ['33-shapes', list(33, (shape) => ({ [`s${shape}`]: shape }))],
  ['64-shapes', list(64, (shape) => ({ [`s${shape}`]: 1 }))],
  ['64-shapes-twice', list(128, (shape) => ({ [`s${shape % 64}`]: 1 }))],
  ['deep', list(100, () => 0).reduce((/** @type {unknown} */ inner) => ({ a: inner }), null)],
  ['deep-in-arrays', list(50, () => 0).reduce((/** @type {unknown} */ inner) => ({ a: [inner] }), null)],
  ['package', { name: 'x', version: '1.0.0', files: ['a', 'b'], scripts: { test: 'node --test' }, dependencies: {} }],
  ['feature', { type: 'Feature', geometry: { type: 'Point', coordinates: [8.5417, 47.3769] }, properties: { name: 'Z\u00fcrich' } }],
  ['features', { type: 'FeatureCollection', features: list(5, (index) => ({ type: 'Feature', id: index, geometry: { type: 'Point', coordinates: [index + 0.5, -index - 0.5] } })) }],
  ['users', list(20, (index) => ({ id: index + 55, name: `user ${index}`, tags: index % 3 ? ['a'] : [], address: { city: 'Basel', zip: 4000 + index } }))],
  ['optional-fields', list(12, (index) => ({ id: index, ...(index % 2 && { a: 1 }), ...(index % 3 && { b: 2 }) }))],
  ['matrix', { rows: list(4, () => list(4, (cell) => cell * 20)) }],
];

// biome-ignore format: a table
/** With room for more shapes: ids from 60 up have two bytes. @type {[string, unknown][]} */
const MANY_SHAPES = [
  ['33-shapes', list(33, (shape) => ({ [`s${shape}`]: shape }))],
  ['40-shapes-twice', list(80, (shape) => ({ [`s${shape % 40}`]: shape }))],
  ['70-shapes', list(70, (shape) => ({ [`s${shape}`]: shape }))],
  ['100-shapes-twice', list(200, (shape) => ({ [`s${shape % 100}`]: 1 }))],
  ['nested-after-60-shapes', [...list(40, (shape) => ({ [`s${shape}`]: shape })), { outer: { inner: { s39: 1 } } }]],
];

const NAMES = ['id', 'name', 'tags', 'x', 'y', 'caf\u00e9', 'child', 'rows', 'at', ''];

/** @param {Random} random @param {number} depth @returns {unknown} */
function randomTree(random, depth) {
  const choice = random(10);
  if (depth > 0 && choice < 3) return list(random(5), () => randomTree(random, depth - 1));
  if (depth > 0 && choice < 6) return object(random(5), () => [pickFrom(random, NAMES), randomTree(random, depth - 1)]);
  return pickFrom(random, [
    null,
    true,
    false,
    random(300),
    random(128),
    -random(70_000),
    random(1 << 30),
    random(1000) / 8,
    'text',
    '\u20ac',
    'x'.repeat(random(40)),
  ]);
}

/** @param {string} name @param {unknown} value @param {object} [options] @returns {Case[]} */
function written(name, value, options = {}) {
  const outputs = WRITERS.map(({ writer, Packr }) => ({
    writer,
    bytes: new Uint8Array(new Packr({ useRecords: true, ...options }).pack(value)),
  }));
  return outputs
    .filter(({ bytes }, index) => index === 0 || Buffer.compare(bytes, outputs[0]?.bytes ?? bytes) !== 0)
    .map(({ writer, bytes }, index) =>
      recorded(`record-${name}${index > 0 ? '-older' : ''}`, '05#records', bytes, undefined, { writer }),
    );
}

export default {
  kind: 'records',
  room: 'msgpackr',
  about: 'what msgpackr writes with inline records; versions 2.1.3 and 1.11.12 agree unless both are listed',
  cases: [
    ...VALUES.flatMap(([name, value]) => written(name, value)),
    ...MANY_SHAPES.flatMap(([name, value]) => written(`two-byte-ids-${name}`, value, { maxOwnStructures: 256 })),
    ...Array.from({ length: 60 }, (_, seed) => {
      const random = randomFrom(seed * 977 + 5);
      return written(
        `tree-seed-${seed + 1}`,
        list(1 + random(4), () => randomTree(random, 4)),
      );
    }).flat(),
  ],
};
