// Reads a file of random snapshots as php/tools/snapshot-random.php makes them, and compares.
//
// usage: node tools/run.mjs fuzz/snapshot.ts FILE

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PolypackError, unserialize } from 'polypack/snapshot';
import { bytesOf } from '../tests/_values.ts';
import { type Described, describe, reduced } from '../tests/snapshot/_described.ts';

interface Case {
  readonly name: string;
  readonly bytes: string;
  readonly value?: Described;
  readonly error?: object;
}

function outcomeOf(bytes: string): object {
  try {
    return { value: describe(unserialize(bytesOf(bytes), { limits: { maxElements: 10_000 } })) };
  } catch (error) {
    if (!(error instanceof PolypackError)) throw error;
    const { code, offset, path } = error;
    return { error: { code, offset, path } };
  }
}

const [file = ''] = process.argv.slice(2);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Case[] };
for (const { name, bytes, value, error } of cases) {
  const wanted = value === undefined ? { error } : { value: reduced(value) };
  assert.deepEqual(outcomeOf(bytes), wanted, `${name}: ${bytes}`);
}
console.log(`js: ${cases.length} snapshots are read alike`);
