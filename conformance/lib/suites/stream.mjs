// stream: the same messages and the same error, however the bytes are cut (vectors/stream).

import { theMessages } from '../exam.mjs';

export const name = 'stream';

/** Up to this many bytes are cut in two at every position; longer ones at the positions of `sample`. */
const CUT_EVERYWHERE = 300;

/** From this many bytes on there are fewer positions: nearly all lie inside of the same str or bin. */
const LARGE = 20_000;

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ stream }) {
  const mode = 'lossless';
  for (const one of stream) {
    const expectation = theMessages(one.values, one.error);
    yield {
      ...one,
      mode,
      run: (exam) =>
        Promise.all(
          [...chunkings(one.bytes)].map((chunks) =>
            exam.expect({ op: 'stream', mode, ...one.options, chunks }, expectation),
          ),
        ),
    };
  }
}

/**
 * The ways to cut the bytes: whole, one byte each, and in two pieces.
 *
 * @param {string} bytes
 * @returns {Generator<string[]>}
 */
export function* chunkings(bytes) {
  const length = bytes.length / 2;
  yield length === 0 ? [] : [bytes];
  if (length < 2) return;
  yield Array.from({ length }, (_, index) => bytes.slice(2 * index, 2 * index + 2));
  for (const at of length <= CUT_EVERYWHERE ? span(1, length) : sample(length)) {
    yield [bytes.slice(0, 2 * at), bytes.slice(2 * at)];
  }
}

/**
 * @param {number} from
 * @param {number} to exclusive
 */
function span(from, to) {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/**
 * Cuts near both ends, where heads are, and spread evenly between; the same ones in every run.
 *
 * @param {number} length
 */
function sample(length) {
  const [ends, parts] = length < LARGE ? [16, 32] : [7, 6];
  const between = span(1, parts).map((part) => Math.floor((length * part) / parts));
  const all = new Set([...span(1, ends + 1), ...between, ...span(length - ends, length)]);
  return [...all].sort((left, right) => left - right);
}
