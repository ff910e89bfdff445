// The judge catches what an adapter can do wrong: each fault of the fake adapter fails exactly the cases it spoils.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { judge } from '../lib/judge.mjs';
import { loadVectors } from '../lib/vectors.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const VECTORS = path.join(HERE, 'vectors');
const vectors = loadVectors(VECTORS);

/**
 * Judges the fake adapter with a fault.
 *
 * @param {string} fault
 * @param {Partial<import('../lib/protocol.mjs').Limits>} [limits]
 * @param {{lacks?: string[]}} [about]
 */
function judgeFake(fault, limits = {}, about = {}) {
  const command = [process.execPath, path.join(HERE, 'fake-adapter.mjs'), VECTORS, fault];
  const fake = { name: 'fake', language: 'fake', writesRecords: true, needs: [], command, ...about };
  return judge({ implementations: [fake], vectors, filter: '', limits });
}

/** @param {import('../lib/judge.mjs').Result[]} results */
const failing = (results) => results.filter(({ verdict }) => verdict !== 'passed');

/** @param {import('../lib/judge.mjs').Result[]} results */
const keys = (results) =>
  failing(results)
    .map(({ key }) => key)
    .sort();

test('right answers pass in every suite', async () => {
  const results = await judgeFake('none');
  assert.deepEqual(failing(results), []);
  const suites = new Set(results.map(({ suite }) => suite));
  assert.deepEqual([...suites].sort(), [
    'canonical',
    'defaults',
    'encode',
    'invalid',
    'pairs',
    'protocol',
    'records',
    'snapshot',
    'stream',
    'valid',
  ]);
  // 7 valid cases in 3 modes, 8 invalid ones by mode (two in all three, one in two), pairs as writer and as reader.
  const count = (/** @type {string} */ name) => results.filter(({ suite }) => suite === name).length;
  assert.deepEqual(
    ['valid', 'invalid', 'stream', 'records', 'canonical', 'defaults', 'encode', 'snapshot', 'pairs'].map(count),
    [21, 8, 2, 4, 4, 2, 2, 5, 14],
  );
});

const INT_5 = ['valid/int-5[default]', 'valid/int-5[lossless]', 'valid/int-5[strict]'];

/** Fault → the cases it must fail. @type {Record<string, string[]>} */
const CAUGHT = {
  'wrong-value': ['valid/int-5[lossless]'],
  'wrong-kind': ['valid/int-5[lossless]'],
  'no-value': INT_5,
  'deep-list': INT_5,
  'deep-array': INT_5,
  'deep-map': INT_5,
  'deep-reason': INT_5,
  'many-times': INT_5,
  'empty-answer': INT_5,
  'rejects-in-strict': ['valid/int-5[strict]'],
  'wrong-code': ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  'wrong-offset': ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  'wrong-path': ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  'accepts-invalid': ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  'broken-after-error': [
    'invalid/duplicate[lossless]',
    'invalid/duplicate[strict]',
    'invalid/reserved[default]',
    'invalid/reserved[lossless]',
    'invalid/reserved[strict]',
    'invalid/truncated-inside[default]',
    'invalid/truncated-inside[lossless]',
    'invalid/truncated-inside[strict]',
    'records/records-off[default]',
    'records/records-off[lossless]',
    'records/records-off[strict]',
    'records/two-rows[lossless]', // the first decode after the stream suite, which ends with an error
    'snapshot/float-1[data]', // after a refused snapshot, and after the suite of encoders
    'snapshot/holds[data]',
  ],
  'long-head': ['valid/int-5[lossless]'],
  'wrong-encode': ['valid/int-5[lossless]'],
  'writes-equal-keys': [
    'canonical/integral-float-key[canonical]',
    'encode/equal-keys[lossless]',
    'encode/equal-keys[strict]',
    'invalid/duplicate[lossless]',
    'invalid/duplicate[strict]',
  ],
  'encode-error-with-offset': ['encode/equal-keys[lossless]', 'encode/equal-keys[strict]'],
  'keeps-integral-floats': ['canonical/integral-float[canonical]'],
  'wrong-canonical': ['canonical/keys-unsorted[canonical]'],
  'wrong-departure': ['canonical/keys-unsorted[canonical]'],
  'wrong-default': ['defaults/empty-map[default]'],
  'wrong-record': ['records/two-rows[lossless]'],
  'loses-at-cut': ['stream/two-messages[lossless]'],
  'error-hides-message': ['stream/message-then-error[lossless]'],
  'wrong-snapshot': ['snapshot/float-1[data]', 'snapshot/shared-array[data]'],
  'wrong-snapshot-bytes': ['snapshot/float-1[data]', 'snapshot/shared-array[data]'],
  'wrong-snapshot-offset': ['snapshot/too-deep[data]'],
  'verifies-all': ['snapshot/holds-not[data]'],
  'verifies-nothing': ['snapshot/holds[data]'],
  unsupported: ['stream/message-then-error[lossless]', 'stream/two-messages[lossless]'],
  garbage: ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  'wrong-id': ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  crash: ['invalid/reserved[default]', 'invalid/reserved[lossless]', 'invalid/reserved[strict]'],
  'wrong-name': ['protocol/hello[all]'],
};

for (const [fault, expected] of Object.entries(CAUGHT)) {
  test(`fault ${fault} fails the cases it spoils and no others`, async () => {
    assert.deepEqual(keys(await judgeFake(fault)), expected);
  });
}

test('a failure names request, expected and got', async () => {
  const [result] = failing(await judgeFake('wrong-offset'));
  assert.deepEqual(result?.failures[0], {
    request: { op: 'decode', mode: 'default', bytes: 'c1' },
    expected: 'error {"code":"reserved_byte","offset":0,"path":""}',
    got: '{"error":{"code":"reserved_byte","offset":1,"path":""}}',
  });
});

test('a crash is a failure with the status and the last words', async () => {
  const [result] = failing(await judgeFake('crash'));
  assert.equal(result?.failures[0]?.got, 'exited with status 3; its standard error: fatal: out of luck');
});

test('a hang is a failure after the time of one request', async () => {
  const results = await judgeFake('hang', { timeout: 500 });
  assert.deepEqual(keys(results), CAUGHT.crash);
  assert.equal(failing(results)[0]?.failures[0]?.got, 'no answer within 0.5 s');
});

test('unsupported is its own verdict', async () => {
  const verdicts = failing(await judgeFake('unsupported')).map(({ verdict }) => verdict);
  assert.deepEqual(verdicts, ['unsupported', 'unsupported']);
});

const LACKS = { lacks: ['canonical', 'isCanonical', 'stream'] };

test('what an implementation lacks is not asked, and nothing else is left out', async () => {
  const results = await judgeFake('lacks', {}, LACKS);
  assert.deepEqual(failing(results), []);
  const count = (/** @type {string} */ name) => results.filter(({ suite }) => suite === name).length;
  assert.deepEqual(
    ['valid', 'invalid', 'stream', 'records', 'canonical', 'defaults', 'pairs'].map(count),
    [21, 8, 0, 4, 0, 2, 14],
  );
});

test('without a canonical form of its own the judge finds what is encoded wrongly', async () => {
  const results = await judgeFake('lacks-and-encodes-wrongly', {}, LACKS);
  assert.deepEqual(keys(results), ['valid/int-5[lossless]']);
  assert.equal(failing(results)[0]?.failures[0]?.got, 'bytes 06, which the judge finds to be {"bytes":"06"}');
});

test('what an implementation is said to lack, its adapter must not offer; what it lacks must be said', async () => {
  assert.deepEqual(keys(await judgeFake('none', {}, LACKS)), ['protocol/hello[all]']);
  assert.ok(keys(await judgeFake('lacks')).includes('protocol/hello[all]'));
});

test('an adapter that never works is given up', async () => {
  const results = await judgeFake('crash-at-start', { maxIncidents: 3 });
  assert.equal(
    results.every(({ verdict }) => verdict === 'failed'),
    true,
  );
  assert.match(results.at(-1)?.failures[0]?.got ?? '', /^given up after 3 crashes.*exited with status 4/);
});

test('an adapter that cannot be started fails every case with the reason', async () => {
  const nobody = { name: 'fake', language: 'fake', writesRecords: false, needs: [], command: ['/nonexistent/adapter'] };
  const results = await judge({ implementations: [nobody], vectors, filter: '' });
  assert.equal(
    results.every(({ verdict }) => verdict === 'failed'),
    true,
  );
  assert.match(results[0]?.failures[0]?.got ?? '', /^cannot start \/nonexistent\/adapter/);
});

/** Faults that no request explains → what the incident says. @type {Record<string, RegExp>} */
const INCIDENTS = {
  'extra-line': /^a line that answers no request: "hello"|^an answer that is no JSON object: "hello"/,
  'bad-exit': /^exited with status 7 after its input ended/,
  lingers: /^did not exit within 0\.3 s after its input ended/,
};

for (const [fault, text] of Object.entries(INCIDENTS)) {
  test(`fault ${fault} is an incident of the protocol`, async () => {
    const results = await judgeFake(fault, { exitTimeout: 300 });
    const incidents = failing(results);
    assert.deepEqual([...new Set(incidents.map(({ key }) => key))], ['protocol/incidents[all]']);
    assert.match(incidents[0]?.failures[0]?.got ?? '', text);
  });
}

/**
 * Judges one case in pairs of a faultless fake and one with a fault; verdicts by `writer reader`.
 *
 * @param {string} fault
 */
async function judgePairs(fault) {
  const implementations = ['none', fault].map((name) => {
    const command = [process.execPath, path.join(HERE, 'fake-adapter.mjs'), VECTORS, name];
    return { name, language: 'fake', writesRecords: true, needs: [], command };
  });
  const results = await judge({ implementations, vectors, filter: 'pairs/int-5' });
  const pairs = results.filter(({ suite }) => suite === 'pairs');
  return Object.fromEntries(pairs.map(({ implementation, mode, verdict }) => [`${implementation} ${mode}`, verdict]));
}

test('longer heads go through every pair', async () => {
  assert.deepEqual(await judgePairs('long-transcode'), {
    'none write': 'passed',
    'long-transcode write': 'passed',
    'none none': 'passed',
    'none long-transcode': 'passed',
    'long-transcode none': 'passed',
    'long-transcode long-transcode': 'passed',
  });
});

test('a writer that spoils a value fails with every reader, a reader with every writer', async () => {
  assert.deepEqual(await judgePairs('wrong-transcode'), {
    'none write': 'passed',
    'wrong-transcode write': 'passed',
    'none none': 'passed',
    'none wrong-transcode': 'failed',
    'wrong-transcode none': 'failed',
    'wrong-transcode wrong-transcode': 'failed',
  });
});

test('a writer that refuses a value has one failure, and no pairs', async () => {
  assert.deepEqual(await judgePairs('refuses-transcode'), {
    'none write': 'passed',
    'refuses-transcode write': 'failed',
    'none none': 'passed',
    'none refuses-transcode': 'failed',
  });
});
