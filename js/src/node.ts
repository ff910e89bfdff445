// The entry point for Node, Deno and Bun: index.ts plus the streams for node:stream, which browsers don't have.

export * from './index.ts';
export type { PackrStreamOptions, UnpackrStreamOptions } from './stream/node.ts';
export {
  PackrStream,
  PackrStream as EncoderStream,
  UnpackrStream,
  UnpackrStream as DecoderStream,
} from './stream/node.ts';
