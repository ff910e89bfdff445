// The library against the slow reference on any bytes, for the property tests and the fuzzer.

import { canonicalize, encodeCanonical, Packr, PolypackError, StreamDecoder, Unpackr } from 'polypack';
import { type DecodeOptions, referenceCanonical, referenceDecode } from './_reference.ts';
import { hexOf, identityOf, taggedOf } from './_values.ts';
import type { Fault, Mode } from './_vectors.ts';

/** A fault as one text. */
export function shownFault({ code, offset, path }: Fault): string {
  return `${code} at ${offset} in "${path}"`;
}

/** The fault of a run as one text, or null when there is none. Any other exception passes through: it is a finding. */
export function faultOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof PolypackError) return shownFault({ ...error, offset: error.offset as number });
    throw error;
  }
}

/** What the library makes of bytes and what the reference does; equal texts when they agree. */
export interface Comparison {
  readonly actual: string;
  readonly expected: string;
}

/**
 * Compares a decode: the fault, or the value. Outside lossless mode a value is compared by its canonical bytes, since
 * only a Map keeps the order of the wire.
 */
export function compareDecode(bytes: Uint8Array, options: DecodeOptions): Comparison {
  const { mode = 'default', records = 'off', limits = {} } = options;
  const decoded = referenceDecode(bytes, options);
  let value: unknown;
  const fault = faultOf(() => {
    value = new Unpackr({ mode, records, limits }).unpack(bytes);
  });
  if ('error' in decoded) return { actual: fault ?? 'a value', expected: shownFault(decoded.error) };
  if (mode === 'lossless') return { actual: fault ?? identityOf(taggedOf(value)), expected: identityOf(decoded.value) };
  const actual = fault ?? hexOf(canonicalize(new Packr({ mode, records: 'off' }).pack(value)));
  return { actual, expected: hexOf(referenceCanonical(decoded.value)) };
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
