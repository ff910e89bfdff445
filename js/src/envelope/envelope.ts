// Messages with something around them that is not their encoding: the header of their dictionary (header.ts), or the texts of
// their strings (unbundle.ts).
//
// Plan: Envelope · EnvelopeFault · a scanner for the messages.

import { prefixTest } from '../clone/format.ts';
import { Fault } from '../core/errors.ts';
import type { Settings } from '../options/settings.ts';
import { type Element, type ScanLimits, Scanner } from '../scan/scan.ts';

/** What reads messages that something stands around: a header, or the texts of strings (options fingerprint, bundleStrings). */
export interface Envelope {
  /** What a reader is to be given: bytes, where the message starts in them, and where it ends at the latest. */
  readonly message: Uint8Array;
  readonly messageStart: number;
  readonly messageEnd: number;
  /**
   * Opens the message at `start` of bytes that end at `end`.
   *
   * @throws Fault
   */
  open(bytes: Uint8Array, start: number, end: number): void;
  /** The offset in the bytes of an offset in the message; of its end, where all of it ends. */
  originOf(offset: number): number;

  // Streams find out first where a message ends.

  /**
   * Scans on in the message that is byte 0 of the view, as a Scanner does. Returns whether it is complete.
   *
   * @throws EnvelopeFault
   */
  scan(view: DataView, end: number): boolean;
  /** Where a complete message ends. */
  readonly scanned: number;
  /** Goes over to the next message of a stream, with what was declared before it and holds; null for nothing. */
  enter(element: Element | null): void;
}

/** A fault in what stands around a message, or in front of where it is known to end. Its offset is that in the input. */
export class EnvelopeFault extends Fault {
  readonly path: string;

  constructor({ code, what, mend }: Fault, offset: number, path: string) {
    super(code, offset, what, mend);
    this.path = path;
  }
}

/** A scanner for messages as these settings have them. */
export function scannerFor(settings: Settings, limits: ScanLimits): Scanner {
  return new Scanner(settings.inline, limits, prefixTest(settings), settings.shared, settings.compat);
}

export const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
