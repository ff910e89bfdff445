// Writes text (spec/02-wire.md#str).
//
// Plan: StrEncoder: str, by length and by whether text is ASCII · the window · UTF-8 · heads. Then checks, functions of
// the host, lengths.
//
// Short text is written by a loop as if it were ASCII. At the first character that isn't ASCII, another loop or the
// host takes over. The host writes most long text.

import { Fault } from '../../core/errors.ts';
import { FIXSTR, STR8, STR16, STR32 } from '../../core/format.ts';
import { HOST, NODE } from '../../core/host.ts';
import { ENCODER, isWellFormed } from '../../core/text.ts';
import { checkLength, Sink } from './sink.ts';
import { MOST_STORED, type StoredName } from './stored-name.ts';

/**
 * Up to this many code units of ASCII, a loop is faster than a call into the host (measured on each host). In Chromium,
 * TextEncoder is as fast as the loop only from a few hundred characters on.
 */
const SHORT = { nodejs: 64, bun: 80, other: 255 };
const SHORT_BEFORE_NODE_22 = 40;
const SHORT_SINCE_NODE_22 = 20;
const SHORT_TEXT: number = /* @__PURE__ */ shortText();

// This is a function, because bundlers would inline a mere expression and then couldn't drop it where it isn't used.
function shortText(): number {
  if (NODE === null) return SHORT[HOST];
  return NODE.version >= 22 ? SHORT_SINCE_NODE_22 : SHORT_BEFORE_NODE_22;
}

/**
 * Like SHORT, but for text that isn't ASCII. For 400 characters of two or three bytes, TextEncoder takes
 * twice as long as the loop in Chromium, but a quarter of the loop's time in Bun.
 */
const SHORT_WIDE = { nodejs: 48, bun: 24, other: 1023 };
const SHORT_WIDE_TEXT: number = /* @__PURE__ */ shortWideText();

function shortWideText(): number {
  return SHORT_WIDE[HOST];
}

/**
 * Text with more code units than this is encoded to a separate array first. So the message needs no capacity for the
 * worst case of 3 bytes per code unit.
 */
const LONG_TEXT = 65_536;

/**
 * Text of at most this many code units may go through the window, a view of the end of the memory. The window has at
 * most 3 bytes for each of these code units. Longer text would gain nothing from the window.
 */
const MOST_IN_WINDOW = 1024;

/** `mixedStr` keeps the ASCII characters at the start of a text only if there are at least this many. */
const FEWEST_KEPT = 8;

const LONGEST_HEAD = 5;

/** The most bytes that a character has in UTF-8. */
const LONGEST_CHARACTER = 4;

/** Stands for the missing code unit after the last one. `wideText` never writes it. */
const NO_PARTNER = 0xe000;

export class StrEncoder extends Sink {
  /** @throws Fault `invalid_utf8` for a lone surrogate */
  protected str(text: string): void {
    const { length } = text;
    if (length > SHORT_TEXT) {
      this.longerStr(text);
      return;
    }
    if (this.offset + length + 2 > this.capacity) this.grow(length + 2);
    const start = this.offset;
    const { bytes, view } = this;
    const at = length < 32 ? start + 1 : start + 2;
    let index = 0;
    // Write four characters at a time, with one store and one bounds check; then two, then one.
    for (; index + 3 < length; index += 4) {
      const first = text.charCodeAt(index);
      const second = text.charCodeAt(index + 1);
      const third = text.charCodeAt(index + 2);
      const fourth = text.charCodeAt(index + 3);
      if ((first | second | third | fourth) >= 0x80) {
        this.mixedStr(text, index);
        return;
      }
      view.setInt32(at + index, (first << 24) | (second << 16) | (third << 8) | fourth);
    }
    if (index + 1 < length) {
      const first = text.charCodeAt(index);
      const second = text.charCodeAt(index + 1);
      if ((first | second) >= 0x80) {
        this.mixedStr(text, index);
        return;
      }
      view.setInt16(at + index, (first << 8) | second);
      index += 2;
    }
    if (index < length) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) {
        this.mixedStr(text, index);
        return;
      }
      bytes[at + index] = unit;
    }
    if (length < 32) bytes[start] = FIXSTR | length;
    else {
      bytes[start] = STR8;
      bytes[start + 1] = length;
    }
    this.offset = at + length;
  }

  protected storedStr(name: StoredName): void {
    if (this.offset + MOST_STORED > this.capacity) this.grow(MOST_STORED);
    const at = this.offset;
    name.copyTo(this.view, at);
    this.offset = at + name.length;
  }

  private longerStr(text: string): void {
    if (text.length <= SHORT_WIDE_TEXT && text.charCodeAt(0) >= 0x80) this.wideStr(text);
    else this.hostStr(text);
  }

  private hostStr(text: string): void {
    const { length } = text;
    if (BUFFER === null && length <= MOST_IN_WINDOW && this.windowStr(text)) return;
    if (length <= LONG_TEXT) this.mediumStr(text);
    else this.longStr(text);
  }

  /**
   * Writes a short text after `str` has written its first `index` characters, which are ASCII. If possible, keeps these
   * characters and continues after them. If the host is faster for text of this length, the host writes all of it.
   */
  private mixedStr(text: string, index: number): void {
    if (text.length > SHORT_WIDE_TEXT) {
      this.hostStr(text);
      return;
    }
    const start = this.offset;
    const headLength = text.length < 32 ? 1 : 2;
    const at = start + headLength + index;
    const fits = at + 3 * (text.length - index) < this.capacity;
    if (index >= FEWEST_KEPT && fits && likelyHeadLength(text) === headLength) {
      this.endStr(start, headLength, this.wideText(text, index, at));
    } else this.wideStr(text);
  }

  /** Writes short text that isn't ASCII. */
  private wideStr(text: string): void {
    const headLength = likelyHeadLength(text);
    // `wideText` stores four bytes for a character of three, so the last character may need one byte more.
    this.ensure(headLength + 3 * text.length + 1);
    const start = this.offset;
    this.endStr(start, headLength, this.wideText(text, 0, start + headLength));
  }

  /**
   * Encodes text into the window and copies the bytes to the end of the message. In Chromium, this takes 120 to 200 ns
   * less than making a view of the end of the message for each text. If the message has reached the window, or the text
   * doesn't fit in the window, returns false and leaves the message unchanged.
   */
  private windowStr(text: string): boolean {
    const { length } = text;
    this.ensure(length + LONGEST_HEAD);
    const { bytes, offset: start } = this;
    const window = this.window ?? this.openWindow();
    const from = this.capacity - window.length;
    if (start + LONGEST_HEAD > from || length > window.length) return false;
    const { read, written } = ENCODER.encodeInto(text, window);
    if (read !== length) return false;
    if (written !== length) checkText(text);
    const at = start + strHeadLength(written);
    bytes.copyWithin(at, from, from + written);
    this.putStrHead(start, written);
    this.offset = at + written;
    return true;
  }

  private openWindow(): Uint8Array {
    const { capacity } = this;
    this.window = this.bytes.subarray(capacity - Math.min(3 * MOST_IN_WINDOW, capacity >> 1));
    return this.window;
  }

  private mediumStr(text: string): void {
    const headLength = likelyHeadLength(text);
    // Assume the longest head, because the head may turn out longer than expected.
    const worst = LONGEST_HEAD + 3 * text.length;
    // If the worst case doesn't fit, try ASCII before the memory grows, because most texts are ASCII.
    if (this.offset + worst > this.capacity && this.asciiStr(text, headLength)) return;
    this.ensure(worst);
    const start = this.offset;
    const at = start + headLength;
    const end = at + writeUtf8(this.bytes, text, at);
    if (end - at !== text.length) checkText(text);
    this.endStr(start, headLength, end);
  }

  /**
   * Writes text if it is ASCII and fits. Otherwise returns false without moving the offset. The text is ASCII if
   * `writeUtf8` writes as many bytes as the text has code units. For any other text it writes more bytes. This is also
   * true if the text doesn't fit, because at most 3 of the 4 spare bytes then stay unused.
   */
  private asciiStr(text: string, headLength: number): boolean {
    const start = this.offset;
    const at = start + headLength;
    const { length } = text;
    if (at + length + LONGEST_CHARACTER > this.capacity || writeUtf8(this.bytes, text, at) !== length) return false;
    this.endStr(start, headLength, at + length);
    return true;
  }

  private longStr(text: string): void {
    const utf8 = ENCODER.encode(text);
    if (utf8.length !== text.length) checkText(text);
    this.strHead(checkLength(utf8.length));
    this.append(utf8);
  }

  /**
   * Writes the text from index `from` on as UTF-8 at `at`, where there must be enough capacity. Returns the offset
   * after the text. Most characters have as many bytes as the one before, so two of the same length are written
   * together. The bit operations are inlined, because Node 20 takes 4 % longer with functions for them.
   */
  private wideText(text: string, from: number, at: number): number {
    const { bytes, view } = this;
    const { length } = text;
    let end = at;
    let index = from;
    while (index < length) {
      const unit = text.charCodeAt(index);
      index++;
      const next = index < length ? text.charCodeAt(index) : NO_PARTNER;
      if (unit < 0x80) {
        if (next < 0x80) {
          view.setInt16(end, (unit << 8) | next);
          end += 2;
          index++;
        } else {
          bytes[end] = unit;
          end += 1;
        }
      } else if (unit < 0x800) {
        if (next >= 0x80 && next < 0x800) {
          const second = 0xc080 | ((next & 0x7c0) << 2) | (next & 0x3f);
          view.setInt32(end, 0xc080_0000 | ((unit & 0x7c0) << 18) | ((unit & 0x3f) << 16) | second);
          end += 4;
          index++;
        } else {
          view.setInt16(end, 0xc080 | ((unit & 0x7c0) << 2) | (unit & 0x3f));
          end += 2;
        }
      } else if ((unit & 0xf800) !== 0xd800) {
        view.setInt32(end, 0xe080_8000 | ((unit & 0xf000) << 12) | ((unit & 0xfc0) << 10) | ((unit & 0x3f) << 8));
        end += 3;
        // Write `next` here only if it is below the surrogates, where most characters of three bytes are.
        if (next >= 0x800 && next < 0xd800) {
          view.setInt32(end, 0xe080_8000 | ((next & 0xf000) << 12) | ((next & 0xfc0) << 10) | ((next & 0x3f) << 8));
          end += 3;
          index++;
        }
      } else {
        putPair(view, end, unit, next);
        end += 4;
        index++;
      }
    }
    return end;
  }

  /**
   * Writes the head of a text that is already in place. Moves the text if the head has another length than expected.
   */
  private endStr(start: number, headLength: number, end: number): void {
    const at = start + headLength;
    const needed = strHeadLength(end - at);
    if (needed !== headLength) this.bytes.copyWithin(start + needed, at, end);
    this.putStrHead(start, end - at);
    this.offset = end + needed - headLength;
  }

  protected strHead(length: number): void {
    this.ensure(5);
    this.putStrHead(this.offset, length);
    this.offset += strHeadLength(length);
  }

  private putStrHead(at: number, length: number): void {
    if (length < 32) {
      this.bytes[at] = FIXSTR | length;
    } else if (length < 0x100) {
      this.bytes[at] = STR8;
      this.bytes[at + 1] = length;
    } else if (length < 0x1_0000) {
      this.bytes[at] = STR16;
      this.view.setUint16(at + 1, length);
    } else {
      this.bytes[at] = STR32;
      this.view.setUint32(at + 1, length);
    }
  }
}

/** Writes a surrogate pair as four bytes. Throws `invalid_utf8` for a lone surrogate. */
function putPair(view: DataView, at: number, first: number, second: number): void {
  if (first >= 0xdc00 || (second & 0xfc00) !== 0xdc00) throw surrogateFault();
  const scalar = 0x1_0000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
  const bits = ((scalar >> 18) << 24) | ((scalar & 0x3_f000) << 4) | ((scalar & 0xfc0) << 2) | (scalar & 0x3f);
  view.setInt32(at, 0xf080_8080 | bits);
}

/**
 * Checks text that the host has written and that isn't ASCII. Hosts write U+FFFD for a lone surrogate without reporting
 * it.
 *
 * @throws Fault `invalid_utf8` for a lone surrogate
 */
function checkText(text: string): void {
  if (!isWellFormed(text)) throw surrogateFault();
}

function surrogateFault(): Fault {
  return new Fault('invalid_utf8', null, 'a string has a lone surrogate', 'mend it with String.prototype.toWellFormed');
}

// --- functions of the host -------------------------------------------------------------------------------------------

/** Methods of Node's Buffer that work on any Uint8Array. */
interface BufferMethods {
  utf8Write(this: Uint8Array, text: string, at: number, length: number): number;
}

/**
 * Returns an object that inherits `utf8Write`; null if NODE is null or its Buffer has no such method. Engines treat an
 * inherited method as a constant and call it directly, unlike a function in a variable of the module.
 */
function bufferMethods(): BufferMethods | null {
  const { utf8Write } = NODE?.Buffer.prototype ?? {};
  return typeof utf8Write === 'function' ? (Object.create({ utf8Write }) as BufferMethods) : null;
}

const BUFFER = /* @__PURE__ */ bufferMethods();

/**
 * Writes as many characters of the text as fit, from `at` on. A lone surrogate becomes U+FFFD.
 *
 * @returns how many bytes were written
 */
function writeUtf8(bytes: Uint8Array, text: string, at: number): number {
  if (BUFFER !== null) return BUFFER.utf8Write.call(bytes, text, at, Math.min(3 * text.length, bytes.length - at));
  return ENCODER.encodeInto(text, bytes.subarray(at)).written;
}

// --- lengths ---------------------------------------------------------------------------------------------------------

/** Returns the length of the head of a str with `length` bytes. */
export function strHeadLength(length: number): number {
  if (length < 32) return 1;
  if (length < 0x100) return 2;
  return length < 0x1_0000 ? 3 : 5;
}

/** Guesses the length of the head of a text. If the length of the text doesn't decide it, looks at four characters. */
function likelyHeadLength(text: string): number {
  const { length } = text;
  const most = strHeadLength(3 * length);
  if (strHeadLength(length) === most) return most;
  const quarter = length >> 2;
  const bytesOfFour =
    unitLength(text, 0) + unitLength(text, quarter) + unitLength(text, 2 * quarter) + unitLength(text, 3 * quarter);
  return strHeadLength((bytesOfFour * length) >> 2);
}

function unitLength(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}
