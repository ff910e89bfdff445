// packTransform and unpackTransform: Web Streams that lose nothing when they fail, and hold back who is too fast.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pack, packTransform, unpackMultiple, unpackTransform } from 'polypack';
import { bytesOf } from '../_values.ts';
import { piecesOf } from '../_vectors.ts';

const values = [{ id: 1, name: 'é' }, { id: 2, name: 'b' }, 64, null, undefined, [new Map([[1, 2]])], 'text'];

function streamOf<T>(items: Iterable<T>): ReadableStream<T> {
  const iterator = items[Symbol.iterator]();
  return new ReadableStream<T>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function all<T>(stream: ReadableStream<T>): Promise<{ items: T[]; error: unknown }> {
  const items: T[] = [];
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { items, error: null };
      items.push(value);
    }
  } catch (error) {
    return { items, error };
  }
}

test('values become bytes and values again, cut at every byte', async () => {
  const { items } = await all(streamOf(values).pipeThrough(packTransform()));
  const bytes = Buffer.concat(items);
  for (const length of [1, 2, 3, 7, 1000]) {
    const { items: read, error } = await all(streamOf(piecesOf(bytes, length)).pipeThrough(unpackTransform()));
    assert.equal(error, null);
    assert.deepEqual(read, values, `pieces of ${length}`);
  }
  const { items: read } = await all(streamOf(values).pipeThrough(packTransform()).pipeThrough(unpackTransform()));
  assert.deepEqual(read, values);
});

test('what is complete is read before the fault', async () => {
  for (const [tail, code] of [
    ['c1 05', 'reserved_byte'],
    ['a2 61', 'unexpected_end'],
  ] as const) {
    for (const length of [1, 4, 5, 1000]) {
      const source = streamOf(piecesOf(bytesOf(`01 02 03 ${tail}`), length));
      const { items, error } = await all(source.pipeThrough(unpackTransform()));
      assert.deepEqual(items, [1, 2, 3], `${tail} in pieces of ${length}`);
      assert.equal((error as { code: string }).code, code);
      assert.equal((error as { offset: number }).offset, 3);
    }
  }
  const { items, error } = await all(streamOf([1, 'a', () => 1, 2]).pipeThrough(packTransform()));
  assert.deepEqual(unpackMultiple(Buffer.concat(items)), [1, 'a']);
  assert.equal((error as { code: string }).code, 'unsupported_value');
});

test('both sides learn of a fault, which waits for a slow reader', async () => {
  const { writable, readable } = unpackTransform();
  const writer = writable.getWriter();
  const written = writer.write(bytesOf('01 02 c1')).then(
    () => null,
    (error) => error,
  );
  const closed = writer.closed.catch((error) => error);
  const reader = readable.getReader();
  assert.deepEqual(await reader.read(), { done: false, value: 1 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(await reader.read(), { done: false, value: 2 });
  for (const error of [await written, await closed, await reader.closed.catch((each) => each)]) {
    assert.equal(error.code, 'reserved_byte');
    assert.equal(error.offset, 2);
  }
  await assert.rejects(reader.read(), { code: 'reserved_byte' });
});

test('a writer waits until everything of its chunk is read', async () => {
  const { writable, readable } = unpackTransform();
  const writer = writable.getWriter();
  let isWritten = false;
  const written = writer.write(bytesOf('01 02')).then(() => {
    isWritten = true;
  });
  const reader = readable.getReader();
  assert.equal((await reader.read()).value, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(!isWritten);
  assert.equal((await reader.read()).value, 2);
  await written;
  await Promise.all([writer.close(), reader.read().then(({ done }) => assert.ok(done))]);
});

test('a reader that stops, and a writer that gives up', async () => {
  const stopped = unpackTransform();
  const writer = stopped.writable.getWriter();
  const written = writer.write(bytesOf('01 02'));
  await stopped.readable.cancel('enough');
  await assert.rejects(written, (reason) => reason === 'enough');
  await assert.rejects(writer.closed, (reason) => reason === 'enough');

  const given = unpackTransform();
  const giving = given.writable.getWriter();
  const pending = giving.write(bytesOf('01 02'));
  const reader = given.readable.getReader();
  assert.equal((await reader.read()).value, 1);
  const aborted = giving.abort('never mind');
  await assert.rejects(pending, (reason) => reason === 'never mind');
  await aborted;
  await assert.rejects(reader.read(), (reason) => reason === 'never mind');
});

test('a stream without bytes ends, also when nobody has read yet', async () => {
  assert.deepEqual(await all(streamOf([]).pipeThrough(unpackTransform())), { items: [], error: null });
  const { writable, readable } = packTransform();
  await writable.close();
  assert.deepEqual(await all(readable), { items: [], error: null });
});

test('a Response of bytes', async () => {
  const body = new Response(Buffer.concat([pack({ a: 1 }), pack(2)])).body as ReadableStream<Uint8Array>;
  const { items } = await all(body.pipeThrough(unpackTransform({ records: 'off' })));
  assert.deepEqual(items, [{ a: 1 }, 2]);
});

test('wrong options and chunks are wrong use', async () => {
  assert.throws(() => packTransform({ nonsense: 1 } as never), TypeError);
  assert.throws(() => unpackTransform({ nonsense: 1 } as never), TypeError);
  const { error } = await all(streamOf(['text'] as never[]).pipeThrough(unpackTransform()));
  assert.ok(error instanceof TypeError);
});
