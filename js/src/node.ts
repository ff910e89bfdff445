// The door in Node, Deno and Bun: the public door, and the streams of node:stream, which browsers do not have.

export * from './index.ts';
export type { PackrStreamOptions, UnpackrStreamOptions } from './stream/node.ts';
export {
  PackrStream,
  PackrStream as EncoderStream,
  UnpackrStream,
  UnpackrStream as DecoderStream,
} from './stream/node.ts';
