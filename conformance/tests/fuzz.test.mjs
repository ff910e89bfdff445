// The fuzzer: the same inputs again, who dissents, how questions shrink, and that the command finds what is wrong.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judge } from '../../tools/vectors/judge.mjs';
import { main } from '../lib/fuzz.mjs';
import { makeInput } from '../lib/fuzz-inputs.mjs';
import { minimize } from '../lib/fuzz-minimize.mjs';
import { answerText, dissenters, judged, requestOf } from '../lib/fuzz-opinions.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-'));
after(() => rmSync(folder, { recursive: true }));

/** @typedef {import('../lib/fuzz-opinions.mjs').Question} Question */

/**
 * @param {string} hex
 * @param {Partial<Question>} [more]
 * @returns {Question}
 */
function question(hex, more = {}) {
  const bytes = [...Buffer.from(hex, 'hex')];
  return { op: 'decode', mode: 'lossless', records: 'off', limits: {}, bytes, cuts: [], ...more };
}

// --- inputs ----------------------------------------------------------------------------------------------------------

const NUMBERS = Array.from({ length: 2000 }, (_, index) => index);

test('an input depends on seed, number and corpus alone', () => {
  /** @type {import('../lib/fuzz-inputs.mjs').Seed[]} */
  const corpus = [{ bytes: [0x91, 0xc0], records: 'off', limits: {} }];
  const inputs = (/** @type {number} */ seed) => NUMBERS.slice(0, 200).map((index) => makeInput(seed, index, corpus));
  assert.deepEqual(inputs(7), inputs(7));
  assert.notDeepEqual(inputs(7), inputs(8));
});

test('inputs are of every sort: valid, of every fault, with records, cut in pieces', () => {
  /** @type {Set<string>} */
  const outcomes = new Set();
  let valid = 0;
  for (const index of NUMBERS) {
    const { bytes, records, limits, cuts } = makeInput(1, index, []);
    const judgement = judge(Uint8Array.from(bytes), { records, limits });
    valid += 'value' in judgement ? 1 : 0;
    if ('error' in judgement) outcomes.add(judgement.error.code);
    for (const [at, cut] of cuts.entries()) assert.ok(cut > (cuts[at - 1] ?? 0) && cut < bytes.length);
  }
  assert.ok(valid > 400 && valid < 1600, String(valid));
  assert.deepEqual([...outcomes].sort(), [
    'duplicate_key',
    'invalid_record',
    'invalid_timestamp',
    'invalid_utf8',
    'limit_exceeded',
    'reserved_byte',
    'trailing_data',
    'unexpected_end',
    'unknown_record',
  ]);
});

// --- opinions --------------------------------------------------------------------------------------------------------

/** @type {Record<string, import('../lib/fuzz-opinions.mjs').Language>} */
const LANGUAGES = { php: 'php', js: 'javascript', go: 'go' };

/** @param {Question} asked @param {Record<string, string>} opinions */
const dissent = (asked, opinions) =>
  dissenters(asked, new Map(Object.entries(opinions)), (name) => judged(asked, LANGUAGES[name]));

test('who says something else than the judge dissents', () => {
  const reserved = 'error reserved_byte@0 ""';
  assert.equal(judged(question('c1')).text, reserved);
  assert.deepEqual(dissent(question('c1'), { php: reserved, js: reserved, go: reserved }), []);
  assert.deepEqual(dissent(question('c1'), { php: reserved, js: 'error reserved_byte@1 ""', go: 'value c0' }), [
    'js',
    'go',
  ]);
});

test('values are equal by spec/01', () => {
  const asked = question('82a16101a16202');
  const answer = {
    value: {
      map: [
        [{ str: 'b' }, { int: '2' }],
        [{ str: 'a' }, { int: '1' }],
      ],
    },
  };
  assert.deepEqual(dissent(asked, { go: answerText(answer, asked) }), []);
  assert.deepEqual(dissent(question('01'), { go: 'value 02' }), ['go']);
});

test('a refusal of strict mode is lawful only where spec/09 has it', () => {
  const asked = question('81c0c0', { mode: 'strict' });
  const refusal = 'error invalid_key@1 ""';
  const value = 'value 81c0c0';
  assert.deepEqual(dissent(asked, { php: refusal, js: value, go: value }), []);
  assert.deepEqual(dissent(asked, { php: value, js: refusal, go: value }), ['php', 'js']);
  const settled = question('8101c0', { mode: 'strict' });
  assert.deepEqual(dissent(settled, { php: refusal, js: 'value 8101c0', go: 'value 8101c0' }), ['php']);
});

test('where the languages differ, each is held to its own answer', () => {
  const asked = question('81c0c1', { mode: 'strict' });
  const reserved = 'error reserved_byte@2 "/#0"';
  assert.deepEqual(dissent(asked, { php: 'error invalid_key@1 ""', js: reserved, go: reserved }), []);
  assert.deepEqual(dissent(asked, { php: 'error invalid_key@1 ""', js: reserved, go: 'a value' }), ['go']);
  assert.deepEqual(dissent(asked, { php: 'error invalid_key@3 ""', js: reserved, go: reserved }), ['php']);
});

test('transcoded bytes may have another order, but no longer heads', () => {
  const asked = question('82a16101a16202', { op: 'transcode' });
  const text = (/** @type {string} */ bytes) => answerText({ bytes }, asked);
  assert.deepEqual(dissent(asked, { go: text('82a16202a16101') }), []);
  assert.deepEqual(dissent(asked, { go: text('82a16202a161cc01') }), ['go']);
  assert.deepEqual(dissent(asked, { go: text('82a16202a16102') }), ['go']);
});

test('only writing records may be unsupported', () => {
  const records = question('01', { op: 'transcode', records: 'inline' });
  assert.deepEqual(dissent(records, { php: 'unsupported: writing records' }), []);
  assert.deepEqual(dissent(question('01'), { php: 'unsupported: decode' }), ['php']);
});

test('a stream is asked in its chunks', () => {
  const asked = question('9201c0', { op: 'stream', cuts: [1, 2], limits: { maxBytes: 9 } });
  assert.deepEqual(requestOf(asked).chunks, ['92', '01', 'c0']);
  assert.deepEqual(requestOf(question('', { op: 'stream' })).chunks, []);
  const answer = { values: [{ array: [{ int: '1' }, { nil: true }] }], error: null };
  assert.deepEqual(dissent(asked, { js: answerText(answer, asked) }), []);
});

// --- shrinking -------------------------------------------------------------------------------------------------------

test('a question shrinks to what makes the difference', async () => {
  const large = question('93a16192cd0102c1c0', {
    op: 'stream',
    records: 'inline',
    limits: { maxDepth: 5, maxBytes: 99 },
    cuts: [2, 5],
  });
  const smallest = await minimize(
    large,
    async ({ bytes, limits }) => bytes.includes(0xc1) && limits.maxBytes !== undefined,
  );
  assert.deepEqual(smallest, question('c1', { op: 'stream', limits: { maxBytes: 99 } }));
});

test('a cut that makes the difference keeps its place when bytes before it go', async () => {
  const large = question('0102030405c1c00607', { op: 'stream', cuts: [2, 6, 8] });
  const smallest = await minimize(large, async ({ bytes, cuts }) => cuts.some((cut) => bytes[cut - 1] === 0xc1));
  assert.deepEqual(smallest, question('c100', { op: 'stream', cuts: [1] }));
});

// --- the command -----------------------------------------------------------------------------------------------------

/**
 * Runs the command on two judging adapters, of which the second has a fault.
 *
 * @param {string} fault
 * @param {string[]} args
 */
async function run(fault, ...args) {
  const command = [process.execPath, path.join(HERE, 'judging-adapter.mjs')];
  /** @type {string[]} */
  const printed = [];
  const about = { language: 'fake', writesRecords: false, needs: [] };
  const status = await main(args, {
    implementations: [
      { name: 'right', command, ...about },
      { name: 'wrong', command: [...command, fault], ...about },
    ],
    vectors: path.join(HERE, 'vectors'),
    print: (text) => printed.push(text),
  });
  return { status, printed };
}

test('nothing is found where all agree', async () => {
  const { status, printed } = await run('none', '--seed', '1', '--count', '100');
  assert.equal(status, 0, printed.join('\n'));
  assert.match(printed.at(-1) ?? '', /^fuzz: 100 inputs in \d+ s, seed 1: all agree$/);
});

test('a difference is found, made small, and can be asked again', async () => {
  const { status, printed } = await run('accepts-reserved', '--seed', '1', '--count', '100');
  assert.equal(status, 1);
  const finding = printed.find((line) => line.startsWith('{"bytes":"c1","op":"decode","mode":"lossless"')) ?? '';
  assert.deepEqual(JSON.parse(finding).dissent, ['wrong']);
  assert.equal(JSON.parse(finding).judge, 'error reserved_byte@0 ""');

  const corpus = path.join(folder, 'corpus');
  writeFileSync(corpus, `${finding}\n92 01*2\n`);
  assert.equal((await run('accepts-reserved', '--seed', '1', '--count', '1', '--corpus', corpus)).status, 1);
  assert.equal((await run('none', '--seed', '1', '--count', '1', '--corpus', corpus)).status, 0);
});

test('a crash is a difference', async () => {
  const corpus = path.join(folder, 'crash');
  writeFileSync(corpus, 'c1\n');
  const { status, printed } = await run('crash', '--seed', '1', '--count', '1', '--corpus', corpus);
  assert.equal(status, 1);
  assert.match(printed.join('\n'), /"wrong":"incident: exited with status 3"/);
});

test('wrong use exits with 2, help with 0', async () => {
  for (const args of [['--count', '0'], ['--time', 'soon'], ['--corpus', path.join(folder, 'none')], ['--what']]) {
    assert.equal((await run('none', ...args)).status, 2, args.join(' '));
  }
  const { status, printed } = await run('none', '--help');
  assert.equal(status, 0);
  assert.match(printed.join('\n'), /--corpus FILE/);
});
