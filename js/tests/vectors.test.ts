// Every vector against the library, folder by folder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, isCanonical, Packr, type PackrOptions, StreamDecoder, Unpackr } from 'polypack';
import { faultOf, shownFault } from './_agree.ts';
import { QUICK } from './_runs.ts';
import { identityOf, taggedOf, writtenOut } from './_values.ts';
import {
  allFilesOf,
  assertBytes,
  assertValue,
  type Case,
  expectedOf,
  type Fault,
  FOLDERS,
  filesOf,
  modesOf,
  piecesOf,
  requiredBytes,
} from './_vectors.ts';

/** Checks that a run ends with the fault of a case, or without one. */
function assertEnds(run: () => unknown, fault: Fault | null | undefined, about: string): void {
  assert.equal(faultOf(run), fault ? shownFault(fault) : null, about);
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
    const settings = { mode: 'lossless', records: 'off' } as const;
    // Cases share codecs, which become warm. The full run has new ones for each case as well.
    const warmPackr = new Packr(settings);
    const warmUnpackr = new Unpackr(settings);
    for (const one of cases) {
      const given = { ...settings, ...limitsOf(one) };
      const unpackrs = one.limits === undefined ? [warmUnpackr] : [new Unpackr(given)];
      const packrs = [warmPackr];
      if (!QUICK) {
        unpackrs.push(new Unpackr(given));
        packrs.push(new Packr(settings));
      }
      const { host } = expectedOf(one);
      for (const bytes of [one.canonical, ...(one.also ?? [])]) {
        for (const unpackr of unpackrs) assertValue(unpackr.unpack(requiredBytes(bytes)), one);
        // Of the canonical bytes isCanonical tells it.
        if (bytes !== one.canonical) assertBytes(canonicalize(requiredBytes(bytes)), one.canonical, one.name);
      }
      // The host's maps keep the order of a vector's entries; its canonical bytes sort them.
      const canonical = requiredBytes(one.canonical);
      for (const packr of packrs) {
        const packed = packr.pack(host);
        if (Buffer.compare(packed, canonical) !== 0) assertBytes(canonicalize(packed), one.canonical, one.name);
        assert.equal(packed.length, canonical.length, one.name);
      }
      assert.deepEqual(isCanonical(canonical), { canonical: true, departure: null }, one.name);
    }
  });
}

for (const { file, cases } of allFilesOf('invalid')) {
  test(file, () => {
    // Cases share decoders: what a fault leaves behind would show in the next one.
    const decoders = new Map<string, Unpackr>();
    for (const one of cases) {
      for (const mode of modesOf(one)) {
        const options = { mode, records: one.records ?? 'off', ...limitsOf(one), ...cloneOptions(one) };
        const key = JSON.stringify(options);
        const unpackr = decoders.get(key) ?? new Unpackr(options);
        decoders.set(key, unpackr);
        assertEnds(() => unpackr.unpack(requiredBytes(one.bytes)), one.error, `${one.name} in mode ${mode}`);
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
          assertEnds(() => new Unpackr({ mode, ...options }).unpack(bytes), one.error, `${one.name} in mode ${mode}`);
        }
        continue;
      }
      assertValue(new Unpackr({ mode: 'lossless', ...options }).unpack(bytes), one);
      if (one.encodes) {
        const packed = new Packr({ mode: 'lossless', records: 'inline' }).pack(expectedOf(one).host);
        assertBytes(packed, one.bytes, one.name);
      }
    }
  });
}

/** The lengths of pieces to cut a stream into. Pieces of a byte take long where texts are larger than any buffer. */
function lengthsOf({ length }: Uint8Array): number[] {
  if (QUICK && length > 300) return [64, 4000, length];
  return [1, 2, 3, 7, 64, Math.max(length, 1)];
}

for (const { file, cases } of filesOf('stream')) {
  test(file, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      const expected = (one.values ?? []).map((value) => identityOf(writtenOut(value))).join('\n');
      for (const length of lengthsOf(bytes)) {
        const stream = new StreamDecoder({ mode: 'lossless', records: one.records ?? 'off', ...limitsOf(one) });
        const values: unknown[] = [];
        const about = `${one.name} in pieces of ${length}`;
        const run = () => {
          for (const piece of piecesOf(bytes, length)) values.push(...stream.push(piece));
          stream.finish();
        };
        assertEnds(run, one.error, about);
        assert.equal(values.map((value) => identityOf(taggedOf(value))).join('\n'), expected, about);
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
          const run = () => new Unpackr({ mode, ...sharedOptions(one) }).unpack(bytes);
          assertEnds(run, one.error, `${one.name} in mode ${mode}`);
        }
        continue;
      }
      const options: PackrOptions = { mode: 'lossless', ...sharedOptions(one) };
      assertValue(new Unpackr(options).unpack(bytes), one);
      const packed = new Packr(options).pack(expectedOf(one).host);
      if (one.encodes) assertBytes(packed, one.bytes, one.name);
      assertValue(new Unpackr(options).unpack(packed), one);
    }
  });
}

for (const { file, cases } of filesOf('encode')) {
  test(file, () => {
    for (const one of cases) {
      for (const mode of modesOf(one)) {
        const options = { mode, records: 'off' as const, ...limitsOf(one) };
        const run = () => new Packr(options).pack(expectedOf(one).host);
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
      assertBytes(canonicalize(bytes, options), one.canonical, one.name);
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
      if (one.error) assertEnds(run, one.error, one.name);
      else assertBytes(run(), one.becomes, one.name);
    }
  });
}
