// Calls into foreign code, and tests for objects that encoders treat specially.
//
// Plan: calls of extensions, toJSON and options · classes · keys as tokens of a path.

import { nameOf, passedFault } from './encode-faults.ts';
import { Fault, foreignFault, isStackExhausted, PolypackError } from './errors.ts';
import { isBytes } from './values.ts';

export function callExtension(method: ((instance: never) => unknown) | undefined, value: object): unknown {
  try {
    return method?.(value as never);
  } catch (cause) {
    throw callFault(`the extension for ${nameOf(value)} failed to encode`, cause);
  }
}

export function callToJSON(value: object, toJSON: () => unknown): unknown {
  try {
    return toJSON.call(value);
  } catch (cause) {
    throw callFault(`toJSON of ${nameOf(value)} failed`, cause);
  }
}

/** Returns the fault for what a call of user code threw. A PolypackError of encoding keeps its code and path. */
function callFault(what: string, cause: unknown): Fault {
  return cause instanceof PolypackError ? passedFault(cause) : foreignFault(what, cause);
}

export function callOption<T>(name: string, method: () => T): T {
  try {
    return method();
  } catch (cause) {
    // The public call turns a Fault or an exhausted stack into the error for the user.
    if (cause instanceof Fault || isStackExhausted(cause)) throw cause;
    throw foreignFault(`the option ${name} failed`, cause);
  }
}

/** Returns the names of the own enumerable properties that have none of these values. */
export function namesWithout(values: readonly unknown[], object: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(object).filter((name) => !values.includes(object[name]));
}

/**
 * Returns a view of an ArrayBuffer or SharedArrayBuffer, which may come from another realm; null for any other value,
 * which takes longer.
 */
export function bufferView(value: unknown): DataView | null {
  try {
    return new DataView(value as ArrayBuffer);
  } catch {
    return null;
  }
}

/** Whether a value is a boxed string, number, boolean or bigint, such as `new String("a")`. */
export function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt;
}

/** The classes that `classAnywhere` finds, each with a method that fails for objects without the internal slots. */
const METHODS: Readonly<Record<string, string>> = {
  Map: 'has',
  Set: 'has',
  Date: 'getTime',
  String: 'valueOf',
  Number: 'valueOf',
  Boolean: 'valueOf',
  BigInt: 'valueOf',
};

/**
 * Returns the name of an object's class. Also works for another realm (a vm context, a frame, a test of Jest), where
 * `instanceof` fails. Returns '' if METHODS doesn't have the class.
 */
export function classAnywhere(value: object): string {
  const name = tagOf(value).slice(8, -1);
  if (!Object.hasOwn(METHODS, name)) return '';
  const { prototype } = Reflect.get(globalThis, name) as { prototype: Record<string, () => unknown> };
  try {
    prototype[METHODS[name] as string]?.call(value);
    return name;
  } catch {
    return '';
  }
}

/** Whether the prototype of an object is the Object.prototype of any realm. */
export function isPlainElsewhere(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype as object, 'isPrototypeOf')
  );
}

/**
 * Whether writing an object's properties would lose its content. This is true for errors, regular expressions,
 * promises, weak collections and buffers. It is also true for objects with any other tag, such as Blob or Request, that
 * have no own enumerable properties.
 */
export function isOpaque(value: object): boolean {
  const tag = tagOf(value);
  if (tag === '[object Object]') return false;
  return (
    value instanceof Error ||
    /^\[object (Error|RegExp|Promise|Weak(Map|Set|Ref)|(Shared)?ArrayBuffer)\]$/.test(tag) ||
    Object.keys(value).length === 0
  );
}

/** Returns `[object Map]` for a Map of any realm; `[object Object]` for plain objects and instances of most classes. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

/** Returns the nanoseconds of a Temporal.Instant since 1970; null for any other value. */
export function instantOf(value: object): bigint | null {
  if (tagOf(value) !== '[object Temporal.Instant]') return null;
  const nanoseconds = 'epochNanoseconds' in value ? value.epochNanoseconds : null;
  return typeof nanoseconds === 'bigint' ? nanoseconds : null;
}

export function floorDivide(number: bigint, divisor: bigint): bigint {
  const quotient = number / divisor;
  return quotient * divisor > number ? quotient - 1n : quotient;
}

/** Returns the path token for a key of a Map (spec/07#path). `index` is the index of its entry. */
export function keyToken(key: unknown, index: number): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'bigint') return String(key);
  if (typeof key === 'number' && Number.isSafeInteger(key) && !Object.is(key, -0)) return String(key);
  if (!isBytes(key)) return `#${index}`;
  return `0x${Array.from(key, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
