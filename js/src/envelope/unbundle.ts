// Reads bundled strings (option bundleStrings) in the layout of bundle.ts.
//
// Plan: Unbundler: open, from bundled bytes to plain bytes · where the plain bytes came from · scan, to find where a
// message of a stream ends · faults.
//
// In a stream the texts of a bundle arrive after the places where they belong. So the scanner gets a placeholder for
// each bundled str. The placeholder also appears in paths.

import { Fault } from '../core/errors.ts';
import type { HasExtensions } from '../core/extension.ts';
import { bytesFault, InputChanged } from '../core/faults.ts';
import { StrEncoder } from '../encoder/output/str.ts';
import type { Settings } from '../options/settings.ts';
import type { SharedRecords } from '../records/shared.ts';
import { Head, integerAt, RESERVED_HEAD, readHead, SCALAR_HEAD, STR_HEAD } from '../scan/head.ts';
import type { Element, ScanLimits, Scanner } from '../scan/scan.ts';
import { opensBundle } from './bundle.ts';
import { type Envelope, EnvelopeFault, NO_BYTES, scannerFor, viewOf } from './envelope.ts';

/** Stands for a text that hasn't arrived. */
const UNKNOWN_TEXT = '…';

const NO_LENGTH = 'the length of a str is no int';
const NO_STR = 'its texts are no str';
const NOT_BEHIND = 'its texts do not follow the message';

/** The bytes of a bundle's text that weren't used yet, as a range of the input. */
interface Text {
  at: number;
  readonly end: number;
}

interface Bundle {
  readonly start: number;
  readonly end: number;
  readonly wide: Text;
  readonly ascii: Text;
}

/** Says that the output from `at` on, up to the next Origin, comes from the input at `from`. */
interface Origin {
  readonly at: number;
  readonly from: number;
}

/** Reads messages with or without bundled strings. */
export class Unbundler extends StrEncoder implements Envelope {
  /** The message as plain bytes. */
  message: Uint8Array = NO_BYTES;
  readonly messageStart = 0;
  messageEnd = 0;
  #origins: Origin[] = [];
  #input: Uint8Array = NO_BYTES;
  #inputView: DataView = viewOf(NO_BYTES);
  /** Where the message starts in the input, and where it ends at the latest. */
  #from = 0;
  #end = 0;
  readonly #head = new Head();
  #at = 0;
  /** Used by `open`, without `maxBytes`, because this limit counts bundled bytes, and the scanner reads plain bytes. */
  readonly #scanner: Scanner;
  /** Used by `scan`, with `maxBytes`. */
  readonly #streamScanner: Scanner;
  #bundle: Bundle | null = null;
  /** Where the texts of the latest bundle end. The texts of the next bundle must not start earlier. */
  #bundlesEnd = 0;
  /**
   * For the message of a stream: `#scanAt` is the offset of the next head, `#textsAt` is where the texts of the latest
   * bundle must be (−1 if there is no bundle), and `#scanned` is where the complete message ends.
   */
  #scanAt = 0;
  #textsAt = -1;
  #scanned = 0;
  readonly #maxBytes: number;
  readonly #holder: HasExtensions;
  readonly #shared: SharedRecords | null;

  constructor(settings: Settings, limits: ScanLimits, holder: HasExtensions) {
    super(settings.inline);
    this.#maxBytes = limits.maxBytes;
    this.#holder = holder;
    this.#shared = settings.shared;
    this.#scanner = scannerFor(settings, { ...limits, maxBytes: Number.POSITIVE_INFINITY }, holder);
    const isBounded = this.#maxBytes < Number.POSITIVE_INFINITY;
    this.#streamScanner = isBounded ? scannerFor(settings, limits, holder) : this.#scanner;
  }

  /**
   * Turns the message into plain bytes. If it isn't well-formed, everything from the fault on is copied, so that the
   * decoder finds the fault.
   *
   * @throws EnvelopeFault for invalid bundles
   */
  open(bytes: Uint8Array, start: number, end: number): void {
    const open = () => this.#openHere(bytes, start, end);
    if (this.#shared?.loads !== true) open();
    else {
      try {
        this.#shared.watched(open, bytes, 0, end);
      } catch (error) {
        if (!(error instanceof InputChanged)) throw error;
        this.#openHere(error.copy, start, end);
      }
    }
  }

  #openHere(bytes: Uint8Array, start: number, end: number): void {
    if (bytes !== this.#input) this.#inputView = viewOf(bytes);
    this.#input = bytes;
    this.#from = start;
    this.#end = end;
    this.#at = start;
    this.#bundle = null;
    this.#bundlesEnd = start;
    this.#origins = [];
    this.reset();
    const scanner = this.#scanner;
    scanner.reset();
    while (!scanner.isDone && this.#step());
    if (scanner.isDone) this.#finishMessage();
    else this.#copy(this.#at, end);
    this.message = this.take();
    this.messageEnd = this.message.length;
  }

  /**
   * Converts an offset in the plain bytes to an offset in the input. If there are bundles, the end of the plain bytes
   * becomes the end of the last bundle's texts.
   */
  originOf(offset: number): number {
    let low = 0;
    for (let high = this.#origins.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#origins[middle] as Origin).at <= offset) low = middle + 1;
      else high = middle;
    }
    const origin = this.#origins[low - 1] ?? { at: 0, from: this.#from };
    return Math.min(origin.from + offset - origin.at, this.#end);
  }

  /** Turns the next head and its body into plain bytes. Returns false if they are incomplete or not well-formed. */
  #step(): boolean {
    const start = this.#at;
    const head = this.#head;
    if (!readHead(this.#inputView, start, this.#end, head)) return false;
    if (this.#isBundle(head)) {
      this.#open(start, head.length, head.body);
      return true;
    }
    if (head.kind === RESERVED_HEAD && this.#bundle !== null) {
      this.#text(start, this.#bundle);
      return this.#scan();
    }
    this.#copy(start, Math.min(start + head.length + head.body, this.#end));
    return this.#scan();
  }

  /** Whether an ext opens a bundle. If an extension is registered for the type, every such ext belongs to it. */
  #isBundle({ kind, type, body }: Head): boolean {
    return opensBundle(kind, type, body) && this.#holder.extensions.forType(type) === undefined;
  }

  #copy(from: number, to: number): void {
    this.#note(from);
    this.append(this.#input.subarray(from, to));
    this.#at = to;
  }

  /** Notes that the next output comes from the input at `from`, unless the latest Origin already says so. */
  #note(from: number): void {
    const last = this.#origins.at(-1);
    if (last === undefined || this.offset - last.at !== from - last.from) this.#origins.push({ at: this.offset, from });
  }

  /** Lets the scanner read the new plain bytes. Returns false if they are incomplete or not well-formed. */
  #scan(): boolean {
    try {
      if (this.#scanner.step(this.view, this.offset)) return true;
      // readHead takes the first byte of a two-byte record id for a whole value. So add the second byte.
      if (this.#at === this.#end) return false;
      this.#copy(this.#at, this.#at + 1);
      return this.#scanner.step(this.view, this.offset);
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  }

  /** Checks that the last bundle's texts follow the message, and notes where they end. */
  #finishMessage(): void {
    const bundle = this.#bundle;
    if (bundle === null) return;
    if (bundle.start !== this.#at) this.#fail(this.#at, NOT_BEHIND);
    this.#note(bundle.end);
  }

  /**
   * Opens the bundle that the ext at `start` announces. The ext also holds the texts of the previous bundle, if there
   * was one.
   */
  #open(start: number, length: number, body: number): void {
    const at = start + length;
    if (at + body > this.#end) this.#fail(start, 'it ends too soon', 'unexpected_end');
    const from = at + this.#inputView.getUint32(at);
    if (from < Math.max(at + body, this.#bundlesEnd)) this.#fail(start, 'its texts stand where they cannot');
    const wide = this.#textAt(start, from);
    const ascii = this.#textAt(start, wide.end);
    this.#bundle = { start: from, end: ascii.end, wide, ascii };
    this.#bundlesEnd = ascii.end;
    this.#at = at + body;
  }

  #textAt(start: number, from: number): Text {
    const isHere = readHead(this.#inputView, from, this.#end, this.#head);
    const { kind, length, body } = this.#head;
    const end = from + length + body;
    if (!isHere || end > this.#end) this.#fail(start, 'its texts end too soon', 'unexpected_end');
    if (kind !== STR_HEAD) this.#fail(start, NO_STR);
    return { at: from + length, end };
  }

  /** Writes the str that the byte `c1` and the int after it stand for. */
  #text(start: number, { wide, ascii }: Bundle): void {
    const isHere = readHead(this.#inputView, start + 1, this.#end, this.#head);
    if (!isHere) this.#fail(start, 'the length of a str ends too soon', 'unexpected_end');
    const { length } = this.#head;
    if (!isInt(this.#head, this.#input[start + 1] as number)) this.#fail(start, NO_LENGTH);
    const count = countAt(this.#inputView, start + 1, length);
    const text = count > 0 ? ascii : wide;
    const end = this.#endOf(text, Math.abs(count));
    if (end < 0) this.#fail(start, 'it has no such text');
    this.#note(start);
    this.strHead(end - text.at);
    this.append(this.#input.subarray(text.at, end));
    text.at = end;
    this.#at = start + 1 + length;
  }

  /**
   * Returns where the next `count` code units of a text end; −1 if the text is too short, or if `count` ends within a
   * surrogate pair. The decoder checks that the text is UTF-8.
   */
  #endOf({ at, end }: Text, count: number): number {
    let left = count;
    let next = at;
    while (left > 0 && next < end) {
      const byte = this.#input[next] as number;
      next += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      left -= byte < 0xf0 ? 1 : 2;
    }
    return left === 0 && next <= end ? next : -1;
  }

  // --- where a message of a stream ends ------------------------------------------------------------------------------

  scan(view: DataView, end: number): boolean {
    while (!this.#streamScanner.isDone) if (!this.#scanHead(view, end)) return false;
    return this.#scanTexts(view, end);
  }

  get scanned(): number {
    return this.#scanned;
  }

  enter(element: Element | null): void {
    this.#scanAt = 0;
    this.#textsAt = -1;
    this.reset();
    for (const scanner of [this.#scanner, this.#streamScanner]) {
      if (element === null) scanner.reset();
      else scanner.enter(element);
    }
  }

  /** Moves past a head and its body. If they aren't complete before `end`, returns false without moving. */
  #scanHead(view: DataView, end: number): boolean {
    const start = this.#scanAt;
    const head = this.#head;
    if (!readHead(view, start, end, head)) return false;
    if (this.#isBundle(head)) {
      return this.#scanBundle(view, start, end);
    }
    if (head.kind === RESERVED_HEAD && this.#textsAt >= 0) return this.#scanText(view, start, end);
    const length = head.length + head.body;
    const isWhole = start + length <= end;
    const { offset } = this;
    // The scanner needs only the head for its checks, so an incomplete body isn't copied.
    this.append(bytesOf(view, start, start + (isWhole ? length : head.length)));
    this.#scanAt = start + length;
    if (this.#follow(start)) return true;
    if (isWhole && start + length < end) {
      // readHead takes the first byte of a two-byte record id for a whole value. So add the second byte.
      this.append(bytesOf(view, start + length, start + length + 1));
      this.#scanAt++;
      if (this.#follow(start)) return true;
    }
    this.offset = offset;
    this.#scanAt = start;
    return false;
  }

  /** Lets the scanner read the new plain bytes. Returns false if they are incomplete. */
  #follow(start: number): boolean {
    try {
      return this.#streamScanner.step(this.view, this.offset);
    } catch (error) {
      throw error instanceof Fault ? this.#placed(error, start, this.#streamScanner) : error;
    }
  }

  #scanBundle(view: DataView, start: number, end: number): boolean {
    const at = start + this.#head.length;
    const behind = at + this.#head.body;
    this.#bound(start, behind);
    if (behind > end) return false;
    this.#textsAt = at + view.getUint32(at);
    this.#bound(start, this.#textsAt);
    this.#scanAt = behind;
    return true;
  }

  #scanText(view: DataView, start: number, end: number): boolean {
    if (!readHead(view, start + 1, end, this.#head)) return false;
    if (!isInt(this.#head, view.getUint8(start + 1))) this.#failScan(start, NO_LENGTH);
    // The placeholder must not be longer than the bytes it stands for, or the scanner would report maxBytes too early.
    const count = Math.abs(countAt(view, start + 1, this.#head.length));
    this.str(count < 2 ? '' : UNKNOWN_TEXT);
    this.#scanAt = start + 1 + this.#head.length;
    return this.#follow(start);
  }

  /** Finds where the texts after the message end, and sets `#scanned`. Returns false if they are incomplete. */
  #scanTexts(view: DataView, end: number): boolean {
    let at = this.#scanAt;
    if (this.#textsAt >= 0) {
      if (this.#textsAt !== at) this.#failScan(at, NOT_BEHIND);
      for (let text = 0; text < 2; text++) {
        if (!readHead(view, at, end, this.#head)) return false;
        if (this.#head.kind !== STR_HEAD) this.#failScan(this.#scanAt, NO_STR);
        at += this.#head.length + this.#head.body;
        this.#bound(this.#scanAt, at);
      }
      if (at > end) return false;
    }
    this.#scanned = at;
    return true;
  }

  /** Fails at `start` if the message, which reaches at least to `end`, exceeds `maxBytes`. */
  #bound(start: number, end: number): void {
    if (end > this.#maxBytes) throw this.#placed(bytesFault(this.#maxBytes, start), start, this.#streamScanner);
  }

  // --- faults --------------------------------------------------------------------------------------------------------

  #fail(start: number, what: string, code: 'unexpected_end' | 'unsupported_value' = 'unsupported_value'): never {
    throw this.#placed(bundleFault(start, what, code), start, this.#scanner);
  }

  #failScan(start: number, what: string): never {
    throw this.#placed(bundleFault(start, what, 'unsupported_value'), start, this.#streamScanner);
  }

  #placed(fault: Fault, start: number, scanner: Scanner): EnvelopeFault {
    return new EnvelopeFault(fault, start, scanner.pathHere(this.view));
  }
}

function bundleFault(start: number, what: string, code: 'unexpected_end' | 'unsupported_value'): Fault {
  return new Fault(code, start, `a bundle of strings cannot be read: ${what}`, 'the writer is at fault');
}

function isInt({ kind }: Head, byte: number): boolean {
  return kind === SCALAR_HEAD && (byte < 0xc0 || byte > 0xc3);
}

/** Returns the int at `at`. It has `length` bytes. */
function countAt(view: DataView, at: number, length: number): number {
  return length === 1 ? view.getInt8(at) : Number(integerAt(view, at));
}

function bytesOf(view: DataView, from: number, to: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + from, to - from);
}
