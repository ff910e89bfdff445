// The door for programs that only encode. Everything comes from the public door, so bundlers leave out the rest, and a
// program that opens both has one registry of extensions.

export type { Class, ExtensionDefinition, PackOptions, PackrOptions } from './index.ts';
export {
  addExtension,
  C1,
  classExtension,
  Encoder,
  ExtData,
  encode,
  FLOAT32_OPTIONS,
  Float,
  Packr,
  PolypackError,
  pack,
  packInto,
  Timestamp,
} from './index.ts';
