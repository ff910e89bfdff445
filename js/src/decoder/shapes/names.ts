// Names that come again: keys of maps and names of records, found by their bytes.
//
// Plan: Name · NameCache: find, learn, grow · the hash.
//
// Messages repeat few names many times. A name that is known by its bytes needs no new string, and the engine has
// already looked up the old one as a property. Names of 3 to 31 bytes (fixstr) are compared, head included, as 32-bit
// words, of which the last may overlap the one before. A name is stored when it comes the second time, so names that
// never repeat cost only a hash. A name has two slots to be in: input can fill only a limited memory, and names that
// are made to collide merely aren't found.

/** Slots, powers of two: at first, and after FEW_NAMES names. A full cache of MANY_SLOTS takes about 200 KB. */
const FEW_SLOTS = 32;
const FEW_NAMES = 24;
const MANY_SLOTS = 1024;

/** Bits of the hash above this one select the second slot of a name. */
const SECOND = 16;

/**
 * Names with at most this many bytes, head included, are covered by their first and last word; or by their first and
 * last two words.
 */
const TWO_WORDS = 8;
const FOUR_WORDS = 16;

/** A name and its bytes. */
export class Name {
  readonly text: string;
  readonly hash: number;
  /** The first four bytes, head included, and the last four. */
  readonly first: number;
  readonly last: number;
  /** The words next to those two, if there are more than eight bytes. */
  readonly second: number;
  readonly third: number;
  /** The words between those four, if there are more than sixteen bytes. */
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

/** Names that came before. They change how fast names are decoded, never what they are, so Decoders may share them. */
export class NameCache {
  private slots: (Name | null)[] = new Array<Name | null>(FEW_SLOTS).fill(null);
  /** The number of slots less one. */
  private mask = FEW_SLOTS - 1;
  /** For each slot the hash of its latest unknown name. */
  private seen = new Int32Array(FEW_SLOTS);
  /** How many names came for the first time. */
  private unknown = 0;

  /**
   * Returns the name of at least three bytes whose fixstr, head included, starts at `start`; null if it isn't known.
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

  /** Stores a name that wasn't found, if it has come before. Returns its hash. */
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
   * A name whose slot is taken goes to its second slot. Of 270 names in 1,024 slots that loses 4; without it 59 would
   * be lost.
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

/** Hashes a name by its first four bytes, head included, and its last four. */
function hashOf(first: number, last: number): number {
  const hash = Math.imul(first ^ (last << 7) ^ (last >>> 13), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
