// Every vector against the library, folder by folder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, isCanonical, Packr, type PackrOptions, PolypackError, StreamDecoder, Unpackr } from 'polypack';
import { hexOf, hostOf, identityOf, taggedOf, writtenOut } from './_values.ts';
import { allFilesOf, type Case, type Fault, FOLDERS, filesOf, modesOf, piecesOf, requiredBytes } from './_vectors.ts';

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

function cloneOptions({ clone }: Case) {
  return clone === undefined ? {} : { [clone]: true };
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

for (const { file, cases } of allFilesOf('invalid')) {
  test(file, () => {
    for (const one of cases) {
      for (const mode of modesOf(one)) {
        const unpackr = new Unpackr({ mode, records: one.records ?? 'off', ...limitsOf(one), ...cloneOptions(one) });
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

/** The options of a case of `records/shared.json`, with a dictionary that doesn't grow. */
function sharedOptions({ dictionary = [], header }: Case): PackrOptions {
  return {
    records: 'shared',
    structures: structuredClone(dictionary) as PackrOptions['structures'] & object,
    fingerprint: header === true,
    maxSharedStructures: dictionary.length,
    shouldShareStructure: () => false,
  };
}

for (const { file, cases } of allFilesOf('records')) {
  test(`${file}, shared`, () => {
    for (const one of cases.filter(({ records }) => records === 'shared')) {
      const bytes = requiredBytes(one.bytes);
      if (one.error) {
        for (const mode of modesOf(one)) {
          const fault = faultOf(() => new Unpackr({ mode, ...sharedOptions(one) }).unpack(bytes));
          assert.deepEqual(fault, one.error, `${one.name} in mode ${mode}`);
        }
        continue;
      }
      const value = writtenOut(one.value);
      const options: PackrOptions = { mode: 'lossless', ...sharedOptions(one) };
      assert.equal(identityOf(taggedOf(new Unpackr(options).unpack(bytes))), identityOf(value), one.name);
      const packed = new Packr(options).pack(hostOf(value));
      if (one.encodes) assert.equal(hexOf(packed), hexOf(bytes), one.name);
      assert.equal(identityOf(taggedOf(new Unpackr(options).unpack(packed))), identityOf(value), one.name);
    }
  });
}

for (const { file, cases } of filesOf('encode')) {
  test(file, () => {
    for (const one of cases) {
      for (const mode of modesOf(one)) {
        const options = { mode, records: 'off' as const, ...limitsOf(one) };
        const run = () => new Packr(options).pack(hostOf(writtenOut(one.value)));
        assert.throws(run, { ...one.error, offset: null }, `${one.name} in mode ${mode}`);
      }
    }
  });
}

for (const { file, cases } of allFilesOf('canonical')) {
  test(file, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      const { records = 'off', integralFloatsAsInts } = one;
      const options = { records, ...(integralFloatsAsInts && { integralFloatsAsInts }), ...limitsOf(one) };
      if (one.error) {
        assert.throws(() => canonicalize(bytes, options), one.error, one.name);
        continue;
      }
      assert.equal(hexOf(canonicalize(bytes, options)), hexOf(requiredBytes(one.canonical)), one.name);
      const departure = { canonical: one.departure === null, departure: one.departure };
      assert.deepEqual(isCanonical(bytes, options), departure, one.name);
    }
  });
}

// vectors/defaults says what any implementation's default mode makes of bytes; a file is one implementation's.
for (const { file, cases } of allFilesOf('defaults').filter(({ file }) => /\b(?:js|javascript)\b/.test(file))) {
  test(file, () => {
    for (const one of cases) {
      const options: PackrOptions = { records: 'off', ...cloneOptions(one) };
      const run = () => new Packr(options).pack(new Unpackr(options).unpack(requiredBytes(one.bytes)));
      if (one.error) assert.deepEqual(faultOf(run), one.error, one.name);
      else assert.equal(hexOf(run()), hexOf(requiredBytes(one.becomes)), one.name);
    }
  });
}
