#!/usr/bin/env node
// Stands between the bench and a page: lines of JSON here, a headless Chromium there.
//
// tools/bench-js.mjs starts one for each library; nobody starts it by hand.

import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findBrowser, POLICY, POLICY_WITH_EVAL, visit } from './browser.mjs';
import { bundleForBrowser } from './bundle-for-browser.mjs';

const USAGE = `usage: node bench-page.mjs KIND LIBRARY FORM [--policy]

Measures LIBRARY, a package or a file, in a page; with --policy in one that lets no string become code. Reads commands from its
input, line by line, and prints the answers.
`;

/** How long a page may be silent: others are measured meanwhile. */
const TIMEOUT_MS = 900_000;

const JS = fileURLToPath(new URL('..', import.meta.url));
const [kind = '', library = '', form = '', flag] = process.argv.slice(2);
if (form === '') {
  process.stdout.write(USAGE);
  process.exit(2);
}
const browser = findBrowser();
if (browser === undefined) throw new Error('there is no Chromium here; tools/setup says more');

const imported = kind === 'JSON' ? 'const library = null;' : `import * as library from ${JSON.stringify(library)};`;
const bundle = await bundleForBrowser(
  `import { converse } from ${JSON.stringify(path.join(JS, 'build/bench/page.js'))};
${imported}
converse(${JSON.stringify(kind)}, library, ${JSON.stringify(form)});`,
  JS,
);

/** Commands that the page has not asked for, and what waits for the next one. */
/** @type {string[]} */
const commands = [];
/** @type {((command: string) => void) | undefined} */
let waiting;

/** @returns {Promise<string>} */
function nextCommand() {
  const command = commands.shift();
  if (command !== undefined) return Promise.resolve(command);
  return new Promise((resolve) => {
    waiting = resolve;
  });
}

const ending = new AbortController();
const end = () => ending.abort('ended');
process.on('SIGTERM', end);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (waiting === undefined) commands.push(line);
    else waiting(line);
    waiting = undefined;
  })
  .on('close', end);

const page = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';
/** @type {import('./browser.mjs').Content} */
function content(asked) {
  if (asked === '/command') return nextCommand();
  return asked === '/' ? page : asked === '/page.js' ? bundle : undefined;
}
const policy = flag === '--policy' ? POLICY : POLICY_WITH_EVAL;
/** @param {string} _ @param {any} answer */
function heard(_, answer) {
  if (answer.fault === undefined) console.log(JSON.stringify(answer));
  else {
    console.error(answer.fault);
    end();
  }
}
await visit(browser, content, { ms: TIMEOUT_MS, policy, heard, signal: ending.signal }).catch((why) => {
  if (why !== 'ended') throw why;
});
