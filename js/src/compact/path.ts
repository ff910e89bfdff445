// The path of a fault of the compact codec (spec/07#path). All other codecs use core/path.ts.

/** A path has at most this many bytes of UTF-8. */
const MAX_PATH = 4096;

/**
 * The token of a container while no index or key of it is known, such as a map whose key is being read. The path ends
 * there.
 */
export const IN_KEY = null;

/** Returns the RFC 6901 pointer of the tokens, outermost first. */
export function pathOf(tokens: readonly unknown[]): string {
  let path = '';
  for (const token of tokens) {
    if (token === null) break;
    const segment = `/${textOf(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    // Each byte that isn't ASCII becomes %XX. No token has a lone surrogate, and no host lacks this function.
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
