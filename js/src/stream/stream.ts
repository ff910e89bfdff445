// Streams: values that follow each other, in chunks cut anywhere (spec/06-limits.md#streams).
//
// Plan: options · StreamDecoder.
//
// The scanner (scan/scan.ts) finds where a message ends, and checks maxBytes. chunks.ts uses the scanner for messages
// that can't be read ahead in their chunk.

import { FULL_DECODING } from '../codec/capabilities.ts';
import { Codec } from '../codec/codec.ts';
import { endOf, steadyBytes } from '../codec/session.ts';
import type { Fault } from '../core/errors.ts';
import type { Decoder } from '../decoder/decoder.ts';
import type { Earlier } from '../decoder/records.ts';
import { type Envelope, scannerFor } from '../envelope/envelope.ts';
import { failPair, readOptions } from '../options/options.ts';
import type { RecordsMode, Settings, UnpackrOptions } from '../options/settings.ts';
import { readShared } from '../records/shared.ts';
import type { Scanner } from '../scan/scan.ts';
import { ChunkedDecoder } from './chunks.ts';

/** Options of decoding a stream. */
export interface StreamDecoderOptions extends UnpackrOptions {
  /** An older name of `limits.maxBytes`: bytes of one message or element, 1 … Infinity, default 64 MiB. */
  readonly maxIncompleteBufferSize?: number;
}

/**
 * Checks the options of a stream. If an option for records or `mapsAsObjects` is given, maps decode as with an Unpackr
 * that has these options. Otherwise maps decode as with `unpack`, even if the stream reads records.
 *
 * @param records the default of the option `records`
 * @throws TypeError, RangeError
 */
export function readStreamOptions(options: StreamDecoderOptions | undefined, records: RecordsMode): Settings {
  const given = options ?? {};
  if (typeof given !== 'object') return readOptions(given, records);
  const { maxIncompleteBufferSize: maxBytes, ...others } = given;
  const settings = readOptions(withMaxBytes(others, maxBytes), records, readShared);
  const { mapsAsObjects, records: said, useRecords, structures, getStructures } = others;
  const isAsked = [mapsAsObjects, said, useRecords, structures, getStructures].some((one) => one !== undefined);
  return isAsked ? settings : { ...settings, maps: 'auto' };
}

function withMaxBytes(options: UnpackrOptions, maxBytes: number | undefined): UnpackrOptions {
  const { limits } = options;
  if (maxBytes === undefined) return options;
  if (limits?.maxBytes !== undefined && limits.maxBytes !== maxBytes) {
    failPair('maxIncompleteBufferSize', 'limits.maxBytes');
  }
  return { ...options, limits: { ...limits, maxBytes } };
}

/**
 * Decodes a stream. The default of `records` is 'off'. It is 'shared' if one of the options for structures is given,
 * and 'inline' with `sequential`, but not in lossless mode. The data of bin and ext values are always copies, even if
 * `copyBuffers` is false. An extension must not use the StreamDecoder that is calling it.
 */
export class StreamDecoder<T = unknown> extends ChunkedDecoder<T> {
  readonly #codec: Codec;
  readonly #scanner: Scanner;
  readonly #envelope: Envelope | null;
  readonly #maxBytes: number;
  readonly #earlier: Earlier = { declared: false, option: null };

  /** @throws TypeError, RangeError for options that don't exist or make no sense */
  constructor(options?: StreamDecoderOptions) {
    super();
    const records = options?.sequential === true ? 'inline' : this.recordsByDefault();
    const settings = { ...readStreamOptions(options, records), copyBuffers: true };
    this.#codec = new Codec(settings, FULL_DECODING, null);
    this.#maxBytes = settings.limits.maxBytes;
    this.#scanner = scannerFor(settings, settings.limits, this.#codec);
    this.#envelope = this.#codec.newEnvelope(this.#maxBytes, this.#codec);
  }

  /** @internal */
  protected recordsByDefault(): RecordsMode {
    return 'off';
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
    const decoder = this.#codec.freeDecoder();
    decoder.earlier = this.#earlier;
    return decoder;
  }

  /** @internal */
  protected override read(decoder: Decoder, bytes: Uint8Array, start: number, end: number, values: unknown[]): void {
    this.#begin(decoder, bytes, start, end);
    const value = decoder.value();
    decoder.endMessage();
    values.push(value);
  }

  /** @internal */
  protected override readAhead(decoder: Decoder, bytes: Uint8Array, start: number, values: unknown[]): number {
    this.#begin(decoder, bytes, start, bytes.length);
    const value = decoder.value();
    const end = endOf(decoder, this.#envelope);
    if (end - start > this.#maxBytes) return -1;
    decoder.endMessage();
    values.push(value);
    return end;
  }

  #begin(decoder: Decoder, bytes: Uint8Array, start: number, end: number): void {
    const envelope = this.#envelope;
    if (envelope === null) decoder.begin(bytes, start, end, 0);
    else {
      envelope.open(bytes, start, end);
      decoder.begin(envelope.message, envelope.messageStart, envelope.messageEnd, 0);
    }
  }

  /** @internal */
  protected override next(decoder: Decoder): void {
    this.enter(decoder);
  }

  /** @internal */
  protected override enter(decoder: Decoder): void {
    const element = decoder.keeps ? { index: -1, declared: decoder.declared } : null;
    if (this.#envelope !== null) this.#envelope.enter(element);
    else if (element !== null) this.#scanner.enter(element);
    else this.#scanner.reset();
  }

  /** @internal */
  protected override release(decoder: Decoder): void {
    decoder.release();
  }
}

/** A StreamDecoder that reads records by default, except in lossless mode. */
export class InlineStreamDecoder<T> extends StreamDecoder<T> {
  protected override recordsByDefault(): RecordsMode {
    return 'inline';
  }
}
