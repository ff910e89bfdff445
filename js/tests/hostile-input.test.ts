// What has gone wrong in libraries of this kind, once each: most have tests of their own where they belong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExtension, decodeFirst, ExtData, Packr, pack, StreamDecoder, Unpackr, unpack } from 'polypack';
import { assertFault } from './_check.ts';
import { THOROUGH } from './_runs.ts';
import { bytesOf, hexOf } from './_values.ts';

test('a key __proto__ is kept, and reaches no prototype', () => {
  const value = unpack<Record<string, unknown>>(bytesOf('82 a9 5f5f70726f746f5f5f 81 a1 78 01 a1 61 02'));
  assert.deepEqual(Object.keys(value), ['__proto__', 'a']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal('x' in value, false);
  assert.equal(hexOf(pack(value)), '82a95f5f70726f746f5f5f81a17801a16102');
});

test('five bytes that claim millions of elements, and thousands of nested claims, cost nothing', () => {
  assertFault(() => unpack(bytesOf('dd 01 ff ff ff')), { code: 'unexpected_end', offset: 0 });
  const nested = new Uint8Array(75_000);
  for (let at = 0; at < nested.length; at += 3) nested.set([0xdc, 0xff, 0xff], at);
  const before = process.memoryUsage().heapUsed;
  assertFault(() => unpack(nested), { code: 'unexpected_end', offset: 3 });
  assert.ok(process.memoryUsage().heapUsed - before < 20_000_000);
});

test('containers nested without end are a limit, in streams, too, and later bytes are not swallowed in silence', () => {
  const deep = new Uint8Array(200_000).fill(0x91);
  assertFault(() => unpack(deep), { code: 'limit_exceeded', offset: 512 });
  const stream = new StreamDecoder();
  assert.deepEqual(stream.push(bytesOf('01')), [1]);
  assert.deepEqual(stream.push(deep), []);
  assert.equal((stream.error as { code?: string }).code, 'limit_exceeded');
  assertFault(() => stream.push(bytesOf('02')), { code: 'limit_exceeded' });
});

test('a value with a byte behind it is found by those who ask for it', () => {
  const framed = bytesOf('81 a1 61 d9 28 78*40 5a');
  assertFault(() => unpack(framed), { code: 'trailing_data', offset: framed.length - 1 });
  assert.deepEqual(decodeFirst(framed), { value: { a: 'x'.repeat(40) }, end: framed.length - 1 });
});

test('a stream that ends inside a value says so', () => {
  const stream = new StreamDecoder();
  stream.push(bytesOf('92 01'));
  assertFault(() => stream.finish(), { code: 'unexpected_end' });
});

test('pack inside toJSON does not disturb what is being written', () => {
  const packr = new Packr({ structures: [] });
  class Nested {
    toJSON() {
      return packr.unpack(packr.pack({ inner: [1, 2] }));
    }
  }
  const value = [{ a: 1 }, new Nested(), { a: 2 }];
  assert.deepEqual(packr.unpack(packr.pack(value)), [{ a: 1 }, { inner: [1, 2] }, { a: 2 }]);
});

test('extensions of one codec are unknown to others', () => {
  class Mine {}
  const own = new Packr({ useRecords: false, extensions: [{ Class: Mine, type: 61, pack: () => new Uint8Array(1) }] });
  assert.equal(hexOf(own.pack(new Mine())), 'd43d00');
  assert.equal(hexOf(new Packr({ useRecords: false }).pack(new Mine())), '80');
  class Everybodys {}
  addExtension({ Class: Everybodys, type: 62, pack: () => new Uint8Array(1) });
  assert.equal(hexOf(own.pack(new Everybodys())), 'd43e00');
});

test('an object of 65 536 names', THOROUGH, () => {
  const large = Object.fromEntries(Array.from({ length: 65_536 }, (_, index) => [`n${index}`, index]));
  for (const variableMapSize of [true, false]) {
    const packr = new Packr({ useRecords: false, variableMapSize });
    assert.deepEqual(packr.unpack(packr.pack(large)), large);
  }
});

test('the input is left as it was', () => {
  const input = bytesOf('92 a1 61 c4 01 07');
  Object.preventExtensions(input);
  const names = Reflect.ownKeys(input).length;
  unpack(input);
  new Unpackr().unpack(input);
  assert.equal(Reflect.ownKeys(input).length, names);
  assert.equal(hexOf(input), '92a161c40107');
});

test('keys that look alike stay apart', () => {
  const map = unpack<Map<unknown, unknown>>(bytesOf('82 01 61 a1 31 62'));
  assert.deepEqual([...map.keys()], [1, '1']);
  const objects = new Unpackr({ mapsAsObjects: true, mode: 'strict' });
  assertFault(() => objects.unpack(bytesOf('82 01 61 a1 31 62')), { code: 'invalid_key', offset: 1 });
});

test('what decodes to a number goes through JSON', () => {
  assert.equal(JSON.stringify(unpack(bytesOf('92 cf 00*7 05 d3 ff*7 fb'))), '[5,-5]');
});

test('bytes that are no UTF-8 are a fault at every length', () => {
  for (const tail of ['c3 28', 'f0 9f 98', 'ed a0 80', 'c0 80']) {
    for (const length of [0, 10, 70, 300, 5000]) {
      const text = new Uint8Array([...new Uint8Array(length).fill(0x78), ...bytesOf(tail)]);
      const message = new Uint8Array([0xda, text.length >> 8, text.length & 0xff, ...text]);
      assertFault(() => unpack(message), { code: 'invalid_utf8', offset: 0 });
    }
  }
});

test('regular expressions and errors are made only where somebody asked for them', () => {
  const bytes = bytesOf('92 d4 78 00 92 a1 61 a0');
  assert.deepEqual(unpack(bytes), [new ExtData(0x78, new Uint8Array(1)), ['a', '']]);
  assertFault(() => unpack(bytes.subarray(1)), { code: 'trailing_data', offset: 3 });
});

test('a message that fails leaves no structure that nobody has saved', () => {
  const structures: string[][] = [];
  const saved: string[][][] = [];
  const packr = new Packr({ structures, saveStructures: (all) => void saved.push(all) });
  assertFault(() => packr.pack([{ a: 1 }, { b: () => 1 }]), { code: 'unsupported_value' });
  assert.deepEqual([structures, saved], [[], []]);
  assert.deepEqual(packr.unpack(packr.pack([{ c: 1 }])), [{ c: 1 }]);
  assert.deepEqual(saved, [[['c']]]);
});

test('a buffer that one Packr uses is nobody else’s', () => {
  const mine = new Packr({ useRecords: false });
  const buffer = new Uint8Array(64);
  mine.useBuffer(buffer);
  const other = new Packr({ useRecords: false }).pack([1, 2, 3]);
  assert.ok(other.buffer !== buffer.buffer && buffer.every((byte) => byte === 0));
});

test('an int that could be a record is a fault where there is a dictionary, and never another value', () => {
  assertFault(() => new Unpackr({ structures: [['a']] }).unpack(bytesOf('91 41')), {
    code: 'unknown_record',
    offset: 1,
  });
});
