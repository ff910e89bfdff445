// Reads columns (spec/10-snapshot.md#columns).
//
// Plan: Column · readColumn, the kinds · ints · strings · bits.

import { hexByte } from '../core/errors.ts';
import { invalid } from './failure.ts';
import { type Int, narrowed, type Source, sum, textOf } from './source.ts';
import type { PhpText } from './values.ts';

export const MIXED = 0;
export const INTS = 2;
export const DELTAS = 3;
export const STRINGS = 7;
const CONSTANT = 1;
const BOOLS = 4;
const DOUBLES = 5;
const DECIMALS = 6;
const CHOICES = 8;
const NULLABLE = 0x80;

/** The head byte of a float. */
const DOUBLE = 0xc8;

const MOST_BITS = 56;
const MOST_DIGITS = 9;
const TWO_32 = 0x1_0000_0000;

export interface Column {
  /** The cells; null for a mixed column, whose cells come later in the input. */
  readonly cells: unknown[] | null;
  /** Whether each cell costs at least one byte of the input. */
  readonly pays: boolean;
  readonly hasFloats: boolean;
}

/** A Source that can also read a constant column. */
export interface ConstantSource extends Source {
  /**
   * Reads the value of a constant column, and returns its cells. The cells count for `maxElements`
   * (spec/10-snapshot.md#limits).
   */
  constant(count: number, depth: number, at: number): unknown[];
}

const LATER: Column = { cells: null, pays: true, hasFloats: false };

/** Reads one column of `count` cells. `container` is the offset to report if the input ends before the column. */
export function readColumn(
  source: ConstantSource,
  count: number,
  depth: number,
  container: number,
  mayBeMixed = false,
): Column {
  const at = source.at;
  const kind = source.byte(container);
  if (kind < NULLABLE) {
    if (kind !== MIXED) return presentCells(source, kind, count, depth, at);
    if (mayBeMixed) return LATER;
    throw invalid('a column of a list is mixed', at);
  }
  if (kind < NULLABLE + INTS) throw unknownKind(kind, at);
  source.charge(count, at);
  const bitmap = source.take(Math.ceil(count / 8), at);
  const { bytes } = source;
  const isThere = (index: number) => ((bytes[bitmap + (index >>> 3)] as number) >> (index & 7)) & 1;
  let present = 0;
  for (let index = 0; index < count; index++) present += isThere(index);
  const { cells, hasFloats } = presentCells(source, kind - NULLABLE, present, depth, at);
  const spread: unknown[] = [];
  let next = 0;
  for (let index = 0; index < count; index++) spread.push(isThere(index) === 1 ? cells?.[next++] : null);
  return { cells: spread, pays: false, hasFloats: hasFloats && present > 0 };
}

function unknownKind(kind: number, at: number) {
  return invalid(`a column has the kind ${hexByte(kind)}`, at);
}

function presentCells(source: ConstantSource, kind: number, count: number, depth: number, at: number): Column {
  switch (kind) {
    case CONSTANT:
      return { hasFloats: source.bytes[at + 1] === DOUBLE, cells: source.constant(count, depth, at), pays: false };
    case INTS:
    case DELTAS:
      return { ...ints(source, kind, count, at), hasFloats: false };
    case BOOLS: {
      source.charge(count, at);
      const start = source.take(Math.ceil(count / 8), at);
      return { cells: unpacked(source, start, count, 1).map((bit) => bit === 1), pays: false, hasFloats: false };
    }
    case DOUBLES: {
      const start = source.take(8 * count, at);
      const cells: number[] = [];
      for (let index = 0; index < count; index++) cells.push(source.double(start + 8 * index));
      return { cells, pays: true, hasFloats: true };
    }
    case DECIMALS:
      return decimals(source, count, at);
    case STRINGS:
      return { cells: strings(source, count, at), pays: true, hasFloats: false };
    case CHOICES:
      return { cells: choices(source, count, at), pays: true, hasFloats: false };
    default:
      throw unknownKind(kind, at);
  }
}

// Ints

function ints(source: Source, kind: number, count: number, at: number): { cells: Int[]; pays: boolean } {
  let first = kind === DELTAS ? source.sint(at) : 0;
  const base = source.sint(at);
  const width = source.byte(at);
  if (width > MOST_BITS && width !== 64) throw invalid(`ints have ${width} bits`, at);
  if (width < 8) source.charge(count, at);
  const numbers = kind === DELTAS ? Math.max(0, count - 1) : count;
  const start = source.take(Math.ceil((numbers * width) / 8), at);
  const cells = unpacked(source, start, numbers, width);
  const pays = width >= 8;
  if (kind === INTS) return { cells: base === 0 ? cells : cells.map((cell) => sum(cell, base)), pays };
  if (count === 0) return { cells: [], pays };
  const sums = [first];
  for (const cell of cells) {
    first = sum(sum(first, cell), base);
    sums.push(first);
  }
  return { cells: sums, pays };
}

function decimals(source: Source, count: number, at: number): Column {
  const digits = source.byte(at);
  const kind = source.byte(at);
  if (digits > MOST_DIGITS || (kind !== INTS && kind !== DELTAS)) throw invalid('decimals have no valid head', at);
  const { cells, pays } = ints(source, kind, count, at);
  const divisor = 10 ** digits;
  return { cells: cells.map((whole) => Number(whole) / divisor), pays, hasFloats: true };
}

// Strings

function strings(source: Source, count: number, at: number): PhpText[] {
  const width = source.byte(at);
  if (width !== 1 && width !== 2 && width !== 4) throw invalid(`lengths have ${width} bytes`, at);
  const lengths = unpacked(source, source.take(count * width, at), count, 8 * width) as number[];
  let total = 0;
  for (const length of lengths) total += length;
  let start = source.take(total, at);
  return lengths.map((length) => {
    start += length;
    return textOf(source.bytes, start - length, start);
  });
}

function choices(source: Source, count: number, at: number): PhpText[] {
  const last = source.byte(at);
  const texts: PhpText[] = [];
  for (let index = 0; index <= last; index++) texts.push(source.text());
  const start = source.take(count, at);
  const cells: PhpText[] = [];
  for (let index = 0; index < count; index++) {
    const text = texts[source.bytes[start + index] as number];
    if (text === undefined) throw invalid('a cell chooses a string that is not there', at);
    cells.push(text);
  }
  return cells;
}

// Bits

/** Unpacks ints of `width` bits, lowest bit first. Ints of 64 bits are two's complement, all others are unsigned. */
function unpacked(source: Source, start: number, count: number, width: number): Int[] {
  const cells: Int[] = [];
  if (width === 0 || width === 8) {
    for (let index = 0; index < count; index++) cells.push(width === 0 ? 0 : (source.bytes[start + index] as number));
    return cells;
  }
  if (width === 32 || width === 64) {
    const cell = width === 32 ? source.uint32.bind(source) : source.int64.bind(source);
    for (let index = 0; index < count; index++) cells.push(cell(start + (index * width) / 8));
    return cells;
  }
  const next = bitsFrom(source.bytes, start);
  for (let index = 0; index < count; index++) {
    if (width <= 32) cells.push(next(width));
    else {
      const low = next(32);
      cells.push(wide(next(width - 32), low));
    }
  }
  return cells;
}

function wide(high: number, low: number): Int {
  const number = high * TWO_32 + low;
  return Number.isSafeInteger(number) ? number : narrowed((BigInt(high) << 32n) | BigInt(low));
}

/**
 * Returns a function that reads the next `width` bits, at most 32. The function never holds more than 39 bits, so the
 * numbers are exact.
 */
function bitsFrom(bytes: Uint8Array, start: number): (width: number) => number {
  let at = start;
  let waiting = 0;
  let bits = 0;
  return (width) => {
    for (; waiting < width; waiting += 8) bits += (bytes[at++] as number) * 2 ** waiting;
    const factor = 2 ** width;
    const number = bits % factor;
    bits = (bits - number) / factor;
    waiting -= width;
    return number;
  };
}
