// The page of the judge: how many cases passed, by room, suite, mode and implementation; every failure with what was
// asked, expected and answered; the known gaps; and how far other libraries agree.

import * as Plot from '@observablehq/plot';
import { common } from './charts.mjs';
import { followChoices } from './choices.mjs';
import { unique } from './model.mjs';
import { drawByWidth, element, get, offerDownload, section, tableOf, widthOf } from './parts.mjs';

/**
 * @typedef {'passed' | 'failed' | 'expected' | 'unsupported'} Outcome
 * @typedef {{implementation: string, suite: string, mode: string, room: string, outcome: Outcome, count: number}} Group
 * @typedef {{implementation: string, case: string, suite: string, mode: string, spec: string, why: string,
 *   failures: {request: string, expected: string, got: string}[]}} Failure
 * @typedef {{implementation: string, case: string, suite: string, mode: string, reason: string}} Known
 * @typedef {{failed: boolean, implementations: string[], suites: string[], groups: Group[], failures: Failure[],
 *   known: Known[], others: string}} Conformance
 * @typedef {import('./choices.mjs').Choice} Choice
 */

const ALL = 'all';
const OUTCOMES = /** @type {const} */ (['passed', 'expected', 'unsupported', 'failed']);
const COLOURS = {
  passed: 'var(--faster)',
  expected: 'var(--tied)',
  unsupported: 'var(--slower)',
  failed: 'var(--slower)',
};
const NAMES = { passed: 'passed', expected: 'known gaps', unsupported: 'unsupported', failed: 'failed' };

/** @type {Conformance} */
const result = JSON.parse(get('result').textContent ?? '');
const { implementations, suites, groups, failures, known, others } = result;

/** @param {number} number */
const count = (number) => number.toLocaleString('en');

/** @param {Group[]} some @param {Outcome} outcome */
const sum = (some, outcome) => some.reduce((all, one) => all + (one.outcome === outcome ? one.count : 0), 0);

/** @param {Group[]} some */
function countsOf(some) {
  if (some.length === 0) return '–';
  const parts = OUTCOMES.flatMap((outcome) => {
    const number = sum(some, outcome);
    if (number === 0 && outcome !== 'passed') return [];
    const style = { passed: 'win', expected: '', unsupported: 'loss', failed: 'loss' }[outcome];
    return [element('span', { class: style }, `${count(number)} ${NAMES[outcome]}`), ', '];
  });
  return element('span', {}, ...parts.slice(0, -1));
}

/**
 * Whether the choice takes something in.
 *
 * @param {Choice} choice
 * @returns {(one: {implementation: string, suite: string, mode: string}) => boolean}
 */
const chosenBy = (choice) => (one) =>
  (choice.implementation === ALL || one.implementation === choice.implementation) &&
  (choice.suite === ALL || one.suite === choice.suite) &&
  (choice.mode === ALL || one.mode === choice.mode);

/** @param {Group[]} shown @param {number} width */
function rooms(shown, width) {
  const names = unique(shown.map(({ room }) => room)).sort();
  const bars = names.flatMap((room) =>
    OUTCOMES.map((outcome) => ({
      room: room === '' ? 'no room' : room,
      outcome,
      number: sum(
        shown.filter((one) => one.room === room),
        outcome,
      ),
    })).filter(({ number }) => number > 0),
  );
  return Plot.plot({
    ...common(width),
    height: 60 + 22 * names.length,
    marginLeft: Math.min(180, width * 0.4),
    marginRight: 70,
    ariaLabel: 'Cases by room. The table of suites has the same numbers.',
    x: { label: 'cases →', grid: true, ticks: width < 500 ? 3 : 6, tickFormat: '~s' },
    y: { label: null },
    color: { domain: [...OUTCOMES], range: OUTCOMES.map((outcome) => COLOURS[outcome]) },
    marks: [
      Plot.barX(bars, {
        x: 'number',
        y: 'room',
        fill: 'outcome',
        insetTop: 3,
        insetBottom: 3,
        title: (bar) => `${bar.room}\n${count(bar.number)} ${NAMES[/** @type {Outcome} */ (bar.outcome)]}`,
      }),
      Plot.text(
        bars,
        Plot.groupY(
          { x: 'sum', text: (/** @type {number[]} */ numbers) => count(numbers.reduce((a, b) => a + b, 0)) },
          { y: 'room', x: 'number', text: 'number', textAnchor: 'start', dx: 6, fill: 'currentColor' },
        ),
      ),
    ],
  });
}

/** @param {Group[]} shown */
function suiteTable(shown) {
  const columns = implementations.filter((name) => shown.some((one) => one.implementation === name));
  const rows = suites
    .filter((suite) => shown.some((one) => one.suite === suite))
    .map((suite) => [
      suite,
      ...columns.map((name) => countsOf(shown.filter((one) => one.suite === suite && one.implementation === name))),
    ]);
  return tableOf(['suite', ...columns], rows, 'texts');
}

function pairTable() {
  const pairs = groups.filter(({ suite }) => suite === 'pairs');
  const rows = implementations.map((writer) => [
    writer,
    // The pairs are about lossless mode; their mode is the reader.
    ...implementations.map((reader) =>
      countsOf(pairs.filter((one) => one.implementation === writer && one.mode === reader)),
    ),
  ]);
  return tableOf(['writer ↓ reader →', ...implementations], rows, 'texts');
}

/** @param {Failure} failure */
function failureDetails({ implementation, case: name, spec, why, failures: requests }) {
  return element(
    'details',
    {},
    element('summary', { class: 'loss' }, `${implementation}: ${name}${spec === '' ? '' : ` (spec ${spec})`}: ${why}`),
    ...requests.map(({ request, expected, got }) =>
      element('pre', { tabindex: '0' }, `request   ${request}\nexpected  ${expected}\ngot       ${got}`),
    ),
  );
}

/**
 * The comparison with other libraries, whose text is Markdown: headings, tables and lines.
 *
 * @param {string} text
 */
function otherLibraries(text) {
  /** @type {Node[]} */
  const parts = [];
  /** @type {string[][]} */
  let rows = [];
  for (const line of [...text.split('\n'), '']) {
    if (line.startsWith('|')) {
      if (!/^\|[-:|]+\|$/.test(line))
        rows.push(
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        );
      continue;
    }
    const [head, ...body] = rows;
    rows = [];
    if (head !== undefined) {
      const attributes = { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Other libraries' };
      parts.push(element('div', attributes, tableOf(head, body, 'texts')));
    }
    if (line.startsWith('#')) parts.push(element('h3', {}, line.replace(/^#+ /, '')));
    else if (line.trim() !== '') parts.push(element('p', {}, line.replace(/^- /, '')));
  }
  return parts;
}

/** @param {Choice} choice */
function draw(choice) {
  const isChosen = chosenBy(choice);
  const search = (choice.search ?? '').toLowerCase();
  const shown = groups.filter(isChosen);
  get('rooms').replaceChildren(
    shown.length === 0 ? element('p', {}, 'No case fits this choice.') : rooms(shown, widthOf('rooms')),
  );
  get('suites').replaceChildren(suiteTable(shown));
  const wrong = failures.filter((one) => isChosen(one) && one.case.toLowerCase().includes(search));
  get('failures').replaceChildren(
    ...(wrong.length === 0
      ? [element('p', { class: failures.length === 0 ? 'win' : '' }, 'None.')]
      : wrong.map(failureDetails)),
  );
  const gaps = known.filter((one) => isChosen(one) && one.case.toLowerCase().includes(search));
  get('known').replaceChildren(
    gaps.length === 0
      ? element('p', {}, 'None.')
      : tableOf(
          ['implementation', 'case', 'why it is known'],
          gaps.map((one) => [one.implementation, one.case, one.reason]),
          'texts',
        ),
  );
}

const passed = sum(groups, 'passed');
get('headline').className = result.failed ? 'loss' : 'win';
get('headline').textContent = result.failed
  ? `${count(failures.length)} cases fail; ${count(passed)} pass.`
  : `${count(passed)} cases pass in ${implementations.length} implementations; ${count(known.length)} are known gaps; none fails.`;
get('pairs').replaceChildren(pairTable());
get('others').replaceChildren(...section('Other libraries', ...otherLibraries(others)));
drawByWidth(
  followChoices(
    {
      implementation: [ALL, ...implementations],
      suite: [ALL, ...suites],
      mode: [ALL, ...unique(groups.filter(({ suite }) => suite !== 'pairs').map(({ mode }) => mode))],
      search: null,
    },
    draw,
  ),
);
offerDownload('conformance.json', () => JSON.stringify(result, undefined, 1));
