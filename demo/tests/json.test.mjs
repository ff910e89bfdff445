import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonError, readJson, writeJson } from '../lib/json.mjs';
import { Entries, Float } from '../lib/tree.mjs';

test('keeps 1.0 apart from 1', () => {
  assert.deepEqual(readJson('[1, 1.0, 1e0, -0, 0, 0.5]'), [
    1,
    new Float(1),
    new Float(1),
    new Float(-0),
    0,
    new Float(0.5),
  ]);
});

test('keeps 64-bit integers, and gives floats to what is wider', () => {
  assert.deepEqual(readJson('[9007199254740991, 9007199254740993, 18446744073709551615, -9223372036854775808]'), [
    9007199254740991,
    9007199254740993n,
    18446744073709551615n,
    -9223372036854775808n,
  ]);
  assert.deepEqual(readJson('[18446744073709551616, -9223372036854775809]'), [
    new Float(2 ** 64),
    new Float(-(2 ** 63)),
  ]);
});

test('keeps the order of keys, integer-like ones included', () => {
  assert.deepEqual(
    readJson('{"b": 1, "2": {}, "1": [], "__proto__": null}'),
    new Entries(['b', '2', '1', '__proto__'], [1, new Entries([], []), [], null]),
  );
});

test('reads escapes and refuses unpaired surrogates', () => {
  assert.equal(readJson('"\\u00e9\\ud83d\\ude42\\n\\"\\\\"'), 'é🙂\n"\\');
  assert.throws(() => readJson('["\\ud83d"]'), { name: 'JsonError', offset: 1 });
});

for (const [name, text, offset] of /** @type {const} */ ([
  ['a duplicate key', '[{"a": 1, "b": 2, "a": 3}]', 1],
  ['a duplicate key written with an escape', '{"a": 1, "\\u0061": 2}', 0],
  ['a trailing comma', '[1,]', 3],
  ['text after the value', '1 2', 2],
  ['no text', '  ', 2],
  ['an open array', '[1', 2],
  ['an open string', '["ab', 1],
  ['a wrong word', 'nul', 0],
  ['a leading zero', '[01]', 2],
  ['a bare fraction', '[.5]', 1],
  ['a control character', '["a\u0001"]', 3],
  ['a float beyond binary64', '[1e999]', 1],
  ['513 levels', '['.repeat(513), 512],
])) {
  test(`refuses ${name}`, () => {
    assert.throws(
      () => readJson(text),
      (error) => error instanceof JsonError && error.offset === offset,
    );
  });
}

test('writes minified JSON that reads back as the same value', () => {
  const text = '{"a":[1,1.0,-0.0,1e+300,0.1,18446744073709551615],"2":{},"1":[],"é":"\\"\\n","t":[true,false,null]}';
  assert.equal(writeJson(readJson(text)), text);
});

test('names the path of a value that JSON does not have', () => {
  assert.throws(() => writeJson(new Entries(['a/b'], [[undefined]])), /"\/a~1b\/0"/);
  assert.throws(() => writeJson([new Float(Number.NaN)]), /"\/0"/);
});
