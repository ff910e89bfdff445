// Tests tools/bench-first.mjs with one small message.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOOL = fileURLToPath(new URL('../bench-first.mjs', import.meta.url));

/** @param {string[]} args */
function bench(...args) {
  return spawnSync('node', [TOOL, ...args], { encoding: 'utf8' });
}

test('each count of messages has a verified row, and so has loading', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-first-'));
  try {
    const out = path.join(folder, 'rows.json');
    const cells = ['--workloads', 'call', '--peers', 'JSON', '--rounds', '1', '--clock', 'cpu'];
    const { status, stdout, stderr } = bench('js', '--no-build', ...cells, '--out', out);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^unpack-first, against JSON\n {2}messages +1 +20 +100 +1000 +5000\n {2}call/m);
    /** @type {{operation: string, workload: string, mode: string, ratio: number, verified: boolean}[]} */
    const rows = JSON.parse(readFileSync(out, 'utf8'));
    const counts = ['1', '20', '100', '1000', '5000'];
    assert.deepEqual(
      rows.map(({ operation, workload, mode }) => `${operation} ${workload} ${mode}`),
      [
        ...['unpack-first', 'pack-first'].flatMap((operation) => counts.map((count) => `${operation} call ${count}`)),
        'load loading 0',
      ],
    );
    assert.ok(rows.every(({ ratio, verified }) => ratio > 0 && verified));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('names that nothing has are refused', () => {
  assert.match(bench('cobol').stderr, /no language is called cobol; there are js/);
  assert.match(bench('js', '--workloads', 'ex9').stderr, /no workload is called ex9/);
  assert.match(bench('js', '--rounds', '0').stderr, /--rounds takes a number from 1/);
});
