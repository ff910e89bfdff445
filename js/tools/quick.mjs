#!/usr/bin/env node
// Runs unit tests and vectors from the sources, in seconds: for the time between an edit and the next.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runtimeCommand } from '../../tools/runtimes.mjs';

const USAGE = `usage: npm run --workspace js quick [-- ROOM…]

  ROOM   run only tests/ROOM.test.ts, or the tests of the folder tests/ROOM, but all of each

Needs no build: Node 22 strips the types. Without a ROOM, tests that try everything and tests of the built package are
left out, properties are tried a few times (POLYPACK_RUNS), and a faulty vector in one mode instead of three. One file
in any Node from 22.18 on:

  node --import ./js/tools/sources.mjs --test js/tests/ROOM.test.ts
`;

/** Tests of dist/, of its size and memory, of programs, of what input costs, of random values, and of the suite. */
const NOT_UNITS = [
  ...['browser', 'core/collisions', 'core/host', 'decoder/gaps', 'examples', 'imports', 'memory', 'package'],
  ...['properties', 'size', 'stores/stores'],
];

/** Files that register extensions for every codec of their process, by the processes that they run in. */
const REGISTERING = [
  ['core/extension'],
  ['encoder/surrogates', 'hostile-input', 'msgpackr-guide', 'msgpackr/door', 'msgpackr/guide', 'stream/node'],
];

const rooms = process.argv.slice(2);
if (rooms.some((room) => room.startsWith('-'))) {
  process.stdout.write(USAGE);
  process.exit(rooms.includes('--help') || rooms.includes('-h') ? 0 : 2);
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const all = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -'.test.ts'.length))
  .sort();
const chosen = all.filter((name) =>
  rooms.length === 0 ? !NOT_UNITS.includes(name) : rooms.some((room) => name === room || name.startsWith(`${room}/`)),
);
if (chosen.length === 0) throw new Error(`tests/ has no ${rooms.join(', ')}`);

const [node = ''] = runtimeCommand('node22');
const sources = ['--disable-warning=ExperimentalWarning', `--import=${new URL('sources.mjs', import.meta.url)}`];
/** Tests of milliseconds end before code that is compiled beside them, and optimised, has paid for itself. */
const SHORT = ['--single-threaded', '--no-opt', '--max-semi-space-size=64'];
/** What Node has compiled, for the next run. */
const CACHE = fileURLToPath(new URL('../build/compiled', import.meta.url));
const QUICK = { POLYPACK_TESTS_QUICK: '1', POLYPACK_RUNS: '3', ...process.env };

/** @param {string[]} names what one process runs: it compiles src/ once for all of them */
function run(names) {
  if (names.length === 0) return true;
  const files = names.map((name) => `tests/${name}.test.ts`);
  // Processes that tests start load src/ as well.
  const settings = rooms.length === 0 ? QUICK : process.env;
  const env = { ...settings, NODE_OPTIONS: sources.join(' '), NODE_COMPILE_CACHE: CACHE };
  const flags = rooms.length === 0 ? SHORT : [];
  const args = [...flags, '--test', '--experimental-test-isolation=none', '--test-reporter=dot', ...files];
  return spawnSync(node, args, { stdio: 'inherit', env }).status === 0;
}

const others = chosen.filter((name) => !REGISTERING.flat().includes(name));
const groups = [others, ...REGISTERING.map((names) => names.filter((name) => chosen.includes(name)))];
process.exit(groups.map(run).every(Boolean) ? 0 : 1);
