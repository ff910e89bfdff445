// Decodes with the compact codec: the functions, and Unpackr.
//
// `unpack` doesn't refer to the class Unpackr, so a program that only calls `unpack` doesn't contain the class.

import { bufferView } from '../core/foreign-values.ts';
import { type First, PolypackError, type ValueCallback } from '../index.ts';
import { Decoder } from './decoder.ts';
import { fail, readOptions, type Settings, type UnpackrOptions } from './options.ts';

/**
 * Returns the input as a plain Uint8Array, because `subarray` of a Buffer returns Buffers. Copies shared memory, which
 * other threads could change between a check and a read.
 *
 * @throws TypeError if the input is neither a view nor an ArrayBuffer, shared or not
 */
function inputBytes(data: ArrayBufferView | ArrayBufferLike): Uint8Array {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(data) ? data : (bufferView(data) ?? fail('input'));
  // A transferred ArrayBuffer has length 0, and making a new view of it would throw.
  if (!byteLength) return new Uint8Array();
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}

/**
 * Decodes the one MessagePack value in `data`.
 *
 * @param options an Unpackr, or options for one call; for many calls with the same options make an Unpackr
 * @throws PolypackError for bytes that aren't exactly one valid value
 */
export function unpack<T = unknown>(data: ArrayBufferView | ArrayBufferLike, options?: Unpackr | UnpackrOptions): T {
  const codec = options as Unpackr | undefined;
  if (codec?.unpack) return codec.unpack(data);
  return new Decoder(readOptions(options as UnpackrOptions), inputBytes(data)).read(true) as T;
}

/**
 * Decodes the value that starts at `start`. Bytes may follow it.
 *
 * @param start 0 … the length of `data`. Offsets of errors still count from the start of `data`.
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
  return (options instanceof Unpackr ? options : new Unpackr(options)).decodeFirst(data, start);
}

/**
 * Decodes MessagePack values that follow each other. If there are no bytes, there are no values.
 *
 * @throws PolypackError; its `values` are those decoded before the fault
 */
export function unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike): T[];
/** Calls `each` with every value and the offsets where its bytes start and end. Returning false ends the decoding. */
export function unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike, each: ValueCallback<T>): void;
export function unpackMultiple<T>(data: ArrayBufferView | ArrayBufferLike, each?: ValueCallback<T>): T[] | undefined {
  return new Unpackr().unpackMultiple(data, each as ValueCallback<T>) as T[] | undefined;
}

/** Decodes with options that the constructor gets. */
export class Unpackr {
  /** @internal */
  readonly settings: Settings;
  /** The Decoder of the current call; null if there is none. An extension may call the Unpackr that called it. */
  #running: Decoder | null = null;

  /** A cache of short names, at most 128. It affects the speed of decoding, never the result. */
  readonly #names: string[] = [];

  /** @throws TypeError for options that don't exist here or make no sense */
  constructor(options?: UnpackrOptions) {
    this.settings = readOptions(options);
  }

  /**
   * Decodes the one value in `data`. bin values usually are views of `data`; with `copyBuffers` they are copies.
   *
   * @throws PolypackError for bytes that aren't exactly one valid value
   */
  unpack<T = unknown>(data: ArrayBufferView | ArrayBufferLike, place?: undefined): T {
    if (place !== undefined) fail('range');
    return this.#read(inputBytes(data), 0, true).value as T;
  }

  /** The same as `unpack`. */
  decode<T = unknown>(data: ArrayBufferView | ArrayBufferLike, place?: undefined): T {
    return this.unpack(data, place);
  }

  /**
   * Decodes the value that starts at `start`. Bytes may follow it.
   *
   * @returns the value, and the offset where its bytes end
   * @throws RangeError if `start` isn't within `data`
   * @throws PolypackError for bytes that don't begin with a valid value
   */
  decodeFirst<T = unknown>(data: ArrayBufferView | ArrayBufferLike, start = 0): First<T> {
    const bytes = inputBytes(data);
    if (!Number.isInteger(start) || start < 0 || start > bytes.length) throw new RangeError(`start is ${start}`);
    return this.#read(bytes, start, false) as First<T>;
  }

  /**
   * Decodes values that follow each other. If there are no bytes, there are no values. Each value is a separate
   * message.
   *
   * @throws PolypackError; its `values` are those decoded before the fault
   */
  unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike): T[];
  /** Calls `each` with every value and the offsets where its bytes start and end. Returning false ends the decoding. */
  unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike, each: ValueCallback<T>): void;
  unpackMultiple<T>(data: ArrayBufferView | ArrayBufferLike, each?: ValueCallback<T>): T[] | undefined {
    if (each !== undefined && typeof each !== 'function') throw new TypeError('the callback must be a function');
    const bytes = inputBytes(data);
    const values: T[] = [];
    for (let start = 0; start < bytes.length; ) {
      const { value, end } = this.#read(bytes, start, false, each ? undefined : values);
      if (!each) values.push(value as T);
      else if (each(value as T, start, end) === false) break;
      start = end;
    }
    return each ? undefined : values;
  }

  #read(bytes: Uint8Array, start: number, isOnly: boolean, values?: readonly unknown[]): First<unknown> {
    const outer = this.#running;
    const decoder = new Decoder(this.settings, bytes, this.#names, start, outer === null ? 0 : outer.depth + 1);
    this.#running = decoder;
    try {
      return { value: decoder.read(isOnly), end: decoder.at };
    } catch (error) {
      if (error instanceof PolypackError) Object.assign(error, { values });
      throw error;
    } finally {
      this.#running = outer;
    }
  }
}
