// What docs/guides/migrating-from-msgpackr.md says of bytes: what either version of msgpackr writes is read, and either
// reads what we write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as msgpackrOld from 'msgpackr-1.11';
import { Packr, type PackrOptions, pack, Unpackr, UnpackrStream, unpack, unpackMultiple } from 'polypack';
import * as door from 'polypack/msgpackr';

const VERSIONS = { '2.1': msgpackr, '1.11': msgpackrOld as unknown as typeof msgpackr };

const row = (id: number) => ({
  id,
  name: `row ${id}`,
  at: new Date(1_700_000_000_123 + id),
  tags: ['a', 'é'.repeat(9)],
});
const VALUE = {
  rows: [row(1), row(2), { other: null, more: [true, false, undefined] }, row(3)],
  numbers: [0, -1, 127, 128, -33, 65536, 2 ** 31, 1.5, 0.1],
  texts: ['', 'x'.repeat(31), 'x'.repeat(40), 'ü'.repeat(20)],
  bytes: Buffer.from('bytes'),
  deep: [[[[{ a: { b: { c: 1 } } }]]]],
};
/** Values that plain messages don't have. */
const MORE = {
  ...VALUE,
  set: new Set([1, 'a']),
  map: new Map<unknown, unknown>([[1, 2]]),
  big: 2n ** 60n,
  floats: Float64Array.of(0.5),
};

/** The options of a writer, what it writes, and the options that a reader of ours needs. */
const WRITERS: readonly (readonly [PackrOptions, unknown, PackrOptions])[] = [
  [{}, VALUE, {}],
  [{ useRecords: false }, VALUE, { mapsAsObjects: true }],
  [{ useRecords: false, variableMapSize: true }, VALUE, { mapsAsObjects: true }],
  [{ bundleStrings: true }, VALUE, { bundleStrings: true }],
  [{ moreTypes: true }, MORE, { moreTypes: true }],
  [{ structuredClone: true }, MORE, { structuredClone: true }],
];

/** Makes bin values equal, whatever class they have. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bin ${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(plain);
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, plain(one)]));
}

for (const [version, peer] of Object.entries(VERSIONS)) {
  for (const [writing, value, reading] of WRITERS) {
    test(`${version}: what it writes is read, and the other way round: ${JSON.stringify(writing)}`, () => {
      // Numbers beyond 32 bits are floats there. Ours are ints, which it reads as bigints: a row of the guide.
      const all = { value, wide: [2 ** 40, -(2 ** 45), Number.MAX_SAFE_INTEGER] };
      const theirs = new peer.Packr(writing as object).pack(all);
      const forDoor = writing.useRecords === false ? { useRecords: false } : {};
      assert.deepEqual(plain(new Unpackr(reading).unpack(theirs)), plain(all));
      assert.deepEqual(plain(new door.Unpackr(forDoor).unpack(theirs)), plain(all));
      for (const ours of [new Packr(writing).pack(value), new door.Packr(writing as object).pack(value)]) {
        assert.deepEqual(plain(new peer.Packr(writing as object).unpack(Buffer.from(ours))), plain(value));
      }
    });
  }

  test(`${version}: functions read each other's messages`, () => {
    assert.deepEqual(plain(unpack(peer.pack(VALUE))), plain(VALUE));
    assert.deepEqual(plain(peer.unpack(Buffer.from(pack(VALUE)))), plain(VALUE));
    const several = Buffer.concat([peer.pack(1), peer.pack([2])]);
    assert.deepEqual(unpackMultiple(several), [1, [2]]);
  });

  test(`${version}: one store of shared structures`, () => {
    let saved: string[][] = [];
    const shared = {
      getStructures: () => structuredClone(saved),
      saveStructures(structures: unknown) {
        saved = structuredClone(Array.from(structures as string[][]));
      },
    };
    const codecs = [
      new peer.Packr({ structures: [], ...shared } as object),
      new Packr(shared),
      new door.Packr(shared as object),
    ];
    const messages: [Uint8Array, unknown][] = [];
    for (let round = 0; round < 3; round++) {
      for (const [index, codec] of codecs.entries()) {
        const value = [row(round), { [`n${index}`]: round }];
        messages.push([Uint8Array.from(codec.pack(value)), value]);
      }
    }
    const readers = [
      new peer.Packr({ structures: [], ...shared } as object),
      new Unpackr(shared),
      new door.Unpackr(shared as object),
    ];
    for (const [bytes, value] of messages) {
      for (const reader of readers) assert.deepEqual(reader.unpack(Buffer.from(bytes)), value);
    }
    assert.equal(saved.length, 4);
  });

  test(`${version}: a sequence is read in order`, async () => {
    const stream = new peer.PackrStream();
    const chunks: Buffer[] = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    for (const id of [1, 2, 3]) stream.write(row(id));
    stream.end();
    await new Promise((resolve) => stream.on('end', resolve));
    const reader = new UnpackrStream();
    reader.end(Buffer.concat(chunks));
    assert.deepEqual(await reader.toArray(), [row(1), row(2), row(3)]);
  });
}
