// Bundled strings (option bundleStrings): the layout of msgpackr that moves strings behind the message, to be decoded at once.
//
// Plan: layout · Bundler, plain bytes to bundled ones · Unbundler, bundled bytes to plain ones, and where those came from.
//
// A str of 4 … 4,095 code units that is not the whole message becomes c1 and an int: n > 0 takes the next n code units of the
// ASCII text, n < 0 the next −n of the other one. The ext that says where the two texts stand comes before the first such str.
// A bundle that is full is closed by the ext of the next one, which holds its texts; the last one follows the message.
//
//   d6 62 <distance, 4 bytes> <c1 n>      … message …      <str: not ASCII> <str: ASCII>
//   c8 <length> 62 <distance> <str> <str> <c1 n>           the first bundle's texts, and a second bundle
//
// A distance counts from its own first byte. Everything else of the codec knows plain bytes only: this room turns one into the
// other. A bundle starts behind the one before, so each byte of input is in the output once, whatever the distances say.

import { prefixTest } from './clone-format.ts';
import type { Reader } from './decoder.ts';
import { Fault } from './errors.ts';
import { EXT16, EXT32, RESERVED } from './format.ts';
import { Head, HeadKind, integerAt, readHead } from './head.ts';
import type { Settings } from './options.ts';
import { Scanner } from './scan.ts';
import { type Wrapping, WrappingFault } from './session.ts';
import { StrWriter, strHeadLength } from './str-writer.ts';
import { decodeText } from './text.ts';

const BUNDLE_TYPE = 0x62;
/** Bytes of a distance. */
const DISTANCE_LENGTH = 4;
const SHORTEST = 4;
const LONGEST = 4095;
/** With so many code units, the first str not counted, a bundle is full. */
const FULL = 0x5500;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ new DataView(NO_BYTES.buffer);

function scannerFor(settings: Settings): Scanner {
  const limits = { maxDepth: settings.limits.maxDepth, maxBytes: Number.POSITIVE_INFINITY };
  return new Scanner(settings.inline, limits, prefixTest(settings), settings.shared, settings.compat);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// --- writing ----------------------------------------------------------------------------------------------------------------

class Bundler extends StrWriter {
  /** The texts of the bundle, and where its distance stands; −1 before the first bundle. */
  #wide = '';
  #ascii = '';
  /** Bytes of the text that is not ASCII. */
  #wideLength = 0;
  #distanceAt = -1;
  #size = Number.POSITIVE_INFINITY;

  /** Bundles the strings of one message that a Writer wrote. */
  bundle(message: Uint8Array, settings: Settings): Uint8Array {
    const scanner = scannerFor(settings);
    const view = viewOf(message);
    const head = new Head();
    let copied = 0;
    while (!scanner.isDone) {
      const start = scanner.at;
      readHead(view, start, message.length, head);
      scanner.step(view, message.length);
      const text = head.kind === HeadKind.STR && start > 0 ? textOf(message, start + head.length, scanner.at) : null;
      if (text !== null) {
        this.append(message.subarray(copied, start));
        copied = scanner.at;
        this.#text(text, head.body);
      }
    }
    this.append(message.subarray(copied));
    if (this.#distanceAt >= 0) this.#close();
    return this.take();
  }

  #text(text: string, byteLength: number): void {
    const { length } = text;
    this.#size += length;
    if (this.#size > FULL) this.#open();
    this.byte(RESERVED);
    if (length === byteLength) {
      this.#ascii += text;
      this.int(length);
    } else {
      this.#wide += text;
      this.#wideLength += byteLength;
      this.int(-length);
    }
  }

  #open(): void {
    const isFirst = this.#distanceAt < 0;
    if (isFirst) this.extHead(BUNDLE_TYPE, DISTANCE_LENGTH);
    else {
      // No shorter heads, as other writers have it; 16 bits are too few for texts in some scripts only.
      const length = DISTANCE_LENGTH + strLength(this.#wideLength) + strLength(this.#ascii.length);
      if (length > 0xffff) this.head32(EXT32, length);
      else this.head16(EXT16, length);
      this.byte(BUNDLE_TYPE);
    }
    const at = this.offset;
    this.ensure(DISTANCE_LENGTH);
    this.offset += DISTANCE_LENGTH;
    if (!isFirst) this.#close();
    this.#distanceAt = at;
    this.#size = 0;
  }

  /** Writes the texts of the bundle, and how far away they are. */
  #close(): void {
    this.view.setUint32(this.#distanceAt, this.offset - this.#distanceAt);
    this.str(this.#wide);
    this.str(this.#ascii);
    this.#wide = '';
    this.#wideLength = 0;
    this.#ascii = '';
  }
}

/** The text of a str that a bundle may hold; null for others. */
function textOf(message: Uint8Array, from: number, to: number): string | null {
  // No more code units than bytes, and no more than three bytes for each.
  if (to - from < SHORTEST || to - from > 3 * LONGEST) return null;
  const text = decodeText(message, from, to);
  return text === null || text.length < SHORTEST || text.length > LONGEST ? null : text;
}

function strLength(bodyLength: number): number {
  return strHeadLength(bodyLength) + bodyLength;
}

/** Bundles the strings of one message that a Writer wrote. */
export function bundle(message: Uint8Array, settings: Settings): Uint8Array {
  return new Bundler(settings.inline).bundle(message, settings);
}

// --- reading ----------------------------------------------------------------------------------------------------------------

/** A text of a bundle: the bytes that were not taken yet. */
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

/** Where in the input a part of the output came from; both end where the next part starts. */
interface Part {
  readonly at: number;
  readonly from: number;
}

/** Reads bundled messages, and plain ones. */
export class Unbundler extends StrWriter implements Wrapping {
  #parts: Part[] = [];
  #input: Uint8Array = NO_BYTES;
  #inputView: DataView = NO_VIEW;
  /** Where the message starts in the input, and where it ends at the latest. */
  #from = 0;
  #end = 0;
  readonly #head = new Head();
  #at = 0;
  readonly #scanner: Scanner;
  #bundle: Bundle | null = null;
  /** Where the latest bundle ends: the next one starts behind it. */
  #bundlesEnd = 0;

  constructor(settings: Settings) {
    super(settings.inline);
    this.#scanner = scannerFor(settings);
  }

  /**
   * Gives a reader the message as plain bytes. One that is not well-formed is as it was from the fault on, and with all that is
   * behind it, for the reader to find the fault.
   *
   * @throws Fault for bundles that make no sense
   */
  open(reader: Reader, bytes: Uint8Array, start: number, end: number, depth: number): void {
    if (bytes !== this.#input) this.#inputView = viewOf(bytes);
    this.#input = bytes;
    this.#from = start;
    this.#end = end;
    this.#at = start;
    this.#bundle = null;
    this.#bundlesEnd = start;
    this.#parts = [];
    this.reset();
    const scanner = this.#scanner;
    scanner.reset();
    while (!scanner.isDone && this.#step());
    if (scanner.isDone) this.#finishMessage();
    else this.#copy(this.#at, end);
    const plain = this.take();
    reader.begin(plain, 0, plain.length, depth);
  }

  /** The offset in the input of an offset in the plain bytes; of their end, where the message ends. */
  originOf(offset: number): number {
    let low = 0;
    for (let high = this.#parts.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#parts[middle] as Part).at <= offset) low = middle + 1;
      else high = middle;
    }
    const part = this.#parts[low - 1] ?? { at: 0, from: this.#from };
    return Math.min(part.from + offset - part.at, this.#end);
  }

  /** Goes over a head and its body. Returns false when what follows is not well-formed. */
  #step(): boolean {
    const start = this.#at;
    const head = this.#head;
    if (!readHead(this.#inputView, start, this.#end, head)) return false;
    if (head.kind === HeadKind.EXT && head.type === BUNDLE_TYPE && head.body >= DISTANCE_LENGTH) {
      this.#open(start, head.length, head.body);
      return true;
    }
    if (head.kind === HeadKind.RESERVED && this.#bundle !== null) {
      this.#text(start, this.#bundle);
      return this.#scan();
    }
    this.#copy(start, Math.min(start + head.length + head.body, this.#end));
    return this.#scan();
  }

  /** Takes over bytes as they are. */
  #copy(from: number, to: number): void {
    this.#note(from);
    this.append(this.#input.subarray(from, to));
    this.#at = to;
  }

  /** Notes where the next bytes come from, unless they follow those before. */
  #note(from: number): void {
    const last = this.#parts.at(-1);
    if (last === undefined || this.offset - last.at !== from - last.from) this.#parts.push({ at: this.offset, from });
  }

  /** Lets the scanner follow. Returns false when it cannot. */
  #scan(): boolean {
    try {
      if (this.#scanner.step(this.view, this.offset)) return true;
      // An id of two bytes is no head that readHead knows.
      if (this.#at === this.#end) return false;
      this.#copy(this.#at, this.#at + 1);
      return this.#scanner.step(this.view, this.offset);
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  }

  /** Goes past the texts behind the message. */
  #finishMessage(): void {
    const bundle = this.#bundle;
    if (bundle === null) return;
    if (bundle.start !== this.#at) this.#fail(this.#at, 'its texts do not follow the message');
    this.#note(bundle.end);
  }

  /** Opens the bundle that the ext at `start` tells of. Its body holds the texts of the bundle before. */
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
    if (kind !== HeadKind.STR) this.#fail(start, 'its texts are no str');
    return { at: from + length, end };
  }

  /** Writes the str that the reserved byte and the int behind it stand for. */
  #text(start: number, { wide, ascii }: Bundle): void {
    const isHere = readHead(this.#inputView, start + 1, this.#end, this.#head);
    if (!isHere) this.#fail(start, 'the length of a str ends too soon', 'unexpected_end');
    const { kind, length } = this.#head;
    const byte = this.#input[start + 1] as number;
    const isInt = kind === HeadKind.SCALAR && (byte < 0xc0 || byte > 0xc3);
    if (!isInt) this.#fail(start, 'the length of a str is no int');
    const count = length === 1 ? (byte << 24) >> 24 : Number(integerAt(this.#inputView, start + 1));
    const text = count > 0 ? ascii : wide;
    const end = this.#endOf(text, Math.abs(count));
    if (end < 0) this.#fail(start, 'it has no such text');
    this.#note(start);
    this.strHead(end - text.at);
    this.append(this.#input.subarray(text.at, end));
    text.at = end;
    this.#at = start + 1 + length;
  }

  /** Where so many code units end; −1 when they do not, or within a character. Whether they are UTF-8 the decoder finds out. */
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

  #fail(start: number, what: string, code: 'unexpected_end' | 'unsupported_value' = 'unsupported_value'): never {
    const message = `a bundle of strings cannot be read: ${what}`;
    const fault = new Fault(code, start, message, 'the writer is at fault');
    throw new WrappingFault(fault, this.#scanner.pathHere(this.view));
  }
}
