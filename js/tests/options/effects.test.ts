// Every option that users of msgpackr know, each with what it changes: none is accepted and then ignored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Packr,
  type PackrOptions,
  StreamDecoder,
  type StreamDecoderOptions,
  Unpackr,
  type UnpackrOptions,
  unpack,
} from 'polypack';
import { bytesOf, hexOf } from '../_values.ts';

const packed = (value: unknown, options: PackrOptions) => hexOf(new Packr(options).pack(value));
const unpacked = (hex: string, options: UnpackrOptions) => new Unpackr(options).unpack(bytesOf(hex));
const PLAIN = { useRecords: false } as const;
const huge = 2n ** 70n;

/** By option: what it gives, and what comes without it. */
const EFFECTS: Readonly<Record<string, () => [withIt: unknown, withoutIt: unknown]>> = {
  useRecords: () => [packed({ a: 1 }, PLAIN), packed({ a: 1 }, {})],
  structures: () => [packed({ a: 1 }, { structures: [['a']] }), packed({ a: 1 }, {})],
  getStructures: () => [packed({ a: 1 }, { getStructures: () => [['a']] }), packed({ a: 1 }, {})],
  saveStructures: () => [packed({ a: 1 }, { saveStructures: () => true }), packed({ a: 1 }, {})],
  maxSharedStructures: () => [
    packed({ a: 1 }, { structures: [], maxSharedStructures: 0 }),
    packed({ a: 1 }, { structures: [] }),
  ],
  maxOwnStructures: () => [packed({ a: 1 }, { maxOwnStructures: 0 }), packed({ a: 1 }, {})],
  shouldShareStructure: () => [
    packed({ a: 1 }, { structures: [], shouldShareStructure: () => false }),
    packed({ a: 1 }, { structures: [] }),
  ],
  sequential: () => [twice({ sequential: true }), twice({})],
  structuredClone: () => [packed(twin(), { ...PLAIN, structuredClone: true }), packed(twin(), PLAIN)],
  moreTypes: () => [packed(new Set([1]), { moreTypes: true }), packed(new Set([1]), {})],
  regExps: () => [
    unpacked('d4 78 00 92 a1 61 a0', { moreTypes: true, regExps: true }),
    failing(() => unpacked('d4 78 00 92 a1 61 a0', { moreTypes: true })),
  ],
  mapsAsObjects: () => [unpacked('81 a1 61 01', { mapsAsObjects: true }), unpacked('81 a1 61 01', {})],
  allowArraysInMapKeys: () => [
    unpacked('81 91 01 02', { mapsAsObjects: true, allowArraysInMapKeys: true }),
    failing(() => unpacked('81 91 01 02', { mapsAsObjects: true })),
  ],
  useFloat32: () => [packed(1.5, { useFloat32: 1 }), packed(1.5, {})],
  variableMapSize: () => [packed({}, { ...PLAIN, variableMapSize: false }), packed({}, PLAIN)],
  copyBuffers: () => [viewsInput({ copyBuffers: true }), viewsInput({})],
  useTimestamp32: () => [packed(new Date(1500), { useTimestamp32: true }), packed(new Date(1500), {})],
  largeBigIntToFloat: () => [packed(huge, { largeBigIntToFloat: true }), failing(() => packed(huge, {}))],
  largeBigIntToString: () => [packed(huge, { largeBigIntToString: true }), failing(() => packed(huge, {}))],
  useBigIntExtension: () => [packed(huge, { useBigIntExtension: true }), failing(() => packed(huge, {}))],
  wideBigInts: () => [packed(5n, { wideBigInts: true }), packed(5n, {})],
  encodeUndefinedAsNil: () => [packed(undefined, { encodeUndefinedAsNil: true }), packed(undefined, {})],
  bundleStrings: () => [packed(['abcd'], { bundleStrings: true }), packed(['abcd'], {})],
  int64AsType: () => [unpacked('cf ff*8', { int64AsType: 'string' }), unpacked('cf ff*8', {})],
  int64AsNumber: () => [failing(() => unpacked('cf ff*8', { int64AsNumber: true })), unpacked('cf ff*8', {})],
  skipValues: () => [packed({ a: null }, { skipValues: [null] }), packed({ a: null }, {})],
  onInvalidDate: () => [
    packed(new Date(Number.NaN), { onInvalidDate: () => 0 }),
    failing(() => packed(new Date(Number.NaN), {})),
  ],
  writeFunction: () => [packed(() => 1, { writeFunction: () => 0 }), failing(() => packed(() => 1, {}))],
  useToJSON: () => [packed(new Speaker(), { useToJSON: false }), packed(new Speaker(), {})],
  mapAsEmptyObject: () => [packed(new Map([[1, 2]]), { mapAsEmptyObject: true }), packed(new Map([[1, 2]]), {})],
  setAsEmptyObject: () => [packed(new Set([1]), { setAsEmptyObject: true }), packed(new Set([1]), {})],
  coercibleKeyAsNumber: () => [packed({ 7: 1 }, { ...PLAIN, coercibleKeyAsNumber: true }), packed({ 7: 1 }, PLAIN)],
  maxIncompleteBufferSize: () => [arriving({ maxIncompleteBufferSize: 3 }), arriving({})],
};

class Speaker {
  toJSON() {
    return 'spoken';
  }
}

function twin(): unknown {
  const one = { a: 1 };
  return [one, one];
}

function twice(options: PackrOptions): string {
  const packr = new Packr(options);
  packr.pack({ a: 1 });
  return hexOf(packr.pack({ a: 1 }));
}

function viewsInput(options: UnpackrOptions): boolean {
  const bytes = bytesOf('c4 01 07');
  return new Unpackr(options).unpack<Uint8Array>(bytes).buffer === bytes.buffer;
}

function arriving(options: StreamDecoderOptions): string | null {
  const stream = new StreamDecoder(options);
  stream.push(bytesOf('c4 07 01 02'));
  return stream.error === null ? null : 'refused';
}

function failing(run: () => unknown): string {
  try {
    run();
  } catch {
    return 'refused';
  }
  return 'accepted';
}

for (const [name, effect] of Object.entries(EFFECTS)) {
  test(`option ${name} does something`, () => {
    const [withIt, withoutIt] = effect();
    assert.notDeepEqual(withIt, withoutIt);
  });
}

test('a sequence declares its records once, and streams read it', () => {
  const packr = new Packr({ sequential: true });
  const rows = Array.from({ length: 200 }, (_, index) => ({ [`name${index % 70}`]: index, [`b${index % 3}`]: 64 }));
  const failingRow = { [`name${0}`]: 1, fresh: () => 1 };
  const chunks: Uint8Array[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % 50 === 10) assert.throws(() => packr.pack(failingRow));
    chunks.push(packr.pack(row));
  }
  const stream = new StreamDecoder({ records: 'inline', sequential: true });
  assert.deepEqual(
    chunks.flatMap((chunk) => stream.push(chunk)),
    rows,
  );
  const lengths = [packr.pack({ a: 1, b: 2 }), packr.pack({ a: 3, b: 4 })].map(({ length }) => length);
  assert.deepEqual(lengths, [10, 3]);
  // A message inside another stands for itself.
  class Nested {
    toJSON() {
      return packr.pack({ a: 5, b: 6 });
    }
  }
  const inner = unpack<Uint8Array>(packr.pack(new Nested()));
  assert.deepEqual(unpack(inner, { records: 'inline' }), { a: 5, b: 6 });
});

test('what does not arrive is declared again', () => {
  const packr = new Packr({ sequential: true });
  packr.useBuffer(new Uint8Array(12));
  const messages = [{ a: 1 }, { b: 1 }, { b: 2 }, { a: 2 }].map((value) => packr.pack(value).slice());
  const stream = new StreamDecoder({ records: 'inline', sequential: true });
  assert.deepEqual(
    messages.flatMap((message) => stream.push(message)),
    [{ a: 1 }, { b: 1 }, { b: 2 }, { a: 2 }],
  );
});

test('options that contradict each other', () => {
  assert.throws(() => new Packr({ int64AsNumber: true, int64AsType: 'bigint' }), TypeError);
  assert.throws(() => new Packr({ sequential: 1 } as never), TypeError);
});
