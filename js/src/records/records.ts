// Records (spec/05-records.md): which names the ids of a message stand for.
//
// Plan: RecordIds · RecordTable, the declarations that a decoder has read · ShapeTable, those that an encoder has
// written.
//
// Both tables hold for one message. A ShapeTable keeps its tree of names, because the next message usually has the same
// shapes; its ids become invalid when `message` is incremented. The shapes of a dictionary (dictionary.ts) aren't in
// these tables. The dictionary is asked for ids that the message hasn't declared.

import { FIRST_PAIR_ID, FIRST_RECORD_ID, LAST_RECORD_ID } from '../core/format.ts';
import { type Dictionary, EVERY_MESSAGE, idOf, type OwnIds, ownIds, Shape, ShapeNode } from './dictionary.ts';
import type { SharedRecords } from './shared.ts';

const ID_COUNT = LAST_RECORD_ID - FIRST_RECORD_ID + 1;

/** The ids that are declared at a place in a message. */
export interface RecordIds<T> {
  /**
   * Whether the byte is the first of a two-byte id. The latest declaration with that byte decides (spec/05#instance).
   */
  isPaired(lo: number): boolean;
  /** The declaration whose complete id is this byte; undefined if the byte is the first of two. */
  direct(id: number): T | undefined;
  one(id: number): T | undefined;
  pair(lo: number, hi: number): T | undefined;
}

/** The declarations of one message, for decoders and scanners. `T` is what they keep of each. */
export class RecordTable<T> implements RecordIds<T | Shape> {
  /** The ids that were declared before the message, or before the element of a long array. */
  base: RecordIds<Shape> | null;
  /** Functions that undo the declarations since `remember`; null if it wasn't called. */
  #undo: (() => void)[] | null = null;
  /** By id, starting with FIRST_RECORD_ID. */
  readonly #one = new Array<T | undefined>(ID_COUNT).fill(undefined);
  /** By the first byte, then the second. One Map of all pairs would take many times the memory while it grows. */
  readonly #pairs = new Map<number, (T | undefined)[]>();
  /** Whether the latest declaration with a first byte had two bytes; undefined if there was none. Same index. */
  readonly #paired = new Array<boolean | undefined>(ID_COUNT).fill(undefined);
  /** The first bytes of all declarations. */
  readonly #used: number[] = [];

  constructor(base: RecordIds<Shape> | null = null) {
    this.base = base;
  }

  /** Approximate bytes that the declarations keep beyond their message. */
  get cost(): number {
    let cost = 0;
    for (const declared of [this.#one, ...this.#pairs.values()].flat()) cost += costOf(declared);
    return cost;
  }

  /** Starts to remember what declarations replace, so that `undo` can restore it. */
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

  /** Returns the declarations of ids with this first byte. */
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

  /** Forgets all declarations, for another message. */
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

/** Returns the approximate memory of a declaration that outlives its message. */
function costOf(declared: unknown): number {
  if (!(declared instanceof Shape)) return 0;
  return declared.names.reduce((cost, name) => cost + name.length + 8, 8);
}

/** Whether the byte can be the id, or its first byte, of a declaration with an id of `length` bytes. */
export function isRecordId(byte: number, length: number): boolean {
  return byte >= (length === 1 ? FIRST_RECORD_ID : FIRST_PAIR_ID) && byte <= LAST_RECORD_ID;
}

/**
 * At most this many names are kept between messages; long ones count more than once. After that the table starts over.
 */
const MAX_KEPT = 4096;
const LONG_NAME = 64;

/** How often a message is written with new shapes of the dictionary before it is written only with declarations. */
const MAX_ATTEMPTS = 3;

/** Messages count from 1. */
const NO_MESSAGE = 0;

/**
 * The ids that an encoder has assigned in one message. It takes those that the dictionary doesn't use, in order; after
 * the last one, it starts again with the first and declares it anew.
 */
export class ShapeTable {
  readonly #shared: SharedRecords | null;
  readonly #most: number;
  #root = new ShapeNode();
  #kept = 0;
  #message = NO_MESSAGE;
  #declaredCount = 0;
  /** The dictionary that the message relies on, and the ids that it may declare. */
  #dictionary: Dictionary | null = null;
  #own: OwnIds;
  /** The shape that holds each of those ids in this message. */
  readonly #holders: (ShapeNode | undefined)[] = [];
  /** New shapes that this message uses as if they were already in the dictionary. */
  #minted: (readonly string[])[] = [];
  #mayMint = false;
  readonly #isSequential: boolean;
  /** Whether the latest message was completed. Only then do decoders know what it declared. */
  #isComplete = false;
  /** The result of `shapeOf` is valid as long as this object is the same. */
  era: object = {};
  /** How often the current message has been written already. */
  #attempts = 0;

  /**
   * @param most a message declares at most this many ids
   * @param isSequential whether declarations stay valid in later messages; not with a dictionary
   */
  constructor(shared: SharedRecords | null, most: number, isSequential: boolean) {
    this.#shared = shared;
    this.#most = most;
    this.#isSequential = isSequential;
    this.#own = ownIds(0, most);
  }

  /**
   * Starts a message and forgets earlier declarations. `isNested` means that it is part of a message that is being
   * written.
   */
  startMessage(isNested: boolean): void {
    const continues = this.#isSequential && this.#isComplete && !isNested;
    this.#isComplete = false;
    if (continues) return;
    this.#message++;
    this.#declaredCount = 0;
    const shared = this.#shared;
    if (shared === null) return;
    const dictionary = shared.current();
    if (dictionary !== this.#dictionary) {
      this.#dictionary = dictionary;
      this.era = {};
      this.#own = ownIds(shared.reach, this.#most);
    }
    this.#mayMint = !isNested && this.#attempts < MAX_ATTEMPTS && shared.publishes;
    this.#minted = [];
  }

  /**
   * Publishes the shapes that the message relies on. Returns false if that failed, and the message must be written
   * again.
   */
  endMessage(): boolean {
    const isPublished =
      this.#minted.length === 0 || this.#shared?.publish(this.#dictionary as Dictionary, this.#minted) === true;
    this.#attempts = isPublished ? 0 : this.#attempts + 1;
    this.#isComplete = isPublished;
    return isPublished;
  }

  /** Called between messages. Forgets the names if there are too many. */
  forgetMany(): void {
    if (this.#kept <= MAX_KEPT) return;
    this.#root = new ShapeNode();
    this.#kept = 0;
    this.#holders.fill(undefined);
    this.era = {};
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

  /** Returns the id of the shape in this message, as `idOf` in dictionary.ts does; 0 if it has none. */
  idOf(shape: ShapeNode): number {
    return shape.message === this.#message || shape.message === EVERY_MESSAGE ? shape.id : 0;
  }

  /**
   * Gives the shape an id without declaring it, if the dictionary can have it when the message is complete. Otherwise
   * returns 0.
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
   * Gives the shape the next id, and takes that id from the shape that held it. Returns 0 if there are no ids for
   * declarations.
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
