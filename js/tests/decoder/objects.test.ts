// Names that come again, and names that Object.prototype has or has been given.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Packr, pack, packInto, Unpackr, unpack } from 'polypack';
import { assertFault } from '../_check.ts';
import { referenceEncode, referenceValue } from '../_reference.ts';
import { THOROUGH } from '../_runs.ts';
import { warmUnpackr } from '../_tiers.ts';
import { bytesOf, hexOf, identityOf, taggedOf } from '../_values.ts';
import { REPOSITORY } from '../_vectors.ts';

test('a codec that has seen many names reads them as the reference does', THOROUGH, () => {
  const unpackr = new Unpackr({ mode: 'lossless' });
  // More than the cache holds, so that slots change hands; every length and position of the differing character.
  const names = Array.from({ length: 3000 }, (_, i) => `${'n'.repeat(i % 28)}${(i * 7919).toString(36)}`);
  names.push('', ' ', 'é', 'aé', '東京', '\u0000', '\u007f', '\u0080', '__proto__', 'toString', '0', '4294967295');
  for (let round = 0; round < 3; round++) {
    for (const name of names) {
      const bytes = pack({ [name]: 1 });
      assert.equal(identityOf(taggedOf(unpackr.unpack(bytes))), identityOf(referenceValue(bytes)), name);
    }
  }
});

test('names that come again are written as the first time, whatever their length and bytes, and up to the end of the room', () => {
  const packr = new Packr({ records: 'off' });
  // Lengths around 8, 16 and 32 bytes, ending in characters of one to four bytes, DEL and NUL among them.
  const ends = ['', '\u007f', '\u0000', '\u0001', 'é', '߿', '東', '\uffff', '😀', '\u{10ffff}'];
  const names = [...new Set(ends.flatMap((end) => Array.from({ length: 36 }, (_, i) => 'x'.repeat(i) + end)))];
  const object = Object.fromEntries(names.map((name, index) => [name, index]));
  const expected = hexOf(referenceEncode(taggedOf(object)));
  const target = new Uint8Array(expected.length / 2);
  for (let round = 0; round < 3; round++) {
    assert.equal(hexOf(packr.pack(object)), expected);
    assert.equal(packInto(target, 0, object, packr), target.length);
    assert.equal(hexOf(target), expected);
    for (const name of names) {
      const one = { [name]: 1 };
      assert.equal(hexOf(packr.pack(one)), hexOf(referenceEncode(taggedOf(one))), name);
    }
  }
});

test('bytes that are not UTF-8 are never a name that was seen', () => {
  const unpackr = warmUnpackr({ records: 'off' });
  assert.deepEqual(Object.keys(unpackr.unpack(bytesOf('81 a2 c3 a9 01')) as object), ['é']);
  assert.deepEqual(Object.keys(unpackr.unpack(bytesOf('81 a1 61 01')) as object), ['a']);
  for (const name of ['a1 e9', 'a2 c3 28', 'a1 e1', 'a2 c3 29'])
    assertFault(() => unpackr.unpack(bytesOf(`81 ${name} 01`)), { code: 'invalid_utf8', offset: 1, path: '' }, name);
});

test('a name that does not fit is the fault of its head', () => {
  for (const options of [{}, { mapsAsObjects: false }, { records: 'off' }, { mode: 'strict' }] as const) {
    const unpackr = warmUnpackr(options);
    assertFault(() => unpackr.unpack(bytesOf('81 a3 61 62')), { code: 'unexpected_end', offset: 1, path: '' });
  }
  assertFault(() => new Unpackr().unpack(bytesOf('d4 72 40 91 a2 61')), {
    code: 'unexpected_end',
    offset: 4,
    path: '',
  });
});

test('a name is known by its own bytes, wherever they stand', () => {
  const backing = bytesOf('81 a3 61 62 63 01 81 a3 61 62 64 02');
  const unpackr = warmUnpackr({ records: 'off' });
  assert.deepEqual(unpackr.unpack(backing.subarray(0, 6)), { abc: 1 });
  assert.deepEqual(unpackr.unpack(backing.subarray(6)), { abd: 2 });
  backing[4] = 0x7a;
  assert.deepEqual(unpackr.unpack(backing.subarray(0, 6)), { abz: 1 });
});

/** Runs a script in a process of its own, for what would hurt every other test. */
function runAlone(script: string): void {
  const cwd = fileURLToPath(new URL('js/', REPOSITORY));
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, stdio: 'pipe' });
}

test('values reach no setter on Object.prototype, and a frozen one hinders nothing', THOROUGH, () => {
  const bytes = JSON.stringify([...pack([{ secret: 1, fixed: 2, toString: 3 }, JSON.parse('{"__proto__": 4}')])]);
  const records = JSON.stringify([...bytesOf('d4 72 40 92 a6 73 65 63 72 65 74 a5 66 69 78 65 64 01 02')]);
  runAlone(`
    import assert from 'node:assert/strict';
    import { Unpackr } from 'polypack';
    const unpackr = new Unpackr();
    const plain = new Unpackr({ records: 'off' });
    const expected = [{ secret: 1, fixed: 2, toString: 3 }, JSON.parse('{"__proto__": 4}')];
    const read = (codec, bytes) => codec.unpack(Uint8Array.from(bytes));
    const check = () => {
      const values = read(plain, ${bytes});
      for (const [index, value] of values.entries()) {
        assert.deepEqual(Object.getOwnPropertyDescriptors(value), Object.getOwnPropertyDescriptors(expected[index]));
      }
      assert.deepEqual(Object.entries(read(unpackr, ${records})), [['secret', 1], ['fixed', 2]]);
    };
    check(); // Every name is known when the prototype changes.
    let leaked = 0;
    Object.defineProperty(Object.prototype, 'secret', { set() { leaked++; }, get: () => 0, configurable: true });
    Object.defineProperty(Object.prototype, 'fixed', { value: 0, writable: false, configurable: true });
    check();
    assert.equal(leaked, 0);
    delete Object.prototype.secret;
    delete Object.prototype.fixed;
    Object.freeze(Object.prototype);
    check();
  `);
});

test('the names of Object.prototype and __proto__ are own properties', () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), '__proto__'];
  const value = Object.fromEntries(names.map((name, index) => [name, index]));
  const copy = unpack(pack(value)) as object;
  assert.deepEqual(Object.entries(copy), Object.entries(value));
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});

test('names that Object.prototype is given later, even while many objects are read, are own properties', () => {
  // So many names, each seldom, that they are compared with those of Object.prototype all at once; the last
  // objects have a new one.
  const late = ['shy', 'žluť', 'constructor'];
  const rows = Array.from({ length: 60 }, (_, i) => ({ [`name${i}`]: i, [`other${i % 7}`]: null }));
  const ends = Array.from({ length: 30 }, (_, i) => ({
    [`end${i}`]: i,
    ...Object.fromEntries(late.map((name) => [name, i])),
  }));
  const define = (name: string) =>
    Object.defineProperty(Object.prototype, name, {
      set: () => assert.fail(`a value reached the setter of ${name}`),
      get: () => 'inherited',
      configurable: true,
    });
  const added = ['shy', 'žluť'];
  const forget = () => {
    for (const name of added) delete (Object.prototype as Record<string, unknown>)[name];
  };
  class Trap {}
  const unpack = () => added.forEach(define);
  const unpackr = new Unpackr({ records: 'off', extensions: [{ Class: Trap, type: 77, unpack }] });
  const [before, behind] = [pack(rows), pack(ends)];
  const check = (value: unknown) => {
    const objects = value as Record<string, unknown>[];
    assert.deepEqual(
      objects.map((one) => Object.entries(one)),
      ends.map((one) => Object.entries(one)),
    );
  };
  // An array of both, with the trap between them or without.
  const joined = (middle: string) =>
    Uint8Array.of(0x90 + (middle === '' ? 2 : 3), ...before, ...bytesOf(middle), ...behind);
  for (let round = 0; round < 4; round++) {
    try {
      check((unpackr.unpack(joined('')) as unknown[])[1]);
      check((unpackr.unpack(joined('d4 4d 00')) as unknown[])[2]);
      check((unpackr.unpack(joined('')) as unknown[])[1]);
    } finally {
      forget();
    }
  }
});

test('a setter that wrapBytes gives Object.prototype is not reached by the rest of the message', () => {
  let calls = 0;
  const wrapBytes = (bytes: Uint8Array) => {
    Object.defineProperty(Object.prototype, 'foo0', { set: () => calls++, configurable: true });
    return bytes;
  };
  for (const generateCode of [true, false]) {
    for (const [before, fields] of [1, 5, 30].flatMap((count) => [1, 8, 30].map((size) => [count, size] as const))) {
      const object = (inner: unknown) =>
        Object.fromEntries(Array.from({ length: fields }, (_, index) => [`foo${index}`, inner]));
      const values = [
        ...Array(before).fill(object(1)),
        Uint8Array.of(1),
        object(2),
        { bar: Uint8Array.of(1), ...object(3) },
      ];
      const unpackr = new Unpackr({ records: 'off', generateCode, wrapBytes });
      try {
        const read = unpackr.unpack<object[]>(pack(values));
        assert.ok(
          read.slice(before + 1).every((each) => Object.hasOwn(each, 'foo0')),
          `${before} of ${fields}`,
        );
      } finally {
        Reflect.deleteProperty(Object.prototype, 'foo0');
      }
      assert.equal(calls, 0);
    }
  }
});
