// The questions about an input, and the opinions of the implementations and of the slow judge of tools/vectors.
//
// Plan of the file: types · questions · opinions as texts · the judge's opinion · who dissents.
//
// An opinion is one text, so that two opinions agree when their texts are equal. The judge's is the measure: it is
// written from the spec alone and shares no code with the others. In strict mode it has one opinion for each language.

import { judge } from '../../tools/vectors/judge.mjs';
import { judgeStream, LanguagesDiffer } from '../../tools/vectors/stream.mjs';
import { asAdaptersTag } from './habits.mjs';
import { Incident } from './protocol.mjs';
import { canonical, MalformedValue } from './values.mjs';

/**
 * @typedef {import('./fuzz-inputs.mjs').Input} Input
 * @typedef {import('./protocol.mjs').Answer} Answer
 *
 * @typedef {object} Question
 * @property {'decode' | 'canonical' | 'isCanonical' | 'transcode' | 'stream'} op
 * @property {'strict' | 'lossless'} mode
 * @property {'off' | 'inline' | 'shared'} records
 * @property {import('./fuzz-inputs.mjs').Shared} [shared]
 * @property {import('./fuzz-inputs.mjs').Limits} limits
 * @property {number[]} bytes
 * @property {number[]} cuts of a stream; none for the others
 *
 * @typedef {{text: string, varies?: boolean}} Judged varies: spec/09 lets the languages differ, and none was named
 * @typedef {import('../../tools/vectors/languages.mjs').Language} Language
 */

/**
 * @param {Input} input
 * @returns {Question[]}
 */
export function questionsOf({ bytes, records, shared, limits, cuts }) {
  const { maxBytes: _, ...oneShot } = limits; // maxBytes is for streams only
  const setup = { records, ...(shared !== undefined && { shared }) };
  const about = { ...setup, limits: oneShot, bytes, cuts: [] };
  /** @type {Question[]} */
  const questions = [
    { op: 'decode', mode: 'lossless', ...about },
    { op: 'decode', mode: 'strict', ...about },
    { op: 'canonical', mode: 'lossless', ...about },
    { op: 'isCanonical', mode: 'lossless', ...about },
    { op: 'transcode', mode: 'lossless', ...about },
    { op: 'stream', mode: 'lossless', ...setup, limits, bytes, cuts },
    { op: 'stream', mode: 'strict', ...setup, limits, bytes, cuts },
  ];
  // What is written with a dictionary, and canonical forms of it, are not in the protocol of every language.
  return questions.filter(({ op }) => records !== 'shared' || op === 'decode' || op === 'stream');
}

/**
 * The question as the line protocol carries it.
 *
 * @param {Question} question
 * @returns {import('./protocol.mjs').Request}
 */
export function requestOf({ op, mode, records, shared, limits, bytes, cuts }) {
  const about = { op, mode, records, ...shared, ...(Object.keys(limits).length > 0 && { limits }) };
  const hex = (/** @type {number[]} */ part) => Buffer.from(part).toString('hex');
  return op === 'stream' ? { ...about, chunks: chunksOf(bytes, cuts).map(hex) } : { ...about, bytes: hex(bytes) };
}

/**
 * @param {number[]} bytes
 * @param {number[]} cuts
 */
function chunksOf(bytes, cuts) {
  if (bytes.length === 0) return [];
  const ends = [...cuts, bytes.length];
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
}

// --- opinions as texts -----------------------------------------------------------------------------------------------

/** @param {{code?: unknown, offset?: unknown, path?: unknown}} error */
function errorText({ code, offset, path }) {
  return `error ${code}@${offset} ${JSON.stringify(path)}`;
}

/** @param {unknown} value */
const valueText = (value) => `value ${canonical(value)}`;

/** @param {unknown[]} values @param {object | null} error */
function messagesText(values, error) {
  return [...values.map(valueText), error === null ? 'end' : errorText(error)].join(', ');
}

/**
 * Asks one implementation.
 *
 * @param {{ask: (request: import('./protocol.mjs').Request, label?: string) => Promise<Answer>}} adapter
 * @param {Question} question
 * @returns {Promise<string>}
 */
export async function ask(adapter, question) {
  try {
    return answerText(await adapter.ask(requestOf(question)), question);
  } catch (error) {
    if (error instanceof Incident) return `incident: ${error.message}`;
    if (error instanceof MalformedValue) return `no tagged value: ${error.message}`;
    throw error;
  }
}

/**
 * @param {Answer} answer
 * @param {Question} question
 * @returns {string}
 */
export function answerText(answer, question) {
  const { error, values } = /** @type {{error?: object | null, values?: unknown}} */ (answer);
  if ('unsupported' in answer) return `unsupported: ${answer.unsupported}`;
  if (Array.isArray(values) && error !== undefined) return messagesText(values, error);
  if (error !== undefined && error !== null) return errorText(error);
  if ('departure' in answer) return `departure ${answer.departure}`;
  if (typeof answer.bytes === 'string') return bytesText(answer.bytes, question);
  if ('value' in answer) return valueText(answer.value);
  return `no answer: ${JSON.stringify(answer)}`;
}

/**
 * Canonical bytes are compared as they are; transcoded ones by what they mean, as the order of entries is free, and by
 * their length, as heads are not.
 *
 * @param {string} bytes
 * @param {Question} question
 */
function bytesText(bytes, { op, records, bytes: input }) {
  if (op !== 'transcode') return `bytes ${bytes}`;
  const judgement = judge(new Uint8Array(Buffer.from(bytes, 'hex')), { mode: 'lossless', records });
  if (!('value' in judgement)) return `bytes ${bytes}, which are ${JSON.stringify(judgement)}`;
  const form = canonical(judgement.value);
  // Records have heads of their own, and a float 32 may stay one.
  const isShortest = records === 'inline' || input.includes(0xca) || bytes.length === form.length;
  return isShortest ? `bytes of ${form}` : `bytes ${bytes}, not every head the shortest`;
}

// --- the judge -------------------------------------------------------------------------------------------------------

/**
 * The judge's opinion for one language; without one, what holds for all of them.
 *
 * @param {Question} question
 * @param {Language} [language]
 * @returns {Judged}
 */
export function judged(question, language) {
  const { op, mode, records, shared, limits, bytes, cuts } = question;
  const options = { mode, records, ...shared, limits, language };
  if (op === 'stream') {
    const chunks = chunksOf(bytes, cuts).map((chunk) => Uint8Array.from(chunk));
    try {
      const { values, error } = judgeStream(chunks, options);
      return { text: messagesText(values.map(asAdaptersTag), error) };
    } catch (error) {
      if (!(error instanceof LanguagesDiffer)) throw error;
      return { text: `varies: ${error.message}`, varies: true };
    }
  }
  const judgement = judge(Uint8Array.from(bytes), options);
  if ('error' in judgement) return { text: errorText(judgement.error) };
  if ('varies' in judgement) return { text: `varies: ${judgement.varies}`, varies: true };
  const value = asAdaptersTag(judgement.value);
  const form = canonical(value);
  switch (op) {
    case 'canonical':
      return { text: `bytes ${form}` };
    case 'isCanonical':
      return { text: `departure ${departure(Buffer.from(bytes).toString('hex'), form)}` };
    case 'transcode':
      return { text: `bytes of ${form}` };
    default:
      return { text: valueText(value) };
  }
}

/** @param {string} bytes @param {string} form @returns {number | null} */
function departure(bytes, form) {
  if (bytes === form) return null;
  let at = 0;
  while (at < bytes.length && bytes[at] === form[at]) at++;
  return at >> 1;
}

// --- who dissents ----------------------------------------------------------------------------------------------------

/**
 * Names those that contradict what the judge says for their language.
 *
 * @param {Question} question
 * @param {Map<string, string>} opinions by implementation
 * @param {(name: string) => Judged} judgementFor an implementation
 * @returns {string[]} names
 */
export function dissenters({ op, records }, opinions, judgementFor) {
  const mayAbstain = op === 'transcode' && records === 'inline';
  const abstains = (/** @type {string} */ text) => mayAbstain && text.startsWith('unsupported');
  const differs = (/** @type {string} */ name, /** @type {string} */ text) => {
    const judgement = judgementFor(name);
    return !judgement.varies && text !== judgement.text;
  };
  return [...opinions].filter(([name, text]) => !abstains(text) && differs(name, text)).map(([name]) => name);
}
