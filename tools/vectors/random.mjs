// Numbers that look random and are the same on every machine: xorshift32, so that a seed names a document for ever.

/** @typedef {(below: number) => number} Random an integer 0 … below − 1 */

/**
 * @param {number} seed not 0
 * @returns {Random}
 */
export function randomFrom(seed) {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} choices
 * @returns {T}
 */
export function pickFrom(random, choices) {
  return /** @type {T} */ (choices[random(choices.length)]);
}
