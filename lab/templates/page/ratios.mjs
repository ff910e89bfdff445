// The page of the ratios that a bench wrote: reads the rows that stand in the page, lets the reader choose, draws.

import * as Plot from '@observablehq/plot';
import { common } from './charts.mjs';
import { followChoices } from './choices.mjs';
import { digits, unique } from './model.mjs';
import { drawByWidth, element, get, offerDownload, tableOf, widthOf } from './parts.mjs';
import { chosenRows, geomean, modeOf, rowsAgainst, standingOf } from './ratio-rows.mjs';

/**
 * @typedef {import('./ratio-rows.mjs').Row} Row
 * @typedef {import('./choices.mjs').Choice} Choice
 */

const CLASSES = { better: 'win', worse: 'loss', tied: '' };

/** @type {{name: string, rows: Row[]}} */
const { name, rows } = JSON.parse(get('result').textContent ?? '');
/** @param {Row[]} shown @param {Choice} choice */
function inShort(shown, choice) {
  if (shown.length === 0) return 'No row fits this choice.';
  /** @param {'better' | 'worse' | 'tied'} standing */
  const count = (standing) => shown.filter((row) => standingOf(row) === standing).length;
  const mean = geomean(shown.map(({ ratio }) => ratio));
  const [better, worse, tied] = [count('better'), count('worse'), count('tied')];
  return `${choice.operation} against ${choice.against}, ${shown.length} workloads: ${digits(mean)}× as geometric mean; ours is better in ${better}, worse in ${worse}, and not to be told apart in ${tied}.`;
}

/** @param {Row[]} shown @param {Choice} choice @param {number} width */
function plot(shown, choice, width) {
  const data = shown.map((row) => ({
    ...row,
    standing: standingOf(row),
    title: `${row.workload}\n${digits(row.ratio)}× ${row.against} (${digits(row.low)}–${digits(row.high)})`,
  }));
  return Plot.plot({
    ...common(width),
    height: 60 + 22 * data.length,
    marginLeft: Math.min(190, width * 0.42),
    marginRight: 60,
    ariaLabel: `${choice.operation}: ratio of each workload against ${choice.against}. The table below has the same numbers.`,
    x: { type: 'log', label: `times ${choice.against} (more is better) →`, grid: true, tickFormat: String, ticks: 5 },
    y: { label: null, domain: data.map(({ workload }) => workload) },
    color: { domain: ['better', 'tied', 'worse'], range: ['var(--faster)', 'var(--tied)', 'var(--slower)'] },
    marks: [
      Plot.ruleX([1], { stroke: 'currentColor', strokeDasharray: '3 3' }),
      Plot.ruleY(data, { y: 'workload', x1: 'low', x2: 'high', stroke: 'standing', strokeWidth: 3 }),
      Plot.dot(data, {
        y: 'workload',
        x: 'ratio',
        fill: 'standing',
        r: 5,
        stroke: 'var(--page)',
        title: 'title',
        tip: { fill: 'var(--card)' },
      }),
      Plot.text(data, {
        y: 'workload',
        x: 'high',
        text: (row) => `${digits(row.ratio)}×`,
        textAnchor: 'start',
        dx: 9,
        fill: 'currentColor',
      }),
    ],
  });
}

/** @param {Row[]} all of the peer and the mode */
function table(all) {
  const operations = unique(all.map((row) => row.operation));
  const body = unique(all.map((row) => row.workload)).map((workload) => {
    const cells = operations.map((operation) => {
      const row = all.find((one) => one.workload === workload && one.operation === operation);
      if (row === undefined) return element('td', {}, '–');
      if (!row.verified) return element('td', { class: 'loss' }, 'not verified');
      const range = row.low === row.high ? '' : ` (${digits(row.low)}–${digits(row.high)})`;
      return element('td', { class: CLASSES[standingOf(row)] }, `${digits(row.ratio)}${range}`);
    });
    return [workload, ...cells];
  });
  return tableOf(['workload', ...operations], body, 'ratios');
}

/** @param {Choice} choice */
function draw(choice) {
  const shown = chosenRows(rows, choice);
  get('short').textContent = inShort(shown, choice);
  get('plot').replaceChildren(...(shown.length === 0 ? [] : [plot(shown, choice, widthOf('plot'))]));
  get('table').replaceChildren(table(rowsAgainst(rows, choice)));
}

get('name').textContent = name;
document.title = `Ratios of a bench: ${name}`;
drawByWidth(
  followChoices(
    {
      operation: unique(rows.map((row) => row.operation)),
      against: unique(rows.map((row) => row.against)),
      mode: unique(rows.map(modeOf)),
      search: null,
      order: ['file', 'ratio'],
    },
    draw,
  ),
);
offerDownload(`${name}.json`, () => JSON.stringify(rows, undefined, 1));
