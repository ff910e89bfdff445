// The border between codecs and users: input as bytes, and faults as errors.
//
// Plan: inputBytes · decodeWith · decodeFrom, decodeOne, decodeMany · encodeWith, encodeInto.

import { asFault, Fault, isStackExhausted, type PolypackError, pathOf, stackFault } from '../core/errors.ts';
import { trailingFault } from '../core/faults.ts';
import type { Reader } from '../decoder/decoder.ts';
import { isShared, lengthOf } from '../decoder/source.ts';
import type { Writer } from '../encoder/encoder.ts';
import { type Wrapping, WrappingFault } from '../envelope/envelope.ts';

/**
 * The input as a plain Uint8Array (a Buffer's `subarray` would give Buffers). Shared memory is copied: other threads could
 * change it between a check and a read.
 *
 * @throws TypeError when the input holds no bytes
 */
export function inputBytes(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return viewBytes(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (isShared(data)) return new Uint8Array(data).slice();
  throw new TypeError('the input must be a Uint8Array, another view of an ArrayBuffer, or an ArrayBuffer');
}

function viewBytes(data: ArrayBufferView): Uint8Array {
  const { buffer, byteOffset, byteLength } = data;
  if (isShared(buffer)) return new Uint8Array(buffer, byteOffset, byteLength).slice();
  if (Object.getPrototypeOf(data) === Uint8Array.prototype) return data as Uint8Array;
  // Of memory that was transferred there are no bytes, and can be no view.
  if (byteLength === 0) return new Uint8Array();
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Decodes the one value that is all of the input.
 *
 * @param until where the bytes end, for a buffer that is only partly filled
 * @throws TypeError when the input holds no bytes, RangeError for an end that is none
 */
export function decodeWith(reader: Reader, data: unknown, depth: number, until?: number): unknown {
  const input = data instanceof Uint8Array ? data : inputBytes(data);
  const length = lengthOf(input);
  const end = until === undefined ? length : checkedEnd(until, length);
  try {
    reader.begin(input, 0, end, depth);
    const value = reader.value();
    reader.finish();
    return value;
  } catch (error) {
    throw decodingError(reader, error, 0);
  }
}

/** @throws RangeError for what is no end of so many bytes */
export function checkedEnd(end: number, length: number): number {
  return checkedPlace('end', end, 0, length);
}

/** @throws RangeError for what is no place from `least` to `most` */
export function checkedPlace(name: string, place: number, least: number, most: number): number {
  if (Number.isInteger(place) && place >= least && place <= most) return place;
  throw new RangeError(`${name} is ${String(place)}; it must be an integer from ${least} to ${most}`);
}

/** Decodes the one value that is all of the bytes from `start` on, with what stands around it. */
export function decodeFrom(
  reader: Reader,
  bytes: Uint8Array,
  start: number,
  depth: number,
  wrapping: Wrapping | null,
): unknown {
  const { value, end } = decodeOne(reader, bytes, start, depth, wrapping);
  if (end === bytes.length) return value;
  throw trailingFault(end, bytes.length - end).toError('');
}

/**
 * Decodes the value at `start`; bytes may follow it.
 *
 * @returns the value, and where its bytes end
 */
export function decodeOne<T>(
  reader: Reader,
  bytes: Uint8Array,
  start: number,
  depth: number,
  wrapping: Wrapping | null,
): { value: T; end: number } {
  const value = decodeAt(reader, bytes, start, depth, wrapping) as T;
  return { value, end: endOf(reader, wrapping) };
}

/**
 * Decodes values one after the other; each is a message of its own. Returns them, or gives each to `each` and ends early when
 * that returns false.
 *
 * @throws PolypackError with the values before the fault
 */
export function decodeMany(
  reader: Reader,
  bytes: Uint8Array,
  depth: number,
  each: ((value: unknown, start: number, end: number) => unknown) | undefined,
  wrapping: Wrapping | null,
): unknown[] {
  const values: unknown[] = [];
  const complete = each === undefined ? values : undefined;
  for (let start = 0; start < bytes.length; ) {
    const value = decodeAt(reader, bytes, start, depth, wrapping, complete);
    const end = endOf(reader, wrapping);
    if (each === undefined) values.push(value);
    else if (each(value, start, end) === false) break;
    start = end;
  }
  return values;
}

/** @param values those before, for the error */
function decodeAt(
  reader: Reader,
  bytes: Uint8Array,
  start: number,
  depth: number,
  wrapping: Wrapping | null,
  values?: readonly unknown[],
): unknown {
  try {
    if (wrapping === null) reader.begin(bytes, start, bytes.length, depth);
    else {
      wrapping.open(bytes, start, bytes.length);
      reader.begin(wrapping.message, wrapping.messageStart, wrapping.messageEnd, depth);
    }
    return reader.value();
  } catch (error) {
    throw decodingError(reader, error, 0, wrapping, values);
  }
}

/** Where the message ends whose value was read, with what stands around it. */
export function endOf(reader: Reader, wrapping: Wrapping | null): number {
  const end = reader.offset - reader.origin;
  return wrapping === null ? end : wrapping.originOf(end);
}

/** The error for what was thrown while decoding. `base` is the offset of the reader's first byte in the input or stream. */
export function decodingError(
  reader: Reader,
  error: unknown,
  base: number,
  wrapping: Wrapping | null = null,
  values?: readonly unknown[],
): unknown {
  const fault = isStackExhausted(error) ? stackFault(reader.offset, error) : error;
  if (!(fault instanceof Fault)) return error;
  if (fault instanceof WrappingFault) return fault.toError(fault.path, base, values);
  const { offset } = fault;
  let shift = -reader.origin;
  if (wrapping !== null && offset !== null) shift = wrapping.originOf(offset - reader.origin) - offset;
  return fault.toError(reader.pathOf(fault), base + shift, values);
}

/** Encodes a value to bytes of their own. */
export function encodeWith(writer: Writer, value: unknown, depth: number): Uint8Array {
  try {
    do {
      writer.begin(depth);
      writer.value(value);
    } while (!writer.finish());
    return writer.take();
  } catch (error) {
    throw encodingError(error);
  }
}

/**
 * Encodes a value into memory that is there; what it holds is of no worth when the encoding is longer.
 *
 * @returns how many bytes the encoding has
 */
export function encodeInto(writer: Writer, room: Uint8Array, value: unknown, depth: number): number {
  let own: Uint8Array | null = null;
  try {
    do {
      if (own !== null) writer.exchange(own);
      own = null;
      writer.begin(depth);
      own = writer.exchange(room);
      writer.value(value);
    } while (!writer.finish());
    const { length } = writer;
    // The writer wants room for the worst case of a text, so it may have moved although the value fits.
    if (length <= room.length) writer.copyTo(room);
    return length;
  } catch (error) {
    throw encodingError(error);
  } finally {
    if (own !== null) writer.exchange(own);
  }
}

/** The error for what was thrown while encoding. */
function encodingError(error: unknown): PolypackError {
  const fault = asFault(error);
  return fault.toError(pathOf(fault.tokens.reverse()));
}
