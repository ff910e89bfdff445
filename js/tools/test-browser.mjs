#!/usr/bin/env node
// Runs the suite in a browser, on a page whose content security policy lets no string become code.
//
// Plan: what cannot run there · the bundles · the pages · main.
//
// The package's own files are served as they are in dist/. The compiled tests are bundled with stand-ins for the little
// they use of Node (tests/browser/), which the package does not see.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { BROWSER_NAMES, findBrowser, visit } from './browser.mjs';
import { compile } from './compile.mjs';

const USAGE = `usage: node tools/test-browser.mjs [--browser NAME,…] [--optional] [--quick] [ROOM…]

  --browser    chromium (the default), firefox or webkit
  --optional   where a browser is missing, say so and end well
  --quick      leave out what tries everything, or measures
  ROOM         run only tests/ROOM.test.ts; all without a name

Runs the suite in a headless browser under a content security policy without unsafe-eval; what the policy refuses fails
the run. Chromium is the system's, or the program that POLYPACK_CHROMIUM names; the others are Playwright's own builds
(node_modules/.bin/playwright-core install firefox webkit), or what POLYPACK_FIREFOX and POLYPACK_WEBKIT name. Builds
nothing of src/: "npm run --workspace js build" comes first.
`;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TESTS = path.join(ROOT, 'js/build/tests');
const BROWSER = path.join(TESTS, 'browser/');
/** How long a file may take: no test hangs for longer, and a busy machine takes minutes. */
const TIMEOUT_MS = 600_000;

// --- what cannot run there -------------------------------------------------------------------------------------------

/** Files that are about something which a browser has not. */
const NODE_ONLY = {
  browser: 'compares the stand-in for node:assert with node:assert',
  'core/host': 'starts processes whose hosts lack a name',
  examples: 'starts servers',
  guides: 'reads the guides, and compares with packages in Node',
  imports: 'runs a tool',
  memory: 'measures the heap through node:v8',
  package: 'is about files, archives and processes',
  'stream/msgpackr-guide': 'is about node:stream',
  'decoder/gaps': 'measures the heap through node:v8',
  'encoder/realms': 'makes values of another realm with node:vm',
  'decoder/first': 'is about a tier that the ESM build does not have',
  'decoder/shapes': 'asks for code, which the policy refuses',
  'options/defaults': 'has streams of Node',
  'options/refusals': 'has streams of Node, and a store of files',
  size: 'bundles the package',
  'snapshot/buffers': 'is about Buffers',
  'stores/stores': 'is about files, processes and Redis',
  'msgpackr/door': 'is about Buffers and node:stream',
  'msgpackr/guide': 'reads the guide, and is about Buffers and node:stream',
  'msgpackr/versions': 'has streams of Node',
  'stream/node': 'is about node:stream',
};

/** Why single tests are left out. */
const REASONS = {
  peer: 'compares with msgpackr, which takes Uint8Array for a typed array where there is no Buffer',
  peerStream: 'has msgpackr write to a stream of node:stream',
  process: 'starts a process',
  time: 'measures processor time',
  'core/host': 'starts processes whose hosts lack a name',
  imports: 'runs a tool',
  memory: 'measures the memory of the process',
  require: 'is about require',
  slab: 'is about results that share memory, which they do on Node alone',
  guide: 'reads the guide',
};

/** @type {[file: string, test: string, reason: keyof typeof REASONS][]} */
const TESTS_LEFT_OUT = [
  ['envelope/bundle', 'random values are bundled as msgpackr does it with {"structuredClone":true}', 'peer'],
  ['clone/values', 'the bytes are those of the newer msgpackr, in both directions', 'peer'],
  ['clone/values', 'the bytes are those of the older msgpackr, in both directions', 'peer'],
  ['compact/compact', 'keys deep inside keys are read in linear time', 'time'],
  [
    'envelope/bundle',
    'a stream of bundled messages is linear in the bytes, and gives every changed byte the same way for every cut',
    'time',
  ],
  ['options/compat', 'random values have the bytes of msgpackr with {"moreTypes":true}', 'peer'],
  ['options/compat', 'random values have the bytes of msgpackr with {"structuredClone":true}', 'peer'],
  [
    'encoder/encoder',
    'a message with no room in the rest of a slab does not send all after it to memory of their own',
    'slab',
  ],
  [
    'hostile-input',
    'five bytes that claim millions of elements, and thousands of nested claims, cost nothing',
    'memory',
  ],
  ['decoder/keys', 'a long name does not multiply when its records are keys', 'memory'],
  ['decoder/keys', 'many names do not multiply either', 'memory'],
  ['decoder/keys', 'keys inside keys, with something large inside the innermost', 'memory'],
  ['decoder/keys', 'many keys of one map', 'memory'],
  ['core/limits', 'declared lengths cost nothing until the bytes are there', 'memory'],
  ['core/limits', 'a count is a promise about bytes, and the outer containers keep theirs', 'time'],
  ['core/limits', 'bad input is refused quickly', 'time'],
  ['snapshot/snapshot', 'a megabyte of any cheap unit takes linear time', 'time'],
  ['decoder/objects', 'values reach no setter on Object.prototype, and a frozen one hinders nothing', 'process'],
  ['msgpackr-guide', 'browser usage: the part for unpacking', 'require'],
  ['msgpackr-guide', 'what it exports is here, or the guide says what stands in for it', 'guide'],
  ['stream/sequence', 'every reader of several values reads what a sequential writer wrote', 'peerStream'],
  ['stream/stream', 'linear in the bytes however they are cut', 'time'],
  ['stream/stream', 'many small messages in one chunk', 'time'],
  ['decoder/text', 'a host without the methods of Buffer gives the same text', 'process'],
  ['decoder/text', 'a host without the methods of Buffer writes the bytes of TextEncoder', 'process'],
];

// --- the bundles -----------------------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const STAND_INS = {
  'node:assert/strict': 'assert.js',
  'node:child_process': 'host.js',
  'node:fs': 'host.js',
  'node:module': 'host.js',
  'node:stream': 'host.js',
  'node:test': 'runner.js',
  'node:url': 'host.js',
  'node:vm': 'host.js',
};

/** What the package exports, as the page imports it. */
const DOORS = {
  polypack: 'index',
  'polypack/compact': 'compact',
  'polypack/msgpackr': 'msgpackr',
  'polypack/pack': 'pack',
  'polypack/unpack': 'unpack',
  'polypack/snapshot': 'snapshot',
  'polypack/stores': 'stores',
};

/** @type {import('esbuild').Plugin} */
const forBrowsers = {
  name: 'for-browsers',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path: name }) => {
      const file = STAND_INS[name];
      return file === undefined ? null : { path: path.join(BROWSER, file) };
    });
    onResolve({ filter: /^polypack(\/|$)/ }, ({ path: name }) => {
      const door = DOORS[/** @type {keyof typeof DOORS} */ (name)];
      return door === undefined ? null : { path: `/js/dist/${door}.js`, external: true };
    });
    // msgpackr has a build of its own for such pages; its other one tries first whether it may make code.
    onResolve({ filter: /^msgpackr(-1\.11)?$/ }, ({ path: name }) => ({
      path: path.join(ROOT, 'node_modules', name, 'dist/index-no-eval.cjs'),
    }));
    // Buffer and process are names of the tests alone: where they were global, the package would
    // take the page for Node.
    onLoad({ filter: /(build\/tests|tools\/vectors)\/.*\.m?js$/ }, ({ path: file }) => {
      if (file.startsWith(BROWSER)) return null;
      const names = `import { Buffer, process } from ${JSON.stringify(path.join(BROWSER, 'host.js'))};`;
      return { contents: `${names}\n${readFileSync(file, 'utf8')}`, resolveDir: path.dirname(file) };
    });
  },
};

/**
 * Bundles the page and the tests, in memory.
 *
 * @param {string[]} rooms
 * @returns {Promise<Map<string, Uint8Array>>} by the path that serves them
 */
async function bundle(rooms) {
  const { outputFiles } = await build({
    entryPoints: [path.join(BROWSER, 'page.js'), ...rooms.map((room) => path.join(TESTS, `${room}.test.js`))],
    outdir: TESTS,
    outbase: TESTS,
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
    plugins: [forBrowsers],
  });
  return new Map(outputFiles.map(({ path: file, contents }) => [`/${path.relative(ROOT, file)}`, contents]));
}

// --- the pages -------------------------------------------------------------------------------------------------------

/** Paths of the repository's files that tests read. */
function repositoryFiles() {
  const folders = ['vectors', 'go/testdata/records'];
  const found = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  return [...found, 'spec/format.json'].map((name) => `/${name}`);
}

/**
 * @param {Map<string, Uint8Array>} bundles
 * @param {string[]} rooms
 * @returns {import('./browser.mjs').Content}
 */
function contentOf(bundles, rooms) {
  const scripts =
    '<script src="/js/dist/polypack.min.js"></script><script type="module" src="/js/build/tests/browser/page.js"></script>';
  const leftOut = TESTS_LEFT_OUT.map(([file, test]) => [file, test]);
  const read = repositoryFiles();
  const env = values.quick ? { POLYPACK_TESTS_QUICK: '1' } : {};
  const pages = new Map([
    ['/', `<!doctype html><meta charset="utf-8">${scripts}`],
    ['/run.json', JSON.stringify({ files: rooms, leftOut, read, env })],
  ]);
  return (asked) => {
    const isBuilt = /^\/js\/dist\/[\w.-]+\.js$/.test(asked) && existsSync(path.join(ROOT, asked));
    const isFile = isBuilt || read.includes(asked);
    return pages.get(asked) ?? bundles.get(asked) ?? (isFile ? readFileSync(path.join(ROOT, asked)) : undefined);
  };
}

/** @typedef {{file: string, name: string, failure: string | null}} Outcome */

/**
 * What the page of a file sent.
 *
 * @typedef {{file: string, outcomes: Outcome[], violations: string[], isPolicyInForce: boolean}} Result
 */

/**
 * @param {import('./browser.mjs').Browser} browser
 * @param {string[]} rooms
 * @returns {Promise<Result[]>}
 */
async function runPages(browser, rooms) {
  /** @type {Result[]} */
  const results = [];
  const content = contentOf(await bundle(rooms), rooms);
  const running = () => `${rooms[results.length] ?? 'no file'} was running`;
  const { error } = await visit(browser, content, { ms: TIMEOUT_MS, heard: (_, body) => results.push(body) }).catch(
    (why) => ({ error: why.message }),
  );
  if (error !== undefined) throw new Error(`${error}; ${running()}`);
  return results;
}

// --- main ------------------------------------------------------------------------------------------------------------

/** @param {string} name the browser's @param {Result[]} results */
function report(name, results) {
  const outcomes = results.flatMap((one) => one.outcomes);
  const failed = outcomes.filter(({ failure }) => failure !== null);
  for (const { file, name, failure } of failed) console.error(`FAIL ${file}: ${name}\n${failure}\n`);
  const refused = results.flatMap(({ file, violations }) =>
    violations.map((one) => `the policy refused ${one} (${file})`),
  );
  const open = results.filter((one) => !one.isPolicyInForce).map(({ file }) => `strings could become code (${file})`);
  for (const line of [...refused, ...open]) console.error(`FAIL ${line}`);
  const isRight = failed.length + refused.length + open.length === 0 && outcomes.length > 0;
  for (const [file, test, reason] of TESTS_LEFT_OUT) {
    if (results.some((one) => one.file === file)) console.log(`left out: ${file}: ${test}: it ${REASONS[reason]}`);
  }
  const passed = outcomes.length - failed.length;
  console.log(
    `${isRight ? 'ok  ' : 'FAIL'} ${name}: ${passed} of ${outcomes.length} tests of ${results.length} files passed`,
  );
  return isRight;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string', default: 'chromium' },
    optional: { type: 'boolean' },
    quick: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
const names = BROWSER_NAMES.filter((name) => values.browser.split(',').includes(name));
if (values.help || names.length !== values.browser.split(',').length) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 2);
}
process.chdir(path.join(ROOT, 'js'));
compile();
const all = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
  name.endsWith('.test.js') ? [name.slice(0, -'.test.js'.length)] : [],
);
const rooms = (positionals.length > 0 ? positionals : all.filter((room) => !(room in NODE_ONLY))).sort();
if (positionals.length === 0) {
  for (const [file, why] of Object.entries(NODE_ONLY)) console.log(`left out: ${file}: it ${why}`);
}
for (const name of names) {
  const browser = findBrowser(name);
  if (browser === undefined) {
    console.error(`${values.optional ? 'note' : 'FAIL'} ${name}: it is not here; --help says where it may come from`);
    if (!values.optional) process.exitCode = 1;
    continue;
  }
  const results = await runPages(browser, rooms);
  if (!report(name, results) || results.length !== rooms.length) process.exitCode = 1;
}
