// Whether what came back is the value: element by element, with the order of names and the types of objects.

/** A Buffer and a Uint8Array of the same bytes are one value; −0 is not 0. */
export function isSame(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime();
  if (expected instanceof Uint8Array) {
    return actual instanceof Uint8Array && isSameList(actual, expected, (a, b) => a === b);
  }
  if (Array.isArray(expected)) return Array.isArray(actual) && isSameList(actual, expected, isSame);
  return isSameObject(actual as Record<string, unknown>, expected as Record<string, unknown>);
}

function isSameList<T>(actual: ArrayLike<T>, expected: ArrayLike<T>, same: (a: T, b: T) => boolean): boolean {
  if (actual.length !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (!same(actual[i] as T, expected[i] as T)) return false;
  return true;
}

function isSameObject(actual: Record<string, unknown>, expected: Record<string, unknown>): boolean {
  if (!isPlain(actual)) return false;
  const names = Object.keys(expected);
  return (
    isSameList(Object.keys(actual), names, (a, b) => a === b) &&
    names.every((name) => isSame(actual[name], expected[name]))
  );
}

/**
 * Some libraries give records a prototype of their own, which adds nothing: avsc names its classes, others use null.
 */
function isPlain(value: object): boolean {
  return !Array.isArray(value) && !(value instanceof Map) && !ArrayBuffer.isView(value) && !(value instanceof Date);
}
