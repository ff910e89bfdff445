// The reference encoder: slow and obvious. It turns a tagged value into its canonical form (spec/08), or, with a
// `pick`, into any longer form that a decoder must accept (spec/02).
//
// Plan: parts of bytes · forms of each kind's head · the encoder · the record encoders.

import { expand, floatNumber, fromHex, int, NAN_BITS, str } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./values.mjs').Entry} Entry */

/**
 * Chooses one of `count` forms of a value, the shortest first.
 *
 * @callback Pick
 * @param {number} count
 * @param {Value} value
 * @returns {number} 0 … count − 1
 */

/** Heads with a length or count of their own: the head byte, and the bytes of the number. @type {[number, number][]} */
const STR = [
  [0xd9, 1],
  [0xda, 2],
  [0xdb, 4],
];
/** @type {[number, number][]} */
const BIN = [
  [0xc4, 1],
  [0xc5, 2],
  [0xc6, 4],
];
/** @type {[number, number][]} */
const EXT = [
  [0xc7, 1],
  [0xc8, 2],
  [0xc9, 4],
];
/** @type {[number, number][]} */
const ARRAY = [
  [0xdc, 2],
  [0xdd, 4],
];
/** @type {[number, number][]} */
const MAP = [
  [0xde, 2],
  [0xdf, 4],
];

/** @type {Pick} */
const shortest = () => 0;
/** @type {Pick} */
const longest = (count) => count - 1;

/** @param {...(Uint8Array | number[])} parts @returns {Uint8Array} */
export function join(...parts) {
  return joinAll(parts);
}

/** @param {(Uint8Array | number[])[]} parts @returns {Uint8Array} */
function joinAll(parts) {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * A number as `length` big-endian bytes, two's complement when negative.
 *
 * @param {number | bigint} value
 * @param {number} length
 */
export function bigEndian(value, length) {
  const bytes = new Uint8Array(length);
  let rest = BigInt(value);
  for (let at = length - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

// --- forms: every accepted encoding of a head, the shortest first (spec/02) ---------------------------------------

/** Makes the bytes of a form, when it is chosen. @typedef {() => Uint8Array} Form */

/** @param {string} decimal @returns {Form[]} */
function intForms(decimal) {
  const value = BigInt(decimal);
  /** @type {Form[]} */
  const forms = [];
  if (value >= -32n && value <= 127n) forms.push(() => bigEndian(value, 1));
  for (const [index, length] of [1, 2, 4, 8].entries()) {
    const fits = value >= 0n && value < 1n << BigInt(length * 8);
    if (fits) forms.push(() => join([0xcc + index], bigEndian(value, length)));
  }
  for (const [index, length] of [1, 2, 4, 8].entries()) {
    const fits = BigInt.asIntN(length * 8, value) === value;
    if (fits) forms.push(() => join([0xd0 + index], bigEndian(value, length)));
  }
  return forms;
}

/** @param {string} bits @returns {Form[]} */
function floatForms(bits) {
  const wide = () => join([0xcb], fromHex(bits));
  if (bits === NAN_BITS) return [wide, () => Uint8Array.of(0xca, 0x7f, 0xc0, 0, 0)];
  const value = Buffer.from(bits, 'hex').readDoubleBE();
  if (!Object.is(Math.fround(value), value)) return [wide];
  const narrow = Buffer.alloc(5, 0xca);
  narrow.writeFloatBE(value, 1);
  return [wide, () => new Uint8Array(narrow)];
}

/**
 * Heads that declare a length or count: `[head byte, bytes of the number]`, and where a short head exists its first
 * byte and its limit.
 *
 * @param {number} number
 * @param {[number, number][]} wide
 * @param {{first: number, last: number}} [short]
 * @returns {Form[]}
 */
function headForms(number, wide, short) {
  const forms = wide
    .filter(([, length]) => number < 2 ** (8 * length))
    .map(
      ([head, length]) =>
        () =>
          join([head], bigEndian(number, length)),
    );
  return short && number <= short.last ? [() => Uint8Array.of(short.first + number), ...forms] : forms;
}

/** @param {Form[]} heads @param {Uint8Array} body @returns {Form[]} */
const before = (heads, body) => heads.map((head) => () => join(head(), body));

/** @param {number} type @param {Uint8Array} data @returns {Form[]} */
function extForms(type, data) {
  const body = join(bigEndian(type, 1), data);
  const fixed = [1, 2, 4, 8, 16].indexOf(data.length);
  const wide = before(headForms(data.length, EXT), body);
  return fixed < 0 ? wide : [() => join([0xd4 + fixed], body), ...wide];
}

/**
 * The data of a timestamp in each form that holds it, the smallest first (spec/04).
 *
 * @param {bigint} seconds
 * @param {number} nanoseconds
 */
export function timestampData(seconds, nanoseconds) {
  const forms = [];
  if (nanoseconds === 0 && seconds >= 0n && seconds < 1n << 32n) forms.push(bigEndian(seconds, 4));
  if (seconds >= 0n && seconds < 1n << 34n) forms.push(bigEndian((BigInt(nanoseconds) << 34n) | seconds, 8));
  forms.push(join(bigEndian(nanoseconds, 4), bigEndian(seconds, 8)));
  return forms;
}

/**
 * Every accepted form of a value whose content is not values; null for arrays and maps.
 *
 * @param {Value} value
 * @returns {Form[] | null}
 */
function scalarForms(value) {
  if ('nil' in value) return [() => Uint8Array.of(0xc0)];
  if ('undefined' in value) return extForms(0, Uint8Array.of(0));
  if ('bool' in value) return [() => Uint8Array.of(value.bool ? 0xc3 : 0xc2)];
  if ('int' in value) return intForms(value.int);
  if ('float' in value) return floatForms(value.float);
  if ('ext' in value) return extForms(value.ext[0], fromHex(value.ext[1]));
  if ('timestamp' in value) {
    return timestampData(BigInt(value.timestamp[0]), value.timestamp[1]).flatMap((data) => extForms(-1, data));
  }
  if ('str' in value || 'notUtf8' in value) {
    const text = 'str' in value ? Buffer.from(value.str, 'utf8') : fromHex(value.notUtf8);
    return before(headForms(text.length, STR, { first: 0xa0, last: 31 }), text);
  }
  if ('bin' in value) {
    const data = fromHex(value.bin);
    return before(headForms(data.length, BIN), data);
  }
  return null;
}

/** @param {number} count @returns {Form[]} */
const arrayForms = (count) => headForms(count, ARRAY, { first: 0x90, last: 15 });
/** @param {number} count @returns {Form[]} */
const mapForms = (count) => headForms(count, MAP, { first: 0x80, last: 15 });

/** @param {number} count */
export const arrayHeads = (count) => arrayForms(count).map((form) => form());
/** @param {number} count */
export const mapHeads = (count) => mapForms(count).map((form) => form());

// --- the encoder -----------------------------------------------------------------------------------------------------

/**
 * Encodes a value: canonical form C1 by default.
 *
 * @param {Value} value
 * @param {Pick} [pick] chooses longer forms, at every value
 * @param {boolean} [sorted] false keeps the entries of maps in the order given
 * @returns {Uint8Array}
 */
export function encode(value, pick = shortest, sorted = true) {
  /** @type {Uint8Array[]} */
  const parts = [];
  collect(parts, expand(value), pick, sorted);
  return joinAll(parts);
}

/** @param {Uint8Array[]} parts @param {Value} value without `times` @param {Pick} pick @param {boolean} sorted */
function collect(parts, value, pick, sorted) {
  if ('array' in value) {
    parts.push(chosen(arrayForms(value.array.length), pick, value));
    for (const element of value.array) collect(parts, element, pick, sorted);
  } else if ('map' in value) {
    parts.push(chosen(mapForms(value.map.length), pick, value));
    for (const [key, item] of sorted ? sortEntries(value.map) : value.map) {
      collect(parts, key, pick, sorted);
      collect(parts, item, pick, sorted);
    }
  } else {
    parts.push(chosen(scalarForms(value) ?? [], pick, value));
  }
}

/** @param {Form[]} forms @param {Pick} pick @param {Value} value */
function chosen(forms, pick, value) {
  const form = forms[pick(forms.length, value)];
  if (!form) throw new Error(`no form to write ${JSON.stringify(value).slice(0, 80)}; is it in range?`);
  return form();
}

/**
 * The entries in canonical order: by the canonical bytes of the key (spec/08).
 *
 * @param {Entry[]} entries
 * @returns {Entry[]}
 */
export function sortEntries(entries) {
  if (entries.length < 2) return entries; // and a key nested deeply is not encoded again at each level
  return entries
    .map((entry) => ({ entry, key: Buffer.from(encode(entry[0])) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ entry }) => entry);
}

/**
 * The value with the entries of every map in canonical order.
 *
 * @param {Value} value
 * @returns {Value}
 */
export function sorted(value) {
  if ('array' in value) return { ...value, array: value.array.map(sorted) };
  if ('map' in value) return { map: sortEntries(value.map).map(([key, item]) => [sorted(key), sorted(item)]) };
  return value;
}

/**
 * The value with each integral float as an int that holds it (spec/08#integral-floats-as-ints), keys too.
 *
 * @param {Value} value
 * @returns {Value}
 */
export function integralFloatsAsInts(value) {
  if ('array' in value) return { ...value, array: value.array.map(integralFloatsAsInts) };
  if ('map' in value) {
    return { map: value.map.map(([key, item]) => [integralFloatsAsInts(key), integralFloatsAsInts(item)]) };
  }
  if (!('float' in value)) return value;
  const number = floatNumber(value);
  return Number.isInteger(number) && number >= -(2 ** 63) && number < 2 ** 64 ? int(BigInt(number)) : value;
}

/**
 * Every form of a value's own head around canonical children, the canonical one first.
 *
 * @param {Value} value
 * @returns {Uint8Array[]}
 */
export function forms(value) {
  const whole = expand(value);
  const count = scalarForms(whole)?.length ?? ('array' in whole ? arrayForms(whole.array.length).length : 0);
  const total = 'map' in whole ? mapForms(whole.map.length).length : count;
  return Array.from({ length: total }, (_, form) => {
    let top = true;
    return encode(whole, () => {
      const choice = top ? form : 0;
      top = false;
      return choice;
    });
  });
}

/** Encodes with the longest head at every value. @param {Value} value */
export const encodeLongest = (value) => encode(value, longest);

// --- records, inline (spec/05) ---------------------------------------------------------------------------------------

/**
 * A declaration: head, id, names. Its first instance's values must follow.
 *
 * @param {number | [number, number]} id one byte, or lo and hi
 * @param {string[]} names
 */
export function declaration(id, names) {
  const bytes = typeof id === 'number' ? [0xd4, 0x72, id] : [0xd5, 0x72, ...id];
  return join(bytes, encode({ array: names.map((name) => str(name)) }));
}

/**
 * Encodes a value with inline records, as a writer does that takes ids from 0x40 up in order of first use and declares
 * each shape (the names in their order) once. Shapes beyond the 64th one-byte id are not supported here.
 *
 * @param {Value} value a tree whose every map has str keys
 * @returns {Uint8Array}
 */
export function encodeRecords(value) {
  return encodeShared(value, []);
}

/**
 * The ids that a writer with a dictionary gives in turn to shapes it has to declare (spec/05#shared).
 *
 * @param {number} count of shapes in the dictionary
 * @returns {(number | [number, number])[]}
 */
function ownIds(count) {
  if (count <= 32) return Array.from({ length: 64 - count }, (_, index) => 0x40 + count + index);
  return Array.from({ length: Math.min(32, count - 32) }, (_, index) => {
    const number = Math.max(count, 64) + index;
    return /** @type {[number, number]} */ ([0x60 + (number % 32), Math.floor(number / 32) - 1]);
  });
}

/**
 * Encodes a value with the records of a dictionary. Shapes that it has to declare must not be more than the ids that
 * the dictionary leaves.
 *
 * @param {Value} value a tree whose every map has str keys
 * @param {(string[] | null)[]} dictionary
 * @returns {Uint8Array}
 */
export function encodeShared(value, dictionary) {
  /** By the names as JSON; of a shape that the dictionary has several times, the last. @type {Map<string, number[]>} */
  const ids = new Map();
  for (const [index, names] of dictionary.entries()) {
    const id = index < 32 ? [0x40 + index] : [0x60 + (index % 32), Math.floor(index / 32) - 1];
    if (names !== null) ids.set(JSON.stringify(names), id);
  }
  const free = ownIds(dictionary.length);

  /** @param {Value} item @returns {Uint8Array} */
  function write(item) {
    if ('int' in item) {
      const number = BigInt(item.int);
      return number >= 64n && number <= 127n ? Uint8Array.of(0xcc, Number(number)) : encode(item);
    }
    if ('array' in item) {
      const head = arrayHeads(item.array.length)[0] ?? [];
      return join(head, ...item.array.map(write));
    }
    if (!('map' in item)) return encode(item);
    const names = item.map.map(([key]) => {
      if (!('str' in key)) throw new Error('a record has str names only; write this map as a map');
      return key.str;
    });
    const shape = JSON.stringify(names);
    const known = ids.get(shape);
    if (known !== undefined) return join(known, ...item.map.map(([, field]) => write(field)));
    const id = free.shift();
    if (id === undefined) throw new Error('more shapes than ids; split the case');
    ids.set(shape, [id].flat());
    return join(declaration(id, names), ...item.map.map(([, field]) => write(field)));
  }

  return write(expand(value));
}
