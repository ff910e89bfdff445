// The interface between the decoder and the code that reads objects of a hot shape in one step.
//
// Plan: ShapeDecoder, the members of a decoder that such code uses · ShapeCompiler, which makes such code.

import type { ShapeRead } from '../../records/dictionary.ts';
import type { MapShape } from './map-shapes.ts';

/** The members of a decoder that the code for a hot shape uses. Generated code contains these names. */
export interface ShapeDecoder {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  offset: number;
  isName(program: Int32Array, place: number, at: number): boolean;
  element(owed: number): unknown;
  nested(start: number, head: number, owed: number): unknown;
  list(start: number, count: number, owed: number): unknown[];
  entryValues(shape: MapShape, owed: number): unknown[];
  fieldValues(count: number, owed: number): unknown[];
  text(start: number, at: number, length: number): string;
  readonly window: string;
  readonly windowStart: number;
  readonly windowEnd: number;
  bitsOf(at: number, last: number): number;
  mispredicted(shape: MapShape, index: number, object: Record<string, unknown>, owed: number): unknown;
}

/**
 * Makes the code for hot shapes, or returns null for shapes that don't get any. `isCommon` tells whether the shape is
 * frequent enough for generated code, which is slow until the engine has compiled it.
 */
export interface ShapeCompiler {
  record(names: readonly string[], isCommon: boolean): ShapeRead | null;
  map(shape: MapShape, isCommon: boolean): ShapeRead | null;
}
