// Every vector against the library, folder by folder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, isCanonical, Packr, PolypackError, StreamDecoder, Unpackr } from 'polypack';
import { hexOf, hostOf, identityOf, taggedOf, writtenOut } from './_values.ts';
import { type Case, type Fault, FOLDERS, filesOf, modesOf, piecesOf, requiredBytes } from './_vectors.ts';

function faultOf(run: () => unknown): Fault | null {
  try {
    run();
    return null;
  } catch (error) {
    return faultFrom(error);
  }
}

function faultFrom(error: unknown): Fault {
  if (!(error instanceof PolypackError) || error.offset === null) throw error;
  return { code: error.code, offset: error.offset, path: error.path };
}

function limitsOf(one: Case) {
  return one.limits === undefined ? {} : { limits: one.limits };
}

test('every folder has vectors', () => {
  for (const folder of FOLDERS) assert.notEqual(filesOf(folder).length, 0, `vectors/${folder} is empty`);
});

for (const { file, cases } of filesOf('valid')) {
  test(file, () => {
    for (const one of cases) {
      const unpackr = new Unpackr({ mode: 'lossless', records: 'off', ...limitsOf(one) });
      const value = writtenOut(one.value);
      const identity = identityOf(value);
      for (const bytes of [one.canonical, ...(one.also ?? [])]) {
        const decoded = unpackr.unpack(requiredBytes(bytes));
        assert.equal(identityOf(taggedOf(decoded)), identity, one.name);
        assert.equal(hexOf(canonicalize(requiredBytes(bytes))), hexOf(requiredBytes(one.canonical)), one.name);
      }
      // The host's maps keep the order of a vector's entries; its canonical bytes sort them.
      const packed = new Packr({ mode: 'lossless', records: 'off' }).pack(hostOf(value));
      assert.equal(hexOf(canonicalize(packed)), hexOf(requiredBytes(one.canonical)), one.name);
      assert.equal(packed.length, requiredBytes(one.canonical).length, one.name);
      assert.deepEqual(isCanonical(requiredBytes(one.canonical)), { canonical: true, departure: null }, one.name);
    }
  });
}

for (const { file, cases } of filesOf('invalid')) {
  test(file, () => {
    for (const one of cases) {
      for (const mode of modesOf(one)) {
        const unpackr = new Unpackr({ mode, records: one.records ?? 'off', ...limitsOf(one) });
        const fault = faultOf(() => unpackr.unpack(requiredBytes(one.bytes)));
        assert.deepEqual(fault, one.error, `${one.name} in mode ${mode}`);
        assert.equal(unpackr.unpack(Uint8Array.of(0x07)), 7, `${one.name}: the decoder works on after the fault`);
      }
    }
  });
}

for (const { file, cases } of filesOf('records')) {
  test(file, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      const options = { records: one.records ?? 'off', ...limitsOf(one) };
      if (one.error) {
        for (const mode of modesOf(one)) {
          const fault = faultOf(() => new Unpackr({ mode, ...options }).unpack(bytes));
          assert.deepEqual(fault, one.error, `${one.name} in mode ${mode}`);
        }
        continue;
      }
      const value = writtenOut(one.value);
      const decoded = new Unpackr({ mode: 'lossless', ...options }).unpack(bytes);
      assert.equal(identityOf(taggedOf(decoded)), identityOf(value), one.name);
      if (one.encodes) {
        const packed = new Packr({ mode: 'lossless', records: 'inline' }).pack(hostOf(value));
        assert.equal(hexOf(packed), hexOf(bytes), one.name);
      }
    }
  });
}

for (const { file, cases } of filesOf('stream')) {
  test(file, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      const expected = (one.values ?? []).map((value) => identityOf(writtenOut(value)));
      for (const length of [1, 2, 3, 7, 64, Math.max(bytes.length, 1)]) {
        const stream = new StreamDecoder({ mode: 'lossless', records: one.records ?? 'off', ...limitsOf(one) });
        const values: unknown[] = [];
        const fault = faultOf(() => {
          for (const piece of piecesOf(bytes, length)) values.push(...stream.push(piece));
          stream.finish();
        });
        const about = `${one.name} in pieces of ${length}`;
        assert.deepEqual(
          values.map((value) => identityOf(taggedOf(value))),
          expected,
          about,
        );
        assert.deepEqual(fault, one.error ?? null, about);
      }
    }
  });
}

for (const { file, cases } of filesOf('canonical')) {
  test(file, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      assert.equal(hexOf(canonicalize(bytes)), hexOf(requiredBytes(one.canonical)), one.name);
      assert.deepEqual(isCanonical(bytes), { canonical: one.departure === null, departure: one.departure }, one.name);
    }
  });
}

// vectors/defaults says what any implementation's default mode makes of bytes; a file is one implementation's.
for (const { file, cases } of filesOf('defaults').filter(({ file }) => /\b(?:js|javascript)\b/.test(file))) {
  test(file, () => {
    for (const one of cases) {
      const run = () =>
        new Packr({ records: 'off' }).pack(new Unpackr({ records: 'off' }).unpack(requiredBytes(one.bytes)));
      if (one.error) assert.deepEqual(faultOf(run), one.error, one.name);
      else assert.equal(hexOf(run()), hexOf(requiredBytes(one.becomes)), one.name);
    }
  });
}
