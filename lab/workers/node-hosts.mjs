// Hosts that lack something that Node has.

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
