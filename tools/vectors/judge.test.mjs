// The judge against the worked examples of spec/, and its text reader against the platform's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { write } from './cases.mjs';
import { decodeUtf8, judge, judgeFirst } from './judge.mjs';
import { LANGUAGES } from './languages.mjs';
import { readBytes } from './notation.mjs';
import { randomFrom } from './random.mjs';
import { encode } from './reference.mjs';
import { array, bool, equal, fields, float, int, str, timestamp } from './values.mjs';

/** @typedef {import('./judge.mjs').Options} Options */

const INLINE = /** @type {const} */ ({ records: 'inline' });

/** @param {string} bytes @param {Options} [options] */
function errorOf(bytes, options) {
  const judgement = judge(readBytes(bytes), options);
  return 'error' in judgement ? write(judgement.error) : JSON.stringify(judgement);
}

/** @param {string} bytes @param {Options} [options] */
function readValue(bytes, options) {
  const judgement = judge(readBytes(bytes), options);
  assert.ok('value' in judgement, JSON.stringify(judgement));
  return judgement.value;
}

test('reads the examples of spec/02 and spec/04', () => {
  assert.ok(equal(readValue('d3 00 00 00 00 00 00 01 2c'), int(300)));
  assert.ok(equal(readValue('cb 80 00 00 00 00 00 00 00'), float(-0)));
  assert.ok(equal(readValue('a2 c3 a9'), str('é')));
  assert.ok(equal(readValue('c7 0c ff 3b 9a c9 ff ff*8'), timestamp(-1, 999_999_999)));
});

test('reads the examples of spec/05', () => {
  const inline = INLINE;
  const expected = fields([
    ['foo', int(4)],
    ['bar', int(2)],
  ]);
  assert.ok(equal(readValue('d4 72 40 92 a3 66 6f 6f a3 62 61 72 04 02', inline), expected));
  assert.equal(errorOf('d4 72 40 92 a3 66 6f 6f a3 62 61 72 04 02'), 'invalid_record@0');
  assert.equal(errorOf('40', { ...inline, mode: 'strict' }), 'unknown_record@0');
});

test('finds the faults that spec/06 works out', () => {
  assert.equal(errorOf('93 a1 61 91 01'), 'unexpected_end@3 /1');
  assert.equal(errorOf('(dc ff ff)*24000'), 'unexpected_end@3 /0');
  assert.equal(errorOf('dd ff ff ff ff'), 'unexpected_end@0');
  assert.equal(errorOf('91*513 c0'), `limit_exceeded@512 ${'/0'.repeat(512)}`);
  assert.ok(readValue('91*512 c0'));
});

test('keeps the order of spec/07#which-fault-wins', () => {
  assert.equal(errorOf(''), 'unexpected_end@0');
  assert.equal(errorOf('92 c1'), 'unexpected_end@0', 'counts come before the elements');
  assert.equal(errorOf('91 dc ff', { limits: { maxDepth: 1 } }), 'unexpected_end@1 /0', 'the head is not there');
  assert.equal(errorOf('91 dc ff ff', { limits: { maxDepth: 1 } }), 'limit_exceeded@1 /0', 'depth before counts');
  assert.equal(errorOf('d9 05 ff'), 'unexpected_end@0', 'length before text');
  assert.equal(errorOf('82 01 02 01 c1'), 'duplicate_key@3 /1', 'the key before its value');
});

test('says that what spec/09 gives to each language varies', () => {
  for (const bytes of ['a1 80', '81 c0 01', '81 c4 00 01', 'c7 0c ff 00*4 7f ff*7']) {
    assert.ok('varies' in judge(readBytes(bytes), { mode: 'default' }), bytes);
  }
  assert.ok('varies' in judge(readBytes('82 01 c0 a1 31 c0'), { mode: 'strict' }));
  assert.ok('value' in judge(readBytes('82 01 c0 01 c0'), { mode: 'default' }), 'the last wins');
});

/** @param {string} bytes @param {import('./judge.mjs').Language} language @param {import('./judge.mjs').Mode} [mode] */
function answer(bytes, language, mode = 'default') {
  const judgement = judge(readBytes(bytes), { mode, language });
  if ('error' in judgement) return write(judgement.error);
  assert.ok('value' in judgement, 'an answer for one language never varies');
  return JSON.stringify(judgement.value);
}

test('answers for one language in strict mode, too', () => {
  assert.equal(answer('82 01 c0 a1 31 c0', 'php'), '{"map":[[{"int":"1"},{"nil":true}]]}');
  assert.equal(answer('82 01 c0 a1 31 c0', 'php', 'strict'), 'duplicate_key@3 /1');
  assert.equal(answer('82 01 c0 cb 3f f0 00*6 c0', 'javascript', 'strict'), 'duplicate_key@3 /#1');
  assert.equal(answer('82 c0 c0 d4 00 00 c0', 'go', 'strict'), 'duplicate_key@3 /#1');
  assert.equal(answer('82 cb 80 00*7 c0 cb 00*8 c0', 'go', 'strict'), 'duplicate_key@11 /#1');
  for (const language of LANGUAGES) assert.equal(answer('a1 80', language, 'strict'), 'invalid_utf8@0');
  assert.equal(answer('81 a9 5f 5f 70 72 6f 74 6f 5f 5f 01', 'javascript', 'strict'), 'invalid_key@1');
  assert.equal(answer('81 c0 01', 'php', 'strict'), 'invalid_key@1');
});

test('keeps apart what only looks alike in a language', () => {
  const twoKeys = /"map":\[\[.*\],\[/;
  assert.match(answer('82 00 c0 cb 80 00*7 c0', 'javascript', 'strict'), twoKeys);
  assert.match(answer('82 d6 ff 00 00 00 01 c0 d7 ff 00 00 00 04 00 00 00 01 c0', 'javascript'), twoKeys);
  assert.match(
    answer('82 cf 00 20 00 00 00 00 00 00 c0 cf 00 20 00 00 00 00 00 01 c0', 'javascript', 'strict'),
    twoKeys,
  );
});

test('of folded keys the first stays in PHP and JavaScript, the last in Go', () => {
  assert.equal(answer('82 c4 01 61 c2 a1 61 c3', 'php'), '{"map":[[{"str":"a"},{"bool":true}]]}');
  assert.equal(answer('82 01 c2 cb 3f f0 00*6 c3', 'javascript'), '{"map":[[{"int":"1"},{"bool":true}]]}');
  const once = '{"map":[[{"map":[[{"int":"5"},{"int":"2"}]]},{"bool":true}]]}';
  assert.equal(answer('82 82 05 01 05 02 c2 81 05 02 c3', 'javascript'), once);
  assert.equal(answer('82 cb 00*8 c2 cb 80 00*7 c3', 'go'), '{"map":[[{"float":"8000000000000000"},{"bool":true}]]}');
});

test('a record or an ext as a key is judged by its kind first', () => {
  for (const bytes of ['81 d4 72 40 91 a1 61 01 01', '81 d4 72', '81 c7 02 72']) {
    for (const records of /** @type {const} */ (['off', 'inline'])) {
      for (const language of /** @type {const} */ (['php', 'go'])) {
        const judgement = judge(readBytes(bytes), { mode: 'default', records, language });
        assert.equal('error' in judgement && write(judgement.error), 'invalid_key@1', `${language} ${bytes}`);
      }
    }
  }
  for (const language of LANGUAGES) assert.equal(answer('81 c7 d4', language), 'unexpected_end@1');
  assert.equal(answer('81 d4 72 40 90 c0', 'javascript'), 'invalid_record@1');
  const pair = { ...INLINE, mode: /** @type {const} */ ('default') };
  const bytes = '92 d5 72 60 00 90 81 60 01 c0';
  assert.equal(errorOf(bytes, { ...pair, language: 'go' }), 'invalid_key@7 /1');
  assert.equal(errorOf(bytes, { ...pair, language: 'javascript' }), 'unknown_record@7 /1');
});

test('reads the examples of spec/05#shared', () => {
  const of = (/** @type {string[]} */ ...dictionary) => ({
    records: /** @type {const} */ ('shared'),
    dictionary: dictionary.map((name) => [name]),
  });
  const rows = '[{"a": 1}, {"b": 2}, {"b": 3}, 64]'; // as text, for people
  const read = readValue('94 40 01 d4 72 41 91 a1 62 02 41 03 cc 40', of('a'));
  assert.ok(
    equal(read, array([fields([['a', int(1)]]), fields([['b', int(2)]]), fields([['b', int(3)]]), int(64)])),
    rows,
  );
  const forty = Array.from({ length: 40 }, (_, index) => (index === 33 ? 'a' : `f${index}`));
  assert.ok(equal(readValue('61 00 01', of(...forty)), fields([['a', int(1)]])));
  assert.equal(errorOf('41', of('a')), 'unknown_record@0');
  assert.equal(errorOf('40 01', { records: 'shared', dictionary: [null, ['a']] }), 'unknown_record@0');
});

test('reads the header of spec/05#header', () => {
  const options = { records: /** @type {const} */ ('shared'), dictionary: [['a']], header: true };
  const bytes = 'c1 50 ae b5 8c 1b 28 93 80 32 40 01';
  assert.ok(equal(readValue(bytes, options), fields([['a', int(1)]])));
  assert.ok(
    equal(readValue(bytes, { ...options, dictionary: [['a'], ['b']] }), fields([['a', int(1)]])),
    'it has grown',
  );
  assert.ok(equal(readValue('40 01', options), fields([['a', int(1)]])), 'no header');
  assert.equal(errorOf(bytes, { ...options, dictionary: [['b']] }), 'invalid_record@0');
  assert.equal(errorOf(bytes, { ...options, header: false }), 'reserved_byte@0');
  assert.equal(errorOf('c1 50 ae', options), 'unexpected_end@0');
  assert.equal(errorOf('c1 51 00*8 01', options), 'reserved_byte@0');
});

test('counts the names of records as spec/06 says', () => {
  const bytes = '92 d4 72 40 91 a1 61 01 40 02'; // two maps of 1 + 2 bytes beside their values
  assert.ok(readValue(bytes, { ...INLINE, sumsNames: true, limits: { maxBytes: 6 } }));
  assert.equal(errorOf(bytes, { ...INLINE, sumsNames: true, limits: { maxBytes: 5 } }), 'limit_exceeded@8 /1');
});

test('answers with the bytes that PHP and Go keep', () => {
  assert.equal(answer('81 a1 80 a1 ff', 'go'), '{"map":[[{"notUtf8":"80"},{"notUtf8":"ff"}]]}');
  assert.equal(answer('c4 02 c3 28', 'php'), '{"notUtf8":"c328"}');
  assert.equal(answer('c4 02 c3 a9', 'php', 'strict'), '{"str":"é"}');
  assert.equal(answer('81 a2 61 80 c1', 'php'), 'reserved_byte@4 /a\ufffd');
  assert.deepEqual(encode({ notUtf8: '80' }), readBytes('a1 80'));
});

test('a record becomes what a map of its names does', () => {
  const record = readBytes('d4 72 40 92 a1 30 a1 31 c2 c3');
  const becomes = (/** @type {import('./judge.mjs').Language} */ language) => {
    const judgement = judge(record, { mode: 'default', records: 'inline', language });
    return 'value' in judgement ? judgement.value : judgement;
  };
  assert.ok(equal(/** @type {any} */ (becomes('php')), { array: [bool(false), bool(true)] }));
  for (const language of /** @type {const} */ (['javascript', 'go'])) {
    const expected = fields([
      ['0', bool(false)],
      ['1', bool(true)],
    ]);
    assert.ok(equal(/** @type {any} */ (becomes(language)), expected));
  }
});

test('judges the first value of many', () => {
  assert.deepEqual(judgeFirst(readBytes('01 92 02 03 04'), 1), { value: { array: [int(2), int(3)] }, end: 4 });
  assert.deepEqual(judgeFirst(readBytes('01 92 02'), 1), { error: { code: 'unexpected_end', offset: 1, path: '' } });
});

test('reads UTF-8 as the platform does', () => {
  const random = randomFrom(4_711);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const leads = [0x61, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff];
  const nexts = [0x61, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
  let valid = 0;
  for (let round = 0; round < 40_000; round++) {
    const lead = leads[random(leads.length)] ?? 0;
    const bytes = Uint8Array.from([lead, ...Array.from({ length: random(5) }, () => nexts[random(nexts.length)] ?? 0)]);
    /** @type {string | null} */
    let expected = null;
    try {
      expected = decoder.decode(bytes);
      valid++;
    } catch {
      // not UTF-8 to the platform
    }
    assert.equal(decodeUtf8(bytes), expected, Buffer.from(bytes).toString('hex'));
  }
  assert.ok(valid > 1_000, 'the rounds must try valid text too');
});
