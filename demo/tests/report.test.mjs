import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../lib/drivers.mjs';
import { htmlReport } from '../lib/html.mjs';
import { emptyTally } from '../lib/losses.mjs';
import { picture } from '../lib/picture.mjs';
import { TRIPS } from '../lib/relay.mjs';
import { headline, lossAltogether, lossKinds, lossTotal, textReport } from '../lib/report.mjs';

/** @typedef {import('../lib/relay.mjs').RelayResult} RelayResult */

const same = { identical: true, detail: '' };
const wrong = { identical: false, detail: 'at path "/<b>": expected int 1, got str "&"' };

/** @type {import('../lib/losses.mjs').Tally} */
const LOST = {
  kinds: { 'empty map → array': { count: 14, path: '/<a>' }, 'float → int': { count: 1124, path: '/b' } },
  changed: 1138,
  reordered: 0,
  refused: { count: 2, example: '<script>' },
};

/**
 * @param {string} name
 * @param {boolean} ok
 * @returns {RelayResult['datasets'][number]}
 */
function dataset(name, ok) {
  return {
    name,
    about: 'rows & columns',
    version: '1.0.0',
    licence: 'MIT',
    file: `${name}/<data>.json`,
    values: 1234567,
    messages: 1,
    cells: LANGUAGES.flatMap((encoder) =>
      LANGUAGES.map((decoder) => ({ encoder, decoder, ...(ok || decoder !== 'go' ? same : wrong) })),
    ),
    chain: same,
    records: same,
    times: [{ language: 'php', decode: 1.25, encode: 1234.4 }],
    repeats: 3,
    losses: TRIPS.map(({ name: trip }, i) => ({ trip, tally: i === 0 ? LOST : { ...emptyTally(), reordered: i } })),
    sizes: [{ form: 'JSON, minified', raw: 1000, gzip: 100, brotli: 90 }],
    brotliQuality: 11,
  };
}

/** @param {boolean} ok @returns {RelayResult} */
const result = (ok) => ({
  ok,
  languages: { php: 'PHP <1>', js: 'Node', go: 'go' },
  chain: 'PHP → Go',
  datasets: [dataset('first', true), dataset('second', ok)],
  seconds: 12.34,
});

test('the headline says whether everything is identical', () => {
  assert.match(headline(result(true)), /^2,469,134 values in 2 data sets .* every one came back identical\.$/);
  assert.match(headline(result(false)), /^3 of 22 checks found a difference/);
});

test('the text report names each difference and each loss', () => {
  const text = textReport(result(false), { color: false });
  assert.match(text, /second, JavaScript → Go: at path "\/<b>": expected int 1, got str "&"/);
  assert.match(text, /refused with an error 2, float → int 1,124, empty map → array 14/);
  assert.match(text, /nothing \(order of 1 map\)/);
  assert.ok(!text.includes('\x1b'));
  assert.ok(textReport(result(true), { color: true }).includes('\x1b[32m'));
});

test('losses of all data sets add up', () => {
  const loss = lossAltogether(result(true).datasets, TRIPS[0]?.name ?? '');
  assert.equal(lossTotal(loss), 2 * (1138 + 2));
  assert.deepEqual(
    lossKinds(loss).map(({ kind, count }) => [kind, count]),
    [
      ['refused with an error', 4],
      ['float → int', 2248],
      ['empty map → array', 28],
    ],
  );
});

test('the page asks for nothing beside itself, and the text of data stays text', async () => {
  const html = await htmlReport(result(false));
  const [head = '', rest = ''] = html.split('<script type="application/json" id="result">');
  assert.match(
    head,
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'/,
  );
  assert.ok(!/<link|<img|@import|url\(|https?:/.test(head));
  const [data = ''] = rest.split('</script>');
  assert.doesNotMatch(data, /<[/!]|<script/);
  const shown = JSON.parse(data);
  assert.match(shown.headline, /^3 of 22 checks/);
  assert.equal(shown.failures[0].detail, wrong.detail);
  assert.deepEqual(shown.datasets[0].losses[0].kinds[0], {
    ...{ kind: 'refused with an error', count: 2, where: '<script>' },
  });
});

test('the picture depends on results alone', () => {
  const later = { ...result(true), seconds: 99, languages: { php: 'a', js: 'b', go: 'c' } };
  for (const { times } of later.datasets) times.length = 0;
  assert.equal(picture(later), picture(result(true)));
  assert.match(picture(later), /^<svg .*2,469,134 values.*<\/svg>\n$/s);
});
