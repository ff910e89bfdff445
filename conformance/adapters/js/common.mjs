// What the adapters of both JavaScript codecs share (conformance/README.md): tagged values, the
// cost of decoding, the loop.
//
// Plan: faults · what decoding costs · tagged values to host values · host values to tagged values · bytes · the loop.

import { createInterface } from 'node:readline';
import { ExtData, Float, PolypackError, Timestamp } from 'polypack';

/** A value with one tag (vectors/README.md). @typedef {Record<string, any>} Tagged */
/** @typedef {Record<string, any>} Request */
/** @typedef {Record<string, (request: Request) => Record<string, unknown>>} Operations */

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
    if (!(error instanceof PolypackError)) throw error;
    return { code: error.code, offset: error.offset, path: error.path };
  }
}

// --- what decoding costs ---------------------------------------------------------------------------------------------

/**
 * Decoders by their options, since a program keeps its own: what an engine compiled for objects
 * goes with the last of them.
 */
const decoders = new Map();

/**
 * What decoding costs. The memory is what the heap holds more right after a decode, garbage included;
 * null without --expose-gc.
 *
 * @param {Request} request
 * @param {new (options: ReturnType<typeof optionsOf>) => {unpack(bytes: Uint8Array): unknown}} Decoder
 */
export function measure(request, Decoder) {
  const bytes = fromHex(request.bytes);
  const options = optionsOf(request);
  const name = JSON.stringify(options);
  if (!decoders.has(name)) decoders.set(name, new Decoder(options));
  const unpackr = decoders.get(name);
  const decode = () => {
    /** @type {unknown} */
    let value;
    const error = faultOf(() => {
      value = unpackr.unpack(bytes);
    });
    return { value, error };
  };
  const milliseconds = [];
  for (let round = 0; round < request.rounds; round++) {
    const start = performance.now();
    decode();
    milliseconds.push(performance.now() - start);
  }
  const [first = 0] = milliseconds;
  const median = milliseconds.sort((a, b) => a - b)[request.rounds >> 1] ?? 0;

  const before = collectedBytes();
  const result = decode();
  const peak = heapBytes() - before;
  const { error } = result; // and so the value stays until here
  return { milliseconds: { first, median }, bytes: globalThis.gc === undefined ? null : peak, error };
}

/** Bytes in use, array buffers included. */
function heapBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes in use when the garbage is gone, as far as the collector can be called. */
function collectedBytes() {
  globalThis.gc?.();
  return heapBytes();
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

/**
 * Answers requests until the input ends.
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
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(all, request) })}\n`);
  }
}

/** @param {Operations} operations @param {Request} request @returns {Record<string, unknown>} */
function answer(operations, request) {
  const operation = Object.hasOwn(operations, request.op) ? operations[request.op] : undefined;
  if (operation === undefined) return { unsupported: `no operation ${request.op}` };
  let result = {};
  const error = faultOf(() => {
    result = operation(request);
  });
  return error === null ? result : { error };
}
