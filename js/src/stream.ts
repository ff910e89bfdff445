// Streams: values one after the other, in chunks cut anywhere (spec/06-limits.md#streams).
//
// Plan: options · StreamDecoder.

import { prefixTest } from './clone-format.ts';
import { Codec } from './codec.ts';
import type { Reader } from './decoder.ts';
import type { Fault } from './errors.ts';
import { type RecordsMode, readOptions, type Settings, type UnpackrOptions } from './options.ts';
import { Scanner } from './scan.ts';
import { ChunkedDecoder } from './stream-chunks.ts';

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
export class StreamDecoder<T = unknown> extends ChunkedDecoder<T> {
  readonly #codec: Codec;
  readonly #scanner: Scanner;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: StreamDecoderOptions) {
    super();
    const settings = { ...readStreamOptions(options, 'off'), copyBuffers: true };
    this.#codec = new Codec(settings);
    this.#scanner = new Scanner(settings.inline, settings.limits, prefixTest(settings), settings.shared);
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
    return this.#codec.freeReader();
  }

  /** @internal */
  protected override read(reader: Reader, bytes: Uint8Array, start: number, end: number, values: unknown[]): void {
    reader.begin(bytes, start, end, 0);
    values.push(reader.value());
  }

  /** @internal */
  protected override next(): void {
    this.#scanner.reset();
  }

  /** @internal */
  protected override rest(reader: Reader): void {
    reader.release();
  }
}
