/**
 * A tiny MessagePack writer and reader that shares nothing with the libraries the relay judges. It is written from
 * spec/02-wire.md to 08-canonical.md for one purpose: to be easy to check by eye.
 *
 * Plan of the file: write (wire order or canonical) · read (one value, records inline when asked) · canonicalize · keys.
 *
 * It is strict throughout: text is UTF-8, keys are unique, timestamps are in range, counts fit the bytes that remain,
 * and containers nest no deeper than 512.
 */

import { Entries, Ext, Float, hex, integer, kindOf, scalarKeyIdentity, Timestamp } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

const MAX_DEPTH = 512;
const TYPE_UNDEFINED = 0;
const TYPE_TIMESTAMP = -1;
const TYPE_RECORD = 0x72;
const MAX_NANOSECONDS = 999_999_999;

/** Bytes that the reference reader refuses. */
export class WireError extends Error {
  /**
   * @param {string} what
   * @param {number} offset of the head byte of the faulty value
   */
  constructor(what, offset) {
    super(`${what}, at byte ${offset}`);
    this.name = 'WireError';
    this.offset = offset;
  }
}

// --- write -----------------------------------------------------------------------------------------------------------

/**
 * Writes a value with the shortest heads, entries in the order of the tree.
 *
 * @param {Tree} value
 * @returns {Buffer}
 */
export function write(value) {
  const writer = new Writer(false);
  writer.value(value, 0);
  return writer.bytes();
}

/**
 * Writes the canonical form C1 (spec/08-canonical.md).
 *
 * @param {Tree} value
 * @returns {Buffer}
 */
export function writeCanonical(value) {
  const writer = new Writer(true);
  writer.value(value, 0);
  return writer.bytes();
}

class Writer {
  /** @param {boolean} canonical whether entries are sorted by the bytes of their keys */
  constructor(canonical) {
    this.canonical = canonical;
    this.buffer = Buffer.allocUnsafe(1024);
    this.length = 0;
  }

  bytes() {
    return Buffer.from(this.buffer.subarray(0, this.length));
  }

  /**
   * Makes room and returns the offset where `count` bytes may be written.
   *
   * @param {number} count
   */
  room(count) {
    const start = this.length;
    if (start + count > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, start + count));
      this.buffer.copy(grown, 0, 0, start);
      this.buffer = grown;
    }
    this.length = start + count;
    return start;
  }

  /** @param {number} byte */
  byte(byte) {
    const start = this.room(1);
    this.buffer[start] = byte & 0xff;
  }

  /**
   * Writes a head byte and an unsigned number of 1, 2 or 4 bytes.
   *
   * @param {number} head
   * @param {number} number
   * @param {number} width
   */
  head(head, number, width) {
    const start = this.room(1 + width);
    this.buffer[start] = head;
    this.buffer.writeUIntBE(number, start + 1, width);
  }

  /**
   * Writes the shortest of three heads for a length or count.
   *
   * @param {number} number
   * @param {number} head8 0 when the family has no such head
   * @param {number} head16
   * @param {number} head32
   */
  shortest(number, head8, head16, head32) {
    if (head8 !== 0 && number <= 0xff) this.head(head8, number, 1);
    else if (number <= 0xffff) this.head(head16, number, 2);
    else this.head(head32, number, 4);
  }

  /** @param {Uint8Array} bytes */
  append(bytes) {
    const start = this.room(bytes.length);
    this.buffer.set(bytes, start);
  }

  /**
   * @param {Tree} value
   * @param {number} depth
   */
  value(value, depth) {
    if (typeof value === 'string') this.str(value);
    else if (typeof value === 'number' || typeof value === 'bigint') this.int(BigInt(value));
    else if (typeof value === 'boolean') this.byte(value ? 0xc3 : 0xc2);
    else if (value === null) this.byte(0xc0);
    else if (value === undefined) this.ext(TYPE_UNDEFINED, Uint8Array.of(0));
    else if (Array.isArray(value)) this.array(value, depth);
    else if (value instanceof Entries) this.map(value, depth);
    else if (value instanceof Float) this.float(value.value);
    else if (value instanceof Uint8Array) this.bin(value);
    else if (value instanceof Timestamp) this.timestamp(value);
    else if (isReservedExt(value)) throw new RangeError(`ext ${value.type} is no application's (spec 03)`);
    else this.ext(value.type, value.data);
  }

  /** @param {bigint} value */
  int(value) {
    if (value >= -32n && value <= 127n) this.byte(Number(value));
    else if (value >= 0n) {
      if (value <= 0xffff_ffffn) this.shortest(Number(value), 0xcc, 0xcd, 0xce);
      else {
        const start = this.room(9);
        this.buffer[start] = 0xcf;
        this.buffer.writeBigUInt64BE(value, start + 1);
      }
    } else if (value >= -0x8000_0000n) {
      const width = value >= -0x80n ? 1 : value >= -0x8000n ? 2 : 4;
      const start = this.room(1 + width);
      this.buffer[start] = width === 4 ? 0xd2 : 0xcf + width;
      this.buffer.writeIntBE(Number(value), start + 1, width);
    } else {
      const start = this.room(9);
      this.buffer[start] = 0xd3;
      this.buffer.writeBigInt64BE(value, start + 1);
    }
  }

  /** @param {number} value */
  float(value) {
    const start = this.room(9);
    this.buffer[start] = 0xcb;
    if (Number.isNaN(value)) this.buffer.write('7ff8000000000000', start + 1, 'hex');
    else this.buffer.writeDoubleBE(value, start + 1);
  }

  /** @param {string} value */
  str(value) {
    const length = Buffer.byteLength(value);
    if (length <= 31) this.byte(0xa0 | length);
    else this.shortest(length, 0xd9, 0xda, 0xdb);
    const start = this.room(length);
    this.buffer.write(value, start, length, 'utf8');
  }

  /** @param {Uint8Array} value */
  bin(value) {
    this.shortest(value.length, 0xc4, 0xc5, 0xc6);
    this.append(value);
  }

  /**
   * @param {number} type
   * @param {Uint8Array} data
   */
  ext(type, data) {
    const fix = [1, 2, 4, 8, 16].indexOf(data.length);
    if (fix >= 0) this.byte(0xd4 + fix);
    else this.shortest(data.length, 0xc7, 0xc8, 0xc9);
    this.byte(type);
    this.append(data);
  }

  /** @param {Timestamp} value */
  timestamp({ seconds, nanoseconds }) {
    let data;
    if (seconds < 0n || seconds >= 1n << 34n) {
      data = Buffer.alloc(12);
      data.writeUInt32BE(nanoseconds, 0);
      data.writeBigInt64BE(seconds, 4);
    } else if (nanoseconds === 0 && seconds < 1n << 32n) {
      data = Buffer.alloc(4);
      data.writeUInt32BE(Number(seconds));
    } else {
      data = Buffer.alloc(8);
      data.writeBigUInt64BE((BigInt(nanoseconds) << 34n) | seconds);
    }
    this.ext(TYPE_TIMESTAMP, data);
  }

  /**
   * @param {Tree[]} elements
   * @param {number} depth
   */
  array(elements, depth) {
    checkDepth(depth);
    if (elements.length <= 15) this.byte(0x90 | elements.length);
    else this.shortest(elements.length, 0, 0xdc, 0xdd);
    for (const element of elements) this.value(element, depth + 1);
  }

  /**
   * @param {Entries} entries
   * @param {number} depth
   */
  map({ keys, values }, depth) {
    checkDepth(depth);
    if (keys.length <= 15) this.byte(0x80 | keys.length);
    else this.shortest(keys.length, 0, 0xde, 0xdf);
    if (!this.canonical) {
      keys.forEach((key, i) => {
        this.value(key, depth + 1);
        this.value(values[i], depth + 1);
      });
      return;
    }
    const sorted = keys.map((key, i) => ({ key: canonicalKey(key, depth + 1), value: values[i] }));
    sorted.sort((a, b) => Buffer.compare(a.key, b.key));
    for (const { key, value } of sorted) {
      this.append(key);
      this.value(value, depth + 1);
    }
  }
}

/**
 * @param {Tree} key
 * @param {number} depth
 */
function canonicalKey(key, depth) {
  if (typeof key === 'string' && key.length <= 31) {
    const bytes = Buffer.from(`\0${key}`); // one copy of a short text, its head put in the free first byte
    if (bytes.length <= 32) {
      bytes[0] = 0xa0 | (bytes.length - 1);
      return bytes;
    }
  }
  const writer = new Writer(true);
  writer.value(key, depth);
  return writer.bytes();
}

/** @param {Ext} ext */
function isReservedExt({ type, data }) {
  if (type === TYPE_TIMESTAMP) return true;
  if (type === TYPE_UNDEFINED) return data.length === 1 && data[0] === 0;
  return type === TYPE_RECORD && (data.length === 1 || data.length === 2);
}

/** @param {number} depth */
function checkDepth(depth) {
  if (depth >= MAX_DEPTH) throw new RangeError(`depth exceeds ${MAX_DEPTH}`);
}

// --- read ------------------------------------------------------------------------------------------------------------

/**
 * Reads exactly one value.
 *
 * @param {Uint8Array} bytes
 * @param {{ records?: boolean }} [options] records: read declarations and instances of spec/05-records.md; default false
 * @returns {Tree}
 * @throws {WireError}
 */
export function read(bytes, { records = false } = {}) {
  const reader = new Reader(bytes, records);
  const value = reader.value(0);
  if (reader.offset < reader.bytes.length) throw new WireError('bytes follow the value', reader.offset);
  return value;
}

class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {boolean} records
   */
  constructor(bytes, records) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.offset = 0;
    this.owed = 0; // values the open containers still have to deliver after the current one
    this.text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    this.records = records;
    /** @type {Map<number, string[]>} names by id; a two-byte id is lo · 256 + hi */
    this.names = new Map();
    /** @type {Map<number, number>} for each first byte 60–7f, how many bytes its last declared id has */
    this.idWidth = new Map();
  }

  /**
   * Takes the next bytes, which must be there.
   *
   * @param {number} length
   * @param {number} start head byte of the value they belong to
   */
  take(length, start) {
    const { offset } = this;
    if (length > this.bytes.length - offset) throw new WireError('the input ends early', start);
    this.offset = offset + length;
    return offset;
  }

  /**
   * @param {number} width 1, 2 or 4
   * @param {number} start
   */
  unsigned(width, start) {
    return this.bytes.readUIntBE(this.take(width, start), width);
  }

  /**
   * @param {number} depth
   * @returns {Tree}
   */
  value(depth) {
    const start = this.take(1, this.bytes.length);
    const head = /** @type {number} */ (this.bytes[start]);
    if (head <= 0x7f) return this.records && head >= 0x40 ? this.instance(head, start, depth) : head;
    if (head <= 0x8f) return this.map(head & 0x0f, start, depth);
    if (head <= 0x9f) return this.array(head & 0x0f, start, depth);
    if (head <= 0xbf) return this.str(head & 0x1f, start);
    if (head >= 0xe0) return head - 256;
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.data(this.unsigned(1 << (head - 0xc4), start), start);
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.ext(this.unsigned(1 << (head - 0xc7), start), start, depth);
      case 0xca:
        return new Float(this.bytes.readFloatBE(this.take(4, start)));
      case 0xcb:
        return new Float(this.bytes.readDoubleBE(this.take(8, start)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.unsigned(1 << (head - 0xcc), start);
      case 0xcf:
        return integer(this.bytes.readBigUInt64BE(this.take(8, start)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.bytes.readIntBE(this.take(1 << (head - 0xd0), start), 1 << (head - 0xd0));
      case 0xd3:
        return integer(this.bytes.readBigInt64BE(this.take(8, start)));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.ext(1 << (head - 0xd4), start, depth);
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.str(this.unsigned(1 << (head - 0xd9), start), start);
      case 0xdc:
      case 0xdd:
        return this.array(this.unsigned(2 << (head - 0xdc), start), start, depth);
      case 0xde:
      case 0xdf:
        return this.map(this.unsigned(2 << (head - 0xde), start), start, depth);
      default:
        throw new WireError('the byte c1 is reserved', start);
    }
  }

  /**
   * @param {number} length
   * @param {number} start
   */
  data(length, start) {
    const from = this.take(length, start);
    return Uint8Array.prototype.slice.call(this.bytes, from, from + length);
  }

  /**
   * @param {number} length
   * @param {number} start
   */
  str(length, start) {
    const from = this.take(length, start);
    const end = from + length;
    if (length < 32) {
      let offset = from;
      while (offset < end && /** @type {number} */ (this.bytes[offset]) < 0x80) offset++;
      if (offset === end) return this.bytes.toString('latin1', from, end); // ASCII: the same text, without a decoder's set-up
    }
    try {
      return this.text.decode(this.bytes.subarray(from, end));
    } catch {
      throw new WireError('a str is not UTF-8', start);
    }
  }

  /**
   * Opens a container of `count` values (06#counts).
   *
   * @param {number} count
   * @param {number} start
   * @param {number} depth
   */
  open(count, start, depth) {
    if (depth >= MAX_DEPTH) throw new WireError(`depth exceeds ${MAX_DEPTH}`, start);
    if (count + this.owed > this.bytes.length - this.offset) {
      throw new WireError('a count does not fit the bytes that remain', start);
    }
    this.owed += count;
  }

  /**
   * Reads one of the values that `open` promised.
   *
   * @param {number} depth of the value
   */
  member(depth) {
    this.owed--;
    return this.value(depth);
  }

  /**
   * @param {number} count
   * @param {number} start
   * @param {number} depth
   */
  array(count, start, depth) {
    this.open(count, start, depth);
    /** @type {Tree[]} */
    const elements = [];
    for (let i = 0; i < count; i++) elements.push(this.member(depth + 1));
    return elements;
  }

  /**
   * @param {number} count
   * @param {number} start
   * @param {number} depth
   */
  map(count, start, depth) {
    this.open(2 * count, start, depth);
    /** @type {Tree[]} */
    const keys = [];
    /** @type {Tree[]} */
    const values = [];
    const seen = new Set();
    for (let i = 0; i < count; i++) {
      const keyStart = this.offset;
      const key = this.member(depth + 1);
      seen.add(keyIdentity(key));
      if (seen.size !== keys.length + 1) throw new WireError('a key occurs twice', keyStart);
      keys.push(key);
      values.push(this.member(depth + 1));
    }
    return new Entries(keys, values);
  }

  /**
   * @param {number} length
   * @param {number} start
   * @param {number} depth
   * @returns {Tree}
   */
  ext(length, start, depth) {
    const type = this.bytes.readInt8(this.take(1, start));
    const data = this.data(length, start);
    if (type === TYPE_TIMESTAMP) return timestamp(Buffer.from(data), start);
    if (type === TYPE_UNDEFINED && length === 1 && data[0] === 0) return undefined;
    if (type === TYPE_RECORD && (length === 1 || length === 2)) return this.declaration(data, start, depth);
    return new Ext(type, data);
  }

  /**
   * Reads what follows a declaration: the names, then the first instance (05#declaration).
   *
   * @param {Uint8Array} id
   * @param {number} start
   * @param {number} depth
   */
  declaration(id, start, depth) {
    const [first = 0, second = 0] = id;
    const inRange = id.length === 1 ? first >= 0x40 && first <= 0x7f : first >= 0x60 && first <= 0x7f;
    const head = this.bytes[start];
    if (!this.records || !inRange || (head !== 0xd4 && head !== 0xd5)) {
      throw new WireError('a record declaration is not allowed here', start);
    }
    const namesStart = this.offset;
    const names = this.value(depth);
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
      throw new WireError("a record's names are not an array of str", namesStart);
    }
    if (new Set(names).size !== names.length) throw new WireError('a record has a name twice', namesStart);
    this.names.set(id.length === 1 ? first : first * 256 + second, /** @type {string[]} */ (names));
    this.idWidth.set(first, id.length);
    return this.record(/** @type {string[]} */ (names), start, depth);
  }

  /**
   * @param {number} first
   * @param {number} start
   * @param {number} depth
   * @returns {Tree}
   */
  instance(first, start, depth) {
    const width = this.idWidth.get(first);
    if (width === undefined) return first;
    const names = this.names.get(width === 1 ? first : first * 256 + this.unsigned(1, start));
    if (names === undefined) throw new WireError('a record id was not declared', start);
    return this.record(names, start, depth);
  }

  /**
   * @param {string[]} names
   * @param {number} start
   * @param {number} depth
   */
  record(names, start, depth) {
    this.open(names.length, start, depth);
    return new Entries(
      [...names],
      names.map(() => this.member(depth + 1)),
    );
  }
}

/**
 * @param {Buffer} data
 * @param {number} start
 */
function timestamp(data, start) {
  let value;
  if (data.length === 4) value = new Timestamp(BigInt(data.readUInt32BE()), 0);
  else if (data.length === 8) {
    const packed = data.readBigUInt64BE();
    value = new Timestamp(packed & ((1n << 34n) - 1n), Number(packed >> 34n));
  } else if (data.length === 12) value = new Timestamp(data.readBigInt64BE(4), data.readUInt32BE(0));
  if (value === undefined || value.nanoseconds > MAX_NANOSECONDS) {
    throw new WireError('a timestamp has a wrong length or too many nanoseconds', start);
  }
  return value;
}

// --- canonical form and keys -----------------------------------------------------------------------------------------

/**
 * Gives the canonical form of a message.
 *
 * @param {Uint8Array} bytes
 * @returns {Buffer}
 * @throws {WireError} when the bytes are not valid
 */
export function canonicalize(bytes) {
  return writeCanonical(read(bytes));
}

/**
 * Identifies a key: two keys are the same key exactly when these texts are equal (01#map).
 *
 * @param {Tree} key
 * @returns {string}
 */
export function keyIdentity(key) {
  return scalarKeyIdentity(key) ?? `${kindOf(key)} ${hex(writeCanonical(key))}`;
}
