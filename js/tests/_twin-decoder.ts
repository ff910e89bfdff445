// The slow twin of the decoder: spec/02 to 07 and 09 read aloud, one rule after the other, with nothing done for
// speed. It shares no code with src/, so where the two agree on every input, two readings of the spec agree.
//
// It answers in tagged values, and judges each head in the order of spec/07#which-fault-wins.

import { bitsOf, hexOf, identityOf, numberOf, type Tagged } from './_values.ts';

export type Mode = 'default' | 'strict' | 'lossless';

export interface TwinOptions {
  readonly mode?: Mode;
  readonly records?: 'off' | 'inline';
  readonly maxDepth?: number;
  readonly maxValues?: number;
}

export class TwinFault extends Error {
  readonly code: string;
  readonly offset: number;
  readonly path: string;

  constructor(code: string, offset: number, path: string) {
    super(`${code} at ${offset}`);
    this.code = code;
    this.offset = offset;
    this.path = shown(path);
  }
}

/** spec/07#path: as many whole segments as fit 4,096 bytes. */
function shown(path: string): string {
  const bytes = Buffer.from(path);
  if (bytes.length <= 4096) return path;
  return `${bytes.subarray(0, bytes.subarray(0, 4097).lastIndexOf(0x2f)).toString()}/…`;
}

/** Where a value stands: its path, the containers around it, and what these still have to deliver after it. */
interface Place {
  readonly path: string;
  /** Whether it is a key or a part of one; every fault in there has the path of the map. */
  readonly inKey: boolean;
  readonly depth: number;
  readonly owed: number;
}

// Head bytes of spec/02: how many bytes of length, count or number follow, and the lengths of the fixext formats.
// biome-ignore format: read as the table of spec/02
const LENGTH_BYTES: ReadonlyMap<number, number> = new Map([
  [0xc4, 1], [0xc5, 2], [0xc6, 4], [0xc7, 1], [0xc8, 2], [0xc9, 4], [0xd9, 1], [0xda, 2], [0xdb, 4],
  [0xdc, 2], [0xdd, 4], [0xde, 2], [0xdf, 4],
]);
// biome-ignore format: read as the table of spec/02
const NUMBER_BYTES: ReadonlyMap<number, number> = new Map([
  [0xcc, 1], [0xcd, 2], [0xce, 4], [0xcf, 8], [0xd0, 1], [0xd1, 2], [0xd2, 4], [0xd3, 8],
]);
// biome-ignore format: read as the table of spec/02
const FIXEXT_LENGTH: ReadonlyMap<number, number> = new Map([
  [0xd4, 1], [0xd5, 2], [0xd6, 4], [0xd7, 8], [0xd8, 16],
]);
const RECORD = 0x72;

class Twin {
  readonly #bytes: Uint8Array;
  readonly #options: Required<TwinOptions>;
  readonly #oneByte = new Map<number, readonly string[]>();
  readonly #twoByte = new Map<number, readonly string[]>();
  /** For each first byte of an id: whether the form declared last with it is the two-byte form. */
  readonly #isTwoByte = new Map<number, boolean>();
  #at: number;
  #values = 1;

  constructor(bytes: Uint8Array, start: number, options: TwinOptions) {
    this.#bytes = bytes;
    this.#at = start;
    this.#options = {
      mode: options.mode ?? 'default',
      records: options.records ?? 'off',
      maxDepth: options.maxDepth ?? 512,
      maxValues: options.maxValues ?? Number.POSITIVE_INFINITY,
    };
  }

  get at(): number {
    return this.#at;
  }

  get #remaining(): number {
    return this.#bytes.length - this.#at;
  }

  #take(count: number): Uint8Array {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** The next bytes as an unsigned number; the head is at fault when they are not all there. */
  #unsigned(count: number, head: number, place: Place): bigint {
    if (count > this.#remaining) throw new TwinFault('unexpected_end', head, place.path);
    return unsignedOf(this.#take(count));
  }

  /** Takes the next head byte; a value must start here. */
  #head(place: Place): number {
    if (this.#remaining === 0) throw new TwinFault('unexpected_end', this.#bytes.length, place.path);
    const byte = this.#bytes[this.#at] ?? 0;
    if (byte === 0xc1) throw new TwinFault('reserved_byte', this.#at, place.path);
    this.#at++;
    return byte;
  }

  value(place: Place): Tagged {
    const head = this.#at;
    const byte = this.#head(place);
    if (byte >= 0x40 && byte <= 0x7f && this.#options.records === 'inline') return this.#instance(byte, head, place);
    if (byte <= 0x7f) return { int: String(byte) };
    if (byte <= 0x8f) return this.#map(byte & 15, head, place);
    if (byte <= 0x9f) return this.#array(byte & 15, head, place);
    if (byte <= 0xbf) return { str: this.#text(byte & 31, head, place) };
    if (byte >= 0xe0) return { int: String(byte - 256) };
    if (byte === 0xc0) return { nil: true };
    if (byte === 0xc2) return { bool: false };
    if (byte === 0xc3) return { bool: true };
    if (byte === 0xca || byte === 0xcb) return this.#float(byte === 0xca ? 4 : 8, head, place);

    const numberBytes = NUMBER_BYTES.get(byte);
    if (numberBytes !== undefined) {
      const unsigned = this.#unsigned(numberBytes, head, place);
      return { int: String(byte >= 0xd0 ? BigInt.asIntN(numberBytes * 8, unsigned) : unsigned) };
    }
    const fixed = FIXEXT_LENGTH.get(byte);
    if (fixed !== undefined) return this.#ext(fixed, byte, head, place);

    const length = Number(this.#unsigned(LENGTH_BYTES.get(byte) ?? 0, head, place));
    if (byte <= 0xc6) return { bin: hexOf(this.#body(length, head, place)) };
    if (byte <= 0xc9) return this.#ext(length, byte, head, place);
    if (byte <= 0xdb) return { str: this.#text(length, head, place) };
    return byte <= 0xdd ? this.#array(length, head, place) : this.#map(length, head, place);
  }

  #float(width: 4 | 8, head: number, place: Place): Tagged {
    if (width > this.#remaining) throw new TwinFault('unexpected_end', head, place.path);
    const body = this.#take(width);
    const view = new DataView(body.buffer, body.byteOffset, width);
    return { float: bitsOf(width === 4 ? view.getFloat32(0) : view.getFloat64(0)) };
  }

  #body(length: number, head: number, place: Place): Uint8Array {
    if (length > this.#remaining) throw new TwinFault('unexpected_end', head, place.path);
    return this.#take(length);
  }

  #text(length: number, head: number, place: Place): string {
    const text = textOf(this.#body(length, head, place));
    if (text === undefined) throw new TwinFault('invalid_utf8', head, place.path);
    return text;
  }

  #open(children: number, head: number, place: Place): void {
    if (place.depth >= this.#options.maxDepth) throw new TwinFault('limit_exceeded', head, place.path);
    if (children + place.owed > this.#remaining) throw new TwinFault('unexpected_end', head, place.path);
    this.#count(children, head, place);
  }

  #count(children: number, head: number, place: Place): void {
    this.#values += children;
    if (this.#values > this.#options.maxValues) throw new TwinFault('limit_exceeded', head, place.path);
  }

  #array(count: number, head: number, place: Place): Tagged {
    this.#open(count, head, place);
    const array: Tagged[] = [];
    for (let i = 0; i < count; i++) {
      array.push(this.value(inside(place, String(i), count - i - 1)));
    }
    return { array };
  }

  #map(count: number, head: number, place: Place): Tagged {
    this.#open(2 * count, head, place);
    const entries = new Map<string, [Tagged, Tagged]>();
    for (let i = 0; i < count; i++) {
      const keyHead = this.#at;
      const key = this.value({ ...inside(place, '', 2 * (count - i) - 1), path: place.path, inKey: true });
      this.#judgeName(key, keyHead, place.path);
      const entry = inside(place, tokenOf(key, i), 2 * (count - i - 1));
      const identity = identityOf(this.#options.mode === 'strict' ? hostNumber(key) : key);
      if (entries.has(identity) && this.#options.mode !== 'default') {
        throw new TwinFault('duplicate_key', keyHead, entry.path);
      }
      entries.set(identity, [key, this.value(entry)]);
    }
    return { map: [...entries.values()] };
  }

  /** spec/09: strict mode refuses the key that names the prototype. */
  #judgeName(key: Tagged, head: number, path: string): void {
    if (this.#options.mode === 'strict' && 'str' in key && key.str === '__proto__') {
      throw new TwinFault('invalid_key', head, path);
    }
  }

  #ext(length: number, byte: number, head: number, place: Place): Tagged {
    const type = Number(BigInt.asIntN(8, this.#unsigned(1, head, place)));
    const data = this.#body(length, head, place);
    if (type === RECORD && (length === 1 || length === 2)) return this.#declaration(data, byte, head, place);
    if (type === -1) return this.#timestamp(data, head, place);
    if (type === 0 && length === 1 && data[0] === 0) return { undefined: true };
    return { ext: [type, hexOf(data)] };
  }

  #timestamp(data: Uint8Array, head: number, place: Place): Tagged {
    let seconds: bigint;
    let nanoseconds = 0n;
    if (data.length === 4) {
      seconds = unsignedOf(data);
    } else if (data.length === 8) {
      nanoseconds = unsignedOf(data) >> 34n;
      seconds = unsignedOf(data) & ((1n << 34n) - 1n);
    } else if (data.length === 12) {
      nanoseconds = unsignedOf(data.subarray(0, 4));
      seconds = BigInt.asIntN(64, unsignedOf(data.subarray(4)));
    } else {
      throw new TwinFault('invalid_timestamp', head, place.path);
    }
    if (nanoseconds > 999_999_999n) throw new TwinFault('invalid_timestamp', head, place.path);
    const milliseconds = seconds * 1000n + nanoseconds / 1_000_000n;
    const fitsDate = milliseconds >= -8_640_000_000_000_000n && milliseconds <= 8_640_000_000_000_000n;
    if (!fitsDate && this.#options.mode !== 'lossless') throw new TwinFault('out_of_range', head, place.path);
    return { timestamp: [String(seconds), Number(nanoseconds)] };
  }

  #declaration(id: Uint8Array, byte: number, head: number, place: Place): Tagged {
    const [first = 0, second = 0] = id;
    const inRange = first <= 0x7f && first >= (id.length === 1 ? 0x40 : 0x60);
    const isFixext = byte === 0xd4 || byte === 0xd5;
    if (this.#options.records === 'off' || !isFixext || !inRange) {
      throw new TwinFault('invalid_record', head, place.path);
    }
    if (place.depth >= this.#options.maxDepth) throw new TwinFault('limit_exceeded', head, place.path);
    const names = this.#names(head, place);
    if (id.length === 1) this.#oneByte.set(first, names);
    else this.#twoByte.set(first * 256 + second, names);
    this.#isTwoByte.set(first, id.length === 2);
    return this.#fields(names, place);
  }

  #names(declaration: number, place: Place): readonly string[] {
    const head = this.#at;
    const byte = this.#head(place);
    let count = byte & 15;
    if (byte === 0xdc || byte === 0xdd) count = Number(this.#unsigned(byte === 0xdc ? 2 : 4, head, place));
    else if (byte < 0x90 || byte > 0x9f) throw new TwinFault('invalid_record', head, place.path);
    if (2 * count + place.owed > this.#remaining) throw new TwinFault('unexpected_end', head, place.path);
    this.#count(count, declaration, place);
    const names = new Set<string>();
    for (let i = 0; i < count; i++) {
      const nameHead = this.#at;
      const name = this.#name(place);
      this.#judgeName({ str: name }, nameHead, place.path);
      if (names.has(name)) throw new TwinFault('invalid_record', nameHead, place.path);
      names.add(name);
    }
    return [...names];
  }

  #name(place: Place): string {
    const head = this.#at;
    const byte = this.#head(place);
    if (byte >= 0xa0 && byte <= 0xbf) return this.#text(byte & 31, head, place);
    if (byte < 0xd9 || byte > 0xdb) throw new TwinFault('invalid_record', head, place.path);
    return this.#text(Number(this.#unsigned(LENGTH_BYTES.get(byte) ?? 0, head, place)), head, place);
  }

  #instance(byte: number, head: number, place: Place): Tagged {
    const isTwoByte = this.#isTwoByte.get(byte);
    if (isTwoByte === undefined) {
      if (this.#options.mode === 'strict') throw new TwinFault('unknown_record', head, place.path);
      return { int: String(byte) };
    }
    const second = isTwoByte ? Number(this.#unsigned(1, head, place)) : 0;
    const names = isTwoByte ? this.#twoByte.get(byte * 256 + second) : this.#oneByte.get(byte);
    if (names === undefined) throw new TwinFault('unknown_record', head, place.path);
    this.#open(names.length, head, place);
    return this.#fields(names, place);
  }

  #fields(names: readonly string[], place: Place): Tagged {
    const map = names.map((name, i): [Tagged, Tagged] => {
      return [{ str: name }, this.value(inside(place, tokenOf({ str: name }, i), names.length - i - 1))];
    });
    return { map };
  }
}

/** The place of a child; `after` is how many children of the same container come after it. */
function inside(place: Place, token: string, after: number): Place {
  const path = place.inKey ? place.path : `${place.path}/${token}`;
  return { path, inKey: place.inKey, depth: place.depth + 1, owed: place.owed + after };
}

/**
 * A key as a JavaScript number when it is one. Strict mode has JavaScript's types, and a Map holds 1 and 1.0, or 0 and −0,
 * once: what it cannot hold apart is a duplicate there too.
 */
function hostNumber(key: Tagged): Tagged {
  if (!('float' in key)) return key;
  const number = numberOf(key.float);
  return Number.isSafeInteger(number) ? { int: String(number) } : key;
}

function unsignedOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

/** Decodes UTF-8 by the definition of Unicode; undefined when it is none (spec/02#str). */
export function textOf(bytes: Uint8Array): string | undefined {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    if (length === 0 || i + length > bytes.length) return undefined;
    let point = length === 1 ? first : first & (0x7f >> length);
    for (const next of bytes.subarray(i + 1, i + length)) {
      if ((next & 0xc0) !== 0x80) return undefined;
      point = point * 64 + (next & 0x3f);
    }
    const least = [0, 0, 0x80, 0x800, 0x10000][length] ?? 0;
    if (point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    text += String.fromCodePoint(point);
    i += length;
  }
  return text;
}

/** One token of a path (spec/07#path) for a key and the index of its entry. */
export function tokenOf(key: Tagged, index: number): string {
  if ('str' in key) return key.str.replaceAll('~', '~0').replaceAll('/', '~1');
  if ('int' in key) return key.int;
  if ('bin' in key) return `0x${key.bin}`;
  return `#${index}`;
}

/** Decodes one value at `start`; gives the value and where it ends, or throws a TwinFault. */
export function twinDecodeFirst(
  bytes: Uint8Array,
  start: number,
  options: TwinOptions = {},
): { value: Tagged; end: number } {
  const twin = new Twin(bytes, start, options);
  const value = twin.value({ path: '', inKey: false, depth: 0, owed: 0 });
  return { value, end: twin.at };
}

/** Decodes exactly one value, or throws a TwinFault. */
export function twinDecode(bytes: Uint8Array, options: TwinOptions = {}): Tagged {
  const { value, end } = twinDecodeFirst(bytes, 0, options);
  if (end < bytes.length) throw new TwinFault('trailing_data', end, '');
  return value;
}
