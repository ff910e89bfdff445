// The library against its slow twin on any bytes, for the property tests and the fuzzer.

import { encodeCanonical, PolypackError, StreamDecoder, Unpackr } from 'polypack';
import { type Mode, TwinFault, type TwinOptions, twinDecode } from './_twin-decoder.ts';
import { hexOf, identityOf, type Tagged, taggedOf } from './_values.ts';

/** A fault as one text, or null when there is none. Any other exception than a fault passes through: it is a finding. */
export function faultOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof PolypackError || error instanceof TwinFault) {
      return `${error.code} at ${error.offset} in "${error.path}"`;
    }
    throw error;
  }
}

/** What the library makes of bytes and what the twin does; equal texts when they agree. */
export interface Comparison {
  readonly actual: string;
  readonly expected: string;
}

/** Compares a decode: the fault in every mode, and the value in lossless mode. */
export function compareDecode(bytes: Uint8Array, options: TwinOptions): Comparison {
  const { mode = 'default', records = 'off', maxDepth = 512, maxValues = Number.POSITIVE_INFINITY } = options;
  const unpackr = new Unpackr({ mode, records, limits: { maxDepth, maxValues } });
  let value: unknown;
  let twin: Tagged = { nil: true };
  const expected = faultOf(() => {
    twin = twinDecode(bytes, options);
  });
  const actual = faultOf(() => {
    value = unpackr.unpack(bytes);
  });
  if (actual !== null || expected !== null) return { actual: actual ?? 'a value', expected: expected ?? 'a value' };
  if (mode !== 'lossless') return { actual: 'a value', expected: 'a value' };
  return { actual: identityOf(taggedOf(value)), expected: identityOf(twin) };
}

export interface StreamOptions {
  readonly mode: Mode;
  readonly records: 'off' | 'inline';
  readonly maxBytes?: number;
}

/** The messages and the fault of a stream, all as text; `cuts` (taken modulo the length) are where it is cut. */
export function streamed(bytes: Uint8Array, cuts: readonly number[], options: StreamOptions): string[] {
  const { mode, records, maxBytes = 2 ** 26 } = options;
  const stream = new StreamDecoder({ mode, records, limits: { maxBytes } });
  const sorted = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  const out: string[] = [];
  const fault = faultOf(() => {
    let start = 0;
    for (const cut of [...sorted, bytes.length]) {
      for (const value of stream.push(bytes.slice(start, cut))) out.push(textOf(value, mode));
      start = cut;
    }
    stream.finish();
  });
  return fault === null ? out : [...out, fault];
}

function textOf(value: unknown, mode: Mode): string {
  if (mode === 'lossless') return identityOf(taggedOf(value));
  // Keys that differ on the wire may be equal in the types of these modes; then there is no canonical form to compare.
  return faultOf(() => encodeCanonical(value)) ?? hexOf(encodeCanonical(value));
}
