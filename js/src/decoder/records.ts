// Records (spec/05-records.md): instances and declarations.
//
// Plan: RecordDecoder: ids · instances · declarations · names.

import { hexByte } from '../core/errors.ts';
import {
  collisionsFault,
  depthFault,
  keyKindFault,
  missingFault,
  nameKindFault,
  namesKindFault,
  nameTwiceFault,
  pairFault,
  prototypeFault,
  recordIdFault,
  recordsOffFault,
  reservedFault,
  unknownRecordFault,
} from '../core/faults.ts';
import { type Dictionary, Shape } from '../records/dictionary.ts';
import { isRecordId, type RecordIds, RecordTable } from '../records/records.ts';
import type { SharedRecords } from '../records/shared.ts';
import { ObjectDecoder } from './objects.ts';
import type { Sequence } from './sequence.ts';
import { HOT } from './shapes/cache.ts';

/** What earlier messages mean for the current one, if several are read from one input or stream. */
export interface Earlier {
  /** Whether an earlier message declared records. Stays false in lossless mode, and where declarations stay valid. */
  declared: boolean;
  /**
   * The option that seems to be missing, because an ext of the latest message looks like a prefix of the next value;
   * null if no ext does. See Decoder.option.
   */
  option: string | null;
}

export abstract class RecordDecoder extends ObjectDecoder {
  /** Where the message starts. */
  protected start = 0;
  /** The declarations of the message, and with `keeps` also those of earlier messages; null if there are none. */
  protected records: RecordTable<Shape> | null = null;
  /** A table to reuse for the next message that declares records. */
  private spare: RecordTable<Shape> | null = null;
  /** Whether declarations stay valid in later messages. */
  keeps = false;
  /** The sequence that the messages form; null if each message is independent. */
  protected sequence: Sequence | null = null;
  /** What earlier messages of the same input or stream mean for this one; null if only one message is read. */
  earlier: Earlier | null = null;
  /** Whether the latest message of a sequence has declared records. */
  hasDeclared = false;
  /** The shapes that are known before the message; null if records aren't shared. */
  protected dictionary: Dictionary | null = null;
  protected mayReload = false;
  /** Whether the message is a part of the input of another Decoder, which is calling an extension. */
  protected isInner = false;
  protected readonly shared: SharedRecords | null = this.settings.shared;

  // --- ids -----------------------------------------------------------------------------------------------------------

  /** The ids that are declared in the message or known before it; null if there are none. */
  private ids(): RecordIds<Shape> | null {
    return this.records ?? this.dictionary;
  }

  protected override isId(head: number): boolean {
    const ids = this.ids();
    return ids !== null && (ids.isPaired(head) || ids.one(head) !== undefined);
  }

  protected override refuseId(start: number, head: number): void {
    if (this.dictionary === null) return;
    this.value(); // fails if no larger dictionary with this id can be loaded
    throw keyKindFault(start, head);
  }

  /** Reads the value that starts with a byte 40–7f: an instance, or an int. */
  protected lowByte(start: number, head: number): unknown {
    const shape = this.ids()?.direct(head);
    return shape === undefined ? this.otherId(start, head) : this.instance(start, shape);
  }

  /** Reads a value that starts with a byte 40–7f, if that byte alone isn't a known id. */
  private otherId(start: number, head: number): unknown {
    const ids = this.ids();
    if (ids !== null) {
      if (ids.isPaired(head)) {
        if (this.offset === this.end) throw pairFault(start);
        const hi = this.unsigned(start, 1);
        const shape = ids.pair(head, hi);
        if (shape !== undefined) return this.instance(start, shape);
        if (this.#reload()) return this.#again(start, head);
        throw unknownRecordFault(start, hexByte(head) + hexByte(hi).slice(2), this.dictionary);
      }
      if (this.#reload()) return this.#again(start, head);
    }
    const isRefused = this.dictionary !== null || this.sequence?.isLost || (this.checksKeys && !this.lossless);
    if (isRefused || (this.earlier?.declared === true && start === this.start)) {
      throw unknownRecordFault(start, hexByte(head), this.dictionary);
    }
    return head;
  }

  #again(start: number, head: number): unknown {
    this.offset = start + 1;
    return this.lowByte(start, head);
  }

  /**
   * Switches to a larger dictionary. If there is none yet, loads the structures again, but only once per message.
   *
   * @returns whether there is a larger dictionary
   * @throws InputChanged if loading has changed the input
   */
  #reload(): boolean {
    const { shared, dictionary } = this;
    if (shared === null || dictionary === null) return false;
    let larger = shared.grownFrom(dictionary);
    if (larger === null && shared.loads && this.mayReload) {
      this.mayReload = false;
      this.watched(() => shared.reload());
      this.cache.foreignCodeRan();
      larger = shared.grownFrom(dictionary);
    }
    if (larger === null) return false;
    this.dictionary = larger;
    if (this.records !== null) this.records.base = larger;
    return true;
  }

  /** Whether code of the user must be called by `watched`, because it may load structures. */
  protected get watches(): boolean {
    return this.shared?.loads === true;
  }

  /**
   * Runs code that may load structures.
   *
   * @throws InputChanged if loading has changed the input
   */
  protected watched<T>(run: () => T): T {
    return (this.shared as SharedRecords).watched(run, this.isInner ? null : this.bytes, this.origin, this.end);
  }

  // --- instances -----------------------------------------------------------------------------------------------------

  /**
   * Reads a record or int that starts with `head`, a byte 40–7f. If there is code for the shape of the record
   * (`shape.read`), usually calls it directly.
   */
  override nested(start: number, head: number, owed: number): unknown {
    const shape = this.ids()?.direct(head);
    if (shape === undefined || shape.read === null || shape.isSpecial) return this.nestedInSteps(start, head, owed);
    this.offset = start + 1;
    const { count } = shape;
    if (this.keyNesting > 0 || !this.canOpen(count, owed)) return this.nestedInSteps(start, head, owed);
    this.budget -= count;
    this.depth++;
    this.cache.objects++;
    const record = shape.read(this as never, owed);
    this.depth--;
    return record;
  }

  protected nestedInSteps(start: number, head: number, owed: number): unknown {
    this.offset = start + 1;
    this.owed = owed;
    return this.lowByte(start, head);
  }

  protected instance(start: number, shape: Shape): unknown {
    if (shape.hasPrototype && this.checksKeys && !this.lossless) throw prototypeFault(start);
    this.open(start, shape.names.length);
    if (this.keyNesting > 0) this.keyForms().noteInstance(start, shape.names, this.offset);
    return this.fields(shape);
  }

  /** Reads the values of an open record, and closes it. */
  protected fields(shape: Shape): unknown {
    const owed = this.owed - shape.names.length;
    const record = this.record(shape, owed);
    this.owed = owed;
    this.depth--;
    return record;
  }

  private record(shape: Shape, owed: number): unknown {
    if (shape.reorders) return this.lossless ? this.#fieldsOfMap(shape.names) : this.indexed(shape, owed);
    const { cache } = this;
    cache.objects++;
    if (shape.read !== null) return shape.read(this as never, owed);
    if (++shape.hits === HOT) cache.heatRecord(shape);
    return this.interpreted(shape, owed);
  }

  #fieldsOfMap(names: readonly string[]): Map<string, unknown> {
    const map = new Map<string, unknown>();
    const exceedsWith = this.comparisonsOf(map, names.length);
    for (const name of names) {
      if (exceedsWith?.(name)) this.failCollisions(this.offset);
      this.owed--;
      map.set(name, this.value());
    }
    return map;
  }

  // --- declarations --------------------------------------------------------------------------------------------------

  /**
   * Reads a declaration and the values after it, which are the first instance. The caller has checked that all bytes of
   * the head and id are there.
   */
  protected declaration(start: number, idLength: number): unknown {
    const idAt = this.offset;
    const head = this.bytes[start] as number;
    const id = this.bytes[idAt] as number;
    if (!this.inline) throw recordsOffFault(start);
    if (head !== 0xd3 + idLength || !isRecordId(id, idLength)) throw recordIdFault(start);
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, start);
    this.offset = idAt + idLength;
    const shape = this.knownShape(id) ?? this.#newShape(start, id);
    const records = this.#table();
    this.hasDeclared = true;
    if (idLength === 1) records.declareOne(id, shape);
    else records.declarePair(id, this.bytes[idAt + 1] as number, shape);
    // `knownShape` and `#declaredNames` have checked that there are enough bytes for the values.
    this.owed += shape.names.length;
    this.depth++;
    return this.fields(shape);
  }

  #table(): RecordTable<Shape> {
    if (this.records !== null) return this.records;
    if (this.keeps) {
      this.records = new RecordTable(this.dictionary);
      this.records.remember();
      return this.records;
    }
    this.spare ??= new RecordTable();
    this.spare.clear(this.dictionary);
    this.records = this.spare;
    return this.records;
  }

  /**
   * Returns the cached shape for the array of names that starts here, and skips the array. Returns null and skips
   * nothing if no shape is cached, or if the declaration has a fault.
   */
  private knownShape(id: number): Shape | null {
    const { offset, end } = this;
    const known = this.cache.declarations.find(this.view, offset, end, id);
    if (known === null) return null;
    const { shape, length } = known;
    const count = shape.names.length;
    const head = this.bytes[offset] as number;
    const headLength = head === 0xdc ? 3 : head === 0xdd ? 5 : 1;
    if (2 * count + this.owed > end - offset - headLength || count > this.budget) return null;
    if (shape.hasPrototype && this.checksKeys && !this.lossless) return null;
    this.budget -= count;
    this.offset = offset + length;
    return shape;
  }

  #newShape(declaration: number, id: number): Shape {
    const start = this.offset;
    const shape = new Shape(this.#declaredNames(declaration));
    shape.since = this.cache.objects;
    this.cache.declarations.learn(this.view, start, this.offset, id, shape);
    return shape;
  }

  /** Reads an array of names. Faults of maxValues and maxCollisions are reported at the offset `declaration`. */
  #declaredNames(declaration: number): string[] {
    const start = this.offset;
    if (start >= this.end) throw missingFault(this.end);
    const head = this.bytes[start] as number;
    if (head === 0xc1) throw reservedFault(start);
    const isFix = head >= 0x90 && head < 0xa0;
    if (!isFix && head !== 0xdc && head !== 0xdd) throw namesKindFault(start, head);
    this.offset = start + 1;
    const count = isFix ? head & 0x0f : this.unsigned(start, head === 0xdc ? 2 : 4);
    // Each name and each value takes at least one byte.
    if (2 * count + this.owed > this.end - this.offset) this.failCount(start, 2 * count);
    if (count > this.budget) this.failValues(declaration);
    this.budget -= count;
    const names = new Set<string>();
    const exceedsWith = this.comparisonsOf(names, count);
    for (let index = 0; index < count; index++) {
      const name = this.#declaredName(names);
      if (exceedsWith?.(name)) throw collisionsFault(this.settings.limits.maxCollisions, declaration);
      names.add(name);
    }
    return [...names];
  }

  /** Reads a name, and refuses one that occurs in `names`. */
  #declaredName(names: ReadonlySet<string>): string {
    const start = this.offset;
    if (start >= this.end) throw missingFault(this.end);
    const head = this.bytes[start] as number;
    if (head === 0xc1) throw reservedFault(start);
    if (!this.startsStr()) throw nameKindFault(start, head);
    const name = this.name();
    if (names.has(name)) throw nameTwiceFault(start, name);
    if (this.checksKeys && !this.lossless && name === '__proto__') throw prototypeFault(start);
    return name;
  }
}
