// Classes whose instances are restored from their properties.
//
// Plan: classExtension.

import type { Class, ExtensionDefinition } from '../core/extension.ts';
import { allowGaps, defineOwn, isIntegerLike, leavesGap, setOwn } from '../core/property.ts';

/**
 * Returns an extension for a class whose instances consist of their own enumerable properties. Decoding doesn't call
 * the constructor. It makes an object with the prototype of the class, and defines the properties that were written.
 * With the option `structuredClone`, an instance may contain itself.
 *
 * Decoding defines any property that the bytes name. A property may hide a method, but calls no setter. So check
 * instances from untrusted sources. Private fields (`#name`) can't be restored; write your own extension for a class
 * that has them.
 *
 * @param Class instances of its subclasses decode to this class; to keep a subclass, register it after this class
 * @param type 0 … 127; −128 … −2 also work, but belong to MessagePack
 * @throws TypeError, RangeError when a codec or `addExtension` gets the extension, if Class or type is invalid
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
        // The prototype may have a setter, which must not run, or a read-only property, for which assignment fails.
        if (name in instance) defineOwn(instance, name, field);
        else (instance as Record<string, unknown>)[name] = field;
      }
      return instance;
    },
  };
}

/** Returns the properties of an instance. `value` may be a Map, for example if the codec decodes all maps to Map. */
function fieldsOf(value: unknown): Iterable<[string, unknown]> {
  if (value instanceof Map) {
    const names = [...value.keys()];
    if (names.every((name) => typeof name === 'string')) return value as Map<string, unknown>;
  } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.entries(value);
  }
  throw new TypeError('the fields of an instance must be a map with names as keys');
}
