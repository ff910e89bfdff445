// Makes strings from bytes and code units in the fastest way that the host offers.
//
// Plan: TextPlatform · any host · hosts with Node's Buffer · choosing a platform.
//
// The functions of a host are read from globalThis, never imported, so that bundlers don't add polyfills. For ASCII
// bytes and for code units, the result is the same on every host.

import { coderOf } from '../../core/host.ts';
import { fromCharCode } from '../../core/text.ts';
import type { Transcoder } from './transcoder.ts';

interface TextPlatform {
  /**
   * Returns text with one character per byte. An ASCII byte becomes its character. Any other byte becomes an arbitrary
   * character.
   *
   * @param view a view of the same bytes
   * @param scratch memory for at least `end − start` bytes, which this call may overwrite
   */
  ascii(bytes: Uint8Array, view: DataView, start: number, end: number, scratch: Transcoder): string;
  /** Returns the text of the first `count` code units in `transcoder.units`. */
  units(transcoder: Transcoder, count: number): string;
  /** Tells whether all bytes are ASCII; null if the host has no fast function for it. */
  readonly isAscii: ((bytes: Uint8Array) => boolean) | null;
  /** Texts with at least this many bytes are made one by one, not cut out of a longer string (decoder/str.ts). */
  readonly long: number;
  /**
   * Whether ASCII texts are usually made from character codes. On such a host this is faster than cutting them out of a
   * longer string (decoder/str.ts).
   */
  readonly spells: boolean;
  /**
   * Text that isn't ASCII is decoded by TextDecoder if it has more bytes than this, otherwise usually by the
   * Transcoder. The number must not exceed MOST_TRANSCODED.
   */
  readonly mostTranscoded: number;
}

const DECODER = /* @__PURE__ */ coderOf('TextDecoder');

/**
 * The platform for any host. `long` and `mostTranscoded` suit Chromium, where a call of TextDecoder costs about 300 ns,
 * and `String.fromCharCode` about 2 ns per character.
 */
const anyHost: TextPlatform = {
  ascii(bytes, view, start, end, scratch) {
    // TextDecoder is fast only for ASCII, but there may be other bytes, such as heads of values. So clear the top bit
    // of every byte first.
    const count = end - start;
    const { view: words } = scratch;
    let at = 0;
    for (; count - at >= 16; at += 16) {
      words.setInt32(at, view.getInt32(start + at, true) & 0x7f7f7f7f, true);
      words.setInt32(at + 4, view.getInt32(start + at + 4, true) & 0x7f7f7f7f, true);
      words.setInt32(at + 8, view.getInt32(start + at + 8, true) & 0x7f7f7f7f, true);
      words.setInt32(at + 12, view.getInt32(start + at + 12, true) & 0x7f7f7f7f, true);
    }
    for (; at < count; at++) scratch.bytes[at] = (bytes[start + at] as number) & 0x7f;
    return DECODER.decode(scratch.bytes.subarray(0, count));
  },

  units({ units }, count) {
    // Make one call, because concatenation would make a tree of strings. Pass an array, because `apply` is slow with
    // typed arrays.
    const list = new Array<number>(count);
    for (let index = 0; index < count; index++) list[index] = units[index] as number;
    return fromCharCode.apply(null, list);
  },

  isAscii: null,
  long: 128,
  spells: true,
  mostTranscoded: 128,
};

/** The methods of Node's Buffer that are used here. They work on any Uint8Array. */
interface BufferMethods {
  latin1Slice(start: number, end: number): string;
  ucs2Slice(start: number, end: number): string;
}

function bufferHost(
  { latin1Slice, ucs2Slice }: BufferMethods,
  isAscii: TextPlatform['isAscii'],
  mostTranscoded: number,
): TextPlatform {
  return {
    ascii: (bytes, _view, start, end) => latin1Slice.call(bytes, start, end),
    units: ({ bytes, all, units }, count) => {
      if (all >= 0x100) return ucs2Slice.call(bytes, 0, 2 * count);
      // All code units fit in a byte here. A string with one byte per character takes half the memory.
      for (let index = 0; index < count; index++) bytes[index] = units[index] as number;
      return latin1Slice.call(bytes, 0, count);
    },
    isAscii,
    long: 512,
    spells: false,
    mostTranscoded,
  };
}

/** From this major version of Node on, TextDecoder is also fast for text that isn't ASCII. */
const QUICK_NODE = 24;

interface Process {
  readonly versions?: { readonly node?: string };
  getBuiltinModule?(name: string): { readonly isAscii?: unknown } | undefined;
}

/**
 * Returns `isAscii` of Node's module `buffer`; null if it is missing or doesn't work. Needs `getBuiltinModule`, which
 * exists since Node 20.16 and 22.3.
 */
function asciiTest(process: Process | undefined): TextPlatform['isAscii'] {
  const isAscii = process?.getBuiltinModule?.('buffer')?.isAscii;
  if (typeof isAscii !== 'function' || isAscii(Uint8Array.of(0x80)) !== false) return null;
  return isAscii(Uint8Array.of(0x7f)) === true ? (isAscii as TextPlatform['isAscii']) : null;
}

/** Chooses the fastest functions that the host has. Returns `anyHost` if Buffer's methods are missing or fail. */
function choosePlatform(): TextPlatform {
  const { Buffer, process } = globalThis as {
    Buffer?: { readonly prototype?: Partial<BufferMethods> };
    process?: Process;
  };
  const { latin1Slice, ucs2Slice } = Buffer?.prototype ?? {};
  if (typeof latin1Slice !== 'function' || typeof ucs2Slice !== 'function') return anyHost;
  let isAscii: TextPlatform['isAscii'];
  try {
    isAscii = asciiTest(process);
    const sample = new Uint8Array(Uint16Array.of(0x61, 0x6771).buffer);
    if (latin1Slice.call(sample, 0, 1) !== 'a' || ucs2Slice.call(sample, 0, 4) !== 'a東') return anyHost;
  } catch {
    return anyHost;
  }
  const isQuick = Number.parseInt(process?.versions?.node ?? '', 10) >= QUICK_NODE;
  return bufferHost({ latin1Slice, ucs2Slice }, isAscii, isQuick ? 48 : 4096);
}

export const TEXT_PLATFORM: TextPlatform = /* @__PURE__ */ choosePlatform();
