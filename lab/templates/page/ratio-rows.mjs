// What a page of ratios knows: the rows of a bench, and which of them the reader wants. The choice stands in the
// address, so that a link shows the same.

import { unique } from './model.mjs';
import { verdict } from './statistics.mjs';

/**
 * @typedef {{workload: string, operation: string, against: string, mode?: string, ratio: number, low: number, high:
 *   number, verified: boolean}} Row of which a ratio above 1 is good
 * @typedef {{operation: string, against: string, mode: string, search: string, order: string, theme: string}} Choice
 */

/** @param {Row} row */
export const modeOf = (row) => row.mode ?? 'default';

/** Says how ours does in a row. @param {Row} row @returns {'better' | 'worse' | 'tied'} */
export function standingOf({ operation, ratio, low, high }) {
  // Of two sizes one is the smaller, without an interval. A time without one comes from a single process.
  if (low === high && operation !== 'size') return 'tied';
  const found = verdict({ median: ratio, low, high });
  return found === 'tied' ? 'tied' : found === 'slower' ? 'better' : 'worse';
}

/**
 * Reads the choice from the address, and puts something that exists in place of what doesn't.
 *
 * @param {Row[]} rows
 * @param {string} hash
 * @returns {Choice}
 */
export function choiceFrom(rows, hash) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ''));
  /** @param {string} name @param {string[]} known */
  const pick = (name, known) => {
    const value = wanted.get(name);
    return value !== null && known.includes(value) ? value : (known[0] ?? '');
  };
  return {
    operation: pick('operation', unique(rows.map((row) => row.operation))),
    against: pick('against', unique(rows.map((row) => row.against))),
    mode: pick('mode', unique(rows.map(modeOf))),
    search: wanted.get('search') ?? '',
    order: pick('order', ['file', 'ratio']),
    theme: pick('theme', ['system', 'light', 'dark']),
  };
}

/** @param {Choice} choice */
export const hashOf = (choice) => `#${new URLSearchParams(choice)}`;

/**
 * The rows of the peer and the mode that were chosen, of all operations.
 *
 * @param {Row[]} rows
 * @param {Choice} choice
 */
export const rowsAgainst = (rows, choice) =>
  rows.filter(
    (row) =>
      row.against === choice.against &&
      modeOf(row) === choice.mode &&
      row.workload.toLowerCase().includes(choice.search.toLowerCase()),
  );

/**
 * Those of the operation that have a number, in the chosen order.
 *
 * @param {Row[]} rows
 * @param {Choice} choice
 */
export function chosenRows(rows, choice) {
  const found = rowsAgainst(rows, choice).filter((row) => row.operation === choice.operation && row.verified);
  return choice.order === 'ratio' ? found.sort((a, b) => a.ratio - b.ratio) : found;
}

/** @param {number[]} values */
export const geomean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
