// Shapes of plain maps: the names that maps had before, in their order and as bytes, by which the next map is guessed.
//
// Plan: MapShape, its names as a program of words · MapShapes: lookup, learning, bounds.
//
// Messages repeat few shapes many times. Which shape a map has is guessed from its count and the first four bytes of its
// first key, and while it is read every name is compared with the bytes, as 32-bit words: no string is made or looked up.
// A guess that fails costs nothing that was read; see object-reader.ts.
//
// A shape is kept when it is seen the second time: at first only a signature of 32 bits is. What input can fill is
// bounded; when it is full everything is forgotten.

import type { Epoch } from './learned.ts';
import { isIntegerLike } from './property.ts';
import type { MapRead } from './shape-compiler.ts';

/** Larger maps are rarely repeated. */
export const MOST_NAMES = 64;
/** Longer ones than the shortest head can tell are not learned. */
const LONGEST_NAME = 31;

/** Slots, powers of two: of a new table, and of one that has met more than a few shapes. */
const FEW_SLOTS = 16;
const FEW_SHAPES = 12;
const MANY_SLOTS = 512;
/** Shapes with the same slot. */
const LONGEST_CHAIN = 12;
/** About how many bytes are kept. */
const MOST_KEPT = 262_144;

/** The names of a map. */
export class MapShape {
  readonly names: readonly string[];
  /** What the guess goes by: see `wordOf`. */
  readonly word: number;
  readonly count: number;
  /** For each name the number of its bytes, head included, and the bytes: as words, of which the last may overlap the one before, or if there are fewer than four, one by one. */
  readonly program: Int32Array;
  /** Where the program has each name. */
  readonly places: Int32Array;
  next: MapShape | null = null;
  /** Generated code that reads a map of this shape; null while there is none. */
  read: MapRead | null = null;
  /** Guesses since object number `since`, and how many of them failed. */
  hits = 0;
  misses = 0;
  since = 0;
  /** When Object.prototype was last found to have none of the names; see Learned. */
  epoch: Epoch | null = null;
  version: Epoch | null = null;

  constructor(word: number, names: readonly string[]) {
    this.word = word;
    this.names = names;
    this.count = names.length;
    const program: number[] = [];
    this.places = Int32Array.from(names, (name) => {
      const place = program.length;
      program.push(...nameProgram(name));
      return place;
    });
    this.program = Int32Array.from(program);
  }

  /** About how many bytes it keeps. */
  get cost(): number {
    return 256 + 4 * this.program.length + 12 * this.count;
  }
}

const ENCODER = /* @__PURE__ */ new TextEncoder();

/** The bytes of a name as a str. */
export function nameBytes(name: string): Uint8Array {
  const text = ENCODER.encode(name);
  const bytes = new Uint8Array(text.length + 1);
  bytes[0] = 0xa0 | text.length;
  bytes.set(text, 1);
  return bytes;
}

function nameProgram(name: string): number[] {
  const bytes = nameBytes(name);
  const { length } = bytes;
  if (length < 4) return [length, ...bytes];
  return [length, ...wordsOf(bytes)];
}

/** At least four bytes as words, of which the last may overlap the one before. */
export function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) words.push(view.getInt32(at, true));
  if (bytes.length % 4 > 0) words.push(view.getInt32(bytes.length - 4, true));
  return words;
}

/** The first four bytes of a map's first key, or if these are more than the key, the key. */
export function wordOf(view: DataView, at: number): number {
  const word = view.getInt32(at, true);
  const length = (word & 0xff) - 0xa0;
  return length < 3 && length >= 0 ? word & ((1 << (8 * length + 8)) - 1) : word;
}

export class MapShapes {
  #slots: (MapShape | null)[] = new Array<MapShape | null>(FEW_SLOTS).fill(null);
  /** The signatures of the latest maps that no shape was known for, two for each slot. */
  #signatures = new Int32Array(2 * FEW_SLOTS);
  /** Maps whose names were seen for the first time. */
  #unknown = 0;
  #cost = 0;

  /** The first shape that may have this word and count. */
  first(word: number, count: number): MapShape | null {
    return this.#slots[slotOf(word, count) & (this.#slots.length - 1)] as MapShape | null;
  }

  /** Notes a map that was read without help: the signature of its names, and the object it became. */
  note(word: number, count: number, signature: number, object: Readonly<Record<string, unknown>>): void {
    const signatures = this.#signatures;
    const slot = (signature ^ (signature >>> 15)) & (signatures.length - 2);
    if (signatures[slot] === signature || signatures[slot + 1] === signature) {
      this.#learn(word, count, Object.keys(object));
      return;
    }
    signatures[slot + 1] = signatures[slot] as number;
    signatures[slot] = signature;
    if (++this.#unknown === FEW_SHAPES) this.#grow();
  }

  #learn(word: number, count: number, names: string[]): void {
    if (names.length !== count) return; // a name came twice
    // Names that engines put into another order, or that are no names of properties as others are, are left alone.
    if (names.some((name) => name === '__proto__' || name.length > LONGEST_NAME || isIntegerLike(name))) return;
    if (names.some((name) => ENCODER.encode(name).length > LONGEST_NAME)) return;
    const shape = new MapShape(word, names);
    this.#cost += shape.cost;
    if (this.#cost > MOST_KEPT) this.#forget();
    this.#add(shape);
  }

  /** The newest shape comes last in its chain, and when that is full, in place of the last. */
  #add(shape: MapShape): void {
    const slot = slotOf(shape.word, shape.count) & (this.#slots.length - 1);
    let last = this.#slots[slot] as MapShape | null;
    if (last === null) {
      this.#slots[slot] = shape;
      return;
    }
    let length = 1;
    for (; last.next !== null && length < LONGEST_CHAIN - 1; length++) last = last.next;
    if (last.next !== null) this.#cost -= last.next.cost;
    last.next = shape;
  }

  /** Puts a shape in front of its chain, so that it is guessed first. */
  prefer(shape: MapShape): void {
    const slot = slotOf(shape.word, shape.count) & (this.#slots.length - 1);
    let before = this.#slots[slot] as MapShape | null;
    if (before === shape) return;
    while (before !== null && before.next !== shape) before = before.next;
    // The one that is preferred may just have been replaced.
    if (before === null) return;
    before.next = shape.next;
    shape.next = this.#slots[slot] as MapShape | null;
    this.#slots[slot] = shape;
  }

  #grow(): void {
    const few = this.#slots;
    this.#slots = new Array<MapShape | null>(MANY_SLOTS).fill(null);
    this.#signatures = new Int32Array(4 * MANY_SLOTS);
    for (const first of few) {
      for (let shape = first; shape !== null; ) {
        const { next } = shape;
        shape.next = null;
        this.#add(shape);
        shape = next;
      }
    }
  }

  #forget(): void {
    this.#slots.fill(null);
    this.#cost = 0;
  }
}

function slotOf(word: number, count: number): number {
  const hash = Math.imul(word ^ Math.imul(count, 0x85ebca6b), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
