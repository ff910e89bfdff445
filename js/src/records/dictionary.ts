// The dictionary of shared records (spec/05-records.md#shared): the shapes that both sides hold beforehand.
//
// Plan: Shape · ids · ShapeNode, the tree of names · Dictionary: growing, looking up · checks.
//
// A Dictionary never gets more shapes. Instead, `grow` makes a larger Dictionary, so messages that use the smaller one
// aren't disturbed. `grow` also moves the tree of names to the larger Dictionary, because the smaller one is seldom
// used again. A smaller Dictionary that is used again builds a new tree.
//
// SharedRecords (shared.ts) loads and publishes a dictionary. The stores for several processes are in stores/.

import { FIRST_PAIR_ID, FIRST_RECORD_ID } from '../core/format.ts';
import { isIntegerLike } from '../core/property.ts';
import { isWellFormed } from '../core/text.ts';

/** The names of each shape, in the order of the shapes' ids; null or undefined for an empty place. */
export type Structures = readonly (readonly string[] | null | undefined)[];

/** The maximum number of shapes in a dictionary (spec/05#shared). The other ids are left for declarations. */
export const MAX_SHAPES = 8160;
/** Number of shapes with one-byte ids, in a dictionary that also needs two-byte ids. */
const ONE_BYTE_SHAPES = FIRST_PAIR_ID - FIRST_RECORD_ID;
/** Number of one-byte ids: 0x40 to 0x7f. */
const ONE_BYTE_IDS = 64;

/**
 * Reads the values of a record and returns the object. `decoder` is the calling decoder. The parameter has the type
 * `never`, because this folder may not import decoders.
 */
export type ShapeRead = (decoder: never, owed: number) => unknown;

/** A shape of a dictionary. Decoders also use this class for declared shapes. */
export class Shape {
  readonly names: readonly string[];
  /** Whether one of the names is an array index. JavaScript engines put such names first (spec/09#lossless). */
  readonly reorders: boolean;
  /** Whether one of the names is `__proto__`. */
  readonly hasPrototype: boolean;
  /** Whether `reorders` or `hasPrototype` is true. Some modes refuse such records or read them differently. */
  readonly isSpecial: boolean;
  readonly count: number;
  /** Code that reads a record of this shape; null while there is none. */
  read: ShapeRead | null = null;
  /** Number of records of this shape that were read while `read` was null. DecoderCache.heatRecord resets it to 0. */
  hits = 0;
  /** The value of `DecoderCache.objects` when `hits` was last reset, or when a declared shape was made. */
  since = 0;
  /**
   * The latest period without foreign code (Epoch in decoder/shapes/cache.ts) in which Object.prototype was found to
   * have none of the names.
   */
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

/**
 * Returns the id of a shape by its number. A two-byte id is returned as first byte · 256 + second byte. If `hasPairs`
 * is false, all ids have one byte.
 */
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
 * Returns the ids that a dictionary of this many shapes leaves for declarations, at most `most` of them. Declaring one
 * of these ids hides no shape of the dictionary.
 */
export function ownIds(shapes: number, most: number): OwnIds {
  const hasPairs = shapes > ONE_BYTE_SHAPES;
  // msgpackr 1.11 can't read a declared two-byte id that ends in 00. The ids of numbers 32 … 63 do, so start at 64.
  // msgpackr expects a second byte only after first bytes that the two-byte ids of its dictionary have. So declare only
  // ids with these first bytes.
  const first = hasPairs ? Math.max(shapes, ONE_BYTE_IDS) : shapes;
  const count = hasPairs ? Math.min(shapes - ONE_BYTE_SHAPES, ONE_BYTE_SHAPES) : ONE_BYTE_IDS - shapes;
  return { first, count: Math.min(count, most), hasPairs };
}

// --- the tree of names -----------------------------------------------------------------------------------------------

/** The value of `ShapeNode.message` for the shapes of a dictionary, because their ids are valid in every message. */
export const EVERY_MESSAGE = -1;

/** A node of the tree of names. It represents the shape whose names lead from the root to this node, in this order. */
export class ShapeNode {
  /** The id of the shape, as `idOf` returns it. `message` says in which message the id is valid. */
  id = 0;
  /** The number of the message in which the id is valid; EVERY_MESSAGE for all, 0 for none. */
  message = 0;
  /** The first name added to this node. Most nodes get no other, so `#others` is made only for a second name. */
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
  /** The root of the tree of names; null until it is needed, and after `grow` has moved it to a larger Dictionary. */
  #root: ShapeNode | null = null;

  constructor(shapes: readonly (Shape | undefined)[] = []) {
    this.shapes = shapes;
  }

  /** Number of shapes, including empty places. */
  get size(): number {
    return this.shapes.length;
  }

  /**
   * Returns a dictionary that begins with the shapes of this one. Each element of `lists` from index `size` on adds a
   * shape with these names. null and undefined add an empty place.
   *
   * @throws TypeError for a list that can't be a shape, RangeError for more than MAX_SHAPES lists
   */
  grow(lists: Structures): Dictionary {
    if (lists.length > MAX_SHAPES) {
      throw new RangeError(`${lists.length} structures are more than the ${MAX_SHAPES} that have ids`);
    }
    const shapes = this.shapes.slice();
    // Read by index, so that a hole in the array becomes undefined.
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

  /** Whether this dictionary begins with the shapes of another one, and has more. */
  extends(other: Dictionary): boolean {
    return this.size > other.size && other.shapes.every((shape, number) => shape === this.shapes[number]);
  }

  /** Returns the names of each shape, in new arrays; undefined for an empty place. */
  nameLists(): (string[] | undefined)[] {
    return this.shapes.map((shape) => (shape === undefined ? undefined : [...shape.names]));
  }

  /**
   * Returns the number of the first shape that differs from the list with the same number; −1 if there is none.
   * Ignores shapes and lists without a counterpart.
   */
  departure(lists: Structures): number {
    const count = Math.min(this.size, lists.length);
    for (let number = 0; number < count; number++) {
      if (!isSameShape(this.shapes[number]?.names, lists[number] ?? undefined)) return number;
    }
    return -1;
  }

  // --- for encoders

  /** Returns the node of the shape with these names; undefined if the dictionary doesn't have the shape. */
  placeOf(names: readonly string[]): ShapeNode | undefined {
    this.#root ??= addShapes(new ShapeNode(), this.shapes, 0);
    let node: ShapeNode | undefined = this.#root;
    for (const name of names) {
      node = node.next(name);
      if (node === undefined) return undefined;
    }
    return node.message === 0 ? undefined : node;
  }

  // --- for decoders

  /** Returns the shape whose complete id is this byte; undefined if there is none. */
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

/** Adds the shapes from number `from` on to a tree. If several have the same names, the id of the last one counts. */
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
