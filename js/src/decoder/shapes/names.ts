// Names that come again: keys of maps and names of records, by their bytes.
//
// Plan: Name · NameCache: find, learn, grow · the hash.
//
// Messages repeat few names many times. A name that is known by its bytes need not be made again, and the engine has looked up
// its own string for the name already. Names of 3 to 31 bytes (fixstr) are compared with their head as 32-bit words, the
// last of which may overlap the one before. A name is kept when it is seen the second time: names that never repeat cost no more than
// a hash. A name has two slots where it may be, so what input can fill is bounded, and names made to collide only find no help.

/** Slots, powers of two: of a new cache, and of one that has met more than a few names. Full, the latter has some 200 KB. */
const FEW_SLOTS = 32;
const FEW_NAMES = 24;
const MANY_SLOTS = 1024;

/** Behind how many bits of a hash those are that say where a name is looked for that is not in the slot of its hash. */
const SECOND = 16;

/** Bytes, head included, of which the first four and the last four are all; and those of which the eight at each end are. */
const TWO_WORDS = 8;
const FOUR_WORDS = 16;

/** A name and its bytes. */
export class Name {
  readonly text: string;
  readonly hash: number;
  /** The first four bytes, of which one is the head, and the last four. */
  readonly first: number;
  readonly last: number;
  /** The words beside those two, if there are more than eight bytes. */
  readonly second: number;
  readonly third: number;
  /** The words between those four, if there are more than sixteen. */
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

/** Names seen before. It changes how fast names are decoded and never what they are, so Decoders may share it. */
export class NameCache {
  private slots: (Name | null)[] = new Array<Name | null>(FEW_SLOTS).fill(null);
  /** One less than there are slots. */
  private mask = FEW_SLOTS - 1;
  /** The hash of the latest name of each slot that was not known. */
  private seen = new Int32Array(FEW_SLOTS);
  /** Names that were seen for the first time. */
  private unknown = 0;

  /** The name of at least three bytes that is at `start` as a fixstr, head included; null when it is not known. */
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

  /** Remembers a name that was not found. Returns its hash. */
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

  /** A slot that is taken sends a name to its second one: of 270 names in 1024 slots that leaves 4, and 59 without it. */
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

/** Whether the words of a name that are between the eight bytes at each end are at `at`. */
function isMiddle(middle: Int32Array, view: DataView, at: number): boolean {
  for (let index = 0; index < middle.length; index++) {
    if (view.getInt32(at + 4 * index) !== middle[index]) return false;
  }
  return true;
}

/** The hash of a name by its first four bytes, of which one is the head, and its last four. */
function hashOf(first: number, last: number): number {
  const hash = Math.imul(first ^ (last << 7) ^ (last >>> 13), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
