// spec/07#reading-by-path: get gives what the value of unpack holds at a path, whatever keys a message has.
//
// Plan: walking over a decoded value · random messages whose keys fold · examples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeCanonical, get, PolypackError, Raw, Unpackr, type UnpackrOptions } from 'polypack';
import { assertFault } from '../_check.ts';
import { QUICK, runs } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

// --- walking over a decoded value

/** What several values may be: those of keys with the same token. */
type Candidates = readonly unknown[];

/** Returns the token of a key of a Map, and how much it is preferred. */
function tokenOf(key: unknown, index: number): readonly [token: string, rank: number] {
  if (typeof key === 'string') return [key, 4];
  if (typeof key === 'bigint' || Number.isSafeInteger(key)) return [String(key), 3];
  if (key instanceof Uint8Array) return [`0x${hexOf(key)}`, 2];
  return [`#${index}`, 1];
}

/** What a decoded value holds under a token. */
function held(value: unknown, token: string): Candidates {
  if (Array.isArray(value))
    return /^(0|[1-9]\d*)$/.test(token) && Number(token) < value.length ? [value[Number(token)]] : [];
  if (value instanceof Map) {
    const fitting = [...value]
      .map(([key, inner], index) => ({ inner, index, fit: tokenOf(key, index) }))
      .filter(({ fit }) => fit[0] === token);
    const best = Math.max(...fitting.map(({ fit }) => fit[1]));
    return fitting.filter(({ fit }) => fit[1] === best).map(({ inner }) => inner);
  }
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.hasOwn(value, token) ? [(value as Record<string, unknown>)[token]] : [];
}

/** All tokens of a value. */
function tokensOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((_, index) => String(index));
  if (value instanceof Map) return [...value.keys()].map((key, index) => tokenOf(key, index)[0]);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** Tokens that some keys have, and others not. */
const TOKENS = [
  '1',
  '-1',
  '1.5',
  '0',
  '-0',
  'a',
  '',
  '__proto__',
  'constructor',
  '0x31',
  '0x',
  '#0',
  '#1',
  '#2',
  '#5',
  '~1',
];

const escaped = (token: string) => token.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Calls `check` with each path into a value, and with some that it hasn't. An index such as #1 is that of an entry, and
 * equal keys are one entry of a Map. So it is only known where lossless mode, which folds no keys, has as many.
 */
function eachPath(value: unknown, lossless: unknown, check: (path: string, expected: Candidates) => void): void {
  const visit = (here: Candidates, twin: unknown, path: string) => {
    check(path, here);
    const [first] = here;
    const hasIndices = !(first instanceof Map) || (twin instanceof Map && twin.size === first.size);
    for (const token of new Set([...tokensOf(first), ...TOKENS])) {
      const inner = here.flatMap((one) => held(one, token));
      if (!hasIndices && /^#\d$/.test(token)) continue;
      if (inner.length > 0) visit(inner, held(twin, token)[0], `${path}/${escaped(token)}`);
      else check(`${path}/${escaped(token)}`, [undefined]);
    }
  };
  visit([value], lossless, '');
}

function isHeld(actual: unknown, expected: Candidates): boolean {
  return expected.some((one) => {
    try {
      assert.deepStrictEqual(actual, one);
      return true;
    } catch {
      return false;
    }
  });
}

// --- random messages

/** Keys that hosts fold, in any width, and some that they don't. */
const KEYS = [
  ...['a1 31', 'd9 01 31', 'a1 61', 'a0', 'a9 5f5f70726f746f5f5f', 'ab 636f6e7374727563746f72', 'a2 2330', 'a2 2331'],
  ...['a4 30783331', 'a2 2d31', 'a3 312e35', 'a1 30', 'a2 7e31', 'ad 31303939353131363237373736'],
  ...['01', 'cc 01', 'd3 00*7 01', 'cf 00*7 01', 'ff', 'd0 ff', '00', 'cf 00 00 01 00 00 00 00 00', 'cf ff*8', '7f'],
  ...['ca 3f 80 00 00', 'cb 3f f0 00*6', 'cb 3f f8 00*6', 'cb 80 00*7', 'cb 00*8', 'cb 7f f8 00*6', 'cb 42 70 00*6'],
  ...[
    'c0',
    'c2',
    'c3',
    'c4 01 31',
    'c5 00 01 31',
    'c4 00',
    'd4 00 00',
    'd4 09 01',
    'c7 01 09 01',
    'd4 07 31',
    'd4 08 01',
  ],
  ...[
    'd6 ff 00 00 00 01',
    'd7 ff 00 00 00 04 00 00 00 01',
    'd7 ff 00*7 01',
    '91 01',
    '91 ca 3f 80 00 00',
    '92 a1 61 01',
  ],
  ...['90', '80', '81 a1 61 01', 'd4 72 40 91 a1 70 05', '40 05', '40', 'd4 72 41 92 a1 31 a1 61 05 06'],
].map(bytesOf);

const LEAVES = [
  ...['01', 'a1 78', 'c0', 'cb 3f f0 00*6', 'c4 01 31', 'd6 ff 00 00 00 01', 'd4 09 01', 'cf ff*8', '40', '40 07'],
  ...['c7 03 07 81 01 05', 'c7 06 07 82 a1 61 05 01 06', 'c7 03 07 91 81 c0', 'c7 04 07 92 01 80', 'd4 08 02'],
  ...['d4 72 40 91 a1 70 05', 'd4 72 40 92 a1 61 a1 31 08 09', 'd4 72 41 92 a1 31 a1 61 05 81 01 02', '41 05 06'],
].map(bytesOf);

const concat = (parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

const { message } = fc.letrec<{ message: Uint8Array }>((tie) => ({
  message: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(...LEAVES),
    fc.array(tie('message'), { maxLength: 3 }).map((parts) => concat([Uint8Array.of(0x90 + parts.length), ...parts])),
    {
      weight: 4,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...KEYS), tie('message')), { minLength: 1, maxLength: 6 })
        .map((entries) => concat([Uint8Array.of(0x80 + entries.length), ...entries.flat()])),
    },
  ),
}));

const options: fc.Arbitrary<UnpackrOptions> = fc
  .record({
    mode: fc.constantFrom('default' as const, 'strict' as const, 'lossless' as const),
    records: fc.constantFrom('off' as const, 'inline' as const),
    mapsAsObjects: fc.constantFrom(undefined, true, false),
    allowArraysInMapKeys: fc.boolean(),
    int64AsType: fc.constantFrom('auto' as const, 'bigint' as const, 'number' as const, 'string' as const),
    extends: fc.boolean(),
  })
  .map(({ extends: hasExtensions, ...others }) => {
    const isLossless = others.mode === 'lossless';
    return {
      ...others,
      mapsAsObjects: isLossless && others.mapsAsObjects ? undefined : others.mapsAsObjects,
      allowArraysInMapKeys: !isLossless && others.allowArraysInMapKeys,
      int64AsType: isLossless ? 'auto' : others.int64AsType,
      extensions: hasExtensions
        ? [
            { type: 7, read: (value: unknown) => value },
            { type: 8, unpack: (data: Uint8Array) => (data[0] === 1 ? 'a' : 1) },
          ]
        : [],
    };
  });

test('get gives what the value of unpack holds at a path, whenever unpack succeeds', () => {
  let paths = 0;
  fc.assert(
    fc.property(message, options, (bytes, given) => {
      const unpackr = new Unpackr(given);
      let value: unknown;
      try {
        value = unpackr.unpack(bytes);
      } catch (error) {
        assert.ok(error instanceof PolypackError);
        return;
      }
      const raw = new Raw(bytes, unpackr);
      eachPath(value, losslessly(bytes, given), (path, expected) => {
        paths++;
        const about = () => `${path} of ${hexOf(bytes)}`;
        const found = get(bytes, path, unpackr);
        if (!isHeld(found, expected)) assert.deepStrictEqual(found, expected[0], about());
        const inner = innerOf(raw, path);
        // A Raw has bytes, so it knows nothing of what extensions make; without its records it has Maps for objects.
        if (inner === undefined || given.extensions?.length !== 0) return;
        if (given.records === 'off') assert.ok(isHeld(inner.unpack(), expected), about());
        else assert.equal(canonical(inner.unpack()), canonical(found), about());
      });
    }),
    { numRuns: runs(1000) },
  );
  // So few runs as the quick ones may all have small values.
  assert.ok(QUICK || paths > runs(1000));
});

function losslessly(bytes: Uint8Array, { records, extensions }: UnpackrOptions): unknown {
  try {
    return new Unpackr({ mode: 'lossless', records, extensions }).unpack(bytes);
  } catch {
    return undefined; // keys are equal
  }
}

/** Returns the Raw at a path; undefined if its value has equal keys, which a Raw without its records can't have. */
function innerOf(raw: Raw, path: string): Raw | undefined {
  try {
    return raw.get(path);
  } catch (error) {
    assert.equal((error as PolypackError).code, 'duplicate_key');
    return undefined;
  }
}

function canonical(value: unknown): string {
  if (value === undefined) return '';
  try {
    return hexOf(encodeCanonical(value));
  } catch (error) {
    return (error as PolypackError).code;
  }
}

// --- examples

/** bytes, path, value, options */
type Row = readonly [string, string, unknown, UnpackrOptions?];

const objects = { mapsAsObjects: true } as const;
const maps = { mapsAsObjects: false } as const;

const ROWS: readonly Row[] = [
  // Keys that become one name: the last value.
  ['82 a1 31 a4 75736572 01 a5 61646d696e', '/1', 'admin', objects],
  ['82 01 a5 61646d696e a1 31 a4 75736572', '/1', 'user', objects],
  ['82 a1 31 a4 75736572 01 a5 61646d696e', '/1', 'user'],
  ['82 01 05 cb 3f f0 00*6 06', '/1', 6],
  ['82 cb 3f f0 00*6 06 01 05', '/1', 5],
  ['82 cb 3f f0 00*6 06 01 05', '/1', 5, { mode: 'lossless' }],
  ['82 cb 3f f0 00*6 06 01 05', '/#0', 6, { mode: 'lossless' }],
  ['82 91 01 05 a1 31 06', '/1', 6, { ...objects, allowArraysInMapKeys: true }],
  ['82 a1 31 06 91 01 05', '/1', 5, { ...objects, allowArraysInMapKeys: true }],
  ['81 cf ff*8 05', '/18446744073709551615', 5, { ...maps, int64AsType: 'string' }],
  // An index is that of the entry. Of the keys that are one with its key, the last wins.
  ['83 c0 01 c0 02 c3 03', '/#0', 2],
  ['83 c0 01 c0 02 c3 03', '/#1', 2],
  ['83 c0 01 c0 02 c3 03', '/#2', 3],
  ['83 c0 01 c0 02 c3 03', '/#3', undefined],
  ['83 91 01 05 91 cb 3f f0 00*6 06 c0 07', '/#0', 6],
  ['83 a1 61 05 a1 61 06 c0 07', '/#2', 7],
  ['82 cb 3f f0 00*6 06 01 05', '/#0', undefined],
  ['81 05 06', '/#0', undefined],
  ['81 a9 5f5f70726f746f5f5f 05', '/__proto__', 5],
  ['80', '/__proto__', undefined],
  // A str that isn't UTF-8 has the name that it is read as.
  ['81 a1 ff 05', '/\uFFFD', 5, { invalidUtf8: 'replace' }],
  ['82 a3 efbfbd 06 a2 61 ff 05', '/a\uFFFD', 5, { ...objects, invalidUtf8: 'replace' }],
  ['82 a1 ff 05 a3 efbfbd 06', '/\uFFFD', 6, { invalidUtf8: 'replace' }],
  ['82 a3 efbfbd 06 a1 ff 05', '/\uFFFD', 5, { invalidUtf8: 'replace' }],
  ['80', '/constructor', undefined, objects],
];

test('keys that the target folds are one on the path, too', () => {
  for (const [bytes, path, expected, given] of ROWS) {
    assert.deepStrictEqual(get(bytesOf(bytes), path, given), expected, `${path} of ${bytes}`);
    assert.deepStrictEqual(new Raw(bytesOf(bytes), given).get(path)?.unpack(), expected, `${path} of ${bytes}`);
  }
});

test('a key that the target refuses is refused on the path', () => {
  const roles = bytesOf('82 a4 726f6c65 a4 75736572 c4 04 726f6c65 a5 61646d696e');
  const fault = { code: 'invalid_key', offset: 11, path: '' };
  assertFault(() => new Unpackr(objects).unpack(roles), fault);
  assertFault(() => get(roles, '/role', objects), fault);
  assertFault(() => get(bytesOf('82 a1 61 05 01 06'), '/a', { ...objects, mode: 'strict' }), {
    code: 'invalid_key',
    offset: 4,
  });
});

test('what an extension makes is looked into', () => {
  const bytes = bytesOf('81 a1 61 c7 06 07 82 a1 62 05 c0 06');
  const extensions = [{ type: 7, read: (value: unknown) => value }];
  assert.equal(get(bytes, '/a/b', { extensions }), 5);
  assert.equal(get(bytes, '/a/#1', { extensions }), 6);
  assert.equal(get(bytes, '/a/c', { extensions }), undefined);
  assert.equal(get(bytes, '/a/b'), undefined);
  assert.equal(new Raw(bytes, { extensions }).get('/a/b'), undefined);
  assert.equal(new Raw(bytes, { extensions, records: 'inline' }).get('/a/b'), undefined);
  class Point {
    x = 1;
  }
  assert.equal(get(bytes, '/a/x', { extensions: [{ type: 7, unpack: () => new Point() }] }), undefined);
  assert.equal(get(bytes, '/a/1', { extensions: [{ type: 7, unpack: () => [4, 5] }] }), 5);
});

test('get never refuses keys for comparisons that unpack does not make', () => {
  // Names of digits in one bucket: an object has a seed, so unpack counts nothing.
  const digits = Array.from({ length: 1000 }, (_, index) => [
    0xaa,
    ...new TextEncoder().encode(String(1_000_013_824 + index * 65_536)),
    1,
  ]);
  const bytes = Uint8Array.from([0xde, 1000 >> 8, 1000 & 0xff, ...digits.flat()]);
  for (const mode of ['default', 'strict'] as const) {
    const given = { mode, mapsAsObjects: true, limits: { maxCollisions: 1 } };
    assert.equal(Object.keys(new Unpackr(given).unpack<object>(bytes)).length, 1000);
    assert.equal(get(bytes, '/1000013824', given), 1);
    assert.equal(get(bytes, '/#1', given), undefined);
  }
});
