// Lazy reads: one value of a message by its path, without decoding the values before it.
//
// Plan: get · tokens of a path · Finder: find, arrays, maps · records · stepping over values · how well a key fits a
// token.
//
// A Finder is a Decoder that mostly steps over values. It keeps track of depth and owed values as a decoder does, so
// that it notices false counts at the same place. Anything unusual is left to `value`, which reports the fault.

import { type Codec, clones } from '../codec/codec.ts';
import { type Unpackr, unpackingFor } from '../codec/packr.ts';
import { decodingError, inputBytes, steadyBytes } from '../codec/session.ts';
import type { Counter } from '../core/collisions.ts';
import { FIXEXT1, FIXEXT2, RECORD_TYPE } from '../core/format.ts';
import { isWellFormed, utf8Bytes } from '../core/text.ts';
import { CountingDecoder } from '../decoder/counting.ts';
import type { UnpackrOptions } from '../options/settings.ts';
import type { Shape } from '../records/dictionary.ts';
import {
  ARRAY_HEAD,
  BIN_HEAD,
  EXT_HEAD,
  Head,
  integerAt,
  MAP_HEAD,
  RESERVED_HEAD,
  readHead,
  SCALAR_HEAD,
  STR_HEAD,
} from '../scan/head.ts';

/**
 * Decodes the one value at `path` in `data`, and nothing else.
 *
 * The path is an RFC 6901 pointer, as in `PolypackError.path`: "" is the whole value, "/users/3/name" an entry of a map
 * in an array in a map; "~0" stands for "~", "~1" for "/". Elements of arrays are named by their index in decimal.
 * Entries of maps are named by their key: a str by its text; if no str fits, an int in decimal, then a bin as 0x and
 * its bytes in lowercase hex, then any other key by # and the index of the entry. Fields of records are named by their
 * name.
 *
 * It reads no further than necessary: for an element of an array to the end of the element; for an entry of a map to
 * the end of the outermost map on the path, because the last of equal keys wins. In mode 'default' only the heads of
 * skipped values are checked (truncation, reserved bytes, depth, counts); the other modes check them as `unpack` does.
 * Later bytes aren't read.
 *
 * @param options an Unpackr, or options for one; for many calls with the same options give an Unpackr
 * @returns the value; undefined if there is none at the path
 * @throws PolypackError for a fault in what was read; offset and path are those in `data`
 * @throws TypeError for a path that isn't a pointer, and for options of structured cloning
 */
export function get<T = unknown>(
  data: ArrayBufferView | ArrayBufferLike,
  path: string,
  options?: Unpackr | UnpackrOptions,
): T | undefined {
  const codec = refuseClones(unpackingFor(options));
  const { settings } = codec;
  const bytes = steadyBytes(inputBytes(data), settings);
  const finder = new Finder(settings, codec.extensions);
  if (!search(finder, bytes, path)) return undefined;
  if (settings.inline) return finder.found as T;
  return codec.read((decoder, depth) => {
    try {
      decoder.begin(bytes, finder.foundStart, finder.foundEnd, depth);
      return decoder.value() as T;
    } catch (error) {
      throw decodingError(finder, error, 0); // its paths start at the top
    }
  });
}

/** Whether a finder finds a value. */
export function search(finder: Finder, bytes: Uint8Array, path: string): boolean {
  const tokens = tokensOf(path);
  try {
    finder.begin(bytes, 0, bytes.length, 0);
    return finder.find(tokens);
  } catch (error) {
    throw decodingError(finder, error, 0);
  }
}

/** Refuses structured cloning: only a reader of the whole message knows what a reference stands for. */
export function refuseClones(codec: Codec): Codec {
  if (!clones(codec.settings) && !codec.settings.hasEnvelope) return codec;
  const names = 'structuredClone, moreTypes, useBigIntExtension, compat, bundleStrings and fingerprint';
  throw new TypeError(`lazy reads know no ${names}; unpack the whole message`);
}

// --- tokens of a path

/** A step of a path. */
interface Token {
  readonly text: string;
  /** The UTF-8 of the text; null if the text has a lone surrogate, so that no str equals it. */
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

/** Finds a value. Call `begin` before `find`, as before `value`. */
export class Finder extends CountingDecoder {
  /** The start and end of the latest value that was found. */
  foundStart = 0;
  foundEnd = 0;
  /** The latest value that was found. If records are read, it is decoded in place, where the declarations are known. */
  found: unknown;
  /** Whether skipped values are checked completely, not only their heads. */
  judges = this.checksKeys;
  /** Whether the value found will be written without records, so that their names are counted. */
  isForEncoding = false;
  protected override counts = false;
  readonly #head = new Head();
  /** The rest of the path, which `fields` uses when `value` opens the record on the path. */
  #tokens: readonly Token[] | null = null;
  #isInRecord = false;

  /**
   * Looks into the next value, and steps over it. If several values are found, the last one counts, because the last of
   * equal keys wins.
   *
   * @param at the index of the next token
   * @param early whether the search may end once the value is found, because nothing after it matters
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
    }
    this.step();
    return false;
  }

  private arrive(): true {
    this.foundStart = this.offset - this.origin;
    if (this.inline) {
      this.counts = this.isForEncoding;
      this.found = this.value();
      this.counts = false;
    } else this.step();
    this.foundEnd = this.offset - this.origin;
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
    const known = this.judges ? new KnownKeys() : null;
    if (known !== null) known.exceedsWith = this.comparisonsOf(known.map, children >> 1);
    let isFound = false;
    let best = FITS_NOT;
    this.comparing++;
    for (let entry = 0; 2 * entry < children; entry++) {
      const keyStart = this.offset;
      const isRecord = this.passKey(known);
      const fit = this.fit(token, keyStart, isRecord, entry);
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

  /**
   * Steps over a key. If everything is checked, reads it and compares it with those before it.
   *
   * @returns whether the key is a record
   */
  private passKey(known: KnownKeys | null): boolean {
    const start = this.offset;
    const isStr = this.startsStr();
    this.owed--;
    this.#isInRecord = false;
    if (known === null) this.step();
    else if (isStr) {
      const name = this.name();
      this.checkKey(start, name, known.map.has(name));
      known.map.set(name, null);
    } else {
      let key = this.key();
      if (typeof key === 'object' && key !== null) key = this.firstOf(key, start, known.firsts, known.map);
      else this.checkKey(start, null, known.map.has(key));
      if (known.exceedsWith?.(key)) this.failCollisions(start);
      known.map.set(key, null);
    }
    // Only a key that is itself a record counts, not one inside it.
    const head = this.bytes[start] as number;
    return this.#isInRecord && (head >> 6 === 1 || head === FIXEXT1 || head === FIXEXT2);
  }

  // --- records -------------------------------------------------------------------------------------------------------

  /** Looks into the record that starts here, if it is one. */
  private recordHere(tokens: readonly Token[], at: number): boolean {
    this.#tokens = tokens.slice(at);
    const result = this.value();
    const isRecord = this.#tokens === null;
    this.#tokens = null;
    return isRecord && result === true;
  }

  /** Reads the values of an open record. Looks into the one on the path. */
  protected override fields(declared: Shape): unknown {
    const tokens = this.#tokens;
    if (tokens === null) {
      const value = super.fields(declared);
      this.#isInRecord = true;
      return value;
    }
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

  /** Steps over the next value. Checks its heads, and everything else if `judges` says so. */
  private step(): void {
    const start = this.offset;
    const head = this.#head;
    if (this.judges || !readHead(this.view, start, this.end, head)) {
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

  // --- keys ----------------------------------------------------------------------------------------------------------

  /** Returns how well the key that was stepped over, in entry number `entry`, fits a token. */
  private fit(token: Token, start: number, isRecord: boolean, entry: number): number {
    if (isRecord) return fitIndex(token, entry);
    readHead(this.view, start, this.end, this.#head);
    const { kind, length, body } = this.#head;
    const at = start + length;
    if (kind === STR_HEAD) return this.isText(token, at, body) ? FITS_STR : FITS_NOT;
    if (kind === BIN_HEAD) return token.text === `0x${this.hex(token, at, body)}` ? FITS_BIN : FITS_NOT;
    const byte = this.bytes[start] as number;
    const isInt = kind === SCALAR_HEAD && (byte < 0xc0 || byte > 0xc3);
    if (isInt) return token.text === String(integerAt(this.view, start)) ? FITS_INT : FITS_NOT;
    return fitIndex(token, entry);
  }

  private isText({ utf8 }: Token, at: number, length: number): boolean {
    if (utf8 === null || utf8.length !== length) return false;
    for (let index = 0; index < length; index++) if (utf8[index] !== this.bytes[at + index]) return false;
    return true;
  }

  /** Returns the hex digits of a bin if it has as many as the token. */
  private hex({ text }: Token, at: number, length: number): string | null {
    if (text.length !== 2 + 2 * length) return null;
    return Array.from(this.bytes.subarray(at, at + length), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

/** The keys so far of a map on the path, to find duplicates. */
class KnownKeys {
  readonly map = new Map<unknown, unknown>();
  readonly firsts = new Map<number, unknown>();
  exceedsWith: Counter | null = null;
}

function fitIndex({ text }: Token, entry: number): number {
  return text === `#${entry}` ? FITS_INDEX : FITS_NOT;
}
