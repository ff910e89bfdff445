// Shapes of plain maps: the names that maps had before, in their order and as bytes, by which the next map is guessed.
//
// Plan: MapShape, its names as a program of words · MapShapes: lookup, learning, bounds.
//
// Messages repeat few shapes many times. Which shape a map has is guessed from its count and a hash of its first key, and
// while it is read every name is compared with the bytes, as 32-bit words: no string is made or looked up.
// A guess that fails costs nothing that was read; see ../objects.ts.
//
// A shape is learned when it has been seen OFTEN: before that there is a signature of its names, and how often it came. Learning
// costs about what so many guesses save, and a program that has just started is slowed down by everything it does for the
// first time. What input can fill is bounded; when it is full, shapes that did not come lately are forgotten for others.

import { FIXSTR, LONGEST_FIXSTR, STR8 } from '../../core/format.ts';
import { utf8Bytes } from '../../core/text.ts';
import type { ShapeRead } from '../../records/dictionary.ts';

/** Larger maps are rarely repeated. */
export const MOST_NAMES = 64;
/** Bytes of the names of a shape that is learned. */
export const MOST_NAME_BYTES = 2048;

/** Maps without a shape, after which it is forgotten how often each came: rare shapes are not worth learning. */
const LATELY = 16_384;

/** A shape is learned when it has come so often and once more. A power of two less one: the low bits of a signature are the count. */
const OFTEN = 31;

/** Slots, powers of two: of a new table, and of one that has met more than a few shapes. */
const FEW_SLOTS = 16;
const FEW_SHAPES = 12;
const MANY_SLOTS = 512;
/** Shapes with the same slot. */
const LONGEST_CHAIN = 8;
/** Shapes for which there is no room, until room is made for one. */
const PATIENCE = 256;
/** About how many bytes are kept. */
const MOST_KEPT = 524_288;

/** The names of a map. */
export class MapShape {
  readonly names: readonly string[];
  /** What the guess goes by: see `wordOf`. */
  readonly word: number;
  readonly count: number;
  /** For each name the number of its bytes, head included, and the bytes: as words, of which the last may overlap the one before, or if there are fewer than four, one by one. */
  readonly program: Int32Array;
  /** Where the program has each name. */
  readonly places: number[] = [];
  next: MapShape | null = null;
  /** Generated code that reads a map of this shape; null while there is none. */
  read: ShapeRead | null = null;
  /** Guesses since object number `since`, and how many of them failed. */
  hits = 0;
  misses = 0;
  since = 0;
  /** Whether it was guessed since shapes were last forgotten. */
  isUsed = true;
  /** How many shapes found no room behind this one. */
  turnedAway = 0;
  /** When Object.prototype was last found to have none of the names; see DecoderCache. */
  epoch: object | null = null;

  /** @param names of at most 255 bytes each; maps are of this shape where their heads are no longer than need be */
  constructor(names: readonly string[]) {
    this.names = names;
    this.count = names.length;
    const program: number[] = [];
    for (const name of names) {
      this.places.push(program.length);
      putName(program, strOf(name));
    }
    this.program = Int32Array.from(program);
    // Zeros behind it, so that there are four bytes.
    const first = Uint8Array.of(...strOf(names[0] as string), 0, 0, 0, 0);
    this.word = wordOf(new DataView(first.buffer), 0, first.length);
  }

  /** About how many bytes it keeps. */
  get cost(): number {
    return 256 + 4 * this.program.length + 12 * this.count;
  }
}

/** A name of at most 255 bytes as a str. */
function strOf(name: string): Uint8Array<ArrayBuffer> {
  const utf8 = utf8Bytes(name);
  const { length } = utf8;
  return length > LONGEST_FIXSTR ? Uint8Array.of(STR8, length, ...utf8) : Uint8Array.of(FIXSTR | length, ...utf8);
}

/** Puts down the number of a name's bytes, and the bytes. */
function putName(program: number[], str: Uint8Array<ArrayBuffer>): void {
  const { length } = str;
  program.push(length);
  if (length < 4) {
    program.push(...str);
    return;
  }
  const view = new DataView(str.buffer);
  const last = length - 4;
  for (let at = 0; at < last; at += 4) program.push(view.getInt32(at, true));
  program.push(view.getInt32(last, true));
}

/**
 * What a guess goes by: a hash of the first key of a map, if it is a str of at most 31 bytes, all of which are there; else of its first
 * bytes. There are at least four bytes.
 */
export function wordOf(view: DataView, at: number, end: number): number {
  const word = view.getInt32(at, true);
  const length = (word & 0xff) - 0xa0;
  if (length < 0 || length > LONGEST_FIXSTR) return word;
  if (length < 3) return word & ((1 << (8 * length + 8)) - 1);
  const last = at + length - 3;
  return last + 4 > end ? word : word ^ Math.imul(view.getInt32(last, true), 0x85ebca6b);
}

/** Fields are `private` and not `#private`, which a program that has just started looks up slowly; so in names.ts. */
export class MapShapes {
  /** Whether no shape was learned yet. */
  isEmpty = true;
  private slots: (MapShape | null)[] = new Array<MapShape | null>(FEW_SLOTS).fill(null);
  /** The signatures of the latest maps that no shape was known for, and in their low bits how often they came; two for each slot. */
  private signatures = new Int32Array(2 * FEW_SLOTS);
  /** Maps whose names were seen for the first time. */
  private unknown = 0;
  /** Maps that were noted since signatures were last forgotten. */
  private noted = 0;
  private cost = 0;
  /** Shapes that were not learned since one was. */
  private refused = 0;

  /** The first shape that may have this word and count. */
  first(word: number, count: number): MapShape | null {
    return this.slots[slotOf(word, count) & (this.slots.length - 1)] as MapShape | null;
  }

  /**
   * Notes a map that was read without help. Returns whether it is worth learning: whether its signature has come often, and there is room.
   *
   * Everything is computed at each call: what engines compile before a signature comes twice would else be thrown away when one does.
   */
  note(word: number, count: number, signature: number): boolean {
    const signatures = this.signatures;
    if (++this.noted === LATELY) this.forget();
    const slot = (signature ^ (signature >>> 15)) & (signatures.length - 2);
    const first = signatures[slot] as number;
    const isFirst = ((first ^ signature) & ~OFTEN) === 0;
    const known = isFirst ? first : (signatures[slot + 1] as number);
    const isKnown = ((known ^ signature) & ~OFTEN) === 0;
    const isOften = (known & OFTEN) === OFTEN;
    const more = known + 1;
    if (!isFirst) signatures[slot + 1] = first;
    signatures[slot] = !isKnown ? signature & ~OFTEN : isOften ? known : more;
    if (isKnown) return isOften && this.mayLearn(word, count);
    if (++this.unknown === FEW_SHAPES) this.grow();
    return false;
  }

  private forget(): void {
    this.signatures.fill(0);
    this.noted = 0;
  }

  learn(shape: MapShape): void {
    this.isEmpty = false;
    this.cost += shape.cost;
    this.add(shape);
  }

  /** Whether another shape is worth learning. Where shapes are too many it is not, until as many again were turned away. */
  private mayLearn(word: number, count: number): boolean {
    const isFull = this.cost > MOST_KEPT;
    let length = 0;
    for (let shape = this.first(word, count); shape !== null; shape = shape.next) length++;
    if (!isFull && length < LONGEST_CHAIN) return true;
    if (!isFull) (this.first(word, count) as MapShape).turnedAway++;
    if (++this.refused < PATIENCE) return false;
    this.refused = 0;
    if (isFull) this.sweep();
    else this.drop(word, count);
    return !isFull;
  }

  /** The newest shape comes last in its chain. */
  private add(shape: MapShape): void {
    const slot = slotOf(shape.word, shape.count) & (this.slots.length - 1);
    let last = this.slots[slot] as MapShape | null;
    if (last === null) {
      this.slots[slot] = shape;
      return;
    }
    while (last.next !== null) last = last.next;
    last.next = shape;
  }

  /** Forgets the first shape of a chain: of those that are right more often, one is in front soon. */
  private drop(word: number, count: number): void {
    const slot = slotOf(word, count) & (this.slots.length - 1);
    const first = this.slots[slot] as MapShape;
    this.cost -= first.cost;
    this.slots[slot] = first.next;
  }

  /** Puts a shape in front of its chain, so that it is guessed first. */
  prefer(shape: MapShape): void {
    const slot = slotOf(shape.word, shape.count) & (this.slots.length - 1);
    let before = this.slots[slot] as MapShape | null;
    if (before === shape) return;
    while (before !== null && before.next !== shape) before = before.next;
    // The one that is preferred may just have been replaced.
    if (before === null) return;
    before.next = shape.next;
    shape.next = this.slots[slot] as MapShape | null;
    this.slots[slot] = shape;
  }

  private grow(): void {
    const few = this.slots;
    this.slots = new Array<MapShape | null>(MANY_SLOTS).fill(null);
    this.signatures = new Int32Array(4 * MANY_SLOTS);
    for (const first of few) {
      for (let shape = first; shape !== null; ) {
        const { next } = shape;
        shape.next = null;
        this.add(shape);
        shape = next;
      }
    }
  }

  /** Forgets the shapes that were not guessed since the last time, so that shapes that never come again hold no place for long. */
  private sweep(): void {
    for (const [slot, first] of this.slots.entries()) {
      let kept: MapShape | null = null;
      for (let shape = first, next: MapShape | null; shape !== null; shape = next) {
        next = shape.next;
        if (!shape.isUsed) {
          this.cost -= shape.cost;
          if (kept === null) this.slots[slot] = next;
          else kept.next = next;
        } else {
          shape.isUsed = false;
          kept = shape;
        }
      }
    }
  }
}

function slotOf(word: number, count: number): number {
  const hash = Math.imul(word ^ Math.imul(count, 0x85ebca6b), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
