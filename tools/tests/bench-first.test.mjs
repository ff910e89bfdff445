// Tests tools/bench-first.mjs with one small message.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../../js/tools/browser.mjs';

const TOOL = fileURLToPath(new URL('../bench-first.mjs', import.meta.url));

/** @param {string[]} args */
function bench(...args) {
  return spawnSync('node', [TOOL, ...args], { encoding: 'utf8' });
}

const COUNTS = ['1', '20', '100', '1000', '5000'];

/** @typedef {{operation: string, workload: string, mode: string, ratio: number, verified: boolean}} Row */

/** @param {string[]} args @returns {{rows: Row[], stdout: string}} */
function rowsOf(...args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-first-'));
  try {
    const out = path.join(folder, 'rows.json');
    const cells = ['--workloads', 'call', '--peers', 'JSON', '--rounds', '1'];
    const { status, stdout, stderr } = bench('js', '--no-build', ...cells, ...args, '--out', out);
    assert.equal(status, 0, stderr);
    return { rows: JSON.parse(readFileSync(out, 'utf8')), stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Row[]} rows @param {string[]} operations */
function assertRows(rows, ...operations) {
  assert.deepEqual(
    rows.map(({ operation, workload, mode }) => `${operation} ${workload} ${mode}`),
    [...operations.flatMap((operation) => COUNTS.map((count) => `${operation}-first call ${count}`)), 'load loading 0'],
  );
  // Nothing is loaded for JSON.
  assert.ok(rows.every(({ operation, ratio, verified }) => (ratio > 0 || operation === 'load') && verified));
}

test('each count of messages has a verified row, and so has loading', () => {
  const { rows, stdout } = rowsOf('--clock', 'cpu');
  assert.match(stdout, /^unpack-first, against JSON\n {2}messages +1 +20 +100 +1000 +5000\n {2}call/m);
  assertRows(rows, 'unpack', 'pack');
});

test('so has each count of messages in a page', { skip: !findBrowser() && 'there is no Chromium here' }, () => {
  assertRows(rowsOf('--runtime', 'chromium', '--operations', 'unpack').rows, 'unpack');
});

test("Go's structs and documents have rows, with generated code and without", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-first-'));
  const out = path.join(folder, 'rows.json');
  const cells = ['--workloads', '13Config,real-emoji', '--peers', 'json,generated', '--rounds', '1'];
  const { status, stderr } = bench('go', ...cells, '--out', out);
  assert.equal(status, 0, stderr);
  /** @type {Row[]} */
  const rows = JSON.parse(readFileSync(out, 'utf8'));
  rmSync(folder, { recursive: true });
  assert.equal(rows.length, 2 * 2 * 2 * COUNTS.length + 2);
  assert.ok(rows.every(({ ratio, verified }) => ratio > 0 && verified));
});

test('names that nothing has are refused', () => {
  assert.match(bench('cobol').stderr, /no language is called cobol; there are js/);
  assert.match(bench('js', '--workloads', 'ex9').stderr, /no workload is called ex9/);
  assert.match(bench('js', '--runtime', 'chromium', '--clock', 'cpu').stderr, /no clock is called cpu; there are wall/);
  assert.match(bench('js', '--rounds', '0').stderr, /--rounds takes a number from 1/);
});
