// Tests what of tools/setup needs no installing: reading the machine's package sources, comparing versions.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOOL = fileURLToPath(new URL('../setup', import.meta.url));
let sources = '';

beforeEach(() => {
  sources = mkdtempSync(path.join(tmpdir(), 'setup-'));
  mkdirSync(path.join(sources, 'sources.list.d'));
});
afterEach(() => rmSync(sources, { recursive: true }));

/**
 * Runs shell code with the functions of tools/setup, as a machine of release "bookworm".
 *
 * @param {string} code
 */
function shell(code) {
  const script = `source "$1"; os_field() { echo bookworm; }; ${code}`;
  const env = { ...process.env, SETUP_APT_DIR: sources };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', TOOL], { encoding: 'utf8', env });
  return { status, output: (stdout + stderr).trim() };
}

test('the mirror is read from a one-line source', () => {
  const list = [
    '# deb http://commented.invalid/debian bookworm main',
    'deb-src http://source.invalid/debian bookworm main',
    'deb http://security.invalid/debian bookworm-security main',
    'deb [arch=amd64 signed-by=/keys/debian.gpg] http://mirror.invalid/debian bookworm main contrib',
    'deb http://second.invalid/debian bookworm main',
  ];
  writeFileSync(path.join(sources, 'sources.list'), `${list.join('\n')}\n`);
  assert.deepEqual(shell('distribution_mirror'), {
    status: 0,
    output: '/keys/debian.gpg http://mirror.invalid/debian',
  });
});

test('the mirror is read from a deb822 source', () => {
  const stanzas = [
    'Enabled: no\nTypes: deb\nURIs: http://disabled.invalid/debian\nSuites: bookworm\nComponents: main\n',
    'Types: deb\nURIs: http://security.invalid/debian\nSuites: bookworm-security\nComponents: main\n',
    'Types: deb deb-src\n# a comment\nURIs: http://mirror.invalid/debian http://other.invalid/debian\n' +
      'Suites: bookworm bookworm-updates\nComponents: main\n',
  ];
  writeFileSync(path.join(sources, 'sources.list.d', 'debian.sources'), stanzas.join('\n'));
  assert.deepEqual(shell('distribution_mirror'), { status: 0, output: '- http://mirror.invalid/debian' });
});

test('without a source of the running release there is no mirror', () => {
  writeFileSync(path.join(sources, 'sources.list'), 'deb cdrom:[Debian]/ bookworm main\n');
  assert.equal(shell('distribution_mirror').status, 1);
});

test('versions compare by number', () => {
  assert.equal(
    shell('at_least 1.27.3 1.24 && at_least 1.24 1.24 && ! at_least 1.9 1.24 && ! at_least 8.1.30 8.2').status,
    0,
  );
});

test('a verb asks every program again only after what setup depends on has changed', () => {
  const after = (/** @type {string} */ change) =>
    shell(`cd "${sources}"; before="$(state)"; ${change}; [ "$before" = "$(state)" ] && echo same || echo changed`)
      .output;
  assert.equal(after(':'), 'same');
  assert.equal(after('echo {} >package-lock.json'), 'changed');
  assert.equal(after('mkdir -p lab/vendors/new'), 'changed');
  assert.equal(after('PHP_INI_SCAN_DIR=/elsewhere'), 'changed');
  assert.equal(after('php() { :; }'), 'changed');
});

test('an unknown option is refused', () => {
  const { status, stderr } = spawnSync('bash', [TOOL, '--nonsense'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^setup: unknown option --nonsense; see tools\/setup --help$/m);
});

test('setup-php says what it brings, and refuses what is no version of PHP', () => {
  const program = fileURLToPath(new URL('../setup-php', import.meta.url));
  const help = spawnSync(program, ['--help'], { encoding: 'utf8' });
  assert.equal(help.status, 0);
  assert.match(help.stdout, /^usage: tools\/setup-php \[VERSION\|asan\|zts\|minimal\|libfuzzer…\]/);
  const wrong = spawnSync(program, ['9'], { encoding: 'utf8' });
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^setup: 9 is no version of PHP/);
});
