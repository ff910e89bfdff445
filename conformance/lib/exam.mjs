// One case put to one implementation: what was asked, what had to come back, what came.
//
// Plan of the file: types · Exam · expectations, each with the text a report shows.

import { reduced } from '../../tools/vectors/described.mjs';
import { judge } from '../../tools/vectors/judge.mjs';
import { Incident } from './protocol.mjs';
import { canonical, MalformedValue } from './values.mjs';

/**
 * @typedef {import('./protocol.mjs').Request} Request
 * @typedef {import('./protocol.mjs').Answer} Answer
 *
 * @typedef {object} Failure
 * @property {Request} request
 * @property {string} expected
 * @property {string} got
 *
 * How exactly errors are compared: `accept` asks for an error, whichever it is, `code` for its code, `full` for code,
 * offset and path. Values are compared alike in all three.
 * @typedef {'accept' | 'code' | 'full'} Level
 *
 * @typedef {object} Expectation
 * @property {() => string} text what the answer must be, for people; made only for a failure
 * @property {(answer: Answer, level?: Level) => boolean} accepts level `full` when absent
 *
 * @typedef {object} ErrorData the error of a vector
 * @property {string} code
 * @property {number | null} offset
 * @property {string} path
 *
 * @typedef {Record<string, unknown>} Tree
 *
 * @typedef {{code: string, offset?: number, path: string}} PlacelessError one without offset may have any
 */

/** What a case may ask with. */
export class Exam {
  /** @type {Failure[]} */
  failures = [];

  /** Reasons of the adapter for requests that it does not serve. @type {string[]} */
  unsupported = [];

  /** Requests made. */
  asked = 0;

  /** @type {import('./protocol.mjs').Adapter} */ #adapter;
  /** @type {string} */ #label;
  /** @type {readonly string[]} */ #lacks;
  /** @type {Level} */ #level;

  /**
   * @param {import('./protocol.mjs').Adapter} adapter
   * @param {string} label the key of the case
   * @param {readonly string[]} [lacks] operations the implementation does not have
   * @param {Level} [level]
   */
  constructor(adapter, label, lacks = [], level = 'full') {
    this.#adapter = adapter;
    this.#label = label;
    this.#lacks = lacks;
    this.#level = level;
  }

  /**
   * Checks the canonical form of bytes that the implementation wrote: by itself, or where it has no canonical form by
   * the slow judge of tools/vectors.
   *
   * @param {Request} options
   * @param {string} bytes
   * @param {string} form
   */
  async expectCanonical(options, bytes, form) {
    const request = { op: 'canonical', ...options, bytes };
    if (!this.#lacks.includes('canonical')) {
      await this.expect(request, theBytes(form));
      return;
    }
    const judgement = judge(new Uint8Array(Buffer.from(bytes, 'hex')), {
      mode: 'lossless',
      records: 'off',
      ...options,
    });
    const answer = 'value' in judgement ? { bytes: canonical(judgement.value) } : judgement;
    const expectation = theBytes(form);
    if (expectation.accepts(/** @type {Answer} */ (answer))) return;
    const got = `bytes ${shortenHex(bytes)}, which the judge finds to be ${shorten(answer)}`;
    this.failures.push({ request, expected: expectation.text(), got });
  }

  /** Counts a question to which the right answer is known: another case asked the same. */
  recall() {
    this.asked++;
  }

  /**
   * Asks and compares. Everything but the expected answer becomes a failure of the case, a crash included. Nothing is
   * asked for an operation that the implementation lacks.
   *
   * @param {Request} request
   * @param {Expectation} expectation
   * @returns {Promise<Answer | null>} the answer when it was the expected one
   */
  async expect(request, expectation) {
    if (this.#lacks.includes(String(request.op))) return null;
    this.asked++;
    let answer;
    try {
      answer = await this.#adapter.ask(request, this.#label);
    } catch (error) {
      if (!(error instanceof Incident)) throw error;
      this.failures.push({ request, expected: expectation.text(), got: error.message });
      return null;
    }
    if ('unsupported' in answer) {
      this.unsupported.push(typeof answer.unsupported === 'string' ? answer.unsupported : shorten(answer.unsupported));
      return null;
    }
    let got = '';
    try {
      if (expectation.accepts(answer, this.#level)) return answer;
    } catch (error) {
      if (!(error instanceof MalformedValue)) throw error;
      got = ` (${error.message})`;
    }
    this.failures.push({ request, expected: expectation.text(), got: describe(answer) + got });
    return null;
  }
}

// --- expectations ----------------------------------------------------------------------------------------------------

/**
 * A value equal to this one by spec/01.
 *
 * @param {unknown} value
 * @returns {Expectation}
 */
export function aValue(value) {
  const wanted = formOf(value);
  return {
    text: () => `value ${shorten(value)}`,
    accepts: (answer) =>
      isSuccess(answer, 'value') && (isSame(answer.value, value) || canonical(answer.value) === wanted),
  };
}

/**
 * Whether two trees of JSON are the same, entries in the same order. Most answers are written as the vector is, and
 * then nobody needs their canonical forms.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
function isSame(left, right) {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) if (!isSame(left[index], right[index])) return false;
    return true;
  }
  const [ours, theirs] = [/** @type {Tree} */ (left), /** @type {Tree} */ (right)];
  let names = 0;
  for (const name in ours) {
    if (!Object.hasOwn(theirs, name) || !isSame(ours[name], theirs[name])) return false;
    names++;
  }
  return names === Object.keys(theirs).length;
}

/** Canonical forms of values that every implementation is judged by. @type {WeakMap<object, string>} */
const forms = new WeakMap();

/** @param {unknown} value */
function formOf(value) {
  if (typeof value !== 'object' || value === null) return canonical(value);
  const form = forms.get(value) ?? canonical(value);
  forms.set(value, form);
  return form;
}

/**
 * Exactly these bytes.
 *
 * @param {string} bytes
 * @returns {Expectation}
 */
export function theBytes(bytes) {
  return {
    text: () => `bytes ${shortenHex(bytes)}`,
    accepts: (answer) => isSuccess(answer, 'bytes') && answer.bytes === bytes,
  };
}

/**
 * Some bytes, of this many bytes when a length is given.
 *
 * @param {number} [length]
 * @returns {Expectation}
 */
export function someBytes(length) {
  return {
    text: () => (length === undefined ? 'bytes' : `${length} bytes, every head the shortest`),
    accepts: (answer) =>
      isSuccess(answer, 'bytes') &&
      typeof answer.bytes === 'string' &&
      /^([0-9a-f]{2})+$/.test(answer.bytes) &&
      (length === undefined || answer.bytes.length === length * 2),
  };
}

/**
 * This error: code, offset and path.
 *
 * @param {ErrorData} error
 * @returns {Expectation}
 */
export function theError({ code, offset, path }) {
  return {
    text: () => `error ${shorten({ code, offset, path })}`,
    accepts: (answer, level) => isError(answer.error, { code, offset, path }, level),
  };
}

/**
 * This error; where it names no offset, with any.
 *
 * @param {PlacelessError} error
 * @returns {Expectation}
 */
export function theErrorAnywhere({ code, offset, path }) {
  if (offset !== undefined) return theError({ code, offset, path });
  return {
    text: () => `error ${shorten({ code, path })}`,
    accepts: ({ error }, level) => {
      const placeless = typeof error === 'object' && error !== null ? { ...error, offset: null } : null;
      return isError(placeless, { code, offset: null, path }, level);
    },
  };
}

/**
 * A value, whichever it is, or an error with one of these codes.
 *
 * @param {string[]} codes
 * @returns {Expectation}
 */
export function anyValueOr(codes) {
  return {
    text: () => ['a value', ...codes.map((code) => `error ${code}`)].join(' or '),
    accepts: (answer) => {
      if (isSuccess(answer, 'value')) return canonical(answer.value) !== '';
      const { code } = /** @type {{code?: unknown}} */ (answer.error ?? {});
      return typeof code === 'string' && codes.includes(code);
    },
  };
}

/**
 * The value of a snapshot that has this description, as far as other languages keep it.
 *
 * @param {Record<string, unknown>} described
 * @param {boolean} keepsFloats whether floats that are ints stay floats
 * @returns {Expectation}
 */
export function aDescription(described, keepsFloats) {
  const wanted = reduced(described, keepsFloats);
  return {
    text: () => `value ${shorten(wanted)}`,
    accepts: (answer) => isSuccess(answer, 'value') && isSame(answer.value, wanted),
  };
}

/**
 * The value of a snapshot, whichever it is.
 *
 * @returns {Expectation}
 */
export function anyDescription() {
  return {
    text: () => 'a value',
    accepts: (answer) => isSuccess(answer, 'value') && typeof answer.value === 'object' && answer.value !== null,
  };
}

/**
 * This departure from the canonical form; null for none.
 *
 * @param {number | null} departure
 * @returns {Expectation}
 */
export function theDeparture(departure) {
  return {
    text: () => `departure ${departure}`,
    accepts: (answer) => isSuccess(answer, 'departure') && answer.departure === departure,
  };
}

/**
 * These messages, then this error or none.
 *
 * @param {unknown[]} values
 * @param {ErrorData | null} error
 * @returns {Expectation}
 */
export function theMessages(values, error) {
  const wanted = values.map(canonical);
  return {
    text: () => `messages ${shorten(values)}, then ${error === null ? 'no error' : `error ${shorten(error)}`}`,
    accepts: (answer, level) =>
      Array.isArray(answer.values) &&
      answer.values.length === wanted.length &&
      answer.values.every((value, index) => canonical(value) === wanted[index]) &&
      (error === null ? answer.error === null : isError(answer.error, error, level)),
  };
}

/**
 * @param {Answer} answer
 * @param {string} field
 */
function isSuccess(answer, field) {
  return field in answer && !('error' in answer);
}

/**
 * @param {unknown} got
 * @param {ErrorData} wanted
 * @param {Level} [level]
 */
function isError(got, { code, offset, path }, level = 'full') {
  if (typeof got !== 'object' || got === null) return false;
  if (level === 'accept') return true;
  const error = /** @type {Record<string, unknown>} */ (got);
  return error.code === code && (level === 'code' || (error.offset === offset && error.path === path));
}

// --- texts -----------------------------------------------------------------------------------------------------------

const MAX_TEXT = 300;

/**
 * @param {unknown} data
 * @returns {string}
 */
export function shorten(data) {
  const text = JSON.stringify(data) ?? 'nothing';
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`;
}

/** @param {string} bytes */
function shortenHex(bytes) {
  return bytes.length <= MAX_TEXT ? bytes : `${bytes.slice(0, MAX_TEXT)}… (${bytes.length / 2} bytes)`;
}

/** @param {Answer} answer */
function describe(answer) {
  if ('value' in answer && !('error' in answer)) return `value ${shorten(answer.value)}`;
  if (typeof answer.bytes === 'string' && !('error' in answer)) return `bytes ${shortenHex(answer.bytes)}`;
  return shorten(answer);
}
