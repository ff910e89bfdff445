// Decodes the elements of one long array, each as soon as it has arrived.
//
// Plan: ElementsDecoder · decodeElements · elementsTransform.
//
// Each element is scanned and decoded like a message. From one element to the next, the Decoder keeps the declarations.
// The limits maxValues, maxCollisions and maxPatternBytes apply to all elements together.

import { FULL_DECODING } from '../codec/capabilities.ts';
import { Codec } from '../codec/codec.ts';
import { steadyBytes } from '../codec/session.ts';
import type { Fault } from '../core/errors.ts';
import { arrayFault, followingFault, reservedFault } from '../core/faults.ts';
import { ARRAY16, ARRAY32, NIL, RESERVED } from '../core/format.ts';
import type { Decoder } from '../decoder/decoder.ts';
import { scannerFor, viewOf } from '../envelope/envelope.ts';
import { Headers } from '../envelope/header.ts';
import type { RecordsMode, Settings } from '../options/settings.ts';
import { ARRAY_HEAD, Head, readHead } from '../scan/head.ts';
import type { Scanner } from '../scan/scan.ts';
import { ChunkedDecoder } from './chunks.ts';
import { type AsyncSource, type Chunk, decodeChunks } from './iterators.ts';
import { readStreamOptions, type StreamDecoderOptions } from './stream.ts';
import { Passage, type TransformPair } from './web.ts';

/** The value of `#count` until the head of the array has been read. */
const UNKNOWN = -1;

/**
 * Decodes the elements of a stream that is one array. `push` returns the elements that are complete. At most one
 * incomplete element is kept, so the array may be larger than memory. nil counts as an empty array.
 *
 * `limits.maxBytes` limits each element, and the memory for the records that elements declare. `limits.maxValues`
 * limits the values of all elements together. Faults are those of StreamDecoder, with paths that start at the array
 * ("/17/name"). A stream that isn't an array is `type_mismatch`. Bytes after the last element are `trailing_data`.
 */
export class ElementsDecoder<T = unknown> extends ChunkedDecoder<T> {
  readonly #settings: Settings;
  readonly #codec: Codec;
  readonly #scanner: Scanner;
  /** Reads the header before the array; null if there can't be a header. */
  readonly #headers: Headers | null;
  readonly #head = new Head();
  #count = UNKNOWN;
  /** Length of the header plus the head of the array, in bytes. */
  #headLength = 0;
  #index = 0;

  /**
   * @param options as for StreamDecoder, but without `bundleStrings` and `structuredClone`. `bundleStrings` puts texts
   *   after the array. With `structuredClone`, an element may refer to an earlier one that is gone.
   * @throws TypeError, RangeError for options that don't exist or make no sense
   */
  constructor(options?: StreamDecoderOptions) {
    super();
    // Records that an element declares stay declared, like in a sequence of messages.
    const settings = { ...readStreamOptions(options, this.recordsByDefault()), copyBuffers: true, sequential: true };
    if (settings.references) throw new TypeError(refusalOf('structuredClone'));
    if (settings.bundleStrings) throw new TypeError(refusalOf('bundleStrings'));
    this.#settings = settings;
    this.#codec = new Codec(settings, FULL_DECODING, null);
    this.#scanner = scannerFor(settings, settings.limits, this.#codec);
    this.#headers = settings.fingerprint ? new Headers(settings, settings.limits, this.#codec) : null;
  }

  /** @internal */
  protected recordsByDefault(): RecordsMode {
    return 'off';
  }

  /** @internal */
  protected override steady(bytes: Uint8Array): Uint8Array {
    return steadyBytes(bytes, this.#settings);
  }

  /** @internal */
  protected override scan(view: DataView, end: number): boolean {
    if (this.#count === UNKNOWN) return this.#scanHead(view, end);
    if (this.#index === this.#count) throw followingFault();
    return this.#scanner.run(view, end);
  }

  #scanHead(view: DataView, end: number): boolean {
    const start = this.#headers === null ? 0 : this.#headers.scanHeader(view, end);
    if (start < 0 || start === end) return false;
    const byte = view.getUint8(start);
    if (byte === RESERVED) throw reservedFault(start);
    if (!readHead(view, start, end, this.#head)) {
      if (byte !== ARRAY16 && byte !== ARRAY32) throw arrayFault(start, byte);
      return false;
    }
    if (this.#head.kind !== ARRAY_HEAD && byte !== NIL) throw arrayFault(start, byte);
    this.#headLength = start + this.#head.length;
    return true;
  }

  /** @internal */
  protected override get scanned(): number {
    return this.#count === UNKNOWN ? this.#headLength : this.#scanner.at;
  }

  /** @internal */
  protected override pathOfScan(_fault: Fault, view: DataView): string {
    return this.#index < this.#count ? this.#scanner.pathHere(view) : '';
  }

  /** @internal */
  protected override decoder(): Decoder {
    return this.#codec.freeDecoder();
  }

  /** @internal */
  protected override read(decoder: Decoder, bytes: Uint8Array, start: number, end: number, values: unknown[]): void {
    if (this.#count === UNKNOWN) {
      this.#readHead(decoder, bytes, start, end);
      return;
    }
    decoder.beginElement(bytes, start, end, this.#index);
    const value = decoder.value();
    decoder.endMessage();
    values.push(value);
  }

  #readHead(decoder: Decoder, bytes: Uint8Array, from: number, end: number): void {
    let start = from;
    if (this.#headers !== null) {
      this.#headers.open(bytes, start, end);
      start = this.#headers.messageStart;
    }
    decoder.begin(bytes, start, end, 0);
    if (!readHead(viewOf(bytes), start, end, this.#head)) decoder.value(); // throws, because the head is incomplete
    if (bytes[start] !== NIL) decoder.openElements(start, this.#head.children);
  }

  /** @internal */
  protected override readAhead(decoder: Decoder, bytes: Uint8Array, start: number, values: unknown[]): number {
    if (this.#count === UNKNOWN || this.#index === this.#count) return -1;
    decoder.beginElement(bytes, start, bytes.length, this.#index);
    const value = decoder.value();
    const length = decoder.offset - decoder.origin - start;
    if (length > this.#settings.limits.maxBytes) return -1;
    decoder.endMessage();
    values.push(value);
    this.#index++;
    return start + length;
  }

  /** @internal */
  protected override next(decoder: Decoder): void {
    if (this.#count === UNKNOWN) this.#count = this.#head.children;
    else this.#index++;
    this.enter(decoder);
  }

  /** @internal */
  protected override enter(decoder: Decoder): void {
    this.#scanner.enter({ index: this.#index, declared: decoder.declared });
  }

  /** @internal */
  protected override release(): void {
    // Nothing to release, because the Decoder keeps the records that elements have declared.
  }

  /** @internal */
  protected override get isOwed(): boolean {
    return this.#index !== this.#count;
  }
}

/** An ElementsDecoder that reads records by default, except in lossless mode. */
class InlineElementsDecoder<T> extends ElementsDecoder<T> {
  protected override recordsByDefault(): RecordsMode {
    return 'inline';
  }
}

/**
 * Decodes the elements of the one array in a source, each as soon as it has arrived: `for await (const row of
 * decodeElements(response.body))`. See ElementsDecoder.
 *
 * @param source as for `decodeIter`
 * @param options as for `decodeIter`: records are 'inline' by default, except in lossless mode
 * @returns a Generator, or an AsyncGenerator if the source is asynchronous. It yields all complete elements before a
 *   fault, and then throws the PolypackError.
 * @throws TypeError, RangeError for an invalid source, and for options that don't exist or make no sense
 */
export function decodeElements<T = unknown>(
  source: Chunk | Iterable<Chunk>,
  options?: StreamDecoderOptions,
): Generator<T, void, undefined>;
export function decodeElements<T = unknown>(
  source: AsyncSource<Chunk> | PromiseLike<Chunk>,
  options?: StreamDecoderOptions,
): AsyncGenerator<T, void, undefined>;
export function decodeElements<T>(
  source: Chunk | Iterable<Chunk> | AsyncSource<Chunk> | PromiseLike<Chunk>,
  options?: StreamDecoderOptions,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined> {
  return decodeChunks(source, new InlineElementsDecoder<T>(options));
}

/**
 * Returns a transform of Web Streams that decodes the elements of the one array in its input. Works like
 * `unpackTransform` in all other respects.
 *
 * @param options as for `decodeElements`
 * @throws TypeError, RangeError for options that don't exist or make no sense
 */
export function elementsTransform<T = unknown>(options?: StreamDecoderOptions): TransformPair<Chunk, T> {
  return new Passage<Chunk, T>(new InlineElementsDecoder<T>(options));
}

function refusalOf(option: string): string {
  return `${option}: such an array cannot be decoded element by element; unpack the whole message, or write a stream of its elements`;
}
