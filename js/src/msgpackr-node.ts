// The entry point polypack/msgpackr for Node, Deno and Bun: msgpackr.ts plus the streams for node:stream.

export type { StreamOptions } from './msgpackr/streams.ts';
export {
  PackrStream,
  PackrStream as EncoderStream,
  UnpackrStream,
  UnpackrStream as DecoderStream,
} from './msgpackr/streams.ts';
export * from './msgpackr.ts';
