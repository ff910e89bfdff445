// The names of earlier objects, in order and with their bytes.
//
// Plan: Leaf · KeyNode · KeyTrie: step, path, starting over.
//
// A place in the trie stands for the names so far. It remembers which name came next the last time, and which place
// followed it. So a known object costs one comparison of pointers per name, and a Map look-up only where the next name
// can't be predicted. The trie is limited. When it is full, new names are encoded without being stored. After many of
// them the trie starts over, each time later than before.

import type { ShapeNode } from '../records/dictionary.ts';
import { MOST_STORED, StoredName } from './output/stored-name.ts';

/** Names with more code units aren't stored. */
const LONGEST_NAME = 64;
/** If an object has more names, only the first ones are stored. */
const MAX_DEPTH = 64;
const MAX_NODES = 4096;
/** Misses before the trie is rebuilt for the first time. Doubles each time … */
const FIRST_RESET_AFTER = 16_384;
/** … up to this. */
const MAX_RESET_AFTER = 0x10_0000;

/**
 * Longer than any stored name. Always a string, because engines then compare names by address. A single value of
 * another type would turn every comparison into a call.
 */
const NO_NAME = '-----------------------------------------------------------------';

/** The record whose names lead to a place. */
export interface Leaf {
  readonly names: readonly string[];
  /** The place of each name. */
  readonly nodes: readonly KeyNode[];
  shape: ShapeNode;
  /** The `ShapeTable.era` in which `shape` is valid. */
  era: object;
}

/** A place in the trie: it stands for the names that lead here, and stores the last of them. */
export class KeyNode extends StoredName {
  /** The name that came next the last time, and the place it leads to. */
  nextName = NO_NAME;
  nextNode: KeyNode | null = null;
  /** All names that have come next, once there are at least two. */
  branches: Map<string, KeyNode> | null = null;
  /** Length of the head of the last map that started with this name. */
  headLength = 1;
  /** The record whose names lead to this place; null until it is needed. */
  leaf: Leaf | null = null;
  readonly depth: number;
  readonly name: string;
  /** The place that came next the time after this one did. */
  following: KeyNode | null = null;

  /** @param bytes as StoredName takes them */
  constructor(depth: number, name: string, length: number, bytes: DataView) {
    super(bytes, length);
    this.depth = depth;
    this.name = name;
  }
}

export class KeyTrie {
  /** Memory for the str of a name that is added. */
  readonly #bytes = new Uint8Array(MOST_STORED);
  readonly #view = new DataView(this.#bytes.buffer);
  root = this.#newRoot();
  #nodeCount = 0;
  #misses = 0;
  #resetAfter = FIRST_RESET_AFTER;

  /** Returns the place that a name other than `nextName` leads to; null if it isn't stored. `str` encodes a name. */
  step(from: KeyNode, name: string, str: (name: string) => Uint8Array): KeyNode | null {
    const last = from.nextNode;
    let node = last === null ? null : last.following;
    if (node === null || node.name !== name) {
      node = from.branches?.get(name) ?? this.#add(from, name, str);
      if (node === null) return null;
      if (last !== null) last.following = node;
    }
    from.nextName = name;
    from.nextNode = node;
    return node;
  }

  /** Returns the places of these names, up to the first that isn't stored. */
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

  /** Called between messages. Starts over if too many names weren't stored. */
  forgetMany(): void {
    if (this.#misses < this.#resetAfter) return;
    this.root = this.#newRoot();
    this.#nodeCount = 0;
    this.#misses = 0;
    this.#resetAfter = Math.min(2 * this.#resetAfter, MAX_RESET_AFTER);
  }

  #newRoot(): KeyNode {
    return new KeyNode(0, '', 0, this.#view);
  }

  #add(from: KeyNode, name: string, str: (name: string) => Uint8Array): KeyNode | null {
    if (from.depth === MAX_DEPTH || name.length > LONGEST_NAME) return null;
    if (this.#nodeCount === MAX_NODES) {
      this.#misses++;
      return null;
    }
    const bytes = str(name);
    const length = bytes.length > MOST_STORED ? 0 : bytes.length;
    this.#bytes.fill(0);
    this.#bytes.set(bytes.subarray(0, length));
    const node = new KeyNode(from.depth + 1, name, length, this.#view);
    this.#nodeCount++;
    if (from.nextNode !== null) {
      from.branches ??= new Map([[from.nextName, from.nextNode]]);
      from.branches.set(name, node);
    }
    return node;
  }
}
