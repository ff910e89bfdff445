// The entry point for programs that only encode. It re-exports from index.ts, so that a program that imports several
// entry points has only one table of registered extensions.

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
