// PackrStream and UnpackrStream with the options and the behaviour of msgpackr, for node:stream.

import type { TransformCallback } from 'node:stream';
import * as streams from '../stream/node.ts';
import { cutOff } from './codec.ts';
import { streamOptions } from './iterators.ts';
import { encodingOptions, type Options } from './options.ts';

/** Options of both streams: the options of msgpackr and those of node:stream. */
export type StreamOptions = Options | { highWaterMark?: number; emitClose?: boolean; allowHalfOpen?: boolean };

/** Returns only the options that belong to node:stream. */
const hostOptions = (options: StreamOptions) => streams.splitOptions(options as object).host;

/** Encodes each value that is written. By default, a record is declared only once in the stream. */
export class PackrStream extends streams.PackrStream {
  constructor(options: StreamOptions = {}) {
    const given = { sequential: true, ...(options as Options) };
    super({ ...encodingOptions(given), ...hostOptions(options) });
  }
}

/** Decodes bytes that are cut anywhere, and emits the values. Emits `Symbol.for('null')` for null. */
export class UnpackrStream extends streams.UnpackrStream {
  constructor(options?: StreamOptions | null) {
    super({ ...streamOptions((options ?? {}) as Options), ...hostOptions(options ?? {}) });
  }

  /** @internal */
  override _transform(chunk: Uint8Array | string, encoding: BufferEncoding, callback: TransformCallback): void {
    super._transform(cutOff(chunk), encoding, callback);
  }
}
