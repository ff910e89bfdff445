// PackrStream and UnpackrStream: the streams of node:stream, with every cut, and with errors that lose nothing.

import assert from 'node:assert/strict';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import {
  addExtension,
  DecoderStream,
  decodeIter,
  EncoderStream,
  Packr,
  PackrStream,
  PolypackError,
  pack,
  Unpackr,
  UnpackrStream,
  type UnpackrStreamOptions,
  unpackMultiple,
} from 'polypack';
import { THOROUGH } from '../_runs.ts';
import { bytesOf } from '../_values.ts';
import { piecesOf } from '../_vectors.ts';

interface Outcome {
  readonly values: unknown[];
  readonly errors: PolypackError[];
  readonly ended: boolean;
}

/** What is read from a stream by events, and each error it emits, until it closes. */
function outcomeOf(stream: Readable): Promise<Outcome> {
  return new Promise((resolve) => {
    const values: unknown[] = [];
    const errors: PolypackError[] = [];
    let ended = false;
    stream.on('data', (value) => values.push(value));
    stream.on('error', (error) => errors.push(error as PolypackError));
    stream.on('end', () => {
      ended = true;
    });
    stream.on('close', () => setImmediate(() => resolve({ values, errors, ended })));
  });
}

/** The same read by `for await`, slowly. */
async function iterated(stream: Readable): Promise<{ values: unknown[]; error: unknown }> {
  const values: unknown[] = [];
  try {
    for await (const value of stream) {
      values.push(value);
      await new Promise(setImmediate);
    }
    return { values, error: null };
  } catch (error) {
    return { values, error };
  }
}

function unpackr(pieces: Iterable<Uint8Array>, options?: UnpackrStreamOptions): UnpackrStream {
  return Readable.from(pieces).pipe(new UnpackrStream(options));
}

const rows = Array.from({ length: 30 }, (_, id) => ({ id, name: `row ${id}`, tags: ['é', { deep: id * 1e7 }] }));

test('values go through a pair of streams, cut at every byte', THOROUGH, async () => {
  const values = [...rows, [], 'text', 1.5, true, new Uint8Array([1, 2]), undefined, 64, [null]];
  const packed = Readable.from(values).pipe(new PackrStream());
  const bytes = Buffer.concat((await packed.toArray()) as Buffer[]);
  for (const length of [1, 2, 3, 7, 64, 100_000]) {
    const { values: read, errors, ended } = await outcomeOf(unpackr(piecesOf(bytes, length)));
    assert.deepEqual(errors, []);
    assert.deepEqual(read, values, `pieces of ${length}`);
    assert.ok(ended);
  }
});

test('two pieces, cut at every place', async () => {
  const bytes = Buffer.concat([rows[0], 'é', [1, { a: 2n ** 60n }]].map((value) => new Packr().pack(value)));
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { values } = await iterated(unpackr([bytes.subarray(0, cut), bytes.subarray(cut)]));
    assert.deepEqual(values, [rows[0], 'é', [1, { a: 2n ** 60n }]], `cut at ${cut}`);
  }
});

test('null has a stand-in on both sides', async () => {
  const packed = new PackrStream();
  const read = packed.pipe(new UnpackrStream());
  packed.write(Symbol.for('null'));
  packed.write(1);
  packed.end(undefined);
  assert.deepEqual(await read.toArray(), [Symbol.for('null'), 1]);

  class Nothing extends UnpackrStream {
    override getNullValue(): unknown {
      return 'nothing';
    }
  }
  assert.deepEqual(
    await Readable.from([bytesOf('c0 91 c0')])
      .pipe(new Nothing())
      .toArray(),
    ['nothing', [null]],
  );
});

test('what was complete before an error is read, then the error comes once', async () => {
  const count = 1000; // far more than Node buffers
  const good = Buffer.concat(Array.from({ length: count }, (_, i) => pack(i)));
  for (const [tail, code, offset] of [
    ['c1 01', 'reserved_byte', good.length],
    ['a2 61', 'unexpected_end', good.length],
    ['91 a1 ff', 'invalid_utf8', good.length + 1],
  ] as const) {
    const bytes = Buffer.concat([good, bytesOf(tail)]);
    for (const length of [1, 100, bytes.length]) {
      const about = `${tail} in pieces of ${length}`;
      const events = await outcomeOf(unpackr(piecesOf(bytes, length), { records: 'off' }));
      assert.equal(events.values.length, count, about);
      assert.equal(events.errors.length, 1, about);
      assert.ok(!events.ended, about);
      const { values, error } = await iterated(unpackr(piecesOf(bytes, length), { records: 'off' }));
      assert.equal(values.length, count, about);
      for (const fault of [events.errors[0], error]) {
        assert.ok(fault instanceof PolypackError, about);
        assert.equal(fault.code, code, about);
        assert.equal(fault.offset, offset, about);
      }
    }
  }
});

test('a value without encoding is an error behind the bytes of those before it', async () => {
  const stream = new PackrStream({ records: 'off' });
  for (let i = 0; i < 40; i++) stream.write('x'.repeat(1000));
  stream.write({ a: [() => 1] });
  stream.write('never');
  const { values, errors } = await outcomeOf(stream);
  assert.equal(unpackMultiple(Buffer.concat(values as Buffer[])).length, 40);
  assert.equal(errors.length, 1);
  assert.equal(errors[0]?.code, 'unsupported_value');
  assert.equal(errors[0]?.path, '/a/0');
});

test('pipeline reports the fault, and its sink has had the values', async () => {
  const got: unknown[] = [];
  const sink = new Writable({
    objectMode: true,
    highWaterMark: 1,
    write(value, _encoding, callback) {
      got.push(value);
      setImmediate(callback);
    },
  });
  const source = Readable.from([bytesOf('01 02 03 04 05'), bytesOf('06 07 c1')]);
  await assert.rejects(pipeline(source, new UnpackrStream(), sink), { code: 'reserved_byte', offset: 7 });
  assert.deepEqual(got.slice(0, 6), [1, 2, 3, 4, 5, 6]);
});

test('bombs and long messages end the stream at once', async () => {
  const deep = await outcomeOf(unpackr(piecesOf(new Uint8Array(200_000).fill(0x91), 1000)));
  assert.equal(deep.errors[0]?.code, 'limit_exceeded');
  assert.equal(deep.errors[0]?.offset, 512);
  const long = bytesOf('01 c6 00 10 00 00');
  for (const options of [{ maxIncompleteBufferSize: 1000 }, { limits: { maxBytes: 1000 } }]) {
    const { values, errors } = await outcomeOf(unpackr([long, new Uint8Array(10)], options));
    assert.deepEqual(values, [1]);
    assert.equal(errors[0]?.code, 'limit_exceeded');
    assert.match(errors[0]?.message ?? '', /1000 bytes/);
  }
});

test('options of Node and of the codec go together; wrong ones are wrong use', () => {
  const stream = new UnpackrStream({ readableHighWaterMark: 3, writableHighWaterMark: 5, mode: 'strict' });
  assert.equal(stream.readableHighWaterMark, 3);
  assert.equal(stream.writableHighWaterMark, 5);
  assert.equal(new PackrStream({ highWaterMark: 7 }).writableHighWaterMark, 7);
  assert.throws(() => new PackrStream({ highWatermark: 7 } as never), TypeError);
  assert.throws(() => new UnpackrStream({ maxIncompleteBufferSize: 0 }), RangeError);
  assert.throws(() => new UnpackrStream({ maxIncompleteBufferSize: 5, limits: { maxBytes: 6 } }), TypeError);
  assert.doesNotThrow(() => new UnpackrStream({ maxIncompleteBufferSize: 5, limits: { maxBytes: 5 } }));
});

test('a signal ends a stream', async () => {
  const controller = new AbortController();
  const stream = new UnpackrStream({ signal: controller.signal });
  controller.abort();
  const { errors } = await outcomeOf(stream);
  assert.equal((errors[0] as Error).name, 'AbortError');
});

test('strings are bytes only when they say how', async () => {
  const hex = new UnpackrStream();
  hex.write('9301', 'hex');
  hex.end('0203', 'hex');
  assert.deepEqual(await hex.toArray(), [[1, 2, 3]]);
  const text = new UnpackrStream();
  text.write('91');
  await assert.rejects(text.toArray(), TypeError);
});

test('records are on, and off when asked', async () => {
  const on = (await Readable.from([rows]).pipe(new PackrStream()).toArray()) as Buffer[];
  assert.equal(on[0]?.[3], 0xd4);
  const off = (await Readable.from([rows])
    .pipe(new PackrStream({ useRecords: false }))
    .toArray()) as Buffer[];
  assert.deepEqual(Buffer.concat(off), Buffer.from(pack(rows)));
  assert.deepEqual(await unpackr(off, { useRecords: false }).toArray(), [rows]);
  assert.ok((await unpackr([pack({ a: 1 })]).toArray())[0] instanceof Map);
});

test('the names of the other terminology', () => {
  assert.equal(EncoderStream, PackrStream);
  assert.equal(DecoderStream, UnpackrStream);
});

test('msgpackr reads what a PackrStream writes', async () => {
  const theirs = Readable.from([...rows, ...rows])
    .pipe(new PackrStream())
    .pipe(new msgpackr.UnpackrStream());
  assert.deepEqual(await theirs.toArray(), [...rows, ...rows]);
});

test('we read what the streams of msgpackr write, whose records are declared once', async () => {
  const theirs = Readable.from([...rows, ...rows]).pipe(new msgpackr.PackrStream());
  const bytes = Buffer.concat((await theirs.toArray()) as Buffer[]);
  for (const length of [1, 7, 100, 100_000]) {
    assert.deepEqual(await unpackr(piecesOf(bytes, length)).toArray(), [...rows, ...rows], `pieces of ${length}`);
  }
  assert.deepEqual([...decodeIter(bytes, { sequential: true })], [...rows, ...rows]);
});

test('shared records, headers, bundled strings and clones', async () => {
  const values = [{ a: 1, name: 'some text' }, { a: 2, name: 'other text' }, { b: ['long enough'] }];
  const structures = [['a', 'name'], ['b']];
  for (const options of [
    { structures },
    { getStructures: () => structures },
    { structures, fingerprint: true },
    { bundleStrings: true },
    { structuredClone: true },
  ]) {
    const bytes = Buffer.concat((await Readable.from(values).pipe(new PackrStream(options)).toArray()) as Buffer[]);
    for (const length of [1, 5, bytes.length]) {
      assert.deepEqual(await unpackr(piecesOf(bytes, length), options).toArray(), values);
      assert.deepEqual([...decodeIter(piecesOf(bytes, length), options)], values);
    }
  }
});

test('extensions, whenever they were registered', async () => {
  const bytes = bytesOf('d4 05 07 d4 61 08');
  const stream = unpackr([bytes], { extensions: [{ type: 5, unpack: ([byte]) => ({ byte }) }] });
  addExtension({ type: 97, unpack: ([byte]) => ({ late: byte }) });
  assert.deepEqual(await stream.toArray(), [{ byte: 7 }, { late: 8 }]);
});

test('an extension that is registered meanwhile does not end a sequence', () => {
  const sequence = new Unpackr({ sequential: true });
  assert.deepEqual(sequence.unpack(bytesOf('d4 72 40 91 a1 61 01')), { a: 1 });
  addExtension({ type: 98, unpack: ([byte]) => ({ byte }) });
  assert.deepEqual(sequence.unpack(bytesOf('40 d4 62 07')), { a: { byte: 7 } });
});

test('declarations outlive their message only in a sequence', async () => {
  const bytes = bytesOf('d4 72 40 91 a1 61 01 40 02');
  assert.deepEqual(await unpackr([bytes]).toArray(), [{ a: 1 }, { a: 2 }]);
  const independent = await outcomeOf(unpackr([bytes], { sequential: false }));
  assert.deepEqual(independent.values, [{ a: 1 }]);
  assert.equal(independent.errors[0]?.code, 'unknown_record');
  const { errors } = await outcomeOf(unpackr([bytesOf('d4 72 40 91 a1 61 01 92 05 40 91 a1 ff')]));
  assert.equal(errors[0]?.path, '/1/a/0');
  assert.equal(errors[0]?.offset, 11);
  assert.throws(() => new UnpackrStream({ sequential: 1 } as never), TypeError);
});

test('a sequence keeps no more than maxBytes of what was declared', async () => {
  const pair = (hi: number) => [0xd5, 0x72, 0x60, hi, 0x91, 0xaa, ...new Uint8Array(10).fill(0x61), 1];
  const many = Uint8Array.from(Array.from({ length: 200 }, (_, i) => pair(i)).flat());
  const { errors, values } = await outcomeOf(unpackr([many], { limits: { maxBytes: 1000 } }));
  assert.equal(errors[0]?.code, 'limit_exceeded');
  assert.ok(values.length > 10 && values.length < 100);
  // The same again and again costs nothing.
  const again = Uint8Array.from(Array.from({ length: 200 }, () => pair(7)).flat());
  assert.equal((await outcomeOf(unpackr([again], { limits: { maxBytes: 1000 } }))).values.length, 200);
});

test('a reader that is slow holds the writer back', async () => {
  // Newer Nodes have a larger mark of their own.
  const source = new PassThrough({ highWaterMark: 16_384 });
  const stream = source.pipe(new UnpackrStream({ readableHighWaterMark: 2, writableHighWaterMark: 16 }));
  let accepted = 0;
  for (let i = 0; i < 10_000 && source.write(pack([i, 'x'.repeat(20)])); i++) accepted++;
  await new Promise(setImmediate);
  assert.ok(accepted < 2000 && stream.readableLength < 2000, `${accepted} accepted`);
  source.destroy();
  stream.destroy();
});
