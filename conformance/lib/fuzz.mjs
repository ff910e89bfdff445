// The command behind fuzz.mjs: makes inputs, asks everybody, reports differences.
//
// Plan of the file: options · the corpus · the run · findings.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readBytes } from '../../tools/vectors/notation.mjs';
import { NotReadyError, prepare } from './adapters.mjs';
import { makeInput } from './fuzz-inputs.mjs';
import { minimize } from './fuzz-minimize.mjs';
import { ask, dissenters, judged, questionsOf } from './fuzz-opinions.mjs';
import { isKnown } from './habits.mjs';
import { mapLimit } from './judge.mjs';
import { Adapter } from './protocol.mjs';
import { secondsIn } from './time.mjs';
import { loadVectors, VectorsError } from './vectors.mjs';

const USAGE = `usage: node conformance/fuzz.mjs [options]

Asks every implementation, and the slow judge of tools/vectors, about random inputs: decode in lossless and strict mode,
canonical, isCanonical, transcode, stream. Where they differ the input is made small and printed as one line of JSON.
Exits 0 when all agree, 1 when not, 2 for wrong use.

  --time TIME     how long: 60s (default), 5m, 1h, or plain seconds
  --count N       how many inputs, however long it takes; the same ones for the same seed and corpus
  --seed N        where the random numbers start (default: from the clock; printed)
  --corpus FILE   one input a line, asked as it is and then in mutations: hex bytes, or a line this command printed
  --help          this text
`;

/** Inputs that are open at a time. */
const MAX_OPEN = 24;

/** Findings after which a run ends: the rest is likely more of the same. */
const MAX_FINDINGS = 20;

/** Vectors above this many bytes aren't mutated: most mutations would hit the same long body. */
const MAX_VECTOR = 300;
/** Nor are those with a dictionary of more shapes, which would be sent with each question. */
const MAX_DICTIONARY = 64;

/** Crashes are findings here, so the adapter's own patience is longer. */
const LIMITS = { maxIncidents: 1000 };

/**
 * @typedef {import('./fuzz-inputs.mjs').Input} Input
 * @typedef {import('./fuzz-inputs.mjs').Seed} Seed
 * @typedef {import('./fuzz-opinions.mjs').Question} Question
 * @typedef {import('./fuzz-opinions.mjs').Judged} Judged
 *
 * @typedef {object} Setting
 * @property {import('./adapters.mjs').Implementation[]} implementations
 * @property {string} vectors folder
 * @property {(text: string) => void} print
 *
 * @typedef {Adapter & {lacks?: string[], language?: import('./fuzz-opinions.mjs').Language}} Asked
 *
 * @typedef {object} Poll what everybody says to one question
 * @property {Question} question
 * @property {Judged} judgement
 * @property {Map<string, string>} opinions
 * @property {string[]} dissent
 */

/** Wrong use of the command. */
class UsageError extends Error {}

/**
 * Runs the command.
 *
 * @param {string[]} args
 * @param {Setting} setting
 * @returns {Promise<number>} exit status
 */
export async function main(args, setting) {
  try {
    const options = parse(args);
    if (options === null) {
      setting.print(USAGE.trimEnd());
      return 0;
    }
    return await run(options, setting);
  } catch (error) {
    if (error instanceof UsageError) {
      setting.print(`fuzz: ${error.message}; see --help`);
      return 2;
    }
    if (error instanceof NotReadyError || error instanceof VectorsError) {
      setting.print(`fuzz: ${error.message}`);
      return 1;
    }
    throw error;
  }
}

// --- options ---------------------------------------------------------------------------------------------------------

/**
 * @typedef {object} Options
 * @property {number} milliseconds
 * @property {number} count
 * @property {number} seed
 * @property {Seed[]} corpus
 */

/**
 * @param {string[]} args
 * @returns {Options | null} null: help is wanted
 */
function parse(args) {
  const { help, time, count, seed, corpus } = parseStrings(args);
  if (help) return null;
  const whole = (/** @type {string} */ name, /** @type {string} */ text) => {
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new UsageError(`--${name} wants a number from 1 on, not ${text}`);
    return Number(text);
  };
  return {
    milliseconds: time !== undefined || count === undefined ? 1000 * secondsOf(time ?? '60s') : Infinity,
    count: count === undefined ? Infinity : whole('count', count),
    seed: seed === undefined ? 1 + (Date.now() % 100_000_000) : whole('seed', seed),
    corpus: corpus === undefined ? [] : readCorpus(corpus),
  };
}

/** @param {string[]} args */
function parseStrings(args) {
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    const help = /** @type {const} */ ({ type: 'boolean', short: 'h', default: false });
    return parseArgs({ args, options: { help, time: text, count: text, seed: text, corpus: text } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} text */
function secondsOf(text) {
  const seconds = secondsIn(text);
  if (seconds === null) throw new UsageError(`cannot read the time ${text}; write 60s, 5m or 1h`);
  return seconds;
}

// --- the corpus ------------------------------------------------------------------------------------------------------

/**
 * @param {string} file
 * @returns {Seed[]}
 */
function readCorpus(file) {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim());
    return lines.filter((line) => line !== '').map(parseLine);
  } catch (error) {
    throw new UsageError(`cannot read the corpus ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {string} line
 * @returns {Seed}
 */
function parseLine(line) {
  const { bytes, records = 'off', shared, limits = {} } = line.startsWith('{') ? JSON.parse(line) : { bytes: line };
  return { bytes: [...readBytes(bytes)], records, ...(shared !== undefined && { shared }), limits };
}

/**
 * The bytes of the vectors, without those that are long.
 *
 * @param {string} folder
 * @returns {Seed[]}
 */
function seedsOf(folder) {
  const { valid, invalid, stream, records, canonical } = loadVectors(folder);
  const cases = [
    ...valid.flatMap((one) => [one.canonical, ...one.also].map((bytes) => ({ ...one, bytes }))),
    ...invalid,
    ...stream,
    ...records,
    ...canonical,
  ];
  return cases
    .filter(({ bytes, options }) => bytes.length <= 2 * MAX_VECTOR && !isLong(options.dictionary) && !options.clone)
    .map(({ bytes, options: { records = 'off', dictionary, header, limits = {} } }) => ({
      records: /** @type {Seed['records']} */ (records),
      ...(records === 'shared' && { shared: /** @type {Seed['shared']} */ ({ dictionary, header }) }),
      limits: /** @type {Seed['limits']} */ (limits),
      bytes: [...Buffer.from(bytes, 'hex')],
    }));
}

/** @param {unknown} dictionary */
function isLong(dictionary) {
  return Array.isArray(dictionary) && dictionary.length > MAX_DICTIONARY;
}

// --- the run ---------------------------------------------------------------------------------------------------------

/**
 * @param {Options} options
 * @param {Setting} setting
 * @returns {Promise<number>}
 */
async function run({ milliseconds, count, seed, corpus }, { implementations, vectors, print }) {
  for (const implementation of implementations) prepare(implementation);
  const seeds = [...seedsOf(vectors), ...corpus];
  const adapters = implementations.map((program) =>
    Object.assign(new Adapter(program, LIMITS), {
      lacks: program.lacks,
      language: isKnown(program.language) ? program.language : undefined,
    }),
  );
  const end = performance.now() + milliseconds;
  const start = performance.now();
  /** Kinds of difference that are known; each is reported once. @type {Set<string>} */
  const known = new Set();
  let asked = 0;

  /** @returns {Generator<Input>} */
  function* inputs() {
    for (const one of corpus) yield { ...one, cuts: [] };
    for (let index = 0; index < count && performance.now() < end && known.size < MAX_FINDINGS; index++) {
      yield makeInput(seed, index, seeds);
    }
  }
  await mapLimit(inputs(), MAX_OPEN, async (input) => {
    asked++;
    for (const poll of await Promise.all(questionsOf(input).map((question) => take(question, adapters)))) {
      if (poll.dissent.length === 0 || known.size >= MAX_FINDINGS || known.has(kindOf(poll))) continue;
      known.add(kindOf(poll));
      const found = await shrink(poll, adapters);
      const isNew = kindOf(found) === kindOf(poll) || !known.has(kindOf(found));
      known.add(kindOf(found));
      if (isNew) print(lineOf(found));
    }
  });
  await Promise.all(adapters.map((adapter) => adapter.close()));
  const incidents = adapters.flatMap(({ name, incidents: all }) => all.map((text) => `fuzz: ${name}: ${text}`));
  for (const incident of incidents) print(incident);

  const seconds = Math.round((performance.now() - start) / 1000);
  const outcome = known.size > 0 ? 'DIFFERENCES' : incidents.length > 0 ? 'INCIDENTS' : 'all agree';
  print(`fuzz: ${asked} inputs in ${seconds} s, seed ${seed}: ${outcome}`);
  return known.size + incidents.length > 0 ? 1 : 0;
}

/**
 * Puts one question to everybody.
 *
 * @param {Question} question
 * @param {Asked[]} adapters
 * @returns {Promise<Poll>}
 */
async function take(question, adapters) {
  const isAble = (/** @type {string[]} */ lacks) => !lacks.includes(question.op) && !lacks.includes(question.records);
  const able = adapters.filter(({ lacks = [] }) => isAble(lacks));
  const answers = Promise.all(
    able.map(async (adapter) => /** @type {[string, string]} */ ([adapter.name, await ask(adapter, question)])),
  );
  // While the others think.
  const languages = new Set(able.map(({ language }) => language));
  const judgements = new Map([...languages].map((language) => [language, judged(question, language)]));
  const judgement = judged(question);
  const languageOf = new Map(able.map(({ name, language }) => [name, language]));
  const opinions = new Map(await answers);
  const judgementFor = (/** @type {string} */ name) => judgements.get(languageOf.get(name)) ?? judgement;
  return { question, judgement, opinions, dissent: dissenters(question, opinions, judgementFor) };
}

// --- findings --------------------------------------------------------------------------------------------------------

/**
 * Returns what findings with one cause are likely to share: the opinions, without places and values.
 *
 * @param {Poll} poll
 */
function kindOf({ question: { op, mode }, judgement, opinions, dissent }) {
  const withoutPlaces = (/** @type {string} */ text) =>
    text.replace(/(value|bytes|bytes of|departure) [0-9a-f]+|@[0-9]+ "(\\.|[^"])*"/g, '$1');
  return JSON.stringify([
    op,
    mode,
    dissent,
    withoutPlaces(judgement.text).replace(/(value, )+/, ''),
    dissent.map((name) => withoutPlaces(opinions.get(name) ?? '').replace(/(value, )+/, '')),
  ]);
}

/**
 * The smallest question found on which the same ones dissent.
 *
 * @param {Poll} poll
 * @param {Asked[]} adapters
 */
async function shrink(poll, adapters) {
  const names = poll.dissent.join();
  const smallest = await minimize(
    poll.question,
    async (smaller) => (await take(smaller, adapters)).dissent.join() === names,
  );
  return take(smallest, adapters);
}

/**
 * A finding as one line: for people, for a vector, and for --corpus.
 *
 * @param {Poll} poll
 */
function lineOf({ question, judgement, opinions, dissent }) {
  const { op, mode, records, shared, limits, bytes, cuts } = question;
  return JSON.stringify({
    bytes: bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
    op,
    mode,
    records,
    ...(shared !== undefined && { shared }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(cuts.length > 0 && { cuts }),
    judge: judgement.text,
    ...Object.fromEntries(opinions),
    dissent,
  });
}
