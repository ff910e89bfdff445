// Lazy reads: one value of a message by its path, without decoding the values before it.
//
// Plan: get · tokens of a path · how well a key fits a token · Finder: find, arrays, maps · records · stepping over
// values.
//
// A Finder is a Decoder that mostly steps over values. It counts depth and owed values like every decoder, so it finds
// wrong counts at the same offset. It leaves anything unusual to `Decoder.value`, which reports the fault.

import { type Codec, clones } from '../codec/codec.ts';
import { type Unpackr, unpackingFor } from '../codec/packr.ts';
import { decodingError, inputBytes, steadyBytes } from '../codec/session.ts';
import type { Counter } from '../core/collisions.ts';
import type { ExtensionTable } from '../core/extension.ts';
import { ARRAY16, FIXMAP, FIXSTR, MAP32, RECORD_TYPE } from '../core/format.ts';
import { isWellFormed, utf8Bytes } from '../core/text.ts';
import { CountingDecoder } from '../decoder/counting.ts';
import type { Settings, UnpackrOptions } from '../options/settings.ts';
import type { Shape } from '../records/dictionary.ts';
import { ARRAY_HEAD, EXT_HEAD, Head, MAP_HEAD, RESERVED_HEAD, readHead } from '../scan/head.ts';

/**
 * Decodes the one value at `path` in `data`.
 *
 * The path is an RFC 6901 pointer, as in `PolypackError.path`. "" is the whole value. "/users/3/name" is an entry of a
 * map in an array in a map. "~0" stands for "~", "~1" for "/". Elements of arrays are named by their index in decimal,
 * fields of records by their name, and entries of maps by their decoded key. A str names its entry by its text, an int
 * in decimal, a bin as 0x and lowercase hex, and any other key as # and the index of the entry. If several keys fit,
 * the first kind in this order wins, and among equal keys the last one. If an extension makes an array, a Map or a
 * plain object, the path may lead into it.
 *
 * If `unpack` succeeds with the same options, the result is what its value holds at the path
 * (spec/07#reading-by-path).
 *
 * Reads only as far as necessary: to the end of the value if there are only arrays on the path, otherwise to the end
 * of the outermost map or record on the path, because the last of equal keys wins. In mode 'default', only the heads of
 * skipped values are checked (truncation, reserved bytes, depth, counts), except that records are read. The other modes
 * check skipped values like `unpack`.
 *
 * @param options an Unpackr, or options for one; for many calls with the same options give an Unpackr
 * @returns the value; undefined if there is none at the path
 * @throws PolypackError for a fault in the bytes that were read; its offset and path are those in `data`
 * @throws TypeError for a path that isn't a pointer, and for options that lazy reads don't support, such as
 *   structuredClone
 */
export function get<T = unknown>(
  data: ArrayBufferView | ArrayBufferLike,
  path: string,
  options?: Unpackr | UnpackrOptions,
): T | undefined {
  const codec = refuseClones(unpackingFor(options));
  const { settings } = codec;
  const bytes = steadyBytes(inputBytes(data), settings);
  const finder = new Finder(settings, codec.extensions, null);
  if (!search(finder, bytes, path)) return undefined;
  if (finder.isDecoded) return finder.found as T;
  return codec.read((decoder, depth) => {
    try {
      decoder.begin(bytes, finder.foundStart, finder.foundEnd, depth);
      return decoder.value() as T;
    } catch (error) {
      throw decodingError(finder, error, 0); // the finder's paths start at the top value, the decoder's don't
    }
  });
}

/** Whether a finder finds a value at `path`. */
export function search(finder: Finder, bytes: Uint8Array, path: string): boolean {
  const tokens = tokensOf(path);
  try {
    finder.begin(bytes, 0, bytes.length, 0);
    return finder.find(tokens);
  } catch (error) {
    throw decodingError(finder, error, 0);
  }
}

/**
 * Returns the codec. Refuses options that lazy reads don't support. For example, only a reader of the whole message
 * knows what a reference stands for.
 *
 * @throws TypeError
 */
export function refuseClones(codec: Codec): Codec {
  if (!clones(codec.settings) && !codec.settings.hasEnvelope && !codec.settings.sequential) return codec;
  const names = 'structuredClone, moreTypes, useBigIntExtension, compat, bundleStrings, fingerprint and sequential';
  throw new TypeError(`lazy reads know no ${names}; unpack the whole message`);
}

// --- tokens of a path

/** A step of a path. */
interface Token {
  readonly text: string;
  /** The UTF-8 of the text; null if the text has a lone surrogate, because no str equals such a text. */
  readonly utf8: Uint8Array | null;
  /** The text as the index of an element; −1 if it isn't one. */
  readonly index: number;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Returns the steps of an RFC 6901 pointer.
 *
 * @throws TypeError if the path isn't one
 */
function tokensOf(path: string): Token[] {
  if (typeof path !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)*$/u.test(path)) {
    const what = typeof path === 'string' ? JSON.stringify(path) : typeof path;
    throw new TypeError(
      `the path ${what} is no RFC 6901 pointer: "" or "/token/…", with ~0 and ~1 for ~ and / in a token`,
    );
  }
  return path.split('/').slice(1).map(tokenOf);
}

function tokenOf(segment: string): Token {
  const text = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  const utf8 = isWellFormed(text) ? utf8Bytes(text) : null;
  return { text, utf8, index: INDEX.test(text) ? Number(text) : -1 };
}

/** How well a key fits a token. The entry with the best fit wins; among equals, the last. */
const FITS_NOT = 0;
const FITS_INDEX = 1;
const FITS_BIN = 2;
const FITS_INT = 3;
const FITS_STR = 4;

/** Returns how well a decoded key fits a token. `index` is the index of its entry; −1 if the index doesn't matter. */
function fitOf({ text }: Token, key: unknown, index: number): number {
  if (typeof key === 'string') return key === text ? FITS_STR : FITS_NOT;
  if (typeof key === 'bigint' || Number.isSafeInteger(key)) return String(key) === text ? FITS_INT : FITS_NOT;
  if (key instanceof Uint8Array) return hexOf(key, text.length) === text ? FITS_BIN : FITS_NOT;
  return text === `#${index}` ? FITS_INDEX : FITS_NOT;
}

/** Returns the token of a bin; null if the token doesn't have `length` characters. */
function hexOf(bytes: Uint8Array, length: number): string | null {
  if (length !== 2 + 2 * bytes.length) return null;
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns what `value` holds at the tokens from index `at` on. Looks only into arrays, Maps and plain objects. */
function valueWithin(value: unknown, tokens: readonly Token[], at: number): unknown {
  const token = tokens[at];
  if (token === undefined) return value;
  let found: unknown;
  let best = FITS_NOT;
  let index = 0;
  for (const [key, inner] of entriesOf(value)) {
    const fit = fitOf(token, key, index++);
    if (fit > FITS_NOT && fit >= best) {
      best = fit;
      found = inner;
    }
  }
  return valueWithin(found, tokens, at + 1);
}

function entriesOf(value: unknown): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(value)) return value.entries();
  if (value instanceof Map) return value;
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.getPrototypeOf(value) === Object.prototype ? Object.entries(value) : [];
}

/** The keys of a map on the path that were read so far. */
interface KnownKeys {
  readonly all: Map<unknown, null>;
  readonly firsts: Map<number, unknown>;
  /** The key that a token such as #3 names; empty until that key was read. */
  readonly named: unknown[];
  readonly exceedsWith: Counter | null;
}

/** Finds a value in a message. Call `begin` before `find`. */
export class Finder extends CountingDecoder {
  /** The start and end of the latest value found. The start is −1 if the value is inside one that an extension made. */
  foundStart = 0;
  foundEnd = 0;
  /** Whether the latest value found is decoded already: if records are read, or if it's inside an extension's value. */
  isDecoded = false;
  found: unknown;
  protected override counts = false;
  /** Decodes the found value if records are read; null if this Finder decodes it. */
  readonly #inner: CountingDecoder | null;
  readonly #head = new Head();
  /** The rest of the path from the record that is being opened, for `fields` to take; null at all other times. */
  #tokens: readonly Token[] | null = null;
  #input: Uint8Array = new Uint8Array();

  /** @param inner decodes the found value if records are read; null: this Finder decodes it */
  constructor(settings: Settings, extensions: ExtensionTable, inner: CountingDecoder | null) {
    super(settings, extensions);
    this.#inner = inner;
  }

  override begin(bytes: Uint8Array, start: number, end: number, depth: number): void {
    super.begin(bytes, start, end, depth);
    this.#input = bytes;
  }

  /**
   * Searches the next value, and usually moves past it. Returns whether the value at the path was found. If several are
   * found, the last one counts, because the last of equal keys wins.
   *
   * @param at the index of the next token
   * @param early whether the search may stop where it finds the value, because nothing after that value matters
   */
  find(tokens: readonly Token[], at = 0, early = true): boolean {
    if (at === tokens.length) return this.arrive();
    const start = this.offset;
    if (readHead(this.view, start, this.end, this.#head)) {
      const { kind, length, children, type, body } = this.#head;
      if (kind === ARRAY_HEAD) return this.elements(tokens, at, early, start, length, children);
      if (kind === MAP_HEAD) return this.pairs(tokens, at, start, length, children);
      const isLow = (this.bytes[start] as number) >> 6 === 1;
      if (isLow || (kind === EXT_HEAD && type === RECORD_TYPE && body <= 2)) return this.recordHere(tokens, at);
      if (kind === EXT_HEAD && this.extensions.forType(type) !== undefined) return this.extensionHere(tokens, at);
    }
    this.step();
    return false;
  }

  private arrive(): true {
    this.foundStart = this.offset - this.origin;
    this.isDecoded = this.inline;
    if (!this.inline) this.step();
    else if (this.#inner === null) this.found = this.value();
    else this.found = this.#inner.readAt(this, this.#input);
    this.foundEnd = this.offset - this.origin;
    return true;
  }

  /** Searches the value that an extension makes. */
  private extensionHere(tokens: readonly Token[], at: number): boolean {
    const value = valueWithin(this.value(), tokens, at);
    if (value === undefined) return false;
    this.found = value;
    this.isDecoded = true;
    this.foundStart = -1;
    return true;
  }

  private elements(
    tokens: readonly Token[],
    at: number,
    early: boolean,
    start: number,
    length: number,
    count: number,
  ): boolean {
    this.offset = start + length;
    this.open(start, count);
    const { index: wanted } = tokens[at] as Token;
    if (early && (wanted === -1 || wanted >= count)) return false;
    let isFound = false;
    for (let index = 0; index < count; index++) {
      this.owed--;
      if (index !== wanted) this.step();
      else {
        isFound = this.find(tokens, at + 1, early);
        if (early) return isFound;
      }
    }
    this.depth--;
    return isFound;
  }

  private pairs(tokens: readonly Token[], at: number, start: number, length: number, children: number): boolean {
    this.offset = start + length;
    this.open(start, children);
    const token = tokens[at] as Token;
    // A token such as #3 names a key by its index. If an equal key follows, its entry wins. So all keys must be known.
    const known = this.checksKeys || token.text.startsWith('#') ? this.knownKeys(children >> 1) : null;
    let isFound = false;
    let best = FITS_NOT;
    this.comparing++;
    for (let index = 0; 2 * index < children; index++) {
      this.owed--;
      const fit = this.keyHere(token, index, known);
      this.owed--;
      if (fit > FITS_NOT && fit >= best) {
        best = fit;
        isFound = this.find(tokens, at + 1, false);
      } else this.step();
    }
    this.comparing--;
    this.depth--;
    return isFound;
  }

  private knownKeys(count: number): KnownKeys {
    const all = new Map<unknown, null>();
    return { all, firsts: new Map(), named: [], exceedsWith: this.comparisonsOf(all, count) };
  }

  /** Reads the key of an entry. Returns how well it fits a token. */
  private keyHere(token: Token, index: number, known: KnownKeys | null): number {
    const start = this.offset;
    const isStr = this.startsStr();
    const isName = isStr || this.settings.maps === 'objects';
    // With 'replace', invalid bytes decode to U+FFFD. So for a token with U+FFFD, compare texts instead of bytes.
    const isReplaced = this.settings.invalidUtf8 === 'replace' && token.text.includes('\uFFFD');
    if (known === null && (isStr ? !isReplaced : !isName && this.startsContainer())) {
      this.step();
      return isStr && this.isText(token, start) ? FITS_STR : FITS_NOT;
    }
    let key = isStr ? this.name() : isName ? this.objectKey(start) : this.key();
    if (known === null) return fitOf(token, key, -1);
    if (typeof key === 'object' && key !== null) {
      key = this.firstOf(key, start, known.firsts, known.all);
      this.forms?.forgetNotes();
    }
    if (known.exceedsWith?.(typeof key === 'string' ? null : key)) this.failCollisions(start);
    const { size } = known.all;
    // Some versions of V8 hash a string of digits in a Map without a seed, so such keys could be made to collide. The
    // space prevents this. Don't refuse these keys instead, because `unpack` accepts them as names of an object.
    known.all.set(typeof key === 'string' && key < ':' ? ` ${key}` : key, null);
    if (this.checksKeys) this.checkKey(start, key, known.all.size === size);
    const fit = fitOf(token, key, index);
    if (fit === FITS_INDEX) known.named.push(key);
    return fit === FITS_NOT && known.named.includes(key) ? FITS_INDEX : fit;
  }

  private startsContainer(): boolean {
    const head = this.offset < this.end ? (this.bytes[this.offset] as number) : 0;
    return (head >= FIXMAP && head < FIXSTR) || (head >= ARRAY16 && head <= MAP32);
  }

  // --- records -------------------------------------------------------------------------------------------------------

  /** Searches the value that starts here if it is a record. */
  private recordHere(tokens: readonly Token[], at: number): boolean {
    this.#tokens = tokens.slice(at);
    const result = this.value();
    const isRecord = this.#tokens === null;
    this.#tokens = null;
    return isRecord && result === true;
  }

  /**
   * In the record on the path, searches the field that the path names, and steps over the other fields. Reads any other
   * record as usual.
   */
  protected override fields(declared: Shape): unknown {
    const tokens = this.#tokens;
    if (tokens === null) return super.fields(declared);
    this.#tokens = null;
    let isFound = false;
    for (const name of declared.names) {
      this.owed--;
      if (name === (tokens[0] as Token).text) isFound = this.find(tokens, 1, false);
      else this.step();
    }
    this.depth--;
    return isFound;
  }

  // --- stepping over values ------------------------------------------------------------------------------------------

  /** Steps over the next value. In mode 'default', checks little more than its heads; in other modes, everything. */
  private step(): void {
    const start = this.offset;
    const head = this.#head;
    if (this.checksKeys || !readHead(this.view, start, this.end, head)) {
      this.value();
      return;
    }
    const { kind, length, children, body } = head;
    if (kind === ARRAY_HEAD || kind === MAP_HEAD) {
      this.offset = start + length;
      this.open(start, children);
      for (let left = children; left > 0; left--) {
        this.owed--;
        this.step();
      }
      this.depth--;
      return;
    }
    const isRecord = kind === EXT_HEAD && head.type === RECORD_TYPE && body <= 2;
    const isId = this.inline && (this.bytes[start] as number) >> 6 === 1;
    const end = start + length + body;
    if (isRecord || isId || kind === RESERVED_HEAD || end > this.end) this.value();
    else this.offset = end;
  }

  /** Whether the str that was stepped over is the text of a token. */
  private isText({ utf8 }: Token, start: number): boolean {
    readHead(this.view, start, this.end, this.#head);
    const { length, body } = this.#head;
    if (utf8 === null || utf8.length !== body) return false;
    const at = start + length;
    for (let index = 0; index < body; index++) if (utf8[index] !== this.bytes[at + index]) return false;
    return true;
  }
}
