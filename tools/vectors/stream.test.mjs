// The stream judge, and that the check of a file can fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamed, write } from './cases.mjs';
import { checkCase, checkNames, checkSchema, specReferences } from './check.mjs';
import { cutsOf, judgeEveryCut } from './cuts.mjs';
import { fileText } from './files.mjs';
import { readBytes } from './notation.mjs';
import { judgeStream, LanguagesDiffer } from './stream.mjs';
import { int } from './values.mjs';

test('delivers what is complete before the fault', () => {
  const { values, error } = judgeStream([readBytes('01 92 02'), readBytes('03 c1')]);
  assert.equal(values.length, 2);
  assert.equal(error && write(error), 'reserved_byte@4');
});

test('an input that ends inside a message has the error of a one-shot decode', () => {
  const { values, error } = judgeStream([readBytes('01 93 a1 61')]);
  assert.equal(values.length, 1);
  assert.equal(error && write(error), 'unexpected_end@1');
});

test('reports a reserved byte and a limit before the message is complete', () => {
  const { error } = judgeStream([readBytes('9f c1')]);
  assert.equal(error && write(error), 'reserved_byte@1 /0');
  const limited = judgeStream([readBytes('db 00 10 00 00')], { limits: { maxBytes: 100 } });
  assert.equal(limited.error && write(limited.error), 'limit_exceeded@0');
});

test('JavaScript refuses what follows an ext that looks like a prefix', () => {
  const about = (/** @type {string} */ bytes, /** @type {object} */ options) =>
    judgeStream([readBytes(bytes)], { mode: 'strict', language: 'javascript', ...options }).error;
  for (const prefix of ['d4 65 00', '91 d4 73 00', '81 a1 61 d4 76 05', 'd6 69 00 00 00 01']) {
    const { length } = readBytes(prefix);
    const error = { code: 'unsupported_value', offset: length, path: '' };
    assert.equal(about(prefix, {}), null);
    assert.deepEqual(about(`${prefix} 00`, {}), error);
    assert.deepEqual(about(`${prefix} 92`, {}), error);
    assert.equal(about(`${prefix} c1`, {})?.code, 'reserved_byte');
    assert.equal(about(`${prefix} 00`, { mode: 'lossless' }), null);
    assert.equal(about(`${prefix} 00`, { language: 'go' }), null);
    assert.throws(() => about(`${prefix} 00`, { language: undefined }), LanguagesDiffer);
  }
  for (const other of ['d4 65 01', 'd4 66 00', 'd6 69 00 01 00 01']) assert.equal(about(`${other} 00`, {}), null);
});

test('cuts put the bytes together again', () => {
  for (const length of [0, 1, 5, 64, 65, 1_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index % 128);
    for (const chunks of cutsOf(bytes)) assert.deepEqual(Buffer.concat(chunks), Buffer.from(bytes));
  }
  assert.equal(judgeEveryCut(readBytes('01 02 03')).values.length, 3);
  assert.throws(() => streamed('x', '01', 2, null), /means 2 values/);
});

test('the checks find what is wrong', () => {
  const good = { name: 'x', spec: '02#int', value: int(5), canonical: '05', also: ['cc 05'] };
  assert.deepEqual(checkCase('valid', good), []);
  assert.equal(checkCase('valid', { ...good, canonical: '06' }).length, 2);
  assert.equal(checkCase('valid', { ...good, also: ['cc 06'] }).length, 1);
  assert.equal(checkCase('valid', { ...good, also: ['00 00 00 00 00 00 00 00 00'] }).length, 2);
  const bad = { name: 'y', spec: '02#int', bytes: 'c1', error: { code: 'reserved_byte', offset: 0, path: '' } };
  assert.deepEqual(checkCase('invalid', bad), []);
  assert.equal(checkCase('invalid', { ...bad, error: { ...bad.error, offset: 1 } }).length, 9);
  assert.equal(checkCase('invalid', { ...bad, modes: ['strict'] }).length, 2);
  assert.equal(
    checkCase('canonical', { name: 'z', spec: '02#int', bytes: 'cc 05', canonical: '05', departure: 1 }).length,
    1,
  );
  assert.deepEqual(checkNames([good, bad]), []);
  assert.equal(checkNames([good, good]).length, 1);
});

test('the schema refuses what it does not know', () => {
  const file = {
    kind: 'valid',
    room: 'int',
    about: 'x',
    cases: [{ name: 'x', spec: '02#int', value: int(5), canonical: '05' }],
  };
  const text = fileText(file);
  assert.deepEqual(checkSchema([{ name: 'valid/int.json', text }]), []);
  assert.equal(checkSchema([{ name: 'valid/str.json', text }]).length, 1);
  for (const [from, to] of [
    ['"05"}', '"5"}'],
    ['"int": "5"', '"int": 5'],
    ['"canonical"', '"bytes"'],
    ['02#int', 'int'],
    ['"name": "x"', '"name": "X"'],
  ]) {
    assert.equal(checkSchema([{ name: 'valid/int.json', text: text.replace(from ?? '', to ?? '') }]).length, 1, to);
  }
});

test('spec references are headings', () => {
  const known = specReferences();
  for (const reference of ['02#int', '07#which-fault-wins', '06#maxvalues', '02#one-value-no-more'])
    assert.ok(known.has(reference), reference);
  assert.ok(!known.has('02#nothing'));
});
