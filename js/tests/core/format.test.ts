// The constants of src/core/format.ts are the table of spec/format.json, row by row.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FORMAT, unpack } from 'polypack';
import { assertFault } from '../_check.ts';
import { REPOSITORY } from '../_vectors.ts';

interface Row {
  readonly format: string;
  readonly name: string;
  readonly family: string;
  readonly first: string;
  readonly last: string;
  readonly bytes: number;
}

const spec = JSON.parse(readFileSync(new URL('spec/format.json', REPOSITORY), 'utf8'));

test('every head byte is the one of spec/format.json', () => {
  const rows = (spec.heads as Row[]).map((row) => ({
    ...row,
    first: Number.parseInt(row.first, 16),
    last: Number.parseInt(row.last, 16),
  }));
  assert.deepEqual(FORMAT.heads, rows);
});

test('the table covers each of the 256 bytes once', () => {
  const covered = FORMAT.heads.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );
  assert.deepEqual(
    covered.sort((a, b) => a - b),
    Array.from({ length: 256 }, (_, byte) => byte),
  );
});

test('extension types, limits and the profile are those of spec/format.json', () => {
  assert.deepEqual(FORMAT.extensions, spec.extensions);
  assert.deepEqual(FORMAT.limits, spec.limits);
  assert.equal(FORMAT.profile, spec.profile);
});

test('faults call each format by its name', () => {
  for (const { format, first, last, bytes } of FORMAT.heads) {
    if (format === 'reserved') continue;
    for (const head of [first, last]) {
      // Heads that are not all there; and keys that an object can't have, fixints aside.
      const isCut = bytes > 0;
      const message = isCut ? Uint8Array.of(head) : Uint8Array.of(0x81, head, 0);
      if (format === 'fixstr' || format === 'positive fixint') continue;
      const error = assertFault(() => unpack(message, { mode: 'strict', mapsAsObjects: true }), {
        code: isCut ? 'unexpected_end' : 'invalid_key',
      });
      assert.match(error.message, new RegExp(`\\b${format} |\\b${format}$`), error.message);
    }
  }
  assertFault(() => unpack(Uint8Array.of(0xbf)), { code: 'unexpected_end', message: /^fixstr declares 31 bytes/ });
});
