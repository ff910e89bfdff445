// Encodes into memory of the caller, and decodes a value that other bytes may follow.
//
// Plan: packInto · decodeFirst.

import { bufferView } from '../core/foreign-values.ts';
import { checkedInteger, failKind } from '../core/limits.ts';
import type { PackrOptions, UnpackrOptions } from '../options/settings.ts';
import { type Packr, packingFor, type Unpackr, unpackingFor } from './packr.ts';
import { BYTES, decodeOne, inputBytes } from './session.ts';

/**
 * Encodes a value into `target`. Bytes before `offset` don't change. Bytes from `offset` on may change even if this
 * function fails. Usually allocates no memory for the output. It may allocate some if the longest possible encoding of
 * a string, 3 bytes per UTF-16 code unit, exceeds the rest of `target`.
 *
 * @param target a Uint8Array, another view, or an ArrayBuffer, shared or not
 * @param offset where the encoding starts: 0 … the length of `target`
 * @param options a Packr, or options; for many calls with the same options give a Packr
 * @returns where the encoding ends, in bytes from the start of `target`
 * @throws RangeError if the encoding doesn't fit, or `offset` isn't within `target`
 * @throws PolypackError for a value that can't be encoded, with its path
 */
export function packInto(
  target: ArrayBufferView | ArrayBufferLike,
  offset: number,
  value: unknown,
  options?: Packr | PackrOptions,
): number {
  const bytes = bytesFrom(target, offset);
  const length = packingFor(options).packInto(bytes, value);
  if (length <= bytes.length) return offset + length;
  throw new RangeError(`the encoding has ${length} bytes, and the target has room for ${bytes.length}`);
}

/** Returns a view of `target` from `offset` on. */
function bytesFrom(target: unknown, offset: number): Uint8Array {
  const view = ArrayBuffer.isView(target) ? target : bufferView(target);
  if (view === null) failKind('the target', BYTES);
  const { buffer, byteOffset, byteLength } = view;
  checkedInteger('offset', offset, 0, byteLength);
  return new Uint8Array(buffer, byteOffset + offset, byteLength - offset);
}

/** A value, and where its bytes end. */
export interface First<T> {
  readonly value: T;
  readonly end: number;
}

/**
 * Decodes the value that starts at `start`. Bytes may follow it.
 *
 * @param start 0 … the length of `data`; default 0. Offsets of errors still count from the start of `data`.
 * @param options an Unpackr, or options; for many calls with the same options give an Unpackr
 * @returns the value, and the offset where its bytes end
 * @throws RangeError if `start` isn't within `data`
 * @throws PolypackError for bytes that don't begin with a valid value
 */
export function decodeFirst<T = unknown>(
  data: ArrayBufferView | ArrayBufferLike,
  start = 0,
  options?: Unpackr | UnpackrOptions,
): First<T> {
  const bytes = inputBytes(data);
  checkedInteger('start', start, 0, bytes.length);
  const codec = unpackingFor(options);
  return codec.read((decoder, depth) => decodeOne<T>(decoder, bytes, start, depth, codec.newEnvelope()));
}
