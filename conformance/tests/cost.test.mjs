// The cost of bad input: the inputs are what they say, and the check notices each wrong answer.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { main } from '../lib/cost.mjs';
import { costInputs } from '../lib/cost-inputs.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cost-'));
const rows = path.join(folder, 'cost.json');
after(() => rmSync(folder, { recursive: true }));

/**
 * @param {string} fault
 * @param {string[]} args
 */
async function run(fault, ...args) {
  const command = [process.execPath, path.join(HERE, 'cost-adapter.mjs'), fault];
  /** @type {string[]} */
  const printed = [];
  const implementations = [{ name: 'fake', language: 'fake', writesRecords: true, needs: [], command }];
  const status = await main(args, { implementations, rows, print: (text) => printed.push(text) });
  return { status, output: printed.join('\n') };
}

test('inputs are under 100 KB, and no two are the same', () => {
  const inputs = costInputs();
  for (const { name, bytes, error } of inputs) {
    assert.ok(bytes.length < 100_000, name);
    assert.ok(error.offset <= bytes.length, name);
  }
  const keys = inputs.map(({ mode, records, bytes }) => `${mode} ${records} ${bytes.toString('hex')}`);
  assert.equal(new Set(keys).size, inputs.length);
});

test('the check exits with 0 when every answer is right', async () => {
  const { status, output } = await run('none', '--check');
  assert.equal(
    output,
    `cost: ${costInputs().length} expensive inputs for 1 implementations, 0 finds at doors, 0 wrong`,
  );
  assert.equal(status, 0);
});

for (const fault of ['wrong-code', 'wrong-offset', 'accepts', 'refuses-twin']) {
  test(`the check exits with 1: ${fault}`, async () => {
    // The only input that the adapter answers wrongly.
    const { status, output } = await run(fault, '--check', '--filter', 'int keys, the last twice');
    assert.match(output, /^fake: int keys, the last twice \[strict\].*: .*\n.* 1 wrong$/);
    assert.equal(status, 1);
  });
}

test('a measurement prints a line for each input and writes its rows', async () => {
  const { status, output } = await run('none', '--filter', 'ints, trailing', '--rounds', '1');
  assert.equal(status, 0);
  assert.match(output, /^ints, trailing byte \[default\] .*\n1 measured, 0 beyond .*; 0 wrong$/m);
  assert.equal(JSON.parse(readFileSync(rows, 'utf8')).length, 1);
});

test('wrong use exits with 2', async () => {
  assert.equal((await run('none', '--filter', 'no such input')).status, 2);
  assert.equal((await run('none', '--rounds', '0')).status, 2);
});
