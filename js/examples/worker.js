// Work on a large value in another thread: its bytes are transferred, not copied. Where a structured clone of many
// small objects is slow, this is faster. In a page, `new Worker(url, { type: 'module' })` and `onmessage` do the same.

import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { PolypackError, pack, unpack } from 'polypack';

const MAX_BYTES = 16 * 1024 * 1024;

/** Returns bytes with memory of their own. Node gives small results a part of a pool, which can't be transferred. */
function transferable(bytes) {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
}

function send(port, value) {
  const bytes = transferable(value instanceof Uint8Array ? value : pack(value));
  port.postMessage(bytes, [bytes.buffer]);
  return bytes;
}

/** What the worker does: one answer for each message. */
function answer(bytes) {
  if (bytes.length > MAX_BYTES) return { error: { code: 'too_large' } };
  try {
    const { rows } = unpack(bytes);
    return { sum: rows.reduce((sum, { price }) => sum + price, 0) };
  } catch (error) {
    if (!(error instanceof PolypackError)) throw error;
    const { code, offset, path } = error;
    return { error: { code, offset, path } };
  }
}

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id}`, price: id }));
  for (const value of [{ rows }, { rows: [] }, Uint8Array.of(0x81, 0xc1, 0x01)]) {
    const sent = send(worker, value);
    const [bytes] = await once(worker, 'message');
    // Transferred bytes are gone here.
    console.log(sent.length, unpack(bytes));
  }
  await worker.terminate();
} else {
  parentPort.on('message', (bytes) => send(parentPort, answer(bytes)));
}
