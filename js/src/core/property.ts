// Property names that need special treatment.
//
// Plan: setOwn · mapOf · integer-like names · indices with gaps.

/**
 * Defines an own property, as JSON.parse does, even for `__proto__` and every other name on Object.prototype. So no
 * value reaches a setter, and a frozen prototype doesn't prevent the property. Checks Object.prototype each time,
 * because a program may change it between two values. The check takes a few nanoseconds for a name that the engine
 * already uses for a property.
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

/**
 * Returns a Map with an object's own properties. Unlike Object.entries, it makes no array for each entry.
 *
 * @param order the names in the order of the entries, as text or as array indices; may repeat
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
 * Whether a name is an array index in canonical form (spec/09#lossless). Engines put such properties before all others.
 */
export function isIntegerLike(name: string): boolean {
  // Most names don't start with a digit.
  return (name.charCodeAt(0) - 0x30) >>> 0 < 10 && String(Number(name) >>> 0) === name && name !== '4294967295';
}

/** An object reserves little memory for array indices below this, so gaps between them don't matter. */
const FEW_INDICES = 7;

/**
 * Whether a property with this array index would leave a gap below it. V8 reserves memory for each index of such a gap:
 * 12 KB for the index 999 alone.
 */
export function leavesGap(object: object, index: number): boolean {
  return index >= FEW_INDICES && !Object.hasOwn(object, index - 1);
}

/**
 * Makes V8 keep the array indices of an object in a hash table, about 150 bytes for the first one, instead of an array
 * with gaps. It does so from the largest index on, and doesn't return to an array when that property is deleted.
 */
export function allowGaps(object: object): void {
  // If the message has that property, the hash table is there, and the property must stay.
  if (Object.hasOwn(object, LAST_INDEX)) return;
  Object.defineProperty(object, LAST_INDEX, { value: null, writable: true, enumerable: true, configurable: true });
  delete (object as Record<number, unknown>)[LAST_INDEX];
}
