#!/usr/bin/env node
// Compares first use: the first messages of a fresh process, where the other benches measure the ten-thousandth.
//
// Plan: what a language gives · measuring in turns · rows · main.
//
// A language is a file bench-first-NAME.mjs that exports a Language, and a line in LANGUAGES.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { goLanguage } from './bench-first-go.mjs';
import { js } from './bench-first-js.mjs';
import { phpLanguage } from './bench-first-php.mjs';
import { median, quantile } from './bench-js-measure.mjs';
import { choose } from './bench-js-peers.mjs';

/**
 * What one fresh process measured, in milliseconds: loading, and for each count the time of that many first messages.
 *
 * @typedef {{load: Record<Clock, number>, wall: Record<string, number>, cpu: Record<string, number>,
 *   verified: boolean}} Sample
 */

/** @typedef {'wall' | 'cpu'} Clock */

/** A library of a language; `run` starts a fresh process. */
/** @typedef {{name: string, run: (operation: string, workload: string) => Sample}} Contestant */

/**
 * What the options ask for. `others` are NAME=FOLDER.
 *
 * @typedef {{peers: string | undefined, others: string[], workloads: string[], runtime: string | undefined,
 *   build: boolean}} Chosen
 */

/**
 * What takes part in a language. `start` prepares all and returns the contestants, ours first.
 *
 * @typedef {{operations: string[], workloads: string[], peers: string[],
 *   start: (chosen: Chosen) => Contestant[]}} Language
 */

/** `mode` is the number of messages. @typedef {import('./bench-js-measure.mjs').Row & {mode: string}} Row */

/** @type {Record<string, Language>} */
const LANGUAGES = { js, php: phpLanguage, go: goLanguage };

const ROUNDS = 15;
const QUICK_ROUNDS = 5;

const USAGE = `usage: node tools/bench-first.mjs [LANGUAGE…] [OPTION…]

Starts a fresh process for each sample, which loads a library and encodes or decodes its first messages, and writes rows to
build/bench/first-LANGUAGE.json. Languages: ${Object.keys(LANGUAGES).join(' ')} (all). A ratio is the peer's time for the
first so many messages together divided by ours, and loading has rows of its own. The libraries take turns, each result is
compared with the value, and a row has the median and the quartiles of all rounds. The table of one peer:
node tools/bench-table.mjs first-js --against msgpackr

  --workloads NAME,…   only these (all)
  --operations NAME,…  only these (all)
  --peers NAME,…       only these (all)
  --peer NAME=FOLDER   one more, as in tools/bench-js.mjs; for PHP rybakit=FOLDER
  --runtime NAME       for example node24, or chromium: a fresh browser for each sample (the one that runs this)
  --clock cpu          time of the processors, with all threads, instead of the wall clock
  --rounds NUMBER      samples of each cell (${ROUNDS})
  --quick              ${QUICK_ROUNDS} samples of each
  --out FILE           where the rows of one language go
  --no-build           measure what is built
`;

// --- measuring in turns ----------------------------------------------------------------------------------------------

/**
 * Measures every cell once in each round, so that what disturbs the machine for a while disturbs one round of all.
 *
 * @param {Contestant[]} contestants
 * @param {string[]} operations
 * @param {string[]} workloads
 * @param {number} rounds
 * @returns {Map<string, Map<string, Sample[]>>} samples by "operation workload", then by contestant
 */
function measure(contestants, operations, workloads, rounds) {
  const cells = operations.flatMap((operation) => workloads.map((workload) => ({ operation, workload })));
  /** @type {Map<string, Map<string, Sample[]>>} */
  const results = new Map();
  for (const { operation, workload } of cells) {
    results.set(`${operation}\t${workload}`, new Map(contestants.map(({ name }) => [name, []])));
  }
  for (let round = 0; round < rounds; round++) {
    for (const { operation, workload } of cells) {
      for (let turn = 0; turn < contestants.length; turn++) {
        const { name, run } = /** @type {Contestant} */ (contestants[(turn + round) % contestants.length]);
        results.get(`${operation}\t${workload}`)?.get(name)?.push(run(operation, workload));
      }
    }
  }
  return results;
}

// --- rows ------------------------------------------------------------------------------------------------------------

/** @param {Map<string, Map<string, Sample[]>>} results @param {Clock} clock @returns {Row[]} */
function rowsOf(results, clock) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<string, number[]>} */
  const loads = new Map();
  for (const [cell, samples] of results) {
    const [operation = '', workload = ''] = cell.split('\t');
    const [[, ours = []] = [], ...peers] = samples;
    if (!ours.every(({ verified }) => verified))
      throw new Error(`${operation} ${workload}: ours does not give the value back`);
    for (const [against, theirs] of peers) {
      const verified = theirs.every((sample) => sample.verified);
      for (const mode of Object.keys(ours[0]?.[clock] ?? {})) {
        const ratios = theirs.map((sample, round) => Number(sample[clock][mode]) / Number(ours[round]?.[clock][mode]));
        rows.push({ workload, operation: `${operation}-first`, against, mode, ...spread(ratios), verified });
      }
      const all = loads.get(against) ?? [];
      all.push(...theirs.map(({ load }, round) => load[clock] / Number(ours[round]?.load[clock])));
      loads.set(against, all);
    }
  }
  for (const [against, ratios] of loads) {
    rows.push({ workload: 'loading', operation: 'load', against, mode: '0', ...spread(ratios), verified: true });
  }
  return rows;
}

/** @param {number[]} ratios */
function spread(ratios) {
  return { ratio: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

/** @param {Row[]} rows */
function print(rows) {
  for (const key of new Set(rows.map(({ operation, against }) => `${operation}\t${against}`))) {
    const [operation = '', against = ''] = key.split('\t');
    const own = rows.filter((row) => row.operation === operation && row.against === against);
    const modes = [...new Set(own.map(({ mode }) => mode))];
    console.log(`${operation}, against ${against}`);
    console.log(`  ${'messages'.padEnd(16)}${modes.map((mode) => mode.padStart(7)).join('')}`);
    for (const workload of new Set(own.map((row) => row.workload))) {
      const cells = own.filter((row) => row.workload === workload);
      const differs = cells.every(({ verified }) => verified) ? '' : '  differs';
      console.log(
        `  ${workload.padEnd(16)}${cells.map(({ ratio }) => ratio.toFixed(2).padStart(7)).join('')}${differs}`,
      );
    }
    const means = modes.map((mode) => {
      const logs = own.filter((row) => row.mode === mode).map(({ ratio }) => Math.log(ratio));
      return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
    });
    console.log(`  ${'geometric mean'.padEnd(16)}${means.map((mean) => mean.toFixed(2).padStart(7)).join('')}`);
  }
}

// --- main ------------------------------------------------------------------------------------------------------------

const { values, positionals } = readArguments('bench-first', {
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    workloads: { type: 'string' },
    operations: { type: 'string' },
    peers: { type: 'string' },
    peer: { type: 'string', multiple: true, default: [] },
    runtime: { type: 'string' },
    clock: { type: 'string', default: 'wall' },
    rounds: { type: 'string' },
    quick: { type: 'boolean' },
    out: { type: 'string' },
    'no-build': { type: 'boolean' },
  },
});

/** @param {string} name */
function runLanguage(name) {
  const language = /** @type {Language} */ (LANGUAGES[name]);
  const operations = choose(values.operations, language.operations, 'operation');
  const workloads = choose(values.workloads, language.workloads, 'workload');
  const clocks = values.runtime === 'chromium' ? ['wall'] : ['wall', 'cpu'];
  const [clock] = /** @type {Clock[]} */ (choose(values.clock, clocks, 'clock'));
  const rounds = Number(values.rounds ?? (values.quick ? QUICK_ROUNDS : ROUNDS));
  if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes a number from 1');
  const build = !values['no-build'];
  const { peers, peer: others, runtime } = values;
  const contestants = language.start({ peers, others, workloads, runtime, build });
  const rows = rowsOf(measure(contestants, operations, workloads, rounds), clock ?? 'wall');
  print(rows);
  const file = values.out ?? fileURLToPath(new URL(`../build/bench/first-${name}.json`, import.meta.url));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  try {
    const known = Object.keys(LANGUAGES);
    for (const name of positionals.length > 0 ? choose(positionals.join(), known, 'language') : known)
      runLanguage(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(`bench-first: ${error.message}`);
    process.exit(2);
  }
}
