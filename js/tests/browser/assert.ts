// Stands for node:assert/strict in a browser: the functions that the suite calls, with the same verdicts.
//
// Plan: equality · what was thrown · the functions. tests/browser.test.ts compares the verdicts with Node's.

export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

function fail(message: unknown, found: string): never {
  if (message instanceof Error) throw message;
  throw new AssertionError(message === undefined ? found : `${String(message)}: ${found}`);
}

// --- equality --------------------------------------------------------------------------------------------------------

/** Strict deep equality: types, prototypes and own enumerable properties, −0 apart from 0. */
export function isSame(a: unknown, b: unknown, seen: [object, object][] = []): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
  // Two cycles of one form are the same; a pair that is being compared may be taken as such.
  if (seen.some(([left, right]) => left === a && right === b)) return true;
  const pairs: [object, object][] = [...seen, [a, b]];
  return isSameInside(a, b, pairs) && areSameProperties(a, b, pairs);
}

/** What an object holds beside its properties. */
function isSameInside(a: object, b: object, seen: [object, object][]): boolean {
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime());
  if (a instanceof RegExp) return String(a) === String(b) && a.lastIndex === (b as RegExp).lastIndex;
  if (a instanceof Error) {
    const other = b as Error;
    return a.name === other.name && a.message === other.message && isSame(a.cause, other.cause, seen);
  }
  if (a instanceof Number || a instanceof String || a instanceof Boolean) return Object.is(a.valueOf(), b.valueOf());
  if (a instanceof ArrayBuffer) return areSameBytes(new Uint8Array(a), new Uint8Array(b as ArrayBuffer));
  if (ArrayBuffer.isView(a)) {
    const [left, right] = [a, b as ArrayBufferView].map(
      (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
    );
    return areSameBytes(left as Uint8Array, right as Uint8Array);
  }
  if (a instanceof Map) return isSameMap(a, b as Map<unknown, unknown>, seen);
  if (a instanceof Set) return isSameSet(a, b as Set<unknown>, seen);
  if (Array.isArray(a)) return a.length === (b as unknown[]).length;
  return true;
}

function areSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function isSameMap(a: Map<unknown, unknown>, b: Map<unknown, unknown>, seen: [object, object][]): boolean {
  if (a.size !== b.size) return false;
  const rest = [...b];
  return [...a].every(([key, value]) => {
    const at = rest.findIndex(([other, found]) => isSame(key, other, seen) && isSame(value, found, seen));
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

function isSameSet(a: Set<unknown>, b: Set<unknown>, seen: [object, object][]): boolean {
  if (a.size !== b.size) return false;
  const rest = [...b];
  return [...a].every((one) => {
    const at = rest.findIndex((other) => isSame(one, other, seen));
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

function keysOf(object: object): PropertyKey[] {
  // Elements of views were compared as bytes; large ones would take long as properties.
  const names = ArrayBuffer.isView(object) ? [] : Object.keys(object);
  const symbols = Object.getOwnPropertySymbols(object).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(object, key),
  );
  return [...names, ...symbols];
}

function areSameProperties(a: object, b: object, seen: [object, object][]): boolean {
  const keys = keysOf(a);
  if (keys.length !== keysOf(b).length) return false;
  return keys.every(
    (key) =>
      Object.prototype.propertyIsEnumerable.call(b, key) &&
      isSame((a as Record<PropertyKey, unknown>)[key], (b as Record<PropertyKey, unknown>)[key], seen),
  );
}

function show(value: unknown): string {
  try {
    const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));
    return (text ?? String(value)).slice(0, 300);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

// --- what was thrown -------------------------------------------------------------------------------------------------

type Expected = RegExp | object | ((error: unknown) => boolean) | (new (...args: never[]) => unknown);

/** Checks an error as node:assert does: a pattern of its text, its class, a function that judges it, or its members. */
function judge(error: unknown, expected: Expected | string | undefined, message: unknown): void {
  if (expected === undefined || typeof expected === 'string') return;
  if (expected instanceof RegExp) {
    if (!expected.test(String(error))) fail(message, `${String(error)} does not match ${expected}`);
  } else if (typeof expected === 'function') {
    const isClass = expected.prototype !== undefined && (error as object) instanceof expected;
    const isErrorClass = expected === Error || Object.prototype.isPrototypeOf.call(Error, expected);
    if (isClass || (!isErrorClass && (expected as (error: unknown) => unknown)(error) === true)) return;
    if (isErrorClass) fail(message, `${String(error)} is no ${expected.name}`);
    fail(message, `${String(error)} was refused`);
  } else {
    for (const [name, value] of Object.entries(expected)) {
      const actual = (error as Record<string, unknown>)[name];
      const isRight =
        value instanceof RegExp && typeof actual === 'string' ? value.test(actual) : isSame(actual, value);
      if (!isRight) fail(message, `${name} of the error is ${show(actual)}, not ${show(value)}; ${String(error)}`);
    }
  }
}

/** Node takes a text in place of the expectation as the message. */
function messageOf(expected: unknown, message: unknown): unknown {
  return typeof expected === 'string' ? expected : message;
}

// --- the functions ---------------------------------------------------------------------------------------------------

function ok(value: unknown, message?: unknown): void {
  if (!value) fail(message, `${show(value)} is not truthy`);
}

function equal(actual: unknown, expected: unknown, message?: unknown): void {
  if (!Object.is(actual, expected)) fail(message, `${show(actual)} is not ${show(expected)}`);
}

function notEqual(actual: unknown, expected: unknown, message?: unknown): void {
  if (Object.is(actual, expected)) fail(message, `it is ${show(actual)}`);
}

function deepEqual(actual: unknown, expected: unknown, message?: unknown): void {
  if (!isSame(actual, expected)) fail(message, `${show(actual)} is not the same as ${show(expected)}`);
}

function notDeepEqual(actual: unknown, expected: unknown, message?: unknown): void {
  if (isSame(actual, expected)) fail(message, `both are ${show(actual)}`);
}

function match(text: string, pattern: RegExp, message?: unknown): void {
  if (!pattern.test(text)) fail(message, `${show(text)} does not match ${pattern}`);
}

function doesNotMatch(text: string, pattern: RegExp, message?: unknown): void {
  if (pattern.test(text)) fail(message, `${show(text)} matches ${pattern}`);
}

function throws(run: () => unknown, expected?: Expected | string, message?: unknown): void {
  let thrown: { error: unknown } | undefined;
  try {
    run();
  } catch (error) {
    thrown = { error };
  }
  if (thrown === undefined) fail(messageOf(expected, message), 'nothing was thrown');
  judge(thrown.error, expected, message);
}

function doesNotThrow(run: () => unknown, message?: unknown): void {
  try {
    run();
  } catch (error) {
    fail(message, `${String(error)} was thrown`);
  }
}

async function doesNotReject(run: Promise<unknown> | (() => Promise<unknown>), message?: unknown) {
  try {
    await (typeof run === 'function' ? run() : run);
  } catch (error) {
    fail(message, `${String(error)} was rejected`);
  }
}

async function rejects(run: Promise<unknown> | (() => Promise<unknown>), expected?: Expected, message?: unknown) {
  const found = await (typeof run === 'function' ? run() : run).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (found === undefined) fail(messageOf(expected, message), 'nothing was rejected');
  judge(found.error, expected, message);
}

export default Object.assign(ok, {
  AssertionError,
  deepEqual,
  deepStrictEqual: deepEqual,
  doesNotMatch,
  doesNotReject,
  doesNotThrow,
  equal,
  fail: (message?: unknown) => fail(message, 'failed'),
  match,
  notDeepEqual,
  notDeepStrictEqual: notDeepEqual,
  notEqual,
  notStrictEqual: notEqual,
  ok,
  rejects,
  strictEqual: equal,
  throws,
});
