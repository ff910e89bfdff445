// Bytes to values: spec/02, the types of spec/09, the options of decoding, and what an input can do to a decoder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import {
  Decoder,
  decode,
  Encoder,
  ExtData,
  type ExtensionDefinition,
  Float,
  get,
  Packr,
  pack,
  Timestamp,
  Unpackr,
  type UnpackrOptions,
  unpack,
  unpackMultiple,
} from 'polypack';
import * as compact from 'polypack/compact';
import { compareDecode } from '../_agree.ts';
import { assertFault, assertUnpacks } from '../_check.ts';
import { THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

test('scalars', () => {
  assertUnpacks('c0', null);
  assertUnpacks('d4 00 00', undefined);
  assertUnpacks('c7 01 00 00', undefined, 'undefined behind a longer head');
  assertUnpacks('c3', true);
  assertUnpacks('7f', 127);
  assertUnpacks('e0', -32);
  assertUnpacks('ca 3f c0 00 00', 1.5);
  assertUnpacks('cb 80 00 00 00 00 00 00 00', -0);
  assertUnpacks('cb 7f f0 00 00 00 00 00 00', Number.POSITIVE_INFINITY);
  assertUnpacks('ca 7f c0 00 01', Number.NaN);
  assertUnpacks('cb 3f f0 00 00 00 00 00 00', 1);
});

test('an integer is its value, whatever its width', () => {
  for (const bytes of ['05', 'cc 05', 'cd 00 05', 'ce 00 00 00 05', 'cf 00*7 05', 'd0 05', 'd1 00 05', 'd3 00*7 05']) {
    assertUnpacks(bytes, 5, bytes);
  }
  assertUnpacks('cf 00 1f ff ff ff ff ff ff', Number.MAX_SAFE_INTEGER);
  assertUnpacks('cf 00 20 00 00 00 00 00 00', 2n ** 53n);
  assertUnpacks('d3 ff e0 00 00 00 00 00 01', Number.MIN_SAFE_INTEGER);
  assertUnpacks('d3 ff e0 00 00 00 00 00 00', -(2n ** 53n));
  assertUnpacks('cf ff*8', 2n ** 64n - 1n);
  assertUnpacks('d3 80 00*7', -(2n ** 63n));
});

test('int64AsType', () => {
  const as = (int64AsType: 'auto' | 'bigint' | 'number' | 'string', bytes: string) =>
    new Unpackr({ int64AsType }).unpack(bytesOf(bytes));
  assert.equal(as('number', 'cf 00 1f ff ff ff ff ff ff'), Number.MAX_SAFE_INTEGER);
  assertFault(() => as('number', '91 cf 00 20 00 00 00 00 00 00'), { code: 'out_of_range', offset: 1, path: '/0' });
  assert.equal(as('bigint', 'cf 00 00 00 01 00 00 00 00'), 2n ** 32n);
  assert.equal(as('string', 'cf 00 00 00 01 00 00 00 00'), '4294967296');
  // The head counts for 'bigint', as the type of msgpackr's writer did, but not in keys, where 5n and 5 are one.
  assert.deepEqual(as('bigint', '94 cf 00*7 05 d3 ff*8 05 ce 00 00 00 05'), [5n, -1n, 5, 5]);
  assert.deepEqual(as('bigint', '82 cf 00*7 05 cf 00*7 06 05 07'), new Map([[5, 7]]));
  assert.deepEqual(as('bigint', '81 91 d3 00*7 05 c0'), new Map([[[5], null]]));
  assertFault(() => new Unpackr({ mode: 'strict', int64AsType: 'bigint' }).unpack(bytesOf('82 cf 00*7 05 c0 05 c0')), {
    code: 'duplicate_key',
    offset: 11,
  });
  for (const type of ['auto', 'number', 'string'] as const) assert.equal(as(type, 'cf 00*7 05'), 5, type);
  const rows = new Array(200).fill({ id: 5n, n: 1 });
  const older = new msgpackr.Packr({ useRecords: true }).pack(rows);
  assert.deepEqual(new Unpackr({ int64AsType: 'bigint' }).unpack(older), rows, 'in hot records');
  assert.equal(as('string', 'd3 80 00*7'), '-9223372036854775808');
  for (const type of ['auto', 'bigint', 'number', 'string'] as const) assert.equal(as(type, 'cd 01 2c'), 300);
});

test('only the bytes of the view are read', () => {
  const whole = bytesOf('ff ff 93 01 a2 c3 a9 c4 01 07 ff ff');
  assert.deepEqual(unpack(whole.subarray(2, 10)), [1, 'é', Uint8Array.of(7)]);
  assertFault(() => unpack(whole.subarray(2, 9)), { code: 'unexpected_end', offset: 5, path: '/2' });
  assertFault(() => unpack(whole.subarray(2, 6)), { code: 'unexpected_end', offset: 2, path: '/1' });
  for (let end = 3; end < 10; end++) {
    assertFault(() => unpack(whole.subarray(2, end)), { code: 'unexpected_end' }, `cut at ${end}`);
  }
});

test('text is validated exactly at every length', () => {
  const faults = ['80', 'bf', 'c0 80', 'c1 bf', 'c3 28', 'e0 80 80', 'ed a0 80', 'ed bf bf', 'f0 80 80 80'];
  for (const fault of [...faults, 'f4 90 80 80', 'f5 80 80 80', 'fe', 'ff', 'c3', 'e2 82', 'f0 9f 98']) {
    const bad = bytesOf(fault);
    for (const pad of [0, 1, 3, 7, 15, 23, 30, 40, 100, 300, 5000]) {
      for (const bytes of [
        [...Array(pad).fill(0x61), ...bad],
        [...bad, ...Array(pad).fill(0x61)],
      ]) {
        const head = [0xdb, ...bytesOf(bytes.length.toString(16).padStart(8, '0'))];
        const input = Uint8Array.from([0x91, ...head, ...bytes]);
        // A pad may complete nothing: an ASCII byte never continues a sequence.
        assertFault(
          () => unpack(input),
          { code: 'invalid_utf8', offset: 1, path: '/0' },
          `${fault} beside ${pad} bytes`,
        );
      }
    }
  }
});

test('text keeps every scalar value, a byte order mark and NUL too', () => {
  for (const text of ['\ufeffa', '\0', 'a\0b', '\ufffd', '\uffff', '\u{10ffff}', '\u{1f600}', '\ufeff']) {
    for (const pad of [0, 10, 40, 200]) {
      for (const whole of [text + 'x'.repeat(pad), 'x'.repeat(pad) + text]) assert.equal(unpack(pack(whole)), whole);
    }
  }
});

test('every two-byte sequence, as the platform decodes it', THOROUGH, () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let code = 0; code < 65_536; code++) {
    const body = Uint8Array.of(code >> 8, code & 255);
    let expected: string | undefined;
    try {
      expected = strict.decode(body);
    } catch {
      expected = undefined;
    }
    let actual: unknown;
    try {
      actual = unpack(Uint8Array.of(0xa2, code >> 8, code & 255));
    } catch {
      actual = undefined;
    }
    if (actual !== expected) assert.fail(`${hexOf(body)}: ${String(actual)} instead of ${String(expected)}`);
  }
});

test('binary data is a view, or a copy with copyBuffers', () => {
  const input = bytesOf('92 c4 02 01 02 c7 03 07 01 02 03');
  const [view, ext] = unpack(input) as [Uint8Array, ExtData];
  assert.equal(view.buffer, input.buffer);
  assert.equal(ext.data.buffer, input.buffer);
  const [copy, copiedExt] = new Unpackr({ copyBuffers: true }).unpack(input) as [Uint8Array, ExtData];
  input.fill(0xff);
  assert.deepEqual(copy, Uint8Array.of(1, 2));
  assert.deepEqual(copiedExt.data, Uint8Array.of(1, 2, 3));
  assert.equal(copy.buffer.byteLength, 2, 'a copy keeps no more memory than it shows');
});

test('maps: an object when all keys are str, else a Map', () => {
  assertUnpacks('80', {});
  assertUnpacks('81 a1 61 01', { a: 1 });
  assertUnpacks(
    '82 a1 61 01 05 02',
    new Map<unknown, unknown>(
      [
        ['a', 1],
        [5, 2],
      ].map(([k, v]) => [k, v]),
    ),
  );
  assertUnpacks('81 c0 01', new Map([[null, 1]]));
  const of = (options: ConstructorParameters<typeof Unpackr>[0], bytes: string) =>
    new Unpackr(options).unpack(bytesOf(bytes));
  assert.deepStrictEqual(of({ mapsAsObjects: false, records: 'off' }, '81 a1 61 01'), new Map([['a', 1]]));
  assert.deepStrictEqual(of({ mapsAsObjects: true }, '81 a1 61 01'), { a: 1 });
  assertFault(() => of({ mapsAsObjects: true }, '81 a1 61 81 c0 c1'), { code: 'invalid_key', offset: 4, path: '/a' });
  assert.deepStrictEqual(of({}, '81 a1 61 01'), new Map([['a', 1]]), 'with records a plain map stays a Map');
  assert.deepStrictEqual(of({ useRecords: false }, '81 a1 61 01'), { a: 1 });
});

test('a duplicate key: the last wins at the place of the first; strict and lossless refuse it', () => {
  const bytes = bytesOf('83 a1 61 01 a1 62 02 a1 61 03');
  assert.deepEqual(Object.entries(unpack(bytes) as object), [
    ['a', 3],
    ['b', 2],
  ]);
  const map = new Unpackr({ mapsAsObjects: false }).unpack(bytes) as Map<string, number>;
  assert.deepEqual(
    [...map],
    [
      ['a', 3],
      ['b', 2],
    ],
  );
  for (const mode of ['strict', 'lossless'] as const) {
    const unpackr = new Unpackr({ mode, records: 'off' });
    assertFault(() => unpackr.unpack(bytes), { code: 'duplicate_key', offset: 7, path: '/a' });
    const byBytes = bytesOf('82 c4 01 61 01 c5 00 01 61 02');
    assertFault(() => unpackr.unpack(byBytes), { code: 'duplicate_key', offset: 5, path: '/0x61' }, 'equal bin keys');
    const byFloat = bytesOf('82 ca 3f c0 00 00 01 cb 3f f8 00 00 00 00 00 00 02');
    assertFault(() => unpackr.unpack(byFloat), { code: 'duplicate_key', offset: 7, path: '/#1' }, 'equal floats');
    const byMap = bytesOf('82 82 a1 61 01 a1 62 02 01 82 a1 62 02 a1 61 cc 01 02');
    assertFault(() => unpackr.unpack(byMap), { code: 'duplicate_key', offset: 9, path: '/#1' }, 'equal maps');
  }
});

test('keys of different kinds are different keys', () => {
  const bytes = bytesOf('84 01 c0 a1 31 c0 c4 01 31 c0 c3 c0');
  assert.equal((new Unpackr({ mode: 'lossless' }).unpack(bytes) as Map<unknown, unknown>).size, 4);
  assert.equal((unpack(bytes) as Map<unknown, unknown>).size, 4);
});

test('lossless mode: names that engines would reorder make a Map, and no others', () => {
  const unpackr = new Unpackr({ mode: 'lossless' });
  for (const name of ['0', '7', '17', '4294967294'])
    assert.ok(unpackr.unpack(pack({ [name]: 1 })) instanceof Map, name);
  for (const name of ['1.5', '0.25', '01', '1e3', '4294967295', '17 ', '-1', '1n'])
    assert.deepEqual(unpackr.unpack(pack({ [name]: 1 })), { [name]: 1 });
});

test('keys that JavaScript cannot hold apart: default mode keeps the last, strict mode refuses, lossless mode has Float', () => {
  for (const bytes of ['82 01 c2 cb 3f f0 00 00 00 00 00 00 c3', '82 00 c2 cb 00 00 00 00 00 00 00 00 c3']) {
    const of = (mode: 'default' | 'strict' | 'lossless') =>
      new Unpackr({ mode }).unpack(bytesOf(bytes)) as Map<unknown, unknown>;
    assert.deepEqual([...of('default').values()], [true]);
    assertFault(() => of('strict'), { code: 'duplicate_key', offset: 3, path: '/#1' });
    assert.deepEqual([...of('lossless').values()], [false, true]);
    assert.equal(hexOf(new Packr({ mode: 'lossless', records: 'off' }).pack(of('lossless'))), hexOf(bytesOf(bytes)));
  }
});

test('strict mode refuses the key __proto__', () => {
  const unpackr = new Unpackr({ mode: 'strict', records: 'off' });
  const bytes = bytesOf('82 a1 61 01 a9 5f 5f 70 72 6f 74 6f 5f 5f c0');
  assertFault(() => unpackr.unpack(bytes), { code: 'invalid_key', offset: 4, path: '' });
});

test('so it does if a key only becomes __proto__', () => {
  const text = '5f 5f 70 72 6f 74 6f 5f 5f';
  const extensions: ExtensionDefinition<unknown>[] = [
    { type: 5, read: (value) => value },
    { type: 6, unpack: (data) => Buffer.from(data).toString() },
  ];
  const wrapBytes = (data: Uint8Array) => Buffer.from(data).toString() as never;
  const keys: [string, UnpackrOptions][] = [
    [`c7 0a 05 a9 ${text}`, {}],
    [`c7 09 06 ${text}`, {}],
    [`c4 09 ${text}`, { wrapBytes }],
    [`d6 69 00000001 a9 ${text}`, { structuredClone: true }],
    [`d4 05 00 a9 ${text}`, { structuredClone: true }],
  ];
  for (const [key, more] of keys) {
    for (const before of ['', 'a1 61 01', '05 01']) {
      const bytes = bytesOf(`92 ff ${before === '' ? '81' : '82'} ${before} ${key} 01`);
      const at = 3 + bytesOf(before).length;
      for (const options of [{}, { records: 'off' }, { mapsAsObjects: false }] as const) {
        const strict = { ...options, ...more, mode: 'strict', extensions } as const;
        const fault = { code: 'invalid_key', offset: at, path: '/1' };
        assertFault(() => new Unpackr(strict).unpack(bytes), fault, key);
        const decoded = new Unpackr({ ...strict, mode: 'default' }).unpack(bytes) as [unknown, Map<unknown, unknown>];
        assert.equal(decoded[1].get('__proto__'), 1);
        if (more.structuredClone) continue;
        assertFault(() => get(bytes, '/1/other', strict), fault, key);
        if (more.wrapBytes) continue;
        assertFault(() => compact.unpack(bytes, { ...options, mode: 'strict', extensions }), fault, key);
      }
    }
  }
  const pointed = bytesOf(`92 d6 69 00000001 a9 ${text} 81 d6 70 00000001 01`);
  assertFault(() => new Unpackr({ mode: 'strict', structuredClone: true }).unpack(pointed), {
    code: 'invalid_key',
    offset: 18,
    path: '/1',
  });
});

test('lossless types', () => {
  const unpackr = new Unpackr({ mode: 'lossless', records: 'off' });
  const of = (bytes: string) => unpackr.unpack(bytesOf(bytes));
  assert.deepStrictEqual(of('cb 3f f0 00 00 00 00 00 00'), new Float(1));
  assert.deepStrictEqual(of('ca 40 00 00 00'), new Float(2));
  assert.equal(of('cb 3f f8 00 00 00 00 00 00'), 1.5);
  assert.ok(Object.is(of('cb 80 00 00 00 00 00 00 00'), -0));
  assert.equal(of('cb 43 40 00 00 00 00 00 00'), 2 ** 53, 'no int is mistaken for it');
  assert.deepStrictEqual(of('d6 ff 00 00 00 01'), new Timestamp(1, 0));
  assert.deepStrictEqual(of('81 a1 30 01'), new Map([['0', 1]]), 'an integer-like key');
  assert.deepStrictEqual(of('81 aa 34 32 39 34 39 36 37 32 39 34 01'), new Map([['4294967294', 1]]), 'the last index');
  assert.deepStrictEqual(of('81 aa 34 32 39 34 39 36 37 32 39 35 01'), { '4294967295': 1 });
  assert.deepStrictEqual(of('81 a2 30 31 01'), { '01': 1 });
  assert.deepStrictEqual(of('81 a2 2d 31 01'), { '-1': 1 });
  assert.deepStrictEqual(of('d4 05 01'), new ExtData(5, Uint8Array.of(1)));
  assert.equal(of('d4 00 00'), undefined);
  assert.deepEqual(of('c4 01 07'), Uint8Array.of(7));
});

test('a decoder works on after an error, and inside its own callbacks', () => {
  class Envelope {
    readonly inner: unknown;
    constructor(inner: unknown) {
      this.inner = inner;
    }
  }
  const packr: Packr = new Packr({
    records: 'off',
    extensions: [
      {
        Class: Envelope,
        type: 7,
        pack: (envelope: Envelope) => packr.pack(envelope.inner),
        unpack: (data) => new Envelope(packr.unpack(data)),
      },
    ],
  });
  const value = [1, new Envelope({ a: [new Envelope('deep'), 2] }), 'after', new Envelope(null), 'last'];
  const bytes = packr.pack(value);
  assert.deepStrictEqual(packr.unpack(bytes), value);
  assertFault(() => packr.unpack(bytes.subarray(0, -1)), { code: 'unexpected_end' });
  assert.deepStrictEqual(packr.unpack(bytes), value);
});

test('the input is not changed, not kept and may be frozen', () => {
  const input = bytesOf('82 a1 61 01 a1 62 92 01 02');
  const before = hexOf(input);
  Object.preventExtensions(input);
  unpack(input);
  assert.equal(hexOf(input), before);
  assert.deepEqual(
    Reflect.ownKeys(input).filter((key) => typeof key !== 'string' || !/^\d+$/.test(key)),
    [],
  );
});

test('every kind of input view', () => {
  const bytes = bytesOf('92 01 a1 61');
  assert.deepEqual(unpack(Buffer.from(bytes)), [1, 'a']);
  const padded = Buffer.concat([Buffer.from([0xff]), bytes, Buffer.from([0xff])]);
  assert.deepEqual(unpack(padded.subarray(1, -1)), [1, 'a']);
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  shared.set(bytes);
  assert.deepEqual(unpack(shared), [1, 'a'], 'shared memory');
  for (const wrong of ['text', 5, null, undefined, [1], {}]) assert.throws(() => unpack(wrong as never), TypeError);
});

test('a view that is decoded again has what its memory holds by then', () => {
  const unpackr = new Unpackr();
  for (const memory of [new ArrayBuffer(8), new SharedArrayBuffer(8)]) {
    const [front, back] = [new Uint8Array(memory, 0, 2), new Uint8Array(memory, 5, 2)];
    front.set([0xa1, 0x61]);
    back.set([0x91, 0x07]);
    for (const view of [front, front, back, back]) assert.deepEqual(unpackr.unpack(view), view === front ? 'a' : [7]);
    back[1] = 0x08;
    assert.deepEqual(unpackr.unpack(back), [8]);
    assertFault(() => unpackr.unpack(back, 1), { code: 'unexpected_end', offset: 0 });
    assert.deepEqual(unpackr.unpack(back), [8]);
  }
  const moved = Uint8Array.of(0x90, 0x07).subarray(1);
  assert.equal(unpackr.unpack(moved), 7);
  structuredClone(moved, { transfer: [moved.buffer as ArrayBuffer] });
  // Memory that is gone is no input, whether it was seen before or not.
  const gone = Uint8Array.of(1);
  structuredClone(gone, { transfer: [gone.buffer as ArrayBuffer] });
  for (const view of [moved, moved, gone, gone]) assert.throws(() => unpackr.unpack(view));
});

test('one value, no more and no less', () => {
  assertFault(() => unpack(new Uint8Array(0)), { code: 'unexpected_end', offset: 0, path: '' });
  assertFault(() => unpack(bytesOf('01 02')), { code: 'trailing_data', offset: 1, path: '' });
});

test('every truncation of a message is unexpected_end, and every longer input trailing_data', () => {
  const value = [
    1,
    300,
    -70_000,
    2 ** 40,
    1.5,
    'text',
    'é'.repeat(40),
    new Uint8Array(300),
    { a: [null, { b: true }] },
    new Date(1),
  ];
  for (const records of ['off', 'inline'] as const) {
    const packr = new Packr({ records });
    const bytes = packr.pack(value);
    for (let end = 0; end < bytes.length; end++) {
      assertFault(
        () => packr.unpack(bytes.subarray(0, end)),
        { code: 'unexpected_end' },
        `${end} of ${bytes.length} bytes`,
      );
    }
    assertFault(() => packr.unpack(Uint8Array.of(...bytes, 0xc0)), {
      code: 'trailing_data',
      offset: bytes.length,
      path: '',
    });
  }
});

test('unpackMultiple: an array, or a callback that may end it', () => {
  const bytes = bytesOf('01 a1 61 92 01 02 c0');
  assert.deepEqual(unpackMultiple(bytes), [1, 'a', [1, 2], null]);
  assert.deepEqual(unpackMultiple(new Uint8Array(0)), []);
  const seen: unknown[] = [];
  unpackMultiple(bytes, (value: unknown, start?: number, end?: number) => {
    seen.push([value, start, end]);
    return seen.length < 3 ? undefined : false;
  });
  assert.deepEqual(seen, [
    [1, 0, 1],
    ['a', 1, 3],
    [[1, 2], 3, 6],
  ]);
  const before: unknown[] = [];
  assertFault(() => unpackMultiple(bytesOf('01 91 c1'), (value: unknown) => void before.push(value)), {
    code: 'reserved_byte',
    offset: 2,
    path: '/0',
  });
  assert.deepEqual(before, [1], 'what was decoded before the fault is delivered');
});

test('decode, Encoder and Decoder are other names', () => {
  assert.deepEqual(decode(bytesOf('91 01')), [1]);
  assert.equal(Encoder, Packr);
  assert.equal(Decoder, Unpackr);
  assert.deepEqual(new Decoder().decode(bytesOf('91 01')), [1]);
  assert.deepEqual(new Decoder().unpackMultiple(bytesOf('01 02')), [1, 2]);
});

test('arrays of points, cut short or with something else among them, as the reference reads them', THOROUGH, () => {
  const point = [0x92, ...[0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], ...[0xcb, 0xc0, 0x04, 0, 0, 0, 0, 0, 0]];
  const line = (count: number, other: number[] = [], at = -1) => {
    const elements = Array.from({ length: count }, (_, index) => (index === at ? other : point));
    return Uint8Array.from([0x92, 0x90 + count, ...elements.flat(), 0x07]);
  };
  const messages: Uint8Array[] = [];
  for (let count = 3; count < 7; count++) {
    const whole = line(count);
    for (let end = 0; end <= whole.length; end++) messages.push(whole.slice(0, end));
    for (const other of [[0x01], [0x92, 1, 2], [0x93, ...point.slice(1), 3], point.slice(0, 10), [0xc1], []]) {
      for (let at = 0; at < count; at++) messages.push(line(count, other, at));
    }
  }
  for (const bytes of messages) {
    for (const limits of [{}, { maxDepth: 1 }, { maxDepth: 2 }, { maxDepth: 3 }, { maxValues: 8 }, { maxValues: 12 }]) {
      for (const mode of ['default', 'lossless'] as const) {
        const { actual, expected } = compareDecode(bytes, { ...limits, mode });
        assert.equal(actual, expected, `${hexOf(bytes)} ${JSON.stringify(limits)}`);
      }
    }
  }
  assert.deepEqual(unpack(line(4)), [Array.from({ length: 4 }, () => [1.5, -2.5]), 7]);
});
