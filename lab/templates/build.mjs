#!/usr/bin/env node
// Puts a result into one HTML page that needs nothing beside it: plots, code and data stand in it. A result is what
// `lab run --json` writes, or the rows of ratios that the benches write.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const USAGE = 'usage: node lab/templates/build.mjs RESULT.json PAGE.html';

/** @param {string} name */
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @param {string} text @returns {string} that can stand in a script: no end tag, no comment begins in it */
const insideScript = (text) => text.replaceAll(/<(?=[/!]|script)/gi, '\\u003c');

/**
 * @param {object} result
 * @param {string} name of a page of ratios
 * @returns {Promise<string>} the page
 */
export async function pageOf(result, name = '') {
  const isRatios = Array.isArray(result);
  const { outputFiles } = await esbuild.build({
    entryPoints: [beside(isRatios ? 'page/ratios.mjs' : 'page/main.mjs')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    legalComments: 'none',
  });
  const document = isRatios ? { name, rows: result } : shortened(result);
  // esbuild writes <\/script itself; JSON has to be told.
  const parts = {
    result: insideScript(JSON.stringify(document)),
    script: outputFiles[0]?.text ?? '',
    style: readFileSync(beside('page.css'), 'utf8'),
  };
  return readFileSync(beside(isRatios ? 'ratios.html' : 'report.html'), 'utf8').replaceAll(
    /\/\*(result|script|style)\*\//g,
    (_, /** @type {'result' | 'script' | 'style'} */ part) => parts[part],
  );
}

/** Tenths of nanoseconds are enough. @param {object} result @returns {object} */
function shortened(result) {
  return JSON.parse(JSON.stringify(result), (_, value) =>
    typeof value === 'number' && Math.abs(value) >= 100 ? Math.round(value * 10) / 10 : value,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source, target] = process.argv.slice(2);
  if (source === undefined || target === undefined) {
    console.error(USAGE);
    process.exit(2);
  }
  writeFileSync(target, await pageOf(JSON.parse(readFileSync(source, 'utf8')), path.basename(source, '.json')));
}
