// encodeIter and decodeIter: every kind of source, every cut, errors behind what is complete, readers that stop early.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { decodeElements, decodeIter, encodeIter, pack, unpackMultiple } from 'polypack';
import * as msgpackr from 'polypack/msgpackr';
import { assertFault } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { piecesOf } from '../_vectors.ts';

const values = [{ id: 1, name: 'é' }, { id: 2, name: 'b' }, 64, null, undefined, [new Map([[1, 2]])], 'text'];
const bytes = Buffer.concat([...encodeIter(values)]);

/** The same chunks as each kind of source that must be waited for. */
function sourcesOf<T>(items: readonly T[]): Record<string, Parameters<typeof encodeIter>[0]> {
  async function* generator() {
    yield* items;
  }
  const web = () =>
    new ReadableStream<T>({
      start(controller) {
        for (const item of items) controller.enqueue(item);
        controller.close();
      },
    });
  return {
    'async generator': generator(),
    'Node stream': Readable.from(items.filter((item) => item !== null && item !== undefined)),
    'web stream': web(),
    'web stream that cannot be iterated': { getReader: () => web().getReader() } as never,
    'promise of an iterable': Promise.resolve(items),
    'promise of a web stream': Promise.resolve(web()),
  };
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const item of source) got.push(item);
  return got;
}

test('values become bytes and values again, cut at every byte', () => {
  for (const length of [1, 2, 3, 7, 1000]) assert.deepEqual([...decodeIter(piecesOf(bytes, length))], values);
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual([...decodeIter([bytes.subarray(0, cut), bytes.subarray(cut)])], values, `cut at ${cut}`);
  }
});

test('every source that must be waited for', async () => {
  const some = values.filter((value) => value !== null && value !== undefined);
  for (const [name, source] of Object.entries(sourcesOf(some))) {
    const packed = await all(encodeIter(source as AsyncIterable<unknown>));
    assert.equal(hexOf(Buffer.concat(packed)), hexOf(Buffer.concat([...encodeIter(some)])), name);
  }
  for (const [name, source] of Object.entries(sourcesOf(piecesOf(bytes, 5)))) {
    assert.deepEqual(await all(decodeIter(source as AsyncIterable<Uint8Array>)), values, name);
  }
});

test('bytes are a source themselves', () => {
  assert.deepEqual([...decodeIter(bytesOf('01 02 91 03'))], [1, 2, [3]]);
  assert.deepEqual([...decodeIter(bytesOf('01 02').buffer as ArrayBuffer)], [1, 2]);
  assert.deepEqual([...decodeIter([])], []);
});

test('a promise of the bytes is a source of decoders, and one of values for encoders', async () => {
  const chunk = bytesOf('92 01 02');
  for (const promised of [chunk, chunk.buffer as ArrayBuffer, new DataView(chunk.buffer), Buffer.from(chunk)]) {
    assert.deepEqual(await all(decodeIter(Promise.resolve(promised))), [[1, 2]]);
    assert.deepEqual(await all(decodeElements(Promise.resolve(promised))), [1, 2]);
    assert.deepEqual(await all(msgpackr.decodeIter(Promise.resolve(promised))), [[1, 2]]);
  }
  assert.equal(hexOf(Buffer.concat(await all(encodeIter(Promise.resolve(chunk))))), 'cc920102');
  await assert.rejects(all(decodeIter(Promise.resolve([1, 2]) as Promise<never>)), TypeError);
});

test('the bytes are those that unpackMultiple and pack know', () => {
  assert.deepEqual(unpackMultiple(Buffer.concat([...encodeIter([1, 'a'], { records: 'off' })])), [1, 'a']);
  assert.equal(hexOf(Buffer.concat([...encodeIter([{ a: 1 }], { useRecords: false })])), hexOf(pack({ a: 1 })));
  assert.equal(hexOf(Buffer.concat([...encodeIter(new Set([64]))])), 'cc40');
});

test('what is complete comes before the fault, which comes once', async () => {
  for (const [tail, code] of [
    ['c1', 'reserved_byte'],
    ['a2 61', 'unexpected_end'],
  ] as const) {
    for (const length of [1, 3, 100]) {
      const pieces = piecesOf(bytesOf(`01 02 03 ${tail}`), length);
      const sync = decodeIter(pieces);
      assert.deepEqual([sync.next().value, sync.next().value, sync.next().value], [1, 2, 3]);
      assertFault(() => sync.next(), { code, offset: 3, path: '' });
      assert.deepEqual(sync.next(), { value: undefined, done: true });
      const waiting = decodeIter(Readable.from(pieces));
      for (const value of [1, 2, 3]) assert.deepEqual(await waiting.next(), { value, done: false });
      await assert.rejects(waiting.next(), { code, offset: 3 });
      assert.deepEqual(await waiting.next(), { value: undefined, done: true });
    }
  }
});

test('a value without encoding, and a source that fails', async () => {
  const packed = encodeIter([1, () => 2]);
  assert.equal(hexOf(packed.next().value as Uint8Array), '01');
  assertFault(() => packed.next(), { code: 'unsupported_value', path: '' });
  async function* failing() {
    yield bytesOf('01 92');
    throw new Error('line is down');
  }
  const read = decodeIter(failing());
  assert.equal((await read.next()).value, 1);
  await assert.rejects(read.next(), { message: 'line is down' });
});

test('a source is told when its reader stops early', async () => {
  let stopped = 0;
  function* chunks() {
    try {
      for (;;) yield bytesOf('01 02');
    } finally {
      stopped++;
    }
  }
  for (const value of decodeIter(chunks())) if (value === 2) break;
  assert.equal(stopped, 1);
  const web = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf('01 02')),
      cancel: () => {
        stopped++;
      },
    });
  for (const source of [
    web(),
    {
      getReader: (
        (stream) => () =>
          stream.getReader()
      )(web()),
    },
  ]) {
    for await (const value of decodeIter(source)) if (value === 2) break;
  }
  assert.equal(stopped, 3);
  for (const _ of encodeIter(chunks())) break;
  assert.equal(stopped, 4);
});

test('limits hold for each message, by both names', () => {
  for (const options of [{ maxIncompleteBufferSize: 100 }, { limits: { maxBytes: 100 } }]) {
    assertFault(() => [...decodeIter(bytesOf('c5 01 00'), options)], { code: 'limit_exceeded', offset: 0 });
  }
});

test('what is no source is wrong use', () => {
  for (const wrong of [null, 5, 'text', {}, undefined]) {
    assert.throws(() => encodeIter(wrong as never), TypeError);
    assert.throws(() => decodeIter(wrong as never), TypeError);
  }
  assert.throws(() => encodeIter([], { nonsense: 1 } as never), TypeError);
  assert.throws(() => decodeIter([], { nonsense: 1 } as never), TypeError);
  assert.throws(() => [...decodeIter(['text'] as never)], TypeError);
});
