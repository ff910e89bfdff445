// The canonical form C1 (spec/08-canonical.md): every value has exactly one encoding.
//
// Plan: CANONICAL_VERSION · encodeCanonical · canonicalize · path tokens of keys that became ints · isCanonical. The
// Encoder writes C1 if its setting `canonical` is true.

import { decodeWith, encodeWith, inputBytes } from './codec/session.ts';
import { Fault } from './core/errors.ts';
import { type ExtensionTable, NO_EXTENSIONS, registeredExtensions } from './core/extension.ts';
import { failKind, type Limits } from './core/limits.ts';
import type { Bytes } from './core/views.ts';
import { CountingDecoder } from './decoder/counting.ts';
import { Encoder } from './encoder/encoder.ts';
import { checkNames, flag, readOptions } from './options/options.ts';
import type { RecordsMode, Settings } from './options/settings.ts';

/** The version number of the canonical form `polypack-c1`. Encoded bytes don't contain it. */
export const CANONICAL_VERSION = 1;

/** Options of `encodeCanonical`. */
export interface CanonicalOptions {
  /**
   * true: a float whose value is an integer in −2⁶³ … 2⁶⁴−1 is written as that int, and −0 as 0. So 10.0 from PHP or
   * Go has the same form as 10 from JavaScript. Programs that compare forms must use the same setting. Default false.
   */
  readonly integralFloatsAsInts?: boolean;
  readonly limits?: Limits;
}

/** Options of `canonicalize` and `isCanonical`. */
export interface CanonicalizeOptions extends CanonicalOptions {
  /**
   * 'inline': records are read, and written as maps. The map heads and names written for them may have at most
   * `limits.maxBytes` bytes in total. Default 'off': declarations are `invalid_record`.
   */
  readonly records?: RecordsMode;
}

const OPTIONS = ['integralFloatsAsInts', 'limits'];

/**
 * Encodes a value in canonical form. Safe integers except −0 become ints, as in `pack`. Other numbers and each `Float`
 * become floats, unless `integralFloatsAsInts` makes them ints.
 *
 * @throws PolypackError for the same reasons as `pack` in lossless mode, such as `duplicate_key` if two keys of a Map
 *   have the same encoding
 */
export function encodeCanonical(value: unknown, options: CanonicalOptions = {}): Bytes {
  return encoded(value, readSettings(options, OPTIONS), registeredExtensions(), options);
}

/**
 * Returns the canonical form of the one value in `data`: decodes it losslessly, then encodes it. Ignores registered
 * extensions.
 *
 * @throws PolypackError if lossless decoding fails, or if `integralFloatsAsInts` makes two keys of a map equal
 */
export function canonicalize(data: Uint8Array, options: CanonicalizeOptions = {}): Bytes {
  const read = readSettings(options, [...OPTIONS, 'records']);
  const value = decodeWith(new CountingDecoder(read, NO_EXTENSIONS), inputBytes(data), 0);
  return encoded(value, read, NO_EXTENSIONS, options);
}

/** Returns the settings for decoding. Refuses unknown options: a misspelled name must not leave an option off. */
function readSettings(options: CanonicalizeOptions, names: readonly string[]): Settings {
  if (typeof options !== 'object' || options === null) failKind('options', 'an object');
  checkNames(options, names);
  const { records, limits } = options;
  return readOptions({ mode: 'lossless', records, limits }, 'off');
}

function encoded(value: unknown, read: Settings, extensions: ExtensionTable, options: CanonicalOptions): Bytes {
  const integralFloatsAsInts = flag(options, 'integralFloatsAsInts', false) && foldedToken;
  const settings: Settings = { ...read, inline: false, shared: null, canonical: true, integralFloatsAsInts };
  return encodeWith(new Encoder(settings, extensions), value, 0);
}

/**
 * Returns the path token for a key that was encoded as an int, if the error is `duplicate_key`. The token is the int,
 * even if the key was a float before. Returns null for other keys and errors.
 */
function foldedToken(error: unknown, key: Uint8Array): string | null {
  const head = key[0] as number;
  const isInt = head < 0x80 || head >= 0xe0 || (head >= 0xcc && head <= 0xd3);
  if (!isInt || !(error instanceof Fault) || error.code !== 'duplicate_key') return null;
  return String(decodeWith(new CountingDecoder(readSettings({}, []), NO_EXTENSIONS), key, 0));
}

/**
 * The result of `isCanonical`. `departure` is the offset of the first byte that differs from the canonical form; null
 * if the bytes are canonical.
 */
export interface CanonicalJudgement {
  readonly canonical: boolean;
  readonly departure: number | null;
}

/**
 * Compares bytes with their canonical form (spec/08#is-canonical).
 *
 * @throws PolypackError if `canonicalize` fails
 */
export function isCanonical(data: Uint8Array, options: CanonicalizeOptions = {}): CanonicalJudgement {
  const bytes = inputBytes(data);
  const form = canonicalize(bytes, options);
  const shared = Math.min(bytes.length, form.length);
  let at = 0;
  while (at < shared && bytes[at] === form[at]) at++;
  const canonical = at === bytes.length && at === form.length;
  return { canonical, departure: canonical ? null : at };
}
