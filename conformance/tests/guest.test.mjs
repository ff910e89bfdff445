// A library from outside: what its hello says it isn't asked, levels, the result and the badge, and the worked example.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../lib/adapters.mjs';
import { FEATURES, OPS } from '../lib/judge.mjs';
import { main } from '../lib/main.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const VECTORS = path.join(HERE, 'vectors');
const folder = mkdtempSync(path.join(tmpdir(), 'guest-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Judges a command.
 *
 * @param {string} command
 * @param {string} vectors
 * @param {string[]} args
 */
async function judged(command, vectors, ...args) {
  /** @type {string[]} */
  const printed = [];
  const status = await main(['--adapter', command, '--out', folder, ...args], {
    implementations: [],
    vectors,
    expectedFailures: folder,
    build: '/nowhere',
    print: (text) => printed.push(text),
  });
  return { status, output: printed.join('\n') };
}

/** @param {string} fault @param {string[]} args */
const fake = (fault, ...args) =>
  judged(`'${process.execPath}' '${path.join(HERE, 'fake-adapter.mjs')}' '${VECTORS}' ${fault}`, VECTORS, ...args);

/** @param {string} name */
const written = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

test('a library that answers everything right passes, and has a badge', async () => {
  const { status, output } = await fake('none');
  assert.equal(status, 0, output);
  assert.match(output, /fake 1, level full: (\d+) of \1 checks passed \(100 %\)/);
  const { percent, failed, language, level } = written('result.json');
  assert.deepEqual(
    { percent, failed, language, level },
    { percent: 100, failed: 0, language: 'unknown', level: 'full' },
  );
  const { schemaVersion, message, color } = written('badge.json');
  assert.deepEqual([schemaVersion, color], [1, 'brightgreen']);
  assert.match(message, /^100 % of \d+ \(full\)$/);
});

test('what its hello does not name, a library is not asked', async () => {
  const { status, output } = await fake('one-mode');
  assert.equal(status, 0, output);
  const { suites, lacks, version } = written('result.json');
  assert.deepEqual(Object.keys(suites), ['protocol', 'valid', 'invalid', 'records']);
  for (const feature of ['encode', 'default', 'strict', 'inline', 'shared', 'maxDepth'])
    assert.ok(lacks.includes(feature));
  assert.equal(version, '7');
});

test('the level says how exactly errors are compared', async () => {
  const statusOf = async (/** @type {string} */ fault, /** @type {string} */ level) =>
    (await fake(fault, '--level', level)).status;
  assert.equal(await statusOf('refuses-only', 'full'), 1);
  assert.equal(await statusOf('refuses-only', 'code'), 1);
  assert.equal(await statusOf('refuses-only', 'accept'), 0);
  assert.equal(await statusOf('wrong-offset', 'full'), 1);
  assert.equal(await statusOf('wrong-offset', 'code'), 0);
  assert.equal(await statusOf('accepts-invalid', 'accept'), 1, 'what is invalid must still be refused');
  assert.equal(await statusOf('wrong-value', 'accept'), 1, 'and values are compared at every level');
});

test('expected failures of a library are kept where it says', async () => {
  assert.equal((await fake('wrong-code', '--expected', folder)).status, 1);
  assert.equal((await fake('wrong-code', '--expected', folder, '--fix')).status, 0);
  assert.match(readFileSync(path.join(folder, 'fake.txt'), 'utf8'), /^invalid\/reserved\[default\] {2}# /m);
  assert.equal((await fake('wrong-code', '--expected', folder)).status, 0);
  assert.equal((await fake('none', '--expected', folder)).status, 1, 'a listed case that passes fails the run');
});

test('an adapter without a hello, and wrong use, are told', async () => {
  const none = await fake('no-hello');
  assert.equal(none.status, 1);
  assert.match(none.output, /the name of its hello must be/);
  assert.match((await fake('crash-at-start')).output, /exited with status 4/);
  assert.match((await judged('/no/such/program', VECTORS)).output, /exited with status 127/);
  assert.equal((await fake('none', '--level', 'most')).status, 2);
  assert.equal((await fake('none', '--fix')).status, 2);
  assert.equal((await fake('none', '--impl', 'go')).status, 2);
});

test('the README tells what hello may name, and each option of the command', async () => {
  const readme = readFileSync(path.join(ROOT, 'conformance/README.md'), 'utf8');
  const words = [...OPS, ...Object.values(FEATURES).flat(), 'keepsOrder', 'language'];
  for (const word of words) assert.match(readme, new RegExp(`[\`"]${word}[\`"]`), word);
  for (const option of ['--adapter', '--level', '--out', '--expected']) {
    assert.match((await judged('', VECTORS, '--help')).output, new RegExp(`^ +${option} `, 'm'));
    assert.ok(readme.includes(option), option);
  }
});

/** Where tools/setup puts msgpack, unless the system has it. */
const PYTHON = `env PYTHONPATH='${path.join(ROOT, '.toolchain/python')}' python3`;
const python = hasPythonMsgpack() ? false : 'python3-msgpack is not installed';

test('the worked example answers for msgpack of Python', { skip: python }, async () => {
  const script = path.join(ROOT, 'conformance/adapters/third-party/python3-msgpack.py');
  const { output } = await judged(`${PYTHON} '${script}'`, VECTORS, '--level', 'accept');
  assert.match(output, /^valid +6 passed$/m);
  assert.match(output, /^stream +2 passed$/m);
  assert.equal(written('result.json').language, 'python');
});

function hasPythonMsgpack() {
  try {
    execFileSync('sh', ['-c', `${PYTHON} -c 'import msgpack'`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
