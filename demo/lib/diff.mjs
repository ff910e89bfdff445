/**
 * Finds the first difference between two trees, and where it is.
 */

import { keyIdentity } from './bytes.mjs';
import { Entries, Ext, Float, hex, join, kindOf, pathSegment, show, Timestamp } from './tree.mjs';

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {{ path: string, expected: string, actual: string }} Difference path as 07#path; both values in words
 */

/**
 * Compares by 01-data-model: the order of entries carries no meaning, all NaN are one value.
 *
 * @param {Tree} expected
 * @param {Tree} actual
 * @param {string} [path] where both stand
 * @returns {Difference | null} null when the values are equal
 */
export function firstDifference(expected, actual, path = '') {
  if (Array.isArray(expected) && Array.isArray(actual)) return arrayDifference(expected, actual, path);
  if (expected instanceof Entries && actual instanceof Entries) return mapDifference(expected, actual, path);
  if (sameScalar(expected, actual)) return null;
  return { path, expected: show(expected), actual: show(actual) };
}

/**
 * Compares two values that are not both arrays or both maps.
 *
 * @param {Tree} a
 * @param {Tree} b
 */
export function sameScalar(a, b) {
  if (Object.is(a, b)) return true;
  if (kindOf(a) !== kindOf(b)) return false;
  if (a instanceof Float && b instanceof Float) return Object.is(a.value, b.value);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return hex(a) === hex(b);
  if (a instanceof Timestamp && b instanceof Timestamp) {
    return a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  }
  if (a instanceof Ext && b instanceof Ext) return a.type === b.type && hex(a.data) === hex(b.data);
  return false;
}

/**
 * @param {Tree[]} expected
 * @param {Tree[]} actual
 * @param {string} path
 * @returns {Difference | null}
 */
function arrayDifference(expected, actual, path) {
  const length = Math.min(expected.length, actual.length);
  for (let i = 0; i < length; i++) {
    const found = firstDifference(expected[i], actual[i], join(path, i));
    if (found !== null) return found;
  }
  if (expected.length === actual.length) return null;
  return {
    path: join(path, length),
    expected: length < expected.length ? show(expected[length]) : 'no element',
    actual: length < actual.length ? show(actual[length]) : 'no element',
  };
}

/**
 * @param {Entries} expected
 * @param {Entries} actual
 * @param {string} path
 * @returns {Difference | null}
 */
function mapDifference(expected, actual, path) {
  /** @type {Map<string, number>} */
  const places = new Map(actual.keys.map((key, index) => [keyIdentity(key), index]));
  for (const [index, key] of expected.keys.entries()) {
    const here = join(path, pathSegment(key, index));
    const identity = keyIdentity(key);
    const place = places.get(identity);
    if (place === undefined) {
      return { path: here, expected: show(expected.values[index]), actual: `no entry with the key ${show(key)}` };
    }
    places.delete(identity);
    const found = firstDifference(expected.values[index], actual.values[place], here);
    if (found !== null) return found;
  }
  const [extra] = places.values();
  if (extra === undefined) return null;
  const key = actual.keys[extra];
  return {
    path: join(path, pathSegment(key, extra)),
    expected: `no entry with the key ${show(key)}`,
    actual: show(actual.values[extra]),
  };
}
