// Canonical form C1 (spec/08): one encoding of a value, from bytes and from host values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CANONICAL_VERSION,
  type CanonicalOptions,
  canonicalize,
  ExtData,
  encodeCanonical,
  Float,
  get,
  isCanonical,
  Packr,
  Raw,
  Timestamp,
} from 'polypack';
import { Packr as CompactPackr } from 'polypack/compact';
import { assertFault } from './_check.ts';
import { bytesOf, hexOf } from './_values.ts';

const canonical = (bytes: string) => hexOf(canonicalize(bytesOf(bytes)));
const plain = (bytes: string) => hexOf(bytesOf(bytes));

test('shortest heads, float 64, one NaN', () => {
  assert.equal(canonical('d3 00*7 05'), '05');
  assert.equal(canonical('ca 3f c0 00 00'), plain('cb 3f f8 00 00 00 00 00 00'));
  assert.equal(canonical('ca ff c0 00 01'), plain('cb 7f f8 00 00 00 00 00 00'));
  assert.equal(canonical('ca 80 00 00 00'), plain('cb 80 00 00 00 00 00 00 00'));
  assert.equal(canonical('cb 3f f0 00 00 00 00 00 00'), plain('cb 3f f0 00 00 00 00 00 00'));
  assert.equal(canonical('db 00 00 00 01 61'), 'a161');
  assert.equal(canonical('c7 01 00 00'), 'd40000');
  assert.equal(canonical('c9 00 00 00 04 ff 00 00 00 01'), plain('d6 ff 00 00 00 01'));
  assert.equal(canonical('c7 0c ff 00*4 00*7 01'), plain('d6 ff 00 00 00 01'));
});

test('entries are sorted by the bytes of their keys', () => {
  assert.equal(canonical('84 a1 62 01 a1 61 02 a2 61 61 03 07 04'), plain('84 07 04 a1 61 02 a1 62 01 a2 61 61 03'));
  assert.equal(canonical('83 e0 00 cc 80 00 00 00'), plain('83 00 00 cc 80 00 e0 00'));
  assert.equal(canonical('82 a1 32 00 a1 31 00'), plain('82 a1 31 00 a1 32 00'));
  assert.equal(canonical('82 82 02 00 01 00 00 81 01 00 00'), plain('82 81 01 00 00 82 01 00 02 00 00'));
});

test('isCanonical tells where the bytes depart', () => {
  const of = (bytes: string) => isCanonical(bytesOf(bytes));
  assert.deepEqual(of('82 a1 61 01 a1 62 02'), { canonical: true, departure: null });
  assert.deepEqual(of('82 a1 62 02 a1 61 01'), { canonical: false, departure: 2 });
  assert.deepEqual(of('92 01 cc 05'), { canonical: false, departure: 2 });
  assert.deepEqual(of('91 ca 3f c0 00 00'), { canonical: false, departure: 1 });
});

test('bytes that are not valid have no canonical form', () => {
  for (const run of [canonicalize, isCanonical]) {
    assertFault(() => run(bytesOf('82 01 00 cc 01 00')), { code: 'duplicate_key', offset: 3, path: '/1' });
    assertFault(() => run(bytesOf('91 a1 ff')), { code: 'invalid_utf8', offset: 1, path: '/0' });
    assertFault(() => run(bytesOf('01 02')), { code: 'trailing_data', offset: 1 });
    assertFault(() => run(new Uint8Array(0)), { code: 'unexpected_end', offset: 0 });
  }
});

test('encodeCanonical of host values', () => {
  assert.equal(hexOf(encodeCanonical({ b: 1, a: 2, aa: 3 })), plain('83 a1 61 02 a1 62 01 a2 61 61 03'));
  const mixed = new Map<unknown, unknown>(
    [
      ['b', 1],
      [7, 4],
      [[2], 0],
      [[1], 0],
    ].map(([key, value]) => [key, value]),
  );
  assert.equal(hexOf(encodeCanonical(mixed)), plain('84 07 04 91 01 00 91 02 00 a1 62 01'));
  assert.equal(hexOf(encodeCanonical(new Float(1))), plain('cb 3f f0 00 00 00 00 00 00'));
  assert.equal(hexOf(encodeCanonical(new Set([1]))), '9101');
  assert.deepEqual(
    encodeCanonical({ x: { b: 1, a: [undefined] } }),
    canonicalize(new Packr({ useRecords: false }).pack({ x: { a: [undefined], b: 1 } })),
  );
});

test('a host map with two keys of one encoding', () => {
  const twice = new Map(
    [
      [[1], 'a'],
      [[1], 'b'],
    ].map(([key, value]) => [key, value]),
  );
  assertFault(() => encodeCanonical([twice]), { code: 'duplicate_key', offset: null });
  assertFault(
    () =>
      encodeCanonical(
        new Map<unknown, number>(
          [
            [5, 1],
            [5n, 2],
          ].map(([key, value]) => [key, Number(value)]),
        ),
      ),
    { code: 'duplicate_key' },
  );
});

test('with integralFloatsAsInts, the same number has the same form in every language', () => {
  const options = { integralFloatsAsInts: true };
  assert.equal(CANONICAL_VERSION, 1);
  const values = [new Float(10), 2 ** 53, new Float(-0), -(2 ** 63), 2 ** 64, new Float(1.5), 5n];
  const ints = [10, 2n ** 53n, 0, -(2n ** 63n), 2 ** 64, 1.5, 5];
  assert.deepEqual(encodeCanonical(values, options), encodeCanonical(ints));
  assert.notDeepEqual(encodeCanonical(values), encodeCanonical(ints));
  assert.throws(() => encodeCanonical(1, { integralFloatsAsInts: 1 } as never), TypeError);
  // A typo would silently make another form, and another signature.
  const typo = { integralFloatsAsInt: true } as never;
  assert.throws(
    () => encodeCanonical(10, typo),
    /unknown option integralFloatsAsInt; did you mean integralFloatsAsInts/,
  );
  for (const none of [null, 5, 'text'] as never[]) {
    assert.throws(() => encodeCanonical(10, none), new TypeError('options must be an object'));
    assert.throws(() => canonicalize(bytesOf('0a'), none), new TypeError('options must be an object'));
  }
  assert.throws(() => encodeCanonical(10, { records: 'inline' } as object), /unknown option records/);
  assert.throws(() => canonicalize(Uint8Array.of(1), typo), TypeError);
  assert.throws(() => isCanonical(Uint8Array.of(1), typo), TypeError);
});

test('the path of keys that become equal with integralFloatsAsInts has them as ints', () => {
  const options = { integralFloatsAsInts: true };
  const pairs: [string, string, string][] = [
    ['01', 'cb3ff0000000000000', '1'],
    ['d30000000000000001', 'ca3f800000', '1'],
    ['ff', 'cbbff0000000000000', '-1'],
    ['cb8000000000000000', 'cb0000000000000000', '0'],
    ['cf8000000000000000', 'cb43e0000000000000', '9223372036854775808'],
    ['9101', '91cb3ff0000000000000', '#1'],
  ];
  const unpackr = new Packr({ mode: 'lossless' });
  for (const [one, other, token] of pairs) {
    for (const map of [`82${one}00${other}00`, `82${other}00${one}00`]) {
      for (const [bytes, path] of [
        [map, `/${token}`],
        [`81cb4014000000000000${map}`, `/5/${token}`],
        [`91${map}`, `/0/${token}`],
        [`81a161${map}`, `/a/${token}`],
        [`81${map}00`, ''],
      ] as const) {
        const data = bytesOf(bytes);
        const fault = { code: 'duplicate_key', offset: null, path } as const;
        assertFault(() => canonicalize(data, options), fault);
        assertFault(() => isCanonical(data, options), fault);
        assertFault(() => encodeCanonical(new Raw(data), options), fault);
        assertFault(() => encodeCanonical(unpackr.unpack(data), options), fault);
      }
    }
  }
  // Of another fault the path has the key of the value.
  assertFault(() => encodeCanonical(new Map([[new Float(5), Symbol()]]), options), {
    code: 'unsupported_value',
    path: '/#0',
  });
});

test('outside default mode, Packr refuses keys that are equal where they are read', () => {
  const date = new Date(1000);
  const pairs: [unknown, unknown, string][] = [
    [5, 5n, '/5'],
    [date, new Timestamp(1), '/#1'],
    [new Float(1.5), 1.5, '/#1'],
    [Uint8Array.of(1), Uint8Array.of(1), '/0x01'],
    [{ a: 1, b: [2] }, new Map().set('b', [2]).set('a', 1), '/#1'],
    [Object('a'), 'a', '/a'],
  ];
  for (const [one, other, path] of pairs) {
    const map = new Map([
      [one, 1],
      [other, 2],
    ]);
    for (const mode of ['strict', 'lossless'] as const) {
      assertFault(() => new Packr({ mode }).pack(map), { code: 'duplicate_key', offset: null, path });
      assertFault(() => new CompactPackr({ mode }).pack(map), { code: 'duplicate_key', path });
      assertFault(() => new Packr({ mode }).pack([new Map([[[map], 1]])]), { code: 'duplicate_key', path: '/0' });
      assertFault(() => new CompactPackr({ mode }).pack([new Map([[[map], 1]])]), {
        code: 'duplicate_key',
        path: '/0',
      });
    }
    assert.doesNotThrow(() => new Packr().pack(map));
  }
  // Keys in keys, 400 of them, are compared once each.
  let nested: unknown = 0;
  for (let depth = 0; depth < 400; depth++) nested = new Map([[nested, depth]]);
  const packr = new Packr({ mode: 'lossless' });
  assert.deepEqual(packr.unpack(packr.pack(nested)), nested);
  const clones = new Packr({ mode: 'strict', structuredClone: true });
  const keys = new Map([
    [[1], 1],
    [[1], 2],
  ]);
  assert.deepEqual(clones.unpack(clones.pack(keys)), keys, 'two objects are two keys of a structured clone');
});

test('an ext of type -1 that is no timestamp is refused', () => {
  for (const data of ['', '00', '00 00 00 00 00', 'ee 6b 28 00 00 00 00 00', '3b 9a ca 00 00*8']) {
    for (const packr of [new Packr(), new CompactPackr()]) {
      assertFault(() => packr.pack([new ExtData(-1, bytesOf(data))]), { code: 'invalid_timestamp', path: '/0' });
    }
  }
  for (const data of ['00 00 00 01', 'ee 6b 27 ff ff ff ff ff', '3b 9a c9 ff ff*8']) {
    const ext = new ExtData(-1, bytesOf(data));
    assert.deepEqual(new Packr().unpack(new Packr({ mode: 'lossless' }).pack(ext)) instanceof Date, true, data);
    assert.deepEqual(new CompactPackr().pack(ext), new Packr().pack(ext));
  }
});

test('canonical bytes stay as they are', () => {
  for (const value of [null, -0, 'text', [1, { a: new Uint8Array(3) }], new Date(1), 2n ** 63n]) {
    const bytes = encodeCanonical(value);
    assert.deepEqual(canonicalize(bytes), bytes);
    assert.deepEqual(isCanonical(bytes), { canonical: true, departure: null });
  }
});

test('the names of records, written out each time, stop at maxBytes', () => {
  const name = 'n'.repeat(1000);
  const bytes = bytesOf(`93 d4 72 40 92 da 03 e8 ${'6e '.repeat(1000)} a1 62 01 02 40 03 04 91 40 05 06`);
  assert.ok(name.length === 1000);
  const [first, instance] = [1, bytes.length - 7];
  const names = 1 + 1003 + 2; // with the head of their map
  for (const [maxBytes, offset, path] of [
    [1, first, '/0'],
    [names - 1, first, '/0'],
    [names, instance, '/1'],
    [2 * names - 1, instance, '/1'],
    [2 * names, instance + 4, '/2/0'],
    [3 * names - 1, instance + 4, '/2/0'],
  ] as const) {
    const options = { records: 'inline', limits: { maxBytes } } as const;
    assertFault(() => canonicalize(bytes, options), { code: 'limit_exceeded', offset, path });
    assertFault(() => isCanonical(bytes, options), { code: 'limit_exceeded', offset, path });
  }
  assert.equal(
    canonicalize(bytes, { records: 'inline', limits: { maxBytes: 3 * names } }).length,
    1 + 3 * names + 6 + 1,
  );
  // The names of records in keys count as well.
  const key = bytesOf('81 92 d4 72 40 91 a1 61 01 40 02 c0');
  assertFault(() => canonicalize(key, { records: 'inline', limits: { maxBytes: 5 } }), {
    code: 'limit_exceeded',
    offset: 9,
    path: '',
  });
  canonicalize(key, { records: 'inline', limits: { maxBytes: 6 } });
});

test('a declaration with a long name and thousands of instances is refused, not written out', () => {
  const bomb = new Uint8Array(5 + 3 + 1 + 3 + 60_000 + 1 + 80_000);
  bomb.set(bytesOf('dd 00 00 9c 41 d4 72 40 91 da ea 60'));
  bomb.fill(0x6e, 12, 60_012);
  bomb[60_012] = 0xc0;
  for (let at = 60_013; at < bomb.length; at += 2) bomb.set([0x40, 0xc0], at);
  assertFault(() => canonicalize(bomb, { records: 'inline' }), { code: 'limit_exceeded' });
  // Values that are handed on without their records, too; as objects they share their names.
  const raw = new Raw(bomb, { records: 'inline' });
  assertFault(() => raw.get(''), { code: 'limit_exceeded' });
  assert.equal(get<unknown[]>(bomb, '', { records: 'inline' })?.length, 40_001);
  assert.deepEqual(raw.get('/40000')?.unpack(), new Map([['n'.repeat(60_000), null]]));
});

test('canonical form has no option for wide heads', () => {
  const options = { wideBigInts: true } as CanonicalOptions;
  for (const run of [
    () => encodeCanonical(5n, options),
    () => canonicalize(bytesOf('05'), options),
    () => isCanonical(bytesOf('05'), options),
  ]) {
    assert.throws(run, /wideBigInts/);
  }
});

test('a moment given as an ext value has the one form of the moment', () => {
  for (const data of ['00 00 00 00 00 00 00 00 00 00 00 01', '00 00 00 00 00 00 00 01', '00 00 00 01']) {
    assert.equal(hexOf(encodeCanonical(new ExtData(-1, bytesOf(data)))), 'd6ff00000001');
  }
  const keys = new Map([bytesOf('00*8'), bytesOf('00*4')].map((data) => [new ExtData(-1, data), 1]));
  assertFault(() => new Packr({ mode: 'strict' }).pack(keys), { code: 'duplicate_key', offset: null });
});
