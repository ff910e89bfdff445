import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstDifference } from '../lib/diff.mjs';
import { Entries, Ext, Float, Timestamp } from '../lib/tree.mjs';

/** @typedef {import('../lib/tree.mjs').Tree} Tree */

/** @type {Tree[]} values of which no two are equal */
const DISTINCT = [
  null,
  undefined,
  false,
  true,
  0,
  1,
  1n << 60n,
  new Float(1),
  new Float(0),
  new Float(-0),
  new Float(Number.NaN),
  '1',
  '',
  Uint8Array.of(0x31),
  [],
  [null],
  new Entries([], []),
  new Entries(['a'], [1]),
  new Timestamp(0n, 0),
  new Timestamp(0n, 1),
  new Ext(5, Uint8Array.of(1)),
  new Ext(6, Uint8Array.of(1)),
];

test('every value equals itself and no other', () => {
  for (const [i, a] of DISTINCT.entries()) {
    for (const [j, b] of DISTINCT.entries()) {
      const difference = firstDifference(a, b);
      assert.equal(difference === null, i === j, `${i} and ${j}: ${JSON.stringify(difference)}`);
    }
  }
});

test('the order of entries carries no meaning', () => {
  assert.equal(firstDifference(new Entries(['a', 1], [1, [2]]), new Entries([1, 'a'], [[2], 1])), null);
});

test('keys that are maps are found by value', () => {
  const key = () => new Entries(['x', 'y'], [1, 2]);
  const swapped = new Entries(['y', 'x'], [2, 1]);
  assert.equal(firstDifference(new Entries([key()], [1]), new Entries([swapped], [1])), null);
});

for (const [name, expected, actual, path] of /** @type {[string, Tree, Tree, string][]} */ ([
  ['in an array', [1, [2, 3]], [1, [2, 4]], '/1/1'],
  ['a missing element', [1, 2], [1], '/1'],
  ['an extra element', [1], [1, 2], '/1'],
  ['in a map', new Entries(['a/b', '~'], [1, [2]]), new Entries(['a/b', '~'], [1, [3]]), '/~0/0'],
  ['a missing entry', new Entries(['a', 'b'], [1, 2]), new Entries(['a'], [1]), '/b'],
  ['an extra entry', new Entries(['a'], [1]), new Entries(['b', 'a'], [2, 1]), '/b'],
  ['a key of another kind', new Entries(['1'], [1]), new Entries([1], [1]), '/1'],
  ['below an int key', new Entries([-5], [1]), new Entries([-5], [2]), '/-5'],
  ['below a bin key', new Entries([Uint8Array.of(0, 255)], [1]), new Entries([Uint8Array.of(0, 255)], [2]), '/0x00ff'],
  ['below another key', new Entries(['a', null], [0, 1]), new Entries(['a', null], [0, 2]), '/#1'],
  ['at the top', 1, '1', ''],
])) {
  test(`names the path ${name}`, () => assert.equal(firstDifference(expected, actual)?.path, path));
}

test('shows both values', () => {
  assert.deepEqual(firstDifference([new Float(-0)], [0]), { path: '/0', expected: 'float -0', actual: 'int 0' });
  assert.match(firstDifference('x'.repeat(500), 1)?.expected ?? '', /^str "x{59}…$/);
});
