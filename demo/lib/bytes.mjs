/**
 * Trees to bytes and back, by the slow references of tools/vectors, which share no code with the libraries that the
 * relay judges.
 *
 * Plan of the file: write (wire order or canonical) · read (one value, records inline when asked) · keys.
 */

import { judge } from '../../tools/vectors/judge.mjs';
import { encode } from '../../tools/vectors/reference.mjs';
import { ext, float, floatNumber, fromHex, int, nil, str, timestamp, undef } from '../../tools/vectors/values.mjs';
import { Entries, Ext, Float, hex, kindOf, scalarKeyIdentity, Timestamp } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */
/** @typedef {import('../../tools/vectors/values.mjs').Value} Value */

/** Bytes that the judge refuses. */
export class WireError extends Error {
  /** @param {import('../../tools/vectors/judge.mjs').Fault} fault */
  constructor({ code, offset, path }) {
    super(`${code} at byte ${offset}${path === '' ? '' : `, path ${path}`}`);
    this.name = 'WireError';
    this.offset = offset;
  }
}

// --- write -----------------------------------------------------------------------------------------------------------

/**
 * Writes a value with the shortest heads, entries in the order of the tree.
 *
 * @param {Tree} value
 * @returns {Buffer}
 */
export function write(value) {
  return Buffer.from(encode(taggedOf(value), undefined, false));
}

/**
 * Writes the canonical form C1 (spec/08-canonical.md).
 *
 * @param {Tree} value
 * @returns {Buffer}
 */
export function writeCanonical(value) {
  return Buffer.from(encode(taggedOf(value)));
}

/** @param {Tree} value @returns {Value} */
function taggedOf(value) {
  if (typeof value === 'string') return str(value);
  if (typeof value === 'number' || typeof value === 'bigint') return int(value);
  if (typeof value === 'boolean') return { bool: value };
  if (value === null) return nil;
  if (value === undefined) return undef;
  if (Array.isArray(value)) return { array: value.map(taggedOf) };
  if (value instanceof Entries) {
    return { map: value.keys.map((key, index) => [taggedOf(key), taggedOf(value.values[index])]) };
  }
  if (value instanceof Float) return float(value.value);
  if (value instanceof Uint8Array) return { bin: hex(value) };
  return value instanceof Timestamp ? timestamp(value.seconds, value.nanoseconds) : ext(value.type, hex(value.data));
}

// --- read ------------------------------------------------------------------------------------------------------------

/**
 * Reads exactly one value.
 *
 * @param {Uint8Array} bytes
 * @param {{ records?: boolean }} [options] records: read declarations and instances of spec/05-records.md
 * @returns {Tree}
 * @throws {WireError}
 */
export function read(bytes, { records = false } = {}) {
  const judgement = judge(bytes, { records: records ? 'inline' : 'off' });
  if ('error' in judgement) throw new WireError(judgement.error);
  if (!('value' in judgement)) throw new Error('in lossless mode the languages never differ');
  return treeOf(judgement.value);
}

/** @param {Value} value @returns {Tree} */
function treeOf(value) {
  if ('str' in value) return value.str;
  if ('int' in value) {
    const number = Number(value.int);
    return Number.isSafeInteger(number) ? number : BigInt(value.int);
  }
  if ('bool' in value) return value.bool;
  if ('nil' in value) return null;
  if ('undefined' in value) return undefined;
  if ('array' in value) return value.array.map(treeOf);
  if ('map' in value) {
    return new Entries(
      value.map.map(([key]) => treeOf(key)),
      value.map.map(([, item]) => treeOf(item)),
    );
  }
  if ('float' in value) return new Float(floatNumber(value));
  if ('bin' in value) return fromHex(value.bin);
  if ('timestamp' in value) return new Timestamp(BigInt(value.timestamp[0]), value.timestamp[1]);
  if ('ext' in value) return new Ext(value.ext[0], fromHex(value.ext[1]));
  throw new Error('in lossless mode every str is UTF-8');
}

// --- keys ------------------------------------------------------------------------------------------------------------

/**
 * Identifies a key: two keys are the same key exactly when these texts are equal (01#map).
 *
 * @param {Tree} key
 * @returns {string}
 */
export function keyIdentity(key) {
  return scalarKeyIdentity(key) ?? `${kindOf(key)} ${hex(writeCanonical(key))}`;
}
