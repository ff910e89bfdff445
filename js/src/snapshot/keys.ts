// The keys of arrays, and the containers that arrays of PHP become (spec/10-snapshot.md#elsewhere).
//
// Plan: Key · containerFor, fill · faults of keys · copies.

import { comparisonsOf, UNCOUNTED } from '../core/collisions.ts';
import { setOwn } from '../core/property.ts';
import { replacedText } from '../core/text.ts';
import { Failure } from './failure.ts';
import { type Int, identityOf } from './source.ts';
import type { PhpText } from './values.ts';

export type Key = Int | PhpText;

/** The containers that an array of PHP can become. */
export type Container = unknown[] | Record<string, unknown> | Map<Key, unknown>;

/** Whether PHP would turn a string key into an int. */
export function isIntKey(text: PhpText): boolean {
  if (typeof text !== 'string' || !/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return false;
  return text.length < 19 || BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Returns the path token of a key of an array. For properties, use propertyToken in reader.ts. */
export function tokenOf(key: Key): string {
  return key instanceof Uint8Array ? replacedText(key, 0, key.length) : String(key);
}

/** Returns an empty container for the keys: an array if they are 0, 1, 2 …, an object if all are text, else a Map. */
export function containerFor(keys: readonly Key[]): Container {
  if (keys.every((key, index) => key === index)) return [];
  return keys.every((key) => typeof key === 'string') ? {} : new Map();
}

/** How many key comparisons a snapshot has cost so far, in Maps with more than UNCOUNTED keys. */
export interface Account {
  comparisons: number;
}

/**
 * Fills a container that `containerFor` made for the keys.
 *
 * @throws Failure if a key repeats, if PHP would turn a key into an int, or if the comparisons exceed `maxCollisions`
 */
export function fill(
  container: Container,
  keys: readonly Key[],
  values: readonly unknown[],
  account: Account,
  maxCollisions: number,
  at: number,
): void {
  if (Array.isArray(container)) {
    for (const value of values) container.push(value);
    return;
  }
  if (container instanceof Map) {
    const exceeds = keys.length > UNCOUNTED ? comparisonsOf(container, account, maxCollisions) : () => false;
    const seen = new Set<string>(); // the byte keys, because a Map compares Uint8Arrays by identity
    for (const [index, key] of keys.entries()) {
      if (exceeds(key)) throw collisions(maxCollisions, at);
      if (isIntKey(key as PhpText)) throw keyFault(keys, index, at);
      if (key instanceof Uint8Array) {
        const identity = identityOf(key);
        if (seen.has(identity)) throw duplicate(at);
        seen.add(identity);
      } else if (container.has(key)) throw duplicate(at);
      container.set(key, values[index]);
    }
    return;
  }
  for (const [index, key] of (keys as readonly string[]).entries()) {
    if (Object.hasOwn(container, key)) throw duplicate(at);
    if (isIntKey(key)) throw keyFault(keys, index, at);
    setOwn(container, key, values[index]);
  }
}

function collisions(maxCollisions: number, at: number): Failure {
  const what = `the keys of maps cost more than the limit ${maxCollisions} comparisons, because many share a bucket`;
  return new Failure('limit_exceeded', what, at, 'raise maxCollisions if the source is trusted');
}

function duplicate(at: number): Failure {
  return new Failure('duplicate_key', 'a key occurs twice in a map', at);
}

/**
 * Returns the fault of a key that PHP would turn into an int: `duplicate_key` if an earlier key is this int, else
 * `invalid_key`.
 */
function keyFault(keys: readonly Key[], index: number, at: number): Failure {
  const number = BigInt(keys[index] as string);
  const isRepeat = keys
    .slice(0, index)
    .some((key) => typeof key !== 'string' && typeof key !== 'object' && BigInt(key) === number);
  return isRepeat ? duplicate(at) : new Failure('invalid_key', 'a key of a map should be an int', at);
}

/** Copies an array that occurs again. PHP's arrays are values, so changing one must not change another. */
export function copyOf(container: Container): Container {
  if (Array.isArray(container)) return container.slice();
  if (container instanceof Map) return new Map(container);
  return { ...container };
}

export function sizeOf(container: Container): number {
  if (Array.isArray(container)) return container.length;
  return container instanceof Map ? container.size : Object.keys(container).length;
}
