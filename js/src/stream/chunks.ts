// The common part of StreamDecoder (messages of a stream) and ElementsDecoder (elements of a long array).
//
// Plan: ChunkedDecoder: what a subclass decides · push, finish, error · messages in a chunk · a message that continues
// in the next chunk.
//
// Chunks may be cut anywhere. A scanner finds where messages end. It can stop at any byte and resume there, so scanning
// takes linear time. A message inside one chunk is decoded from the chunk. Only a message that continues in the next
// chunk is collected in a buffer.
//
// Most messages are complete and valid. So the decoder first reads ahead in every chunk, message after message, without
// scanning. If reading ahead fails for any reason, the scanner takes over, because only the scanner reports faults in
// the order of spec/06#streams. The message that failed is then read twice. Extensions and the user's `wrapBytes` must
// not be called twice, so a stream stops reading ahead as soon as a message needs one of them.

import { decodingError, inputBytes } from '../codec/session.ts';
import { asFault, Fault, type PolypackError } from '../core/errors.ts';
import { missingFault } from '../core/faults.ts';
import { type Decoder, FOREIGN_CODE_AHEAD } from '../decoder/decoder.ts';
import { type Envelope, EnvelopeFault, NO_BYTES } from '../envelope/envelope.ts';

/** A buffer of at most this many bytes is kept for the next message that continues in another chunk. */
const KEPT_CAPACITY = 65_536;

/** Decodes a stream of chunks. An extension must not use the decoder that is calling it. */
export abstract class ChunkedDecoder<T> {
  /** The first `#length` bytes are the beginning of the incomplete message. */
  #buffer: Uint8Array = NO_BYTES;
  #length = 0;
  /** The offset in the stream where the current message starts. */
  #base = 0;
  #error: PolypackError | null = null;
  #isFinished = false;
  #isBusy = false;
  #readsAhead = true;

  /**
   * Returns the bytes of a chunk. Returns a copy if getStructures could change the bytes while they are being read.
   *
   * @internal
   */
  protected abstract steady(bytes: Uint8Array): Uint8Array;

  /**
   * Continues to scan the current message. Returns whether the message is complete. If so, `scanned` is its length.
   *
   * @throws Fault
   * @internal
   */
  protected abstract scan(view: DataView, end: number): boolean;
  /** @internal */
  protected abstract get scanned(): number;

  /**
   * Returns the path of a fault that `scan` threw.
   *
   * @internal
   */
  protected abstract pathOfScan(fault: Fault, view: DataView): string;

  /**
   * Returns a Decoder for the current message.
   *
   * @internal
   */
  protected abstract decoder(): Decoder;

  /**
   * Reads the current message.
   *
   * @param values the list to which the value of the message is added
   * @internal
   */
  protected abstract read(decoder: Decoder, bytes: Uint8Array, start: number, end: number, values: unknown[]): void;

  /**
   * Reads the message at `start`, whose end isn't known, and switches to the next message.
   *
   * @returns where the message ends; −1 if the message must be scanned, in which case it is still the current one
   * @throws any error, after which the message must be scanned
   * @internal
   */
  protected abstract readAhead(decoder: Decoder, bytes: Uint8Array, start: number, values: unknown[]): number;

  /**
   * Switches to the next message.
   *
   * @internal
   */
  protected abstract next(decoder: Decoder): void;

  /**
   * Prepares the scanner for the next message. `decoder` has the declarations that are still valid.
   *
   * @internal
   */
  protected abstract enter(decoder: Decoder): void;

  /**
   * Releases a Decoder that the method `decoder` returned.
   *
   * @internal
   */
  protected abstract release(decoder: Decoder): void;

  /**
   * The reader for envelopes; null if the decoder uses none.
   *
   * @internal
   */
  protected get envelope(): Envelope | null {
    return null;
  }

  /**
   * Whether more messages must follow before the stream may end.
   *
   * @internal
   */
  protected get isOwed(): boolean {
    return false;
  }

  /** The fault that ended the stream; null if there is none. */
  get error(): PolypackError | null {
    return this.#error;
  }

  /**
   * Takes the next bytes, which may end anywhere. Returns the values that are complete now. A fault after these values
   * ends the stream. The next call of `push` or `finish` throws the fault.
   *
   * @throws PolypackError the fault that an earlier call met
   * @throws TypeError for a chunk that isn't bytes, and for a call after `finish` or from an extension
   */
  push(chunk: ArrayBufferView | ArrayBufferLike): T[] {
    const bytes = this.steady(inputBytes(chunk));
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
   * Ends the stream.
   *
   * @throws PolypackError for the fault that an earlier call met, or because the stream is incomplete
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

  // --- messages ------------------------------------------------------------------------------------------------------

  /**
   * Decodes messages of a chunk from `from` on without scanning them. Returns the start of the first message that must
   * be scanned; the length of the chunk if there is none.
   */
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
      this.#readsAhead = error !== FOREIGN_CODE_AHEAD;
    }
    decoder.isAhead = false;
    if (start < chunk.length) decoder.takeBack();
    this.release(decoder);
    this.#base += start - from;
    this.enter(decoder);
    return start;
  }

  /** Decodes the messages of a chunk from `from` on. Keeps the bytes of the last one if it is incomplete. */
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
   * Continues the message that began in earlier chunks.
   *
   * @returns where the message ends in the chunk; −1 if it's still incomplete, or a fault has ended the stream
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

  /**
   * Continues to scan the current message. Returns whether it is complete. If not, a fault may have ended the stream.
   */
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

  /** Decodes a complete message. Returns false if a fault has ended the stream. */
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

  /** Decodes the incomplete message to get its error. */
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

  /** @param start where the message starts in the bytes that `read` was given */
  #asError(decoder: Decoder, error: unknown, start: number): PolypackError {
    const known = decodingError(decoder, error, this.#base - start, this.envelope);
    // Errors other than faults also end the stream. Otherwise the stream would continue without this message.
    return known === error ? asFault(error).toError('') : (known as PolypackError);
  }

  // --- the message that is incomplete --------------------------------------------------------------------------------

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
