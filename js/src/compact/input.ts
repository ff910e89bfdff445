// What a caller gives to decode, as bytes.

import { isBuffer } from '../core/foreign-values.ts';

/**
 * The input as a plain Uint8Array (a Buffer's `subarray` would give Buffers). Shared memory is copied: other threads could
 * change it between a check and a read.
 *
 * @throws TypeError when the input holds no bytes
 */
export function inputBytes(data: ArrayBufferView | ArrayBufferLike): Uint8Array {
  const isView = ArrayBuffer.isView(data);
  if (!isView && !isBuffer(data)) throw new TypeError('the input must be bytes');
  // Memory that was transferred has no bytes, and can have no view.
  if (!data.byteLength) return new Uint8Array();
  const bytes = isView ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  return bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}
