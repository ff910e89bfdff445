// Turns a user's input into bytes, and a codec's faults into errors for the user.
//
// Plan: inputBytes · decodeWith · decodeFrom, decodeOne, decodeMany · decodingError · encodeWith, encodeInto.

import { passedFault } from '../core/encode-faults.ts';
import { Fault, isStackExhausted, type PolypackError, stackFault } from '../core/errors.ts';
import { InputChanged, trailingFault } from '../core/faults.ts';
import { bufferView } from '../core/foreign-values.ts';
import { checkedInteger, failKind } from '../core/limits.ts';
import { pathOf } from '../core/path.ts';
import { type Bytes, lengthOf } from '../core/views.ts';
import type { Decoder } from '../decoder/decoder.ts';
import { isShared } from '../decoder/source.ts';
import type { Encoder } from '../encoder/encoder.ts';
import { type Envelope, EnvelopeFault } from '../envelope/envelope.ts';
import type { Settings } from '../options/settings.ts';

/** Names the types that are accepted as input and as target, for error messages. */
export const BYTES = 'a Uint8Array, another view of an ArrayBuffer, or an ArrayBuffer';

/**
 * Returns the input as a plain Uint8Array, because `subarray` of a Buffer returns Buffers. Copies shared memory, which
 * other threads could change between a check and a read.
 *
 * @throws TypeError if the input is neither a view nor an ArrayBuffer, shared or not
 */
export function inputBytes(data: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  const view = ArrayBuffer.isView(data) ? data : bufferView(data);
  if (view === null) failKind('the input', BYTES);
  const { buffer, byteOffset, byteLength } = view;
  if (isShared(buffer)) return new Uint8Array(buffer, byteOffset, byteLength).slice();
  const isPlain = Object.getPrototypeOf(view) === Uint8Array.prototype;
  if (isPlain && (view as Uint8Array).length === byteLength) return view as Uint8Array;
  // A view of a transferred ArrayBuffer has length 0, and making a new view would throw.
  if (byteLength === 0) return new Uint8Array();
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Decodes the input, which must be exactly one value.
 *
 * @param until where the bytes end, for a buffer that is only partly filled
 * @throws TypeError if `inputBytes` doesn't accept the input; RangeError if `until` is beyond its end
 */
export function decodeWith(decoder: Decoder, data: unknown, depth: number, until?: number): unknown {
  const input = data instanceof Uint8Array ? data : inputBytes(data);
  const length = lengthOf(input);
  const end = until === undefined ? length : checkedInteger('end', until, 0, length);
  try {
    decoder.begin(input, 0, end, depth);
    const value = decoder.value();
    decoder.finish();
    return value;
  } catch (error) {
    if (error instanceof InputChanged) return decodeWith(decoder, error.copy, depth);
    throw decodingError(decoder, error, 0);
  }
}

/** Decodes the bytes from `start` on: exactly one value, which may have an envelope if `envelope` isn't null. */
export function decodeFrom(
  decoder: Decoder,
  bytes: Uint8Array,
  start: number,
  depth: number,
  envelope: Envelope | null,
): unknown {
  const { value, end } = decodeOne(decoder, bytes, start, depth, envelope);
  if (end === bytes.length) return value;
  decoder.lose('trailing_data');
  const head = end - start === 1 ? (bytes[start] as number) : 0;
  throw trailingFault(end, bytes.length - end, decoder.option, head).toError('');
}

/**
 * Decodes the value at `start`. Bytes may follow it.
 *
 * @returns the value, and where its bytes end
 */
export function decodeOne<T>(
  decoder: Decoder,
  bytes: Uint8Array,
  start: number,
  depth: number,
  envelope: Envelope | null,
): { value: T; end: number } {
  const value = decodeAt(decoder, bytes, start, depth, envelope) as T;
  return { value, end: endOf(decoder, envelope) };
}

/**
 * Decodes values that follow each other; each is a separate message. Returns them, or passes them to `each` and stops
 * early if `each` returns false.
 *
 * @throws PolypackError; if `each` isn't given, its `values` are those decoded before the fault
 */
export function decodeMany(
  decoder: Decoder,
  bytes: Uint8Array,
  depth: number,
  each: ((value: unknown, start: number, end: number) => unknown) | undefined,
  envelope: Envelope | null,
): unknown[] {
  decoder.earlier = { declared: false, option: null };
  const values: unknown[] = [];
  const complete = each === undefined ? values : undefined;
  for (let start = 0; start < bytes.length; ) {
    const value = decodeAt(decoder, bytes, start, depth, envelope, complete);
    const end = endOf(decoder, envelope);
    if (each === undefined) values.push(value);
    else {
      // No container is open around the callback. So decoding calls in the callback start at `depth`, not one deeper.
      decoder.depth = depth - 1;
      if (each(value, start, end) === false) break;
    }
    start = end;
  }
  return values;
}

/**
 * @param values the values decoded before this one, to be stored in an error
 * @param isOpen whether `bytes` is the message itself, because it has no envelope or its envelope is already open
 */
function decodeAt(
  decoder: Decoder,
  bytes: Uint8Array,
  start: number,
  depth: number,
  envelope: Envelope | null,
  values?: readonly unknown[],
  isOpen = envelope === null,
): unknown {
  try {
    if (envelope === null || isOpen) decoder.begin(bytes, start, bytes.length, depth);
    else {
      // Where a message ends may depend on records that earlier messages declared.
      if (decoder.keeps) envelope.enter({ index: -1, declared: decoder.declared });
      envelope.open(bytes, start, bytes.length);
      decoder.begin(envelope.message, envelope.messageStart, envelope.messageEnd, depth);
    }
    const value = decoder.value();
    decoder.endMessage();
    return value;
  } catch (error) {
    if (error instanceof InputChanged) {
      const at = envelope === null ? start : envelope.messageStart;
      return decodeAt(decoder, error.copy, at, depth, envelope, values, true);
    }
    throw decodingError(decoder, error, 0, envelope, values);
  }
}

/** Returns the input, or a copy of it if getStructures could change the input while it is being decoded. */
export function steadyBytes(bytes: Uint8Array, { shared }: Settings): Uint8Array {
  return shared?.loads === true ? bytes.slice() : bytes;
}

/** Returns where the message that was just read ends in the input, including its envelope. */
export function endOf(decoder: Decoder, envelope: Envelope | null): number {
  const end = decoder.offset - decoder.origin;
  return envelope === null ? end : envelope.originOf(end);
}

/**
 * Converts an error that was thrown while decoding to the error that the user gets. `base` is the offset of the
 * decoder's first byte in the input or stream.
 */
export function decodingError(
  decoder: Decoder,
  error: unknown,
  base: number,
  envelope: Envelope | null = null,
  values?: readonly unknown[],
): unknown {
  const fault = isStackExhausted(error) ? stackFault(decoder.offset, error) : error;
  if (!(fault instanceof Fault)) return error;
  const { offset } = fault;
  let shift = -decoder.origin;
  if (fault instanceof EnvelopeFault) shift = 0;
  else if (envelope !== null && offset !== null) shift = envelope.originOf(offset - decoder.origin) - offset;
  const path = fault instanceof EnvelopeFault ? fault.path : decoder.pathOf(fault);
  decoder.lose(fault.code);
  return fault.toError(path, base + shift, values);
}

/** Returns the encoding of a value. Encodes the value again if new shared records couldn't be saved. */
export function encodeWith(encoder: Encoder, value: unknown, depth: number): Bytes {
  try {
    do {
      encoder.begin(depth);
      encoder.value(value);
    } while (!encoder.finish());
    return encoder.take();
  } catch (error) {
    throw encodingError(error);
  }
}

/**
 * Encodes a value into the given buffer. If the result doesn't fit, the buffer's contents are undefined.
 *
 * @returns the length of the encoding
 */
export function encodeInto(encoder: Encoder, target: Uint8Array, value: unknown, depth: number): number {
  let own: Uint8Array | null = null;
  try {
    do {
      if (own !== null) encoder.exchange(own);
      own = null;
      encoder.begin(depth);
      own = encoder.exchange(target);
      encoder.value(value);
    } while (!encoder.finish());
    const { length } = encoder;
    // The encoder reserves capacity for the longest encoding a text can have. So it may have moved to larger memory
    // although the value fits.
    if (length <= target.length) encoder.copyTo(target);
    return length;
  } catch (error) {
    throw encodingError(error);
  } finally {
    if (own !== null) encoder.exchange(own);
  }
}

/** Converts an error that was thrown while encoding to the error that the user gets. */
function encodingError(error: unknown): PolypackError {
  const fault = passedFault(error);
  return fault.toError(pathOf(fault.tokens.reverse()));
}

/** The functions of this file that a codec gets with its DecodingCapabilities. */
export const DECODING_SESSION = { decodeWith, decodeFrom, decodeMany };

export type DecodingSession = typeof DECODING_SESSION;
