// Lazy reads: one value of a message by its path, and values that stay encoded.
//
// Plan: get · Raw · values without their records.

import { type Codec, clones } from '../codec/codec.ts';
import { type Unpackr, unpackingFor } from '../codec/packr.ts';
import { decodeWith, decodingError, encodeWith, inputBytes } from '../codec/session.ts';
import { NO_EXTENSIONS } from '../core/extension.ts';
import { Encoded } from '../core/values.ts';
import { CountingDecoder } from '../decoder/counting.ts';
import { Decoder } from '../decoder/decoder.ts';
import { Encoder } from '../encoder/encoder.ts';
import { readOptions } from '../options/options.ts';
import type { Settings, UnpackrOptions } from '../options/settings.ts';
import { Finder, tokensOf } from './get.ts';

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
  const bytes = inputBytes(data);
  const codec = refuseClones(unpackingFor(options));
  const { settings } = codec;
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
function search(finder: Finder, bytes: Uint8Array, path: string): boolean {
  const tokens = tokensOf(path);
  try {
    finder.begin(bytes, 0, bytes.length, 0);
    return finder.find(tokens);
  } catch (error) {
    throw decodingError(finder, error, 0);
  }
}

/**
 * A value that stays encoded until it is needed. It keeps a view of the bytes it was made from, which must not change.
 * `pack` writes it unchanged, or without its records if there are any.
 */
export class Raw extends Encoded {
  readonly #bytes: Uint8Array;
  #codec: Codec;

  /**
   * @param data one encoded value; whether it is valid is checked when it is read
   * @param options an Unpackr, or options for one, for `get` and `unpack`
   * @throws TypeError for options of structured cloning
   */
  constructor(data: ArrayBufferView | ArrayBufferLike, options?: Unpackr | UnpackrOptions) {
    super();
    this.#bytes = inputBytes(data);
    this.#codec = refuseClones(unpackingFor(options));
  }

  /** The encoded value, as a view. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /**
   * Returns the value at `path`, still encoded; see the function `get`. It is a view; if records are read, it is a copy
   * without them.
   *
   * @returns undefined if there is none at the path
   * @throws PolypackError, TypeError as the function `get`; if records are read also `duplicate_key` for a value with
   *   equal keys, and `limit_exceeded` if its names, written for each record, are longer than `limits.maxBytes`
   */
  get(path: string): Raw | undefined {
    const { settings, extensions } = this.#codec;
    const finder = settings.inline ? new Finder(faithful(settings), NO_EXTENSIONS) : new Finder(settings, extensions);
    finder.judges = settings.mode !== 'default';
    finder.isForEncoding = settings.inline;
    if (!search(finder, this.#bytes, path)) return undefined;
    const found = settings.inline
      ? plainly(finder.found, settings, true)
      : this.#bytes.subarray(finder.foundStart, finder.foundEnd);
    const raw = new Raw(found);
    raw.#codec = this.#codec;
    return raw;
  }

  /**
   * Decodes the value.
   *
   * @throws PolypackError for bytes that aren't exactly one valid value
   */
  unpack<T = unknown>(): T {
    return this.#codec.unpack(this.#bytes) as T;
  }

  /** @internal */
  override plainBytes(avoidsIds: boolean): Uint8Array {
    const { settings } = this.#codec;
    if (avoidsIds || settings.inline) return plainly(this.toValue(), settings, avoidsIds);
    decodeWith(new Decoder(settings, NO_EXTENSIONS), this.#bytes, 0);
    return this.#bytes;
  }

  /** @internal */
  override toValue(): unknown {
    const { settings } = this.#codec;
    const reading = settings.inline
      ? faithful(settings)
      : readOptions({ mode: 'lossless', limits: settings.limits }, 'off');
    return decodeWith(new CountingDecoder(reading, NO_EXTENSIONS), this.#bytes, 0);
  }
}

/** Refuses structured cloning: only a reader of the whole message knows what a reference stands for. */
function refuseClones(codec: Codec): Codec {
  if (!clones(codec.settings) && !codec.settings.hasEnvelope) return codec;
  const names = 'structuredClone, moreTypes, useBigIntExtension, compat, bundleStrings and fingerprint';
  throw new TypeError(`lazy reads know no ${names}; unpack the whole message`);
}

/** Returns settings that lose nothing. */
function faithful(settings: Settings): Settings {
  const { limits, shared } = settings;
  return { ...readOptions({ mode: 'lossless', records: 'inline', limits }, 'off'), shared };
}

/** Encodes a value of lossless mode without records. Where readers expect records, its ints must not look like ids. */
function plainly(value: unknown, { limits }: Settings, avoidsIds: boolean): Uint8Array {
  const records = avoidsIds ? 'inline' : 'off';
  const settings = readOptions({ mode: 'lossless', records, maxOwnStructures: 0, limits }, 'off');
  return encodeWith(new Encoder(settings, NO_EXTENSIONS), value, 0);
}
