// What contestants that read streams share: bytes as Node gives them from a socket or a file.

import { Readable } from 'node:stream';

/** Tells whether each element of a scenario is a message of its own. */
export const isStream = (/** @type {string} */ scenario) => /^(?:js-)?stream-/.test(scenario);

/** The bytes of a chunk, as lab/src/Payload/Scenario.php has it. */
export function chunkLength(/** @type {string} */ scenario) {
  if (scenario.endsWith('-by-1k')) return 1024;
  return scenario.startsWith('js-') ? 16384 : 8192;
}

/**
 * @param {Uint8Array} bytes
 * @param {string} scenario
 */
export function* chunksOf(bytes, scenario) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = chunkLength(scenario);
  for (let at = 0; at < all.length; at += length) yield all.subarray(at, at + length);
}

/**
 * The same for libraries that wait for each chunk.
 *
 * @param {Uint8Array} bytes
 * @param {string} scenario
 */
export async function* arriving(bytes, scenario) {
  yield* chunksOf(bytes, scenario);
}

/**
 * Sends things through one of Node's streams and collects what comes out.
 *
 * @param {Iterable<unknown>} things
 * @param {import('node:stream').Transform} transform
 */
export async function through(things, transform) {
  const made = [];
  for await (const one of Readable.from(things, { objectMode: true }).pipe(transform)) made.push(one);
  return made;
}
