/**
 * The demo's own value tree (spec/01-data-model.md), independent of every library it judges.
 *
 * Plan of the file: the types · kinds · integers · keys · showing a value to people · counting values.
 *
 * | kind | in the tree |
 * |---|---|
 * | nil, undefined, bool, str | null, undefined, boolean, string |
 * | int | a number when it is a safe integer, else a bigint; never both for one value |
 * | float | `Float`, also when integral, so that 1.0 stays apart from 1 |
 * | bin | Uint8Array |
 * | array | Array |
 * | map | `Entries`, in wire order |
 * | timestamp, ext | `Timestamp`, `Ext` |
 */

/**
 * @typedef {null | undefined | boolean | number | bigint | string | Uint8Array
 *   | Float | Entries | Timestamp | Ext | Tree[]} Tree
 * @typedef {'nil' | 'undefined' | 'bool' | 'int' | 'float' | 'str' | 'bin' | 'array' | 'map' |
 *   'timestamp' | 'ext'} Kind
 */

/** A binary64 value. */
export class Float {
  /** @param {number} value */
  constructor(value) {
    this.value = value;
  }
}

/** A map: `keys[i]` belongs to `values[i]`; keys are unique (01#map). */
export class Entries {
  /**
   * @param {Tree[]} keys
   * @param {Tree[]} values
   */
  constructor(keys, values) {
    this.keys = keys;
    this.values = values;
  }
}

/** Seconds (signed 64-bit) and nanoseconds (0 … 999 999 999) since 1970-01-01T00:00:00Z. */
export class Timestamp {
  /**
   * @param {bigint} seconds
   * @param {number} nanoseconds
   */
  constructor(seconds, nanoseconds) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }
}

/** An ext value: type −128 … 127 and bytes. */
export class Ext {
  /**
   * @param {number} type
   * @param {Uint8Array} data
   */
  constructor(type, data) {
    this.type = type;
    this.data = data;
  }
}

/**
 * @param {Tree} value
 * @returns {Kind}
 */
export function kindOf(value) {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'number':
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'undefined';
  }
  if (value === null) return 'nil';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Entries) return 'map';
  if (value instanceof Float) return 'float';
  if (value instanceof Uint8Array) return 'bin';
  if (value instanceof Timestamp) return 'timestamp';
  return 'ext';
}

/**
 * Gives an integer its one form in the tree.
 *
 * @param {bigint} value
 * @returns {number | bigint}
 */
export function integer(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Identifies a key that is a scalar or bytes: two such keys are the same key exactly when their texts are equal.
 * Containers, timestamps and ext values have no such text; the caller compares their canonical bytes.
 *
 * @param {Tree} key
 * @returns {string | null}
 */
export function scalarKeyIdentity(key) {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'number':
    case 'bigint':
      return `i${key}`;
    case 'boolean':
    case 'undefined':
      return `b${key}`;
  }
  if (key === null) return 'n';
  if (key instanceof Float) return Object.is(key.value, -0) ? 'f-0' : `f${key.value}`;
  if (key instanceof Uint8Array) return `x${hex(key)}`;
  return null;
}

/**
 * Names one entry in a path (07#path), before the escapes of RFC 6901.
 *
 * @param {Tree} key
 * @param {number} index zero-based index of the entry
 */
export function pathSegment(key, index) {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'bigint') return String(key);
  if (key instanceof Uint8Array) return `0x${hex(key)}`;
  return `#${index}`;
}

/**
 * Appends one segment to an RFC 6901 pointer.
 *
 * @param {string} path
 * @param {string | number} segment
 */
export function join(path, segment) {
  return `${path}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

const SHOWN_LENGTH = 60; // characters of user data in one line of a report

/** @param {string} text */
function shorten(text) {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/**
 * Describes a value in a few words, its kind first.
 *
 * @param {Tree} value
 * @returns {string}
 */
export function show(value) {
  const kind = kindOf(value);
  if (typeof value === 'string') return `str ${shorten(JSON.stringify(value))}`;
  if (value instanceof Float) return `float ${Object.is(value.value, -0) ? '-0' : value.value}`;
  if (value instanceof Uint8Array) return `bin of ${value.length} bytes ${shorten(hex(value))}`.trimEnd();
  if (value instanceof Timestamp) return `timestamp ${value.seconds} s ${value.nanoseconds} ns`;
  if (value instanceof Ext)
    return `ext ${value.type} of ${value.data.length} bytes ${shorten(hex(value.data))}`.trimEnd();
  if (value instanceof Entries) return `map of ${value.keys.length} entries`;
  if (Array.isArray(value)) return `array of ${value.length} elements`;
  return kind === 'nil' || kind === 'undefined' ? kind : `${kind} ${String(value)}`;
}

/**
 * Counts the values of a message as 06#maxValues does: keys and values, containers included.
 *
 * @param {Tree} value
 * @returns {number}
 */
export function countValues(value) {
  let count = 1;
  if (Array.isArray(value)) {
    for (const element of value) count += countValues(element);
  } else if (value instanceof Entries) {
    for (const key of value.keys) count += countValues(key);
    for (const entry of value.values) count += countValues(entry);
  }
  return count;
}
