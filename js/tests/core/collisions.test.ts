// spec/06-limits.md#collisions: keys that share a bucket of a Map or Set.
//
// Plan: keys that collide in V8 · what refuses them · what costs nothing · honest keys · moving the limit.
//
// The keys are found by trying, with V8's public functions, here written in words of 32 bits. Without the limit these
// messages take half a second, and as long as one pleases when they are made longer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, Packr, Unpackr, unpack, unpackMultiple } from 'polypack';
import * as compact from 'polypack/compact';
import { assertFault } from '../_check.ts';
import { cpuMilliseconds } from '../_cost.ts';
import { THOROUGH } from '../_runs.ts';

const COUNT = 7000;

/** V8 has at most so many buckets for as many keys. */
const BUCKETS = 4096;

const MILLISECONDS = 1500;

type Kind = 'ints' | 'floats' | 'bigs';

const found = new Map<Kind, Uint8Array[]>();

/** Bytes of keys that all share a bucket; looked for once, because that takes a second. */
function colliding(kind: Kind): Uint8Array[] {
  let keys = found.get(kind);
  if (keys !== undefined) return keys;
  keys = [];
  const words = new DataView(new ArrayBuffer(8));
  for (let index = 0; keys.length < COUNT; index++) {
    if (kind === 'ints') {
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

function mapOf(keys: readonly Uint8Array[]): Uint8Array {
  return joined(head32(0xdf, keys.length), keys, [0x01]);
}

/** Runs it, which must not take long. */
function quick<T>(run: () => T): T {
  const start = cpuMilliseconds();
  try {
    return run();
  } finally {
    assert.ok(cpuMilliseconds() - start < MILLISECONDS, `${cpuMilliseconds() - start} ms`);
  }
}

for (const kind of ['ints', 'floats', 'bigs'] as const) {
  test(`${kind} that share a bucket of a Map are refused`, THOROUGH, () => {
    const bytes = mapOf(colliding(kind));
    const nested = Uint8Array.of(0x92, 0x07, ...bytes);
    const expected = { code: 'limit_exceeded', message: /maxCollisions/ };
    const entry = (bytes.length - 5) / COUNT;
    for (const options of [{}, { mode: 'strict' }, { mode: 'lossless' }, { mapsAsObjects: false }] as const) {
      for (const unpackr of [new Unpackr(options), new compact.Unpackr({ records: 'inline', ...options })]) {
        const { offset } = assertFault(() => quick(() => unpackr.unpack(bytes)), { ...expected, path: '' });
        assert.equal(((offset as number) - 5) % entry, 0, 'the head of a key');
        assertFault(() => quick(() => unpackr.unpack(nested)), { ...expected, path: '/1' });
      }
    }
    const unpackr = new Unpackr({ structuredClone: true });
    assertFault(() => quick(() => unpackr.unpack(bytes)), { ...expected, path: '' });
    assertFault(() => quick(() => get(bytes, '/none', { mode: 'strict' })), { ...expected, path: '' });
    const error = assertFault(() => quick(() => unpackMultiple(Uint8Array.of(7, ...bytes))), expected);
    assert.deepEqual(error.values, [7]);
  });

  test(`${kind} that share a bucket of a Set are refused`, THOROUGH, () => {
    const elements = colliding(kind);
    const bytes = joined([0xd4, 0x73, 0x00, ...head32(0xdd, COUNT)], elements, []);
    const unpackr = new Unpackr({ structuredClone: true });
    assertFault(() => quick(() => unpackr.unpack(bytes)), { code: 'limit_exceeded', message: /maxCollisions/ });
  });

  test(`${kind} that would collide in a Map are no harm to objects and lists`, THOROUGH, () => {
    const keys = colliding(kind);
    const list = unpack<unknown[]>(joined(head32(0xdd, COUNT), keys, []));
    assert.equal(list.length, COUNT);
    if (kind === 'floats') return; // no names of properties
    for (const unpackr of [new Unpackr({ mapsAsObjects: true }), new compact.Unpackr({ mapsAsObjects: true })]) {
      const object = quick(() => unpackr.unpack(mapOf(keys)));
      assert.equal(Object.keys(object as object).length, COUNT);
    }
  });
}

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
    for (const options of [{ mapsAsObjects: false }, { mode: 'lossless' }] as const) {
      for (const unpackr of [new Unpackr(options), new compact.Unpackr(options)]) {
        const decoded = unpackr.unpack(bytes);
        assert.ok(name === 'digits' || name === 'names' || decoded instanceof Map, name);
        if (decoded instanceof Map) assert.equal(decoded.size, count, name);
      }
    }
  }
  const set = new Set(Array.from({ length: count }, (_, index) => index * 4096));
  const clone = new Packr({ structuredClone: true });
  assert.deepEqual(clone.unpack(clone.pack(set)), set);
});

test('a key that comes again is no other key', () => {
  const numbers = Array.from({ length: 5000 }, (_, index) => keyOf(0xcd, (view) => view.setUint16(1, index + 256), 3));
  const bytes = mapOf([...numbers, ...new Array(40_000).fill(numbers[0])]);
  for (const unpackr of [new Unpackr({ mapsAsObjects: false }), new compact.Unpackr({ mapsAsObjects: false })]) {
    assert.equal((unpackr.unpack(bytes) as Map<unknown, unknown>).size, 5000);
  }
});

test('the limit moves', THOROUGH, () => {
  const bytes = mapOf(colliding('ints'));
  const limits = { maxCollisions: Number.POSITIVE_INFINITY };
  for (const door of [{ Unpackr }, compact]) {
    assertFault(() => new door.Unpackr({ mapsAsObjects: false }).unpack(bytes), { code: 'limit_exceeded' });
    const trusting = new door.Unpackr({ mapsAsObjects: false, limits });
    assert.equal((trusting.unpack(bytes) as Map<unknown, unknown>).size, COUNT);
  }
  assert.throws(() => new Unpackr({ limits: { maxCollisions: 0 } }), RangeError);
  assert.throws(() => new compact.Unpackr({ limits: { maxCollisions: 0 } }), TypeError);
});

test('keys that no longer collide in a table that has grown pass', THOROUGH, () => {
  const honest = Array.from({ length: 100_000 }, (_, index) => keyOf(0xce, (view) => view.setUint32(1, index), 5));
  const wide = colliding('floats');
  const bytes = mapOf([...honest, ...wide]);
  for (const unpackr of [new Unpackr({ mapsAsObjects: false }), new compact.Unpackr({ mapsAsObjects: false })]) {
    // They share the lowest 12 bits of a hash, and there are 65,536 buckets when they come.
    assert.equal((quick(() => unpackr.unpack(bytes)) as Map<unknown, unknown>).size, 100_000 + COUNT);
  }
});
