// Other libraries: what counts as right, and that their crashes are counted and stay without consequence.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { PEERS } from '../lib/peers.mjs';
import { compare, tables } from '../lib/third-party.mjs';
import { loadVectors } from '../lib/vectors.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const VECTORS = path.join(HERE, 'vectors');
const vectors = loadVectors(VECTORS);

const ALL = { perRoom: Infinity, time: 60_000 };

/** @param {string} fault */
function fake(fault) {
  return { name: fault, command: [process.execPath, path.join(HERE, 'fake-adapter.mjs'), VECTORS, fault] };
}

test('right, wrong and refused are counted by room', async () => {
  const [right, wrong] = await compare({ vectors, filter: '', ...ALL }, [fake('none'), fake('wrong-kind')]);
  // The case with limits is not for libraries that have none.
  assert.deepEqual(right?.decoded.get('small'), { asked: 6, right: 6, missed: 0 });
  assert.deepEqual(wrong?.decoded.get('small'), { asked: 6, right: 5, missed: 0 });
  assert.deepEqual(right?.refused.get('small'), { asked: 2, right: 2, missed: 0 });
  // The fake serves transcode in lossless mode alone.
  assert.deepEqual(right?.kept.get('small'), { asked: 6, right: 0, missed: 0 });
});

test('accepted and crashing inputs are not refused; crashes are counted, not named', async () => {
  const agreements = await compare({ vectors, filter: '', ...ALL }, [fake('accepts-invalid'), fake('crash')]);
  const [lenient, crashing] = agreements;
  assert.deepEqual(lenient?.refused.get('small'), { asked: 2, right: 1, missed: 0 });
  assert.deepEqual(crashing?.refused.get('small'), { asked: 2, right: 1, missed: 0 });
  assert.equal(crashing?.incidents, 1);
  const text = tables(agreements);
  assert.match(text, /\| small \| 50 \| 50 \|/);
  assert.match(text, /\| crashes and hangs \| 0 \| 1 \|/);
  assert.doesNotMatch(text, /c1|reserved/);
});

test('a brief run asks a sample of each room', async () => {
  const [agreement] = await compare({ vectors, filter: '', ...ALL, perRoom: 2 }, [fake('none')]);
  assert.deepEqual(agreement?.decoded.get('small'), { asked: 2, right: 2, missed: 0 });
  assert.deepEqual(agreement?.refused.get('small'), { asked: 2, right: 2, missed: 0 });
});

test('when the time is over nothing is asked', async () => {
  const [agreement] = await compare({ vectors, filter: '', perRoom: Infinity, time: -1 }, [fake('none')]);
  assert.deepEqual(agreement?.decoded.get('small'), { asked: 0, right: 0, missed: 6 });
  assert.deepEqual(agreement?.refused.get('small'), { asked: 0, right: 0, missed: 2 });
  assert.match(tables(agreement ? [agreement] : []), /\| small \| – \|/);
});

test('the libraries of npm are found and answer', async () => {
  const programs = PEERS.slice(0, 2).map(({ name, find }) => ({ name, command: find(undefined) ?? [] }));
  const agreements = await compare({ vectors, filter: 'valid/int-5', ...ALL }, programs);
  for (const { decoded, kept } of agreements) {
    assert.deepEqual(decoded.get('small'), { asked: 1, right: 1, missed: 0 });
    assert.deepEqual(kept.get('small'), { asked: 1, right: 1, missed: 0 });
  }
});
