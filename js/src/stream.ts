// Streams: values one after the other, in chunks cut anywhere (spec/06-limits.md#streams).
//
// Plan: options · StreamDecoder.

import { prefixTest } from './clone-format.ts';
import { Codec } from './codec.ts';
import type { Reader } from './decoder.ts';
import type { Fault } from './errors.ts';
import { declaringFault } from './faults.ts';
import { type RecordsMode, readOptions, type Settings, type UnpackrOptions } from './options.ts';
import { FULL_READING } from './parts.ts';
import { Scanner } from './scan.ts';
import { ChunkedDecoder } from './stream-chunks.ts';
import { readShared } from './structures-shared.ts';

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
  const settings = readOptionsOfStream(options, records);
  if (!settings.isWrapped) return settings;
  throw new TypeError('streams know no bundleStrings and fingerprint; unpack whole messages');
}

function readOptionsOfStream(options: StreamDecoderOptions | undefined, records: RecordsMode): Settings {
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
  const { mode, records, useRecords } = options;
  const isSaid = mode === 'lossless' || records !== undefined || useRecords !== undefined;
  return isSaid ? options : { ...options, records: 'inline' };
}

/**
 * Decodes a stream. Records are off by default; `copyBuffers` has no effect, bin values are always copies. Extensions must not
 * use the StreamDecoder that is calling them.
 */
export class StreamDecoder<T = unknown> extends ChunkedDecoder<T> {
  readonly #codec: Codec;
  readonly #scanner: Scanner;
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
    const { inline, limits, shared, compat } = settings;
    this.#scanner = new Scanner(inline, limits, prefixTest(settings), shared, compat);
  }

  /** @internal */
  protected override scan(view: DataView, end: number): boolean {
    const scanner = this.#scanner;
    while (!scanner.isDone && scanner.step(view, end));
    return scanner.isDone;
  }

  /** @internal */
  protected override get scanned(): number {
    return this.#scanner.at;
  }

  /** @internal */
  protected override pathOfScan(_fault: Fault, view: DataView): string {
    return this.#scanner.pathHere(view);
  }

  /** @internal */
  protected override reader(): Reader {
    return this.#sequence ?? this.#codec.freeReader();
  }

  /** @internal */
  protected override read(reader: Reader, bytes: Uint8Array, start: number, end: number, values: unknown[]): void {
    if (reader === this.#sequence) reader.beginNext(bytes, start, end);
    else reader.begin(bytes, start, end, 0);
    const value = reader.value();
    if (reader === this.#sequence && reader.hasDeclared) this.#boundKept(reader, start, end);
    values.push(value);
  }

  /** @internal */
  protected override readAhead(reader: Reader, bytes: Uint8Array, start: number, values: unknown[]): number {
    const isSequence = reader === this.#sequence;
    if (isSequence) reader.beginNext(bytes, start, bytes.length);
    else reader.begin(bytes, start, bytes.length, 0);
    const value = reader.value();
    const length = reader.offset - reader.origin - start;
    if (length > this.#maxBytes) return -1;
    if (isSequence && reader.hasDeclared) {
      if (this.#declaring + length > this.#maxBytes) return -1;
      this.#declaring += length;
    }
    values.push(value);
    return start + length;
  }

  /** Sees to it that what is kept of messages that are gone stays within maxBytes. */
  #boundKept(reader: Reader, start: number, end: number): void {
    this.#declaring += end - start;
    if (this.#declaring <= this.#maxBytes) return;
    this.#declaring = reader.declared?.cost ?? 0;
    // With half of it left, there is much to read before it is counted again.
    if (2 * this.#declaring > this.#maxBytes) throw declaringFault(this.#maxBytes, reader.origin + start);
  }

  /** @internal */
  protected override next(reader: Reader): void {
    this.enter(reader);
  }

  /** @internal */
  protected override enter(reader: Reader): void {
    if (reader === this.#sequence) this.#scanner.enter({ index: -1, declared: reader.declared });
    else this.#scanner.reset();
  }

  /** @internal */
  protected override rest(reader: Reader): void {
    if (reader !== this.#sequence) reader.release();
  }
}
