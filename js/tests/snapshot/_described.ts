// Describes what JavaScript gets of a snapshot as vectors/README.md#snapshots does, and reduces the description of a
// vector to what JavaScript keeps (spec/10#elsewhere).

import { PhpCase, PhpObject, type PhpText } from 'polypack/snapshot';
import { bitsOf, bytesOf, hexOf } from '../_values.ts';

export type Described = Record<string, unknown>;

/** Describes a value. Arrays that occur again are references. */
export function describe(value: unknown): Described {
  return new Description(value).of(value);
}

/** Returns the description of a vector without what JavaScript doesn't keep. */
export function reduced(described: Described): Described {
  return new Reduction(described).of(described);
}

/** Whether a value is an array of PHP. */
function isArray(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !(value instanceof Uint8Array || value instanceof PhpCase || value instanceof PhpObject);
}

function entriesOf(value: object): [unknown, unknown][] {
  if (value instanceof PhpObject)
    return [...value.properties, ...[value.data].map((data): [string, unknown] => ['', data])];
  if (value instanceof Map) return [...value];
  return Object.entries(value);
}

export function describedText(text: PhpText): Described {
  if (typeof text === 'string' && /^[\x20-\x7e]*$/.test(text)) return { str: text };
  return { hex: hexOf(typeof text === 'string' ? new TextEncoder().encode(text) : text) };
}

export function describedNumber(number: number): Described {
  if (Number.isSafeInteger(number) && !Object.is(number, -0)) return { int: String(number) };
  return { float: bitsOf(number) };
}

class Description {
  /** How often each array occurs. */
  readonly #times = new Map<object, number>();
  readonly #objects = new Map<object, number>();
  readonly #references = new Map<object, number>();

  constructor(value: unknown) {
    this.#count(value);
  }

  #count(value: unknown): void {
    if (!isArray(value) && !(value instanceof PhpObject)) return;
    const times = this.#times.get(value) ?? 0;
    this.#times.set(value, times + 1);
    if (times === 0) for (const [, item] of entriesOf(value)) this.#count(item);
  }

  of(value: unknown): Described {
    if (value === null) return { null: true };
    if (typeof value === 'boolean') return { bool: value };
    if (typeof value === 'bigint') return { int: String(value) };
    if (typeof value === 'number') return describedNumber(value);
    if (typeof value === 'string' || value instanceof Uint8Array) return describedText(value);
    if (value instanceof PhpCase) return { case: [value.class, value.name] };
    if (value instanceof PhpObject) return this.#object(value);
    if (!isArray(value)) throw new TypeError(`no value of a snapshot: ${String(value)}`);
    if (this.#times.get(value) === 1) return this.#array(value);
    const known = this.#references.get(value);
    if (known !== undefined) return { reference: known };
    const reference = this.#references.size;
    this.#references.set(value, reference);
    return { reference, value: this.#array(value) };
  }

  #array(value: object): Described {
    if (Array.isArray(value)) return { list: value.map((item) => this.of(item)) };
    return { map: this.#entries(entriesOf(value)) };
  }

  #entries(entries: Iterable<[unknown, unknown]>): [Described, Described][] {
    return Array.from(entries, ([key, item]) => [this.of(key), this.of(item)]);
  }

  #object(value: PhpObject): Described {
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

/**
 * Floats that are ints, references to anything but arrays, and how PHP declares properties: all of it is lost. Objects
 * and arrays are described where they occur first.
 */
class Reduction {
  /** Objects by their ids, and what references stand for by their numbers, as the vector has them. */
  readonly #objects = new Map<unknown, Described>();
  readonly #referred = new Map<unknown, Described>();
  /** How often a reference occurs. */
  readonly #times = new Map<unknown, number>();
  /** Those that are described already, by their new numbers. */
  readonly #knownObjects = new Map<unknown, number>();
  readonly #knownArrays = new Map<unknown, number>();

  constructor(described: Described) {
    this.#index(described);
  }

  #index(described: unknown): void {
    if (Array.isArray(described)) for (const item of described) this.#index(item);
    if (typeof described !== 'object' || described === null || Array.isArray(described)) return;
    const { object, id, reference, value } = described as Described;
    if (object !== undefined) this.#objects.set(id, described as Described);
    if (reference !== undefined) {
      this.#times.set(reference, (this.#times.get(reference) ?? 0) + 1);
      if (value !== undefined) this.#referred.set(reference, value as Described);
    }
    for (const content of Object.values(described)) this.#index(content);
  }

  of(described: Described): Described {
    const { float, list, map, reference, object } = described;
    if (typeof float === 'string') return describedNumber(new DataView(bytesOf(float).buffer).getFloat64(0));
    if (reference !== undefined) return this.#reference(reference);
    if (list !== undefined) return { list: (list as Described[]).map((item) => this.of(item)) };
    if (map !== undefined) return this.#map(this.#entries(map));
    if (object !== undefined) return this.#object(described);
    if ('again' in described) return this.#object(this.#objects.get(described.again) as Described);
    return described;
  }

  #map(entries: [Described, Described][]): Described {
    const isList = entries.every(([{ int }], index) => int === String(index));
    return isList ? { list: entries.map(([, item]) => item) } : { map: entries };
  }

  #entries(entries: unknown): [Described, Described][] {
    return (entries as [Described, Described][]).map(([key, item]) => [key, this.of(item)]);
  }

  #reference(reference: unknown): Described {
    const value = this.#referred.get(reference) as Described;
    const isArray = value.list !== undefined || value.map !== undefined;
    if (!isArray || this.#times.get(reference) === 1) return this.of(value);
    const known = this.#knownArrays.get(reference);
    if (known !== undefined) return { reference: known };
    const number = this.#knownArrays.size;
    this.#knownArrays.set(reference, number);
    return { reference: number, value: this.of(value) };
  }

  #object({ object, id: old, properties, data, many, bytes, absent }: Described): Described {
    const known = this.#knownObjects.get(old);
    if (known !== undefined) return { again: known };
    const id = this.#knownObjects.size;
    this.#knownObjects.set(old, id);
    if (bytes !== undefined) return { object, id, bytes };
    if (data !== undefined) return { object, id, data: this.of(data as Described) };
    if (many !== undefined) return { object, id, properties: this.#many(many as Described) };
    return { object, id, properties: this.#entries(properties), ...(absent !== undefined && { absent }) };
  }

  #many({ list, map }: Described): [Described, Described][] {
    if (list !== undefined) return (list as Described[]).map((item, index) => [{ str: String(index) }, this.of(item)]);
    return this.#entries(map).map(([key, item]) => ['int' in key ? { str: key.int } : key, item]);
  }
}
