// Records (spec/05-records.md): which names the ids of a message stand for.
//
// Plan: RecordIds · RecordTable, the declarations that a decoder has read · ShapeTable, the declarations that an
// encoder has written.
//
// Both tables hold the declarations of one message, or of a sequence with the option `sequential`. A ShapeTable keeps
// its tree of names for the next message, which usually has the same shapes. `startMessage` increments `#message` to
// make the ids in the tree invalid, except when a sequence continues. Neither table contains the shapes of a dictionary
// (dictionary.ts).

import { FIRST_PAIR_ID, FIRST_RECORD_ID, LAST_RECORD_ID } from '../core/format.ts';
import { type Dictionary, EVERY_MESSAGE, idOf, type OwnIds, ownIds, Shape, ShapeNode } from './dictionary.ts';
import type { SharedRecords } from './shared.ts';

const ID_COUNT = LAST_RECORD_ID - FIRST_RECORD_ID + 1;

/** Looks up the record ids that are valid at one point of a message. */
export interface RecordIds<T> {
  /**
   * Whether the byte is the first of a two-byte id. The latest declaration with that byte decides (spec/05#instance).
   */
  isPaired(lo: number): boolean;
  /** Returns the declaration whose complete id is this byte; undefined if there is none, or if the id has two bytes. */
  direct(id: number): T | undefined;
  one(id: number): T | undefined;
  pair(lo: number, hi: number): T | undefined;
}

/** Holds the declarations of a message, for decoders and scanners. `T` is what they keep of each declaration. */
export class RecordTable<T> implements RecordIds<T | Shape> {
  /**
   * Looks up the ids that this table doesn't declare. It is the dictionary, or the table of earlier messages or
   * elements. null if there is neither.
   */
  base: RecordIds<Shape> | null;
  /** Functions that undo the declarations since `remember`; null before `remember` and after `undo`. */
  #undo: (() => void)[] | null = null;
  /** The declarations of one-byte ids. The index is the id minus FIRST_RECORD_ID. */
  readonly #one = new Array<T | undefined>(ID_COUNT).fill(undefined);
  /**
   * The declarations of two-byte ids, by first byte, then second. For a message with thousands of them, one Map of all
   * pairs would need far more memory.
   */
  readonly #pairs = new Map<number, (T | undefined)[]>();
  /**
   * Whether the latest id declared with this first byte has two bytes; undefined if no such id is declared. Same index
   * as `#one`.
   */
  readonly #paired = new Array<boolean | undefined>(ID_COUNT).fill(undefined);
  /** The first bytes of all declared ids. */
  readonly #used: number[] = [];

  constructor(base: RecordIds<Shape> | null = null) {
    this.base = base;
  }

  /** Approximate memory of all declarations, in bytes; see `costOf`. */
  get cost(): number {
    let cost = 0;
    for (const declared of [this.#one, ...this.#pairs.values()].flat()) cost += costOf(declared);
    return cost;
  }

  /** Starts to remember the declarations that new ones replace, so that `undo` can restore them. */
  remember(): void {
    if (this.#undo === null || this.#undo.length > 0) this.#undo = [];
  }

  /** Undoes the declarations since `remember`. */
  undo(): void {
    for (const undo of (this.#undo ?? []).reverse()) undo();
    this.#undo = null;
  }

  #note(lo: number, hi: number): void {
    const slot = lo - FIRST_RECORD_ID;
    const pairs = this.#pairs.get(lo);
    const [one, paired, pair] = [this.#one[slot], this.#paired[slot], pairs?.[hi]];
    this.#undo?.push(() => {
      this.#one[slot] = one;
      this.#paired[slot] = paired;
      if (hi >= 0) this.#pairsOf(lo)[hi] = pair;
    });
  }

  /** Returns the declarations of two-byte ids with this first byte, by second byte. */
  #pairsOf(lo: number): (T | undefined)[] {
    let pairs = this.#pairs.get(lo);
    if (pairs === undefined) {
      pairs = new Array<T | undefined>(256).fill(undefined);
      this.#pairs.set(lo, pairs);
    }
    return pairs;
  }

  declareOne(id: number, declared: T): void {
    const slot = id - FIRST_RECORD_ID;
    if (this.#one[slot] === declared && this.#paired[slot] === false) return;
    if (this.#undo !== null) this.#note(id, -1);
    this.#use(id);
    this.#one[slot] = declared;
    this.#paired[slot] = false;
  }

  declarePair(lo: number, hi: number, declared: T): void {
    if (this.#undo !== null) this.#note(lo, hi);
    this.#use(lo);
    this.#pairsOf(lo)[hi] = declared;
    this.#paired[lo - FIRST_RECORD_ID] = true;
  }

  #use(lo: number): void {
    if (this.#paired[lo - FIRST_RECORD_ID] === undefined) this.#used.push(lo);
  }

  /** Forgets all declarations and sets `base`, so that another message can use the table. */
  clear(base: RecordIds<Shape> | null): void {
    this.base = base;
    for (const id of this.#used) {
      this.#one[id - FIRST_RECORD_ID] = undefined;
      this.#paired[id - FIRST_RECORD_ID] = undefined;
      this.#pairs.get(id)?.fill(undefined);
    }
    this.#used.length = 0;
  }

  direct(id: number): T | Shape | undefined {
    const slot = id - FIRST_RECORD_ID;
    const isPaired = this.#paired[slot];
    if (isPaired === undefined) return this.base?.direct(id);
    return isPaired ? undefined : this.#one[slot];
  }

  isPaired(lo: number): boolean {
    return this.#paired[lo - FIRST_RECORD_ID] ?? this.base?.isPaired(lo) ?? false;
  }

  one(id: number): T | Shape | undefined {
    return this.#one[id - FIRST_RECORD_ID] ?? this.base?.one(id);
  }

  pair(lo: number, hi: number): T | Shape | undefined {
    return this.#pairs.get(lo)?.[hi] ?? this.base?.pair(lo, hi);
  }
}

/** Returns the approximate memory of a declaration in bytes; 0 if it isn't a Shape. */
function costOf(declared: unknown): number {
  if (!(declared instanceof Shape)) return 0;
  return declared.names.reduce((cost, name) => cost + name.length + 8, 8);
}

/** Whether a declared id of `length` bytes may start with this byte. */
export function isRecordId(byte: number, length: number): boolean {
  return byte >= (length === 1 ? FIRST_RECORD_ID : FIRST_PAIR_ID) && byte <= LAST_RECORD_ID;
}

/**
 * If a ShapeTable has more names than this between two messages, it forgets all of them. A name counts once, plus once
 * for every LONG_NAME code units.
 */
const MAX_KEPT = 4096;
const LONG_NAME = 64;

/** After this many failed attempts to publish its new shapes, a message is written with declarations or maps. */
const MAX_ATTEMPTS = 3;

/** Stands for no message, because messages are numbered from 1. */
const NO_MESSAGE = 0;

/**
 * Assigns ids to the shapes of a message, for an encoder. Declarations get the ids that the dictionary leaves for them
 * (`ownIds`), in order. After the last of these ids, the table starts again with the first one.
 */
export class ShapeTable {
  readonly #shared: SharedRecords | null;
  readonly #most: number;
  #root = new ShapeNode();
  #kept = 0;
  #message = NO_MESSAGE;
  #declaredCount = 0;
  /** The dictionary that the message relies on; null if records aren't shared. */
  #dictionary: Dictionary | null = null;
  /** The ids that a message may declare. */
  #own: OwnIds;
  /** For each id of `#own`, the shape that was declared with the id last. */
  readonly #holders: (ShapeNode | undefined)[] = [];
  /** New shapes that this message uses as if they were already in the dictionary. */
  #minted: (readonly string[])[] = [];
  #mayMint = false;
  readonly #isSequential: boolean;
  /** Whether the latest message was completed. If it wasn't, decoders don't know its declarations. */
  #isComplete = false;
  /** Results of `shapeOf` stay valid as long as `era` is the same object. */
  era: object = {};
  /** Number of failed attempts to publish the new shapes of the current message. */
  #attempts = 0;
  /** The dictionary with the new shapes that were published last. */
  #published: Dictionary | null = null;

  /**
   * @param most the maximum number of ids that a message declares
   * @param isSequential whether declarations stay valid in later messages; false with a dictionary
   */
  constructor(shared: SharedRecords | null, most: number, isSequential: boolean) {
    this.#shared = shared;
    this.#most = most;
    this.#isSequential = isSequential;
    this.#own = ownIds(0, most);
  }

  /**
   * Starts a message. Forgets earlier declarations, except in a sequence whose latest message was completed. A nested
   * message always forgets them.
   *
   * @param isNested whether the message is part of another message that is being written
   * @param around the table of the message whose header covers this one; null if there is none
   */
  startMessage(isNested: boolean, around: ShapeTable | null): void {
    const continues = this.#isSequential && this.#isComplete && !isNested;
    this.#isComplete = false;
    if (continues) return;
    this.#message++;
    this.#declaredCount = 0;
    const shared = this.#shared;
    if (shared === null) return;
    const dictionary = around === null ? shared.current() : around.#dictionary;
    if (dictionary !== this.#dictionary) {
      this.#dictionary = dictionary;
      this.era = {};
      this.#own = around === null ? ownIds(shared.reach, this.#most) : around.#own;
    }
    this.#mayMint = !isNested && this.#attempts < MAX_ATTEMPTS && shared.publishes;
    this.#minted = [];
  }

  /**
   * Publishes the new shapes that the message relies on. Returns false if publishing failed. The message must then be
   * written again.
   */
  endMessage(): boolean {
    const isPublished = this.#minted.length === 0 || this.#publish();
    this.#attempts = isPublished ? 0 : this.#attempts + 1;
    this.#isComplete = isPublished;
    return isPublished;
  }

  #publish(): boolean {
    this.#published = this.#shared?.publish(this.#dictionary as Dictionary, this.#minted) ?? null;
    return this.#published !== null;
  }

  /**
   * The dictionary that the latest complete message relies on; null if records aren't shared. Code of the user that ran
   * while the message was written may have loaded another dictionary, so `shared.current()` may return that one.
   */
  get relied(): Dictionary | null {
    return this.#minted.length === 0 ? this.#dictionary : this.#published;
  }

  /** Forgets the names if there are more than MAX_KEPT. Called between messages. */
  forgetMany(): void {
    if (this.#kept <= MAX_KEPT) return;
    this.#root = new ShapeNode();
    this.#kept = 0;
    this.#holders.fill(undefined);
    this.era = {};
  }

  /** Whether a message can declare shapes. */
  get declares(): boolean {
    return this.#own.count > 0;
  }

  /** Returns the shape with these names, in this order. */
  shapeOf(names: readonly string[]): ShapeNode {
    const shared = this.#dictionary?.placeOf(names);
    if (shared !== undefined) return shared;
    let node = this.#root;
    for (const name of names) {
      const next = node.next(name);
      if (next === undefined) this.#kept += 1 + Math.floor(name.length / LONG_NAME);
      node = next ?? node.add(name);
    }
    return node;
  }

  /** Returns the id of the shape in this message, in the form of `idOf` in dictionary.ts; 0 if the shape has no id. */
  idOf(shape: ShapeNode): number {
    return shape.message === this.#message || shape.message === EVERY_MESSAGE ? shape.id : 0;
  }

  /**
   * Gives a new shape the next id of the dictionary, and returns the id. The message needs no declaration of the shape,
   * because `endMessage` publishes the shape. Returns 0 if this message can't publish it. In that case, proposes the
   * shape to the StructureSource, if there is one and the shape may be shared.
   */
  mint(shape: ShapeNode, names: readonly string[]): number {
    const shared = this.#shared;
    if (shared === null || this.#dictionary === null) return 0;
    const number = this.#dictionary.size + this.#minted.length;
    if (number >= shared.limit || !shared.wants(names)) return 0;
    if (!this.#mayMint) {
      shared.propose(names);
      return 0;
    }
    this.#minted.push(names);
    shape.message = this.#message;
    shape.id = idOf(number, true);
    return shape.id;
  }

  /**
   * Gives the shape the next id and returns the id. A shape that already has this id loses it. Returns 0 if there are
   * no ids for declarations.
   */
  declare(shape: ShapeNode): number {
    const { first, count, hasPairs } = this.#own;
    if (count === 0) return 0;
    const slot = this.#declaredCount % count;
    if (this.#declaredCount >= count) {
      const holder = this.#holders[slot];
      if (holder !== undefined) holder.message = NO_MESSAGE;
    }
    this.#holders[slot] = shape;
    this.#declaredCount++;
    shape.message = this.#message;
    shape.id = idOf(first + slot, hasPairs);
    return shape.id;
  }
}
