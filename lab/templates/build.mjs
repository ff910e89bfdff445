#!/usr/bin/env node
// The engine of all reports: puts a document into one HTML page that needs nothing beside it, since plots, code and
// data stand in it. A kind of page is a fragment of HTML and a module of page/, which shows the document.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const USAGE = 'usage: node lab/templates/build.mjs RESULT.json PAGE.html';

/** The title of each kind. */
const TITLES = {
  report: 'The lab: serializers compared',
  ratios: 'Ratios of a bench',
  relay: 'Polypack: the relay',
  conformance: 'Polypack: conformance',
};

/** The control that every page has. */
const COLOURS =
  '<label>colours <select id="theme"><option>system</option><option>light</option><option>dark</option></select></label>\n';

/** @param {string} name */
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @param {string} name */
const read = (name) => readFileSync(beside(name), 'utf8');

/** @param {string} text @returns {string} that can stand in a script: no end tag, no comment begins in it */
const insideScript = (text) => text.replaceAll(/<(?=[/!]|script)/gi, '\\u003c');

/**
 * @param {keyof typeof TITLES} kind
 * @param {object} document what the module of this kind shows
 * @returns {Promise<string>} the page
 */
export async function pageOf(kind, document) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [beside(`page/${kind}.mjs`)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    legalComments: 'none',
  });
  // esbuild writes <\/script itself; JSON has to be told.
  const parts = {
    title: TITLES[kind],
    style: read('page.css'),
    body: read(`${kind}.html`).replace('/*colours*/', COLOURS),
    result: insideScript(JSON.stringify(document)),
    script: outputFiles[0]?.text ?? '',
  };
  return read('page.html').replaceAll(
    /\/\*(title|style|body|result|script)\*\//g,
    (_, /** @type {keyof typeof parts} */ part) => parts[part],
  );
}

/**
 * The page of what `lab run --json` writes, or of the rows of ratios that the benches write.
 *
 * @param {object} result
 * @param {string} name of a page of ratios
 */
export const pageOfResult = (result, name = '') =>
  Array.isArray(result) ? pageOf('ratios', { name, rows: result }) : pageOf('report', shortened(result));

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
  writeFileSync(target, await pageOfResult(JSON.parse(readFileSync(source, 'utf8')), path.basename(source, '.json')));
}
