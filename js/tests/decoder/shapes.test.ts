// Codecs that have learned shapes, generated code included, against codecs that have learned nothing: the same values,
// the same faults, whatever comes after what was learned.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Packr, type PackrOptions, PolypackError, pack, type Unpackr } from 'polypack';
import { QUICK, THOROUGH } from '../_runs.ts';
import { warmUnpackr } from '../_tiers.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { filesOf, MODES } from '../_vectors.ts';

/** More than it takes for a shape to be hot. */
const MANY = 110;

/** A value as text that tells apart everything that decoding can make different. */
function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(shown).join()}]`;
  if (value instanceof Uint8Array) return `<${hexOf(value)}>`;
  if (value instanceof Map) return `Map{${[...value].map(([key, one]) => `${shown(key)}=>${shown(one)}`).join()}}`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  const kind = Object.getPrototypeOf(value) === Object.prototype ? '' : value.constructor.name;
  return `${kind}{${Object.keys(value)
    .map((name) => `${JSON.stringify(name)}:${shown(Object.getOwnPropertyDescriptor(value, name)?.value)}`)
    .join()}}`;
}

/** What a codec makes of bytes. */
function outcome(unpackr: Unpackr, bytes: Uint8Array): string {
  // Nobody looks at the stacks of faults, and they take longer than the faults.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return shown(unpackr.unpack(bytes));
  } catch (error) {
    if (!(error instanceof PolypackError)) throw error;
    return `${error.message} ${error.code} ${error.offset} ${error.path}`;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const ROWS: Readonly<Record<string, (i: number) => Record<string, unknown>>> = {
  plain: (i) => ({ id: i, name: `name ${i}`, active: i % 2 === 0, score: i / 3, parent: null }),
  short: (i) => ({ a: i, bc: -i, def: 'x', '': true, ghij: [i] }),
  nested: (i) => ({ id: i * 1000, inner: { x: i, text: 'inner text' }, list: [{ y: 1 }, { y: 2 }] }),
  texts: (i) => ({
    empty: '',
    code: 'SE',
    word: 'abcdefghijklmnopqrstuvwxyz0123456789'.slice(0, i % 35),
    wide: `${'n'.repeat(i % 11)}é${'n'.repeat(i % 7)}`,
    ints: [200, 40_000, 3_000_000_000, 2 ** 40, -5, i],
    time: 2 ** 41 + i,
    large: 3_000_000_000,
    uint8: 200,
  }),
  ends: (i) => ({
    safe: 2 ** 53 - 1 - i,
    unsafe: 2n ** 53n + BigInt(i),
    wide: 2 ** 32 + i,
    negative: -(2 ** 40) - i,
    str8: 'a text that is longer than a fixstr '.repeat(1 + (i % 7)),
    letters: 'abc'.slice(0, i % 4),
    two: 'é',
    three: i % 2 === 0 ? 'é!' : '!é',
    sign: '€',
  }),
  lines: (i) => ({ line: Array.from({ length: i % 9 }, (_, k) => [k / 3, i + 0.5]), name: 'x' }),
  odd: (i) => ({ 'a"b': i, 'c\\d': 1, 'e\u2028f': 2, ключ: 'значение', toString: i, constructor: null }),
  prototype: (i) => ({ ['__proto__']: i, other: { ['__proto__']: 'x', more: 1 } }),
  numbers: (i) => ({ 1: i, name: 'x', 0: 'y' }),
  long: (i) => ({
    [`a name of ${'x'.repeat(20)}`]: i,
    [`another ${'y'.repeat(23)}`]: 1,
    [`long ${'z'.repeat(60)}`]: 2,
  }),
  wide: (i) => Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`column${k}`, i * k])),
  wider: (i) => Object.fromEntries(Array.from({ length: 120 }, (_, k) => [`column${k}`, i * k])),
};

const READERS: readonly PackrOptions[] = [
  { records: 'off' },
  { records: 'off', mapsAsObjects: true },
  { records: 'off', mode: 'strict' },
  { records: 'off', mode: 'lossless' },
  { records: 'off', int64AsType: 'bigint' },
  { records: 'inline' },
  { records: 'inline', int64AsType: 'string' },
  { records: 'inline', mapsAsObjects: true, mode: 'strict' },
  { records: 'inline', mode: 'lossless' },
];

/** Bytes of rows, in the form that a reader expects. */
function packed(rows: unknown, { records, mode }: PackrOptions): Uint8Array {
  if (mode !== 'lossless') return new Packr({ records }).pack(rows);
  return new Packr({ records, mode }).pack(rows);
}

/** Two codecs to which the shapes of a message are hot, one with generated code, one without. */
function warmed(options: PackrOptions, message: Uint8Array): Unpackr[] {
  return [true, false].map((generateCode) => {
    const unpackr = warmUnpackr({ ...options, generateCode });
    for (let round = 0; round < 4; round++) outcome(unpackr, message);
    return unpackr;
  });
}

for (const [name, row] of Object.entries(ROWS)) {
  test(`rows: ${name}`, THOROUGH, () => {
    for (const options of READERS) {
      const message = packed(
        Array.from({ length: MANY }, (_, i) => row(i)),
        options,
      );
      const small = packed([row(3), row(4)], options);
      const cold = () => warmUnpackr(options);
      const about = `${name} ${JSON.stringify(options)}`;
      const unpackrs = warmed(options, message);
      const whole = outcome(cold(), message);
      for (const unpackr of unpackrs) assert.equal(outcome(unpackr, message), whole, about);
      // Prefixes, and bytes changed in some ways; not all of long messages.
      const step = 1 + Math.floor(small.length / (small.length < 1000 ? 60 : 20));
      for (let at = 0; at < small.length; at += step) {
        const changed = [small.slice(0, at)];
        for (const byte of [0x00, 0x41, 0x61, 0x80, 0x93, 0xa1, 0xc1, 0xcb, 0xcf, 0xd9]) {
          changed.push(small.slice());
          (changed.at(-1) as Uint8Array)[at] = byte;
        }
        for (const bytes of changed) {
          const expected = outcome(cold(), bytes);
          for (const unpackr of unpackrs) {
            const actual = outcome(unpackr, bytes);
            // Only where they differ, because making the text takes long.
            if (actual !== expected) assert.equal(actual, expected, `${about} ${hexOf(bytes)}`);
          }
        }
      }
    }
  });
}

test('shapes that start the same, in any order', THOROUGH, () => {
  const names = ['id', 'name', 'email', 'phone', 'city'];
  const rows = Array.from({ length: 400 }, (_, i) => {
    const chosen = names.filter((_name, bit) => ((i * 2654435761) >>> (8 + bit)) & 1);
    if (i % 7 === 0) chosen.reverse();
    return Object.fromEntries(chosen.map((name, k) => [name, i * k]));
  });
  for (const options of READERS) {
    const message = packed(rows, options);
    for (const unpackr of warmed(options, message)) {
      for (let round = 0; round < 5; round++)
        assert.deepEqual(shown(unpackr.unpack(message)), shown(warmUnpackr(options).unpack(message)));
    }
  }
});

test(
  'names whose heads are longer than they need be, before and after the shape of their names is known',
  THOROUGH,
  () => {
    /** A str with a head of so many bytes behind the head byte; 0 for the shortest head. */
    const str = (text: string, width: number): Uint8Array => {
      if (width === 0) return pack(text);
      const utf8 = new TextEncoder().encode(text);
      const head = new Uint8Array(1 + width);
      head[0] = { 1: 0xd9, 2: 0xda, 4: 0xdb }[width] as number;
      for (let index = 0; index < width; index++) head[width - index] = (utf8.length >>> (8 * index)) & 0xff;
      return Uint8Array.of(...head, ...utf8);
    };
    const names = [
      'id',
      'name',
      'größe',
      'n'.repeat(31),
      'n'.repeat(32),
      'é'.repeat(40),
      'n'.repeat(255),
      'n'.repeat(300),
    ];
    const map = (widths: readonly number[]): Uint8Array =>
      Uint8Array.of(0x80 + names.length, ...names.flatMap((name, index) => [...str(name, widths[index] ?? 0), index]));
    const forms = [[], [1], [2, 2], [0, 0, 1], [0, 4, 0, 2], [0, 0, 0, 1, 2, 4, 4, 4]].map(map);
    assert.equal(
      outcome(warmUnpackr({ records: 'off' }), map([])),
      shown(Object.fromEntries(names.map((name, index) => [name, index]))),
    );
    for (const options of READERS) {
      const expected = outcome(warmUnpackr(options), map([]));
      for (const first of forms) {
        const unpackr = warmUnpackr(options);
        for (let round = 0; round < MANY; round++) assert.equal(outcome(unpackr, first), expected);
        for (let round = 0; round < MANY; round++)
          for (const form of forms) assert.equal(outcome(unpackr, form), expected);
      }
    }
  },
);

test('every vector, to codecs that have read it many times', THOROUGH, () => {
  for (const folder of ['valid', 'invalid', 'records'] as const) {
    for (const { cases } of filesOf(folder)) {
      for (const { bytes, canonical, also = [], records = 'off', name } of cases) {
        for (const text of [bytes, canonical, ...also]) {
          if (text === undefined) continue;
          const message = bytesOf(text);
          if (message.length > 300) continue;
          for (const mode of MODES) {
            const expected = outcome(warmUnpackr({ mode, records, generateCode: false }), message);
            const unpackr = warmUnpackr({ mode, records, generateCode: true });
            // Only objects have shapes. A fault takes long to tell; what was read before it is learned all the same.
            const rounds = /^[[{]/.test(expected) && expected.includes('{') ? MANY : 3;
            // Comparing texts takes longer than reading, and what goes wrong once stays wrong.
            for (let round = 0; round < rounds; round++) {
              if (round % 10 < 9 && rounds === MANY) unpackr.unpack(message);
              else assert.equal(outcome(unpackr, message), expected, `${name} in mode ${mode}`);
            }
          }
        }
      }
    }
  }
});

test('records that a dictionary has, and that come and go', () => {
  const structures: string[][] = [];
  const packr = new Packr({ structures });
  const rows = Array.from({ length: MANY }, (_, i) => ({ id: i, text: `text ${i}`, inner: { value: i, unit: 'm' } }));
  const message = packr.pack(rows);
  for (const generateCode of [true, false]) {
    const unpackr = warmUnpackr({ structures, generateCode });
    for (let round = 0; round < 4; round++) assert.deepEqual(unpackr.unpack(message), rows);
  }
  // The same id, declared for other names each time; and the same names for other ids.
  const unpackr = warmUnpackr({ records: 'inline' });
  for (let round = 0; round < 3 * MANY; round++) {
    const other = String.fromCharCode(0x61 + (round % 5));
    const id = (0x40 + (round % 3)).toString(16);
    const declared = bytesOf(
      `93 d4 72 ${id} 93 a4 6e 61 6d 65 a3 61 67 65 a1 ${hexOf(Buffer.from(other))} 01 02 03 ${id} 04 05 06 7f`,
    );
    assert.deepEqual(unpackr.unpack(declared), [
      { name: 1, age: 2, [other]: 3 },
      { name: 4, age: 5, [other]: 6 },
      0x7f,
    ]);
  }
});

test('limits hold for shapes that are known', () => {
  const rows = Array.from({ length: MANY }, (_, i) => ({ id: i, inner: { deep: { deeper: i } } }));
  for (const records of ['off', 'inline'] as const) {
    const message = new Packr({ records }).pack(rows);
    for (const limits of [{ maxDepth: 3 }, { maxDepth: 4 }, { maxValues: 400 }, { maxValues: 100_000 }]) {
      const cold = outcome(warmUnpackr({ records, limits }), message);
      for (const unpackr of warmed({ records, limits }, message)) assert.equal(outcome(unpackr, message), cold);
    }
  }
});

test('no setter of Object.prototype is reached, and no frozen name is in the way, also of names that became known', () => {
  const row = { id: 1, shy: 2, inner: { shy: 3 } };
  const setter = { configurable: true, set: () => assert.fail('a value reached a setter'), get: () => 'inherited' };
  const type = 77;
  class Trap {}
  for (const records of ['off', 'inline'] as const) {
    const message = new Packr({ records }).pack(Array.from({ length: 4 }, () => row));
    for (const generateCode of [true, false]) {
      const unpackr = warmUnpackr({ records, generateCode });
      for (let round = 0; round < MANY; round++) unpackr.unpack(message);
      Object.defineProperty(Object.prototype, 'shy', setter);
      try {
        assert.ok((unpackr.unpack(message) as object[]).every((one) => Object.hasOwn(one, 'shy')));
      } finally {
        delete (Object.prototype as { shy?: unknown }).shy;
      }
      // Foreign code in the middle of a message, between the name and those behind it.
      const trapping = warmUnpackr({
        records,
        generateCode,
        extensions: [
          {
            Class: Trap,
            type,
            unpack: () => Object.defineProperty(Object.prototype, 'shy', setter) && 0,
          },
        ],
      });
      const trap = bytesOf(
        '93 83 a2 69 64 01 a3 73 68 79 02 a1 78 03 83 a2 69 64 d4 4d 00 a3 73 68 79 02 a1 78 03 83 a2 69 64 01 a3 73 68 79 02 a1 78 03',
      );
      for (let round = 0; round < 2 * MANY; round++) {
        try {
          const objects = trapping.unpack(trap) as object[];
          assert.ok(objects.every((one) => Object.hasOwn(one instanceof Map ? Object.fromEntries(one) : one, 'shy')));
        } finally {
          delete (Object.prototype as { shy?: unknown }).shy;
        }
      }
    }
  }
});

/** Runs with another global Function, and counts how often it is asked for code. */
function withFunction(replacement: ((...args: string[]) => unknown) | null, run: () => void): number {
  const { Function: original } = globalThis;
  let count = 0;
  globalThis.Function = new Proxy(original, {
    construct: (target, args: string[]) => {
      count++;
      return (replacement === null ? Reflect.construct(target, args) : replacement(...args)) as object;
    },
  });
  try {
    run();
  } finally {
    globalThis.Function = original;
  }
  return count;
}

test('code is generated for hot shapes only, a bounded number of them, and never after a refusal', () => {
  const shapes = QUICK ? 40 : 400;
  const messages = Array.from({ length: shapes }, (_, k) => {
    return new Packr({ records: 'off' }).pack(
      Array.from({ length: MANY }, (_row, i) => ({ [`name${k}`]: i, other: k })),
    );
  });
  const read = (unpackr: Unpackr, count: number) => {
    for (const message of messages.slice(0, count)) for (let round = 0; round < 3; round++) unpackr.unpack(message);
  };
  const refused = () => {
    throw new EvalError('refused');
  };
  const options = { records: 'off' } as const;
  assert.equal(
    withFunction(refused, () => read(warmUnpackr(options), 20)),
    1,
  );
  assert.equal(
    withFunction(null, () => read(warmUnpackr({ ...options, generateCode: false }), 20)),
    0,
  );
  const once = warmUnpackr(options);
  const cool = new Packr({ records: 'off' }).pack(Array.from({ length: 40 }, (_, i) => ROWS.plain?.(i)));
  assert.equal(
    withFunction(null, () => once.unpack(cool)),
    0,
  );
  if (process.env.POLYPACK_TESTS_WITHOUT_EVAL === '1') return;
  const some = withFunction(null, () => read(warmUnpackr(options), 20));
  assert.ok(some > 10 && some <= 20, `${some} functions`);
  const most = withFunction(null, () => read(warmUnpackr(options), shapes));
  assert.ok(most > 20 && most <= 256, `${most} functions`);
  // A hundred shapes in turn: their code would be interpreted for seconds.
  const mixed = new Packr({ records: 'off' }).pack(
    Array.from({ length: 1000 }, (_, i) => ({ [`name${i % 100}`]: i, other: i })),
  );
  const unpackr = warmUnpackr(options);
  const seldom = withFunction(null, () => {
    for (let round = 0; round < 20; round++) unpackr.unpack(mixed);
  });
  assert.equal(seldom, 0);
  assert.equal(shown(unpackr.unpack(mixed)), shown(warmUnpackr(options).unpack(mixed)));
});

test('shapes without generated code, more of them than have a function of their own', THOROUGH, () => {
  const row = (k: number, i: number) => {
    const names = Array.from({ length: 1 + (k % 20) }, (_, n) => (n === 3 ? '__proto__' : `name ${k} ${n}`));
    return Object.fromEntries(names.map((name, n) => [name, n % 3 === 0 ? i : n % 3 === 1 ? i / 4 : `text ${i}`]));
  };
  const rows = Array.from({ length: 80 }, (_, k) => Array.from({ length: MANY }, (_row, i) => row(k, i)));
  for (const records of ['off', 'inline'] as const) {
    const messages = rows.map((of) => new Packr({ records }).pack(of));
    // Two codecs that meet the shapes in another order.
    for (const order of [messages, messages.toReversed()]) {
      const unpackr = warmUnpackr({ records, generateCode: false, mapsAsObjects: true });
      for (let round = 0; round < 3; round++) for (const message of order) unpackr.unpack(message);
      for (const [k, message] of messages.entries()) {
        const read = unpackr.unpack<object[]>(message);
        assert.deepEqual(shown(read), shown(rows[k]));
        assert.ok(read.every((one) => Object.getPrototypeOf(one) === Object.prototype));
      }
    }
  }
});

test('names are data in generated code', () => {
  const names = [
    '"',
    "'",
    '`',
    '\\',
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '$'.concat('{d}'),
    '*/',
    '//',
    ']:d',
    '\u0000',
    '"+d+"',
    '}',
    'ÿ',
    '🚀',
  ];
  const row = Object.fromEntries(names.map((name, i) => [name, i]));
  for (const records of ['off', 'inline'] as const) {
    const message = new Packr({ records }).pack(Array.from({ length: MANY }, () => row));
    for (const unpackr of warmed({ records }, message))
      for (const one of unpackr.unpack<object[]>(message)) assert.deepEqual(one, row);
  }
});

test('an extension may use the codec that is reading a known shape', () => {
  class Inner {
    readonly value: unknown;
    constructor(value: unknown) {
      this.value = value;
    }
  }
  const packr: Packr = new Packr({
    records: 'inline',
    extensions: [
      {
        Class: Inner,
        type: 5,
        pack: (inner: Inner) => packr.pack({ id: 1, text: inner.value, list: [1.5, 2.5] }),
        unpack: (bytes: Uint8Array) => new Inner((packr.unpack(bytes) as { text: unknown }).text),
      },
    ],
  });
  const rows = Array.from({ length: MANY }, (_, i) => ({
    id: i,
    before: 'a text',
    inner: new Inner(`text ${i}`),
    after: 'x',
  }));
  const message = packr.pack(rows);
  for (let round = 0; round < 4; round++) assert.deepEqual(packr.unpack(message), rows);
});

test('limits hold where records in records are read in one step', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i, inner: { x: i }, list: ['a', i] }));
  const message = new Packr().pack(rows(MANY));
  // Each row is a record of three values, one of which holds a value and one two.
  const most = 1 + MANY * 7;
  for (const limits of [{ maxDepth: 3 }, { maxDepth: 4 }, { maxValues: most }, { maxValues: most + 3 }]) {
    const [unpackr] = warmed({ limits }, message);
    for (let wraps = 0; wraps < 3; wraps++) {
      for (const count of [MANY, MANY + 1]) {
        let value: unknown = rows(count);
        for (let wrap = 0; wrap < wraps; wrap++) value = [value];
        const bytes = new Packr().pack(value);
        assert.equal(outcome(unpackr as Unpackr, bytes), outcome(warmUnpackr({ limits, generateCode: false }), bytes));
      }
    }
  }
});
