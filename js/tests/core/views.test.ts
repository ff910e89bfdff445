// The memory of results: fetch, Response, Blob and WebCrypto take no views of shared memory, and their types say so.
// consumers/page.mts has their types, which Node's don't have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as polypack from 'polypack';
import * as compact from 'polypack/compact';
import * as drop from 'polypack/msgpackr';
import { MemoryStore, SharedStructures } from 'polypack/stores';

/** `Uint8Array<ArrayBuffer>` where TypeScript knows it. */
type Unshared = ReturnType<Uint8ArrayConstructor['of']>;

const SIZES = [0, 10, 100, 3000, 20_000, 200_000];

test('the memory of every result is an ArrayBuffer', async () => {
  const store = new MemoryStore();
  const shared = await SharedStructures.open(store);
  shared.propose(['a']);
  await shared.publish();
  const withBuffer = new polypack.Packr();
  withBuffer.useBuffer(new Uint8Array(5000));
  for (const size of SIZES) {
    const value = { a: ['x'.repeat(size), 'é'.repeat(size), new Uint8Array(new SharedArrayBuffer(size))] };
    const bytes: Unshared = polypack.pack(value);
    const input = new Uint8Array(new SharedArrayBuffer(bytes.length));
    input.set(bytes);
    const packTransform = polypack.packTransform();
    const chunks: ReadableStreamDefaultReader<Unshared> = packTransform.readable.getReader();
    const writing = packTransform.writable.getWriter().write(value);
    const results: (Unshared | null | undefined)[] = [
      bytes,
      polypack.encode(value, { mode: 'lossless' }),
      new polypack.Packr({ structuredClone: true }).pack(value),
      new polypack.Packr({ bundleStrings: true }).encode(value),
      new polypack.Packr({ structures: shared, fingerprint: true }).pack(value),
      withBuffer.pack(value),
      polypack.encodeCanonical(value),
      polypack.canonicalize(input),
      ...polypack.encodeIter([value]),
      ((await polypack.encodeIter(Promise.resolve([value])).next()) as IteratorYieldResult<Unshared>).value,
      (await chunks.read()).value,
      compact.pack(value),
      new compact.Packr().encode(value),
      drop.pack(value),
      new drop.Packr().encode(value, drop.RESERVE_START_SPACE | 4),
      await store.load(),
    ];
    await writing;
    for (const [index, result] of results.entries()) assert.ok(result?.buffer instanceof ArrayBuffer, `${index}`);
  }
});
