// The dictionary of shared records (spec/05-records.md#shared): the shapes that both sides hold beforehand.
//
// Plan: Shape · ids · ShapeNode, the tree of names · Dictionary: growing, looking up · checks.
//
// A Dictionary never changes, so growing doesn't disturb a message that uses it. Growing makes a larger Dictionary and
// gives it the tree of names, because the smaller one is seldom used again. If it is, it builds another tree.
//
// Where a dictionary is loaded from and saved is in shared.ts (SharedRecords.publish); the stores for several processes
// are in stores/.

import { FIRST_PAIR_ID, FIRST_RECORD_ID } from '../core/format.ts';
import { isIntegerLike } from '../core/property.ts';
import { isWellFormed } from '../core/text.ts';

/** The names of each shape, in the order of their ids; null or undefined where there is none. */
export type Structures = readonly (readonly string[] | null | undefined)[];

/** At most this many shapes have ids, so that ids are left for declarations. */
export const MAX_SHAPES = 8160;
/** How many shapes have ids of one byte when there are more shapes than that. */
const ONE_BYTE_SHAPES = FIRST_PAIR_ID - FIRST_RECORD_ID;
/** How many ids have one byte. */
const ONE_BYTE_IDS = 64;

/**
 * Reads the values of a shape and makes the object. The decoder, which provides such functions, passes itself. This
 * folder may not import decoders, so the type is `never`.
 */
export type ShapeRead = (decoder: never, owed: number) => unknown;

/** A shape of a dictionary. Decoders keep declared shapes in the same form. */
export class Shape {
  readonly names: readonly string[];
  /** Whether engines would reorder the names as properties (spec/09#lossless). */
  readonly reorders: boolean;
  /** Whether one of the names is `__proto__`. */
  readonly hasPrototype: boolean;
  /** Whether one of these two is true: then some modes refuse the records or read them differently. */
  readonly isSpecial: boolean;
  readonly count: number;
  /** Code that reads a record of this shape; null while there is none. */
  read: ShapeRead | null = null;
  /** How many records of this shape were read since object number `since`; see DecoderCache. */
  hits = 0;
  since = 0;
  /** The epoch in which Object.prototype had none of the names; see DecoderCache. */
  epoch: object | null = null;

  constructor(names: readonly string[]) {
    this.names = names;
    this.reorders = names.some(isIntegerLike);
    this.hasPrototype = names.includes('__proto__');
    this.isSpecial = this.reorders || this.hasPrototype;
    this.count = names.length;
  }
}

// --- ids -------------------------------------------------------------------------------------------------------------

/** Returns the id with this number: one byte, or lo · 256 + hi where ids of two bytes are in use. */
export function idOf(number: number, hasPairs: boolean): number {
  if (number < ONE_BYTE_SHAPES || !hasPairs) return FIRST_RECORD_ID + number;
  return (FIRST_PAIR_ID + (number % ONE_BYTE_SHAPES)) * 256 + Math.floor(number / ONE_BYTE_SHAPES) - 1;
}

/** The numbers of the ids that a message may declare: `count` of them, starting with `first`. */
export interface OwnIds {
  readonly first: number;
  readonly count: number;
  readonly hasPairs: boolean;
}

/**
 * Returns the ids that a dictionary of this many shapes leaves to declarations. None of them is the id of a shape, or
 * the first byte of one.
 */
export function ownIds(shapes: number, most: number): OwnIds {
  const hasPairs = shapes > ONE_BYTE_SHAPES;
  // msgpackr reads a second byte whenever the first one is in its dictionary; 1.11 can't read pairs that end in 00.
  const first = hasPairs ? Math.max(shapes, ONE_BYTE_IDS) : shapes;
  const count = hasPairs ? Math.min(shapes - ONE_BYTE_SHAPES, ONE_BYTE_SHAPES) : ONE_BYTE_IDS - shapes;
  return { first, count: Math.min(count, most), hasPairs };
}

// --- the tree of names -----------------------------------------------------------------------------------------------

/** The `message` of shapes in a dictionary. */
export const EVERY_MESSAGE = -1;

/** A place in the tree of names. It stands for the record whose names lead here from the root, in this order. */
export class ShapeNode {
  /** The id of the record in the form of `idOf`, valid only in the message `message`. */
  id = 0;
  /** The message in which the id is valid; 0 for none. */
  message = 0;
  /**
   * The first name that followed this place. Most places have no other, so the Map is made when there is a second.
   */
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

// --- Dictionary ------------------------------------------------------------------------------------------------------

export class Dictionary {
  readonly shapes: readonly (Shape | undefined)[];
  /** The root of the tree of names; null if a larger Dictionary has it, or until it is needed. */
  #root: ShapeNode | null = null;

  constructor(shapes: readonly (Shape | undefined)[] = []) {
    this.shapes = shapes;
  }

  /** How many places for shapes there are, including empty ones. */
  get size(): number {
    return this.shapes.length;
  }

  /**
   * Returns a dictionary of these shapes plus the lists from number `size` on.
   *
   * @throws TypeError, RangeError for lists that can't be shapes
   */
  grow(lists: Structures): Dictionary {
    if (lists.length > MAX_SHAPES) {
      throw new RangeError(`${lists.length} structures are more than the ${MAX_SHAPES} that have ids`);
    }
    const shapes = this.shapes.slice();
    // By index, because a hole in the array must become undefined.
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

  /** Returns the names of each shape, in new arrays. */
  nameLists(): (string[] | undefined)[] {
    return this.shapes.map((shape) => (shape === undefined ? undefined : [...shape.names]));
  }

  /**
   * Returns the number of the first shape that differs from the list with its number; −1 if none does. Compares up to
   * the end of the shorter.
   */
  departure(lists: Structures): number {
    const count = Math.min(this.size, lists.length);
    for (let number = 0; number < count; number++) {
      if (!isSameShape(this.shapes[number]?.names, lists[number] ?? undefined)) return number;
    }
    return -1;
  }

  // --- for encoders

  /** Returns the place of the shape with these names, whose id is valid; undefined if there is none. */
  placeOf(names: readonly string[]): ShapeNode | undefined {
    this.#root ??= addShapes(new ShapeNode(), this.shapes, 0);
    let node: ShapeNode | undefined = this.#root;
    for (const name of names) {
      node = node.next(name);
      if (node === undefined) return undefined;
    }
    return node.message === 0 ? undefined : node;
  }

  // --- for decoders: as if the ids had just been declared

  /** Returns the shape whose complete id is this byte. */
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

/** Adds shapes to a tree. If several have the same names, the last one counts. */
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

// --- checks ----------------------------------------------------------------------------------------------------------

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
