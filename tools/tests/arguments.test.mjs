// Wrong arguments are refused with status 2 and one line, by every tool.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} tool
 * @param {...string} args
 */
function run(tool, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: ROOT, encoding: 'utf8' });
  return { status, output: (stdout + stderr).trim() };
}

/** @param {string} tool @param {...string} args */
function assertRefused(tool, ...args) {
  const { status, output } = run(tool, ...args);
  assert.equal(status, 2, output);
  assert.match(output, /^[a-z-]+: [^\n]+$/);
}

const TOOLS = ['conformance', 'demo', 'tools', 'tools/vectors']
  .flatMap((folder) => readdirSync(path.join(ROOT, folder)).map((name) => path.join(folder, name)))
  .filter((file) => file.endsWith('.mjs'))
  .filter((file) => /usage: node|process\.argv\.slice/.test(readFileSync(path.join(ROOT, file), 'utf8')));

/** Tools that take no names, beside their options. */
const WITHOUT_NAMES = ['bench-js', 'cost', 'draw-comments', 'fuzz', 'relay', 'run', 'sbom', 'snapshots', 'test-images'];

for (const tool of TOOLS) {
  test(`${tool} refuses an unknown option`, () => assertRefused(tool, '--nonsense'));
  if (WITHOUT_NAMES.includes(path.basename(tool, '.mjs'))) {
    test(`${tool} refuses a name`, () => assertRefused(tool, '--help', 'name'));
  }
}

const NUMBERS = {
  'conformance/cost.mjs': ['--rounds'],
  'conformance/fuzz.mjs': ['--count', '--seed', '--time'],
  'conformance/snapshots.mjs': ['--count', '--seed', '--time'],
  'tools/bench-first.mjs': ['--rounds'],
  'tools/bench-js.mjs': ['--sets', '--warm'],
};
for (const [tool, options] of Object.entries(NUMBERS)) {
  test(`${tool} refuses what is no number`, () => {
    for (const option of options) {
      for (const text of ['x', '1x', '1.5', '-1', '', ...(option === '--seed' ? [] : ['0'])]) {
        assertRefused(tool, `${option}=${text}`);
      }
    }
  });
}
