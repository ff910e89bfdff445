/**
 * The relay's result in words and aligned columns, for a terminal, and the sentences that all reports share.
 *
 * Plan of the file: shared sentences and numbers · the text report, section by section · columns.
 */

import { LANGUAGE_NAMES, LANGUAGES } from './drivers.mjs';
import { addTally, emptyTally } from './losses.mjs';

/**
 * @typedef {import('./relay.mjs').RelayResult} RelayResult
 * @typedef {import('./relay.mjs').DatasetResult} DatasetResult
 * @typedef {import('./relay.mjs').Loss} Loss
 * @typedef {import('./relay.mjs').Verdict} Verdict
 */

// --- shared by the reports -------------------------------------------------------------------------------------------

/**
 * Says the result in one sentence.
 *
 * @param {RelayResult} result
 */
export function headline({ ok, datasets }) {
  const values = count(datasets.reduce((sum, dataset) => sum + dataset.values, 0));
  const trips = datasets.reduce((sum, dataset) => sum + dataset.cells.length, 0);
  const sets = plural(datasets.length, 'data set', 'data sets');
  if (ok)
    return `${values} values in ${sets} went from every language to every other, and every one came back identical.`;
  const wrong = failures({ datasets }).length;
  return `${wrong} of ${trips + 2 * datasets.length} checks found a difference; nothing below may be trusted until they are mended.`;
}

/**
 * Lists every verdict that is not identical.
 *
 * @param {Pick<RelayResult, 'datasets'>} result
 * @returns {{ dataset: string, where: string, detail: string }[]}
 */
export function failures({ datasets }) {
  return datasets.flatMap(({ name, cells, chain, records }) => [
    ...cells
      .filter(({ identical }) => !identical)
      .map(({ encoder, decoder, detail }) => ({
        dataset: name,
        where: `${LANGUAGE_NAMES[encoder]} → ${LANGUAGE_NAMES[decoder]}`,
        detail,
      })),
    ...(chain.identical ? [] : [{ dataset: name, where: 'chain', detail: chain.detail }]),
    ...(records.identical ? [] : [{ dataset: name, where: 'records', detail: records.detail }]),
  ]);
}

/**
 * Gives the kinds of a loss, the most frequent first, refused messages in front.
 *
 * @param {Loss} loss
 * @returns {{ kind: string, count: number, where: string }[]}
 */
export function lossKinds({ tally }) {
  const kinds = Object.entries(tally.kinds)
    .map(([kind, { count: number, path }]) => ({ kind, count: number, where: path }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  if (tally.refused === null) return kinds;
  return [{ kind: 'refused with an error', count: tally.refused.count, where: tally.refused.example }, ...kinds];
}

/**
 * Adds up what one trip lost in all data sets.
 *
 * @param {readonly DatasetResult[]} datasets
 * @param {string} trip
 * @returns {Loss}
 */
export function lossAltogether(datasets, trip) {
  const sum = emptyTally();
  for (const { losses } of datasets) {
    for (const { tally } of losses.filter((loss) => loss.trip === trip)) addTally(sum, tally);
  }
  return { trip, tally: sum };
}

/**
 * @param {Loss} loss
 * @returns {number} values changed and messages refused
 */
export function lossTotal({ tally }) {
  return tally.changed + (tally.refused?.count ?? 0);
}

/** @param {number} number */
export function count(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} many
 */
export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** @param {number} ms */
export function milliseconds(ms) {
  return ms < 10 ? ms.toFixed(1) : count(Math.round(ms));
}

export const NOTES = {
  matrix:
    'Lossless mode. Each result is judged by the canonical form of the library that decoded it and by a reference that shares no code with the libraries.',
  losses:
    'Values that the usual trips change, counted by walking both trees. Order of entries is information, not a loss.',
  sizes: 'Bytes. gzip at level 6; brotli at the quality named beside each data set.',
  times:
    'Milliseconds for the whole file, medians, all steps in one process per language: an impression, no benchmark.',
};

// --- the text report -------------------------------------------------------------------------------------------------

/**
 * @param {RelayResult} result
 * @param {{ color: boolean }} options
 * @returns {string} lines, the last one ended
 */
export function textReport(result, { color }) {
  const paint = painter(color);
  const { datasets, languages } = result;
  return [
    '',
    paint(result.ok ? 'good' : 'bad', headline(result)),
    '',
    ...LANGUAGES.map((language) => `  ${LANGUAGE_NAMES[language].padEnd(11)} ${languages[language]}`),
    '',
    ...matrixSection(result, paint),
    ...failureSection(result, paint),
    ...recordsSection(datasets, paint),
    ...lossSection(datasets, paint),
    ...sizeSection(datasets, paint),
    ...timeSection(datasets, paint),
    `${result.seconds.toFixed(1)} s in all`,
    '',
  ].join('\n');
}

/** @typedef {(tone: 'good' | 'bad' | 'title' | 'quiet', text: string) => string} Paint */

/**
 * @param {boolean} color
 * @returns {Paint}
 */
function painter(color) {
  const codes = { good: '32', bad: '31;1', title: '1', quiet: '2' };
  return (tone, text) => (color ? `\x1b[${codes[tone]}m${text}\x1b[0m` : text);
}

/**
 * @param {RelayResult} result
 * @param {Paint} paint
 */
function matrixSection({ datasets, chain }, paint) {
  const short = { php: 'PHP', js: 'JS', go: 'Go' };
  const header = ['data set', ...LANGUAGES.flatMap((a) => LANGUAGES.map((b) => `${short[a]}→${short[b]}`)), 'chain'];
  const rows = datasets.map(({ name, cells, chain: last }) => [name, ...cells.map(mark), mark(last)]);
  return [
    paint('title', 'Encoder → decoder'),
    paint('quiet', NOTES.matrix),
    paint('quiet', `The chain is ${chain}. "same" is identical, DIFF is not.`),
    '',
    ...columns([header, ...rows], paint),
    '',
  ];
}

/** @param {Verdict} verdict */
function mark({ identical }) {
  return identical ? 'same' : 'DIFF';
}

/**
 * @param {RelayResult} result
 * @param {Paint} paint
 */
function failureSection(result, paint) {
  const found = failures(result);
  if (found.length === 0) return [];
  return [
    paint('bad', 'Differences'),
    ...found.map(({ dataset, where, detail }) => `  ${dataset}, ${where}: ${detail}`),
    '',
  ];
}

/**
 * @param {DatasetResult[]} datasets
 * @param {Paint} paint
 */
function recordsSection(datasets, paint) {
  const same = datasets.filter(({ records }) => records.identical).length;
  const tone = same === datasets.length ? 'quiet' : 'bad';
  return [
    paint(
      tone,
      `Records inline, written by JavaScript and read by the reference: ${same} of ${datasets.length} identical.`,
    ),
    '',
  ];
}

/**
 * @param {DatasetResult[]} datasets
 * @param {Paint} paint
 */
function lossSection(datasets, paint) {
  const lines = [paint('title', 'What the usual trips lose'), paint('quiet', NOTES.losses), ''];
  for (const { name, losses, messages } of datasets) {
    lines.push(paint('title', messages === 1 ? name : `${name} (${plural(messages, 'row', 'rows')}, one by one)`));
    for (const loss of losses) {
      const kinds = lossKinds(loss);
      const order = loss.tally.reordered === 0 ? '' : `order of ${plural(loss.tally.reordered, 'map', 'maps')}`;
      const words = kinds.map(({ kind, count: number }) => `${kind} ${count(number)}`);
      const text = words.length === 0 ? 'nothing' : words.join(', ');
      lines.push(...wrapped(`  ${loss.trip.padEnd(40)}`, order === '' ? text : `${text} (${order})`));
    }
    lines.push('');
  }
  return lines;
}

/**
 * @param {DatasetResult[]} datasets
 * @param {Paint} paint
 */
function sizeSection(datasets, paint) {
  const header = ['data set', 'form', 'raw', 'gzip -6', 'brotli', 'quality'];
  const rows = datasets.flatMap(({ name, sizes, brotliQuality }) =>
    sizes.map(({ form, raw, gzip, brotli }, i) => [
      i === 0 ? name : '',
      form,
      count(raw),
      count(gzip),
      count(brotli),
      i === 0 ? String(brotliQuality) : '',
    ]),
  );
  return [paint('title', 'Sizes'), paint('quiet', NOTES.sizes), '', ...columns([header, ...rows], paint, 2), ''];
}

/**
 * @param {DatasetResult[]} datasets
 * @param {Paint} paint
 */
function timeSection(datasets, paint) {
  const header = ['data set', 'values', ...LANGUAGES.flatMap((l) => [`${LANGUAGE_NAMES[l]} decode`, 'encode']), 'of'];
  const rows = datasets.map(({ name, values, times, repeats }) => [
    name,
    count(values),
    ...LANGUAGES.flatMap((language) => {
      const time = times.find((candidate) => candidate.language === language);
      return time === undefined ? ['–', '–'] : [milliseconds(time.decode), milliseconds(time.encode)];
    }),
    String(repeats),
  ]);
  return [paint('title', 'Times'), paint('quiet', NOTES.times), '', ...columns([header, ...rows], paint), ''];
}

// --- columns ---------------------------------------------------------------------------------------------------------

const WIDTH = 118; // characters of a line

/**
 * Aligns rows: the first `left` columns to the left, the others to the right.
 *
 * @param {string[][]} rows the first is the header
 * @param {Paint} paint
 * @param {number} [left]
 */
function columns(rows, paint, left = 1) {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row, r) => {
    const cells = row.map((cell, i) => {
      const padded = i < left ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
      if (r === 0) return paint('quiet', padded);
      return cell === 'same' ? paint('good', padded) : cell === 'DIFF' ? paint('bad', padded) : padded;
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/**
 * Breaks a text at spaces after commas and indents what follows the first line.
 *
 * @param {string} prefix
 * @param {string} text
 */
function wrapped(prefix, text) {
  const lines = [];
  let line = prefix;
  for (const part of text.split(/(?<=, )/)) {
    if (line.length + part.trimEnd().length > WIDTH && line.trim() !== '' && line !== prefix) {
      lines.push(line.trimEnd());
      line = ' '.repeat(prefix.length);
    }
    line += part;
  }
  lines.push(line.trimEnd());
  return lines;
}
