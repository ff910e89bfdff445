// The command: exit status, expected failures that cannot rot, --fix, --filter, reports.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NotReadyError, prepare } from '../lib/adapters.mjs';
import { main } from '../lib/main.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const VECTORS = path.join(HERE, 'vectors');
const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
const list = path.join(folder, 'fake.txt');

beforeEach(() => rmSync(list, { force: true }));
after(() => rmSync(folder, { recursive: true }));

/**
 * Runs the command on the fake adapter.
 *
 * @param {string} fault
 * @param {string[]} args
 */
async function run(fault, ...args) {
  const command = [process.execPath, path.join(HERE, 'fake-adapter.mjs'), VECTORS, fault];
  /** @type {string[]} */
  const printed = [];
  const status = await main(args, {
    implementations: [{ name: 'fake', language: 'fake', writesRecords: true, needs: [], command }],
    vectors: VECTORS,
    expectedFailures: folder,
    build: folder,
    print: (text) => printed.push(text),
  });
  return { status, output: printed.join('\n') };
}

const KNOWN = 'valid/int-5[lossless]  # ints are read as floats\n';

test('a run without failures exits with 0', async () => {
  const { status, output } = await run('none');
  assert.equal(status, 0);
  assert.match(output, /^valid +21 passed$/m);
  assert.match(output, /conformance: passed/);
});

test('a failure exits with 1 and is listed with request, expected and got', async () => {
  const { status, output } = await run('wrong-value');
  assert.equal(status, 1);
  assert.match(
    output,
    /fake: valid\/int-5\[lossless\] \(spec 02#int\)\n +request +\{"op":"decode".*\n +expected +value \{"int":"5"\}\n +got +value \{"int":"6"\}/,
  );
  assert.match(output, /^valid +20 passed, 1 failed$/m);
  assert.match(output, /conformance: FAILED/);
});

test('an unsupported request of a judged implementation is a failure', async () => {
  const { status, output } = await run('unsupported');
  assert.equal(status, 1);
  assert.match(output, /^stream +0 passed, 2 unsupported$/m);
});

test('a listed failure passes the run, with its reason', async () => {
  writeFileSync(list, KNOWN);
  const { status, output } = await run('wrong-value', '--verbose');
  assert.equal(status, 0);
  assert.match(output, /fails as expected: ints are read as floats/);
  assert.match(output, /^valid +20 passed, 1 expected$/m);
});

test('a listed case that passes fails the run', async () => {
  writeFileSync(list, KNOWN);
  const { status, output } = await run('none');
  assert.equal(status, 1);
  assert.match(output, /fake: valid\/int-5\[lossless\].*\n +passes, but expected-failures\/fake\.txt lists it/);
});

test('a listed case that no vector has fails the run', async () => {
  writeFileSync(list, 'valid/int-55[lossless]  # gone\n');
  const { status, output } = await run('none');
  assert.equal(status, 1);
  assert.match(output, /no vector has this case/);
});

test('a filtered run does not call the cases it left out stale', async () => {
  writeFileSync(list, KNOWN);
  const { status, output } = await run('wrong-value', '--filter', 'invalid/');
  assert.equal(status, 0);
  assert.doesNotMatch(output, /^valid/m);
});

test('in turns, each case is asked in one of its modes, and a fault in all of them is found', async () => {
  const { status, output } = await run('wrong-code', '--turns');
  assert.equal(status, 1);
  assert.match(output, /^valid +14 passed$/m);
  assert.match(output, /^invalid +2 passed, 1 failed$/m);
  writeFileSync(list, 'invalid/reserved[lossless]  # left out\nvalid/int-5[lossless]  # read wrongly\n');
  assert.equal((await run('wrong-value', '--turns')).status, 0, 'a case that was left out is not stale');
});

test('a filter that matches nothing is a failure, not a pass', async () => {
  const { status, output } = await run('none', '--filter', 'nothing-has-this-name');
  assert.equal(status, 1);
  assert.match(output, /no case has "nothing-has-this-name"/);
});

test('a broken protocol cannot be listed', async () => {
  writeFileSync(list, 'protocol/hello[all]  # it has another name\n');
  assert.equal((await run('wrong-name')).status, 1);
});

test('--fix lists what fails, unlists what passes, keeps reasons', async () => {
  writeFileSync(
    list,
    `${KNOWN}canonical/keys-sorted[canonical]  # passes by now\nvalid/gone[strict]  # no such case\n`,
  );
  assert.equal((await run('wrong-kind', '--fix')).status, 0);
  const fixed = readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  assert.deepEqual(fixed, ['valid/int-5[lossless]  # ints are read as floats', '']);
  writeFileSync(list, KNOWN);
  assert.equal((await run('wrong-default', '--fix')).status, 0);
  assert.match(readFileSync(list, 'utf8'), /^defaults\/empty-map\[default\] {2}# expected bytes 90, got bytes 80$/m);
  assert.doesNotMatch(readFileSync(list, 'utf8'), /int-5/);
});

test('a line without a reason is refused with its place', async () => {
  writeFileSync(list, '# heading\nvalid/int-5[lossless]\n');
  const { status, output } = await run('wrong-value');
  assert.equal(status, 1);
  assert.match(output, /fake\.txt:2: write "suite\/name\[mode\] {2}# reason"/);
});

test('report.json, report.md and report.html hold the counts and the failures', async () => {
  await run('wrong-value');
  const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8'));
  assert.equal(report.failed, true);
  assert.deepEqual(report.suites.fake.valid, { passed: 20, failed: 1, expected: 0, unsupported: 0 });
  assert.deepEqual(
    report.failures.map((/** @type {{case: string}} */ failure) => failure.case),
    ['valid/int-5[lossless]'],
  );
  assert.match(readFileSync(path.join(folder, 'report.md'), 'utf8'), /\| valid \| 20 passed, 1 failed \|/);
  const [, page = ''] = readFileSync(path.join(folder, 'report.html'), 'utf8').split('id="result">');
  const shown = JSON.parse(page.split('</script>')[0] ?? '');
  assert.equal(shown.failures[0].case, 'valid/int-5[lossless]');
  const passed = shown.groups.filter((/** @type {{outcome: string}} */ one) => one.outcome === 'passed');
  const inReport = Object.values(report.suites.fake).reduce((sum, one) => sum + one.passed, 0);
  assert.equal(
    passed.reduce((/** @type {number} */ sum, /** @type {{count: number}} */ one) => sum + one.count, 0),
    inReport,
  );
});

test('wrong use exits with 2', async () => {
  assert.equal((await run('none', '--impl', 'cobol')).status, 2);
  assert.equal((await run('none', '--unknown')).status, 2);
  assert.equal((await run('none', '--peer', 'nonsense')).status, 2);
});

test('--help tells every option', async () => {
  const { status, output } = await run('none', '--help');
  assert.equal(status, 0);
  for (const option of ['impl', 'filter', 'turns', 'fix', 'verbose', 'third-party', 'peer']) {
    assert.match(output, new RegExp(`--${option}\\b`));
  }
});

test('what is missing is one line with the command that mends it, and exits with 1', async () => {
  /** @type {string[]} */
  const printed = [];
  const needs = [{ file: 'no/such/toolchain', mend: 'make setup' }];
  const status = await main([], {
    implementations: [{ name: 'fake', language: 'fake', writesRecords: true, needs, command: [] }],
    vectors: VECTORS,
    expectedFailures: folder,
    build: folder,
    print: (text) => printed.push(text),
  });
  assert.equal(status, 1);
  assert.deepEqual(printed, ['conformance: fake: no/such/toolchain is missing; run make setup']);
});

test('a build that fails shows what the compiler said; one that is newer than its sources is not made again', () => {
  const about = { name: 'fake', language: 'fake', writesRecords: true, needs: [], command: [] };
  const command = [process.execPath, '-e', 'console.error("line 5: no semicolon"); process.exit(1)'];
  const source = 'conformance/run.mjs';
  const stale = { output: 'no/such/output', sources: [source], command };
  assert.throws(
    () => prepare({ ...about, build: stale }),
    (error) => {
      return error instanceof NotReadyError && error.message.endsWith('failed:\nline 5: no semicolon');
    },
  );
  assert.doesNotThrow(() => prepare({ ...about, build: { output: source, sources: [source], command } }));
});
