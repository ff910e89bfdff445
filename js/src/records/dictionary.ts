// The dictionary of shared records (spec/05-records.md#shared): shapes that writer and reader hold beforehand.
//
// Plan: Shape · ids · ShapeNode, the tree of names · Dictionary: reading, growing, looking up · checks.
//
// A Dictionary never changes: who holds one in the middle of a message is not disturbed when another has grown. Growing hands
// the tree of names on to the larger one, since as a rule nobody asks the smaller one again; if somebody does, it makes its
// own.

import { FIRST_PAIR_ID, FIRST_RECORD_ID } from '../core/format.ts';
import { isIntegerLike } from '../core/property.ts';
import { isWellFormed } from '../core/text.ts';

/** The names of each shape, in the order of their ids; null or undefined where there is none. */
export type Structures = readonly (readonly string[] | null | undefined)[];

/** So many shapes have ids, and there are ids left to declare others. */
export const MAX_SHAPES = 8160;
/** So many of them have ids of one byte once there are more. */
const ONE_BYTE_SHAPES = FIRST_PAIR_ID - FIRST_RECORD_ID;
/** So many ids have one byte. */
const ONE_BYTE_IDS = 64;

/**
 * Reads the values of a shape and makes the object. The decoder, which makes such functions, gives itself; this room knows no
 * decoder, so the type says `never`.
 */
export type ShapeRead = (decoder: never, owed: number) => unknown;

/** A shape of a dictionary, in the form in which readers keep declared ones, too. */
export class Shape {
  readonly names: readonly string[];
  /** Whether an engine would reorder them as names of properties (spec/09#lossless). */
  readonly reorders: boolean;
  /** Whether one of them is `__proto__`. */
  readonly hasPrototype: boolean;
  /** One of both: some modes refuse its records, or read them in another way. */
  readonly isSpecial: boolean;
  readonly count: number;
  /** Generated code that reads a record of this shape; null while there is none. */
  read: ShapeRead | null = null;
  /** Records that were read since object number `since`; see DecoderCache. */
  hits = 0;
  since = 0;
  /** When Object.prototype was last found to have none of the names; see DecoderCache. */
  epoch: object | null = null;

  constructor(names: readonly string[]) {
    this.names = names;
    this.reorders = names.some(isIntegerLike);
    this.hasPrototype = names.includes('__proto__');
    this.isSpecial = this.reorders || this.hasPrototype;
    this.count = names.length;
  }
}

// --- ids --------------------------------------------------------------------------------------------------------------------

/** The id with a number: one byte, or lo · 256 + hi where ids of two bytes are in use. */
export function idOf(number: number, hasPairs: boolean): number {
  if (number < ONE_BYTE_SHAPES || !hasPairs) return FIRST_RECORD_ID + number;
  return (FIRST_PAIR_ID + (number % ONE_BYTE_SHAPES)) * 256 + Math.floor(number / ONE_BYTE_SHAPES) - 1;
}

/** The numbers of the ids that a message declares: `count` from `first` on. */
export interface OwnIds {
  readonly first: number;
  readonly count: number;
  readonly hasPairs: boolean;
}

/**
 * What a dictionary of so many shapes leaves to declarations. None of the ids is one of a shape, nor takes the first byte away
 * from one.
 */
export function ownIds(shapes: number, most: number): OwnIds {
  const hasPairs = shapes > ONE_BYTE_SHAPES;
  // A msgpackr that finds a first byte in its dictionary alone reads the second; one of 1.11 cannot read pairs that end in 00.
  const first = hasPairs ? Math.max(shapes, ONE_BYTE_IDS) : shapes;
  const count = hasPairs ? Math.min(shapes - ONE_BYTE_SHAPES, ONE_BYTE_SHAPES) : ONE_BYTE_IDS - shapes;
  return { first, count: Math.min(count, most), hasPairs };
}

// --- the tree of names ----------------------------------------------------------------------------------------------------------

/** The `message` of shapes that are in a dictionary. */
export const EVERY_MESSAGE = -1;

/** A place in a tree of names: the record whose names lead here from the root, in this order. */
export class ShapeNode {
  /** Its id as of `idOf`; when it has one is up to `message`. */
  id = 0;
  /** The message in which it has the id; 0 for none. */
  message = 0;
  /** The first name that came after this place; most places have no other, and a large object has many places. */
  #name = '';
  #node: ShapeNode | null = null;
  #others: Map<string, ShapeNode> | null = null;

  next(name: string): ShapeNode | undefined {
    return this.#node !== null && this.#name === name ? this.#node : this.#others?.get(name);
  }

  add(name: string): ShapeNode {
    const node = new ShapeNode();
    if (this.#node === null) {
      this.#name = name;
      this.#node = node;
    } else {
      this.#others ??= new Map();
      this.#others.set(name, node);
    }
    return node;
  }
}

// --- Dictionary -------------------------------------------------------------------------------------------------------------------

export class Dictionary {
  readonly shapes: readonly (Shape | undefined)[];
  /** The shapes by their names; null when it was handed on, or nobody has asked yet. */
  #root: ShapeNode | null = null;

  constructor(shapes: readonly (Shape | undefined)[] = []) {
    this.shapes = shapes;
  }

  /** How many shapes there are, places without one included. */
  get size(): number {
    return this.shapes.length;
  }

  /**
   * This dictionary and the structures from number `size` on.
   *
   * @throws TypeError, RangeError for structures that are none
   */
  grow(lists: Structures): Dictionary {
    if (lists.length > MAX_SHAPES) {
      throw new RangeError(`${lists.length} structures are more than the ${MAX_SHAPES} that have ids`);
    }
    const shapes = this.shapes.slice();
    // By number, since places may be holes of the array, which iteration would fill but slice would not.
    for (let number = shapes.length; number < lists.length; number++) {
      const names = lists[number];
      shapes.push(names === null || names === undefined ? undefined : new Shape(checkedNames(names, number)));
    }
    const grown = new Dictionary(shapes);
    grown.#root = this.#root;
    this.#root = null;
    if (grown.#root !== null) addShapes(grown.#root, shapes, this.size);
    return grown;
  }

  /** The names of each shape, in arrays of their own. */
  nameLists(): (string[] | undefined)[] {
    return this.shapes.map((shape) => (shape === undefined ? undefined : [...shape.names]));
  }

  /** The number of the first shape that is another one in the structures, up to the end of the shorter; −1 for none. */
  departure(lists: Structures): number {
    const count = Math.min(this.size, lists.length);
    for (let number = 0; number < count; number++) {
      if (!isSameShape(this.shapes[number]?.names, lists[number] ?? undefined)) return number;
    }
    return -1;
  }

  // --- for writers

  /** The place of the shape with these names; its id is valid. undefined when there is none. */
  placeOf(names: readonly string[]): ShapeNode | undefined {
    this.#root ??= addShapes(new ShapeNode(), this.shapes, 0);
    let node: ShapeNode | undefined = this.#root;
    for (const name of names) {
      node = node.next(name);
      if (node === undefined) return undefined;
    }
    return node.message === 0 ? undefined : node;
  }

  // --- for readers: as if the ids had just been declared

  /** The shape whose whole id is the byte. */
  direct(id: number): Shape | undefined {
    return this.isPaired(id) ? undefined : this.one(id);
  }

  /** Whether the byte is the first of a two-byte id. */
  isPaired(lo: number): boolean {
    return lo >= FIRST_PAIR_ID && lo - FIRST_PAIR_ID < this.shapes.length - ONE_BYTE_SHAPES;
  }

  one(id: number): Shape | undefined {
    return id < FIRST_PAIR_ID ? this.shapes[id - FIRST_RECORD_ID] : undefined;
  }

  pair(lo: number, hi: number): Shape | undefined {
    return this.shapes[lo - FIRST_PAIR_ID + ONE_BYTE_SHAPES * (hi + 1)];
  }
}

/** Adds shapes to a tree; of equal ones the last stays. */
function addShapes(root: ShapeNode, shapes: readonly (Shape | undefined)[], from: number): ShapeNode {
  for (const [number, shape] of shapes.entries()) {
    if (shape === undefined || number < from) continue;
    let node = root;
    for (const name of shape.names) node = node.next(name) ?? node.add(name);
    node.message = EVERY_MESSAGE;
    node.id = idOf(number, true);
  }
  return root;
}

function isSameShape(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

// --- checks -----------------------------------------------------------------------------------------------------------------------

function checkedNames(names: unknown, number: number): readonly string[] {
  if (!Array.isArray(names)) throw new TypeError(`structure ${number} is no array of names`);
  const copy = Array.from<unknown, unknown>(names, (name) => name);
  for (const name of copy) {
    if (typeof name !== 'string') throw new TypeError(`structure ${number} has a name that is no string`);
    if (!isWellFormed(name)) throw new TypeError(`structure ${number} has a name with a lone surrogate`);
  }
  if (new Set(copy).size < copy.length) throw new TypeError(`structure ${number} has a name twice`);
  return copy as string[];
}
