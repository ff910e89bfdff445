// Tagged values (vectors/README.md): their type, short constructors, and equality as spec/01 defines it.
//
// Plan: the types · constructors · bytes and hex · `times` written out · equality.

/**
 * A value with one tag; spec/01 lists the kinds. `notUtf8` stands in no vector (languages.mjs).
 *
 * @typedef {{nil: true} | {undefined: true} | {bool: boolean} | {int: string} | {float: string}
 *   | {str: string, times?: number} | {bin: string, times?: number} | {array: Value[], times?: number}
 *   | {map: [Value, Value][]} | {timestamp: [string, number]} | {ext: [number, string]} | {notUtf8: string}} Value
 */

/** @typedef {[Value, Value]} Entry */

export const NAN_BITS = '7ff8000000000000';

/** @type {Value} */
export const nil = { nil: true };
/** @type {Value} */
export const undef = { undefined: true };

/** @param {boolean} value @returns {Value} */
export const bool = (value) => ({ bool: value });

/** @param {number | bigint} value @returns {Value} */
export const int = (value) => ({ int: BigInt(value).toString() });

/** @param {string} text @param {number} [times] @returns {Value} */
export const str = (text, times) => (times === undefined ? { str: text } : { str: text, times });

/** @param {string} hex @param {number} [times] @returns {Value} */
export const bin = (hex, times) => (times === undefined ? { bin: hex } : { bin: hex, times });

/** @param {Value[]} elements @param {number} [times] @returns {Value} */
export const array = (elements, times) => (times === undefined ? { array: elements } : { array: elements, times });

/** @param {Entry[]} entries @returns {Value} */
export const map = (entries) => ({ map: entries });

/**
 * A map whose keys are str, in the order given.
 *
 * @param {[string, Value][]} entries
 * @returns {Value}
 */
export const fields = (entries) => ({ map: entries.map(([name, value]) => [str(name), value]) });

/** @param {number | bigint} seconds @param {number} [nanoseconds] @returns {Value} */
export const timestamp = (seconds, nanoseconds = 0) => ({ timestamp: [BigInt(seconds).toString(), nanoseconds] });

/** @param {number} type @param {string} hex @returns {Value} */
export const ext = (type, hex) => ({ ext: [type, hex] });

/** @param {number} value @returns {Value} */
export function float(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return floatBits(view.getBigUint64(0));
}

/**
 * A float by its binary64 bits; every NaN becomes the one NaN of spec/01.
 *
 * @param {bigint} bits
 * @returns {Value}
 */
export function floatBits(bits) {
  const magnitude = bits & 0x7fff_ffff_ffff_ffffn;
  if (magnitude > 0x7ff0_0000_0000_0000n) return { float: NAN_BITS };
  return { float: bits.toString(16).padStart(16, '0') };
}

/** @param {{float: string}} value */
export const floatNumber = (value) => Buffer.from(value.float, 'hex').readDoubleBE();

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Buffer.from(bytes).toString('hex');

/** @param {string} hex @returns {Uint8Array} */
export const fromHex = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));

/**
 * Writes `times` out, at every depth.
 *
 * @param {Value} value
 * @returns {Value}
 */
export function expand(value) {
  if ('str' in value) return { str: value.str.repeat(value.times ?? 1) };
  if ('bin' in value) return { bin: value.bin.repeat(value.times ?? 1) };
  if ('array' in value) {
    const once = value.array.map(expand);
    return { array: Array.from({ length: value.times ?? 1 }, () => once).flat() };
  }
  if ('map' in value) return { map: value.map.map(([key, item]) => [expand(key), expand(item)]) };
  return value;
}

/**
 * A text that two values share exactly when they are equal by spec/01. It is made without the encoder, so that
 * judging a key or a case does not lean on what it judges.
 *
 * @param {Value} value
 * @returns {string}
 */
export function identity(value) {
  if ('array' in value) {
    const once = value.array.map(identity).join(',');
    return `[${Array.from({ length: value.times ?? 1 }, () => once).join(',')}]`;
  }
  if ('map' in value) {
    const entries = value.map.map(([key, item]) => `${identity(key)}:${identity(item)}`);
    return `{${entries.sort().join(',')}}`;
  }
  return JSON.stringify('times' in value ? expand(value) : value);
}

/** @param {Value} a @param {Value} b */
export const equal = (a, b) => identity(a) === identity(b);
