// Options that say how values are encoded: as the documentation has them, with the bytes of msgpackr
// where it has the option.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as newer from 'msgpackr';
import * as older from 'msgpackr-1.11';
import { Packr, type PackrOptions, pack, Unpackr, unpack } from 'polypack';
import { assertFault } from '../_check.ts';
import { hexOf } from '../_values.ts';

/** Checks the bytes of a value as maps, and those of both peers. */
function assertSame(options: PackrOptions, value: unknown, hex: string): void {
  const full = { useRecords: false, variableMapSize: true, ...options };
  assert.equal(hexOf(new Packr(full).pack(value)), hex);
  for (const peer of [newer, older]) {
    assert.equal(hexOf(new Uint8Array(new peer.Packr(full as newer.Options).pack(value))), hex);
  }
}

test('skipValues leaves properties out', () => {
  const value = { a: 1, b: undefined, c: null, d: [undefined, null] };
  assertSame({ skipValues: [undefined, null] }, value, '82a16101a16492d40000c0');
  assertSame({ skipValues: [undefined] }, value, '83a16101a163c0a16492d40000c0');
  assertSame({ skipValues: [] }, { a: null }, '81a161c0');
  assert.equal(hexOf(pack({ a: Number.NaN, b: 1 }, { skipValues: [Number.NaN] })), '81a16201');
  // Left out of records, too: their names are those that are written.
  assert.equal(hexOf(new Packr({ skipValues: [undefined] }).pack({ a: 1, b: undefined })), 'd4724091a16101');
  const values: unknown[] = [1];
  const packr = new Packr({ useRecords: false, skipValues: values });
  values[0] = 2;
  assert.equal(hexOf(packr.pack({ a: 1, b: 2 })), '81a16202');
});

test('writeFunction says what functions are', () => {
  assertSame({ writeFunction: () => 'F' }, { f() {}, a: 1 }, '82a166a146a16101');
  assert.deepEqual(unpack(pack([Math.abs], { writeFunction: ({ name }) => name })), ['abs']);
  assertFault(() => pack({ f() {} }), { code: 'unsupported_value', path: '/f' });
  assertFault(() => pack([Symbol('s')], { writeFunction: () => 1 }), { code: 'unsupported_value', path: '/0' });
  assertFault(() => pack([() => 1], { writeFunction: (value) => value }), { code: 'unsupported_value', path: '/0' });
  const cause = new Error('mine');
  const failing = () => {
    throw cause;
  };
  assert.equal(
    assertFault(() => pack(() => 1, { writeFunction: failing }), { code: 'unsupported_value' }).cause,
    cause,
  );
});

test('onInvalidDate says what an invalid Date is', () => {
  assertSame({ onInvalidDate: () => 'bad' }, [new Date(Number.NaN)], '91a3626164');
  assert.equal(unpack(pack(new Date(Number.NaN), { onInvalidDate: () => null })), null);
  assertFault(() => pack([new Date(Number.NaN)]), { code: 'out_of_range', path: '/0' });
  const invalid = new Date(Number.NaN);
  assertFault(() => pack(invalid, { onInvalidDate: () => invalid }), { code: 'unsupported_value' });
});

test('useToJSON: false asks nobody', () => {
  class Speaker {
    readonly a = 1;
    toJSON() {
      return 5;
    }
  }
  assert.equal(hexOf(pack(new Speaker(), { useToJSON: false })), '81a16101');
  const peer = new newer.Packr({ useRecords: false, variableMapSize: true, useToJSON: false } as newer.Options);
  assert.equal(hexOf(new Uint8Array(peer.pack(new Speaker()))), '81a16101');
  assertSame({}, new Speaker(), '05');
  assertSame({ useToJSON: true }, new Speaker(), '05');
});

test('bigints that no int holds', () => {
  assertSame({ largeBigIntToString: true }, 2n ** 70n, 'b631313830353931363230373137343131333033343234');
  assertSame({ largeBigIntToFloat: true }, 2n ** 70n, 'cb4450000000000000');
  assertSame({ useBigIntExtension: true }, -(2n ** 64n), 'd842ffffffffffffffff0000000000000000');
  assertSame({ moreTypes: true, largeBigIntToFloat: true }, 2n ** 70n, 'cb4450000000000000');
  assertSame(
    { moreTypes: true, largeBigIntToString: true },
    10n ** 20n,
    'b5313030303030303030303030303030303030303030',
  );
  assert.throws(() => pack(2n ** 70n), { code: 'out_of_range' });
});

test('Map and Set as JSON has them', () => {
  assertSame({ mapAsEmptyObject: true }, [new Map([[1, 2]])], '9180');
  assertSame({ setAsEmptyObject: true }, [new Set([1])], '9180');
  assertSame({ setAsEmptyObject: true, structuredClone: true }, [new Set([1])], '9180');
});

test('coercibleKeyAsNumber writes numbers as keys', () => {
  assertSame({ coercibleKeyAsNumber: true }, { 1: 'a', x: 2, '-5': 3 }, '8301a161a17802fb03');
  assertSame({ coercibleKeyAsNumber: true }, { NaN: 1 }, '81a34e614e01');
  const options = { coercibleKeyAsNumber: true };
  assert.deepEqual(
    unpack(pack({ 1: 'a', 2: 'b' }, options)),
    new Map([
      [1, 'a'],
      [2, 'b'],
    ]),
  );
  assert.deepEqual(unpack(pack({ 1: 'a', x: 2 }, options), { mapsAsObjects: true }), { 1: 'a', x: 2 });
  // What would not come back is a name.
  for (const name of ['', '01', '1e3', ' 1', '0x10', '+1']) {
    assert.deepEqual(unpack(pack({ [name]: 1 }, options)), { [name]: 1 });
  }
  assertFault(() => pack({ 5: [() => 1] }, options), { code: 'unsupported_value', path: '/5/0' });
});

test('options that lose something are refused in lossless mode, and wrong ones everywhere', () => {
  for (const lossy of [
    { skipValues: [1] },
    { mapAsEmptyObject: true },
    { setAsEmptyObject: true },
    { coercibleKeyAsNumber: true },
    { largeBigIntToString: true },
  ]) {
    assert.throws(() => new Packr({ mode: 'lossless', ...lossy }), TypeError);
  }
  for (const wrong of [
    { skipValues: 5 },
    { writeFunction: 'f' },
    { onInvalidDate: true },
    { useToJSON: 1 },
    { coercibleKeyAsNumber: 'yes' },
    { structuredClone: 'yes' },
  ]) {
    assert.throws(() => new Packr(wrong as object), TypeError);
  }
});

test('useRecords as a function says which objects are records', () => {
  const packr = new Packr({ useRecords: (object) => 'id' in object });
  const value = [{ id: 1 }, { name: 64 }, { id: 2 }];
  const hex = '93d4724091a269640181a46e616d65cc404002';
  assert.equal(hexOf(packr.pack(value)), hex);
  assert.deepEqual(packr.unpack(packr.pack(value)), [{ id: 1 }, new Map([['name', 64]]), { id: 2 }]);
  assert.deepEqual(new newer.Packr({ mapsAsObjects: true } as newer.Options).unpack(packr.pack(value)), value);
  const mapping = new newer.Packr({ useRecords: (object: object) => 'id' in object, mapsAsObjects: true });
  assert.deepEqual(new Packr({ mapsAsObjects: true }).unpack(mapping.pack(value)), value);
  // Objects of no interest stay out of the dictionary.
  const structures: string[][] = [];
  new Packr({ structures, useRecords: (object) => 'id' in object }).pack(value);
  assert.deepEqual(structures, [['id']]);
  const cause = new Error('mine');
  const failing = () => {
    throw cause;
  };
  assert.equal(
    assertFault(() => new Packr({ useRecords: failing }).pack([{}]), { code: 'unsupported_value', path: '/0' }).cause,
    cause,
  );
  assert.throws(() => new Packr({ useRecords: () => true, records: 'off' }), TypeError);
});

test('allowArraysInMapKeys joins arrays that are keys', () => {
  const map = new Map<unknown, unknown>([
    [['a', 1], 1],
    [[], 2],
    [[['b', true], 2n], 3],
  ]);
  const options = { mapsAsObjects: true, allowArraysInMapKeys: true };
  const bytes = pack(map);
  assert.deepEqual(unpack(bytes, options), { 'a,1': 1, '': 2, 'b,true,2': 3 });
  assert.deepEqual(new newer.Packr({ useRecords: false, ...options }).unpack(bytes), unpack(bytes, options));
  assertFault(() => unpack(bytes, { mapsAsObjects: true }), { code: 'invalid_key', offset: 1, path: '' });
  for (const key of [[null], [[['deep']]], [{ a: 1 }], [new Uint8Array(1)]]) {
    assertFault(() => unpack(pack(new Map([[key, 1]])), options), { code: 'invalid_key', offset: 1, path: '' });
  }
  assertFault(() => unpack(bytes, { ...options, mode: 'strict' }), { code: 'invalid_key', offset: 1, path: '' });
  assert.throws(() => new Unpackr({ mode: 'lossless', ...options }), TypeError);
});
