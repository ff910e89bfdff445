// The door for programs that only decode. Everything comes from the public door, so bundlers leave out the rest, and a
// program that opens both has one registry of extensions.

export type {
  ByteRange,
  Class,
  ExtensionDefinition,
  First,
  UnpackOptions,
  UnpackrOptions,
  ValueCallback,
} from './index.ts';
export {
  addExtension,
  C1,
  classExtension,
  Decoder,
  decode,
  decodeFirst,
  ExtData,
  FLOAT32_OPTIONS,
  Float,
  PolypackError,
  roundFloat32,
  Timestamp,
  Unpackr,
  unpack,
  unpackMultiple,
} from './index.ts';
