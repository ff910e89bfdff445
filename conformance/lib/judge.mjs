// Runs suites against implementations and turns what comes back into results.
//
// Plan of the file: types · the rounds · one adapter's session · results.

import { Exam } from './exam.mjs';
import { Adapter } from './protocol.mjs';
import * as canonical from './suites/canonical.mjs';
import * as defaults from './suites/defaults.mjs';
import * as encode from './suites/encode.mjs';
import * as invalid from './suites/invalid.mjs';
import * as pairs from './suites/pairs.mjs';
import * as records from './suites/records.mjs';
import * as snapshot from './suites/snapshot.mjs';
import * as stream from './suites/stream.mjs';
import * as valid from './suites/valid.mjs';

/** The suites in the order of the report. `protocol` holds hello and incidents that no case explains. */
export const SUITES = [
  'protocol',
  'valid',
  'invalid',
  'stream',
  'records',
  'canonical',
  'defaults',
  'encode',
  'snapshot',
  'pairs',
];

const PER_IMPLEMENTATION = [valid, invalid, stream, records, canonical, defaults, encode, snapshot];
/** The operations that are judged. */
export const OPS = [
  'decode',
  'encode',
  'transcode',
  'canonical',
  'isCanonical',
  'stream',
  'unserialize',
  'unserializeSigned',
  'reserialize',
];

/** What else an implementation may lack: cases that need it are left out. */
export const FEATURES = {
  modes: ['default', 'strict', 'lossless'],
  records: ['inline', 'shared'],
  limits: ['maxDepth', 'maxValues', 'maxBytes'],
  options: ['clone', 'integralFloatsAsInts'],
};

/** Adapter processes at a time, and cases of one adapter that are open at a time. */
const MAX_PROCESSES = 3;
const MAX_OPEN_CASES = 128;

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} spec
 * @property {string} room
 * @property {string} mode
 * @property {string[]} [languages] the languages it holds for; absent: all
 * @property {Record<string, unknown>} [options]
 * @property {(exam: Exam) => Promise<unknown>} run
 *
 * @typedef {'passed' | 'failed' | 'unsupported'} Verdict
 *
 * @typedef {object} Result
 * @property {string} implementation
 * @property {string} suite
 * @property {string} name
 * @property {string} mode
 * @property {string} key suite/name[mode], as the lists of expected failures write it
 * @property {string} spec
 * @property {string} room
 * @property {Verdict} verdict
 * @property {import('./exam.mjs').Failure[]} failures
 * @property {string[]} unsupported
 *
 * @typedef {object} Selection
 * @property {import('./adapters.mjs').Implementation[]} implementations
 * @property {import('./vectors.mjs').Vectors} vectors
 * @property {string} filter only cases whose suite/name contains this text; the empty one: all
 * @property {boolean} [turns] ask a case in one of the modes that it has for nothing but that mode, a different one
 *   for each case and for each implementation in turn
 * @property {Partial<import('./protocol.mjs').Limits>} [limits]
 */

/** @typedef {(modes: string[]) => string[]} ModesOf the modes of a case that are asked */

/**
 * Chooses one mode after the other.
 *
 * @param {number} first where it starts
 * @returns {ModesOf}
 */
function inTurn(first) {
  let turn = first;
  return (modes) => [String(modes[turn++ % modes.length])];
}

/**
 * Judges every program by every suite.
 *
 * @param {Selection} selection
 * @returns {Promise<Result[]>}
 */
export async function judge(selection) {
  const { implementations, vectors, turns } = selection;
  /** @type {[string, pairs.Written][]} */
  const writers = implementations.map(({ name }) => [name, []]);
  /** @param {Put} put @param {import('./adapters.mjs').Implementation} implementation */
  const read = async (put, { name }) => {
    const passed = new Map();
    for (const [writer, written] of writers) await put(pairs.name, writer, pairs.reading(written, name, passed));
  };
  const isAlone = implementations.length === 1;
  const first = await mapLimit(implementations, MAX_PROCESSES, (implementation) =>
    session(implementation, selection, async (put) => {
      await put('protocol', implementation.name, [hello(implementation)]);
      for (const suite of PER_IMPLEMENTATION) {
        const modesOf = turns ? inTurn(implementations.indexOf(implementation)) : (/** @type {string[]} */ all) => all;
        await put(suite.name, implementation.name, suite.cases(vectors, implementation, modesOf));
      }
      for (const [writer, written] of writers) {
        if (writer === implementation.name) await put(pairs.name, writer, pairs.writing(vectors, written));
      }
      // It reads nothing but what it wrote, so nobody need be waited for.
      if (isAlone) await read(put, implementation);
    }),
  );
  const second = await mapLimit(isAlone ? [] : implementations, MAX_PROCESSES, (implementation) =>
    session(implementation, selection, (put) => read(put, implementation)),
  );
  return [...first, ...second].flat();
}

/**
 * The adapter names itself and serves everything that an implementation is judged by, and nothing
 * that its row says it lacks.
 *
 * @param {import('./adapters.mjs').Implementation} implementation
 * @returns {Case}
 */
function hello({ name, lacks = [] }) {
  const ops = OPS.filter((op) => !lacks.includes(op));
  const modes = FEATURES.modes.filter((mode) => !lacks.includes(mode));
  const covers = (/** @type {unknown} */ list, /** @type {string[]} */ wanted) =>
    Array.isArray(list) && wanted.every((one) => list.includes(one));
  return {
    name: 'hello',
    spec: '',
    room: 'protocol',
    mode: 'all',
    async run(exam) {
      await exam.expect(
        { op: 'hello' },
        {
          text: () =>
            `name ${name}, ops ${ops.join(' ')}${lacks.map((op) => `, not ${op}`).join('')}, modes ${modes.join(' ')}`,
          accepts: (answer) =>
            answer.name === name &&
            covers(answer.ops, ops) &&
            !lacks.some((op) => covers(answer.ops, [op])) &&
            covers(answer.modes, modes),
        },
      );
    },
  };
}

/**
 * @callback Put puts cases to the session's adapter
 * @param {string} suite
 * @param {string} implementation to whom the results belong
 * @param {Iterable<Case>} cases
 * @returns {Promise<void>}
 */

/**
 * Starts one adapter, lets `body` put cases to it, and ends it.
 *
 * @param {import('./adapters.mjs').Implementation} program
 * @param {Selection} selection
 * @param {(put: Put) => Promise<void>} body
 * @returns {Promise<Result[]>}
 */
async function session(program, { filter, limits }, body) {
  const adapter = new Adapter(program, limits);
  /** @type {Result[]} */
  const results = [];
  /** @type {Put} */
  const put = async (suite, implementation, cases) => {
    const chosen = suite === 'protocol' ? cases : matching(cases, suite, filter, program);
    await mapLimit(chosen, MAX_OPEN_CASES, async (one) => {
      const exam = new Exam(adapter, keyOf(suite, one), program.lacks, program.level);
      await one.run(exam);
      // A case about nothing but what the implementation lacks.
      if (exam.asked === 0 && program.lacks !== undefined) return;
      if (exam.asked === 0) throw new Error(`${keyOf(suite, one)} asks nothing, so it could not fail`);
      results.push(resultOf(exam, suite, implementation, one));
    });
  };
  await body(put);
  await adapter.close();
  if (adapter.incidents.length > 0) results.push(incidentsOf(adapter));
  return results;
}

/**
 * The cases that were asked for and concern this implementation.
 *
 * @param {Iterable<Case>} cases
 * @param {string} suite
 * @param {string} filter
 * @param {import('./adapters.mjs').Implementation} implementation
 */
export function* matching(cases, suite, filter, { language, lacks = [] }) {
  for (const one of cases) {
    const { languages = [language], options = {}, mode } = one;
    const { records, limits = {} } = options;
    // The pairs are about lossless mode; their mode in the report is the reader.
    const needs = [
      suite === 'pairs' ? 'lossless' : mode,
      records,
      ...Object.keys(options),
      ...Object.keys(limits ?? {}),
    ];
    const isConcerned = languages.includes(language) && !needs.some((need) => lacks.includes(String(need)));
    if (isConcerned && `${suite}/${one.name}`.includes(filter)) yield one;
  }
}

/**
 * @param {string} suite
 * @param {Pick<Case, 'name' | 'mode'>} one
 */
function keyOf(suite, { name, mode }) {
  return `${suite}/${name}[${mode}]`;
}

/**
 * What the adapter did that no case explains, as a failed result.
 *
 * @param {Adapter} adapter
 * @returns {Result}
 */
function incidentsOf(adapter) {
  const exam = new Exam(adapter, 'incidents');
  for (const incident of adapter.incidents) {
    exam.failures.push({ request: {}, expected: 'answers to requests, then an end with status 0', got: incident });
  }
  return resultOf(exam, 'protocol', adapter.name, { name: 'incidents', spec: '', room: 'protocol', mode: 'all' });
}

/**
 * @param {Exam} exam
 * @param {string} suite
 * @param {string} implementation
 * @param {Omit<Case, 'run'>} one
 * @returns {Result}
 */
function resultOf({ failures, unsupported }, suite, implementation, one) {
  const verdict = failures.length > 0 ? 'failed' : unsupported.length > 0 ? 'unsupported' : 'passed';
  const { name, spec, room, mode } = one;
  return { implementation, suite, name, mode, key: keyOf(suite, one), spec, room, verdict, failures, unsupported };
}

/**
 * Maps with at most `limit` promises open; the results keep the order.
 *
 * @template T, R
 * @param {Iterable<T>} inputs taken only as they are needed
 * @param {number} limit
 * @param {(input: T) => Promise<R>} map
 * @returns {Promise<R[]>}
 */
export async function mapLimit(inputs, limit, map) {
  /** @type {R[]} */
  const outputs = [];
  let next = 0;
  const iterator = inputs[Symbol.iterator]();
  const worker = async () => {
    for (let step = iterator.next(); !step.done; step = iterator.next()) {
      const index = next++;
      outputs[index] = await map(step.value);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return outputs;
}
