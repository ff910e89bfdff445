// Classes whose instances are made again from their properties.
//
// Plan: classExtension.

import type { Class, ExtensionDefinition } from '../core/extension.ts';
import { setOwn } from '../core/property.ts';

/**
 * An extension for a class whose instances are their own enumerable properties. Instances are decoded without calling the
 * constructor: an object with the prototype of the class, and the properties that were written. With the option
 * `structuredClone` they may contain themselves.
 *
 * Decoding defines whatever properties the bytes name, methods of the class included; check instances from strangers. Private
 * fields (`#name`) cannot be restored: write an extension of your own for such a class.
 *
 * @param Class subclasses are instances, too, and decode to this class; register them later than their parents
 * @param type 0 … 127, as for every extension
 * @throws TypeError, RangeError when it is given to a codec, for what is no class or type
 */
export function classExtension<T extends object>(Class: Class<T>, type: number): ExtensionDefinition<T> {
  const create = (): T => Object.create(Class.prototype) as T;
  return {
    Class,
    type,
    write(instance) {
      const fields: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(instance)) setOwn(fields, name, value);
      return fields;
    },
    create,
    read(value, instance = create()) {
      for (const [name, field] of fieldsOf(value)) setOwn(instance as Record<string, unknown>, name, field);
      return instance;
    },
  };
}

/** Fields decode to a Map where the codec makes one of every map. */
function fieldsOf(value: unknown): Iterable<[string, unknown]> {
  if (value instanceof Map) {
    const names = [...value.keys()];
    if (names.every((name) => typeof name === 'string')) return value as Map<string, unknown>;
  } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.entries(value);
  }
  throw new TypeError('the fields of an instance must be a map with names as keys');
}
