// Stores the str of a name for the next time it is written.
//
// Plan: StoredName: storing, copyTo.
//
// The bytes are stored and written as float 64, eight bytes each. Engines load and store a float in one step, but in
// browsers they box ints of more than 31 bits. Engines may change the bits of a NaN, but none of these floats is a NaN.
// The last byte of a little-endian NaN is ff, or 7f after a byte f0 … ff. UTF-8 allows neither.

/** A name whose str has more bytes isn't stored. */
export const MOST_STORED = 32;

/** Stands for eight bytes that don't exist. It is a float too, so that all names have the same hidden class. */
const NO_EIGHT = 0.5;
const NO_MORE: readonly number[] = [];

export class StoredName {
  /** Length of the str in bytes; 0 if it isn't stored. */
  readonly length: number;
  private readonly bytes0: number;
  private readonly bytes8: number;
  /** Bytes 16 … 31. */
  private readonly more: readonly number[];

  /**
   * Stores a str.
   *
   * @param bytes the str, padded with zeros to MOST_STORED
   * @param length the length of the str, at most MOST_STORED; 0 if it isn't to be stored
   */
  constructor(bytes: DataView, length: number) {
    this.length = length;
    this.bytes0 = length > 0 ? bytes.getFloat64(0, true) : NO_EIGHT;
    this.bytes8 = length > 8 ? bytes.getFloat64(8, true) : NO_EIGHT;
    this.more = length > 16 ? [bytes.getFloat64(16, true), bytes.getFloat64(24, true)] : NO_MORE;
  }

  /** Copies the str to `at`, where MOST_STORED bytes must be free. Up to 15 bytes after the str may change. */
  copyTo(view: DataView, at: number): void {
    view.setFloat64(at, this.bytes0, true);
    if (this.length > 8) {
      view.setFloat64(at + 8, this.bytes8, true);
      if (this.length > 16) this.copyMore(view, at);
    }
  }

  private copyMore(view: DataView, at: number): void {
    view.setFloat64(at + 16, this.more[0] as number, true);
    view.setFloat64(at + 24, this.more[1] as number, true);
  }
}
