import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beyondJson } from '../lib/beyond.mjs';
import { read, write, writeCanonical } from '../lib/bytes.mjs';
import { firstDifference } from '../lib/diff.mjs';
import { countValues, Entries, Ext, Float, hex, Timestamp } from '../lib/tree.mjs';

/** @typedef {import('../lib/tree.mjs').Tree} Tree */

/** @param {string} text hex with spaces */
const bytes = (text) => Buffer.from(text.replaceAll(' ', ''), 'hex');

const many = (/** @type {number} */ length) => new Array(length).fill(null);

/** @type {[string, Tree, string][]} value and its shortest bytes, from the worked examples of spec/02 to 05 */
const EXAMPLES = [
  ['nil', null, 'c0'],
  ['undefined', undefined, 'd40000'],
  ['bools', [false, true], '92c2c3'],
  ['int 127', 127, '7f'],
  ['int 128', 128, 'cc80'],
  ['int 300', 300, 'cd012c'],
  ['int 65 536', 65_536, 'ce00010000'],
  ['int 2^32', 2 ** 32, 'cf0000000100000000'],
  ['int 2^64-1', 2n ** 64n - 1n, 'cfffffffffffffffff'],
  ['int -32', -32, 'e0'],
  ['int -33', -33, 'd0df'],
  ['int -129', -129, 'd1ff7f'],
  ['int -32 769', -32_769, 'd2ffff7fff'],
  ['int -2^31-1', -(2 ** 31) - 1, 'd3ffffffff7fffffff'],
  ['int -2^63', -(2n ** 63n), 'd38000000000000000'],
  ['float 1.5', new Float(1.5), 'cb3ff8000000000000'],
  ['float -0', new Float(-0), 'cb8000000000000000'],
  ['float NaN', new Float(Number.NaN), 'cb7ff8000000000000'],
  ['str é', 'é', 'a2c3a9'],
  ['str of 32 bytes', 'x'.repeat(32), `d920${'78'.repeat(32)}`],
  ['str of 256 bytes', 'x'.repeat(256), `da0100${'78'.repeat(256)}`],
  ['bin', Uint8Array.of(0, 255), 'c40200ff'],
  ['array', [1, null], '9201c0'],
  ['array of 16', many(16), `dc0010${'c0'.repeat(16)}`],
  ['map', new Entries(['a'], [1]), '81a16101'],
  ['ext of no bytes', new Ext(5, new Uint8Array(0)), 'c70005'],
  ['ext of 4 bytes', new Ext(-2, Uint8Array.of(1, 2, 3, 4)), 'd6fe01020304'],
  ['timestamp 32', new Timestamp(1n, 0), 'd6ff00000001'],
  ['timestamp 64', new Timestamp(0n, 1), 'd7ff0000000400000000'],
  ['timestamp 96', new Timestamp(-1n, 999_999_999), 'c70cff3b9ac9ffffffffffffffffff'],
];

for (const [name, value, expected] of EXAMPLES) {
  test(`writes and reads ${name}`, () => {
    assert.equal(hex(write(value)), expected);
    assert.equal(firstDifference(value, read(bytes(expected))), null);
  });
}

test('canonical form sorts entries by the bytes of their keys', () => {
  const value = new Entries(['b', 'a', 'aa', 7], [1, 2, 3, 4]);
  assert.equal(hex(writeCanonical(value)), hex(bytes('84 07 04 a1 61 02 a1 62 01 a2 61 61 03')));
  assert.equal(hex(write(value)), hex(bytes('84 a1 62 01 a1 61 02 a2 61 61 03 07 04')));
  const long = new Entries(['é'.repeat(16), 'x'.repeat(31), 'x'.repeat(40)], [1, 2, 3]);
  assert.deepEqual(/** @type {Entries} */ (read(writeCanonical(long))).values, [2, 1, 3]);
});

for (const [name, text, offset] of /** @type {const} */ ([
  ['trailing bytes', 'c0 c0', 1],
  ['text that is not UTF-8', '91 a1 80', 1],
  ['a duplicate key of another width', '82 01 c0 cc 01 c0', 3],
  ['a record declaration', 'd4 72 40 91 a1 61 01', 0],
])) {
  test(`refuses ${name}`, () => {
    assert.throws(() => read(bytes(text)), { name: 'WireError', offset });
  });
}

test('reads records inline when asked', () => {
  const records = { records: true };
  const row = (/** @type {number} */ a) => new Entries(['a'], [a]);
  assert.deepEqual(read(bytes('92 d4 72 40 91 a1 61 01 40 02'), records), [row(1), row(2)]);
  assert.throws(() => read(bytes('d4 72 40 92 a1 61 a1 61 01 02'), records), {
    message: 'invalid_record at byte 6',
    offset: 6,
  });
});

test('beyond-json is the same rows each time, and survives the reference', () => {
  const rows = beyondJson();
  const encoded = write(rows);
  assert.ok(encoded.equals(write(beyondJson())));
  assert.equal(firstDifference(rows, read(encoded)), null);
  assert.ok(writeCanonical(read(encoded)).equals(writeCanonical(rows)));
  assert.ok(rows.length >= 2000 && countValues(rows) > 50_000);
});
