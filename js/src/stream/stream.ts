// Streams: values that follow each other, in chunks cut anywhere (spec/06-limits.md#streams).
//
// Plan: options · StreamDecoder.
//
// Where a message ends, and that it isn't longer than maxBytes, is found in scan/scan.ts (Scanner.step, checkBytes);
// chunks.ts calls the scanner when a message can't be read ahead in its chunk.

import { FULL_DECODING } from '../codec/capabilities.ts';
import { Codec } from '../codec/codec.ts';
import { endOf, steadyBytes } from '../codec/session.ts';
import type { Fault } from '../core/errors.ts';
import { declaringFault } from '../core/faults.ts';
import type { Decoder } from '../decoder/decoder.ts';
import { type Envelope, scannerFor } from '../envelope/envelope.ts';
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
   * true: records that a message declares stay declared in later messages, as in the streams of msgpackr. No effect
   * with `structures` and structured cloning. Default false: each message is independent.
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

/** Returns options with records 'inline' unless they say otherwise. */
export function inlineByDefault(options: StreamDecoderOptions = {}): StreamDecoderOptions {
  const { mode, records, useRecords, structures, getStructures } = options;
  const isSaid =
    mode === 'lossless' || [records, useRecords, structures, getStructures].some((one) => one !== undefined);
  return isSaid ? options : { ...options, records: 'inline' };
}

/**
 * Decodes a stream. Records are off by default. bin values are always copies, whatever `copyBuffers` says. An extension
 * must not use the StreamDecoder that is calling it.
 */
export class StreamDecoder<T = unknown> extends ChunkedDecoder<T> {
  readonly #codec: Codec;
  readonly #scanner: Scanner;
  readonly #envelope: Envelope | null;
  readonly #maxBytes: number;
  /** The Decoder that keeps declarations; null if each message is independent. */
  readonly #sequence: Decoder | null;
  /** Bytes of messages that declared records, since the memory for declarations was last measured. */
  #declaring = 0;

  /** @throws TypeError, RangeError for options that don't exist or make no sense */
  constructor(options?: StreamDecoderOptions) {
    super();
    const settings = { ...readStreamOptions(options, 'off'), copyBuffers: true };
    this.#codec = new Codec(settings, FULL_DECODING, null);
    this.#maxBytes = settings.limits.maxBytes;
    const isSequential =
      options?.sequential === true && settings.inline && settings.shared === null && !settings.references;
    this.#sequence = isSequential ? this.#codec.newDecoder() : null;
    this.#scanner = scannerFor(settings, settings.limits);
    this.#envelope = this.#codec.newEnvelope(this.#maxBytes);
  }

  /** @internal */
  protected override get envelope(): Envelope | null {
    return this.#envelope;
  }

  /** @internal */
  protected override steady(bytes: Uint8Array): Uint8Array {
    return steadyBytes(bytes, this.#codec.settings);
  }

  /** @internal */
  protected override scan(view: DataView, end: number): boolean {
    if (this.#envelope !== null) return this.#envelope.scan(view, end);
    return this.#scanner.run(view, end);
  }

  /** @internal */
  protected override get scanned(): number {
    return this.#envelope === null ? this.#scanner.at : this.#envelope.scanned;
  }

  /** @internal */
  protected override pathOfScan(_fault: Fault, view: DataView): string {
    return this.#scanner.pathHere(view);
  }

  /** @internal */
  protected override decoder(): Decoder {
    const sequence = this.#sequence;
    if (sequence === null) return this.#codec.freeDecoder();
    sequence.extensions = this.#codec.extensions;
    return sequence;
  }

  /** @internal */
  protected override read(decoder: Decoder, bytes: Uint8Array, start: number, end: number, values: unknown[]): void {
    this.#begin(decoder, bytes, start, end);
    const value = decoder.value();
    if (decoder === this.#sequence && decoder.hasDeclared) this.#boundKept(decoder, end - start);
    values.push(value);
  }

  /** @internal */
  protected override readAhead(decoder: Decoder, bytes: Uint8Array, start: number, values: unknown[]): number {
    this.#begin(decoder, bytes, start, bytes.length);
    const value = decoder.value();
    const end = endOf(decoder, this.#envelope);
    const length = end - start;
    if (length > this.#maxBytes) return -1;
    if (decoder === this.#sequence && decoder.hasDeclared) {
      if (this.#declaring + length > this.#maxBytes) return -1;
      this.#declaring += length;
    }
    values.push(value);
    return end;
  }

  #begin(decoder: Decoder, bytes: Uint8Array, start: number, end: number): void {
    const envelope = this.#envelope;
    if (envelope !== null) {
      envelope.open(bytes, start, end);
      this.#beginAt(decoder, envelope.message, envelope.messageStart, envelope.messageEnd);
    } else this.#beginAt(decoder, bytes, start, end);
  }

  #beginAt(decoder: Decoder, bytes: Uint8Array, start: number, end: number): void {
    if (decoder === this.#sequence) decoder.beginNext(bytes, start, end);
    else decoder.begin(bytes, start, end, 0);
  }

  /** Limits the memory for declarations of earlier messages to maxBytes. */
  #boundKept(decoder: Decoder, length: number): void {
    this.#declaring += length;
    if (this.#declaring <= this.#maxBytes) return;
    this.#declaring = decoder.declared?.cost ?? 0;
    // If at least half of the limit is left, the memory needn't be measured again for a while.
    if (2 * this.#declaring > this.#maxBytes) throw declaringFault(this.#maxBytes, decoder.messageStart);
  }

  /** @internal */
  protected override next(decoder: Decoder): void {
    this.enter(decoder);
  }

  /** @internal */
  protected override enter(decoder: Decoder): void {
    const element = decoder === this.#sequence ? { index: -1, declared: decoder.declared } : null;
    if (this.#envelope !== null) this.#envelope.enter(element);
    else if (element !== null) this.#scanner.enter(element);
    else this.#scanner.reset();
  }

  /** @internal */
  protected override release(decoder: Decoder): void {
    if (decoder !== this.#sequence) decoder.release();
  }
}
