// StreamDecoder (spec/06#streams): every cut gives the same, in time linear in the bytes, and faults come as soon as
// they are certain but behind every complete message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Chunk,
  decodeElements,
  decodeIter,
  ElementsDecoder,
  ExtData,
  elementsTransform,
  Packr,
  type PolypackError,
  pack,
  StreamDecoder,
  type StreamDecoderOptions,
  type TransformPair,
  Unpackr,
  unpack,
  unpackTransform,
} from 'polypack';
import { assertFault, type ExpectedFault } from '../_check.ts';
import { cpuMilliseconds } from '../_cost.ts';
import { runs, THOROUGH } from '../_runs.ts';
import { streamed } from '../_streams.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { piecesOf } from '../_vectors.ts';

type Options = ConstructorParameters<typeof StreamDecoder>[0];

/** Checks messages and fault for every cut; `bytes` as the vectors write them. */
function assertStreams(
  bytes: string,
  values: unknown[],
  fault: ExpectedFault | null,
  options: Options = { records: 'off' },
): void {
  const input = bytesOf(bytes);
  for (const length of [1, 2, 3, 5, 100_000]) {
    const result = streamed(input, length, options);
    assert.deepStrictEqual(result.values, values, `${bytes} in pieces of ${length}`);
    if (fault === null) assert.equal(result.error, null);
    else
      assertFault(
        () => {
          throw result.error;
        },
        fault,
        `${bytes} in pieces of ${length}`,
      );
  }
}

test('messages come when their last byte does', () => {
  const stream = new StreamDecoder();
  assert.deepEqual(stream.push(bytesOf('92')), []);
  assert.deepEqual(stream.push(bytesOf('01')), []);
  assert.deepEqual(stream.push(bytesOf('02 03 a1')), [[1, 2], 3]);
  assert.deepEqual(stream.push(bytesOf('61')), ['a']);
  stream.finish();
  assert.equal(stream.error, null);
});

test('an empty stream, and empty chunks', () => {
  const stream = new StreamDecoder();
  assert.deepEqual(stream.push(new Uint8Array(0)), []);
  stream.finish();
  assertStreams('', [], null);
});

test('every kind of value, cut everywhere', () => {
  const values = [
    null,
    true,
    5,
    300,
    2 ** 40,
    -(2 ** 40),
    1.5,
    'a',
    'é'.repeat(300),
    new Uint8Array(300),
    [1, [2]],
    { a: { b: [] } },
  ];
  const bytes = values.map((value) => hexOf(pack(value))).join('');
  assertStreams(bytes, values, null);
});

test('complete messages are delivered before the fault behind them', () => {
  const stream = new StreamDecoder();
  assert.deepEqual(stream.push(bytesOf('01 02 c1 03')), [1, 2]);
  assert.equal(stream.error?.code, 'reserved_byte');
  for (const again of [() => stream.push(bytesOf('04')), () => stream.finish(), () => stream.push(new Uint8Array(0))]) {
    assertFault(again, { code: 'reserved_byte', offset: 2, path: '' });
  }
});

test('offsets count from the start of the stream, paths at the message', () => {
  assertStreams('93 01 02 03 92 01 a1 ff', [[1, 2, 3]], { code: 'invalid_utf8', offset: 6, path: '/1' });
  assertStreams('01 81 a1 61 c7 03 ff 00*3 02', [1], { code: 'invalid_timestamp', offset: 4, path: '/a' });
});

test('the head that is certainly wrong is reported before the message is complete', () => {
  const at = (bytes: string, options: Options, fault: ExpectedFault) => {
    const stream = new StreamDecoder(options);
    stream.push(bytesOf(bytes));
    assert.equal(stream.error?.code, fault.code, bytes);
    assertFault(() => stream.finish(), fault, bytes);
  };
  at('93 01 c1', {}, { code: 'reserved_byte', offset: 2, path: '/1' });
  at('dc ff ff 01 c1', {}, { code: 'reserved_byte', offset: 4, path: '/1' });
  at('82 a1 61 91 91 90', { limits: { maxDepth: 3 } }, { code: 'limit_exceeded', offset: 5, path: '/a/0/0' });
  at(
    'dd ff ff ff ff',
    { limits: { maxBytes: 1000 } },
    { code: 'limit_exceeded', offset: 0, path: '', message: /maxBytes/ },
  );
  at('92 c6 00 00 04 00', { limits: { maxBytes: 1000 } }, { code: 'limit_exceeded', offset: 1, path: '/0' });
  at('dc 03 e5 dc 00 0d', { limits: { maxBytes: 1010 } }, { code: 'limit_exceeded', offset: 3, path: '/0' });
});

test('maxBytes is for one message', () => {
  const options = { records: 'off', limits: { maxBytes: 4 } } as const;
  assertStreams('93 01 02 03 93 01 02 03 c4 02 00 00', [[1, 2, 3], [1, 2, 3], new Uint8Array(2)], null, options);
  assertStreams('93 01 02 03 94 01 02 03 04', [[1, 2, 3]], { code: 'limit_exceeded', offset: 4, path: '' }, options);
  assertStreams('93 01 cc 80 03', [], { code: 'limit_exceeded', offset: 2, path: '/1' }, options);
});

test('limits are found at the same head whether bytes come alone or together', () => {
  const wide = bytesOf('dc 00 05 9f 01*15 93 a1 61 c0 cd 01 00 81 01 92 80 90 cb 00*8 c4 03 00*3');
  const deep = bytesOf(`92 ${'91'.repeat(45)} 9f 07*15 92 91 91 01 02`);
  for (const [input, limit] of [
    [wide, 'maxBytes'],
    [deep, 'maxBytes'],
    [deep, 'maxDepth'],
  ] as const) {
    for (let most = 1; most <= input.length; most++) {
      const [together, alone] = [input.length, 1].map((length) =>
        streamed(input, length, { records: 'off', limits: { [limit]: most } }),
      );
      assert.deepStrictEqual(together, alone, `${limit} ${most}`);
    }
  }
});

test('a stream that ends inside a message fails as a one-shot decode of its bytes', () => {
  assertStreams('01 94 01 a2 61', [1], { code: 'unexpected_end', offset: 1, path: '' });
  assertStreams('01 92 01 a2 61', [1], { code: 'unexpected_end', offset: 3, path: '/1' });
  assertStreams('01 92 a1 ff', [1], { code: 'invalid_utf8', offset: 2, path: '/0' });
  assertStreams('01 93 a1 ff c0', [1], { code: 'invalid_utf8', offset: 2, path: '/0' });
});

test('records of one message are unknown to the next', () => {
  const records = { records: 'inline', mode: 'lossless' } as const;
  assertStreams('92 d4 72 40 91 a1 61 01 40 02 40', [[{ a: 1 }, { a: 2 }], 64], null, records);
  assertStreams(
    'd5 72 61 07 92 a1 61 a1 62 01 91 61 07 08 09 61',
    [{ a: 1, b: [{ a: 8, b: 9 }] }, 0x61],
    null,
    records,
  );
  // Outside lossless mode, such a byte after a record is more likely one of a sequence than an int.
  const fault = { code: 'unknown_record', offset: 10, path: '' };
  assertStreams('92 d4 72 40 91 a1 61 01 40 02 40', [[{ a: 1 }, { a: 2 }]], fault, { records: 'inline' });
});

test('a stream with records, cut everywhere', () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    id: i,
    name: `row ${i}`,
    tags: ['a', { deep: { x: i } }],
    big: 2 ** 40,
  }));
  const packr = new Packr();
  const bytes = [rows, { only: rows[0] }, 64, 127, rows.slice(0, 2)].map((value) => hexOf(packr.pack(value))).join('');
  assertStreams(bytes, [rows, { only: rows[0] }, 64, 127, rows.slice(0, 2)], null, { records: 'inline' });
});

test('faults of records in a stream', () => {
  const records = { records: 'inline' } as const;
  assertStreams('01 d4 72 40 c0 02', [1], { code: 'invalid_record', offset: 4, path: '' }, records);
  assertStreams('01 d4 72 3f 90 02', [1], { code: 'invalid_record', offset: 1, path: '' }, records);
  assertStreams('01 d4 72 40 91 a1 61 02', [1], { code: 'invalid_record', offset: 1, path: '' }, { records: 'off' });
  assertStreams('d4 72 40 91 a1 61', [], { code: 'unexpected_end', offset: 6, path: '/a' }, records);
  assertStreams('d4 72 40 92 a1 61', [], { code: 'unexpected_end', offset: 3, path: '' }, records);
});

test('what was pushed may be overwritten; what came out may not change', () => {
  const stream = new StreamDecoder();
  const chunk = bytesOf('92 c4 02 01 02 a1');
  assert.deepEqual(stream.push(chunk), []);
  chunk.fill(0xff);
  const [message] = stream.push(bytesOf('61 c4 01 07')) as [unknown[]];
  assert.deepEqual(message, [Uint8Array.of(1, 2), 'a']);
  stream.push(bytesOf('dc 00 ff').subarray(0));
  stream.push(new Uint8Array(200));
  assert.deepEqual(message, [Uint8Array.of(1, 2), 'a']);
});

test('linear in the bytes however they are cut', THOROUGH, () => {
  const time = (count: number, length: number) => {
    const bytes = pack(Array.from({ length: count }, (_, i) => ({ id: i, name: 'abcdefgh' })));
    const pieces = piecesOf(bytes, length);
    return Math.min(
      ...Array.from({ length: 3 }, () => {
        const stream = new StreamDecoder();
        const started = cpuMilliseconds();
        let messages = 0;
        for (const piece of pieces) messages += stream.push(piece).length;
        stream.finish();
        assert.equal(messages, 1);
        return cpuMilliseconds() - started;
      }),
    );
  };
  time(2000, 64);
  for (const length of [16, 1024]) {
    const small = time(5_000, length);
    const large = time(40_000, length);
    // Eight times the bytes: quadratic would be 64 times the time.
    assert.ok(large < 30 * small + 20, `pieces of ${length}: ${small.toFixed(1)} ms, then ${large.toFixed(1)} ms`);
  }
});

/** How many bytes are looked at by a scanner and copied, while something runs, for each byte of its input. */
function workFor(length: number, run: () => void): number {
  const { getUint8 } = DataView.prototype;
  const { set } = Uint8Array.prototype;
  let work = 0;
  DataView.prototype.getUint8 = function (at) {
    work++;
    return getUint8.call(this, at);
  };
  Uint8Array.prototype.set = function (bytes, at) {
    work += bytes.length;
    set.call(this, bytes, at);
  };
  try {
    run();
  } finally {
    DataView.prototype.getUint8 = getUint8;
    Uint8Array.prototype.set = set;
  }
  return work / length;
}

test('5 MB in chunks of 16 KiB are looked at and copied as often as 50 KB', THOROUGH, () => {
  const row = (id: number) => ({ id, name: `row ${id % 10}`, tags: ['a', 'b'], text: 'x'.repeat(80) });
  const workOf = (count: number, decode: (pieces: Uint8Array[]) => number) => {
    const bytes = pack(Array.from({ length: count }, (_, id) => row(id)));
    const pieces = piecesOf(bytes, 16_384);
    return workFor(bytes.length, () => assert.ok(decode(pieces) > 0));
  };
  const decoders = [() => new StreamDecoder(), () => new ElementsDecoder()];
  for (const make of decoders) {
    const decode = (pieces: Uint8Array[]) => {
      const decoder = make();
      let count = 0;
      for (const piece of pieces) count += decoder.push(piece).length;
      decoder.finish();
      return count;
    };
    const small = workOf(400, decode);
    const large = workOf(40_000, decode);
    assert.ok(large < 1.5 * small + 0.5 && large < 5, `${small.toFixed(2)} for each byte, then ${large.toFixed(2)}`);
  }
});

test('many small messages in one chunk', () => {
  const bytes = Uint8Array.from(Array.from({ length: 100_000 }, (_, i) => i & 63));
  const started = cpuMilliseconds();
  assert.equal(new StreamDecoder().push(bytes).length, 100_000);
  assert.ok(cpuMilliseconds() - started < 1000);
});

test('a stream that was finished takes no more bytes', () => {
  const stream = new StreamDecoder();
  stream.push(bytesOf('01'));
  stream.finish();
  assert.throws(() => stream.push(bytesOf('02')), TypeError);
});

test('a wrong chunk is wrong use, and no fault of the stream', () => {
  const stream = new StreamDecoder();
  for (const wrong of ['text', null, 5, [1]]) assert.throws(() => stream.push(wrong as never), TypeError);
  assert.deepEqual(stream.push(bytesOf('01')), [1]);
});

test('an extension can neither push to nor finish the stream that is calling it', () => {
  const use: ((stream: StreamDecoder) => void)[] = [
    (stream) => void stream.push(bytesOf('01')),
    (stream) => stream.finish(),
  ];
  for (const call of use) {
    const stream: StreamDecoder = new StreamDecoder({
      extensions: [
        {
          type: 5,
          unpack: () => {
            call(stream);
            return 'never';
          },
        },
      ],
    });
    assert.deepEqual(stream.push(bytesOf('92 d4 05')), []);
    assert.deepEqual(stream.push(bytesOf('00 01')), []);
    const error = assertFault(() => stream.finish(), { code: 'unsupported_value', offset: 1, path: '/0' });
    assert.ok(error.cause instanceof TypeError);
  }
});

// --- reading ahead ---------------------------------------------------------------------------------------------------

const TYPE = 5;
const extensions = [{ type: TYPE, unpack: () => 'extension' }];
const VALUE = bytesOf('d4 05 00');

/** What comes out for pieces. With `scans`, an extension has ended the reading ahead before. */
function report(
  pieces: Uint8Array[],
  scans: boolean,
  make: (options: Options) => StreamDecoder | ElementsDecoder,
  options: Options,
): unknown[] {
  const stream = make({ ...options, extensions });
  const isElements = stream instanceof ElementsDecoder;
  const results: unknown[] = [];
  // An ext of as many bytes that nobody has registered.
  const first = scans ? VALUE : bytesOf('c7 00 06');
  if (isElements) stream.push(bytesOf('dd 00 00 00 06'));
  stream.push(first);
  try {
    for (const piece of pieces) results.push(...stream.push(piece));
    stream.finish();
  } catch (error) {
    const { code, offset, path } = error as PolypackError;
    results.push(`${code} at ${offset} (${path})`);
  }
  return results;
}

test('reading ahead finds what scanning finds', () => {
  const rowsOf = (from: number) => [
    { a: from, b: [1.5, 'text'] },
    { c: new Date(0), d: { a: -1, b: null } },
    [from, 300],
  ];
  const sequence = new Packr({ sequential: true });
  const plain = new Packr({ records: 'off' });
  const clones = new Packr({ structuredClone: true });
  const ring: unknown[] = [new Set([1]), new Map([[1, 2]])];
  ring.push(ring);
  const messages: Uint8Array[][] = [
    [...rowsOf(1), ...rowsOf(64)].map((value) => plain.pack(value)),
    [...rowsOf(1), ...rowsOf(64)].map((value) => sequence.pack(value)),
    [...rowsOf(1), 64, ring].map((value) => clones.pack(value)),
    [...rowsOf(1), ...rowsOf(64)].map((value) => new Packr().pack(value)),
  ];
  const kinds: Options[] = [
    { records: 'off' },
    { records: 'inline' },
    { records: 'inline', sequential: true },
    { records: 'inline', mode: 'strict', sequential: true },
    { records: 'inline', sequential: true, limits: { maxBytes: 24 } },
    { records: 'inline', limits: { maxBytes: 40, maxDepth: 2, maxValues: 9 } },
    { records: 'inline', structuredClone: true },
    { structures: [['a', 'b']] },
  ];
  const makes = [(options: Options) => new StreamDecoder(options), (options: Options) => new ElementsDecoder(options)];
  const choice = fc.tuple(fc.constantFrom(...messages), fc.constantFrom(...kinds), fc.constantFrom(...makes));
  const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0x40, 0xc1, 0xd4, 0x72))), {
    maxLength: 2,
  });
  const cuts = fc.oneof(fc.constant([1000]), fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(choice, changes, cuts, fc.nat(30), ([chosen, options, make], edits, lengths, less) => {
      if (make === makes[1] && (options?.structuredClone || options?.structures !== undefined)) return;
      const bytes = Uint8Array.from(chosen.flatMap((message) => [...message]));
      for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
      const whole = bytes.subarray(0, bytes.length - (less > 20 ? less - 20 : 0));
      const pieces: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const end = at + (lengths[turn % lengths.length] as number);
        pieces.push(whole.subarray(at, end));
        at = end;
      }
      assert.deepStrictEqual(report(pieces, false, make, options), report(pieces, true, make, options));
    }),
    { numRuns: 20 * runs(100) },
  );
});

const seen: number[] = [];
const counting: Options = {
  extensions: [
    {
      type: TYPE,
      unpack: ([byte]) => {
        seen.push(byte as number);
        return byte;
      },
    },
  ],
};

test('an extension sees each value once, when its message is complete', () => {
  for (const make of [
    () => [0, new StreamDecoder(counting)] as const,
    () => [1, new ElementsDecoder(counting)] as const,
  ]) {
    const [isArray, stream] = make();
    seen.length = 0;
    if (isArray) stream.push(bytesOf('95'));
    assert.deepEqual(stream.push(bytesOf('01 92 d4 05 07')), [1]);
    assert.deepEqual(seen, []);
    assert.deepEqual(stream.push(bytesOf('02 d4 05 08 92 d4 05 09')), [[7, 2], 8]);
    assert.deepEqual(seen, [7, 8]);
    assert.deepEqual(stream.push(bytesOf('03 04')), [[9, 3], 4]);
    assert.deepEqual(seen, [7, 8, 9]);
    stream.finish();
  }
});

test('a wrapBytes that throws ends the stream, and no value before it is lost', () => {
  const options = {
    wrapBytes(bytes: Uint8Array): Uint8Array {
      if (bytes[0] === 9) throw new Error('boom');
      return bytes;
    },
  };
  for (const hex of ['91 01 c4 02 09 09 91 01 91 01', '91 01 c7 02 07 09 09 91 01']) {
    const fault = { code: 'unsupported_value', offset: 2, path: '', message: /wrapBytes/ };
    const stream = new StreamDecoder(options);
    assert.deepEqual(stream.push(bytesOf(hex)), [[1]]);
    const error = assertFault(() => stream.push(bytesOf('01')), fault);
    assert.equal(stream.error, error);
    assert.ok(error.cause instanceof Error && error.cause.message === 'boom');
    assertFault(() => stream.finish(), fault);
    const some: unknown[] = [];
    assertFault(() => {
      for (const value of decodeIter([bytesOf(hex)], options)) some.push(value);
    }, fault);
    assert.deepEqual(some, [[1]]);
    const many = assertFault(() => new Unpackr(options).unpackMultiple(bytesOf(hex)), fault);
    assert.deepEqual(many.values, [[1]]);
    assertFault(() => new Unpackr(options).unpack(bytesOf(`92 01 ${hex.slice(6)}`)), { ...fault, path: '/1' });
  }
  // What an extension doesn't throw itself isn't its fault.
  const extended = { ...options, extensions: [{ type: 7, unpack: () => 1 }] };
  assertFault(() => unpack(bytesOf('d4 07 09'), extended), { code: 'unsupported_value', message: /wrapBytes/ });
});

test('wrapBytes is called once for each value', () => {
  const calls: number[] = [];
  const wrapBytes = (bytes: Uint8Array) => {
    calls.push(bytes[0] as number);
    return bytes;
  };
  const bytes = pack([Uint8Array.of(1), 'x'.repeat(100), new ExtData(5, Uint8Array.of(2))]);
  for (const length of [20, 1, 50, bytes.length]) {
    calls.length = 0;
    assert.equal(streamed(bytes, length, { wrapBytes }).values.length, 1);
    assert.deepEqual(calls, [1, 2]);
  }
});

test('an error of the engine ends the stream after the values before it', () => {
  const { set } = Map.prototype;
  const stream = new StreamDecoder({ mapsAsObjects: false });
  Map.prototype.set = () => {
    throw new RangeError('Map maximum size exceeded');
  };
  try {
    assert.deepEqual(stream.push(bytesOf('01 81 01 02 03')), [1]);
  } finally {
    Map.prototype.set = set;
  }
  const error = assertFault(() => stream.push(bytesOf('04')), { code: 'unsupported_value' });
  assert.ok(error.cause instanceof RangeError);
});

test('every reader makes of a map what unpack makes of it, but Unpackr', async () => {
  const bytes = bytesOf('81 a1 61 01');
  const rows = bytesOf('91 81 a1 61 01');
  const through = async (input: Uint8Array, { writable, readable }: TransformPair<Chunk, unknown>) => {
    const read = readable.getReader().read();
    const writer = writable.getWriter();
    await Promise.all([read, writer.write(input), writer.close()]);
    return (await read).value;
  };
  for (const options of [undefined, {}, { mode: 'strict' }, { limits: { maxBytes: 99 } }] as StreamDecoderOptions[]) {
    const values = [
      new StreamDecoder(options).push(bytes)[0],
      new StreamDecoder({ ...options, sequential: true }).push(bytes)[0],
      [...decodeIter(bytes, options)][0],
      [...decodeElements(rows, options)][0],
      new ElementsDecoder(options).push(rows)[0],
      await through(bytes, unpackTransform(options)),
      await through(rows, elementsTransform(options)),
    ];
    assert.deepEqual(values, Array(7).fill({ a: 1 }));
    // Records that nobody has asked for are read as well.
    assert.deepEqual(
      [...decodeIter(new Packr().pack([{ a: 1 }, new Map([['a', 1]])]), options)],
      [[{ a: 1 }, { a: 1 }]],
    );
  }
  const map = new Map([['a', 1]]);
  assert.deepEqual(new Unpackr().unpack(bytes), map);
  assert.deepEqual([...decodeIter(bytes, { records: 'inline' })], [map]);
  assert.deepEqual(unpack(bytes, { records: 'inline' }), map);
  assert.deepEqual([...decodeIter(bytes, { mapsAsObjects: false })], [map]);
});
