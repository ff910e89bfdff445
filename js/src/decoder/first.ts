// The first tier of decoding: a simple reader for the first messages of a codec.
//
// Plan: FirstDecoder: messages · values · containers · names · text.
//
// The Decoder is fast once engines have compiled it, which takes hundreds of messages. Until then every step of its
// code is expensive, and the host reads long text faster. So this reader takes few steps, and knows only the values
// that most messages consist of. It returns the same values as the Decoder, and the tests compare the two.
//
// If it meets anything else, it leaves the message, and all later ones, to the Decoder. Examples are a fault, an
// exceeded limit, an ext value that isn't a timestamp, and a key that isn't a str. The Decoder reads the message from
// its start. So a codec reads at most one message twice, and the Decoder reports every fault. This reader never calls
// code of the user.

import { DECIMAL_ROUND } from '../core/float32.ts';
import { FIXSTR, NIL, STR8, TIMESTAMP_TYPE } from '../core/format.ts';
import { isIntegerLike, setOwn } from '../core/property.ts';
import { decodeText } from '../core/text.ts';
import { dateOf, getTimestamp } from '../core/timestamp.ts';
import type { Settings } from '../options/settings.ts';
import { NameCache } from './shapes/names.ts';
import { Source } from './source.ts';
import { TEXT_PLATFORM } from './text/platform.ts';

/** Returned instead of a value if the Decoder has to read the message. */
export const NOT_READ = /* @__PURE__ */ Symbol('not read');

/**
 * After this many values the Decoder takes over. Every 16 bytes of a message count as one more value, because long text
 * also takes time. Once compiled, the Decoder is up to five times as fast as this reader. But compiling it takes as
 * long as reading about this many values.
 */
const MOST_VALUES = 3_000_000;

/**
 * ASCII texts of 4 … MOST_CUT bytes are usually cut out of a window: the next bytes, at most WINDOW_LENGTH of them, as
 * one string.
 */
const MOST_CUT = 16;
const WINDOW_LENGTH = 1024;

const TWO_32 = 0x1_0000_0000;

/** Makes a string from bytes, as `utf8Slice` and `latin1Slice` of Node's Buffer do. Works on any Uint8Array. */
type Slice = (this: Uint8Array, start: number, end: number) => string;

export class FirstDecoder extends Source {
  /** A cache of names for this reader alone. The Decoder has another one. */
  private readonly names = new NameCache();
  private readonly maxDepth: number;
  private readonly mostInside: number;
  private readonly intsBelow: number;
  private readonly copies: boolean;
  private readonly wrapsBytes: boolean;
  /** Decodes UTF-8 in the fewest steps. The text contains U+FFFD if the bytes aren't UTF-8. */
  private readonly utf8: Slice;
  /** Makes the text of the window: one character for each byte. Null if no window is used. */
  private readonly latin1: Slice | null;
  private depth = 0;
  /** Number of values in all containers that have been opened in the message so far. */
  private count = 0;
  private window = '';
  private windowStart = 0;
  private windowEnd = 0;
  /** How many more values this reader may read, counted as for MOST_VALUES. */
  private left: number;

  constructor(settings: Settings) {
    super();
    this.maxDepth = settings.limits.maxDepth;
    this.mostInside = settings.limits.maxValues - 1;
    this.intsBelow = settings.inline ? 0x40 : 0x80;
    this.copies = settings.copyBuffers;
    this.wrapsBytes = settings.wrapBytes !== null;
    const { utf8, latin1 } = hostSlices();
    this.utf8 = utf8;
    this.latin1 = settings.separateStrings ? null : latin1;
    this.left = knows(settings) ? MOST_VALUES : 0;
  }

  /** Whether the Decoder has taken over. */
  get isOver(): boolean {
    return this.left <= 0;
  }

  /** Reads a message that is exactly the first `end` bytes. Returns NOT_READ if the Decoder has to read it. */
  read(bytes: Uint8Array, end: number): unknown {
    if (this.isOver) return NOT_READ;
    try {
      this.openInput(bytes, 0, end);
      this.depth = 0;
      this.count = 0;
      this.windowEnd = 0;
      const value = this.value();
      if (this.offset !== this.end) this.leave();
      this.left -= this.count + 1 + (end >> 4);
      return value;
    } catch {
      this.left = 0;
      return NOT_READ;
    } finally {
      if (this.isOver) this.forgetInput();
      else this.closeInput();
      this.window = '';
    }
  }

  /** Leaves this message, and all later ones, to the Decoder. */
  private leave(): never {
    throw NOT_READ;
  }

  override value(): unknown {
    const start = this.offset;
    if (start >= this.end) this.leave();
    const head = this.bytes[start] as number;
    this.offset = start + 1;
    if (head >= FIXSTR && head < NIL) return this.text(head & 0x1f);
    if (head < 0x80) return head < this.intsBelow ? head : this.leave();
    if (head < FIXSTR) return head < 0x90 ? this.map(head & 0x0f) : this.array(head & 0x0f);
    if (head >= 0xe0) return head - 256;
    switch (head) {
      case 0xc0: // nil
        return null;
      case 0xc2: // false
        return false;
      case 0xc3: // true
        return true;
      case 0xc4: // bin 8
      case 0xc5: // bin 16
      case 0xc6: // bin 32
        return this.bin(this.unsigned(start, 1 << (head - 0xc4)));
      case 0xc7: // ext 8
        return this.timestamp(this.unsigned(start, 1));
      case 0xca: // float 32
        return this.view.getFloat32(this.take(start, 4));
      case 0xcb: // float 64
        return this.view.getFloat64(this.take(start, 8));
      case 0xcc: // uint 8
        return this.bytes[this.take(start, 1)];
      case 0xcd: // uint 16
        return this.view.getUint16(this.take(start, 2));
      case 0xce: // uint 32
        return this.view.getUint32(this.take(start, 4));
      case 0xcf: // uint 64
        return this.safe(this.view.getUint32(this.take(start, 8)));
      case 0xd0: // int 8
        return this.view.getInt8(this.take(start, 1));
      case 0xd1: // int 16
        return this.view.getInt16(this.take(start, 2));
      case 0xd2: // int 32
        return this.view.getInt32(this.take(start, 4));
      case 0xd3: // int 64
        return this.safe(this.view.getInt32(this.take(start, 8)));
      case 0xd6: // fixext 4
      case 0xd7: // fixext 8
        return this.timestamp(1 << (head - 0xd4));
      case 0xd9: // str 8
      case 0xda: // str 16
      case 0xdb: // str 32
        return this.text(this.unsigned(start, 1 << (head - 0xd9)));
      case 0xdc: // array 16
      case 0xdd: // array 32
        return this.array(this.unsigned(start, 2 << (head - 0xdc)));
      case 0xde: // map 16
      case 0xdf: // map 32
        return this.map(this.unsigned(start, 2 << (head - 0xde)));
      default:
        return this.leave();
    }
  }

  /** Returns the 64-bit integer that was just skipped, if it is safe; else calls `leave`. `upper` is its upper half. */
  private safe(upper: number): number {
    const number = upper * TWO_32 + this.view.getUint32(this.offset - 4);
    return Number.isSafeInteger(number) ? number : this.leave();
  }

  private bin(length: number): Uint8Array {
    const at = this.offset;
    const end = at + length;
    if (end > this.end || this.wrapsBytes) this.leave();
    this.offset = end;
    return this.copies ? this.bytes.slice(at, end) : new Uint8Array(this.buffer, at, length);
  }

  /** Reads an ext whose type is the next byte. Calls `leave` if it isn't a timestamp that a Date can hold. */
  private timestamp(length: number): Date {
    const at = this.offset + 1;
    if (at + length > this.end || this.view.getInt8(at - 1) !== TIMESTAMP_TYPE) this.leave();
    this.offset = at + length;
    const moment = getTimestamp(this.view, at, length);
    return (moment && dateOf(moment)) ?? this.leave();
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  /**
   * Opens a container of `values` values. Calls `leave` if a limit is exceeded, or if fewer bytes follow than the
   * container has values.
   */
  private open(values: number): void {
    this.count += values;
    this.depth++;
    const isTooLarge = this.count > this.mostInside || values > this.end - this.offset;
    if (isTooLarge || this.depth > this.maxDepth) this.leave();
  }

  private array(count: number): unknown[] {
    this.open(count);
    const array: unknown[] = [];
    for (let index = 0; index < count; index++) array.push(this.value());
    this.depth--;
    return array;
  }

  private map(count: number): Record<string, unknown> {
    this.open(2 * count);
    const object: Record<string, unknown> = {};
    for (let index = 0; index < count; index++) {
      const name = this.name(this.offset);
      setOwn(object, name, this.value());
    }
    this.depth--;
    return object;
  }

  // --- names ---------------------------------------------------------------------------------------------------------

  /** Reads the str at `start` as a name. Calls `leave` if the name is an array index, which engines would put first. */
  private name(start: number): string {
    const { view, names } = this;
    const head = start < this.end ? (this.bytes[start] as number) : 0;
    if (head === STR8) return this.longName(start);
    if (head <= FIXSTR || head >= NIL) this.leave();
    const length = head & 0x1f;
    const end = start + 1 + length;
    if (end > this.end) this.leave();
    const known = length < 3 ? null : names.find(view, start, end);
    if (known !== null) {
      this.offset = end;
      return known.text;
    }
    this.offset = start + 1;
    const name = this.text(length);
    if (isIntegerLike(name)) this.leave();
    if (length >= 3) names.learn(view, start, end, name);
    return name;
  }

  private longName(start: number): string {
    this.offset = start + 1;
    const name = this.text(this.unsigned(start, 1));
    return isIntegerLike(name) ? this.leave() : name;
  }

  // --- text ----------------------------------------------------------------------------------------------------------

  /** Reads a text of `length` bytes. */
  private text(length: number): string {
    const at = this.offset;
    const end = at + length;
    if (end > this.end) this.leave();
    this.offset = end;
    if (length <= MOST_CUT && length >= 4 && this.latin1 !== null) {
      const { view } = this;
      const last = end - 4;
      let all = view.getInt32(at) | view.getInt32(last);
      if (length > 8) all |= view.getInt32(at + 4) | view.getInt32(last - 4);
      if ((all & 0x80808080) === 0) {
        if (end > this.windowEnd) this.moveWindow(at);
        return this.window.slice(at - this.windowStart, end - this.windowStart);
      }
    }
    const text = this.utf8.call(this.bytes, at, end);
    // U+FFFD may mean that the bytes aren't UTF-8, so the Decoder has to check them.
    return text.includes('\ufffd') ? this.leave() : text;
  }

  private moveWindow(at: number): void {
    this.windowStart = at;
    this.windowEnd = Math.min(this.end, at + WINDOW_LENGTH);
    this.window = (this.latin1 as Slice).call(this.bytes, at, this.windowEnd);
  }
}

/** Whether this reader returns the same values as the Decoder with these settings. */
function knows(settings: Settings): boolean {
  const { mode, maps, int64AsType, useFloat32, shared, sequential, hasEnvelope, moreTypes } = settings;
  const hasUsualValues = mode === 'default' && maps !== 'maps' && int64AsType === 'auto' && useFloat32 < DECIMAL_ROUND;
  // This reader doesn't know references and the types of `moreTypes`. With `moreTypes`, an int 64 may be a bigint.
  return hasUsualValues && shared === null && !sequential && !hasEnvelope && !settings.references && !moreTypes;
}

/**
 * Returns functions that make strings. `utf8` decodes UTF-8; the text contains U+FFFD if the bytes aren't UTF-8.
 * `latin1` makes one character of each byte. Both are methods of Node's Buffer where these work. They have no wrapper,
 * which would be slow until it is compiled. On other hosts, `utf8` calls TextDecoder, and `latin1` is null.
 */
function hostSlices(): { readonly utf8: Slice; readonly latin1: Slice | null } {
  const { Buffer } = globalThis as { Buffer?: { readonly prototype?: { utf8Slice?: Slice; latin1Slice?: Slice } } };
  const { utf8Slice, latin1Slice } = Buffer?.prototype ?? {};
  // Some hosts have another Buffer, whose methods may not work on a Uint8Array. There `TEXT_PLATFORM.spells` is true.
  const areMethodsKnown = typeof utf8Slice === 'function' && typeof latin1Slice === 'function' && !TEXT_PLATFORM.spells;
  return areMethodsKnown ? { utf8: utf8Slice, latin1: latin1Slice } : { utf8: decodeSlice, latin1: null };
}

function decodeSlice(this: Uint8Array, start: number, end: number): string {
  return decodeText(this, start, end) ?? '\ufffd';
}
