// Classes whose instances are restored from their properties.
//
// Plan: classExtension.

import type { Class, ExtensionDefinition } from '../core/extension.ts';
import { allowGaps, isIntegerLike, leavesGap, setOwn } from '../core/property.ts';

/**
 * Returns an extension for a class whose instances consist of their own enumerable properties. Instances are decoded
 * without calling the constructor: as an object with the prototype of the class and the properties that were written.
 * With the option `structuredClone` they may contain themselves.
 *
 * Decoding defines any property that the bytes name, even with the name of a method. Check instances from untrusted
 * sources. Private fields (`#name`) can't be restored: write your own extension for such a class.
 *
 * @param Class subclasses are instances, too, and decode to this class; register them later than their parents
 * @param type 0 … 127, as for every extension
 * @throws TypeError, RangeError when the extension is given to a codec, if Class or type isn't valid
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
      for (const [name, field] of fieldsOf(value)) {
        if (isIntegerLike(name) && leavesGap(instance, Number(name))) allowGaps(instance);
        setOwn(instance as Record<string, unknown>, name, field);
      }
      return instance;
    },
  };
}

/** Properties decode to a Map if the codec makes Maps of all maps. */
function fieldsOf(value: unknown): Iterable<[string, unknown]> {
  if (value instanceof Map) {
    const names = [...value.keys()];
    if (names.every((name) => typeof name === 'string')) return value as Map<string, unknown>;
  } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.entries(value);
  }
  throw new TypeError('the fields of an instance must be a map with names as keys');
}
