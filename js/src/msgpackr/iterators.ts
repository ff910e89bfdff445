// encodeIter and decodeIter with the options and the behaviour of msgpackr.

import * as polypack from '../index.ts';
import { Packr } from './codec.ts';
import { decodingOptions, type Options } from './options.ts';

type Values = Iterable<any> | AsyncIterable<any> | PromiseLike<any>;
type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array> | PromiseLike<any>;

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

function isIterable(source: Values): source is Iterable<any> {
  return typeof (source as Partial<Iterable<any>>)[Symbol.iterator] === 'function';
}

function* eachPacked(source: Iterable<any>, pack: (value: any) => Buffer): Generator<Buffer> {
  for (const value of source) yield pack(value);
}

async function* eachAwaited(source: AsyncIterable<any> | PromiseLike<any>, pack: (value: any) => Buffer) {
  for await (const value of (await source) as AsyncIterable<any>) yield pack(value);
}

/**
 * Decodes values that follow each other in bytes that arrive in chunks.
 *
 * @returns a Generator; an AsyncGenerator if the source is asynchronous. It yields all complete values before a fault,
 *   then throws the PolypackError.
 */
export function decodeIter(bufferIterator: Chunks, options?: Options): any {
  return polypack.decodeIter(bufferIterator as Iterable<Uint8Array>, streamOptions(options));
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
