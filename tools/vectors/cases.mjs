// Makes cases from what the sources list: bytes from values, expectations from the judge. A source may state the error
// it means by hand, as `code@offset path`; then the judge must agree.

import { judgeEveryCut } from './cuts.mjs';
import { judge } from './judge.mjs';
import { readBytes, writeBytes } from './notation.mjs';
import { encode, encodeLongest, encodeRecords, forms } from './reference.mjs';
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
  const faults = judged.flatMap(({ mode, judgement }) =>
    'error' in judgement ? [{ mode, error: judgement.error }] : [],
  );
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
 * A valid case of `records/`. The value is by hand, and the judge must read it; or absent, and the judge's.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {Value} [meant]
 * @param {{writer?: string, records?: 'off' | 'inline', limits?: Limits}} [options]
 * @returns {Case}
 */
export function recorded(name, spec, bytes, meant, { writer, records = 'inline', limits } = {}) {
  const input = bytesOf(bytes);
  const judgement = judge(input, { records, limits });
  if (!('value' in judgement)) throw new Error(`${name}: the judge refuses it: ${JSON.stringify(judgement)}`);
  if (meant) mustBe(name, input, meant, { records, limits });
  return {
    name,
    spec,
    bytes: writeBytes(input),
    value: judgement.value,
    records,
    ...(limits && { limits }),
    ...(writer && { writer }),
    ...(records === 'inline' && isOurs(judgement.value, input) && { encodes: true }),
  };
}

/**
 * Whether the reference encoder of inline records writes these bytes. @param {Value} value @param {Uint8Array} bytes
 */
export function isOurs(value, bytes) {
  if (reordered(value)) return false;
  try {
    return Buffer.compare(encodeRecords(value), bytes) === 0;
  } catch {
    return false; // a key that isn't a str, or more shapes than one-byte ids
  }
}

/**
 * Whether a host's object gives the names of a map back in another order, or not at all: integer-like ones in
 * JavaScript, those that start with NUL in PHP.
 *
 * @param {Value} value
 * @returns {boolean}
 */
function reordered(value) {
  if ('array' in value) return value.array.some(reordered);
  if (!('map' in value)) return false;
  const moves = (/** @type {string} */ name) => /^(0|[1-9][0-9]*)$/.test(name) || name.startsWith('\0');
  return value.map.some(([key, item]) => ('str' in key && moves(key.str)) || reordered(item));
}

/**
 * A case of `stream/`. The values are those the judge delivers, however the bytes are cut; the source says how many and
 * which error it means.
 *
 * @param {string} name
 * @param {Bytes} bytes
 * @param {number} count of values
 * @param {string | null} meant
 * @param {{records?: 'off' | 'inline', limits?: Limits}} [options]
 * @returns {Case}
 */
export function streamed(name, bytes, count, meant, options = {}) {
  const input = bytesOf(bytes);
  const { values, error } = judgeEveryCut(input, options);
  const judged = `${values.length} values, ${error ? write(error) : null}`;
  if (judged !== `${count} values, ${meant}`)
    throw new Error(`${name}: means ${count} values, ${meant}; judged ${judged}`);
  return { name, spec: '06#streams', bytes: writeBytes(input), values: values.map(shorten), error, ...options };
}

/**
 * A case of `canonical/`.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {number | null} [meant] the departure by hand
 * @returns {Case}
 */
export function canonicalized(name, spec, bytes, meant) {
  const input = bytesOf(bytes);
  const judgement = judge(input);
  if (!('value' in judgement)) throw new Error(`${name}: not valid: ${JSON.stringify(judgement)}`);
  const canonical = encode(judgement.value);
  const first = [...canonical].findIndex((byte, index) => byte !== input[index]);
  const departure = first < 0 ? null : first;
  if (meant !== undefined && meant !== departure) throw new Error(`${name}: means ${meant}, judged ${departure}`);
  return { name, spec, bytes: writeBytes(input), canonical: writeBytes(canonical), departure };
}

/**
 * A case of `defaults/`. What becomes of the bytes is by hand; it is the one kind the judge cannot derive.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {Bytes | Fault} outcome what decode then encode gives, or the error
 * @returns {Case}
 */
export function defaulted(name, spec, bytes, outcome) {
  const input = writeBytes(bytesOf(bytes));
  if (typeof outcome === 'object' && 'code' in outcome) return { name, spec, bytes: input, error: outcome };
  return { name, spec, bytes: input, becomes: writeBytes(bytesOf(outcome)) };
}

/**
 * A value with long repetitions written as `times`.
 *
 * @param {Value} value
 * @returns {Value}
 */
export function shorten(value) {
  if ('str' in value && value.str.length > 100 && new Set(value.str).size === 1) {
    const [unit = ''] = value.str;
    return { str: unit, times: value.str.length / unit.length };
  }
  if ('bin' in value && value.bin.length > 200 && new Set(value.bin.match(/../g)).size === 1) {
    return { bin: value.bin.slice(0, 2), times: value.bin.length / 2 };
  }
  if ('map' in value) return { map: value.map.map(([key, item]) => [shorten(key), shorten(item)]) };
  if (!('array' in value)) return value;
  const [first] = value.array;
  const same = value.array.length > 20 && new Set(value.array.map((element) => JSON.stringify(element))).size === 1;
  if (first !== undefined && same) return { array: [shorten(first)], times: value.array.length };
  return { array: value.array.map(shorten) };
}

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
    throw new Error(
      `${name}: ${JSON.stringify(judgement).slice(0, 200)} is not ${JSON.stringify(value).slice(0, 200)}`,
    );
  }
}
