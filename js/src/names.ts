// Names that come again: keys of maps and names of records, by their bytes.
//
// Plan: Name · NameCache: find, learn, grow · the hash.
//
// Messages repeat few names many times. A name that is known by its bytes need not be made again, and the engine has looked up
// its own string for the name already. Names of 3 to 31 bytes (fixstr) are compared with their head as 32-bit words, the
// last of which may overlap the one before. A name is kept when it is seen the second time: names that never repeat cost no more than
// a hash. A slot holds the latest name of its hash, so what input can fill is bounded, and names made to collide only find no help.

/** Slots, powers of two: of a new cache, and of one that has met more than a few names. Full, the latter has some 150 KB. */
const FEW_SLOTS = 32;
const FEW_NAMES = 24;
const MANY_SLOTS = 1024;

/** A name and its bytes. */
class Name {
  readonly text: string;
  /** The first four bytes, of which one is the head, and the last four. */
  readonly first: number;
  readonly last: number;
  /** The words between. */
  readonly middle: Int32Array | null;

  constructor(text: string, view: DataView, start: number, end: number) {
    this.text = text;
    this.first = view.getInt32(start);
    this.last = view.getInt32(end - 4);
    const count = (end - start - 5) >> 2;
    this.middle = count <= 0 ? null : new Int32Array(count);
    for (let index = 0; index < count; index++)
      (this.middle as Int32Array)[index] = view.getInt32(start + 4 + 4 * index);
  }
}

/** Names seen before. It changes how fast names are decoded and never what they are, so Readers may share it. */
export class NameCache {
  #slots: (Name | null)[] = new Array<Name | null>(FEW_SLOTS).fill(null);
  /** The hash of the latest name of each slot. */
  #seen = new Int32Array(FEW_SLOTS);
  /** Names that were seen for the first time. */
  #unknown = 0;

  /** The name of at least three bytes that is at `start` as a fixstr, head included; null when it is not known. */
  find(view: DataView, start: number, first: number, last: number, hash: number): string | null {
    const slots = this.#slots;
    const name = slots[hash & (slots.length - 1)] as Name | null;
    if (name === null || name.first !== first || name.last !== last) return null;
    return name.middle === null || isAt(name.middle, view, start + 4) ? name.text : null;
  }

  /** Remembers a name that was not found; returns the string to use for it. */
  learn(view: DataView, start: number, end: number, hash: number, text: string): string {
    const slot = hash & (this.#slots.length - 1);
    if (this.#seen[slot] === hash) {
      const name = new Name(text, view, start, end);
      this.#slots[slot] = name;
      return name.text;
    }
    this.#seen[slot] = hash;
    if (++this.#unknown === FEW_NAMES) this.#grow();
    return text;
  }

  #grow(): void {
    const few = this.#slots;
    this.#slots = new Array<Name | null>(MANY_SLOTS).fill(null);
    this.#seen = new Int32Array(MANY_SLOTS);
    for (const name of few) {
      if (name !== null) this.#slots[nameHash(name.first, name.last) & (MANY_SLOTS - 1)] = name;
    }
  }
}

function isAt(words: Int32Array, view: DataView, start: number): boolean {
  for (let index = 0; index < words.length; index++) {
    if (view.getInt32(start + 4 * index) !== words[index]) return false;
  }
  return true;
}

/** The hash of a name of at least three bytes by its first four, of which one is the head, and its last four. */
export function nameHash(first: number, last: number): number {
  const hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(last, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
