// The vectors' notation (vectors/README.md) in TypeScript: hex bytes, tagged values, and both translated from and to
// what the library takes and gives. A tagged value is the data model of spec/01 with nothing of JavaScript in it.

import { ExtData, Float, Timestamp } from 'polypack';

export type Tagged =
  | { readonly nil: true }
  | { readonly undefined: true }
  | { readonly bool: boolean }
  | { readonly int: string }
  | { readonly float: string }
  | { readonly str: string }
  | { readonly bin: string }
  | { readonly array: readonly Tagged[] }
  | { readonly map: readonly (readonly [Tagged, Tagged])[] }
  | { readonly timestamp: readonly [string, number] }
  | { readonly ext: readonly [number, string] };

/** Bytes written as hex; spaces between them are for reading, "61*300" and "(c4 00)*20" repeat. */
export function bytesOf(text: string): Uint8Array {
  const hex = text
    .replace(/(?:\(([0-9a-f ]+)\)|([0-9a-f]{2}))\*(\d+)/g, (_, group, one, times) =>
      (group ?? one).repeat(Number(times)),
    )
    .replaceAll(' ', '');
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new Error(`no bytes: ${text.slice(0, 80)}`);
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

/** Bytes as lowercase hex without spaces. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

/** The binary64 bits of a number as 16 hex digits; all NaN are one (spec/01#float). */
export function bitsOf(value: number): string {
  if (Number.isNaN(value)) return '7ff8000000000000';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

/** The number that 16 hex digits of binary64 bits mean. */
export function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

/** A value of a vector file, its "times" written out. */
export function writtenOut(value: unknown): Tagged {
  const node = value as Record<string, unknown>;
  const times = (node.times as number | undefined) ?? 1;
  if (typeof node.str === 'string') return { str: node.str.repeat(times) };
  if (typeof node.bin === 'string') return { bin: node.bin.repeat(times) };
  if (Array.isArray(node.array)) {
    const once = node.array.map(writtenOut);
    return { array: Array.from({ length: times }, () => once).flat() };
  }
  if (Array.isArray(node.map)) {
    return { map: node.map.map(([key, item]) => [writtenOut(key), writtenOut(item)] as const) };
  }
  if (typeof node.float === 'string') return { float: bitsOf(numberOf(node.float)) };
  return value as Tagged;
}

/** Whether a JavaScript engine would move a property of this name to the front (spec/09#lossless). */
export function isIntegerLike(name: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;
}

/** What lossless mode gives for a value and takes back (spec/09#lossless). */
export function hostOf(value: Tagged): unknown {
  if ('nil' in value) return null;
  if ('undefined' in value) return undefined;
  if ('bool' in value) return value.bool;
  if ('int' in value) {
    const exact = BigInt(value.int);
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }
  if ('float' in value) {
    const number = numberOf(value.float);
    return Number.isSafeInteger(number) && !Object.is(number, -0) ? new Float(number) : number;
  }
  if ('str' in value) return value.str;
  if ('bin' in value) return bytesOf(value.bin);
  if ('array' in value) return value.array.map(hostOf);
  if ('map' in value) return hostMapOf(value.map);
  if ('timestamp' in value) return new Timestamp(BigInt(value.timestamp[0]), value.timestamp[1]);
  return new ExtData(value.ext[0], bytesOf(value.ext[1]));
}

/** A Map turns the key −0 into 0, so there it is a Float. */
function hostKeyOf(key: Tagged): unknown {
  const value = hostOf(key);
  return Object.is(value, -0) ? new Float(-0) : value;
}

/** Another value for the same number, which a Map takes for another key. */
function twinOf(number: number): bigint | Float {
  return Number.isInteger(number) ? BigInt(number) : new Float(number);
}

function hostMapOf(entries: readonly (readonly [Tagged, Tagged])[]): unknown {
  if (!entries.every(([key]) => 'str' in key && !isIntegerLike(key.str))) {
    const map = new Map<unknown, unknown>();
    for (const [key, item] of entries) {
      const host = hostKeyOf(key);
      map.set(map.has(host) && typeof host === 'number' ? twinOf(host) : host, hostOf(item));
    }
    return map;
  }
  const object = {};
  for (const [key, item] of entries) {
    Object.defineProperty(object, (key as { str: string }).str, {
      value: hostOf(item),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return object;
}

/** The tagged value of what lossless mode gave; throws on anything spec/09#lossless does not list. */
export function taggedOf(value: unknown): Tagged {
  switch (typeof value) {
    case 'undefined':
      return { undefined: true };
    case 'boolean':
      return { bool: value };
    case 'string':
      return { str: value };
    case 'bigint':
      if (Number.isSafeInteger(Number(value))) throw new Error(`${value}n should have been a number`);
      return { int: value.toString() };
    case 'number':
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { int: String(value) };
      return { float: bitsOf(value) };
  }
  if (value === null) return { nil: true };
  if (value instanceof Float) return { float: bitsOf(Number(value)) };
  if (value instanceof Timestamp) return { timestamp: [String(value.seconds), value.nanoseconds] };
  if (value instanceof ExtData) return { ext: [value.type, hexOf(value.data)] };
  if (value instanceof Uint8Array) return { bin: hexOf(value) };
  if (Array.isArray(value)) return { array: value.map(taggedOf) };
  if (value instanceof Map) return { map: [...value].map(([key, item]) => [taggedOf(key), taggedOf(item)] as const) };
  if (Object.getPrototypeOf(value) === Object.prototype) {
    return { map: Object.entries(value as object).map(([key, item]) => [{ str: key }, taggedOf(item)] as const) };
  }
  throw new Error(`lossless mode has no ${Object.prototype.toString.call(value)}`);
}

/** Whether a value of lossless mode is the expected one, as `identityOf` tells; most values need no text for it. */
export function isValue(actual: unknown, expected: Tagged): boolean {
  if ('str' in expected) return actual === expected.str;
  if ('nil' in expected) return actual === null;
  if ('array' in expected && Array.isArray(actual)) {
    const { array } = expected;
    return actual.length === array.length && array.every((item, index) => isValue(actual[index], item));
  }
  if ('map' in expected && actual?.constructor === Object) return isObject(actual, expected.map);
  const tagged = taggedOf(actual);
  if ('int' in expected && 'int' in tagged) return tagged.int === expected.int;
  return identityOf(tagged) === identityOf(expected);
}

function isObject(actual: object, entries: readonly (readonly [Tagged, Tagged])[]): boolean {
  const members = new Map<unknown, unknown>(Object.entries(actual));
  return (
    members.size === entries.length &&
    entries.every(([key, item]) => 'str' in key && members.has(key.str) && isValue(members.get(key.str), item))
  );
}

/** One text per value: two values have the same text when they are equal as spec/01 defines it. */
export function identityOf(value: Tagged): string {
  if ('array' in value) return `[${value.array.map(identityOf).join(',')}]`;
  if ('map' in value) {
    return `{${value.map
      .map(([key, item]) => `${identityOf(key)}:${identityOf(item)}`)
      .sort()
      .join(',')}}`;
  }
  if ('int' in value) return value.int; // vectors have arrays of thousands
  return JSON.stringify(value);
}
