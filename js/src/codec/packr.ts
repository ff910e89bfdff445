// Packr and Unpackr, and the functions for plain MessagePack.
//
// Plan: Unpackr · Packr · ReusedBuffer · functions.

import { failKind } from '../core/limits.ts';
import { isBytes } from '../core/values.ts';
import type { Bytes } from '../core/views.ts';
import { readOptions } from '../options/options.ts';
import type { PackrOptions, Settings, UnpackrOptions } from '../options/settings.ts';
import { readShared } from '../records/shared.ts';
import { FULL_DECODING, FULL_ENCODING, PLAIN_DECODING, PLAIN_ENCODING } from './capabilities.ts';
import { type ByteRange, Codec, type ValueCallback } from './codec.ts';
import { FirstCodec } from './first.ts';

/**
 * Decodes with options that the constructor gets. Its methods need no `this`. Reads records by default, except in
 * lossless mode without shared structures. Outside lossless mode, an Unpackr that reads records decodes plain maps to
 * Map by default, so that records and maps stay distinct.
 */
export class Unpackr {
  /** @internal */
  codec: Codec;

  /** @throws TypeError, RangeError for options that don't exist or make no sense */
  constructor(options?: UnpackrOptions) {
    this.codec = this.makeCodec(options);
    // Bound, so that methods work without their object: const { pack, unpack } = new Packr().
    this.unpack = this.unpack.bind(this);
    this.decode = this.decode.bind(this);
    this.unpackMultiple = this.unpackMultiple.bind(this);
  }

  /** @internal */
  makeCodec(options: UnpackrOptions | undefined): Codec {
    return new FirstCodec(readOptions(options, 'inline', readShared), FULL_DECODING, null);
  }

  /**
   * Decodes the one value in `data`. bin values usually are views of `data`; with `copyBuffers` they are copies.
   *
   * @param place a number says where the bytes end, for a buffer that is only partly filled; a ByteRange says where
   *   they start and end; default: all of `data`
   * @throws PolypackError for bytes that aren't exactly one valid value
   * @throws RangeError for a place that isn't within `data`
   */
  unpack<T = unknown>(data: ArrayBufferView | ArrayBufferLike, place?: number | ByteRange): T {
    return this.codec.unpack(data, place) as T;
  }

  /** The same as `unpack`. */
  decode<T = unknown>(data: ArrayBufferView | ArrayBufferLike, place?: number | ByteRange): T {
    return this.codec.unpack(data, place) as T;
  }

  /**
   * Decodes values that follow each other. If there are no bytes, there are no values. Each value is a separate
   * message: a record declared in one isn't known in the next, except with the option `sequential`.
   *
   * @throws PolypackError; its `values` are those decoded before the fault
   */
  unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike): T[];
  /** Calls `each` with every value and the offsets where its bytes start and end. Returning false ends the decoding. */
  unpackMultiple<T = unknown>(data: ArrayBufferView | ArrayBufferLike, each: ValueCallback<T>): void;
  unpackMultiple<T>(data: ArrayBufferView | ArrayBufferLike, each?: ValueCallback<T>): T[] | undefined {
    const values = this.codec.unpackMultiple(data, each as ValueCallback<unknown> | undefined);
    return each === undefined ? (values as T[]) : undefined;
  }
}

/**
 * Encodes and decodes with options that the constructor gets. Its encoding and decoding methods need no `this`. Writes
 * objects as records by default, except in lossless mode without shared structures.
 */
export class Packr extends Unpackr {
  #reused: ReusedBuffer | null = null;
  readonly #options: { -readonly [Name in keyof PackrOptions]: PackrOptions[Name] };

  /** @throws TypeError, RangeError for options that don't exist or make no sense */
  constructor(options?: PackrOptions) {
    super(options);
    this.#options = { ...options };
    this.pack = this.pack.bind(this);
    this.encode = this.encode.bind(this);
  }

  /** @internal */
  override makeCodec(options: PackrOptions | undefined): Codec {
    return new FirstCodec(readOptions(options, 'inline', readShared), FULL_DECODING, FULL_ENCODING);
  }

  /**
   * Encodes a value. The returned bytes don't change later, except with `useBuffer`. In Node, small results may
   * share an ArrayBuffer. So to transfer a result to another thread, transfer a copy (`new Uint8Array(result)`).
   *
   * @throws PolypackError for a value that can't be encoded, with its path
   */
  pack(value: unknown): Bytes {
    return this.#reused === null ? this.codec.pack(value) : this.#reused.pack(this.codec, value);
  }

  /** The same as `pack`. */
  encode(value: unknown): Bytes {
    return this.pack(value);
  }

  /**
   * Makes `pack` write its messages into `buffer` from now on, one after the other, and return views of it. A message
   * that doesn't fit gets its own bytes. When you no longer need the messages, give the same buffer again, so that new
   * messages overwrite them. Don't share a buffer between Packrs. Don't call this from `toJSON` or an extension while
   * this Packr encodes: with the same buffer, the next message would overwrite the one that is being written.
   *
   * @param buffer the buffer; null to give results their own bytes again, which is the default
   * @throws TypeError if `buffer` is neither null nor a Uint8Array
   */
  useBuffer(buffer: Bytes | null): void {
    this.#reused = buffer === null ? null : new ReusedBuffer(buffer);
  }

  /**
   * Forgets the shared structures. Structures from `getStructures` or a store are loaded again when needed. If only an
   * array of structures was given, the array doesn't change: new structures go to a new array, starting with the first
   * id. If the given array is frozen, no structures are added. To read older messages, use another Packr with the
   * original array.
   */
  clearSharedData(): void {
    const { structures, getStructures } = this.#options;
    if (getStructures !== undefined) delete this.#options.structures;
    else if (Array.isArray(structures)) this.#options.structures = Object.isFrozen(structures) ? Object.freeze([]) : [];
    this.codec = this.makeCodec(this.#options);
  }
}

/** The buffer that a Packr writes its messages into, one after the other (`useBuffer`). */
class ReusedBuffer {
  readonly #bytes: Bytes;
  #used = 0;
  #isBusy = false;

  constructor(bytes: Bytes) {
    if (!isBytes(bytes)) failKind('the buffer', 'a Uint8Array');
    this.#bytes = bytes;
  }

  /**
   * Encodes into the rest of the buffer. If the message doesn't fit, or if an outer call is using the buffer, encodes
   * to new bytes.
   */
  pack(codec: Codec, value: unknown): Bytes {
    if (this.#isBusy) return codec.pack(value);
    const rest = this.#bytes.subarray(this.#used);
    this.#isBusy = true;
    try {
      const length = codec.packInto(rest, value);
      if (length <= rest.length) {
        this.#used += length;
        return rest.subarray(0, length);
      }
    } finally {
      this.#isBusy = false;
    }
    return codec.pack(value);
  }
}

// --- functions -------------------------------------------------------------------------------------------------------

/** Options that `pack` and `unpack` refuse, so that programs with only these functions have no code for the options. */
const OF_CLASSES = [
  ...(['structuredClone', 'moreTypes', 'useBigIntExtension', 'bundleStrings', 'compat', 'structures'] as const),
  ...(['getStructures', 'saveStructures', 'maxSharedStructures', 'maxOwnStructures'] as const),
  ...(['shouldShareStructure', 'fingerprint', 'regExps', 'sequential'] as const),
];

/**
 * The options of `unpack`: where the message starts and ends, and the options of Unpackr that concern plain MessagePack
 * and inline records. For all other options use an Unpackr.
 */
export interface UnpackOptions extends Omit<UnpackrOptions, (typeof OF_CLASSES)[number]>, ByteRange {}

/**
 * The options of `pack`: the options of Packr that concern plain MessagePack and inline records. For all other options
 * use a Packr.
 */
export type PackOptions = Omit<PackrOptions, (typeof OF_CLASSES)[number]>;

/**
 * Codecs for calls without options. Records are off. Between calls they keep only caches, spare buffers, and the
 * ArrayBuffers of at most two inputs, each of up to 64 KiB.
 */
const packing = /* @__PURE__ */ new Codec(/* @__PURE__ */ readOptions(undefined, 'off'), null, PLAIN_ENCODING);
const unpacking = /* @__PURE__ */ new FirstCodec(/* @__PURE__ */ readOptions(undefined, 'off'), PLAIN_DECODING, null);

/**
 * Returns the codec of a Packr or Unpackr, or undefined for options. Doesn't refer to these classes, so that bundlers
 * can drop them.
 */
function codecOf(options: object): Codec | undefined {
  return typeof options === 'object' && options !== null && 'codec' in options && options.codec instanceof Codec
    ? options.codec
    : undefined;
}

/** Reads the options of `pack` or `unpack`. */
function plainSettings(options: object, instead: string): Settings {
  const name = OF_CLASSES.find((one) => (options as PackrOptions | null)?.[one] !== undefined);
  return name === undefined ? readOptions(options, 'off') : failOption(name, instead);
}

function failOption(name: string, instead: string): never {
  throw new TypeError(`${name} is an option of classes; give ${instead}`);
}

/** Returns a codec that encodes, for a function that accepts all options. */
export function packingFor(options: Packr | PackrOptions | undefined): Codec {
  if (options === undefined) return packing;
  return codecOf(options) ?? new Codec(readOptions(options as PackrOptions, 'off', readShared), null, FULL_ENCODING);
}

/** Returns a codec that decodes, for a function that accepts all options. */
export function unpackingFor(options: Unpackr | UnpackrOptions | undefined): Codec {
  if (options === undefined) return unpacking;
  const codec = codecOf(options);
  if (codec !== undefined) return codec;
  // The options are for one call, but a sequence consists of several calls.
  if ((options as UnpackrOptions | null)?.sequential === true) failOption('sequential', 'an Unpackr');
  return new Codec(readOptions(options as UnpackrOptions, 'off', readShared), FULL_DECODING, null);
}

/**
 * Encodes a value, by default as plain MessagePack (spec/09#javascript):
 * - int: integral numbers within ±(2⁵³−1) except −0, and bigints; float: other numbers
 * - timestamp: Date; bin: Uint8Array, other views and ArrayBuffer
 * - map: Map and objects; array: arrays, Set and iterables
 * - `d4 00 00`: undefined
 * - an instance of another class with `toJSON` is replaced by the result of `toJSON`
 * - a plain object is written as its properties; a property that is a function, even `toJSON`, is an error
 *
 * @param options a Packr, or options for one call; for many calls with the same options make a Packr
 * @throws PolypackError for a value that can't be encoded, with its path
 */
export function pack(value: unknown, options?: PackOptions | Packr): Bytes {
  return options === undefined ? packing.pack(value) : packWith(value, options);
}

function packWith(value: unknown, options: PackOptions | Packr): Bytes {
  const codec = codecOf(options) ?? new Codec(plainSettings(options, 'new Packr({ … })'), null, PLAIN_ENCODING);
  return codec.pack(value);
}

/**
 * Decodes the one MessagePack value in `data`.
 *
 * @param options an Unpackr, or options for one call; for many calls with the same options make an Unpackr. A number
 *   says where the bytes end.
 * @throws PolypackError for bytes that aren't exactly one valid value
 */
export function unpack<T = unknown>(
  data: ArrayBufferView | ArrayBufferLike,
  options?: UnpackOptions | Unpackr | number,
): T {
  if (options === undefined || typeof options === 'number') return unpacking.unpack(data, options) as T;
  const codec = codecOf(options);
  if (codec !== undefined) return codec.unpack(data) as T;
  if (typeof options !== 'object' || options === null) failKind('options', 'an object');
  const { start, end, ...others } = options as UnpackOptions;
  const settings = plainSettings(others, 'new Unpackr({ … })');
  return new Codec(settings, PLAIN_DECODING, null).unpack(data, { start, end }) as T;
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
  const values = unpacking.unpackMultiple(data, each as ValueCallback<unknown> | undefined);
  return each === undefined ? (values as T[]) : undefined;
}

/**
 * Releases the input of earlier calls of `unpack`, `unpackMultiple` and other decoding functions that got no options.
 * Hardly any program needs this, because at most two ArrayBuffers of up to 64 KiB are kept between calls, and later
 * calls replace them.
 */
export function clearSource(): void {
  unpacking.forgetInput();
}

/** Whether a native addon is in use. Always false: this library has none. */
export const isNativeAccelerationEnabled = false;
