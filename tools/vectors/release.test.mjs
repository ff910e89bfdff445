// The released vectors: nothing is lost, nothing needs the notation, and only files of their own are deep.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { listFiles, readFile } from './files.mjs';
import { readBytes } from './notation.mjs';
import { levelsOf, MOST_LEVELS, releaseFiles, writtenOut } from './release.mjs';
import { array, equal, nil, str } from './values.mjs';

/** The files of vectors/, which the sources have made. @type {import('./cases.mjs').Source[]} */
const sources = listFiles().map((name) => JSON.parse(readFile(name)));
const files = releaseFiles(sources, { schema: '{}', readme: 'read me' });
const vectors = files.filter(({ cases }) => cases > 0);
const manifest = JSON.parse(files.at(-1)?.text ?? '');

test('bytes and values are written out', () => {
  const one = {
    name: 'x',
    spec: '02#str',
    value: array([str('a', 3)], 2),
    canonical: '92 (a3 61 61 61)*2',
    also: ['dc 00 02'],
  };
  const out = writtenOut(one);
  assert.deepEqual(out.value, { array: [{ str: 'aaa' }, { str: 'aaa' }] });
  assert.equal(out.canonical, '92a3616161a3616161');
  assert.deepEqual(out.also, ['dc0002']);
});

test('levels are those of containers outside of strings', () => {
  assert.equal(levelsOf('1'), 0);
  assert.equal(levelsOf('{"a[{": [1, "\\\\\\"["]}'), 2);
  assert.equal(levelsOf(JSON.stringify([[], [[[]]]])), 4);
});

test('a release has every case, and none twice', () => {
  const names = vectors.flatMap(({ text }) => text.match(/^\{"name":"[^"]+"/gm) ?? []);
  const wanted = sources.flatMap(({ cases }) => cases.map(({ name }) => `{"name":"${name}"`));
  assert.deepEqual(names.sort(), wanted.sort());
  assert.equal(manifest.cases, wanted.length);
  assert.equal(
    Object.values(manifest.counts).reduce((/** @type {number} */ sum, count) => sum + Number(count), 0),
    manifest.cases,
  );
});

test('nothing needs the notation, and files with several cases are shallow', () => {
  for (const { name, text } of vectors) {
    assert.equal(levelsOf(text) <= MOST_LEVELS || name.includes('/deep/'), true, name);
    assert.doesNotMatch(text, /"times":|"(bytes|canonical|becomes)":"[^"]*[^0-9a-f"]/, name);
  }
  assert.ok(vectors.some(({ name }) => name.includes('/deep/')));
});

test('what is written out means the same', () => {
  for (const { kind, cases } of sources.filter(({ kind: folder }) => folder === 'valid')) {
    for (const one of cases.slice(0, 40)) {
      const out = /** @type {any} */ (writtenOut(one));
      assert.ok(equal(out.value, one.value ?? nil), `${kind} ${one.name}`);
      assert.equal(out.canonical, Buffer.from(readBytes(one.canonical ?? '')).toString('hex'));
    }
  }
});

test('the manifest has the size and hash of each file', () => {
  assert.equal(manifest.files.length, files.length - 1);
  for (const [index, { file, bytes, sha256 }] of manifest.files.entries()) {
    const { name, text } = files[index] ?? { name: '', text: '' };
    assert.equal(file, name);
    assert.equal(bytes, Buffer.byteLength(text));
    assert.equal(sha256, createHash('sha256').update(text).digest('hex'));
  }
});
