import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDataset, MissingDataset, SOURCES } from '../lib/datasets.mjs';
import { Entries } from '../lib/tree.mjs';

const source = { name: 'x', about: '', small: false };

test('a package that is not installed is named, with the command that mends it', () => {
  assert.throws(
    () => loadDataset({ ...source, package: '@polypack/nowhere', file: 'x.json' }),
    (error) =>
      error instanceof MissingDataset && error.message === 'missing: data package @polypack/nowhere; run: make setup',
  );
});

test('a file that a package does not have is named', () => {
  assert.throws(
    () => loadDataset({ ...source, package: 'mime-db', file: 'nowhere.json' }),
    (error) =>
      error instanceof MissingDataset && /^missing: nowhere\.json in data package mime-db /.test(error.message),
  );
});

test('a data package is read with its version and licence', () => {
  const found = SOURCES.find(({ name }) => name === 'mime-db');
  assert.ok(found !== undefined);
  const { tree, version, licence, rows, text } = loadDataset(found);
  assert.ok(tree instanceof Entries && tree.keys.includes('application/json'));
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(licence, 'MIT');
  assert.equal(rows, null);
  assert.ok(text?.startsWith('{'));
});
