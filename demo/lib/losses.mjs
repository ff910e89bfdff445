/**
 * Counts what a trip through a library changed, by walking the value before it and the value after it.
 *
 * Plan of the file: the tally · the walk (scalars, arrays, maps) · how keys find each other · adding tallies.
 *
 * A value that changed is counted once, under one name such as `float → int`. A container that became another kind is
 * counted once and, except a map that became an array, its insides are not looked at. Order is information, not a loss:
 * 01#map gives it no meaning.
 */

import { keyIdentity } from './bytes.mjs';
import { sameScalar } from './diff.mjs';
import { Entries, Float, join, kindOf, pathSegment, Timestamp } from './tree.mjs';

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {{
 *   kinds: Record<string, { count: number, path: string }>,
 *   changed: number,
 *   reordered: number,
 *   refused: { count: number, example: string } | null,
 * }} Tally kinds: how often, and the path of the first; changed: the sum of them; reordered: maps whose entries came
 *   back in another order; refused: messages the trip could not carry
 */

/** @returns {Tally} */
export function emptyTally() {
  return { kinds: {}, changed: 0, reordered: 0, refused: null };
}

/**
 * @param {Tree} before
 * @param {Tree} after
 * @param {string} [path] where both stand
 * @returns {Tally}
 */
export function countLosses(before, after, path = '') {
  const tally = emptyTally();
  walk(tally, before, after, path);
  return tally;
}

/**
 * Adds one message that the trip refused.
 *
 * @param {Tally} tally
 * @param {string} example what the library said
 */
export function addRefused(tally, example) {
  addTally(tally, { ...emptyTally(), refused: { count: 1, example } });
}

/**
 * Adds the counts of `other` to `tally`, which keeps its own examples.
 *
 * @param {Tally} tally
 * @param {Tally} other
 */
export function addTally(tally, other) {
  for (const [kind, { count, path }] of Object.entries(other.kinds)) note(tally, kind, path, count);
  tally.reordered += other.reordered;
  if (other.refused !== null) {
    const { count, example } = other.refused;
    tally.refused = { count: (tally.refused?.count ?? 0) + count, example: tally.refused?.example ?? example };
  }
}

/**
 * @param {Tally} tally
 * @param {string} kind
 * @param {string} path
 * @param {number} [count]
 */
function note(tally, kind, path, count = 1) {
  const entry = tally.kinds[kind];
  if (entry === undefined) tally.kinds[kind] = { count, path };
  else entry.count += count;
  tally.changed += count;
}

/**
 * @param {Tally} tally
 * @param {Tree} before
 * @param {Tree} after
 * @param {string} path
 */
function walk(tally, before, after, path) {
  if (Array.isArray(before) && Array.isArray(after)) walkArray(tally, before, after, path);
  else if (before instanceof Entries && after instanceof Entries) walkMap(tally, before, after, path);
  else if (before instanceof Entries && Array.isArray(after)) walkMapToArray(tally, before, after, path);
  else if (!sameScalar(before, after)) note(tally, changeOf(before, after), path);
}

/**
 * Names the change of one value.
 *
 * @param {Tree} before
 * @param {Tree} after
 */
function changeOf(before, after) {
  const from = kindOf(before);
  const to = kindOf(after);
  if (before instanceof Float && Object.is(before.value, -0) && numberOf(after) === 0) return '−0 → 0';
  if (before instanceof Float && !Number.isFinite(before.value) && to !== 'float') return `NaN or ∞ → ${to}`;
  if (before instanceof Timestamp && after instanceof Timestamp) return 'timestamp truncated';
  if (numberOf(before) !== null && numberOf(after) !== null) {
    return from !== to && sameNumber(before, after) ? `${from} → ${to}` : 'precision lost';
  }
  if (Array.isArray(before) && before.length === 0 && after instanceof Entries) return 'empty array → map';
  return from === to ? `${from} changed` : `${from} → ${to}`;
}

/**
 * @param {Tree} value
 * @returns {number | bigint | null} null when it isn't a number
 */
function numberOf(value) {
  if (value instanceof Float) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}

/**
 * @param {Tree} before
 * @param {Tree} after
 */
function sameNumber(before, after) {
  // biome-ignore lint/suspicious/noDoubleEquals: == compares a bigint and a number by value, without rounding
  return numberOf(before) == numberOf(after);
}

/**
 * @param {Tally} tally
 * @param {Tree[]} before
 * @param {Tree[]} after
 * @param {string} path
 */
function walkArray(tally, before, after, path) {
  const length = Math.min(before.length, after.length);
  for (let i = 0; i < length; i++) walk(tally, before[i], after[i], join(path, i));
  for (let i = length; i < before.length; i++) note(tally, 'element lost', join(path, i));
  for (let i = length; i < after.length; i++) note(tally, 'element added', join(path, i));
}

/**
 * @param {Tally} tally
 * @param {Entries} before
 * @param {Entries} after
 * @param {string} path
 */
function walkMap(tally, before, after, path) {
  const places = pairKeys(before.keys, after.keys);
  let last = -1;
  let ordered = true;
  for (const [index, key] of before.keys.entries()) {
    const here = join(path, pathSegment(key, index));
    const place = places[index];
    if (place === undefined) {
      note(tally, before.values[index] === undefined ? 'undefined entry lost' : 'entry lost', here);
      continue;
    }
    const from = kindOf(key);
    const to = kindOf(after.keys[place]);
    if (from !== to) note(tally, `${keyWord(key)} key → ${to} key`, here);
    if (place < last) ordered = false;
    last = place;
    walk(tally, before.values[index], after.values[place], here);
  }
  if (!ordered) tally.reordered++;
  const paired = new Set(places);
  for (const [index, key] of after.keys.entries()) {
    if (!paired.has(index)) note(tally, 'entry added', join(path, pathSegment(key, index)));
  }
}

/**
 * A language without a difference between lists and maps writes a map with the keys 0, 1, 2 … as an array.
 *
 * @param {Tally} tally
 * @param {Entries} before
 * @param {Tree[]} after
 * @param {string} path
 */
function walkMapToArray(tally, before, after, path) {
  const empty = before.keys.length === 0;
  note(tally, empty ? 'empty map → array' : 'map → array', path);
  if (!empty) walkMap(tally, before, new Entries([...after.keys()], after), path);
}

/**
 * Finds, for each key before, the index of its key after: the same key, else one not taken that is written with the
 * same characters (str "1" and int 1).
 *
 * @param {Tree[]} before
 * @param {Tree[]} after
 * @returns {(number | undefined)[]}
 */
function pairKeys(before, after) {
  const places = new Map(after.map((key, index) => [keyIdentity(key), index]));
  /** @type {(number | undefined)[]} */
  const found = before.map((key) => {
    const identity = keyIdentity(key);
    const place = places.get(identity);
    places.delete(identity);
    return place;
  });
  if (places.size === 0) return found;
  /** @type {Map<string, number>} */
  const free = new Map();
  for (const index of places.values()) {
    const text = keyText(after[index]);
    if (text !== null) free.set(text, index);
  }
  return found.map((place, index) => {
    const text = place === undefined ? keyText(before[index]) : null;
    if (text === null) return place;
    const similar = free.get(text);
    free.delete(text);
    return similar;
  });
}

/**
 * Gives the characters a language would write a key with; null for keys that have none in common use.
 *
 * @param {Tree} key
 * @returns {string | null}
 */
function keyText(key) {
  if (key instanceof Float) return String(key.value);
  if (key instanceof Uint8Array) return Buffer.from(key).toString();
  return typeof key === 'object' && key !== null ? null : String(key);
}

/** @param {Tree} key */
function keyWord(key) {
  return typeof key === 'string' && /^(?:0|-?[1-9]\d*)$/.test(key) ? 'numeric str' : kindOf(key);
}
