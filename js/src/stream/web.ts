// Web Streams: values in and bytes out, or bytes in and values out.
//
// Plan: packTransform · unpackTransform · Passage, which joins a WritableStream to a ReadableStream.
//
// A TransformStream drops queued values when it fails, and queues all values of a chunk. A Passage hands over one value
// at a time, takes the next chunk when all are gone, and fails only after the last one.

import { Packr } from '../codec/packr.ts';
import type { PackrOptions } from '../options/settings.ts';
import type { Chunk } from './iterators.ts';
import { InlineStreamDecoder, type StreamDecoderOptions } from './stream.ts';

declare global {
  // For programs without the types of a host that has them, which must compile, too. To others these add nothing.
  interface WritableStream<W> {}
  interface ReadableStream<R> {}
}

/** The pair of streams that `pipeThrough` accepts. */
export interface TransformPair<I, O> {
  readonly writable: WritableStream<I>;
  readonly readable: ReadableStream<O>;
}

/**
 * Returns a transform of Web Streams that encodes each value: `values.pipeThrough(packTransform())`.
 *
 * A value that can't be encoded fails both sides with the PolypackError, after the bytes of all values before it were
 * read.
 *
 * @param options as for Packr: records are 'inline' by default
 * @throws TypeError, RangeError for options that don't exist or make no sense
 */
export function packTransform(options?: PackrOptions): TransformPair<unknown, Uint8Array> {
  const packr = new Packr(options);
  return new Passage<unknown, Uint8Array>({ error: null, push: (value) => [packr.pack(value)], finish: () => {} });
}

/**
 * Returns a transform of Web Streams that decodes values from bytes cut anywhere:
 * `response.body.pipeThrough(unpackTransform())`. Takes linear time.
 *
 * A fault fails both sides with the PolypackError, after all complete values before it were read; so does an end inside
 * a value.
 *
 * @param options as for StreamDecoder, but records are 'inline' by default, except in lossless mode
 * @throws TypeError, RangeError for options that don't exist or make no sense
 */
export function unpackTransform<T = unknown>(options?: StreamDecoderOptions): TransformPair<Chunk, T> {
  return new Passage<Chunk, T>(new InlineStreamDecoder<T>(options));
}

/** Does the work of a Passage. */
interface Worker<I, O> {
  /** The fault after the values that `push` has returned; null if there is none. */
  readonly error: unknown;
  push(input: I): O[];
  finish(): void;
}

/** The promise of a reader or writer that waits. */
interface Waiting {
  resolve(): void;
  reject(reason: unknown): void;
}

/** Two streams with a worker between them. */
export class Passage<I, O> implements TransformPair<I, O> {
  readonly writable: WritableStream<I>;
  readonly readable: ReadableStream<O>;
  #output: ReadableStreamDefaultController<O> | null = null;
  #input: WritableStreamDefaultController | null = null;
  /** The values to be read, from `#next` on. */
  #values: O[] = [];
  #next = 0;
  /** What follows the values: more input, the end, or a fault. */
  #isEnded = false;
  #fault: { readonly error: unknown } | null = null;
  /** The reader that waits for a value, and the writer that waits until all are taken. */
  #reader: Waiting | null = null;
  #writer: Waiting | null = null;

  constructor(worker: Worker<I, O>) {
    this.readable = new ReadableStream<O>(
      {
        start: (controller) => {
          this.#output = controller;
        },
        pull: () => this.#pull(),
        cancel: (reason) => this.#cancel(reason),
      },
      { highWaterMark: 0 },
    );
    this.writable = new WritableStream<I>({
      start: (controller) => {
        this.#input = controller;
        // An abort waits for the current write, which may wait for a reader that never comes.
        const { signal } = controller as { signal?: AbortSignal };
        signal?.addEventListener('abort', () => this.#writer?.reject(signal.reason));
      },
      write: (input) =>
        this.#work(() => {
          this.#values = worker.push(input);
          if (worker.error !== null) this.#fault = { error: worker.error };
        }),
      close: () =>
        this.#work(() => {
          worker.finish();
          this.#isEnded = true;
        }),
      abort: (reason) => this.#output?.error(reason),
    });
  }

  // --- the reading side ----------------------------------------------------------------------------------------------

  /** Called when a reader waits. */
  #pull(): Promise<void> | undefined {
    if (this.#handOver()) return undefined;
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  /** Hands the next value to the reader. Returns false if there is none and more may come. */
  #handOver(): boolean {
    const isValue = this.#next < this.#values.length;
    if (isValue) this.#output?.enqueue(this.#values[this.#next++] as O);
    if (this.#next < this.#values.length) return true;
    this.#values = [];
    this.#next = 0;
    this.#endReading();
    return isValue || this.#isEnded || this.#fault !== null;
  }

  /** When all values are taken, lets the writer continue, and reports the end or the fault. */
  #endReading(): void {
    const writer = this.#writer;
    this.#writer = null;
    if (this.#fault !== null) {
      this.#output?.error(this.#fault.error);
      writer?.reject(this.#fault.error);
      return;
    }
    if (this.#isEnded) this.#output?.close();
    writer?.resolve();
  }

  #cancel(reason: unknown): void {
    this.#values = [];
    this.#next = 0;
    this.#input?.error(reason);
    this.#writer?.reject(reason);
    this.#writer = null;
  }

  // --- the writing side ----------------------------------------------------------------------------------------------

  /** Runs a step. The promise resolves when a reader has taken all values. */
  #work(step: () => void): Promise<void> {
    try {
      step();
    } catch (error) {
      this.#fault = { error };
    }
    return new Promise((resolve, reject) => {
      this.#writer = { resolve, reject };
      const reader = this.#reader;
      if (this.#values.length > 0 && reader === null) return;
      if (!this.#handOver()) return;
      this.#reader = null;
      reader?.resolve();
    });
  }
}
