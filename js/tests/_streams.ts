// Reading bytes through a stream.

import { type PolypackError, StreamDecoder, type StreamDecoderOptions } from 'polypack';
import { piecesOf } from './_vectors.ts';

/** What a stream gives for bytes cut into pieces of a length: the messages, then the fault or null. */
export function streamed(
  bytes: Uint8Array,
  length: number,
  options?: StreamDecoderOptions,
): { values: unknown[]; error: PolypackError | null } {
  const stream = new StreamDecoder(options);
  const values: unknown[] = [];
  try {
    for (const piece of piecesOf(bytes, length)) values.push(...stream.push(piece));
    stream.finish();
    return { values, error: null };
  } catch (error) {
    return { values, error: error as PolypackError };
  }
}
