// Objects to maps by the names that are known from objects before: heads that are written last, and names whose bytes are known.
//
// Plan: NameWriter: heads of maps · names.

import type { Settings } from '../options/settings.ts';
import { type KeyNode, KeyTrie, MOST_BYTES } from './key-trie.ts';
import { NumberWriter } from './numbers.ts';

export abstract class NameWriter extends NumberWriter {
  protected readonly keys = new KeyTrie();
  /** Bytes of the shortest head of a map. */
  protected readonly leastHead: number;

  constructor(settings: Settings, mayShare: boolean) {
    super(settings, mayShare);
    this.leastHead = settings.variableMapSize ? 1 : 3;
  }

  /** Puts the head in front of the entries, which moves them when it needs other room than was left. */
  protected putMapHead(begin: number, headLength: number, count: number, first: KeyNode): void {
    const needed = count < 16 && this.leastHead === 1 ? 1 : count < 0x1_0000 ? 3 : 5;
    first.headLength = needed;
    if (needed !== headLength) {
      this.ensure(needed);
      const from = this.start + begin;
      this.bytes.copyWithin(from + needed, from + headLength, this.offset);
      this.offset += needed - headLength;
    }
    const end = this.offset;
    this.offset = this.start + begin;
    if (needed === 1) this.mapHead(count);
    else this.wideMapHead(count);
    this.offset = end;
  }

  /** The str of a name, eight bytes at a time; up to 15 behind it are overwritten later. */
  protected knownName(node: KeyNode): void {
    if (this.offset + MOST_BYTES > this.capacity) this.grow(MOST_BYTES);
    const { view, offset: at } = this;
    const { length } = node;
    view.setFloat64(at, node.bytes0, true);
    if (length > 8) {
      view.setFloat64(at + 8, node.bytes8, true);
      if (length > 16) this.moreBytes(node, at);
    }
    this.offset = at + length;
  }

  private moreBytes({ more }: KeyNode, at: number): void {
    this.view.setFloat64(at + 16, more[0] as number, true);
    this.view.setFloat64(at + 24, more[1] as number, true);
  }
}
