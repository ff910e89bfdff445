// Decodes UTF-8 to code units, for text that isn't ASCII (spec/02-wire.md#str).
//
// Plan: Transcoder: decode, one loop · sequences of four bytes.
//
// For short text this is faster than TextDecoder, because a call of TextDecoder has a high fixed cost. Which text is
// short depends on the host (`mostTranscoded` in platform.ts). The tests compare the results with TextDecoder's.

/** The most bytes that one call of `decode` accepts. A byte becomes at most one code unit. */
export const MOST_TRANSCODED = 4096;

export class Transcoder {
  /** The code units that the latest call of `decode` made. */
  readonly units: Uint16Array = new Uint16Array(MOST_TRANSCODED);
  /** The memory of `units` as bytes, to make strings from. platform.ts also uses it as scratch memory. */
  readonly bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(this.units.buffer);
  readonly view: DataView = /* @__PURE__ */ new DataView(this.units.buffer);
  /** The bitwise OR of all code units above 7f in the latest result; ffff if it has a surrogate pair. */
  all = 0;

  /**
   * Decodes at most MOST_TRANSCODED bytes of UTF-8 into `units`.
   *
   * @returns the number of code units; −1 if the bytes aren't UTF-8
   */
  decode(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const { units } = this;
    let at = start;
    let count = 0;
    let all = 0;
    while (at < end) {
      const first = bytes[at] as number;
      if (first < 0x80) {
        if (end - at >= 4) {
          const word = view.getInt32(at, true);
          if ((word & 0x80808080) === 0) {
            units[count] = word & 0x7f;
            units[count + 1] = (word >> 8) & 0x7f;
            units[count + 2] = (word >> 16) & 0x7f;
            units[count + 3] = word >> 24;
            count += 4;
            at += 4;
            continue;
          }
        }
        units[count++] = first;
        at++;
        continue;
      }
      if (first < 0xe0) {
        if (first < 0xc2 || end - at < 2) return -1;
        const second = (bytes[at + 1] as number) ^ 0x80;
        if (second > 0x3f) return -1;
        const unit = ((first & 0x1f) << 6) | second;
        all |= unit;
        units[count++] = unit;
        at += 2;
        continue;
      }
      if (first < 0xf0) {
        if (end - at < 3) return -1;
        const second = (bytes[at + 1] as number) ^ 0x80;
        const third = (bytes[at + 2] as number) ^ 0x80;
        const unit = ((first & 0x0f) << 12) | (second << 6) | third;
        // Refuse wrong continuation bytes, overlong forms and surrogates.
        if ((second | third) > 0x3f || unit < 0x800 || (unit & 0xf800) === 0xd800) return -1;
        all |= unit;
        units[count++] = unit;
        at += 3;
        continue;
      }
      if (end - at < 4) return -1;
      const point = astralAt(bytes, at);
      if (point < 0) return -1;
      all = 0xffff;
      units[count] = 0xd7c0 + (point >> 10);
      units[count + 1] = 0xdc00 | (point & 0x3ff);
      count += 2;
      at += 4;
    }
    this.all = all;
    return count;
  }
}

/** Returns the code point of a sequence of four bytes; −1 if it isn't valid UTF-8 for U+10000 … U+10FFFF. */
function astralAt(bytes: Uint8Array, at: number): number {
  const second = (bytes[at + 1] as number) ^ 0x80;
  const third = (bytes[at + 2] as number) ^ 0x80;
  const fourth = (bytes[at + 3] as number) ^ 0x80;
  const point = (((bytes[at] as number) & 0x0f) << 18) | (second << 12) | (third << 6) | fourth;
  const isValid = (bytes[at] as number) <= 0xf4 && (second | third | fourth) <= 0x3f;
  return isValid && point >= 0x10000 && point <= 0x10ffff ? point : -1;
}
