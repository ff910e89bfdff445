// Makes cases from what the sources list: bytes from values, expectations from the judge. A source may state the error
// it means by hand, as `code@offset path`; then the judge must agree.

import { writeBytes, readBytes } from './notation.mjs';
import { judge } from './judge.mjs';
import { encode, encodeLongest, forms } from './reference.mjs';
import { equal } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./judge.mjs').Mode} Mode */
/** @typedef {import('./judge.mjs').Options} Options */
/** @typedef {import('./judge.mjs').Fault} Fault */
/** @typedef {import('./judge.mjs').Limits} Limits */

/**
 * A case of any kind; schema.json says which members each kind has.
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {string} spec
 * @property {Value} [value]
 * @property {Value[]} [values]
 * @property {string} [bytes]
 * @property {string | null} [canonical]
 * @property {string[]} [also]
 * @property {number | null} [departure]
 * @property {string} [becomes]
 * @property {Fault | null} [error]
 * @property {Mode[]} [modes]
 * @property {'off' | 'inline'} [records]
 * @property {Limits} [limits]
 * @property {string} [writer]
 * @property {boolean} [encodes]
 */

/** @typedef {{kind: string, room: string, about: string, cases: Case[]}} Source */

/** @type {Mode[]} */
export const MODES = ['default', 'strict', 'lossless'];

/** Bytes as the sources write them: in the notation, or ready. @typedef {string | Uint8Array} Bytes */

/** @param {Bytes} bytes */
export const bytesOf = (bytes) => (typeof bytes === 'string' ? readBytes(bytes) : bytes);

/**
 * A case of `valid/`: the value, its canonical form, and as `also` every longer form of its own head, the form with the
 * longest head everywhere, and those given.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Value} value
 * @param {{also?: Bytes[], limits?: Limits}} [more]
 * @returns {Case}
 */
export function valid(name, spec, value, { also = [], limits } = {}) {
  const canonical = writeBytes(encode(value));
  const others = [...forms(value), encodeLongest(value), ...also.map(bytesOf)].map(writeBytes);
  const longer = [...new Set(others)].filter((bytes) => bytes !== canonical);
  for (const bytes of [canonical, ...longer]) mustBe(name, bytes, value, { limits });
  return { name, spec, value, canonical, ...(longer.length > 0 && { also: longer }), ...(limits && { limits }) };
}

/**
 * A case of `invalid/` or an invalid one of `records/`. Its modes are those in which every language finds this error.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {string} [meant] the error by hand
 * @param {{records?: 'off' | 'inline', limits?: Limits}} [options]
 * @returns {Case}
 */
export function invalid(name, spec, bytes, meant, options = {}) {
  const input = bytesOf(bytes);
  const judged = MODES.map((mode) => ({ mode, judgement: judge(input, { ...options, mode }) }));
  const faults = judged.flatMap(({ mode, judgement }) => ('error' in judgement ? [{ mode, error: judgement.error }] : []));
  // Lossless mode knows the most kinds, so it settles what the error is; strict mode alone finds some.
  const error = faults.findLast(({ mode }) => mode === 'lossless' || mode === 'strict')?.error;
  if (!error) throw new Error(`${name}: the judge finds no error in ${writeBytes(input)}`);
  if (meant !== undefined && meant !== write(error)) throw new Error(`${name}: means ${meant}, judged ${write(error)}`);
  const modes = faults.filter((fault) => write(fault.error) === write(error)).map(({ mode }) => mode);
  return {
    name,
    spec,
    bytes: writeBytes(input),
    error,
    ...(modes.length < MODES.length && { modes }),
    ...options,
  };
}

/** The short form of an error that sources use. @param {Fault} error */
export const write = ({ code, offset, path }) => `${code}@${offset}${path === '' ? '' : ` ${path}`}`;

/**
 * Bytes that are this value; fails when the judge reads another.
 *
 * @param {string} name
 * @param {Bytes} bytes
 * @param {Value} value
 * @param {Options} [options]
 */
export function mustBe(name, bytes, value, options) {
  const judgement = judge(bytesOf(bytes), options);
  if (!('value' in judgement) || !equal(judgement.value, value)) {
    throw new Error(`${name}: ${JSON.stringify(judgement).slice(0, 200)} is not ${JSON.stringify(value).slice(0, 200)}`);
  }
}
