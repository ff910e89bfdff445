// The reference decoder: slow, obvious, and written from spec/07#which-fault-wins alone. It judges bytes: their value,
// or the one error they are. It shares no code with the codecs it judges, and with the reference encoder only the bytes
// of record names, which fingerprints and a limit need.
//
// Plan: what a judgement is · the judge, head by head · numbers, text, timestamps · paths.
//
// Where spec/09 lets the languages differ, a judgement says that it `varies`: no case may pin it for all of them. Asked
// about one `language`, the judge answers for that one: with its error, or with what the value becomes (languages.mjs).

import { become, HABITS } from './languages.mjs';
import { encode } from './reference.mjs';
import { floatBits, fromHex, identity, int, toHex } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {'default' | 'strict' | 'lossless'} Mode */
/** @typedef {'off' | 'inline' | 'shared'} Records */
/** Shapes by number; null for a place without one (spec/05#shared). @typedef {(string[] | null)[]} Dictionary */
/** @typedef {{maxDepth?: number, maxValues?: number, maxBytes?: number}} Limits */
/** @typedef {import('./languages.mjs').Language} Language */
/**
 * @typedef {object} Options
 * @property {Mode} [mode]
 * @property {Records} [records]
 * @property {Dictionary} [dictionary] with records `shared`
 * @property {boolean} [header] whether messages may begin with a header (spec/05#header)
 * @property {Limits} [limits]
 * @property {boolean} [sumsNames] whether the names of all records count for maxBytes (spec/06#names-of-records)
 * @property {Language} [language]
 */
/** @typedef {{code: string, offset: number, path: string}} Fault */
/** @typedef {{value: Value, end: number} | {error: Fault} | {varies: string}} Judgement */

/**
 * Where a value stands. Inside a key every fault has the path of the map that is not itself in a key.
 *
 * @typedef {{path: string, inKey: boolean}} Place
 */

/** @typedef {{names: Value[]}} Declared */

const MAX_DEPTH = 512;
const MAX_BYTES = 67_108_864;
const TIMESTAMP = -1;
const UNDEFINED = 0;
const RECORD = 0x72;
const MAX_NANOSECONDS = 999_999_999;

class FaultFound extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(`${fault.code} at ${fault.offset}`);
    this.fault = fault;
  }
}

class LanguagesDiffer extends Error {}

/**
 * Judges bytes that should hold exactly one value.
 *
 * @param {Uint8Array} bytes
 * @param {Options} [options] mode lossless, records off, the limits of spec/06 and no language when absent
 * @returns {Judgement}
 */
export function judge(bytes, options = {}) {
  const judgement = judgeFirst(bytes, 0, options);
  if (!('value' in judgement) || judgement.end === bytes.length) return judgement;
  return { error: { code: 'trailing_data', offset: judgement.end, path: '' } };
}

/**
 * Judges the first value of bytes that may hold more.
 *
 * @param {Uint8Array} bytes
 * @param {number} start where it starts; offsets count from the first byte all the same
 * @param {Options} [options] as for judge
 * @returns {Judgement}
 */
export function judgeFirst(bytes, start, options = {}) {
  const reading = new Reading(bytes, start, options);
  try {
    if (options.header) reading.header(options.dictionary ?? []);
    const value = reading.value({ path: '', inKey: false }, 0, 0);
    const { language, mode = 'lossless' } = options;
    return { value: language && mode !== 'lossless' ? become(value, language) : value, end: reading.at };
  } catch (error) {
    if (error instanceof FaultFound) return { error: error.fault };
    if (error instanceof LanguagesDiffer) return { varies: error.message };
    throw error;
  }
}

/** @param {string} code @param {number} offset @param {Place} place @returns {never} */
function fail(code, offset, place) {
  throw new FaultFound({ code, offset, path: shownPath(place.path) });
}

/** @param {string} why @returns {never} */
function differ(why) {
  throw new LanguagesDiffer(why);
}

/** One pass over one message, from left to right. */
class Reading {
  /** @param {Uint8Array} bytes @param {number} start @param {Options} options */
  constructor(bytes, start, options) {
    const { mode = 'lossless', records = 'off', dictionary = [], limits = {}, language } = options;
    this.bytes = bytes;
    this.mode = mode;
    this.habits = language && mode !== 'lossless' ? HABITS[language] : null;
    /** Whether the answer must be that of every language. */
    this.isForAll = mode !== 'lossless' && !language;
    /** Whether the ext that comes next is a key. */
    this.isExtKey = false;
    this.records = records;
    this.maxDepth = limits.maxDepth ?? MAX_DEPTH;
    this.maxValues = limits.maxValues ?? Number.POSITIVE_INFINITY;
    this.at = start;
    this.values = 1;
    this.namesLeft = options.sumsNames ? (limits.maxBytes ?? MAX_BYTES) : Number.POSITIVE_INFINITY;
    /** Declarations by `id` or `lo,hi`. @type {Map<string, Declared>} */
    this.declared = new Map();
    /** Which form the byte was declared with last. @type {Map<number, 'one' | 'two'>} */
    this.idForm = new Map();
    for (const { id, names } of sharedIds(dictionary)) {
      this.declared.set(id.join(), { names: names.map((name) => ({ str: name })) });
      this.idForm.set(id[0] ?? 0, id.length === 1 ? 'one' : 'two');
    }
    for (const lo of sharedLows(dictionary)) this.idForm.set(lo, 'two');
  }

  get remaining() {
    return this.bytes.length - this.at;
  }

  /** @param {number} offset */
  byteAt(offset) {
    const byte = this.bytes[offset];
    if (byte === undefined) throw new Error(`the judge read past the end at ${offset}`);
    return byte;
  }

  /**
   * Reads a value. The numbers in the comments are those of spec/07#which-fault-wins.
   *
   * @param {Place} place
   * @param {number} depth open containers around it
   * @param {number} owed values the containers around it still have to deliver after it
   * @param {boolean} [asKey]
   * @returns {Value}
   */
  value(place, depth, owed, asKey = false) {
    const head = this.head(place); // 1, 2
    const start = this.at;
    if (asKey) this.judgeKeyHead(head, place); // 3
    if (this.isInstance(head, start, place)) return this.instance(start, place, depth, owed);
    if (head <= 0x7f) return this.finish(1, int(head));
    if (head >= 0xe0) return this.finish(1, int(head - 256));
    if (head <= 0x8f) return this.map(head & 0x0f, 1, place, depth, owed);
    if (head <= 0x9f) return this.array(head & 0x0f, 1, place, depth, owed);
    if (head <= 0xbf) return this.str(head & 0x1f, 1, place);
    switch (head) {
      case 0xc0:
        return this.finish(1, { nil: true });
      case 0xc2:
      case 0xc3:
        return this.finish(1, { bool: head === 0xc3 });
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.bin(this.number(2 ** (head - 0xc4), place), 1 + 2 ** (head - 0xc4), place);
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.longExt(2 ** (head - 0xc7), place, depth, owed);
      case 0xca:
        return this.finish(5, float32Value(this.number(4, place)));
      case 0xcb:
        return this.finish(9, floatBits(this.wideNumber(8, place)));
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf: {
        const length = 2 ** (head - 0xcc);
        return this.finish(1 + length, int(this.wideNumber(length, place)));
      }
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: {
        const length = 2 ** (head - 0xd0);
        return this.finish(1 + length, int(BigInt.asIntN(8 * length, this.wideNumber(length, place))));
      }
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.ext(2 ** (head - 0xd4), 1, place, depth, owed);
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.str(this.number(2 ** (head - 0xd9), place), 1 + 2 ** (head - 0xd9), place);
      case 0xdc:
      case 0xdd:
        return this.array(this.number(2 * (head - 0xdb), place), 1 + 2 * (head - 0xdb), place, depth, owed);
      case 0xde:
      case 0xdf:
        return this.map(this.number(2 * (head - 0xdd), place), 1 + 2 * (head - 0xdd), place, depth, owed);
      default:
        throw new Error(`the judge knows no head byte ${head}`);
    }
  }

  /** Looks at the head byte: rules 1 and 2. @param {Place} place */
  head(place) {
    if (this.remaining === 0) fail('unexpected_end', this.bytes.length, place);
    const head = this.byteAt(this.at);
    if (head === 0xc1) fail('reserved_byte', this.at, place);
    return head;
  }

  /** @param {number} length @param {Value} value */
  finish(length, value) {
    this.at += length;
    return value;
  }

  /**
   * The number of `length` bytes after the head byte: rule 4.
   *
   * @param {number} length
   * @param {Place} place
   */
  wideNumber(length, place) {
    if (this.remaining < 1 + length) fail('unexpected_end', this.at, place);
    return BigInt(`0x${toHex(this.bytes.subarray(this.at + 1, this.at + 1 + length))}`);
  }

  /** @param {number} length @param {Place} place */
  number(length, place) {
    return Number(this.wideNumber(length, place));
  }

  /**
   * Goes past the head of a container whose children are known: rule 5.
   *
   * @param {number} length bytes of the head
   * @param {number} children
   * @param {Place} place
   * @param {number} depth
   * @param {number} owed
   */
  open(length, children, place, depth, owed) {
    if (depth >= this.maxDepth) fail('limit_exceeded', this.at, place);
    if (children + owed > this.remaining - length) fail('unexpected_end', this.at, place);
    this.count(children, this.at, place);
    this.at += length;
  }

  /** @param {number} children @param {number} offset @param {Place} place */
  count(children, offset, place) {
    this.values += children;
    if (this.values > this.maxValues) fail('limit_exceeded', offset, place);
  }

  /**
   * @param {number} count
   * @param {number} length
   * @param {Place} place
   * @param {number} depth
   * @param {number} owed
   * @returns {Value}
   */
  array(count, length, place, depth, owed) {
    this.open(length, count, place, depth, owed);
    const elements = [];
    for (let index = 0; index < count; index++) {
      elements.push(this.value(step(place, String(index)), depth + 1, owed + count - index - 1));
    }
    return { array: elements };
  }

  /**
   * @param {number} count
   * @param {number} length
   * @param {Place} place
   * @param {number} depth
   * @param {number} owed
   * @returns {Value}
   */
  map(count, length, place, depth, owed) {
    this.open(length, 2 * count, place, depth, owed);
    /** @type {[Value, Value][]} */
    const entries = [];
    const keys = new Set();
    for (let index = 0; index < count; index++) {
      const after = owed + 2 * (count - index - 1);
      const keyStart = this.at;
      const key = this.value({ path: place.path, inKey: true }, depth + 1, after + 1, true);
      const entryPlace = step(place, keyToken(key, index));
      this.judgeName(key, keyStart, place);
      if (this.mode !== 'default') {
        const sameAs = (this.habits?.keyIdentity ?? identity)(key);
        if (keys.has(sameAs)) fail('duplicate_key', keyStart, entryPlace); // 8
        keys.add(sameAs);
      }
      if (this.isForAll) differAboutKey(key, entries);
      entries.push([key, this.value(entryPlace, depth + 1, after)]);
    }
    return { map: entries };
  }

  /**
   * @param {number} length
   * @param {number} headLength
   * @param {Place} place
   * @returns {Value}
   */
  str(length, headLength, place) {
    if (this.remaining - headLength < length) fail('unexpected_end', this.at, place); // 6
    const body = this.bytes.subarray(this.at + headLength, this.at + headLength + length);
    const text = decodeUtf8(body);
    if (text === null) {
      const isDefault = this.mode === 'default';
      if (isDefault && this.isForAll) differ('JavaScript refuses invalid UTF-8, PHP and Go keep the bytes');
      if (!isDefault || !this.habits?.keepsBytes) fail('invalid_utf8', this.at, place); // 7
      return this.finish(headLength + length, { notUtf8: toHex(body) });
    }
    return this.finish(headLength + length, { str: text });
  }

  /** @param {number} length @param {number} headLength @param {Place} place @returns {Value} */
  bin(length, headLength, place) {
    if (this.remaining - headLength < length) fail('unexpected_end', this.at, place); // 6
    const body = this.bytes.subarray(this.at + headLength, this.at + headLength + length);
    return this.finish(headLength + length, { bin: toHex(body) });
  }

  /** @param {number} lengthBytes @param {Place} place @param {number} depth @param {number} owed */
  longExt(lengthBytes, place, depth, owed) {
    const length = this.number(lengthBytes, place);
    return this.ext(length, 1 + lengthBytes, place, depth, owed);
  }

  /**
   * @param {number} length
   * @param {number} typeAt where the type stands, from the head
   * @param {Place} place
   * @param {number} depth
   * @param {number} owed
   * @returns {Value}
   */
  ext(length, typeAt, place, depth, owed) {
    if (this.remaining < typeAt + 1) fail('unexpected_end', this.at, place); // 4
    const type = (this.byteAt(this.at + typeAt) << 24) >> 24;
    const data = this.bytes.subarray(this.at + typeAt + 1, this.at + typeAt + 1 + length);
    const isKey = this.isExtKey;
    this.isExtKey = false;
    const isRecord = type === RECORD && (length === 1 || length === 2);
    if (isKey) this.judgeKeyKind(isRecord ? 'map' : extKind(type, data, length), place); // 3
    if (data.length < length) fail('unexpected_end', this.at, place); // 6
    const whole = typeAt + 1 + length;
    if (isRecord) return this.declaration(data, place, depth, owed);
    if (type === TIMESTAMP) return this.finish(whole, this.timestamp(data, place));
    if (type === UNDEFINED && length === 1 && data[0] === 0) return this.finish(whole, { undefined: true });
    return this.finish(whole, { ext: [type, toHex(data)] });
  }

  /**
   * spec/04. Rule 7.
   *
   * @param {Uint8Array} data
   * @param {Place} place
   * @returns {Value}
   */
  timestamp(data, place) {
    if (![4, 8, 12].includes(data.length)) fail('invalid_timestamp', this.at, place);
    const bits = BigInt(`0x${toHex(data)}`);
    let seconds = bits;
    let nanoseconds = 0;
    if (data.length === 8) {
      seconds = bits & ((1n << 34n) - 1n);
      nanoseconds = Number(bits >> 34n);
    } else if (data.length === 12) {
      seconds = BigInt.asIntN(64, bits);
      nanoseconds = Number(bits >> 64n);
    }
    if (nanoseconds > MAX_NANOSECONDS) fail('invalid_timestamp', this.at, place);
    // Of the three, JavaScript's Date has the shortest range.
    const habits = this.isForAll ? HABITS.javascript : this.habits;
    if (habits?.holdsMoment(seconds, nanoseconds) === false) {
      if (this.isForAll) differ('the host types have different ranges');
      fail('out_of_range', this.at, place);
    }
    return { timestamp: [seconds.toString(), nanoseconds] };
  }

  // --- records (spec/05) ---------------------------------------------------------------------------------------------

  /**
   * Whether a byte 40–7f is an instance; fails when it can be neither that nor an int.
   *
   * @param {number} head
   * @param {number} start
   * @param {Place} place
   */
  isInstance(head, start, place) {
    if (this.records === 'off' || head < 0x40 || head > 0x7f) return false;
    if (this.idForm.has(head)) return true;
    if (this.mode === 'strict' || this.records === 'shared') fail('unknown_record', start, place);
    return false;
  }

  /** @param {number} start @param {Place} place @param {number} depth @param {number} owed @returns {Value} */
  instance(start, place, depth, owed) {
    const id = this.byteAt(start);
    const two = this.idForm.get(id) === 'two';
    if (two && this.remaining < 2) fail('unexpected_end', start, place); // 4
    const key = two ? `${id},${this.byteAt(start + 1)}` : `${id}`;
    const record = this.declared.get(key);
    if (!record) fail('unknown_record', start, place);
    this.open(two ? 2 : 1, record.names.length, place, depth, owed);
    this.sumNames(record.names, start, place);
    return this.fields(record.names, place, depth, owed);
  }

  /**
   * Rule 7 for type 0x72; the head and data are there.
   *
   * @param {Uint8Array} data
   * @param {Place} place
   * @param {number} depth
   * @param {number} owed
   * @returns {Value}
   */
  declaration(data, place, depth, owed) {
    const start = this.at;
    const head = this.byteAt(start);
    const [id = 0, hi] = data;
    if (this.records === 'off') fail('invalid_record', start, place);
    if (head !== 0xd4 && head !== 0xd5) fail('invalid_record', start, place);
    if (id < (hi === undefined ? 0x40 : 0x60) || id > 0x7f) fail('invalid_record', start, place);
    if (depth >= this.maxDepth) fail('limit_exceeded', start, place);
    this.at += 2 + data.length;
    const names = this.names(start, place, owed);
    this.declared.set(hi === undefined ? `${id}` : `${id},${hi}`, { names });
    this.idForm.set(id, hi === undefined ? 'one' : 'two');
    this.sumNames(names, start, place);
    return this.fields(names, place, depth, owed);
  }

  /**
   * Counts what the names of a record take where it is written as a map (spec/06#names-of-records).
   *
   * @param {Value[]} names
   * @param {number} record its head byte or id
   * @param {Place} place
   */
  sumNames(names, record, place) {
    if (this.namesLeft === Number.POSITIVE_INFINITY) return;
    const nils = names.map((name) => /** @type {[Value, Value]} */ ([name, { nil: true }]));
    this.namesLeft -= encode({ map: nils }).length - names.length;
    if (this.namesLeft < 0) fail('limit_exceeded', record, place);
  }

  /** The header of a message, which need not have one (spec/05#header). @param {Dictionary} dictionary */
  header(dictionary) {
    const place = { path: '', inKey: false };
    if (this.bytes[this.at] !== 0xc1 || (this.remaining > 1 && this.bytes[this.at + 1] !== 0x50)) return;
    if (this.remaining < 10) fail('unexpected_end', this.at, place);
    const given = toHex(this.bytes.subarray(this.at + 2, this.at + 10));
    const known = Array.from({ length: dictionary.length + 1 }, (_, count) => fingerprint(dictionary.slice(0, count)));
    if (!known.includes(given)) fail('invalid_record', this.at, place);
    this.at += 10;
  }

  /** The array of names. @param {number} declaration its head @param {Place} place @param {number} owed */
  names(declaration, place, owed) {
    const head = this.head(place);
    const start = this.at;
    let count = head & 0x0f;
    let length = 1;
    if (head === 0xdc || head === 0xdd) {
      length = head === 0xdc ? 3 : 5;
      count = this.number(length - 1, place);
    } else if (head < 0x90 || head > 0x9f) {
      fail('invalid_record', start, place);
    }
    if (2 * count + owed > this.remaining - length) fail('unexpected_end', start, place);
    this.count(count, declaration, place);
    this.at += length;
    /** @type {Value[]} */
    const names = [];
    for (let index = 0; index < count; index++) {
      const nameHead = this.head(place);
      const nameStart = this.at;
      const isStr = (nameHead >= 0xa0 && nameHead <= 0xbf) || (nameHead >= 0xd9 && nameHead <= 0xdb);
      if (!isStr) fail('invalid_record', nameStart, place);
      const name = this.value({ path: place.path, inKey: true }, 0, 0);
      this.judgeName(name, nameStart, place);
      if (names.some((other) => identity(other) === identity(name))) fail('invalid_record', nameStart, place);
      names.push(name);
    }
    return names;
  }

  /** @param {Value[]} names @param {Place} place @param {number} depth @param {number} owed @returns {Value} */
  fields(names, place, depth, owed) {
    /** @type {[Value, Value][]} */
    const entries = names.map((name, index) => {
      const after = owed + names.length - index - 1;
      return [name, this.value(step(place, keyToken(name, index)), depth + 1, after)];
    });
    return { map: entries };
  }

  // --- what spec/09 leaves to each language -------------------------------------------------------------------------

  /** @param {number} head the head byte of a key @param {Place} place */
  judgeKeyHead(head, place) {
    const family = this.records !== 'off' && this.idForm.has(head) ? 'map' : familyOf(head);
    if (this.isForAll && family !== 'int' && family !== 'str') differ('a key of this kind fits some languages only');
    this.isExtKey = family === 'ext';
    // What kind an ext is, its type tells.
    if (!this.isExtKey) this.judgeKeyKind(family, place);
  }

  /** @param {string} kind of the key here @param {Place} place */
  judgeKeyKind(kind, place) {
    if (this.habits?.takesKeyOf(kind, this.mode) === false) fail('invalid_key', this.at, place);
  }

  /**
   * Judges a key, or the name of a field, that strict mode may refuse.
   *
   * @param {Value} name
   * @param {number} offset
   * @param {Place} place
   */
  judgeName(name, offset, place) {
    if (this.mode !== 'strict' || !('str' in name)) return;
    if (this.habits?.takesName(name.str) === false) fail('invalid_key', offset, place);
    if (this.isForAll && !HABITS.javascript.takesName(name.str)) differ(`JavaScript refuses the name ${name.str}`);
  }
}

/**
 * The ids that a dictionary gives to its shapes (spec/05#shared), in their order.
 *
 * @param {Dictionary} dictionary
 * @returns {{id: number[], names: string[]}[]}
 */
export function sharedIds(dictionary) {
  const idOf = (/** @type {number} */ index) =>
    index < 32 ? [0x40 + index] : [0x60 + (index % 32), Math.floor(index / 32) - 1];
  return dictionary.flatMap((names, index) => (names === null ? [] : [{ id: idOf(index), names }]));
}

/** The first bytes of its pairs, also of places without a shape. @param {Dictionary} dictionary */
export function sharedLows({ length }) {
  return Array.from({ length: Math.min(Math.max(length - 32, 0), 32) }, (_, index) => 0x60 + index);
}

/** The fingerprint of a dictionary as hex: FNV-1a with 64 bits (spec/05#header). @param {Dictionary} dictionary */
export function fingerprint(dictionary) {
  const bytes = dictionary.flatMap((names) =>
    names === null ? [0xc0] : [...encode({ array: names.map((name) => ({ str: name })) })],
  );
  const hash = bytes.reduce(
    (sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100_0000_01b3n),
    0xcbf2_9ce4_8422_2325n,
  );
  return hash.toString(16).padStart(16, '0');
}

/** The family of formats that a head byte belongs to. @param {number} head */
function familyOf(head) {
  if (head <= 0x7f || head >= 0xe0 || (head >= 0xcc && head <= 0xd3)) return 'int';
  if (head <= 0x8f || head === 0xde || head === 0xdf) return 'map';
  if (head <= 0x9f || head === 0xdc || head === 0xdd) return 'array';
  if (head <= 0xbf || (head >= 0xd9 && head <= 0xdb)) return 'str';
  if (head <= 0xc3) return head === 0xc0 ? 'nil' : 'bool';
  if (head <= 0xc6) return 'bin';
  return head === 0xca || head === 0xcb ? 'float' : 'ext';
}

/**
 * The kind of an ext that isn't a record. Undefined is known by its data, of which only the first bytes may be there.
 *
 * @param {number} type
 * @param {Uint8Array} data
 * @param {number} length of all data
 */
function extKind(type, data, length) {
  if (type === TIMESTAMP) return 'timestamp';
  return type === UNDEFINED && length === 1 && (data.length === 0 || data[0] === 0) ? 'undefined' : 'ext';
}

/**
 * Sees to it that a key that every language takes is also the same key in every language.
 *
 * @param {Value} key
 * @param {[Value, Value][]} entries those before it
 */
function differAboutKey(key, entries) {
  if ('int' in key && BigInt(key.int) > 0x7fff_ffff_ffff_ffffn) differ('PHP has no such int');
  const text = 'int' in key ? key.int : 'str' in key ? key.str : '';
  const same = (/** @type {[Value, Value]} */ [other]) =>
    ('int' in other ? other.int : 'str' in other ? other.str : null) === text;
  const kinds = new Set([key, ...entries.filter(same).map(([other]) => other)].map((item) => Object.keys(item)[0]));
  if (kinds.size > 1) differ('an int and its digits are one key of a PHP array');
}

/** @param {number} bits of a binary32 @returns {Value} */
function float32Value(bits) {
  const isNaN32 = (bits & 0x7fff_ffff) > 0x7f80_0000;
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, isNaN32 ? 0x7fc0_0000 : bits);
  view.setFloat64(0, view.getFloat32(0));
  return floatBits(view.getBigUint64(0));
}

/** The lead bytes of a length, the bits they carry, and the smallest scalar value of that length. */
const UTF8_CLASSES = [
  { length: 1, from: 0x00, to: 0x7f, least: 0 },
  { length: 2, from: 0xc0, to: 0xdf, least: 0x80 },
  { length: 3, from: 0xe0, to: 0xef, least: 0x800 },
  { length: 4, from: 0xf0, to: 0xf7, least: 0x10000 },
];

/**
 * Reads UTF-8 as Unicode defines it (spec/02#str); null when the bytes are not.
 *
 * @param {Uint8Array} bytes
 * @returns {string | null}
 */
export function decodeUtf8(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const found = UTF8_CLASSES.find(({ from, to }) => lead >= from && lead <= to);
    if (!found) return null;
    let scalar = lead - found.from;
    for (let next = at + 1; next < at + found.length; next++) {
      const byte = bytes[next] ?? 0;
      if (byte < 0x80 || byte > 0xbf) return null;
      scalar = scalar * 64 + (byte - 0x80);
    }
    const isSurrogate = scalar >= 0xd800 && scalar <= 0xdfff;
    if (scalar < found.least || scalar > 0x10ffff || isSurrogate) return null;
    text += String.fromCodePoint(scalar);
    at += found.length;
  }
  return text;
}

// --- paths (spec/07#path) --------------------------------------------------------------------------------------------

/** As many whole segments as fit 4,096 bytes. @param {string} path */
export function shownPath(path) {
  const bytes = Buffer.from(path);
  if (bytes.length <= 4096) return path;
  return `${bytes.subarray(0, bytes.subarray(0, 4097).lastIndexOf('/')).toString()}/…`;
}

/** @param {Place} place @param {string} token @returns {Place} */
function step(place, token) {
  return place.inKey ? place : { path: `${place.path}/${escapeToken(token)}`, inKey: false };
}

/** @param {string} token @returns {string} as RFC 6901 writes it */
export const escapeToken = (token) => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** @param {Value} key @param {number} index of the entry @returns {string} the token of a path, not yet escaped */
export function keyToken(key, index) {
  if ('str' in key) return key.str;
  if ('notUtf8' in key) return Buffer.from(key.notUtf8, 'hex').toString(); // one U+FFFD for each maximal subpart
  if ('int' in key) return key.int;
  if ('bin' in key) return `0x${toHex(fromHex(key.bin))}`;
  return `#${index}`;
}
