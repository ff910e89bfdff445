// What suites make of their data: the ways a stream is cut, and the answers of each language.

import assert from 'node:assert/strict';
import test from 'node:test';
import { theHabit } from '../lib/habits.mjs';
import { matching } from '../lib/judge.mjs';
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

test('a language gives the value or the refusal of spec/09, and no other', () => {
  const answer = (/** @type {string} */ language, /** @type {string} */ mode, /** @type {string} */ bytes) =>
    theHabit(language, mode, bytes).text();
  assert.equal(answer('php', 'default', '81cb3ff8000000000000c0'), 'error {"code":"invalid_key","offset":1,"path":""}');
  assert.equal(answer('php', 'default', '81c40100c0'), 'value {"map":[[{"str":"\\u0000"},{"nil":true}]]}');
  assert.equal(answer('php', 'default', 'c401ff'), 'value {"bin":"ff"}');
  assert.match(answer('php', 'strict', '8201c0a131c0'), /duplicate_key","offset":3,"path":"\/1"/);
  assert.match(answer('javascript', 'strict', '81a95f5f70726f746f5f5fc0'), /invalid_key","offset":1/);
  assert.match(answer('javascript', 'strict', '8201c0cb3ff0000000000000c0'), /duplicate_key","offset":3,"path":"\/#1"/);
  assert.match(answer('javascript', 'default', 'c70cff000000007fffffffffffffff'), /out_of_range","offset":0/);
  assert.match(answer('go', 'strict', '8190c0'), /invalid_key","offset":1/);
  assert.match(answer('go', 'strict', '82c0c0d40000c0'), /duplicate_key","offset":3/);
});

test('what only looks alike may not be refused', () => {
  const accepts = (/** @type {string} */ language, /** @type {string} */ bytes, /** @type {object} */ answer) =>
    theHabit(language, 'strict', bytes).accepts(/** @type {any} */ (answer));
  const refusal = { error: { code: 'duplicate_key', offset: 11, path: '/9007199254740993' } };
  assert.equal(
    accepts('javascript', '82cf0020000000000000c0cf0020000000000001c0', refusal),
    false,
    '2^53 and 2^53 + 1',
  );
  assert.equal(
    accepts('javascript', '8200c0cb8000000000000000c0', { error: { code: 'duplicate_key', offset: 3, path: '/#1' } }),
    false,
    '0 and -0',
  );
  const timestampKey = { error: { code: 'invalid_key', offset: 1, path: '' } };
  assert.equal(accepts('go', '81d6ff00000001c0', timestampKey), false);
  const seconds = 'c70cff000000007ffffff1886e08ff'; // the last second of time.Time
  assert.equal(
    theHabit('go', 'default', seconds).accepts({ error: { code: 'out_of_range', offset: 0, path: '' } }),
    false,
  );
});

test('a language that the judge does not know may refuse what its types cannot hold', () => {
  const refusal = { error: { code: 'invalid_key', offset: 7, path: 'anywhere' } };
  assert.equal(theHabit('python', 'default', '8190c0').accepts(refusal), true);
  assert.equal(theHabit('python', 'lossless', '8190c0').accepts(refusal), false);
});

test('cases for other languages and for what an implementation lacks are left out', () => {
  const all = [
    { languages: ['go'], options: {} },
    { options: { records: 'shared' } },
    { options: { clone: 'moreTypes' } },
    { options: {} },
  ].map((one, index) => ({ name: String(index), spec: '', room: '', mode: 'all', run: async () => {}, ...one }));
  const names = (/** @type {object} */ implementation) =>
    [...matching(all, 'invalid', '', /** @type {any} */ (implementation))].map(({ name }) => name).join('');
  assert.equal(names({ language: 'php' }), '123');
  assert.equal(names({ language: 'go', lacks: ['shared', 'clone'] }), '03');
});
