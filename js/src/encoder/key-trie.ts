// Stores the names of earlier objects, in order and with their bytes.
//
// Plan: Leaf · KeyNode · KeyTrie: step, path, starting over.
//
// A node of the trie stands for a sequence of names. It remembers which name came next the last time, and the node of
// that name. So an object with known names costs one comparison of pointers per name. A look-up in a Map is needed only
// where the next name can't be predicted. When the trie is full, new names get no node. The first such name of each
// object is a miss. After FIRST_RESET_AFTER misses the trie starts over. This number doubles each time, up to
// MAX_RESET_AFTER.

import type { ShapeNode } from '../records/dictionary.ts';
import { MOST_STORED, StoredName } from './output/stored-name.ts';

/** Names with more code units get no node. */
const LONGEST_NAME = 64;
/** If an object has more names, only the first ones get nodes. */
const MAX_DEPTH = 64;
const MAX_NODES = 4096;
/** Misses before the trie starts over for the first time. This number doubles each time, up to MAX_RESET_AFTER. */
const FIRST_RESET_AFTER = 16_384;
/** The most misses before the trie starts over. */
const MAX_RESET_AFTER = 0x10_0000;

/**
 * Stands for a missing name. It is longer than any name with a node, so it equals none of them. It is a string instead
 * of null, because engines compare names by address as long as all of them are strings. A single value of another type
 * would turn every comparison into a call.
 */
const NO_NAME = '-----------------------------------------------------------------';

/** The names of a record, and what is known about its shape. */
export interface Leaf {
  readonly names: readonly string[];
  /** The node of each name, up to the first name without a node. */
  readonly nodes: readonly KeyNode[];
  shape: ShapeNode;
  /** The `ShapeTable.era` in which `shape` is valid. */
  era: object;
}

/** A node of the trie. Stands for the names that lead to it, and stores the last of these names. */
export class KeyNode extends StoredName {
  /** The name that came next the last time, and its node. */
  nextName = NO_NAME;
  nextNode: KeyNode | null = null;
  /** All names that have come next; null until there are two. */
  branches: Map<string, KeyNode> | null = null;
  /** Length of the head of the last map that started with this name, in bytes. */
  headLength = 1;
  /** The record whose names lead to this node; null until it is needed. */
  leaf: Leaf | null = null;
  readonly depth: number;
  readonly name: string;
  /** The sibling that replaced this node as the parent's `nextNode` the last time. Predicts names that alternate. */
  following: KeyNode | null = null;

  /**
   * @param length the length of the name's str, at most MOST_STORED; 0 if the str isn't to be stored
   * @param bytes the str, padded with zeros to MOST_STORED
   */
  constructor(depth: number, name: string, length: number, bytes: DataView) {
    super(bytes, length);
    this.depth = depth;
    this.name = name;
  }
}

export class KeyTrie {
  /** The str of the name that is being added. */
  readonly #bytes = new Uint8Array(MOST_STORED);
  readonly #view = new DataView(this.#bytes.buffer);
  root = this.#newRoot();
  #nodeCount = 0;
  #misses = 0;
  #resetAfter = FIRST_RESET_AFTER;

  /**
   * Returns the node that `name` leads to from the node `from`; null if the name gets no node. `name` must differ from
   * `from.nextName`. `str` encodes a name.
   */
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

  /** Returns the nodes of these names, up to the first name that gets none. */
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

  /** Starts over if there were too many misses. Called between messages. */
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
    // Strict mode refuses the name __proto__. The encoder may skip this check for a name that has a node, so this name
    // gets none.
    if (from.depth === MAX_DEPTH || name.length > LONGEST_NAME || name === '__proto__') return null;
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
