// What a language's own types may refuse of a valid value in default and strict mode (spec/09), as data.
//
// vectors/defaults pins what must happen case by case; this table says for any value whether a
// refusal is lawful at all.

import { canonical, walk } from './values.mjs';

/**
 * @typedef {object} Habits
 * @property {string[]} unkeyable kinds that the language's maps cannot have as keys: `invalid_key`
 * @property {[bigint, bigint] | null} seconds moments outside are `out_of_range`; null: every moment fits
 * @property {string[]} unnameable str keys refused in strict mode: `invalid_key`
 * @property {(tag: string, content: unknown) => string | null} fold what a key becomes when other keys become it too:
 *   two keys of one map may be a `duplicate_key` in strict mode
 */

/** @type {Habits} */
const JAVASCRIPT = {
  unkeyable: [],
  seconds: [-8_640_000_000_000n, 8_640_000_000_000n],
  unnameable: ['__proto__'],
  fold: (tag, content) => {
    if (tag === 'int') return String(Number(content));
    return tag === 'float' ? String(numberOf(content)) : null;
  },
};

/** @type {Record<string, Habits>} */
const HABITS = {
  php: {
    unkeyable: ['nil', 'undefined', 'bool', 'float', 'array', 'map', 'timestamp', 'ext'],
    seconds: null,
    unnameable: [],
    fold: (tag, content) =>
      tag === 'bin' ? Buffer.from(String(content), 'hex').toString('latin1') : toLatin1(content),
  },
  js: JAVASCRIPT,
  'js-compact': JAVASCRIPT,
  go: {
    // The head byte does not tell a timestamp or undefined from another ext (07#which-fault-wins, step 3).
    unkeyable: ['bin', 'array', 'map', 'ext', 'timestamp', 'undefined'],
    // time.Time counts from year 1 in an int64, and its calendar begins in the year -292277022399.
    seconds: [-9_223_372_028_715_321_600n, 2n ** 63n - 1n - 62_135_596_800n],
    unnameable: [],
    fold: (tag, content) => {
      if (tag === 'float') return `float ${numberOf(content)}`;
      return tag === 'undefined' || tag === 'nil' ? 'nil' : null;
    },
  },
};

/**
 * The error codes with which an implementation may refuse to decode this valid value.
 *
 * @param {string} implementation one without habits may refuse nothing
 * @param {string} mode
 * @param {unknown} value written out
 * @returns {string[]}
 */
export function refusals(implementation, mode, value) {
  const habits = HABITS[implementation];
  if (mode === 'lossless' || habits === undefined) return [];
  const codes = new Set();
  for (const { tag, content, isKey } of walk(value)) {
    if (isKey && habits.unkeyable.includes(tag)) codes.add('invalid_key');
    if (isKey && mode === 'strict' && tag === 'str' && habits.unnameable.includes(String(content)))
      codes.add('invalid_key');
    if (tag === 'timestamp' && habits.seconds !== null && isOutside(content, habits.seconds)) codes.add('out_of_range');
    if (tag === 'map' && mode === 'strict' && hasFoldedKeys(content, habits)) codes.add('duplicate_key');
  }
  return [...codes];
}

/**
 * @param {unknown} content
 * @param {[bigint, bigint]} range
 */
function isOutside(content, [first, last]) {
  const seconds = BigInt(/** @type {[string, number]} */ (content)[0]);
  return seconds < first || seconds >= last;
}

/**
 * @param {unknown} content
 * @param {Habits} habits
 */
function hasFoldedKeys(content, habits) {
  const keys = /** @type {[Record<string, unknown>, unknown][]} */ (content).map(([key]) => {
    const [[tag = '', inner] = []] = Object.entries(key);
    return habits.fold(tag, inner) ?? canonical(key);
  });
  return new Set(keys).size < keys.length;
}

/**
 * The number of a float's bits; as text, −0 is 0.
 *
 * @param {unknown} content
 */
function numberOf(content) {
  return Buffer.from(String(content), 'hex').readDoubleBE();
}

/** @param {unknown} content */
function toLatin1(content) {
  return Buffer.from(String(content), 'utf8').toString('latin1');
}
