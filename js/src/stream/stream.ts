// Streams: values one after the other, in chunks cut anywhere (spec/06-limits.md#streams).
//
// Plan: options · StreamDecoder.

import { FULL_READING } from '../codec/capabilities.ts';
import { Codec } from '../codec/codec.ts';
import { endOf } from '../codec/session.ts';
import type { Fault } from '../core/errors.ts';
import { declaringFault } from '../core/faults.ts';
import type { Reader } from '../decoder/decoder.ts';
import { scannerFor, type Wrapping } from '../envelope/envelope.ts';
import { readOptions } from '../options/options.ts';
import type { RecordsMode, Settings, UnpackrOptions } from '../options/settings.ts';
import { readShared } from '../records/shared.ts';
import type { Scanner } from '../scan/scan.ts';
import { ChunkedDecoder } from './chunks.ts';

/** Options of decoding a stream. */
export interface StreamDecoderOptions extends UnpackrOptions {
  /** An older name of `limits.maxBytes`: bytes of one message, 1 … Infinity, default 64 MiB. */
  readonly maxIncompleteBufferSize?: number;
  /**
   * true: what a message declares stays declared in the messages behind it, as the streams of msgpackr write records. No effect
   * with `structures` and structured cloning. Default false: a message stands for itself.
   */
  readonly sequential?: boolean;
}

/**
 * Checks the options of a stream.
 *
 * @throws TypeError, RangeError
 */
export function readStreamOptions(options: StreamDecoderOptions | undefined, records: RecordsMode): Settings {
  if (typeof options !== 'object' || options === null) return readOptions(options, records, readShared);
  const { maxIncompleteBufferSize: maxBytes, sequential, ...others } = options;
  if (sequential !== undefined && typeof sequential !== 'boolean') {
    throw new TypeError('option sequential must be true or false');
  }
  if (maxBytes === undefined) return readOptions(others, records, readShared);
  if (others.limits?.maxBytes !== undefined && others.limits.maxBytes !== maxBytes) {
    throw new TypeError('options maxIncompleteBufferSize and limits.maxBytes contradict each other');
  }
  return readOptions({ ...others, limits: { ...others.limits, maxBytes } }, records, readShared);
}

/** The options of a stream whose records are 'inline' where nothing says otherwise. */
export function inlineByDefault(options: StreamDecoderOptions = {}): StreamDecoderOptions {
  const { mode, records, useRecords, structures, getStructures } = options;
  const isSaid =
    mode === 'lossless' || [records, useRecords, structures, getStructures].some((one) => one !== undefined);
  return isSaid ? options : { ...options, records: 'inline' };
}

/**
 * Decodes a stream. Records are off by default; `copyBuffers` has no effect, bin values are always copies. Extensions must not
 * use the StreamDecoder that is calling them.
 */
export class StreamDecoder<T = unknown> extends ChunkedDecoder<T> {
  readonly #codec: Codec;
  readonly #scanner: Scanner;
  readonly #wrapping: Wrapping | null;
  readonly #maxBytes: number;
  /** The Reader that keeps what was declared; null when every message stands for itself. */
  readonly #sequence: Reader | null;
  /** Bytes of messages that declared records, since what is kept of them was counted. */
  #declaring = 0;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: StreamDecoderOptions) {
    super();
    const settings = { ...readStreamOptions(options, 'off'), copyBuffers: true };
    this.#codec = new Codec(settings, FULL_READING, null);
    this.#maxBytes = settings.limits.maxBytes;
    const isSequential =
      options?.sequential === true && settings.inline && settings.shared === null && !settings.references;
    this.#sequence = isSequential ? this.#codec.newReader() : null;
    this.#scanner = scannerFor(settings, settings.limits);
    this.#wrapping = this.#codec.newWrapping(this.#maxBytes);
  }

  /** @internal */
  protected override get wrapping(): Wrapping | null {
    return this.#wrapping;
  }

  /** @internal */
  protected override scan(view: DataView, end: number): boolean {
    if (this.#wrapping !== null) return this.#wrapping.scan(view, end);
    return this.#scanner.run(view, end);
  }

  /** @internal */
  protected override get scanned(): number {
    return this.#wrapping === null ? this.#scanner.at : this.#wrapping.scanned;
  }

  /** @internal */
  protected override pathOfScan(_fault: Fault, view: DataView): string {
    return this.#scanner.pathHere(view);
  }

  /** @internal */
  protected override reader(): Reader {
    const sequence = this.#sequence;
    if (sequence === null) return this.#codec.freeReader();
    sequence.extensions = this.#codec.extensions;
    return sequence;
  }

  /** @internal */
  protected override read(reader: Reader, bytes: Uint8Array, start: number, end: number, values: unknown[]): void {
    this.#begin(reader, bytes, start, end);
    const value = reader.value();
    if (reader === this.#sequence && reader.hasDeclared) this.#boundKept(reader, end - start);
    values.push(value);
  }

  /** @internal */
  protected override readAhead(reader: Reader, bytes: Uint8Array, start: number, values: unknown[]): number {
    this.#begin(reader, bytes, start, bytes.length);
    const value = reader.value();
    const end = endOf(reader, this.#wrapping);
    const length = end - start;
    if (length > this.#maxBytes) return -1;
    if (reader === this.#sequence && reader.hasDeclared) {
      if (this.#declaring + length > this.#maxBytes) return -1;
      this.#declaring += length;
    }
    values.push(value);
    return end;
  }

  #begin(reader: Reader, bytes: Uint8Array, start: number, end: number): void {
    const wrapping = this.#wrapping;
    if (wrapping !== null) {
      wrapping.open(bytes, start, end);
      this.#beginAt(reader, wrapping.message, wrapping.messageStart, wrapping.messageEnd);
    } else this.#beginAt(reader, bytes, start, end);
  }

  #beginAt(reader: Reader, bytes: Uint8Array, start: number, end: number): void {
    if (reader === this.#sequence) reader.beginNext(bytes, start, end);
    else reader.begin(bytes, start, end, 0);
  }

  /** Sees to it that what is kept of messages that are gone stays within maxBytes. */
  #boundKept(reader: Reader, length: number): void {
    this.#declaring += length;
    if (this.#declaring <= this.#maxBytes) return;
    this.#declaring = reader.declared?.cost ?? 0;
    // With half of it left, there is much to read before it is counted again.
    if (2 * this.#declaring > this.#maxBytes) throw declaringFault(this.#maxBytes, reader.messageStart);
  }

  /** @internal */
  protected override next(reader: Reader): void {
    this.enter(reader);
  }

  /** @internal */
  protected override enter(reader: Reader): void {
    const element = reader === this.#sequence ? { index: -1, declared: reader.declared } : null;
    if (this.#wrapping !== null) this.#wrapping.enter(element);
    else if (element !== null) this.#scanner.enter(element);
    else this.#scanner.reset();
  }

  /** @internal */
  protected override rest(reader: Reader): void {
    if (reader !== this.#sequence) reader.release();
  }
}
