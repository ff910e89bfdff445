// Declarations of records that come again, by the bytes of their names.
//
// Plan: KnownDeclaration · DeclarationCache: find, learn.
//
// A writer that declares records in every message declares the same ones every time. An array of names that is known by its bytes
// gives the shape it gave before, with whatever was learned about it. It is kept when it is seen the second time.

import type { Shape } from '../../records/dictionary.ts';

/** Arrays of names of so many bytes are learned; a larger one is not worth the memory. */
const LEAST_BYTES = 8;
const MOST_BYTES = 512;

/** Slots, powers of two: at first, and when there were more than a few definitions. */
const FEW_SLOTS = 16;
const FEW_DECLARATIONS = 12;
const MANY_SLOTS = 512;
const LONGEST_CHAIN = 8;

/** About how many bytes are kept. */
const MOST_KEPT = 262_144;
/** Beside four for each byte. */
const COST = 200;
const PATIENCE = 512;

/** An array of names and the shape it stands for. */
class KnownDeclaration {
  readonly shape: Shape;
  readonly hash: number;
  /** Bytes of the array, its head included. */
  readonly length: number;
  /** Its bytes; the last word may overlap the one before. */
  readonly words: Int32Array;
  next: KnownDeclaration | null = null;

  constructor(shape: Shape, hash: number, view: DataView, start: number, end: number) {
    this.shape = shape;
    this.hash = hash;
    this.length = end - start;
    this.words = new Int32Array((this.length + 3) >> 2);
    const last = end - 4;
    let word = 0;
    for (let at = start; at < last; at += 4) this.words[word++] = view.getInt32(at, true);
    this.words[word] = view.getInt32(last, true);
  }
}

export class DeclarationCache {
  #slots: (KnownDeclaration | null)[] = new Array<KnownDeclaration | null>(FEW_SLOTS).fill(null);
  /** Hashes of the latest arrays of names that were not known, two for each place. */
  #seen = new Int32Array(2 * FEW_SLOTS);
  /** Arrays of names that were seen for the first time. */
  #unknown = 0;
  #kept = 0;
  #refused = 0;

  /** The definition whose array of names is at `at`, before `end`, and declared for `id`; null when it is not known. */
  find(view: DataView, at: number, end: number, id: number): KnownDeclaration | null {
    if (end - at < LEAST_BYTES) return null;
    const hash = hashOf(view.getInt32(at, true), view.getInt32(at + 4, true), id);
    let declaration = this.#slots[hash & (this.#slots.length - 1)] as KnownDeclaration | null;
    while (declaration !== null && !isAt(declaration, view, at, end)) declaration = declaration.next;
    return declaration;
  }

  /** Remembers an array of names at `start` … `end` that was not found. */
  learn(view: DataView, start: number, end: number, id: number, shape: Shape): void {
    const length = end - start;
    if (length < LEAST_BYTES || length > MOST_BYTES) return;
    const hash = hashOf(view.getInt32(start, true), view.getInt32(start + 4, true), id);
    const seen = hash ^ Math.imul(view.getInt32(end - 4, true) + length, 0x2c1b3c6d);
    const place = seen & (this.#seen.length - 2);
    if (this.#seen[place] !== seen && this.#seen[place + 1] !== seen) {
      this.#seen[place + 1] = this.#seen[place] as number;
      this.#seen[place] = seen;
      if (++this.#unknown === FEW_DECLARATIONS) this.#grow();
      return;
    }
    if (this.#kept > MOST_KEPT) {
      // Where there are too many, as many again are turned away before all are forgotten.
      if (++this.#refused < PATIENCE) return;
      this.#slots.fill(null);
      this.#kept = 0;
      this.#refused = 0;
    }
    this.#kept += COST + 4 * length;
    this.#add(new KnownDeclaration(shape, hash, view, start, end));
  }

  #add(declaration: KnownDeclaration): void {
    const slot = declaration.hash & (this.#slots.length - 1);
    declaration.next = this.#slots[slot] as KnownDeclaration | null;
    this.#slots[slot] = declaration;
    // The oldest one of a full chain is forgotten.
    let last = declaration;
    for (let length = 1; length < LONGEST_CHAIN && last.next !== null; length++) last = last.next;
    if (last.next !== null) this.#kept -= COST + 4 * last.next.length;
    last.next = null;
  }

  #grow(): void {
    const few = this.#slots;
    this.#slots = new Array<KnownDeclaration | null>(MANY_SLOTS).fill(null);
    this.#seen = new Int32Array(4 * MANY_SLOTS);
    for (const first of few) {
      for (let declaration = first; declaration !== null; ) {
        const { next } = declaration;
        this.#add(declaration);
        declaration = next;
      }
    }
  }
}

function isAt({ words, length }: KnownDeclaration, view: DataView, at: number, end: number): boolean {
  if (length > end - at) return false;
  const last = at + length - 4;
  let index = 0;
  for (let start = at; start < last; start += 4) {
    if (view.getInt32(start, true) !== words[index++]) return false;
  }
  return view.getInt32(last, true) === words[index];
}

/** The first bytes are a count and a name that many arrays start with; the id tells them apart within a message. */
function hashOf(first: number, second: number, id: number): number {
  const hash = Math.imul(first ^ id, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
