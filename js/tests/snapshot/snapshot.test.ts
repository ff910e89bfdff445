// What values of PHP become (spec/10#elsewhere), options, and hostile input.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { PolypackError } from 'polypack';
import { PhpCase, PhpObject, unserialize, unserializeSigned } from 'polypack/snapshot';
import { cpuMilliseconds } from '../_cost.ts';
import { runs, THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { REPOSITORY } from '../_vectors.ts';

const snapshot = (hex: string) => bytesOf(`c1 53 01 00 ${hex}`);
const read = (hex: string) => unserialize(snapshot(hex));

/** HMAC-SHA-256, which browsers have as well. */
async function signature(key: Uint8Array<ArrayBuffer>, signed: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new Uint8Array(signed)));
}

test('an array is an Array if it is a list, an object if all keys are text, else a Map', () => {
  assert.deepEqual(read('82 05 c8 000000000000f83f'), [5, 1.5]);
  assert.deepEqual(read('ce 02 42 6964 41 61 07 c3'), { id: 7, a: true });
  assert.deepEqual(
    read('d6 02 00 05 41 78 01 02'),
    new Map<unknown, unknown>([
      [5, 1],
      ['x', 2],
    ]),
  );
  assert.deepEqual(Object.keys(read('d6 03 00 41 62 41 61 42 3031 01 02 03') as object), ['b', 'a', '01']);
});

test('the key __proto__ is a property like any other', () => {
  for (const hex of ['ce 01 49 5f5f70726f746f5f5f 80', 'd6 01 00 49 5f5f70726f746f5f5f 80']) {
    const value = read(hex) as object;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.entries(value), [['__proto__', []]]);
  }
});

test('ints above 2^53 are bigints, also in columns and as keys', () => {
  assert.equal(read('c7 ffffffffffffff7f'), 2n ** 63n - 1n);
  assert.deepEqual(read('d4 02 02 00 40 ffffffffffffffff 0000000000000080'), [-1, -(2n ** 63n)]);
  assert.deepEqual([...(read('d6 01 00 c7 0000000000000080 c0') as Map<unknown, unknown>).keys()], [-(2n ** 63n)]);
});

test('a string that is not UTF-8 is its bytes, also as a key and as a name', () => {
  assert.deepEqual(read('42 00ff'), Uint8Array.of(0, 0xff));
  assert.deepEqual([...(read('d6 01 00 41 ff 05') as Map<unknown, unknown>)], [[Uint8Array.of(0xff), 5]]);
  assert.deepEqual([...(read('ce 01 41 ff 05') as Map<unknown, unknown>)], [[Uint8Array.of(0xff), 5]]);
  assert.deepEqual((read('cf 41 ff 00 00 00 00') as PhpObject).class, Uint8Array.of(0xff));
  assert.throws(() => read('d6 02 00 41 ff 41 ff 05 06'), { code: 'duplicate_key', offset: 4 });
  for (const text of ['é', '€', '😀', '\ufeff', 'a\0b', '\u07ff\u0800\uffff', `${'x'.repeat(20)}😀`]) {
    const utf8 = hexOf(new TextEncoder().encode(text));
    assert.equal(read(`c9 ${(utf8.length / 2).toString(16).padStart(2, '0')} ${utf8}`), text);
  }
  for (const bad of ['c080', 'e080af', 'eda080', 'f08080af', 'f4908080', 'f5', '80', 'e282', 'c3']) {
    assert.ok(read(`c9 ${(bad.length / 2).toString(16).padStart(2, '0')} ${bad}`) instanceof Uint8Array, bad);
  }
});

test('an object has its class, its properties in order, and the names of those without a value', () => {
  const object = read('cf 43 417070 00 02 02 01 43 005800 41 35 41 63 01 02') as PhpObject;
  assert.ok(object instanceof PhpObject);
  assert.equal(object.class, 'App');
  assert.deepEqual(
    [...object.properties],
    [
      ['\0X\0', 1],
      ['5', 2],
    ],
  );
  assert.deepEqual(object.absent, ['c']);
  assert.deepEqual([object.data, object.bytes], [undefined, undefined]);
  const data = read('d0 41 41 00 82 01 02') as PhpObject;
  assert.deepEqual([data.data, data.bytes, data.properties.size], [[1, 2], undefined, 0]);
  const old = read('d1 41 41 42 6162') as PhpObject;
  assert.deepEqual([old.data, old.bytes, old.properties.size], [undefined, 'ab', 0]);
  const many = read('d0 41 41 01 82 01 02') as PhpObject;
  assert.deepEqual(
    [...many.properties],
    [
      ['0', 1],
      ['1', 2],
    ],
  );
});

test('a case is one object, however often its shape is written', () => {
  const [one, two, other] = read('83 d2 44 53756974 41 48 d2 90 41 48 d2 90 41 53') as PhpCase[];
  assert.ok(one instanceof PhpCase);
  assert.deepEqual([one.class, one.name, other?.name], ['Suit', 'H', 'S']);
  assert.equal(one, two);
  assert.notEqual(one, other);
});

test('cases of two classes are told apart, whatever bytes their names contain', () => {
  const [one, two] = read('82 d2 44 41007342 41 43 d2 41 41 44 42007343') as PhpCase[];
  assert.deepEqual([one?.class, one?.name, two?.class, two?.name], ['A\0sB', 'C', 'A', 'B\0sC']);
});

test('objects and referenced arrays that occur again are identical, and may contain themselves', () => {
  const object = read('cf 41 41 00 01 01 00 41 6f dc 00') as PhpObject;
  assert.equal(object.properties.get('o'), object);
  const [list, again] = read('82 da 82 05 db 00 db 00') as [unknown[], unknown];
  assert.equal(list, again);
  assert.equal(list[1], list);
  const inside = (container: unknown) => {
    if (container instanceof Map) return container.get(5);
    return Array.isArray(container) ? container[0].a : (container as { a: unknown }).a;
  };
  for (const hex of ['ce 01 41 61 db 00', 'd6 01 00 05 db 00', 'd5 01 ce 01 41 61 00 db 00']) {
    const [container] = read(`81 da ${hex}`) as [unknown];
    assert.equal(inside(container), container, hex);
  }
});

test('equal arrays of one column or place are not the same array', () => {
  const [one, two] = read('d4 02 01 81 05') as [unknown, unknown];
  assert.deepEqual([one, two], [[5], [5]]);
  assert.notEqual(one, two);
  const [first, second] = read('82 ce 01 41 61 81 05 60 d9') as { a: unknown }[];
  assert.deepEqual([first, second], [{ a: [5] }, { a: [5] }]);
  assert.notEqual(first?.a, second?.a);
});

test('an array with floats is not shared, however its floats are written', () => {
  for (const floats of [
    '81 c8 0000000000000000',
    'd4 01 05 0000000000000000',
    'd4 01 06 00 02 00 00',
    'd4 01 01 c8 0000000000000000',
  ]) {
    assert.throws(() => read(`82 ce 01 41 61 ${floats} 60 d9`), { code: 'invalid_snapshot', path: '/1/a' }, floats);
    assert.throws(() => read(`d4 02 01 ${floats}`), { code: 'invalid_snapshot' }, floats);
  }
  assert.deepEqual(read('82 ce 01 41 61 d4 01 85 00 60 d9'), [{ a: [null] }, { a: [null] }]);
});

test('wrong options are no errors of data', async () => {
  const key = new Uint8Array(16);
  const call = (options: object) => unserializeSigned(snapshot('c0'), options as never);
  assert.throws(() => unserialize(snapshot('c0'), { depth: 5 } as never), TypeError);
  assert.throws(() => unserialize(snapshot('c0'), { limits: { maxDept: 5 } } as never), TypeError);
  assert.throws(() => unserialize(snapshot('c0'), { limits: { maxElements: -1 } }), RangeError);
  assert.throws(() => unserialize('c0' as never), TypeError);
  await assert.rejects(call({}), TypeError);
  await assert.rejects(call({ keys: 'a key that is a string' }), TypeError);
  await assert.rejects(call({ keys: { a: 'a key that is a string' } }), TypeError);
  await assert.rejects(call({ keys: new Uint8Array(15) }), RangeError);
  await assert.rejects(call({ keys: {} }), RangeError);
  await assert.rejects(call({ keys: { 'a b': key } }), RangeError);
  await assert.rejects(call({ keys: key, purpose: '\ud800' }), TypeError);
  await assert.rejects(call({ keys: key, frame: 'none' }), TypeError);
  await assert.rejects(call({ keys: key, frame: 'plain', purpose: 'a' }), /^TypeError: a plain frame has no purpose/);
  await assert.rejects(call({ keys: key, key }), TypeError);
});

test('what is verified is what is read', async () => {
  const key = new Uint8Array(32).fill(7);
  const payload = snapshot('81 05');
  const input = new Uint8Array([...payload, ...(await signature(key, payload))]);
  const reading = unserializeSigned(input, { keys: key, frame: 'plain' });
  input[5] = 6;
  assert.deepEqual(await reading, [5]);
  await assert.rejects(unserializeSigned(input, { keys: key, frame: 'plain' }), {
    code: 'invalid_signature',
    offset: 0,
  });
});

test('an error behind an envelope has its offset from the start of the envelope', async () => {
  const envelope = bytesOf(`c1 45 01 01 00 00 00 00 00 00 00 00 00 00 e3 b0 c4 42 98 fc 1c 14 00`);
  const key = new Uint8Array(16).fill(7);
  const payload = snapshot('81 c1');
  const tag = await signature(key, Uint8Array.of(...envelope, 0, 0, 0, 0, ...payload));
  const reading = unserializeSigned(new Uint8Array([...envelope, ...tag, ...payload]), { keys: key });
  await assert.rejects(reading, { code: 'invalid_snapshot', offset: 23 + 32 + 5, path: '/0' });
});

test('a snapshot without a signature is named in the error', async () => {
  const reading = unserializeSigned(snapshot('c0'), { keys: new Uint8Array(16) });
  await assert.rejects(reading, { code: 'invalid_signature', offset: 0, message: /a snapshot without a signature/ });
});

test('an envelope without its signature checked is named in the error', () => {
  assert.throws(() => unserialize(bytesOf('c1 45 01 01')), { code: 'invalid_snapshot', message: /unserializeSigned/ });
});

test('nesting beyond the call stack is an error', () => {
  const deep = new Uint8Array(4 + 4097).fill(0x81);
  deep.set(snapshot('').subarray(0, 4));
  assert.throws(() => unserialize(deep, { limits: { maxDepth: 4096 } }), { code: /limit_exceeded|unexpected_end/ });
});

test('mixed keys that share buckets are counted', () => {
  const keys = Array.from(
    { length: 300 },
    (_, index) => `c6 ${Buffer.from(Int32Array.of(index + 64).buffer).toString('hex')}`,
  );
  const wide = `d6 ac02 00 ${keys.join('')} ${'c0'.repeat(300)}`;
  assert.equal((read(wide) as Map<unknown, unknown>).size, 300);
  assert.throws(() => unserialize(snapshot(wide), { limits: { maxCollisions: 1 } }), {
    code: 'limit_exceeded',
    offset: 4,
  });
});

/** The bytes of all vectors that are values. */
const CORPUS = ['values', 'objects', 'accepted'].flatMap((room) => {
  const { cases } = JSON.parse(readFileSync(new URL(`vectors/snapshot/${room}.json`, REPOSITORY), 'utf8'));
  return (cases as { bytes: string }[]).map(({ bytes }) => bytesOf(bytes)).filter(({ length }) => length < 3000);
});

test('changed bytes give a value, or an error with its offset', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), cut: fc.nat({ max: 20 }) });
  const property = fc.property(
    fc.constantFrom(...CORPUS),
    fc.array(change, { minLength: 1, maxLength: 4 }),
    (valid, changes) => {
      let bytes = valid.slice();
      for (const { at, byte, cut } of changes) {
        bytes[4 + (at % Math.max(1, bytes.length - 4))] = byte;
        if (cut < 3) bytes = bytes.slice(0, bytes.length - cut);
      }
      try {
        unserialize(bytes);
      } catch (error) {
        assert.ok(error instanceof PolypackError, String(error));
        assert.ok(error.offset !== null && error.offset >= 0 && error.offset <= bytes.length, error.message);
      }
    },
  );
  fc.assert(property, { numRuns: runs(2000) });
});

test('a megabyte of any cheap unit takes linear time', THOROUGH, () => {
  const units: Record<string, readonly [string, string]> = {
    'empty lists': ['', '80'],
    rows: ['ce 01 41 61 01', '60 01'],
    objects: ['cf 41 41 00 01 01 00 41 61 01', '60 01'],
    bytes: ['', '42 ffff'],
    maps: ['', 'd6 01 00 05 01'],
    'arrays again': ['ce 01 41 61 81 05', '60 d9'],
    shapes: ['', 'ce 01 41 61 00'],
    cases: ['', 'd2 40 40'],
    references: ['', 'da 01'],
  };
  const timeOf = (first: string, unit: string, times: number, rounds: number) => {
    const count = times + (first === '' ? 0 : 1);
    const counted = [(count & 0x7f) | 0x80, ((count >> 7) & 0x7f) | 0x80, ((count >> 14) & 0x7f) | 0x80, count >> 21];
    const input = snapshot(`d3 ${Buffer.from(counted).toString('hex')} ${first} ${unit.repeat(times)}`);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const start = cpuMilliseconds();
      assert.ok(Array.isArray(unserialize(input)));
      least = Math.min(least, cpuMilliseconds() - start);
    }
    return least;
  };
  for (const [name, [first, unit]] of Object.entries(units)) {
    const times = Math.floor(250_000 / bytesOf(unit).length);
    timeOf(first, unit, 1000, 3);
    // What else a process does may spoil one measurement, and then the least of three counts.
    for (const rounds of [1, 3]) {
      const [less, more] = [timeOf(first, unit, times, rounds), timeOf(first, unit, 4 * times, rounds)];
      if (more < 16 * Math.max(less, 10)) break;
      assert.equal(rounds, 1, `${name}: four times as much takes ${more} instead of ${less} ms`);
    }
  }
});
