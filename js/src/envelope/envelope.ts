// Messages in an envelope: with the header of their dictionary (header.ts) or with bundled strings (unbundle.ts).
//
// Plan: Envelope · EnvelopeFault · a scanner for the messages.

import { prefixTest } from '../clone/format.ts';
import { Fault } from '../core/errors.ts';
import type { HasExtensions } from '../core/extension.ts';
import type { Settings } from '../options/settings.ts';
import { type Element, type ScanLimits, Scanner } from '../scan/scan.ts';

/** Reads messages that may have an envelope: a header or bundled strings (options fingerprint, bundleStrings). */
export interface Envelope {
  /** What to decode after `open`: the bytes, where the message starts in them, and where it ends at the latest. */
  readonly message: Uint8Array;
  readonly messageStart: number;
  readonly messageEnd: number;
  /**
   * Opens the message at `start` in bytes that end at `end`.
   *
   * @throws Fault
   */
  open(bytes: Uint8Array, start: number, end: number): void;
  /**
   * Converts an offset in `message` to an offset in the bytes that `open` was given. The end of the message becomes the
   * end of its envelope.
   */
  originOf(offset: number): number;

  // The members below are for streams, which first have to find where a message ends.

  /**
   * Continues to scan the message that starts at byte 0 of the view and has arrived up to `end`. Returns whether the
   * message is complete.
   *
   * @throws EnvelopeFault
   */
  scan(view: DataView, end: number): boolean;
  /** Where the message ends, once `scan` has returned true. */
  readonly scanned: number;
  /**
   * Switches to the next message of a stream. `element` has the declarations of earlier messages that are still valid;
   * null if declarations are never kept.
   */
  enter(element: Element | null): void;
}

/** A fault in an envelope, or a fault that `scan` found. Its offset counts from byte 0 of the given bytes or view. */
export class EnvelopeFault extends Fault {
  readonly path: string;

  constructor({ code, what, mend }: Fault, offset: number, path: string) {
    super(code, offset, what, mend);
    this.path = path;
  }
}

/** Returns a scanner for messages with these settings and extensions. */
export function scannerFor(settings: Settings, limits: ScanLimits, holder: HasExtensions): Scanner {
  return new Scanner(settings.inline, limits, prefixTest(settings, holder), settings.shared, settings.compat);
}

export const NO_BYTES: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
