// The reference encoder against the worked examples of spec/, and against the judge.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomDocument, shuffled } from './documents.mjs';
import { judge } from './judge.mjs';
import { readBytes, writeBytes } from './notation.mjs';
import { randomFrom } from './random.mjs';
import { encode, encodeLongest, encodeRecords, forms, sorted } from './reference.mjs';
import { array, equal, fields, float, identity, int, map, str, timestamp, undef } from './values.mjs';

test('writes the examples of spec/02, 04 and 08', () => {
  assert.equal(writeBytes(encode(int(300))), 'cd 01 2c');
  assert.equal(writeBytes(encode(float(1.5))), 'cb 3f f8 00 00 00 00 00 00');
  assert.equal(writeBytes(encode(timestamp(1))), 'd6 ff 00 00 00 01');
  assert.equal(writeBytes(encode(timestamp(0, 1))), 'd7 ff 00 00 00 04 00 00 00 00');
  assert.equal(writeBytes(encode(timestamp(-1, 999_999_999))), 'c7 0c ff 3b 9a c9 ff*9');
  assert.equal(writeBytes(encode(undef)), 'd4 00 00');
  const example = map([
    [str('b'), int(1)],
    [str('a'), int(2)],
    [str('aa'), int(3)],
    [int(7), int(4)],
  ]);
  assert.equal(writeBytes(encode(example)), '84 07 04 a1 61 02 a1 62 01 a2 61 61 03');
});

test('writes the records of spec/05', () => {
  const rows = array([fields([['a', int(1)]]), fields([['a', int(2)]])]);
  assert.equal(writeBytes(encodeRecords(rows)), '92 d4 72 40 91 a1 61 01 40 02');
  assert.equal(writeBytes(encodeRecords(array([int(63), int(64), int(127), int(128)]))), '94 3f cc 40 cc 7f cc 80');
});

test('knows every form of an int', () => {
  const written = forms(int(5)).map(writeBytes);
  assert.deepEqual(written.slice(0, 3), ['05', 'cc 05', 'cd 00 05']);
  assert.equal(written.length, 9);
  assert.equal(forms(int(200)).length, 7);
  assert.equal(forms(int(-1)).length, 5);
  assert.equal(forms(int((1n << 64n) - 1n)).length, 1);
  assert.throws(() => encode(int(1n << 64n)), /no form/);
});

test('is read back by the judge, whatever the heads and the order', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomFrom(seed * 101);
    const value = randomDocument(random, false);
    const encodings = [
      encode(value),
      encodeLongest(value),
      encode(shuffled(value, random), (count) => random(count), false),
    ];
    for (const bytes of encodings) {
      const judgement = judge(bytes);
      assert.ok('value' in judgement, `seed ${seed}: ${JSON.stringify(judgement)}`);
      assert.ok(equal(judgement.value, value), `seed ${seed}`);
      assert.deepEqual(encode(judgement.value), encode(value));
    }
  }
});

test('sorts entries without changing the value', () => {
  const value = map([
    [
      str('b'),
      map([
        [int(2), int(1)],
        [int(1), int(2)],
      ]),
    ],
    [str('a'), int(1)],
  ]);
  assert.equal(identity(sorted(value)), identity(value));
  assert.deepEqual(
    encode(sorted(value), () => 0, false),
    encode(value),
  );
});

test('the notation shortens and reads back', () => {
  for (const text of ['', '00', '61*300', '(c4 00)*20', '92 01 61*8 (81 a1 61)*100 c0']) {
    assert.equal(writeBytes(readBytes(text)), text);
  }
  for (const text of ['0', 'zz', '61*0', '(61', '(61 (62)*2)*3', '61 *3', 'A1'])
    assert.throws(() => readBytes(text), text);
});
