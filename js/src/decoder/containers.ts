// Containers: their counts and limits, and the keys of maps (spec/06-limits.md, spec/01#map).
//
// Plan: ContainerDecoder: opening a container · maps that become a Map · keys.
//
// Invariants: `owed` is how many values the open containers still have to deliver after the current one
// (spec/06#counts); `depth` is how many containers are open. Code that reads a container restores both to their values
// before its head. After a fault they aren't restored, because `begin` sets every field again.

import { Collisions, UNWATCHED } from '../core/collisions.ts';
import type { Fault } from '../core/errors.ts';
import type { ExtensionTable } from '../core/extension.ts';
import {
  collisionsFault,
  countFault,
  depthFault,
  duplicateFault,
  keyKindFault,
  prototypeFault,
  valuesFault,
} from '../core/faults.ts';
import { ARRAY16, ARRAY32, NIL, STR8, STR32 } from '../core/format.ts';
import { Float } from '../core/values.ts';
import type { Settings } from '../options/settings.ts';
import { KeyForms } from './keys.ts';
import type { DecoderCache } from './shapes/cache.ts';
import { StrDecoder } from './str.ts';

export abstract class ContainerDecoder extends StrDecoder {
  /** Open containers. */
  depth = 0;
  protected owed = 0;
  /** How many values maxValues still allows. */
  protected budget = 0;
  /** How many keys the current value is nested in, itself included. */
  protected keyNesting = 0;
  /** How many of the open maps compare keys by their forms. */
  protected comparing = 0;
  protected forms: KeyForms | null = null;
  /** The current extensions. A codec that reuses this Decoder sets them again. */
  extensions: ExtensionTable;
  protected readonly settings: Settings;
  protected readonly inline: boolean;
  protected readonly maxDepth: number;
  protected readonly lossless: boolean;
  /** Whether duplicate keys are refused, as in every mode but 'default'. */
  protected readonly checksKeys: boolean;

  constructor(settings: Settings, extensions: ExtensionTable, cache: DecoderCache) {
    super(cache);
    this.settings = settings;
    this.extensions = extensions;
    this.inline = settings.inline;
    this.maxDepth = settings.limits.maxDepth;
    this.lossless = settings.mode === 'lossless';
    this.checksKeys = settings.mode !== 'default';
  }

  /** Whether a byte 40–7f is the id of a record here, or the first byte of one. */
  protected abstract isId(head: number): boolean;
  /** Fails if a byte 40–7f that starts a key may be the id of a record. */
  protected abstract refuseId(start: number, head: number): void;

  // --- opening -------------------------------------------------------------------------------------------------------

  /** Opens a container with this many children (rule 5). */
  protected open(start: number, children: number): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, start);
    if (children + this.owed > this.end - this.offset) this.failCount(start, children);
    if (children > this.budget) this.failValues(start);
    this.budget -= children;
    this.owed += children;
    this.depth++;
  }

  /** Whether `open` would succeed for this many children, with this many values owed behind them. */
  protected canOpen(children: number, owed: number): boolean {
    return this.depth < this.maxDepth && children + owed <= this.end - this.offset && children <= this.budget;
  }

  /** Fails as `open` does, for a container that `canOpen` refuses. */
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
    const watch = this.watch(count);
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
        this.checkKey(keyStart, isStr ? key : null, map.has(key));
      }
      if (watch?.findWith(key, map.size)) throw this.collided(keyStart);
      this.owed--;
      map.set(key, this.value());
    }
    if (firsts !== null) this.comparing--;
    // The numbers of forms are compared within one map, and become part of the form of an outer key.
    if (firsts !== null && this.comparing === 0 && this.keyNesting === 0) this.forms?.forgetNumbers();
    return map;
  }

  /** Returns a watch for a table with this many keys, or null if they are too few to watch. */
  protected watch(count: number): Collisions | null {
    return count > UNWATCHED ? new Collisions(this.settings.limits.maxCollisions) : null;
  }

  protected collided(start: number): Fault {
    return collisionsFault(this.settings.limits.maxCollisions, start);
  }

  /**
   * Returns the first key of the map that means the same as this key, which is an object. `firsts` maps the numbers of
   * forms to keys.
   */
  protected firstOf(key: unknown, start: number, firsts: Map<number, unknown>, map: Map<unknown, unknown>): unknown {
    const number = this.keyForms().numberOf(start, this.keyNesting > 0);
    if (firsts.has(number)) {
      if (this.checksKeys) throw duplicateFault(start);
      return firsts.get(number);
    }
    // An extension may return the same object for different bytes.
    if (this.checksKeys && map.has(key)) throw duplicateFault(start);
    firsts.set(number, key);
    return key;
  }

  protected keyForms(): KeyForms {
    this.forms ??= new KeyForms(this.bytes, this.view);
    return this.forms;
  }

  // --- keys ----------------------------------------------------------------------------------------------------------

  /** Whether a str starts here. */
  protected startsStr(): boolean {
    if (this.offset >= this.end) return false;
    const head = this.bytes[this.offset] as number;
    return (head >= 0xa0 && head < NIL) || (head >= STR8 && head <= STR32);
  }

  /** Reads a key that isn't a str. */
  protected key(): unknown {
    this.keyNesting++;
    const key = this.value();
    this.keyNesting--;
    // A Map would turn −0 into 0.
    return this.lossless && Object.is(key, -0) ? new Float(-0) : key;
  }

  /** Reads a key that isn't a str as the name of a property (rule 3): in default mode the decimal digits of an int. */
  protected objectKey(start: number): string {
    if (start < this.end) {
      const head = this.bytes[start] as number;
      const isLow = head < 0x80 && !(this.inline && this.isId(head));
      const isInt = isLow || head >= 0xe0 || (head >= 0xcc && head <= 0xd3);
      if (isLow && head >= 0x40) this.refuseId(start, head);
      const isArray = (head >= 0x90 && head < 0xa0) || head === ARRAY16 || head === ARRAY32;
      if (isArray && this.settings.allowArraysInMapKeys && !this.checksKeys) return this.arrayKey(start, head);
      if (head !== 0xc1 && (!isInt || this.checksKeys)) throw keyKindFault(start, head);
    }
    return String(this.value());
  }

  /** Reads an array as a name: its elements, flattened one level, joined by commas. */
  private arrayKey(start: number, head: number): string {
    const elements = (this.key() as unknown[]).flat();
    for (const element of elements) {
      const kind = typeof element;
      if (kind !== 'string' && kind !== 'number' && kind !== 'bigint' && kind !== 'boolean')
        throw keyKindFault(start, head);
    }
    return elements.join();
  }

  /** Refuses a key that occurred before and, in strict mode, `__proto__`. Not called in mode 'default'. */
  protected checkKey(start: number, key: unknown, isDuplicate: boolean): void {
    if (key === '__proto__' && !this.lossless) throw prototypeFault(start);
    if (isDuplicate) throw duplicateFault(start);
  }
}
