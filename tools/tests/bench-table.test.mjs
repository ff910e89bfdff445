// The tool turns rows into tables, and puts them into a README.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOOL = fileURLToPath(new URL('../bench-table.mjs', import.meta.url));
const ROWS = [
  { workload: 'a', operation: 'encode', against: 'x', ratio: 2, low: 1, high: 3, verified: true },
  { workload: 'b', operation: 'encode', against: 'x', ratio: 0.5, low: 0.4, high: 0.6, verified: true },
  { workload: 'b', operation: 'encode', against: 'y', ratio: 12.34, low: 11, high: 13, verified: false },
  { workload: 'a', operation: 'decode', against: 'x', ratio: 1.2345, low: 1, high: 2, verified: true },
];
const ENCODE = [
  '| encode | x | y |',
  '|---|---:|---:|',
  '| a | 2.00 | – |',
  '| b | **0.50** | 12.3* |',
  '| geometric mean | 1.00 | 12.3 |',
].join('\n');

let folder = '';
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bench-table-'));
  writeFileSync(path.join(folder, 'rows.json'), JSON.stringify(ROWS));
});
after(() => rmSync(folder, { recursive: true }));

/** @param {string[]} args */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(
    'node',
    [TOOL, 'go', '--from', path.join(folder, 'rows.json'), ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

test('a table for each operation, with losses, wrong peers and means', () => {
  const { status, stdout } = run();
  assert.equal(status, 0);
  assert.ok(stdout.startsWith(`${ENCODE}\n\n| decode | x |`), stdout);
});

test('only what is asked for, in that order', () => {
  assert.match(run('--against', 'y,x', '--operation', 'encode').stdout, /^\| encode \| y \| x \|/);
  assert.equal(run('--against', 'z').status, 2);
  assert.match(run('--operation', 'skip').stderr, /nothing was measured under the name skip/);
});

test('of a bench with modes, one of them or a column for each', () => {
  const row = { workload: 'a', operation: 'encode', against: 'x', ratio: 2, low: 1, high: 3, verified: true };
  const file = path.join(folder, 'modes.json');
  const rows = [
    { ...row, mode: 'slow' },
    { ...row, mode: 'fast', ratio: 3 },
    { ...row, mode: 'fast', workload: 'b-1', ratio: 4 },
  ];
  writeFileSync(file, JSON.stringify(rows));
  const table = (/** @type {string[]} */ ...args) =>
    run('--from', file, ...args)
      .stdout.split('\n')
      .slice(0, -1);
  assert.deepEqual(table(), [
    '| encode | x, slow | x, fast |',
    '|---|---:|---:|',
    '| a | 2.00 | 3.00 |',
    '| b-1 | – | 4.00 |',
    '| geometric mean | 2.00 | 3.46 |',
  ]);
  assert.deepEqual(table('--mode', 'fast', '--workload', 'b-*'), [
    '| encode | x |',
    '|---|---:|',
    '| b-1 | 4.00 |',
    '| geometric mean | 4.00 |',
  ]);
  assert.equal(run('--from', file, '--mode', 'none').status, 2);
});

test('written between the marks of a file', () => {
  const file = path.join(folder, 'README.md');
  writeFileSync(file, 'before\n<!-- bench go -->\nold\n<!-- /bench -->\nafter\n');
  assert.equal(run('--operation', 'encode', '--write', file).status, 0);
  assert.equal(readFileSync(file, 'utf8'), `before\n<!-- bench go -->\n\n${ENCODE}\n\n<!-- /bench -->\nafter\n`);
  writeFileSync(file, '<!-- bench gen --><!-- /bench -->');
  assert.equal(run('--operation', 'encode', '--write', file, '--mark', 'gen').status, 0);
  assert.equal(readFileSync(file, 'utf8'), `<!-- bench gen -->\n\n${ENCODE}\n\n<!-- /bench -->`);
  writeFileSync(file, 'no marks');
  assert.match(run('--write', file).stderr, /has no place for them/);
});
