// A decoder for input whose records will be written as maps. It limits the total length of the map heads and names that
// are written for the records (spec/06#names-of-records).
//
// Plan: CountingDecoder.

import { namesFault } from '../core/faults.ts';
import { utf8Bytes } from '../core/text.ts';
import type { Shape } from '../records/dictionary.ts';
import { Decoder } from './decoder.ts';

export class CountingDecoder extends Decoder {
  /** Whether the value being read will be written without records, so that the names of its records count. */
  protected counts = true;
  /** The offset of the record whose values are read next. */
  #recordStart = 0;
  /** How many bytes the map heads and names of all records so far will take when they are written. */
  #written = 0;
  readonly #lengths = new Map<Shape, number>();

  override begin(bytes: Uint8Array, start: number, end: number, depth: number): void {
    super.begin(bytes, start, end, depth);
    this.#written = 0;
    this.#lengths.clear();
  }

  /**
   * Reads the next value in place of another decoder of the same bytes. Takes over the other decoder's state, such as
   * its declarations and limits, and gives it back after the value.
   */
  readAt(other: CountingDecoder, bytes: Uint8Array): unknown {
    const { origin } = other;
    this.begin(bytes, other.offset - origin, other.end - origin, other.depth);
    this.owed = other.owed;
    this.budget = other.budget;
    this.account = other.account;
    this.records = other.records;
    this.dictionary = other.dictionary;
    const value = this.value();
    other.offset += this.offset - this.start;
    other.budget = this.budget;
    other.account = this.account;
    other.records = this.records;
    other.dictionary = this.dictionary;
    return value;
  }

  /** Reads an int or a record. Always calls `fields` for a record, because only `fields` counts the bytes of names. */
  override nested(start: number, head: number, owed: number): unknown {
    return this.nestedInSteps(start, head, owed);
  }

  protected override instance(start: number, shape: Shape): unknown {
    this.#recordStart = start;
    return super.instance(start, shape);
  }

  protected override declaration(start: number, idLength: number): unknown {
    this.#recordStart = start;
    return super.declaration(start, idLength);
  }

  protected override fields(shape: Shape): unknown {
    if (this.counts) this.#count(shape);
    return super.fields(shape);
  }

  #count(shape: Shape): void {
    const { maxBytes } = this.settings.limits;
    // Measure each shape only once, because thousands of instances may share a long name.
    const length = this.#lengths.get(shape) ?? lengthOf(shape.names);
    this.#lengths.set(shape, length);
    this.#written += length;
    if (this.#written > maxBytes) throw namesFault(maxBytes, this.#recordStart);
  }
}

/** Returns how many bytes a map with these names takes for its head and its names. */
function lengthOf(names: readonly string[]): number {
  let length = names.length < 16 ? 1 : names.length < 0x1_0000 ? 3 : 5;
  for (const name of names) {
    const bytes = utf8Bytes(name).length;
    length += bytes + (bytes < 32 ? 1 : bytes < 0x100 ? 2 : bytes < 0x1_0000 ? 3 : 5);
  }
  return length;
}
