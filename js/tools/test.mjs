#!/usr/bin/env node
// Runs the suite twice: as it is, and in the newest Node, without what takes long, where strings cannot become code, as
// under a strict content security policy. What makes code from strings runs there once more, with it.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RUNTIME_NAMES, runtimeCommand } from '../../tools/runtimes.mjs';
import { compile } from './compile.mjs';

const USAGE = `usage: node tools/test.mjs [--once] [--quick] [--node NAME,…] [ROOM…]

  --once   leave out the runs in the newest Node
  --quick  leave out what tries everything, or measures
  --node   run it once in each of these instead: ${RUNTIME_NAMES.filter((name) => name.startsWith('node')).join(' ')}, or a path
  ROOM     run only tests/ROOM.test.ts; all without a name

Builds nothing of src/: "npm run --workspace js build" comes first. POLYPACK_RUNS is how often a property is tried.
`;

const { values, positionals: rooms } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    once: { type: 'boolean' },
    quick: { type: 'boolean' },
    node: { type: 'string' },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
compile();
const all = readdirSync('build/tests', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.js'),
);
const chosen = rooms.length === 0 ? all : rooms.map((room) => `${room}.test.js`);
const files = chosen.sort().map((name) => `build/tests/${name}`);

const NEWEST = 'node26';

/** Tests of what has no code made from strings: programs, bundles, files, the stand-ins of browsers. */
const WITHOUT_CODE = /\/(browser|examples|guides|imports|size|snapshot\/\w+|stores\/stores)\.test\.js$/;

/** Tests of what makes code from strings, and of what the host does: files, streams, signatures. */
const MAKES_CODE =
  /\/(decoder\/shapes|properties|records\/\w+|snapshot\/\w+|stores\/stores|stream\/\w+|vectors)\.test\.js$/;

/**
 * @param {string} node
 * @param {string[]} flags
 * @param {Record<string, string>} env
 * @param {string[]} tests
 */
function run(node, flags, env, tests = files) {
  // Node leaves one processor idle, which of two is half of the time.
  const { status } = spawnSync(node, [...flags, '--test', `--test-concurrency=${availableParallelism()}`, ...tests], {
    stdio: 'inherit',
    env: { ...process.env, ...(values.quick ? { POLYPACK_TESTS_QUICK: '1' } : {}), ...env },
  });
  return status === 0;
}

// Properties need fewer runs where only the host or generated code could make a difference, and
// the archive is the same.
const fewer = { POLYPACK_TESTS_AGAIN: '1', POLYPACK_RUNS: process.env.POLYPACK_RUNS ?? '30' };
const results = [];
if (values.node !== undefined) {
  for (const name of values.node.split(',')) {
    console.log(`in ${name}:`);
    results.push(run(runtimeCommand(name)[0] ?? name, [], fewer));
  }
} else {
  results.push(run(process.execPath, [], {}));
  if (!values.once) {
    const [newest = NEWEST] = runtimeCommand(NEWEST);
    console.log(`the same in ${NEWEST}, without code generation from strings:`);
    // tests/package.test.ts checks that the flag really reached the tests.
    const again = { POLYPACK_TESTS_QUICK: '1', ...fewer };
    const env = { POLYPACK_TESTS_WITHOUT_EVAL: '1', ...again };
    const tests = rooms.length > 0 ? files : files.filter((name) => !WITHOUT_CODE.test(name));
    results.push(run(newest, ['--disallow-code-generation-from-strings'], env, tests));
    const others = rooms.length > 0 ? files : files.filter((name) => MAKES_CODE.test(name));
    console.log(`in ${NEWEST}, with it:`);
    results.push(run(newest, [], again, others));
  }
}
process.exit(results.every(Boolean) ? 0 : 1);
