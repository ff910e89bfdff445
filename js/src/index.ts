// The public door of the package. What is not exported here is internal.

export type { CanonicalizeOptions, CanonicalJudgement, CanonicalOptions } from './canonical.ts';
export { canonicalize, encodeCanonical, isCanonical } from './canonical.ts';
export { classExtension } from './clone-class.ts';
export type { ByteRange, ValueCallback } from './codec.ts';
export type { ErrorCode, ErrorDetails } from './errors.ts';
export { PolypackError } from './errors.ts';
export type { Class, ExtensionDefinition } from './extension.ts';
export { addExtension } from './extension.ts';
export { roundFloat32 } from './float32.ts';
export type { Family, FormatRow } from './format.ts';
export { FORMAT } from './format.ts';
export type { AsyncSource, Chunk, StreamSource, StreamSourceReader } from './iterators.ts';
export { decodeIter, encodeIter } from './iterators.ts';
export type { Limits } from './limits.ts';
export type {
  Float32Option,
  Int64Type,
  Mode,
  PackrOptions,
  RecordsMode,
  RecordTest,
  UnpackrOptions,
} from './options.ts';
export { FLOAT32_OPTIONS } from './options.ts';
export type { First } from './pack-into.ts';
export { decodeFirst, packInto } from './pack-into.ts';
export type { PackOptions, UnpackOptions } from './packr.ts';
export {
  clearSource,
  isNativeAccelerationEnabled,
  Packr,
  Packr as Encoder,
  pack,
  pack as encode,
  Unpackr,
  Unpackr as Decoder,
  unpack,
  unpack as decode,
  unpackMultiple,
} from './packr.ts';
export { get, Raw } from './raw.ts';
export type { StreamDecoderOptions } from './stream.ts';
export { StreamDecoder } from './stream.ts';
export { decodeElements, ElementsDecoder, elementsTransform } from './stream-elements.ts';
export type { Structures } from './structures.ts';
export type { CompatibilityCheck, SharedOptions, SharedReadOptions, StructureSource } from './structures-shared.ts';
export { Timestamp } from './timestamp.ts';
export { C1, ExtData, Float } from './values.ts';
export type { TransformPair } from './web-streams.ts';
export { packTransform, unpackTransform } from './web-streams.ts';
