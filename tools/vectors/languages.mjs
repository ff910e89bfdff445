// What the types of each language make of a value in default and strict mode: the tables of spec/09, read aloud.
//
// Plan: what a language refuses · keys that become one · what a value becomes.
//
// A str that is not UTF-8 has the tag `notUtf8` and its bytes as hex. No vector has it: only PHP and Go keep such a
// str, in default mode, and PHP makes one of a bin.

import { float, floatNumber, identity, toHex } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./values.mjs').Entry} Entry */
/** @typedef {'php' | 'javascript' | 'go'} Language */

/** @type {readonly Language[]} */
export const LANGUAGES = ['php', 'javascript', 'go'];

const PHP_INT_MAX = 0x7fff_ffff_ffff_ffffn;

/**
 * @typedef {object} Habits
 * @property {boolean} keepsBytes whether default mode keeps a str that is not UTF-8
 * @property {(kind: string, mode: string) => boolean} takesKeyOf whether a key may be of this kind
 * @property {(text: string) => boolean} takesName whether strict mode takes this str as a key or a record's name
 * @property {(seconds: bigint, nanoseconds: number) => boolean} holdsMoment
 * @property {(key: Value) => string} keyIdentity a text that two keys share exactly when they are one key there
 * @property {(key: Value) => Value} key what a key becomes
 * @property {boolean} keepsLastKey which of folded keys stays, the last or the first
 * @property {(value: Value) => Value} scalar what a value becomes that is neither array nor map
 * @property {(entries: Entry[]) => Value} map what a map becomes whose keys and values have become theirs
 */

/** The str that PHP and Go keep of bytes that may not be UTF-8. @param {Uint8Array} bytes @returns {Value} */
function keptStr(bytes) {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { str: text } : { notUtf8: toHex(bytes) };
}

/** @param {Value} value @returns {Value} */
function phpScalar(value) {
  if ('undefined' in value) return { nil: true };
  if ('bin' in value) return keptStr(Buffer.from(value.bin, 'hex'));
  if ('int' in value && BigInt(value.int) > PHP_INT_MAX) return { str: value.int };
  return value;
}

/** An array of PHP turns a str that reads like one of its ints into that int. @param {Value} key @returns {Value} */
function phpKey(key) {
  const became = phpScalar(key);
  if (!('str' in became) || !/^(?:0|-?[1-9][0-9]*)$/.test(became.str)) return became;
  return BigInt.asIntN(64, BigInt(became.str)).toString() === became.str ? { int: became.str } : became;
}

/** @type {Habits} */
const PHP = {
  keepsBytes: true,
  takesKeyOf: (kind) => ['int', 'str', 'bin'].includes(kind),
  takesName: () => true,
  holdsMoment: () => true,
  keyIdentity: (key) => identity(phpKey(key)),
  key: phpKey,
  keepsLastKey: false,
  scalar: phpScalar,
  map: (entries) => {
    const isList = entries.every(([key], index) => 'int' in key && key.int === String(index));
    return isList ? { array: entries.map(([, item]) => item) } : { map: entries };
  },
};

/** JavaScript has one type for both kinds of numbers. @param {Value} value @returns {Value} */
function javascriptNumber(value) {
  if (!('float' in value)) return value;
  const number = floatNumber(value);
  return Number.isSafeInteger(number) && !Object.is(number, -0) ? { int: String(number) } : value;
}

/**
 * What stands in a key stays exact where two keys could become one: a timestamp has all its nanoseconds there, and −0
 * stays a float. Only 1 and 1.0 are one number.
 *
 * @param {Value} key
 * @returns {Value}
 */
function javascriptKey(key) {
  if ('array' in key) return { array: key.array.map(javascriptKey) };
  if (!('map' in key)) return javascriptNumber(key);
  // The key is the same whether it had an entry that was lost or not.
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  for (const [inner, item] of key.map) {
    const exact = javascriptKey(inner); // once, or the time would double with each level of keys in keys
    const same = identity(exact);
    entries.set(same, [entries.get(same)?.[0] ?? exact, javascriptKey(item)]);
  }
  return { map: [...entries.values()] };
}

/** Whether an engine moves a property of this name to the front. @param {Value} key */
const isIndex = (key) => 'str' in key && /^(?:0|[1-9][0-9]{0,9})$/.test(key.str) && Number(key.str) < 2 ** 32 - 1;

/** @type {Habits} */
const JAVASCRIPT = {
  keepsBytes: false,
  takesKeyOf: () => true,
  takesName: (text) => text !== '__proto__',
  holdsMoment: (seconds, nanoseconds) => {
    const milliseconds = seconds * 1000n + BigInt(Math.floor(nanoseconds / 1_000_000));
    return milliseconds >= -8_640_000_000_000_000n && milliseconds <= 8_640_000_000_000_000n;
  },
  keyIdentity: (key) => identity(javascriptKey(key)),
  key: javascriptKey,
  keepsLastKey: false,
  scalar: (value) => {
    if (!('timestamp' in value)) return javascriptNumber(value);
    const [seconds, nanoseconds] = value.timestamp;
    return { timestamp: [seconds, nanoseconds - (nanoseconds % 1_000_000)] };
  },
  map: (entries) => {
    if (!entries.every(([key]) => 'str' in key)) return { map: entries };
    const number = (/** @type {Entry} */ [key]) => ('str' in key ? Number(key.str) : 0);
    const indexes = entries.filter(([key]) => isIndex(key)).sort((a, b) => number(a) - number(b));
    return { map: [...indexes, ...entries.filter(([key]) => !isIndex(key))] };
  },
};

/** A string of Go takes a bin in default mode, and undefined is nil. @param {Value} key @returns {Value} */
function goKey(key) {
  if ('undefined' in key) return { nil: true };
  return 'bin' in key ? keptStr(Buffer.from(key.bin, 'hex')) : key;
}

/** @type {Habits} */
const GO = {
  keepsBytes: true,
  takesKeyOf: (kind, mode) =>
    !(mode === 'default' ? ['array', 'map', 'ext'] : ['bin', 'array', 'map', 'ext']).includes(kind),
  takesName: () => true,
  // time.Time counts from the year 1 in an int64, and its calendar begins in the year −292277022399.
  holdsMoment: (seconds) => seconds >= -9_223_372_028_715_321_600n && seconds <= 9_223_371_974_719_179_007n,
  // Go compares floats by value, so −0 and 0 are one key.
  keyIdentity: (key) => identity('float' in key && floatNumber(key) === 0 ? float(0) : goKey(key)),
  key: goKey,
  keepsLastKey: true,
  scalar: (value) => ('undefined' in value ? { nil: true } : value),
  map: (entries) => ({ map: entries }),
};

/** @type {Record<Language, Habits>} */
export const HABITS = { php: PHP, javascript: JAVASCRIPT, go: GO };

/**
 * What a value becomes that a language decodes in default or strict mode: the value that its encoder then writes, with
 * the entries of maps in the order of the host. Go has no such order; there they stay in that of the wire. Of equal
 * keys the last value wins, at the place of the first.
 *
 * @param {Value} value
 * @param {Language} language that does not refuse the value
 * @returns {Value}
 */
export function become(value, language) {
  const habits = HABITS[language];
  if ('array' in value) return { array: value.array.map((item) => become(item, language)) };
  if (!('map' in value)) return habits.scalar(value);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  for (const [key, item] of value.map) {
    const same = habits.keyIdentity(key);
    const first = habits.keepsLastKey ? undefined : entries.get(same)?.[0];
    entries.set(same, [first ?? habits.key(key), become(item, language)]);
  }
  return habits.map([...entries.values()]);
}
