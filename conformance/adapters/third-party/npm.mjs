// Answers for a MessagePack library of npm in its default settings: `node npm.mjs msgpackr` or `@msgpack/msgpack`.
//
// Whatever the library throws is a refusal; how it dies is seen by the judge, which runs this in
// processes of their own.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{decode: (bytes: Uint8Array) => unknown, encode: (value: unknown) => Uint8Array,
 *   ExtData?: Function}} Library
 */

const [name = ''] = process.argv.slice(2);
const library = /** @type {Library} */ (await import(name));
const version = versionBeside(fileURLToPath(import.meta.resolve(name)));

/**
 * The version in the package.json nearest above a file, which a package need not export.
 *
 * @param {string} file
 * @returns {string}
 */
function versionBeside(file) {
  const folder = path.dirname(file);
  const description = path.join(folder, 'package.json');
  const found = existsSync(description) ? JSON.parse(readFileSync(description, 'utf8')) : {};
  return found.name === name || folder === file ? String(found.version) : versionBeside(folder);
}

/**
 * The tagged value of what the host got. A kind that the profile has not is {"unknown": …}, which equals nothing.
 *
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function tag(value) {
  switch (typeof value) {
    case 'undefined':
      return { undefined: true };
    case 'boolean':
      return { bool: value };
    case 'number':
      return tagNumber(value);
    case 'bigint':
      return { int: String(value) };
    case 'string':
      return { str: value };
    case 'object':
      return value === null ? { nil: true } : tagObject(value);
    default:
      return { unknown: typeof value };
  }
}

/** @param {number} value */
function tagNumber(value) {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { int: String(value) };
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return { float: bits.toString('hex') };
}

/** @param {object} value */
function tagObject(value) {
  if (Array.isArray(value)) return { array: value.map(tag) };
  if (value instanceof Uint8Array) return { bin: Buffer.from(value).toString('hex') };
  if (value instanceof Map) return { map: [...value].map((entry) => entry.map(tag)) };
  if (value instanceof Date) return tagDate(value);
  if (library.ExtData !== undefined && value instanceof library.ExtData) {
    const { type, data } = /** @type {{type: number, data: Uint8Array}} */ (value);
    return { ext: [type, Buffer.from(data).toString('hex')] };
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return { unknown: value.constructor.name };
  return { map: Object.entries(value).map(([key, child]) => [{ str: key }, tag(child)]) };
}

/** @param {Date} date */
function tagDate(date) {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) return { unknown: 'invalid Date' };
  const seconds = Math.floor(milliseconds / 1000);
  return { timestamp: [String(seconds), (milliseconds - seconds * 1000) * 1_000_000] };
}

/** @param {Record<string, any>} request */
function answer({ op, bytes }) {
  if (op === 'hello') return { name, version, ops: ['decode', 'transcode'], modes: ['default'] };
  if (op !== 'decode' && op !== 'transcode') return { unsupported: `op ${op}` };
  let value;
  try {
    value = library.decode(Buffer.from(bytes, 'hex'));
    if (op === 'transcode') return { bytes: Buffer.from(library.encode(value)).toString('hex') };
  } catch {
    return { error: { code: 'refused', offset: null, path: '' } };
  }
  return { value: tag(value) };
}

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
});
