// What a language's own types make of valid bytes in default and strict mode (spec/09): the slow judge of tools/vectors
// says it for PHP, JavaScript and Go. A library of another language may refuse what its types can't hold.

import { judge } from '../../tools/vectors/judge.mjs';
import { HABITS } from '../../tools/vectors/languages.mjs';
import { anyValueOr, aValue, theError } from './exam.mjs';

/** What the types of a language that the judge doesn't know may refuse. */
const REFUSALS = ['invalid_key', 'duplicate_key', 'out_of_range'];

/**
 * The answer that a decoder must give for valid bytes.
 *
 * @param {string} language of the adapter
 * @param {string} mode
 * @param {string} bytes hex
 * @param {Record<string, unknown>} [options] of the request
 * @returns {import('./exam.mjs').Expectation}
 */
export function theHabit(language, mode, bytes, options = {}) {
  if (!isKnown(language)) return anyValueOr(mode === 'lossless' ? [] : REFUSALS);
  const question = JSON.stringify([language, mode, bytes, options]);
  const known = answers.get(question) ?? ask(language, mode, bytes, options);
  answers.set(question, known);
  return known;
}

/**
 * What the judge said: two adapters of a language are asked the same.
 *
 * @type {Map<string, import('./exam.mjs').Expectation>}
 */
const answers = new Map();

/**
 * @param {import('../../tools/vectors/languages.mjs').Language} language
 * @param {string} mode
 * @param {string} bytes
 * @param {Record<string, unknown>} options
 */
function ask(language, mode, bytes, options) {
  const about = { .../** @type {object} */ (options), language, mode: /** @type {any} */ (mode) };
  const judgement = judge(new Uint8Array(Buffer.from(bytes, 'hex')), about);
  if ('error' in judgement) return theError(judgement.error);
  if (!('value' in judgement)) throw new Error(`the judge has no answer for ${language}`);
  return aValue(asAdaptersTag(judgement.value));
}

/**
 * Whether the judge knows the types of a language.
 *
 * @param {string} language
 * @returns {language is import('../../tools/vectors/languages.mjs').Language}
 */
export const isKnown = (language) => Object.hasOwn(HABITS, language);

/**
 * Adapters write a str that isn't UTF-8 as bin, since JSON can't hold it.
 *
 * @param {import('../../tools/vectors/values.mjs').Value} value
 * @returns {import('../../tools/vectors/values.mjs').Value}
 */
export function asAdaptersTag(value) {
  if ('notUtf8' in value) return { bin: value.notUtf8 };
  if ('array' in value) return { array: value.array.map(asAdaptersTag) };
  if ('map' in value) return { map: value.map.map(([key, item]) => [asAdaptersTag(key), asAdaptersTag(item)]) };
  return value;
}
