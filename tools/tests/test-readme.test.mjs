// Each test writes a README into an empty checkout and reads what test-readme says of its blocks.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOOL = fileURLToPath(new URL('../test-readme.mjs', import.meta.url));
let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'test-readme-'));
  mkdirSync(path.join(root, '.ci'));
  writeFileSync(path.join(root, '.ci/run'), 'make test\n');
  writeFileSync(
    path.join(root, 'Makefile'),
    'test: setup vectors ## Run every test\n\ttrue\nbench: setup ## Measure\n',
  );
});
afterEach(() => rmSync(root, { recursive: true }));

/**
 * @param {string[]} blocks alternating mark or '' and fenced block
 * @returns {{status: number | null, output: string}}
 */
function run(...blocks) {
  writeFileSync(path.join(root, 'README.md'), blocks.join('\n\n'));
  const { status, stdout, stderr } = spawnSync('node', [TOOL, '--root', root], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const fence = (/** @type {string} */ language, /** @type {string} */ code) => `\`\`\`${language}\n${code}\n\`\`\``;

test('a block without a mark is not run', () => {
  assert.deepEqual(run(fence('sh', 'exit 1')), { status: 0, output: '0 blocks of 1 files, 0 failed\n' });
});

test('the guides are run as well', () => {
  mkdirSync(path.join(root, 'docs/guides'), { recursive: true });
  writeFileSync(path.join(root, 'docs/guides/one.md'), `<!-- run -->\n\n${fence('sh', 'false')}\n`);
  const { status, output } = run('nothing to run');
  assert.equal(status, 1);
  assert.match(output, /^FAIL docs\/guides\/one\.md:3 sh exits with 1$/m);
});

test('every command of a sh block must succeed', () => {
  assert.equal(run('<!-- run -->', fence('sh', 'true\ntest -f Makefile')).status, 0);
  const { status, output } = run('<!-- run -->', fence('sh', 'false\ntrue'));
  assert.equal(status, 1);
  assert.match(output, /^FAIL README\.md:3 sh exits with 1$/m);
});

test('the output must match the block that follows', () => {
  assert.equal(
    run('<!-- run -->', fence('js', 'console.log(1 + 1);'), '<!-- output -->', fence('text', '2')).status,
    0,
  );
  const wrong = run('<!-- run -->', fence('js', 'console.log(1 + 1);'), '<!-- output -->', fence('text', '3'));
  assert.equal(wrong.status, 1);
  assert.match(wrong.output, /prints something else/);
});

test('a ci block may only name verbs that .ci/run reaches', () => {
  assert.equal(run('<!-- ci -->', fence('sh', 'make test   # all\nmake vectors')).status, 0);
  const { status, output } = run('<!-- ci -->', fence('sh', 'make bench'));
  assert.equal(status, 1);
  assert.match(output, /"make bench" is marked <!-- ci --> but \.ci\/run never reaches it/);
});

test('a mark before nothing is an error', () => {
  const { status, output } = run('<!-- run -->', 'Some text.');
  assert.equal(status, 1);
  assert.match(output, /README\.md:1: <!-- run --> stands before no fenced block/);
});
