// Drives the page that `lab report` makes, in a headless Chromium, as a reader with a mouse, a keyboard or a phone.
// Screenshots go to build/lab/.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pageOfResult } from '../templates/build.mjs';
import { geomean, standingOf } from '../templates/page/ratio-rows.mjs';
import { median, ratio, verdict } from '../templates/page/statistics.mjs';
import { close, openPage, rowsIn, shot, skip, writePage } from './_browser.mjs';
import { FAULT, RATIOS, smallResult } from './_result.mjs';

/** @type {string} */
let address;
/** @type {string} */
let ratiosAddress;

before(async () => {
  if (skip) return;
  address = writePage('report', await pageOfResult(smallResult()));
  ratiosAddress = writePage('ratios', await pageOfResult(RATIOS, 'snapshot'));
});
after(close);

/**
 * @param {Omit<Parameters<typeof openPage>[0], 'at'> & {at?: string}} how
 * @param {Parameters<typeof openPage>[1]} look
 */
const open = (how, look) => openPage({ at: address, ...how }, look);

/** @param {import('playwright-core').Page} page */
const rowsOf = (page) => rowsIn(page, '#table');

test('the statistics of the page say what the lab says', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.deepEqual(ratio({ 0: [2, 2], 1: [20, 20] }, { 0: [1, 1], 1: [10, 10] }, 1), { median: 2, low: 2, high: 2 });
  assert.equal(ratio({ 0: [1] }, { 1: [1] }, 1), undefined);
  assert.equal(verdict({ median: 1.1, low: 0.9, high: 1.3 }), 'tied');
  assert.equal(verdict({ median: 1.1, low: 1.05, high: 1.3 }), 'slower');
  assert.equal(verdict({ median: 0.5, low: 0.4, high: 0.6 }), 'faster');
});

test('numbers, losses and failures stand in the page', { skip }, () =>
  open({}, async (page) => {
    const rows = await rowsOf(page);
    assert.deepEqual(
      rows.map(([name]) => name),
      ['igbinary', 'Polypack', 'JSON (JS)', 'json_encode()', 'Twin', 'Liar'],
    );
    assert.match(rows[1]?.join(' ') ?? '', /Polypack PHP 60\.0 µs 0\.600 /);
    assert.match(rows[4]?.[3] ?? '', /≈$/, 'a tie is said as a tie');
    assert.equal(rows[5]?.[2], `no number: ${FAULT}`, 'markup in a fault stays text');
    const standing = await page.locator('#standing').innerText();
    assert.match(standing, /Polypack loses to igbinary \(2\.0\d×\)/);
    assert.match(standing, /beats .*json_encode\(\) \(1\.6\d×\)/);
    assert.match(await page.locator('#missing').innerText(), /TSantos took no part: the package registry has none/);
    assert.equal(await page.locator('#ratios svg g[aria-label="dot"] > *').count(), 5);
    const labels = await page.locator('#scatter svg').innerHTML();
    assert.match(labels, /json_encode\(\), Twin/, 'labels that would lie on each other are one');
    assert.equal(await page.locator('#curves svg g[aria-label="line"] path').count(), 5);
    await page.screenshot({ path: shot('report-light'), fullPage: true });
  }),
);

test('another baseline gives other ratios, and the address keeps the choice', { skip }, () =>
  open({}, async (page) => {
    await page.selectOption('#baseline', 'polypack');
    assert.match((await rowsOf(page))[0]?.[3] ?? '', /^0\.5/);
    await page.selectOption('#count', '1000');
    await page.getByLabel('JavaScript').uncheck();
    assert.equal((await rowsOf(page)).length, 5);
    const hash = new URL(page.url()).hash;
    assert.match(hash, /baseline=polypack/);
    await open({ hash }, async (again) => assert.deepEqual(await rowsOf(again), await rowsOf(page)));
  }),
);

test('an address with nonsense shows something that exists', { skip }, () =>
  open({ hash: '#scenario=moon&count=-1&baseline=nobody&languages=COBOL&theme=pink' }, async (page) => {
    assert.equal(await page.locator('#scenario').inputValue(), 'person');
    assert.equal(await page.locator('#baseline').inputValue(), 'json-encode');
  }),
);

test('a baseline without a number is said, and the rest stays', { skip }, () =>
  open({ hash: '#baseline=liar' }, async (page) => {
    assert.match(await page.locator('#ratios').innerText(), /Liar has no number here; choose another baseline/);
    assert.equal((await rowsOf(page)).length, 6);
  }),
);

test('the calculator takes your numbers', { skip }, () =>
  open({}, async (page) => {
    await page.fill('#objects', '2000000');
    await page.fill('#per-second', '10000');
    await page.fill('#overhead', '60');
    const rows = await page.locator('#calculated tbody tr').allInnerTexts();
    // 600 ns and 140 bytes for each: 1.2 s in all, 0.6 % of a processor, 400 MB, 11.2 Mbit/s.
    assert.equal(
      rows.find((row) => row.startsWith('Polypack')),
      'Polypack\t1.20 s\t0.600 %\t400 MB\t11.2 Mbit/s',
    );
  }),
);

test('the keyboard reaches all controls, and they work', { skip }, () =>
  open({}, async (page) => {
    await page.locator('#scenario').focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('#scenario').inputValue(), 'rows');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'scenario', 'the focus stays');
    /** @type {Set<string>} */
    const reached = new Set();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName || ''));
    }
    for (const id of ['operation', 'count', 'baseline', 'log', 'table', 'objects', 'SUMMARY']) {
      assert.ok(reached.has(id), `${id} is not reached by Tab`);
    }
  }),
);

test('dark colours and a phone show the same without sideways scrolling', { skip }, () =>
  open({ colorScheme: 'dark', viewport: { width: 360, height: 740 } }, async (page) => {
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await colour(), 'rgb(19, 21, 26)');
    assert.equal((await rowsOf(page)).length, 6);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await page.screenshot({ path: shot('report-phone-dark'), fullPage: true });
    await page.selectOption('#theme', 'light');
    assert.equal(await colour(), 'rgb(255, 255, 255)');
  }),
);

test('every sample can be taken away', { skip }, () =>
  open({}, async (page) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    const file = await download.path();
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).cells.length, smallResult().cells.length);
  }),
);

test('a page says that a run had few processes, or a busy machine', { skip }, async () => {
  const result = smallResult();
  const busy = 'The machine was busy in round 2';
  const few = writePage('few', await pageOfResult({ ...result, busy, effort: { ...result.effort, rounds: 2 } }));
  await openPage({ at: few }, async (page) => {
    const said = await page.locator('#missing').innerText();
    assert.match(said, /A cell had 2 processes: below 5, no interval/);
    assert.match(said, /The machine was busy in round 2/);
  });
  await open({}, async (page) => {
    assert.doesNotMatch(await page.locator('#missing').innerText(), /below 5|busy/);
  });
});

test('ratios are judged by their intervals, sizes by themselves', () => {
  const row = { workload: 'a', operation: 'encode', against: 'b', ratio: 1.2, low: 0.9, high: 1.4, verified: true };
  assert.equal(standingOf(row), 'tied');
  assert.equal(standingOf({ ...row, low: 1.1 }), 'better');
  assert.equal(standingOf({ ...row, ratio: 0.5, low: 0.4, high: 0.6 }), 'worse');
  assert.equal(standingOf({ ...row, low: 1.2, high: 1.2 }), 'tied', 'a single process says little');
  assert.equal(standingOf({ ...row, operation: 'size', low: 1.2, high: 1.2 }), 'better');
  assert.equal(standingOf({ ...row, operation: 'size', ratio: 0.9, low: 0.9, high: 0.9 }), 'worse');
  assert.ok(Math.abs(geomean([0.5, 2]) - 1) < 1e-12);
});

test('the ratios of a bench have a page, losses as visible as wins', { skip }, () =>
  open({ at: ratiosAddress, hash: '#operation=decode&order=ratio&against=nobody' }, async (page) => {
    assert.match(
      await page.locator('#short').innerText(),
      /^decode against igbinary, 2 workloads: 1\.00× as geometric mean; ours is better in 1, worse in 1, and not/,
    );
    const labels = await page.locator('#plot svg g[aria-label="y-axis tick label"] text').allTextContents();
    assert.deepEqual(labels, ['objects', 'rows'], 'losses first');
    assert.deepEqual(await rowsOf(page), [
      ['rows', '2.10', '4.00 (3.00–5.00)', '2.00 (1.80–2.20)'],
      ['objects', '0.900', 'not verified', '0.500 (0.400–0.600)'],
    ]);
    assert.equal(await page.locator('td.loss').count(), 3);
    await page.screenshot({ path: shot('ratios'), fullPage: true });
    await page.fill('#search', 'ROW');
    assert.equal((await rowsOf(page)).length, 1);
    await page.selectOption('#against', 'serialize()');
    assert.match(await page.locator('#short').innerText(), /^No row fits/);
    assert.match(new URL(page.url()).hash, /search=ROW/);
  }),
);
