// One adapter process: back-pressure, replay after an incident, and that every request settles whatever happens.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Adapter } from '../lib/protocol.mjs';

/**
 * An adapter whose program is a few lines of JavaScript; `answer(id)` is there for them.
 *
 * @param {string} program
 * @param {Partial<import('../lib/protocol.mjs').Limits>} [limits]
 */
function adapter(program, limits) {
  const prelude = `const answer = (id, more) => process.stdout.write(JSON.stringify({ id, ...more }) + '\\n');
    const onLine = (handle) => require('node:readline').createInterface({ input: process.stdin })
      .on('line', (line) => handle(JSON.parse(line)));`;
  return new Adapter({ name: 'test', command: [process.execPath, '-e', prelude + program] }, limits);
}

/** @param {Promise<unknown>[]} asked */
async function outcomes(asked) {
  const settled = await Promise.allSettled(asked);
  return settled.map((one) => (one.status === 'fulfilled' ? 'answered' : one.reason.message));
}

test('a process that dies with a full pipe is replaced, and every request settles', async () => {
  const dying = adapter('setTimeout(() => process.exit(5), 50);', { maxIncidents: 4 });
  const asked = Array.from({ length: 8 }, () => dying.ask({ bytes: 'c0'.repeat(500_000) }));
  const texts = await outcomes(asked);
  assert.equal(texts.length, 8);
  for (const text of texts) assert.match(text, /exited with status 5/);
  await dying.close();
});

test('requests larger than the window go one at a time', async () => {
  const echo = adapter('onLine(({ id, bytes }) => answer(id, { length: bytes.length }));', { windowBytes: 1000 });
  const answers = await Promise.all([1, 2, 3].map((size) => echo.ask({ bytes: 'c0'.repeat(size * 100_000) })));
  assert.deepEqual(answers, [{ length: 200_000 }, { length: 400_000 }, { length: 600_000 }]);
  await echo.close();
  assert.deepEqual(echo.incidents, []);
});

test('answers that were held back are not lost with the process: their requests are asked again', async () => {
  // Writes nothing until the deadly request, as a buffering adapter might.
  const program = `const held = [];
    onLine(({ id, deadly, last }) => {
      if (deadly) process.exit(6);
      held.push(id);
      setTimeout(() => { for (const one of held.splice(0)) answer(one); }, 100);
    });`;
  const buffering = adapter(program);
  const asked = [{}, {}, { deadly: true }, {}].map((request) => buffering.ask(request));
  assert.deepEqual(await outcomes(asked), ['answered', 'answered', 'exited with status 6', 'answered']);
  await buffering.close();
  assert.deepEqual(buffering.incidents, []);
});

test('a crash that does not repeat is an incident with the names of the requests', async () => {
  // The first process waits for two requests and dies of them; those after it answer.
  const folder = mkdtempSync(path.join(tmpdir(), 'protocol-'));
  const mark = JSON.stringify(path.join(folder, 'started'));
  const program = `const { existsSync, writeFileSync } = require('node:fs');
    const isFirst = !existsSync(${mark});
    writeFileSync(${mark}, '');
    let open = 0;
    onLine(({ id }) => { if (!isFirst) answer(id); else if (++open > 1) process.exit(7); });`;
  const fragile = adapter(program);
  const asked = ['first', 'second'].map((label) => fragile.ask({}, label));
  assert.deepEqual(await outcomes(asked), ['answered', 'answered']);
  await fragile.close();
  assert.deepEqual(fragile.incidents, ['exited with status 7; not repeated when asked one at a time: first, second']);
  rmSync(folder, { recursive: true });
});

test('a process that computes for longer than the time gets it, one that computes for ever does not', async () => {
  // Busy in pieces, as a process is that shares its processor: 300 ms of its time in at least 1,200.
  const program = `const used = () => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part / 1000, 0);
    onLine(({ id, work }) => {
      const start = used();
      (function piece() {
        const until = used() + 10;
        while (used() < until);
        used() - start < work ? setTimeout(piece, 30) : answer(id);
      })();
    });`;
  const busy = adapter(program, { timeout: 1000 });
  assert.deepEqual(await outcomes([busy.ask({ work: 300 })]), ['answered']);
  assert.deepEqual(await outcomes([busy.ask({ work: 1e9 })]), ['no answer within 1 s']);
  await busy.close();
});

test('an answer may come in pieces, and several in one', async () => {
  const program = `const lines = []; onLine(({ id }) => {
      lines.push(JSON.stringify({ id, text: 'é' }) + '\\n');
      if (lines.length < 2) return;
      const bytes = Buffer.from(lines.join(''));
      process.stdout.write(bytes.subarray(0, 19));
      setTimeout(() => process.stdout.write(bytes.subarray(19)), 50);
    });`;
  const split = adapter(program);
  assert.deepEqual(await Promise.all([split.ask({}), split.ask({})]), [{ text: 'é' }, { text: 'é' }]);
  await split.close();
});

test('a closed adapter takes no requests, and open ones fail', async () => {
  const silent = adapter('process.stdin.resume();');
  const open = silent.ask({});
  await Promise.all([assert.rejects(open, /closed the adapter/), silent.close()]);
  await assert.rejects(silent.ask({}), /closed the adapter/);
});
