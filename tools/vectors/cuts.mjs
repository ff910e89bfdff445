// Ways to cut a stream: a stream decoder must give the same for all of them.

import { judgeStream } from './stream.mjs';
import { identity } from './values.mjs';

/** @typedef {import('./judge.mjs').Options} Options */
/** @typedef {import('./stream.mjs').Delivered} Delivered */

const SMALL = 64; // bytes cut at every place; longer ones at about this many
const LARGE = 4_096; // bytes from which on a stream is cut at fewer places, as each takes long to judge
const PLACES_OF_LARGE = 12;

/**
 * Cuts bytes: whole, at each (sampled) place in two, and in equal pieces, down to single bytes for short ones.
 *
 * @param {Uint8Array} bytes
 * @returns {Generator<Uint8Array[]>}
 */
export function* cutsOf(bytes) {
  yield [bytes];
  const step = Math.max(1, Math.floor(bytes.length / (bytes.length < LARGE ? SMALL : PLACES_OF_LARGE)));
  for (let at = 1; at < bytes.length; at += step) yield [bytes.subarray(0, at), bytes.subarray(at)];
  const sizes = bytes.length <= SMALL ? [1, 2, 3] : [Math.ceil(bytes.length / 7), Math.ceil(bytes.length / 31)];
  for (const size of sizes) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
    yield pieces.map((at) => bytes.subarray(at, at + size));
  }
  yield [new Uint8Array(), bytes, new Uint8Array()];
}

/** @param {Delivered} delivered */
export const deliveredText = ({ values, error }) => `${values.map(identity).join(' ')} ${JSON.stringify(error)}`;

/**
 * Judges a stream in every cut; fails when two cuts differ.
 *
 * @param {Uint8Array} bytes
 * @param {Options} [options]
 * @returns {Delivered}
 */
export function judgeEveryCut(bytes, options) {
  const whole = judgeStream([bytes], options);
  for (const chunks of cutsOf(bytes)) {
    const cut = judgeStream(chunks, options);
    if (deliveredText(cut) === deliveredText(whole)) continue;
    const lengths = chunks.map((chunk) => chunk.length).join('+');
    throw new Error(`cut as ${lengths} the stream is ${deliveredText(cut)}, whole it is ${deliveredText(whole)}`);
  }
  return whole;
}
