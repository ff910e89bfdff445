// The str of a name, kept for the next time it is written.
//
// Plan: StoredName: store, copyTo.
//
// The bytes are kept as float 64, eight to each, and written as such: engines store a float in an object and in memory in one step,
// but keep ints of more than 31 bits in browsers as floats as well. No such float is NaN, whose bits engines may change: the eighth
// byte of one would be ff, which UTF-8 never has, or 7f behind f0 or more, where UTF-8 has no 7f.

/** Names whose str has more bytes are not stored. */
export const MOST_STORED = 32;

/** What stands for eight bytes that there aren't: a float as well, so that engines keep one form for all names. */
const NO_EIGHT = 0.5;
const NO_MORE: readonly number[] = [];

export class StoredName {
  /** Bytes of the str; 0 when it isn't stored. */
  readonly length: number;
  private readonly bytes0: number;
  private readonly bytes8: number;
  /** Bytes 16 … 31. */
  private readonly more: readonly number[];

  /**
   * Stores a str.
   *
   * @param bytes the str, and zeros up to MOST_STORED
   * @param length bytes of the str, at most MOST_STORED
   */
  constructor(bytes: DataView, length: number) {
    this.length = length;
    this.bytes0 = length > 0 ? bytes.getFloat64(0, true) : NO_EIGHT;
    this.bytes8 = length > 8 ? bytes.getFloat64(8, true) : NO_EIGHT;
    this.more = length > 16 ? [bytes.getFloat64(16, true), bytes.getFloat64(24, true)] : NO_MORE;
  }

  /** Copies the str to `at`, where there are MOST_STORED bytes: up to 15 behind it may change. */
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
