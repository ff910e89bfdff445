// What has to be measured in a fresh process each time, and isn't time: memory. First use is in bench-first.mjs.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rowsOf } from './bench-js-measure.mjs';

/** @typedef {import('./bench-js-measure.mjs').Row} Row */
/** @typedef {{name: string, kind: string, file: string, env?: Record<string, string>}} Library */
/** @typedef {{rounds: number, note: (line: string) => void}} Effort */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAMS = path.join(ROOT, 'js/build/bench');

/**
 * Runs a program of js/bench on one library.
 *
 * @param {string[]} command
 * @param {Library} library
 * @param {string[]} args
 * @returns {Record<string, unknown>} what it printed
 */
function run(command, { kind, file, env }, args) {
  const [program = '', ...flags] = command;
  const address = file === '' ? '-' : pathToFileURL(file).href;
  const all = [...flags, kind, address, ...args];
  const { status, stdout, stderr } = spawnSync(program, all, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(stderr.trim().split('\n').slice(0, 6).join('\n'));
  return stdout === '' ? {} : JSON.parse(stdout);
}

/**
 * Rows of what processes printed, in turns: each number of ours and of the peers, round by round.
 *
 * @param {string} operation
 * @param {(what: string) => string} workload the name of a row by the name of its number
 * @param {Library[]} libraries ours first
 * @param {(library: Library) => Record<string, unknown>} measure
 * @param {Effort} effort
 * @returns {Row[]}
 */
function compare(operation, workload, libraries, measure, { rounds, note }) {
  /** @type {Map<Library, Record<string, unknown>[]>} */
  const results = new Map(libraries.map((library) => [library, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < libraries.length; turn++) {
      const library = /** @type {Library} */ (libraries[(turn + round) % libraries.length]);
      try {
        results.get(library)?.push(measure(library));
      } catch (error) {
        if (library === libraries[0]) throw error;
        results.delete(library);
        note(`${operation}: ${library.name} is left out: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  const [[, ours = []] = [], ...peers] = results;
  const set = new Map();
  for (const [{ name }, theirs] of peers) {
    for (const what of Object.keys(ours[0] ?? {}).filter((key) => key !== 'verified')) {
      const ratios = theirs.map((one, round) => Number(one[what]) / Number(ours[round]?.[what]));
      const verified = theirs.every((one) => one.verified === true);
      set.set(`${operation}\t${workload(what)}\t${name}`, { ratios, verified });
    }
  }
  if (!ours.every(({ verified }) => verified === true))
    throw new Error(`${operation}: ours does not give the value back`);
  return rowsOf([set]);
}

/**
 * Memory per message: what a decoded result holds, and what one kept string of it holds.
 *
 * @param {string[]} runtime
 * @param {Library[]} libraries
 * @param {string[]} workloads
 * @param {Effort} effort
 */
export function memory(runtime, libraries, workloads, effort) {
  const command = [...runtime, '--expose-gc', path.join(PROGRAMS, 'memory.js')];
  const taking = libraries.filter(({ kind }) => kind !== 'avsc');
  return workloads.flatMap((workload) => {
    const name = (/** @type {string} */ what) => `${workload}: ${what === 'string' ? 'one string' : 'result'} kept`;
    return compare('memory', name, taking, (library) => run(command, library, [workload]), effort);
  });
}
