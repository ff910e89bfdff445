// Tests tools/bench-js.mjs with small messages, and what becomes of its rounds.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { median, quantile, rowsOf } from '../bench-js-measure.mjs';

const TOOL = fileURLToPath(new URL('../bench-js.mjs', import.meta.url));

/** Nobody reads the times. */
const SHORT = ['--quick', '--warm', '10'];

/** @param {string[]} args */
function bench(...args) {
  return spawnSync('node', [TOOL, ...args], { encoding: 'utf8' });
}

test('a quick run writes verified rows, and says who has not the types', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-js-'));
  try {
    const out = path.join(folder, 'rows.json');
    const peers = ['--peers', 'msgpackr,msgpackr-noaddon,@msgpack/msgpack,JSON'];
    const cells = ['--groups', 'plain,records', '--workloads', 'ex2,logs', '--operations', 'unpack'];
    const { status, stdout, stderr } = bench(...SHORT, ...cells, ...peers, '--out', out);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /plain: msgpackr-noaddon: no addon/);
    assert.match(stdout, /unpack logs: JSON is left out: JSON has no such types/);
    const rows = JSON.parse(readFileSync(out, 'utf8'));
    assert.deepEqual(
      rows.map((/** @type {{operation: string}} */ { operation }) => operation),
      [...Array(7).fill('unpack'), ...Array(4).fill('unpack-records')],
    );
    for (const { ratio, low, high, verified } of rows) {
      assert.ok(low > 0 && low <= ratio && ratio <= high, `${low} ${ratio} ${high}`);
      assert.equal(verified, true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('streams and memory have rows, too', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-js-'));
  try {
    const out = path.join(folder, 'rows.json');
    const cells = ['--groups', 'stream,memory', '--workloads', 'ex2,small'];
    const { status, stderr } = bench(...SHORT, '--no-build', ...cells, '--peers', 'msgpackr', '--out', out);
    assert.equal(status, 0, stderr);
    /** @type {{operation: string, workload: string, verified: boolean}[]} */
    const rows = JSON.parse(readFileSync(out, 'utf8'));
    assert.deepEqual(
      rows.map(({ operation, workload }) => `${operation} ${workload}`),
      [
        ...['stream small', 'stream-write small', 'stream-sequential small', 'stream-write-sequential small'],
        ...['memory ex2: result kept', 'memory ex2: one string kept'],
      ],
    );
    assert.ok(rows.every(({ verified }) => verified));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('names that nothing has are refused', () => {
  assert.match(bench('--peers', 'nobody').stderr, /no peer is called nobody; there are msgpackr/);
  assert.match(bench('--workloads', 'ex9').stderr, /no workload is called ex9/);
  assert.match(bench('--peer', 'main=/nowhere').stderr, /there is no package\.json/);
  assert.match(bench('--sets', '0').stderr, /--sets takes a number from 1/);
  assert.match(bench('--warm', 'up').stderr, /--warm takes a number from 1/);
});

test('a row has the median of its sets and their extremes, or the quartiles of its only set', () => {
  const set = (/** @type {number[]} */ ...ratios) => new Map([['unpack\tex1\tpeer', { ratios, verified: true }]]);
  const row = { workload: 'ex1', operation: 'unpack', against: 'peer', verified: true };
  assert.deepEqual(rowsOf([set(1, 2, 9), set(4), set(3)]), [{ ...row, ratio: 3, low: 2, high: 4 }]);
  assert.deepEqual(rowsOf([set(5, 1, 2, 3, 4)]), [{ ...row, ratio: 3, low: 2, high: 4 }]);
  const wrong = new Map([['unpack\tex1\tpeer', { ratios: [2], verified: false }]]);
  assert.equal(rowsOf([set(1), wrong])[0]?.verified, false);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(quantile([7], 0.9), 7);
});
