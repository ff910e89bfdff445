// The entry point for programs that only decode. Bundlers leave out all other code. Because this file re-exports from
// index.ts, a program that imports several entry points has only one table of registered extensions.
//
// The calls that unpack(bytes) makes, outermost first:
//
//   codec/packr.ts       unpack, which has a shared Codec for calls without options
//   codec/codec.ts       Codec.unpack, which finds a free Decoder
//   codec/session.ts     decodeWith, which turns faults into errors
//   decoder/decoder.ts   Decoder.value, which dispatches on the head byte, then Decoder.map for a map
//   decoder/objects.ts   ObjectDecoder.properties, which makes the object from a known shape, or else entry by entry
//
// In builds for Node, codec/packr.ts calls codec/first.ts instead of codec/codec.ts. codec/first.ts reads a codec's
// first messages with decoder/first.ts, and calls codec/codec.ts for all others.

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
