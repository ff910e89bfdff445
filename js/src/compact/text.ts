// UTF-8 to strings (spec/02-wire.md#str).

/** Below this many bytes ASCII by code units beats the call into TextDecoder. */
const SHORT = 32;

const UTF8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 exactly.
 *
 * @throws TypeError when the bytes are not UTF-8; what the engine throws for text beyond its limit
 */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  const { fromCharCode } = String;
  let all = end - start < SHORT ? 0 : 0x80;
  for (let at = start; at < end && all < 0x80; at++) all |= bytes[at] as number;
  if (all >= 0x80) return UTF8.decode(bytes.subarray(start, end));
  let text = '';
  let at = start;
  // Many characters in one call are one string; one by one, each would be a string of its own.
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
  for (; at < end; at++) text += fromCharCode(bytes[at] as number);
  return text;
}
