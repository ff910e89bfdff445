#!/usr/bin/env node
// Runs msgpackr's own tests on polypack/msgpackr, from a checkout of msgpackr, and compares what fails with a list.
//
// Plan: what may fail · a project with the tests · main.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const USAGE = `usage: node js/tools/test-peer.mjs --peer FOLDER

FOLDER is a checkout of msgpackr. Runs its tests on the package that is built, in a temporary project that npm installs their
libraries into. Fails if a test fails that isn't known to, or if one that is known to passes.
`;

const JS = fileURLToPath(new URL('..', import.meta.url));

/** Tests that fail, by their titles, and why: rows of docs/guides/migrating-from-msgpackr.md. */
const KNOWN = {
  'overlong UTF-8 string': 'a str that is not UTF-8 is an error, not another text',
  'extended class pack/unpack proxied': 'a function with the class of an extension is undefined, as other functions',
  'map/date': 'an invalid Date is an error without onInvalidDate',
  'bigint to float': 'an unsafe integer is an error, not another number',
  'int64AsNumber compatibility': 'an unsafe integer is an error, not another number',
  'bigint to auto (float or bigint)': 'an unsafe integer is a bigint',
};

/** What the tests import; they need nothing of ours. */
const LIBRARIES = ['mocha@10.8.2', 'chai@4.5.0', 'async@3.2.6', '@msgpack/msgpack@3.1.3', 'msgpack-lite@0.2.2'];

/** Files that the tests import from the root of their checkout. */
const SHIMS = ['index.js', 'node-index.js', 'pack.js'];

/** @param {string[]} command @param {string} cwd */
function run([program = '', ...args], cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** @param {string} checkout @param {string} project */
function prepare(checkout, project) {
  cpSync(path.join(checkout, 'tests'), path.join(project, 'tests'), { recursive: true });
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, output } = run(['npm', 'install', ...options, ...LIBRARIES], project);
  if (status !== 0) throw new Error(output);
  symlinkSync(JS, path.join(project, 'node_modules/polypack'));
  cpSync(path.join(JS, 'msgpackr'), path.join(project, 'node_modules/msgpackr'), { recursive: true });
  for (const name of SHIMS) writeFileSync(path.join(project, name), "export * from 'msgpackr';\n");
  // Of 1.x; its tests fall back to other data without it.
  writeFileSync(path.join(project, 'struct.js'), '');
}

/** @param {string} checkout @returns {boolean} whether the tests that fail are those that are known to */
function test(checkout) {
  const project = mkdtempSync(path.join(tmpdir(), 'polypack-peer-'));
  try {
    prepare(checkout, project);
    // TAP, because the reporter of JSON fails at bigints.
    const mocha = ['node_modules/.bin/mocha', 'tests/test**.*js', '--ui', 'tdd', '--timeout', '60000'];
    const { output } = run([...mocha, '--reporter', 'tap'], project);
    const passed = output.match(/^ok \d+ (?!.* # SKIP)/gm)?.length ?? 0;
    if (passed === 0) throw new Error(output);
    const faults = output.matchAll(/^not ok \d+ (?:msgpackr basic tests )?(.*?)\s*$/gm);
    const failed = Array.from(faults, ([, title = '']) => title);
    const unknown = failed.filter((title) => !Object.hasOwn(KNOWN, title));
    const passing = Object.keys(KNOWN).filter((title) => !failed.includes(title));
    if (unknown.length > 0) console.error(output);
    for (const title of unknown) console.error(`${title} fails`);
    for (const title of passing) console.error(`${title} passes; take it from the list in js/tools/test-peer.mjs`);
    console.log(`${passed} of msgpackr's tests pass, ${failed.length} fail`);
    return unknown.length + passing.length === 0;
  } finally {
    rmSync(project, { recursive: true });
  }
}

const [option, folder] = process.argv.slice(2);
if (option !== '--peer' || folder === undefined) {
  process.stdout.write(USAGE);
  process.exit(option === '--help' || option === '-h' ? 0 : 2);
}
process.exit(test(path.resolve(folder)) ? 0 : 1);
