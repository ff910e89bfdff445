// What suites make of their data: the ways a stream is cut, and the lawful refusals of each language.

import assert from 'node:assert/strict';
import test from 'node:test';
import { refusals } from '../lib/habits.mjs';
import { chunkings } from '../lib/suites/stream.mjs';

test('short streams are cut whole, bytewise and at every position', () => {
  assert.deepEqual([...chunkings('92c0c3')], [['92c0c3'], ['92', 'c0', 'c3'], ['92', 'c0c3'], ['92c0', 'c3']]);
  assert.deepEqual([...chunkings('c0')], [['c0']]);
  assert.deepEqual([...chunkings('')], [[]]);
  assert.equal([...chunkings('c0'.repeat(300))].length, 2 + 299);
});

test('long streams are cut at the same sample of positions in every run', () => {
  const long = 'c0'.repeat(5000);
  const cut = [...chunkings(long)];
  assert.equal(cut.length < 70, true);
  assert.deepEqual(cut, [...chunkings(long)]);
  for (const chunks of cut) assert.equal(chunks.join(''), long);
  for (const at of [1, 2, 16, 2500, 4984, 4999])
    assert.equal(
      cut.some(([first = '']) => first.length === 2 * at),
      true,
      String(at),
    );
});

test('a language may refuse only what spec/09 says', () => {
  const map = (/** @type {object[]} */ ...keys) => ({ map: keys.map((key) => [key, { nil: true }]) });
  assert.deepEqual(refusals('php', 'default', map({ float: '3ff8000000000000' })), ['invalid_key']);
  assert.deepEqual(refusals('php', 'default', map({ bin: '00' })), []);
  assert.deepEqual(refusals('php', 'strict', map({ int: '1' }, { str: '1' })), ['duplicate_key']);
  assert.deepEqual(refusals('php', 'default', map({ int: '1' }, { str: '1' })), []);
  assert.deepEqual(refusals('js', 'default', map({ str: '__proto__' })), []);
  assert.deepEqual(refusals('js', 'strict', map({ str: '__proto__' })), ['invalid_key']);
  assert.deepEqual(refusals('js', 'strict', map({ int: '1' }, { float: '3ff0000000000000' })), ['duplicate_key']);
  assert.deepEqual(refusals('js', 'default', { array: [{ timestamp: ['8640000000001', 0] }] }), ['out_of_range']);
  assert.deepEqual(refusals('js', 'default', { timestamp: ['8639999999999', 0] }), []);
  assert.deepEqual(refusals('go', 'strict', map({ array: [] })), ['invalid_key']);
  assert.deepEqual(refusals('go', 'default', { timestamp: ['9223372036854775807', 0] }), ['out_of_range']);
  assert.deepEqual(refusals('go', 'default', { timestamp: ['-9223372036854775808', 0] }), ['out_of_range']);
  assert.deepEqual(refusals('go', 'default', { timestamp: ['-9223372028715321600', 0] }), []);
  const zeros = map({ float: '0000000000000000' }, { float: '8000000000000000' });
  assert.deepEqual(refusals('go', 'strict', zeros), ['duplicate_key']);
  assert.deepEqual(refusals('go', 'lossless', map({ array: [] })), []);
  assert.deepEqual(refusals('someone', 'default', map({ array: [] })), []);
});
