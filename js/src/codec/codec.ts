// Codec: the common part of Packr, Unpackr, StreamDecoder and the functions. It holds the settings, and a Decoder and
// an Encoder to reuse.
//
// Plan: capabilities · Codec: pack · unpack · unpackMultiple · read, write and reuse.
//
// Calls may be nested: an extension or toJSON may call the codec that is calling it. If both calls decode, or both
// encode, the inner call gets a Decoder or Encoder of its own. The inner call starts at the outer call's depth + 1, so
// that maxDepth limits both together.

import { type ExtensionTable, type HasExtensions, NO_EXTENSIONS, registeredExtensions } from '../core/extension.ts';
import { checkedInteger, failKind } from '../core/limits.ts';
import type { Bytes } from '../core/views.ts';
import type { Decoder } from '../decoder/decoder.ts';
import type { Encoder } from '../encoder/encoder.ts';
import type { Envelope } from '../envelope/envelope.ts';
import type { Settings } from '../options/settings.ts';
import type { ScanLimits } from '../scan/scan.ts';
import { type DecodingSession, encodeInto, encodeWith, inputBytes, steadyBytes } from './session.ts';

/**
 * Called with each value of `unpackMultiple` and the offsets where its bytes start and end. Returning false ends the
 * decoding.
 */
export type ValueCallback<T> = (value: T, start: number, end: number) => unknown;

/** A range of the given bytes. */
export interface ByteRange {
  /** Where the message starts; default 0. Offsets of errors count from the start of all bytes. */
  readonly start?: number;
  /** Where the message ends; default: the end of all bytes. */
  readonly end?: number;
}

/** The classes and functions that a codec uses to decode. */
export interface DecodingCapabilities {
  /** The decoding functions of session.ts. If this file imported them, programs that only pack would get them too. */
  readonly session: DecodingSession;
  newDecoder(settings: Settings, extensions: ExtensionTable): Decoder;
  /** Makes the reader for messages with an envelope; null if this codec supports no envelopes. */
  readonly newEnvelope: ((settings: Settings, limits: ScanLimits, holder: HasExtensions) => Envelope) | null;
}

/** The classes and functions that a codec uses to encode. */
export interface EncodingCapabilities {
  newEncoder(settings: Settings, extensions: ExtensionTable): Encoder;
  /**
   * Bundles the strings of the message that `encoder` has just completed, or puts a dictionary header before the
   * message; null if this codec supports neither.
   */
  readonly bundle: ((bytes: Bytes, settings: Settings, encoder: Encoder) => Bytes) | null;
}

export class Codec {
  readonly settings: Settings;
  readonly #decoding: DecodingCapabilities | null;
  readonly #encoding: EncodingCapabilities | null;
  /** The registered extensions that `#extensions` was made from; null before the first call. */
  #registered: ExtensionTable | null = null;
  #extensions = NO_EXTENSIONS;
  #decoder: Decoder | null = null;
  #encoder: Encoder | null = null;
  /** The Decoder and the Encoder of the current call; null if there is none. */
  #busyDecoder: Decoder | null = null;
  #busyEncoder: Encoder | null = null;

  /**
   * @param decoding null for a codec that only encodes
   * @param encoding null for a codec that only decodes
   */
  constructor(settings: Settings, decoding: DecodingCapabilities | null, encoding: EncodingCapabilities | null) {
    this.settings = settings;
    this.#decoding = decoding;
    this.#encoding = encoding;
  }

  pack(value: unknown): Bytes {
    const outer = this.#busyEncoder;
    const encoder = this.#freeEncoder();
    this.#busyEncoder = encoder;
    let bytes: Bytes;
    try {
      bytes = encodeWith(encoder, value, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#busyEncoder = outer;
      encoder.reset();
    }
    const { settings } = this;
    return settings.hasEnvelope && this.#encoding?.bundle ? this.#encoding.bundle(bytes, settings, encoder) : bytes;
  }

  /**
   * Encodes a value into the given buffer. Returns the length of the encoding. If the encoding doesn't fit, the
   * contents of the buffer are undefined.
   */
  packInto(target: Uint8Array, value: unknown): number {
    if (!this.settings.hasEnvelope) {
      const length = this.write((encoder, depth) => encodeInto(encoder, target, value, depth));
      // The caller discards the message, so no reader gets its declarations. A new encoder will declare records again.
      if (length > target.length && this.settings.sequential) this.#encoder = null;
      return length;
    }
    const bytes = this.pack(value);
    if (bytes.length <= target.length) target.set(bytes);
    return bytes.length;
  }

  /**
   * @param place a number says where the bytes end, for a buffer that is only partly filled; a ByteRange says where
   *   they start and end
   */
  unpack(data: unknown, place?: number | ByteRange): unknown {
    if (this.settings.hasEnvelope || typeof place === 'object') return this.#unpackRange(data, place);
    const outer = this.#busyDecoder;
    const decoder = this.freeDecoder();
    this.#busyDecoder = decoder;
    try {
      return this.#session.decodeWith(decoder, data, outer === null ? 0 : outer.depth + 1, place);
    } finally {
      this.#busyDecoder = outer;
      decoder.release();
    }
  }

  #unpackRange(data: unknown, place: number | ByteRange = {}): unknown {
    const bytes = inputBytes(data);
    const { start = 0, end = bytes.length, ...others } = typeof place === 'object' ? place : { end: place };
    for (const name in others) throw new TypeError(`unknown option ${name}`);
    const input = bytes.subarray(0, checkedInteger('end', end, 0, bytes.length));
    checkedInteger('start', start, 0, end);
    return this.read((decoder, depth) => this.#session.decodeFrom(decoder, input, start, depth, this.newEnvelope()));
  }

  unpackMultiple(data: unknown, each?: ValueCallback<unknown>): unknown[] {
    if (each !== undefined && typeof each !== 'function') failKind('the callback', 'a function');
    const bytes = steadyBytes(inputBytes(data), this.settings);
    return this.read((decoder, depth) => this.#session.decodeMany(decoder, bytes, depth, each, this.newEnvelope()));
  }

  /**
   * Runs `decode` with a Decoder that no call is using, and with the depth to start at. The depth is 0; inside another
   * decoding call, it is the depth of the outer call + 1.
   */
  read<T>(decode: (decoder: Decoder, depth: number) => T): T {
    const outer = this.#busyDecoder;
    const decoder = this.freeDecoder();
    this.#busyDecoder = decoder;
    try {
      return decode(decoder, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#busyDecoder = outer;
      decoder.release();
    }
  }

  /** Drops the references to the latest input, so that its memory can be freed. Does nothing during a decoding call. */
  forgetInput(): void {
    if (this.#busyDecoder === null) this.#decoder?.forgetInput();
  }

  /** Returns a Decoder that no call is using, with the current extensions. */
  freeDecoder(): Decoder {
    this.#refresh();
    if (this.#busyDecoder !== null) return this.newDecoder();
    this.#decoder ??= this.newDecoder();
    this.#decoder.extensions = this.#extensions;
    return this.#decoder;
  }

  /**
   * Runs `encode` with an Encoder that no call is using, and with the depth to start at. The depth is 0; inside another
   * encoding call, it is the depth of the outer call + 1.
   */
  write<T>(encode: (encoder: Encoder, depth: number) => T): T {
    const outer = this.#busyEncoder;
    const encoder = this.#freeEncoder();
    this.#busyEncoder = encoder;
    try {
      return encode(encoder, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#busyEncoder = outer;
      encoder.reset();
    }
  }

  /** The extensions of the settings, and the extensions that are registered now. */
  get extensions(): ExtensionTable {
    this.#refresh();
    return this.#extensions;
  }

  #freeEncoder(): Encoder {
    this.#refresh();
    if (this.#busyEncoder !== null) return this.#newEncoder();
    this.#encoder ??= this.#newEncoder();
    return this.#encoder;
  }

  /** Makes a Decoder that the caller keeps. */
  newDecoder(): Decoder {
    this.#refresh();
    return this.#neededDecoding().newDecoder(this.settings, this.#extensions);
  }

  /**
   * Returns a reader for the message envelope (dictionary header or string bundle), or null if the settings allow none.
   * Not shared between callers.
   *
   * @param maxBytes the most bytes that a message of a stream may have; default: no limit
   * @param holder tells the extensions of the current message; default: the extensions of the current call
   */
  newEnvelope(
    maxBytes = Number.POSITIVE_INFINITY,
    holder: HasExtensions = { extensions: this.#extensions },
  ): Envelope | null {
    const { settings } = this;
    const { newEnvelope } = this.#neededDecoding();
    return settings.hasEnvelope && newEnvelope !== null
      ? newEnvelope(settings, { ...settings.limits, maxBytes }, holder)
      : null;
  }

  #newEncoder(): Encoder {
    if (this.#encoding === null) throw new TypeError('an Unpackr only decodes; give a Packr');
    return this.#encoding.newEncoder(this.settings, this.#extensions);
  }

  get #session(): DecodingSession {
    return this.#neededDecoding().session;
  }

  #neededDecoding(): DecodingCapabilities {
    if (this.#decoding === null) throw new TypeError('this codec only encodes');
    return this.#decoding;
  }

  /**
   * If extensions were registered since the last call, updates `#extensions` and drops the Encoder. Also drops the
   * Decoder, except with the option `sequential`.
   */
  #refresh(): void {
    const registered = registeredExtensions();
    if (registered === this.#registered) return;
    this.#registered = registered;
    this.#extensions = registered.under(this.settings.extensions);
    // A Decoder with `sequential` keeps the declarations of earlier messages. `freeDecoder` sets its new extensions.
    if (!this.settings.sequential) this.#decoder = null;
    this.#encoder = null;
  }
}

/**
 * Whether the settings ask for references, types beyond those of MessagePack, or `compat`. CloneDecoder and
 * CloneEncoder handle these.
 */
export function clones({ references, moreTypes, useBigIntExtension, compat }: Settings): boolean {
  return references || moreTypes || useBigIntExtension || compat;
}
