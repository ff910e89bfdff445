// Every proper prefix of every small valid case (spec/07#which-fault-wins): the input ends too soon, somewhere.

import { bytesOf, invalid } from '../../cases.mjs';
import { writeBytes } from '../../notation.mjs';

/** @typedef {import('../../cases.mjs').Source} Source */

const SMALL = 20; // bytes; the first and last cuts of a longer case say nothing new
// Longer forms are cut for this many cases of each head byte; the others differ in digits only.
const FORMS_OF_A_HEAD = 3;

/**
 * @param {Source[]} valid
 * @returns {Source}
 */
export default function truncated(valid) {
  const seen = new Set();
  /** @type {Map<number, number>} */
  const cut = new Map();
  const cases = valid
    .flatMap(({ cases: list }) => list)
    .flatMap(({ name, canonical, also = [] }) =>
      [canonical ?? '', ...also].map((notation, form) => ({ name, form, bytes: bytesOf(notation) })),
    )
    .filter(({ bytes }) => bytes.length <= SMALL)
    .filter(({ form, bytes }) => {
      const head = bytes[0] ?? 0;
      const times = cut.get(head) ?? 0;
      cut.set(head, times + 1);
      return form === 0 || times < FORMS_OF_A_HEAD;
    })
    .flatMap(({ name, form, bytes }) =>
      Array.from({ length: bytes.length }, (_, end) => ({
        name: `truncated-${name}${form === 0 ? '' : `-form-${form + 1}`}-at-${end}`,
        bytes: bytes.subarray(0, end),
      })),
    )
    .filter(({ bytes }) => {
      const notation = writeBytes(bytes);
      return !seen.has(notation) && seen.add(notation);
    })
    .map(({ name, bytes }) => invalid(name, '07#which-fault-wins', bytes));
  return {
    kind: 'invalid',
    room: 'truncated',
    about: 'every proper prefix of every valid case of at most 20 bytes, and of some of their longer forms',
    cases,
  };
}
