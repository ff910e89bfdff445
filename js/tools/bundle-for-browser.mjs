// Bundles a program for browsers as an application would.

import { build } from 'esbuild';

/**
 * @param {string} source an ES module
 * @param {string} folder where its imports are resolved
 * @param {Record<string, string>} [define] names that stand for expressions
 * @returns {Promise<Uint8Array>} a minified ES module
 */
export async function bundleForBrowser(source, folder, define = {}) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    define,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // Packages as they are installed; the tsconfig.json of js/ would lead to src/.
    tsconfigRaw: '{}',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
