// The entry point of the compact codec. Bytes, values, error codes and default limits are the same as with the
// functions of index.ts, except for a few cases that js/README.md lists. The compact codec has fewer options and is
// slower, but smaller: a compressed bundle with its `pack` and `unpack` has less than a quarter of the bytes of such a
// bundle of index.ts.
//
// Classes and errors come from index.ts, so `instanceof` works across both entry points.

export type { PackrOptions, UnpackrOptions } from './compact/options.ts';
export { Packr, Packr as Encoder, pack, pack as encode } from './compact/pack.ts';
export {
  decodeFirst,
  Unpackr,
  Unpackr as Decoder,
  unpack,
  unpack as decode,
  unpackMultiple,
} from './compact/unpack.ts';
export type {
  Class,
  ErrorCode,
  ErrorDetails,
  ExtensionDefinition,
  First,
  Int64Type,
  Mode,
  ValueCallback,
} from './index.ts';
export { ExtData, Float, PolypackError, Timestamp } from './index.ts';
