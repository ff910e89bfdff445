/**
 * An exact JSON reader and writer for the demo.
 *
 * It keeps what JSON.parse forgets: 1.0 apart from 1, 64-bit integers, the order of keys; and it refuses what
 * JSON.parse forgives: duplicate keys and unpaired surrogates. Recursion is bounded by `MAX_DEPTH`.
 *
 * Plan of the file: readJson and its cursor · numbers · strings · writeJson.
 */

import { Entries, Float, integer, join } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

const MAX_DEPTH = 512; // as spec/06-limits.md
const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 64n - 1n;

/** A text that is not JSON, or that has no value in the data model. */
export class JsonError extends Error {
  /**
   * @param {string} what
   * @param {number} offset zero-based UTF-16 offset in the text
   */
  constructor(what, offset) {
    super(`${what}, at character ${offset} of the JSON text`);
    this.name = 'JsonError';
    this.offset = offset;
  }
}

/**
 * Reads one JSON text.
 *
 * A number without fraction and exponent is an int when −2⁶³ … 2⁶⁴−1 holds it; every other number is the nearest float,
 * and so is `-0`, because int has no negative zero.
 *
 * @param {string} text
 * @returns {Tree}
 * @throws {JsonError}
 */
export function readJson(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.space();
  if (reader.offset < text.length) throw new JsonError('text follows the value', reader.offset);
  return value;
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.offset = 0;
    this.number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  }

  space() {
    for (;;) {
      const code = this.text.charCodeAt(this.offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.offset++;
    }
  }

  /**
   * Skips white space and takes the next character, which must be there.
   *
   * @returns {string}
   */
  take() {
    this.space();
    const character = this.text[this.offset];
    if (character === undefined) throw new JsonError('the text ends early', this.offset);
    this.offset++;
    return character;
  }

  /**
   * @param {number} depth open containers around this value
   * @returns {Tree}
   */
  value(depth) {
    const first = this.take();
    switch (first) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        this.offset--;
        return this.numeral();
    }
  }

  /**
   * @param {string} word
   * @param {Tree} value
   */
  word(word, value) {
    const start = this.offset - 1;
    if (!this.text.startsWith(word, start)) throw new JsonError('no value starts like this', start);
    this.offset = start + word.length;
    return value;
  }

  /** @param {number} depth */
  open(depth) {
    if (depth >= MAX_DEPTH) throw new JsonError(`depth exceeds ${MAX_DEPTH}`, this.offset - 1);
  }

  /**
   * @param {number} depth
   * @returns {Tree}
   */
  array(depth) {
    this.open(depth);
    /** @type {Tree[]} */
    const elements = [];
    this.space();
    if (this.text[this.offset] === ']') {
      this.offset++;
      return elements;
    }
    for (;;) {
      elements.push(this.value(depth + 1));
      const next = this.take();
      if (next === ']') return elements;
      if (next !== ',') throw new JsonError('an array goes on with , or ]', this.offset - 1);
    }
  }

  /**
   * @param {number} depth
   * @returns {Tree}
   */
  object(depth) {
    this.open(depth);
    const start = this.offset - 1;
    /** @type {string[]} */
    const keys = [];
    /** @type {Tree[]} */
    const values = [];
    this.space();
    if (this.text[this.offset] === '}') {
      this.offset++;
      return new Entries(keys, values);
    }
    for (;;) {
      if (this.take() !== '"') throw new JsonError('a key is a string', this.offset - 1);
      keys.push(this.string());
      if (this.take() !== ':') throw new JsonError('a key is followed by :', this.offset - 1);
      values.push(this.value(depth + 1));
      const next = this.take();
      if (next === '}') break;
      if (next !== ',') throw new JsonError('an object goes on with , or }', this.offset - 1);
    }
    if (new Set(keys).size !== keys.length) {
      const twice = keys.find((key, index) => keys.indexOf(key) !== index);
      throw new JsonError(`the key ${JSON.stringify(twice)} occurs twice in the object`, start);
    }
    return new Entries(keys, values);
  }

  /** @returns {Tree} */
  numeral() {
    this.number.lastIndex = this.offset;
    const match = this.number.exec(this.text);
    if (match === null) throw new JsonError('no value starts like this', this.offset);
    const text = match[0];
    if (/^-?\d+$/.test(text) && text !== '-0') {
      const number = Number(text);
      const int = Number.isSafeInteger(number) ? number : integer(BigInt(text));
      this.offset += text.length;
      if (typeof int === 'number' || (int >= MIN_INT && int <= MAX_INT)) return int;
      return new Float(number);
    }
    const float = Number(text);
    if (!Number.isFinite(float)) throw new JsonError(`no float holds ${text.slice(0, 40)}`, this.offset);
    this.offset += text.length;
    return new Float(float);
  }

  /**
   * Reads what follows an opening quote.
   *
   * @returns {string}
   */
  string() {
    const { text } = this;
    const start = this.offset;
    for (let offset = start; offset < text.length; offset++) {
      const code = text.charCodeAt(offset);
      if (code === 0x22) {
        this.offset = offset + 1;
        return text.slice(start, offset);
      }
      if (code === 0x5c) return this.escapedString(start, offset);
      if (code < 0x20) throw new JsonError('a control character stands in a string', offset);
    }
    throw new JsonError('a string has no end', start - 1);
  }

  /**
   * @param {number} start of the string
   * @param {number} offset of its first backslash
   * @returns {string}
   */
  escapedString(start, offset) {
    const { text } = this;
    let end = offset;
    while (text[end] !== '"') {
      if (end >= text.length) throw new JsonError('a string has no end', start - 1);
      end += text[end] === '\\' ? 2 : 1;
    }
    /** @type {string} */
    let value;
    try {
      value = JSON.parse(text.slice(start - 1, end + 1)); // one string literal: nothing JSON.parse could forget
    } catch {
      throw new JsonError('a string holds a wrong escape or control character', start - 1);
    }
    if (/\p{Surrogate}/u.test(value)) throw new JsonError('a string holds an unpaired surrogate', start - 1);
    this.offset = end + 1;
    return value;
  }
}

/**
 * Writes the shortest JSON text without white space. An integral float keeps a fraction: 1.0, -0.0.
 *
 * @param {Tree} value of the kinds that JSON has
 * @param {string} [path] where the value stands
 * @returns {string}
 * @throws {TypeError} for a kind that JSON does not have; names its path
 */
export function writeJson(value, path = '') {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') {
    return String(value);
  }
  if (value instanceof Float && Number.isFinite(value.value)) {
    const text = Object.is(value.value, -0) ? '-0' : String(value.value);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  if (Array.isArray(value)) return `[${value.map((element, i) => writeJson(element, join(path, i))).join(',')}]`;
  if (value instanceof Entries) {
    const { keys, values } = value;
    const entries = keys.map((key, i) => {
      if (typeof key !== 'string') throw new TypeError(`JSON has no such key (path "${path}")`);
      return `${JSON.stringify(key)}:${writeJson(values[i], join(path, key))}`;
    });
    return `{${entries.join(',')}}`;
  }
  throw new TypeError(`JSON has no such value (path "${path}")`);
}
