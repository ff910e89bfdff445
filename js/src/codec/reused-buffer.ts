// A buffer that a Packr writes its messages into, one behind the other (`useBuffer`).
//
// Plan: Room.

import type { Codec } from './codec.ts';

export class Room {
  readonly #bytes: Uint8Array;
  #used = 0;
  #isBusy = false;

  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('the buffer must be a Uint8Array');
    this.#bytes = bytes;
  }

  /** Encodes to the next bytes of the buffer; to bytes of their own when these are too few, or a message is being written. */
  pack(codec: Codec, value: unknown): Uint8Array {
    if (this.#isBusy) return codec.pack(value);
    const rest = this.#bytes.subarray(this.#used);
    this.#isBusy = true;
    try {
      const length = codec.packInto(rest, value);
      if (length <= rest.length) {
        this.#used += length;
        return rest.subarray(0, length);
      }
    } finally {
      this.#isBusy = false;
    }
    return codec.pack(value);
  }
}
