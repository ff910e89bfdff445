// What a codec has learned from the messages before: it changes how fast the next one is read, and never what it is.
//
// Plan: Learned.

import { NameCache } from './names.ts';
import { Transcoder } from './transcoder.ts';

/** Shared by the Readers of one codec, those of messages within messages included. */
export class Learned {
  readonly names = new NameCache();
  #transcoder: Transcoder | null = null;

  /** Nobody holds on to what it decoded while something else is read. */
  get transcoder(): Transcoder {
    this.#transcoder ??= new Transcoder();
    return this.#transcoder;
  }
}
