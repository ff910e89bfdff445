// Tagged values (vectors/README.md): shape, equality (spec/01) and the canonical encoding (spec/08).
//
// Plan of the file: types · kinds and tags · write out `times` · equality · canonical bytes · numbers for the encoder.
// The canonical encoder here is independent of every implementation, so that the judge can check its own vectors.

/**
 * A value with one tag: {"int": "5"}, {"array": […]}, … `times` repeats a str, a bin or the one element of an array.
 *
 * @typedef {Record<string, unknown>} Tagged
 */

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 64n - 1n;
const NAN_BITS = '7ff8000000000000';

/** What the judge says about an answer that isn't a tagged value. */
export class MalformedValue extends Error {}

/**
 * @param {unknown} value
 * @param {string} why
 * @returns {never}
 */
function failMalformed(value, why) {
  throw new MalformedValue(`${why}: ${JSON.stringify(value)?.slice(0, 100)}`);
}

/**
 * Splits a tagged value into its tag and content.
 *
 * @param {unknown} value
 * @returns {{tag: string, content: unknown, times: number}}
 */
function open(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) failMalformed(value, 'not a tagged value');
  const tags = Object.keys(value).filter((key) => key !== 'times');
  const [tag = ''] = tags;
  if (tags.length !== 1) failMalformed(value, 'a tagged value has exactly one tag');
  const { times = 1 } = /** @type {{times?: unknown}} */ (value);
  if (typeof times !== 'number' || !Number.isSafeInteger(times) || times < 0) failMalformed(value, 'times is a count');
  if ('times' in value && !['str', 'bin', 'array'].includes(tag)) failMalformed(value, `times does not go with ${tag}`);
  return { tag, content: /** @type {Tagged} */ (value)[tag], times };
}

/**
 * @param {unknown} content
 * @returns {bigint}
 */
function integer(content) {
  if (typeof content !== 'string' || !/^(0|-?[1-9][0-9]*)$/.test(content)) failMalformed(content, 'not a decimal int');
  const number = BigInt(content);
  if (number < INT_MIN || number > INT_MAX) failMalformed(content, 'int out of range');
  return number;
}

/**
 * @param {unknown} content
 * @returns {string}
 */
function hex(content) {
  if (typeof content !== 'string' || !/^([0-9a-f]{2})*$/.test(content)) failMalformed(content, 'not lowercase hex');
  return content;
}

/**
 * The binary64 bits, all NaN as one.
 *
 * @param {unknown} content
 * @returns {string}
 */
function floatBits(content) {
  if (hex(content).length !== 16) failMalformed(content, 'not the bits of a binary64');
  const bits = BigInt(`0x${content}`);
  const exponent = (bits >> 52n) & 0x7ffn;
  const isNotANumber = exponent === 0x7ffn && (bits & ((1n << 52n) - 1n)) !== 0n;
  return isNotANumber ? NAN_BITS : String(content);
}

/**
 * @param {unknown} content
 * @returns {string}
 */
function text(content) {
  if (typeof content !== 'string' || /\p{Surrogate}/u.test(content)) failMalformed(content, 'not a str');
  return content;
}

/** Characters that `times` may make: half of what fits in a string of V8 as hex. */
const MAX_REPEATED = 2 ** 27;

/**
 * @param {string} part
 * @param {number} times
 * @returns {string}
 */
function repeat(part, times) {
  if (part.length * times > MAX_REPEATED) failMalformed(times, 'times is too large');
  return part.repeat(times);
}

/**
 * @param {unknown} content
 * @returns {unknown[]}
 */
function list(content) {
  if (!Array.isArray(content)) failMalformed(content, 'not a list');
  return content;
}

/**
 * @param {unknown} content
 * @returns {[unknown, unknown]}
 */
function pair(content) {
  const two = list(content);
  if (two.length !== 2) failMalformed(content, 'not a pair');
  return [two[0], two[1]];
}

/**
 * @param {unknown} content
 * @returns {{seconds: bigint, nanoseconds: number}}
 */
function moment(content) {
  const [seconds, nanoseconds] = pair(content);
  const whole = integer(seconds);
  if (whole > 2n ** 63n - 1n) failMalformed(content, 'seconds out of range');
  if (
    typeof nanoseconds !== 'number' ||
    !Number.isInteger(nanoseconds) ||
    nanoseconds < 0 ||
    nanoseconds > 999_999_999
  ) {
    failMalformed(content, 'nanoseconds out of range');
  }
  return { seconds: whole, nanoseconds };
}

/**
 * @param {unknown} content
 * @returns {{type: number, data: string}}
 */
function extension(content) {
  const [type, data] = pair(content);
  if (typeof type !== 'number' || !Number.isInteger(type) || type < -128 || type > 127) {
    failMalformed(content, 'ext type out of range');
  }
  return { type, data: hex(data) };
}

/**
 * Writes a tagged value out: no `times` is left in it. Requests carry only such values.
 *
 * @param {unknown} value
 * @returns {Tagged}
 */
export function expand(value) {
  const { tag, content, times } = open(value);
  switch (tag) {
    case 'str':
      return { str: repeat(text(content), times) };
    case 'bin':
      return { bin: repeat(hex(content), times) };
    case 'array': {
      const elements = list(content).map(expand);
      return { array: times === 1 ? elements : Array.from({ length: times }, () => elements).flat() };
    }
    case 'map':
      return { map: list(content).map((entry) => pair(entry).map(expand)) };
    default:
      return { [tag]: content };
  }
}

/**
 * Says whether two tagged values are equal by spec/01: kinds differ, the order of entries and NaN payloads do not
 * count. `undefined` and the ext of type 0 with the byte 00 are one value, as spec/01 defines the first by the second.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 * @throws {MalformedValue} if one of them isn't a tagged value
 */
export function equal(left, right) {
  return canonical(left) === canonical(right);
}

/**
 * Lists every value inside a tagged value, itself first; map keys are marked.
 *
 * @param {unknown} value written out
 * @param {boolean} [isKey]
 * @returns {Generator<{tag: string, content: unknown, isKey: boolean}>}
 */
export function* walk(value, isKey = false) {
  const { tag, content } = open(value);
  yield { tag, content, isKey };
  if (tag === 'array') for (const element of list(content)) yield* walk(element);
  if (tag === 'map') {
    for (const entry of list(content)) {
      const [key, child] = pair(entry);
      yield* walk(key, true);
      yield* walk(child);
    }
  }
}

/**
 * Encodes a tagged value in canonical form C1 (spec/08). Equal values have equal bytes and different values different
 * ones, so this is also the judge's measure of equality. A map with equal keys keeps both, and so equals no valid map.
 *
 * @param {unknown} value
 * @returns {string} lowercase hex
 * @throws {MalformedValue} if it isn't a tagged value
 */
export function canonical(value) {
  const { tag, content, times } = open(value);
  switch (tag) {
    case 'nil':
      return content === true ? 'c0' : failMalformed(value, 'nil is written {"nil": true}');
    case 'undefined':
      return content === true ? 'd40000' : failMalformed(value, 'undefined is written {"undefined": true}');
    case 'bool':
      return typeof content === 'boolean' ? (content ? 'c3' : 'c2') : failMalformed(value, 'not a bool');
    case 'int':
      return canonicalInt(integer(content));
    case 'float':
      return `cb${floatBits(content)}`;
    case 'str': {
      const bytes = Buffer.from(repeat(text(content), times), 'utf8');
      return (
        head(bytes.length, [
          [31, 0xa0, 0],
          [0xff, 0xd9, 1],
          [0xffff, 0xda, 2],
          [Infinity, 0xdb, 4],
        ]) + bytes.toString('hex')
      );
    }
    case 'bin': {
      const bytes = repeat(hex(content), times);
      return (
        head(bytes.length / 2, [
          [0xff, 0xc4, 1],
          [0xffff, 0xc5, 2],
          [Infinity, 0xc6, 4],
        ]) + bytes
      );
    }
    case 'array': {
      const elements = list(content).map(canonical);
      const body = repeat(elements.join(''), times);
      return (
        head(elements.length * times, [
          [15, 0x90, 0],
          [0xffff, 0xdc, 2],
          [Infinity, 0xdd, 4],
        ]) + body
      );
    }
    case 'map':
      return canonicalMap(list(content));
    case 'timestamp':
      return canonicalTimestamp(moment(content));
    case 'ext': {
      const { type, data } = extension(content);
      return type === -1 ? failMalformed(value, 'type -1 is a timestamp') : canonicalExt(type, data);
    }
    default:
      return failMalformed(value, `unknown tag ${tag}`);
  }
}

/**
 * The shortest head of a length or count: rows of [largest number, head byte, bytes of the number]; 0 bytes:
 * it is in the head byte.
 *
 * @param {number} number
 * @param {[number, number, number][]} forms
 */
function head(number, forms) {
  const [, code, width] = forms.find(([largest]) => number <= largest) ?? failMalformed(number, 'no head holds it');
  return width === 0 ? unsigned(code + number, 1) : unsigned(code, 1) + unsigned(number, width);
}

/**
 * @param {number | bigint} number
 * @param {number} width bytes
 */
function unsigned(number, width) {
  return BigInt.asUintN(width * 8, BigInt(number))
    .toString(16)
    .padStart(width * 2, '0');
}

/** @param {bigint} number */
function canonicalInt(number) {
  if (number >= 0n) {
    if (number <= 0x7fn) return unsigned(number, 1);
    if (number <= 0xffn) return `cc${unsigned(number, 1)}`;
    if (number <= 0xffffn) return `cd${unsigned(number, 2)}`;
    return number <= 0xffff_ffffn ? `ce${unsigned(number, 4)}` : `cf${unsigned(number, 8)}`;
  }
  if (number >= -0x20n) return unsigned(number, 1);
  if (number >= -0x80n) return `d0${unsigned(number, 1)}`;
  if (number >= -0x8000n) return `d1${unsigned(number, 2)}`;
  return number >= -0x8000_0000n ? `d2${unsigned(number, 4)}` : `d3${unsigned(number, 8)}`;
}

/** @param {unknown[]} entries */
function canonicalMap(entries) {
  const encoded = entries.map((entry) => pair(entry).map(canonical));
  // Lowercase hex sorts as the bytes do.
  encoded.sort(([left = ''], [right = '']) => (left < right ? -1 : left > right ? 1 : 0));
  return (
    head(entries.length, [
      [15, 0x80, 0],
      [0xffff, 0xde, 2],
      [Infinity, 0xdf, 4],
    ]) + encoded.flat().join('')
  );
}

/** @param {{seconds: bigint, nanoseconds: number}} timestamp */
function canonicalTimestamp({ seconds, nanoseconds }) {
  if (seconds >= 0n && seconds < 2n ** 34n) {
    if (nanoseconds === 0 && seconds < 2n ** 32n) return `d6ff${unsigned(seconds, 4)}`;
    return `d7ff${unsigned((BigInt(nanoseconds) << 34n) | seconds, 8)}`;
  }
  return `c70cff${unsigned(nanoseconds, 4)}${unsigned(seconds, 8)}`;
}

/**
 * @param {number} type
 * @param {string} data hex
 */
function canonicalExt(type, data) {
  const length = data.length / 2;
  const fixed = [1, 2, 4, 8, 16].indexOf(length);
  const start =
    fixed >= 0
      ? unsigned(0xd4 + fixed, 1)
      : head(length, [
          [0xff, 0xc7, 1],
          [0xffff, 0xc8, 2],
          [Infinity, 0xc9, 4],
        ]);
  return start + unsigned(type, 1) + data;
}
