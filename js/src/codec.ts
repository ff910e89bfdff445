// What stands behind Packr, Unpackr, StreamDecoder and the functions: settings, and a Reader and a Writer that are reused.
//
// Plan: Codec: pack · unpack · unpackMultiple · read, write and reuse.
//
// Calls may be nested: an extension or toJSON may call the codec that is calling it. The outer call keeps its Reader or
// Writer, the inner one gets a new one, and starts at the depth of the outer one, so that maxDepth bounds both together.

import { bundle, decodeBundled, decodeManyBundled } from './bundle.ts';
import { CloneReader } from './clone-reader.ts';
import { CloneWriter } from './clone-writer.ts';
import { Reader } from './decoder.ts';
import { Writer } from './encoder.ts';
import { ExtensionTable, registeredExtensions } from './extension.ts';
import type { Settings } from './options.ts';
import { checkedEnd, decodeMany, decodeWith, encodeInto, encodeWith, inputBytes } from './session.ts';

/** Called with each value of `unpackMultiple` and the offsets where its bytes start and end. false ends the decoding. */
export type ValueCallback<T> = (value: T, start: number, end: number) => unknown;

export class Codec {
  readonly settings: Settings;
  /** The registered extensions that `#extensions` was made with. */
  #registered: ExtensionTable | null = null;
  #extensions = ExtensionTable.EMPTY;
  #reader: Reader | null = null;
  #writer: Writer | null = null;
  /** The Reader and the Writer of the call that is running. */
  #reading: Reader | null = null;
  #writing: Writer | null = null;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  pack(value: unknown): Uint8Array {
    const bytes = this.write((writer, depth) => encodeWith(writer, value, depth));
    return this.settings.bundleStrings ? bundle(bytes, this.settings) : bytes;
  }

  /** Encodes a value into memory that is there, as far as it has room. Returns how many bytes the encoding has. */
  packInto(room: Uint8Array, value: unknown): number {
    if (!this.settings.bundleStrings) return this.write((writer, depth) => encodeInto(writer, room, value, depth));
    const bytes = this.pack(value);
    if (bytes.length <= room.length) room.set(bytes);
    return bytes.length;
  }

  /** @param end where the bytes end, for a buffer that is only partly filled */
  unpack(data: unknown, end?: number): unknown {
    if (this.settings.bundleStrings) return this.#unpackBundled(data, end);
    const outer = this.#reading;
    const reader = this.freeReader();
    this.#reading = reader;
    try {
      return decodeWith(reader, data, outer === null ? 0 : outer.depth + 1, end);
    } finally {
      this.#reading = outer;
      reader.release();
    }
  }

  #unpackBundled(data: unknown, end: number | undefined): unknown {
    const bytes = inputBytes(data);
    const input = end === undefined ? bytes : bytes.subarray(0, checkedEnd(end, bytes.length));
    return this.read((reader, depth) => decodeBundled(reader, input, depth, this.settings));
  }

  unpackMultiple(data: unknown, each?: ValueCallback<unknown>): unknown[] {
    if (each !== undefined && typeof each !== 'function') throw new TypeError('the callback must be a function');
    const bytes = inputBytes(data);
    const { settings } = this;
    return this.read((reader, depth) =>
      settings.bundleStrings
        ? decodeManyBundled(reader, bytes, depth, each, settings)
        : decodeMany(reader, bytes, depth, each),
    );
  }

  /** Runs a call that decodes, at the depth of the call around it. */
  read<T>(decode: (reader: Reader, depth: number) => T): T {
    const outer = this.#reading;
    const reader = this.freeReader();
    this.#reading = reader;
    try {
      return decode(reader, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#reading = outer;
      reader.release();
    }
  }

  /** A Reader that no call is using, with the extensions of the moment. */
  freeReader(): Reader {
    this.#refresh();
    if (this.#reading !== null) return this.newReader();
    this.#reader ??= this.newReader();
    return this.#reader;
  }

  /** Runs a call that encodes, at the depth of the call around it. */
  write<T>(encode: (writer: Writer, depth: number) => T): T {
    const outer = this.#writing;
    const writer = this.#freeWriter();
    this.#writing = writer;
    try {
      return encode(writer, outer === null ? 0 : outer.depth + 1);
    } finally {
      this.#writing = outer;
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
    if (this.#writing !== null) return this.#newWriter();
    this.#writer ??= this.#newWriter();
    return this.#writer;
  }

  /** A Reader of its own, for a caller that keeps it. */
  newReader(): Reader {
    return new (clones(this.settings) ? CloneReader : Reader)(this.settings, this.#extensions);
  }

  #newWriter(): Writer {
    return new (clones(this.settings) ? CloneWriter : Writer)(this.settings, this.#extensions);
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
