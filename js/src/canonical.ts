// The canonical form C1 (spec/08-canonical.md): every value has exactly one encoding.
//
// Plan: CanonicalEncoder, which sorts · encodeCanonical · canonicalize · isCanonical.

import { decodeWith, encodeWith, inputBytes } from './codec/session.ts';
import { faultAt } from './core/encode-faults.ts';
import { Fault } from './core/errors.ts';
import { NO_EXTENSIONS, registeredExtensions } from './core/extension.ts';
import { keyToken } from './core/foreign-values.ts';
import type { Limits } from './core/limits.ts';
import type { Encoded } from './core/values.ts';
import { CountingDecoder } from './decoder/counting.ts';
import { Encoder } from './encoder/encoder.ts';
import { readOptions } from './options/options.ts';
import type { RecordsMode, Settings } from './options/settings.ts';

/** An entry of a map, with its encoded key and the path token of its key. */
interface Entry {
  readonly key: Uint8Array;
  readonly token: string;
  readonly value: unknown;
}

/** Writes maps with entries sorted by encoded key. Its settings switch records off and ask for the shortest heads. */
class CanonicalEncoder extends Encoder {
  protected override plain(object: Record<string, unknown>): void {
    this.open();
    this.properties(object, Object.keys(object));
    this.depth--;
  }

  protected override properties(object: Record<string, unknown>, names: readonly string[]): void {
    this.sorted(names.map((name) => ({ key: this.encodedKey(name), token: name, value: object[name] })));
  }

  protected override entries(map: ReadonlyMap<unknown, unknown>): void {
    const entries: Entry[] = [];
    for (const [key, value] of map) {
      entries.push({ key: this.encodedKey(key), token: keyToken(key, entries.length), value });
    }
    this.sorted(entries);
  }

  protected override encoded(value: Encoded): void {
    this.value(value.toValue());
  }

  /** Returns the encoding of a key. Writes it at the current offset, copies it, and moves the offset back. */
  private encodedKey(key: unknown): Uint8Array {
    const start = this.offset;
    try {
      this.value(key);
    } catch (error) {
      throw faultAt(error, null);
    }
    const bytes = this.bytes.slice(start, this.offset);
    this.offset = start;
    return bytes;
  }

  private sorted(entries: Entry[]): void {
    entries.sort((left, right) => compareBytes(left.key, right.key));
    this.mapHead(entries.length);
    let before: Uint8Array | null = null;
    for (const { key, token, value } of entries) {
      try {
        if (before !== null && compareBytes(before, key) === 0) throw equalKeysFault();
        before = key;
        this.append(key);
        this.value(value);
      } catch (error) {
        throw faultAt(error, token);
      }
    }
  }
}

/** Orders byte strings by their unsigned bytes; a prefix comes first. */
function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function equalKeysFault(): Fault {
  const what = 'two keys of a map have the same encoding';
  return new Fault('duplicate_key', null, what, 'keys of a canonical map are unique');
}

/** Options of `encodeCanonical`. */
export interface CanonicalOptions {
  readonly limits?: Limits;
}

/** Options of `canonicalize` and `isCanonical`. */
export interface CanonicalizeOptions extends CanonicalOptions {
  /**
   * Whether records are read. They are written as maps. The names written for them may have `limits.maxBytes` bytes in
   * total. Default 'off'.
   */
  readonly records?: RecordsMode;
}

/**
 * Encodes a value in canonical form. Integral numbers are ints, as in `pack`; a `Float` is a float.
 *
 * @throws PolypackError as `pack` does, and `duplicate_key` if two keys of a Map have the same encoding
 */
export function encodeCanonical(value: unknown, options: CanonicalOptions = {}): Uint8Array {
  const { limits } = options;
  const settings = readOptions({ mode: 'lossless', limits }, 'off');
  return encodeWith(new CanonicalEncoder(settings, registeredExtensions()), value, 0);
}

/**
 * Returns the canonical form of the one value in `data`: decodes it losslessly, then encodes it. Ignores registered
 * extensions.
 *
 * @throws PolypackError where lossless decoding fails: invalid bytes have no canonical form
 */
export function canonicalize(data: Uint8Array, options: CanonicalizeOptions = {}): Uint8Array {
  const { records, limits } = options;
  const read = readOptions({ mode: 'lossless', records, limits }, 'off');
  const write: Settings = { ...read, inline: false, shared: null };
  const value = decodeWith(new CountingDecoder(read, NO_EXTENSIONS), inputBytes(data), 0);
  return encodeWith(new CanonicalEncoder(write, NO_EXTENSIONS), value, 0);
}

/**
 * Tells whether bytes are canonical. `departure` is the offset of the first byte that differs from the canonical form;
 * null if they are canonical.
 */
export interface CanonicalJudgement {
  readonly canonical: boolean;
  readonly departure: number | null;
}

/**
 * Compares bytes with their canonical form (spec/08#is-canonical).
 *
 * @throws PolypackError for bytes that aren't valid
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
