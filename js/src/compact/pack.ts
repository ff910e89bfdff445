// Encodes with the compact codec: Packr and pack.

import type { Bytes } from '../core/views.ts';
import { Encoder, KEPT_CAPACITY } from './encoder.ts';
import { type PackrOptions, readOptions, type Settings } from './options.ts';
import { Unpackr } from './unpack.ts';

/** The initial capacity for a message when no memory can be reused, in bytes. */
const FIRST_CAPACITY = 512;

/** Encodes and decodes with options that the constructor gets. */
export class Packr extends Unpackr {
  /** The Encoder of the current call; null if there is none. An extension may call the Packr that called it. */
  #running: Encoder | null = null;
  /** The memory of the previous message, to reuse. */
  #spare: Bytes | null = null;

  /** @throws TypeError for options that don't exist here or make no sense */
  constructor(options?: PackrOptions) {
    super(options);
    refuseRecords(this.settings);
  }

  /**
   * Encodes a value. The returned bytes don't change later. For a large message, they may be part of a larger
   * ArrayBuffer.
   *
   * @throws PolypackError for a value that can't be encoded, with its path
   */
  pack(value: unknown): Bytes {
    const outer = this.#running;
    const memory = this.#spare ?? new Uint8Array(FIRST_CAPACITY);
    const encoder = new Encoder(this.settings, memory, outer === null ? 0 : outer.depth + 1);
    this.#running = encoder;
    this.#spare = null;
    try {
      return encoder.write(value);
    } finally {
      this.#running = outer;
      if (encoder.memory.length <= KEPT_CAPACITY) this.#spare = encoder.memory;
    }
  }

  /** The same as `pack`. */
  encode(value: unknown): Bytes {
    return this.pack(value);
  }
}

function refuseRecords({ records }: Settings): void {
  if (records !== 'off') throw new TypeError('polypack/compact writes no records');
}

/**
 * Encodes a value as plain MessagePack, to the same bytes as `pack` of the main entry point. Objects of another realm,
 * such as a Map or Date from a vm context, may give other bytes.
 *
 * @param options a Packr, or options for one call; for many calls with the same options make a Packr
 * @throws PolypackError for a value that can't be encoded, with its path
 */
export function pack(value: unknown, options?: Packr | PackrOptions): Bytes {
  // Don't refer to the class Packr here, because bundlers would then include the decoder.
  const codec = options as Packr | undefined;
  if (codec?.pack) return codec.pack(value);
  const settings = readOptions(options as PackrOptions);
  refuseRecords(settings);
  return new Encoder(settings, new Uint8Array(FIRST_CAPACITY), 0).write(value);
}
