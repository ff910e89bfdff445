#!/usr/bin/env node
// Reads random snapshots of PHP in JavaScript and Go, and compares what they get with the slow reader of PHP's tests
// (spec/10#elsewhere). Half of the snapshots have changed bytes: then the error counts.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments, refuse, wholeNumber } from '../tools/arguments.mjs';
import { secondsIn } from './lib/time.mjs';

const USAGE = `usage: node conformance/snapshots.mjs [--seed NUMBER] [--count NUMBER] [--time TIME]

  --seed    of the first round (default: from the clock; printed)
  --count   snapshots in a round (default 4000)
  --time    goes on with the next seed for so long (60s, 5m, 1h); one round by default

A finding stays in build/snapshots/SEED.json. Needs the build of the JavaScript package.
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'build/snapshots');

const { values } = readArguments('snapshots', {
  options: {
    help: { type: 'boolean', short: 'h' },
    seed: { type: 'string', default: String(Date.now() % 100_000_000) },
    count: { type: 'string', default: '4000' },
    time: { type: 'string' },
  },
});

/**
 * Runs a command; ends this process if it fails.
 *
 * @param {string} folder
 * @param {string[]} command
 * @param {Record<string, string>} environment beside that of this process
 */
function run(folder, command, environment = {}) {
  const [program = '', ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: path.join(ROOT, folder),
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status === 0) return stdout;
  console.log(`snapshots: ${command.join(' ')} failed\n${error?.message ?? stdout + stderr}`);
  process.exit(1);
}

/**
 * @param {number} seed
 * @param {number} count
 */
function round(seed, count) {
  const file = path.join(FOLDER, `${seed}.json`);
  writeFileSync(file, run('.', ['php', 'php/tools/snapshot-random.php', String(seed), String(count)]));
  run('js', ['node', '--enable-source-maps', 'build/fuzz/snapshot.js', file]);
  const test = ['test', '-vet=off', '-count=1', '-run', '^TestRandomSnapshots$', './snapshot'];
  run('go', [path.join(ROOT, '.toolchain/bin/go'), ...test], { POLYPACK_SNAPSHOTS: file });
  rmSync(file); // a finding has ended this process
}

function main() {
  const first = wholeNumber('snapshots', 'seed', values.seed);
  const count = wholeNumber('snapshots', 'count', values.count, 1);
  const seconds = values.time === undefined ? 0 : secondsIn(values.time);
  if (seconds === null) refuse('snapshots', `cannot read the time ${values.time}; write 60s, 5m or 1h`);
  mkdirSync(FOLDER, { recursive: true });
  run('js', ['node', 'tools/run.mjs', '--compile']);
  const end = Date.now() + 1000 * seconds;
  let rounds = 0;
  do round(first + rounds++, count);
  while (Date.now() < end);
  console.log(`snapshots: ${rounds * count} from seed ${first} on are read alike in php, js and go`);
}

if (values.help) process.stdout.write(USAGE);
else main();
