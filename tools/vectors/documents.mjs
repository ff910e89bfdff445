// Documents from a seed, for sources that need many different ones.

import { pickFrom } from './random.mjs';
import { array, bin, bool, ext, float, floatBits, identity, int, map, nil, str, timestamp, undef } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./values.mjs').Entry} Entry */
/** @typedef {import('./random.mjs').Random} Random */

const WORDS = [
  '',
  'a',
  'id',
  'name',
  'caf\u00e9',
  '\u20ac',
  '\u{1f600}',
  'x/y',
  '~',
  '__proto__',
  '0',
  '10',
  'a\0b',
  'k'.repeat(31),
  'k'.repeat(33),
];
const NUMBERS = [0, 0.5, -1.5, 0.1, 1, 1e10, -1e-10, Number.NaN, -0, Number.POSITIVE_INFINITY];

/** @param {Random} random @returns {Value} */
function randomInt(random) {
  const bits = BigInt(1 + random(64));
  const magnitude = ((BigInt(random(0xffffffff)) << 32n) | BigInt(random(0xffffffff))) & ((1n << bits) - 1n);
  return int(random(3) === 0 && magnitude <= 1n << 63n ? -magnitude : magnitude);
}

/** @param {Random} random @returns {Value} */
function randomStr(random) {
  const words = Array.from({ length: 1 + random(3) }, () => pickFrom(random, WORDS));
  return str(words.join(random(2) ? ' ' : ''));
}

/** @param {Random} random @param {number} length */
const randomHex = (random, length) => Array.from({ length }, () => random(256).toString(16).padStart(2, '0')).join('');

/** @type {((random: Random) => Value)[]} */
const SCALARS = [
  () => nil,
  () => undef,
  (random) => bool(random(2) === 1),
  randomInt,
  randomInt,
  randomInt,
  (random) => float(pickFrom(random, NUMBERS)),
  (random) => floatBits((BigInt(random(0xffffffff)) << 32n) | BigInt(random(0xffffffff))),
  randomStr,
  randomStr,
  randomStr,
  (random) => bin(randomHex(random, random(20))),
  (random) => ext(pickFrom(random, [1, 5, 42, 127, -2, -128]), randomHex(random, random(18))),
  (random) => timestamp(BigInt(random(0xffffffff)) * (random(2) ? 1n : -3n), pickFrom(random, [0, 1, 999_999_999])),
];

/**
 * @param {Random} random
 * @param {number} depth containers it may still open
 * @param {boolean} strKeys whether every key is a str
 * @returns {Value}
 */
export function randomValue(random, depth, strKeys) {
  const choice = random(10);
  if (depth === 0 || choice < 4) return pickFrom(random, SCALARS)(random);
  const count = random(random(8) === 0 ? 18 : 5);
  if (choice < 7) return array(Array.from({ length: count }, () => randomValue(random, depth - 1, strKeys)));
  const keys = Array.from({ length: count }, () =>
    strKeys ? randomStr(random) : randomValue(random, random(4) ? 0 : 1, false),
  );
  const unique = [...new Map(keys.map((key) => [identity(key), key])).values()];
  return map(unique.map((key) => [key, randomValue(random, depth - 1, strKeys)]));
}

/**
 * A container, so that a document is more than a scalar.
 *
 * @param {Random} random
 * @param {boolean} strKeys
 * @returns {Value}
 */
export function randomDocument(random, strKeys) {
  const value = randomValue(random, 3, strKeys);
  return 'array' in value || 'map' in value ? value : array([value, randomValue(random, 2, strKeys)]);
}

/**
 * The value with the entries of every map in another order.
 *
 * @param {Value} value
 * @param {Random} random
 * @returns {Value}
 */
export function shuffled(value, random) {
  if ('array' in value) return { ...value, array: value.array.map((element) => shuffled(element, random)) };
  if (!('map' in value)) return value;
  /** @type {{entry: Entry, weight: number}[]} */
  const weighed = value.map.map(([key, item]) => ({
    entry: [shuffled(key, random), shuffled(item, random)],
    weight: random(1 << 20),
  }));
  return map(weighed.sort((a, b) => a.weight - b.weight).map(({ entry }) => entry));
}
