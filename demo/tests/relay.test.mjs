/**
 * The relay's command line with the reference as all three drivers, one of them broken on purpose: the relay has to
 * notice. The real drivers are tested by running the relay itself.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RELAY = fileURLToPath(new URL('../relay.mjs', import.meta.url));
const DRIVER = fileURLToPath(new URL('driver.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'relay-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * @param {Record<string, string[]>} broken arguments for the drivers that shall misbehave
 * @param {string[]} args
 */
function run(broken, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, commandOf(broken, args), OPTIONS);
  return { status, stdout, stderr };
}

const OPTIONS = /** @type {const} */ ({ encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });

/**
 * @param {Record<string, string[]>} broken
 * @param {string[]} args
 */
function commandOf(broken, args) {
  const drivers = ['php', 'js', 'go'].flatMap((language) => [
    '--driver',
    `${language}=${JSON.stringify([process.execPath, DRIVER, ...(broken[language] ?? [])])}`,
  ]);
  return [RELAY, '--out', folder, ...drivers, ...args];
}

test('passes when every driver is honest, and writes both reports', () => {
  const { status, stdout } = run({}, '--only', 'mime-db');
  assert.equal(status, 0);
  assert.match(stdout, /every one came back identical/);
  assert.equal(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).ok, true);
  assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /^<!doctype html>/);
});

test('fails and names the path when a driver corrupts one value', () => {
  // The quickest of the small data sets. demo-small sends beyond-json through the real drivers, and
  // diff.test.mjs compares ints.
  const { status, stdout } = run({ go: ['--corrupt', '/application~1json/source'] }, '--only', 'mime-db', '--no-html');
  assert.equal(status, 1);
  assert.match(
    stdout,
    /mime-db, PHP → Go: at path "\/application~1json\/source": expected str "iana", got str "broken" \(as Go decoded it\)/,
  );
  assert.match(stdout, /mime-db, Go → JavaScript: at path "\/application~1json\/source": .* \(as Go encoded it\)/);
  assert.match(stdout, /mime-db, chain: at path "\/application~1json\/source"/);
  assert.match(stdout, /mime-db +same +same +DIFF +same +same +DIFF +DIFF +DIFF +DIFF +DIFF\n/);
});

test('fails when heads are longer than needed', () => {
  const { status, stdout } = run({ php: ['--long-heads'] }, '--only', 'mime-db', '--no-html');
  assert.equal(status, 1);
  assert.match(stdout, /PHP → Go: the value is the same, but it takes \d+ bytes where shortest heads take \d+/);
});

test('fails and names code and path when a driver refuses', () => {
  const { status, stdout } = run({ js: ['--refuse'] }, '--only', 'mime-db', '--no-html');
  assert.equal(status, 1);
  assert.match(
    stdout,
    /PHP → JavaScript: refused as JavaScript decoded it: out_of_range: at path "\/7": told to refuse/,
  );
});

test('fails with the last words of a driver that dies', () => {
  const { status, stderr } = run({ php: ['--die'] }, '--only', 'mime-db', '--no-html');
  assert.equal(status, 1);
  assert.match(stderr, /^relay: the PHP driver ended with status 3; it said: told to die\n$/m);
});

test('a program that is not there fails', () => {
  const { status, stderr } = run({}, '--only', 'mime-db', '--no-html', '--driver', 'go=["/nowhere/driver"]');
  assert.equal(status, 1);
  assert.match(stderr, /^relay: the Go driver did not start: .*ENOENT\n$/m);
});

test('wrong usage has a status of its own', () => {
  for (const args of [
    ['--only', 'nothing'],
    ['--picture', '--small'],
    ['--driver', 'go=x'],
    ['--driver', 'c=[]'],
    ['--driver', 'js=[]'],
    ['--driver', 'js=[""]'],
    ['--driver', String.raw`js=["node\u0000"]`],
    ['--driver', 'js=["node", 1]'],
    ['--out', join(RELAY, 'inside')],
    ['--out', RELAY],
    ['--fast'],
  ]) {
    const { status, stderr } = run({}, ...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /^relay: [^\n]+\n$/);
  }
});

test('a reader that closes the pipe early misses the text, not the reports', () => {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const command = [process.execPath, ...commandOf({}, ['--only', 'mime-db', '--no-html'])];
  const { stderr } = spawnSync('sh', ['-c', '("$@"; echo "status $?" >&2) | true', 'sh', ...command], OPTIONS);
  assert.match(stderr, /^status 0$/m);
  assert.doesNotMatch(stderr, /EPIPE/);
  assert.equal(JSON.parse(readFileSync(report, 'utf8')).ok, true);
});

test('output that is lost is a failure, told in one line', { skip: !existsSync('/dev/full') }, () => {
  for (const args of [['--help'], ['--only', 'mime-db', '--no-html']]) {
    const command = [process.execPath, ...commandOf({}, args)];
    const { stderr } = spawnSync('sh', ['-c', '"$@" >/dev/full; echo "status $?" >&2', 'sh', ...command], OPTIONS);
    assert.match(stderr, /^status 1$/m);
    assert.match(stderr, /^relay: the output can't be written: ENOSPC[^\n]+$/m);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
});

test('--help fits a terminal', () => {
  const { status, stdout } = run({}, '--help');
  assert.equal(status, 0);
  assert.match(stdout, /^usage: node demo\/relay\.mjs/);
});
