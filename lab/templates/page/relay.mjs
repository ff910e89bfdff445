// The page of the relay: which language read what which wrote, what the usual trips lose, sizes and times.

import * as Plot from '@observablehq/plot';
import { common } from './charts.mjs';
import { followChoices } from './choices.mjs';
import { unique } from './model.mjs';
import { drawByWidth, element, get, offerDownload, section, tableOf, widthOf } from './parts.mjs';

/**
 * @typedef {{identical: boolean, detail: string}} Verdict
 * @typedef {{kind: string, count: number, where: string}} Kind
 * @typedef {{trip: string, total: number, reordered: number, kinds: Kind[]}} Loss
 * @typedef {{name: string, about: string, version: string, licence: string, file: string, values: number,
 *   messages: number, cells: (Verdict & {encoder: string, decoder: string})[], chain: Verdict, records: Verdict,
 *   times: {language: string, decode: number, encode: number}[], repeats: number, losses: Loss[],
 *   sizes: {form: string, raw: number, gzip: number, brotli: number}[], brotliQuality: number}} Dataset
 * @typedef {{ok: boolean, headline: string, chain: string, notes: Record<string, string>,
 *   languages: {name: string, title: string, version: string}[],
 *   failures: {dataset: string, where: string, detail: string}[], datasets: Dataset[]}} Relay
 * @typedef {import('./choices.mjs').Choice} Choice
 */

const ALL = 'all';
const COMPRESSIONS = /** @type {const} */ (['raw', 'gzip', 'brotli']);

/** @type {Relay} */
const relay = JSON.parse(get('result').textContent ?? '');

const trips = unique(relay.datasets.flatMap(({ losses }) => losses.map(({ trip }) => trip)));
const forms = unique(relay.datasets.flatMap(({ sizes }) => sizes.map(({ form }) => form)));

/** @param {number} number */
const count = (number) => number.toLocaleString('en');

/** @param {Verdict} verdict */
function mark({ identical, detail }) {
  const attributes = { class: identical ? 'win' : 'loss', ...(identical ? {} : { title: detail }) };
  return element('span', attributes, identical ? '✓ same' : '✗ differs');
}

function differences() {
  if (relay.failures.length === 0) return [];
  const rows = relay.failures.map(({ dataset, where, detail }) => [dataset, where, detail]);
  return section('Differences', tableOf(['data set', 'where', 'what differs'], rows, 'texts'));
}

/** @param {Dataset} dataset */
function matrix({ name, version, values, cells, chain, records }) {
  const rows = relay.languages.map((encoder) => [
    encoder.title,
    ...cells.filter((cell) => cell.encoder === encoder.name).map(mark),
  ]);
  const table = tableOf(['from ↓ to →', ...relay.languages.map(({ title }) => title)], rows, 'texts');
  return element(
    'div',
    { class: 'card' },
    element('p', {}, element('b', {}, name), ` ${version} · ${count(values)} values`),
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Matrix of ${name}` }, table),
    element('p', {}, 'chain ', mark(chain), ' · records ', mark(records)),
  );
}

/** @param {Dataset[]} datasets @param {string[]} chosen trips @param {number} width */
function lossPlot(datasets, chosen, width) {
  const bars = chosen.map((trip) => ({
    trip,
    total: datasets.reduce((sum, { losses }) => sum + (losses.find((loss) => loss.trip === trip)?.total ?? 0), 0),
    style: 'var(--slower)',
  }));
  bars.push({
    trip: 'Polypack, lossless mode',
    // What isn't identical is no count of values: the differences above say where it begins.
    total: datasets.every((one) => [...one.cells, one.chain, one.records].every(({ identical }) => identical)) ? 0 : 1,
    style: 'var(--ours)',
  });
  return bar(bars, {
    y: 'trip',
    x: 'total',
    width,
    label: 'values changed or messages refused →',
    text: ({ total, style }) =>
      total === 0 ? 'nothing' : style === 'var(--ours)' ? 'see the differences' : count(total),
  });
}

/** @param {Dataset[]} datasets @param {string[]} chosen forms @param {number} width */
function sizePlot(datasets, chosen, width) {
  const colours = { raw: 'var(--ours)', gzip: 'var(--tied)', brotli: 'var(--faster)' };
  const bars = chosen.flatMap((form) =>
    COMPRESSIONS.map((compression) => ({
      form: `${form}, ${compression}`,
      bytes: datasets.reduce((sum, { sizes }) => sum + (sizes.find((one) => one.form === form)?.[compression] ?? 0), 0),
      style: colours[compression],
    })),
  );
  return bar(bars, { y: 'form', x: 'bytes', width, label: 'bytes →', text: ({ bytes }) => count(bytes) });
}

/**
 * Horizontal bars with their names and numbers as text.
 *
 * @template {{style: string}} T
 * @param {T[]} bars
 * @param {{y: string & keyof T, x: string & keyof T, width: number, label: string, text: (bar: T) => string}} how
 */
function bar(bars, { y, x, width, label, text }) {
  return Plot.plot({
    ...common(width),
    height: 60 + 24 * bars.length,
    marginLeft: Math.min(270, width * 0.45),
    marginRight: 110,
    ariaLabel: `${label.replace(' →', '')}. The table below has the same numbers.`,
    x: { label, grid: true, ticks: width < 500 ? 3 : 6, tickFormat: '~s' },
    y: { label: null, domain: bars.map((one) => one[y]) },
    marks: [
      Plot.barX(bars, {
        x,
        y,
        fill: 'style',
        insetTop: 4,
        insetBottom: 4,
        title: (/** @type {T} */ one) => `${one[y]}\n${text(one)}`,
      }),
      Plot.text(bars, { x, y, text, textAnchor: 'start', dx: 6, fill: 'currentColor' }),
    ],
  });
}

/** @param {Dataset[]} datasets @param {string[]} chosen trips */
function lossTable(datasets, chosen) {
  const rows = datasets.flatMap(({ name, messages, losses }) =>
    losses
      .filter(({ trip }) => chosen.includes(trip))
      .map(({ trip, kinds, reordered }) => [
        messages === 1 ? name : `${name} (${count(messages)} rows, each sent alone)`,
        trip,
        kinds.length === 0
          ? 'nothing'
          : element(
              'ul',
              {},
              ...kinds.map((one) =>
                element('li', {}, element('b', {}, count(one.count)), ` ${one.kind} `, element('code', {}, one.where)),
              ),
            ),
        reordered === 0 ? '–' : `${count(reordered)} ${reordered === 1 ? 'map' : 'maps'}`,
      ]),
  );
  return tableOf(['data set', 'trip', 'changed, and where first', 'other order'], rows, 'texts');
}

/** @param {Dataset[]} datasets @param {string[]} chosen forms */
function sizeTable(datasets, chosen) {
  const rows = datasets.flatMap(({ name, sizes, brotliQuality }) =>
    sizes
      .filter(({ form }) => chosen.includes(form))
      .map(({ form, raw, gzip, brotli }) => [
        ...[name, form, count(raw), count(gzip), count(brotli), String(brotliQuality)],
      ]),
  );
  return tableOf(['data set', 'form', 'raw', 'gzip −6', 'brotli', 'quality'], rows);
}

/** @param {Dataset[]} datasets */
function timeTable(datasets) {
  const show = (/** @type {number | undefined} */ ms) =>
    ms === undefined ? '–' : ms < 10 ? ms.toFixed(1) : count(Math.round(ms));
  const rows = datasets.map(({ name, values, times, repeats }) => [
    name,
    count(values),
    ...relay.languages.flatMap((language) => {
      const time = times.find((one) => one.language === language.name);
      return [show(time?.decode), show(time?.encode)];
    }),
    String(repeats),
  ]);
  const languages = relay.languages.flatMap(({ title }) => [`${title} decode`, 'encode']);
  return tableOf(['data set', 'values', ...languages, 'median of'], rows);
}

/** @param {Choice} choice */
function draw({ dataset, trip, form }) {
  const datasets = relay.datasets.filter(({ name }) => dataset === ALL || name === dataset);
  const chosenTrips = trips.filter((name) => trip === ALL || name === trip);
  const chosenForms = forms.filter((name) => form === ALL || name === form);
  const width = widthOf('losses');
  get('matrix').replaceChildren(...datasets.map(matrix));
  get('losses').replaceChildren(lossPlot(datasets, chosenTrips, width));
  get('kinds').replaceChildren(lossTable(datasets, chosenTrips));
  get('sizes').replaceChildren(sizePlot(datasets, chosenForms, width));
  get('bytes').replaceChildren(sizeTable(datasets, chosenForms));
  get('times').replaceChildren(timeTable(datasets));
  get('data').replaceChildren(
    tableOf(
      ['data set', 'what it is', 'file', 'version', 'licence'],
      datasets.map(({ name, about, file, version, licence }) => [
        ...[name, about, element('code', {}, file), version, licence],
      ]),
      'texts',
    ),
  );
}

const { notes } = relay;
get('headline').textContent = relay.headline;
get('headline').className = relay.ok ? 'win' : 'loss';
get('languages').replaceChildren(
  ...relay.languages.flatMap(({ title, version }) => [element('dt', {}, title), element('dd', {}, version)]),
);
get('matrix-note').textContent =
  `${notes.matrix} The chain is ${relay.chain}; records are written by JavaScript and read by the reference.`;
get('losses-note').textContent = notes.losses ?? '';
get('sizes-note').textContent = `${notes.sizes} Compare like with like: raw with raw, compressed with compressed.`;
get('times-note').textContent = notes.times ?? '';
get('differences').replaceChildren(...differences());
drawByWidth(
  followChoices(
    { dataset: [ALL, ...relay.datasets.map(({ name }) => name)], trip: [ALL, ...trips], form: [ALL, ...forms] },
    draw,
  ),
);
offerDownload('relay.json', () => JSON.stringify(relay, undefined, 1));
