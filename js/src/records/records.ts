// Records (spec/05-records.md): the names that declarations give to ids.
//
// Plan: RecordTable, what a reader has seen declared · ShapeTable, what a writer has declared · ids.
//
// Both live for one message. A ShapeTable keeps its tree of names between messages, because the next message usually has
// the same shapes; the ids in it are forgotten by counting up `message`. The shapes of a dictionary (dictionary.ts) are not in
// these tables: they are asked for what was not declared, or when nothing was.

import { FIRST_PAIR_ID, FIRST_RECORD_ID, LAST_RECORD_ID } from '../core/format.ts';
import { type Dictionary, EVERY_MESSAGE, idOf, type OwnIds, ownIds, Shape, ShapeNode } from './dictionary.ts';
import type { SharedRecords } from './shared.ts';

const ID_COUNT = LAST_RECORD_ID - FIRST_RECORD_ID + 1;

/** The ids that have a meaning at a place in a message. */
export interface RecordIds<T> {
  /** Whether the byte is the first of a two-byte id (spec/05#instance: by whichever was declared last with it). */
  isPaired(lo: number): boolean;
  /** What the byte alone is the id of; undefined when it is the first of two. */
  direct(id: number): T | undefined;
  one(id: number): T | undefined;
  pair(lo: number, hi: number): T | undefined;
}

/** Declarations of one message, on the reading side. `T` is what the reader keeps for each. */
export class RecordTable<T> implements RecordIds<T | Shape> {
  /** What was declared before the message, or before the element of a long array. */
  base: RecordIds<Shape> | null;
  /** How to take back the declarations of the latest element of a long array; null where nobody asks. */
  #undo: (() => void)[] | null = null;
  /** By id; the ids start with FIRST_RECORD_ID. */
  readonly #one = new Array<T | undefined>(ID_COUNT).fill(undefined);
  /** By their first byte, and then by the second. A map of all of them would be many times as large while it grows. */
  readonly #pairs = new Map<number, (T | undefined)[]>();
  /** Whether a first byte was declared last as the first of two, if it was; by the same index. */
  readonly #paired = new Array<boolean | undefined>(ID_COUNT).fill(undefined);
  /** The first bytes that something was declared with. */
  readonly #used: number[] = [];

  constructor(base: RecordIds<Shape> | null = null) {
    this.base = base;
  }

  /** About how many bytes the declarations keep that outlive their message. */
  get cost(): number {
    let cost = 0;
    for (const declared of [this.#one, ...this.#pairs.values()].flat()) cost += costOf(declared);
    return cost;
  }

  /** Starts to remember what declarations replace, so that `undo` can take them back. */
  remember(): void {
    if (this.#undo === null || this.#undo.length > 0) this.#undo = [];
  }

  /** Takes back the declarations since `remember`. */
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

  /** The declarations of ids that start with this byte. */
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

  /** Forgets all declarations: another message. */
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

/** What is kept of messages that are gone has its names. */
function costOf(declared: unknown): number {
  if (!(declared instanceof Shape)) return 0;
  return declared.names.reduce((cost, name) => cost + name.length + 8, 8);
}

/** Whether a byte can be the id, or the first byte of the id, of a declaration with that many id bytes. */
export function isRecordId(byte: number, length: number): boolean {
  return byte >= (length === 1 ? FIRST_RECORD_ID : FIRST_PAIR_ID) && byte <= LAST_RECORD_ID;
}

/** So many names, the longer ones counting for several, are kept between messages; a writer of ever new names starts over. */
const MAX_KEPT = 4096;
const LONG_NAME = 64;

/** How often a message is written with new shapes before it is written without. */
const MAX_ATTEMPTS = 3;

/** Messages count from 1. */
const NO_MESSAGE = 0;

/** The ids a writer has given in one message: those left by the dictionary in turn; the oldest is declared again after all of them. */
export class ShapeTable {
  readonly #shared: SharedRecords | null;
  readonly #most: number;
  #root = new ShapeNode();
  #kept = 0;
  #message = NO_MESSAGE;
  #declaredCount = 0;
  /** What the message may rely on, and the ids it may declare. */
  #dictionary: Dictionary | null = null;
  #own: OwnIds;
  /** Which shape has each of those ids in this message. */
  readonly #holders: (ShapeNode | undefined)[] = [];
  /** New shapes that this message uses as if they were in the dictionary. */
  #minted: (readonly string[])[] = [];
  #mayMint = false;
  readonly #isSequential: boolean;
  /** Whether the latest message came to its end: only then do readers know what it declared. */
  #isComplete = false;
  /** What `shapeOf` gives holds as long as this is the same. */
  era: object = {};
  /** How often this message has been written already. */
  #attempts = 0;

  /**
   * @param most so many ids are declared in a message, if there are as many
   * @param isSequential whether what a message declares holds for those behind it; not with a dictionary
   */
  constructor(shared: SharedRecords | null, most: number, isSequential: boolean) {
    this.#shared = shared;
    this.#most = most;
    this.#isSequential = isSequential;
    this.#own = ownIds(0, most);
  }

  /** Forgets the declarations of the message before. `isNested` when it is a part of one that is being written. */
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

  /** Publishes the shapes that the message relies on. Returns false when that failed, and it must be written again. */
  endMessage(): boolean {
    const isPublished =
      this.#minted.length === 0 || this.#shared?.publish(this.#dictionary as Dictionary, this.#minted) === true;
    this.#attempts = isPublished ? 0 : this.#attempts + 1;
    this.#isComplete = isPublished;
    return isPublished;
  }

  /** Between messages: forgets the names when they have become many. */
  forgetMany(): void {
    if (this.#kept <= MAX_KEPT) return;
    this.#root = new ShapeNode();
    this.#kept = 0;
    this.#holders.fill(undefined);
    this.era = {};
  }

  /** The shape with these names, in this order. */
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

  /** The id that the shape has here, as of `idOf` in dictionary.ts; 0 when it has none. */
  idOf(shape: ShapeNode): number {
    return shape.message === this.#message || shape.message === EVERY_MESSAGE ? shape.id : 0;
  }

  /** Gives the shape an id without a declaration, if it will be in the dictionary by the end of the message; else 0. */
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

  /** Gives the shape the next id, taking it from the shape that has it. 0 when there are no ids for declarations. */
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
