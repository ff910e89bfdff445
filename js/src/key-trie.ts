// The names of objects in the order in which they come, with their bytes: what the encoder knows from objects before.
//
// Plan: KeyNode · KeyTrie: step, adding, starting over.
//
// A place in the trie is the names so far; it has two places behind it, and the root many, because objects begin in many ways. So
// a known object costs a comparison of pointers for each name, and one of another kind is soon left alone: looking its names
// up in a Map would cost more than encoding them. What is kept is bounded.

import type { ShapeNode } from './structures.ts';

/** A name of more code units is not kept. */
const LONGEST_NAME = 64;
/** Names whose str has so many bytes are kept as words; longer ones are encoded each time. */
const MOST_BYTES = 32;
/** An object of more names is known by its first ones only. */
const MAX_DEPTH = 64;
const MAX_BEGINNINGS = 512;
const MAX_NODES = 4096;
/** After so many names that found no place the trie starts over: the objects are others now. */
const MAX_MISSES = 16_384;

/** What a writer of records knows of the names that lead to a place. */
export interface Leaf {
  readonly names: readonly string[];
  /** The places of the names. */
  readonly nodes: readonly KeyNode[];
  shape: ShapeNode;
  /** What `shape` holds for, as of `ShapeTable.era`. */
  era: object;
}

export class KeyNode {
  /** A name that comes next, and where it leads: at the root the latest, elsewhere the first. */
  nextName: string | null = null;
  nextNode: KeyNode | null = null;
  /** Another one; not at the root. */
  otherName: string | null = null;
  otherNode: KeyNode | null = null;
  /** Bytes of the str of the name; 0 when it is not kept as words. */
  readonly length: number;
  /** Those bytes, 4 to a word, the first lowest; further words are in `words`. */
  readonly w0: number;
  readonly w1: number;
  readonly w2: number;
  readonly words: readonly number[];
  /** Bytes of the head of the map that began with this name the last time. */
  headLength = 1;
  /** What the names up to here are as a record; null when nobody has asked. */
  leaf: Leaf | null = null;
  readonly depth: number;

  constructor(depth: number, bytes: Uint8Array) {
    this.depth = depth;
    const words: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      words[at >> 2] = (words[at >> 2] ?? 0) | ((bytes[at] as number) << (8 * (at & 3)));
    }
    this.length = bytes.length;
    this.w0 = words[0] ?? 0;
    this.w1 = words[1] ?? 0;
    this.w2 = words[2] ?? 0;
    this.words = words;
  }
}

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

export class KeyTrie {
  root = new KeyNode(0, NO_BYTES);
  readonly #beginnings = new Map<string, KeyNode>();
  #nodeCount = 0;
  #misses = 0;

  /** Where a name leads that is not `nextName`; null when it is not kept. `str` is what encodes a name. */
  step(from: KeyNode, name: string, str: (name: string) => Uint8Array): KeyNode | null {
    if (from.otherName === name) return from.otherNode;
    if (from === this.root) return this.#begin(from, name, str);
    if (from.otherNode !== null) {
      this.#misses++;
      return null;
    }
    const node = this.#add(from, name, str);
    if (node === null) return null;
    if (from.nextNode === null) {
      from.nextName = name;
      from.nextNode = node;
    } else {
      from.otherName = name;
      from.otherNode = node;
    }
    return node;
  }

  #begin(root: KeyNode, name: string, str: (name: string) => Uint8Array): KeyNode | null {
    let node = this.#beginnings.get(name) ?? null;
    if (node === null) {
      if (this.#beginnings.size === MAX_BEGINNINGS) {
        this.#misses++;
        return null;
      }
      node = this.#add(root, name, str);
      if (node === null) return null;
      this.#beginnings.set(name, node);
    }
    root.nextName = name;
    root.nextNode = node;
    return node;
  }

  /** The places of names that lead to one. */
  path(names: readonly string[], str: (name: string) => Uint8Array): KeyNode[] {
    const nodes: KeyNode[] = [];
    let node: KeyNode | null = this.root;
    for (const name of names) {
      node = node.nextName === name ? node.nextNode : this.step(node, name, str);
      if (node === null) break;
      nodes.push(node);
    }
    return nodes;
  }

  /** Between messages: starts over when too much has found no place. */
  forgetMany(): void {
    if (this.#misses < MAX_MISSES) return;
    this.root = new KeyNode(0, NO_BYTES);
    this.#beginnings.clear();
    this.#nodeCount = 0;
    this.#misses = 0;
  }

  #add(from: KeyNode, name: string, str: (name: string) => Uint8Array): KeyNode | null {
    if (this.#nodeCount === MAX_NODES || from.depth === MAX_DEPTH) {
      this.#misses++;
      return null;
    }
    if (name.length > LONGEST_NAME) return null;
    const bytes = str(name);
    const node = new KeyNode(from.depth + 1, bytes.length > MOST_BYTES ? NO_BYTES : bytes);
    this.#nodeCount++;
    return node;
  }
}
