// The table of bundle sizes in js/README.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, tableOf } from '../../js/tools/size-table.mjs';

const SIZES = [
  { main: 31_180, compact: 6640, peer: 5310 },
  { main: 23_250, compact: 4480, peer: 3820 },
  { main: 13_640, compact: 4160, peer: 2700 },
];

test('sizes are written in steps of 100 bytes, with the share of the compact codec', () => {
  assert.equal(tableOf(SIZES).split('\n')[2], '| `pack` and `unpack` | 31,200 | 6,600 | 21 % | 5,300 |');
});

test('a table that was just written is true, also after a small change', () => {
  assert.deepEqual(differences(tableOf(SIZES), SIZES), []);
  const smaller = SIZES.map(({ main, compact, peer }) => ({ main: main - 200, compact: compact + 20, peer }));
  assert.deepEqual(differences(tableOf(SIZES), smaller), []);
});

test('a size that has changed by more than 2 % is found', () => {
  const [first, ...others] = SIZES;
  assert.ok(first !== undefined);
  assert.deepEqual(differences(tableOf(SIZES), [{ ...first, main: 28_200, compact: 5940 }, ...others]), [
    'it says 31200, and it is 28200',
    'it says 6600, and it is 5900',
  ]);
});

test('a table of another form is found', () => {
  assert.deepEqual(differences(tableOf(SIZES.slice(1)), SIZES), ['the table has another form']);
});
