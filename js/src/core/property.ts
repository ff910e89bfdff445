// Names of properties that objects treat in their own way.
//
// Plan: own properties whatever their name · an object as a Map · integer-like names.

/**
 * Defines an own property, as JSON.parse does: also `__proto__`, and every name that Object.prototype has now, so that no value
 * reaches a setter there and none is stopped by a frozen prototype. The prototype is asked each time, because a program may
 * change it between two values; for names that engines know as properties that costs some nanoseconds.
 */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  // In V8 half as dear as `in` for a name that is new. The prototype has none itself, so it is the same.
  if (Object.hasOwn(Object.prototype, name)) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** A Map with an object's own properties, in their order. Makes no array for each entry, as Object.entries would. */
export function mapOf(object: Readonly<Record<string, unknown>>): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const name of Object.keys(object)) map.set(name, object[name]);
  return map;
}

const LAST_INDEX = 0xffff_fffe;
const LONGEST_INDEX = 10;

/** Whether engines move a property of this name to the front: an array index, as it is written (spec/09#lossless). */
export function isIntegerLike(name: string): boolean {
  const first = name.charCodeAt(0);
  if (!(first >= 0x30 && first <= 0x39) || name.length > LONGEST_INDEX) return false;
  const index = Number(name);
  return Number.isInteger(index) && index <= LAST_INDEX && String(index) === name;
}
