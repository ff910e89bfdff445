// Published results as Markdown: the tables of the top README, and all numbers for docs/measurements.

import { duration, isOurs, size, unique } from '../templates/page/model.mjs';
import { outcomeOf } from './summary.mjs';

/**
 * @typedef {import('./summary.mjs').Run} Run
 * @typedef {import('./summary.mjs').Duel} Duel
 * @typedef {import('./summary.mjs').Contestant} Contestant
 */

const OPERATIONS = ['serialize', 'deserialize'];

/** @param {string[]} head @param {string[][]} rows @param {number} left columns of text */
function markdown(head, rows, left = 1) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`.replaceAll('  |', ' |');
  return [line(head), `|${head.map((_, i) => (i < left ? '---' : '---:')).join('|')}|`, ...rows.map(line)].join('\n');
}

/** A text that Markdown leaves alone. @param {string} text */
const plain = (text) => text.replaceAll(/[*|]/g, '\\$&').replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A loss is bold, a tie says that it is one. @param {Duel | undefined} duel */
function duelText(duel) {
  if (duel === undefined) return '–';
  const text = digits2(duel.ratio.median);
  return { win: text, tie: `≈ ${text}`, loss: `**${text}**` }[outcomeOf(duel)];
}

/** @param {number} value */
const digits2 = (value) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** @param {Run} run @param {string} ours @param {string} peer @param {string} scenario */
function pairText(run, ours, peer, scenario) {
  const duels = OPERATIONS.map((operation) =>
    run.duels.find(
      (duel) => duel.ours === ours && duel.peer === peer && duel.scenario === scenario && duel.operation === operation,
    ),
  );
  return duels.every((duel) => duel === undefined) ? '–' : duels.map(duelText).join(' / ');
}

/** @param {Run} run @param {string} language @returns {{ours: Contestant[], peers: Contestant[]}} */
function sides(run, language) {
  const here = run.contestants.filter((one) => one.language === language);
  return { ours: here.filter(isOurs), peers: here.filter((one) => !isOurs(one)) };
}

/** Counts duels. @param {Duel[]} duels */
function tally(duels) {
  const of = (/** @type {string} */ outcome) => duels.filter((duel) => outcomeOf(duel) === outcome).length;
  return `${of('win')} won, ${of('loss')} lost, ${of('tie')} not to be told apart`;
}

/**
 * One table for the contestants of a language, with a column for each of ours.
 *
 * @param {Run} run
 * @param {string} language
 * @param {string} scenario
 */
function duelTable(run, language, scenario) {
  const { ours, peers } = sides(run, language);
  const rows = peers
    .filter((peer) => run.duels.some((duel) => duel.peer === peer.slug && duel.scenario === scenario))
    .map((peer) => [plain(peer.name), ...ours.map((one) => pairText(run, one.slug, peer.slug, scenario))]);
  return markdown([`${language}, ${scenario}`, ...ours.map(({ name }) => name)], rows);
}

/** The line that says when and where. @param {Run} run */
export function circumstances(run) {
  const { environment, effort } = run;
  const { cores = '?', php = '?', node = '?', go = '?', commit = '?' } = environment;
  const counts = unique(run.cells.map(({ count }) => count));
  const objects = counts.length === 1 && counts[0] === 1 ? '1 object' : `${counts.join(', ')} objects`;
  const others = unique(run.contestants.map(({ language }) => language)).length > 1 ? `, Node ${node}, ${go}` : '';
  return `${run.made.slice(0, 10)}, commit ${commit}, ${cores} cores, PHP ${php} with opcache and without JIT${others}; ${objects} at once, up to ${effort.samples} samples in ${effort.rounds} processes`;
}

/** The tables of the top README. @param {Run} run of all languages */
export function readmeText(run) {
  const others = unique(run.contestants.map(({ language }) => language)).filter((language) => language !== 'PHP');
  const rows = others.flatMap((language) => {
    const { ours, peers } = sides(run, language);
    return ours.flatMap((one) =>
      peers.map((peer) => [
        plain(peer.name),
        one.name,
        ...Object.keys(run.scenarios).map((scenario) => pairText(run, one.slug, peer.slug, scenario)),
      ]),
    );
  });
  return [
    `How many times faster ours is, to write / to read. **Bold is a loss**, ≈ is a tie (1 lies in the 95 % interval). ${cap(tally(run.duels))} in ${run.duels.length} duels of one language. ${circumstances(run)}.`,
    duelTable(run, 'PHP', Object.keys(run.scenarios)[0] ?? ''),
    markdown(['against', 'ours', ...Object.keys(run.scenarios)], rows, 2),
  ]
    .map(wrapped)
    .join('\n\n');
}

/** @param {string} text */
const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Breaks prose into lines of at most 120 columns; tables stay. @param {string} text */
function wrapped(text) {
  if (text.startsWith('|')) return text;
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`;
    if (longer.length <= 120) lines[last] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}

/**
 * @param {import('../templates/page/statistics.mjs').Estimate | null} estimate
 * @param {(value: number) => string} show
 */
const interval = (estimate, show) =>
  estimate === null ? '–' : `${show(estimate.median)} (${show(estimate.low)}–${show(estimate.high)})`;

/**
 * All numbers of one column of a run.
 *
 * @param {Run} run
 * @param {string} scenario
 * @param {string} operation
 * @param {number} count
 */
function numbers(run, scenario, operation, count) {
  const names = new Map(run.contestants.map((one) => [one.slug, one]));
  const rows = run.cells
    .filter((cell) => cell.scenario === scenario && cell.operation === operation && cell.count === count)
    .map((cell) => {
      const one = names.get(cell.contestant);
      const name = one !== undefined && isOurs(one) ? `**${one.name}**` : plain(one?.name ?? cell.contestant);
      if (cell.time === null) return ['–', `${name}: ${plain(cell.fault ?? '')}`, '', '', '', '', '', '', ''];
      return [
        `${cell.rank}${cell.tied ? '=' : ''}`,
        name,
        interval(cell.time, duration),
        cell.contestant === run.baseline ? '1' : interval(cell.ratio, digits2),
        cell.memory === null ? '–' : size(cell.memory),
        String(cell.bytes ?? '–'),
        `${cell.gzip ?? '–'} / ${cell.zstd ?? '–'}`,
        cell.first === null ? '–' : duration(cell.first),
        String(cell.samples),
      ];
    });
  const head = [
    ...['place', 'contestant', 'time', `times ${names.get(run.baseline)?.name}`, 'peak memory', 'bytes'],
    ...['gzip / zstd', 'first call', 'samples'],
  ];
  return markdown(head, rows, 2);
}

/** One run for docs/measurements. @param {Run} run */
export function measurementText(run) {
  const languages = unique(run.contestants.map(({ language }) => language));
  const parts = [`${cap(circumstances(run))}.`];
  for (const [scenario, about] of Object.entries(run.scenarios)) {
    const here = run.cells.filter((cell) => cell.scenario === scenario);
    for (const operation of unique(here.map((cell) => cell.operation))) {
      for (const count of unique(here.map((cell) => cell.count))) {
        parts.push(`### ${scenario}, ${operation}, ${count === 1 ? '1 object' : `${count} objects`}`, `${cap(about)}.`);
        parts.push(numbers(run, scenario, operation, count));
      }
    }
    for (const language of languages) {
      const duels = run.duels.filter(
        (duel) => duel.scenario === scenario && sides(run, language).ours.some(({ slug }) => slug === duel.ours),
      );
      if (duels.length > 0) {
        const operations = OPERATIONS.filter((operation) => duels.some((duel) => duel.operation === operation));
        parts.push(`How many times faster ours is, to ${operations.join(' / ')}: ${tally(duels)}.`);
        parts.push(duelTable(run, language, scenario));
      }
    }
  }
  for (const { name, reason } of run.missing) parts.push(`${name} took no part: ${reason}.`);
  return parts.map(wrapped).join('\n\n');
}

/** Who took part: versions, states and notes. @param {Run[]} runs */
export function contestantsText(runs) {
  const all = new Map(runs.flatMap((run) => run.contestants.map((one) => [one.slug, one])));
  const rows = [...all.values()].map(({ name, language, version, format, state, kind, note }) => [
    ...[plain(name), language, version.replace(/ \(checkout.*/, ', checkout'), format, state, kind, note],
  ]);
  return markdown(['contestant', 'language', 'version', 'format', 'state', 'kind', 'note'], rows, 7);
}
