// The option compat: 'msgpackr': the bytes of the library whose API this is, on values of every kind, and back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as msgpackr from 'msgpackr';
import { C1, get, Packr, type PackrOptions, pack, Raw, StreamDecoder, Unpackr, unpack } from 'polypack';
import { assertFault } from '../_check.ts';
import { runs } from '../_runs.ts';
import { streamed } from '../_streams.ts';
import { bytesOf, hexOf } from '../_values.ts';

const compat = 'msgpackr';
/** Without records, for pack and unpack. */
const plain = new Packr({ compat, records: 'off' });
const RUNS = runs(100);

/** Options that mean the same to both. */
const ALIKE: readonly PackrOptions[] = [
  {},
  { useRecords: false },
  { useRecords: false, variableMapSize: true },
  { useRecords: false, encodeUndefinedAsNil: true, useTimestamp32: true },
  { useRecords: (object) => 'a' in object },
  { moreTypes: true },
  { structuredClone: true },
  { useFloat32: 1 },
  { useFloat32: 3 },
  { useFloat32: 4 },
  { useRecords: false, skipValues: [undefined, null, 0] },
  { mapAsEmptyObject: true, setAsEmptyObject: true },
  { useRecords: false, setAsEmptyObject: true },
  { maxOwnStructures: 5 },
  { largeBigIntToFloat: true },
  { largeBigIntToString: true },
  { useBigIntExtension: true },
];

function peerOf(options: PackrOptions): msgpackr.Packr {
  return new msgpackr.Packr({ ...options } as msgpackr.Options);
}

function assertSame(options: PackrOptions, value: unknown): void {
  const theirs = hexOf(new Uint8Array(peerOf(options).pack(value)));
  assert.equal(hexOf(new Packr({ ...options, compat }).pack(value)), theirs);
}

const name = fc
  .oneof(fc.constantFrom('a', 'b', 'c', 'constructor', 'toString'), fc.string({ unit: 'grapheme', maxLength: 20 }))
  .filter((text) => text !== '__proto__');
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.float(),
  fc.integer({ min: 0, max: 0xffff_ffff }).map((number) => number / 100),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.boolean(),
  fc.constantFrom(
    null,
    undefined,
    0,
    -0,
    63,
    64,
    127,
    128,
    2 ** 31,
    2 ** 32,
    2 ** 32 - 1,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 53 - 1,
  ),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(null).map(() => () => 1),
  fc.constantFrom(/a+/giu, new TypeError('x'), new Error('y', { cause: { a: 1 } }), C1),
);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, tie('array'), tie('object'), tie('map'), tie('set')),
  array: fc.array(tie('value'), { maxLength: 8 }),
  object: fc.dictionary(name, tie('value'), { maxKeys: 8, noNullPrototype: true }),
  map: fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 5 }).map((entries) => new Map(entries)),
  set: fc.array(tie('value'), { maxLength: 5 }).map((members) => new Set(members)),
}));

/** C1 is another object there. */
function theirs(value: unknown): unknown {
  if (value === C1) return msgpackr.C1;
  if (Array.isArray(value)) return value.map(theirs);
  if (value instanceof Map) return new Map(Array.from(value, ([key, member]) => [theirs(key), theirs(member)]));
  if (value instanceof Set) return new Set(Array.from(value, theirs));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, theirs(member)]));
}

for (const options of ALIKE) {
  test(`random values have the bytes of msgpackr with ${describe(options)}`, () => {
    const packr = new Packr({ ...options, compat });
    const peer = peerOf(options);
    fc.assert(
      fc.property(anything, (value) => {
        const expected = hexOf(new Uint8Array(peer.pack(theirs(value))));
        assert.equal(hexOf(packr.pack(value)), expected);
      }),
      { numRuns: Math.min(RUNS, 100) },
    );
  });
}

function describe(options: PackrOptions): string {
  return JSON.stringify(options, (_, value: unknown) => (typeof value === 'function' ? 'a function' : value));
}

test('shared structures have the bytes of msgpackr', () => {
  const ours: string[][] = [];
  const theirs: object[] = [];
  const packr = new Packr({ compat, structures: ours });
  const peer = new msgpackr.Packr({ structures: theirs });
  for (let shape = 0; shape < 80; shape++) {
    const value = { [`a${shape}`]: shape, [`b${shape % 7}`]: [{ [`c${shape % 40}`]: 2 ** 40 }] };
    assert.equal(hexOf(packr.pack(value)), hexOf(new Uint8Array(peer.pack(value))));
  }
});

test('what is written differently, kind by kind', () => {
  for (const [value, hex] of [
    [{ a: 1 }, 'de0001a16101'],
    [new Map([['a', 1]]), '81a16101'],
    [2 ** 32, 'cb41f0000000000000'],
    [-(2 ** 31) - 1, 'cbc1e0000000200000'],
    [-0, '00'],
    [1n, 'd30000000000000001'],
    [2n ** 63n, 'cf8000000000000000'],
    [() => 1, 'd40000'],
    [new Date(Number.NaN), 'd4ffff'],
    [new Date(2 ** 32 * 1000 + 5), 'c70cff004c4b400000000100000000'],
    [C1, 'c1'],
    [/a/g, '92a161a167'],
    [new RangeError('m'), '93aa52616e67654572726f72a16dd40000'],
  ] as const) {
    assertSame({ useRecords: false }, value === C1 ? null : value);
    assert.equal(hexOf(pack(value, plain)), hex);
  }
});

test('C1 and invalid dates come back, with compat only', () => {
  assert.equal(String(C1), '[object MessagePack 0xc1]');
  assert.deepEqual(unpack(bytesOf('93 c1 01 c1'), plain), [C1, 1, C1]);
  assert.deepEqual(new StreamDecoder({ compat }).push(bytesOf('92 c1 01')), [[C1, 1]]);
  const invalid = unpack<Date>(bytesOf('d4 ff ff'), plain);
  assert.ok(invalid instanceof Date && Number.isNaN(invalid.getTime()));
  assertFault(() => unpack(bytesOf('91 c1')), { code: 'reserved_byte', offset: 1, path: '/0' });
  assertFault(() => unpack(bytesOf('91 d4 ff ff')), { code: 'invalid_timestamp', offset: 1, path: '/0' });
  assertFault(() => pack([C1]), { code: 'unsupported_value', path: '/0' });
  // A fault behind a C1 still knows where it is.
  assertFault(() => unpack(bytesOf('92 c1 81 a1 61 d5 ff 00 00'), plain), {
    code: 'invalid_timestamp',
    offset: 5,
    path: '/1/a',
  });
  assertFault(() => unpack(bytesOf('92 c1 d9'), plain), { code: 'unexpected_end', offset: 2, path: '/1' });
});

test('C1 and then a record have the form of a header, so only a reader with fingerprint may take them for one', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const structures = [...Array.from({ length: 16 }, (_, number) => [`n${number}`]), names];
  const record = Object.fromEntries(names.map((key, index) => [key, index + 1]));
  const peer = new msgpackr.Packr({ structures: structuredClone(structures) as never[] });
  const bytes = new Uint8Array(Buffer.concat([peer.pack(msgpackr.C1), peer.pack(record)]));
  assert.equal(hexOf(bytes), 'c1500102030405060708');
  assert.deepEqual(peer.unpackMultiple(Buffer.from(bytes)), [msgpackr.C1, record]);
  assert.deepEqual(new Unpackr({ compat, structures }).unpackMultiple(bytes), [C1, record]);
  for (let length = 1; length <= bytes.length; length++) {
    assert.deepEqual(streamed(bytes, length, { compat, structures }), { values: [C1, record], error: null });
  }
  assertFault(() => new Unpackr({ compat, structures }).unpack(bytes), { code: 'trailing_data', offset: 1 });
  const checking = new Unpackr({ compat, structures, fingerprint: true });
  assertFault(() => checking.unpackMultiple(bytes), { code: 'invalid_record', offset: 0 });
});

test('extensions with write are a prefix and a value, as msgpackr has them', () => {
  class Point {
    x = 0;
    y = 0;
  }
  const extension = {
    Class: Point,
    type: 41,
    write: ({ x, y }: Point) => [x, y],
    read: ([x, y]: [number, number]) => Object.assign(new Point(), { x, y }),
  };
  msgpackr.addExtension(extension as Parameters<typeof msgpackr.addExtension>[0]);
  const value = [Object.assign(new Point(), { x: 1, y: 2 })];
  const bytes = new Uint8Array(msgpackr.pack(value));
  const options: PackrOptions = { compat, useRecords: false, extensions: [extension as never] };
  assert.equal(hexOf(new Packr(options).pack(value)), hexOf(bytes));
  assert.deepEqual(new Unpackr(options).unpack(bytes), value);
  assert.deepEqual(new StreamDecoder(options).push(bytes), [value]);
  // Records inside know those outside.
  const packr = new Packr({ ...options, useRecords: true });
  assert.deepEqual(packr.unpack(packr.pack([{ a: 1 }, value, { a: 2 }])), [{ a: 1 }, value, { a: 2 }]);
});

test('what msgpackr would break stays whole', () => {
  assertFault(() => pack('\ud800', plain), { code: 'invalid_utf8' });
  assert.equal(hexOf(pack(new Uint16Array([1, 2]), plain)), 'c40401000200');
});

test('compat excludes what it cannot be with', () => {
  assert.throws(() => new Packr({ compat, mode: 'lossless' }), TypeError);
  assert.throws(() => new Packr({ compat: 'cbor' } as never), TypeError);
  assert.throws(() => get(bytesOf('01'), '', { compat }), TypeError);
  assert.throws(() => new Raw(bytesOf('01'), { compat }), TypeError);
});
