// Names that come again: keys of maps and names of records, by their bytes.
//
// Plan: NameCache · comparing a name with bytes.
//
// Messages repeat few names many times. A name that is known by its bytes need not be made again, and the engine has looked up
// its own string for the name already. Only ASCII is kept: there, characters are bytes. A
// slot holds the latest name of its hash, so what input can fill is bounded, and names made to collide only find no help.

import { decodeText } from './text.ts';

/** A power of two. With names of at most 31 bytes a full cache has some 30 KB. */
const SLOT_COUNT = 512;

/** Names seen before. It changes how fast names are decoded and never what they are, so Readers may share it. */
export class NameCache {
  #slots: string[] | null = null;

  /** Decodes a name of at most 31 bytes; null when it is not UTF-8. */
  decode(bytes: Uint8Array, start: number, end: number): string | null {
    this.#slots ??= new Array<string>(SLOT_COUNT).fill('');
    const slots = this.#slots;
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash, 31) ^ (bytes[at] as number);
    hash = (hash ^ (hash >>> 8)) & (SLOT_COUNT - 1);
    const known = slots[hash] as string;
    if (isText(known, bytes, start, end)) return known;
    const text = decodeText(bytes, start, end);
    if (text === null || text.length !== end - start) return text;
    slots[hash] = text;
    return text;
  }
}

function isText(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
