// Strings from bytes and code units, by the quickest means of the host.
//
// Plan: TextPlatform · of any host · of hosts with Node's Buffer · which one it is.
//
// A host's means are asked for by name on globalThis, never imported: bundlers find nothing here to put in its place. Whatever
// the host, the strings are the same.

import { fromCharCode } from '../../core/text.ts';
import type { Transcoder } from './transcoder.ts';

interface TextPlatform {
  /**
   * Text in which every ASCII byte is itself and every other byte one character, whichever.
   *
   * @param view of the same bytes
   * @param scratch memory for `end − start` bytes, which it may overwrite
   */
  ascii(bytes: Uint8Array, view: DataView, start: number, end: number, scratch: Transcoder): string;
  /** The text of the code units that were transcoded last. */
  units(transcoder: Transcoder, count: number): string;
  /** Whether all bytes are ASCII, where the host has a quick answer for many. */
  readonly isAscii: ((bytes: Uint8Array) => boolean) | null;
  /** Texts of at least so many bytes are not worth a place in the window. */
  readonly long: number;
  /** Whether most ASCII is faster to spell, character by character, than to cut out of a window. */
  readonly spells: boolean;
  /** Texts of more bytes that are not ASCII are faster to decode by TextDecoder. */
  readonly mostTranscoded: number;
}

const DECODER = /* @__PURE__ */ new TextDecoder();

/** In Chromium a call of TextDecoder costs as much as some 60 characters of a string that is made here. */
const anyHost: TextPlatform = {
  ascii(bytes, view, start, end, scratch) {
    // It is quick for ASCII alone, and heads of values are none: so the bytes are made ASCII first.
    const count = end - start;
    const { view: words } = scratch;
    let at = 0;
    // Four words at a time, in the order of most machines.
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
    // All in one call: parts would make a string of strings, and a typed array is slow to spread.
    const list = new Array<number>(count);
    for (let index = 0; index < count; index++) list[index] = units[index] as number;
    return fromCharCode.apply(null, list);
  },

  isAscii: null,
  long: 128,
  spells: true,
  mostTranscoded: 128,
};

/** The methods of Node's Buffer that are used here; they work on any Uint8Array. */
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
      // One byte for each character: half the memory, and quicker to compare with ASCII.
      for (let index = 0; index < count; index++) bytes[index] = units[index] as number;
      return latin1Slice.call(bytes, 0, count);
    },
    isAscii,
    long: 512,
    spells: false,
    mostTranscoded,
  };
}

/** Since Node 24, TextDecoder is quick for all text. */
const QUICK_NODE = 24;

interface Process {
  readonly versions?: { readonly node?: string };
  getBuiltinModule?(name: string): { readonly isAscii?: unknown } | undefined;
}

/** Node's own test, since versions 20.16 and 22.3. */
function asciiTest(process: Process | undefined): TextPlatform['isAscii'] {
  const isAscii = process?.getBuiltinModule?.('buffer')?.isAscii;
  if (typeof isAscii !== 'function' || isAscii(Uint8Array.of(0x80)) !== false) return null;
  return isAscii(Uint8Array.of(0x7f)) === true ? (isAscii as TextPlatform['isAscii']) : null;
}

/** What the host has; what does not work as in Node is left alone. */
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
