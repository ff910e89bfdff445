// The path of a fault of the compact codec (spec/07#path). The other codecs use core/path.ts.

/** A path has at most this many bytes of UTF-8, not counting `/…` at its end. */
const MAX_PATH = 4096;

/**
 * The token of a container that has no current index or key, such as a map whose key is being read. The path ends at
 * this container.
 */
export const IN_KEY = null;

/** Returns the RFC 6901 pointer for tokens, which are given outermost first. */
export function pathOf(tokens: readonly unknown[]): string {
  let path = '';
  for (const token of tokens) {
    if (token === null) break;
    const segment = `/${textOf(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    // Counts bytes of UTF-8: encodeURIComponent writes each byte that isn't ASCII as %XX. Every host has this function,
    // but some have no TextEncoder. It doesn't throw, because no token has a lone surrogate.
    if (encodeURIComponent(path + segment).replace(/%../g, '_').length > MAX_PATH) return `${path}/…`;
    path += segment;
  }
  return path;
}

/** Returns the text of a token: an index, a name, or a key that is a bin or an int. */
function textOf(token: unknown): string {
  if (!(token instanceof Uint8Array)) return String(token);
  return token.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '0x');
}
