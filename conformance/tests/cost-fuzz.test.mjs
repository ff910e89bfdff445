// The fuzzer of costs: units are what they say, whatever costs too much is found and cut down, and finds stay mended.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judge } from '../../tools/vectors/judge.mjs';
import { main } from '../lib/cost.mjs';
import { checkFinds } from '../lib/cost-finds.mjs';
import { excessOf, fits } from '../lib/cost-process.mjs';
import { randomTree, smaller, treeOf, unitOf } from '../lib/cost-random.mjs';
import { allUnits, lengthOf, messageOf } from '../lib/cost-units.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** @param {string} fault @returns {import('../lib/adapters.mjs').Implementation} */
function fake(fault) {
  const command = [process.execPath, path.join(HERE, 'cost-adapter.mjs'), fault];
  return { name: 'fake', language: 'fake', writesRecords: true, needs: [], command };
}

/** @param {string} fault @param {string[]} args */
async function fuzz(fault, ...args) {
  /** @type {string[]} */
  const printed = [];
  const setting = {
    implementations: [fake(fault)],
    rows: '',
    print: (/** @type {string} */ text) => printed.push(text),
  };
  const status = await main(['--fuzz', ...args], setting);
  return { status, output: printed.join('\n') };
}

// --- units -----------------------------------------------------------------------------------------------------------

const DICTIONARY = [['999'], ['abc'], ['999', '2499'], ['abc', 'abcd']];

test('a unit and its twin have the same length', () => {
  const plain = allUnits().filter(({ also }) => also !== 'bundleStrings'); // a bundle adds a byte to each text
  for (const { parts } of plain) {
    for (const { text, twin } of parts) assert.equal(lengthOf(text), lengthOf(twin), `${text} ${twin}`);
  }
});

test('the messages of units and twins are valid', () => {
  const random = Array.from({ length: 200 }, (_, number) => unitOf(randomTree(7, number)));
  for (const unit of [...allUnits(), ...random].filter(({ also }) => also === undefined)) {
    for (const which of /** @type {const} */ (['text', 'twin'])) {
      const bytes = new Uint8Array(Buffer.from(messageOf(unit, which, 1500), 'hex'));
      const judgement = judge(bytes, { mode: 'lossless', records: unit.records ?? 'off', dictionary: DICTIONARY });
      const { code = '' } = 'error' in judgement ? judgement.error : {};
      assert.ok(code === '' || code === 'duplicate_key', `${which} ${code} ${JSON.stringify(unit)}`);
    }
  }
});

test('places of a template are filled by the index', () => {
  const message = (/** @type {string} */ text) =>
    messageOf({ wrap: 'array', parts: [{ text, twin: text }] }, 'text', 3 * lengthOf(text)).slice(10);
  assert.equal(message('cd{u16*3+1}'), 'cd0001cd0004cd0007');
  assert.equal(message('a2{d2*7+10}'), 'a23130a23137a23234');
  assert.equal(message('a2{b2}'), 'a25f30a25f31a25f32');
});

test('bundled texts stand behind the message', () => {
  const unit = { wrap: /** @type {const} */ ('array'), parts: [{ text: '{t61626364}', twin: '' }] };
  assert.equal(messageOf(unit, 'text', 12), `dd00000002d66200000008c104c104a0db00000008${'61626364'.repeat(2)}`);
});

test('an int for V8 has the wanted hash', () => {
  const bytes = Buffer.from(
    messageOf({ wrap: 'map', parts: [{ text: 'd2{v32*65536}', twin: '' }] }, 'text', 600),
    'hex',
  );
  for (let at = 5, index = 0; at < bytes.length; at += 6, index++) {
    // V8's ComputeUnseededHash.
    let hash = bytes.readInt32BE(at + 1);
    hash = ~hash + (hash << 15);
    hash ^= hash >>> 12;
    hash += hash << 2;
    hash ^= hash >>> 4;
    hash = Math.imul(hash, 2057);
    hash ^= hash >>> 16;
    assert.equal(hash >>> 0, index * 65_536);
  }
});

test('the table has every head and no unit twice', () => {
  const units = allUnits();
  const texts = units.map((unit) => JSON.stringify(unit));
  assert.deepEqual(
    texts.filter((text, index) => texts.indexOf(text) !== index),
    [],
  );
  const heads = new Set(units.flatMap(({ parts }) => parts.map(({ text }) => Number.parseInt(text.slice(0, 2), 16))));
  for (let head = 0xc0; head < 0xe0; head++)
    assert.ok(heads.has(head) || head === 0xc1 || head === 0xc3, head.toString(16));
});

test('a random unit depends on seed and number alone, and what is smaller has fewer bytes or less structure', () => {
  for (let number = 0; number < 100; number++) {
    const tree = randomTree(3, number);
    assert.deepEqual(randomTree(3, number), tree);
    for (const less of smaller(tree)) assert.notDeepEqual(less, tree);
  }
  assert.notDeepEqual(randomTree(4, 0), randomTree(3, 0));
});

test('every way to cut a unit down ends', () => {
  const trees = [...allUnits().map(treeOf), ...Array.from({ length: 200 }, (_, number) => randomTree(5, number))];
  for (const tree of trees) {
    for (const which of [0, -1]) {
      let less = [...smaller(tree)].at(which);
      for (let steps = 0; less !== undefined; less = [...smaller(less)].at(which)) assert.ok(++steps < 100);
    }
  }
});

// --- bounds ----------------------------------------------------------------------------------------------------------

test('a message may cost four times as much as its twin, or as what is always allowed', () => {
  assert.deepEqual(excessOf({ retained: 256 }, { retained: 1 }), []);
  assert.equal(excessOf({ retained: 257 }, { retained: 1 })[0]?.what, 'retained');
  assert.deepEqual(excessOf({ retained: 400 }, { retained: 100 }), []);
  assert.equal(excessOf({ cpu: 2001 }, { cpu: 100 })[0]?.what, 'cpu');
  assert.deepEqual(excessOf({ cpu: 2001 }, { cpu: 100 }, { collides: true }), []);
  assert.equal(excessOf({ died: 'of it' }, {})[0]?.what, 'died');
});

test('a door must read what a unit needs', () => {
  const door = { name: 'a', records: /** @type {const} */ ('inline'), also: /** @type {const} */ ('structuredClone') };
  assert.ok(fits(door, {}) && fits(door, { records: 'inline' }) && fits(door, { also: 'moreTypes' }));
  assert.ok(!fits(door, { records: 'shared' }) && !fits(door, { also: 'bundleStrings' }));
});

// --- the fuzzer ------------------------------------------------------------------------------------------------------

test('the fuzzer exits with 0 when nothing costs too much', async () => {
  const { status, output } = await fuzz('none', '--count', '20', '--seed', '1', '--door', 'records');
  assert.match(output, /^cost: \d+ units at doors in \d+ s, seed 1: none exceeds$/);
  assert.equal(status, 0);
});

/** @type {[string, RegExp][]} */
const KINDS = [
  ['retains', /retained 5000, twin 10/],
  ['allocates', /bytes 5000, twin 20/],
  ['resides', /resident 50000, twin 0/],
  ['computes', /cpu 1000000, twin 10/],
  ['dies', /exited with status 3/],
];
/** The number of a random unit that has the expensive part among others. */
const NUMBER = Array.from({ length: 5000 }, (_, number) => number).find((number) => {
  const { wrap, parts } = unitOf(randomTree(1, number));
  return wrap === 'rows' && parts.length > 1 && parts.some(({ text }) => text.slice(2).includes('81a3393939'));
});

for (const [fault, text] of KINDS) {
  test(`the fuzzer finds what ${fault}, cuts it down, and exits with 1`, async () => {
    const { status, output } = await fuzz(fault, '--unit', String(NUMBER), '--seed', '1', '--door', 'fake: plain');
    assert.match(output, text);
    const [, unit = ''] = new RegExp(`unit ${NUMBER} of seed 1: (\\{.*\\})$`, 'm').exec(output) ?? [];
    const { wrap, parts } = JSON.parse(unit);
    assert.equal(wrap, 'array');
    assert.deepEqual(
      parts.map((/** @type {import('../lib/cost-units.mjs').Part} */ part) => part.text.slice(0, 10)),
      ['81a3393939'],
    );
    assert.equal(status, 1);
  });
}

test('the fuzzer finds what is in its table', async () => {
  const { status, output } = await fuzz('retains', '--count', '1', '--seed', '1', '--door', 'fake: plain');
  assert.match(output, /^fake: plain: retained 5000, twin 10; unit of the table: .*\n.* 1 EXCEED$/);
  assert.equal(status, 1);
});

test('wrong use exits with 2', async () => {
  assert.equal((await fuzz('none', '--time', 'soon')).status, 2);
  assert.equal((await fuzz('none', '--seed', '0')).status, 2);
  assert.equal(await main(['--seed', '1'], { implementations: [], rows: '', print: () => {} }), 2);
});

// --- finds -----------------------------------------------------------------------------------------------------------

/** @param {Partial<import('../lib/cost-finds.mjs').Find>} find @param {string} fault */
async function check(find, fault) {
  const unit = {
    wrap: /** @type {const} */ ('array'),
    parts: [{ text: '81a339393907', twin: '81a361626307' }],
  };
  const judge = { rounds: 1, fault: () => null };
  const { asked, wrong } = await checkFinds(fake(fault), [
    { name: 'it', at: /plain/, unit, length: 800, judge, ...find },
  ]);
  assert.equal(asked, 1);
  return wrong.join();
}

test('a find that is mended passes, and one that dies fails', async () => {
  assert.equal(await check({}, 'none'), '');
  assert.match(await check({}, 'dies'), /^fake: it \[plain\]: exited with status 3/);
});

test('a find is judged beside its twin', async () => {
  const judge = {
    rounds: 1,
    fault: (/** @type {any} */ text, /** @type {any} */ twin) => `${text.retained} ${twin.retained}`,
  };
  assert.equal(await check({ judge }, 'retains'), 'fake: it [plain]: 5000 10');
});
