// Errors are data (spec/07): code, offset, path, cause; and a text that says what, where and how to mend it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalize,
  decodeElements,
  decodeFirst,
  decodeIter,
  get,
  PolypackError,
  pack,
  Raw,
  StreamDecoder,
  Unpackr,
  type UnpackrOptions,
  unpack,
} from 'polypack';
import { unpack as compactUnpack } from 'polypack/compact';
import { compareDecode } from '../_agree.ts';
import { assertFault } from '../_check.ts';
import { bytesOf } from '../_values.ts';

const lossless = new Unpackr({ mode: 'lossless', records: 'inline' });

test('JSON and HTML in place of MessagePack are named', () => {
  const entries = [
    unpack,
    new Unpackr().unpack,
    new Unpackr({ mode: 'lossless' }).unpack,
    new Unpackr({ bundleStrings: true }).unpack,
    (data: Uint8Array) => unpack(data, { start: 0 }),
    (data: Uint8Array) => unpack(Buffer.concat([Buffer.from('c0', 'hex'), data]), { start: 1 }),
    (data: Uint8Array) =>
      new Unpackr({ structures: [] }).unpack(data.map((byte) => (byte >= 0x40 && byte < 0x80 ? 0x22 : byte))),
    (data: Uint8Array) => canonicalize(data),
    (data: Uint8Array) => [...decodeElements([data])],
    (data: Uint8Array) => new Raw(data).unpack(),
  ];
  for (const entry of entries) {
    for (const text of ['{"a":1}', '{}', '[1,2]', '"text"', '<!DOCTYPE html>', '<?xml version="1.0"?>']) {
      assert.throws(() => entry(Buffer.from(text)), /; the input looks like JSON or HTML\b/, text);
    }
    // The same bytes inside of values say nothing.
    for (const hex of ['927b7b00', '007b', 'cc7b7b', 'a17b7b', '05']) {
      let message = '';
      try {
        entry(bytesOf(hex));
      } catch (error) {
        ({ message } = error as Error);
      }
      assert.doesNotMatch(message, /JSON/, hex);
    }
  }
});

test('a PolypackError is an Error with its name and its members', () => {
  const error = assertFault(() => unpack(bytesOf('c1')), { code: 'reserved_byte', offset: 0, path: '' });
  assert.ok(error instanceof Error);
  assert.equal(error.name, 'PolypackError');
  assert.equal(Object.prototype.toString.call(error), '[object Error]');
  assert.equal(error.cause, undefined);
  assert.match(error.stack ?? '', /errors\.test/, 'the stack leads to the caller');
});

test('a view of memory that was transferred is an empty input', () => {
  const codec = new Unpackr();
  for (const read of [unpack, compactUnpack, (bytes: ArrayBufferView) => codec.unpack(bytes)]) {
    for (const isKnown of [false, true]) {
      const input = bytesOf('92 01 a1 61');
      const [whole, part, view] = [input, input.subarray(1), new Int8Array(input.buffer)];
      if (isKnown) read(whole);
      structuredClone(input.buffer, { transfer: [input.buffer as ArrayBuffer] });
      for (const bytes of [whole, part, view])
        assertFault(() => read(bytes), { code: 'unexpected_end', offset: 0, path: '' });
    }
  }
});

test('the text says what, where and how to mend it', () => {
  const input = bytesOf('81 a5 75 73 65 72 73 91 81 a4 6e 61 6d 65 d9 c8 61 62');
  const { message } = assertFault(() => unpack(input), { code: 'unexpected_end', offset: 14, path: '/users/0/name' });
  for (const part of ['str 8', '200', ' 2 ', 'byte 14', '/users/0/name', '; ']) {
    assert.ok(message.includes(part), `"${message}" should mention ${part}`);
  }
});

test('user data in a text is escaped and short', () => {
  const key = `${'k'.repeat(4000)}\n"`;
  const value = { [key]: () => 0 };
  const error = assertFault(() => pack(value), { code: 'unsupported_value', path: `/${key}` });
  assert.ok(error.message.length < 400, `the text has ${error.message.length} characters`);
  assert.ok(!error.message.includes('\n'));
  assertFault(() => pack({ a: { [key.repeat(2)]: [() => 0] } }), { code: 'unsupported_value', path: '/a/…' });
});

test('paths: a token for every kind of key', () => {
  const cases = [
    ['81 a1 61 c1', 3, '/a'],
    ['81 a3 61 2f 7e c1', 5, '/a~1~0'],
    ['81 a0 c1', 2, '/'],
    ['81 05 c1', 2, '/5'],
    ['81 d3 80 00*7 c1', 10, '/-9223372036854775808'],
    ['81 cf ff*8 c1', 10, '/18446744073709551615'],
    ['81 c4 02 0a ff c1', 5, '/0x0aff'],
    ['82 01 02 c0 c1', 4, '/#1'],
    ['82 01 02 ca 3f c0 00 00 c1', 8, '/#1'],
    ['81 90 c1', 2, '/#0'],
    ['81 d6 ff 00 00 00 01 c1', 7, '/#0'],
    ['81 d4 05 01 c1', 4, '/#0'],
    ['92 c0 91 81 a1 61 93 00 00 c1', 9, '/1/0/a/2'],
    ['d4 72 40 92 a1 61 a1 62 01 c1', 9, '/b'],
    ['92 d4 72 40 91 a1 61 01 40 c1', 9, '/1/a'],
  ] as const;
  for (const [bytes, offset, path] of cases) {
    assertFault(() => lossless.unpack(bytesOf(bytes)), { code: 'reserved_byte', offset, path }, bytes);
  }
});

test('a fault inside a key has the path of the map', () => {
  for (const [bytes, offset] of [
    ['91 81 c1 00', 2],
    ['91 81 92 01 c1 00', 4],
    ['91 81 81 a1 61 c1 00 00', 5],
    ['91 81 d4 72 40 91 a1 61 c1 00', 8],
  ] as const) {
    assertFault(() => lossless.unpack(bytesOf(bytes)), { code: 'reserved_byte', offset, path: '/0' }, bytes);
  }
});

test('the path behind values of every kind and length, in arrays, maps and keys, is the reference’s', () => {
  const ints = '07|40|7f|ff|cc 01|cd 01 00|ce 00*4|cf 00*8|d0 80|d1 80 00|d2 80 00*3|d3 80 00*7';
  const others = 'c0|c2|c3|ca 00*4|cb 00*8|a0|a1 61|bf 61*31|d9 01 61|c4 01 00|d4 05 00|dc 00 01 40';
  const short = '80|90|91 07|81 a1 61 07|9f 07*15|82 07 c4 00 08 90|91 91 91 91 c0|82 a1 6b 92 80 90 01 02';
  const long = `9f ${'81 a1 6b 90'.repeat(15)}|92 9f ${'a1 61'.repeat(15)} 07`;
  // 31, 32 and 33 heads: up to 32 are gone over without being opened.
  const edges = [7, 8, 9].map((ints) => `92 9f 07*15 9${(ints + 2).toString(16)} 81 a0 07 81 a0 07 07*${ints}`);
  const instances = ['d4 72 41 91 a1 61 07', '41 07', '91 41 07', '82 41 07 08 07 41 07', '93 41 41 07 42 41 42'];
  const values = [ints, others, short, long, ...edges, ...instances].join('|').split('|');
  for (const value of values) {
    const records = instances.includes(value) ? 'inline' : 'off';
    const first = records === 'inline' ? '92 d4 72 41 91 a1 61 07 d4 72 42 90' : '07';
    const places = [`93 ${first} ${value} c1`, `94 ${first} 92 ${value} ${value} 92 ${value} c1 00`];
    places.push(`92 ${first} 83 a1 61 ${value} ${value} 01 a1 62 c1`, `93 ${first} 82 01 ${value} ${value} c1 00`);
    for (const place of places) {
      const { actual, expected } = compareDecode(bytesOf(place), { mode: 'lossless', records });
      assert.equal(actual, expected, place);
    }
  }
});

test('which fault wins at one head', () => {
  const strict = new Unpackr({ mode: 'strict', records: 'off', limits: { maxDepth: 1, maxValues: 2 } });
  for (const [bytes, code, offset] of [
    ['91', 'unexpected_end', 0],
    ['91 dc', 'unexpected_end', 1],
    ['91 91', 'limit_exceeded', 1],
    ['93 01', 'unexpected_end', 0],
    ['92 01 02', 'limit_exceeded', 0],
    ['91 d9', 'unexpected_end', 1],
    ['91 a2 ff', 'unexpected_end', 1],
    ['91 c7 03', 'unexpected_end', 1],
    ['91 c7 05 ff 00', 'unexpected_end', 1],
    ['91 cd 00', 'unexpected_end', 1],
    ['c7 03 ff 00 00 00', 'invalid_timestamp', 0],
    ['d4 72', 'unexpected_end', 0],
    ['d4 72 00', 'invalid_record', 0],
    ['a1 ff c1', 'invalid_utf8', 0],
    ['01 c1', 'trailing_data', 1],
  ] as const) {
    assertFault(() => strict.unpack(bytesOf(bytes)), { code, offset }, bytes);
  }
});

test('a duplicate key comes before its value, an invalid key before the rest of the key', () => {
  const strict = new Unpackr({ mode: 'strict', records: 'off' });
  assertFault(() => strict.unpack(bytesOf('82 01 02 cc 01 c1')), { code: 'duplicate_key', offset: 3, path: '/1' });
  const objects = new Unpackr({ mode: 'strict', records: 'off', mapsAsObjects: true });
  assertFault(() => objects.unpack(bytesOf('81 c4 ff c1')), { code: 'invalid_key', offset: 1, path: '' });
  assertFault(() => objects.unpack(bytesOf('81 91 c1')), { code: 'invalid_key', offset: 1, path: '' });
});

test('faults in a declaration have the path of the record', () => {
  for (const [bytes, code, offset] of [
    ['91 d4 72 3f 90', 'invalid_record', 1],
    ['91 d4 72 80 90', 'invalid_record', 1],
    ['91 d5 72 40 00 90', 'invalid_record', 1],
    ['91 c7 01 72 40 90', 'invalid_record', 1],
    ['91 d4 72', 'unexpected_end', 1],
    ['91 d5 72 60', 'unexpected_end', 1],
    ['91 d4 72 40', 'unexpected_end', 4],
    ['91 d4 72 40 c0', 'invalid_record', 4],
    ['91 d4 72 40 c1', 'reserved_byte', 4],
    ['91 d4 72 40 80', 'invalid_record', 4],
    ['91 d4 72 40 91', 'unexpected_end', 4],
    ['91 d4 72 40 dc 00', 'unexpected_end', 4],
    ['91 d4 72 40 91 01 02', 'invalid_record', 5],
    ['91 d4 72 40 91 cd 02', 'invalid_record', 5],
    ['91 d4 72 40 91 a5 61 02', 'unexpected_end', 5],
    ['91 d4 72 40 91 a1 ff 02', 'invalid_utf8', 5],
    ['91 d4 72 40 92 a1 61 a1 61 01 02', 'invalid_record', 7],
  ] as const) {
    assertFault(() => lossless.unpack(bytesOf(bytes)), { code, offset, path: '/0' }, bytes);
  }
  // Names may use up bytes that the values were promised; then the value is missing, not the declaration.
  const missing = '91 d4 72 40 91 a2 61 62';
  assertFault(() => lossless.unpack(bytesOf(missing)), { code: 'unexpected_end', offset: 8, path: '/0/ab' });
  const nextMissing = '92 d4 72 40 91 a1 61 cc 05';
  assertFault(() => lossless.unpack(bytesOf(nextMissing)), { code: 'unexpected_end', offset: 9, path: '/1' });
});

test('encoding errors have a path and no offset', () => {
  const value = { list: [new Map<unknown, unknown>([[5, { 'a/b': Symbol('s') }]])] };
  assertFault(() => pack(value), { code: 'unsupported_value', offset: null, path: '/list/0/5/a~1b' });
  assertFault(() => pack(new Map([[new Uint8Array([1]), 2n ** 70n]])), { code: 'out_of_range', path: '/0x01' });
  assertFault(
    () =>
      pack(
        new Map([
          [null, 1],
          [true, 2n ** 70n],
        ] as [unknown, unknown][]),
      ),
    { code: 'out_of_range', path: '/#1' },
  );
  assertFault(() => pack([new Map([[() => 0, 1]])]), { code: 'unsupported_value', path: '/0' }, 'inside a key');
});

test('only PolypackError has the codes', () => {
  assert.throws(
    () => unpack('text' as never),
    (error: unknown) => error instanceof TypeError && !(error instanceof PolypackError),
  );
});

test('a fault is a PolypackError, also if code of the program has overwritten the input', () => {
  const calls: Readonly<Record<string, (bytes: Uint8Array, options: UnpackrOptions) => unknown>> = {
    unpack,
    'unpack of an Unpackr': (bytes, options) => new Unpackr(options).unpack(bytes),
    'unpack at a place': (bytes, options) => new Unpackr(options).unpack(bytes, { start: 0 }),
    unpackMultiple: (bytes, options) => new Unpackr(options).unpackMultiple(bytes),
    decodeFirst: (bytes, options) => decodeFirst(bytes, 0, options),
    get: (bytes, options) => get(bytes, '', options),
    'Raw.unpack': (bytes, options) => new Raw(bytes, options).unpack(),
    'sequential unpack': (bytes, options) => new Unpackr({ ...options, sequential: true }).unpack(bytes),
    decodeIter: (bytes, options) => [...decodeIter(bytes, options)],
    decodeElements: (bytes, options) => [...decodeElements(bytes, options)],
    StreamDecoder(bytes, options) {
      const decoder = new StreamDecoder(options);
      assert.deepEqual(decoder.push(bytes), []);
      throw decoder.error;
    },
  };
  // An ext of type 9 in arrays, a map and a record; the last ones hold it in the data of another.
  const messages = [
    '93 01 d4 09 05 02',
    '92 92 a1 61 82 a1 62 01 a1 63 d4 09 05 02',
    '92 01 d4 72 40 92 a1 61 a1 62 01 d4 09 05',
    '93 01 c7 03 0a d4 09 05 02',
    '93 01 c7 04 0a 91 d4 09 05 02',
  ];
  for (const message of messages) {
    for (const [about, call] of Object.entries(calls)) {
      for (const byte of [0x00, 0x05, 0x78, 0x91, 0xc1, 0xd4, 0xdb, 0xdf, 0xff]) {
        const bytes = bytesOf(message);
        const overwrite = () => {
          bytes.fill(byte);
          throw new Error('of an extension');
        };
        const extensions = [
          { type: 9, unpack: overwrite },
          { type: 10, read: (value: unknown) => value },
        ];
        const fault = assertFault(
          () => call(bytes, { records: 'inline', extensions }),
          { code: 'unsupported_value' },
          `${about} of ${message}, overwritten by ${byte}`,
        );
        assert.ok(fault.cause instanceof Error);
      }
    }
  }
});
