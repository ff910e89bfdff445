// The reference stream judge: spec/06#streams, literally. It is quadratic on purpose: after each chunk it looks at the
// message from its first byte again, so that nothing but the bytes so far can matter.
//
// Plan: the stream · prefixes · one look at the heads of an unfinished message.

import { escapeToken, judge, sharedIds, sharedLows, shownPath } from './judge.mjs';
import { join } from './reference.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./judge.mjs').Options} Options */
/** @typedef {import('./judge.mjs').Fault} Fault */
/** @typedef {{values: Value[], error: Fault | null}} Delivered */

const MAX_DEPTH = 512;
const MAX_BYTES = 67_108_864;

/** Thrown where spec/09 lets the languages differ, and no language was named. */
export class LanguagesDiffer extends Error {}

/**
 * Judges a stream.
 *
 * @param {Uint8Array[]} chunks
 * @param {Options} [options]
 * @returns {Delivered}
 * @throws {LanguagesDiffer} never in lossless mode
 */
export function judgeStream(chunks, options = {}) {
  /** @type {Value[]} */
  const values = [];
  let buffered = new Uint8Array();
  let start = 0;
  // Whether the message before has an ext that looks like a prefix of the next (spec/03#structured-cloning).
  let isAhead = false;

  /** @param {Fault} fault @returns {Delivered} */
  const failed = (fault) => ({ values, error: { ...fault, offset: start + fault.offset } });

  /** @returns {Delivered | null} */
  const refused = () => {
    if (!isAhead || (options.mode ?? 'lossless') === 'lossless') return null;
    if (options.language === undefined) throw new LanguagesDiffer('a value behind an ext that looks like a prefix');
    return options.language === 'javascript' ? failed({ code: 'unsupported_value', offset: 0, path: '' }) : null;
  };

  for (const chunk of chunks) {
    buffered = new Uint8Array(join(buffered, chunk));
    while (buffered.length > 0) {
      const seen = new Heads(buffered, options).look();
      if ('fault' in seen) return failed(seen.fault);
      if ('unfinished' in seen) break;
      const refusal = refused();
      if (refusal !== null) return refusal;
      const judgement = judge(buffered.subarray(0, seen.end), options);
      if ('error' in judgement) return failed(judgement.error);
      if ('varies' in judgement) throw new LanguagesDiffer(judgement.varies);
      values.push(judgement.value);
      isAhead = hasPrefix(judgement.value);
      buffered = buffered.slice(seen.end);
      start += seen.end;
    }
  }
  if (buffered.length === 0) return { values, error: null };
  const refusal = refused();
  if (refusal !== null) return refusal;
  const judgement = judge(buffered, options);
  if ('varies' in judgement) throw new LanguagesDiffer(judgement.varies);
  if (!('error' in judgement)) throw new Error('the heads say unfinished, the judge says complete');
  return failed(judgement.error);
}

/**
 * Whether there is an ext in a value that looks like a prefix.
 *
 * @param {Value} value
 * @returns {boolean}
 */
function hasPrefix(value) {
  if ('array' in value) return value.array.some(hasPrefix);
  if ('map' in value) return value.map.flat().some(hasPrefix);
  if (!('ext' in value)) return false;
  const [type, data] = value.ext;
  if ([0x65, 0x73, 0x78].includes(type)) return data === '00';
  return type === 0x76 ? data.length === 2 : type === 0x69 && data.length === 8 && data.startsWith('0000');
}

/** What a look throws when bytes are missing. It is no Error, because a stack costs more than the look. */
class Unfinished {}

class HeadFault extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.code);
    this.fault = fault;
  }
}

/** @param {string} code @param {number} offset @param {string} path @returns {never} */
function failAt(code, offset, path) {
  throw new HeadFault({ code, offset, path: shownPath(path) });
}

/** A look at the heads of one message, of which only the first bytes may be there. */
class Heads {
  /** @param {Uint8Array} bytes @param {Options} options */
  constructor(bytes, { records = 'off', dictionary = [], header = false, limits = {} }) {
    this.bytes = bytes;
    this.header = header ? dictionary : null;
    this.records = records;
    this.maxDepth = limits.maxDepth ?? MAX_DEPTH;
    this.maxBytes = limits.maxBytes ?? MAX_BYTES;
    this.at = 0;
    /** Declared names by id or `lo,hi`. @type {Map<string, string[]>} */
    this.declared = new Map();
    /** @type {Map<number, 1 | 2>} */
    this.idBytes = new Map();
    for (const { id, names } of sharedIds(dictionary)) {
      this.declared.set(id.join(), names);
      this.idBytes.set(id[0] ?? 0, id.length === 1 ? 1 : 2);
    }
    for (const lo of sharedLows(dictionary)) this.idBytes.set(lo, 2);
  }

  /** @returns {{end: number} | {fault: Fault} | {unfinished: true}} */
  look() {
    try {
      if (this.header !== null) this.skipHeader(this.header);
      this.value('', 0, 0);
      return { end: this.at };
    } catch (error) {
      if (error instanceof HeadFault) return { fault: error.fault };
      if (error instanceof Unfinished) return { unfinished: true };
      throw error;
    }
  }

  /** The fingerprint before a message (spec/05#header). @param {import('./judge.mjs').Dictionary} dictionary */
  skipHeader(dictionary) {
    this.need(1);
    if (this.bytes[this.at] !== 0xc1) return;
    this.need(2);
    if (this.bytes[this.at + 1] !== 0x50) return;
    this.need(10);
    const judgement = judge(this.bytes.subarray(0, 10), { records: 'shared', dictionary, header: true });
    if ('error' in judgement && judgement.error.code === 'invalid_record') throw new HeadFault(judgement.error);
    this.at += 10;
    this.maxBytes += 10; // the header doesn't count
  }

  /** @param {number} length */
  need(length) {
    if (this.at + length > this.bytes.length) throw new Unfinished();
  }

  /** @param {number} from @param {number} length big-endian */
  number(from, length) {
    this.need(from + length);
    return this.bytes.subarray(this.at + from, this.at + from + length).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /**
   * Looks at one value, and returns the token it would be as a key.
   *
   * @param {string | null} path null inside a key
   * @param {number} depth
   * @param {number} owed
   * @param {string} [mapPath] of the map whose key this is
   * @returns {string | null}
   */
  value(path, depth, owed, mapPath = '') {
    const where = path ?? mapPath;
    this.need(1);
    const start = this.at;
    const head = this.bytes[start] ?? 0;
    const fail = (/** @type {string} */ code) => failAt(code, start, where);
    /** @param {number} length of head and body @param {number} children */
    const take = (length, children) => {
      if (start + length + children + owed > this.maxBytes) fail('limit_exceeded');
      this.need(length);
      this.at += length;
    };
    const container = () => {
      if (depth >= this.maxDepth) fail('limit_exceeded');
    };

    if (head === 0xc1) fail('reserved_byte');
    const idBytes = this.records === 'off' ? undefined : this.idBytes.get(head);
    if (this.records === 'shared' && idBytes === undefined && head >= 0x40 && head <= 0x7f) fail('unknown_record');
    if (idBytes !== undefined) {
      const names = this.declared.get(idBytes === 1 ? `${head}` : `${head},${this.number(1, 1)}`);
      if (names === undefined) return fail('unknown_record');
      container();
      take(idBytes, names.length);
      this.fields(names, path, depth, owed, where);
      return null;
    }
    const shape = shapeOf(head);
    const number = shape.numberBytes > 0 ? this.number(1, shape.numberBytes) : shape.number;
    const headLength = 1 + shape.numberBytes;
    if (shape.family === 'array') {
      container();
      take(headLength, number);
      for (let index = 0; index < number; index++) {
        this.value(path === null ? null : `${path}/${index}`, depth + 1, owed + number - index - 1, where);
      }
      return null;
    }
    if (shape.family === 'map') {
      container();
      take(headLength, 2 * number);
      for (let index = 0; index < number; index++) {
        const after = owed + 2 * (number - index - 1);
        const token = this.value(null, depth + 1, after + 1, where) ?? `#${index}`;
        this.value(path === null ? null : `${path}/${escapeToken(token)}`, depth + 1, after, where);
      }
      return null;
    }
    const typeByte = shape.family === 'ext' ? 1 : 0;
    const ends = headLength + typeByte + number;
    // The bytes of a number are part of its head (07#which-fault-wins, rule 4), and so is the type of an ext.
    this.need(shape.family === 'int' || shape.family === 'other' ? ends : headLength + typeByte);
    const isDeclaration = typeByte === 1 && this.bytes[start + headLength] === 0x72 && (number === 1 || number === 2);
    if (isDeclaration && this.records !== 'off') {
      this.need(ends);
      const [id = 0, hi] = this.bytes.subarray(start + ends - number, start + ends);
      if (head !== 0xd4 && head !== 0xd5) fail('invalid_record');
      if (id < (hi === undefined ? 0x40 : 0x60) || id > 0x7f) fail('invalid_record');
      container();
      take(ends, 1); // the array of names
      const names = this.names(owed, where);
      this.declared.set(hi === undefined ? `${id}` : `${id},${hi}`, names);
      this.idBytes.set(id, hi === undefined ? 1 : 2);
      this.fields(names, path, depth, owed, where);
      return null;
    }
    take(ends, 0);
    const body = this.bytes.subarray(this.at - number, this.at);
    if (shape.family === 'str') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
    if (shape.family === 'bin') return `0x${Buffer.from(body).toString('hex')}`;
    if (shape.family === 'int') return intOf(this.bytes.subarray(start, this.at)).toString();
    return null;
  }

  /** @param {number} owed @param {string} where */
  names(owed, where) {
    const array = this.headOf('array', where);
    const count = array.numberBytes > 0 ? this.number(1, array.numberBytes) : array.number;
    if (this.at + 1 + array.numberBytes + 2 * count + owed > this.maxBytes) failAt('limit_exceeded', this.at, where);
    this.at += 1 + array.numberBytes;
    // A name that occurs twice hides nothing, so it can wait until the message is complete.
    return Array.from({ length: count }, (_, index) => {
      this.headOf('str', where);
      return this.value(null, 0, owed + 2 * count - index - 1, where) ?? '';
    });
  }

  /**
   * What the next head byte says, which must be of this family in a declaration.
   *
   * @param {string} family
   * @param {string} where
   */
  headOf(family, where) {
    this.need(1);
    const head = this.bytes[this.at] ?? 0;
    if (head === 0xc1) failAt('reserved_byte', this.at, where);
    const shape = shapeOf(head);
    if (shape.family !== family) failAt('invalid_record', this.at, where);
    return shape;
  }

  /** @param {string[]} names @param {string | null} path @param {number} depth @param {number} owed @param {string} where */
  fields(names, path, depth, owed, where) {
    names.forEach((name, index) => {
      const fieldPath = path === null ? null : `${path}/${escapeToken(name)}`;
      this.value(fieldPath, depth + 1, owed + names.length - index - 1, where);
    });
  }
}

/** @param {Uint8Array} bytes head and number */
function intOf(bytes) {
  const [head = 0] = bytes;
  if (bytes.length === 1) return BigInt(head > 0x7f ? head - 256 : head);
  const number = BigInt(`0x${Buffer.from(bytes.subarray(1)).toString('hex')}`);
  return head >= 0xd0 ? BigInt.asIntN(8 * (bytes.length - 1), number) : number;
}

/**
 * What a head byte says: its family, how many bytes of count or length follow, or the count or length itself; for
 * numbers, how many bytes follow the head byte.
 *
 * @param {number} head
 * @returns {{family: string, numberBytes: number, number: number}}
 */
function shapeOf(head) {
  const fixed = (/** @type {string} */ family, /** @type {number} */ number) => ({ family, numberBytes: 0, number });
  const long = (/** @type {string} */ family, /** @type {number} */ numberBytes) => ({
    family,
    numberBytes,
    number: 0,
  });
  if (head <= 0x7f || head >= 0xe0) return fixed('int', 0);
  if (head <= 0x8f) return fixed('map', head & 0x0f);
  if (head <= 0x9f) return fixed('array', head & 0x0f);
  if (head <= 0xbf) return fixed('str', head & 0x1f);
  if (head <= 0xc3) return fixed('other', 0);
  if (head <= 0xc6) return long('bin', 2 ** (head - 0xc4));
  if (head <= 0xc9) return long('ext', 2 ** (head - 0xc7));
  if (head <= 0xcb) return fixed('other', 4 * (head - 0xc9));
  if (head <= 0xcf) return fixed('int', 2 ** (head - 0xcc));
  if (head <= 0xd3) return fixed('int', 2 ** (head - 0xd0));
  if (head <= 0xd8) return fixed('ext', 2 ** (head - 0xd4));
  if (head <= 0xdb) return long('str', 2 ** (head - 0xd9));
  return long(head <= 0xdd ? 'array' : 'map', head % 2 === 0 ? 2 : 4);
}
