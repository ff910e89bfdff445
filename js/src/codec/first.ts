// A Codec that reads its first messages with FirstDecoder, which is faster until the engine has compiled the Decoder.
// Builds for browsers and bundlers have one-tier.ts instead of this file, because there the size of the code matters.

import { checkedInteger } from '../core/limits.ts';
import { lengthOf } from '../core/views.ts';
import type { Decoder } from '../decoder/decoder.ts';
import { FirstDecoder, NOT_READ } from '../decoder/first.ts';
import { type ByteRange, Codec } from './codec.ts';
import { inputBytes } from './session.ts';

export class FirstCodec extends Codec {
  #first: FirstDecoder | null = null;
  /** Whether `unpack` has stopped using FirstDecoder. */
  #isOver = false;
  /**
   * How many calls of `read` are running. An `unpack` inside such a call may start at a depth above 0, which
   * FirstDecoder doesn't support.
   */
  #reading = 0;

  override unpack(data: unknown, place?: number | ByteRange): unknown {
    if (this.#isOver || typeof place === 'object' || this.#reading > 0) return super.unpack(data, place);
    const value = this.#readFirst(data, place);
    return value === NOT_READ ? super.unpack(data, place) : value;
  }

  /** Reads one of the first messages. Returns NOT_READ if the Decoder has to read it. */
  #readFirst(data: unknown, until?: number): unknown {
    this.#first ??= new FirstDecoder(this.settings);
    const input = data instanceof Uint8Array ? data : inputBytes(data);
    const length = lengthOf(input);
    const value = this.#first.read(input, until === undefined ? length : checkedInteger('end', until, 0, length));
    if (this.#first.isOver) {
      this.#first = null;
      this.#isOver = true;
    }
    return value;
  }

  override read<T>(decode: (decoder: Decoder, depth: number) => T): T {
    this.#reading++;
    try {
      return super.read(decode);
    } finally {
      this.#reading--;
    }
  }

  override forgetInput(): void {
    this.#first?.forgetInput();
    super.forgetInput();
  }
}
