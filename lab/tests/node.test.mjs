import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '../workers/node.mjs';

test('equal documents have no fault', () => {
  const document = () => [{ a: 1, b: [1.5, null, { c: 'x' }] }, { a: -0 }];
  assert.equal(fault(document(), document()), null);
});

test('a difference in the last element is found, with its place', () => {
  assert.equal(fault([1, [2, { a: 3 }]], [1, [2, { a: 4 }]]), '/1/1/a: number 3 expected, got number 4');
});

test('missing and additional elements and keys are found', () => {
  assert.equal(fault([1, 2], [1]), '/1: missing');
  assert.equal(fault([1], [1, 2]), '/1: nothing expected here');
  assert.equal(fault({ a: 1 }, { a: 1, b: 2 }), '/b: nothing expected here');
});

test('an object of another class is another value', () => {
  assert.equal(fault({ a: 1 }, new Map([['a', 1]])), 'the whole: Object expected, got Map');
  assert.equal(fault([1], { 0: 1 }), 'the whole: array of 1 expected, got Object');
});

test('a number is not its text, and zero has a sign', () => {
  assert.equal(fault(1, '1'), 'the whole: number 1 expected, got "1"');
  assert.equal(fault(0, -0), 'the whole: number 0 expected, got number 0');
});
