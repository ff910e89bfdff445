// Ext type −1 (spec/04-timestamp.md): moments with nanoseconds.
//
// Plan: Timestamp · conversion from milliseconds · layout of the three forms: choosing, writing, reading
// (getTimestamp).
//
// The decoders (decoder/decoder.ts, decoder/first.ts, compact/decoder.ts) choose what a timestamp decodes to. The
// compact codec imports the class Timestamp from index.ts, so that programs get the class only once. From this file it
// imports only what doesn't use the class.

import { PolypackError } from './errors.ts';
import { lengthOf } from './views.ts';

export const TWO_32 = 0x1_0000_0000;
const TWO_34 = 0x4_0000_0000;
const MAX_NANOSECONDS = 999_999_999;

/**
 * A moment: seconds since 1970-01-01T00:00:00Z, and nanoseconds that always count forward. Holds every MessagePack
 * timestamp; `Date` has only milliseconds and a smaller range.
 */
export class Timestamp {
  /** −2⁶³ … 2⁶³−1. A number if it is a safe integer, otherwise a bigint, so equal moments have equal members. */
  readonly seconds: number | bigint;
  /** 0 … 999 999 999 */
  readonly nanoseconds: number;

  /**
   * @throws PolypackError `out_of_range` if a member isn't an integer in its range, or `seconds` is a number that isn't
   *   a safe integer
   */
  constructor(seconds: number | bigint, nanoseconds = 0) {
    const isInt64 =
      typeof seconds === 'bigint' ? BigInt.asIntN(64, seconds) === seconds : Number.isSafeInteger(seconds);
    if (!isInt64) failMember('seconds', seconds);
    if (!Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds > MAX_NANOSECONDS) {
      failMember('nanoseconds', nanoseconds);
    }
    const number = Number(seconds);
    this.seconds = Number.isSafeInteger(number) ? number + 0 : seconds;
    this.nanoseconds = nanoseconds + 0;
  }

  /** @throws PolypackError `out_of_range` for an invalid Date */
  static fromDate(date: Date): Timestamp {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) throw new PolypackError('out_of_range', 'an invalid Date is no moment');
    return timestampOf(milliseconds);
  }

  /**
   * Returns the moment as a Date, floored to milliseconds: −1 ns becomes 1969-12-31T23:59:59.999Z.
   *
   * @throws PolypackError `out_of_range` outside ±8.64·10¹⁵ ms, the range of Date
   */
  toDate(): Date {
    const date = dateOf(this);
    if (date === null) throw new PolypackError('out_of_range', 'the moment does not fit a Date');
    return date;
  }
}

function timestampOf(milliseconds: number): Timestamp {
  const seconds = secondsOf(milliseconds);
  return new Timestamp(seconds, nanosecondsOf(milliseconds, seconds));
}

function failMember(name: string, value: unknown): never {
  throw new PolypackError('out_of_range', `${name} of a Timestamp are out of range: ${String(value)}`);
}

/** Returns the Date of a moment, floored to milliseconds; null if it is outside the range of Date. */
export function dateOf({ seconds, nanoseconds }: Timestamp): Date | null {
  // Within the range of Date, milliseconds are safe integers.
  const date = new Date(Number(seconds) * 1000 + Math.floor(nanoseconds / 1_000_000));
  return Number.isNaN(date.getTime()) ? null : date;
}

// --- milliseconds ----------------------------------------------------------------------------------------------------

/** Returns the whole seconds, floored, of a moment given in milliseconds. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Returns what a moment has beyond its whole `seconds`, in nanoseconds. */
export function nanosecondsOf(milliseconds: number, seconds: number): number {
  return (milliseconds - seconds * 1000) * 1_000_000;
}

// --- layout ----------------------------------------------------------------------------------------------------------

/** Returns the length in bytes of the shortest form that holds the moment. */
export function timestampLength(seconds: number | bigint, nanoseconds: number): 4 | 8 | 12 {
  if (seconds < 0 || seconds >= TWO_34) return 12;
  return nanoseconds === 0 && seconds < TWO_32 ? 4 : 8;
}

/** Writes the moment in the form of `length` bytes. The caller ensures that the moment fits this form. */
export function putTimestamp(
  view: DataView,
  offset: number,
  length: 4 | 8 | 12,
  seconds: number | bigint,
  nanoseconds: number,
): void {
  if (length === 12) {
    view.setUint32(offset, nanoseconds);
    view.setBigInt64(offset + 4, BigInt(seconds));
    return;
  }
  const low = Number(seconds);
  if (length === 4) {
    view.setUint32(offset, low);
    return;
  }
  // The layout is 30 bits of nanoseconds, then 34 bits of seconds. So the upper word ends with the top two bits of the
  // seconds.
  view.setUint32(offset, nanoseconds * 4 + Math.floor(low / TWO_32));
  view.setUint32(offset + 4, low % TWO_32);
}

/** Reads a moment of `length` bytes. Returns null if the length or the nanoseconds are invalid (spec/04#invalid). */
export function getTimestamp(view: DataView, offset: number, length: number): Timestamp | null {
  const nanoseconds = getNanoseconds(view, offset, length);
  return nanoseconds > MAX_NANOSECONDS ? null : new Timestamp(getSeconds(view, offset, length), nanoseconds);
}

/**
 * Reads the nanoseconds of a moment of `length` bytes. Returns a number above 999 999 999 if the nanoseconds or the
 * length are invalid.
 */
export function getNanoseconds(view: DataView, offset: number, length: number): number {
  if (length === 12) return view.getUint32(offset);
  return length === 4 ? 0 : length === 8 ? view.getUint32(offset) >>> 2 : TWO_32;
}

/** Reads the seconds of a moment of 4, 8 or 12 bytes. */
export function getSeconds(view: DataView, offset: number, length: number): number | bigint {
  if (length === 12) return view.getBigInt64(offset + 4);
  return length === 4 ? view.getUint32(offset) : (view.getUint32(offset) & 3) * TWO_32 + view.getUint32(offset + 4);
}

/** Reads a moment from the data of an ext value. Returns null if the data isn't a valid timestamp. */
export function momentOf(data: Uint8Array): Timestamp | null {
  const length = lengthOf(data);
  return getTimestamp(new DataView(data.buffer, data.byteOffset, length), 0, length);
}
