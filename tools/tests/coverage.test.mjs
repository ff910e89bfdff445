// Tests how the reports of the three languages are read.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtExtension, isTestHelper, linesOfClover, linesOfGo, linesOfLcov, merge, ranges } from '../coverage.mjs';

const TOOL = fileURLToPath(new URL('../coverage.mjs', import.meta.url));

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

test('a line that any of two runs ran was run', () => {
  const lines = new Map([['a.php', new Map([[1, true]])]]);
  lines.get('a.php')?.set(2, false).set(3, false);
  merge(
    lines,
    new Map([
      ['a.php', new Map([[2, true]]).set(1, false).set(3, false)],
      ['b.php', new Map([[7, true]])],
    ]),
  );
  assert.deepEqual(
    [...lines].map(([file, ofFile]) => [file, ...ofFile]),
    [
      ['a.php', [1, true], [2, true], [3, false]],
      ['b.php', [7, true]],
    ],
  );
});

// In place of PHPUnit: runs line 1 without the extension and line 2 with it, and checks how it is called.
const PHPUNIT = `<?php
$isNative = getenv('POLYPACK_ENGINE') === 'ext';
if ($isNative) {
    $ini = file_get_contents(substr(getenv('PHP_INI_SCAN_DIR'), 1) . '/polypack.ini');
    $filter = $argv[array_search('--filter', $argv) + 1];
    file_put_contents(getenv('COVERAGE_CHILDREN') . '/1.json', '{"/x/A.php":[3,9],"/x/B.php":[1]}');
    $takes = preg_match("/{$filter}/", 'Polypack\\Tests\\Native\\EngineTest::testX')
        && preg_match("/{$filter}/", 'Polypack\\Tests\\Snapshot\\SessionsTest::testX')
        && !preg_match("/{$filter}/", 'Polypack\\Tests\\PackerTest::testX');
    if (!$takes || !in_array('engineless', $argv) || !preg_match('/^extension=.*polypack.so$/m', $ini)) {
        exit(1);
    }
}
$line = '<line num="%d" type="stmt" count="%d"/>';
file_put_contents(
    $argv[array_search('--coverage-clover', $argv) + 1],
    '<file name="/x/A.php">' . sprintf($line, 1, !$isNative) . sprintf($line, 2, $isNative) . sprintf($line, 3, 0) . sprintf($line, 4, 0) . '</file>',
);
`;

test('the tests of the PHP extension run once more with it, if it is built', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'coverage-test-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(path.join(root, 'php/vendor/bin'), { recursive: true });
  writeFileSync(path.join(root, 'php/vendor/bin/phpunit'), PHPUNIT);
  const measured = () =>
    spawnSync(process.execPath, [TOOL, '--root', root, 'php'], { encoding: 'utf8' }).stdout.split('\n')[1];
  const without = measured();
  if (without === 'php | left out: neither pcov nor xdebug is there') return t.skip(without);
  assert.equal(without, 'php | 1 | 4 | 25.00 % | without the PHP extension: run tools/build-ext');

  mkdirSync(path.dirname(builtExtension(root)), { recursive: true });
  writeFileSync(builtExtension(root), 'PHP warns that this is no library');
  // Line 3 ran in a child; PHPUnit doesn't count line 9 and the other file.
  assert.equal(measured(), 'php | 3 | 4 | 75.00 %');
});

test('numbers become ranges', () => {
  assert.equal(ranges([1, 2, 3, 5, 8, 9]), '1-3 5 8-9');
  assert.equal(ranges([]), '');
});

test('an unknown part is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, [TOOL, 'rust'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /no part is called rust; there are go, php, js/);
});
