// The vectors of snapshots that are about data (vectors/README.md#snapshots).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PolypackError, type SnapshotKeys, unserialize, unserializeSigned } from 'polypack/snapshot';
import { bytesOf } from '../_values.ts';
import { REPOSITORY } from '../_vectors.ts';
import { type Described, describe, reduced } from './_described.ts';

interface Case {
  readonly name: string;
  readonly bytes: string;
  readonly value?: Described;
  readonly error?: { readonly code: string; readonly offset: number; readonly path: string };
  readonly options?: { readonly [name: string]: unknown };
  readonly keys?: readonly string[] | null;
}

function casesOf(room: string): readonly Case[] {
  return JSON.parse(readFileSync(new URL(`vectors/snapshot/${room}.json`, REPOSITORY), 'utf8')).cases;
}

/** The fault of what was thrown, as vectors have it. */
function faultOf(error: unknown) {
  assert.ok(error instanceof PolypackError, String(error));
  const { code, offset, path } = error;
  return { code, offset, path };
}

for (const room of ['values', 'objects', 'accepted']) {
  for (const { name, bytes, value } of casesOf(room)) {
    test(name, () => assert.deepEqual(describe(unserialize(bytesOf(bytes))), reduced(value as Described)));
  }
}

for (const { name, bytes, error, options } of casesOf('invalid')) {
  // A class is never looked for here.
  if (error?.code.startsWith('class_')) continue;
  test(name, () => {
    const limits = {
      ...(options?.max_depth !== undefined && { maxDepth: options.max_depth as number }),
      ...(options?.max_elements !== undefined && { maxElements: options.max_elements as number }),
    };
    assert.throws(
      () => unserialize(bytesOf(bytes), { limits }),
      (thrown) => {
        assert.deepEqual(faultOf(thrown), error);
        return true;
      },
    );
  });
}

const KEYS: Record<string, string> = {
  k2: 'a key for vectors only, 32 bytes',
  k1: 'an older key for vectors, 32 byte',
  zz: 'a key that has signed nothing at all',
};
const keyOf = (id: string) => Buffer.from(KEYS[id] as string);

for (const { name, bytes, error, options, keys } of casesOf('signed')) {
  test(name, async () => {
    const ring: SnapshotKeys = keys ? Object.fromEntries(keys.map((id) => [id, keyOf(id)])) : keyOf('k2');
    const reading = unserializeSigned(bytesOf(bytes), { keys: ring, ...options });
    if (error === undefined) assert.deepEqual(await reading, { id: 7, name: 'Ann' });
    else assert.deepEqual(await reading.catch(faultOf), error);
  });
}

test('what PHP wrote under any version of a class is data', () => {
  for (const { name, bytes } of casesOf('evolution')) assert.ok(describe(unserialize(bytesOf(bytes))), name);
});

test('V1 is refused', () => {
  for (const { bytes, error } of casesOf('v1')) {
    if (error !== undefined) continue;
    assert.throws(() => unserialize(bytesOf(bytes)), { code: 'invalid_snapshot', offset: 0 });
  }
});
