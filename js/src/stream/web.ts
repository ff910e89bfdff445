// Web Streams: values in and bytes out, or bytes in and values out.
//
// Plan: packTransform · unpackTransform · Passage, which joins a WritableStream to a ReadableStream.
//
// A TransformStream drops what is queued when it fails, and queues everything that a chunk holds. A Passage hands over one
// thing at a time, takes the next chunk when all are gone, and fails behind the last.

import { Packr } from '../codec/packr.ts';
import type { PackrOptions } from '../options/settings.ts';
import type { Chunk } from './iterators.ts';
import { inlineByDefault, StreamDecoder, type StreamDecoderOptions } from './stream.ts';

/** What `pipeThrough` takes. */
export interface TransformPair<I, O> {
  readonly writable: WritableStream<I>;
  readonly readable: ReadableStream<O>;
}

/**
 * A transform of Web Streams that encodes each value written to it: `values.pipeThrough(packTransform())`.
 *
 * A value that has no encoding fails both sides with the PolypackError, after the bytes of all values before it are read.
 *
 * @param options as for Packr: records are 'inline' by default
 * @throws TypeError, RangeError for options that do not exist or make no sense
 */
export function packTransform(options?: PackrOptions): TransformPair<unknown, Uint8Array> {
  const packr = new Packr(options);
  return new Passage<unknown, Uint8Array>({ error: null, push: (value) => [packr.pack(value)], finish: () => {} });
}

/**
 * A transform of Web Streams that decodes values out of bytes cut anywhere: `response.body.pipeThrough(unpackTransform())`.
 * Linear in the bytes.
 *
 * A fault fails both sides with the PolypackError, after all values that are complete before it are read; so does the end inside
 * a value.
 *
 * @param options as for StreamDecoder, but records are 'inline' by default, except in lossless mode
 * @throws TypeError, RangeError for options that do not exist or make no sense
 */
export function unpackTransform<T = unknown>(options?: StreamDecoderOptions): TransformPair<Chunk, T> {
  return new Passage<Chunk, T>(new StreamDecoder<T>(inlineByDefault(options)));
}

/** What a Passage does with what is written to it. */
interface Worker<I, O> {
  /** The fault behind what `push` has returned; null while there is none. */
  readonly error: unknown;
  push(input: I): O[];
  finish(): void;
}

/** Someone who waits. */
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
  /** What is to be read, from `#next` on. */
  #values: O[] = [];
  #next = 0;
  /** What comes behind the values: nothing yet, the end, or a fault. */
  #isEnded = false;
  #fault: { readonly error: unknown } | null = null;
  /** The reader who waits for a value, and the writer who waits until all are taken. */
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
        // An abort waits for the write that is going on, which may wait for a reader who never comes.
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

  // --- the reading side ---------------------------------------------------------------------------------------------------

  /** Is called when a reader waits. */
  #pull(): Promise<void> | undefined {
    if (this.#handOver()) return undefined;
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  /** Gives the next value to the reader. Returns false when there is none, and more may come. */
  #handOver(): boolean {
    const isValue = this.#next < this.#values.length;
    if (isValue) this.#output?.enqueue(this.#values[this.#next++] as O);
    if (this.#next < this.#values.length) return true;
    this.#values = [];
    this.#next = 0;
    this.#endReading();
    return isValue || this.#isEnded || this.#fault !== null;
  }

  /** When all values are taken, lets the writer go on, and the end or the fault be known. */
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

  // --- the writing side ---------------------------------------------------------------------------------------------------

  /** Works, and is done when a reader has taken everything. */
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
