// The slow references of tools/vectors, for tests that need an answer to more than the vectors.

import { judge, judgeFirst } from '@polypack/tools/vectors/judge.mjs';
import { encode } from '@polypack/tools/vectors/reference.mjs';
import { hexOf, type Tagged } from './_values.ts';
import type { Fault, Limits, Mode } from './_vectors.ts';

export interface DecodeOptions {
  readonly mode?: Mode;
  readonly records?: 'off' | 'inline';
  readonly limits?: Limits;
}

/** A value, or the one fault that bytes are. In default and strict mode the value is what it becomes in JavaScript. */
export type Decoded = { readonly value: Tagged; readonly end: number } | { readonly error: Fault };

/** Decodes exactly one value. */
export function referenceDecode(bytes: Uint8Array, { mode = 'default', ...options }: DecodeOptions = {}): Decoded {
  return answered(judge(bytes, { ...options, mode, language: 'javascript' }));
}

/** Decodes the value that starts at an offset. */
export function referenceDecodeFirst(bytes: Uint8Array, start: number, options: DecodeOptions = {}): Decoded {
  return answered(judgeFirst(bytes, start, { mode: 'default', ...options, language: 'javascript' }));
}

function answered(judgement: ReturnType<typeof judge>): Decoded {
  if ('varies' in judgement) throw new Error(`the judge has no answer for JavaScript: ${judgement.varies}`);
  return judgement;
}

/** The value of bytes that are valid. */
export function referenceValue(bytes: Uint8Array, options: DecodeOptions = {}): Tagged {
  const decoded = referenceDecode(bytes, options);
  if ('error' in decoded) throw new Error(`${decoded.error.code} at ${decoded.error.offset} of ${hexOf(bytes)}`);
  return decoded.value;
}

/** The shortest bytes of a value, its maps in the order given. */
export function referenceEncode(value: Tagged): Uint8Array {
  return encode(value, () => 0, false);
}

/** The canonical bytes of a value (spec/08). */
export function referenceCanonical(value: Tagged): Uint8Array {
  return encode(value);
}
