/**
 * The relay's result as a small static SVG for the README: the matrix, and what the usual trips lose.
 *
 * Nothing in it depends on the machine or the hour, so the same data gives the same bytes. It brings its own ground, so
 * it reads on a light page and on a dark one.
 */

import { LANGUAGE_NAMES, LANGUAGES } from './drivers.mjs';
import { TRIPS } from './relay.mjs';
import { count, lossAltogether, lossKinds, lossTotal, plural } from './report.mjs';

/**
 * @typedef {import('./relay.mjs').RelayResult} RelayResult
 * @typedef {import('./relay.mjs').Verdict} Verdict
 */

const WIDTH = 880;
const MARGIN = 28;
const NAMES = 190; // width of the column with data sets
const PAIR = 58; // width of a column of the matrix
const GAP = 14; // between encoders
const ROW = 26;
const TRIP = 47; // height of a trip's two lines
const JSON_COLUMN = 440; // right edge of its numbers
const BAR = { x: 480, width: 300, height: 12 };
const LINE_LENGTH = 118; // characters of the small text

/**
 * @param {RelayResult} result
 * @returns {string} an SVG document
 */
export function picture(result) {
  const values = result.datasets.reduce((sum, dataset) => sum + dataset.values, 0);
  const matrix = drawMatrix(result, 96);
  const losses = drawLosses(result, matrix.bottom + 46);
  const height = losses.bottom + MARGIN;
  const title = `${count(values)} values through every pair of languages: identical`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">${title}</title>
<desc id="d">Matrix of encoders and decoders per data set, and the number of values that common round trips change.</desc>
<style>
text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;fill:#1d1f24;dominant-baseline:central}
.ground{fill:#fbfaf8;stroke:#d6d2ca}.title{font-size:19px;font-weight:650}.head{font-weight:650}.small{font-size:12px}.quiet{fill:#5c626e}
.middle{text-anchor:middle}.end{text-anchor:end}.line{stroke:#d6d2ca}.mark{fill:none;stroke:#0a6b3d;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.bad{stroke:#b3261e}.bar{fill:#c2571a}
@media (prefers-color-scheme:dark){text{fill:#e9e8e4}.ground{fill:#1b1e24;stroke:#343943}.quiet{fill:#a2a8b4}.line{stroke:#343943}
.mark{stroke:#5fd39a}.bad{stroke:#ff8a80}.bar{fill:#f0955a}}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="12"/>
<text class="title" x="${MARGIN}" y="38">${title}</text>
${matrix.svg}
${losses.svg}
</svg>
`;
}

/**
 * Makes a text safe between tags.
 *
 * @param {string} text
 */
function escapeText(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replace(/[&<>]/g, (character) => entities[/** @type {keyof typeof entities} */ (character)]);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} [style] classes
 */
function write(x, y, text, style) {
  return `<text${style === undefined ? '' : ` class="${style}"`} x="${x}" y="${y}">${escapeText(text)}</text>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Verdict} verdict
 */
function mark(x, y, { identical }) {
  const path = identical ? 'l4 4 8-9' : 'm2-5 9 9m0-9-9 9';
  return `<path class="mark${identical ? '' : ' bad'}" d="M${x - 6} ${y}${path}"/>`;
}

/**
 * @param {RelayResult} result
 * @param {number} top
 */
function drawMatrix({ datasets }, top) {
  const column = (/** @type {number} */ pair) =>
    MARGIN + NAMES + PAIR * (pair + 0.5) + GAP * Math.floor(pair / LANGUAGES.length);
  const short = { php: 'PHP', js: 'JS', go: 'Go' };
  const chainAt = column(LANGUAGES.length ** 2);
  const lines = LANGUAGES.map((encoder, i) =>
    write(column(i * LANGUAGES.length + 1), top - 22, `${LANGUAGE_NAMES[encoder]} encodes`, 'head middle'),
  );
  lines.push(write(chainAt, top - 22, 'chain', 'head middle'), write(MARGIN, top, 'decoded by', 'quiet'));
  LANGUAGES.forEach((_, i) => {
    LANGUAGES.forEach((decoder, j) => {
      lines.push(write(column(i * LANGUAGES.length + j), top, short[decoder], 'quiet middle'));
    });
  });
  lines.push(write(chainAt, top, 'all 3', 'quiet middle'));
  datasets.forEach(({ name, cells, chain }, row) => {
    const y = top + ROW * (row + 1);
    lines.push(`<path class="line" d="M${MARGIN} ${y - ROW / 2}H${WIDTH - MARGIN}"/>`, write(MARGIN, y, name));
    cells.forEach((cell, pair) => {
      lines.push(mark(column(pair), y, cell));
    });
    lines.push(mark(chainAt, y, chain));
  });
  return { svg: lines.join('\n'), bottom: top + ROW * (datasets.length + 0.5) };
}

/**
 * One trip takes two lines: its numbers, and below them the kinds they are made of.
 *
 * @param {RelayResult} result
 * @param {number} top
 */
function drawLosses({ datasets }, top) {
  const json = datasets.filter(({ messages }) => messages === 1);
  const beyond = datasets.filter(({ messages }) => messages > 1);
  const trips = TRIPS.map(({ name }) => ({
    name,
    inJson: lossTotal(lossAltogether(json, name)),
    inBeyond: lossTotal(lossAltogether(beyond, name)),
    kinds: lossKinds(lossAltogether(datasets, name)),
  }));
  const longest = Math.max(1, ...trips.map(({ inBeyond }) => inBeyond));
  const lines = [
    write(MARGIN, top, 'What the usual trips lose', 'head'),
    write(JSON_COLUMN, top, `in ${plural(json.length, 'JSON file', 'JSON files')}`, 'quiet end'),
    write(BAR.x, top, 'in beyond-json', 'quiet'),
  ];
  trips.forEach(({ name, inJson, inBeyond, kinds }, row) => {
    const y = top + ROW + TRIP * row;
    const length = inBeyond === 0 ? 0 : Math.max(2, (BAR.width * inBeyond) / longest);
    lines.push(
      `<path class="line" d="M${MARGIN} ${y - ROW / 2}H${WIDTH - MARGIN}"/>`,
      write(MARGIN, y + 3, name),
      write(JSON_COLUMN, y + 3, count(inJson), 'end'),
      `<rect class="bar" x="${BAR.x}" y="${y + 3 - BAR.height / 2}" width="${length.toFixed(1)}" height="${BAR.height}" rx="2"/>`,
      write(BAR.x + Math.ceil(length) + 8, y + 3, count(inBeyond)),
      write(MARGIN, y + 20, kindsInOneLine(kinds), 'quiet small'),
    );
  });
  return { svg: lines.join('\n'), bottom: top + TRIP * trips.length + ROW / 2 };
}

/** @param {ReturnType<typeof lossKinds>} kinds */
function kindsInOneLine(kinds) {
  let line = kinds.length === 0 ? 'nothing changes' : '';
  for (const [i, { kind, count: number }] of kinds.entries()) {
    const next = `${line}${i === 0 ? '' : ', '}${count(number)} ${kind}`;
    if (next.length > LINE_LENGTH) return `${line} …`;
    line = next;
  }
  return line;
}
