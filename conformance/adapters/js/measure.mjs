// What decoding costs in JavaScript (conformance/README.md, operation `measure`).
//
// Plan: one measurement · memory.

import { readFileSync, writeFileSync } from 'node:fs';
import { dataOf, fromHex, optionsOf } from './common.mjs';

/** @typedef {import('./common.mjs').Request} Request */
/** @typedef {(bytes: Uint8Array) => unknown} Decode may return a promise */

/**
 * One way into the library with one set of options.
 *
 * @typedef {object} Door
 * @property {string} name
 * @property {'inline' | 'shared'} [records] the kind it reads
 * @property {'moreTypes' | 'structuredClone' | 'bundleStrings'} [also] what else it reads
 * @property {() => Decode} open returns what decodes one message after the other
 */

/** The answer to `doors`. @param {Door[]} doors */
export const doorsOf = (doors) => ({ doors: doors.map(({ open, ...door }) => door) });

/** What opens for each name: a program keeps its decoders, and what an engine compiled goes with the last of them. */
const opened = new Map();

/**
 * Measures what decoding costs: by wall clock and in processor time, and what the memory holds more, in bytes. `bytes`
 * is what the heap has grown by right after a decode, garbage included; `retained` is what stays of that after a
 * collection, and `resident` the most that the process had in memory at one moment, which also counts what engines
 * allocate outside of the heap. All are null without --expose-gc.
 *
 * @param {Request} request
 * @param {Door[]} doors
 * @param {new (options: ReturnType<typeof optionsOf>) => {unpack(bytes: Uint8Array): unknown}} Decoder for requests
 *   without a door
 */
export async function measure(request, doors, Decoder) {
  const decode = decodeOf(request, doors, Decoder);
  const bytes = fromHex(request.bytes);
  return { ...(await timesOf(decode, bytes, request.rounds)), ...(await memoryOf(decode, bytes)) };
}

/**
 * @param {Request} request
 * @param {Door[]} doors
 * @param {new (options: ReturnType<typeof optionsOf>) => {unpack(bytes: Uint8Array): unknown}} Decoder
 * @returns {Decode}
 */
function decodeOf(request, doors, Decoder) {
  const { door } = request;
  const options = optionsOf(request);
  const key = door ?? JSON.stringify(options);
  if (!opened.has(key)) {
    const found = doors.find(({ name }) => name === door);
    if (door !== undefined && found === undefined) throw new Error(`no door ${door}`);
    const unpackr = found === undefined ? new Decoder(options) : null;
    opened.set(key, found?.open() ?? ((/** @type {Uint8Array} */ bytes) => unpackr?.unpack(bytes)));
  }
  return opened.get(key);
}

/**
 * A function of its own, because an async one keeps its last temporary value until it returns.
 *
 * @param {Decode} decode
 * @param {Uint8Array} bytes
 * @param {number} rounds
 */
async function timesOf(decode, bytes, rounds) {
  const milliseconds = [];
  const cpu = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const used = process.cpuUsage();
    await outcome(decode, bytes);
    const { user, system } = process.cpuUsage(used);
    milliseconds.push(performance.now() - start);
    cpu.push((user + system) / 1000);
  }
  if (rounds === 0) return {};
  const [first = 0] = milliseconds;
  const median = milliseconds.sort((a, b) => a - b)[rounds >> 1] ?? 0;
  return { milliseconds: { first, median }, cpu: Math.min(...cpu) };
}

/**
 * Decodes once; the value stays alive as long as the answer.
 *
 * @param {Decode} decode
 * @param {Uint8Array} bytes
 */
async function outcome(decode, bytes) {
  try {
    const value = decode(bytes);
    return { value: value instanceof Promise ? await value : value, error: null };
  } catch (error) {
    return { value: error, error: dataOf(error) };
  }
}

// --- memory ----------------------------------------------------------------------------------------------------------

/**
 * What was decoded last: a local variable that isn't used any more may be collected.
 *
 * @type {{result: Awaited<ReturnType<typeof outcome>> | null}}
 */
const kept = { result: null };

/** @param {Decode} decode @param {Uint8Array} bytes */
async function memoryOf(decode, bytes) {
  if (globalThis.gc === undefined) {
    return { bytes: null, retained: null, resident: null, error: (await outcome(decode, bytes)).error };
  }
  globalThis.gc();
  const before = heapBytes();
  const residentBefore = residentBytes();
  const result = await outcome(decode, bytes);
  kept.result = result;
  const after = heapBytes();
  const resident = mostResidentBytes();
  globalThis.gc();
  const retained = heapBytes() - before;
  const { error } = result;
  kept.result = null;
  return {
    bytes: after - before,
    retained,
    resident: residentBefore === null || resident === null ? null : resident - residentBefore,
    error,
  };
}

/** Bytes in use, array buffers included. */
function heapBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What the process has in memory; its greatest value starts again here. Null where the system doesn't tell. */
function residentBytes() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return fromStatus('VmRSS');
  } catch {
    return null;
  }
}

function mostResidentBytes() {
  try {
    return fromStatus('VmHWM');
  } catch {
    return null;
  }
}

/** @param {string} name */
function fromStatus(name) {
  const [, kilobytes] =
    new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return kilobytes === undefined ? null : 1024 * Number(kilobytes);
}
