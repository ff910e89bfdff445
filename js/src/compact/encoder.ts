// The compact encoder: values to bytes (spec/02, 04, 09), with little code.
//
// Plan: Encoder: the message · faults · the dispatch by typeof · heads and numbers · text and bytes · objects by class
// · containers · ext values.
//
// The path is a stack with a token for each open container, so its length is the depth inside the message. When a fault
// occurs, the stack is the path of the fault.

import { isStackExhausted } from '../core/errors.ts';
import type { ExtensionDefinition } from '../core/extension.ts';
import { bufferView, floorDivide, instantOf, isBoxed, isOpaque, keyToken } from '../core/foreign-values.ts';
import { FALSE, NIL, RECORD_TYPE, TIMESTAMP_TYPE, TRUE } from '../core/format.ts';
import { isWellFormed } from '../core/text.ts';
import {
  getNanoseconds,
  getSeconds,
  nanosecondsOf,
  putTimestamp,
  secondsOf,
  TWO_32,
  timestampLength,
} from '../core/timestamp.ts';
import { isBytes } from '../core/values.ts';
import { type Bytes, lengthOf } from '../core/views.ts';
import type { ErrorCode } from '../index.ts';
import { ExtData, Float, PolypackError, Timestamp } from '../index.ts';
import type { Settings } from './options.ts';
import { IN_KEY, pathOf } from './path.ts';

/** The TextEncoder. Made at its first use, because importing must not fail on a host without TextEncoder. */
let encoder: InstanceType<typeof TextEncoder> | undefined;

/**
 * SHORT_TEXT: below this many code units a loop is faster than calling TextEncoder. LONG_TEXT: above this many, text is
 * encoded to separate bytes first, because reserving capacity for the worst case would take too much memory.
 */
const SHORT_TEXT = 48;
const LONG_TEXT = 0x1_0000;

/** Memory of at most this many bytes is reused for the next message. */
export const KEPT_CAPACITY = 0x1_0000;

/** The lengths of the data of fixext 1 … 16, in bytes. */
const FIXEXT = [1, 2, 4, 8, 16];

const MAX_REPLACEMENTS = 100;

/** The bytes of the str `__proto__`. */
const PROTO = '\xa9__proto__';

/** The token of an ext while its data is encoded as a message. `#fault` leaves it out of the path. */
const IN_EXT = undefined;

/** Encodes one message. */
export class Encoder {
  readonly #settings: Settings;
  #bytes: Bytes;
  #view: DataView;
  #at = 0;
  /** The depth of the message: 0, or more if an extension encodes it inside another message. */
  readonly #base: number;
  readonly #path: unknown[] = [];
  /** The mode that decides which keys are equal; undefined except while a key is encoded only to be compared. */
  #sorts: Settings['mode'] | undefined;
  /** The latest error of this encoder; first what no foreign code can throw. */
  #failure: unknown = this;

  constructor(settings: Settings, bytes: Bytes, base: number) {
    this.#settings = settings;
    this.#sorts = settings.sorts;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#base = base;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#base + this.#path.length;
  }

  /** The memory that holds the message. The next message may reuse it. */
  get memory(): Bytes {
    return this.#bytes;
  }

  /** Encodes a value to bytes that no other message shares. */
  write(value: unknown): Bytes {
    try {
      if (this.depth > this.#settings.maxDepth) throw this.#deep();
      this.#value(value, 0);
    } catch (error) {
      // `#failure` is this encoder's own error. Other errors come from foreign code (getters, iterators, toJSON,
      // extensions) or from the engine.
      if (error === this.#failure) throw error;
      throw isStackExhausted(error)
        ? this.#fault('limit_exceeded', 'more than the stack', error)
        : this.#fault('unsupported_value', undefined, error);
    }
    // Large memory isn't reused, so the result may be a view of it. Memory usually doubles when it grows, so the
    // message usually fills at least half of it.
    const isKept = this.#bytes.length <= KEPT_CAPACITY;
    return isKept ? this.#bytes.slice(0, this.#at) : this.#bytes.subarray(0, this.#at);
  }

  // --- faults --------------------------------------------------------------------------------------------------------

  #fault(code: ErrorCode, what: string = code, cause?: unknown): unknown {
    const path = pathOf(this.#path.filter((token) => token !== IN_EXT));
    this.#failure = new PolypackError(code, what, { path, cause });
    return this.#failure;
  }

  #deep(): unknown {
    return this.#fault('limit_exceeded', 'more than maxDepth');
  }

  // --- the dispatch --------------------------------------------------------------------------------------------------

  /** @param replacements how often the value has been replaced already */
  #value(value: unknown, replacements: number): void {
    if (typeof value === 'string') this.#str(value);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'boolean') this.#byte(value ? TRUE : FALSE);
    else if (value === null) this.#byte(NIL);
    else if (typeof value === 'object') this.#object(value, replacements);
    else if (typeof value === 'bigint') this.#bigint(value);
    else if (value !== undefined) throw this.#fault('unsupported_value');
    else if (this.#settings.encodeUndefinedAsNil) this.#byte(NIL);
    else this.#ext(0, Uint8Array.of(0));
  }

  // --- heads and numbers ---------------------------------------------------------------------------------------------

  /** Ensures capacity for `length` bytes. Returns the current offset. */
  #reserve(length: number): number {
    const { length: capacity } = this.#bytes;
    if (this.#at + length > capacity) {
      const bytes = new Uint8Array(Math.max(2 * capacity, this.#at + length));
      bytes.set(this.#bytes.subarray(0, this.#at));
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    return this.#at;
  }

  #byte(byte: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = byte;
    this.#at = at + 1;
  }

  /**
   * Writes a head byte, and after it a number of 1 << `width` bytes.
   *
   * @param head the head byte is `head` + `width`
   * @param width 0, 1 or 2
   */
  #head(head: number, number: number, width = number < 0x100 ? 0 : number < 0x1_0000 ? 1 : 2): void {
    if (number >= TWO_32) throw this.#fault('out_of_range');
    const at = this.#reserve(5);
    this.#bytes[at] = head + width;
    if (width === 0) this.#bytes[at + 1] = number;
    else if (width === 1) this.#view.setUint16(at + 1, number);
    else this.#view.setUint32(at + 1, number);
    this.#at = at + 1 + (1 << width);
  }

  #number(number: number): void {
    if (!Number.isSafeInteger(number) || Object.is(number, -0)) this.#float(number);
    else if (number >= 0) {
      if (number < 0x80) this.#byte(number);
      else if (number < TWO_32) this.#head(0xcc, number);
      else this.#wide(0xcf, number);
    } else if (number >= -0x20) this.#byte(number);
    else if (number < -0x8000_0000) this.#wide(0xd3, number);
    else this.#head(0xd0, number, number >= -0x80 ? 0 : number >= -0x8000 ? 1 : 2);
  }

  /** Writes a safe integer as uint 64 or int 64. */
  #wide(head: number, number: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = head;
    this.#view.setUint32(at + 1, Math.floor(number / TWO_32));
    this.#view.setUint32(at + 5, number);
    this.#at = at + 9;
  }

  #bigint(number: bigint): void {
    if (Number.isSafeInteger(Number(number))) {
      this.#number(Number(number));
      return;
    }
    if (BigInt.asIntN(64, number) !== number && BigInt.asUintN(64, number) !== number) {
      throw this.#fault('out_of_range');
    }
    const at = this.#reserve(9);
    this.#bytes[at] = number < 0 ? 0xd3 : 0xcf;
    this.#view.setBigInt64(at + 1, number);
    this.#at = at + 9;
  }

  #float(number: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = 0xcb;
    this.#view.setFloat64(at + 1, number);
    // ECMAScript lets engines choose the bits of a NaN; spec/02#float doesn't.
    if (Number.isNaN(number)) this.#view.setBigUint64(at + 1, 0x7ff8n << 48n);
    this.#at = at + 9;
  }

  // --- text and bytes ------------------------------------------------------------------------------------------------

  #str(text: string): void {
    const { length } = text;
    if (length > LONG_TEXT) {
      const utf8 = new TextEncoder().encode(text);
      this.#checkText(text);
      this.#strHead(utf8.length);
      this.#append(utf8);
      return;
    }
    // Guess that the text is ASCII, so that its length gives the length of the head. If the head has another length,
    // the text is moved.
    const guess = strHeadLength(length);
    const start = this.#reserve(5 + 3 * length);
    let size: number;
    if (length < SHORT_TEXT) size = this.#short(text, start + guess);
    else {
      this.#checkText(text);
      encoder ??= new TextEncoder();
      size = encoder.encodeInto(text, this.#bytes.subarray(start + guess)).written;
    }
    const head = strHeadLength(size);
    if (head !== guess) this.#bytes.copyWithin(start + head, start + guess, start + guess + size);
    this.#strHead(size);
    this.#at += size;
  }

  /** Writes a text as UTF-8 at `start`. Returns how many bytes were written. */
  #short(text: string, start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) {
        bytes[at++] = unit;
        continue;
      }
      let point = unit;
      if (unit < 0x800) bytes[at++] = 0xc0 | (unit >> 6);
      else {
        if (unit >> 11 === 0x1b) {
          this.#checkText(text); // fails if the surrogate isn't half of a pair
          point = text.codePointAt(index++) as number;
          bytes[at++] = 0xf0 | (point >> 18);
          bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
        } else bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      }
      bytes[at++] = 0x80 | (point & 0x3f);
    }
    return at - start;
  }

  #checkText(text: string): void {
    if (!isWellFormed(text)) throw this.#fault('invalid_utf8');
  }

  #strHead(length: number): void {
    if (length < 0x20) this.#byte(0xa0 | length);
    else this.#head(0xd9, length);
  }

  #append(bytes: Uint8Array, length = lengthOf(bytes)): void {
    const at = this.#reserve(length);
    this.#bytes.set(bytes, at);
    this.#at = at + length;
  }

  #bin(bytes: Uint8Array): void {
    const length = lengthOf(bytes);
    this.#head(0xc4, length);
    this.#append(bytes, length);
  }

  // --- objects by class ----------------------------------------------------------------------------------------------

  #object(value: object, replacements: number): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) this.#properties(value as Record<string, unknown>);
    else if (prototype === Array.prototype) this.#array(value as unknown[]);
    else this.#instance(value, replacements);
  }

  #instance(value: object, replacements: number): void {
    const extension = this.#settings.extensions.find(
      ({ Class, pack, write }) => Class && (pack || write) && value instanceof Class,
    );
    if (extension) this.#extension(extension, value, replacements);
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Map) this.#map(value);
    else if (value instanceof Set) this.#array([...value]);
    else if (value instanceof Date) this.#date(value.getTime());
    else if (value instanceof Uint8Array) this.#bin(value);
    else if (ArrayBuffer.isView(value)) this.#bin(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (value instanceof ArrayBuffer) this.#bin(new Uint8Array(value));
    else if (value instanceof ExtData) this.#ext(value.type, value.data);
    // In strict mode, 1.0 and 1 are equal keys. So write a Float as an int while comparing keys.
    else if (value instanceof Float) this.#sorts === 'strict' ? this.#number(value.value) : this.#float(value.value);
    else if (value instanceof Timestamp) this.#timestamp(value.seconds, value.nanoseconds);
    else this.#foreign(value, replacements);
  }

  /** Writes an object of a class that `#instance` doesn't know: a Temporal.Instant, a boxed primitive, or any other. */
  #foreign(value: { toJSON?: unknown; [Symbol.iterator]?: unknown }, replacements: number): void {
    const instant = instantOf(value);
    if (instant !== null) {
      const seconds = floorDivide(instant, 1_000_000_000n);
      this.#timestamp(seconds, Number(instant - seconds * 1_000_000_000n));
    } else if (isBoxed(value)) this.#replacement(value.valueOf(), replacements);
    else this.#custom(value, replacements);
  }

  /** Writes an object of another class: by toJSON, as an iterable, or by its properties. */
  #custom(value: { toJSON?: unknown; [Symbol.iterator]?: unknown }, replacements: number): void {
    const replacement: unknown =
      this.#settings.useToJSON && typeof value.toJSON === 'function' ? value.toJSON() : value;
    if (replacement !== value) this.#replacement(replacement, replacements);
    else if (typeof value[Symbol.iterator] === 'function') this.#array([...(value as Iterable<unknown>)]);
    else if ('plainBytes' in value || isOpaque(value)) {
      const view = bufferView(value); // of a buffer that is shared, or of another realm
      if (!view) throw this.#fault('unsupported_value');
      this.#bin(new Uint8Array(view.buffer));
    } else this.#properties(value as Record<string, unknown>);
  }

  #replacement(replacement: unknown, replacements: number): void {
    if (replacements === MAX_REPLACEMENTS) throw this.#fault('unsupported_value');
    this.#value(replacement, replacements + 1);
  }

  #date(milliseconds: number): void {
    if (Number.isNaN(milliseconds)) throw this.#fault('out_of_range');
    const seconds = secondsOf(milliseconds);
    this.#timestamp(seconds, nanosecondsOf(milliseconds, seconds));
  }

  #timestamp(seconds: number | bigint, nanoseconds: number): void {
    const length = timestampLength(seconds, nanoseconds);
    this.#extHead(TIMESTAMP_TYPE, length);
    const at = this.#reserve(length);
    putTimestamp(this.#view, at, length, seconds, nanoseconds);
    this.#at = at + length;
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  /** Opens a container. Returns the index of its token in the path. */
  #open(): number {
    if (this.depth >= this.#settings.maxDepth) throw this.#deep();
    return this.#path.push(IN_KEY) - 1;
  }

  /** Writes an array. Reads its elements by index, so holes become undefined. */
  #array(array: readonly unknown[]): void {
    const place = this.#open();
    const { length } = array;
    if (length < 0x10) this.#byte(0x90 | length);
    else this.#head(0xdb, length, length < 0x1_0000 ? 1 : 2);
    for (let index = 0; index < length; index++) {
      this.#path[place] = index;
      this.#value(array[index], 0);
    }
    this.#path.pop();
  }

  #mapHead(count: number): void {
    if (count < 0x10) this.#byte(0x80 | count);
    else this.#head(0xdd, count, count < 0x1_0000 ? 1 : 2);
  }

  /** Writes the own enumerable properties whose names are strings, as a map. */
  #properties(object: Readonly<Record<string, unknown>>): void {
    const place = this.#open();
    const names = Object.keys(object);
    const starts = this.#starts();
    this.#mapHead(names.length);
    for (const name of names) {
      starts?.push(this.#at);
      this.#path[place] = IN_KEY;
      this.#key(name);
      this.#path[place] = name;
      this.#value(object[name], 0);
    }
    this.#close(starts);
  }

  #key(key: unknown): void {
    const start = this.#at;
    this.#value(key, 0);
    // The key may have become __proto__ only now, for example by toJSON.
    const isLikeProto = this.#at - start === PROTO.length && this.#settings.mode === 'strict';
    if (isLikeProto && String.fromCharCode(...this.#bytes.subarray(start, this.#at)) === PROTO)
      throw this.#fault('invalid_key');
  }

  /** Writes a Map. Copies the entries first, because encoding a value may change the Map. */
  #map(map: ReadonlyMap<unknown, unknown>): void {
    const place = this.#open();
    const entries = [...map];
    const starts = this.#starts();
    const keys = this.#settings.checksKeys ? new Set<unknown>() : null;
    this.#mapHead(entries.length);
    for (const [index, [key, value]] of entries.entries()) {
      const start = this.#at;
      starts?.push(start);
      this.#path[place] = IN_KEY;
      this.#key(key);
      this.#path[place] = keyToken(key, index);
      if (keys && keys.size === keys.add(this.#form(key, start)).size) throw this.#fault('duplicate_key');
      this.#value(value, 0);
    }
    this.#close(starts);
  }

  /** Returns a text that is the same for equal keys. The encoding of the key starts at `start`. */
  #form(key: unknown, start: number): string {
    if (typeof key !== 'object') return String(this.#bytes.subarray(start, this.#at));
    const settings = { ...this.#settings, checksKeys: false, sorts: this.#settings.mode };
    return String(new Encoder(settings, new Uint8Array(64), 0).write(key));
  }

  /** Returns an empty list for the offsets of a map's entries; null if the entries aren't to be sorted. */
  #starts(): number[] | null {
    return this.#sorts ? [] : null;
  }

  /** Closes a map. If `starts` isn't null, sorts the entries, which start at these offsets. */
  #close(starts: readonly number[] | null): void {
    this.#path.pop();
    if (!starts) return;
    const entries = starts.map((start, index) => this.#bytes.slice(start, starts[index + 1] ?? this.#at));
    this.#at = starts[0] ?? this.#at;
    // This compares the bytes as text, such as "129,162". Any order will do, as long as it is always the same.
    for (const entry of entries.sort()) this.#append(entry);
  }

  // --- ext values (spec/03) ------------------------------------------------------------------------------------------

  #extHead(type: number, length: number): void {
    const width = FIXEXT.indexOf(length);
    if (width < 0) this.#head(0xc7, length);
    else this.#byte(0xd4 + width);
    this.#byte(type);
  }

  #ext(type: number, data: Uint8Array): void {
    const length = lengthOf(data);
    if (type === RECORD_TYPE && (length === 1 || length === 2)) {
      throw this.#fault('invalid_record');
    }
    if (type === TIMESTAMP_TYPE) {
      const view = new DataView(data.buffer, data.byteOffset);
      const nanoseconds = getNanoseconds(view, 0, length);
      if (nanoseconds >= 1e9) throw this.#fault('invalid_timestamp');
      if (this.#sorts) {
        this.#timestamp(getSeconds(view, 0, length), nanoseconds);
        return;
      }
    }
    this.#extHead(type, length);
    this.#append(data, length);
  }

  #extension(extension: ExtensionDefinition, value: object, replacements: number): void {
    const { type, pack } = extension;
    if (pack) {
      const data: unknown = extension.pack?.(value);
      if (!isBytes(data)) throw this.#fault('unsupported_value');
      this.#ext(type as number, data);
      return;
    }
    const written = extension.write?.(value);
    if (type === undefined) this.#replacement(written, replacements);
    else this.#ext(type, this.#inner(written));
  }

  /**
   * Encodes the data of an ext as a separate message, one level deeper. Doesn't sort maps in the data, because ext
   * values are compared byte by byte.
   */
  #inner(value: unknown): Uint8Array {
    const place = this.#open();
    const start = this.#at;
    const sorts = this.#sorts;
    this.#sorts = undefined;
    this.#path[place] = IN_EXT;
    this.#value(value, 0);
    this.#path.pop();
    this.#sorts = sorts;
    const data = this.#bytes.slice(start, this.#at);
    this.#at = start;
    return data;
  }
}

function strHeadLength(length: number): number {
  return length < 0x20 ? 1 : length < 0x100 ? 2 : length < 0x1_0000 ? 3 : 5;
}
