// Streams of node:stream: values in and bytes out, or bytes in and values out.
//
// Plan: options · CodecStream, which fails behind what it has to hand over · PackrStream · UnpackrStream.
//
// Everything of this package comes from the public door, so that the bundle of this room holds no second copy of it.

import { Transform, type TransformCallback, type TransformOptions } from 'node:stream';
import { Packr, type PackrOptions, StreamDecoder, type StreamDecoderOptions } from '../index.ts';

/** Options of node:stream that the streams of this package hand on; their defaults and ranges are Node's. */
type HostOptions = Pick<
  TransformOptions,
  'highWaterMark' | 'readableHighWaterMark' | 'writableHighWaterMark' | 'allowHalfOpen' | 'signal' | 'emitClose'
>;

/** Options of PackrStream. `records` is 'inline' by default, except in lossless mode. */
export interface PackrStreamOptions extends PackrOptions, HostOptions {}

/** Options of UnpackrStream. `records` is 'inline' by default, except in lossless mode; `sequential` is true. */
export interface UnpackrStreamOptions extends StreamDecoderOptions, HostOptions {}

const HOST_NAMES: readonly (keyof HostOptions)[] = [
  'highWaterMark',
  'readableHighWaterMark',
  'writableHighWaterMark',
  'allowHalfOpen',
  'signal',
  'emitClose',
];

/** Parts the options of the host from those of the codec. */
function splitOptions<T extends HostOptions>(
  options: T | undefined,
): { host: HostOptions; codec: Omit<T, keyof HostOptions> } {
  const host: Record<string, unknown> = {};
  const codec: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options ?? {})) {
    const isHost = (HOST_NAMES as readonly string[]).includes(name);
    (isHost ? host : codec)[name] = value;
  }
  return { host, codec: codec as Omit<T, keyof HostOptions> };
}

/** node:stream uses null for the end, so this stands for the value null. */
const NULL = Symbol.for('null');

/**
 * A Transform that loses nothing when it fails. Node drops what is buffered as soon as there is an error; here the error waits
 * until the last of it has been read.
 */
abstract class CodecStream extends Transform {
  /** Fails, now or when what was pushed has been read. */
  protected fail(error: unknown, callback: TransformCallback): void {
    if (this.readableLength === 0) {
      callback(error as Error);
      return;
    }
    // Only a stream that has failed pays for this.
    this.read = (size?: number): unknown => {
      const value: unknown = super.read(size);
      if (this.readableLength === 0) {
        Reflect.deleteProperty(this, 'read');
        callback(error as Error);
      }
      return value;
    };
  }
}

/**
 * Encodes each value that is written. What comes out is a stream that every MessagePack decoder can cut into values, and
 * UnpackrStream reads.
 *
 * null cannot be written to a stream of objects; write `Symbol.for('null')`, which is what UnpackrStream reads for it.
 * A value that has no encoding is the event `error` with a PolypackError, after all values before it have been read.
 */
export class PackrStream extends CodecStream {
  readonly #packr: Packr;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: PackrStreamOptions) {
    const { host, codec } = splitOptions(options);
    const packr = new Packr(codec);
    super({ ...host, writableObjectMode: true, readableObjectMode: false });
    this.#packr = packr;
  }

  /** @internal */
  override _transform(value: unknown, _encoding: BufferEncoding, callback: TransformCallback): void {
    let bytes: Uint8Array;
    try {
      bytes = this.#packr.pack(value === NULL ? null : value);
    } catch (error) {
      this.fail(error, callback);
      return;
    }
    this.push(bytes);
    callback();
  }
}

/**
 * Decodes bytes that are cut anywhere, and emits the values. Linear in the bytes.
 *
 * The event `error` comes once, with a PolypackError, after all values that were complete before it have been read; it also
 * comes when the bytes end inside a value. A value null is read as `Symbol.for('null')`, because null ends a stream of
 * objects; override `getNullValue` for another stand-in.
 */
export class UnpackrStream extends CodecStream {
  readonly #decoder: StreamDecoder;

  /** @throws TypeError, RangeError for options that do not exist or make no sense */
  constructor(options?: UnpackrStreamOptions) {
    const { host, codec } = splitOptions(options);
    const { mode, records, useRecords, structures, getStructures } = codec;
    const isSaid =
      mode === 'lossless' || [records, useRecords, structures, getStructures].some((one) => one !== undefined);
    const given: StreamDecoderOptions = isSaid ? codec : { ...codec, records: 'inline' };
    const decoder = new StreamDecoder({ ...given, sequential: codec.sequential ?? true });
    super({ ...host, writableObjectMode: false, readableObjectMode: true, decodeStrings: false });
    this.#decoder = decoder;
  }

  /** What is read for the value null; never null itself. */
  getNullValue(): unknown {
    return NULL;
  }

  /** @internal */
  override _transform(chunk: Uint8Array | string, encoding: BufferEncoding, callback: TransformCallback): void {
    let error: unknown;
    try {
      for (const value of this.#decoder.push(bytesOf(chunk, encoding))) {
        this.push(value === null ? this.getNullValue() : value);
      }
      error = this.#decoder.error;
    } catch (thrown) {
      error = thrown;
    }
    if (error === null) callback();
    else this.fail(error, callback);
  }

  /** @internal */
  override _flush(callback: TransformCallback): void {
    try {
      this.#decoder.finish();
    } catch (error) {
      this.fail(error, callback);
      return;
    }
    callback();
  }
}

/** A string is bytes when it says how, as hex and base64 do; bytes that were decoded as text are lost already. */
function bytesOf(chunk: Uint8Array | string, encoding: BufferEncoding): Uint8Array {
  if (typeof chunk !== 'string') return chunk;
  if (encoding === 'utf8' || encoding === 'utf-8') {
    throw new TypeError('the input is text; take setEncoding away from its source, or write it as bytes');
  }
  return Buffer.from(chunk, encoding);
}
