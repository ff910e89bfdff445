// The door of the compact codec: the same bytes, values, errors and limits as the public door, in a fifth of its size,
// with fewer options and less speed.
//
// Classes and errors come from the public door, so a value or error of one door is one of the other.

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
