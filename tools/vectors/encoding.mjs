// The errors of encoders, from spec/07#encoding alone: which error a value is that has no encoding.
//
// Plan: the fault of a value · timestamps.

import { escapeToken, keyToken, shownPath } from './judge.mjs';
import { HABITS } from './languages.mjs';
import { expand, fromHex, identity } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./judge.mjs').Mode} Mode */
/** @typedef {import('./languages.mjs').Language} Language */
/** @typedef {{code: string, path: string}} EncodeFault */
/** @typedef {{mode: Mode, language: Language, limits?: import('./judge.mjs').Limits}} EncodeOptions */

const MAX_DEPTH = 512;
const RECORD = 0x72;

class Found extends Error {
  /** @param {EncodeFault} fault */
  constructor(fault) {
    super(fault.code);
    this.fault = fault;
  }
}

/**
 * The error that an encoder gives for a value; null if it writes the value. A value with several faults is none for a
 * vector, because the languages look at entries in different orders.
 *
 * @param {Value} value which may have equal keys, an ext of any type, an int out of range
 * @param {EncodeOptions} options
 * @returns {EncodeFault | null}
 */
export function encodeFault(value, { mode, language, limits = {} }) {
  const { maxDepth = MAX_DEPTH } = limits;
  // In default mode equal keys are the host's habit.
  const refusesEqualKeys = mode !== 'default' || language === 'go';

  /** @param {string} code @param {string} path @returns {never} */
  const fail = (code, path) => {
    throw new Found({ code, path: shownPath(path) });
  };

  /** @param {Value} item @param {string | null} path null in a key @param {string} map the path of the outermost map @param {number} depth */
  const look = (item, path, map, depth) => {
    const here = path ?? map;
    if ('int' in item) {
      const number = BigInt(item.int);
      if (number < -(1n << 63n) || number >= 1n << 64n) fail('out_of_range', here);
    }
    if ('ext' in item) {
      const [type, data] = item.ext;
      const length = fromHex(data).length;
      if (type < -128 || type > 127) fail('out_of_range', here);
      if (type === -1 && !isTimestamp(data)) fail('invalid_timestamp', here);
      if (type === RECORD && (length === 1 || length === 2)) fail('invalid_record', here);
    }
    if (('array' in item || 'map' in item) && depth >= maxDepth) fail('limit_exceeded', here);
    if ('array' in item) {
      for (const [index, element] of item.array.entries()) {
        look(element, path === null ? null : `${path}/${index}`, map, depth + 1);
      }
    }
    if ('map' in item) {
      const seen = new Set();
      for (const [index, [key, child]] of item.map.entries()) {
        const isTaken = mode !== 'strict' || !('str' in key) || HABITS[language].takesName(key.str);
        if (!isTaken) fail('invalid_key', here);
        look(key, null, here, depth + 1);
        const entry = path === null ? null : `${path}/${escapeToken(keyToken(key, index))}`;
        if (refusesEqualKeys && seen.has(identity(key))) fail('duplicate_key', entry ?? map);
        seen.add(identity(key));
        look(child, entry, map, depth + 1);
      }
    }
  };

  try {
    look(expand(value), '', '', 0);
    return null;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

/** Whether the data of an ext of type −1 is a timestamp (spec/04). @param {string} hex */
function isTimestamp(hex) {
  const bits = BigInt(`0x${hex || '0'}`);
  const nanoseconds = { 4: 0n, 8: bits >> 34n, 12: bits >> 64n }[hex.length / 2];
  return nanoseconds !== undefined && nanoseconds <= 999_999_999n;
}
