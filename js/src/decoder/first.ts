// The first tier of decoding: a simple reader for the first messages of a codec.
//
// Plan: FirstDecoder: messages · values · containers · names · text.
//
// The Decoder is fast once engines have compiled it, which takes hundreds of messages. Until then every step of code
// costs, and the host is faster at long text. So this reader takes few steps, and knows only what most messages are
// made of. It gives what the Decoder gives, and the tests compare the two. At anything else (a fault, a limit, an ext
// value, a key that isn't a name) it leaves: the Decoder reads that message from its start, and all later ones. So a
// codec reads at most one message twice, and every error is the Decoder's. No code of the user runs meanwhile.

import { DECIMAL_ROUND } from '../core/float32.ts';
import { FIXSTR, NIL, STR8 } from '../core/format.ts';
import { isIntegerLike, setOwn } from '../core/property.ts';
import { decodeText } from '../core/text.ts';
import type { Settings } from '../options/settings.ts';
import type { DecoderCache } from './shapes/cache.ts';
import { Source } from './source.ts';
import { TEXT_PLATFORM } from './text/platform.ts';

/** Stands for a message that is left to the Decoder. */
export const NOT_READ = /* @__PURE__ */ Symbol('not read');

/** After this many values the Decoder takes over: what it costs to compile it is little by then. */
const MOST_VALUES = 300_000;

/** Text of 4 … MOST_CUT bytes is cut out of a window, as the Decoder does, if it is ASCII. */
const MOST_CUT = 16;
const WINDOW_LENGTH = 1024;

const TWO_32 = 0x1_0000_0000;

export class FirstDecoder extends Source {
  /** Of its own: the Decoder learns names anew, and shapes with them. */
  private readonly cache: DecoderCache;
  private readonly maxDepth: number;
  private readonly mostInside: number;
  private readonly intsBelow: number;
  private readonly cuts: boolean;
  private readonly hostText = hostText();
  private depth = 0;
  /** How many values are inside the containers of the message, as far as they have been opened. */
  private count = 0;
  private window = '';
  private windowStart = 0;
  private windowEnd = 0;
  /** How many more values may be read here. */
  private left: number;

  constructor(settings: Settings, cache: DecoderCache) {
    super();
    this.cache = cache;
    this.maxDepth = settings.limits.maxDepth;
    this.mostInside = settings.limits.maxValues - 1;
    this.intsBelow = settings.inline ? 0x40 : 0x80;
    this.cuts = !settings.separateStrings && !TEXT_PLATFORM.spells;
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
      this.cache.startMessage();
      this.depth = 0;
      this.count = 0;
      this.windowEnd = 0;
      const value = this.value();
      if (this.offset !== this.end) this.leave();
      this.left -= this.count + 1;
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

  /** Returns the integer of 64 bits that was just skipped, of which these are the upper 32. */
  private safe(upper: number): number {
    const number = upper * TWO_32 + this.view.getUint32(this.offset - 4);
    return Number.isSafeInteger(number) ? number : this.leave();
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  /** Opens a container. Counts that promise too much only here or only together fail where the bytes end. */
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
    const { bytes, cache } = this;
    cache.unguided += count;
    const object: Record<string, unknown> = {};
    for (let index = 0; index < count; index++) {
      const start = this.offset;
      const name = this.name(start);
      // The byte after the head is the first character if the name is a fixstr; other names are always looked up.
      const bits = cache.inheritedBits[(bytes[start] as number) & 0x1f] as number;
      const mayBeInherited = bytes[start] === STR8 || ((bits >>> (bytes[start + 1] as number)) & 1) !== 0;
      const value = this.value();
      if (mayBeInherited && cache.isInherited(name)) setOwn(object, name, value);
      else object[name] = value;
    }
    this.depth--;
    return object;
  }

  // --- names ---------------------------------------------------------------------------------------------------------

  /** Reads the str at `start` as a name. Engines would put names that are integers first, so those aren't for here. */
  private name(start: number): string {
    const { view } = this;
    const { names } = this.cache;
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

  /** Reads a text of so many bytes. */
  private text(length: number): string {
    const at = this.offset;
    const end = at + length;
    if (end > this.end) this.leave();
    this.offset = end;
    if (length <= MOST_CUT && length >= 4 && this.cuts) {
      const { view } = this;
      const last = end - 4;
      let all = view.getInt32(at) | view.getInt32(last);
      if (length > 8) all |= view.getInt32(at + 4) | view.getInt32(last - 4);
      if ((all & 0x80808080) === 0) {
        if (end > this.windowEnd) this.moveWindow(at);
        return this.window.slice(at - this.windowStart, end - this.windowStart);
      }
    }
    const text = this.hostText.call(this.bytes, at, end);
    // The host puts U+FFFD where there is no UTF-8.
    return text.includes('\ufffd') ? this.leave() : text;
  }

  private moveWindow(at: number): void {
    this.windowStart = at;
    this.windowEnd = Math.min(this.end, at + WINDOW_LENGTH);
    this.window = TEXT_PLATFORM.ascii(this.bytes, this.view, at, this.windowEnd, this.cache.transcoder);
  }
}

/** Whether this tier gives what the Decoder gives with these settings, for all that it reads. */
function knows(settings: Settings): boolean {
  const { mode, maps, int64AsType, useFloat32, shared, sequential, hasEnvelope, moreTypes } = settings;
  const hasUsualValues = mode === 'default' && maps !== 'maps' && int64AsType === 'auto' && useFloat32 < DECIMAL_ROUND;
  // References need a CloneDecoder, and so do more types, whose int 64 is a bigint.
  return hasUsualValues && shared === null && !sequential && !hasEnvelope && !settings.references && !moreTypes;
}

/** Returns the host's function that decodes UTF-8 in the fewest steps; it writes U+FFFD where there is none. */
function hostText(): (this: Uint8Array, start: number, end: number) => string {
  const { Buffer } = globalThis as { Buffer?: { prototype?: { utf8Slice?: (start: number, end: number) => string } } };
  const method = Buffer?.prototype?.utf8Slice;
  // Some hosts have a Buffer of their own, which may work on Buffers only.
  if (typeof method === 'function' && !TEXT_PLATFORM.spells) return method;
  return function decode(start, end) {
    return decodeText(this, start, end) ?? '\ufffd';
  };
}
