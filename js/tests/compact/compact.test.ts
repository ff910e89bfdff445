// The compact door: every vector it has the features for, its options, and the doors against each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as full from 'polypack';
import {
  decodeFirst,
  ExtData,
  Float,
  Packr,
  type PackrOptions,
  pack,
  Timestamp,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'polypack/compact';
import { faultOf, shownFault } from '../_agree.ts';
import * as arbitrary from '../_arbitrary.ts';
import { assertFault } from '../_check.ts';
import { cpuMilliseconds } from '../_cost.ts';
import { referenceEncode } from '../_reference.ts';
import { runs, THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf, hostOf } from '../_values.ts';
import {
  assertBytes,
  assertValue,
  expectedOf,
  type Fault,
  filesOf,
  modesOf,
  type PlainCase,
  requiredBytes,
} from '../_vectors.ts';
import { compareDoors, comparePacking, DECODINGS } from './_doors.ts';

const RUNS = { numRuns: runs(150) };
const MORE_RUNS = { numRuns: 4 * RUNS.numRuns };

// --- the vectors -----------------------------------------------------------------------------------------------------

/** Checks that a run ends with the fault of a case. */
function assertEnds(run: () => unknown, fault: Fault, about: string): void {
  assert.equal(faultOf(run), shownFault(fault), about);
}

function optionsOf({ records = 'off', limits }: PlainCase) {
  return limits === undefined ? { records } : { records, limits };
}

for (const { file, cases } of filesOf('valid')) {
  test(`compact: ${file}`, THOROUGH, () => {
    for (const one of cases) {
      const { host } = expectedOf(one);
      for (const bytes of [one.canonical, ...(one.also ?? [])]) {
        assertValue(unpack(requiredBytes(bytes), { mode: 'lossless', ...optionsOf(one) }), one);
      }
      const packed = pack(host, { mode: 'lossless' });
      const expected = full.pack(host, { mode: 'lossless' });
      if (Buffer.compare(packed, expected) !== 0) assert.equal(hexOf(packed), hexOf(expected), one.name);
      // The host's maps keep the order of a vector's entries; its canonical bytes sort them.
      if (Buffer.compare(packed, requiredBytes(one.canonical)) === 0) continue;
      assertBytes(full.canonicalize(packed), one.canonical, one.name);
    }
  });
}

for (const { file, cases } of [...filesOf('invalid'), ...filesOf('records')]) {
  test(`compact: ${file}`, THOROUGH, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      if (one.error) {
        for (const mode of modesOf(one)) {
          const unpackr = new Unpackr({ mode, ...optionsOf(one) });
          assertEnds(() => unpackr.unpack(bytes), one.error, `${one.name} in mode ${mode}`);
          assert.equal(unpackr.unpack(Uint8Array.of(0x07)), 7, `${one.name}: it works on after the fault`);
        }
      } else {
        assertValue(new Unpackr({ mode: 'lossless', ...optionsOf(one) }).unpack(bytes), one);
      }
    }
  });
}

for (const { file, cases } of filesOf('defaults').filter(({ file }) => /\b(?:js|javascript)\b/.test(file))) {
  test(`compact: ${file}`, THOROUGH, () => {
    for (const one of cases) {
      const run = () => pack(unpack(requiredBytes(one.bytes)));
      if (one.error) assertEnds(run, one.error, one.name);
      else assertBytes(run(), one.becomes, one.name);
    }
  });
}

// --- both doors ------------------------------------------------------------------------------------------------------

/** How both doors decode an input. */
const how = fc.constantFrom(...DECODINGS);

/** Checks that both doors make the same of bytes. */
function assertAgrees(
  bytes: Uint8Array,
  options: (typeof DECODINGS)[number],
  limits: { maxDepth?: number; maxValues?: number } = {},
): void {
  const { actual, expected } = compareDoors(bytes, { ...options, limits });
  assert.equal(actual, expected, `${hexOf(bytes)} with ${JSON.stringify({ ...options, limits })}`);
}

test('any bytes: the value or the fault of the public door', () => {
  const input = fc.oneof(arbitrary.bytes, arbitrary.recordBytes);
  fc.assert(
    fc.property(input, how, (bytes, options) => assertAgrees(bytes, options)),
    MORE_RUNS,
  );
});

test('valid bytes, and with a few changes: the value or the fault of the public door', () => {
  fc.assert(
    fc.property(arbitrary.value, how, arbitrary.changes, fc.nat(), (value, options, changes, cut) => {
      const bytes = referenceEncode(value);
      assertAgrees(bytes, options);
      const changed = arbitrary.changed(bytes, changes);
      assertAgrees(changed, options);
      assertAgrees(changed.subarray(0, cut % (bytes.length + 1)), options);
    }),
    MORE_RUNS,
  );
});

test('low limits: the value or the fault of the public door', () => {
  const input = fc.oneof(arbitrary.bytes, arbitrary.recordBytes, arbitrary.value.map(referenceEncode));
  const limits = fc.record({ maxDepth: fc.integer({ min: 0, max: 4 }), maxValues: fc.integer({ min: 1, max: 12 }) });
  fc.assert(fc.property(input, how, limits, assertAgrees), MORE_RUNS);
});

test('any value: the bytes of the public door', () => {
  fc.assert(
    fc.property(fc.oneof(arbitrary.value.map(hostOf), fc.anything({ withDate: true, withMap: true })), (value) => {
      for (const options of [{}, { mode: 'lossless' as const }, { encodeUndefinedAsNil: true }]) {
        const { actual, expected } = comparePacking(value, options);
        assert.equal(actual, expected);
      }
    }),
    MORE_RUNS,
  );
});

// --- options ---------------------------------------------------------------------------------------------------------

test('what is left out is refused, and so is what makes no sense', () => {
  const wrong: unknown[] = [
    ...[
      { structures: [] },
      { structuredClone: true },
      { bundleStrings: true },
      { useRecords: true },
      { records: 'shared' },
    ],
    ...[{ mode: 'lossy' }, { mode: 'lossless', mapsAsObjects: true }, { mode: 'lossless', int64AsType: 'number' }],
    ...[
      { limits: { maxBytes: 9 } },
      { limits: null },
      { extensions: {} },
      { copyBuffers: 1 },
      { toString: 1 },
      5,
      null,
    ],
    ...[{ mode: 'lossless', encodeUndefinedAsNil: true }, { generateCode: false }],
  ];
  for (const options of wrong as PackrOptions[]) {
    const about = JSON.stringify(options);
    assert.throws(() => new Packr(options), TypeError, about);
    assert.throws(() => unpack(Uint8Array.of(1), options), TypeError, about);
    assert.throws(() => pack(1, options), TypeError, about);
  }
  for (const limits of [
    { maxDepth: -1 },
    { maxDepth: 4097 },
    { maxDepth: 1.5 },
    { maxValues: 0 },
    { maxValues: Number.NaN },
  ]) {
    assert.throws(() => new Unpackr({ limits }), TypeError, JSON.stringify(limits));
  }
  for (const options of [null, 5, 'unpack', true, Symbol('s'), () => 1] as never[]) {
    const uses = [
      () => pack(1, options),
      () => unpack(Uint8Array.of(1), options),
      () => decodeFirst(Uint8Array.of(1), 0, options),
      () => new Packr(options),
      () => new Unpackr(options),
    ];
    for (const use of uses) assert.throws(use, { name: 'TypeError', message: /^unknown options/ }, String(use));
  }
  assert.throws(() => new Packr({ records: 'inline' }), /writes no records/);
  assert.throws(() => pack(1, { records: 'inline' }), /writes no records/);
  assert.deepEqual(unpack(Uint8Array.of(1), { mode: undefined as never, limits: {} }), 1);
});

test('input is bytes, whatever holds them; shared memory is copied', () => {
  const bytes = bytesOf('92 c4 01 07 a1 61');
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  for (const input of [bytes, bytes.buffer, shared, new DataView(bytes.buffer), new Uint8Array(shared)]) {
    const [bin, text] = unpack<[Uint8Array, string]>(input as Uint8Array);
    assert.equal(Object.getPrototypeOf(bin), Uint8Array.prototype);
    assert.deepEqual([...bin, text], [7, 'a']);
    assert.notEqual(bin.buffer, shared);
  }
  for (const wrong of ['a', null, undefined, 5, [1], {}]) assert.throws(() => unpack(wrong as never), TypeError);
});

test('bin values are views of the input, or copies', () => {
  const bytes = bytesOf('c4 01 07');
  const view = unpack<Uint8Array>(bytes);
  const copy = unpack<Uint8Array>(bytes, { copyBuffers: true });
  bytes[2] = 8;
  assert.deepEqual([view[0], copy[0]], [8, 7]);
});

test('several values, and the first of them', () => {
  const bytes = bytesOf('01 a1 61 c1');
  assert.deepEqual(decodeFirst(bytes), { value: 1, end: 1 });
  assert.deepEqual(decodeFirst(bytes, 1, new Unpackr()), { value: 'a', end: 3 });
  assert.throws(() => decodeFirst(bytes, 5), RangeError);
  const error = assertFault(() => unpackMultiple(bytes), { code: 'reserved_byte', offset: 3 });
  assert.deepEqual(error.values, [1, 'a']);
  assert.deepEqual(unpackMultiple(bytes.subarray(0, 3)), [1, 'a']);
  const seen: unknown[] = [];
  unpackMultiple(bytes, (value, start, end) => seen.push(value, start, end) < 6);
  assert.deepEqual(seen, [1, 0, 1, 'a', 1, 3]);
  assert.deepEqual(unpackMultiple(new Uint8Array()), []);
});

// --- extensions ------------------------------------------------------------------------------------------------------

class Point {
  readonly x: number;
  readonly y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

test('extensions: bytes, messages, replacements, as in the public door', () => {
  const points: full.ExtensionDefinition<Point>[] = [
    { Class: Point, type: 5, pack: ({ x, y }) => Uint8Array.of(x, y), unpack: ([x = 0, y = 0]) => new Point(x, y) },
    { Class: Point, type: 5, write: ({ x, y }) => [x, { y }], read: (value) => new Point(...pointOf(value)) },
  ];
  const value = { at: [new Point(1, 2), new Point(3, 4)] };
  for (const extension of points) {
    const options = { extensions: [extension as full.ExtensionDefinition] };
    const bytes = new Packr(options).pack(value);
    assert.equal(hexOf(bytes), hexOf(full.pack(value, options)));
    assert.deepStrictEqual(unpack(bytes, options), value);
    assert.ok(unpack<{ at: unknown[] }>(bytes).at[0] instanceof full.ExtData);
  }
  const options = { extensions: [full.classExtension(Point, 5) as full.ExtensionDefinition] };
  assert.deepStrictEqual(unpack(pack(value, options), options), value);
  const replaced = { Class: Point, write: ({ x }: Point) => x } as full.ExtensionDefinition;
  assert.equal(hexOf(pack(value, { extensions: [replaced] })), hexOf(pack({ at: [1, 3] })));
});

function pointOf(value: unknown): [number, number] {
  const [x, { y }] = value as [number, { y: number }];
  return [x, y];
}

test('extensions that fail, or make no sense', () => {
  const fail = () => {
    throw new Error('why');
  };
  const reading = { extensions: [{ type: 5, unpack: fail }] };
  const read = assertFault(() => unpack(bytesOf('81 a1 61 d4 05 00'), reading), {
    ...{ code: 'unsupported_value', offset: 3, path: '/a' },
  });
  assert.equal((read.cause as Error).message, 'why');
  const writing = { extensions: [{ Class: Point, type: 5, write: fail }] };
  const written = assertFault(() => pack({ a: [new Point(1, 2)] }, writing), {
    ...{ code: 'unsupported_value', offset: null, path: '/a/0' },
  });
  assert.equal((written.cause as Error).message, 'why');
  const inner = { extensions: [{ Class: Point, type: 5, write: () => [[Symbol('x')]] }] };
  const options = { ...inner, records: 'off' as const };
  const expected = assertFault(() => full.pack([new Point(1, 2)], options), { code: 'unsupported_value' });
  assertFault(() => pack([new Point(1, 2)], inner), { code: 'unsupported_value', path: expected.path });

  const wrong = [{}, { type: 5 }, { type: -1, unpack: fail }, { type: 128, unpack: fail }, { unpack: fail }];
  const more = [{ Class: Point }, { type: 5, pack: fail }, { type: 5, unpack: 1 }, { Class: 1, write: fail }];
  const others = [{ Class: Point, type: 5, pack: fail, make: fail }, { type: 1.5, unpack: fail }, null, 'x'];
  for (const extension of [...wrong, ...more, ...others]) {
    const made = () => new Packr({ extensions: [extension] as never });
    assert.throws(made, TypeError, JSON.stringify(extension));
  }
});

test('calls may be nested, and maxDepth bounds both together', () => {
  const nested: Packr = new Packr({
    extensions: [
      {
        Class: Point,
        type: 5,
        pack: (point: Point) => nested.pack([point.x]),
        unpack: (data: Uint8Array) => nested.unpack(data),
      } as never,
    ],
    limits: { maxDepth: 3 },
  });
  const bytes = nested.pack([new Point(7, 8)]);
  assert.equal(hexOf(bytes), '91d50591' + '07');
  assert.deepEqual(nested.unpack(bytes), [[7]]);
  assertFault(() => nested.pack([[new Point(7, 8)]]), { code: 'unsupported_value', path: '/0/0' });
  assertFault(() => nested.unpack(bytesOf('91 91 d5 05 91 07')), {
    code: 'unsupported_value',
    offset: 2,
    path: '/0/0',
  });
});

// --- encoding --------------------------------------------------------------------------------------------------------

test('objects of many classes have the bytes of the public door', () => {
  const values = [
    ...[
      new Date(0),
      new Date(-1),
      new Date(1e15),
      new Set([1, 'a']),
      new Map<unknown, unknown>([
        [[1], 2],
        ['a', 3],
      ]),
    ],
    ...[new Float64Array([1]), new DataView(new ArrayBuffer(3)), new ArrayBuffer(300), new SharedArrayBuffer(2)],
    ...[
      Object('a'),
      Object(1),
      Object(true),
      Object(2n),
      new Timestamp(2n ** 60n, 1),
      new Float(1),
      new Float(Number.NaN),
    ],
    ...[
      new ExtData(-2, new Uint8Array(16)),
      new ExtData(7, new Uint8Array(70_000)),
      new Point(1, 2),
      Object.create(null),
    ],
    ...[
      { toJSON: () => [1] },
      new (class {
        toJSON = () => ({ a: 1 });
      })(),
      new (class {
        *[Symbol.iterator]() {
          yield 1;
        }
      })(),
      Object.assign([], { 1: 1 }),
    ],
    ...[undefined, 2 ** 53, -(2 ** 53), 2n ** 64n - 1n, -(2n ** 63n), -0, Number.POSITIVE_INFINITY, 'é'.repeat(99)],
    ...['x'.repeat(65_535), 'x'.repeat(65_536), 'x'.repeat(65_537), '漢'.repeat(30_000), '😀'.repeat(11), '\ud800x'],
    ...[2n ** 64n, new Date(Number.NaN), Symbol('s'), () => 1, full.C1, new full.Raw(Uint8Array.of(1)), /x/],
    ...[new Error('e'), Promise.resolve(1), new WeakMap(), new WeakSet(), new WeakRef({})],
    ...[
      new ExtData(0x72, new Uint8Array(1)),
      { a: { '\udc00': 1 } },
      new (class {
        toJSON() {
          return this;
        }
      })(),
    ],
    ...[
      new Proxy(
        { a: 1 },
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
      Array.from({ length: 70_000 }, (_, i) => i % 300),
    ],
  ];
  for (const [index, value] of values.entries()) {
    const isRaw = value instanceof full.Raw;
    const { actual, expected } = comparePacking({ value: [value] }, {});
    assert.equal(actual, isRaw ? 'unsupported_value at null in "/value/0"' : expected, `value ${index}`);
  }
});

test('the forms of one moment are one key', () => {
  const zero = new ExtData(-1, new Uint8Array(12));
  const late = new Timestamp(2 ** 33, 5);
  for (const keys of [
    [new Date(0), zero],
    [new ExtData(-1, new Uint8Array(4)), zero],
    [new ExtData(-1, new Uint8Array(8)), new Timestamp(0)],
    [late, new ExtData(-1, bytesOf('00 00 00 05 00 00 00 02 00 00 00 00'))],
    [[new Date(0)], [zero]],
  ]) {
    const twice = new Map<unknown, unknown>(keys.map((key) => [key, null]));
    for (const mode of ['strict', 'lossless'] as const) {
      assertFault(() => new Packr({ mode }).pack(twice), { code: 'duplicate_key', path: '/#1' });
      const distinct = new Map<unknown, unknown>(keys.map((key, index) => [[key, index], null]));
      const packed = new Packr({ mode }).pack(distinct);
      assert.deepEqual(packed, new full.Packr({ mode, records: 'off' }).pack(distinct));
    }
  }
});

test('what was packed stays as it is', () => {
  const packr = new Packr();
  const values = [1, 9, 300, 70_000, 200_000, 5].map((length) => new Uint8Array(length).fill(7));
  const packed = values.map((value) => packr.pack(value));
  for (let index = 0; index < 3; index++) packr.pack(new Uint8Array(150_000).fill(9));
  for (const [index, bytes] of packed.entries()) assert.deepEqual(unpack(bytes), values[index]);
});

test('cycles end at maxDepth, and deep stacks where they end', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  assertFault(() => pack(cycle), { code: 'limit_exceeded', offset: null, path: '/0'.repeat(512) });
  const deep = new Uint8Array(100_000).fill(0x91);
  assertFault(() => unpack(deep), { code: 'limit_exceeded', offset: 512, path: '/0'.repeat(512) });
  const bombs = bytesOf('(dc ff ff)*24000');
  assertFault(() => unpack(bombs), { code: 'unexpected_end', offset: 3, path: '/0' });
});

test('keys deep inside keys are read in linear time', () => {
  // A map of two entries whose first key is such a map, and so on; innermost a large key.
  const depth = 500;
  const bytes = bytesOf(`(82)*${depth} c6 00 01 86 a0 (07)*100000 (c0 01 c0)*${depth - 1} c0 01 c0`);
  const started = cpuMilliseconds();
  unpack(bytes, { mode: 'strict' });
  assert.ok(cpuMilliseconds() - started < 1000);
});

test('the only key of a map is compared with no other', () => {
  // Each comparison needs a text, which took five times as long as the maps.
  const depth = 400;
  const bytes = Uint8Array.from([...new Array(depth).fill(0x81), ...new Array(depth + 1).fill(0xc0)]);
  const { set } = Map.prototype;
  let entries = 0;
  Map.prototype.set = function count(key, value) {
    entries++;
    return set.call(this, key, value);
  };
  try {
    assert.ok(unpack(bytes) instanceof Map);
  } finally {
    Map.prototype.set = set;
  }
  assert.ok(entries <= depth, `${entries} entries of maps for ${depth} keys`);
});

test('an instance without properties whose class has a tag is refused in every mode', () => {
  class Tagged {
    get [Symbol.toStringTag](): string {
      return 'Tagged';
    }
  }
  for (const mode of ['default', 'strict', 'lossless'] as const) {
    for (const packed of [pack, full.pack]) {
      assertFault(() => packed([new Tagged()], { mode }), { code: 'unsupported_value', path: '/0' });
    }
  }
});

test('an instance without properties is {} in every mode, unlike in polypack', () => {
  class Private {
    readonly #value = 1;
    value(): number {
      return this.#value;
    }
  }
  const instance = new Private();
  assert.equal(instance.value(), 1);
  for (const mode of ['default', 'strict', 'lossless'] as const) assert.equal(hexOf(pack(instance, { mode })), '80');
  assertFault(() => full.pack(instance, { mode: 'strict' }), { code: 'unsupported_value', path: '' });
});
