// What registries show of a package: every published manifest says where it comes from and where to report a bug.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPOSITORY = 'https://github.com/polypack/polypack';

/** @param {string} pattern @returns {[string, any][]} files and what they say */
function manifests(pattern) {
  const listed = execFileSync('git', ['ls-files', '-z', pattern], { cwd: ROOT }).toString('utf8');
  const files = listed.split('\0').filter((file) => file !== '' && !file.includes('testdata/'));
  return files.map((file) => [file, JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))]);
}

test('every package.json that is published is complete', () => {
  const published = manifests('*package.json').filter(([, manifest]) => manifest.private !== true);
  assert.deepEqual(
    published.map(([file]) => file),
    ['js/msgpackr/package.json', 'js/package.json'],
  );
  for (const [file, { description, homepage, repository, bugs, author, license }] of published) {
    assert.deepEqual(
      repository,
      { type: 'git', url: `git+${REPOSITORY}.git`, directory: path.dirname(file) },
      `${file}: repository`,
    );
    assert.match(homepage, new RegExp(`^${REPOSITORY}`), `${file}: homepage`);
    assert.equal(bugs, `${REPOSITORY}/issues`, `${file}: bugs`);
    for (const text of [description, author, license]) assert.match(text, /\w/, file);
  }
});

test('every composer.json that is published is complete', () => {
  const published = manifests('*composer.json').filter(([, manifest]) => manifest.type === 'library');
  assert.deepEqual(
    published.map(([file]) => file),
    ['php/composer.json', 'php/rybakit/composer.json'],
  );
  for (const [file, { description, homepage, support, authors, license }] of published) {
    assert.equal(homepage, REPOSITORY, `${file}: homepage`);
    assert.equal(support.issues, `${REPOSITORY}/issues`, `${file}: support.issues`);
    assert.match(support.source, new RegExp(`^${REPOSITORY}`), `${file}: support.source`);
    assert.match(authors[0].name, /\w/, `${file}: authors`);
    for (const text of [description, license]) assert.match(text, /\w/, file);
  }
});
