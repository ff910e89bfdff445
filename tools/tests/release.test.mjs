// What guards a release: the hosted workflows, install scripts, and the bills of materials.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { billOf, packagesOf } from '../sbom.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORKFLOWS = path.join(ROOT, '.github/workflows');

/** @param {string} file */
const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

test('install scripts run for the listed npm packages only', () => {
  const locked = Object.entries(JSON.parse(read('package-lock.json')).packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([place]) => place.replace(/^.*node_modules\//, ''));
  const allowed = /^readonly WITH_INSTALL_SCRIPT=\((.*)\)$/m.exec(read('tools/setup'))?.[1]?.split(' ');
  assert.deepEqual(allowed, locked.sort());
  for (const line of read('tools/setup').match(/^ *twice npm (?!rebuild).*$/gm) ?? []) {
    assert.match(line, /--ignore-scripts/);
  }
});

test('the hosted run calls .ci/run with the least permissions', () => {
  const ci = readFileSync(path.join(WORKFLOWS, 'ci.yml'), 'utf8');
  assert.match(ci, /^ +run: \.ci\/run$/m);
  assert.match(ci, /^permissions:\n {2}contents: read\n\n/m);
  assert.doesNotMatch(ci, /: write|secrets\./);
});

test('the release publishes each npm package, with one version and provenance', () => {
  const release = read('.github/workflows/release.yml');
  const published = [...release.matchAll(/^ +npm publish (?:--workspace |\.\/)(\S+) --provenance /gm)].map(
    ([, at]) => at,
  );
  assert.deepEqual(published, ['js', 'js/msgpackr']);
  for (const folder of published) {
    assert.ok(JSON.parse(read(`${folder}/package.json`)).private !== true);
    assert.ok(release.includes(`require("./${folder}/package.json").version')" = "$GITHUB_REF_NAME"`), folder);
  }
});

test('no workflow runs foreign code that is not pinned to a commit, or for requests of strangers with secrets', () => {
  for (const file of readdirSync(WORKFLOWS)) {
    const text = readFileSync(path.join(WORKFLOWS, file), 'utf8');
    for (const [, action] of text.matchAll(/\buses: *(\S+)/g)) assert.match(action ?? '', /@[0-9a-f]{40}$/, file);
    assert.doesNotMatch(text, /pull_request_target/, file);
    assert.match(text, /^permissions:\n {2}contents: read$/m, file);
  }
});

test('a bill of materials names the package and its version', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sbom-'));
  const args = [path.join(ROOT, 'tools/sbom.mjs'), '--version', '1.2.3', '--out', folder];
  assert.equal(spawnSync(process.execPath, args).status, 0);
  const names = readdirSync(folder).map((file) => {
    const { bomFormat, metadata } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    assert.equal(bomFormat, 'CycloneDX');
    return metadata.component.purl;
  });
  const { version } = JSON.parse(read('js/package.json'));
  assert.deepEqual(names, [
    'pkg:composer/polypack/polypack@1.2.3',
    'pkg:golang/github.com/polypack/polypack/go@1.2.3',
    `pkg:npm/polypack@${version}`,
  ]);
});

test('a run-time dependency stops the bill of materials', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sbom-'));
  for (const part of ['js', 'php', 'go']) mkdirSync(path.join(folder, part));
  writeFileSync(path.join(folder, 'js/package.json'), '{"name":"a","version":"1.0.0","dependencies":{"left":"1"}}');
  writeFileSync(path.join(folder, 'php/composer.json'), '{"name":"a/a","require":{"php":">=8.2","psr/log":"^3"}}');
  writeFileSync(path.join(folder, 'go/go.mod'), 'module example.com/a\n\nrequire (\n\texample.com/b v1.0.0\n)\n');
  const found = packagesOf(folder, '1.0.0');
  assert.deepEqual(
    Object.values(found).map(({ dependencies }) => dependencies),
    [['left'], ['psr/log'], ['example.com/b']],
  );
  for (const item of Object.values(found)) assert.throws(() => billOf(item), /requires .* at run time/);
});
