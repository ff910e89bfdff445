// The command behind cost.mjs: asks the adapters to measure, prints the table, writes the rows; or runs the check or
// the fuzzer of costs.
//
// Plan of the file: types · the command · the check · asking · the table.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { NotReadyError, prepare } from './adapters.mjs';
import { checkFinds } from './cost-finds.mjs';
import { fuzzCosts } from './cost-fuzz.mjs';
import { costInputs } from './cost-inputs.mjs';
import { PATIENCE, withFlags } from './cost-process.mjs';
import { Adapter, Incident } from './protocol.mjs';
import { secondsIn } from './time.mjs';

/**
 * How often a message and its valid twin are measured: at the second time code is compiled for both, and a machine that
 * is slow for a part of a second does not meet all.
 */
const TURNS = 6;

const USAGE = `usage: node conformance/cost.mjs [options]

Measures what it costs to refuse bad input just under 100 KB, and prints a table: milliseconds of the first and of the median
decode, then what the median and the peak of the memory are more than those of the valid message with the values before the fault.
Both messages are measured in turn, ${TURNS} times, and the least of each counts: what else the machine does only ever adds to it.
It is no timed test: it exits 1 only when an error is missing or wrong, 2 for wrong use.

  --impl NAME    measure only this implementation; may be repeated
  --filter TEXT  only inputs whose "name [mode]" contains TEXT
  --rounds N     decodes for a median (5)
  --check        see that each input is refused as it should be, and its valid twin decoded; and that what was once found
                 to cost too much (lib/cost-finds.mjs) costs no more than its harmless twin does, by memory, by processor time
                 with a margin, or by being refused
  --fuzz         repeat small units in a message, those of a table and random ones, at every way into each library; print
                 the smallest found that cost more than 4 times as much as a harmless twin, and exit 1 if there are any
  --help         this text

With --fuzz:
  --time TIME    how long: 60s (default), 5m, 1h, or plain seconds
  --count N      how many random units for each implementation, and all of the table, however long it takes
  --seed N       where the random numbers start (default: from the clock; printed)
  --unit N       only the random unit of this number, at every door that it fits
  --door TEXT    only doors whose "implementation: name" contains TEXT
`;

/** The bounds of spec/06#cost-of-bad-input. */
const MAX_MILLISECONDS = 10;
const MAX_BYTES = 1_000_000;

/**
 * @typedef {import('./adapters.mjs').Implementation} Implementation
 * @typedef {import('./cost-inputs.mjs').CostInput} CostInput
 *
 * @typedef {object} Setting
 * @property {Implementation[]} implementations
 * @property {string} rows the file for them
 * @property {(text: string) => void} print
 *
 * @typedef {object} Row
 * @property {string} implementation
 * @property {string} input
 * @property {string} mode
 * @property {number} length of the input in bytes
 * @property {number | null} first milliseconds of the first decode in a new process
 * @property {number | null} median milliseconds
 * @property {number | null} more milliseconds more than decoding the values before the fault takes, by their medians
 * @property {number | null} extra bytes more at the peak than decoding the values before the fault needs
 * @property {boolean} isWithin both are below the bounds
 * @property {string | null} wrong why this isn't a measurement
 */

/**
 * Runs the command.
 *
 * @param {string[]} args
 * @param {Setting} setting
 * @returns {Promise<number>} exit status
 */
export async function main(args, setting) {
  const { print } = setting;
  try {
    const options = parse(args);
    if (options.help) {
      print(USAGE.trimEnd());
      return 0;
    }
    return await run(options, setting);
  } catch (error) {
    if (error instanceof NotReadyError) {
      print(`cost: ${error.message}`);
      return 1;
    }
    if (error instanceof UsageError) {
      print(`cost: ${error.message}; see --help`);
      return 2;
    }
    throw error;
  }
}

/** Wrong use of the command. */
class UsageError extends Error {}

/** @param {string[]} args */
function parse(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        impl: { type: 'string', multiple: true, default: [] },
        filter: { type: 'string', default: '' },
        rounds: { type: 'string', default: '5' },
        check: { type: 'boolean', default: false },
        fuzz: { type: 'boolean', default: false },
        time: { type: 'string' },
        count: { type: 'string' },
        seed: { type: 'string' },
        unit: { type: 'string' },
        door: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { time, count, seed, unit, ...others } = values;
    if (!values.fuzz && (time ?? count ?? seed ?? unit ?? (values.door || undefined)) !== undefined) {
      throw new UsageError('--time, --count, --seed, --unit and --door go with --fuzz');
    }
    return {
      ...others,
      rounds: wholeOf('rounds', values.rounds),
      seconds: time !== undefined || (count ?? unit) === undefined ? secondsOf(time ?? '60s') : Infinity,
      count: count === undefined ? Infinity : wholeOf('count', count),
      seed: seed === undefined ? 1 + (Date.now() % 100_000_000) : wholeOf('seed', seed),
      unit: unit === undefined ? null : wholeOf('unit', unit),
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} name @param {string} text */
function wholeOf(name, text) {
  if (!/^\d{1,9}$/.test(text) || (text === '0' && name !== 'unit')) {
    throw new UsageError(`--${name} wants a number, not ${text}`);
  }
  return Number(text);
}

/** @param {string} text */
function secondsOf(text) {
  const seconds = secondsIn(text);
  if (seconds === null) throw new UsageError(`cannot read the time ${text}; write 60s, 5m or 1h`);
  return seconds;
}

/**
 * @param {ReturnType<typeof parse>} options
 * @param {Setting} setting
 */
async function run(options, { implementations, rows, print }) {
  const { impl, filter, rounds, check, fuzz, seconds, count, seed, unit, door } = options;
  const unknown = impl.find((name) => !implementations.some((one) => one.name === name));
  if (unknown !== undefined) throw new UsageError(`no implementation ${unknown}`);
  const chosen = implementations.filter(({ name }) => impl.length === 0 || impl.includes(name));
  if (fuzz) {
    for (const implementation of chosen) prepare(implementation);
    return fuzzCosts({ implementations: chosen, print, seed, milliseconds: 1000 * seconds, count, unit, door });
  }
  const inputs = costInputs().filter(({ name, mode }) => `${name} [${mode}]`.includes(filter));
  if (inputs.length === 0) throw new UsageError(`no input has "${filter}" in its name`);
  for (const implementation of chosen) prepare(implementation);
  if (check) return checkAll(chosen, inputs, print);

  /** @type {Row[]} */
  const measured = [];
  print(tableHead(chosen));
  for (const input of inputs) {
    // One after the other: side by side they would wait for each other.
    const line = [];
    for (const implementation of chosen) line.push(await measure(implementation, input, rounds));
    print(tableLine(input, line));
    measured.push(...line);
  }
  mkdirSync(path.dirname(rows), { recursive: true });
  writeFileSync(rows, `${JSON.stringify(measured, null, 1)}\n`);

  const wrong = measured.filter((row) => row.wrong !== null);
  for (const row of wrong) print(`${row.implementation}: ${row.input} [${row.mode}]: ${row.wrong}`);
  const outside = measured.filter(({ isWithin }) => !isWithin).length;
  print(
    `${measured.length} measured, ${outside} beyond +${MAX_MILLISECONDS} ms or +${MAX_BYTES / 1000} KB (*); ${wrong.length} wrong`,
  );
  return wrong.length > 0 ? 1 : 0;
}

// --- the check -------------------------------------------------------------------------------------------------------

/**
 * Sees that every implementation refuses every input as it should, whatever it costs, and that what was found once is
 * mended.
 *
 * @param {Implementation[]} implementations
 * @param {CostInput[]} inputs
 * @param {(text: string) => void} print
 * @returns {Promise<number>} exit status
 */
async function checkAll(implementations, inputs, print) {
  const wrong = (await Promise.all(implementations.map((one) => check(one, inputs)))).flat();
  const found = await Promise.all(implementations.map((one) => checkFinds(one)));
  wrong.push(...found.flatMap((one) => one.wrong));
  for (const line of wrong) print(line);
  const asked = found.reduce((sum, one) => sum + one.asked, 0);
  print(
    `cost: ${inputs.length} expensive inputs for ${implementations.length} implementations, ` +
      `${asked} finds at doors, ${wrong.length} wrong`,
  );
  return wrong.length > 0 ? 1 : 0;
}

/**
 * @param {Implementation} implementation
 * @param {CostInput[]} inputs
 * @returns {Promise<string[]>} what is wrong
 */
async function check(implementation, inputs) {
  const adapter = new Adapter(implementation, { timeout: PATIENCE });
  const wrong = [];
  for (const input of inputs) {
    const { name, mode, bytes, error, decoded } = input;
    const what = `${implementation.name}: ${name} [${mode}]`;
    try {
      const fault = faultIn((await ask(adapter, input, bytes, 0)).error, error);
      if (fault !== null) wrong.push(`${what}: ${fault}`);
      const twin = await ask(adapter, input, decoded, 0);
      if (twin.error !== null) wrong.push(`${what}, its valid twin: ${JSON.stringify(twin.error).slice(0, 200)}`);
    } catch (incident) {
      if (!(incident instanceof Incident)) throw incident;
      wrong.push(`${what}: ${incident.message}`);
    }
  }
  await adapter.close();
  return wrong;
}

// --- asking ----------------------------------------------------------------------------------------------------------

/**
 * Measures one input in a process of its own, so that nothing is warm at the first decode.
 *
 * @param {Implementation} implementation
 * @param {CostInput} input
 * @param {number} rounds
 * @returns {Promise<Row>}
 */
async function measure(implementation, input, rounds) {
  const { mode, bytes, error, decoded } = input;
  const adapter = new Adapter(withFlags(implementation), { timeout: PATIENCE });
  const row = { implementation: implementation.name, input: input.name, mode, length: bytes.length };
  try {
    const bad = [];
    const valid = [];
    for (let turn = 0; turn < TURNS; turn++) {
      bad.push(await ask(adapter, input, bytes, rounds));
      valid.push(await ask(adapter, input, decoded, rounds));
    }
    const [earliest = {}] = bad;
    const wrong = faultIn(earliest.error, error);
    const median = least(bad.map((answer) => timeOf(answer, 'median')));
    const more = beyond(median, least(valid.map((answer) => timeOf(answer, 'median'))));
    const extra = beyond(least(bad.map(bytesOf)), least(valid.map(bytesOf)));
    const isWithin = (more ?? 0) < MAX_MILLISECONDS && (extra ?? 0) < MAX_BYTES;
    return { ...row, first: timeOf(earliest, 'first'), median, more, extra, isWithin, wrong };
  } catch (incident) {
    if (!(incident instanceof Incident)) throw incident;
    return { ...row, first: null, median: null, more: null, extra: null, isWithin: false, wrong: incident.message };
  } finally {
    await adapter.close();
  }
}

/**
 * @param {Adapter} adapter
 * @param {CostInput} input whose options hold
 * @param {Buffer} message
 * @param {number} rounds
 */
function ask(adapter, { mode, records }, message, rounds) {
  return adapter.ask({ op: 'measure', mode, records, bytes: message.toString('hex'), rounds });
}

/**
 * @param {unknown} got
 * @param {{code: string, offset: number}} wanted
 */
function faultIn(got, { code, offset }) {
  const error = /** @type {{code?: unknown, offset?: unknown} | null | undefined} */ (got);
  if (error?.code === code && error.offset === offset) return null;
  return `expected ${code} at ${offset}, got ${JSON.stringify(got)?.slice(0, 200)}`;
}

/**
 * @param {Record<string, unknown>} answer
 * @param {'first' | 'median'} which
 */
function timeOf(answer, which) {
  const times = /** @type {Record<string, unknown> | undefined} */ (answer.milliseconds);
  return numberOf(times?.[which]);
}

/** @param {Record<string, unknown>} answer */
function bytesOf(answer) {
  return numberOf(answer.bytes);
}

/** @param {(number | null)[]} numbers */
function least(numbers) {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * What the bad input takes more than its valid twin; 0 where it takes less.
 *
 * @param {number | null} bad
 * @param {number | null} good
 */
function beyond(bad, good) {
  return bad === null || good === null ? null : Math.max(0, bad - good);
}

/** @param {unknown} value */
function numberOf(value) {
  return typeof value === 'number' ? value : null;
}

// --- the table -------------------------------------------------------------------------------------------------------

const NAME_WIDTH = 42;
const CELL_WIDTH = 10;

/** @param {Implementation[]} implementations */
function tableHead(implementations) {
  const cells = implementations.flatMap(({ name }) => [`${name} first `, 'ms ', '+ms ', '+KB ']);
  return 'input [mode]'.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH)).join('');
}

/**
 * @param {CostInput} input
 * @param {Row[]} rows one for each implementation
 */
function tableLine({ name, mode }, rows) {
  const cells = rows.flatMap(({ first, median, more, extra }) => [
    cell(first, Number.POSITIVE_INFINITY, 1, 2),
    cell(median, Number.POSITIVE_INFINITY, 1, 2),
    cell(more, MAX_MILLISECONDS, 1, 2),
    cell(extra, MAX_BYTES, 1000, 0),
  ]);
  return `${name} [${mode}]`.padEnd(NAME_WIDTH) + cells.join('');
}

/**
 * @param {number | null} value
 * @param {number} bound a value from here on gets a mark
 * @param {number} unit
 * @param {number} digits
 */
function cell(value, bound, unit, digits) {
  const text = value === null ? '–' : (value / unit).toFixed(digits);
  return (text + (value !== null && value >= bound ? '*' : ' ')).padStart(CELL_WIDTH);
}
