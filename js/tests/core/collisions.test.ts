// spec/06-limits.md#collisions: comparisons of keys that share a bucket of a Map or Set.
//
// Plan: keys that collide in V8 · what refuses them, and where · sums over a message · honest keys · moving the limit.
//
// The keys are found by trying, with V8's public functions, here written in words of 32 bits. A small limit takes the
// place of many keys: what the default allows takes half a second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeElements, decodeFirst, get, Packr, StreamDecoder, Unpackr, unpack, unpackMultiple } from 'polypack';
import * as compact from 'polypack/compact';
import { assertFault } from '../_check.ts';
import { THOROUGH } from '../_runs.ts';

/** Keys of one table. */
const COUNT = 1000;

/** V8 has at most so many buckets for as many keys. */
const BUCKETS = 1024;

/** The comparisons of one table of COUNT keys that share a bucket. */
const COMPARISONS = (COUNT * (COUNT - 1)) / 2;

type Kind = 'ints' | 'floats' | 'bigs' | 'digits';

const found = new Map<Kind, Uint8Array[]>();

/** Bytes of keys that all share a bucket; looked for once. */
function colliding(kind: Kind): Uint8Array[] {
  let keys = found.get(kind);
  if (keys !== undefined) return keys;
  keys = [];
  const words = new DataView(new ArrayBuffer(8));
  for (let index = 0; keys.length < COUNT; index++) {
    if (kind === 'digits') {
      keys.push(strOf(String(1_000_013_824 + index * 65_536)));
    } else if (kind === 'ints') {
      if (isFirst(hash32(index))) keys.push(keyOf(0xce, (view) => view.setUint32(1, index), 5));
    } else if (kind === 'floats') {
      words.setFloat64(0, index + 0.5);
      if (isFirst(hash64(words.getInt32(0), words.getInt32(4)))) {
        keys.push(keyOf(0xcb, (view) => view.setFloat64(1, index + 0.5), 9));
      }
    } else if (isFirst(hash64(0x7000_0000, index))) {
      keys.push(keyOf(0xcf, (view) => view.setBigUint64(1, (0x7000_0000n << 32n) + BigInt(index)), 9));
    }
  }
  found.set(kind, keys);
  return keys;
}

function isFirst(hash: number): boolean {
  return (hash & (BUCKETS - 1)) === 1;
}

function hash32(key: number): number {
  let hash = (~key + (key << 15)) >>> 0;
  hash = (hash ^ (hash >>> 12)) >>> 0;
  hash = (hash + (hash << 2)) >>> 0;
  hash = (hash ^ (hash >>> 4)) >>> 0;
  hash = Math.imul(hash, 2057) >>> 0;
  return hash ^ (hash >>> 16);
}

/** The 64 bits that `hash64` computes with, two words: millions of pairs would take a minute. */
const word = { high: 0, low: 0 };

function hash64(high: number, low: number): number {
  set(~high, ~low);
  add((high << 18) | (low >>> 14), low << 18);
  set(word.high ^ (word.high >>> 31), word.low ^ ((word.high << 1) | (word.low >>> 31)));
  const { high: h, low: l } = word;
  add((h << 2) | (l >>> 30), l << 2);
  add((h << 4) | (l >>> 28), l << 4);
  set(word.high ^ (word.high >>> 11), word.low ^ ((word.high << 21) | (word.low >>> 11)));
  add((word.high << 6) | (word.low >>> 26), word.low << 6);
  return word.low ^ ((word.high << 10) | (word.low >>> 22));
}

function set(high: number, low: number): void {
  word.high = high | 0;
  word.low = low | 0;
}

function add(high: number, low: number): void {
  const sum = (word.low >>> 0) + (low >>> 0);
  set(word.high + high + (sum > 0xffff_ffff ? 1 : 0), sum);
}

function keyOf(head: number, set: (view: DataView) => void, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[0] = head;
  set(new DataView(bytes.buffer));
  return bytes;
}

/** Some values behind one another, behind a head that counts them. */
function joined(head: readonly number[], parts: readonly Uint8Array[], behind: readonly number[]): Uint8Array {
  const bytes = [...head];
  for (const part of parts) bytes.push(...part, ...behind);
  return Uint8Array.from(bytes);
}

function head32(head: number, count: number): number[] {
  return [head, count >>> 24, (count >>> 16) & 0xff, (count >>> 8) & 0xff, count & 0xff];
}

function strOf(text: string): Uint8Array {
  return Uint8Array.of(0xa0 + text.length, ...new TextEncoder().encode(text));
}

function mapOf(keys: readonly Uint8Array[]): Uint8Array {
  return joined(head32(0xdf, keys.length), keys, [0x01]);
}

/** An array of maps, or of other values. */
function arrayOf(values: readonly Uint8Array[]): Uint8Array {
  return joined(head32(0xdd, values.length), values, []);
}

/** A declaration of a record with these names, and its first instance. */
function recordOf(names: readonly Uint8Array[]): Uint8Array {
  return joined(
    [0xd4, 0x72, 0x40, ...head32(0xdd, names.length)],
    [...names, ...names.map(() => Uint8Array.of(1))],
    [],
  );
}

const allowed = (maxCollisions: number) => ({ limits: { maxCollisions } });

const REFUSED = { code: 'limit_exceeded', message: /maxCollisions/ };

const READERS = [{}, { mode: 'strict' }, { mode: 'lossless' }, { mapsAsObjects: false }] as const;

for (const kind of ['ints', 'floats', 'bigs', 'digits'] as const) {
  test(`a Map of ${kind} that share a bucket costs exactly so much, in every reader`, () => {
    const map = mapOf(colliding(kind));
    const nested = Uint8Array.of(0x92, 0x07, ...map);
    for (const options of READERS) {
      if (kind === 'digits' && options !== READERS[2] && options !== READERS[3]) continue; // names of properties
      const doors = (most: number) => [
        new Unpackr({ records: 'off', ...options, ...allowed(most) }),
        new Unpackr({ records: 'inline', ...options, ...allowed(most) }),
        new compact.Unpackr({ records: 'inline', ...options, ...allowed(most) }),
      ];
      for (const unpackr of doors(COMPARISONS)) unpackr.unpack(nested);
      for (const unpackr of doors(COMPARISONS - 1)) {
        assertFault(() => unpackr.unpack(map), { ...REFUSED, offset: 0, path: '' });
        assertFault(() => unpackr.unpack(nested), { ...REFUSED, offset: 2, path: '/1' });
      }
    }
    const few = { mapsAsObjects: false, ...allowed(COMPARISONS - 1) };
    const cloning = new Unpackr({ structuredClone: true, ...few });
    assertFault(() => cloning.unpack(nested), { ...REFUSED, offset: 2, path: '/1' });
    assertFault(() => get(nested, '/1', few), { ...REFUSED, offset: 2, path: '/1' });
    assertFault(() => decodeFirst(nested, 0, few), { ...REFUSED, offset: 2, path: '/1' });
    assert.deepEqual(
      [...cloning.unpack<Map<unknown, unknown>>(mapOf(colliding(kind).slice(1))).values()].length,
      COUNT - 1,
    );
    const stream = new StreamDecoder(few);
    assert.deepEqual(stream.push(Uint8Array.of(7, ...map)), [7]);
    assertFault(() => stream.finish(), { ...REFUSED, offset: 1, path: '' });
  });

  test(`a Set of ${kind} that share a bucket costs as much`, () => {
    const set = Uint8Array.of(0x91, 0xd4, 0x73, 0x00, ...arrayOf(colliding(kind)));
    const reader = (most: number) => new Unpackr({ structuredClone: true, ...allowed(most) });
    assert.equal(reader(COMPARISONS).unpack<Set<unknown>[]>(set)[0]?.size, COUNT);
    assertFault(() => reader(COMPARISONS - 1).unpack(set), { ...REFUSED, offset: 1, path: '/0' });
  });

  test(`${kind} that would collide in a Map cost nothing in objects and lists`, () => {
    const keys = colliding(kind);
    assert.equal(unpack<unknown[]>(arrayOf(keys), allowed(1)).length, COUNT);
    if (kind === 'floats') return; // no names of properties
    const options = { mapsAsObjects: true, ...allowed(1) };
    for (const unpackr of [new Unpackr(options), new compact.Unpackr(options)]) {
      assert.equal(Object.keys(unpackr.unpack(mapOf(keys)) as object).length, COUNT);
    }
  });
}

test('what the keys of a message cost is a sum over all of its tables', () => {
  const map = mapOf(colliding('ints'));
  const message = arrayOf([map, map, map]);
  const enough = { mapsAsObjects: false, ...allowed(3 * COMPARISONS) };
  const few = { mapsAsObjects: false, ...allowed(3 * COMPARISONS - 1) };
  const fault = { ...REFUSED, offset: 5 + 2 * map.length, path: '/2' };
  for (const door of [{ unpack }, compact]) {
    assert.equal(door.unpack<unknown[]>(message, enough).length, 3);
    assertFault(() => door.unpack(message, few), fault);
  }
  // The elements of an array are parts of one message, however they arrive.
  const values: unknown[] = [];
  const readElements = (chunks: Uint8Array[], options: object) => {
    for (const element of decodeElements(chunks, options)) values.push(element);
  };
  readElements([message], enough);
  for (let cut = 1; cut < message.length; cut += 1500) {
    values.length = 0;
    assertFault(() => readElements([message.slice(0, cut), message.slice(cut)], few), fault);
    assert.equal(values.length, 2);
  }
  // Values that follow each other are messages of their own.
  const each = allowed(COMPARISONS);
  assert.equal(unpackMultiple(Uint8Array.of(...map, ...map)).length, 2);
  assert.equal(new Unpackr({ mapsAsObjects: false, ...each }).unpackMultiple(Uint8Array.of(...map, ...map)).length, 2);
  assert.equal(new StreamDecoder({ mapsAsObjects: false, ...each }).push(Uint8Array.of(...map, ...map)).length, 2);
});

test('the map that exceeds the sum is named, also where another one is inside', () => {
  const [first = new Uint8Array(), ...others] = colliding('ints');
  // A map with a map as its first value: the inner one is complete when the outer one costs too much.
  const inner = mapOf(colliding('bigs'));
  const outer = joined([...head32(0xdf, COUNT), ...first, ...inner], others, [0x01]);
  for (const door of [{ unpack }, compact]) {
    const read = (most: number) => door.unpack(outer, { mapsAsObjects: false, ...allowed(most) });
    read(2 * COMPARISONS);
    assertFault(() => read(2 * COMPARISONS - 1), { ...REFUSED, offset: 0, path: '' });
    assertFault(() => read(COMPARISONS - 1), { ...REFUSED, offset: 5 + first.length, path: `/${keyNumber(first)}` });
  }
});

function keyNumber(key: Uint8Array): number {
  return new DataView(key.buffer).getUint32(1);
}

test('the data of an extension is a part of the message', () => {
  const map = mapOf(colliding('ints'));
  const ext = joined([0xc8, map.length >> 8, map.length & 0xff, 0x07], [map], []);
  const message = arrayOf([ext, map]);
  const extensions = [{ type: 7, read: (value: unknown) => value }];
  for (const door of [{ Unpackr }, compact]) {
    const reader = (most: number) => new door.Unpackr({ mapsAsObjects: false, extensions, ...allowed(most) });
    reader(2 * COMPARISONS).unpack(message);
    assertFault(() => reader(2 * COMPARISONS - 1).unpack(message), { ...REFUSED, path: '/1' });
  }
});

test('names of records cost as much as keys', () => {
  const names = colliding('digits');
  const record = recordOf(names);
  const message = Uint8Array.of(0x93, 0x07, ...record, 0x40, ...names.map(() => 2));
  const instance = 2 + record.length;
  for (const door of [{ Unpackr }, compact]) {
    // A declaration compares its names, and lossless mode makes a Map of each instance.
    const lossless = (most: number) => new door.Unpackr({ records: 'inline', mode: 'lossless', ...allowed(most) });
    assert.equal(lossless(3 * COMPARISONS).unpack<Map<unknown, unknown>[]>(message)[2]?.size, COUNT);
    assertFault(() => lossless(3 * COMPARISONS - 1).unpack(message), { ...REFUSED, offset: instance, path: '/2' });
    assertFault(() => lossless(2 * COMPARISONS - 1).unpack(message), { ...REFUSED, offset: 2, path: '/1' });
    const plain = (most: number) => new door.Unpackr({ records: 'inline', ...allowed(most) });
    plain(COMPARISONS).unpack(message);
    assertFault(() => plain(COMPARISONS - 1).unpack(message), { ...REFUSED, offset: 2, path: '/1' });
  }
  // Inside of keys, names are compared by other texts.
  const key = mapOf(names);
  unpack(Uint8Array.of(0x82, ...key, 1, 0x91, 0x01, 2), { mode: 'lossless', ...allowed(1_000_000) });
});

test('labels of structured cloning, and pointers to them, cost as much', () => {
  const labels = colliding('ints').map((key) => key.slice(1));
  const labelled = labels.map((label) => Uint8Array.of(0xd6, 0x69, ...label, 0x90));
  const deepest = labels[0] as Uint8Array;
  const pointers = Array.from({ length: 100 }, () => Uint8Array.of(0xd6, 0x70, ...deepest));
  const message = arrayOf([...labelled, ...pointers]);
  const read = (most: number) => new Unpackr({ structuredClone: true, ...allowed(most) }).unpack<unknown[]>(message);
  // They are counted once there are more than 256.
  const all = COMPARISONS - (257 * 256) / 2 + 100 * COUNT;
  assert.equal(read(all).length, COUNT + 100);
  assertFault(() => read(all - 1), { ...REFUSED, offset: message.length - 6, path: `/${COUNT + 99}` });
  assertFault(() => read(all - 100 * COUNT - 1), { ...REFUSED, offset: 5 + 7 * (COUNT - 1), path: `/${COUNT - 1}` });
});

test('a key that comes again is no other key, but is looked up again', () => {
  const keys = colliding('ints');
  const again = new Array<Uint8Array>(5000).fill(keys[0] as Uint8Array);
  const most = COMPARISONS + 5000 * COUNT;
  const bytes = mapOf([...keys, ...again]);
  for (const door of [{ unpack }, compact]) {
    const read = (maxCollisions: number) =>
      door.unpack<Map<unknown, unknown>>(bytes, { mapsAsObjects: false, ...allowed(maxCollisions) });
    assert.equal(read(most).size, COUNT);
    assertFault(() => read(most - 1), { ...REFUSED, offset: 0 });
  }
});

test('20,000 ids of milliseconds, a worker and a sequence are read in every mode, as ints and digits', THOROUGH, () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => {
    return ((1_700_000_000_000n + BigInt(index)) << 22n) + (7n << 12n) + BigInt(index % 4);
  });
  const ints = mapOf(ids.map((id) => keyOf(0xcf, (view) => view.setBigUint64(1, id), 9)));
  const digits = mapOf(ids.map((id) => strOf(String(id))));
  for (const options of READERS) {
    for (const bytes of [ints, digits]) {
      for (const unpackr of [new Unpackr(options), new compact.Unpackr(options)]) {
        const value = unpackr.unpack(bytes);
        const size = value instanceof Map ? value.size : Object.keys(value as object).length;
        assert.equal(size, ids.length);
      }
    }
  }
});

test('honest keys pass', THOROUGH, () => {
  const count = 50_000;
  const honest: Record<string, (index: number) => unknown> = {
    'numbers in a row': (index) => index,
    'multiples of 65,536': (index) => index * 65_536,
    negative: (index) => -index - 1,
    'milliseconds of seconds': (index) => 1_700_000_000_000 + 1000 * index,
    fractions: (index) => index / 8,
    'ids of 64 bits': (index) => (1n << 62n) + (BigInt(index) << 22n),
    names: (index) => `user-${index}@example.org`,
    digits: (index) => `${index}`,
  };
  for (const [name, key] of Object.entries(honest)) {
    const map = new Map(Array.from({ length: count }, (_, index) => [key(index), index]));
    const bytes = new Packr({ mapsAsObjects: false }).pack(map);
    // Hardly more than one comparison for each key.
    for (const options of [{ mapsAsObjects: false }, { mode: 'lossless' }] as const) {
      for (const unpackr of [
        new Unpackr({ ...options, ...allowed(2 * count) }),
        new compact.Unpackr({ ...options, ...allowed(2 * count) }),
      ]) {
        const decoded = unpackr.unpack(bytes);
        assert.ok(name === 'digits' || name === 'names' || decoded instanceof Map, name);
        if (decoded instanceof Map) assert.equal(decoded.size, count, name);
      }
    }
  }
  const set = new Set(Array.from({ length: count }, (_, index) => index * 4096));
  const clone = new Packr({ structuredClone: true, ...allowed(2 * count) });
  assert.deepEqual(clone.unpack(clone.pack(set)), set);
});

test('the default is 200,000,000', THOROUGH, () => {
  const keys = Array.from({ length: 21_000 }, (_, index) => strOf(String(1_000_013_824 + index * 65_536)));
  const bytes = mapOf(keys);
  for (const door of [{ unpack }, compact]) {
    assertFault(() => door.unpack(bytes, { mapsAsObjects: false }), { ...REFUSED, offset: 0, path: '' });
    assert.equal(door.unpack<Map<unknown, unknown>>(mapOf(keys.slice(1000)), { mapsAsObjects: false }).size, 20_000);
  }
});

test('the limit moves', () => {
  const bytes = mapOf(colliding('ints'));
  const limits = { maxCollisions: Number.POSITIVE_INFINITY };
  for (const door of [{ Unpackr }, compact]) {
    const trusting = new door.Unpackr({ mapsAsObjects: false, limits });
    assert.equal((trusting.unpack(bytes) as Map<unknown, unknown>).size, COUNT);
  }
  assert.throws(() => new Unpackr({ limits: { maxCollisions: 0 } }), RangeError);
  assert.throws(() => new compact.Unpackr({ limits: { maxCollisions: 0 } }), TypeError);
});

test('keys that no longer collide in a table that has grown cost no more', () => {
  const honest = Array.from({ length: 50_000 }, (_, index) => keyOf(0xce, (view) => view.setUint32(1, index), 5));
  const wide = colliding('floats');
  const bytes = mapOf([...honest, ...wide]);
  // They share the lowest 10 bits of a hash, and there are 32,768 buckets when they come.
  const options = { mapsAsObjects: false, ...allowed(150_000) };
  for (const door of [{ unpack }, compact]) {
    assert.equal(door.unpack<Map<unknown, unknown>>(bytes, options).size, 50_000 + COUNT);
  }
});

test('a table of 256 keys costs nothing', () => {
  const few = mapOf(colliding('ints').slice(0, 256));
  const more = mapOf(colliding('ints').slice(0, 257));
  const options = { mapsAsObjects: false, ...allowed(1) };
  for (const door of [{ unpack }, compact]) {
    assert.equal(door.unpack<Map<unknown, unknown>>(few, options).size, 256);
    assertFault(() => door.unpack(more, options), REFUSED);
  }
});

test('NaN and the bigint 0 have buckets of their own', () => {
  const filling = (bucket: number) => {
    const keys = [];
    for (let index = 0; keys.length < COUNT; index++) {
      if ((hash32(index) & (BUCKETS - 1)) === bucket) keys.push(keyOf(0xce, (view) => view.setUint32(1, index), 5));
    }
    return keys;
  };
  const nan = keyOf(0xcb, (view) => view.setFloat64(1, Number.NaN), 9);
  const zero = Uint8Array.of(0xd4, 0x42, 0x00);
  for (const message of [mapOf([...filling(BUCKETS - 1), nan]), mapOf([...filling(0), zero])]) {
    const read = (most: number) =>
      new Unpackr({ moreTypes: true, mapsAsObjects: false, ...allowed(most) }).unpack(message);
    read(COMPARISONS + COUNT);
    assertFault(() => read(COMPARISONS + COUNT - 1), REFUSED);
  }
});
