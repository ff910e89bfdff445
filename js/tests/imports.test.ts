// The rule which room of src/ may import which, as tools/check-imports.mjs checks it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from './_vectors.ts';

const TOOL = fileURLToPath(new URL('js/tools/check-imports.mjs', REPOSITORY));

/** What the tool says about sources, by their paths, under a rule; '' when nothing is wrong. */
function faultsOf(sources: Record<string, string>, rooms: Record<string, readonly string[]>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'polypack-'));
  try {
    for (const [name, text] of Object.entries(sources)) {
      mkdirSync(path.dirname(path.join(folder, 'src', name)), { recursive: true });
      writeFileSync(path.join(folder, 'src', name), text);
    }
    writeFileSync(path.join(folder, 'rooms.json'), JSON.stringify(rooms));
    const options = ['--src', path.join(folder, 'src'), '--rooms', path.join(folder, 'rooms.json')];
    const { status, stderr } = spawnSync(process.execPath, [TOOL, ...options], { encoding: 'utf8' });
    assert.equal(status, stderr === '' ? 0 : 1);
    return stderr;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ROOMS = { core: [], high: ['core'], 'high/part.ts': ['high'] };
const SOURCES = {
  'core/a.ts': '',
  'high/b.ts': "import { a } from '../core/a.ts';",
  'high/part.ts': "export * from './b.ts';",
};

test('the sources keep to the rule', () => {
  const { status, stderr } = spawnSync(process.execPath, [TOOL], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('imports that the table allows are no fault', () => {
  assert.equal(faultsOf(SOURCES, ROOMS), '');
});

test('an import of a room that the table does not allow is a fault, and so is one of a type', () => {
  for (const text of ["import { b } from '../high/b.ts';", "type B = import('../high/b.ts').B;"]) {
    assert.match(
      faultsOf({ ...SOURCES, 'core/low.ts': text }, ROOMS),
      /core\/low\.ts imports high\/b\.ts: the room core may not/,
    );
  }
});

test('a file in no room is a fault', () => {
  assert.match(faultsOf({ ...SOURCES, 'new/c.ts': '' }, ROOMS), /new\/c\.ts is in no room/);
});

test('files that import each other are a fault, within a room, too', () => {
  const circle = { 'core/x.ts': "import { y } from './y.ts';", 'core/y.ts': "import type { X } from './x.ts';" };
  assert.match(
    faultsOf({ ...SOURCES, ...circle }, ROOMS),
    /a circle of imports: core\/x\.ts > core\/y\.ts > core\/x\.ts/,
  );
});

test('rooms that may import each other are a fault of the table', () => {
  const sources = { ...SOURCES, 'core/low.ts': "import './../high/c.ts';", 'high/c.ts': '' };
  assert.match(faultsOf(sources, { ...ROOMS, core: ['high'] }), /a circle of imports: core > high > core/);
});

test('a permission that no file uses is a fault of the table', () => {
  assert.match(faultsOf(SOURCES, { ...ROOMS, core: ['high'] }), /lets core import high, and no file does/);
  assert.match(faultsOf(SOURCES, { ...ROOMS, gone: [] }), /the table has the room gone/);
});
