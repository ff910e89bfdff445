// Keys that JavaScript compares by identity (spec/01#map): equal by what they mean, at a cost linear in their bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalize,
  FLOAT32_OPTIONS,
  Float,
  get,
  pack,
  Timestamp,
  Unpackr,
  type UnpackrOptions,
  unpack,
} from 'polypack';
import * as compact from 'polypack/compact';
import { assertFault } from '../_check.ts';
import { cpuMilliseconds } from '../_cost.ts';
import { THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

const MODES = ['default', 'strict', 'lossless'] as const;

/** Decodes in each mode, whatever comes of it, and gives the best time and the most memory. */
function cost(bytes: Uint8Array): { ms: number; megabytes: number } {
  let ms = 0;
  let megabytes = 0;
  for (const mode of MODES) {
    const unpackr = new Unpackr({ mode, records: 'inline' });
    const times = Array.from({ length: 3 }, () => {
      const before = process.memoryUsage().rss;
      const started = cpuMilliseconds();
      try {
        unpackr.unpack(bytes);
      } catch (error) {
        assert.equal((error as Error).name, 'PolypackError');
      }
      const time = cpuMilliseconds() - started;
      megabytes = Math.max(megabytes, (process.memoryUsage().rss - before) / 1e6);
      return time;
    });
    ms = Math.max(ms, Math.min(...times));
  }
  return { ms, megabytes };
}

test('equal keys of every kind, in every width and order', () => {
  const pairs = [
    ['c4 01 61', 'c6 00 00 00 01 61'],
    ['90', 'dd 00 00 00 00'],
    ['92 01 a1 61', 'dc 00 02 cd 00 01 d9 01 61'],
    ['91 ca 3f c0 00 00', '91 cb 3f f8 00 00 00 00 00 00'],
    ['91 ca 7f c0 00 00', '91 cb ff f8 00 00 00 00 00 01'],
    ['82 01 02 a1 61 03', '82 a1 61 d1 00 03 cc 01 02'],
    ['81 81 01 02 03', '81 de 00 01 01 02 03'],
    ['82 82 01 01 02 02 c0 05 c0', '82 05 c0 82 02 02 01 01 c0'],
    ['d4 05 07', 'c7 01 05 07'],
    ['d6 ff 00 00 00 01', 'c7 0c ff 00*11 01'],
    ['91 d4 00 00', '91 c7 01 00 00'],
    ['81 a1 61 01', 'd4 72 40 91 a1 61 01'],
    ['82 a1 62 01 a1 61 02', 'd4 72 40 92 a1 61 a1 62 02 01'],
    ['81 91 81 90 01 02', '81 91 81 dc 00 00 01 02'],
    ['91 82 90 01 91 81 90 02 03', '91 82 91 81 dc 00 00 02 03 dc 00 00 01'],
    ['81 01 82 a1 61 c5 01 2c 07*300 a1 62 90', '81 01 82 a1 62 90 a1 61 c5 01 2c 07*300'],
    ['91 82 a1 62 01 a1 61 90', '91 d5 72 60 00 92 a1 61 a1 62 90 01'],
  ] as const;
  for (const [left, right] of pairs) {
    for (const [first, second] of [
      [left, right],
      [right, left],
      [left, left],
    ] as const) {
      const bytes = bytesOf(`82 ${first} c0 ${second} c3`);
      const offset = 2 + bytesOf(first).length;
      for (const mode of ['strict', 'lossless'] as const) {
        const unpackr = new Unpackr({ mode, records: 'inline' });
        assertFault(
          () => unpackr.unpack(bytes),
          { code: 'duplicate_key', offset, path: pathOf(second) },
          `${first} and ${second}`,
        );
      }
      const map = new Unpackr({ records: 'inline' }).unpack(bytes) as Map<unknown, unknown>;
      assert.deepEqual([...map.values()], [true], `${first} and ${second}: the last wins`);
    }
  }
});

test('a key with an entry that is lost is equal to the key without it', () => {
  const scalars = [
    'c0',
    'c2',
    '01',
    'cd 01 2c',
    'd3 ff*8',
    'a1 62',
    'c4 01 61',
    'd4 05 07',
    'd6 ff 00 00 00 01',
    '91 01',
  ];
  const keys = [
    ...scalars.map((key) => [key, key] as const),
    ['d6 ff 00 00 00 01', 'c7 0c ff 00*11 01'],
    ['01', 'cb 3f f0 00*6'],
    ['81 01 02', 'de 00 01 01 02'],
    ['82 01 02 01 03', '81 01 03'], // has lost an entry itself
    ['81 a1 61 01', 'd4 72 40 91 a1 61 01'],
  ] as const;
  const places = [
    (key: string) => key,
    (key: string) => `91 ${key}`,
    (key: string) => `81 05 ${key}`,
    (key: string) => `82 05 01 05 ${key}`,
    (key: string) => `81 ${key} 05`,
    (key: string) => `d4 72 50 91 a1 7a ${key}`,
  ];
  for (const [key, again] of keys) {
    const lossy = `84 09 c0 ${key} 01 a1 78 c0 ${again} 02`;
    const pairs = [
      [lossy, `83 a1 78 c0 ${key} 02 09 c0`, [2, 3]],
      [lossy, `84 ${again} 03 ${again} 02 a1 78 c0 09 c0`, [2, 3]],
      [lossy, `83 a1 78 c0 ${key} 01 09 c0`, [1, 2, 3]], // the value that is lost
    ] as const;
    for (const [one, other, expected] of pairs) {
      for (const place of places) {
        for (const [first, second] of [
          [place(one), place(other)],
          [place(other), place(one)],
        ] as const) {
          const about = `${first} and ${second}`;
          const bytes = bytesOf(`83 ${first} 01 ${second} 02 c3 03`);
          const options = { records: 'inline' } as const;
          for (const read of [unpack, compact.unpack]) {
            const map = read(bytes, options) as Map<unknown, unknown>;
            assert.deepEqual([...map.values()], expected, about);
          }
          assert.equal(get(bytes, '/#0', options), expected[0], about);
        }
      }
      // What default mode writes of it, strict mode reads.
      unpack(pack(unpack(bytesOf(`82 ${one} 01 ${other} 02`), { records: 'inline' })), { mode: 'strict' });
    }
  }
});

test('a scalar is the same inside a key as it is as a key, whatever an option makes of it', () => {
  const scalars = [
    ...['05', 'cc 05', 'cf 00*7 05', 'd3 00*7 05', 'cb 40 14 00*6', 'a1 35', 'ce ff*4', 'cf 00*4 ff*4'],
    ...['cf 00*3 01 00*4', 'd3 00*3 01 00*4', 'cb 41 f0 00*6', 'ca 4f 80 00 00', 'aa 34 32 39 34 39 36 37 32 39 36'],
    ...['d3 ff*4 7f ff*3', 'ab 2d 32 31 34 37 34 38 33 36 34 39', 'd3 ff*4 80 00*3', 'd2 80 00*3'],
    ...['cf 10 00*7', 'cb 43 b0 00*6', 'b3 31 31 35 32 39 32 31 35 30 34 36 30 36 38 34 36 39 37 36'],
    ...[
      'ca 40 ff ae 14',
      'cb 40 1f f5 c2 80 00*3',
      'cb 40 1f f5 c2 8f 5c 28 f6',
      'a4 37 2e 39 39',
      'c4 01 35',
      'c0',
      'c3',
    ],
  ];
  const around: ((key: string) => string)[] = [
    ...[(key: string) => `91 ${key}`, (key: string) => `92 c0 91 ${key}`, (key: string) => `81 01 ${key}`],
    ...[(key: string) => `81 ${key} 01`, (key: string) => `82 a1 78 01 ${key} 02`],
    ...[(key: string) => `81 81 ${key} 01 02`, (key: string) => `81 91 ${key} 02`],
    (key) => `d4 72 40 91 a1 61 ${key}`,
  ];
  /** How many entries a reader makes of two: 1 also if it refuses the second. */
  const entries = (read: (bytes: Uint8Array) => unknown, first: string, second: string) => {
    try {
      return (read(bytesOf(`82 ${first} c0 ${second} c3`)) as Map<unknown, unknown>).size;
    } catch (error) {
      assert.equal((error as { code: string }).code, 'duplicate_key');
      return 1;
    }
  };
  for (const mode of ['default', 'strict'] as const) {
    const common = { mode, records: 'inline', mapsAsObjects: false } as const;
    const readers: [string, (bytes: Uint8Array) => unknown][] = [];
    for (const int64AsType of ['auto', 'bigint', 'string'] as const) {
      const small = new compact.Unpackr({ ...common, int64AsType });
      readers.push([`compact ${mode} ${int64AsType}`, (bytes) => small.unpack(bytes)]);
      for (const useFloat32 of [FLOAT32_OPTIONS.NEVER, FLOAT32_OPTIONS.DECIMAL_ROUND]) {
        for (const more of [{}, { compat: 'msgpackr' }] as const) {
          const options = { ...common, ...more, int64AsType, useFloat32 };
          readers.push([JSON.stringify(options), new Unpackr(options).unpack]);
        }
      }
    }
    for (const [about, read] of readers) {
      for (const first of scalars) {
        for (const second of scalars) {
          const expected = entries(read, first, second);
          const [wrap] = around;
          for (const within of THOROUGH.skip === undefined ? around : [wrap as (typeof around)[number]]) {
            assert.equal(entries(read, within(first), within(second)), expected, `${about}: ${first}, ${second}`);
          }
        }
      }
    }
  }
});

function pathOf(key: string): string {
  return key.startsWith('c4') || key.startsWith('c6') ? '/0x61' : '/#1';
}

/** Options with which a CloneDecoder reads, but without labels and pointers. */
const TYPED: readonly UnpackrOptions[] = [
  { moreTypes: true },
  { useBigIntExtension: true },
  { compat: 'msgpackr' },
  { moreTypes: true, compat: 'msgpackr' },
];

test('equal keys are equal, too, where types are kept but no references', () => {
  for (const options of TYPED) {
    const about = JSON.stringify(options);
    for (const [first, second] of [
      ['91 01', '91 01'],
      ['c4 01 61', 'c6 00 00 00 01 61'],
      ['82 01 02 a1 61 03', '82 a1 61 d1 00 03 cc 01 02'],
      ['81 91 81 90 01 02', '81 91 81 dc 00 00 01 02'],
      ['81 a1 61 01', 'd4 72 40 91 a1 61 01'],
    ] as const) {
      const bytes = bytesOf(`82 ${first} c0 ${second} c3`);
      const strict = new Unpackr({ ...options, mode: 'strict' });
      const offset = 2 + bytesOf(first).length;
      assertFault(() => strict.unpack(bytes), { code: 'duplicate_key', offset, path: pathOf(second) }, about);
      const map = new Unpackr(options).unpack<Map<unknown, unknown>>(bytes);
      assert.deepEqual([...map.values()], [true], `${about}: the last wins`);
    }
  }
});

test('what options make equal is one key of a Map, but inside of a key only numbers are', () => {
  const bigints = { useBigIntExtension: true } as const;
  const long = 'c7 09 42 00 80 00*7';
  for (const [options, first, second, isOne] of [
    [{ invalidUtf8: 'replace' }, 'a1 ff', 'a1 fe', true],
    [{ invalidUtf8: 'replace' }, 'a1 ff', 'a3 ef bf bd', true],
    [{ invalidUtf8: 'replace' }, '91 a1 ff', '91 a1 fe', false],
    [{ invalidUtf8: 'bytes' }, '91 a1 ff', '91 c4 01 ff', false],
    [bigints, 'd4 42 05', 'd5 42 00 05', true],
    [bigints, 'd4 42 05', '05', false],
    [bigints, long, 'cf 80 00*7', true],
    [bigints, '91 d4 42 05', '91 d5 42 00 05', false],
    [bigints, '91 d4 42 05', '91 05', false],
    [bigints, `91 ${long}`, '91 cf 80 00*7', false],
    [bigints, '91 05', '91 cb 40 14 00*6', true],
  ] as const) {
    const bytes = bytesOf(`82 ${first} c0 ${second} c3`);
    const about = `${JSON.stringify(options)} ${first} and ${second}`;
    const unpackr = new Unpackr({ ...options, mapsAsObjects: false });
    assert.equal(unpackr.unpack<Map<unknown, unknown>>(bytes).size, isOne ? 1 : 2, about);
    if ('invalidUtf8' in options) continue; // for default mode only
    const strict = new Unpackr({ ...options, mode: 'strict' });
    if (isOne) assert.throws(() => strict.unpack(bytes), { code: 'duplicate_key' }, about);
    else assert.equal(strict.unpack<Map<unknown, unknown>>(bytes).size, 2, about);
  }
});

test('keys with a prefix are equal if what follows is equal', () => {
  const strict = new Unpackr({ moreTypes: true, mode: 'strict' });
  const keys = ['d4 73 00 90', 'd4 73 00 91 01', 'd4 73 00 91 02', '91 d4 73 00 91 01', '92 d4 73 00 91 01 01'];
  keys.push('d4 65 00 92 a1 45 a1 61', 'd4 65 00 92 a1 45 a1 62', 'd5 74 01 01', 'd4 73 01', 'c7 02 73 00 00');
  const map = strict.unpack<Map<unknown, unknown>>(bytesOf(`8a ${keys.map((key) => `${key} c0`).join(' ')}`));
  assert.equal(map.size, keys.length);
  for (const [first, second] of [
    ['d4 73 00 91 01', 'c7 01 73 00 dc 00 01 cc 01'],
    ['91 d4 73 00 91 81 91 01 c0', '91 d4 73 00 91 81 dc 00 01 01 c0'],
    ['d4 65 00 92 a1 45 a1 61', 'd4 65 00 92 d9 01 45 a1 61'],
  ] as const) {
    const bytes = bytesOf(`82 ${first} c0 ${second} c3`);
    assertFault(() => strict.unpack(bytes), { code: 'duplicate_key', path: '/#1' }, `${first} and ${second}`);
  }
});

test('the byte c1 in a key is no int', () => {
  const unpackr = new Unpackr({ compat: 'msgpackr', mode: 'strict' });
  assert.equal(unpackr.unpack<Map<unknown, unknown>>(bytesOf('82 91 c1 01 91 d0 c1 02')).size, 2);
  assert.throws(() => unpackr.unpack(bytesOf('82 91 c1 01 91 c1 02')), { code: 'duplicate_key' });
});

test('with references, objects as keys are equal if they are the same, and −0 is no object', () => {
  const clone = new Unpackr({ structuredClone: true, mode: 'strict' });
  assert.equal(clone.unpack<Map<unknown, unknown>>(bytesOf('82 91 01 01 91 01 02')).size, 2);
  const twice = bytesOf('82 d6 69 00 00 00 01 91 01 01 d6 70 00 00 00 01 02');
  assertFault(() => clone.unpack(twice), { code: 'duplicate_key', offset: 10, path: '/#1' });
  const zeros = bytesOf('84 cb 80 00*7 01 00 02 ca 80 00*3 03 cb 80 00*7 04');
  assertFault(() => clone.unpack(zeros), { code: 'duplicate_key', offset: 13, path: '/#2' });
  assert.deepEqual(
    new Unpackr({ structuredClone: true }).unpack(zeros),
    new Map<unknown, number>([
      [new Float(-0), 4],
      [0, 2],
    ]),
  );
});

test('keys that differ only a little differ', () => {
  const keys = [
    '90',
    '80',
    '91 01',
    '91 c3',
    '91 cb 3f f0 00 00 00 00 00 00',
    '91 a1 01',
    '91 c4 01 01',
    '92 01 01',
    '91 91 01',
  ];
  keys.push(
    '81 01 02',
    '81 02 01',
    '82 01 02 03 04',
    '82 01 04 03 02',
    'd4 05 01',
    'd4 06 01',
    'd6 ff 00 00 00 01',
    '91 00',
    '91 c0',
  );
  keys.push(
    '91 cb 80 00 00 00 00 00 00 00',
    '91 cb 00 00 00 00 00 00 00 00',
    '81 a1 61 01',
    '81 c4 01 61 01',
    '91 d4 00 00',
  );
  const bytes = bytesOf(`de 00 ${keys.length.toString(16)} ${keys.map((key) => `${key} c0`).join(' ')}`);
  for (const mode of MODES) {
    if (mode === 'strict') {
      // 1.0 is the same number as 1.
      assertFault(() => new Unpackr({ mode, records: 'off' }).unpack(bytes), { code: 'duplicate_key', path: '/#4' });
      continue;
    }
    const map = new Unpackr({ mode, records: 'off' }).unpack(bytes) as Map<unknown, unknown>;
    // So are 0.0 and 0.
    assert.equal(map.size, keys.length - (mode === 'default' ? 2 : 0), mode);
  }
  assert.equal(canonicalize(bytes).length, bytes.length);
});

test('numbers of one map’s keys mean nothing to the next map', () => {
  const unpackr = new Unpackr({ mode: 'lossless' });
  const maps = unpackr.unpack(bytesOf('93 82 90 01 91 01 02 82 91 02 01 90 02 81 82 90 01 91 90 02 82 91 90 01 90 02'));
  const sizes = (maps as Map<unknown, unknown>[]).map((map) => map.size);
  assert.deepEqual(sizes, [2, 2, 1]);
});

test('a long name does not multiply when its records are keys', THOROUGH, () => {
  // 50 000 bytes of name and 20 000 instances of two bytes, all in one key: its canonical bytes would be a gigabyte.
  const { ms, megabytes } = cost(bytesOf(`92 d4 72 40 91 da c3 50 61*50000 c0 82 01 c0 dc 4e 20 (40 c0)*20000 c0`));
  assert.ok(ms < 1000 && megabytes < 100, `${ms.toFixed(1)} ms, ${megabytes.toFixed(1)} MB`);
});

test('many names do not multiply either', THOROUGH, () => {
  const names = Array.from({ length: 250 }, (_, i) => `a4${Buffer.from(String(1000 + i)).toString('hex')}`).join('');
  const instances = `40${'c0'.repeat(250)}`.repeat(350);
  const { ms, megabytes } = cost(bytesOf(`92 d4 72 40 dc 00 fa ${names} c0*250 82 01 c0 dc 01 5e ${instances} c0`));
  assert.ok(ms < 1000 && megabytes < 150, `${ms.toFixed(1)} ms, ${megabytes.toFixed(1)} MB`);
});

test('keys inside keys, with something large inside the innermost', THOROUGH, () => {
  const large = 'c5 ea 60 07*60000';
  for (const [name, bytes] of Object.entries({
    'maps of two entries as keys': `82*400 ${large} c0 (01 c0 c0)*399 01 c0`,
    'maps of one entry as keys': `82 81*400 ${large} c0*401 01 c0`,
    'maps of two entries as values in a key': `82 (82 01)*400 ${large} (02 c0)*400 c0 01 c0`,
    'the same in falling order': `82 (82 02)*400 ${large} (01 c0)*400 c0 01 c0`,
    'a key twice in maps in a key': `82 82*400 ${large} c0 (01 c0 c0)*399 82 01 c0 01 c0 c0 05 c0`,
    'arrays in a key': `82 91*400 ${large} c0 01 c0`,
  })) {
    const { ms, megabytes } = cost(bytesOf(bytes));
    assert.ok(ms < 1000 && megabytes < 100, `${name}: ${ms.toFixed(1)} ms, ${megabytes.toFixed(1)} MB`);
  }
});

test('many keys of one map', THOROUGH, () => {
  for (const key of ['91', 'c4 02', '81 c0', 'd5 05']) {
    const body = Array.from({ length: 10_000 }, (_, i) => `${key} ${hex16(i, key)} c0`).join(' ');
    const { ms, megabytes } = cost(bytesOf(`de 27 10 ${body}`));
    assert.ok(ms < 1000 && megabytes < 150, `${key}: ${ms.toFixed(1)} ms, ${megabytes.toFixed(1)} MB`);
  }
});

/** Two bytes that count up: a uint 16 after an array or a map, the plain bytes after bin and ext. */
function hex16(value: number, key: string): string {
  const bytes = value.toString(16).padStart(4, '0');
  return key === '91' || key === '81 c0' ? `cd ${bytes}` : bytes;
}

/** Every reader that makes a Map of a map with such keys, by its options. */
function decodings(bytes: Uint8Array): [string, unknown][] {
  return (['default', 'strict'] as const).flatMap((mode): [string, unknown][] => [
    [mode, unpack(bytes, { mode })],
    [`${mode}, Map`, new Unpackr({ mode }).unpack(bytes)],
    [`${mode}, clone`, new Unpackr({ mode, structuredClone: true }).unpack(bytes)],
    [`${mode}, clone, objects first`, new Unpackr({ mode, structuredClone: true, records: 'off' }).unpack(bytes)],
    [`${mode}, compact`, compact.unpack(bytes, { mode })],
  ]);
}

test('a key −0 stays a Float in every mode, and a timestamp a Timestamp if a Date is too coarse', () => {
  const bytes = bytesOf('83 cb 80 00*7 01 d7 ff 00 00 00 04 00 00 00 01 02 d6 ff 00 00 00 01 03');
  for (const [about, value] of decodings(bytes)) {
    const keys = [...(value as Map<unknown, unknown>).keys()];
    assert.deepEqual(keys, [new Float(-0), new Timestamp(1, 1), new Date(1000)], about);
    assert.equal(hexOf(pack(value)), hexOf(bytes), about);
  }
  // A value isn't a key; what is inside a key is.
  const inside = bytesOf('81 91 d7 ff 00 00 00 04 00 00 00 01 d7 ff 00 00 00 04 00 00 00 01');
  for (const [about, value] of decodings(inside)) {
    assert.deepEqual([...(value as Map<unknown, unknown>)], [[[new Timestamp(1, 1)], new Date(1000)]], about);
  }
});

test('a key with a head of 64 bits is the same number as with a shorter head, also with int64AsType', () => {
  const int64AsType = 'bigint';
  for (const [first, second] of [
    ['cf 00*7 05', '05'],
    ['ff', 'd3 ff*8'],
    ['ce ff*4', 'cf 00*4 ff*4'],
  ] as const) {
    const bytes = bytesOf(`83 ${first} 01 ${second} 02 cf 00*3 01 00*4 03`);
    const last = Number(unpack(bytesOf(second)));
    for (const read of [unpack, compact.unpack]) {
      const expected = new Map<unknown, number>([
        [last, 2],
        [2n ** 32n, 3],
      ]);
      assert.deepEqual(read(bytes, { int64AsType }), expected);
      assert.deepEqual(read(bytesOf(`81 ${first} 02`), { int64AsType }), new Map([[last, 2]]));
      for (const mode of ['strict', 'lossless'] as const) {
        assertFault(() => read(bytes, { mode, int64AsType }), { code: 'duplicate_key', path: `/${last}` });
      }
    }
  }
});

test('a Map has its entries in the order of the bytes, also if it was begun as an object', () => {
  const messages: [string, unknown[]][] = [
    ['84 a1 62 c0 a1 32 c0 a1 31 c0 05 c0', ['b', '2', '1', 5]],
    ['84 aa 34 32 39 34 39 36 37 32 39 34 c0 a1 30 c0 c0 c0 a1 61 c0', ['4294967294', '0', null, 'a']],
    ['83 a9 5f 5f 70 72 6f 74 6f 00 5f c0 a1 31 c0 c3 c0', ['__proto\0_', '1', true]],
    ['82 aa 34 32 39 34 39 36 37 32 39 35 c0 00 c0', ['4294967295', 0]],
  ];
  for (const [hex, keys] of messages) {
    for (const [about, value] of decodings(bytesOf(hex))) {
      assert.deepEqual([...(value as Map<unknown, unknown>).keys()], keys, about);
    }
  }
});

test('a Map begun as an object: the last of equal names wins, at the place of the first', () => {
  const bytes = bytesOf('87 a1 33 01 a9 5f 5f 70 72 6f 74 6f 5f 5f 02 a1 31 03 a1 62 04 a1 33 05 a1 62 06 00 07');
  const entries = [
    ['3', 5],
    ['__proto__', 2],
    ['1', 3],
    ['b', 6],
    [0, 7],
  ];
  for (const value of [unpack(bytes), compact.unpack(bytes), new Unpackr({ structuredClone: true }).unpack(bytes)]) {
    assert.deepEqual([...(value as Map<unknown, unknown>)], entries);
  }
});
