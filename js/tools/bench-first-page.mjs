#!/usr/bin/env node
// Opens one page in a browser of its own, which loads a library and encodes or decodes its first messages.
//
// tools/bench-first.mjs starts one for each sample; nobody starts it by hand.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, visit } from './browser.mjs';
import { bundleForBrowser } from './bundle-for-browser.mjs';

const USAGE = `usage: node bench-first-page.mjs KIND LIBRARY OPERATION VALUES MESSAGES

Prints {load, wall, verified} in milliseconds, as js/bench/first.ts does. LIBRARY is a package or a file.
`;

const TIMEOUT_MS = 120_000;

const JS = fileURLToPath(new URL('..', import.meta.url));
const [kind = '', library = '', operation = '', values = '', messages = ''] = process.argv.slice(2);
if (messages === '') {
  process.stdout.write(USAGE);
  process.exit(2);
}
const browser = findBrowser();
if (browser === undefined) throw new Error('there is no Chromium here; tools/setup says more');

const program = path.join(JS, 'build/bench/first-page.js');
const start = `report(${JSON.stringify(kind)}, ${operation === 'pack'});`;
/** @type {Record<string, string | Uint8Array>} */
const files = {
  '/': '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>',
  '/page.js': await bundleForBrowser(`import { report } from ${JSON.stringify(program)};\n${start}`, JS),
  '/values.json': readFileSync(values),
  '/messages.json': readFileSync(messages),
};
if (kind !== 'JSON') {
  files['/library.js'] = await bundleForBrowser(`export * from ${JSON.stringify(library)};`, JS);
}
const policy = "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self'";
const { fault, ...sample } = await visit(browser, (asked) => files[asked], { ms: TIMEOUT_MS, policy });
if (fault !== undefined) throw new Error(fault);
console.log(JSON.stringify(sample));
