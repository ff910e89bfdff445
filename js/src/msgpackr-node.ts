// The door for programs that import msgpackr in Node, Deno and Bun: msgpackr.ts, and the streams for node:stream.

export type { StreamOptions } from './msgpackr/streams.ts';
export {
  PackrStream,
  PackrStream as EncoderStream,
  UnpackrStream,
  UnpackrStream as DecoderStream,
} from './msgpackr/streams.ts';
export * from './msgpackr.ts';
