// What pack and unpack take: they leave out what only classes know, so that a program which calls them holds less.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFirst, get, Packr, type PackrOptions, pack, packInto, Unpackr, unpack } from 'polypack';
import { bytesOf, hexOf } from '../_values.ts';

const OF_CLASSES: PackrOptions[] = [
  ...[{ structuredClone: true }, { moreTypes: true }, { useBigIntExtension: true }, { bundleStrings: true }],
  ...[{ compat: 'msgpackr' }, { structures: [] }, { getStructures: () => [] }, { saveStructures: () => true }],
  ...([{ maxSharedStructures: 1 }, { maxOwnStructures: 1 }, { shouldShareStructure: () => true }] as PackrOptions[]),
  ...[{ fingerprint: true }, { regExps: true }],
] as PackrOptions[];

test('pack and unpack refuse what only classes know, and say which', () => {
  for (const options of OF_CLASSES) {
    const [name = ''] = Object.keys(options);
    const message = (instead: string) =>
      new RegExp(`^TypeError: ${name} is an option of classes; give new ${instead}\\(`);
    assert.throws(() => pack(1, options as object), message('Packr'));
    assert.throws(() => unpack(bytesOf('01'), options as object), message('Unpackr'));
    assert.equal(unpack(pack(1, { [name]: undefined }), { [name]: undefined }), 1);
  }
  assert.throws(() => pack(1, { nothing: 1 } as object), /unknown option nothing/);
  assert.throws(() => unpack(bytesOf('01'), null as never), TypeError);
});

test('pack and unpack take a Packr, an Unpackr, and the options that are left', () => {
  const value = { set: new Set([1]), big: 2n ** 70n };
  const packr = new Packr({ structuredClone: true, records: 'off' });
  assert.deepEqual(unpack(pack(value, packr), packr), value);
  assert.deepEqual(unpack(pack(value, packr), new Unpackr({ structuredClone: true, records: 'off' })), value);
  assert.equal(hexOf(pack(1.5, { useFloat32: true })), 'ca3fc00000');
  assert.equal(hexOf(pack(Number.NaN, { useFloat32: true })), 'cb7ff8000000000000');
  assert.deepEqual(unpack(pack([{ a: 1 }], { records: 'inline' }), { records: 'inline' }), [{ a: 1 }]);
});

test('a codec of one direction says so when it is asked for the other', () => {
  const unpackr = new Unpackr();
  assert.throws(() => pack(1, unpackr as Packr), /TypeError: an Unpackr only decodes; give a Packr/);
  assert.throws(() => packInto(new Uint8Array(9), 0, 1, unpackr as Packr), TypeError);
});

test('functions that are parts of no small bundle take every option', () => {
  const options = { structures: [['a', 'b']] };
  const target = new Uint8Array(9);
  const end = packInto(target, 0, { a: 1, b: 2 }, options);
  assert.equal(hexOf(target.subarray(0, end)), '400102');
  assert.deepEqual(decodeFirst(target, 0, options), { value: { a: 1, b: 2 }, end });
  assert.equal(get(target.subarray(0, end), '/b', options), 2);
});
