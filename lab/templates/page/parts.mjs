// The parts of the page that aren't plots: sentences about our wins and losses, the table, the calculator, the sources.

import { digits, duration, isOurs, size } from './model.mjs';
import { ratio, verdict } from './statistics.mjs';

/** @typedef {import('./model.mjs').Row} Row */
/** @typedef {import('./model.mjs').Result} Result */

/**
 * Makes an element; texts are texts, never markup.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} id */
export function get(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * Makes a table; the first cell of a row is its head.
 *
 * @param {string[]} head
 * @param {(string | Node)[][]} rows of texts, or of elements: a td or th stays as it is, others go into one
 * @param {string} style class
 */
export function tableOf(head, rows, style = '') {
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      ...row.map((cell, at) => {
        if (cell instanceof Element && /^t[dh]$/i.test(cell.tagName)) return cell;
        return element(at === 0 ? 'th' : 'td', at === 0 ? { scope: 'row' } : {}, cell);
      }),
    ),
  );
  return element(
    'table',
    { class: style },
    element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
    element('tbody', {}, ...body),
  );
}

/** Makes a heading and what follows it, or nothing if nothing does. @param {string} title @param {Node[]} parts */
export const section = (title, ...parts) => (parts.length === 0 ? [] : [element('h2', {}, title), ...parts]);

/** The control of this id. @param {string} id */
export const field = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (get(id));

/** @param {string} id @param {[string, string][]} options value and text @param {string} chosen */
export function fill(id, options, chosen) {
  get(id).replaceChildren(...options.map(([value, text]) => element('option', { value }, text)));
  field(id).value = chosen;
}

/** Pixels of a plot in a page that hasn't been laid out yet, which is drawn again when it has. */
const LEAST_WIDTH = 280;

/** @param {string} id of the element that the plot goes into */
export const widthOf = (id) => Math.max(LEAST_WIDTH, get(id).clientWidth);

/** Draws again when the page gets wider or narrower. @param {() => void} draw */
export function drawByWidth(draw) {
  let drawnAt = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== drawnAt) draw();
    drawnAt = innerWidth;
  });
}

/** Lets the button of this page save a text as a file. @param {string} file @param {() => string} text */
export function offerDownload(file, text) {
  get('download').addEventListener('click', () => {
    const link = /** @type {HTMLAnchorElement} */ (element('a', { download: file }));
    link.href = URL.createObjectURL(new Blob([text()], { type: 'application/json' }));
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

/** Says whom each of ours loses to, wins against, and can't be told from. @param {Row[]} rows @param {number} seed */
export function standing(rows, seed) {
  return rows
    .filter(({ contestant }) => isOurs(contestant))
    .map(({ contestant, cell }) => {
      const { rounds } = cell;
      if (rounds === undefined)
        return element('li', { class: 'loss' }, `${contestant.name} has no number: ${cell.fault}`);
      /** @type {Record<string, string[]>} */
      const names = { faster: [], slower: [], tied: [] };
      for (const other of rows) {
        if (other.cell === cell || other.cell.rounds === undefined) continue;
        const to = ratio(rounds, other.cell.rounds, seed);
        if (to === undefined) continue;
        const found = verdict(to);
        const factor = found === 'slower' ? to.median : 1 / to.median;
        names[found]?.push(found === 'tied' ? other.contestant.name : `${other.contestant.name} (${digits(factor)}×)`);
      }
      const item = element('li', {}, element('b', {}, contestant.name));
      if (names.slower?.length)
        item.append(' ', element('span', { class: 'loss' }, `loses to ${names.slower.join(', ')}`), '.');
      if (names.faster?.length)
        item.append(' ', element('span', { class: 'win' }, `beats ${names.faster.join(', ')}`), '.');
      if (names.tied?.length) item.append(` Not to be told from ${names.tied.join(', ')}.`);
      return item;
    });
}

/** @param {Row[]} rows @param {string} baseline */
export function table(rows, baseline) {
  const head = [
    'contestant',
    'language',
    'time',
    `times ${baseline}`,
    '95 %',
    'bytes',
    'gzip',
    'zstd',
    'peak memory',
    'kept memory',
    'first call',
    'samples',
  ];
  const body = rows.map(({ contestant, cell, ratio: to, verdict: found }) => {
    const name = element('th', { scope: 'row' }, contestant.name);
    if (cell.time === undefined) {
      const why = element('td', { colspan: String(head.length - 2), class: 'loss' }, `no number: ${cell.fault}`);
      return element('tr', { class: 'failed' }, name, element('td', {}, contestant.language), why);
    }
    const cells = [
      contestant.language,
      duration(cell.time.median),
      to === undefined ? '–' : `${digits(to.median)}${found === 'tied' && contestant.name !== baseline ? ' ≈' : ''}`,
      to === undefined ? '–' : `${digits(to.low)}–${digits(to.high)}`,
      size(cell.bytes),
      size(cell.gzip),
      size(cell.zstd),
      size(cell.memory),
      size(cell.kept),
      typeof cell.first === 'number' ? duration((cell.set_up ?? 0) + cell.first) : '–',
      String(cell.samples ?? ''),
    ];
    return element(
      'tr',
      { class: isOurs(contestant) ? 'ours' : '' },
      name,
      ...cells.map((text) => element('td', {}, text)),
    );
  });
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
    element('tbody', {}, ...body),
  );
}

/**
 * What your own numbers come to: processors that are busy, and memory of a store that keeps every object as a value.
 *
 * @param {Row[]} rows
 * @param {{objects: number, perSecond: number, overhead: number}} yours
 */
export function calculator(rows, { objects, perSecond, overhead }) {
  const lines = rows.flatMap(({ contestant, cell }) => {
    if (cell.time === undefined || typeof cell.bytes !== 'number') return [];
    const each = cell.time.median / cell.count;
    const texts = [
      contestant.name,
      duration(each * objects),
      `${digits((each * perSecond) / 1e7)} %`,
      size((cell.bytes / cell.count + overhead) * objects),
      `${digits(((cell.bytes / cell.count) * perSecond * 8) / 1e6)} Mbit/s`,
    ];
    return [
      element(
        'tr',
        { class: isOurs(contestant) ? 'ours' : '' },
        ...texts.map((text, at) => element(at === 0 ? 'th' : 'td', at === 0 ? { scope: 'row' } : {}, text)),
      ),
    ];
  });
  const head = ['contestant', 'once over all', 'of a processor', 'memory in Redis', 'on the wire'];
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
    element('tbody', {}, ...lines),
  );
}

/** @param {Result} result */
export function sources(result) {
  return result.contestants.map((one) =>
    element(
      'details',
      {},
      element(
        'summary',
        {},
        element('b', {}, one.name),
        ` ${one.version} · ${one.language} · ${one.format} · ${one.state} · ${one.kind}${one.note ? ` · ${one.note}` : ''}`,
      ),
      element('p', {}, one.file),
      element('pre', { tabindex: '0' }, element('code', {}, one.source)),
    ),
  );
}

/** @param {Result} result */
export function about(result) {
  const facts = {
    ...result.environment,
    ...Object.fromEntries(Object.entries(result.effort).map(([name, value]) => [name, String(value)])),
    seed: String(result.seed),
    ...Object.fromEntries(Object.entries(result.data).map(([name, digest]) => [`data ${name}`, `sha256 ${digest}`])),
  };
  return Object.entries(facts).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
}
