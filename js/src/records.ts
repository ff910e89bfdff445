// Records (spec/05-records.md): the names that declarations give to ids.
//
// Plan: RecordTable, what a reader has seen declared · ShapeTable, what a writer has declared · ids.
//
// Both live for one message. A ShapeTable keeps its tree of names between messages, because the next message usually has
// the same shapes; the ids in it are forgotten by counting up `message`.

import { FIRST_PAIR_ID, FIRST_RECORD_ID, LAST_RECORD_ID } from './format.ts';

/** Declarations of one message, on the reading side. `T` is what the reader keeps for each. */
export class RecordTable<T> {
  readonly #one = new Map<number, T>();
  readonly #pairs = new Map<number, T>();
  /** First bytes that were declared last as the first of two. */
  readonly #paired = new Set<number>();

  declareOne(id: number, declared: T): void {
    this.#one.set(id, declared);
    this.#paired.delete(id);
  }

  declarePair(lo: number, hi: number, declared: T): void {
    this.#pairs.set(lo * 256 + hi, declared);
    this.#paired.add(lo);
  }

  /** Whether the byte is the first of a two-byte id (spec/05#instance: by whichever was declared last with it). */
  isPaired(lo: number): boolean {
    return this.#paired.has(lo);
  }

  one(id: number): T | undefined {
    return this.#one.get(id);
  }

  pair(lo: number, hi: number): T | undefined {
    return this.#pairs.get(lo * 256 + hi);
  }
}

/** Whether a byte can be the id, or the first byte of the id, of a declaration with that many id bytes. */
export function isRecordId(byte: number, length: number): boolean {
  return byte >= (length === 1 ? FIRST_RECORD_ID : FIRST_PAIR_ID) && byte <= LAST_RECORD_ID;
}

const ID_COUNT = LAST_RECORD_ID - FIRST_RECORD_ID + 1;

/** So many names are kept between messages; a writer of ever new names starts over. */
const MAX_NODES = 4096;

/** A place in the tree of names: the record whose names lead here from the root, in this order. */
class ShapeNode {
  readonly next = new Map<string, ShapeNode>();
  /** The id in message `message`; of no meaning in others. */
  id = 0;
  message = 0;
}

/** The ids a writer has given in one message: one-byte ids in turn, the oldest is declared again after 64. */
export class ShapeTable {
  #root = new ShapeNode();
  #nodeCount = 0;
  #message = 0;
  #declaredCount = 0;
  /** Which shape has each id in this message. */
  readonly #holders = new Array<ShapeNode | undefined>(ID_COUNT);

  /** Forgets the declarations of the message before. */
  startMessage(): void {
    this.#message++;
    this.#declaredCount = 0;
    if (this.#nodeCount > MAX_NODES) {
      this.#root = new ShapeNode();
      this.#nodeCount = 0;
    }
  }

  /** The shape with these names, in this order. */
  shapeOf(names: readonly string[]): ShapeNode {
    let node = this.#root;
    for (const name of names) {
      let next = node.next.get(name);
      if (next === undefined) {
        next = new ShapeNode();
        node.next.set(name, next);
        this.#nodeCount++;
      }
      node = next;
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
