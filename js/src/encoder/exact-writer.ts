// Lone surrogates, which UTF-8 has no bytes for (spec/02-wire.md#str): where the host can search bytes, once for all of a message.
//
// Plan: ExactWriter: doubt · settle.
//
// A host writes U+FFFD in place of a lone surrogate and does not say so. To look at every text takes a third of the time of writing it; to
// search all that was written for U+FFFD costs next to nothing. Where it is found, the texts decide whether it was theirs.

import { isWellFormed } from '../core/text.ts';
import { holdsReplacement, SEARCHES, StrWriter, surrogateFault } from './output/str.ts';

/** The texts of a message of fewer bytes are looked at sooner than the host is called. */
const LEAST_SEARCHED = 512;

export abstract class ExactWriter extends StrWriter {
  /** Texts in which there may be lone surrogates. */
  private doubtful: string[] = [];
  /** Whether there are some. The message is written again then, so that the fault is met where its path is known. */
  private isFaulty = false;

  protected override doubt(text: string): void {
    if (SEARCHES && !this.isFaulty) this.doubtful.push(text);
    else super.doubt(text);
  }

  /**
   * Looks at what is in doubt when all is written.
   *
   * @returns false when the message must be written again
   * @throws Fault `invalid_utf8` when that has been done: an iterator that was used up did not give the text again
   */
  protected settle(): boolean {
    if (this.isFaulty) throw surrogateFault();
    if (this.doubtful.length > 0) this.isFaulty = !this.areWellFormed();
    return !this.isFaulty;
  }

  private areWellFormed(): boolean {
    const { start, offset } = this;
    const isLong = offset - start >= LEAST_SEARCHED;
    if (isLong && !holdsReplacement(this.bytes.subarray(start, offset))) return true;
    return this.doubtful.every((text) => isWellFormed(text));
  }

  /** Makes ready to write a message, or to write it again. */
  protected restart(): void {
    const { isFaulty } = this;
    this.reset();
    this.isFaulty = isFaulty;
  }

  override reset(): void {
    super.reset();
    this.isFaulty = false;
    if (this.doubtful.length > 0) this.doubtful = [];
  }
}
