// The names of objects in the order in which they come, with their bytes: what the encoder knows from objects before.
//
// Plan: KeyNode · KeyTrie: step, adding, starting over.
//
// A place in the trie is the names so far. It remembers the name that came next the last time, and what came after that one, so a
// known object costs a comparison of pointers for each name, and a look into a Map where objects part in no order. What is kept is bounded: when nothing more fits, names
// are encoded as they come, and after many of them the trie starts over, each time later than before.

import type { ShapeNode } from '../records/dictionary.ts';
import { MOST_STORED, StoredName } from './output/stored-name.ts';

/** A name of more code units is not kept. */
const LONGEST_NAME = 64;
/** An object of more names is known by its first ones only. */
const MAX_DEPTH = 64;
const MAX_NODES = 4096;
/** After so many objects that found no place the trie starts over: they are others now. The next time it takes twice as many, */
const FIRST_PATIENCE = 16_384;
/** at most so many. */
const MOST_PATIENCE = 0x10_0000;

/**
 * Longer than any name that is kept. Always a string, because engines then compare names by their addresses; anything else, even
 * once, makes every comparison a call.
 */
const NO_NAME = '-----------------------------------------------------------------';

/** What a writer of records knows of the names that lead to a place. */
export interface Leaf {
  readonly names: readonly string[];
  /** The places of the names. */
  readonly nodes: readonly KeyNode[];
  shape: ShapeNode;
  /** What `shape` holds for, as of `ShapeTable.era`. */
  era: object;
}

/** A place in the trie: the names that lead here, of which the last is stored with it. */
export class KeyNode extends StoredName {
  /** The name that came next the last time, and where it leads. */
  nextName = NO_NAME;
  nextNode: KeyNode | null = null;
  /** All names that have come next, once there are two. */
  branches: Map<string, KeyNode> | null = null;
  /** Bytes of the head of the map that began with this name the last time. */
  headLength = 1;
  /** What the names up to here are as a record; null when nobody has asked. */
  leaf: Leaf | null = null;
  readonly depth: number;
  readonly name: string;
  /** What came in its place the time after it did. */
  following: KeyNode | null = null;

  /** @param bytes as StoredName takes them */
  constructor(depth: number, name: string, length: number, bytes: DataView) {
    super(bytes, length);
    this.depth = depth;
    this.name = name;
  }
}

export class KeyTrie {
  /** For the str of a name that is added. */
  readonly #bytes = new Uint8Array(MOST_STORED);
  readonly #view = new DataView(this.#bytes.buffer);
  root = this.#newRoot();
  #nodeCount = 0;
  #misses = 0;
  #patience = FIRST_PATIENCE;

  /** Where a name leads that is not `nextName`; null when it is not kept. `str` is what encodes a name. */
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
    if (this.#misses < this.#patience) return;
    this.root = this.#newRoot();
    this.#nodeCount = 0;
    this.#misses = 0;
    this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
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
