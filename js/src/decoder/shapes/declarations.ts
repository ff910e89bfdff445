// Caches repeated declarations of records, and finds them by their id and the bytes of their names.
//
// Plan: KnownDeclaration · DeclarationCache: find, learn.
//
// An encoder that declares records in every message usually declares the same ones every time, with the same ids. A
// declaration that is known gets the same shape as before, together with the code made for the shape. A declaration is
// stored only when it occurs again.

import type { Shape } from '../../records/dictionary.ts';

/**
 * Only arrays of names with LEAST_BYTES … MOST_BYTES bytes are stored. Shorter ones can't be hashed, and longer ones
 * aren't worth the memory.
 */
const LEAST_BYTES = 8;
const MOST_BYTES = 512;

/**
 * There are FEW_SLOTS slots, and MANY_SLOTS once FEW_DECLARATIONS new arrays of names have been seen. FEW_SLOTS and
 * MANY_SLOTS are powers of two.
 */
const FEW_SLOTS = 16;
const FEW_DECLARATIONS = 12;
const MANY_SLOTS = 512;
const LONGEST_CHAIN = 8;

/** Approximate limit of the memory for declarations, in bytes. */
const MOST_KEPT = 262_144;
/** Approximate memory of a declaration, in bytes. Each byte of its array of names adds another four. */
const COST = 200;
const PATIENCE = 512;

/** An array of names and the shape it stands for. */
class KnownDeclaration {
  readonly shape: Shape;
  readonly hash: number;
  /** Length of the array in bytes, including its head. */
  readonly length: number;
  /** The bytes as 32-bit words. The last word may overlap the one before. */
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
  /** Hashes of the latest unknown arrays of names, in pairs. The newer hash of a pair is first. */
  #seen = new Int32Array(2 * FEW_SLOTS);
  /** How many arrays of names weren't in `#seen`. */
  #unknown = 0;
  #kept = 0;
  #refused = 0;

  /**
   * Returns the known declaration whose array of names starts at `at` and ends at or before `end`; null if it isn't
   * known.
   */
  find(view: DataView, at: number, end: number, id: number): KnownDeclaration | null {
    if (end - at < LEAST_BYTES) return null;
    const hash = hashOf(view.getInt32(at, true), view.getInt32(at + 4, true), id);
    let declaration = this.#slots[hash & (this.#slots.length - 1)] as KnownDeclaration | null;
    while (declaration !== null && !isAt(declaration, view, at, end)) declaration = declaration.next;
    return declaration;
  }

  /** Called for an array of names that `find` didn't find. Stores it if it has occurred before. */
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
      // A full cache turns away new declarations. The PATIENCE-th of them empties the cache.
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
    // A full chain forgets its oldest declaration.
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

/**
 * Hashes the first eight bytes of an array of names, and the id. Many arrays start with the same count and name; within
 * a message, the id tells them apart.
 */
function hashOf(first: number, second: number, id: number): number {
  const hash = Math.imul(first ^ id, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
