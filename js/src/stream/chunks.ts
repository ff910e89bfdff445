// What is common to decoders of chunks that are cut anywhere: messages, a stream of them or the elements of a long array.
//
// Plan: ChunkedDecoder: what a kind of stream decides · push, finish, error · messages in a chunk · the message that goes on
// in the next chunk.
//
// A scanner that can stop at any byte finds where messages end, so every byte is looked at once by it and once by the
// decoder, however the stream is cut. A message inside one chunk is decoded from the chunk; only one that goes on in the
// next chunk is collected in a buffer.
//
// Most messages are whole and without fault. So the decoder first reads ahead in every chunk, message after message; the one
// where it fails, for whatever reason, is left to the scanner, which alone says what is wrong and in which order. The bet costs
// one more look at a part of a chunk. Extensions would notice it, so the first one ends it for the stream.

import { decodingError, inputBytes } from '../codec/session.ts';
import { Fault, type PolypackError } from '../core/errors.ts';
import { missingFault } from '../core/faults.ts';
import { type Decoder, EXTENSION_AHEAD } from '../decoder/decoder.ts';
import { type Envelope, EnvelopeFault, NO_BYTES } from '../envelope/envelope.ts';

/** A buffer of up to so many bytes is kept for the next message that is cut. */
const KEPT_CAPACITY = 65_536;

/** Decodes a stream of chunks. Extensions must not use the decoder that is calling them. */
export abstract class ChunkedDecoder<T> {
  /** The beginning of the message that is incomplete: the first `#length` bytes. */
  #buffer: Uint8Array = NO_BYTES;
  #length = 0;
  /** The offset in the stream where the current message starts. */
  #base = 0;
  #error: PolypackError | null = null;
  #isFinished = false;
  #isBusy = false;
  #readsAhead = true;

  /**
   * Scans on in the current message. Returns whether it is complete; `scanned` is its length then.
   *
   * @throws Fault
   * @internal
   */
  protected abstract scan(view: DataView, end: number): boolean;
  /** @internal */
  protected abstract get scanned(): number;

  /**
   * The path of a fault that `scan` threw.
   *
   * @internal
   */
  protected abstract pathOfScan(fault: Fault, view: DataView): string;

  /**
   * A Decoder for the current message.
   *
   * @internal
   */
  protected abstract decoder(): Decoder;

  /**
   * Reads the current message.
   *
   * @param values what came out of the messages before it, to which it is added
   * @internal
   */
  protected abstract read(decoder: Decoder, bytes: Uint8Array, start: number, end: number, values: unknown[]): void;

  /**
   * Reads a message whose end is not known, and goes over to the next one.
   *
   * @returns where it ends; −1 when it must be scanned, and nothing has happened then but in the reader
   * @throws whatever; it must be scanned then, too
   * @internal
   */
  protected abstract readAhead(decoder: Decoder, bytes: Uint8Array, start: number, values: unknown[]): number;

  /**
   * Goes over to the next message.
   *
   * @internal
   */
  protected abstract next(decoder: Decoder): void;

  /**
   * Lets the scanner go over to the next message after all that have been read.
   *
   * @internal
   */
  protected abstract enter(decoder: Decoder): void;

  /**
   * Lets go of a Decoder after a message.
   *
   * @internal
   */
  protected abstract release(decoder: Decoder): void;

  /**
   * What stands around messages.
   *
   * @internal
   */
  protected get envelope(): Envelope | null {
    return null;
  }

  /**
   * Whether the stream must not end here, between messages.
   *
   * @internal
   */
  protected get isOwed(): boolean {
    return false;
  }

  /** The fault that ended the stream; null while there is none. */
  get error(): PolypackError | null {
    return this.#error;
  }

  /**
   * Takes the next bytes, which may end anywhere. Returns the values that are complete now; a fault behind them ends the
   * stream, and is thrown by the next call.
   *
   * @throws PolypackError the fault that an earlier call met
   */
  push(chunk: ArrayBufferView | ArrayBufferLike): T[] {
    const bytes = inputBytes(chunk);
    if (this.#error !== null) throw this.#error;
    if (this.#isFinished) throw new TypeError('push after finish; make a new decoder');
    this.#refuseNesting();
    const values: unknown[] = [];
    this.#isBusy = true;
    try {
      const from = this.#length === 0 ? 0 : this.#continue(bytes, values);
      if (from >= 0) this.#messages(bytes, from, values);
    } finally {
      this.#isBusy = false;
    }
    return values as T[];
  }

  /**
   * Says that the stream ends here.
   *
   * @throws PolypackError the fault that an earlier call met, or for a stream that ends inside a message
   */
  finish(): void {
    this.#refuseNesting();
    if ((this.#length > 0 || this.isOwed) && this.#error === null) this.#error = this.#truncation();
    this.#isFinished = true;
    this.#forget();
    if (this.#error !== null) throw this.#error;
  }

  #refuseNesting(): void {
    if (this.#isBusy) throw new TypeError('an extension must not use the decoder that is calling it');
  }

  // --- messages -----------------------------------------------------------------------------------------------------------

  /** Decodes the messages of a chunk from `from` on without scanning them. Returns where the first starts that must be scanned. */
  #ahead(chunk: Uint8Array, from: number, values: unknown[]): number {
    if (!this.#readsAhead || from === chunk.length) return from;
    const decoder = this.decoder();
    let start = from;
    decoder.isAhead = true;
    try {
      while (start < chunk.length) {
        const end = this.readAhead(decoder, chunk, start, values);
        if (end < 0) break;
        start = end;
      }
    } catch (error) {
      this.#readsAhead = error !== EXTENSION_AHEAD;
    }
    decoder.isAhead = false;
    if (start < chunk.length) decoder.takeBack();
    this.release(decoder);
    this.#base += start - from;
    this.enter(decoder);
    return start;
  }

  /** Decodes the messages of a chunk from `from` on, and keeps the bytes of the last one when it is incomplete. */
  #messages(chunk: Uint8Array, from: number, values: unknown[]): void {
    let start = this.#ahead(chunk, from, values);
    while (start < chunk.length) {
      const view = new DataView(chunk.buffer, chunk.byteOffset + start, chunk.length - start);
      if (!this.#scan(view, view.byteLength)) {
        if (this.#error === null) this.#keep(chunk.subarray(start));
        return;
      }
      const end = start + this.scanned;
      if (!this.#decode(chunk, start, end, values)) return;
      start = this.#ahead(chunk, end, values);
    }
  }

  /**
   * Goes on with the message that began in earlier chunks.
   *
   * @returns where the next message starts in the chunk; −1 when there is none
   */
  #continue(chunk: Uint8Array, values: unknown[]): number {
    const before = this.#length;
    this.#keep(chunk);
    const view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset, this.#length);
    if (!this.#scan(view, this.#length)) return -1;
    const end = this.scanned;
    const decoded = this.#decode(this.#buffer, 0, end, values);
    this.#forget();
    return decoded ? end - before : -1;
  }

  /** Scans on in the current message. Returns whether it is complete; if not, a fault may have ended the stream. */
  #scan(view: DataView, end: number): boolean {
    try {
      return this.scan(view, end);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const path = error instanceof EnvelopeFault ? error.path : this.pathOfScan(error, view);
      this.#error = error.toError(path, this.#base);
      this.#forget();
      return false;
    }
  }

  /** Decodes a complete message. Returns false when a fault has ended the stream. */
  #decode(bytes: Uint8Array, start: number, end: number, values: unknown[]): boolean {
    const decoder = this.decoder();
    try {
      this.read(decoder, bytes, start, end, values);
    } catch (error) {
      this.#error = this.#asError(decoder, error, start);
      return false;
    } finally {
      this.release(decoder);
    }
    this.#base += end - start;
    this.next(decoder);
    return true;
  }

  /** What a decode of the incomplete message says about it. */
  #truncation(): PolypackError {
    const decoder = this.decoder();
    this.#isBusy = true;
    try {
      this.read(decoder, this.#buffer, 0, this.#length, []);
      throw missingFault(decoder.origin + this.#length);
    } catch (error) {
      return this.#asError(decoder, error, 0);
    } finally {
      this.#isBusy = false;
      decoder.release();
    }
  }

  /** @param start where the reader's message starts in its bytes */
  #asError(decoder: Decoder, error: unknown, start: number): PolypackError {
    const known = decodingError(decoder, error, this.#base - start, this.envelope);
    if (error !== known) return known as PolypackError;
    throw error;
  }

  // --- the message that is incomplete ---------------------------------------------------------------------------------------

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  #forget(): void {
    this.#length = 0;
    if (this.#buffer.length > KEPT_CAPACITY || this.#isFinished) this.#buffer = NO_BYTES;
  }
}
