// encodeIter and decodeIter with the options and the behaviour of msgpackr.

import * as polypack from '../index.ts';
import { cutOff, Packr } from './codec.ts';
import { decodingOptions, type NewBuffer, type Options } from './options.ts';

type Values = Iterable<any> | AsyncIterable<any> | PromiseLike<any>;
type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array> | PromiseLike<any>;
/** Programs may also pass the bytes themselves. */
type Source = Chunks | Uint8Array;

/**
 * Encodes each value of an iterable.
 *
 * @returns a Generator; an AsyncGenerator if the source is asynchronous. It throws the PolypackError for a value that
 *   can't be encoded.
 */
export function encodeIter(objectIterator: Values, options?: Options): any {
  const { pack } = new Packr(options);
  return isIterable(objectIterator) ? eachPacked(objectIterator, pack) : eachAwaited(objectIterator, pack);
}

function isIterable(source: Values | Source): source is Iterable<any> {
  return typeof (source as Partial<Iterable<any>>)[Symbol.iterator] === 'function';
}

function* eachPacked(source: Iterable<any>, pack: (value: any) => NewBuffer): Generator<NewBuffer> {
  for (const value of source) yield pack(value);
}

async function* eachAwaited(source: AsyncIterable<any> | PromiseLike<any>, pack: (value: any) => NewBuffer) {
  for await (const value of (await source) as AsyncIterable<any>) yield pack(value);
}

/**
 * Decodes values that follow each other in bytes that arrive in chunks.
 *
 * @returns a Generator; an AsyncGenerator if the source is asynchronous. It yields all complete values before a fault,
 *   then throws the PolypackError.
 */
export function decodeIter(bufferIterator: Chunks, options?: Options): any {
  return polypack.decodeIter(withCutChunks(bufferIterator) as Iterable<Uint8Array>, streamOptions(options));
}

/** Returns a source of the same chunks, each cut off at its own property `length` if it has one. */
function withCutChunks(source: Source): Source {
  if (typeof source !== 'object' || source === null || ArrayBuffer.isView(source)) return cutOff(source);
  if (isIterable(source)) return eachCut(source as Iterable<Uint8Array>);
  if (Symbol.asyncIterator in source) return eachCutAwaited(source);
  return 'then' in source ? source.then(withCutChunks) : source;
}

function* eachCut(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const chunk of chunks) yield cutOff(chunk);
}

async function* eachCutAwaited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield cutOff(chunk);
}

/**
 * Returns the options for decoding a stream. Unless structures are shared, a record that one message declares stays
 * declared in later messages.
 */
export function streamOptions(options: Options = {}): polypack.StreamDecoderOptions {
  const { maxIncompleteBufferSize } = options;
  return {
    bundleStrings: true,
    ...decodingOptions(options),
    ...(options.structures == null && options.getStructures == null && { sequential: true }),
    ...(maxIncompleteBufferSize != null && { maxIncompleteBufferSize }),
  };
}
