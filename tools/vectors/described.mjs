// Descriptions of snapshots (vectors/README.md#snapshots): of what JavaScript gets of one, and what remains of a
// vector's description where references and declarations of PHP are lost (spec/10#elsewhere).
//
// Plan of the file: types · describing · reducing.

/**
 * @typedef {Record<string, any>} Described
 *
 * @typedef {object} Classes those of polypack/snapshot
 * @property {new (...parts: any) => {class: unknown, name: unknown}} PhpCase
 * @property {new (...parts: any) => PhpObject} PhpObject
 *
 * @typedef {object} PhpObject
 * @property {unknown} class
 * @property {Map<unknown, unknown>} properties
 * @property {readonly unknown[]} absent
 * @property {unknown} [data]
 * @property {unknown} [bytes]
 */

// --- describing ------------------------------------------------------------------------------------------------------

/**
 * Describes a value. Arrays that occur again are references.
 *
 * @param {unknown} value
 * @param {Classes} classes
 * @returns {Described}
 */
export function describe(value, classes) {
  return new Description(value, classes).of(value);
}

/** @param {unknown} text */
function describedText(text) {
  if (typeof text === 'string' && /^[\x20-\x7e]*$/.test(text)) return { str: text };
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : /** @type {Uint8Array} */ (text);
  return { hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}

/** @param {number} number */
function describedNumber(number) {
  if (Number.isSafeInteger(number) && !Object.is(number, -0)) return { int: String(number) };
  if (Number.isNaN(number)) return { float: '7ff8000000000000' };
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return { float: view.getBigUint64(0).toString(16).padStart(16, '0') };
}

class Description {
  /** How often each array occurs. @type {Map<object, number>} */
  #times = new Map();
  /** @type {Map<object, number>} */
  #objects = new Map();
  /** @type {Map<object, number>} */
  #references = new Map();
  /** @type {Classes} */
  #classes;

  /**
   * @param {unknown} value
   * @param {Classes} classes
   */
  constructor(value, classes) {
    this.#classes = classes;
    this.#count(value);
  }

  /**
   * Whether a value is an array of PHP.
   *
   * @param {unknown} value
   * @returns {value is object}
   */
  #isArray(value) {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
    return !(value instanceof this.#classes.PhpCase || value instanceof this.#classes.PhpObject);
  }

  /** @param {unknown} value */
  #count(value) {
    if (!this.#isArray(value) && !(value instanceof this.#classes.PhpObject)) return;
    const times = this.#times.get(value) ?? 0;
    this.#times.set(value, times + 1);
    if (times > 0) return;
    if (value instanceof this.#classes.PhpObject) for (const item of partsOf(value)) this.#count(item);
    else for (const [, item] of entriesOf(value)) this.#count(item);
  }

  /**
   * @param {unknown} value
   * @returns {Described}
   */
  of(value) {
    if (value === null) return { null: true };
    if (typeof value === 'boolean') return { bool: value };
    if (typeof value === 'bigint') return { int: String(value) };
    if (typeof value === 'number') return describedNumber(value);
    if (typeof value === 'string' || value instanceof Uint8Array) return describedText(value);
    if (value instanceof this.#classes.PhpCase) return { case: [value.class, value.name] };
    if (value instanceof this.#classes.PhpObject) return this.#object(value);
    if (!this.#isArray(value)) throw new TypeError(`no value of a snapshot: ${String(value)}`);
    if (this.#times.get(value) === 1) return this.#array(value);
    const known = this.#references.get(value);
    if (known !== undefined) return { reference: known };
    const reference = this.#references.size;
    this.#references.set(value, reference);
    return { reference, value: this.#array(value) };
  }

  /** @param {object} value */
  #array(value) {
    if (Array.isArray(value)) return { list: value.map((item) => this.of(item)) };
    return { map: this.#entries(entriesOf(value)) };
  }

  /** @param {Iterable<[unknown, unknown]>} entries */
  #entries(entries) {
    return Array.from(entries, ([key, item]) => [this.of(key), this.of(item)]);
  }

  /** @param {PhpObject} value */
  #object(value) {
    const known = this.#objects.get(value);
    if (known !== undefined) return { again: known };
    const id = this.#objects.size;
    this.#objects.set(value, id);
    const about = { object: value.class, id };
    if (value.bytes !== undefined) return { ...about, bytes: describedText(value.bytes) };
    if (value.data !== undefined) return { ...about, data: this.of(value.data) };
    const absent = value.absent.length === 0 ? {} : { absent: value.absent.map(describedText) };
    return { ...about, properties: this.#entries(value.properties), ...absent };
  }
}

/** @param {PhpObject} object */
function partsOf({ properties, data }) {
  return [...properties.values(), data];
}

/**
 * @param {object} array
 * @returns {[unknown, unknown][]}
 */
function entriesOf(array) {
  return array instanceof Map ? [...array] : Object.entries(array);
}

// --- reducing --------------------------------------------------------------------------------------------------------

/**
 * Returns the description of a vector without what other languages don't keep: references to anything but arrays, and
 * how PHP declares properties. Objects and arrays are described where they occur first.
 *
 * @param {Described} described
 * @param {boolean} [keepsFloats] whether floats that are ints stay floats
 * @returns {Described}
 */
export function reduced(described, keepsFloats = false) {
  return new Reduction(described, keepsFloats).of(described);
}

class Reduction {
  /** Objects by their ids, as the vector has them. @type {Map<unknown, Described>} */
  #objects = new Map();
  /** What references stand for, by their numbers. @type {Map<unknown, Described>} */
  #referred = new Map();
  /** How often a reference occurs. @type {Map<unknown, number>} */
  #times = new Map();
  /** Those that are described already, by their new numbers. @type {Map<unknown, number>} */
  #knownObjects = new Map();
  /** @type {Map<unknown, number>} */
  #knownArrays = new Map();
  /** @type {boolean} */
  #keepsFloats;

  /**
   * @param {Described} described
   * @param {boolean} keepsFloats
   */
  constructor(described, keepsFloats) {
    this.#keepsFloats = keepsFloats;
    this.#index(described);
  }

  /** @param {unknown} described */
  #index(described) {
    if (Array.isArray(described)) for (const item of described) this.#index(item);
    if (typeof described !== 'object' || described === null || Array.isArray(described)) return;
    const { object, id, reference, value } = /** @type {Described} */ (described);
    if (object !== undefined) this.#objects.set(id, described);
    if (reference !== undefined) {
      this.#times.set(reference, (this.#times.get(reference) ?? 0) + 1);
      if (value !== undefined) this.#referred.set(reference, value);
    }
    for (const content of Object.values(described)) this.#index(content);
  }

  /**
   * @param {Described} described
   * @returns {Described}
   */
  of(described) {
    const { float, list, map, reference, object } = described;
    if (float !== undefined && !this.#keepsFloats) return describedNumber(numberOf(float));
    if (reference !== undefined) return this.#reference(reference);
    if (list !== undefined) return { list: list.map((/** @type {Described} */ item) => this.of(item)) };
    if (map !== undefined) return this.#map(this.#entries(map));
    if (object !== undefined) return this.#object(described);
    if ('again' in described) return this.#object(/** @type {Described} */ (this.#objects.get(described.again)));
    return described;
  }

  /** @param {[Described, Described][]} entries */
  #map(entries) {
    const isList = entries.every(([{ int }], index) => int === String(index));
    return isList ? { list: entries.map(([, item]) => item) } : { map: entries };
  }

  /**
   * @param {[Described, Described][]} entries
   * @returns {[Described, Described][]}
   */
  #entries(entries) {
    return entries.map(([key, item]) => [key, this.of(item)]);
  }

  /** @param {unknown} reference */
  #reference(reference) {
    const value = /** @type {Described} */ (this.#referred.get(reference));
    const isArray = value.list !== undefined || value.map !== undefined;
    if (!isArray || this.#times.get(reference) === 1) return this.of(value);
    const known = this.#knownArrays.get(reference);
    if (known !== undefined) return { reference: known };
    const number = this.#knownArrays.size;
    this.#knownArrays.set(reference, number);
    return { reference: number, value: this.of(value) };
  }

  /** @param {Described} described */
  #object({ object, id: old, properties, data, many, bytes, absent }) {
    const known = this.#knownObjects.get(old);
    if (known !== undefined) return { again: known };
    const id = this.#knownObjects.size;
    this.#knownObjects.set(old, id);
    if (bytes !== undefined) return { object, id, bytes };
    if (data !== undefined) return { object, id, data: this.of(data) };
    if (many !== undefined) return { object, id, properties: this.#many(many) };
    return { object, id, properties: this.#entries(properties), ...(absent !== undefined && { absent }) };
  }

  /**
   * @param {Described} properties an array
   * @returns {[Described, Described][]}
   */
  #many({ list, map }) {
    if (list === undefined)
      return this.#entries(map).map(([key, item]) => ['int' in key ? { str: key.int } : key, item]);
    return list.map((/** @type {Described} */ item, /** @type {number} */ index) => [
      { str: String(index) },
      this.of(item),
    ]);
  }
}

/** @param {string} bits */
function numberOf(bits) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}
