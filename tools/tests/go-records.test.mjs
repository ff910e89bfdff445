// Records between Go and msgpackr: the file of what msgpackr writes is up to date, and each
// msgpackr reads what Go writes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FILE, lines, textOf, VERSIONS } from '../vectors/go-records.mjs';

/** @typedef {import('../vectors/go-records.mjs').Line} Line */

const GO = fileURLToPath(new URL('../../go/testdata/records/go.jsonl', import.meta.url));

/** @returns {Line[]} */
function read(/** @type {string} */ file) {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n');
  return texts.map((line) => JSON.parse(line));
}

test('the file of what msgpackr writes is what it writes', () => {
  assert.equal(readFileSync(FILE, 'utf8'), textOf(lines()), 'node tools/vectors/go-records.mjs writes it again');
});

for (const { writer, Unpackr } of VERSIONS) {
  test(`${writer} reads the records that Go writes`, () => {
    const cases = [...read(GO), ...read(FILE)];
    assert.ok(cases.length > 60);
    for (const { name, shapes, value, bytes } of cases) {
      const dictionary = shapes === null ? {} : { getStructures: () => structuredClone(shapes) };
      const unpackr = new Unpackr({ mapsAsObjects: true, ...dictionary });
      // Twice: declarations of a message must leave the dictionary as it is.
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(unpackr.unpack(Buffer.from(bytes, 'hex')), value, name);
      }
    }
  });
}
