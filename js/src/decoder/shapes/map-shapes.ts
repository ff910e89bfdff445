// Shapes of plain maps: the names of earlier maps, in order and as bytes. The decoder uses them to guess the names of
// the next map.
//
// Plan: MapShape, its names as a program of words · MapShapes: look-up, learning, limits.
//
// Messages repeat few shapes many times. The shape of a map is guessed from its count and a hash of its first key.
// While the map is read, every name of the shape is compared with the bytes as 32-bit words, so no string is made or
// looked up. After a wrong guess nothing is read again (see ../objects.ts).
//
// A shape is stored only if it occurs more than OFTEN times. Until then, only a signature of its names is kept, with a
// count. Storing a shape costs about as much time as OFTEN guesses save. Also, code that runs for the first time slows
// down a program that has just started. The memory is limited. When it is full, shapes that weren't used lately are
// forgotten.

import { FIXSTR, LONGEST_FIXSTR, STR8 } from '../../core/format.ts';
import type { ShapeRead } from '../../records/dictionary.ts';

/** Shapes with more names than this aren't stored, because maps that large rarely repeat. */
export const MOST_NAMES = 64;
/** Shapes whose names have more bytes than this in total, or one name of more than LONGEST_NAME, aren't stored. */
export const MOST_NAME_BYTES = 2048;
export const LONGEST_NAME = 255;

/**
 * After this many maps without a shape, all signatures and their counts are forgotten, because infrequent shapes aren't
 * worth storing.
 */
const LATELY = 16_384;

/**
 * A shape is stored when it occurs again after being counted this many times. A power of two minus one, because the
 * count is in the low bits of the signature.
 */
const OFTEN = 31;

/**
 * There are FEW_SLOTS slots, and MANY_SLOTS once FEW_SHAPES new signatures have been seen. FEW_SLOTS and MANY_SLOTS are
 * powers of two.
 */
const FEW_SLOTS = 16;
const FEW_SHAPES = 12;
const MANY_SLOTS = 512;
/** The most shapes in one slot, where they form a chain. */
const LONGEST_CHAIN = 8;
/** How many shapes are turned away before stored shapes are dropped to make space. */
const PATIENCE = 256;
/** Approximate limit of the memory for shapes, in bytes. */
const MOST_KEPT = 524_288;

/** The shape of a map: its names as bytes. */
export class MapShape {
  readonly names: readonly string[];
  /** The word by which the shape is found: see `wordOf`. */
  readonly word: number;
  readonly count: number;
  /**
   * For each name, the length of its str in bytes, head included, and then the str as 32-bit words. The last word may
   * overlap the one before it. If the str has fewer than four bytes, they are stored one by one.
   */
  readonly program: Int32Array;
  /** Where each name starts in the program. */
  readonly places: number[] = [];
  next: MapShape | null = null;
  /** Code that reads a map of this shape; null while there is none. */
  read: ShapeRead | null = null;
  /** How often the shape was guessed since object number `since`. Not counted once there is code. */
  hits = 0;
  /** How many guesses were wrong since object number `since`, or since another shape took its place (`prefer`). */
  misses = 0;
  /** The number of the latest object (DecoderCache.objects) when the shape was stored or last checked. */
  since = 0;
  /** Whether the shape was stored or guessed since the last `sweep`. */
  isUsed = true;
  /** How many shapes found no space in the chain that starts with this one, plus the maps that `crowded` has read. */
  turnedAway = 0;
  /** The latest epoch in which Object.prototype had none of the names; see DecoderCache. */
  epoch: object | null = null;

  /**
   * @param names the names in order; a map matches only if its names have the shortest heads
   * @param utf8 the bytes of the names, at most LONGEST_NAME each
   */
  constructor(names: readonly string[], utf8: readonly Uint8Array[]) {
    this.names = names;
    this.count = names.length;
    const program: number[] = [];
    for (const bytes of utf8) {
      this.places.push(program.length);
      putName(program, strOf(bytes));
    }
    this.program = Int32Array.from(program);
    // Zeros after the name, because `wordOf` needs four bytes.
    const first = Uint8Array.of(...strOf(utf8[0] as Uint8Array), 0, 0, 0, 0);
    this.word = wordOf(new DataView(first.buffer), 0, first.length);
  }

  /** Approximate memory of the shape, in bytes. */
  get cost(): number {
    return 256 + 4 * this.program.length + 12 * this.count;
  }
}

/** Returns the str of a name of at most LONGEST_NAME bytes. */
function strOf(utf8: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = utf8;
  return length > LONGEST_FIXSTR ? Uint8Array.of(STR8, length, ...utf8) : Uint8Array.of(FIXSTR | length, ...utf8);
}

/** Appends a name to a program, in the layout of MapShape.program. */
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
 * Returns the word by which a shape is found: a hash of the first key if it is a complete fixstr, otherwise the first
 * four bytes. The caller ensures that there are four bytes.
 */
export function wordOf(view: DataView, at: number, end: number): number {
  const word = view.getInt32(at, true);
  const length = (word & 0xff) - 0xa0;
  if (length < 0 || length > LONGEST_FIXSTR) return word;
  if (length < 3) return word & ((1 << (8 * length + 8)) - 1);
  const last = at + length - 3;
  return last + 4 > end ? word : word ^ Math.imul(view.getInt32(last, true), 0x85ebca6b);
}

/**
 * Finds and stores shapes. Here and in names.ts, the fields are `private`, because `#private` fields are slow before
 * engines have compiled the code.
 */
export class MapShapes {
  /** Whether no shape is stored yet. */
  isEmpty = true;
  private slots: (MapShape | null)[] = new Array<MapShape | null>(FEW_SLOTS).fill(null);
  /**
   * The signatures of the latest maps without a shape, in pairs. The newer signature of a pair is first. The low bits
   * of each signature count how often it occurred again.
   */
  private signatures = new Int32Array(2 * FEW_SLOTS);
  /** How many maps had a signature that wasn't known. */
  private unknown = 0;
  /** How many maps were noted since the signatures were last forgotten. */
  private noted = 0;
  private cost = 0;
  /** How many shapes were turned away since space was last made. */
  private refused = 0;

  /** Returns the first shape of the chain for this word and count. */
  first(word: number, count: number): MapShape | null {
    return this.slots[slotOf(word, count) & (this.slots.length - 1)] as MapShape | null;
  }

  /**
   * Notes a map that was read without a shape. Returns whether its shape should be stored: the signature must have
   * occurred often, and there must be space.
   *
   * The code computes everything at each call, even what it doesn't need. Otherwise engines would discard their first
   * compiled code as soon as a signature occurs twice.
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

  /** Whether there is space for another shape. If not, turns it away. Makes space once PATIENCE were turned away. */
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

  /** Appends a shape to its chain. */
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

  /**
   * Makes space by forgetting the first shape of a chain. If the next shape is often a wrong guess, `prefer` soon moves
   * a better one to the front.
   */
  private drop(word: number, count: number): void {
    const slot = slotOf(word, count) & (this.slots.length - 1);
    const first = this.slots[slot] as MapShape;
    this.cost -= first.cost;
    this.slots[slot] = first.next;
  }

  /** Moves a shape to the front of its chain, so that it is guessed first. The shape must be in the chain. */
  prefer(shape: MapShape): void {
    const slot = slotOf(shape.word, shape.count) & (this.slots.length - 1);
    let before = this.slots[slot] as MapShape;
    if (before === shape) return;
    while (before.next !== shape) before = before.next as MapShape;
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

  /** Forgets the shapes that were neither stored nor guessed since the last sweep. */
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
