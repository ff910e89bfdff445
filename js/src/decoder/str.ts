// Reading text (spec/02-wire.md#str).
//
// Plan: StrDecoder: text by length · the window · long and wide text · names.
//
// Short ASCII texts are cut out of a window: the next bytes of the message as one string. So one call into the host
// serves many texts. If the program keeps a text, the engine may keep the whole window alive. So the window is small,
// and grows only where texts are dense. With the option separateStrings there is no window.

import { stringFault, utf8Fault } from '../core/faults.ts';
import { LONGEST_FIXSTR, NIL, STR8 } from '../core/format.ts';
import { decodeText, fromCharCode, replacedText } from '../core/text.ts';
import type { Settings } from '../options/settings.ts';
import type { DecoderCache } from './shapes/cache.ts';
import { Source } from './source.ts';
import { TEXT_PLATFORM } from './text/platform.ts';
import { FEW_CHARACTERS, fewCharacters, SOME_CHARACTERS, spelled } from './text/spelling.ts';
import { MOST_TRANSCODED } from './text/transcoder.ts';

/**
 * Where texts are sparse, a window has LEAST_WINDOW bytes. Where texts are dense, the first window has DENSE_WINDOW
 * bytes. Each further window has twice as many bytes as the window before, up to MOST_WINDOW.
 */
const LEAST_WINDOW = 64;
const DENSE_WINDOW = 1024;
const MOST_WINDOW = 4096;
/** Texts are dense if each starts less than this many bytes after the latest window. */
const NEAR = 64;

/** In an input of at most this many bytes, a window isn't worthwhile for texts of at most FEW_CHARACTERS bytes. */
const SMALL_MESSAGE = 160;

/**
 * On hosts where a window is expensive, texts of at most this many bytes are built from character codes if they are
 * outside a window. The host decodes longer texts.
 */
const MOST_SPELLED = 96;
/**
 * On hosts where a window is expensive, a window is worthwhile only after FEW_IN_ROW texts in a row of more than
 * SOME_CHARACTERS bytes. Each text must start less than NEAR_SPELLED bytes after the end of the text before.
 */
const FEW_IN_ROW = 2;
const NEAR_SPELLED = 256;

/** Texts with at least this many bytes are checked for ASCII in steps of 16 bytes instead of 8. */
const MANY = 64;

/** From this many bytes on, the host's `isAscii` is faster than the method `isAscii` in this file. */
const LONGER = 384;

/** All common engines can make strings of this many code units. */
const MAX_SAFE_TEXT = 0x800_0000;

export abstract class StrDecoder extends Source {
  protected readonly cache: DecoderCache;
  /** A hash of the name that `name` or `newName` read last; 0 if no shape should contain that name. */
  protected nameHash = 0;
  /** The window, and where it starts and ends. Generated code also cuts texts out of it. */
  window = '';
  windowStart = 0;
  windowEnd = 0;
  private windowLength = LEAST_WINDOW;
  private isSmall = false;
  private readonly longest = TEXT_PLATFORM.long;
  private readonly spells: boolean;
  /** Whether each text is decoded alone, and never cut out of a window. */
  private readonly isSeparate: boolean;
  readonly #invalidUtf8: Settings['invalidUtf8'];
  /** How many texts in a row were near the previous text or window, as `otherText` counts them. */
  private inRow = 0;
  private readonly ascii = TEXT_PLATFORM.ascii;

  constructor(cache: DecoderCache, { separateStrings, invalidUtf8 }: Settings) {
    super();
    this.cache = cache;
    this.isSeparate = separateStrings;
    this.spells = separateStrings || TEXT_PLATFORM.spells;
    this.#invalidUtf8 = invalidUtf8;
  }

  /** Returns `length` bytes of the message as the value of a bin. */
  protected abstract data(start: number, at: number, length: number): Uint8Array;

  protected override openInput(bytes: Uint8Array, start: number, end: number): void {
    super.openInput(bytes, start, end);
    this.isSmall = end - start <= SMALL_MESSAGE;
    this.windowEnd = 0;
    // Programs often keep the texts at the beginning of a message, such as ids. So don't start with a large window,
    // which such a text would keep alive.
    if (this.windowLength > DENSE_WINDOW) this.windowLength = DENSE_WINDOW;
  }

  protected override closeInput(): void {
    super.closeInput();
    this.window = '';
  }

  /** Reads the text of the str at `start`: `length` bytes from `at` on. */
  protected text(start: number, at: number, length: number): string {
    const end = at + length;
    if (end > this.end) this.failBody(start, at, length); // truncated: rule 6 of spec/07#which-fault-wins
    this.offset = end;
    if (length < 4) return this.shortText(start, at, end);
    if (length >= MANY) return this.longText(start, at, end);
    const { view } = this;
    const last = end - 4;
    let all = view.getInt32(at, true) | view.getInt32(last, true);
    if (length > 8) {
      // Check the second word from each end, then the words between. Steps of two words never read past the end of the
      // text.
      all |= view.getInt32(at + 4, true) | view.getInt32(last - 4, true);
      for (let word = at + 8; word < last - 4; word += 8) {
        all |= view.getInt32(word, true) | view.getInt32(word + 4, true);
      }
    }
    if ((all & 0x80808080) !== 0) return this.wideText(start, at, end);
    const from = this.windowStart;
    if (end > this.windowEnd || at < from) return this.textOutside(start, at, end);
    return this.window.slice(at - from, end - from);
  }

  /** Returns the bitwise OR of the 32-bit words that start at `at`, `at` + 4, and so on, below `last`. */
  bitsOf(at: number, last: number): number {
    const { view } = this;
    let all = 0;
    for (let word = at; word < last; word += 4) all |= view.getInt32(word, true);
    return all;
  }

  /** Reads ASCII text of 4 … MANY − 1 bytes outside the window. */
  private textOutside(start: number, at: number, end: number): string {
    if (this.spells) return this.otherText(at, end);
    const length = end - at;
    if (this.isSmall && length <= FEW_CHARACTERS) return fewCharacters(this.bytes, at, length);
    if (at - start === 1 && this.isLonely(at)) return this.lonelyText(start, at, end);
    this.moveWindow(at, end);
    return this.window.slice(0, length);
  }

  /** Whether a text is far from the latest window, or the latest window is empty. False before the first window. */
  private isLonely(at: number): boolean {
    const { windowEnd } = this;
    return windowEnd > 0 && (at - windowEnd >= NEAR || windowEnd === this.windowStart);
  }

  /**
   * Reads the ASCII text of a fixstr that is far from other texts. Such strings often repeat (enum values, units), so
   * try the cache before calling the host.
   */
  private lonelyText(start: number, at: number, end: number): string {
    const { view } = this;
    const { names } = this.cache;
    const known = names.find(view, start, end);
    if (known === null) {
      this.moveWindow(at, end);
      const text = this.window.slice(0, end - at);
      names.learn(view, start, end, text);
      return text;
    }
    this.emptyWindow(end);
    return known.text;
  }

  /** Empties the window and sets its end, from which the distance to the next text is measured. */
  private emptyWindow(end: number): void {
    this.windowStart = end;
    this.windowEnd = end;
  }

  /** Reads text of at least MANY bytes. */
  private longText(start: number, at: number, end: number): string {
    if (end - at >= this.longest) return this.separateText(start, at, end);
    if (!this.isAscii(at, end)) return this.wideText(start, at, end);
    if (end > this.windowEnd || at < this.windowStart) {
      if (this.spells) return this.otherText(at, end);
      this.moveWindow(at, end);
    }
    const from = this.windowStart;
    return this.window.slice(at - from, end - from);
  }

  /** Whether bytes are ASCII. There must be at least 16. */
  private isAscii(start: number, end: number): boolean {
    const { view } = this;
    const last = end - 16;
    let all = 0;
    // Reads little-endian words, because most machines needn't swap their bytes.
    for (let at = start; at < last; at += 16) {
      all |= view.getInt32(at, true) | view.getInt32(at + 4, true);
      all |= view.getInt32(at + 8, true) | view.getInt32(at + 12, true);
    }
    all |= view.getInt32(last, true) | view.getInt32(last + 4, true);
    all |= view.getInt32(last + 8, true) | view.getInt32(last + 12, true);
    return (all & 0x80808080) === 0;
  }

  /**
   * Reads ASCII text outside the window, if a window is expensive on this host or texts must be separate. Opens a
   * window only after several longer texts in a row, and never if texts must be separate.
   */
  private otherText(at: number, end: number): string {
    const { bytes, view } = this;
    const length = end - at;
    if (length <= SOME_CHARACTERS) return spelled(bytes, at, length);
    if (this.isSeparate) return this.ascii(bytes, view, at, end, this.cache.transcoder);
    const isNear = this.windowEnd > 0 && at - this.windowEnd < NEAR_SPELLED;
    this.inRow = isNear ? this.inRow + 1 : 0;
    if (this.inRow >= FEW_IN_ROW) return this.firstOfWindow(at, end);
    this.emptyWindow(end);
    return length <= MOST_SPELLED
      ? spelled(bytes, at, length)
      : this.ascii(bytes, view, at, end, this.cache.transcoder);
  }

  private firstOfWindow(at: number, end: number): string {
    this.growWindow();
    this.openWindow(at, end);
    return this.window.slice(0, end - at);
  }

  /** Moves the window to the text from `at` to `until`. */
  private moveWindow(at: number, until: number): void {
    if (this.windowEnd > 0) {
      // A single near text doesn't make texts dense. So the first window after a gap is small, to find out whether more
      // texts follow.
      const isDense = at - this.windowEnd < NEAR && this.windowEnd > this.windowStart;
      if (isDense) this.growWindow();
      else this.windowLength = LEAST_WINDOW;
    }
    this.openWindow(at, until);
  }

  private growWindow(): void {
    this.windowLength = Math.min(Math.max(2 * this.windowLength, DENSE_WINDOW), MOST_WINDOW);
  }

  private openWindow(at: number, until: number): void {
    const end = Math.max(until, Math.min(at + this.windowLength, this.end));
    this.windowStart = at;
    this.windowEnd = end;
    this.window = this.ascii(this.bytes, this.view, at, end, this.cache.transcoder);
  }

  /** Reads text of at most three bytes. */
  private shortText(start: number, at: number, end: number): string {
    const { bytes } = this;
    if (at === end) return '';
    const first = bytes[at] as number;
    if (end - at === 1) return first < 0x80 ? fromCharCode(first) : this.wideText(start, at, end);
    const second = bytes[at + 1] as number;
    const last = bytes[end - 1] as number;
    if ((first | second | last) >= 0x80) return this.wideText(start, at, end);
    return end - at === 2 ? fromCharCode(first, second) : fromCharCode(first, second, last);
  }

  /** Reads text that isn't ASCII. */
  private wideText(start: number, at: number, end: number): string {
    if (end - at > TEXT_PLATFORM.mostTranscoded) return this.decoded(start, at, end);
    const { transcoder } = this.cache;
    const count = transcoder.decode(this.bytes, this.view, at, end);
    return count < 0 ? this.#illFormed(start, at, end) : TEXT_PLATFORM.units(transcoder, count);
  }

  /**
   * Returns what a str that isn't UTF-8 becomes (option invalidUtf8): text with U+FFFD, or its bytes, which
   * `#checkName` refuses as a name. By default the str is `invalid_utf8` (rule 7 of spec/07#which-fault-wins).
   */
  #illFormed(start: number, at: number, end: number): string {
    if (this.#invalidUtf8 === 'error') throw utf8Fault(start);
    if (this.#invalidUtf8 === 'replace') return replacedText(this.bytes, at, end);
    return this.data(start, at, end - at) as unknown as string;
  }

  /** Refuses a name that `#illFormed` returned as bytes. */
  #checkName(start: number, name: string): string {
    if (typeof name !== 'string') throw utf8Fault(start);
    return name;
  }

  /** Reads long text alone, not as a part of a window. */
  private separateText(start: number, at: number, end: number): string {
    // Measure the distance to the next text from the end of this text, as if a window ended there.
    if (end > this.windowEnd) this.emptyWindow(end);
    // In these cases the host decodes the text faster than this file could check and copy it.
    if (this.spells || end - at > MOST_TRANSCODED) return this.decoded(start, at, end);
    const { isAscii } = TEXT_PLATFORM;
    if (isAscii !== null && end - at >= LONGER) {
      if (!isAscii(new Uint8Array(this.buffer, at, end - at))) return this.wideText(start, at, end);
      return this.ascii(this.bytes, this.view, at, end, this.cache.transcoder);
    }
    if (!this.isAscii(at, end)) return this.wideText(start, at, end);
    return this.ascii(this.bytes, this.view, at, end, this.cache.transcoder);
  }

  /** Lets the host decode text of any length. */
  private decoded(start: number, at: number, end: number): string {
    const text = end - at < MAX_SAFE_TEXT ? decodeText(this.bytes, at, end) : this.hugeText(start, at, end);
    return text ?? this.#illFormed(start, at, end);
  }

  /** Decodes text that may be too long for the engine's strings. */
  private hugeText(start: number, at: number, end: number): string | null {
    try {
      return decodeText(this.bytes, at, end);
    } catch (cause) {
      throw stringFault(start, cause);
    }
  }

  /** Reads the str that starts here as a name. */
  protected name(): string {
    const start = this.offset;
    const head = this.bytes[start] as number;
    if (head >= NIL) return this.longName(start, head);
    const at = start + 1;
    const end = at + (head & 0x1f);
    if (end > this.end) {
      this.offset = at;
      this.failBody(start, at, end - at); // truncated: rule 6 of spec/07#which-fault-wins
    }
    const known = end - at < 3 ? null : this.cache.names.find(this.view, start, end);
    if (known === null) return this.newName(start, end);
    this.nameHash = known.hash;
    this.offset = end;
    return known.text;
  }

  /**
   * Reads a str with a head of more than one byte as a name. Sets `nameHash` to a hash for a str 8 of more than 31
   * bytes, otherwise to 0, because shapes store no other names with such a head.
   */
  private longName(start: number, head: number): string {
    const name = this.#checkName(start, this.value() as string);
    const length = head === STR8 ? (this.bytes[start + 1] as number) : 0;
    this.nameHash = length > LONGEST_FIXSTR ? (length << 8) | (this.bytes[this.offset - 1] as number) : 0;
    return name;
  }

  /** Reads a name that isn't in the cache, from the fixstr at `start`. */
  protected newName(start: number, end: number): string {
    const name = this.#checkName(start, this.text(start, start + 1, end - start - 1));
    if (end - start < 4) {
      this.nameHash =
        end - start === 1 ? 0 : ((this.bytes[start + 1] as number) << 8) | (this.bytes[end - 1] as number);
      return name;
    }
    this.nameHash = this.cache.names.learn(this.view, start, end, name);
    return name;
  }

  /** Reads the str that starts here as a name that is unlikely to be repeated. */
  protected freshName(): string {
    const start = this.offset;
    const head = this.bytes[start] as number;
    this.offset = start + 1;
    if (head < NIL) return this.#checkName(start, this.text(start, start + 1, head & 0x1f));
    this.offset = start;
    return this.#checkName(start, this.value() as string);
  }
}
