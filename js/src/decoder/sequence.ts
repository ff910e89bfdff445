// Messages that rely on those before them (option sequential): a record that one declares stays declared in the next.
//
// Plan: Sequence, the state between messages. The Decoder keeps the declarations themselves.

import { declaringFault } from '../core/faults.ts';

export class Sequence {
  /**
   * Whether a message failed. What it would have declared is missing, so an id that isn't declared may not be read as
   * an int.
   */
  isLost = false;
  readonly #maxBytes: number;
  /** Bytes of messages that declared records, since the memory for declarations was last measured. */
  #declaring = 0;

  /** @param maxBytes the limit for the memory of all declarations */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Limits the memory for declarations. Called after each message that declared records.
   *
   * @param start where the message starts
   * @param length of the message
   * @param declared measures the declarations of all messages
   */
  end(start: number, length: number, declared: { readonly cost: number }): void {
    this.#declaring += length;
    if (this.#declaring <= this.#maxBytes) return;
    this.#declaring = declared.cost;
    // If at least half of the limit is left, the memory needn't be measured again for a while.
    if (2 * this.#declaring > this.#maxBytes) throw declaringFault(this.#maxBytes, start);
  }
}
