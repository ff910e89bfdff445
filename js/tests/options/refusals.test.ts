// "Every function and class refuses an option that doesn't exist" (README): each one that takes options, by name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as polypack from 'polypack';
import * as compact from 'polypack/compact';
import { unserialize, unserializeSigned } from 'polypack/snapshot';
import { MemoryStore, SharedStructures } from 'polypack/stores';
import { FileStore } from 'polypack/stores/file';

const NIL = Uint8Array.of(0xc0);
const UNKNOWN = { nonsense: true } as object;

/** A call of each, by its name. */
const CALLS: Record<string, () => unknown> = {
  pack: () => polypack.pack(null, UNKNOWN),
  unpack: () => polypack.unpack(NIL, UNKNOWN),
  packInto: () => polypack.packInto(new Uint8Array(9), 0, null, UNKNOWN),
  decodeFirst: () => polypack.decodeFirst(NIL, 0, UNKNOWN),
  get: () => polypack.get(NIL, '', UNKNOWN),
  Raw: () => new polypack.Raw(NIL, UNKNOWN),
  Packr: () => new polypack.Packr(UNKNOWN),
  Unpackr: () => new polypack.Unpackr(UNKNOWN),
  StreamDecoder: () => new polypack.StreamDecoder(UNKNOWN),
  ElementsDecoder: () => new polypack.ElementsDecoder(UNKNOWN),
  decodeIter: () => [...polypack.decodeIter([NIL], UNKNOWN)],
  encodeIter: () => [...polypack.encodeIter([null], UNKNOWN)],
  decodeElements: () => [...polypack.decodeElements([NIL], UNKNOWN)],
  packTransform: () => polypack.packTransform(UNKNOWN),
  unpackTransform: () => polypack.unpackTransform(UNKNOWN),
  elementsTransform: () => polypack.elementsTransform(UNKNOWN),
  PackrStream: () => new polypack.PackrStream(UNKNOWN),
  UnpackrStream: () => new polypack.UnpackrStream(UNKNOWN),
  canonicalize: () => polypack.canonicalize(NIL, UNKNOWN),
  encodeCanonical: () => polypack.encodeCanonical(null, UNKNOWN),
  isCanonical: () => polypack.isCanonical(NIL, UNKNOWN),
  addExtension: () => polypack.addExtension({ type: 1, read: () => 1, ...UNKNOWN }),
  'compact pack': () => compact.pack(null, UNKNOWN),
  'compact unpack': () => compact.unpack(NIL, UNKNOWN),
  'compact Packr': () => new compact.Packr(UNKNOWN),
  'compact Unpackr': () => new compact.Unpackr(UNKNOWN),
  limits: () => polypack.unpack(NIL, { limits: UNKNOWN }),
  'compact limits': () => compact.unpack(NIL, { limits: UNKNOWN }),
  unserialize: () => unserialize(NIL, UNKNOWN),
  FileStore: () => new FileStore('/tmp/none', UNKNOWN),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} refuses an option that doesn't exist`, () => {
    assert.throws(call, (error) => error instanceof TypeError && /unknown|no option/.test(error.message));
  });
}

test('so do functions that return promises', async () => {
  const keys = new Uint8Array(32);
  await assert.rejects(async () => unserializeSigned(NIL, { keys, purpose: 'x', ...UNKNOWN }), TypeError);
  await assert.rejects(async () => SharedStructures.open(new MemoryStore(), UNKNOWN), TypeError);
});
