import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../lib/json.mjs';
import { addRefused, addTally, countLosses, emptyTally } from '../lib/losses.mjs';
import { Entries, Ext, Float, Timestamp } from '../lib/tree.mjs';

/** @typedef {import('../lib/tree.mjs').Tree} Tree */

/** @param {Record<string, Tree>} entries */
const map = (entries) => new Entries(Object.keys(entries), Object.values(entries));

/**
 * @param {Tree} before
 * @param {Tree} after
 */
const kinds = (before, after) =>
  Object.fromEntries(Object.entries(countLosses(before, after).kinds).map(([kind, { count }]) => [kind, count]));

for (const [name, before, after, expected] of /** @type {[string, Tree, Tree, Record<string, number>][]} */ ([
  ['nothing', [1, 'a', map({ a: null })], [1, 'a', map({ a: null })], {}],
  ['empty maps, not empty arrays', [map({}), [], map({})], [[], [], []], { 'empty map → array': 2 }],
  ['empty arrays', [[]], [map({})], { 'empty array → map': 1 }],
  [
    'numeric-string keys',
    map({ 1: 'a', x: 'b' }),
    new Entries([1, 'x'], ['a', 'b']),
    { 'numeric str key → int key': 1 },
  ],
  ['bin keys', new Entries([Uint8Array.of(0x61)], [1]), map({ a: 1 }), { 'bin key → str key': 1 }],
  ['int keys', new Entries([7, -1], [1, 2]), map({ '-1': 2, 7: 1 }), { 'int key → str key': 2 }],
  [
    'maps with list keys',
    map({ 0: 'a', 1: map({}) }),
    ['a', []],
    { 'map → array': 1, 'numeric str key → int key': 2, 'empty map → array': 1 },
  ],
  ['integral floats', [new Float(1), new Float(0.5)], [1, new Float(0.5)], { 'float → int': 1 }],
  ['ints as floats', [1, 2n ** 60n], [new Float(1), new Float(2 ** 60)], { 'int → float': 2 }],
  ['precision', [2n ** 53n + 1n, 2n ** 64n - 1n], [2 ** 53, new Float(2 ** 64)], { 'precision lost': 2 }],
  ['the sign of zero', [new Float(-0)], [0], { '−0 → 0': 1 }],
  ['the sign of zero in a float', [new Float(-0)], [new Float(0)], { '−0 → 0': 1 }],
  ['NaN and infinity', [new Float(Number.NaN), new Float(Infinity)], [null, null], { 'NaN or ∞ → nil': 2 }],
  ['nanoseconds', [new Timestamp(1n, 1_000_001)], [new Timestamp(1n, 1_000_000)], { 'timestamp truncated': 1 }],
  [
    'kinds',
    [Uint8Array.of(1), undefined, new Ext(1, Uint8Array.of(1)), 2n ** 63n],
    ['\u0001', null, null, '9223372036854775808'],
    { 'bin → str': 1, 'undefined → nil': 1, 'ext → nil': 1, 'int → str': 1 },
  ],
  ['lost entries', map({ a: undefined, b: 1 }), map({}), { 'undefined entry lost': 1, 'entry lost': 1 }],
  ['added entries', map({}), map({ b: 1 }), { 'entry added': 1 }],
  [
    'keys that fell together',
    new Entries([1, '1'], ['int', 'str']),
    new Entries([1], ['str']),
    { 'entry lost': 1, 'str changed': 1 },
  ],
  ['elements', [1, 2], [1], { 'element lost': 1 }],
])) {
  test(`counts ${name}`, () => assert.deepEqual(kinds(before, after), expected));
}

test('keeps the path of the first of each kind', () => {
  const tally = countLosses(readJson('{"a": [{}, {}], "b": 1.0}'), readJson('{"a": [[], []], "b": 1}'));
  assert.deepEqual(tally.kinds, {
    'empty map → array': { count: 2, path: '/a/0' },
    'float → int': { count: 1, path: '/b' },
  });
  assert.equal(tally.changed, 3);
});

test('order is counted apart', () => {
  const tally = countLosses(readJson('{"b": {"y": 1, "x": 2}, "a": 1}'), readJson('{"a": 1, "b": {"x": 2, "y": 1}}'));
  assert.deepEqual([tally.changed, tally.reordered], [0, 2]);
});

test('tallies add up', () => {
  const sum = emptyTally();
  addTally(sum, countLosses([new Float(1)], [1], '/0'));
  addTally(sum, countLosses([new Float(2)], [2], '/1'));
  addRefused(sum, 'first');
  addRefused(sum, 'second');
  assert.deepEqual(sum, {
    kinds: { 'float → int': { count: 2, path: '/0/0' } },
    changed: 2,
    reordered: 0,
    refused: { count: 2, example: 'first' },
  });
});
