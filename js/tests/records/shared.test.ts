// Shared records (spec/05#shared): the bytes, also with msgpackr, and how new structures are published.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as msgpackr from 'msgpackr';
import * as msgpackrOld from 'msgpackr-1.11';
import { decodeFirst, get, Packr, packInto, Raw, StreamDecoder, type Structures, Unpackr } from 'polypack';
import * as arbitrary from '../_arbitrary.ts';
import { assertFault } from '../_check.ts';
import { QUICK, runs, THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf, hostOf, identityOf, type Tagged, taggedOf } from '../_values.ts';
import { REPOSITORY } from '../_vectors.ts';

const RUNS = runs(150);
const PEERS = { 'msgpackr 2.1.3': msgpackr, 'msgpackr 1.11.12': msgpackrOld };

/** Structures that no codec adds to. */
const fixed = (structures: Structures) => ({ structures: Object.freeze(structures) });
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => (i === 33 ? ['a'] : [`f${i}`, `g${i % 5}`]));

test('the examples of the spec', () => {
  const small = new Packr(fixed([['a']]));
  assert.equal(hexOf(small.pack([{ a: 1 }, { b: 2 }, { b: 3 }, 64])), '944001d4724191a162024103cc40');
  const large = new Packr(fixed(numbered(40)));
  assert.equal(hexOf(large.pack({ a: 1 })), '610001');
  assert.equal(hexOf(large.pack([{ b: 2 }, { b: 3 }])), '92d572600191a16202600103');
  for (const packr of [small, large]) {
    const value = [{ a: 1 }, { b: 2 }, { b: 3 }, 64];
    assert.deepEqual(packr.unpack(packr.pack(value)), value);
  }
});

interface Line {
  readonly name: string;
  readonly shapes: string[][] | null;
  readonly value: unknown;
  readonly bytes: string;
}

test('what msgpackr and Go write is written and read', () => {
  for (const file of ['msgpackr', 'go']) {
    const lines = readFileSync(new URL(`go/testdata/records/${file}.jsonl`, REPOSITORY), 'utf8')
      .trim()
      .split('\n');
    assert.ok(lines.length >= 30);
    for (const { name, shapes, value, bytes } of lines.map((line) => JSON.parse(line) as Line)) {
      const packr = new Packr(shapes === null ? {} : fixed(shapes));
      const read = packr.unpack(bytesOf(bytes));
      // Go writes maps where its values are maps, and they are read as such.
      const hasMaps = file === 'go' && name.startsWith('sparse');
      assert.deepEqual(hasMaps ? plainOf(read) : read, value, name);
      assert.equal(hexOf(packr.pack(hasMaps ? read : value)), bytes, name);
    }
  }
});

function plainOf(value: unknown): unknown {
  if (value instanceof Map) return plainOf(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainOf(one)]));
}

// --- with the library the bytes come from ----------------------------------------------------------------------------

const row = (number: number, value: unknown) =>
  number % 3 === 0 ? { [`f${number}`]: value } : { [`f${number}`]: value, [`g${number % 5}`]: number };
const rows = (count: number, shapes: number) =>
  Array.from({ length: count }, (_, i) => row((i * 7) % shapes, i % 2 === 0 ? i : { inner: row(i % 4, i) }));

/** Every round reads what the ones before it wrote. */
const ROUNDS = QUICK ? 6 : 20;

for (const [name, peer] of Object.entries(PEERS)) {
  for (const [limit, shapes] of [
    [undefined, 5],
    [undefined, 80],
    [10, 40],
    [64, 60],
    [64, 200],
    [200, 180],
    [8160, 300],
  ] as const) {
    const about = `${limit ?? 'default'} shared structures, ${shapes} shapes`;
    const options = () => (limit === undefined ? {} : { maxSharedStructures: limit });

    test(`${name} and we read each other: ${about}`, () => {
      const value = rows(300, shapes);
      const [ours, theirs]: string[][][] = [[], []];
      const packr = new Packr({ structures: ours as string[][], ...options() });
      const first = packr.pack(value);
      const again = packr.pack(value);
      // Of structures that it did not load it reads the first 32 only.
      const reader = new peer.Packr({
        getStructures: () => structuredClone(ours as string[][]) as never,
        ...options(),
      });
      assert.deepEqual(reader.unpack(Buffer.from(first)), value);
      assert.deepEqual(reader.unpack(Buffer.from(again)), value);

      const writer = new peer.Packr({ structures: theirs as never, ...options() });
      for (const bytes of [writer.pack(value), writer.pack(value)]) {
        const saved = (theirs as string[][]).slice(0, limit ?? 32).map((names) => [...names]);
        assert.deepEqual(new Unpackr(fixed(saved)).unpack(bytes), value);
      }
    });

    test(`${name} and we write in turn: ${about}`, () => {
      let saved: string[][] = [];
      const keeping = () => ({
        getStructures: () => structuredClone(saved),
        saveStructures(structures: unknown[], isCompatible: (existing: string[][]) => boolean) {
          if (!isCompatible(saved)) return false;
          saved = (structures as string[][]).map((names) => [...names]);
          return true;
        },
        ...options(),
      });
      const ours = new Packr(keeping());
      const theirs = new peer.Packr(keeping() as never);
      const written: [Uint8Array, unknown][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const value = rows(20, 1 + ((round * 37) % shapes));
        const packr = round % 2 === 0 ? ours : theirs;
        written.push([packr.pack(value), value]);
        if (limit !== 10) {
          for (const [bytes, was] of written)
            assert.deepEqual(theirs.unpack(Buffer.from(bytes)), was, `round ${round}`);
        }
        for (const [bytes, was] of written) assert.deepEqual(ours.unpack(bytes), was, `round ${round}`);
      }
      for (const [bytes, was] of written) assert.deepEqual(new Unpackr(keeping()).unpack(bytes), was);
    });
  }

  test(`${name} writes the same bytes while structures grow`, () => {
    for (const [limit, count] of [
      [32, 32],
      [64, 40],
      [128, 100],
    ] as const) {
      const value = Array.from({ length: 2 * count }, (_, i) => row(i % count, i));
      const [ours, theirs]: string[][][] = [[], []];
      const packr = new Packr({ structures: ours as string[][], maxSharedStructures: limit });
      const their = new peer.Packr({ structures: theirs as never, maxSharedStructures: limit });
      for (let round = 0; round < 3; round++) assert.equal(hexOf(packr.pack(value)), hexOf(their.pack(value)));
      assert.deepEqual(
        ours,
        Array.from(theirs as string[][], (names) => [...names]),
      );
    }
  });
}

// --- reading ---------------------------------------------------------------------------------------------------------

test('an id that is nowhere is a fault in every mode', () => {
  for (const mode of ['default', 'strict', 'lossless'] as const) {
    for (const [size, bytes, offset, path] of [
      [2, '93 40 01 05 42', 4, '/2'],
      [2, '91 60', 1, '/0'],
      [40, '91 68', 1, '/0'],
      [40, '91 68 01', 1, '/0'],
      [40, '91 60 01', 1, '/0'],
      [2, '91 d4 72 42 91 a1 61 43', 7, '/0/a'],
      [2, '81 43 01', 1, ''],
    ] as const) {
      const options = { mode, ...fixed(numbered(size).map((names) => (names.length > 1 ? names.slice(1) : names))) };
      const about = `${mode}, ${size} structures, ${bytes}`;
      const expected = { code: 'unknown_record', offset, path } as const;
      const error = assertFault(() => new Unpackr(options).unpack(bytesOf(bytes)), expected, about);
      assert.match(error.message, /shared structures/);
      const stream = new StreamDecoder(options);
      stream.push(bytesOf(bytes));
      assert.equal(stream.error?.code, 'unknown_record', about);
      assert.equal(stream.error?.offset, offset, about);
      assert.equal(stream.error?.path, path, about);
      if (mode === 'default' && bytes.startsWith('81')) {
        assertFault(() => new Unpackr({ ...options, mapsAsObjects: true }).unpack(bytesOf(bytes)), expected, about);
      }
    }
  }
});

test('paths go through shared records', () => {
  const unpackr = new Unpackr(fixed([['a', 'b/c'], ['d']]));
  assertFault(() => unpackr.unpack(bytesOf('91 40 01 41 c1')), { code: 'reserved_byte', offset: 4, path: '/0/b~1c/d' });
  assertFault(() => unpackr.unpack(bytesOf('91 40 01')), { code: 'unexpected_end', offset: 1, path: '/0' });
  assertFault(() => unpackr.unpack(bytesOf('40 01 02 03')), { code: 'trailing_data', offset: 3, path: '' });
  const pairs = new Unpackr(fixed(numbered(40)));
  assertFault(() => pairs.unpack(bytesOf('91 61')), { code: 'unexpected_end', offset: 1, path: '/0' });
  assertFault(() => pairs.unpack(bytesOf('91 61 00')), { code: 'unexpected_end', offset: 1, path: '/0' });
});

test('declarations replace shared ids until the end of the message', () => {
  const unpackr = new Unpackr(fixed([['a'], ['b']]));
  assert.deepEqual(unpackr.unpackMultiple(bytesOf('93 40 01 d4 72 40 91 a1 63 02 40 03  40 04')), [
    [{ a: 1 }, { c: 2 }, { c: 3 }],
    { a: 4 },
  ]);
  const pairs = new Unpackr(fixed(numbered(40)));
  assert.deepEqual(pairs.unpack(bytesOf('94 61 00 01 d4 72 61 91 a1 63 02 61 03 60 00 04 05')), [
    { a: 1 },
    { c: 2 },
    { c: 3 },
    { f32: 4, g2: 5 },
  ]);
  assert.deepEqual(pairs.unpack(bytesOf('94 d4 72 61 91 a1 63 02 61 03 d5 72 61 07 91 a1 64 04 61 00 05')), [
    { c: 2 },
    { c: 3 },
    { d: 4 },
    { a: 5 },
  ]);
});

test('holes, equal structures, an empty one, __proto__, integer-like names', () => {
  // biome-ignore lint/suspicious/noSparseArray: they come from msgpackr
  const packr = new Packr(fixed([['a'], null, ['b'], , ['a'], [], ['__proto__'], ['1', 'x']]));
  assert.equal(hexOf(packr.pack([{ a: 1 }, { b: 2 }, {}])), '934401420245');
  assert.deepEqual(packr.unpack(bytesOf('92 40 01 44 02')), [{ a: 1 }, { a: 2 }]);
  assertFault(() => packr.unpack(bytesOf('41')), { code: 'unknown_record', offset: 0 });
  assertFault(() => packr.unpack(bytesOf('43')), { code: 'unknown_record', offset: 0 });
  const value = packr.unpack(bytesOf('46 80')) as object;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.keys(value), ['__proto__']);
  const structures = { structures: Object.freeze([['__proto__'], ['x', '1']]) };
  assertFault(() => new Unpackr({ mode: 'strict', ...structures }).unpack(bytesOf('40 01')), { code: 'invalid_key' });
  assert.deepEqual(
    new Unpackr({ mode: 'lossless', ...structures }).unpack(bytesOf('41 01 02')),
    new Map([
      ['x', 1],
      ['1', 2],
    ]),
  );
});

test('limits count shared records', () => {
  const structures = { structures: Object.freeze([['a'], ['b', 'c', 'd']]) };
  const deep = new Unpackr({ ...structures, limits: { maxDepth: 3 } });
  assert.deepEqual(deep.unpack(bytesOf('40 40 40 01')), { a: { a: { a: 1 } } });
  assertFault(() => deep.unpack(bytesOf('40 40 40 40 01')), { code: 'limit_exceeded', offset: 3, path: '/a/a/a' });
  const few = new Unpackr({ ...structures, limits: { maxValues: 5 } });
  assertFault(() => few.unpack(bytesOf('91 41 01 02 41 01 02 03')), { code: 'limit_exceeded', offset: 4 });
  assertFault(() => new Unpackr(structures).unpack(bytesOf('92 41 01 02 03')), { code: 'unexpected_end', offset: 1 });
});

test('a reader asks for structures again, once in a message', () => {
  let calls = 0;
  let saved: Structures = [];
  const unpackr = new Unpackr({
    getStructures() {
      calls++;
      return saved;
    },
  });
  assertFault(() => unpackr.unpack(bytesOf('92 40 41')), { code: 'unknown_record', offset: 1, path: '/0' });
  const before = calls;
  saved = [['a'], ['b']];
  assert.deepEqual(unpackr.unpack(bytesOf('93 d4 72 7f 91 a1 63 05 40 01 41 02')), [{ c: 5 }, { a: 1 }, { b: 2 }]);
  assert.equal(calls, before + 1);
  assertFault(() => unpackr.unpack(bytesOf('91 42')), { code: 'unknown_record' });
  assert.equal(calls, before + 2);
  saved = numbered(40).fill(['a'], 0, 1).fill(['b'], 1, 2);
  const stream = new StreamDecoder({ getStructures: () => saved });
  assert.deepEqual(stream.push(bytesOf('61 00 01 41')), [{ a: 1 }]);
  assert.deepEqual(stream.push(bytesOf('05')), [{ b: 5 }]);
  assert.deepEqual(unpackr.unpack(bytesOf('61 00 01')), { a: 1 });
});

test('structures that are others than before are refused, not believed', () => {
  let saved: Structures = [['a'], ['b']];
  const unpackr = new Unpackr({ getStructures: () => saved });
  assert.deepEqual(unpackr.unpack(bytesOf('41 01')), { b: 1 });
  saved = [['a'], ['x'], ['c']];
  const error = assertFault(() => unpackr.unpack(bytesOf('42 01')), { code: 'invalid_record' });
  assert.match(error.message, /structure 1 /);
  assertFault(() => unpackr.unpack(bytesOf('41 01')), { code: 'unknown_record' }, 'nobody knows which one is meant');
});

test('a stream of shared records cut anywhere', () => {
  const structures = { structures: [] as string[][], maxSharedStructures: 50 };
  const packr = new Packr(structures);
  const values = Array.from({ length: 90 }, (_, i) => row(i % 60, { inner: row(i % 7, 64 + i) }));
  const bytes = bytesOf(values.map((value) => hexOf(packr.pack(value))).join(''));
  for (const size of [1, 2, 3, 7, 1000]) {
    const stream = new StreamDecoder(structures);
    const read: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...stream.push(bytes.subarray(at, at + size)));
    stream.finish();
    assert.deepEqual(read, values, `chunks of ${size}`);
  }
});

// --- writing and publishing ------------------------------------------------------------------------------------------

test('new structures are added to the array, which codecs may share', () => {
  const structures: string[][] = [];
  const [one, two] = [new Packr({ structures }), new Packr({ structures })];
  assert.equal(hexOf(one.pack({ a: 1 })), '4001');
  assert.equal(hexOf(two.pack({ b: 1 })), '4101');
  assert.equal(hexOf(one.pack([{ b: 1 }, { a: 2 }])), '9241014002');
  assert.deepEqual(structures, [['a'], ['b']]);
  assert.deepEqual(new Unpackr({ structures }).unpack(bytesOf('41 01')), { b: 1 });
  structures.length = 0;
  assert.equal(hexOf(one.pack({ c: 1 })), '4001', 'a cleared array starts over');
  assert.deepEqual(structures, [['c']]);
});

test('maxSharedStructures, maxOwnStructures and shouldShareStructure', () => {
  const structures: string[][] = [];
  const two = new Packr({ structures, maxSharedStructures: 2, maxOwnStructures: 1 });
  assert.equal(
    hexOf(two.pack([{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }, { c: 2 }])),
    '954001 4101 d4724291a16301 d4724291a16401 d4724291a16302'.replaceAll(' ', ''),
  );
  assert.deepEqual(structures, [['a'], ['b']]);
  const none = new Packr({ structures, maxSharedStructures: 2, maxOwnStructures: 0 });
  assert.equal(hexOf(none.pack([{ a: 1 }, { c: 1 }])), '92400181a16301');
  const inline = new Packr({ maxOwnStructures: 1 });
  assert.equal(
    hexOf(inline.pack([{ a: 1 }, { b: 1 }, { a: 2 }])),
    '93 d4724091a16101 d4724091a16201 d4724091a16102'.replaceAll(' ', ''),
  );
  assert.equal(hexOf(new Packr({ maxOwnStructures: 0 }).pack({ a: 64 })), '81a161cc40');
  const asked: string[] = [];
  const chosen: string[][] = [];
  const choosing = new Packr({
    structures: chosen,
    shouldShareStructure(names) {
      asked.push(names.join());
      return names.includes('id');
    },
  });
  const value = [{ id: 1 }, { x: { id: 2, y: 3 } }, { x: 1 }];
  assert.deepEqual(choosing.unpack(choosing.pack(value)), value);
  assert.deepEqual(chosen, [['id'], ['id', 'y']]);
  assert.deepEqual(asked, ['id', 'x', 'id,y']);
  assert.deepEqual(new Unpackr({ structures: chosen }).unpack(choosing.pack(value)), value);
});

test('the order of names counts, and a Map is never shared', () => {
  const structures: string[][] = [];
  const packr = new Packr({ structures });
  packr.pack([
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ]);
  assert.equal(hexOf(packr.pack(new Map([['there', 3]]))), '81a5746865726503');
  assert.deepEqual(structures, [
    ['a', 'b'],
    ['b', 'a'],
  ]);
});

test('8160 structures, and then declarations', THOROUGH, () => {
  const structures: string[][] = [];
  const packr = new Packr({ structures, maxSharedStructures: 8160 });
  const value = Array.from({ length: 8200 }, (_, i) => ({ [`n${i}`]: i }));
  const bytes = packr.pack(value);
  assert.equal(structures.length, 8160);
  assert.deepEqual(packr.unpack(bytes), value);
  assert.deepEqual(new Unpackr({ structures }).unpack(packr.pack(value)), value);
  assert.equal(hexOf(packr.pack({ n8159: 1 })), '7ffd01');
  assert.equal(hexOf(packr.pack({ other: 1 })), 'd57260fe91a56f7468657201');
});

test('bytes leave only when their structures are saved', () => {
  const log: string[] = [];
  let saved: string[][] = [];
  const packr = new Packr({
    getStructures: () => saved,
    saveStructures(structures, isCompatible) {
      log.push(`save ${structures.length}`);
      if (!isCompatible(saved)) return false;
      saved = structures;
      return undefined;
    },
  });
  assert.equal(hexOf(packr.pack({ a: 1 })), '4001');
  assert.deepEqual(saved, [['a']]);
  packr.pack({ a: 2 });
  assert.deepEqual(log, ['save 1']);
  saved.push(['from elsewhere']);
  assert.equal(hexOf(packr.pack({ b: 1 })), '4201', 'behind those of others');
  assert.deepEqual(saved, [['a'], ['from elsewhere'], ['b']]);
  assert.deepEqual(log, ['save 1', 'save 2', 'save 3']);
  assertFault(() => packr.pack([{ c: 1 }, () => 1]), { code: 'unsupported_value' });
  assert.equal(saved.length, 3, 'what fails is not saved');
  assert.equal(hexOf(packr.pack({ d: 1 })), '4301', 'and takes no id');
});

test('a save that is refused costs bytes', () => {
  let refusals = 0;
  const packr = new Packr({
    getStructures: () => [['a']],
    saveStructures() {
      refusals++;
      return false;
    },
  });
  assert.equal(hexOf(packr.pack([{ a: 1 }, { b: 2 }])), '924001d4726091a16202');
  assert.ok(refusals >= 1 && refusals <= 3, String(refusals));
  assert.equal(hexOf(packr.pack([{ a: 1 }])), '914001');
  const failing = new Packr({
    structures: [],
    saveStructures() {
      throw new Error('the disk is full');
    },
  });
  const error = assertFault(() => failing.pack({ a: 1 }), { code: 'unsupported_value', path: '' });
  assert.match(error.message, /saveStructures failed/);
  assert.equal((error.cause as Error).message, 'the disk is full');
  assert.equal(hexOf(failing.pack([1])), '9101');
});

test('saved structures that are lost come back; contradicting ones end the sharing', () => {
  let saved: string[][] = [];
  const packr = new Packr({
    getStructures: () => saved,
    saveStructures(structures, isCompatible) {
      if (!isCompatible(saved)) return false;
      saved = structures;
      return true;
    },
  });
  packr.pack([{ a: 1 }, { b: 1 }]);
  saved = [];
  assert.equal(hexOf(packr.pack({ c: 1 })), '4201');
  assert.deepEqual(saved, [['a'], ['b'], ['c']]);
  saved = [['x']];
  const bytes = packr.pack([{ a: 1 }, { d: 2 }]);
  assert.deepEqual(saved, [['x']]);
  assert.deepEqual(new Unpackr().unpack(bytes), [{ a: 1 }, { d: 2 }], 'the message needs no dictionary');
});

test('codecs that are used while they write', () => {
  const structures: string[][] = [];
  const packr: Packr = new Packr({ structures });
  const other = new Packr({ structures });
  class Nested {
    readonly toJSON: () => unknown;
    constructor(codec: Packr, value: unknown) {
      this.toJSON = () => [...codec.pack(value)];
    }
  }
  const value = { first: 1, nested: new Nested(packr, { inner: 1 }), other: new Nested(other, { elsewhere: 1 }) };
  const bytes = packr.pack(value);
  const read = new Unpackr({ structures }).unpack(bytes) as { nested: number[]; other: number[] };
  assert.deepEqual(new Unpackr({ structures }).unpack(Uint8Array.from(read.nested)), { inner: 1 });
  assert.deepEqual(new Unpackr({ structures }).unpack(Uint8Array.from(read.other)), { elsewhere: 1 });
  assert.deepEqual(structures, [['elsewhere'], ['first', 'nested', 'other']]);
  const loops: Packr = new Packr({ getStructures: () => loops.unpack(Uint8Array.of(0x91, 0x91, 0xa1, 0x61)) });
  assert.equal(hexOf(loops.pack({ a: 1 })), '4001');
});

/** What another codec may do to an array of structures while a function of the user runs. */
const GROWTHS: Record<string, (structures: string[][]) => void> = {
  'another codec packs': (structures) => new Packr({ structures }).pack({ z: 1 }),
  'the same shape comes': (structures) => new Packr({ structures }).pack({ x: 1 }),
  'the program adds two': (structures) => structures.push(['z'], ['x']),
  'the array starts over': (structures) => structures.splice(0, structures.length, ['z']),
};

test('an array may grow while structures are saved', () => {
  for (const [name, grow] of Object.entries(GROWTHS)) {
    for (const start of [[], [['a']], numbered(31), numbered(40)]) {
      for (const asks of ['never', 'before', 'after']) {
        let calls = 0;
        const structures = [...start];
        const packr = new Packr({
          structures,
          maxSharedStructures: 50,
          saveStructures(_, isCompatible) {
            const isFirst = calls++ === 0;
            if (asks === 'before' && !isCompatible(start)) return false;
            if (isFirst) grow(structures);
            return asks !== 'after' || isCompatible(isFirst ? [...start, ['x']] : structures);
          },
        });
        const where = `${name}, ${start.length} structures, isCompatible is called ${asks}`;
        const bytes = packr.pack([{ x: 5 }, { y: 6 }]);
        const read = new Unpackr(fixed([...structures])).unpack(bytes);
        assert.deepEqual(read, [{ x: 5 }, { y: 6 }], where);
        assert.deepEqual(packr.unpack(packr.pack([{ x: 5 }, { z: 7 }])), [{ x: 5 }, { z: 7 }], where);
      }
    }
  }
});

test('an array may grow while structures are loaded', () => {
  for (const [name, grow] of Object.entries(GROWTHS)) {
    const structures: string[][] = [];
    const unpackr = new Unpackr({
      structures,
      getStructures() {
        grow(structures);
        return [['x']];
      },
    });
    if (name === 'the same shape comes') {
      assert.deepEqual(unpackr.unpack(bytesOf('40 05')), { x: 5 });
    } else {
      assertFault(() => unpackr.unpack(bytesOf('40 05')), { code: 'invalid_record' });
    }
    assert.deepEqual(structures[0], name === 'the same shape comes' ? ['x'] : ['z'], name);
  }
});

test('extensions inside shared records', () => {
  class Point {
    readonly x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  const structures: string[][] = [];
  const extensions = [
    {
      Class: Point,
      type: 11,
      write: ({ x }: Point) => ({ x }),
      read: (value: unknown) => new Point((value as Point).x),
    },
  ];
  const packr = new Packr({ structures, extensions: extensions as never });
  const value = [{ at: new Point(1) }, { x: 5 }, { at: new Point(2) }];
  for (let round = 0; round < 3; round++) assert.deepEqual(packr.unpack(packr.pack(value)), value);
  assert.deepEqual(structures, [['at'], ['x']]);
});

test('a source publishes in its own time', () => {
  const proposed: string[] = [];
  const source = {
    structures: [] as string[][],
    propose: (names: readonly string[]) => void proposed.push(names.join()),
  };
  const packr = new Packr({ structures: source });
  assert.equal(hexOf(packr.pack({ a: 1 })), 'd4724091a16101');
  assert.deepEqual(proposed, ['a']);
  source.structures.push(['a']);
  assert.equal(hexOf(packr.pack([{ a: 1 }, { b: 1 }])), '924001d4724191a16201');
  assert.deepEqual(packr.unpack(bytesOf('40 05')), { a: 5 });
  source.structures = [['x']];
  assert.equal(hexOf(packr.pack([{ a: 1 }, { x: 1 }])), '92d4724191a161014001');
});

test('any value comes back', () => {
  const structures: string[][] = [];
  const options = { structures, maxSharedStructures: 40, mode: 'lossless' } as const;
  const packr = new Packr(options);
  fc.assert(
    fc.property(fc.array(arbitrary.value, { maxLength: 4 }), (values) => {
      const twice: Tagged = { array: [...values, ...values] };
      const bytes = packr.pack(hostOf(twice));
      assert.equal(identityOf(taggedOf(new Unpackr(options).unpack(bytes))), identityOf(twice));
    }),
    { numRuns: RUNS },
  );
  // A few random values needn't have objects at all.
  if (RUNS >= 30) assert.ok(structures.length > 3);
});

test('no bytes make a reader of shared records do anything but fail', () => {
  const structures = Object.freeze(numbered(40));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer({ min: 0x40, max: 0x9f }), fc.integer({ min: 0, max: 255 }))), (list) => {
      const bytes = Uint8Array.from(list);
      const outcome = (read: () => unknown) => {
        try {
          return { value: read() };
        } catch (error) {
          return { error: error as Error };
        }
      };
      const one = outcome(() => new Unpackr({ structures }).unpack(bytes));
      assert.ok(!('error' in one) || one.error?.name === 'PolypackError', String(one.error));
      if ('error' in one) return;
      const stream = new StreamDecoder({ structures });
      const values = list.flatMap((byte) => stream.push(Uint8Array.of(byte)));
      stream.finish();
      assert.deepEqual(values, [one.value]);
    }),
    { numRuns: 10 * RUNS },
  );
});

test('options that contradict each other are refused', () => {
  const structures: string[][] = [];
  for (const [options, about] of [
    [{ records: 'shared' }, /needs structures/],
    [{ records: 'inline', structures }, /shared/],
    [{ useRecords: false, structures }, /shared/],
    [{ records: 'shared', useRecords: false, structures }, /contradict/],
    [{ structures: 5 }, /structures/],
    [{ structures: { structures } }, /structures/],
    [{ structures: [['a', 'a']] }, /twice/],
    [{ structures: [['\ud800']] }, /surrogate/],
    [{ structures: [[5]] }, /string/],
    [{ structures: ['ab'] }, /array/],
    [{ structures: Array.from({ length: 8161 }, () => null) }, /8160/],
    [{ getStructures: [] }, /function/],
    [{ structures, maxSharedStructures: 8161 }, /8160/],
    [{ structures, maxSharedStructures: -1 }, /maxShared/],
    [{ maxOwnStructures: 1.5 }, /maxOwn/],
    [{ maxOwnStructures: '1' }, /maxOwn/],
    [{ structures: { structures, propose() {} }, saveStructures() {} }, /store/],
  ] as const) {
    assert.throws(() => new Packr(options as never), about, JSON.stringify(options).slice(0, 80));
  }
  assert.ok(new Packr({ records: 'shared', useRecords: true, structures }));
  assertFault(() => new Packr({ getStructures: () => Promise.resolve([]) as never }).pack(1), {
    code: 'unsupported_value',
  });
  const late = new Packr({ structures, saveStructures: async () => true });
  const error = assertFault(() => late.pack({ a: 1 }), { code: 'unsupported_value' });
  assert.match(error.message, /promise/);
  assertFault(() => new Unpackr({ getStructures: () => [['a', 'a']] }).unpack(bytesOf('01')), {
    code: 'unsupported_value',
  });
});

test('lazy reads, copies into a buffer and clones know shared records', () => {
  const structures: string[][] = [];
  const packr = new Packr({ structures });
  const value = [{ a: 1 }, { b: { a: [64, 'x'] } }];
  const target = new Uint8Array(100);
  const length = packInto(target, 0, value, packr);
  assert.equal(hexOf(target.subarray(0, length)), hexOf(packr.pack(value)));
  const bytes = target.subarray(0, length);
  assert.deepEqual(get(bytes, '/1/b', packr), { a: [64, 'x'] });
  const raw = new Raw(bytes, packr).get('/1/b');
  assert.deepEqual(raw?.unpack(), new Map([['a', [64, 'x']]]));
  assert.deepEqual(raw?.get('/a/0')?.unpack(), 64);
  assert.deepEqual(decodeFirst(target, 0, packr), { value, end: length });
  const circular: { self?: unknown; other: object } = { other: { a: 1 } };
  circular.self = circular;
  const cloning = new Packr({ structures, structuredClone: true });
  const copy = cloning.unpack(cloning.pack(circular)) as typeof circular;
  assert.equal(copy.self, copy);
  assert.deepEqual(copy.other, { a: 1 });
});
