// Equal keys on encode (spec/07#encoding): strict mode compares keys as they are written, whatever an option makes of
// them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ExtData,
  type ExtensionDefinition,
  FLOAT32_OPTIONS,
  Float,
  Packr,
  type PackrOptions,
  PolypackError,
  pack,
  Raw,
  Timestamp,
  Unpackr,
} from 'polypack';
import * as compact from 'polypack/compact';
import { assertFault } from '../_check.ts';
import { runs } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

const { ALWAYS, DECIMAL_FIT } = FLOAT32_OPTIONS;

/** A class that stands for another value: by toJSON. */
class Spoken {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** The same by an extension without type. */
class Replaced extends Spoken {}

/** An ext whose data are a message. */
class Written extends Spoken {}

/** An ext whose data are bytes. */
class Packed extends Spoken {}

const extension = <T>(definition: ExtensionDefinition<T>) => definition as ExtensionDefinition;
const extensions = [
  extension<Replaced>({ Class: Replaced, write: ({ value }) => value }),
  extension<Written>({ Class: Written, type: 20, write: ({ value }) => value, read: (value) => new Written(value) }),
  extension<Packed>({ Class: Packed, type: 21, pack: ({ value }) => pack(value), unpack: (data) => new Packed(data) }),
];

/** Takes the type of bigints for instances. */
const bigInt = extension<Packed>({ Class: Packed, type: 0x42, write: () => 1, read: (value) => new Packed(value) });

const map = (...keys: readonly unknown[]) => new Map(keys.map((key, index) => [key, index]));

test('keys that an option makes equal are refused where they would be written', () => {
  const shared = [1];
  const cases: [PackrOptions, keys: [unknown, unknown], path?: string][] = [
    [{ coercibleKeyAsNumber: true }, [[{ 17: 0 }], [map(17)]]],
    [{ coercibleKeyAsNumber: true }, [{ '-1.5': 0 }, map(-1.5)]],
    [{ coercibleKeyAsNumber: true, records: 'inline' }, [{ 17: 0 }, map('17')]],
    [{ coercibleKeyAsNumber: true, records: 'inline', maxOwnStructures: 0 }, [{ 17: 0 }, map(17)]],
    [{ coercibleKeyAsNumber: true, useRecords: () => false }, [{ 17: 0 }, map(17)]],
    [{ coercibleKeyAsNumber: true, useFloat32: true }, [{ 1.1: 0 }, map(Math.fround(1.1))]],
    [{ useFloat32: ALWAYS }, [1.1, Math.fround(1.1)]],
    [{ useFloat32: DECIMAL_FIT }, [1.1, Math.fround(1.1)]],
    [{ useFloat32: DECIMAL_FIT }, [[1.1], [Math.fround(1.1)]]],
    [{ useFloat32: DECIMAL_FIT, compat: 'msgpackr' }, [[1.1], [Math.fround(1.1)]]],
    [{ useFloat32: ALWAYS }, [16_777_218, 16_777_217.5], '/#1'],
    [{}, [17, new Float(17)]],
    [{}, [[0], [new Float(0)]]],
    [{ largeBigIntToFloat: true }, [2 ** 70, 2n ** 70n], '/1180591620717411303424'],
    [{ largeBigIntToString: true }, ['1180591620717411303424', 2n ** 70n], '/1180591620717411303424'],
    [{ encodeUndefinedAsNil: true }, [null, undefined]],
    [{ encodeUndefinedAsNil: true, structuredClone: true }, [null, undefined]],
    [{ structuredClone: true }, [5, 5n], '/5'],
    [{ structuredClone: true }, [5, Object(5)]],
    [{ structuredClone: true }, ['a', new Spoken('a')]],
    [{ structuredClone: true }, [shared, new Spoken(shared)]],
    [{ structuredClone: true }, [new Spoken(shared), new Spoken(shared)]],
    [{ structuredClone: true, extensions }, [null, new Replaced(null)]],
    [{ structuredClone: true }, [undefined, new ExtData(0, Uint8Array.of(0))]],
    [{ structuredClone: true }, [new Float(-0), new Float(-0)]],
    [{ structuredClone: true, useFloat32: true }, [1.1, Math.fround(1.1)]],
    [{ moreTypes: true }, [new Set([1]), new Set([1])]],
  ];
  for (const [options, keys, path = '/#1'] of cases) {
    const given = options.useRecords === undefined ? ({ records: 'off', ...options } as const) : options;
    const about = `${JSON.stringify(options)} ${String(keys)}`;
    assertFault(
      () => new Packr({ ...given, mode: 'strict' }).pack(map(...keys)),
      { code: 'duplicate_key', path },
      about,
    );
    // Rounded to decimals, they would differ.
    const reader = new Unpackr({ ...given, useFloat32: undefined, mode: 'strict', mapsAsObjects: false });
    assert.throws(() => reader.unpack(new Packr(given).pack(map(...keys))), { code: 'duplicate_key' }, about);
  }
});

test('keys that differ where they are written are no equal keys', () => {
  const shared = [1];
  const cases: [PackrOptions, keys: [unknown, unknown]][] = [
    [{ coercibleKeyAsNumber: true }, [{ 17: 0 }, map('17')]],
    [{ coercibleKeyAsNumber: true, records: 'inline' }, [{ 17: 0 }, map(17)]],
    [{}, [0, new Float(-0)]],
    [{}, [[0], [-0]]],
    [{}, [2 ** 60, 2n ** 60n]],
    [{ extensions }, [new Written({ a: 1, b: 2 }), new Written({ b: 2, a: 1 })]],
    [{ extensions, moreTypes: true }, [new Written(5), new Written(5n)]],
    [{ structuredClone: true }, [[1], [1]]],
    [{ structuredClone: true }, [shared, new Spoken([1])]],
    [{ structuredClone: true }, [0, new Float(-0)]],
    [{ structuredClone: true }, [new Date(1), new Date(1)]],
    [{ structuredClone: true }, [new ExtData(0, Uint8Array.of(5)), new ExtData(0, Uint8Array.of(5))]],
    [{ structuredClone: true, extensions: [bigInt] }, [new Packed(1), new Packed(1)]],
  ];
  for (const [options, keys] of cases) {
    const packr = new Packr({ records: 'off', mapsAsObjects: false, ...options, mode: 'strict' });
    const read = packr.unpack<Map<unknown, unknown>>(packr.pack(map(...keys)));
    assert.equal(read.size, 2, `${JSON.stringify(options)} ${String(keys)}`);
  }
});

test('names of one object that become the same number are refused', () => {
  const options = { mode: 'strict', coercibleKeyAsNumber: true, useFloat32: true } as const;
  const object = { 1.1: 0, '1.100000023841858': 1 };
  for (const more of [{}, { structuredClone: true }]) {
    const packr = new Packr({ ...options, ...more, records: 'off' });
    assertFault(() => packr.pack([object]), { code: 'duplicate_key', path: '/0/#1' });
    assertFault(() => packr.pack(new Map([[[object], 1]])), { code: 'duplicate_key', path: '' });
  }
  assert.equal(hexOf(pack(object, { coercibleKeyAsNumber: true, useFloat32: true })), '82ca3f8ccccd00ca3f8ccccd01');
});

test('the path behind a name that is written as a float is that of the bytes', () => {
  const options = { coercibleKeyAsNumber: true };
  assertFault(() => pack({ '-1.5': [() => 1] }, options), { code: 'unsupported_value', path: '/#0/0' });
  assertFault(() => pack({ a: 1, 17: [() => 1] }, options), { code: 'unsupported_value', path: '/17/0' });
});

test('members of a Set that an option makes equal are refused', () => {
  const cases: [PackrOptions, members: [unknown, unknown]][] = [
    [{ useFloat32: true }, [1.1, Math.fround(1.1)]],
    [{ useFloat32: DECIMAL_FIT }, [1.1, Math.fround(1.1)]],
    [{ encodeUndefinedAsNil: true }, [null, undefined]],
    [{ wideBigInts: false }, [5, 5n]],
    [{}, [0, new Float(-0)]],
    [{}, [1, Object(1)]],
    [{}, ['a', new Spoken('a')]],
  ];
  for (const more of [{ moreTypes: true }, { structuredClone: true }]) {
    for (const [options, members] of cases) {
      const given = { ...more, ...options };
      const about = `${JSON.stringify(given)} ${String(members)}`;
      const packr = new Packr({ ...given, mode: 'strict' });
      const written = assertFault(() => packr.pack([new Set(members)]), { code: 'duplicate_key', path: '/0/1' }, about);
      const bytes = new Packr(given).pack(new Set(members));
      const strict = new Unpackr({ ...more, mode: 'strict' });
      const read = assertFault(() => strict.unpack(bytes), { code: 'duplicate_key', path: '/1' }, about);
      for (const { message } of [written, read]) assert.match(message, /^a member occurs twice in a Set/);
    }
    // A bigint is one again, but not in a key (03#structured-cloning).
    const packr = new Packr({ ...more, mode: 'strict' });
    const set = new Set<unknown>([5, 5n, 2 ** 40, 2n ** 40n, [1], [1]]);
    assert.deepEqual(packr.unpack(packr.pack(set)), set);
    assertFault(() => packr.pack(new Map([[new Set([5, 5n]), 1]])), { code: 'duplicate_key', path: '' });
  }
});

// --- any Map and any options -----------------------------------------------------------------------------------------

const ONE = [1];

/** Values that options make equal to each other, and names that they turn into such values. */
const ALIKE: readonly (readonly unknown[])[] = [
  [17, '17', 17n, new Float(17), Object(17), true],
  [1.1, Math.fround(1.1), new Float(1.1), '1.1', '1.100000023841858', '-1.5', -1.5],
  [16_777_217.5, 16_777_218, 16_777_218n, '16777218', '16777217.5'],
  [0, -0, new Float(-0), new Float(0), '0', Number.NaN, 'NaN'],
  [2 ** 40, 2n ** 40n, -(2n ** 40n), 2 ** 60, 2n ** 60n, 2 ** 70, 2n ** 70n, String(2n ** 70n)],
  [null, undefined, new ExtData(0, Uint8Array.of(0)), ''],
  [new Date(1000), new Date(1500), new Timestamp(1, 0), new ExtData(-1, bytesOf('00*7 01')), new Date(Number.NaN)],
  [Uint8Array.of(1), Uint8Array.of(1), new ExtData(5, Uint8Array.of(1)), Float64Array.of(1), Float64Array.of(1)],
  [ONE, [1], /a/u, /a/u],
  ['__proto__', Object('__proto__'), new Raw(pack('__proto__')), new Raw(bytesOf('d909 5f5f70726f746f5f5f'))],
];

/** Containers and replacements of values that are alike. */
function valueAmong(alike: readonly unknown[]): fc.Arbitrary<unknown> {
  const names = alike.filter((one) => typeof one === 'string');
  const { value } = fc.letrec<{ value: unknown; members: unknown[] }>((tie) => ({
    members: fc.array(tie('value'), { maxLength: 2 }),
    value: fc.oneof(
      { maxDepth: 3 },
      { weight: 3, arbitrary: fc.constantFrom(...alike) },
      tie('members').map((members) => [...members]),
      tie('members').map((members) => map(...members)),
      tie('members').map((members) => new Set(members)),
      fc.dictionary(fc.constantFrom('a', ...names), tie('value'), { maxKeys: 2, noNullPrototype: true }),
      fc.tuple(fc.constantFrom(Spoken, Replaced, Written), tie('value')).map(([Class, inner]) => new Class(inner)),
      fc.constantFrom(1, 2).map((inner) => new Packed(inner)),
    ),
  }));
  return value;
}

const keysOfMaps = fc
  .constantFrom(...ALIKE)
  .chain((alike) => fc.array(valueAmong(alike), { minLength: 1, maxLength: 4 }));
const flags = [
  ...(['coercibleKeyAsNumber', 'encodeUndefinedAsNil', 'largeBigIntToFloat', 'largeBigIntToString'] as const),
  ...(['wideBigInts', 'useBigIntExtension', 'moreTypes', 'structuredClone', 'variableMapSize', 'useToJSON'] as const),
  ...(['mapAsEmptyObject', 'setAsEmptyObject', 'useTimestamp32', 'bundleStrings'] as const),
];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyOptions: fc.Arbitrary<PackrOptions> = fc.record({
  ...(Object.fromEntries(
    flags.map((name) => [name, fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.boolean())]),
  ) as Record<(typeof flags)[number], fc.Arbitrary<boolean | undefined>>),
  records: fc.constantFrom('off', 'inline'),
  compat: fc.constantFrom(undefined, undefined, undefined, 'msgpackr' as const),
  useFloat32: optional(fc.constantFrom(...Object.values(FLOAT32_OPTIONS))),
  skipValues: optional(fc.constant([null])),
  maxOwnStructures: optional(fc.constantFrom(0, 1)),
});

test('what strict mode writes, strict readers accept, whatever the keys and options', () => {
  fc.assert(
    fc.property(keysOfMaps, anyOptions, (keys, given) => {
      const all: PackrOptions = { ...given, regExps: true, extensions };
      const { records, moreTypes, structuredClone, useBigIntExtension, compat, bundleStrings } = all;
      const known = { records, moreTypes, structuredClone, useBigIntExtension, compat, bundleStrings } as const;
      const reader = new Unpackr({ ...known, mode: 'strict', regExps: true, extensions });
      const writer = new Packr({ ...all, mode: 'strict' });
      let bytes: Uint8Array;
      try {
        bytes = writer.pack(map(...keys));
      } catch (error) {
        assert.ok(error instanceof PolypackError);
        if (error.code !== 'duplicate_key') return;
        // What is refused would be refused by readers.
        assert.throws(() => reader.unpack(new Packr(all).pack(map(...keys))), { name: 'PolypackError' });
        return;
      }
      reader.unpack(bytes);
    }),
    { numRuns: runs(1000) },
  );
});

test('so does the compact codec', () => {
  const flags = fc.record({ encodeUndefinedAsNil: fc.boolean(), useToJSON: fc.boolean() });
  fc.assert(
    fc.property(keysOfMaps, flags, fc.constantFrom('strict', 'lossless'), (keys, given, mode) => {
      const isLossless = mode === 'lossless';
      const options = { ...given, extensions, mode, encodeUndefinedAsNil: given.encodeUndefinedAsNil && !isLossless };
      let bytes: Uint8Array;
      try {
        bytes = compact.pack(map(...keys), options);
      } catch (error) {
        assert.ok(error instanceof PolypackError);
        if (error.code !== 'duplicate_key') return;
        const written = () => compact.pack(map(...keys), { ...options, mode: 'default' });
        assert.throws(() => compact.unpack(written(), { mode, extensions }), { name: 'PolypackError' });
        assert.throws(() => pack(map(...keys), options), { name: 'PolypackError' });
        return;
      }
      compact.unpack(bytes, { mode, extensions });
      assert.equal(hexOf(pack(map(...keys), options)), hexOf(bytes));
    }),
    { numRuns: runs(300) },
  );
});

test('strict mode refuses to write the key __proto__, which its readers refuse', () => {
  const own = (value: unknown, before: number) => {
    const members = Array.from({ length: before }, (_, index) => `"n${index}": 1`);
    const object: object = JSON.parse(`{${[...members, '"__proto__": 0'].join(', ')}}`);
    return Object.assign(object, { last: value });
  };
  const values: [unknown, string][] = [
    [own(1, 0), ''],
    [own(1, 3), ''],
    [[1, { a: own(1, 1) }], '/1/a'],
    [[own(1, 100)], '/0'],
    [new Map([['__proto__', 1]]), ''],
    [new Map<unknown, unknown>([[own(1, 0), 1]]), ''],
    [
      [
        new Map([
          [
            'a',
            new Map<unknown, unknown>([
              [1, 1],
              ['__proto__', 1],
            ]),
          ],
        ]),
      ],
      '/0/a',
    ],
  ];
  const structures = [['__proto__', 'last'], ['a']];
  for (const [value, path] of values) {
    for (const options of [
      { records: 'off' },
      { records: 'inline' },
      { sequential: true },
      { structures },
      { structuredClone: true },
      { moreTypes: true, records: 'off' },
      { skipValues: [undefined] },
      { coercibleKeyAsNumber: true, records: 'off' },
      { useRecords: () => true },
    ] as const) {
      const packr = new Packr({ mode: 'strict', ...options });
      const about = `${path} with ${JSON.stringify(options)}`;
      // Again, because what a Packr has learned must not change it.
      for (let round = 0; round < 3; round++) {
        assertFault(() => packr.pack(value), { code: 'invalid_key', offset: null, path }, about);
      }
      assert.doesNotThrow(() => new Packr(options).pack(value), about);
    }
    assertFault(() => new compact.Packr({ mode: 'strict' }).pack(value), { code: 'invalid_key', offset: null, path });
    assert.doesNotThrow(() => compact.pack(value));
  }
});

test('so it does if a key only becomes __proto__', () => {
  const keys: [unknown, PackrOptions?][] = [
    [Object('__proto__')],
    [new Spoken('__proto__')],
    [new Spoken(new Spoken(Object('__proto__')))],
    [new Replaced('__proto__')],
    [() => 1, { writeFunction: () => '__proto__' }],
    [new Date(Number.NaN), { onInvalidDate: () => '__proto__' }],
    ...['a9', 'd909', 'da0009', 'db00000009'].map((head): [unknown] => [new Raw(bytesOf(`${head}5f5f70726f746f5f5f`))]),
  ];
  const doors: PackrOptions[] = [
    ...[{ records: 'off' }, { records: 'inline' }, { structures: [] }, { sequential: true }, { moreTypes: true }],
    ...[{ structuredClone: true }, { bundleStrings: true }, { skipValues: [0] }, { compat: 'msgpackr' }],
  ] as PackrOptions[];
  for (const [key, more] of keys) {
    for (const options of doors.map((door) => ({ ...door, ...more, extensions }))) {
      for (const [before, first] of [[0], [1], [1000], [0, key], [1000, key]] as [number, unknown][]) {
        // The buffer may have to grow while the key is written. With structuredClone, the second time is a pointer.
        const value = [
          ['x'.repeat(before), first],
          new Map([
            [
              1,
              new Map<unknown, unknown>([
                [2, 2],
                [key, 1],
              ]),
            ],
          ]),
        ];
        const packr = new Packr({ ...options, mode: 'strict' });
        const about = `${String(key)} with ${JSON.stringify(options)}`;
        assertFault(() => packr.pack(value), { code: 'invalid_key', offset: null, path: '/1/1' }, about);
        assert.doesNotThrow(() => new Packr(options).pack(value), about);
      }
    }
    if (more !== undefined || key instanceof Raw) continue;
    const value = [new Map([[key, 1]])];
    const fault = { code: 'invalid_key', offset: null, path: '/0' };
    assertFault(() => compact.pack(value, { mode: 'strict', extensions }), fault);
    assert.doesNotThrow(() => compact.pack(value, { extensions }));
  }
  // These have the bytes of the text, but aren't str.
  const others = [new ExtData(0x5f, bytesOf('5f70726f746f5f5f')), Array.from('__proto__', (one) => one.charCodeAt(0))];
  for (const other of [...others, bytesOf('5f5f70726f746f5f5f')]) {
    for (const door of doors) new Packr({ ...door, mode: 'strict' }).pack(new Map([[other, 1]]));
    compact.pack(new Map([[other, 1]]), { mode: 'strict' });
  }
});

test('keys that only a loop over a Map or Set meets twice are refused, and others are written', () => {
  class Multi extends Map<unknown, unknown> {
    // As Maps of several values for a key do.
    *all(): Generator<[unknown, unknown]> {
      for (const [key, values] of super.entries()) for (const value of values as unknown[]) yield [key, value];
    }
    override [Symbol.iterator](): MapIterator<[unknown, unknown]> {
      return this.all() as unknown as MapIterator<[unknown, unknown]>;
    }
    override get size(): number {
      return [...this].length;
    }
  }
  class Hidden extends Map<unknown, unknown> {
    override keys(): MapIterator<unknown> {
      return new Map([[1, 1]]).keys();
    }
  }
  const own = new Map<unknown, unknown>([['b', 1]]);
  own[Symbol.iterator] = () => [['a', 1] as const, ['a', 2] as const].values() as never;
  const twice: [unknown, string][] = [
    [new Multi([['a', [1, 2]]]), '/a'],
    [
      new Multi([
        ['b', [0]],
        [17, [1, 2, 3]],
      ]),
      '/17',
    ],
    [new Multi([[[1], [1, 2]]]), '/#1'],
    [
      new Multi([
        [1, [5]],
        [new Float(1), [6]],
      ]),
      '/#1',
    ],
    [
      new Hidden([
        [[1], 1],
        [[1], 2],
      ]),
      '/#1',
    ],
    [own, '/a'],
  ];
  const kinds: PackrOptions[] = [
    { records: 'off' },
    {},
    { moreTypes: true },
    { structuredClone: true },
    { bundleStrings: true },
  ];
  for (const [map, path] of twice) {
    for (const options of kinds) {
      const about = `${path} with ${JSON.stringify(options)}`;
      const packr = new Packr({ ...options, mode: 'strict' });
      if (options.structuredClone === true && map instanceof Hidden) {
        // With references, different objects are different keys.
        packr.pack(map);
        continue;
      }
      assertFault(() => packr.pack(map), { code: 'duplicate_key', path }, about);
      assertFault(() => packr.pack([map]), { code: 'duplicate_key', path: `/0${path}` }, about);
      assertFault(() => packr.pack(new Map([[[map], 1]])), { code: 'duplicate_key', path: '' }, about);
    }
    if (path !== '/#1' || !(map instanceof Multi)) {
      assertFault(() => pack(map, { mode: 'lossless' }), { code: 'duplicate_key', path });
      assertFault(() => compact.pack(map, { mode: 'strict' }), { code: 'duplicate_key', path });
    }
  }
  const once = new Multi([
    ['a', [1]],
    [-0, [2]],
    [[1], []],
    [Object('b'), [3]],
  ]);
  for (const mode of ['default', 'strict', 'lossless'] as const) {
    assert.equal(hexOf(pack(once, { mode })), '83a161010002a16203', mode);
  }
  const zero = new Map<unknown, unknown>([['a', 1]]);
  zero[Symbol.iterator] = () => [[-0, 1] as const].values() as never;
  for (const mode of ['default', 'strict'] as const)
    assert.equal(hexOf(pack(zero, { mode })), '81cb800000000000000001');
  class Bag extends Set<unknown> {
    override [Symbol.iterator](): SetIterator<unknown> {
      return ['a', 1, 'a'].values();
    }
  }
  for (const options of [{ moreTypes: true }, { structuredClone: true }]) {
    assertFault(() => new Packr({ ...options, mode: 'strict' }).pack([new Bag()]), {
      code: 'duplicate_key',
      path: '/0/2',
    });
  }
});
