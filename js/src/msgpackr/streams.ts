// PackrStream and UnpackrStream with the options and habits of msgpackr, for node:stream.

import * as streams from '../stream/node.ts';
import { streamOptions } from './iterators.ts';
import { encodingOptions, type Options } from './options.ts';

/** Options of both streams: those of msgpackr, and of node:stream. */
export type StreamOptions = Options | { highWaterMark?: number; emitClose?: boolean; allowHalfOpen?: boolean };

/** The options that go to node:stream. */
function hostOptions(options: StreamOptions): object {
  const { highWaterMark, emitClose, allowHalfOpen } = options as { [name: string]: unknown };
  return Object.fromEntries(
    Object.entries({ highWaterMark, emitClose, allowHalfOpen }).filter(([, one]) => one != null),
  );
}

/** Encodes each value that is written; a record is declared once in the stream. */
export class PackrStream extends streams.PackrStream {
  constructor(options: StreamOptions = {}) {
    super({ ...encodingOptions({ sequential: true, ...(options as Options) }), ...hostOptions(options) });
  }
}

/** Decodes bytes that are cut anywhere, and emits the values; `Symbol.for('null')` for null. */
export class UnpackrStream extends streams.UnpackrStream {
  constructor(options: StreamOptions = {}) {
    super({ ...streamOptions(options as Options), ...hostOptions(options) });
  }
}
