// The questions about an input, and the opinions of the implementations and of the slow judge of tools/vectors.
//
// Plan of the file: types · questions · opinions as texts · the judge's opinion · who dissents.
//
// An opinion is one text, so that two opinions agree when their texts are equal. The judge's is the measure: it is
// written from the spec alone and shares no code with the others.

import { judge } from '../../tools/vectors/judge.mjs';
import { judgeStream, LanguagesDiffer } from '../../tools/vectors/stream.mjs';
import { refusals } from './habits.mjs';
import { Incident } from './protocol.mjs';
import { canonical, MalformedValue } from './values.mjs';

/**
 * @typedef {import('./fuzz-inputs.mjs').Input} Input
 * @typedef {import('./protocol.mjs').Answer} Answer
 *
 * @typedef {object} Question
 * @property {'decode' | 'canonical' | 'isCanonical' | 'transcode' | 'stream'} op
 * @property {'strict' | 'lossless'} mode
 * @property {'off' | 'inline'} records
 * @property {import('./fuzz-inputs.mjs').Limits} limits
 * @property {number[]} bytes
 * @property {number[]} cuts of a stream; none for the others
 *
 * @typedef {object} Judged
 * @property {string} text
 * @property {unknown} [value] of valid bytes
 * @property {boolean} [varies] spec/09 lets the languages differ
 */

/**
 * @param {Input} input
 * @returns {Question[]}
 */
export function questionsOf({ bytes, records, limits, cuts }) {
  const { maxBytes: _, ...oneShot } = limits; // maxBytes is for streams only
  const about = { records, limits: oneShot, bytes, cuts: [] };
  return [
    { op: 'decode', mode: 'lossless', ...about },
    { op: 'decode', mode: 'strict', ...about },
    { op: 'canonical', mode: 'lossless', ...about },
    { op: 'isCanonical', mode: 'lossless', ...about },
    { op: 'transcode', mode: 'lossless', ...about },
    { op: 'stream', mode: 'lossless', records, limits, bytes, cuts },
    { op: 'stream', mode: 'strict', records, limits, bytes, cuts },
  ];
}

/**
 * The question as the line protocol carries it.
 *
 * @param {Question} question
 * @returns {import('./protocol.mjs').Request}
 */
export function requestOf({ op, mode, records, limits, bytes, cuts }) {
  const about = { op, mode, records, ...(Object.keys(limits).length > 0 && { limits }) };
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

/** @param {unknown} value @param {Question} question */
function valueText(value, { mode }) {
  // In strict mode the types are the language's own: only that it is a value can be compared.
  return mode === 'strict' ? 'a value' : `value ${canonical(value)}`;
}

/** @param {unknown[]} values @param {object | null} error @param {Question} question */
function messagesText(values, error, question) {
  return [...values.map((value) => valueText(value, question)), error === null ? 'end' : errorText(error)].join(', ');
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
  if (Array.isArray(values) && error !== undefined) return messagesText(values, error, question);
  if (error !== undefined && error !== null) return errorText(error);
  if ('departure' in answer) return `departure ${answer.departure}`;
  if (typeof answer.bytes === 'string') return bytesText(answer.bytes, question);
  if ('value' in answer) return valueText(answer.value, question);
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
 * The judge's opinion.
 *
 * @param {Question} question
 * @returns {Judged}
 */
export function judged(question) {
  const { op, mode, records, limits, bytes, cuts } = question;
  const options = { mode, records, limits };
  if (op === 'stream') {
    const chunks = chunksOf(bytes, cuts).map((chunk) => Uint8Array.from(chunk));
    try {
      const { values, error } = judgeStream(chunks, options);
      return { text: messagesText(values, error, question), value: { array: values } };
    } catch (error) {
      if (!(error instanceof LanguagesDiffer)) throw error;
      return { text: `varies: ${error.message}`, varies: true };
    }
  }
  const judgement = judge(Uint8Array.from(bytes), options);
  if ('error' in judgement) return { text: errorText(judgement.error) };
  if ('varies' in judgement) return { text: `varies: ${judgement.varies}`, varies: true };
  const { value } = judgement;
  const form = canonical(value);
  switch (op) {
    case 'canonical':
      return { text: `bytes ${form}`, value };
    case 'isCanonical':
      return { text: `departure ${departure(Buffer.from(bytes).toString('hex'), form)}`, value };
    case 'transcode':
      return { text: `bytes of ${form}`, value };
    default:
      return { text: valueText(value, question), value };
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

/** Errors with which a language's own types refuse what others take (spec/09). */
const REFUSAL = /^error (invalid_key|out_of_range|duplicate_key)@([0-9]+) /;

/**
 * Names those that contradict the judge, or each other if the judge doesn't know.
 *
 * @param {Question} question
 * @param {Map<string, string>} opinions by implementation
 * @param {Judged} judgement
 * @returns {string[]} names
 */
export function dissenters(question, opinions, judgement) {
  const abstains = (/** @type {string} */ text) =>
    question.op === 'transcode' && question.records === 'inline' && text.startsWith('unsupported');
  const voices = [...opinions].filter(([, text]) => !abstains(text));
  if (judgement.varies) return question.op === 'stream' ? [] : differing(voices);
  return voices
    .filter(([name, text]) => text !== judgement.text && !isLawful(question, name, text, judgement))
    .map(nameOf);
}

/**
 * Whether spec/09 lets this implementation refuse the value.
 *
 * @param {Question} question
 * @param {string} name
 * @param {string} text
 * @param {Judged} judgement
 */
function isLawful({ mode }, name, text, { value }) {
  const [, code = ''] = REFUSAL.exec(text.replace(/^(a value, )+/, '')) ?? [];
  return value !== undefined && refusals(name, mode, value).includes(code);
}

/**
 * Bytes are judged from left to right, so one that refuses must do it before the fault that the others find, and those
 * who do not refuse must agree.
 *
 * @param {[string, string][]} voices
 */
function differing(voices) {
  const others = voices.filter(([, text]) => !REFUSAL.test(text));
  const [first = ['', '']] = others;
  if (others.some(([, text]) => text !== first[1])) return others.map(nameOf);
  const [, fault] = /^error [a-z_]+@([0-9]+) /.exec(first[1]) ?? [];
  if (fault === undefined) return [];
  return voices.filter(([, text]) => Number(REFUSAL.exec(text)?.[2] ?? 0) > Number(fault)).map(nameOf);
}

/** @param {[string, string]} voice */
const nameOf = ([name]) => name;
