// Containers: their counts and limits (spec/06-limits.md), and maps that become a Map (spec/01#map).
//
// Plan: ContainerDecoder: opening a container · maps that become a Map. Keys are read in keys.ts.
//
// Invariants: `owed` is how many values the open containers still have to deliver after the current value
// (spec/06#counts). `depth` is how many containers are open. After a container is read, both are as they were before
// its head. But a method with a parameter `owed` may leave the field `owed` changed. Neither field is restored after a
// fault, because `begin` sets both again.

import { type Counter, comparisonsOf, UNCOUNTED } from '../core/collisions.ts';
import type { ExtensionTable } from '../core/extension.ts';
import { countFault, depthFault, valuesFault } from '../core/faults.ts';
import { type Account, newAccount } from '../core/limits.ts';
import type { Settings } from '../options/settings.ts';
import { KeyDecoder } from './keys.ts';
import type { DecoderCache } from './shapes/cache.ts';

export abstract class ContainerDecoder extends KeyDecoder {
  /** Number of open containers. */
  depth = 0;
  protected owed = 0;
  /** How many more values maxValues allows. */
  protected budget = 0;
  /** The account of what the message has cost so far (core/limits.ts); null until it is needed. */
  protected account: Account | null = null;
  /** How many open maps compare keys by their forms (KeyForms in keys.ts). */
  protected comparing = 0;
  /** The extensions to decode with. A Codec may replace this table between messages. */
  extensions: ExtensionTable;
  protected readonly maxDepth: number;

  constructor(settings: Settings, extensions: ExtensionTable, cache: DecoderCache) {
    super(settings, cache);
    this.extensions = extensions;
    this.maxDepth = settings.limits.maxDepth;
  }

  // --- opening -------------------------------------------------------------------------------------------------------

  /** Opens a container that holds `children` values (rule 5 of spec/07#which-fault-wins). */
  protected open(start: number, children: number): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, start);
    if (children + this.owed > this.end - this.offset) this.failCount(start, children);
    if (children > this.budget) this.failValues(start);
    this.budget -= children;
    this.owed += children;
    this.depth++;
  }

  /** Whether `open` would succeed for `children` values, with `owed` values owed after them. */
  protected canOpen(children: number, owed: number): boolean {
    return this.depth < this.maxDepth && children + owed <= this.end - this.offset && children <= this.budget;
  }

  /** Throws the fault of `open` for a container that `canOpen` refuses. */
  protected failOpen(start: number, children: number, owed: number): void {
    this.owed = owed;
    this.open(start, children);
  }

  protected failCount(start: number, children: number): never {
    throw countFault(start, this.bytes[start] as number, children, this.end - this.offset, this.owed);
  }

  protected failValues(start: number): never {
    throw valuesFault(this.settings.limits.maxValues, start);
  }

  // --- maps that become a Map ----------------------------------------------------------------------------------------

  /** Reads entries `from` … `count` − 1 into a Map. */
  protected entries(map: Map<unknown, unknown>, from: number, count: number): Map<unknown, unknown> {
    let firsts: Map<number, unknown> | null = null;
    const exceedsWith = this.comparisonsOf(map, count);
    for (let index = from; index < count; index++) {
      const keyStart = this.offset;
      const isStr = this.startsStr();
      this.owed--;
      let key = isStr ? this.name() : this.key();
      if (typeof key === 'object' && key !== null) {
        if (count > 1) {
          if (firsts === null) {
            firsts = new Map();
            this.comparing++;
          }
          key = this.firstOf(key, keyStart, firsts, map);
        }
        if (this.keyNesting === 0) this.forms?.forgetNotes();
      } else if (this.checksKeys) {
        this.checkKey(keyStart, key, map.has(key));
      }
      if (exceedsWith?.(key)) this.failCollisions(keyStart);
      this.owed--;
      map.set(key, this.value());
    }
    if (firsts !== null) this.comparing--;
    // Keep the numbers of forms while another open map compares forms, or a key is being read.
    if (firsts !== null && this.comparing === 0 && this.keyNesting === 0) this.forms?.forgetNumbers();
    return map;
  }

  /**
   * Returns a function that adds up key comparisons, and tells whether the message has too many. Call it with each key
   * before adding the key to `table` or looking it up there. Returns null if the table gets at most UNCOUNTED keys.
   *
   * @param count how many keys the table gets
   */
  protected comparisonsOf(table: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, count: number): Counter | null {
    if (count <= UNCOUNTED) return null;
    this.account ??= newAccount();
    return comparisonsOf(table, this.account, this.settings.limits.maxCollisions);
  }

  /** Throws the fault for too many key comparisons, at the head of the container whose key or value is at `offset`. */
  protected abstract failCollisions(offset: number): never;
}
