// bullmq on this package, with a real Redis: single, bulk and delayed jobs, flows, and workers of both libraries on
// one queue.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { FlowProducer, Queue, QueueEvents, Worker } = require('bullmq');

const folder = mkdtempSync(path.join(tmpdir(), 'polypack-bullmq-'));
let redis;
let connection;

/** Returns a port that nobody listens on. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

before(async () => {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of redis.stdout) if (String(chunk).includes('Ready to accept')) break;
  connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
});

after(() => {
  redis?.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('bullmq imports this package', () => {
  const resolved = createRequire(require.resolve('bullmq'))('msgpackr/package.json');
  assert.equal(resolved.name, 'polypack-msgpackr');
});

/** Resolves to the results of so many jobs, by the names of the jobs. */
function resultsOf(worker, count) {
  const results = new Map();
  return new Promise((resolve, reject) => {
    worker.on('completed', (job, result) => {
      results.set(job.name, result);
      if (results.size === count) resolve(results);
    });
    worker.on('failed', (_job, error) => reject(error));
  });
}

const double = async ({ data }) => ({ twice: data.value * 2, text: data.text });

test('single, bulk and delayed jobs reach a worker with their data', { timeout: 120_000 }, async () => {
  const queue = new Queue('jobs', { connection });
  const worker = new Worker('jobs', double, { connection, concurrency: 4 });
  const results = resultsOf(worker, 24);
  await queue.add('single', { value: 1, text: 'Zoë' });
  await queue.addBulk(Array.from({ length: 20 }, (_, value) => ({ name: `bulk${value}`, data: { value, text: '€' } })));
  await queue.add('delayed', { value: 5, text: 'later' }, { delay: 100 });
  await queue.add(
    'urgent',
    { value: 6, text: 'first' },
    { priority: 1, attempts: 3, backoff: { type: 'fixed', delay: 10 } },
  );
  await queue.add('named', { value: 7, text: '' }, { jobId: 'a name of its own', lifo: true, removeOnComplete: 5 });
  const found = await results;
  assert.deepEqual(found.get('single'), { twice: 2, text: 'Zoë' });
  assert.deepEqual(found.get('delayed'), { twice: 10, text: 'later' });
  assert.deepEqual(found.get('urgent'), { twice: 12, text: 'first' });
  for (let value = 0; value < 20; value++) assert.deepEqual(found.get(`bulk${value}`), { twice: value * 2, text: '€' });
  await worker.close();
  await queue.close();
});

test('a flow gives its parent what its children returned', { timeout: 120_000 }, async () => {
  const flows = new FlowProducer({ connection });
  const worker = new Worker(
    'flow',
    async (job) => (job.name === 'parent' ? Object.values(await job.getChildrenValues()).sort() : job.data.value),
    { connection, concurrency: 4 },
  );
  const results = resultsOf(worker, 4);
  const children = [1, 2, 3].map((value) => ({ name: `child${value}`, queueName: 'flow', data: { value } }));
  await flows.add({ name: 'parent', queueName: 'flow', data: {}, children });
  assert.deepEqual((await results).get('parent'), [1, 2, 3]);
  await worker.close();
  await flows.close();
});

test('workers of both libraries share one queue', { timeout: 120_000 }, async () => {
  const queue = new Queue('mixed', { connection });
  const events = new QueueEvents('mixed', { connection });
  await events.waitUntilReady();
  const done = new Map();
  const all = new Promise((resolve) => {
    events.on('completed', ({ jobId, returnvalue }) => {
      done.set(jobId, returnvalue);
      if (done.size === 60) resolve();
    });
  });
  const program = fileURLToPath(new URL('original-worker.cjs', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(connection)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const worker = new Worker('mixed', async ({ data }) => ({ by: 'polypack', value: data.value }), { connection });
  const jobs = await queue.addBulk(Array.from({ length: 60 }, (_, value) => ({ name: 'job', data: { value } })));
  await all;
  const by = { polypack: 0, msgpackr: 0 };
  for (const [index, job] of jobs.entries()) {
    const result = done.get(job.id);
    assert.equal(result.value, index);
    by[result.by]++;
  }
  assert.ok(by.polypack > 0 && by.msgpackr > 0, `both took part: ${JSON.stringify(by)}`);
  child.stdin.end();
  await once(child, 'exit');
  await worker.close();
  await events.close();
  await queue.close();
});
