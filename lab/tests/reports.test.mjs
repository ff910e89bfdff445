// Drives the pages of the relay and of the judge, which the same engine makes. Screenshots go to build/lab/.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pageDocument as conformanceDocument } from '../../conformance/lib/report.mjs';
import { LANGUAGES } from '../../demo/lib/drivers.mjs';
import { htmlReport } from '../../demo/lib/html.mjs';
import { emptyTally } from '../../demo/lib/losses.mjs';
import { pageOf } from '../templates/build.mjs';
import { close, openPage, rowsIn, shot, skip, writePage } from './_browser.mjs';

const MARKUP = '</script><b>&amp;';

/** @type {Record<string, string>} */
const addresses = {};

before(async () => {
  if (skip) return;
  addresses.same = writePage('relay', await htmlReport(relayResult(true)));
  addresses.differs = writePage('relay-differs', await htmlReport(relayResult(false)));
  addresses.failed = writePage('conformance', await pageOf('conformance', conformanceDocument(judged(true))));
  addresses.passed = writePage('conformance-passed', await pageOf('conformance', conformanceDocument(judged(false))));
});
after(close);

/** @param {boolean} ok @returns {import('../../demo/lib/relay.mjs').RelayResult} */
function relayResult(ok) {
  const same = { identical: true, detail: '' };
  const wrong = { identical: false, detail: `at path "/${MARKUP}": expected int 1` };
  const datasets = ['countries', 'cities'].map((name, i) => ({
    ...{ name, about: 'rows & columns', version: '1.0.0', licence: 'MIT', file: `${name}/<data>.json` },
    ...{ values: 1_234_567, messages: 1, repeats: 3, brotliQuality: 11, chain: same, records: same },
    cells: LANGUAGES.flatMap((encoder) =>
      LANGUAGES.map((decoder) => ({ encoder, decoder, ...(ok || i === 0 || decoder !== 'go' ? same : wrong) })),
    ),
    times: [{ language: /** @type {const} */ ('php'), decode: 1.25, encode: 1234.4 }],
    losses: ['JSON there and back', 'default mode'].map((trip, at) => ({
      trip,
      tally:
        at === 0
          ? { ...emptyTally(), changed: 7, kinds: { [`float → ${MARKUP}`]: { count: 7, path: '/a' } } }
          : emptyTally(),
    })),
    sizes: ['JSON, minified', 'MessagePack'].map((form, at) => ({ form, raw: 1000 - at, gzip: 100, brotli: 90 })),
  }));
  return { ok, languages: { php: 'PHP <1>', js: 'Node', go: 'go' }, chain: 'PHP → Go', datasets, seconds: 1 };
}

/** @param {boolean} fails @returns {import('../../conformance/lib/report.mjs').Report} */
function judged(fails) {
  /** @param {string} implementation @param {string} suite @param {string} mode @param {'passed' | 'failed' | 'expected'} outcome */
  const one = (implementation, suite, mode, outcome) => ({
    ...{
      implementation,
      suite,
      mode,
      outcome,
      name: 'int-5',
      key: `${suite}/int-5[${mode}]`,
      spec: '02#int',
      room: 'int',
    },
    verdict: outcome === 'passed' ? /** @type {const} */ ('passed') : /** @type {const} */ ('failed'),
    failures:
      outcome === 'passed' ? [] : [{ request: { op: 'decode', hex: MARKUP }, expected: 'value 5', got: 'value 6' }],
    unsupported: [],
    reason: outcome === 'expected' ? 'ints are read as floats' : null,
  });
  const judgements = [
    one('go', 'valid', 'strict', 'passed'),
    one('go', 'valid', 'default', 'passed'),
    one('js', 'valid', 'strict', 'expected'),
    one('js', 'valid', 'default', fails ? 'failed' : 'passed'),
    one('go', 'pairs', 'js', 'passed'),
  ];
  const thirdParty =
    '### Decoded as the profile says\n\n| room | other |\n|---|---|\n| int | 98 % |\n\n- gone: not found';
  return { implementations: ['go', 'js'], judgements: /** @type {any} */ (judgements), thirdParty };
}

test('the relay: its filters leave what was chosen, and the address keeps it', { skip }, () =>
  openPage({ at: addresses.same ?? '' }, async (page) => {
    assert.match(await page.locator('#headline.win').innerText(), /^2,469,134 values in 2 data sets/);
    assert.equal(await page.locator('#differences *').count(), 0);
    assert.equal(await page.locator('#matrix .win').count(), 2 * (9 + 2));
    assert.equal((await rowsIn(page, '#kinds')).length, 4);
    assert.equal((await rowsIn(page, '#bytes')).length, 4);
    const bars = await page.locator('#losses svg text').allTextContents();
    assert.ok(bars.includes('14') && bars.filter((text) => text === 'nothing').length === 2, bars.join());
    await page.screenshot({ path: shot('relay-light'), fullPage: true });
    await page.selectOption('#dataset', 'cities');
    await page.selectOption('#trip', 'JSON there and back');
    await page.selectOption('#form', 'MessagePack');
    assert.deepEqual(await rowsIn(page, '#kinds'), [['cities', 'JSON there and back', `7 float → ${MARKUP} /a`, '–']]);
    assert.deepEqual(await rowsIn(page, '#bytes'), [['cities', 'MessagePack', '999', '100', '90', '11']]);
    assert.deepEqual(await rowsIn(page, '#times'), [['cities', '1,234,567', '1.3', '1,234', '–', '–', '–', '–', '3']]);
    const hash = new URL(page.url()).hash;
    await openPage({ at: addresses.same ?? '', hash }, async (again) =>
      assert.deepEqual(await rowsIn(again, '#kinds'), await rowsIn(page, '#kinds')),
    );
  }),
);

test('the relay: a difference is said first, and its text stays text', { skip }, () =>
  openPage(
    { at: addresses.differs ?? '', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    async (page) => {
      assert.match(await page.locator('#headline.loss').innerText(), /^3 of 22 checks found a difference/);
      const rows = await rowsIn(page, '#differences');
      assert.deepEqual(rows[0], ['cities', 'PHP → Go', `at path "/${MARKUP}": expected int 1`]);
      assert.equal(await page.locator('#matrix .loss').count(), 3);
      assert.ok((await page.locator('#losses svg').innerHTML()).includes('see the differences'));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
      await page.screenshot({ path: shot('relay-phone-dark'), fullPage: true });
    },
  ),
);

test('conformance: counts, pairs, failures and gaps, by the choice', { skip }, () =>
  openPage({ at: addresses.failed ?? '' }, async (page) => {
    assert.equal(await page.locator('#headline.loss').innerText(), '1 cases fail; 3 pass.');
    assert.deepEqual(await rowsIn(page, '#suites'), [
      ['valid', '2 passed', '0 passed, 1 known gaps, 1 failed'],
      ['pairs', '1 passed', '–'],
    ]);
    assert.deepEqual(await rowsIn(page, '#pairs'), [
      ['go', '–', '1 passed'],
      ['js', '–', '–'],
    ]);
    await page.locator('#failures summary').click();
    assert.match(
      await page.locator('#failures pre').innerText(),
      /^request .*<\/script><b>&amp;.*\nexpected {2}value 5\n/,
    );
    assert.deepEqual(await rowsIn(page, '#known'), [['js', 'valid/int-5[strict]', 'ints are read as floats']]);
    assert.deepEqual(await rowsIn(page, '#others'), [['int', '98 %']]);
    assert.match(await page.locator('#others').innerText(), /gone: not found/);
    await page.screenshot({ path: shot('conformance-light'), fullPage: true });
    await page.selectOption('#implementation', 'go');
    assert.equal(await page.locator('#failures').innerText(), 'None.');
    assert.deepEqual(await rowsIn(page, '#suites'), [
      ['valid', '2 passed'],
      ['pairs', '1 passed'],
    ]);
    await page.selectOption('#implementation', 'all');
    await page.fill('#search', 'DEFAULT');
    assert.equal(await page.locator('#failures details').count(), 1);
    assert.equal(await page.locator('#known').innerText(), 'None.');
    assert.match(new URL(page.url()).hash, /search=DEFAULT/);
  }),
);

test('conformance: without failures it says so, on a phone too; nonsense in the address is no choice', { skip }, () =>
  openPage(
    {
      ...{ at: addresses.passed ?? '', hash: '#implementation=cobol&suite=moon&theme=pink' },
      ...{ colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    },
    async (page) => {
      const said = await page.locator('#headline.win').innerText();
      assert.equal(said, '4 cases pass in 2 implementations; 1 are known gaps; none fails.');
      assert.equal(await page.locator('#implementation').inputValue(), 'all');
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
      await page.screenshot({ path: shot('conformance-phone-dark'), fullPage: true });
    },
  ),
);
