#!/usr/bin/env node
// Runs the suite twice: as it is, and where strings cannot become code, as under a strict content security policy.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const USAGE = `usage: node tools/test.mjs [--once] [ROOM…]

  --once   leave out the second run, without code generation
  ROOM     run only tests/ROOM.test.ts; all without a name

Builds nothing of src/: "npm run --workspace js build" comes first. POLYPACK_RUNS is how often a property is tried.
`;

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const once = args.includes('--once');
const rooms = args.filter((argument) => argument !== '--once');

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
compile();
const all = readdirSync('build/tests').filter((name) => name.endsWith('.test.js'));
const chosen = rooms.length === 0 ? all : rooms.map((room) => `${room}.test.js`);
const files = chosen.sort().map((name) => `build/tests/${name}`);

/**
 * @param {string[]} flags
 * @param {Record<string, string>} env
 */
function run(flags, env) {
  const { status } = spawnSync(process.execPath, [...flags, '--test', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status === 0;
}

const results = [run([], {})];
if (!once) {
  console.log('the same without code generation from strings:');
  // tests/package.test.ts checks that the flag really reached the tests. Properties need fewer runs here: only code that
  // would have to be generated could make a difference.
  const env = { POLYPACK_TESTS_WITHOUT_EVAL: '1', POLYPACK_RUNS: process.env.POLYPACK_RUNS ?? '30' };
  results.push(run(['--disallow-code-generation-from-strings'], env));
}
process.exit(results.every(Boolean) ? 0 : 1);
