// Streams: values one after the other, in chunks cut anywhere (spec/06-limits.md#streams).
//
// Plan: options · StreamDecoder: push, finish, error · messages in a chunk · the message that goes on in the next chunk.
//
// A scanner that can stop at any byte finds where messages end, so every byte is looked at once by it and once by the
// decoder, however the stream is cut. A message inside one chunk is decoded from the chunk; only one that goes on in the
// next chunk is collected in a buffer.

import { prefixTest } from './clone-format.ts';
import { Codec } from './codec.ts';
import type { Reader } from './decoder.ts';
import { Fault, type PolypackError } from './errors.ts';
import { missingFault } from './faults.ts';
import { type RecordsMode, readOptions, type Settings, type UnpackrOptions } from './options.ts';
import { Scanner } from './scan.ts';
import { decodingError, inputBytes } from './session.ts';

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** A buffer of up to so many bytes is kept for the next message that is cut. */
const KEPT_CAPACITY = 65_536;

/** Options of decoding a stream. */
export interface StreamDecoderOptions extends UnpackrOptions {
  /** An older name of `limits.maxBytes`: bytes of one message, 1 … Infinity, default 64 MiB. */
  readonly maxIncompleteBufferSize?: number;
}

/**
 * Checks the options of a stream.
 *
 * @throws TypeError, RangeError
 */
export function readStreamOptions(options: StreamDecoderOptions | undefined, records: RecordsMode): Settings {
  if (typeof options !== 'object' || options?.maxIncompleteBufferSize === undefined)
    return readOptions(options, records);
  const { maxIncompleteBufferSize: maxBytes, ...others } = options;
  if (others.limits?.maxBytes !== undefined && others.limits.maxBytes !== maxBytes) {
    throw new TypeError('options maxIncompleteBufferSize and limits.maxBytes contradict each other');
  }
  return readOptions({ ...others, limits: { ...others.limits, maxBytes } }, records);
}

/** The options of a stream whose records are 'inline' where nothing says otherwise. */
export function inlineByDefault(options: StreamDecoderOptions = {}): StreamDecoderOptions {
  const { mode, records, useRecords } = options;
  const isSaid = mode === 'lossless' || records !== undefined || useRecords !== undefined;
  return isSaid ? options : { ...options, records: 'inline' };
}

/**
 * Decodes a stream. Records are off by default; `copyBuffers` has no effect, bin values are always copies. Extensions must not
 * use the StreamDecoder that is calling them.
 */
export class StreamDecoder<T = unknown> {
  readonly #codec: Codec;
  readonly #scanner: Scanner;
  /** The beginning of the message that is incomplete: the first `#length` bytes. */
  #buffer: Uint8Array = NO_BYTES;
  #length = 0;
  /** The offset in the stream where the current message starts. */
  #base = 0;
  #error: PolypackError | null = null;
  #isFinished = false;
  #isBusy = false;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: StreamDecoderOptions) {
    const settings = { ...readStreamOptions(options, 'off'), copyBuffers: true };
    this.#codec = new Codec(settings);
    this.#scanner = new Scanner(settings.inline, settings.limits, prefixTest(settings), settings.shared);
  }

  /** The fault that ended the stream; null while there is none. */
  get error(): PolypackError | null {
    return this.#error;
  }

  /**
   * Takes the next bytes, which may end anywhere. Returns the values that are complete now; a fault behind them ends the
   * stream, and is thrown by the next call.
   *
   * @throws PolypackError the fault that an earlier call met
   */
  push(chunk: ArrayBufferView | ArrayBufferLike): T[] {
    const bytes = inputBytes(chunk);
    if (this.#error !== null) throw this.#error;
    if (this.#isFinished) throw new TypeError('push after finish; make a new StreamDecoder');
    this.#refuseNesting();
    const values: unknown[] = [];
    this.#isBusy = true;
    try {
      const from = this.#length === 0 ? 0 : this.#continue(bytes, values);
      if (from >= 0) this.#messages(bytes, from, values);
    } finally {
      this.#isBusy = false;
    }
    return values as T[];
  }

  /**
   * Says that the stream ends here.
   *
   * @throws PolypackError the fault that an earlier call met, or for a stream that ends inside a message
   */
  finish(): void {
    this.#refuseNesting();
    if (this.#length > 0 && this.#error === null) this.#error = this.#truncation();
    this.#isFinished = true;
    this.#forget();
    if (this.#error !== null) throw this.#error;
  }

  #refuseNesting(): void {
    if (this.#isBusy) throw new TypeError('an extension must not use the StreamDecoder that is calling it');
  }

  // --- messages -----------------------------------------------------------------------------------------------------------

  /** Decodes the messages of a chunk from `from` on, and keeps the bytes of the last one when it is incomplete. */
  #messages(chunk: Uint8Array, from: number, values: unknown[]): void {
    let start = from;
    while (start < chunk.length) {
      const view = new DataView(chunk.buffer, chunk.byteOffset + start, chunk.length - start);
      if (!this.#scan(view, view.byteLength)) {
        if (this.#error === null) this.#keep(chunk.subarray(start));
        return;
      }
      const end = start + this.#scanner.at;
      if (!this.#decode(chunk, start, end, values)) return;
      start = end;
    }
  }

  /**
   * Goes on with the message that began in earlier chunks.
   *
   * @returns where the next message starts in the chunk; −1 when there is none
   */
  #continue(chunk: Uint8Array, values: unknown[]): number {
    const before = this.#length;
    this.#keep(chunk);
    const view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset, this.#length);
    if (!this.#scan(view, this.#length)) return -1;
    const end = this.#scanner.at;
    const decoded = this.#decode(this.#buffer, 0, end, values);
    this.#forget();
    return decoded ? end - before : -1;
  }

  /** Scans on in the current message. Returns whether it is complete; if not, a fault may have ended the stream. */
  #scan(view: DataView, end: number): boolean {
    const scanner = this.#scanner;
    try {
      while (!scanner.isDone && scanner.step(view, end));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#error = error.toError(scanner.pathHere(view), this.#base);
      this.#forget();
    }
    return scanner.isDone && this.#error === null;
  }

  /** Decodes a complete message. Returns false when a fault has ended the stream. */
  #decode(bytes: Uint8Array, start: number, end: number, values: unknown[]): boolean {
    const reader = this.#codec.freeReader();
    try {
      reader.begin(bytes, start, end, 0);
      values.push(reader.value());
    } catch (error) {
      this.#error = this.#asError(reader, error, start);
      return false;
    } finally {
      reader.release();
    }
    this.#base += end - start;
    this.#scanner.reset();
    return true;
  }

  /** What a decode of the incomplete message says about it. */
  #truncation(): PolypackError {
    const reader = this.#codec.freeReader();
    this.#isBusy = true;
    try {
      reader.begin(this.#buffer, 0, this.#length, 0);
      reader.value();
      throw missingFault(this.#length);
    } catch (error) {
      return this.#asError(reader, error, 0);
    } finally {
      this.#isBusy = false;
      reader.release();
    }
  }

  /** @param start where the reader's message starts in its bytes */
  #asError(reader: Reader, error: unknown, start: number): PolypackError {
    const known = decodingError(reader, error, this.#base - start);
    if (error !== known) return known as PolypackError;
    throw error;
  }

  // --- the message that is incomplete ---------------------------------------------------------------------------------------

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  #forget(): void {
    this.#length = 0;
    if (this.#buffer.length > KEPT_CAPACITY || this.#isFinished) this.#buffer = NO_BYTES;
  }
}
