// Messages that rely on earlier ones (option sequential): a record that is declared once stays declared.
//
// Plan: Sequence, the state between messages. The Decoder keeps the declarations themselves.

import { declaringFault } from '../core/faults.ts';

export class Sequence {
  /**
   * Whether a message has failed. An unknown id may have been declared in that message, so the id must not be read as
   * an int.
   */
  isLost = false;
  readonly #maxBytes: number;
  /** The latest measured memory of the declarations, plus the bytes of later messages that declared records. */
  #declaring = 0;

  /** @param maxBytes the approximate limit for the memory of all declarations, in bytes */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Limits the memory for declarations. Called after each message that declared records.
   *
   * @param start where the message starts
   * @param length of the message, in bytes
   * @param declared the declarations of all messages; reading `cost` measures them
   */
  end(start: number, length: number, declared: { readonly cost: number }): void {
    this.#declaring += length;
    if (this.#declaring <= this.#maxBytes) return;
    this.#declaring = declared.cost;
    // Refuse more than half of the limit already. Otherwise, nearly every message could measure the memory again.
    if (2 * this.#declaring > this.#maxBytes) throw declaringFault(this.#maxBytes, start);
  }
}
