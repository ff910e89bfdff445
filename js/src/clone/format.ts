// View codes and prefixes of structured cloning (spec/03-extensions.md#structured-cloning).
//
// Plan: view codes · prefixes. The ext types are in core/format.ts.
//
// A prefix is an ext that belongs to the value after it. For example, `d4 73 00` says that the next array is a Set.
// Readers with `structuredClone`, `moreTypes` or `compat` understand prefixes. Other readers decode the ext as a
// separate value, and then find one value too many.

import type { HasExtensions } from '../core/extension.ts';
import { DATA_VIEW_CODE, isArrayPrefix, LABEL_LENGTH, LABEL_TYPE } from '../core/format.ts';
import type { Settings } from '../options/settings.ts';
import type { PrefixTest } from '../scan/scan.ts';

/** The names of the constructors of typed arrays, indexed by view code. Not every engine has Float16Array. */
const VIEW_NAMES = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
] as const;

/** The common interface of the constructors of typed arrays and DataView. */
interface ViewConstructor {
  /** Bytes per element. A DataView has no such property; its elements are bytes. */
  readonly BYTES_PER_ELEMENT?: number;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): ArrayBufferView;
}

/** Returns the constructor of views with this code; undefined if the code is unknown, or the engine lacks the class. */
export function viewConstructor(code: number): ViewConstructor | undefined {
  if (code === DATA_VIEW_CODE) return DataView;
  const name = VIEW_NAMES[code];
  return name === undefined ? undefined : (globalThis as unknown as Record<string, ViewConstructor>)[name];
}

/** Returns the code of a view, which may come from another realm; −1 for an unknown kind of view. */
export function viewCode(view: ArrayBufferView): number {
  if (view instanceof DataView) return DATA_VIEW_CODE;
  // The getter Symbol.toStringTag of %TypedArray%.prototype returns the kind, even for a subclass or another realm. It
  // returns undefined for a DataView.
  const kind = Reflect.get(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag, view) as unknown;
  return kind === undefined ? DATA_VIEW_CODE : (VIEW_NAMES as readonly unknown[]).indexOf(kind);
}

/** Returns a test for the prefixes that a reader with these settings and extensions knows; null if it knows none. */
export function prefixTest(settings: Settings, holder: HasExtensions): PrefixTest | null {
  const { moreTypes, references, compat } = settings;
  if (!moreTypes && !references && !compat) return null;
  return (type, length, first) => {
    if (references && type === LABEL_TYPE && length === LABEL_LENGTH) return true;
    if (length !== 1) return false;
    const definition = holder.extensions.forType(type);
    if (definition !== undefined) return (references || compat) && first === 0 && definition.unpack === undefined;
    return moreTypes && isArrayPrefix(type, first);
  };
}
