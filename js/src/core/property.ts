// Property names that need special treatment.
//
// Plan: setOwn · mapOf · integer-like names.

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

/** Returns a Map with an object's own properties, in order. Unlike Object.entries, it makes no array for each entry. */
export function mapOf(object: Readonly<Record<string, unknown>>): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const name of Object.keys(object)) map.set(name, object[name]);
  return map;
}

const LAST_INDEX = 0xffff_fffe;
const LONGEST_INDEX = 10;

/**
 * Whether a name is an array index in canonical form (spec/09#lossless). Engines put such properties before all others.
 */
export function isIntegerLike(name: string): boolean {
  const first = name.charCodeAt(0);
  if (!(first >= 0x30 && first <= 0x39) || name.length > LONGEST_INDEX) return false;
  const index = Number(name);
  return Number.isInteger(index) && index <= LAST_INDEX && String(index) === name;
}
