// The header that says which dictionary a message needs (spec/05-records.md#header).
//
// Plan: withHeader, which writes it · Headers, which reads it · faults.

import { Fault } from '../core/errors.ts';
import type { HasExtensions } from '../core/extension.ts';
import { RESERVED } from '../core/format.ts';
import type { Bytes } from '../core/views.ts';
import type { Settings } from '../options/settings.ts';
import type { Dictionary } from '../records/dictionary.ts';
import type { SharedRecords } from '../records/shared.ts';
import type { Element, ScanLimits, Scanner } from '../scan/scan.ts';
import { type Envelope, EnvelopeFault, NO_BYTES, scannerFor, viewOf } from './envelope.ts';

/** The second byte of a header. The first is `c1`. */
const MARK = 0x50;
const HEADER_LENGTH = 10;

/** Returns a message with the header of its dictionary, which has every shape that the message relies on. */
export function withHeader(message: Uint8Array, { shared }: Settings, dictionary: Dictionary): Bytes {
  const bytes = new Uint8Array(HEADER_LENGTH + message.length);
  bytes[0] = RESERVED;
  bytes[1] = MARK;
  new DataView(bytes.buffer).setBigUint64(2, (shared as SharedRecords).fingerprintOf(dictionary));
  bytes.set(message, HEADER_LENGTH);
  return bytes;
}

/** Reads messages with or without a header. */
export class Headers implements Envelope {
  message: Uint8Array = NO_BYTES;
  messageStart = 0;
  messageEnd = 0;
  readonly #shared: SharedRecords;
  readonly #scanner: Scanner;
  /** Length of the header of the message that is being scanned; −1 while it isn't known. */
  #length = -1;

  constructor(settings: Settings, limits: ScanLimits, holder: HasExtensions) {
    this.#shared = settings.shared as SharedRecords;
    this.#scanner = scannerFor(settings, limits, holder);
  }

  open(bytes: Uint8Array, start: number, end: number): void {
    this.message = bytes;
    this.messageStart = start + headerLength(bytes, start, end);
    this.messageEnd = end;
    if (this.messageStart > end) throw new EnvelopeFault(truncatedFault(start), start, '');
    if (this.messageStart === start || this.#isKnown(viewOf(bytes), start)) return;
    // Loading the structures runs code of the user, which may change the input. So continue with a copy.
    this.message = bytes.slice(0, end);
    this.#check(viewOf(this.message), start);
  }

  originOf(offset: number): number {
    return offset;
  }

  /** Whether the dictionary of the header at `start` is known, without loading structures. */
  #isKnown(view: DataView, start: number): boolean {
    return this.#shared.isLoaded && this.#shared.currentFingerprints().has(view.getBigUint64(start + 2));
  }

  #check(view: DataView, start: number): void {
    const fingerprint = view.getBigUint64(start + 2);
    const isKnown = () => this.#shared.currentFingerprints().has(fingerprint);
    if (isKnown()) return;
    this.#shared.reload();
    if (isKnown()) return;
    throw new EnvelopeFault(dictionaryFault(start), start, '');
  }

  scan(view: DataView, end: number): boolean {
    if (this.#length < 0) this.#length = this.scanHeader(view, end);
    if (this.#length < 0) return false;
    const scanner = this.#scanner;
    const length = this.#length;
    const message = length === 0 ? view : new DataView(view.buffer, view.byteOffset + length, view.byteLength - length);
    try {
      while (!scanner.isDone && scanner.step(message, end - length));
    } catch (error) {
      if (!(error instanceof Fault) || error.offset === null) throw error;
      throw new EnvelopeFault(error, error.offset + length, scanner.pathHere(message));
    }
    return scanner.isDone;
  }

  /**
   * Returns the length of the header at byte 0 of the view: 0 if there is none, −1 if more bytes must arrive first.
   *
   * @throws EnvelopeFault
   */
  scanHeader(view: DataView, end: number): number {
    const length = headerLength(new Uint8Array(view.buffer, view.byteOffset, end), 0, end);
    if (length > end) return -1;
    if (length > 0) this.#check(view, 0);
    return length;
  }

  get scanned(): number {
    return this.#length + this.#scanner.at;
  }

  enter(element: Element | null): void {
    this.#length = -1;
    if (element === null) this.#scanner.reset();
    else this.#scanner.enter(element);
  }
}

/** Returns the length of the header at `start`; 0 if there is none. A lone `c1` at the end counts as a header. */
function headerLength(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== RESERVED || start >= end) return 0;
  return end - start === 1 || bytes[start + 1] === MARK ? HEADER_LENGTH : 0;
}

function truncatedFault(start: number): Fault {
  return new Fault('unexpected_end', start, 'the fingerprint of a dictionary ends too soon', 'the input is truncated');
}

function dictionaryFault(start: number): Fault {
  const what = 'the message was written with another dictionary of structures';
  return new Fault('invalid_record', start, what, 'give the structures that its writer had');
}
