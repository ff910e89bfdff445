// Options are checked once, when a codec is made; wrong use of the API is a TypeError or a
// RangeError, never a PolypackError.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExtension, Packr, PolypackError, StreamDecoder, Unpackr } from 'polypack';
import * as compact from 'polypack/compact';
import { bytesOf, hexOf } from '../_values.ts';

const CODECS = [Packr, Unpackr, StreamDecoder];

test('an unknown option is refused with a hint', () => {
  for (const Codec of CODECS) {
    for (const name of ['userecords', 'useRecord', 'structures', 'structuredclone', 'maxDepth']) {
      assert.throws(
        () => new Codec({ [name]: true } as object),
        (error: unknown) => error instanceof TypeError && error.message.includes(name),
      );
    }
  }
  for (const known of ['mapsAsObjects', 'int64AsType', 'bundleStrings', 'structuredClone', 'mode']) {
    for (const name of typosOf(known)) {
      const meant = (error: unknown) => error instanceof TypeError && error.message.endsWith(`did you mean ${known}?`);
      assert.throws(() => new Packr({ [name]: true } as object), meant, name);
    }
  }
  for (const name of ['maxDepth', 'maxValues', 'maxBytes', 'maxCollisions', 'maxPatternBytes']) {
    assert.throws(
      () => new Packr({ [name]: 5 } as object),
      new TypeError(`unknown option ${name}; did you mean limits.${name}?`),
    );
  }
  for (const name of ['sortKeys', 'ignoreUndefined', 'x', '']) {
    assert.throws(() => new Packr({ [name]: true } as object), new TypeError(`unknown option ${name}`));
  }
  assert.throws(() => new Packr({ limits: { maxdepth: 3 } } as object), TypeError);
});

/** The name in lower and upper case, and with a letter more, less or wrong, or two exchanged, at each place. */
function typosOf(name: string): Set<string> {
  const typos = new Set([name.toLowerCase(), name.toUpperCase()]);
  for (let at = 0; at < name.length; at++) {
    const [before, letter, next, after] = [name.slice(0, at), name.charAt(at), name.charAt(at + 1), name.slice(at + 2)];
    typos.add(before + next + after);
    typos.add(`${before}_${letter}${next}${after}`);
    typos.add(`${before}_${next}${after}`);
    typos.add(before + next + letter + after);
  }
  typos.delete(name);
  return typos;
}

test('a range with another member is refused', () => {
  const bytes = Uint8Array.of(1, 2);
  for (const options of [{}, { fingerprint: true, structures: [] }, { bundleStrings: true }, { compat: 'msgpackr' }]) {
    const packr = new Packr(options as object);
    for (const unpackr of [new Unpackr(options as object), packr]) {
      for (const read of [unpackr.unpack, unpackr.decode]) {
        assert.throws(() => read(bytes, { strat: 1 } as object), /unknown option strat/);
        assert.throws(() => read(bytes, { start: 1, mode: 'strict' } as object), /unknown option mode/);
        assert.equal(read(bytes, { start: 1, end: undefined } as object), 2);
      }
    }
  }
  for (const place of [{ start: 1 }, { end: 1 }, 1, 0, {}]) {
    assert.throws(() => new compact.Unpackr().unpack(bytes, place as never), /range for polypack\/compact/);
    assert.throws(() => new compact.Packr().decode(bytes, place as never), TypeError);
  }
});

test('a wrong value is refused, and what is undefined keeps its default', () => {
  for (const wrong of [
    { mode: 'loose' },
    { records: 'sometimes' },
    { records: 'inline', useRecords: false },
    { useRecords: 1 },
    { useFloat32: 2 },
    { int64AsType: 'float' },
    { copyBuffers: 'yes' },
    { extensions: {} },
    { extensions: [{ type: 200, unpack: () => 1 }] },
    { extensions: [{ type: -1, unpack: () => 1 }] },
    { extensions: [{ Class: Map }] },
    { limits: 5 },
    { limits: { maxDepth: -1 } },
    { limits: { maxDepth: 1.5 } },
    { limits: { maxDepth: '512' } },
    { limits: { maxDepth: 1e9 } },
    { limits: { maxValues: Number.NaN } },
    { limits: { maxBytes: 0 } },
  ]) {
    assert.throws(
      () => new Packr(wrong as object),
      (error: unknown) =>
        !(error instanceof PolypackError) && (error instanceof TypeError || error instanceof RangeError),
      JSON.stringify(wrong),
    );
  }
  assert.equal(
    hexOf(new Packr({ mode: undefined, limits: { maxDepth: undefined }, useRecords: false } as object).pack({})),
    '80',
  );
});

test('an options object changed later changes nothing', () => {
  const options = { useRecords: false, limits: { maxDepth: 1 }, extensions: [] as object[] };
  const unpackr = new Unpackr(options as object);
  options.limits.maxDepth = 512;
  options.extensions.push({ type: 5, unpack: () => 'extended' });
  assert.throws(() => unpackr.unpack(bytesOf('91 90')), { code: 'limit_exceeded' });
  assert.notEqual(unpackr.unpack(bytesOf('d4 05 00')), 'extended');
});

test('records are inline in the classes and off in the functions', () => {
  const declaration = bytesOf('d4 72 40 91 a1 61 01');
  assert.equal(hexOf(new Packr().pack({ a: 1 })), hexOf(declaration));
  assert.deepEqual(new Unpackr().unpack(declaration), { a: 1 });
  assert.equal(hexOf(new Packr({ useRecords: false }).pack({ a: 1 })), '81a16101');
  assert.throws(() => new Unpackr({ useRecords: false }).unpack(declaration), { code: 'invalid_record' });
});

test('lossless mode and options that lose data exclude each other', () => {
  for (const lossy of [{ useFloat32: 1 }, { int64AsType: 'number' }, { encodeUndefinedAsNil: true }]) {
    assert.throws(() => new Packr({ mode: 'lossless', ...lossy } as object), TypeError);
  }
});

test('codecs do not share state', () => {
  const a = new Packr({ useRecords: false, encodeUndefinedAsNil: true });
  const b = new Packr({ useRecords: false });
  assert.equal(hexOf(a.pack(undefined)), 'c0');
  assert.equal(hexOf(b.pack(undefined)), 'd40000');
  assert.throws(() => a.pack(() => 0), { code: 'unsupported_value' });
  assert.equal(hexOf(b.pack([1])), '9101');
});

test('addExtension checks what it is given', () => {
  for (const wrong of [
    null,
    {},
    { type: 5 },
    { type: 5, pack: () => new Uint8Array() },
    { type: 1.5, unpack: () => 1 },
  ]) {
    assert.throws(
      () => addExtension(wrong as never),
      (error: unknown) => error instanceof TypeError || error instanceof RangeError,
    );
  }
});

test('records are inline in Packr by default, and off in lossless mode', () => {
  const value = { a: 1 };
  assert.equal(hexOf(new Packr().pack(value)), 'd4724091a16101');
  assert.equal(hexOf(new Packr({ mode: 'lossless' }).pack(value)), '81a16101');
  assert.equal(hexOf(new Packr({ mode: 'lossless', records: 'inline' }).pack(value)), 'd4724091a16101');
});
