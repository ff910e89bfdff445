// Packr and Unpackr with the behaviour of msgpackr, and msgpackr's functions.
//
// Plan: where a message ends · Unpackr · Packr · functions.
//
// Each class wraps a codec of this package. This file adds what differs in msgpackr: its options, results as Buffers,
// defaults for a call without `this`, input with its own `length`, additional members of errors, and flags of `pack`.

import * as polypack from '../index.ts';
import {
  bufferOf,
  decodingOptions,
  type Extension,
  encodingOptions,
  extensionOf,
  type NewBuffer,
  type Options,
  readsBundles,
} from './options.ts';

/**
 * The bytes to read. A Uint8Array may have an own property `length` that says how many of its bytes are valid, as the
 * buffers of lmdb do.
 */
type Source = Uint8Array | ArrayBuffer;

/** Where a message ends (a number), or where it starts and ends. `lazy` has no effect. */
export type UnpackOptions = { start?: number; end?: number; lazy?: boolean } | number;

/** Flag of `pack`. It has no effect, because the memory of results isn't used again. */
export const REUSE_BUFFER_MODE = 512;
/** Flag of `pack`. It has no effect. */
export const RESET_BUFFER_MODE = 1024;
/** Flag of `pack`. The lowest eight bits of the flags say how many bytes stay free before the message. */
export const RESERVE_START_SPACE = 2048;

const MOST_RESERVED = 0xff;

/** Members that this file adds to errors. */
interface Incomplete {
  /** Whether more bytes may make the message complete. */
  incomplete?: boolean;
  /** From `unpackMultiple`: where the faulty or incomplete value starts. */
  lastPosition?: number;
  values?: readonly unknown[] | undefined;
}

/** The first two bytes of the ext that opens the first bundle of strings in a message, and the byte behind the ext. */
const BUNDLE_HEAD = 0xd6;
const BUNDLE_TYPE = 0x62;
const BUNDLED_STR = 0xc1;
const BUNDLE_EXT_LENGTH = 6;

/** How many bytes take about as long to look at one by one as a call of indexOf. */
const NEAR_BYTES = 32;

/** Data of msgpackr 1.x with randomAccessStructure starts with a byte from STRUCT_START to below STRUCT_END. */
const STRUCT_START = 0x20;
const STRUCT_END = 0x40;

/** Returns the bytes of a source, cut off at its own property `length` if it has one. */
function bytesOf(source: Source): Uint8Array {
  if (ArrayBuffer.isView(source)) return cutOff(source);
  // A tag, because `instanceof` fails for buffers of another realm.
  return /ArrayBuffer]$/.test(Object.prototype.toString.call(source)) ? new Uint8Array(source) : (source as never);
}

/** Returns a Uint8Array, cut off at its own property `length` if it has one. Returns any other value unchanged. */
export function cutOff<T>(chunk: T): T | Uint8Array {
  return chunk instanceof Uint8Array && Object.hasOwn(chunk, 'length') ? chunk.subarray(0, chunk.length) : chunk;
}

/** Returns where the message ends, or where it starts and ends. An end beyond the bytes becomes their end. */
function placeOf(bytes: Uint8Array, options: UnpackOptions | undefined): number | polypack.ByteRange {
  if (typeof options === 'object' && options !== null) {
    return { start: options.start || 0, end: Math.min(options.end || bytes.length, bytes.length) };
  }
  return options !== undefined && options > -1 ? Math.min(options, bytes.length) : bytes.length;
}

/** Decodes with the options and the behaviour of msgpackr. */
export class Unpackr {
  readonly #options: Options;
  #decoder: polypack.Unpackr;
  /** Reads messages with bundled strings; null until it is needed. */
  #unbundler: polypack.Unpackr | null = null;
  /** The array of shared structures; undefined if there is none. */
  declare structures?: {}[];

  /**
   * @param options the options of msgpackr. All of them become members of this object; unknown options have no other
   *   effect
   * @throws TypeError, RangeError for options whose values make no sense
   */
  constructor(options?: Options | null) {
    const given: Options = { ...options };
    // Decoder and encoder get the same array, so that the decoder has the structures that the encoder adds. With
    // getStructures, both load the structures instead.
    if (given.structures == null && given.getStructures == null && given.saveStructures != null) given.structures = [];
    Object.assign(this, given);
    if (given.structures != null) countShared(given.structures);
    this.#options = given;
    this.#decoder = new polypack.Unpackr(decodingOptions(given));
  }

  /**
   * Decodes the one value in the bytes. bin values are Buffers if the host has Buffers. They are views of the bytes
   * unless `copyBuffers` is set.
   *
   * @throws PolypackError; its `incomplete` is true if bytes are missing
   */
  unpack(messagePack: Source, options?: UnpackOptions): any {
    if (!(this instanceof Unpackr)) return plain.unpack(messagePack, options);
    const bytes = bytesOf(messagePack);
    const place = placeOf(bytes, options);
    try {
      return this.#decoder.unpack(bytes, place);
    } catch (error) {
      return this.#recover(error, bytes, (unpackr) => unpackr.unpack(bytes, place));
    }
  }

  /** The same as `unpack`. */
  decode(messagePack: Source, options?: UnpackOptions): any {
    return this.unpack(messagePack, options);
  }

  /**
   * Decodes values that follow each other.
   *
   * @throws PolypackError; its `values` are the values before the fault, `lastPosition` is where the faulty value
   *   starts, and `incomplete` is true if bytes are missing
   */
  unpackMultiple(messagePack: Source): any[];
  /** Calls `forEach` with each value and the offsets where its bytes start and end, until `forEach` returns false. */
  unpackMultiple(messagePack: Source, forEach: (value: any, start?: number, end?: number) => any): void;
  unpackMultiple(messagePack: Source, forEach?: (value: any, start?: number, end?: number) => any): any[] | void {
    if (!(this instanceof Unpackr)) return plain.unpackMultiple(messagePack, forEach as () => any);
    const bytes = bytesOf(messagePack);
    // Read as plain bytes, each piece of a bundle would be a value, and no error would show that.
    const unpackr = this.#mayUnbundle(bytes) ? this.#unbundling() : this.#decoder;
    const { values, error } = readMany(unpackr, bytes, forEach);
    if (error !== null) throw forEach === undefined ? Object.assign(error, { values }) : error;
    if (forEach === undefined) return values;
  }

  /** Whether the bytes seem to have bundled strings, and `#decoder` doesn't read them. */
  #mayUnbundle(bytes: Uint8Array): boolean {
    return !readsBundles(this.#options) && mayBeBundled(bytes);
  }

  #unbundling(): polypack.Unpackr {
    this.#unbundler ??= new polypack.Unpackr({ ...decodingOptions(this.#options), bundleStrings: true });
    return this.#unbundler;
  }

  /**
   * If the bytes seem to have bundled strings, reads them again with the option bundleStrings, because msgpackr reads
   * such bytes without the option. Otherwise throws `error` with the members that msgpackr has.
   */
  #recover<T>(error: unknown, bytes: Uint8Array, read: (unpackr: polypack.Unpackr) => T): T {
    if (!(error instanceof polypack.PolypackError)) throw error;
    if (!this.#mayUnbundle(bytes)) throw marked(error, bytes);
    try {
      return read(this.#unbundling());
    } catch (second) {
      throw second instanceof polypack.PolypackError ? marked(second, bytes) : second;
    }
  }

  /** Replaces the structures, and makes a new decoder for them. */
  protected renew(structures: {}[]): void {
    this.#options.structures = countShared(structures);
    this.structures = structures;
    this.#decoder = new polypack.Unpackr(decodingOptions(this.#options));
    this.#unbundler = null;
  }

  /** The given options, with the structures that this class added or replaced. */
  protected get options(): Options {
    return this.#options;
  }
}

/** Gives structures the member `sharedLength` of msgpackr: how many are shared. Here all of them are. */
function countShared(structures: {}[]): {}[] {
  if (!Object.isExtensible(structures) || 'sharedLength' in structures) return structures;
  return Object.defineProperty(structures, 'sharedLength', { get: () => structures.length, configurable: true });
}

/** Reads values that follow each other. Returns them, or passes them to `forEach`. */
function readMany(
  unpackr: polypack.Unpackr,
  bytes: Uint8Array,
  forEach?: (value: any, start: number, end: number) => any,
): { values: any[]; error: Error | null } {
  const values: any[] = [];
  let lastPosition = 0;
  let error: Error | null = null;
  try {
    unpackr.unpackMultiple(bytes, (value, start, end) => {
      lastPosition = end;
      if (forEach !== undefined) return forEach(value, start, end);
      values.push(value);
    });
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    Object.assign(thrown, { lastPosition, values: undefined });
    error = thrown instanceof polypack.PolypackError ? marked(thrown, bytes) : thrown;
  }
  return { values, error };
}

function mayBeBundled(bytes: Uint8Array): boolean {
  // Calls of indexOf take long, so look at some bytes after each one. Input may be full of heads.
  for (let at = bytes.indexOf(BUNDLE_HEAD); at >= 0; at = bytes.indexOf(BUNDLE_HEAD, at)) {
    for (const stop = at + NEAR_BYTES; at < stop; at++) {
      const isHead = bytes[at] === BUNDLE_HEAD && bytes[at + 1] === BUNDLE_TYPE;
      if (isHead && bytes[at + BUNDLE_EXT_LENGTH] === BUNDLED_STR) return true;
    }
  }
  return false;
}

/**
 * Sets `incomplete` if bytes are missing. Adds advice to the message if the bytes may be data of randomAccessStructure,
 * which only msgpackr 1.x can read.
 */
function marked(error: polypack.PolypackError & Incomplete, bytes: Uint8Array): Error {
  const [first = 0] = bytes;
  if (error.code === 'unexpected_end') error.incomplete = true;
  if (error.code === 'trailing_data' && first >= STRUCT_START && first < STRUCT_END) {
    error.message += '; data of randomAccessStructure of msgpackr 1.x starts like this: read it with msgpackr 1.x';
  }
  return error;
}

/** Encodes and decodes with the options and the behaviour of msgpackr. `pack` and `encode` need no `this`. */
export class Packr extends Unpackr {
  #encoder: polypack.Packr;
  /** Members of msgpackr's Packr. Nothing in this package reads or changes them. */
  offset = 0;
  position = 0;
  /**
   * Encodes a value. The returned bytes don't change later, except with `useBuffer`.
   *
   * @throws PolypackError for a value that can't be encoded, with its path
   */
  readonly pack: (value: any, encodeOptions?: number) => NewBuffer;
  /** The same as `pack`. */
  readonly encode: (value: any, encodeOptions?: number) => NewBuffer;

  constructor(options?: Options | null) {
    super(options);
    this.#encoder = new polypack.Packr(encodingOptions(this.options));
    this.pack = this.encode = (value, flags) => {
      const bytes = this.#encoder.pack(value);
      return (flags as number) & RESERVE_START_SPACE
        ? behind(bytes, (flags as number) & MOST_RESERVED)
        : bufferOf(bytes);
    };
  }

  /**
   * Makes `pack` write into a buffer from now on, each message after the one before. null ends this. Give no shared
   * memory: the types of results say that theirs isn't.
   */
  useBuffer(buffer: Uint8Array | null): void {
    this.#encoder.useBuffer(buffer as polypack.Bytes | null);
  }

  /** If there is an array of shared structures, replaces it with a new empty array. */
  clearSharedData(): void {
    if (this.structures === undefined) return;
    this.renew([]);
    this.#encoder = new polypack.Packr(encodingOptions(this.options));
  }
}

/** Returns a copy of the bytes with `free` bytes before them. */
function behind(bytes: Uint8Array, free: number): NewBuffer {
  const all = new Uint8Array(free + bytes.length);
  all.set(bytes, free);
  return bufferOf(all);
}

const PLAIN: Options = { useRecords: false };
const plain = /* @__PURE__ */ new Packr(PLAIN);

/** Encodes a value with the option `useRecords: false`, so objects become maps. */
export const pack: (value: any, encodeOptions?: number) => NewBuffer = plain.pack;

/** Decodes the one value in the bytes. Records are read, and maps become objects. */
export function unpack(messagePack: Source, options?: UnpackOptions): any {
  return plain.unpack(messagePack, options);
}

/** Decodes values that follow each other. */
export function unpackMultiple(messagePack: Source): any[];
/** Calls `forEach` with each value and the offsets where its bytes start and end, until `forEach` returns false. */
export function unpackMultiple(messagePack: Source, forEach: (value: any, start?: number, end?: number) => any): void;
export function unpackMultiple(messagePack: Source, forEach?: (value: any, start?: number, end?: number) => any): any {
  return plain.unpackMultiple(messagePack, forEach as () => any);
}

/** Registers an extension for every codec of this package, except those of polypack/compact. */
export function addExtension(extension: Extension): void {
  polypack.addExtension(extensionOf(extension));
}
