// Text between JavaScript strings and UTF-8 (spec/02-wire.md#str).
//
// Plan: decoding, short ASCII first · well-formedness.
//
// The decoders here keep nothing between calls: `decode` without `stream` starts afresh.

/** Below this many bytes a loop over ASCII beats the call into TextDecoder. */
const SHORT = 24;

const UTF8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 exactly; null when the bytes are not UTF-8. Fails with what the engine throws for text beyond its limit. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start < SHORT) {
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) return decodeLongText(bytes, start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return decodeLongText(bytes, start, end);
}

function decodeLongText(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return UTF8.decode(bytes.subarray(start, end));
  } catch (error) {
    // The Encoding standard's one error for bytes that are not UTF-8; text that no string can hold is another.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a string can be written as UTF-8: it has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
