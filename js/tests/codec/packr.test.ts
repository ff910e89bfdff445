// Methods of Packr and Unpackr that are taken from their object.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalize,
  decodeElements,
  decodeFirst,
  decodeIter,
  get,
  isCanonical,
  Packr,
  Raw,
  StreamDecoder,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'polypack';

test('methods that encode and decode need no object in front of them', () => {
  const { pack, encode, unpack, decode, unpackMultiple } = new Packr({ records: 'off', int64AsType: 'string' });
  const value = { id: 1, name: 'Zoë' };
  const bytes = pack(value);
  assert.deepEqual(encode(value), bytes);
  assert.deepEqual([unpack(bytes), decode(bytes)], [value, value]);
  assert.equal(unpack(Uint8Array.of(0xcf, 0, 0, 0, 1, 0, 0, 0, 0)), '4294967296');
  assert.deepEqual(unpackMultiple(Uint8Array.of(1, 2)), [1, 2]);
  assert.deepEqual([value, 'a'].map(pack), [bytes, Uint8Array.of(0xa1, 0x61)]);
  const reading = new Unpackr({ mapsAsObjects: true });
  assert.deepEqual(
    [reading.unpack, reading.decode].map((read) => read(bytes)),
    [value, value],
  );
  const { unpackMultiple: readAll } = reading;
  assert.deepEqual(readAll(Uint8Array.of(3)), [3]);
});

test('methods that were taken before see what is set later', () => {
  const packr = new Packr();
  const { pack } = packr;
  const buffer = new Uint8Array(100);
  packr.useBuffer(buffer);
  assert.equal(pack([1]).buffer, buffer.buffer);
  const sharing = new Packr({ structures: [] });
  const { pack: packShared } = sharing;
  packShared({ a: 1 });
  sharing.clearSharedData();
  assert.deepEqual(packShared({ b: 1 }), new Packr({ structures: [] }).pack({ b: 1 }));
  const frozen = new Packr({ structures: Object.freeze([['a']]) as string[][] });
  frozen.clearSharedData();
  assert.deepEqual(frozen.pack({ b: 1 }), new Packr().pack({ b: 1 }));
});

test('a subclass may replace methods, and call those it replaces', () => {
  class Counting extends Packr {
    calls = 0;
    override pack(value: unknown): ReturnType<Packr['pack']> {
      this.calls++;
      return super.pack(value);
    }
  }
  const counting = new Counting();
  const { pack, encode } = counting;
  assert.deepEqual(pack(1), encode(1));
  assert.equal(counting.calls, 2);
});

test('every reader reads all of bytes that have a length of their own', () => {
  const readers: Record<string, (data: Uint8Array) => unknown> = {
    unpack,
    unpackMultiple,
    range: (data) => new Unpackr().unpack(data, { start: 0 }),
    decodeFirst,
    get: (data) => get(data, '/1'),
    raw: (data) => new Raw(data).unpack(),
    canonical: canonicalize,
    isCanonical,
    push: (data) => new StreamDecoder().push(data),
    iterator: (data) => [...decodeIter([data])],
    elements: (data) => [...decodeElements([data])],
  };
  for (const [name, read] of Object.entries(readers)) {
    for (const said of [0, 1, 4, 100]) {
      for (const bytes of [() => Uint8Array.of(0x92, 1, 2), () => Buffer.of(0x92, 1, 2)]) {
        const expected = read(bytes());
        assert.deepEqual(read(Object.defineProperty(bytes(), 'length', { value: said })), expected, `${name}, ${said}`);
      }
    }
  }
});

test('calls in a callback of unpackMultiple start at the depth of the call', () => {
  const deepest = Uint8Array.of(0x91, 0x91, 1);
  for (const options of [{}, { bundleStrings: true }, { sequential: true }]) {
    const unpackr = new Unpackr({ ...options, limits: { maxDepth: 2 } });
    const values: unknown[] = [];
    unpackr.unpackMultiple(Uint8Array.of(5, ...deepest), () => {
      values.push(unpackr.unpack(deepest));
      unpackr.unpackMultiple(deepest, (value) => values.push(value, unpackr.unpack(deepest)));
    });
    assert.deepEqual(values, Array(6).fill([[1]]));
  }
  // In an extension, a call starts one deeper, also if the extension calls unpackMultiple.
  const nesting: Unpackr = new Unpackr({
    limits: { maxDepth: 2 },
    extensions: [
      {
        type: 5,
        unpack: () => nesting.unpackMultiple(Uint8Array.of(0), () => nesting.unpack(Uint8Array.of(0x91, 0x90))),
      },
    ],
  });
  assert.throws(() => nesting.unpack(Uint8Array.of(0xd4, 5, 0)), { code: 'unsupported_value' });
});
