// Values that stay encoded until they are needed. The function `get` is in get.ts.
//
// Plan: Raw · values without their records.

import type { Codec } from '../codec/codec.ts';
import { type Unpackr, unpackingFor } from '../codec/packr.ts';
import { decodeWith, encodeWith, inputBytes, steadyBytes } from '../codec/session.ts';
import { rawFault } from '../core/encode-faults.ts';
import { PolypackError } from '../core/errors.ts';
import { NO_EXTENSIONS } from '../core/extension.ts';
import type { FullLimits } from '../core/limits.ts';
import { Encoded, type MessageSettings } from '../core/values.ts';
import { CountingDecoder } from '../decoder/counting.ts';
import { Decoder } from '../decoder/decoder.ts';
import { Encoder } from '../encoder/encoder.ts';
import { readOptions } from '../options/options.ts';
import type { Settings, UnpackrOptions } from '../options/settings.ts';
import { Finder, refuseClones, search } from './get.ts';

/**
 * A value that stays encoded until it is needed. It usually keeps a view of the bytes that it was made from. They must
 * not change. `pack` writes these bytes unchanged, unless records, structured cloning or `compat` could change what
 * they mean. Then it decodes the value and encodes it again, maybe in another format: with `compat` or `moreTypes`,
 * ints beyond 32 bits become floats. In strict and lossless mode, `pack` refuses what readers of its mode refuse.
 */
export class Raw extends Encoded {
  readonly #bytes: Uint8Array;
  #codec: Codec;

  /**
   * @param data one encoded value; it is checked only when it is read or packed
   * @param options an Unpackr, or options for one, for `get` and `unpack`
   * @throws TypeError for options that lazy reads don't support, such as structuredClone
   */
  constructor(data: ArrayBufferView | ArrayBufferLike, options?: Unpackr | UnpackrOptions) {
    super();
    this.#codec = refuseClones(unpackingFor(options));
    this.#bytes = steadyBytes(inputBytes(data), this.#codec.settings);
  }

  /** The encoded value, as a view. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /**
   * Returns the value at `path`, still encoded (see the function `get`). The result is a view of the bytes; if records
   * are read, it is a copy with maps instead of records.
   *
   * @returns undefined if there is no value at the path, or if the path leads into a value that an extension makes
   * @throws PolypackError, TypeError in the cases of the function `get`; if records are read, also `duplicate_key` for
   *   a value with equal keys, and `limit_exceeded` if the map heads and names for its records exceed `limits.maxBytes`
   */
  get(path: string): Raw | undefined {
    const { settings, extensions } = this.#codec;
    const inner = settings.inline ? new CountingDecoder(alike(settings), NO_EXTENSIONS) : null;
    const finder = new Finder(settings, extensions, inner);
    if (!search(finder, this.#bytes, path)) return undefined;
    if (finder.foundStart < 0) return undefined; // a value that an extension made has no bytes
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
  override plainBytes(message: MessageSettings, depth: number): Uint8Array {
    const { settings } = this.#codec;
    this.#decode(new Decoder(judging(settings, message), NO_EXTENSIONS), depth);
    return message.inline || settings.inline
      ? plainly(this.toValue(message, depth), settings, message.inline)
      : this.#bytes;
  }

  /** @internal */
  override toValue(message: MessageSettings, depth: number): unknown {
    const { inline, limits, shared } = this.#codec.settings;
    const reading = faithful({ inline, limits: within(limits, message), shared });
    return this.#decode(new CountingDecoder(reading, NO_EXTENSIONS), depth);
  }

  /** Decodes the value for an encoder. The error has the code of the fault in the bytes, but not its place. */
  #decode(decoder: Decoder, depth: number): unknown {
    try {
      return decodeWith(decoder, this.#bytes, depth);
    } catch (cause) {
      throw cause instanceof PolypackError ? rawFault(cause) : cause;
    }
  }
}

type Reading = Pick<Settings, 'inline' | 'limits' | 'shared'>;

/** Returns settings of lossless mode, or of another one, with the same limits and the same dictionary. */
function faithful({ inline, limits, shared }: Reading, mode: Settings['mode'] = 'lossless'): Settings {
  return { ...readOptions({ mode, records: inline ? 'inline' : 'off', limits }, 'off'), shared };
}

/** Returns the limits with the smaller maxDepth. */
function within(limits: FullLimits, message: MessageSettings): FullLimits {
  const { maxDepth } = message.limits;
  return maxDepth < limits.maxDepth ? { ...limits, maxDepth } : limits;
}

/**
 * Returns the settings of `faithful`, with the given options for numbers and for invalid UTF-8. These options depend on
 * the format of a value. So they must be applied before `plainly` writes the value in another format.
 */
function alike(settings: Settings): Settings {
  const { int64AsType, useFloat32, invalidUtf8 } = settings;
  // Only with 'bigint' does a small int of 64 bits decode to another type than a shorter int.
  return { ...faithful(settings), int64AsType: int64AsType === 'bigint' ? 'bigint' : 'auto', useFloat32, invalidUtf8 };
}

/**
 * Returns settings for a Decoder that refuses what the message must not have. In strict and lossless mode, options of
 * the Raw don't count, because they could hide it.
 */
function judging(settings: Settings, message: MessageSettings): Settings {
  const limits = within(settings.limits, message);
  if (message.mode !== 'default') return faithful({ ...settings, limits }, message.mode);
  return limits === settings.limits ? settings : { ...settings, limits };
}

/**
 * Encodes a value that lossless mode decoded, without records; bigints in 64 bits. With `avoidsIds`, no int looks like
 * a record id.
 */
function plainly(value: unknown, { limits }: Settings, avoidsIds: boolean): Uint8Array {
  const records = avoidsIds ? 'inline' : 'off';
  const settings = readOptions({ mode: 'lossless', records, maxOwnStructures: 0, wideBigInts: true, limits }, 'off');
  return encodeWith(new Encoder(settings, NO_EXTENSIONS), value, 0);
}
