// Records (spec/05-records.md): the names that declarations give to ids.
//
// Plan: RecordTable, what a reader has seen declared · ShapeTable, what a writer has declared · ids.
//
// Both live for one message. A ShapeTable keeps its tree of names between messages, because the next message usually has
// the same shapes; the ids in it are forgotten by counting up `message`.

import { FIRST_PAIR_ID, FIRST_RECORD_ID, LAST_RECORD_ID } from './format.ts';

const ID_COUNT = LAST_RECORD_ID - FIRST_RECORD_ID + 1;

/** Declarations of one message, on the reading side. `T` is what the reader keeps for each. */
export class RecordTable<T> {
  /** By id; the ids start with FIRST_RECORD_ID. */
  readonly #one = new Array<T | undefined>(ID_COUNT);
  readonly #pairs = new Map<number, T>();
  /** Whether a first byte was declared last as the first of two; by the same index. */
  readonly #paired = new Array<boolean>(ID_COUNT).fill(false);

  declareOne(id: number, declared: T): void {
    this.#one[id - FIRST_RECORD_ID] = declared;
    this.#paired[id - FIRST_RECORD_ID] = false;
  }

  declarePair(lo: number, hi: number, declared: T): void {
    this.#pairs.set(lo * 256 + hi, declared);
    this.#paired[lo - FIRST_RECORD_ID] = true;
  }

  /** Whether the byte is the first of a two-byte id (spec/05#instance: by whichever was declared last with it). */
  isPaired(lo: number): boolean {
    return this.#paired[lo - FIRST_RECORD_ID] === true;
  }

  one(id: number): T | undefined {
    return this.#one[id - FIRST_RECORD_ID];
  }

  pair(lo: number, hi: number): T | undefined {
    return this.#pairs.get(lo * 256 + hi);
  }
}

/** Whether a byte can be the id, or the first byte of the id, of a declaration with that many id bytes. */
export function isRecordId(byte: number, length: number): boolean {
  return byte >= (length === 1 ? FIRST_RECORD_ID : FIRST_PAIR_ID) && byte <= LAST_RECORD_ID;
}

/** So many names, the longer ones counting for several, are kept between messages; a writer of ever new names starts over. */
const MAX_KEPT = 4096;
const LONG_NAME = 64;

/** A place in the tree of names: the record whose names lead here from the root, in this order. */
class ShapeNode {
  /** The id in message `message`; of no meaning in others. */
  id = 0;
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

/** The ids a writer has given in one message: one-byte ids in turn, the oldest is declared again after 64. */
export class ShapeTable {
  #root = new ShapeNode();
  #kept = 0;
  #message = 0;
  #declaredCount = 0;
  /** Which shape has each id in this message. */
  readonly #holders = new Array<ShapeNode | undefined>(ID_COUNT);

  /** Forgets the declarations of the message before. */
  startMessage(): void {
    this.#message++;
    this.#declaredCount = 0;
  }

  /** Between messages: forgets the names when they have become many. */
  forgetMany(): void {
    if (this.#kept <= MAX_KEPT) return;
    this.#root = new ShapeNode();
    this.#kept = 0;
    this.#holders.fill(undefined);
  }

  /** The shape with these names, in this order. */
  shapeOf(names: readonly string[]): ShapeNode {
    let node = this.#root;
    for (const name of names) {
      const next = node.next(name);
      if (next === undefined) this.#kept += 1 + Math.floor(name.length / LONG_NAME);
      node = next ?? node.add(name);
    }
    return node;
  }

  /** The id the shape was declared with in this message; 0 when it has none. */
  idOf(shape: ShapeNode): number {
    return shape.message === this.#message ? shape.id : 0;
  }

  /** Gives the shape the next id, taking it from the shape that had it 64 declarations ago. */
  declare(shape: ShapeNode): number {
    const slot = this.#declaredCount % ID_COUNT;
    if (this.#declaredCount >= ID_COUNT) {
      const holder = this.#holders[slot];
      if (holder !== undefined) holder.message = 0;
    }
    this.#holders[slot] = shape;
    this.#declaredCount++;
    shape.message = this.#message;
    shape.id = FIRST_RECORD_ID + slot;
    return shape.id;
  }
}
