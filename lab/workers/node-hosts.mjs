// Hosts that lack something that Node has.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Flags of Node, so that strings can't become code. */
export const NO_EVAL = ['--disallow-code-generation-from-strings'];

/**
 * Loads a library where there's no Buffer, as in browsers. What it uses of the host it chooses while it's loaded.
 *
 * @template T
 * @param {() => Promise<T>} load
 */
export async function withoutBuffer(load) {
  const { Buffer } = globalThis;
  Reflect.deleteProperty(globalThis, 'Buffer');
  try {
    return await load();
  } finally {
    globalThis.Buffer = Buffer;
  }
}

/**
 * Returns the address of a file of a package that Node would not take by itself.
 *
 * @param {string} name of the package
 * @param {string} file its path, seen from the file that Node takes
 */
export function fileOf(name, file) {
  return new URL(file, pathToFileURL(createRequire(import.meta.url).resolve(name))).href;
}
