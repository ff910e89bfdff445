// Takes from results of the lab what is published: without samples and sources, with every duel of ours and a peer.

import { isOurs } from '../templates/page/model.mjs';
import { ratio, verdict } from '../templates/page/statistics.mjs';

/**
 * @typedef {import('../templates/page/model.mjs').Result} Result
 * @typedef {import('../templates/page/statistics.mjs').Estimate} Estimate
 * @typedef {{contestant: string, scenario: string, operation: string, count: number, fault: string | null,
 *   samples: number, time: Estimate | null, ratio: Estimate | null, rank: number, tied: boolean, bytes: number | null,
 *   gzip: number | null, zstd: number | null, memory: number | null, first: number | null}} Cell first: with set-up
 * @typedef {{ours: string, peer: string, scenario: string, operation: string, count: number, ratio: Estimate}} Duel
 *   how many times faster ours is
 * @typedef {{slug: string, name: string, language: string, format: string, state: string, kind: string,
 *   version: string, note: string}} Contestant
 * @typedef {{made: string, baseline: string, environment: Record<string, string>, effort: Record<string, unknown>,
 *   seed: number, data: Record<string, string>, scenarios: Record<string, string>,
 *   missing: {name: string, reason: string}[], contestants: Contestant[], cells: Cell[], duels: Duel[]}} Run
 */

/** Digits that count, in a published number. */
const DIGITS = 4;

/** What says which machine it was, beyond its class. */
const PRIVATE = ['system'];

/** @param {number} value */
const rounded = (value) => Number(value.toPrecision(DIGITS));

/** @param {Estimate} estimate @returns {Estimate} */
const roundedEstimate = ({ median, low, high }) => ({
  median: rounded(median),
  low: rounded(low),
  high: rounded(high),
});

/**
 * @param {Result} result as lab run --json writes it
 * @returns {Run}
 */
export function summaryOf(result) {
  const { made, baseline, effort, seed, data, scenarios, missing } = result;
  return {
    ...{ made, baseline, effort, seed, data, scenarios, missing },
    environment: Object.fromEntries(Object.entries(result.environment).filter(([name]) => !PRIVATE.includes(name))),
    contestants: result.contestants.map(({ slug, name, language, format, state, kind, version, note }) => ({
      ...{ slug, name, language, format, state, kind, version, note },
    })),
    cells: result.cells.map(cellOf),
    duels: duelsOf(result),
  };
}

/** @param {import('../templates/page/model.mjs').Cell & {ratio?: Estimate, rank?: number, tied?: boolean}} cell */
function cellOf(cell) {
  const { contestant, scenario, operation, count, fault } = cell;
  return {
    ...{ contestant, scenario, operation, count, fault },
    samples: cell.samples ?? 0,
    time: cell.time ? roundedEstimate(cell.time) : null,
    ratio: cell.ratio ? roundedEstimate(cell.ratio) : null,
    rank: cell.rank ?? 0,
    tied: cell.tied ?? false,
    ...{ bytes: cell.bytes ?? null, gzip: cell.gzip ?? null, zstd: cell.zstd ?? null, memory: cell.memory ?? null },
    first: typeof cell.first === 'number' ? cell.first + (cell.set_up ?? 0) : null,
  };
}

/** @param {Result} result @returns {Duel[]} of those that run in one language */
function duelsOf({ cells, contestants, seed }) {
  const bySlug = new Map(contestants.map((one) => [one.slug, one]));
  return cells.flatMap((cell) => {
    const ours = bySlug.get(cell.contestant);
    if (ours === undefined || !isOurs(ours)) return [];
    const { scenario, operation, count } = cell;
    return cells.flatMap((other) => {
      const peer = bySlug.get(other.contestant);
      const isPeer = peer !== undefined && !isOurs(peer) && peer.language === ours.language;
      const isSame = other.scenario === scenario && other.operation === operation && other.count === count;
      const found = isPeer && isSame && cell.rounds && other.rounds && ratio(other.rounds, cell.rounds, seed);
      if (!found) return [];
      return [{ ours: ours.slug, peer: peer.slug, scenario, operation, count, ratio: roundedEstimate(found) }];
    });
  });
}

/**
 * What a duel came to, for ours.
 *
 * @param {Duel} duel
 * @returns {'win' | 'loss' | 'tie'}
 */
export function outcomeOf({ ratio: estimate }) {
  const found = verdict(estimate);
  return found === 'slower' ? 'win' : found === 'faster' ? 'loss' : 'tie';
}

/** Writes runs as JSON with a line for each cell and duel, so that a diff shows what changed. @param {Run[]} runs */
export function jsonOf(runs) {
  const lines = (/** @type {unknown[]} */ list) => list.map((one) => `\n      ${JSON.stringify(one)}`).join(',');
  const texts = runs.map((run) => {
    const fields = Object.entries(run).map(([name, value]) => {
      const text = Array.isArray(value) && value.length > 0 ? `[${lines(value)}\n    ]` : JSON.stringify(value);
      return `\n    ${JSON.stringify(name)}: ${text}`;
    });
    return `  {${fields.join(',')}\n  }`;
  });
  return `[\n${texts.join(',\n')}\n]\n`;
}
