// Tests tools/build-ext with a phpize that stands in for PHP's, and that the lists of the extension's sources agree.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// Links all sources that lie there, and notes which modules others could have loaded meanwhile.
const MAKEFILE = `phplibdir = modules
$(phplibdir)/polypack.so: $(patsubst %.c,%.lo,$(wildcard *.c src/*.c))
	ls modules >seen
	cat $^ >$@
%.lo: %.c
	! grep faulty $<
	cp $< $@
`;
const PHPIZE = `#!/bin/sh
printf '#!/bin/sh\\ncat >Makefile <<"E"\\n%sE\\n' '${MAKEFILE}' >configure
chmod 755 configure
`;

/** @param {string} text @param {RegExp} list its last group has the files, one before it their folder @returns {string[]} */
function listed(text, list) {
  return [...text.matchAll(list)].flatMap(([, first, second]) => {
    const folder = second === undefined ? '' : `${first}/`;
    return [...(second ?? first ?? '').matchAll(/[\w/]+\.c\b/g)].map(([file]) => folder + file);
  });
}

test('every source of the extension is in config.m4 and config.w32', () => {
  const read = (/** @type {string} */ file) => readFileSync(path.join(ROOT, 'ext', file), 'utf8');
  const files = execFileSync('git', ['ls-files', '*.c'], { cwd: path.join(ROOT, 'ext'), encoding: 'utf8' });
  const wanted = files.split('\n').filter((file) => /^(src\/.*|polypack)\.c$/.test(file));
  const unix = listed(read('config.m4'), /PHP_NEW_EXTENSION\(\[polypack\],\s*\[([^\]]*)\]/g);
  const windows = [
    ...listed(read('config.w32'), /EXTENSION\("polypack", "([^"]*)"/g),
    ...listed(read('config.w32'), /ADD_SOURCES\(configure_module_dirname \+ "\/([\w/]+)",\s*"([^"]*)"/g),
  ];
  assert.ok(wanted.length > 20);
  assert.deepEqual(unix.sort(), wanted.sort());
  assert.deepEqual(windows.sort(), wanted);
});

test('build-ext takes sources away that have moved, and replaces the module in one step', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'build-ext-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const folder of ['bin', 'ext/src', 'ext/tests', 'tools'])
    mkdirSync(path.join(root, folder), { recursive: true });
  const write = (/** @type {string} */ file, /** @type {string} */ text, mode = 0o644) =>
    writeFileSync(path.join(root, file), text, { mode });
  const read = (/** @type {string} */ file) => readFileSync(path.join(root, 'build/ext/php', file), 'utf8');
  const build = () =>
    spawnSync('tools/build-ext', {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${root}/bin:${process.env.PATH}` },
    });
  cpSync(path.join(ROOT, 'tools/build-ext'), path.join(root, 'tools/build-ext'));
  write('bin/phpize', PHPIZE, 0o755);
  write('bin/php-config', '#!/bin/sh\n', 0o755);
  write('ext/config.m4', '');
  write('ext/polypack.h', '');
  write('ext/polypack.c', 'module\n');
  write('ext/src/old.c', 'old\n');
  write('ext/tests/old.phpt', '');

  const first = build();
  assert.equal(first.status, 0, first.stderr);
  assert.equal(read('modules/polypack.so'), 'module\nold\n');

  rmSync(path.join(root, 'ext/tests/old.phpt'));
  renameSync(path.join(root, 'ext/src/old.c'), path.join(root, 'ext/src/new.c'));
  write('ext/src/new.c', 'new\n');
  assert.equal(build().status, 0);
  assert.equal(read('modules/polypack.so'), 'module\nnew\n');
  assert.equal(read('seen'), 'polypack.so\n', 'the earlier module stayed while make ran');
  assert.throws(() => read('tests/old.phpt'), { code: 'ENOENT' });

  write('ext/src/new.c', 'faulty\n');
  assert.equal(build().status, 1);
  assert.equal(read('modules/polypack.so'), 'module\nnew\n', 'a fault leaves the earlier module');
  write('ext/src/new.c', 'mended\n');
  assert.equal(build().status, 0);
  assert.equal(read('modules/polypack.so'), 'module\nmended\n');
});

test('builds that are not there are refused with what brings them', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'build-ext-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(path.join(root, 'tools'));
  for (const name of ['build-ext', 'test-ext']) cpSync(path.join(ROOT, 'tools', name), path.join(root, 'tools', name));
  const run = (/** @type {string} */ tool, /** @type {string[]} */ ...words) => {
    const { status, stderr } = spawnSync(`tools/${tool}`, words, { cwd: root, encoding: 'utf8' });
    return `${status} ${stderr}`;
  };
  assert.match(run('build-ext', '--build', 'asan'), /^1 build-ext: run tools\/setup-php asan first$/m);
  assert.match(run('build-ext', '--build', 'tsan'), /^2 build-ext: no build is called tsan/);
  assert.match(run('test-ext', '--build', 'tsan'), /^2 test-ext: no build is called tsan/);
  assert.match(run('test-ext', '--php', '8.1'), /^1 test-ext: no php8\.1; run tools\/setup-php 8\.1$/m);
});
