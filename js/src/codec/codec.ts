// What stands behind Packr, Unpackr, StreamDecoder and the functions: settings, and a Reader and a Writer that are reused.
//
// Plan: Codec: pack · unpack · unpackMultiple · read, write and reuse.
//
// Calls may be nested: an extension or toJSON may call the codec that is calling it. The outer call keeps its Reader or
// Writer, the inner one gets a new one, and starts at the depth of the outer one, so that maxDepth bounds both together.

import { type ExtensionTable, NO_EXTENSIONS, registeredExtensions } from '../core/extension.ts';
import type { Reader } from '../decoder/decoder.ts';
import type { Writer } from '../encoder/encoder.ts';
import type { Wrapping } from '../envelope/envelope.ts';
import type { Settings } from '../options/settings.ts';
import type { ScanLimits } from '../scan/scan.ts';
import {
  checkedEnd,
  checkedPlace,
  decodeFrom,
  decodeMany,
  decodeWith,
  encodeInto,
  encodeWith,
  inputBytes,
} from './session.ts';

/** Called with each value of `unpackMultiple` and the offsets where its bytes start and end. false ends the decoding. */
export type ValueCallback<T> = (value: T, start: number, end: number) => unknown;

/** A part of the bytes that are given. */
export interface ByteRange {
  /** Where the message starts; default 0. Offsets of errors count from the start of all bytes. */
  readonly start?: number;
  /** Where the message ends; default: the end of all bytes. */
  readonly end?: number;
}

/** What a codec decodes with. */
export interface Reading {
  reader(settings: Settings, extensions: ExtensionTable): Reader;
  /** Reads what `bundle` wrote; null where the settings cannot ask for that. */
  readonly wrapping: ((settings: Settings, limits: ScanLimits) => Wrapping) | null;
}

/** What a codec encodes with. */
export interface Writing {
  writer(settings: Settings, extensions: ExtensionTable): Writer;
  /** Moves the strings of a message behind it; null where the settings cannot ask for that. */
  readonly bundle: ((bytes: Uint8Array, settings: Settings) => Uint8Array) | null;
}

export class Codec {
  readonly settings: Settings;
  readonly #reading: Reading | null;
  readonly #writing: Writing | null;
  /** The registered extensions that `#extensions` was made with. */
  #registered: ExtensionTable | null = null;
  #extensions = NO_EXTENSIONS;
  #reader: Reader | null = null;
  #writer: Writer | null = null;
  /** The Reader and the Writer of the call that is running. */
  #busyReader: Reader | null = null;
  #busyWriter: Writer | null = null;

  /** @param reading null for a codec that only encodes, and `writing` for one that only decodes */
  constructor(settings: Settings, reading: Reading | null, writing: Writing | null) {
    this.settings = settings;
    this.#reading = reading;
    this.#writing = writing;
  }

  pack(value: unknown): Uint8Array {
    const outer = this.#busyWriter;
    const writer = this.#freeWriter();
    this.#busyWriter = writer;
    let bytes: Uint8Array;
    try {
      bytes = encodeWith(writer, value, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#busyWriter = outer;
      writer.reset();
    }
    return this.settings.isWrapped && this.#writing?.bundle ? this.#writing.bundle(bytes, this.settings) : bytes;
  }

  /** Encodes a value into memory that is there, as far as it has room. Returns how many bytes the encoding has. */
  packInto(room: Uint8Array, value: unknown): number {
    if (!this.settings.isWrapped) {
      const length = this.write((writer, depth) => encodeInto(writer, room, value, depth));
      // Nobody will see what the message has declared.
      if (length > room.length && this.settings.sequential) this.#writer = null;
      return length;
    }
    const bytes = this.pack(value);
    if (bytes.length <= room.length) room.set(bytes);
    return bytes.length;
  }

  /** @param place where the bytes end, for a buffer that is only partly filled, or where they start and end */
  unpack(data: unknown, place?: number | ByteRange): unknown {
    if (this.settings.isWrapped || typeof place === 'object') return this.#unpackRange(data, place);
    const outer = this.#busyReader;
    const reader = this.freeReader();
    this.#busyReader = reader;
    try {
      return decodeWith(reader, data, outer === null ? 0 : outer.depth + 1, place);
    } finally {
      this.#busyReader = outer;
      reader.release();
    }
  }

  #unpackRange(data: unknown, place: number | ByteRange = {}): unknown {
    const bytes = inputBytes(data);
    const { start = 0, end = bytes.length } = typeof place === 'object' ? place : { end: place };
    const input = bytes.subarray(0, checkedEnd(end, bytes.length));
    checkedPlace('start', start, 0, end);
    return this.read((reader, depth) => decodeFrom(reader, input, start, depth, this.newWrapping()));
  }

  unpackMultiple(data: unknown, each?: ValueCallback<unknown>): unknown[] {
    if (each !== undefined && typeof each !== 'function') throw new TypeError('the callback must be a function');
    const bytes = inputBytes(data);
    return this.read((reader, depth) => decodeMany(reader, bytes, depth, each, this.newWrapping()));
  }

  /** Runs a call that decodes, at the depth of the call around it. */
  read<T>(decode: (reader: Reader, depth: number) => T): T {
    const outer = this.#busyReader;
    const reader = this.freeReader();
    this.#busyReader = reader;
    try {
      return decode(reader, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#busyReader = outer;
      reader.release();
    }
  }

  /** Lets go of the latest input. */
  forgetInput(): void {
    this.#reader?.forgetInput();
  }

  /** A Reader that no call is using, with the extensions of the moment. */
  freeReader(): Reader {
    this.#refresh();
    if (this.#busyReader !== null) return this.newReader();
    this.#reader ??= this.newReader();
    return this.#reader;
  }

  /** Runs a call that encodes, at the depth of the call around it. */
  write<T>(encode: (writer: Writer, depth: number) => T): T {
    const outer = this.#busyWriter;
    const writer = this.#freeWriter();
    this.#busyWriter = writer;
    try {
      return encode(writer, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#busyWriter = outer;
      writer.reset();
    }
  }

  /** The extensions of the moment: those of the settings, and those that are registered. */
  get extensions(): ExtensionTable {
    this.#refresh();
    return this.#extensions;
  }

  #freeWriter(): Writer {
    this.#refresh();
    if (this.#busyWriter !== null) return this.#newWriter();
    this.#writer ??= this.#newWriter();
    return this.#writer;
  }

  /** A Reader of its own, for a caller that keeps it. */
  newReader(): Reader {
    this.#refresh();
    return this.#decoding.reader(this.settings, this.#extensions);
  }

  /**
   * What reads that which stands around messages; null for nothing. A caller has one of its own.
   *
   * @param maxBytes bytes of a message of a stream
   */
  newWrapping(maxBytes = Number.POSITIVE_INFINITY): Wrapping | null {
    const { settings } = this;
    if (!settings.isWrapped || this.#decoding.wrapping === null) return null;
    return this.#decoding.wrapping(settings, { ...settings.limits, maxBytes });
  }

  #newWriter(): Writer {
    if (this.#writing === null) throw new TypeError('an Unpackr only decodes; give a Packr');
    return this.#writing.writer(this.settings, this.#extensions);
  }

  get #decoding(): Reading {
    if (this.#reading === null) throw new TypeError('this codec only encodes');
    return this.#reading;
  }

  /** Takes over extensions that were registered since the last call. */
  #refresh(): void {
    const registered = registeredExtensions();
    if (registered === this.#registered) return;
    this.#registered = registered;
    this.#extensions = registered.under(this.settings.extensions);
    this.#reader = null;
    this.#writer = null;
  }
}

/** Whether the settings know types beyond those of MessagePack. */
export function clones({ references, moreTypes, useBigIntExtension, compat }: Settings): boolean {
  return references || moreTypes || useBigIntExtension || compat;
}
