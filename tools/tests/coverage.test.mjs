// Tests how the reports of the three languages are read.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isTestHelper, linesOfClover, linesOfGo, linesOfLcov, ranges } from '../coverage.mjs';

test("reads Go's profile: a line that any block ran was run", () => {
  const profile = 'mode: set\nm/a.go:3.10,5.2 2 0\nm/a.go:5.2,6.3 1 4\nm/b.go:1.1,1.9 1 1\n';
  const lines = linesOfGo(profile);
  assert.deepEqual(
    [...(lines.get('m/a.go') ?? [])],
    [
      [3, false],
      [4, false],
      [5, true],
      [6, true],
    ],
  );
  assert.deepEqual([...(lines.get('m/b.go') ?? [])], [[1, true]]);
});

test('leaves out packages of Go for tests, and what is generated inside of them', () => {
  const module = 'github.com/polypack/polypack/go';
  for (const helper of ['internal/gentest', 'internal/gentest/before', 'internal/tagged', 'internal/resp']) {
    assert.ok(isTestHelper(`${module}/${helper}`), helper);
  }
  for (const counted of ['internal/format', 'internal/wire', 'cmd/polypack-gen', 'stores', 'wire']) {
    assert.ok(!isTestHelper(`${module}/${counted}`), counted);
  }
});

test('reads Clover: lines of statements, not of methods', () => {
  const lines = linesOfClover(
    '<file name="/x/A.php">\n<line num="1" type="method" name="a" count="1"/>\n' +
      '<line num="2" type="stmt" count="3"/>\n<line num="4" type="stmt" count="0"/>\n</file>',
  );
  assert.deepEqual(
    [...(lines.get('/x/A.php') ?? [])],
    [
      [2, true],
      [4, false],
    ],
  );
});

test('reads lcov', () => {
  const lines = linesOfLcov(
    'TN:\nSF:src/a.ts\nFN:1,a\nDA:1,2\nDA:2,0\nend_of_record\nSF:src/b.ts\nDA:1,1\nend_of_record\n',
  );
  assert.deepEqual(
    [...(lines.get('src/a.ts') ?? [])],
    [
      [1, true],
      [2, false],
    ],
  );
  assert.equal(lines.size, 2);
});

test('numbers become ranges', () => {
  assert.equal(ranges([1, 2, 3, 5, 8, 9]), '1-3 5 8-9');
  assert.equal(ranges([]), '');
});

test('an unknown part is refused', () => {
  const tool = fileURLToPath(new URL('../coverage.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [tool, 'rust'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /no part is called rust; there are go, php, js/);
});
