// Property names that need special treatment.
//
// Plan: setOwn · defineOwn · mapOf · integer-like names · indices with gaps.

/**
 * Defines an own property of any name, as JSON.parse does. For `__proto__` and other names on Object.prototype, a plain
 * assignment could call a setter, or fail if Object.prototype is frozen. Looks the name up on Object.prototype at each
 * call, because a program may add names between two calls.
 */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  // For a name that is new to V8, `hasOwn` costs half as much as `in`. Object.prototype has no prototype, so both give
  // the same result.
  if (Object.hasOwn(Object.prototype, name)) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** Defines a writable and configurable own property, even if a prototype has a setter of the same name. */
export function defineOwn(object: object, name: PropertyKey, value: unknown, enumerable = true): void {
  Object.defineProperty(object, name, { value, enumerable, writable: true, configurable: true });
}

/**
 * Returns a Map with an object's own properties. Unlike Object.entries, makes no array for each entry.
 *
 * @param order the names in the order for the Map; array indices may be numbers. A name may occur twice.
 */
export function mapOf(
  object: Readonly<Record<string, unknown>>,
  order: readonly (string | number)[] = Object.keys(object),
): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const name of order) map.set(String(name), object[name]);
  return map;
}

const LAST_INDEX = 0xffff_fffe;

/**
 * Whether a name is an array index: 0 … 4294967294 in decimal, without leading zeros (spec/09#lossless). Engines put
 * properties with such names before all others.
 */
export function isIntegerLike(name: string): boolean {
  // Test the first character before the whole name, because most names don't start with a digit.
  return (name.charCodeAt(0) - 0x30) >>> 0 < 10 && String(Number(name) >>> 0) === name && name !== '4294967295';
}

/** An object reserves little memory for array indices below this, so gaps between them don't matter. */
const FEW_INDICES = 7;

/**
 * Whether a property with this array index would leave a gap below it; false for indices below FEW_INDICES. V8 reserves
 * memory for the indices in a gap too, for example 12 KB if 999 is the only index.
 */
export function leavesGap(object: object, index: number): boolean {
  return index >= FEW_INDICES && !Object.hasOwn(object, index - 1);
}

/**
 * Makes V8 store the array indices of an object in a hash table instead of an array with gaps. The table takes about
 * 150 bytes for the first index. V8 switches to the table when the object gets the index LAST_INDEX, and keeps it when
 * that property is deleted.
 */
export function allowGaps(object: object): void {
  // An object that has this index already uses the hash table. Its property must not be deleted.
  if (Object.hasOwn(object, LAST_INDEX)) return;
  Object.defineProperty(object, LAST_INDEX, { value: null, writable: true, enumerable: true, configurable: true });
  delete (object as Record<number, unknown>)[LAST_INDEX];
}
