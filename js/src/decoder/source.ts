// The bytes of a message, and the offset of the next byte to read (spec/07#which-fault-wins, rules 4 and 6).
//
// Plan: opening an input · releasing it · lengths and counts · faults.
//
// Offsets count from the start of the input's ArrayBuffer. So inputs in the same ArrayBuffer (chunks of a socket,
// records of a file, slices of Node's pool) share the fields `bytes` and `view`. Making new views would cost more than
// decoding a small message. `origin` is the offset where the input starts; it is subtracted from the offsets of errors.

import { bodyFault, headFault } from '../core/faults.ts';
import { tagOf } from '../core/foreign-values.ts';
import { bufferOf, offsetOf } from '../core/views.ts';

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));

/** Views of an ArrayBuffer with at most this many bytes are kept between messages. */
const MOST_KEPT = 65_536;

/** Whether the memory of a view isn't surely an ArrayBuffer, which may come from another realm. */
export function isShared(memory: ArrayBufferLike): memory is SharedArrayBuffer {
  return !(memory instanceof ArrayBuffer) && tagOf(memory) !== '[object ArrayBuffer]';
}

/** Holds the bytes of a message and reads heads. Never reads at or after `end`. */
export abstract class Source {
  /** The offset of the next byte to read. */
  offset = 0;
  /** Where the input starts in its ArrayBuffer. */
  origin = 0;
  /** All bytes of the ArrayBuffer. */
  protected bytes: Uint8Array = NO_BYTES;
  protected view: DataView = NO_VIEW;
  /** Where the message ends at the latest. */
  protected end = 0;
  /** The ArrayBuffer that `bytes` and `view` show. */
  buffer: ArrayBufferLike = NO_BYTES.buffer;
  /** The latest input, if `buffer` is its ArrayBuffer and not a copy. */
  private input: Uint8Array = NO_BYTES;

  /** Reads the value at `offset`. */
  abstract value(): unknown;

  /** Opens an input for the message at `start`, which ends at or before `end`. */
  protected openInput(bytes: Uint8Array, start: number, end: number): void {
    // If the view was the input before, skip its getters, because a view can't move. The getters would take a third of
    // the time of decoding a small message. An empty view may belong to a transferred ArrayBuffer. New views of such an
    // ArrayBuffer can't be made.
    if (bytes !== this.input) this.openView(end === 0 ? NO_BYTES : bytes);
    const { origin } = this;
    this.offset = origin + start;
    this.end = origin + end;
  }

  private openView(bytes: Uint8Array): void {
    const buffer = bufferOf(bytes);
    this.origin = buffer === this.buffer ? offsetOf(bytes) : this.openBuffer(bytes, buffer);
    // Shared memory must be copied again next time, so don't remember this input.
    this.input = buffer === this.buffer ? bytes : NO_BYTES;
  }

  /** Switches to another ArrayBuffer. Returns where the input starts in it. */
  private openBuffer(bytes: Uint8Array, buffer: ArrayBufferLike): number {
    // Copy shared memory, because other threads could change it between a check and a read.
    if (isShared(buffer)) {
      const copy = new Uint8Array(bytes);
      return this.openBuffer(copy, copy.buffer);
    }
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.buffer = buffer;
    return offsetOf(bytes);
  }

  /** Releases an input in a large ArrayBuffer, so that an idle codec doesn't keep the ArrayBuffer alive. */
  protected closeInput(): void {
    if (this.bytes.length > MOST_KEPT) this.forgetInput();
  }

  /** Releases the input. Must not be called while a message is being read. */
  forgetInput(): void {
    this.input = NO_BYTES;
    this.bytes = NO_BYTES;
    this.view = NO_VIEW;
    this.buffer = NO_BYTES.buffer;
  }

  /**
   * Skips `length` bytes of the head at `start`, and returns where they begin. Fails if bytes are missing (rule 4 of
   * spec/07#which-fault-wins).
   */
  protected take(start: number, length: number): number {
    const at = this.offset;
    if (this.end - at < length) this.failHead(start);
    this.offset = at + length;
    return at;
  }

  /** Reads a length or count of 1, 2 or 4 bytes. */
  protected unsigned(start: number, width: number): number {
    const at = this.take(start, width);
    if (width === 1) return this.bytes[at] as number;
    return width === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  private failHead(start: number): never {
    throw headFault(start, this.bytes[start] as number);
  }

  /** @param at where the body of `length` bytes should be */
  protected failBody(start: number, at: number, length: number): never {
    throw bodyFault(start, this.bytes[start] as number, length, this.end - at);
  }
}
