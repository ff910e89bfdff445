// Names of properties that objects treat in their own way.
//
// Plan: own properties whatever their name · integer-like names.

/**
 * Defines an own property, as JSON.parse does: also `__proto__`, and every name that Object.prototype has now, so that no value
 * reaches a setter there and none is stopped by a frozen prototype. The prototype is asked each time, because a program may
 * change it between two values; for names that engines know as properties that costs some nanoseconds.
 */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name in Object.prototype) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

const LAST_INDEX = 0xffff_fffe;
const LONGEST_INDEX = 10;

/** Whether engines move a property of this name to the front: an array index, as it is written (spec/09#lossless). */
export function isIntegerLike(name: string): boolean {
  const first = name.charCodeAt(0);
  if (!(first >= 0x30 && first <= 0x39) || name.length > LONGEST_INDEX) return false;
  const index = Number(name);
  return index <= LAST_INDEX && String(index) === name;
}
