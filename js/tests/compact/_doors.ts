// The compact door against the public door on any bytes and values, for the property tests and the fuzzer.

import { ExtData, Float, type PackrOptions, Timestamp, Packr as Whole } from 'polypack';
import { Packr, Unpackr, type UnpackrOptions } from 'polypack/compact';
import { type Comparison, faultOf } from '../_agree.ts';
import { hexOf } from '../_values.ts';

/** Every combination of the options that decide what bytes become, as far as they go together. */
export const DECODINGS: readonly UnpackrOptions[] = (['default', 'strict', 'lossless'] as const).flatMap((mode) =>
  (['off', 'inline'] as const).flatMap((records) =>
    [undefined, true, false].flatMap((mapsAsObjects) =>
      (['auto', 'bigint', 'number', 'string'] as const).flatMap((int64AsType): UnpackrOptions[] => {
        const options = { mode, records, int64AsType, ...(mapsAsObjects !== undefined && { mapsAsObjects }) };
        const loses = mapsAsObjects === true || int64AsType === 'number' || int64AsType === 'string';
        return mode === 'lossless' && loses ? [] : [options];
      }),
    ),
  ),
);

/** What both doors make of bytes: their values, with types and order, or their faults. */
export function compareDoors(bytes: Uint8Array, options: UnpackrOptions): Comparison {
  return {
    actual: outcome(() => new Unpackr(options).unpack(bytes)),
    expected: outcome(() => new Whole(options).unpack(bytes)),
  };
}

/** What both doors make of a value. */
export function comparePacking(
  value: unknown,
  options: Pick<PackrOptions, 'mode' | 'encodeUndefinedAsNil'>,
): Comparison {
  return {
    actual: outcome(() => hexOf(new Packr(options).pack(value))),
    expected: outcome(() => hexOf(new Whole({ ...options, records: 'off' }).pack(value))),
  };
}

function outcome(run: () => unknown): string {
  let value: unknown;
  const fault = faultOf(() => {
    value = run();
  });
  return fault ?? described(value);
}

/** A value as one text, which tells types and the order of entries apart. */
function described(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(described)}]`;
  if (value instanceof Map) return `Map{${[...value].map((entry) => entry.map(described).join(': '))}}`;
  if (value instanceof Uint8Array) return `${value.constructor.name} ${hexOf(value)}`;
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof Float) return `Float ${described(value.value)}`;
  if (value instanceof Timestamp) return `Timestamp ${described(value.seconds)} ${value.nanoseconds}`;
  if (value instanceof ExtData) return `ExtData ${value.type} ${described(value.data)}`;
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`no door gives ${String(value)}`);
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${described(member)}`)}}`;
}
