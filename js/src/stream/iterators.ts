// Converts iterables of values to iterables of bytes and back, synchronously if the source allows it.
//
// Plan: kinds of sources · encodeIter · decodeIter · reading a source.

import { Packr } from '../codec/packr.ts';
import { bufferView } from '../core/foreign-values.ts';
import { failKind } from '../core/limits.ts';
import type { Bytes } from '../core/views.ts';
import type { PackrOptions } from '../options/settings.ts';
import { InlineStreamDecoder, type StreamDecoderOptions } from './stream.ts';

/** A piece of the input: bytes, cut anywhere. */
export type Chunk = ArrayBufferView | ArrayBufferLike;

/** Accepts chunks and returns complete values, like a StreamDecoder. */
interface ChunkDecoder<T> {
  readonly error: unknown;
  push(chunk: Chunk): T[];
  finish(): void;
}

/** An asynchronous source: an async iterable, a ReadableStream, or a promise of one of them or of an iterable. */
export type AsyncSource<T> =
  | AsyncIterable<T>
  | StreamSource<T>
  | PromiseLike<Iterable<T> | AsyncIterable<T> | StreamSource<T>>;

/** A ReadableStream of any host. In some hosts it isn't iterable. */
export interface StreamSource<T> {
  getReader(): StreamSourceReader<T>;
}

export interface StreamSourceReader<T> {
  read(): Promise<{ done: boolean; value?: T | undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}

/**
 * Encodes each value of an iterable. To read the encodings joined together, use `decodeIter`, `unpackTransform`,
 * UnpackrStream, or `unpackMultiple` of an Unpackr.
 *
 * @param source an iterable, or something asynchronous: an async iterable, a ReadableStream, a promise of one of them.
 *   At most one value of the source is held. The source is closed if the caller stops early.
 * @param options as for Packr: records are 'inline' by default, except in lossless mode
 * @returns a Generator, or an AsyncGenerator if the source is asynchronous. It throws the PolypackError for a value
 *   that can't be encoded.
 * @throws TypeError, RangeError for an invalid source, and for options that don't exist or make no sense
 */
export function encodeIter(source: Iterable<unknown>, options?: PackrOptions): Generator<Bytes, void, undefined>;
export function encodeIter(
  source: AsyncSource<unknown>,
  options?: PackrOptions,
): AsyncGenerator<Bytes, void, undefined>;
export function encodeIter(
  source: Iterable<unknown> | AsyncSource<unknown>,
  options?: PackrOptions,
): Generator<Bytes, void, undefined> | AsyncGenerator<Bytes, void, undefined> {
  const packr = new Packr(options);
  return isIterable(source) ? encodeEach(source, packr) : encodeEachAwaited(awaited(source), packr);
}

function* encodeEach(source: Iterable<unknown>, packr: Packr): Generator<Bytes, void, undefined> {
  for (const value of source) yield packr.pack(value);
}

async function* encodeEachAwaited(
  source: AsyncIterable<unknown>,
  packr: Packr,
): AsyncGenerator<Bytes, void, undefined> {
  for await (const value of source) yield packr.pack(value);
}

/**
 * Decodes values that follow each other. Their bytes arrive in chunks that may be cut anywhere. Takes linear time.
 *
 * @param source chunks as an iterable, or something asynchronous: an async iterable (such as a Node stream), a
 *   ReadableStream (such as the body of a Response), a promise of one of them; or the bytes themselves, or a promise of
 *   them. The source is closed if the caller stops early.
 * @param options as for StreamDecoder, but records are 'inline' by default, except in lossless mode
 * @returns a Generator, or an AsyncGenerator if the source is asynchronous. It yields all complete values before a
 *   fault, and then throws the PolypackError. Bytes that end inside a value are also a fault.
 * @throws TypeError, RangeError for an invalid source, and for options that don't exist or make no sense
 */
export function decodeIter<T = unknown>(
  source: Chunk | Iterable<Chunk>,
  options?: StreamDecoderOptions,
): Generator<T, void, undefined>;
export function decodeIter<T = unknown>(
  source: AsyncSource<Chunk> | PromiseLike<Chunk>,
  options?: StreamDecoderOptions,
): AsyncGenerator<T, void, undefined>;
export function decodeIter<T>(
  source: Chunk | Iterable<Chunk> | AsyncSource<Chunk> | PromiseLike<Chunk>,
  options?: StreamDecoderOptions,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined> {
  return decodeChunks(source, new InlineStreamDecoder<T>(options));
}

// --- sources ---------------------------------------------------------------------------------------------------------

/** Decodes the chunks of a source. */
export function decodeChunks<T>(
  source: Chunk | Iterable<Chunk> | AsyncSource<Chunk> | PromiseLike<Chunk>,
  decoder: ChunkDecoder<T>,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined> {
  if (isChunk(source)) return decodeEach([source], decoder);
  return isIterable(source) ? decodeEach(source, decoder) : decodeEachAwaited(awaited(source, isChunk), decoder);
}

function* decodeEach<T>(source: Iterable<Chunk>, decoder: ChunkDecoder<T>): Generator<T, void, undefined> {
  for (const chunk of source) {
    yield* decoder.push(chunk);
    if (decoder.error !== null) throw decoder.error;
  }
  decoder.finish();
}

async function* decodeEachAwaited<T>(
  source: AsyncIterable<Chunk>,
  decoder: ChunkDecoder<T>,
): AsyncGenerator<T, void, undefined> {
  for await (const chunk of source) {
    yield* decoder.push(chunk);
    if (decoder.error !== null) throw decoder.error;
  }
  decoder.finish();
}

/** Whether a source is the bytes themselves. A Uint8Array is also an iterable, but of numbers instead of chunks. */
function isChunk(source: unknown): source is Chunk {
  return ArrayBuffer.isView(source) || bufferView(source) !== null;
}

function isIterable<T>(source: Iterable<T> | AsyncSource<T> | PromiseLike<T>): source is Iterable<T> {
  return typeof source === 'object' && source !== null && Symbol.iterator in source;
}

function isNever(): false {
  return false;
}

/**
 * @param isItem whether what a promise gives is an item itself, instead of a source of items
 * @throws TypeError if `source` isn't an AsyncSource
 */
function awaited<T>(
  source: AsyncSource<T> | PromiseLike<T>,
  isItem: (source: unknown) => boolean = isNever,
): AsyncIterable<T> {
  if (typeof source === 'object' && source !== null) {
    if (Symbol.asyncIterator in source) return source;
    if ('getReader' in source) return fromStream(source);
    if ('then' in source) return fromPromise(source, isItem);
  }
  failKind('the source', 'an iterable, an async iterable, a ReadableStream, or a promise of one of them');
}

async function* fromStream<T>(source: StreamSource<T>): AsyncGenerator<T, void, undefined> {
  const reader = source.getReader();
  let isStopped = false;
  try {
    for (;;) {
      isStopped = false;
      const { done, value } = await reader.read();
      if (done) return;
      isStopped = true;
      yield value as T;
    }
  } finally {
    if (isStopped) await reader.cancel();
    reader.releaseLock();
  }
}

async function* fromPromise<T>(
  promise: PromiseLike<T | Iterable<T> | AsyncIterable<T> | StreamSource<T>>,
  isItem: (source: unknown) => boolean,
): AsyncGenerator<T, void, undefined> {
  const given = await promise;
  if (isItem(given)) return yield given as T;
  const source = given as Iterable<T> | AsyncIterable<T> | StreamSource<T>;
  yield* isIterable(source) ? source : awaited(source);
}
