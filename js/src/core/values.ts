// Values that JavaScript has no type for.
//
// Plan: ExtData · Float · C1 · Encoded, MessageSettings. Timestamp is in timestamp.ts.

import { PolypackError } from './errors.ts';

/** Whether a value is a Uint8Array, such as a Buffer. It may come from another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  if (value instanceof Uint8Array) return true; // also one whose class has another tag
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** An ext value of an unregistered type (spec/03-extensions.md). It is encoded unchanged. */
export class ExtData {
  /** The extension type, −128 … 127. */
  readonly type: number;
  readonly data: Uint8Array;

  /**
   * @throws PolypackError `out_of_range` for a type outside −128 … 127
   * @throws TypeError if data isn't a Uint8Array
   */
  constructor(type: number, data: Uint8Array) {
    if (type !== (type << 24) >> 24) {
      throw new PolypackError('out_of_range', `extension type ${String(type)} is not an integer from -128 to 127`);
    }
    if (!isBytes(data)) throw new TypeError('the data of an ExtData must be a Uint8Array');
    this.type = type;
    this.data = data;
  }
}

/**
 * A number that is written as a float even if it is integral: by default `new Float(1)` is `cb 3f f0 …`, while `1` is
 * `01`. Only the option `integralFloatsAsInts` of canonical form makes it an int. Lossless mode decodes floats that are
 * safe integers, except −0, to a Float. Every mode decodes the key −0 of a Map to a Float (spec/09#lossless). In
 * arithmetic a Float behaves like its number.
 */
export class Float {
  readonly value: number;

  /** @throws TypeError if value isn't a number */
  constructor(value: number) {
    if (typeof value !== 'number') throw new TypeError('the value of a Float must be a number');
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }

  toJSON(): number {
    return this.value;
  }

  toString(): string {
    return String(this.value);
  }
}

class ReservedByte {
  get [Symbol.toStringTag](): string {
    return 'MessagePack 0xc1';
  }
}

/** Stands for the byte `c1`, which isn't a MessagePack value. Reading or writing it needs `compat: 'msgpackr'`. */
export const C1: object = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ new ReservedByte());

/** The settings of a message that matter for encoded values in it. An interface, because core/ imports no options. */
export interface MessageSettings {
  readonly mode: 'default' | 'strict' | 'lossless';
  /** Whether the message may have records, so that 40–7f may be ids instead of ints. */
  readonly inline: boolean;
  readonly limits: { readonly maxDepth: number };
}

/** A value that is already encoded, such as `Raw`. */
export abstract class Encoded {
  /**
   * Returns the bytes of the value, with its records written as maps.
   *
   * @param message the settings of the message that the bytes go into
   * @param depth how many containers are open around the value
   * @throws Fault if the bytes aren't exactly one valid value, or exceed a limit such as maxDepth
   * @internal
   */
  abstract plainBytes(message: MessageSettings, depth: number): Uint8Array;
  /**
   * Decodes the value in lossless mode; see `plainBytes` for the parameters.
   *
   * @throws Fault if the bytes aren't exactly one valid value, or exceed a limit
   * @internal
   */
  abstract toValue(message: MessageSettings, depth: number): unknown;
}
