// A published run as a small static SVG for the top README: every contestant's time, the fastest on top, ours marked.
//
// The same numbers give the same bytes. It brings its own ground, so it reads on a light page and on a dark one.

import { digits, isOurs } from '../templates/page/model.mjs';

/**
 * @typedef {import('./summary.mjs').Run} Run
 * @typedef {import('./summary.mjs').Cell} Cell
 */

const WIDTH = 880;
const MARGIN = 24;
const GAP = 24; // between panels
const TOP = 104; // of the first row
const ROW = 18;
const NAME = 168; // width of a panel's names
const NUMBER = 62; // width of its numbers
const PANELS = /** @type {const} */ (['serialize', 'deserialize']);
const PANEL = (WIDTH - 2 * MARGIN - GAP) / PANELS.length;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @param {number} x @param {number} y @param {string} text @param {string} [style] classes */
const write = (x, y, text, style) =>
  `<text${style === undefined ? '' : ` class="${style}"`} x="${rounded(x)}" y="${rounded(y)}">${escaped(text)}</text>`;

/** @param {number} value */
const rounded = (value) => Number(value.toFixed(1));

/**
 * @param {Run} run
 * @returns {string} an SVG document that shows its first scenario
 */
export function picture(run) {
  const scenario = Object.keys(run.scenarios)[0] ?? '';
  const count = run.cells[0]?.count ?? 0;
  const panels = PANELS.map((operation) =>
    run.cells
      .filter((cell) => cell.scenario === scenario && cell.operation === operation && cell.count === count)
      .sort((a, b) => (a.time?.median ?? Number.POSITIVE_INFINITY) - (b.time?.median ?? Number.POSITIVE_INFINITY)),
  );
  const ends = panels.flat().flatMap(({ time }) => (time === null ? [] : [time.low, time.high]));
  const bounds = { least: 0.9 * Math.min(...ends), most: Math.max(...ends) };
  const height = TOP + ROW * Math.max(...panels.map((cells) => cells.length)) + 40;
  const title = `${panels[0]?.length} serializers of PHP, JavaScript and Go on the same ${count} objects`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">${title}</title>
<desc id="d">Time of each contestant to serialize and to deserialize, the fastest on top, with its interval. The table beside has the ratios.</desc>
<style>
text{font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;fill:#1d1f24;dominant-baseline:central}
.ground{fill:#fbfaf8;stroke:#d6d2ca}.title{font-size:19px;font-weight:650}.head{font-weight:650}.quiet{fill:#5c626e}.end{text-anchor:end}.middle{text-anchor:middle}
.line{stroke:#d6d2ca}.range{stroke:#8a8f9c;stroke-width:3;stroke-linecap:round}.dot{fill:#5c626e}
.ours{fill:#1652c0;font-weight:650}.range.ours{stroke:#1652c0}
@media (prefers-color-scheme:dark){text{fill:#e9e8e4}.ground{fill:#1b1e24;stroke:#343943}.quiet{fill:#a2a8b4}.line{stroke:#343943}
.range{stroke:#7f8594}.dot{fill:#a2a8b4}.ours{fill:#84b1ff}.range.ours{stroke:#84b1ff}}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="12"/>
<text class="title" x="${MARGIN}" y="36">${escaped(title)}</text>
${write(MARGIN, 60, 'Every result verified, element by element. Milliseconds, logarithmic; a line is the 95 % interval; ours is blue.', 'quiet')}
${panels.map((cells, i) => panel(run, cells, MARGIN + i * (PANEL + GAP), PANELS[i] ?? '', bounds)).join('\n')}
</svg>
`;
}

/**
 * @param {Run} run
 * @param {Cell[]} cells the fastest first
 * @param {number} left
 * @param {string} operation
 * @param {{least: number, most: number}} bounds nanoseconds
 */
function panel(run, cells, left, operation, { least, most }) {
  const [from, to] = [left + NAME, left + PANEL - NUMBER];
  const across = (/** @type {number} */ time) =>
    from + ((Math.log10(time) - Math.log10(least)) / (Math.log10(most) - Math.log10(least))) * (to - from);
  const bottom = TOP + ROW * (cells.length - 0.5);
  const lines = [write(left, TOP - 20, operation, 'head')];
  for (let tick = 10 ** Math.ceil(Math.log10(least)); tick <= most; tick *= 10) {
    const x = rounded(across(tick));
    lines.push(
      `<path class="line" d="M${x} ${TOP - ROW / 2}V${bottom}"/>`,
      write(x, bottom + 12, String(Number((tick / 1e6).toPrecision(1))), 'quiet middle'),
    );
  }
  cells.forEach((cell, row) => {
    const one = run.contestants.find(({ slug }) => slug === cell.contestant);
    if (one === undefined) throw new Error(`the run has no contestant ${cell.contestant}`);
    const y = TOP + ROW * row;
    const style = isOurs(one) ? 'ours' : '';
    const name = one.language === 'PHP' || one.name.endsWith(')') ? one.name : `${one.name} (${short(one.language)})`;
    lines.push(write(left, y, name, style || undefined));
    if (cell.time === null) {
      lines.push(write(from, y, 'no number', 'quiet'));
      return;
    }
    const [low, median, high] = [cell.time.low, cell.time.median, cell.time.high].map((time) => rounded(across(time)));
    lines.push(
      `<path class="range ${style}" d="M${low} ${y}H${high}"/>`,
      `<circle class="dot ${style}" cx="${median}" cy="${y}" r="4"/>`,
      write(left + PANEL, y, digits(cell.time.median / 1e6), `end ${style}`.trim()),
    );
  });
  return lines.join('\n');
}

/** @param {string} language */
const short = (language) => (language === 'JavaScript' ? 'JS' : language);
