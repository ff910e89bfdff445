// Packr and Unpackr, and the functions for plain MessagePack.
//
// Plan: Unpackr · Packr · functions.

import { Codec, type ValueCallback } from './codec.ts';
import { type PackrOptions, readOptions, type UnpackrOptions } from './options.ts';
import { Room } from './room.ts';

/**
 * Decodes with options that are given once. Reads records unless `records: 'off'` says otherwise, and then decodes plain maps
 * to Map, so that records and maps stay apart.
 */
export class Unpackr {
  /** @internal */
  readonly codec: Codec;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: UnpackrOptions) {
    this.codec = new Codec(readOptions(options, 'inline'));
  }

  /**
   * Decodes the one value in `data`. bin values are views of it unless `copyBuffers` is set.
   *
   * @param end where the bytes end, for a buffer that is only partly filled; default: the length of `data`
   * @throws PolypackError for bytes that are not exactly one valid value
   */
  unpack<T = unknown>(data: ArrayBufferView | ArrayBufferLike, end?: number): T {
    return this.codec.unpack(data, end) as T;
  }

  /** The same as `unpack`. */
  decode<T = unknown>(data: ArrayBufferView | ArrayBufferLike, end?: number): T {
    return this.codec.unpack(data, end) as T;
  }

  /**
   * Decodes values that follow each other; none for no bytes. Each is a message of its own: records of one are not known
   * in the next.
   *
   * @throws PolypackError whose `values` are those before the fault
   */
  unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike): T[];
  /** Calls `each` with every value and the offsets where its bytes start and end; false ends the decoding. */
  unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike, each: ValueCallback<T>): void;
  unpackMultiple<T>(data: ArrayBufferView | ArrayBufferLike, each?: ValueCallback<T>): T[] | undefined {
    const values = this.codec.unpackMultiple(data, each as ValueCallback<unknown> | undefined);
    return each === undefined ? (values as T[]) : undefined;
  }
}

/** Encodes and decodes with options that are given once. Writes objects as records unless `records: 'off'` says otherwise. */
export class Packr extends Unpackr {
  #room: Room | null = null;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: PackrOptions) {
    super(options);
  }

  /**
   * Encodes a value to bytes that nothing else refers to (but see `useBuffer`).
   *
   * @throws PolypackError for a value that has no encoding, with its path
   */
  pack(value: unknown): Uint8Array {
    return this.#room === null ? this.codec.pack(value) : this.#room.pack(this.codec, value);
  }

  /** The same as `pack`. */
  encode(value: unknown): Uint8Array {
    return this.pack(value);
  }

  /**
   * From now on `pack` writes into `buffer`, each message behind the one before, and returns views of it; a message that does
   * not fit in the rest gets bytes of its own. Give the buffer again when the messages are no longer needed, to start over:
   * their bytes change then. Of several Packrs each has a buffer of its own.
   *
   * @param buffer null for bytes of their own again, as at first
   * @throws TypeError for what is no Uint8Array
   */
  useBuffer(buffer: Uint8Array | null): void {
    this.#room = buffer === null ? null : new Room(buffer);
  }
}

// --- functions ------------------------------------------------------------------------------------------------------------

/** Settings of the functions: every default, and no records. It remembers nothing between calls but spare buffers. */
const plain = /* @__PURE__ */ new Codec(/* @__PURE__ */ readOptions(undefined, 'off'));

/** The codec of a Packr or Unpackr, or one for the options of a function. */
export function codecFor(options: Unpackr | PackrOptions | undefined): Codec {
  if (options === undefined) return plain;
  return options instanceof Unpackr ? options.codec : new Codec(readOptions(options, 'off'));
}

/**
 * Encodes a value as plain MessagePack (spec/09#javascript): integral numbers within ±(2⁵³−1) and bigints are ints, other
 * numbers floats, Date a timestamp, Uint8Array, other views and ArrayBuffer bin, Map and objects maps, Set and iterables
 * arrays, undefined `d4 00 00`. Objects with `toJSON` are what it returns.
 *
 * @param options for many calls with the same options make a Packr
 * @throws PolypackError for a value that has no encoding, with its path
 */
export function pack(value: unknown, options?: PackrOptions): Uint8Array {
  return codecFor(options).pack(value);
}

/**
 * Decodes the one MessagePack value in `data`.
 *
 * @param options for many calls with the same options make an Unpackr. A number is where the bytes end.
 * @throws PolypackError for bytes that are not exactly one valid value
 */
export function unpack<T = unknown>(data: ArrayBufferView | ArrayBufferLike, options?: UnpackrOptions | number): T {
  if (typeof options === 'number') return plain.unpack(data, options) as T;
  return codecFor(options).unpack(data) as T;
}

/**
 * Decodes MessagePack values that follow each other; none for no bytes.
 *
 * @throws PolypackError whose `values` are those before the fault
 */
export function unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike): T[];
/** Calls `each` with every value and the offsets where its bytes start and end; false ends the decoding. */
export function unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike, each: ValueCallback<T>): void;
export function unpackMultiple<T>(data: ArrayBufferView | ArrayBufferLike, each?: ValueCallback<T>): T[] | undefined {
  const values = plain.unpackMultiple(data, each as ValueCallback<unknown> | undefined);
  return each === undefined ? (values as T[]) : undefined;
}
