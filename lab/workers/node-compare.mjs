// Whether what a contestant in JavaScript made is right.
//
// Plan: comparing · reading with another library.

import { inspect, isDeepStrictEqual } from 'node:util';
import { through } from './node-streams.mjs';

// --- comparing -------------------------------------------------------------------------------------------------------

/** @param {unknown} value */
function show(value) {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'object' && value !== null) {
    if (Object.getPrototypeOf(value) === Object.prototype) return 'Object';
    return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 3 }).slice(0, 60);
  }
  return `${typeof value} ${inspect(value)}`;
}

/** Tells whether two values are both arrays or both plain objects: their keys say where they differ. */
function alike(/** @type {unknown} */ expected, /** @type {unknown} */ actual) {
  if (typeof expected !== 'object' || typeof actual !== 'object' || expected === null || actual === null) return false;
  const prototype = Object.getPrototypeOf(expected);
  if (prototype !== Object.getPrototypeOf(actual)) return false;
  return prototype === Object.prototype || prototype === Array.prototype;
}

/**
 * Where two values first differ and how, or null: every element, every key, the prototype of each object, and what a
 * Date, a Map or a typed array holds, which isn't among its keys. A Buffer counts as a Uint8Array of the same bytes,
 * since libraries give either.
 *
 * @param {any} expected
 * @param {any} actual
 * @param {string} [at]
 * @returns {string | null}
 */
export function fault(expected, actual, at = '') {
  if (isDeepStrictEqual(expected, actual)) return null;
  if (expected instanceof Uint8Array && actual instanceof Uint8Array && !Buffer.compare(expected, actual)) return null;
  if (alike(expected, actual)) {
    for (const key of Object.keys(expected)) {
      const below = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Object.hasOwn(actual, key)) return `${below}: missing`;
      const found = fault(expected[key], actual[key], below);
      if (found !== null) return found;
    }
    const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key));
    if (extra !== undefined) return `${at}/${extra}: nothing expected here`;
    const isShorter = Array.isArray(expected) && expected.length !== actual.length;
    if (!isShorter && Object.getOwnPropertySymbols(actual).length === 0) return null; // a Buffer somewhere below
  }
  return `${at === '' ? 'the whole' : at}: ${show(expected)} expected, got ${show(actual)}`;
}

// --- reading with another library ------------------------------------------------------------------------------------

/**
 * msgpackr makes a bigint of an integer of 64 bits only where it has to be one, as the function unpack() of all others
 * does.
 *
 * @type {any} the declared type of the option lacks 'auto'
 */
const ONLY_LARGE_BIGINTS = { int64AsType: 'auto' };

/**
 * Reads bytes with a library that isn't the one that wrote them. A stream gets the head of an array around it, or the
 * brackets of one: it has to hold so many messages and nothing else. Every line of JSON has to have an end.
 *
 * @param {string} format
 * @param {any} bytes
 * @param {string} writer
 * @param {number | null} messages how many there have to be; null if it's no stream
 */
export async function read(format, bytes, writer, messages) {
  if (format === 'bundled strings') {
    const { Unpackr } = await import('polypack');
    return new Unpackr({ bundleStrings: true, useRecords: false }).unpack(bytes);
  }
  if (format === 'records') return readRecords(bytes, writer, messages !== null);
  if (format === 'json') return JSON.parse(Buffer.from(bytes).toString());
  if (format === 'ndjson') return JSON.parse(`[${Buffer.from(bytes).toString().slice(0, -1).replaceAll('\n', ',')}]`);
  if (messages !== null) {
    const head = Buffer.from([0xdd, 0, 0, 0, 0]);
    head.writeUInt32BE(messages, 1);
    return read(format, Buffer.concat([head, bytes]), writer, null);
  }
  if (!writer.startsWith('@msgpack/msgpack')) return (await import('@msgpack/msgpack')).decode(bytes);
  const { Unpackr } = await import('msgpackr');
  return new Unpackr({ ...ONLY_LARGE_BIGINTS, useRecords: false }).unpack(bytes);
}

/**
 * Reads records with the other of the two libraries that have them.
 *
 * @param {Uint8Array} bytes
 * @param {string} writer
 * @param {boolean} isStream
 */
async function readRecords(bytes, writer, isStream) {
  const { Unpackr, UnpackrStream } = await import(writer.startsWith('msgpackr') ? 'polypack' : 'msgpackr');
  const options = writer.startsWith('msgpackr') ? {} : ONLY_LARGE_BIGINTS;
  return isStream ? through([bytes], new UnpackrStream(options)) : new Unpackr(options).unpack(bytes);
}
