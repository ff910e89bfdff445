// What the page knows: the document of a run, and what the reader has chosen. The choice stands in the address, so that
// a link shows the same.

import { ratio, verdict } from './statistics.mjs';

/**
 * @typedef {{contestant: string, scenario: string, operation: string, count: number, fault: string | null,
 *   rounds?: import('./statistics.mjs').Rounds, samples?: number, time?: import('./statistics.mjs').Estimate,
 *   bytes?: number | null, gzip?: number | null, zstd?: number | null, memory?: number | null, kept?: number | null,
 *   set_up?: number | null, first?: number | null}} Cell
 * @typedef {{slug: string, name: string, language: string, format: string, state: string, kind: string, version:
 *   string, note: string, file: string, source: string}} Contestant
 * @typedef {{made: string, baseline: string, environment: Record<string, string>, effort: Record<string, unknown>,
 *   seed: number, data: Record<string, string>, scenarios: Record<string, string>, contestants: Contestant[],
 *   missing: {name: string, reason: string}[], busy?: string | null, cells: Cell[]}} Result
 * @typedef {{scenario: string, operation: string, count: number, baseline: string, languages: string[], kinds:
 *   string[], log: boolean, theme: string}} Choice
 * @typedef {{cell: Cell, contestant: Contestant, ratio?: import('./statistics.mjs').Estimate, verdict?: 'faster' |
 *   'slower' | 'tied'}} Row
 */

/** @template T @param {T[]} values @returns {T[]} */
export const unique = (values) => [...new Set(values)];

/** @param {Result} result @param {string} slug @returns {Contestant} */
export function contestantOf(result, slug) {
  const found = result.contestants.find((one) => one.slug === slug);
  if (found === undefined) throw new Error(`the result has no contestant ${slug}`);
  return found;
}

/** @param {{name: string}} contestant */
export const isOurs = (contestant) => contestant.name.startsWith('Polypack');

/**
 * Reads the choice from the address, and puts something that exists in place of what doesn't.
 *
 * @param {Result} result
 * @param {string} hash
 * @returns {Choice}
 */
export function choiceFrom(result, hash) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ''));
  /** @param {string} name @param {string[]} known @param {string} otherwise */
  const pick = (name, known, otherwise) => {
    const value = wanted.get(name);
    return value !== null && known.includes(value) ? value : otherwise;
  };
  const scenario = pick('scenario', Object.keys(result.scenarios), Object.keys(result.scenarios)[0] ?? '');
  const here = result.cells.filter((cell) => cell.scenario === scenario);
  const operations = unique(here.map((cell) => cell.operation));
  const operation = pick('operation', operations, operations[0] ?? '');
  const counts = unique(here.map((cell) => cell.count)).sort((a, b) => a - b);
  const middle = counts[counts.length >> 1] ?? 1;
  const count = Number(pick('count', counts.map(String), String(middle)));
  const slugs = result.contestants.map((one) => one.slug);
  const languages = unique(result.contestants.map((one) => one.language));
  const kinds = unique(result.contestants.map((one) => one.kind));
  /** @param {string} name @param {string[]} known */
  const several = (name, known) => {
    const chosen = wanted
      .get(name)
      ?.split(',')
      .filter((one) => known.includes(one));
    return chosen === undefined ? known : chosen;
  };
  return {
    scenario,
    operation,
    count,
    baseline: pick('baseline', slugs, result.baseline),
    languages: several('languages', languages),
    kinds: several('kinds', kinds),
    log: wanted.get('log') !== 'no',
    theme: pick('theme', ['light', 'dark'], 'system'),
  };
}

/** @param {Choice} choice @returns {string} */
export function hashOf(choice) {
  const { languages, kinds, log, count, theme, ...texts } = choice;
  const parameters = new URLSearchParams({
    ...texts,
    count: String(count),
    languages: languages.join(','),
    kinds: kinds.join(','),
    log: log ? 'yes' : 'no',
  });
  if (theme !== 'system') parameters.set('theme', theme);
  return `#${parameters}`;
}

/**
 * The rows of the chosen column, the fastest first, those without a number last.
 *
 * @param {Result} result
 * @param {Choice} choice
 * @returns {Row[]}
 */
export function rowsOf(result, choice) {
  const column = result.cells.filter(
    (cell) => cell.scenario === choice.scenario && cell.operation === choice.operation && cell.count === choice.count,
  );
  const baseline = column.find((cell) => cell.contestant === choice.baseline)?.rounds;
  return column
    .map((cell) => {
      const to = cell.rounds && baseline ? ratio(cell.rounds, baseline, result.seed) : undefined;
      return {
        cell,
        contestant: contestantOf(result, cell.contestant),
        ...(to === undefined ? {} : { ratio: to, verdict: verdict(to) }),
      };
    })
    .filter(
      ({ contestant }) => choice.languages.includes(contestant.language) && choice.kinds.includes(contestant.kind),
    )
    .sort(
      (a, b) => (a.cell.time?.median ?? Number.POSITIVE_INFINITY) - (b.cell.time?.median ?? Number.POSITIVE_INFINITY),
    );
}

/** Three digits that count. @param {number} value */
export function digits(value) {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** @param {number} nanoseconds */
export function duration(nanoseconds) {
  for (const [unit, size] of /** @type {const} */ ([
    ['s', 1e9],
    ['ms', 1e6],
    ['µs', 1e3],
  ])) {
    if (nanoseconds >= size) return `${digits(nanoseconds / size)} ${unit}`;
  }
  return `${digits(nanoseconds)} ns`;
}

/** @param {number | null | undefined} bytes */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return '–';
  for (const [unit, step] of /** @type {const} */ ([
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
    ['KB', 1e3],
  ])) {
    if (bytes >= step) return `${digits(bytes / step)} ${unit}`;
  }
  return `${Math.round(bytes)} B`;
}
