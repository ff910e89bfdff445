// Objects to maps by the names that are known from objects before: heads that are written last, and names that are words.
//
// Plan: NameWriter: heads of maps · names.

import { type KeyNode, KeyTrie } from './key-trie.ts';
import { NumberWriter } from './number-writer.ts';
import type { Settings } from './options.ts';

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

  /** The str of a name, word by word; up to 3 bytes behind it are overwritten later. */
  protected knownName(node: KeyNode): void {
    if (this.offset + 36 > this.capacity) this.grow(36);
    const { view, offset: at } = this;
    const { length } = node;
    view.setInt32(at, node.w0, true);
    if (length > 4) {
      view.setInt32(at + 4, node.w1, true);
      if (length > 8) {
        view.setInt32(at + 8, node.w2, true);
        if (length > 12) this.moreWords(node, at);
      }
    }
    this.offset = at + length;
  }

  private moreWords({ words }: KeyNode, at: number): void {
    for (let index = 3; index < words.length; index++) this.view.setInt32(at + 4 * index, words[index] as number, true);
  }
}
