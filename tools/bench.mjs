#!/usr/bin/env node
// Runs the quick benches of the parts, one after the other, and says where each wrote its rows.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';

const PARTS = ['js', 'php', 'go', 'first', 'cost'];
const USAGE = `usage: node tools/bench.mjs [PART…]

Runs the quick benches of the parts named (${PARTS.join(', ')}; all without a name). A part's bench is the script
"bench" of its package.json or composer.json, otherwise the programs in its bench/ folder, and for Go the
module go/bench, without peers that have to be fetched (make bench-go takes those); first is the first messages of fresh
processes; cost is what bad input costs all of them. Rows go to build/bench/<part>.json (first-<language>.json); a part
that has no bench, or writes no rows, is named.
`;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/**
 * A command and the folder it runs in.
 *
 * @typedef {{command: string[], cwd: string}} Step
 */

/** @param {string} manifest */
function hasBenchScript(manifest) {
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).scripts?.bench !== undefined;
}

/**
 * The bench programs of a folder; names that start with "_" are helpers.
 *
 * @param {string} folder
 * @param {string} extension
 */
function programs(folder, extension) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(extension) && !name.startsWith('_'));
  return names.sort().map((name) => path.posix.join(folder, name));
}

/**
 * @param {string} part
 * @returns {Step[]}
 */
function stepsOf(part) {
  if (part === 'js') {
    const build = { command: ['npm', 'run', '--silent', '--workspace', 'js', 'build'], cwd: '.' };
    if (hasBenchScript('js/package.json')) {
      return [build, { command: ['npm', 'run', '--silent', '--workspace', 'js', 'bench'], cwd: '.' }];
    }
    const found = programs('js/bench', '.mjs').map((file) => ({ command: ['node', file], cwd: '.' }));
    return found.length === 0 ? [] : [build, ...found];
  }
  if (part === 'php') {
    if (hasBenchScript('php/composer.json'))
      return [{ command: ['composer', 'run-script', '--timeout=0', 'bench'], cwd: 'php' }];
    return programs('php/bench', '.php').map((file) => ({ command: ['php', file], cwd: '.' }));
  }
  if (part === 'first') return [{ command: ['node', 'tools/bench-first.mjs', '--quick'], cwd: '.' }];
  if (part === 'cost') return [{ command: ['node', 'conformance/cost.mjs'], cwd: '.' }];
  if (!existsSync('go/bench')) return [];
  const rows = path.resolve('build/bench/go.json');
  const command = [path.resolve('.toolchain/bin/go'), 'run', '.', '-processes', '2', '-budget', '1s', '-out', rows];
  return [{ command, cwd: 'go/bench' }];
}

/**
 * Runs one part's bench.
 *
 * @param {string} part
 * @returns {boolean} false when a bench failed
 */
function runPart(part) {
  const steps = stepsOf(part);
  if (steps.length === 0) {
    console.log(`${part}: no bench yet`);
    return true;
  }
  const started = Date.now();
  for (const { command, cwd } of steps) {
    const [program = '', ...args] = command;
    const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
    if (status !== 0) {
      console.error(
        `bench: ${part}: "${command.join(' ')}" failed${error ? `: ${error.message}` : ` with status ${status}`}`,
      );
      return false;
    }
  }
  // First use has rows for each language; those of JavaScript are always there.
  const rows = `build/bench/${part === 'first' ? 'first-js' : part}.json`;
  const written = existsSync(rows) && statSync(rows).mtimeMs >= started;
  console.log(written ? `${part}: rows in ${rows}` : `${part}: ran, and wrote no rows to ${rows}`);
  return true;
}

const { values, positionals } = readArguments('bench', {
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
});
const unknown = positionals.find((part) => !PARTS.includes(part));
if (values.help) {
  process.stdout.write(USAGE);
} else if (unknown !== undefined) {
  console.error(`bench: no part is called ${unknown}; one of ${PARTS.join(', ')}`);
  process.exitCode = 2;
} else {
  const results = (positionals.length > 0 ? positionals : PARTS).map(runPart);
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
