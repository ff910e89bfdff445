// Web Streams: values in and bytes out, or bytes in and values out.
//
// Plan: packTransform · unpackTransform · Passage, which joins a WritableStream to a ReadableStream.
//
// A TransformStream queues all values of a chunk, and drops queued values when it fails. A Passage delivers one value
// at a time. It accepts the next chunk, or fails, only after all values of the current chunk have been read.

import { Packr } from '../codec/packr.ts';
import type { Bytes } from '../core/views.ts';
import type { PackrOptions } from '../options/settings.ts';
import type { Chunk } from './iterators.ts';
import { InlineStreamDecoder, type StreamDecoderOptions } from './stream.ts';

declare global {
  // Programs without the types of Web Streams must also compile. These declarations add nothing to other programs.
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
 * A value that can't be encoded makes both streams fail with the PolypackError, after the bytes of all earlier values
 * have been read.
 *
 * @param options as for Packr: records are 'inline' by default, except in lossless mode
 * @throws TypeError, RangeError for options that don't exist or make no sense
 */
export function packTransform(options?: PackrOptions): TransformPair<unknown, Bytes> {
  const packr = new Packr(options);
  return new Passage<unknown, Bytes>({ error: null, push: (value) => [packr.pack(value)], finish: () => {} });
}

/**
 * Returns a transform of Web Streams that decodes values from chunks that are cut anywhere:
 * `response.body.pipeThrough(unpackTransform())`. Takes linear time.
 *
 * A fault makes both streams fail with the PolypackError, after all complete values before the fault have been read.
 * Bytes that end inside a value are also a fault.
 *
 * @param options as for StreamDecoder, but records are 'inline' by default, except in lossless mode
 * @throws TypeError, RangeError for options that don't exist or make no sense
 */
export function unpackTransform<T = unknown>(options?: StreamDecoderOptions): TransformPair<Chunk, T> {
  return new Passage<Chunk, T>(new InlineStreamDecoder<T>(options));
}

/** Converts the input of a Passage to its output. */
interface Worker<I, O> {
  /** The fault after the values that `push` has returned; null if there is none. */
  readonly error: unknown;
  push(input: I): O[];
  finish(): void;
}

/** Settles the promise of a reader or writer that waits. */
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
  /** The latest values. Those from `#next` on haven't been read. */
  #values: O[] = [];
  #next = 0;
  /** What follows the values: the end, or a fault; more input if `#isEnded` is false and `#fault` is null. */
  #isEnded = false;
  #fault: { readonly error: unknown } | null = null;
  /** The reader that waits for a value, and the writer that waits until all values have been read; null for none. */
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
        // An abort waits for the current write. Reject the write, because it may wait for a reader that never comes.
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

  /** Called when a reader waits for a value. */
  #pull(): Promise<void> | undefined {
    if (this.#handOver()) return undefined;
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  /** Gives the next value to the reader. Returns false if there is no value now, but more may come. */
  #handOver(): boolean {
    const isValue = this.#next < this.#values.length;
    if (isValue) this.#output?.enqueue(this.#values[this.#next++] as O);
    if (this.#next < this.#values.length) return true;
    this.#values = [];
    this.#next = 0;
    this.#endReading();
    return isValue || this.#isEnded || this.#fault !== null;
  }

  /** Called when all values have been read. Reports the fault or the end, if any, and settles the writer. */
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

  /** Runs a step of the worker. The promise resolves when all values of the step have been read; a fault rejects it. */
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
