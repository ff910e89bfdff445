// The page that shows a result of the lab: reads the document that stands in the page, lets the reader choose, draws.

import { curves, ratios, scatter } from './charts.mjs';
import { choiceFrom, contestantOf, hashOf, rowsOf, unique } from './model.mjs';
import {
  about,
  calculator,
  drawByWidth,
  element,
  field,
  fill,
  get,
  offerDownload,
  sources,
  standing,
  table,
  widthOf,
} from './parts.mjs';

/** @type {import('./model.mjs').Result} */
const result = JSON.parse(get('result').textContent ?? '');
let choice = choiceFrom(result, location.hash);

/** @param {string} id @param {string[]} names @param {string[]} chosen */
function boxes(id, names, chosen) {
  const made = names.map((name) => {
    const box = /** @type {HTMLInputElement} */ (element('input', { type: 'checkbox', value: name }));
    box.checked = chosen.includes(name);
    return element('label', {}, box, ` ${name}`);
  });
  get(id).replaceChildren(...made);
}

/** @param {string} id */
const checked = (id) => [...get(id).querySelectorAll('input')].filter((box) => box.checked).map((box) => box.value);
/** @param {string} id */
const numberOf = (id) => Math.max(0, Number(field(id).value) || 0);

function controls() {
  const here = result.cells.filter((cell) => cell.scenario === choice.scenario);
  const counts = unique(here.map((cell) => cell.count)).sort((a, b) => a - b);
  fill(
    'scenario',
    Object.keys(result.scenarios).map((name) => [name, name]),
    choice.scenario,
  );
  fill(
    'operation',
    unique(here.map((cell) => cell.operation)).map((name) => [name, name]),
    choice.operation,
  );
  fill(
    'count',
    counts.map((count) => [String(count), `${count.toLocaleString('en')} ${count === 1 ? 'object' : 'objects'}`]),
    String(choice.count),
  );
  fill(
    'baseline',
    result.contestants.map(({ slug, name }) => [slug, name]),
    choice.baseline,
  );
  boxes('languages', unique(result.contestants.map((one) => one.language)), choice.languages);
  boxes('kinds', unique(result.contestants.map((one) => one.kind)), choice.kinds);
  /** @type {HTMLInputElement} */ (get('log')).checked = choice.log;
  /** @type {HTMLSelectElement} */ (get('theme')).value = choice.theme;
}

function draw() {
  document.documentElement.dataset.theme = choice.theme;
  const rows = rowsOf(result, choice);
  const baseline = contestantOf(result, choice.baseline).name;
  const width = widthOf('ratios');
  get('what').textContent = result.scenarios[choice.scenario] ?? '';
  const ours = standing(rows, result.seed);
  get('standing').replaceChildren(...ours);
  get('ratios').replaceChildren(
    rows.some((row) => row.ratio !== undefined)
      ? ratios(rows, choice, baseline, width)
      : element('p', { class: 'loss' }, `${baseline} has no number here; choose another baseline.`),
  );
  get('scatter').replaceChildren(scatter(rows, choice, width));
  get('curves').replaceChildren(curves(result, choice, width) ?? element('p', {}, 'This run has one size only.'));
  get('table').replaceChildren(table(rows, baseline));
  compute();
}

function compute() {
  const yours = { objects: numberOf('objects'), perSecond: numberOf('per-second'), overhead: numberOf('overhead') };
  get('calculated').replaceChildren(calculator(rowsOf(result, choice), yours));
}

function chosen() {
  const wanted = {
    scenario: field('scenario').value,
    operation: field('operation').value,
    count: Number(field('count').value),
    baseline: field('baseline').value,
    languages: checked('languages'),
    kinds: checked('kinds'),
    log: /** @type {HTMLInputElement} */ (get('log')).checked,
    theme: field('theme').value,
  };
  // Through the address and back, so that a size which another scenario lacks becomes one that it has.
  choice = choiceFrom(result, hashOf(wanted));
  history.replaceState(null, '', hashOf(choice));
  controls();
  draw();
}

controls();
draw();
get('controls').addEventListener('change', (event) => {
  const { id } = /** @type {HTMLElement} */ (event.target);
  chosen();
  get(id === '' ? 'controls' : id).focus?.();
});
get('calculator').addEventListener('input', compute);
addEventListener('hashchange', () => {
  choice = choiceFrom(result, location.hash);
  controls();
  draw();
});
drawByWidth(draw);
const processes = Number(result.effort.rounds);
get('missing').replaceChildren(
  ...(processes < 5
    ? [element('li', {}, `A cell had ${processes} processes: below 5, no interval or verdict here is to be trusted.`)]
    : []),
  ...(result.busy ? [element('li', {}, result.busy)] : []),
  ...result.missing.map(({ name, reason }) => element('li', {}, `${name} took no part: ${reason}`)),
);
get('sources').replaceChildren(...sources(result));
get('about').replaceChildren(...about(result));
get('made').textContent = result.made;
offerDownload('lab.json', () => get('result').textContent ?? '');
