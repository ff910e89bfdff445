// What a page of ratios knows: the rows of a bench, and which of them the reader wants.

import { verdict } from './statistics.mjs';

/**
 * @typedef {{workload: string, operation: string, against: string, mode?: string, ratio: number, low: number, high:
 *   number, verified: boolean}} Row of which a ratio above 1 is good
 * @typedef {import('./choices.mjs').Choice} Choice of operation, against, mode, search and order
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
      row.workload.toLowerCase().includes((choice.search ?? '').toLowerCase()),
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
