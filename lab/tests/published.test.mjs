import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishedFiles, publishedRuns, readPublished } from '../published/cli.mjs';
import { picture } from '../published/picture.mjs';
import { jsonOf, outcomeOf, summaryOf } from '../published/summary.mjs';
import { contestantsText, measurementText, readmeText } from '../published/tables.mjs';
import { FAULT, smallResult } from './_result.mjs';

const CLI = fileURLToPath(new URL('../published/cli.mjs', import.meta.url));

test('wrong arguments are refused in one line', () => {
  for (const args of [['extra'], ['--check', 'extra'], ['--frobnicate'], [fileURLToPath(import.meta.url)]]) {
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /^published: [^\n]+\n$/);
  }
});

test('README, page and picture say what the published numbers say', () => {
  const files = publishedFiles(publishedRuns(), readPublished);
  assert.deepEqual(Object.keys(files), ['README.md', 'docs/measurements/lab.md', 'docs/images/lab.svg']);
  for (const [name, text] of Object.entries(files)) {
    assert.equal(readPublished(name), text, `${name} differs: node lab/published/cli.mjs`);
  }
});

test('the published runs are verified, have all four vendors of the seed, and name no machine', () => {
  for (const run of publishedRuns()) {
    const slugs = run.contestants.map(({ slug }) => slug);
    for (const slug of ['jms', 'symfony', 'symfony-tailored', 'tsantos', 'simpleserializer']) {
      assert.ok(slugs.includes(slug), `${run.made}: ${slug}`);
    }
    assert.equal(run.environment.system, undefined);
    assert.match(run.environment.commit ?? '', /^[0-9a-f]{7,}$/, 'a checkout without changes');
    assert.equal(jsonOf(publishedRuns()), readPublished('docs/measurements/lab.json'));
  }
});

test('a summary keeps no samples, and has every duel of one language with its interval', () => {
  const run = summaryOf(smallResult());
  assert.doesNotMatch(jsonOf([run]), /rounds":\{|<\?php/);
  const duels = run.duels.filter((duel) => duel.scenario === 'rows' && duel.operation === 'serialize');
  assert.deepEqual(
    duels.filter(({ count }) => count === 10).map(({ ours, peer }) => `${ours}-${peer}`),
    ['polypack-json-encode', 'polypack-twin', 'polypack-igbinary'],
  );
  const against = (/** @type {string} */ peer) => duels.find((duel) => duel.peer === peer && duel.count === 100);
  const [win, loss] = [against('json-encode'), against('igbinary')];
  assert.ok(win && loss);
  assert.equal(outcomeOf(win), 'win');
  assert.equal(outcomeOf(loss), 'loss');
  assert.equal(loss.ratio.median, 0.5, 'half as fast');
  assert.equal(outcomeOf({ ...win, ratio: { median: 1.2, low: 0.9, high: 1.4 } }), 'tie');
});

test('a loss is bold, a tie is called one, and a failure has its reason in place of a number', () => {
  const result = smallResult();
  result.cells = result.cells.filter(({ count }) => count === 100);
  const run = summaryOf(result);
  run.duels = run.duels.map((duel) =>
    duel.peer === 'twin' ? { ...duel, ratio: { median: 1.1, low: 0.9, high: 1.3 } } : duel,
  );
  const text = readmeText(run);
  assert.match(text, /^\| json_encode\(\) \| 1\.\d\d \/ 1\.\d\d \|$/m);
  assert.match(text, /^\| igbinary \| \*\*0\.50\*\* \/ \*\*0\.50\*\* \|$/m);
  assert.match(text, /^\| Twin \| ≈ 1\.10 \/ ≈ 1\.10 \|$/m);
  assert.match(text, /4\s+won,\s+4\s+lost,\s+4\s+not\s+to\s+be\s+told\s+apart\s+in\s+12/);
  assert.match(measurementText(run), /\| Liar: returns other data: .* got array of 5 &lt;\/script>&lt;b>&amp;amp; \|/);
  assert.match(FAULT, /<b>&amp;$/);
  assert.match(measurementText(run), /TSantos took no part: the package registry has none/);
  assert.match(contestantsText([run]), /^\| Liar \| PHP \| 1\.0 \| php \|/m);
  const svg = picture(run);
  assert.equal(svg.match(/<circle/g)?.length, 2 * 5);
  assert.match(svg, />no number</);
  assert.equal(picture(summaryOf(result)), svg, 'the same numbers give the same bytes');
});
