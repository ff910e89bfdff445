#!/usr/bin/env node
// Opens the installed package in a browser: bundled as an application would be, and as a script.
//
// tools/test-packages calls this in the folder of an empty project.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findBrowser, visit } from './browser.mjs';
import { bundleForBrowser } from './bundle-for-browser.mjs';

const USAGE = `usage: node test-packed.mjs FOLDER

FOLDER is a project that has polypack installed. A page packs and unpacks with a bundle of the package and with
polypack.min.js, under a content security policy; the variable MESSAGE holds bytes in hex that lossless mode must not change.
Ends well, with a line, where there is no browser.
`;

const PAGE = `
import { Packr, pack, Unpackr, unpack } from 'polypack';
import * as compact from 'polypack/compact';
import { unpack as only } from 'polypack/unpack';

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytes = Uint8Array.from(MESSAGE.match(/../g), (pair) => Number.parseInt(pair, 16));
const value = { name: 'polypack', list: [1, -1, 2.5, 'é', null, true], big: 2n ** 64n - 1n };
const again = (one) => JSON.stringify(one, (_, part) => (typeof part === 'bigint' ? String(part) : part));
const results = {
  lossless: hexOf(new Packr({ mode: 'lossless' }).pack(new Unpackr({ mode: 'lossless' }).unpack(bytes))),
  value: again(unpack(pack(value))) === again(value),
  part: again(only(pack(value))) === again(value),
  compact: again(compact.unpack(compact.pack(value))) === again(value),
  script: again(globalThis.polypack.unpack(globalThis.polypack.pack(value))) === again(value),
};
fetch('/done', { method: 'POST', body: JSON.stringify(results) });
`;

const [folder] = process.argv.slice(2);
const message = process.env.MESSAGE;
if (folder === undefined || message === undefined || folder.startsWith('-')) {
  process.stdout.write(USAGE);
  process.exit(folder === '--help' || folder === '-h' ? 0 : 2);
}
const browser = findBrowser();
if (browser === undefined) {
  console.log('note browser: there is no Chromium here; tools/setup says more');
  process.exit(0);
}
const bundle = await bundleForBrowser(PAGE, path.resolve(folder), { MESSAGE: JSON.stringify(message) });
const scripts = '<script src="/polypack.min.js"></script><script type="module" src="/app.js"></script>';
/** @type {Record<string, string | Uint8Array>} */
const files = {
  '/': `<!doctype html><meta charset="utf-8">${scripts}`,
  '/app.js': bundle,
  '/polypack.min.js': readFileSync(path.join(folder, 'node_modules/polypack/dist/polypack.min.js')),
};
const results = await visit(browser, (asked) => files[asked], { ms: 60_000 });
const isRight = results.lossless === message && results.value && results.part && results.compact && results.script;
if (!isRight) console.error(`the page sent ${JSON.stringify(results)}`);
process.exit(isRight ? 0 : 1);
