// Packr and Unpackr with the habits of msgpackr, and its functions.
//
// Plan: where a message ends · Unpackr · Packr · functions.
//
// Each wraps a codec of this package. This file adds what differs in msgpackr: its options, Buffers, methods that need
// no `this`, a length of one's own, members of errors, and flags in place of options.

import type { Buffer } from 'node:buffer';
import * as polypack from '../index.ts';
import { bufferOf, decodingOptions, type Extension, encodingOptions, extensionOf, type Options } from './options.ts';

/** What a message is read from: bytes that may have a length of their own, as those of lmdb have. */
type Source = Uint8Array | ArrayBuffer;

/** Where a message ends, or where it starts and ends. Other members have no effect. */
export type UnpackOptions = { start?: number; end?: number; lazy?: boolean } | number;

/** Flag of `pack`: accepted, and without an effect, because results don't share memory that is used again. */
export const REUSE_BUFFER_MODE = 512;
/** Flag of `pack`: accepted, and without an effect. */
export const RESET_BUFFER_MODE = 1024;
/** Flag of `pack`: the lowest eight bits are how many bytes stay free in front of the message. */
export const RESERVE_START_SPACE = 2048;

const MOST_RESERVED = 0xff;

/** Members that errors have when bytes are missing or values came before. */
interface Incomplete {
  /** Whether more bytes may make the message complete. */
  incomplete?: boolean;
  /** Where the incomplete value starts. */
  lastPosition?: number;
  values?: readonly unknown[] | undefined;
}

/** How the ext that stands for a bundle of strings starts. */
const BUNDLE_HEAD = 0xd6;
const BUNDLE_TYPE = 0x62;

/** What struct writers of 1.x start with. */
const STRUCT_START = 0x20;
const STRUCT_END = 0x40;

/** Returns the bytes up to the length that they say they have. */
function bytesOf(source: Source): Uint8Array {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  return Object.hasOwn(source, 'length') ? source.subarray(0, source.length) : source;
}

/** Returns where the message is; ends beyond the bytes mean all of them. */
function placeOf(bytes: Uint8Array, options: UnpackOptions | undefined): number | polypack.ByteRange {
  if (typeof options === 'object' && options !== null) {
    return { start: options.start || 0, end: Math.min(options.end || bytes.length, bytes.length) };
  }
  return options !== undefined && options > -1 ? Math.min(options, bytes.length) : bytes.length;
}

/** Decodes with the options and habits of msgpackr. */
export class Unpackr {
  readonly #options: Options;
  #decoder: polypack.Unpackr;
  /** Reads messages with their strings behind them; null until there was one. */
  #unbundler: polypack.Unpackr | null = null;
  /** The structures that messages share, where there are any. */
  declare structures?: {}[];

  /**
   * @param options those of msgpackr; unknown ones become members, and are otherwise ignored
   * @throws TypeError, RangeError for values that make no sense
   */
  constructor(options?: Options | null) {
    const given: Options = { ...options };
    // One array, so that the decoder has what the encoder adds. With getStructures both load.
    if (given.structures == null && given.getStructures == null && given.saveStructures != null) given.structures = [];
    Object.assign(this, given);
    if (given.structures != null) countShared(given.structures);
    this.#options = given;
    this.#decoder = new polypack.Unpackr(decodingOptions(given));
  }

  /**
   * Decodes the one value in the bytes. bin values are Buffers where there are any, and views of the bytes unless
   * `copyBuffers` is set.
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
   * @throws PolypackError; its `values` are those before the fault, `lastPosition` is where the faulty one starts, and
   *   `incomplete` is true if bytes are missing
   */
  unpackMultiple(messagePack: Source): any[];
  /** Calls `forEach` with every value and the offsets where its bytes start and end, until it returns false. */
  unpackMultiple(messagePack: Source, forEach: (value: any, start?: number, end?: number) => any): void;
  unpackMultiple(messagePack: Source, forEach?: (value: any, start?: number, end?: number) => any): any[] | void {
    if (!(this instanceof Unpackr)) return plain.unpackMultiple(messagePack, forEach as () => any);
    const bytes = bytesOf(messagePack);
    const read = (unpackr: polypack.Unpackr): any[] => {
      const values: any[] = [];
      let lastPosition = 0;
      try {
        unpackr.unpackMultiple(bytes, (value, start, end) => {
          lastPosition = end;
          if (forEach !== undefined) return forEach(value, start, end);
          values.push(value);
        });
      } catch (error) {
        if (error instanceof Error)
          Object.assign(error, { lastPosition, values: forEach === undefined ? values : undefined });
        throw error;
      }
      return values;
    };
    let values: any[];
    try {
      values = read(this.#decoder);
    } catch (error) {
      // What was called with values must not get them again.
      values = this.#recover(error, bytes, forEach === undefined ? read : null);
    }
    return forEach === undefined ? values : undefined;
  }

  /**
   * Reads bytes again that have bundled strings, which msgpackr reads without an option. Throws the error if they
   * haven't, or if they are faulty all the same.
   */
  #recover<T>(error: unknown, bytes: Uint8Array, read: ((unpackr: polypack.Unpackr) => T) | null): T {
    if (!(error instanceof polypack.PolypackError)) throw error;
    if (read !== null && this.#options.bundleStrings !== true && mayBeBundled(bytes)) {
      this.#unbundler ??= new polypack.Unpackr({ ...decodingOptions(this.#options), bundleStrings: true });
      try {
        return read(this.#unbundler);
      } catch {
        throw marked(error, bytes);
      }
    }
    throw marked(error, bytes);
  }

  /** Makes the codecs again, with other structures. */
  protected renew(structures: {}[]): void {
    this.#options.structures = countShared(structures);
    this.structures = structures;
    this.#decoder = new polypack.Unpackr(decodingOptions(this.#options));
    this.#unbundler = null;
  }

  /** The options, with those that were added. */
  protected get options(): Options {
    return this.#options;
  }
}

/** Gives structures the member that says how many are shared, as all of them are. */
function countShared(structures: {}[]): {}[] {
  if (!Object.isExtensible(structures) || 'sharedLength' in structures) return structures;
  return Object.defineProperty(structures, 'sharedLength', { get: () => structures.length, configurable: true });
}

function mayBeBundled(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(BUNDLE_HEAD); at >= 0; at = bytes.indexOf(BUNDLE_HEAD, at + 1)) {
    if (bytes[at + 1] === BUNDLE_TYPE) return true;
  }
  return false;
}

/** Gives an error the members that programs look for, and says what cannot be read by anybody but msgpackr 1.x. */
function marked(error: polypack.PolypackError & Incomplete, bytes: Uint8Array): Error {
  const [first = 0] = bytes;
  if (error.code === 'unexpected_end') error.incomplete = true;
  if (error.code === 'trailing_data' && first >= STRUCT_START && first < STRUCT_END) {
    error.message += '; data of randomAccessStructure of msgpackr 1.x starts like this: read it with msgpackr 1.x';
  }
  return error;
}

/** Encodes and decodes with the options and habits of msgpackr. `pack` and `encode` need no `this`. */
export class Packr extends Unpackr {
  #encoder: polypack.Packr;
  /** Where the latest result ends, as msgpackr has it. Nothing is read from it. */
  offset = 0;
  position = 0;
  /**
   * Encodes a value. The bytes don't change later, except with `useBuffer`.
   *
   * @throws PolypackError for a value that can't be encoded, with its path
   */
  readonly pack: (value: any, encodeOptions?: number) => Buffer;
  /** The same as `pack`. */
  readonly encode: (value: any, encodeOptions?: number) => Buffer;

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

  /** Makes `pack` write into a buffer from now on, each message after the one before. */
  useBuffer(buffer: Uint8Array | null): void {
    this.#encoder.useBuffer(buffer);
  }

  /** Forgets the shared structures. */
  clearSharedData(): void {
    if (this.structures === undefined) return;
    this.renew([]);
    this.#encoder = new polypack.Packr(encodingOptions(this.options));
  }
}

/** Returns the bytes behind free ones. */
function behind(bytes: Uint8Array, free: number): Buffer {
  const all = new Uint8Array(free + bytes.length);
  all.set(bytes, free);
  return bufferOf(all);
}

const PLAIN: Options = { useRecords: false };
const plain = /* @__PURE__ */ new Packr(PLAIN);

/** Encodes a value with maps for objects, as `new Packr({ useRecords: false })` does. */
export const pack: (value: any, encodeOptions?: number) => Buffer = plain.pack;

/** Decodes the one value in the bytes. Records are read, and maps become objects. */
export function unpack(messagePack: Source, options?: UnpackOptions): any {
  return plain.unpack(messagePack, options);
}

/** Decodes values that follow each other. */
export function unpackMultiple(messagePack: Source): any[];
/** Calls `forEach` with every value and the offsets where its bytes start and end, until it returns false. */
export function unpackMultiple(messagePack: Source, forEach: (value: any, start?: number, end?: number) => any): void;
export function unpackMultiple(messagePack: Source, forEach?: (value: any, start?: number, end?: number) => any): any {
  return plain.unpackMultiple(messagePack, forEach as () => any);
}

/** Registers an extension for every codec of this package. */
export function addExtension(extension: Extension): void {
  polypack.addExtension(extensionOf(extension));
}
