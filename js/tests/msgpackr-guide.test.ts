// The examples that users of msgpackr know, run with this package. Streams and shared structures
// have rooms of their own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as polypack from 'polypack';
import {
  addExtension,
  clearSource,
  Decoder,
  decode,
  Encoder,
  encode,
  FLOAT32_OPTIONS,
  isNativeAccelerationEnabled,
  Packr,
  pack,
  roundFloat32,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'polypack';
import { assertFault } from './_check.ts';
import { bytesOf, hexOf } from './_values.ts';
import { REPOSITORY } from './_vectors.ts';

test('basic usage: pack and unpack', () => {
  const value = { id: 1, name: 'Zoë', tags: ['a', 'b'], nested: { at: new Date(0), none: null } };
  const serializedAsBuffer = pack(value);
  const data = unpack(serializedAsBuffer);
  assert.deepEqual(data, value);
  // It is plain MessagePack, which every reader knows.
  assert.deepEqual(msgpackr.unpack(serializedAsBuffer), value);
});

test('browser usage: the part for unpacking', async () => {
  const part = await import('polypack/unpack');
  assert.deepEqual(part.unpack(bytesOf('81 a1 61 01')), { a: 1 });
  assert.equal(createRequire(import.meta.url)('polypack/unpack').unpack(bytesOf('05')), 5);
});

test('structured cloning', () => {
  const obj: { set: Set<string>; regular: RegExp; self?: unknown } = {
    set: new Set(['a', 'b']),
    regular: /a\spattern/,
  };
  obj.self = obj;
  // Regular expressions of strangers are refused, so reading them is an option of its own.
  const packr = new Packr({ structuredClone: true, regExps: true });
  const serialized = packr.pack(obj);
  const copy = packr.unpack<typeof obj>(serialized);
  assert.equal(copy.self === copy, true);
  assert.equal(copy.set.has('a'), true);
  assert.ok(copy.regular.test('a pattern'));
  assert.equal(hexOf(serialized), hexOf(new msgpackr.Packr({ structuredClone: true }).pack(obj)));
});

test('alternate terminology', () => {
  assert.equal(encode, pack);
  assert.equal(decode, unpack);
  assert.equal(Encoder, Packr);
  assert.equal(Decoder, Unpackr);
});

test('record structures', () => {
  const bigDataWithLotsOfObjects = Array.from({ length: 100 }, (_, id) => ({ id, name: `row ${id}`, isActive: true }));
  const packr = new Packr();
  const bytes = packr.pack(bigDataWithLotsOfObjects);
  assert.deepEqual(packr.unpack(bytes), bigDataWithLotsOfObjects);
  assert.ok(bytes.length < pack(bigDataWithLotsOfObjects).length / 2);
  const compatible = new Packr({ useRecords: false });
  assert.equal(hexOf(compatible.pack({ a: 1 })), hexOf(pack({ a: 1 })));
  // Maps and records stay apart.
  assert.deepEqual(packr.unpack(packr.pack([new Map([['a', 1]]), { a: 1 }])), [new Map([['a', 1]]), { a: 1 }]);
});

test('reading multiple values', () => {
  const data = new Uint8Array([1, 2, 3]); // encodings of values 1, 2, and 3
  const values = unpackMultiple(data);
  assert.deepEqual(values, [1, 2, 3]);
});

test('reading multiple values with a callback', () => {
  const data = new Uint8Array([1, 2, 3]); // encodings of values 1, 2, and 3
  const called: unknown[] = [];
  unpackMultiple(data, (value) => {
    called.push(value);
    return value !== 2;
  });
  assert.deepEqual(called, [1, 2]);
});

test('32-bit float options', () => {
  const { ALWAYS, DECIMAL_ROUND, DECIMAL_FIT } = FLOAT32_OPTIONS;
  assert.deepEqual([ALWAYS, DECIMAL_ROUND, DECIMAL_FIT], [1, 3, 4]);
  const lossless = new Packr({ useFloat32: DECIMAL_FIT });
  assert.equal(lossless.pack(7.99).length, 5);
  assert.equal(lossless.unpack(lossless.pack(7.99)), 7.99);
  assert.equal(lossless.pack(Math.PI).length, 9);
  const rounding = new Packr({ useFloat32: DECIMAL_ROUND });
  assert.equal(rounding.pack(Math.PI).length, 5);
  assert.equal(rounding.unpack(rounding.pack(101.13)), 101.13);
  assert.equal(new Packr({ useFloat32: ALWAYS }).pack(2 ** 31 + 0.5).length, 9);
  assert.equal(roundFloat32(Math.fround(7.99)), 7.99);
});

test('custom extensions: pack and unpack', () => {
  class MyCustomClass {
    myData = 0;
  }
  const extPackr = new Packr();
  addExtension({
    Class: MyCustomClass,
    type: 11, // register your own extension code (a type code from 1-100)
    pack(instance) {
      return Buffer.from([instance.myData]);
    },
    unpack(buffer) {
      const instance = new MyCustomClass();
      instance.myData = buffer[0] ?? 0;
      return instance;
    },
  });
  const value = new MyCustomClass();
  value.myData = 7;
  assert.equal(hexOf(extPackr.pack(value)), 'd40b07');
  assert.deepEqual(extPackr.unpack(extPackr.pack([value])), [value]);
  assert.deepEqual(unpack(pack(value)), value);
});

test('custom extensions: read and write', () => {
  class MyCustomClass {
    myData: unknown = null;
  }
  const extPackr = new Packr();
  addExtension({
    Class: MyCustomClass,
    type: 12,
    write(instance) {
      return instance.myData;
    },
    read(data) {
      const instance = new MyCustomClass();
      instance.myData = data;
      return instance;
    },
  });
  const value = new MyCustomClass();
  value.myData = [{ a: 1 }, new Date(0)];
  assert.deepEqual(extPackr.unpack(extPackr.pack({ value })), { value });
});

test('custom extensions: a class and write, without a type', () => {
  class Celsius {
    readonly degrees: number;
    constructor(degrees: number) {
      this.degrees = degrees;
    }
  }
  addExtension({ Class: Celsius, write: ({ degrees }: Celsius) => `${degrees} °C` });
  assert.deepEqual(unpack(pack([new Celsius(21)])), ['21 °C']);
});

test('buffer reuse: how much of a buffer is filled', () => {
  const buffer = new Uint8Array(100);
  buffer.set(pack({ a: 1 }));
  assert.deepEqual(unpack(buffer, pack({ a: 1 }).length), { a: 1 });
});

test('buffer reuse: a message somewhere in a buffer', () => {
  const buffer = new Uint8Array(100).fill(0xc1);
  buffer.set(pack({ a: 1 }), 10);
  for (const read of [unpack, new Unpackr({ mapsAsObjects: true }).unpack]) {
    assert.deepEqual(read(buffer, { start: 10, end: 14 }), { a: 1 });
    assert.deepEqual(read(buffer.subarray(0, 14), { start: 10 }), { a: 1 });
    assertFault(() => read(buffer, { start: 10 }), { code: 'trailing_data', offset: 14, path: '' });
    assertFault(() => read(buffer, { start: 10, end: 13 }), { code: 'unexpected_end', offset: 13, path: '/a' });
    assertFault(() => read(buffer, { start: 14, end: 14 }), { code: 'unexpected_end', offset: 14, path: '' });
    for (const place of [{ start: 15, end: 14 }, { start: -1 }, { start: 1.5 }, { end: 101 }, { start: '1' }]) {
      assert.throws(
        () => read(buffer, place as object),
        /(start|end) (is .*; it must be an integer from 0 to|must be a number)/,
      );
    }
  }
  assert.throws(() => unpack(buffer, { start: 10, end: 14, lazy: true } as object), /unknown option lazy/);
});

test('shared data that is cleared', () => {
  const structures: string[][] = [['a']];
  const packr = new Packr({ structures });
  packr.pack({ b: 1 });
  packr.clearSharedData();
  assert.equal(hexOf(packr.pack({ c: 1 })), '4001');
  assert.deepEqual(packr.unpack(bytesOf('40 02')), { c: 2 });
  assert.deepEqual(structures, [['a'], ['b']]);
  let saved: string[][] = [['a']];
  const loading = new Packr({ getStructures: () => saved });
  assert.equal(hexOf(loading.pack({ a: 1 })), '4001');
  saved = [['z']];
  loading.clearSharedData();
  assert.equal(hexOf(loading.pack({ z: 1 })), '4001');
  const plain = new Packr({ records: 'off' });
  plain.clearSharedData();
  assert.equal(hexOf(plain.pack({ a: 1 })), '81a16101');
});

test('the rest of what it exports', () => {
  assert.deepEqual(unpack(bytesOf('c4 01 07')), Uint8Array.of(7));
  clearSource();
  clearSource();
  assert.equal(unpack(bytesOf('07')), 7);
  assert.equal(isNativeAccelerationEnabled, false);
});

test('what it exports is here, or the guide says what stands in for it', () => {
  const guide = readFileSync(new URL('docs/guides/migrating-from-msgpackr.md', REPOSITORY), 'utf8');
  for (const name of Object.keys(msgpackr)) {
    assert.ok(
      name in polypack || new RegExp(`\`[^\`]*\\b${name}\\b`).test(guide),
      `${name} is neither here nor in the guide`,
    );
  }
});

test('arena allocation: useBuffer', () => {
  const packr = new Packr();
  const arena = new Uint8Array(1000);
  packr.useBuffer(arena);
  const one = packr.pack({ a: 1 });
  const two = packr.pack({ b: 2 });
  assert.deepEqual([packr.unpack(one), packr.unpack(two)], [{ a: 1 }, { b: 2 }]);
  assert.ok(one.buffer === arena.buffer && two.buffer === arena.buffer);
});

test('record structure extension definition', () => {
  const bytes = bytesOf('d4 72 40 92 a3 66 6f 6f a3 62 61 72 04 02');
  const record = { foo: 4, bar: 2 };
  assert.deepEqual(new Unpackr().unpack(bytes), record);
  assert.equal(hexOf(new Packr().pack(record)), hexOf(bytes));
  assert.equal(JSON.stringify(new Unpackr().unpack(bytes)), '{"foo":4,"bar":2}');
});

test('additional value types', () => {
  assert.equal(hexOf(pack(undefined)), 'd40000');
  assert.equal(unpack(pack(undefined)), undefined);
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.equal(unpack(pack(number)), number);
  }
  assert.equal(hexOf(pack(new Date(1000))), 'd6ff00000001');
  assert.equal(pack(new Date(1001)).length, 10);
  assert.equal(pack(new Date(-1)).length, 15);
  assert.equal(pack(new Date(1001), { useTimestamp32: true }).length, 6);
});
