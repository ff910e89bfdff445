// What the adapters of both JavaScript codecs share (conformance/README.md): tagged values and the loop.
//
// Plan: faults · tagged values to host values · host values to tagged values · bytes · the loop.

import { ExtData, Float, PolypackError, Timestamp } from 'polypack';

/** A value with one tag (vectors/README.md). @typedef {Record<string, any>} Tagged */
/** @typedef {Record<string, any>} Request */
/** @typedef {Record<string, (request: Request) => Record<string, unknown> | Promise<Record<string, unknown>>>} Operations */

// --- faults ----------------------------------------------------------------------------------------------------------

/**
 * The error of data that a piece of work ends with; null when it succeeds.
 *
 * @param {() => void} work
 */
export function faultOf(work) {
  try {
    work();
    return null;
  } catch (error) {
    return dataOf(error);
  }
}

/**
 * An error of data as the protocol has it.
 *
 * @param {unknown} error
 */
export function dataOf(error) {
  if (!(error instanceof PolypackError)) throw error;
  return { code: error.code, offset: error.offset, path: error.path };
}

// --- tagged values to host values ------------------------------------------------------------------------------------

/** @param {Tagged} tagged @returns {unknown} */
export function toHost(tagged) {
  const [[tag, content] = []] = Object.entries(tagged);
  switch (tag) {
    case 'nil':
      return null;
    case 'undefined':
      return undefined;
    case 'bool':
    case 'str':
      return content;
    case 'int':
      return BigInt(content);
    case 'float':
      return new Float(Buffer.from(content, 'hex').readDoubleBE());
    case 'bin':
      return fromHex(content);
    case 'array':
      return content.map(toHost);
    case 'map':
      return mapToHost(content);
    case 'timestamp':
      return new Timestamp(BigInt(content[0]), content[1]);
    case 'ext':
      return new ExtData(content[0], fromHex(content[1]));
    default:
      throw new TypeError(`no such tag: ${tag}`);
  }
}

/**
 * An object where one keeps the entries and their order; those are what the library writes as records.
 *
 * @param {[Tagged, Tagged][]} entries
 */
function mapToHost(entries) {
  const isObject = entries.every(([key]) => typeof key.str === 'string' && !/^\d+$/.test(key.str));
  if (isObject) return Object.fromEntries(entries.map(([key, value]) => [key.str, toHost(value)]));
  const map = new Map();
  for (const [key, value] of entries) {
    const host = toHost(key);
    // An int that is there as a bigint may be a second key as a number.
    map.set(map.has(host) && typeof host === 'bigint' ? Number(host) : host, toHost(value));
  }
  if (map.size < entries.length) throw new TypeError('a Map cannot hold these equal keys');
  return map;
}

// --- host values to tagged values ------------------------------------------------------------------------------------

/** @param {unknown} value @returns {Tagged} */
export function toTagged(value) {
  if (value === null) return { nil: true };
  switch (typeof value) {
    case 'undefined':
      return { undefined: true };
    case 'boolean':
      return { bool: value };
    case 'bigint':
      return { int: String(value) };
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? { int: String(value) } : floatToTagged(value);
    case 'string':
      return { str: value };
    default:
      return objectToTagged(/** @type {object} */ (value));
  }
}

/** @param {number} number */
function floatToTagged(number) {
  const bytes = Buffer.alloc(8);
  if (Number.isNaN(number)) bytes.writeUInt16BE(0x7ff8);
  else bytes.writeDoubleBE(number);
  return { float: toHex(bytes) };
}

/** @param {object} value @returns {Tagged} */
function objectToTagged(value) {
  if (Array.isArray(value)) return { array: value.map(toTagged) };
  if (value instanceof Map) return { map: [...value].map(([key, item]) => [toTagged(key), toTagged(item)]) };
  if (value instanceof Uint8Array) return { bin: toHex(value) };
  if (value instanceof Float) return floatToTagged(value.value);
  if (value instanceof Date) return objectToTagged(Timestamp.fromDate(value));
  if (value instanceof Timestamp) return { timestamp: [String(value.seconds), value.nanoseconds] };
  if (value instanceof ExtData) return { ext: [value.type, toHex(value.data)] };
  return { map: Object.entries(value).map(([key, item]) => [{ str: key }, toTagged(item)]) };
}

// --- bytes -----------------------------------------------------------------------------------------------------------

/** @param {string} hex */
export function fromHex(hex) {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

// --- the loop --------------------------------------------------------------------------------------------------------

/** The options every codec takes. Records are off where a request does not say. @param {Request} request */
export function optionsOf({ mode = 'default', records = 'off', dictionary, header, clone, limits }) {
  return {
    mode,
    records,
    ...(records === 'shared' && sharedOptions(dictionary, header === true)),
    ...(clone !== undefined && { [clone]: true }),
    ...(limits && { limits }),
  };
}

/**
 * The options of a codec with a dictionary that doesn't grow.
 *
 * @param {(string[] | null)[]} dictionary
 * @param {boolean} fingerprint
 */
function sharedOptions(dictionary, fingerprint) {
  return {
    structures: dictionary,
    fingerprint,
    maxSharedStructures: dictionary.length,
    shouldShareStructure: () => false,
  };
}

/** Characters of answers that one write gathers. */
const MAX_UNSENT = 1 << 16;

/**
 * Answers requests until the input ends. The answers to what has arrived together are written together.
 *
 * @param {string} name
 * @param {Operations} operations
 */
export async function serve(name, operations) {
  const hello = () => ({
    name,
    version: '0.1.0',
    ops: Object.keys(operations),
    modes: ['default', 'strict', 'lossless'],
  });
  const all = { ...operations, hello };
  /** @type {Buffer[]} */
  let start = []; // of a line whose end has not arrived
  for await (const chunk of process.stdin) {
    let lines = '';
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      const request = JSON.parse(Buffer.concat([...start, chunk.subarray(at, end)]).toString('utf8'));
      start = [];
      at = end + 1;
      lines += `${JSON.stringify({ id: request.id, ...(await answer(all, request)) })}\n`;
      if (lines.length < MAX_UNSENT) continue;
      process.stdout.write(lines);
      lines = '';
    }
    start.push(chunk.subarray(at));
    if (lines !== '') process.stdout.write(lines);
  }
}

/** @param {Operations} operations @param {Request} request @returns {Promise<Record<string, unknown>>} */
async function answer(operations, request) {
  const operation = Object.hasOwn(operations, request.op) ? operations[request.op] : undefined;
  if (operation === undefined) return { unsupported: `no operation ${request.op}` };
  try {
    return await operation(request);
  } catch (error) {
    return { error: dataOf(error) };
  }
}
