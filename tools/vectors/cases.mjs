// Makes cases from what the sources list: bytes from values, expectations from the judge. A source may state the error
// it means by hand, as `code@offset path`; then the judge must agree.

import { judgeEveryCut } from './cuts.mjs';
import { encodeFault } from './encoding.mjs';
import { judge } from './judge.mjs';
import { LANGUAGES } from './languages.mjs';
import { readBytes, writeBytes } from './notation.mjs';
import { encode, encodeLongest, encodeShared, forms, integralFloatsAsInts } from './reference.mjs';
import { equal } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./judge.mjs').Mode} Mode */
/** @typedef {import('./judge.mjs').Options} Options */
/** @typedef {import('./judge.mjs').Fault} Fault */
/** @typedef {import('./judge.mjs').Limits} Limits */
/** @typedef {import('./judge.mjs').Records} Records */
/** @typedef {import('./judge.mjs').Dictionary} Dictionary */
/** @typedef {import('./languages.mjs').Language} Language */
/** @typedef {{code: string, offset?: number, path: string}} AnyFault encoding errors have no offset */

/**
 * How a reader or writer is set up.
 *
 * @typedef {{records?: Records, dictionary?: Dictionary, header?: boolean, limits?: Limits}} Setup
 */

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
 * @property {'default' | 'strict'} [mode] of defaults
 * @property {AnyFault | null} [error]
 * @property {Language[]} [languages]
 * @property {Mode[]} [modes]
 * @property {Records} [records]
 * @property {Dictionary} [dictionary]
 * @property {boolean} [header]
 * @property {'moreTypes' | 'structuredClone'} [clone]
 * @property {boolean} [integralFloatsAsInts]
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
 * A case of `invalid/` or an invalid one of `records/`. Its modes are those in which all languages find this error.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {string} [meant] the error by hand
 * @param {Setup} [options]
 * @returns {Case}
 */
export function invalid(name, spec, bytes, meant, options = {}) {
  const input = bytesOf(bytes);
  const faults = MODES.flatMap((mode) => {
    const error = errorOfAll(input, { ...options, mode });
    return error ? [{ mode, error }] : [];
  });
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

/**
 * The error that all languages find; null if one of them finds another or none.
 *
 * @param {Uint8Array} input
 * @param {Options} options
 */
function errorOfAll(input, options) {
  const judgements = LANGUAGES.map((language) => judge(input, { ...options, language }));
  const errors = judgements.flatMap((judgement) => ('error' in judgement ? [judgement.error] : []));
  const [first] = errors;
  return errors.length === LANGUAGES.length && new Set(errors.map(write)).size === 1 && first ? first : null;
}

/**
 * Cases of `invalid/` for bytes that the languages judge differently: one for each error, with the languages and modes
 * that find it. An error that every language finds in the same modes names no language.
 *
 * @param {string} name of the case, which ends in the languages where there are several
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {Setup} [options]
 * @returns {Case[]} none if every language reads the bytes in every mode
 */
export function invalidByLanguage(name, spec, bytes, options = {}) {
  const input = bytesOf(bytes);
  /** By error and modes. @type {Map<string, {error: Fault, modes: Mode[], languages: Language[]}>} */
  const groups = new Map();
  for (const language of LANGUAGES) {
    const judged = MODES.map((mode) => ({ mode, judgement: judge(input, { ...options, mode, language }) }));
    const faults = judged.flatMap(({ mode, judgement }) =>
      'error' in judgement ? [{ mode, error: judgement.error }] : [],
    );
    for (const text of new Set(faults.map(({ error }) => write(error)))) {
      const same = faults.filter(({ error }) => write(error) === text);
      const modes = same.map(({ mode }) => mode);
      const key = `${text} ${modes}`;
      const [{ error } = { error: { code: '', offset: 0, path: '' } }] = same;
      const group = groups.get(key) ?? { error, modes, languages: [] };
      group.languages.push(language);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ error, modes, languages }) => ({
    name: `${name}${languages.length < LANGUAGES.length ? `-${languages.join('-')}` : ''}${groups.size > 1 ? `-${error.code.replaceAll('_', '-')}` : ''}`,
    spec,
    bytes: writeBytes(input),
    error,
    ...(languages.length < LANGUAGES.length && { languages }),
    ...(modes.length < MODES.length && { modes }),
    ...options,
  }));
}

/**
 * A case of `invalid/` for some languages only. Its modes are those in which all of them find this error.
 *
 * @param {Language[]} languages
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {string} meant the error by hand
 * @param {Setup} [options]
 * @returns {Case}
 */
export function invalidIn(languages, name, spec, bytes, meant, options = {}) {
  const input = bytesOf(bytes);
  const hasError = (/** @type {Mode} */ mode) =>
    languages.every((language) => {
      const judgement = judge(input, { ...options, mode, language });
      return 'error' in judgement && write(judgement.error) === meant;
    });
  const modes = MODES.filter(hasError);
  if (modes.length === 0) throw new Error(`${name}: not ${meant} in any mode of ${languages}`);
  const [code = '', offset = '', path = ''] = meant.split(/@| /, 3);
  const error = { code, offset: Number(offset), path };
  return {
    name,
    spec,
    bytes: writeBytes(input),
    error,
    languages,
    ...(modes.length < MODES.length && { modes }),
    ...options,
  };
}

/** The short form of an error that sources use. @param {AnyFault} error */
export const write = ({ code, offset, path }) =>
  `${code}${offset === undefined ? '' : `@${offset}`}${path === '' ? '' : ` ${path}`}`;

/**
 * A case of `encode/`: a value that no encoder writes. Its modes are those in which every one of the languages finds
 * this error.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Value} value
 * @param {string} meant the error by hand, `code path`
 * @param {{languages?: Language[], limits?: Limits}} [options] languages whose hosts can hold the value; absent: all
 * @returns {Case}
 */
export function unencodable(name, spec, value, meant, { languages = [...LANGUAGES], limits } = {}) {
  const judged = MODES.map((mode) => ({
    mode,
    faults: languages.map((language) => encodeFault(value, { mode, language, limits })),
  }));
  const modes = judged
    .filter(({ faults }) => faults.every((fault) => fault !== null && write(fault) === meant))
    .map(({ mode }) => mode);
  const error = judged.find(({ mode }) => mode === modes[0])?.faults[0];
  if (!error) throw new Error(`${name}: means ${meant}, judged ${JSON.stringify(judged)}`);
  return {
    name,
    spec,
    value: shorten(value),
    error,
    ...(languages.length < LANGUAGES.length && { languages }),
    ...(modes.length < MODES.length && { modes }),
    ...(limits && { limits }),
  };
}

/**
 * A valid case of `records/`. The value is by hand, and the judge must read it; or absent, and the judge's.
 *
 * @param {string} name
 * @param {string} spec
 * @param {Bytes} bytes
 * @param {Value} [meant]
 * @param {Setup & {writer?: string, languages?: Language[]}} [options]
 * @returns {Case}
 */
export function recorded(name, spec, bytes, meant, { writer, languages, records = 'inline', ...rest } = {}) {
  const input = bytesOf(bytes);
  const setup = { records, ...rest };
  const judgement = judge(input, setup);
  if (!('value' in judgement)) throw new Error(`${name}: the judge refuses it: ${JSON.stringify(judgement)}`);
  if (meant) mustBe(name, input, meant, setup);
  return {
    name,
    spec,
    bytes: writeBytes(input),
    value: judgement.value,
    ...setup,
    ...(languages && { languages }),
    ...(writer && { writer }),
    ...(records !== 'off' && !rest.header && isOurs(judgement.value, input, rest.dictionary) && { encodes: true }),
  };
}

/**
 * Whether the reference encoder of records writes these bytes.
 *
 * @param {Value} value
 * @param {Uint8Array} bytes
 * @param {Dictionary} [dictionary]
 */
export function isOurs(value, bytes, dictionary = []) {
  if (reordered(value)) return false;
  try {
    return Buffer.compare(encodeShared(value, dictionary), bytes) === 0;
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
 * @param {Setup} [options]
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
 * @param {number | null | string} [meant] the departure or the error by hand
 * @param {Setup & {integralFloatsAsInts?: boolean, languages?: Language[]}} [options]
 * @returns {Case}
 */
export function canonicalized(name, spec, bytes, meant, options = {}) {
  const input = bytesOf(bytes);
  const outcome = canonicalOutcome(input, options);
  const judged = 'error' in outcome ? write(outcome.error) : outcome.departure;
  if (meant !== undefined && meant !== judged) throw new Error(`${name}: means ${meant}, judged ${judged}`);
  return { name, spec, bytes: writeBytes(input), ...outcome, ...options };
}

/**
 * What canonicalizing bytes gives (spec/08): the canonical form and where they depart from it, or the error.
 *
 * @param {Uint8Array} input
 * @param {Setup & {integralFloatsAsInts?: boolean}} options
 * @returns {{canonical: string, departure: number | null} | {error: AnyFault}}
 */
export function canonicalOutcome(input, options) {
  const judgement = judge(input, { ...options, sumsNames: true });
  if ('error' in judgement) return { error: judgement.error };
  if (!('value' in judgement)) throw new Error(`lossless mode varies: ${judgement.varies}`);
  const value = options.integralFloatsAsInts ? integralFloatsAsInts(judgement.value) : judgement.value;
  const error = encodeFault(value, { mode: 'lossless', language: 'go' });
  if (error) return { error };
  const canonical = encode(value);
  const first = [...canonical].findIndex((byte, index) => byte !== input[index]);
  // Bytes that records or floats made longer may begin with their whole canonical form.
  const departure = first < 0 && canonical.length < input.length ? canonical.length : first;
  return { canonical: writeBytes(canonical), departure: departure < 0 ? null : departure };
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
