// Converts text between JavaScript strings and UTF-8 (spec/02-wire.md#str).
//
// Plan: decoding, short ASCII first · code units · well-formedness · encoding · short names as str.
//
// Callers decide what to do with ill-formed text: invalid UTF-8 or lone surrogates. Most of them refuse it.
//
// The TextDecoders here can be shared, because `decode` without the option `stream` keeps no state between calls.

import { FIXSTR, LONGEST_FIXSTR } from './format.ts';
import { coderOf } from './host.ts';

/** Below this many bytes, decoding ASCII by code units is faster than calling TextDecoder (measured in V8). */
const SHORT = 32;

const UTF8 = /* @__PURE__ */ coderOf('TextDecoder', 'utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 strictly. Returns null if the bytes aren't UTF-8. Throws the engine's error if the text is too long for
 * a string.
 */
export function decodeText(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start < SHORT && isAscii(bytes, start, end)) return codeUnits(bytes, start, end);
  return decodeLongText(bytes, start, end);
}

/** Decodes bytes that aren't valid UTF-8. Each invalid sequence becomes U+FFFD. */
export function replacedText(bytes: Uint8Array, start: number, end: number): string {
  return coderOf('TextDecoder', 'utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 0;
  for (let at = start; at < end; at++) all |= bytes[at] as number;
  return all < 0x80;
}

function decodeLongText(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return UTF8.decode(bytes.subarray(start, end));
  } catch (error) {
    // By the Encoding standard, a TypeError means that the bytes aren't UTF-8. Text beyond the engine's limit throws
    // another error.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Decodes bytes 80–9f by windows-1252, and every other byte to the character with the same code. Different bytes become
 * different characters.
 */
const LATIN1 = /* @__PURE__ */ coderOf('TextDecoder', 'latin1');

/**
 * String.fromCharCode. A function marked as pure reads the property, because bundlers can drop an unused pure call, but
 * not an unused read of a property.
 */
export const fromCharCode: typeof String.fromCharCode = /* @__PURE__ */ methodOf(String);

function methodOf(host: StringConstructor): typeof String.fromCharCode {
  return host.fromCharCode;
}

/** Returns text with one character for each byte. Different bytes give different texts, and ASCII stays ASCII. */
export function codeUnits(bytes: Uint8Array, start: number, end: number): string {
  if (end - start >= SHORT) return LATIN1.decode(bytes.subarray(start, end));
  let text = '';
  let at = start;
  // One call of fromCharCode makes one string of several characters. Appending single characters would make one string
  // for each.
  for (; end - at >= 8; at += 8) {
    text += fromCharCode(
      bytes[at] as number,
      bytes[at + 1] as number,
      bytes[at + 2] as number,
      bytes[at + 3] as number,
      bytes[at + 4] as number,
      bytes[at + 5] as number,
      bytes[at + 6] as number,
      bytes[at + 7] as number,
    );
  }
  for (; end - at >= 3; at += 3) {
    text += fromCharCode(bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number);
  }
  for (; at < end; at++) text += fromCharCode(bytes[at] as number);
  return text;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a string has no lone surrogate, so that it can be written as UTF-8. */
export function isWellFormed(text: string): boolean {
  // Newer engines have this method, which is three times as fast as the regular expression.
  const { isWellFormed: method } = text as { isWellFormed?: () => boolean };
  return method === undefined ? !LONE_SURROGATE.test(text) : method.call(text);
}

export const ENCODER = /* @__PURE__ */ coderOf('TextEncoder');

/** Returns the UTF-8 of a text. A lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/**
 * Returns a name encoded as fixstr. Returns an empty array if the name has more than LONGEST_FIXSTR bytes or a lone
 * surrogate.
 */
export function strBytes(name: string): Uint8Array {
  const { length } = name;
  if (length > LONGEST_FIXSTR) return NO_BYTES;
  const bytes = new Uint8Array(1 + length);
  bytes[0] = FIXSTR | length;
  let all = 0;
  for (let index = 0; index < length; index++) {
    const unit = name.charCodeAt(index);
    all |= unit;
    bytes[1 + index] = unit;
  }
  return all < 0x80 ? bytes : otherStrBytes(name);
}

function otherStrBytes(name: string): Uint8Array {
  const utf8 = utf8Bytes(name);
  if (utf8.length > LONGEST_FIXSTR || !isWellFormed(name)) return NO_BYTES;
  const bytes = new Uint8Array(1 + utf8.length);
  bytes[0] = FIXSTR | utf8.length;
  bytes.set(utf8, 1);
  return bytes;
}
