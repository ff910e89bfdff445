// Caches repeated names (str keys of maps and names of records), and finds them by their bytes. `lonelyText` in
// ../str.ts also stores short texts here.
//
// Plan: Name · NameCache: find, learn, grow · the hash.
//
// Messages repeat few names many times. A known name needs no new string, and the engine has already looked up the old
// string as a property name. Names of 3 to 31 bytes (fixstr) are compared as 32-bit words, head included. The last word
// may overlap the one before. A name is stored only when it occurs again, so names that never repeat cost only a hash.
// The number of slots is limited, and each name has only two possible slots. So hostile input takes a limited amount of
// memory, and names chosen to collide only replace each other.

/**
 * The cache starts with FEW_SLOTS slots and grows to MANY_SLOTS once it has seen FEW_NAMES new names. FEW_SLOTS and
 * MANY_SLOTS are powers of two. A full cache of MANY_SLOTS takes about 200 kB of memory.
 */
const FEW_SLOTS = 32;
const FEW_NAMES = 24;
const MANY_SLOTS = 1024;

/** From this bit on, the hash selects the second slot of a name. */
const SECOND = 16;

/**
 * Names of at most TWO_WORDS bytes, head included, are covered by their first and last word. Names of at most
 * FOUR_WORDS bytes are covered by the first two and the last two words.
 */
const TWO_WORDS = 8;
const FOUR_WORDS = 16;

/** A name and its bytes. */
export class Name {
  readonly text: string;
  readonly hash: number;
  /** The first four bytes, including the head, and the last four. */
  readonly first: number;
  readonly last: number;
  /** The second word and the second-to-last word, if there are more than eight bytes; else 0. */
  readonly second: number;
  readonly third: number;
  /** The words between `second` and `third`, if there are more than sixteen bytes; else null. */
  readonly middle: Int32Array | null;

  constructor(text: string, hash: number, view: DataView, start: number, end: number) {
    const length = end - start;
    this.text = text;
    this.hash = hash;
    this.first = view.getInt32(start);
    this.last = view.getInt32(end - 4);
    this.second = length > TWO_WORDS ? view.getInt32(start + 4) : 0;
    this.third = length > TWO_WORDS ? view.getInt32(end - 8) : 0;
    this.middle = length > FOUR_WORDS ? new Int32Array((length - 13) >> 2) : null;
    for (let index = 0; 4 * index < length - FOUR_WORDS; index++) {
      (this.middle as Int32Array)[index] = view.getInt32(start + TWO_WORDS + 4 * index);
    }
  }
}

/** Caches names. The cache affects the speed of decoding, never the result, so Decoders may share it. */
export class NameCache {
  private slots: (Name | null)[] = new Array<Name | null>(FEW_SLOTS).fill(null);
  /** The number of slots minus one. */
  private mask = FEW_SLOTS - 1;
  /** For each slot, the hash of its latest unknown name. */
  private seen = new Int32Array(FEW_SLOTS);
  /** How many names weren't in `seen`. */
  private unknown = 0;

  /**
   * Returns the name whose fixstr is at `start`; null if it isn't known. The name must have at least three bytes.
   */
  find(view: DataView, start: number, end: number): Name | null {
    const { slots, mask } = this;
    const first = view.getInt32(start);
    const last = view.getInt32(end - 4);
    const hash = hashOf(first, last);
    let name = slots[hash & mask] as Name | null;
    if (name === null) return null;
    if (name.first !== first || name.last !== last) {
      name = slots[(hash >>> SECOND) & mask] as Name | null;
      if (name === null || name.first !== first || name.last !== last) return null;
    }
    if (end - start <= TWO_WORDS) return name;
    if (view.getInt32(start + 4) !== name.second || view.getInt32(end - 8) !== name.third) return null;
    return name.middle === null || isMiddle(name.middle, view, start + TWO_WORDS) ? name : null;
  }

  /** Called for a name that `find` didn't find. Stores it if it has occurred before. Returns its hash. */
  learn(view: DataView, start: number, end: number, text: string): number {
    const hash = hashOf(view.getInt32(start), view.getInt32(end - 4));
    const slot = hash & this.mask;
    if (this.seen[slot] === hash) {
      this.add(new Name(text, hash, view, start, end));
      return hash;
    }
    this.seen[slot] = hash;
    if (++this.unknown === FEW_NAMES) this.grow();
    return hash;
  }

  /**
   * Stores a name in its first slot, or in its second slot if only that one is free. With one slot per name, 59 of 270
   * names would evict each other from 1,024 slots (docs/measurements/js-decoder.md).
   */
  private add(name: Name): void {
    const { slots, mask } = this;
    const first = name.hash & mask;
    const second = (name.hash >>> SECOND) & mask;
    slots[slots[first] !== null && slots[second] === null ? second : first] = name;
  }

  private grow(): void {
    const few = this.slots;
    this.slots = new Array<Name | null>(MANY_SLOTS).fill(null);
    this.mask = MANY_SLOTS - 1;
    this.seen = new Int32Array(MANY_SLOTS);
    for (const name of few) if (name !== null) this.add(name);
  }
}

/** Whether the words of a name between its first and last eight bytes are at `at`. */
function isMiddle(middle: Int32Array, view: DataView, at: number): boolean {
  for (let index = 0; index < middle.length; index++) {
    if (view.getInt32(at + 4 * index) !== middle[index]) return false;
  }
  return true;
}

/** Hashes a name by its first four bytes, including the head, and its last four. */
function hashOf(first: number, last: number): number {
  const hash = Math.imul(first ^ (last << 7) ^ (last >>> 13), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
