// The compact decoder: bytes to values (spec/02, 05, 06, 07, 09), with little code.
//
// Plan: Decoder: the message · faults · heads and the dispatch · text, bytes and ext values · arrays and maps · records
// · keys · names that are indices, and UTF-8.
//
// Faults are checked in the order of spec/07#which-fault-wins. `owed` is how many values the open containers still have
// to deliver after the current one (spec/06#counts). The path is a stack with a token for each open container, so its
// length is the depth inside the message. When a fault occurs, the stack is the path of the fault.

import { type Counter, comparisonsOf, UNCOUNTED } from '../core/collisions.ts';
import { isStackExhausted } from '../core/errors.ts';
import { MAX_PREALLOCATED, RECORD_TYPE, TIMESTAMP_TYPE } from '../core/format.ts';
import { allowGaps, isIntegerLike, leavesGap, setOwn } from '../core/property.ts';
import { getNanoseconds, getSeconds, TWO_32 } from '../core/timestamp.ts';
import type { ErrorCode } from '../index.ts';
import { ExtData, Float, PolypackError, Timestamp } from '../index.ts';
import type { Settings } from './options.ts';
import { IN_KEY, pathOf } from './path.ts';

/**
 * The kinds of the head bytes c0 … df: `n` nil and bool, `b` bin, `e` ext, `f` float, `i` int, `s` str, `a` array, `o`
 * map; a space for c1, which starts no value. An instance of a record is also of kind `o`.
 */
const KINDS = 'n nnbbbeeeffiiiiiiiieeeeesssaaoo';

/** Below about this many bytes, decoding ASCII by code units is faster than calling TextDecoder. */
const SHORT = 32;

/** The TextDecoder. Made at its first use, because importing must not fail on a host without TextDecoder. */
let decoder: InstanceType<typeof TextDecoder> | undefined;

/** Decodes one message. */
export class Decoder {
  /** The offset of the next byte to read. */
  at: number;
  readonly #settings: Settings;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  readonly #names: string[];
  /** The depth of the message: 0, or more if an extension decodes it inside another message. */
  readonly #base: number;
  #budget: number;
  #account = { comparisons: 0 };
  #owed = 0;
  readonly #path: unknown[] = [];
  /**
   * The names of records by id. The key of a two-byte id is 256 · first byte + second byte. The first byte alone is
   * also a key, and maps to null.
   */
  #records: Map<number, readonly string[] | null> | null = null;

  /**
   * A form is a text that is the same for equal values. Inside a key, this list has the number of the form (`#number`)
   * of each value read so far in the innermost container. null outside keys; false in a key that needs no comparison.
   */
  #forms: number[] | false | null = null;
  #form = '';
  #numbers: Map<string, number> | null = null;
  /** The latest object whose array indices may have gaps. */
  #withGaps: object | null = null;

  /** @param names a cache that the decoder fills: the latest name for each hash of a name's bytes (see `#name`) */
  constructor(settings: Settings, bytes: Uint8Array, names: string[] = [], at = 0, base = 0) {
    this.#settings = settings;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = bytes.length;
    this.at = at;
    this.#base = base;
    this.#names = names;
    this.#budget = settings.maxValues - 1;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#base + this.#path.length;
  }

  /**
   * Decodes the value that starts at `at`.
   *
   * @param isOnly whether bytes after the value are a fault
   */
  read(isOnly: boolean): unknown {
    try {
      if (this.depth > this.#settings.maxDepth) this.#exceeded('maxDepth', this.at);
      const value = this.#value();
      if (isOnly && this.at < this.#end) this.#fail('trailing_data', this.at);
      return value;
    } catch (error) {
      if (isStackExhausted(error)) this.#fail('limit_exceeded', this.at, 'more than the stack', error);
      throw error;
    }
  }

  // --- faults --------------------------------------------------------------------------------------------------------

  #fail(code: ErrorCode, offset: number, what: string = code, cause?: unknown): never {
    throw new PolypackError(code, what, { offset, path: pathOf(this.#path), cause });
  }

  #exceeded(limit: string, start: number): never {
    this.#fail('limit_exceeded', start, `more than ${limit}`);
  }

  // --- heads ---------------------------------------------------------------------------------------------------------

  /** Skips `length` bytes of the value at `start`. Returns where they begin. */
  #take(start: number, length: number): number {
    const { at } = this;
    if (at + length > this.#end) this.#fail('unexpected_end', start);
    this.at = at + length;
    return at;
  }

  /** Reads an unsigned number of 1 << `width` bytes: `width` is 0, 1 or 2. */
  #unsigned(start: number, width: number): number {
    const at = this.#take(start, 1 << width);
    if (width === 0) return this.#bytes[at] as number;
    return width === 1 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #value(): unknown {
    return this.#forms ? this.#formed(this.#forms) : this.#plain();
  }

  #plain(): unknown {
    const start = this.at;
    if (start >= this.#end) this.#fail('unexpected_end', start); // rule 1 of spec/07#which-fault-wins
    const head = this.#bytes[start] as number;
    this.at = start + 1;
    if (head < 0x80) return head < 0x40 || this.#settings.records === 'off' ? head : this.#instance(start, head);
    if (head >= 0xe0) return head - 0x100; // negative fixint
    if (head < 0x90) return this.#map(start, head & 0x0f); // fixmap
    if (head < 0xa0) return this.#array(start, head & 0x0f); // fixarray
    if (head < 0xc0) return this.#text(start, head & 0x1f); // fixstr
    if (head === 0xc0) return null; // nil
    if (head === 0xc1) this.#fail('reserved_byte', start); // rule 2 of spec/07#which-fault-wins
    if (head < 0xc4) return head === 0xc3; // bool
    // bin 8, 16, 32
    if (head < 0xc7) return this.#data(this.#note('b', this.#take(start, this.#unsigned(start, head - 0xc4))));
    if (head < 0xca) return this.#ext(start, this.#unsigned(start, head - 0xc7)); // ext 8, 16, 32
    if (head === 0xca) return this.#float(this.#view.getFloat32(this.#take(start, 4))); // float 32
    if (head === 0xcb) return this.#float(this.#view.getFloat64(this.#take(start, 8))); // float 64
    if (head < 0xcf) return this.#unsigned(start, head - 0xcc); // uint 8, 16, 32
    // uint 64, int 64
    if (head === 0xcf || head === 0xd3) return this.#wide(start, this.#take(start, 8), head === 0xd3);
    if (head === 0xd0) return this.#view.getInt8(this.#take(start, 1)); // int 8
    if (head === 0xd1) return this.#view.getInt16(this.#take(start, 2)); // int 16
    if (head === 0xd2) return this.#view.getInt32(this.#take(start, 4)); // int 32
    if (head < 0xd9) return this.#ext(start, 1 << (head - 0xd4)); // fixext 1 to 16
    if (head < 0xdc) return this.#text(start, this.#unsigned(start, head - 0xd9)); // str 8, 16, 32
    if (head < 0xde) return this.#array(start, this.#unsigned(start, head - 0xdb)); // array 16, 32
    return this.#map(start, this.#unsigned(start, head - 0xdd)); // map 16, 32
  }

  /** Reads an integer of 64 bits (option int64AsType). */
  #wide(start: number, at: number, isSigned: boolean): unknown {
    const { int64AsType } = this.#settings;
    const view = this.#view;
    // The number is exact if it is a safe integer.
    const number = (isSigned ? view.getInt32(at) : view.getUint32(at)) * TWO_32 + view.getUint32(at + 4);
    const isShort = number >= -0x8000_0000 && number < TWO_32;
    const isInKey = this.#forms !== null || this.#path.at(-1) === IN_KEY;
    if (isShort && (int64AsType !== 'bigint' || isInKey)) return number;
    if ((int64AsType === 'number' || int64AsType === 'auto') && Number.isSafeInteger(number)) return number;
    if (int64AsType === 'number') this.#fail('out_of_range', start);
    const integer = isSigned ? view.getBigInt64(at) : view.getBigUint64(at);
    return int64AsType === 'string' ? String(integer) : integer;
  }

  /** In lossless mode a float that the encoder would write as an int becomes a Float. */
  #float(number: number): unknown {
    const isLike = this.#settings.lossless && Number.isSafeInteger(number) && !Object.is(number, -0);
    return isLike ? new Float(number) : number;
  }

  // --- text, bytes and ext values ------------------------------------------------------------------------------------

  #text(start: number, length: number): string {
    const at = this.#take(start, length);
    try {
      return decodeText(this.#bytes, at, this.at);
    } catch (error) {
      if (error instanceof TypeError) this.#fail('invalid_utf8', start);
      // Every engine can make a string of 10⁸ code units. So a shorter text failed for another reason: the host has no
      // TextDecoder, or the stack is exhausted.
      if (length < 1e8) throw error;
      this.#fail('out_of_range', start);
    }
  }

  #data(at: number): Uint8Array {
    return this.#settings.copyBuffers ? this.#bytes.slice(at, this.at) : this.#bytes.subarray(at, this.at);
  }

  /** Reads an ext whose type is the next byte. */
  #ext(start: number, length: number): unknown {
    const type = this.#view.getInt8(this.#take(start, 1));
    const at = this.#note(`e${type};`, this.#take(start, length));
    if (type === TIMESTAMP_TYPE) return this.#timestamp(start, at, length);
    if (type === RECORD_TYPE && (length === 1 || length === 2)) return this.#declaration(start, at, length);
    if (type === 0 && length === 1 && this.#bytes[at] === 0) return undefined;
    const data = this.#data(at);
    const extension = this.#settings.extensions.find((one) => one.type === type && (one.unpack || one.read));
    if (extension === undefined) return new ExtData(type, data);
    try {
      return extension.unpack ? extension.unpack(data) : extension.read?.(this.#inner(data));
    } catch (cause) {
      if (isStackExhausted(cause)) throw cause;
      this.#fail('unsupported_value', start, `extension ${type} failed`, cause);
    }
  }

  /** Decodes the data of an ext as a separate message, one level deeper. Its values count for maxValues. */
  #inner(data: Uint8Array): unknown {
    const decoder = new Decoder(this.#settings, data, this.#names, 0, this.depth + 1);
    decoder.#budget = this.#budget;
    decoder.#account = this.#account;
    const value = decoder.read(true);
    this.#budget = decoder.#budget;
    return value;
  }

  #timestamp(start: number, at: number, length: number): unknown {
    const nanoseconds = getNanoseconds(this.#view, at, length);
    if (nanoseconds >= 1e9) this.#fail('invalid_timestamp', start);
    const seconds = getSeconds(this.#view, at, length);
    this.#form = `m${seconds};${nanoseconds}`;
    if (this.#settings.lossless) return new Timestamp(seconds, nanoseconds);
    const date = new Date(Number(seconds) * 1000 + Math.floor(nanoseconds / 1_000_000));
    if (Number.isNaN(date.getTime())) this.#fail('out_of_range', start);
    // In a key, a moment stays a Timestamp if a Date would lose nanoseconds, so that two moments don't become one key.
    return this.#forms !== null && nanoseconds % 1e6 ? new Timestamp(seconds, nanoseconds) : date;
  }

  // --- arrays and maps -----------------------------------------------------------------------------------------------

  /** Opens a container with `count` values (rule 5 of spec/07#which-fault-wins). */
  #open(start: number, count: number): void {
    this.#nest(start);
    this.#owe(start, count, start, count);
  }

  /**
   * Opens a container, and checks its depth (rule 5 of spec/07#which-fault-wins). The path ends at the container until
   * the caller sets a token for one of its values.
   */
  #nest(start: number): void {
    if (this.depth >= this.#settings.maxDepth) this.#exceeded('maxDepth', start);
    this.#path.push(IN_KEY);
  }

  /**
   * Adds `count` values to the values that are owed. Fails if the input is too short for them, or exceeds maxValues.
   *
   * @param counted the offset at which a fault of maxValues is reported
   * @param least the fewest bytes that the values, and any names before them, can have
   */
  #owe(start: number, count: number, counted: number, least: number): void {
    if (least + this.#owed > this.#end - this.at) this.#fail('unexpected_end', start);
    if (count > this.#budget) this.#exceeded('maxValues', counted);
    this.#budget -= count;
    this.#owed += count;
  }

  #array(start: number, count: number): unknown[] {
    this.#open(start, count);
    const path = this.#path;
    const last = path.length - 1;
    const array: unknown[] = count > MAX_PREALLOCATED ? [] : new Array(count);
    for (let index = 0; index < count; index++) {
      path[last] = index;
      this.#owed--;
      array[index] = this.#value();
    }
    path.pop();
    if (this.#forms) this.#form = `a${this.#forms}`;
    return array;
  }

  /**
   * Reads a map into an object, or into a Map if `mapsAsObjects` is false. If `mapsAsObjects` is undefined, the first
   * key that an object can't hold moves all entries to a Map.
   */
  #map(start: number, count: number): unknown {
    this.#open(start, 2 * count);
    const { mode, lossless, mapsAsObjects, checksKeys } = this.#settings;
    const path = this.#path;
    const last = path.length - 1;
    const object: Record<string, unknown> = {};
    let map: Map<unknown, unknown> | null = mapsAsObjects === false ? new Map() : null;
    /** The first key with each form. */
    let firsts: Map<unknown, unknown> | null = null;
    let exceedsWith: Counter | null = null;
    /** The names in the order of the bytes; null while the object has the same order. */
    let order: string[] | null = null;
    for (let index = 0; index < count; index++) {
      const keyStart = this.at;
      const kind = this.#kind();
      path[last] = IN_KEY;
      if (kind !== 's' && mapsAsObjects && kind !== ' ' && (checksKeys || kind !== 'i')) {
        this.#fail('invalid_key', keyStart); // rule 3 of spec/07#which-fault-wins
      }
      this.#owed--;
      let key: unknown;
      let form: unknown;
      if (kind === 's' && !this.#forms) key = this.#name();
      else if (kind === 's' || kind === 'i' || kind === 'n') key = this.#value();
      else {
        // Only keys that are objects in JavaScript need a form. A Map compares all other keys by their value.
        const outer = this.#forms;
        // If a map has only one key, this key has no duplicate. Then it needs a form only as a part of another key.
        this.#forms ||= count > 1 && [];
        key = this.#value();
        if (Object.is(key, -0)) key = new Float(-0); // a Map would turn −0 into 0
        // biome-ignore lint/complexity/useOptionalChain: false has no `at`
        if (typeof key === 'object') form = this.#forms && this.#forms.at(-1);
        this.#forms = outer;
      }
      if (!map && (kind === 's' ? lossless && isIntegerLike(key as string) : !mapsAsObjects)) {
        map = new Map((order ?? Object.keys(object)).map((name) => [name, object[name]]));
      }
      // Engines put names that are array indices first, so keep the order of the bytes. Such names sort before ':'.
      if (!map && (order || (key as string) < ':')) {
        order ??= Object.keys(object);
        order.push(key as string);
      }
      if (key === '__proto__' && mode === 'strict') this.#fail('invalid_key', keyStart);

      let isKnown = checksKeys && (map ? map.has(key) : Object.hasOwn(object, key as string));
      if (form !== undefined && count > 1) {
        firsts ??= new Map();
        if (firsts.has(form)) {
          isKnown = true;
          key = firsts.get(form);
        } else firsts.set(form, key);
      }
      if (map) exceedsWith ??= this.#comparisonsOf(map, count);
      if (exceedsWith?.(key)) this.#collided(start);
      path[last] = kind === 's' || kind === 'i' || kind === 'b' ? key : `#${index}`;
      if (checksKeys && isKnown) this.#fail('duplicate_key', keyStart);
      this.#owed--;
      const value = this.#value();
      if (map) map.set(key, value);
      else this.#set(object, String(key), value);
    }
    this.#close();
    return map ?? object;
  }

  /** Returns a function that counts the comparisons in a table for `count` keys; null for at most UNCOUNTED keys. */
  #comparisonsOf(table: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, count: number): Counter | null {
    return count > UNCOUNTED ? comparisonsOf(table, this.#account, this.#settings.maxCollisions) : null;
  }

  /** Reports too many key comparisons in the innermost container, whose head is at `start`. */
  #collided(start: number): never {
    this.#path.pop();
    this.#exceeded('maxCollisions', start);
  }

  /** Defines a property, which may be an array index. */
  #set(object: Record<string, unknown>, name: string, value: unknown): void {
    if (this.#withGaps !== object && isIntegerLike(name) && leavesGap(object, Number(name))) {
      allowGaps(object);
      this.#withGaps = object;
    }
    setOwn(object, name, value);
  }

  /** Reads a str that is a key. Short ASCII names are cached, and found by their bytes. */
  #name(): string {
    const { at } = this;
    const bytes = this.#bytes;
    const length = (bytes[at] as number) - 0xa0;
    const end = at + 1 + length;
    if (length >= 0x20 || end > this.#end) return this.#plain() as string;
    const slot = (length + (bytes[at + 1] as number) * 5 + (bytes[end - 1] as number) * 3) & 0x7f; // one of 128
    const name = this.#names[slot];
    if (name?.length === length) {
      let index = 0;
      while (index < length && bytes[at + 1 + index] === name.charCodeAt(index)) index++;
      if (index === length) {
        this.at = end;
        return name;
      }
    }
    const text = this.#plain() as string;
    if (text.length === length) this.#names[slot] = text; // one code unit per byte, so it is ASCII
    return text;
  }

  /** Closes a map or record, and notes its form. */
  #close(): void {
    this.#path.pop();
    const forms = this.#forms;
    // `forms` has the number of each key, followed by the number of its value. Of equal keys the last value wins.
    if (forms) {
      const entries = new Map<unknown, string>();
      for (let index = 0; index < forms.length; index += 2) {
        entries.set(forms[index], `${forms[index]}:${forms[index + 1]}`);
      }
      this.#form = `o${[...entries.values()].sort()}`;
    }
  }

  // --- records (spec/05) ---------------------------------------------------------------------------------------------

  /** Reads a value that starts with a byte 40–7f: an instance, or an int. */
  #instance(start: number, head: number): unknown {
    let names = this.#records?.get(head);
    if (names === null) names = this.#records?.get(head * 256 + this.#unsigned(start, 0));
    else if (!names && this.#settings.mode !== 'strict') return head;
    if (!names) this.#fail('unknown_record', start);
    this.#open(start, names.length);
    return this.#fields(start, names);
  }

  /** Reads a declaration and the values after it, which are the first instance. */
  #declaration(start: number, at: number, length: number): unknown {
    const id = this.#bytes[at] as number;
    if (
      this.#bytes[start] !== 0xd3 + length ||
      this.#settings.records === 'off' ||
      id > 0x7f ||
      id < 0x20 + 0x20 * length
    )
      this.#fail('invalid_record', start);
    this.#nest(start);
    const namesAt = this.#expect('a');
    const head = this.#bytes[this.at++] as number;
    const count = head < 0xa0 ? head & 0x0f : this.#unsigned(namesAt, head - 0xdb);
    this.#owe(namesAt, count, start, 2 * count);
    const names = new Set<string>();
    const exceedsWith = this.#comparisonsOf(names, count);
    for (let index = 0; index < count; index++) {
      const nameAt = this.#expect('s');
      const name = this.#plain() as string;
      if (names.has(name)) this.#fail('invalid_record', nameAt);
      if (name === '__proto__' && this.#settings.mode === 'strict') this.#fail('invalid_key', nameAt);
      if (exceedsWith?.(name)) this.#collided(start);
      names.add(name);
    }
    const list = [...names];
    this.#records ??= new Map();
    if (length === 2) this.#records.set(id * 256 + (this.#bytes[at + 1] as number), list);
    this.#records.set(id, length === 2 ? null : list);
    return this.#fields(start, list);
  }

  /** Fails if the next value isn't of this kind. Returns its offset. */
  #expect(kind: string): number {
    const found = this.#kind();
    if (found === ' ') this.#plain(); // fails, because the head is missing or c1
    if (found !== kind) this.#fail('invalid_record', this.at);
    return this.at;
  }

  /** Reads the values of an open record, and closes it. */
  #fields(start: number, names: readonly string[]): unknown {
    const isMap = this.#settings.lossless && names.some(isIntegerLike);
    const map = new Map<string, unknown>();
    const exceedsWith = isMap ? this.#comparisonsOf(map, names.length) : null;
    const object = {};
    for (const name of names) {
      if (exceedsWith?.(name)) this.#collided(start);
      this.#path[this.#path.length - 1] = name;
      if (this.#forms) this.#forms.push(this.#number(`string${name}`));
      this.#owed--;
      const value = this.#value();
      if (isMap) map.set(name, value);
      else this.#set(object, name, value);
    }
    this.#close();
    return isMap ? map : object;
  }

  // --- keys (spec/01#map) --------------------------------------------------------------------------------------------

  /** Returns the kind of the next value, a character of KINDS; a space at the end of the input. */
  #kind(): string {
    const head = this.at < this.#end ? (this.#bytes[this.at] as number) : 0xc1;
    if (head >= 0xc0) return KINDS[head - 0xc0] ?? 'i';
    if (head >= 0xa0) return 's';
    if (head >= 0x80) return head < 0x90 ? 'o' : 'a';
    return this.#records?.has(head) ? 'o' : 'i';
  }

  /**
   * Reads a key or a value inside a key, and adds the number of its form to `siblings`. Forms show which keys are equal
   * by content. JavaScript itself compares objects by identity.
   */
  #formed(siblings: number[]): unknown {
    const kind = this.#kind();
    this.#forms = [];
    this.#form = '';
    const value = this.#plain();
    this.#forms = siblings;
    // Scalars that decode to the same value are the same key.
    const what = typeof value === 'object' ? kind : typeof value;
    siblings.push(this.#number(this.#form || what + (Object.is(value, -0) ? '-0' : String(value))));
    return value;
  }

  /** Inside a key, notes the bytes from `at` to the current offset as the form of the value. Returns `at`. */
  #note(kind: string, at: number): number {
    if (this.#forms) this.#form = kind + this.#bytes.subarray(at, this.at);
    return at;
  }

  /**
   * Returns the number of a form. Two values have the same form if and only if they are equal. A form contains the
   * numbers of inner forms instead of their text, so its length doesn't grow with the depth of the key.
   */
  #number(form: string): number {
    this.#numbers ??= new Map();
    const number = this.#numbers.get(form) ?? this.#numbers.size;
    this.#numbers.set(form, number);
    return number;
  }
}

/**
 * Decodes UTF-8 strictly.
 *
 * @throws TypeError if the bytes aren't UTF-8; another error of the engine if the text is too long for a string
 */
function decodeText(bytes: Uint8Array, start: number, end: number): string {
  const { fromCharCode } = String;
  let all = end - start < SHORT ? 0 : 0x80;
  for (let at = start; at < end && all < 0x80; at++) all |= bytes[at] as number;
  if (all >= 0x80) {
    decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes.subarray(start, end));
  }
  let text = '';
  let at = start;
  // One call with several characters makes one flat string. Appending single characters would make a string for each.
  for (; end - at >= 8; at += 8) {
    text += fromCharCode(
      bytes[at] as number,
      bytes[at + 1] as number,
      bytes[at + 2] as number,
      bytes[at + 3] as number,
      bytes[at + 4] as number,
      bytes[at + 5] as number,
      bytes[at + 6] as number,
      bytes[at + 7] as number,
    );
  }
  for (; at < end; at++) text += fromCharCode(bytes[at] as number);
  return text;
}
