// Streams of node:stream: values in and bytes out, or bytes in and values out.
//
// Plan: options · CodecStream, which fails only after its values are read · PackrStream · UnpackrStream.
//
// All other code of the package is imported from index.ts, so that a bundle of this file contains no second copy of it.

import { Transform, type TransformCallback, type TransformOptions } from 'node:stream';
import { Packr, type PackrOptions, StreamDecoder, type StreamDecoderOptions } from '../index.ts';

/**
 * Options of node:stream that are passed on. Defaults and ranges are Node's. Partial, because without Node's types each
 * option would be a required property of the type `any`.
 */
type HostOptions = Partial<
  Pick<
    TransformOptions,
    'highWaterMark' | 'readableHighWaterMark' | 'writableHighWaterMark' | 'allowHalfOpen' | 'signal' | 'emitClose'
  >
>;

/** Options of PackrStream. `records` is 'inline' by default, except in lossless mode. */
export interface PackrStreamOptions extends PackrOptions, HostOptions {}

/** Options of UnpackrStream. By default, `records` is 'inline', except in lossless mode, and `sequential` is true. */
export interface UnpackrStreamOptions extends StreamDecoderOptions, HostOptions {}

const HOST_NAMES: readonly (keyof HostOptions)[] = [
  'highWaterMark',
  'readableHighWaterMark',
  'writableHighWaterMark',
  'allowHalfOpen',
  'signal',
  'emitClose',
];

/**
 * Separates the options of node:stream from those of the codec.
 *
 * @internal
 */
export function splitOptions<T extends HostOptions>(
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

/** Stands for the value null, because null ends a stream of node:stream. */
const NULL = Symbol.for('null');

/**
 * A Transform that loses no values when it fails. Node drops buffered values as soon as there is an error. So a
 * CodecStream delays the error until the last buffered value has been read.
 */
abstract class CodecStream extends Transform {
  /** Passes the error to `callback` as soon as all buffered values have been read. */
  protected fail(error: unknown, callback: TransformCallback): void {
    if (this.readableLength === 0) {
      callback(error as Error);
      return;
    }
    // Override `read` only after a failure, so that the override doesn't slow down other streams.
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
 * Encodes each value that is written. UnpackrStream reads the output. For most other MessagePack decoders, set
 * `records: 'off'`.
 *
 * null can't be written to a stream of objects. Write `Symbol.for('null')` instead, which UnpackrStream also emits for
 * null. A value that can't be encoded causes the event `error` with a PolypackError, after the bytes of all earlier
 * values have been read.
 */
export class PackrStream extends CodecStream {
  readonly #packr: Packr;

  /** @throws TypeError, RangeError for options that don't exist or make no sense */
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
 * Decodes chunks of bytes that are cut anywhere, and emits the values. Takes linear time.
 *
 * A fault causes the event `error` once, with a PolypackError, after all complete values before the fault have been
 * read. Bytes that end inside a value are also a fault. The value null is emitted as `Symbol.for('null')`, because null
 * ends a stream of objects. Override `getNullValue` to emit something else.
 */
export class UnpackrStream extends CodecStream {
  readonly #decoder: StreamDecoder;

  /** @throws TypeError, RangeError for options that don't exist or make no sense */
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

  /** Returns what is emitted for the value null. It must not be null. */
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

/**
 * Returns the bytes of a chunk. A string is converted with its encoding, such as hex or base64. UTF-8 is refused,
 * because decoding bytes as text may have changed them.
 */
function bytesOf(chunk: Uint8Array | string, encoding: BufferEncoding): Uint8Array {
  if (typeof chunk !== 'string') return chunk;
  if (encoding === 'utf8' || encoding === 'utf-8') {
    throw new TypeError('the input is text; take setEncoding away from its source, or write it as bytes');
  }
  return Buffer.from(chunk, encoding);
}
