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

/** @param {string} fault */
function fake(fault) {
  return { name: fault, command: [process.execPath, path.join(HERE, 'fake-adapter.mjs'), VECTORS, fault] };
}

test('right, wrong and refused are counted by room', async () => {
  const [right, wrong] = await compare({ vectors, filter: '' }, [fake('none'), fake('wrong-kind')]);
  // The case with limits is not for libraries that have none.
  assert.deepEqual(right?.decoded.get('small'), { asked: 6, right: 6 });
  assert.deepEqual(wrong?.decoded.get('small'), { asked: 6, right: 5 });
  assert.deepEqual(right?.refused.get('small'), { asked: 2, right: 2 });
  // The fake serves transcode in lossless mode alone.
  assert.deepEqual(right?.kept.get('small'), { asked: 6, right: 0 });
});

test('accepted and crashing inputs are not refused; crashes are counted, not named', async () => {
  const agreements = await compare({ vectors, filter: '' }, [fake('accepts-invalid'), fake('crash')]);
  const [lenient, crashing] = agreements;
  assert.deepEqual(lenient?.refused.get('small'), { asked: 2, right: 1 });
  assert.deepEqual(crashing?.refused.get('small'), { asked: 2, right: 1 });
  assert.equal(crashing?.incidents, 1);
  const text = tables(agreements);
  assert.match(text, /\| small \| 50 \| 50 \|/);
  assert.match(text, /\| crashes and hangs \| 0 \| 1 \|/);
  assert.doesNotMatch(text, /c1|reserved/);
});

test('the libraries of npm are found and answer', async () => {
  const programs = PEERS.slice(0, 2).map(({ name, find }) => ({ name, command: find(undefined) ?? [] }));
  const agreements = await compare({ vectors, filter: 'valid/int-5' }, programs);
  for (const { decoded, kept } of agreements) {
    assert.deepEqual(decoded.get('small'), { asked: 1, right: 1 });
    assert.deepEqual(kept.get('small'), { asked: 1, right: 1 });
  }
});
