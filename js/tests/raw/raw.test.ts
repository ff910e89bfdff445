// get and Raw: the tokens of a path mean what they mean in the other languages, and what is read is judged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ExtData,
  encodeCanonical,
  Float,
  get,
  Packr,
  type PolypackError,
  pack,
  Raw,
  Unpackr,
  type UnpackrOptions,
  unpack,
} from 'polypack';
import { assertFault, type ExpectedFault } from '../_check.ts';
import { runs } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

const lossless = { mode: 'lossless' } as const;

/** bytes, path, the bytes of the value ('' when there is none), options */
type Row = readonly [string, string, string, UnpackrOptions?];

const ROWS: readonly Row[] = [
  ['05', '', '05'],
  ['05 06', '', '05'],
  ['05', '/', ''],
  ['05', '/a', ''],
  ['c0', '/0', ''],
  ['93 01 a162 c3', '', '93 01 a162 c3'],
  ['93 01 a162 c3', '/0', '01'],
  ['93 01 a162 c3', '/1', 'a162'],
  ['93 01 a162 c3', '/2', 'c3'],
  ['93 01 a162 c3', '/3', ''],
  ['93 01 a162 c3', '/-', ''],
  ['93 01 a162 c3', '/-1', ''],
  ['93 01 a162 c3', '/01', ''],
  ['93 01 a162 c3', '/1/0', ''],
  ['93 01 a162 c3', '/18446744073709551616', ''],
  ['93 01 a162 c1', '/1', 'a162'],
  ['90', '/0', ''],
  ['82 a161 01 a162 91 81 a163 02', '/b/0/c', '02'],
  ['82 a161 01 a162 91 81 a163 02', '/b/0', '81 a163 02'],
  ['82 a161 01 a162 91 81 a163 02', '/a/b', ''],
  ['81 a0 07', '/', '07'],
  ['81 a3 7e2f31 07', '/~0~11', '07'],
  ['82 a161 01 a161 02', '/a', '02'],
  ['82 a161 81 a162 01 a161 80', '/a/b', ''],
  ['82 a161 01 a161 81 a162 02', '/a/b', '02'],
  ['91 82 a161 81 a162 01 a161 81 a162 02', '/0/a/b', '02'],
  ['81 05 01', '/5', '01'],
  ['81 cd0005 01', '/5', '01'],
  ['81 fb 01', '/-5', '01'],
  ['81 00 01', '/-0', ''],
  ['81 cf8000000000000000 01', '/9223372036854775808', '01'],
  ['81 d38000000000000000 01', '/-9223372036854775808', '01'],
  ['81 cf8000000000000000 01', '/-9223372036854775808', ''],
  ['81 05 01', '/05', ''],
  ['82 05 01 05 02', '/5', '02'],
  ['82 05 01 a135 02', '/5', '02'],
  ['82 a135 02 05 01', '/5', '02'],
  ['81 c402 00ff 01', '/0x00ff', '01'],
  ['81 c402 00ff 01', '/0x00FF', ''],
  ['81 c402 00ff 01', '/0x00f', ''],
  ['81 c400 01', '/0x', '01'],
  ['82 c0 01 c3 02', '/#1', '02'],
  ['82 c0 01 c3 02', '/#01', ''],
  ['82 c0 01 a161 02', '/#1', ''],
  ['82 91a161 01 cb0000000000000000 02', '/#0', '01', lossless],
  ['82 c0 01 a22330 02', '/#0', '02'],
  ['81 d6ff00000001 05', '/#0', '05'],
  ['81 a3efbfbd 01', '/\ud800', ''],
  ['82 a2c3a9 01 a165 02', '/é', '01'],
];

test('a path finds the value that it names, and no other', () => {
  for (const [bytes, path, expected, options] of ROWS) {
    const about = `${path} of ${bytes}`;
    const input = bytesOf(bytes);
    const found = new Raw(input, options).get(path);
    assert.equal(found === undefined ? '' : hexOf(found.bytes), hexOf(bytesOf(expected)), about);
    const value = get(input, path, options);
    assert.deepStrictEqual(value, expected === '' ? undefined : unpack(bytesOf(expected), options), about);
    if (found !== undefined) assert.equal(found.bytes.buffer, input.buffer, about);
  }
});

const FAULTS: readonly (readonly [string, string, ExpectedFault, UnpackrOptions?])[] = [
  ['', '/a', { code: 'unexpected_end', offset: 0, path: '' }],
  ['', '', { code: 'unexpected_end', offset: 0, path: '' }],
  ['c1', '/a', { code: 'reserved_byte', offset: 0, path: '' }],
  ['93 01 c1 02', '/2', { code: 'reserved_byte', offset: 2, path: '/1' }],
  ['93 01 c1 02', '/1', { code: 'reserved_byte', offset: 2, path: '/1' }],
  ['dc ffff 01', '/0', { code: 'unexpected_end', offset: 0, path: '' }],
  ['82 a161 01 a162 91 c1', '/a', { code: 'reserved_byte', offset: 7, path: '/b/0' }],
  ['81 a161 92 01 c1', '/a/0', { code: 'reserved_byte', offset: 5, path: '/a/1' }],
  ['81 c1 01', '/a', { code: 'reserved_byte', offset: 1, path: '' }],
  ['82 a161 01 a161 02', '/a', { code: 'duplicate_key', offset: 4, path: '/a' }, { mode: 'strict' }],
  ['82 a161 01 a161 02', '/b', { code: 'duplicate_key', offset: 4, path: '/a' }, lossless],
  ['82 9105 01 91cc05 02', '/b', { code: 'duplicate_key', offset: 4, path: '/#1' }, lossless],
  ['82 a161 01 a1ff 02', '/a', { code: 'invalid_utf8', offset: 4, path: '' }, { mode: 'strict' }],
  ['92 a1ff 02', '/1', { code: 'invalid_utf8', offset: 1, path: '/0' }, { mode: 'strict' }],
  ['92 02 a1ff', '/1', { code: 'invalid_utf8', offset: 2, path: '/1' }],
  ['81 a161 92 c3 a1ff', '/a', { code: 'invalid_utf8', offset: 5, path: '/a/1' }],
  ['92 c0 93 01', '/1', { code: 'unexpected_end', offset: 2, path: '/1' }],
  ['91 91 90', '/0/0', { code: 'limit_exceeded', offset: 2, path: '/0/0' }, { limits: { maxDepth: 2 } }],
  ['92 91 01 91 02', '/1/0', { code: 'limit_exceeded', offset: 3, path: '/1' }, { limits: { maxValues: 4 } }],
  ['92 d47240 91 a161 01', '/1', { code: 'invalid_record', offset: 1, path: '/0' }],
  ['d47240 91 a161 01', '/a', { code: 'invalid_record', offset: 0, path: '' }],
];

test('faults in what is read, with the offset and path in the whole', () => {
  for (const [bytes, path, fault, options] of FAULTS) {
    assertFault(() => get(bytesOf(bytes), path, options), fault, `${path} of ${bytes}`);
  }
});

test('what is no pointer is wrong use', () => {
  for (const path of ['a', 'a/b', '/~', '/a~2', '/a/~/b', '#/a', 5, null]) {
    assert.throws(() => get(bytesOf('80'), path as string), TypeError);
    assert.throws(() => new Raw(bytesOf('80')).get(path as string), TypeError);
  }
  assert.throws(() => get('text' as never, ''), TypeError);
  assert.throws(() => get(bytesOf('80'), '', { structuredClone: true }), TypeError);
  assert.throws(() => new Raw(bytesOf('80'), { moreTypes: true }).get(''), TypeError);
  assert.throws(() => get(bytesOf('80'), '', { nonsense: 1 } as never), TypeError);
});

test('records', () => {
  const rows = bytesOf('92 d47240 92 a26964 a46e616d65 01 a161  40 02 81 a178 40 03 a163');
  const raw = new Raw(rows, new Unpackr());
  for (const [path, expected] of Object.entries({
    '/0': '82 a26964 01 a46e616d65 a161',
    '/0/name': 'a161',
    '/1/id': '02',
    '/1/name': '81 a178 82 a26964 03 a46e616d65 a163',
    '/1/name/x/id': '03',
    '/1/nobody': '',
    '': '92 82 a26964 01 a46e616d65 a161 82 a26964 02 a46e616d65 81 a178 82 a26964 03 a46e616d65 a163',
  })) {
    const found = raw.get(path);
    assert.equal(found === undefined ? '' : hexOf(found.bytes), hexOf(bytesOf(expected)), path);
    const value = get(rows, path, new Unpackr());
    assert.equal(value === undefined ? '' : hexOf(pack(value)), hexOf(bytesOf(expected)), path);
  }
  // An id is declared anew behind the value, and again in front of an equal key.
  const records = { records: 'inline' } as const;
  const anew = bytesOf('83 a161 d47240 91 a170 01  a162 d47240 91 a171 02  a161 40 03');
  assert.deepEqual(get(anew, '/a', records), { q: 3 });
  const behind = bytesOf('83 a161 d47240 91 a170 01  a162 40 02  a163 d47240 91 a171 40 03');
  assert.deepEqual(get(behind, '/b', records), { p: 2 });
  // A byte 40–7f that nobody declared is an int; an id is a record where it is a key, and in a key.
  assert.equal(get(bytesOf('81 a161 40'), '/a', records), 64);
  assert.equal(get(bytesOf('81 40 07'), '/64', records), 7);
  assert.equal(get(bytesOf('92 d47240 90 81 40 07'), '/1/#0', records), 7);
  assert.equal(get(bytesOf('92 d47240 90 81 91 40 07'), '/1/#0', records), 7);
  assert.equal(get(bytesOf('92 d47240 90 81 40 07'), '/1/64', records), undefined);
});

test('nothing behind an element is read, and no more than the outermost map', () => {
  const bytes = bytesOf('94 01 82 a161 c3 a162 92 05 06 c1 c1');
  assert.equal(get(bytes, '/0'), 1);
  assert.equal(get(bytes, '/1/b/0'), 5);
  assertFault(() => get(bytes, '/2'), { code: 'reserved_byte', offset: 11, path: '/2' });
});

test('a Raw stays encoded until it is asked', () => {
  const raw = new Raw(bytesOf('81 a161 92 05 a162'), { int64AsType: 'bigint' });
  const inner = raw.get('/a');
  assert.deepEqual(inner?.unpack(), [5, 'b']);
  assert.equal(inner?.get('/1')?.unpack(), 'b');
  assert.equal(inner?.get('/2'), undefined);
  assertFault(() => new Raw(bytesOf('91')).unpack(), { code: 'unexpected_end', offset: 0, path: '' });
  const packr = new Packr({ extensions: [{ type: 7, unpack: (data: Uint8Array) => data.length }] });
  assert.equal(get(packr.pack({ x: [new ExtData(7, new Uint8Array(3))] }), '/x/0', packr), 3);
});

test('what Raw.get finds is the same value with and without records', () => {
  for (const [options, hex] of [
    [{ int64AsType: 'bigint' }, '91 d3 00 00 00 00 00 00 00 05'],
    [{ int64AsType: 'bigint' }, '91 cf 00 00 00 00 00 00 00 05'],
    [{ int64AsType: 'bigint', mode: 'strict' }, '91 92 d3 ff*8 05'],
    [{ int64AsType: 'bigint', mapsAsObjects: false }, '91 81 d3 00 00 01 00 00 00 00 05 d3 00 00 00 00 00 00 00 05'],
    [{ int64AsType: 'string' }, '91 cf ff*8'],
    [{ useFloat32: 4 }, '91 92 ca 40 48 f5 c3 ca 3f 80 00 00'],
    [{ useFloat32: 4 }, '91 cb 40 09 1e b8 60 00 00 00'],
    [{ invalidUtf8: 'replace' }, '91 a1 ff'],
    [{ invalidUtf8: 'bytes' }, '91 92 a1 ff a1 61'],
  ] satisfies [UnpackrOptions, string][]) {
    for (const records of ['inline', 'off'] as const) {
      const unpackr = new Unpackr({ ...options, records });
      const bytes = bytesOf(hex);
      const expected = get(bytes, '/0', unpackr);
      assert.deepEqual(new Raw(bytes, unpackr).get('/0')?.unpack(), expected, `${hex} with ${JSON.stringify(options)}`);
    }
  }
});

test('one pass, however many equal keys there are on the way', () => {
  const levels = 500;
  let bytes = bytesOf('01');
  for (let level = 0; level < levels; level++) bytes = new Uint8Array([...bytesOf('82 a161 02 a161'), ...bytes]);
  assert.equal(get(bytes, '/a'.repeat(levels)), 1);
  const wide = new Uint8Array(3 + 4 * 65_535).fill(0xa1);
  wide.set([0xde, 0xff, 0xff]);
  for (let at = 3; at < wide.length; at += 4) wide.set([0xa1, 0x61, 0xa1, 0x62], at);
  assert.equal(get(wide, '/a'), 'b');
});

test('a bomb costs nothing', () => {
  const deep = new Uint8Array(100_000).fill(0x91);
  assertFault(() => get(deep, '/0/0/0/0'), { code: 'limit_exceeded', offset: 512 });
  const wide = new Uint8Array(100_000).fill(0xdc);
  assertFault(() => get(wide, '/1'), { code: 'unexpected_end', offset: 3, path: '/0' });
});

test('every value is found by its path, in every mode, with records and without', () => {
  const scalar = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        tie('tree'),
        { maxKeys: 4 },
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      for (const records of ['off', 'inline'] as const) {
        for (const mode of ['default', 'strict', 'lossless'] as const) {
          const packr = new Packr({ records, mode });
          const bytes = packr.pack(value);
          for (const [path, part] of partsOf(value, '')) {
            const expected = hexOf(encodeCanonical(part));
            assert.equal(hexOf(encodeCanonical(get(bytes, path, packr))), expected, `${path} ${records} ${mode}`);
            assert.equal(hexOf(encodeCanonical(new Raw(bytes, packr).get(path)?.unpack())), expected);
          }
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

/** Every part of a value with its path. */
function* partsOf(value: unknown, path: string): Generator<[string, unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    yield* partsOf(part, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

test('a Raw is packed as it is', () => {
  const raw = new Raw(bytesOf('92 cd 00 05 81 a1 61 7f')); // 5 in a longer form than needed stays so
  assert.equal(hexOf(pack([raw, raw])), '9292cd000581a1617f92cd000581a1617f');
  assert.equal(hexOf(pack({ a: raw.get('/1') as Raw })), '81a16181a1617f');
  assert.equal(hexOf(pack(new Map([[raw, 1]]))), '8192cd000581a1617f01');
  // Canonical bytes are canonical all the same, and ext values stay what they are.
  assert.equal(hexOf(encodeCanonical([raw])), '91920581a1617f');
  const ext = new Raw(pack(new ExtData(0x30, new Uint8Array(2))));
  assert.deepEqual(unpack(new Packr({ structuredClone: true, useRecords: false }).pack([ext])), [
    new ExtData(0x30, new Uint8Array(2)),
  ]);
});

test('a Raw among records has no ids, and one with records is packed without them', () => {
  const packr = new Packr();
  const raw = new Raw(bytesOf('92 40 81 a1 61 7f'));
  const packed = packr.pack([{ x: 1 }, raw, { x: 2 }]);
  assert.equal(hexOf(packed), '93d4724091a1780192cc4081a161cc7f4002');
  assert.deepEqual(packr.unpack(packed), [{ x: 1 }, [64, new Map([['a', 127]])], { x: 2 }]);
  const records = new Raw(new Packr().pack([{ a: 64 }, { a: 2 }]), new Unpackr());
  assert.equal(hexOf(pack([records])), '919281a1614081a16102');
  assert.deepEqual(packr.unpack(packr.pack([{ b: 1 }, records])), [
    { b: 1 },
    [new Map([['a', 64]]), new Map([['a', 2]])],
  ]);
});

test('a Raw counts the containers around it when it is packed', () => {
  const raw = new Raw(Uint8Array.from({ length: 512 }, (_, at) => (at < 511 ? 0x91 : 0x90)));
  for (const packr of [new Packr({ records: 'off' }), new Packr()]) {
    assert.equal(packr.pack(raw).length, 512);
    assertFault(() => packr.pack([raw]), { code: 'limit_exceeded', path: '/0' });
    assert.doesNotThrow(() => new Packr({ records: 'off', limits: { maxDepth: 513 } }).pack(raw));
  }
});

/** Bytes that no Raw may hold, and the code for them. */
const FAULTY = [
  ['', 'unexpected_end'],
  ['92 01', 'unexpected_end'],
  ['01 02', 'trailing_data'],
  ['91 c1', 'reserved_byte'],
  ['91 a1 ff', 'invalid_utf8'],
  ['91 d5 ff 00 00', 'invalid_timestamp'],
  ['91 d4 72 40 90', 'invalid_record'],
] as const;

test('a Raw that is not one value is not packed, with the code of its fault and the path of the Raw', () => {
  for (const [hex, code] of FAULTY) {
    const raw = new Raw(bytesOf(hex));
    for (const pack of [
      new Packr({ useRecords: false }).pack,
      new Packr().pack,
      new Packr({ moreTypes: true }).pack,
      new Packr({ compat: 'msgpackr' }).pack,
      encodeCanonical,
    ]) {
      assertFault(() => pack({ a: raw }), { code, path: '/a' });
      assertFault(() => pack(new Map([[[raw], 1]])), { code, path: '' });
      assert.deepEqual(unpack(pack(5)), 5);
    }
    assert.throws(
      () => pack(raw),
      (error: PolypackError) => (error.cause as PolypackError).code === code,
    );
  }
});

test('a strict or lossless Packr refuses in a Raw what readers of its mode refuse, whatever options the Raw has', () => {
  for (const [hex, code, modes] of [
    ['82 a161 01 a161 02', 'duplicate_key', ['strict', 'lossless']],
    ['82 01 02 cc01 03', 'duplicate_key', ['strict', 'lossless']],
    ['82 01 02 cb 3ff0 00*6 03', 'duplicate_key', ['strict']],
    ['81 a2fffe 01', 'invalid_utf8', ['strict', 'lossless']],
    ['81 a9 5f5f70726f746f5f5f 01', 'invalid_key', ['strict']],
    ['81 cf 00*7 05 cf ff*8', '', []],
  ] as const) {
    for (const own of [
      undefined,
      { invalidUtf8: 'bytes' },
      { int64AsType: 'number' },
      { mapsAsObjects: true },
    ] as const) {
      const value = [new Raw(bytesOf(hex), own)];
      for (const mode of ['strict', 'lossless'] as const) {
        for (const kind of [{ records: 'off' }, { records: 'inline' }, { moreTypes: true }] as const) {
          if (mode === 'lossless' && 'moreTypes' in kind) continue;
          const packr = new Packr({ ...kind, mode });
          if ((modes as readonly string[]).includes(mode)) assertFault(() => packr.pack(value), { code, path: '/0' });
          else assert.doesNotThrow(() => packr.unpack(packr.pack(value)), `${hex} ${mode}`);
        }
      }
    }
  }
  const strict = new Raw(bytesOf('82 a161 01 a161 02'), { mode: 'strict' });
  assertFault(() => pack(strict), { code: 'duplicate_key', path: '' });
});

test('maxDepth of the Packr holds for a Raw', () => {
  const raw = new Raw(bytesOf('91 91 90'));
  for (const mode of ['default', 'strict', 'lossless'] as const) {
    const packr = new Packr({ mode, records: 'off', limits: { maxDepth: 3 } });
    assert.equal(hexOf(packr.pack(raw)), '919190');
    assertFault(() => packr.pack([raw]), { code: 'limit_exceeded', path: '/0' });
  }
});

test('a Raw keeps −0 in every place, also with compat', () => {
  const negative = 'cb80 00*7';
  const zeros: [string, unknown][] = [
    [negative, -0],
    [`92 00 ${negative}`, [0, -0]],
    [
      `82 00 01 ${negative} 02`,
      new Map<unknown, number>([
        [0, 1],
        [new Float(-0), 2],
      ]),
    ],
    [
      `82 91 00 01 91 ${negative} 02`,
      new Map([
        [[0], 1],
        [[-0], 2],
      ]),
    ],
  ];
  for (const kind of [{ compat: 'msgpackr' }, { compat: 'msgpackr', moreTypes: true }, { moreTypes: true }] as const) {
    for (const mode of ['default', 'strict'] as const) {
      for (const [hex, value] of zeros) {
        const packr = new Packr({ ...kind, mode, records: 'off', mapsAsObjects: false });
        assert.deepStrictEqual(
          packr.unpack(packr.pack(new Raw(bytesOf(hex)))),
          value,
          `${JSON.stringify(kind)} ${hex}`,
        );
      }
    }
  }
});

test('no option and no extension of a Packr changes a Raw', () => {
  class Never {}
  const values = [
    new Map<unknown, unknown>([
      [1, 2],
      ['3', undefined],
    ]),
    { a: 1, b: undefined, 7: 1.1 },
    [1.1, 0.5, -0, 2 ** 40, 5, 64],
    new Date(4_500_000_000_500),
    Uint8Array.of(1, 2),
  ];
  const bytes = pack(values);
  const options = {
    mapAsEmptyObject: true,
    setAsEmptyObject: true,
    skipValues: [1, undefined],
    useFloat32: true,
    useTimestamp32: true,
    encodeUndefinedAsNil: true,
    coercibleKeyAsNumber: true,
    extensions: [
      { Class: Map, type: 9, pack: () => Uint8Array.of(1) },
      { Class: Uint8Array, write: () => null },
      { Class: Never, write: () => null },
    ],
  } as const;
  for (const kind of [{}, { moreTypes: true }, { structuredClone: true }, { compat: 'msgpackr' }] as const) {
    for (const records of ['off', 'inline'] as const) {
      const reader = new Unpackr({ ...kind, records, mapsAsObjects: false });
      const expected = new Unpackr({ mapsAsObjects: false }).unpack<unknown[]>(bytes);
      const packr = new Packr({ ...kind, ...options, records });
      const packed = packr.pack([new Raw(bytes), { a: 2 }, new Raw(bytes)]);
      const [first, , second] = reader.unpack<unknown[]>(packed);
      assert.deepStrictEqual([first, second], [expected, expected], `${JSON.stringify(kind)} ${records}`);
    }
  }
});
