// How the bench of the JavaScript package measures: a process per library, rounds in turns, ratios of one round.
//
// Plan: a process that measures · one set of processes · rows from sets.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A library that takes part: how its process is started, and under which name its rows stand.
 *
 * @typedef {{name: string, command: string[], env?: Record<string, string>}} Entrant
 */

/** @typedef {{operation: string, workload: string}} Cell */

/**
 * One comparison: the first entrant is ours. An entrant may do another operation than ours, for
 * example decode at one go.
 *
 * @typedef {{title: string, suffix: string, entrants: Entrant[], cells: Cell[], instead?:
 *   Record<string, string>}} Group
 */

/**
 * How long to measure, in milliseconds. `best` takes the best round of each instead of all rounds.
 *
 * @typedef {{warm: number, round: number, rounds: number, sets: number, best: boolean}} Effort
 */

/** @typedef {{workload: string, operation: string, against: string, ratio: number, low: number, high: number, verified: boolean}} Row */

// --- a process that measures -----------------------------------------------------------------------------------------

/** A library in its process, which does what it is told, one command after the other. */
class Contestant {
  /** @param {Entrant} entrant */
  constructor({ name, command, env }) {
    const [program = '', ...args] = command;
    this.name = name;
    this.child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    this.errors = '';
    this.child.stderr.on('data', (data) => {
      this.errors += data;
    });
    // A process that ended no longer reads; what it wrote says why, and that is reported.
    this.child.stdin.on('error', () => {});
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** @returns {Promise<Record<string, unknown>>} */
  async answer() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.name} ended: ${this.errors.trim().split('\n').slice(0, 8).join('\n')}`);
    return JSON.parse(value);
  }

  /** @param {string} command @param {Cell} cell @param {number} [ms] */
  async tell(command, { operation, workload }, ms = 0) {
    this.child.stdin.write(`${JSON.stringify({ command, operation, workload, ms })}\n`);
    return await this.answer();
  }

  end() {
    this.child.stdin.end();
    this.child.kill();
  }
}

// --- one set of processes --------------------------------------------------------------------------------------------

/** @param {number[]} list */
export function median(list) {
  return quantile(list, 0.5);
}

/** @param {number[]} list @param {number} part */
export function quantile(list, part) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/**
 * Starts the processes; a library that can't take part is left out, with a line that says so.
 *
 * @param {Group} group
 * @param {(line: string) => void} note
 * @returns {Promise<Contestant[]>}
 */
async function start({ title, entrants }, note) {
  const started = [];
  for (const entrant of entrants) {
    const contestant = new Contestant(entrant);
    try {
      const { note: about } = await contestant.answer();
      if (about) note(`${title}: ${entrant.name}: ${about}`);
      started.push(contestant);
    } catch (error) {
      contestant.end();
      if (started.length === 0) throw error;
      note(`${title}: ${entrant.name} is left out: ${error instanceof Error ? error.message : error}`);
    }
  }
  return started;
}

/**
 * Runs a group once in fresh processes. All of them see every cell before the first is timed, as a server sees many
 * kinds of messages, and only one is busy at a time.
 *
 * @param {Group} group
 * @param {Effort} effort
 * @param {(line: string) => void} note
 * @returns {Promise<Map<string, {ratios: number[], verified: boolean}>>} by "operation workload against"
 */
export async function runSet(group, effort, note) {
  const contestants = await start(group, note);
  /** @type {Map<string, {ratios: number[], verified: boolean}>} */
  const results = new Map();
  try {
    /** @type {Map<string, Map<Contestant, boolean>>} */
    const ready = new Map();
    for (const cell of group.cells) {
      const verified = new Map();
      for (const contestant of contestants) {
        const answer = await contestant.tell('verify', cellFor(group, contestant, cell));
        if ('verified' in answer) verified.set(contestant, answer.verified === true);
        else note(`${cell.operation}${group.suffix} ${cell.workload}: ${contestant.name} is left out: ${answer.left}`);
      }
      ready.set(keyOf(cell), verified);
    }
    for (const cell of group.cells) {
      const verified = ready.get(keyOf(cell)) ?? new Map();
      const taking = contestants.filter((contestant) => verified.has(contestant));
      if (taking[0] !== contestants[0] || verified.get(taking[0]) !== true) {
        throw new Error(`${cell.operation}${group.suffix} ${cell.workload}: ours does not give the value back`);
      }
      for (const [contestant, ratios] of await runCell(group, cell, taking, effort)) {
        const operation = `${cell.operation}${group.suffix}`;
        results.set(`${operation}\t${cell.workload}\t${contestant.name}`, {
          ratios,
          verified: verified.get(contestant),
        });
      }
    }
  } finally {
    for (const contestant of contestants) contestant.end();
  }
  return results;
}

/** @param {Cell} cell */
function keyOf({ operation, workload }) {
  return `${operation} ${workload}`;
}

/** @param {Group} group @param {Contestant} contestant @param {Cell} cell @returns {Cell} */
function cellFor({ instead }, { name }, cell) {
  const operation = instead?.[name];
  return operation === undefined ? cell : { ...cell, operation };
}

/**
 * @param {Group} group
 * @param {Cell} cell
 * @param {Contestant[]} taking
 * @param {Effort} effort
 * @returns {Promise<Map<Contestant, number[]>>} how many times faster ours was, round by round
 */
async function runCell(group, cell, taking, { warm, round: ms, rounds, best }) {
  for (const contestant of taking) {
    const own = cellFor(group, contestant, cell);
    await contestant.tell('warm', own, warm);
    // The second time says how many calls fill a round, now that the code is compiled.
    await contestant.tell('warm', own, ms);
  }
  /** @type {Map<Contestant, number[]>} */
  const times = new Map(taking.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < taking.length; turn++) {
      const contestant = /** @type {Contestant} */ (taking[(turn + round) % taking.length]);
      const { time } = await contestant.tell('time', cellFor(group, contestant, cell));
      times.get(contestant)?.push(Number(time));
    }
  }
  const [ours = [], ...peers] = taking.map((contestant) => times.get(contestant) ?? []);
  return new Map(
    peers.map((theirs, at) => {
      const ratios = best
        ? [Math.min(...theirs) / Math.min(...ours)]
        : theirs.map((time, round) => time / (ours[round] ?? Number.NaN));
      return [/** @type {Contestant} */ (taking[at + 1]), ratios];
    }),
  );
}

// --- rows from sets --------------------------------------------------------------------------------------------------

/**
 * A row for each cell and peer. The ratio is the median of the sets' medians; low and high are the sets' extremes, or,
 * of a single set, the quartiles of its rounds.
 *
 * @param {Map<string, {ratios: number[], verified: boolean}>[]} sets
 * @returns {Row[]}
 */
export function rowsOf(sets) {
  const keys = new Set(sets.flatMap((set) => [...set.keys()]));
  return [...keys].map((key) => {
    const [operation = '', workload = '', against = ''] = key.split('\t');
    const found = sets.flatMap((set) => set.get(key) ?? []);
    const medians = found.map(({ ratios }) => median(ratios));
    const [only] = found.length === 1 ? found : [];
    return {
      workload,
      operation,
      against,
      ratio: median(medians),
      low: only === undefined ? Math.min(...medians) : quantile(only.ratios, 0.25),
      high: only === undefined ? Math.max(...medians) : quantile(only.ratios, 0.75),
      verified: found.every(({ verified }) => verified),
    };
  });
}
