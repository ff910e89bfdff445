// Memory for results.
//
// Plan: newSlab · newMemory.
//
// An ArrayBuffer of its own costs a small result more than its encoding. Node's Buffers share a pool for that reason, and Node
// lets nobody transfer it, so a result in it cannot be taken away from under another. Elsewhere memory can be transferred,
// and every result has its own.

import { NODE } from '../../core/host.ts';

/** Just below half of Node's pool: from there on a Buffer has memory of its own. */
const SLAB_LENGTH = 4088;

/** Memory to put small results into, one behind the other; null where each is to have its own. What it holds is of no worth. */
export function newSlab(): Uint8Array | null {
  if (NODE === null) return null;
  const { buffer, byteOffset, length } = NODE.Buffer.allocUnsafe(SLAB_LENGTH);
  // Only the pool is safe from being transferred.
  return buffer.byteLength > length ? new Uint8Array(buffer, byteOffset, length) : null;
}

/** Memory of its own for a large result, which may hold anything. */
export function newMemory(length: number): Uint8Array {
  if (NODE === null) return new Uint8Array(length);
  const { buffer, byteOffset } = NODE.Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer, byteOffset, length);
}
