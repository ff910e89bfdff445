#!/usr/bin/env node
// Turns the rows of a bench into the Markdown tables of a README, losses included.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';

const USAGE = `usage: node tools/bench-table.mjs PART [--against NAME,…] [--operation NAME,…] [--mode NAME,…]
                                   [--workload PATTERN,…] [--from FILE] [--write FILE] [--mark MARK]

Prints a table for each operation of build/bench/PART.json: a row for each workload, a column for each peer, and the
geometric means. A number says how many times faster we are; what is below 1 is a loss and bold, and * marks a peer whose
result differs from the value.
  --against    only these peers, in this order
  --operation  only these operations, in this order
  --mode       only these modes, in this order, of a bench that has modes; with several each peer has a column for each
  --workload   only workloads that match one of these; * stands for anything
  --from       read the rows from FILE instead
  --write      put the tables into FILE, between <!-- bench PART --> and <!-- /bench -->, instead of printing them
  --mark       with --write: between <!-- bench MARK --> and <!-- /bench -->
`;

/** @typedef {{workload: string, operation: string, against: string, ratio: number, verified: boolean, mode?: string}} Row */

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(`bench-table: ${message}`);
  process.exit(2);
}

/** @param {string | undefined} list @param {string[]} known what there is, in the order of the rows */
function choose(list, known) {
  const wanted = list?.split(',') ?? known;
  const unknown = wanted.find((name) => !known.includes(name));
  return unknown === undefined
    ? wanted
    : fail(`nothing was measured under the name ${unknown}; there are ${known.join(', ')}`);
}

/** @param {string | undefined} list of patterns @returns {(row: Row) => boolean} */
function matcher(list) {
  const expression = (/** @type {string} */ text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const patterns = list?.split(',').map((pattern) => new RegExp(`^${expression(pattern)}$`));
  return (row) => patterns === undefined || patterns.some((pattern) => pattern.test(row.workload));
}

/**
 * Gives every peer a name for each mode, so that each is a column.
 *
 * @param {Row[]} rows
 * @param {string[]} peers
 * @param {string[]} modes
 */
function perMode(rows, peers, modes) {
  if (modes.length < 2) return { rows: rows.filter(({ mode }) => mode === modes[0]), peers };
  const name = (/** @type {string} */ peer, /** @type {string} */ mode) => `${peer}, ${mode}`;
  return {
    rows: rows.flatMap((row) =>
      modes.includes(row.mode ?? '') ? [{ ...row, against: name(row.against, row.mode ?? '') }] : [],
    ),
    peers: peers.flatMap((peer) => modes.map((mode) => name(peer, mode))),
  };
}

/** @param {Row} row */
function cell(row) {
  const ratio = row.ratio.toFixed(row.ratio < 10 ? 2 : 1);
  return `${row.ratio < 1 ? `**${ratio}**` : ratio}${row.verified ? '' : '*'}`;
}

/** @param {Row[]} rows of one operation @param {string[]} peers @returns {string[]} lines */
function table(rows, peers) {
  const columns = peers.filter((peer) => rows.some((row) => row.against === peer));
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const lines = [line([rows[0]?.operation ?? '', ...columns]), `|---|${'---:|'.repeat(columns.length)}`];
  for (const workload of new Set(rows.map((row) => row.workload))) {
    const of = columns.map((peer) => rows.find((row) => row.workload === workload && row.against === peer));
    lines.push(line([workload, ...of.map((row) => (row === undefined ? '–' : cell(row)))]));
  }
  const means = columns.map((against) => {
    const logs = rows.filter((row) => row.against === against).map((row) => Math.log(row.ratio));
    const ratio = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
    return cell({ workload: '', operation: '', against, ratio, verified: true });
  });
  return [...lines, line(['geometric mean', ...means])];
}

/** @param {string} file @param {string} mark @param {string} text */
function write(file, mark, text) {
  const [start, end] = [`<!-- bench ${mark} -->`, '<!-- /bench -->'];
  const old = readFileSync(file, 'utf8');
  const from = old.indexOf(start);
  const to = old.indexOf(end, from);
  if (from < 0 || to < 0) fail(`${file} has no place for them: put ${start} and ${end} there`);
  writeFileSync(file, `${old.slice(0, from)}${start}\n\n${text}\n${old.slice(to)}`);
}

const { values, positionals } = readArguments('bench-table', {
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    operation: { type: 'string' },
    mode: { type: 'string' },
    workload: { type: 'string' },
    from: { type: 'string' },
    write: { type: 'string' },
    mark: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [part] = positionals;
if (part === undefined || positionals.length > 1) fail('which part? see node tools/bench-table.mjs --help');
const source = values.from ?? fileURLToPath(new URL(`../build/bench/${part}.json`, import.meta.url));
/** @type {Row[]} */
let all = [];
try {
  all = JSON.parse(readFileSync(source, 'utf8'));
} catch {
  fail(`${source} is not there; make bench PART=${part} writes it`);
}
all = all.filter(matcher(values.workload));
const chosen = choose(values.against, [...new Set(all.map((row) => row.against))]);
const operations = choose(values.operation, [...new Set(all.map((row) => row.operation))]);
const modes = choose(values.mode, [...new Set(all.flatMap(({ mode }) => mode ?? []))]);
const { rows, peers } = perMode(all, chosen, modes);
const text = operations
  .map((operation) =>
    table(
      rows.filter((row) => row.operation === operation && peers.includes(row.against)),
      peers,
    ).join('\n'),
  )
  .join('\n\n');
if (values.write === undefined) console.log(text);
else write(values.write, values.mark ?? part, `${text}\n`);
