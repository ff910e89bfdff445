// The main entry point of the package. node.ts adds the streams for node:stream.

export type { CanonicalizeOptions, CanonicalJudgement, CanonicalOptions } from './canonical.ts';
export { CANONICAL_VERSION, canonicalize, encodeCanonical, isCanonical } from './canonical.ts';
export { classExtension } from './clone/class.ts';
export type { ByteRange, ValueCallback } from './codec/codec.ts';
export type { First } from './codec/pack-into.ts';
export { decodeFirst, packInto } from './codec/pack-into.ts';
export type { PackOptions, UnpackOptions } from './codec/packr.ts';
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
} from './codec/packr.ts';
export type { ErrorCode, ErrorDetails } from './core/errors.ts';
export { PolypackError } from './core/errors.ts';
export type { Class, ExtensionDefinition } from './core/extension.ts';
export { addExtension } from './core/extension.ts';
export type { Float32Option } from './core/float32.ts';
export { FLOAT32_OPTIONS, roundFloat32 } from './core/float32.ts';
export type { Family, FormatRow } from './core/format.ts';
export { FORMAT } from './core/format.ts';
export type { Limits } from './core/limits.ts';
export { Timestamp } from './core/timestamp.ts';
export { C1, ExtData, Float } from './core/values.ts';
export type { Bytes } from './core/views.ts';
export type {
  Int64Type,
  InvalidUtf8,
  Mode,
  PackrOptions,
  RecordsMode,
  RecordTest,
  UnpackrOptions,
} from './options/settings.ts';
export { get } from './raw/get.ts';
export { Raw } from './raw/raw.ts';
export type { Structures } from './records/dictionary.ts';
export type { CompatibilityCheck, SharedOptions, SharedReadOptions, StructureSource } from './records/shared.ts';
export { decodeElements, ElementsDecoder, elementsTransform } from './stream/elements.ts';
export type { AsyncSource, Chunk, StreamSource, StreamSourceReader } from './stream/iterators.ts';
export { decodeIter, encodeIter } from './stream/iterators.ts';
export type { StreamDecoderOptions } from './stream/stream.ts';
export { StreamDecoder } from './stream/stream.ts';
export type { TransformPair } from './stream/web.ts';
export { packTransform, unpackTransform } from './stream/web.ts';
