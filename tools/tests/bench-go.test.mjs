// Tests tools/bench-go.mjs with the peers that need no fetching: those of the standard library.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOOL = fileURLToPath(new URL('../bench-go.mjs', import.meta.url));

/** @param {string[]} args */
function bench(...args) {
  const empty = mkdtempSync(path.join(tmpdir(), 'modules-'));
  const env = { ...process.env, GOMODCACHE: empty };
  const { status, stdout, stderr } = spawnSync('node', [TOOL, ...args], { encoding: 'utf8', env });
  rmSync(empty, { recursive: true });
  return { status, stdout, stderr };
}

test('a peer that is not on this machine is left out with a line', () => {
  const few = ['-workloads', '01', '-peers', 'json', '-processes', '1', '-budget', '1ms'];
  const { status, stdout, stderr } = bench('--', ...few, '-out', '');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^msgpck is left out: .*--peer msgpck=…/m);
  assert.match(stdout, /^vmihailenco is left out: .*vmihailenco=…, tagparser=…/m);
  assert.match(stdout, /^01Small +encode +json +\d/m);
});

test('a name that is no peer, and a folder that is no module, are refused', () => {
  assert.match(bench('--peer', 'nobody=.').stderr, /no peer is called nobody/);
  assert.match(bench('--peer', 'msgpck=/nowhere').stderr, /there is no go\.mod/);
});
