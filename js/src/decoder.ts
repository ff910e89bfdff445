// The decoder: bytes to values (spec/02, 06, 07, 09).
//
// Plan: Reader: begin, value and its dispatch · numbers · text and bytes · containers · keys · records · ext values.
// Numbers in comments such as "rule 5" are those of
// spec/07#which-fault-wins; the faults themselves are in faults.ts.
//
// Invariants. `offset` is the next byte to read; `end` is where the message must end; nothing at or behind `end` is read.
// `owed` is how many values the open containers still have to deliver after the current one (spec/06#counts), `depth` how
// many containers are open. A fault leaves them as they are: `begin` sets every field again.

import type { PrefixTest } from './clone-format.ts';
import { Fault, hexByte, isStackExhausted } from './errors.ts';
import type { ExtensionDefinition, ExtensionTable } from './extension.ts';
import {
  countFault,
  dateFault,
  depthFault,
  duplicateFault,
  extensionFault,
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
  timestampFault,
  trailingFault,
  unknownRecordFault,
  unsafeFault,
  valuesFault,
} from './faults.ts';
import { roundFloat32 } from './float32.ts';
import {
  ARRAY16,
  ARRAY32,
  MAX_PREALLOCATED,
  NIL,
  RECORD_TYPE,
  STR8,
  STR32,
  TIMESTAMP_TYPE,
  UNDEFINED_TYPE,
} from './format.ts';
import { KeyForms } from './keys.ts';
import { Learned } from './learned.ts';
import { FLOAT32_OPTIONS, type Settings } from './options.ts';
import { isIntegerLike, mapOf, setOwn } from './property.ts';
import { isRecordId, type RecordIds, RecordTable } from './records.ts';
import { type Element, locate } from './scan.ts';
import { type Dictionary, Shape } from './structures.ts';
import type { SharedRecords } from './structures-shared.ts';
import { TextReader } from './text-reader.ts';
import { dateOf, getTimestamp } from './timestamp.ts';
import { C1, ExtData, Float } from './values.ts';

const TWO_32 = 0x1_0000_0000;

/** The names of a declared record. */
export interface Declared {
  readonly names: readonly string[];
  /** Whether an engine would reorder them as names of properties (spec/09#lossless). */
  readonly reorders: boolean;
}

/** Decodes one message at a time. For one call at a time: a call from within an extension needs another Reader. */
export class Reader extends TextReader {
  /** Open containers. */
  depth = 0;
  private start = 0;
  protected owed = 0;
  /** Values that maxValues still allows. */
  private budget = 0;
  private records: RecordTable<Declared> | null = null;
  /** The index of the element that is read of an array that is not at hand; −1 for a message that is. */
  private element = -1;
  /** Whether what is declared outlives the message. */
  private keeps = false;
  /** Whether the latest message has declared records. */
  hasDeclared = false;
  /** What is declared before every message; null unless records are shared. */
  private dictionary: Dictionary | null = null;
  private mayReload = false;
  /** Keys around the current value, itself included. */
  private keyNesting = 0;
  /** Maps around the current value that compare keys by their forms. */
  protected comparing = 0;
  private forms: KeyForms | null = null;
  protected readonly extensions: ExtensionTable;
  protected readonly settings: Settings;
  protected readonly inline: boolean;
  private readonly shared: SharedRecords | null;
  private readonly maxDepth: number;
  private readonly lossless: boolean;
  /** Not mode 'default': duplicates are refused. */
  protected readonly exact: boolean;

  constructor(settings: Settings, extensions: ExtensionTable, learned = new Learned()) {
    super(learned);
    this.settings = settings;
    this.extensions = extensions;
    this.inline = settings.inline;
    this.shared = settings.shared;
    this.maxDepth = settings.limits.maxDepth;
    this.lossless = settings.mode === 'lossless';
    this.exact = settings.mode !== 'default';
  }

  /**
   * Makes ready for the message at `start`, whose bytes end at or before `end`.
   *
   * @param depth containers that are open around the message, when an extension decodes it
   */
  begin(bytes: Uint8Array, start: number, end: number, depth: number): void {
    this.openInput(bytes, start, end);
    this.start = this.offset;
    this.depth = depth;
    this.owed = 0;
    this.budget = this.settings.limits.maxValues - 1;
    this.records = null;
    this.keyNesting = 0;
    this.comparing = 0;
    this.forms = null;
    if (this.shared !== null) {
      this.dictionary = this.shared.current();
      this.mayReload = true;
    }
    if (depth > this.maxDepth) throw depthFault(this.maxDepth, this.start);
  }

  /**
   * Counts the values of a long array, whose elements are given to `beginElement`.
   *
   * @param start where it starts in the bytes; `begin` came before
   */
  openElements(start: number, count: number): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, this.origin + start);
    if (count > this.budget) this.failValues(this.origin + start);
    this.budget -= count;
  }

  /** Makes ready for the next element of a long array: what was declared before it in the array stays declared. */
  beginElement(bytes: Uint8Array, start: number, end: number, index: number): void {
    const { budget } = this;
    this.beginNext(bytes, start, end, 1);
    this.budget = budget;
    this.element = index;
  }

  /** Makes ready for the next message of a sequence: what was declared before it stays declared. */
  beginNext(bytes: Uint8Array, start: number, end: number, depth = 0): void {
    const { records } = this;
    this.begin(bytes, start, end, depth);
    this.records = records;
    this.keeps = true;
    this.hasDeclared = false;
    records?.remember();
  }

  /** What was declared and outlives the message. */
  get declared(): RecordTable<Shape> | null {
    return this.records as RecordTable<Shape> | null;
  }

  /** Lets go of the message. */
  release(): void {
    this.closeInput();
    this.records = null;
    this.dictionary = null;
    this.forms = null;
  }

  /** The path of a fault in the current message (spec/07#path). */
  pathOf(fault: Fault): string {
    if (fault.offset === null) return '';
    const message = new DataView(this.bytes.buffer, this.start, this.end - this.start);
    const offset = fault.offset - this.start;
    let element: Element | null = null;
    if (this.keeps) {
      this.records?.undo();
      element = { index: this.element, declared: this.declared };
    }
    const { compat } = this.settings;
    return locate(message, fault.code, offset, this.inline, this.prefixes(), this.dictionary, element, compat);
  }

  /** The ext values that belong to the value behind them; null for none. */
  protected prefixes(): PrefixTest | null {
    return null;
  }

  /** Fails when bytes follow the value that was read. */
  finish(): void {
    if (this.offset < this.end) throw trailingFault(this.offset, this.end - this.offset);
  }

  override value(): unknown {
    const start = this.offset;
    if (start >= this.end) throw missingFault(this.end); // rule 1
    const head = this.bytes[start] as number;
    this.offset = start + 1;
    if (head < 0x80) return this.inline && head >= 0x40 ? this.lowByte(start, head) : head;
    if (head < 0x90) return this.map(start, head & 0x0f);
    if (head < 0xa0) return this.array(start, head & 0x0f);
    if (head < 0xc0) return this.text(start, start + 1, head & 0x1f);
    if (head >= 0xe0) return head - 256;
    return this.long(start, head);
  }

  private long(start: number, head: number): unknown {
    switch (head) {
      case 0xc0: // nil
        return null;
      case 0xc1: // reserved, rule 2
        return this.reserved(start);
      case 0xc2: // false
        return false;
      case 0xc3: // true
        return true;
      case 0xc4: // bin 8
      case 0xc5: // bin 16
      case 0xc6: // bin 32
        return this.bin(start, this.unsigned(start, 1 << (head - 0xc4)));
      case 0xc7: // ext 8
      case 0xc8: // ext 16
      case 0xc9: // ext 32
        return this.ext(start, this.unsigned(start, 1 << (head - 0xc7)));
      case 0xca: // float 32
        return this.float32(this.take(start, 4));
      case 0xcb: // float 64
        return this.float(this.view.getFloat64(this.take(start, 8)));
      case 0xcc: // uint 8
        return this.view.getUint8(this.take(start, 1));
      case 0xcd: // uint 16
        return this.view.getUint16(this.take(start, 2));
      case 0xce: // uint 32
        return this.view.getUint32(this.take(start, 4));
      case 0xcf: // uint 64
        return this.uint64(start, this.take(start, 8));
      case 0xd0: // int 8
        return this.view.getInt8(this.take(start, 1));
      case 0xd1: // int 16
        return this.view.getInt16(this.take(start, 2));
      case 0xd2: // int 32
        return this.view.getInt32(this.take(start, 4));
      case 0xd3: // int 64
        return this.int64(start, this.take(start, 8));
      case 0xd4: // fixext 1
      case 0xd5: // fixext 2
      case 0xd6: // fixext 4
      case 0xd7: // fixext 8
      case 0xd8: // fixext 16
        return this.ext(start, 1 << (head - 0xd4));
      case 0xd9: // str 8
      case 0xda: // str 16
      case 0xdb: // str 32
        return this.str(start, this.unsigned(start, 1 << (head - 0xd9)));
      case 0xdc: // array 16
        return this.array(start, this.unsigned(start, 2));
      case 0xdd: // array 32
        return this.array(start, this.unsigned(start, 4));
      case 0xde: // map 16
        return this.map(start, this.unsigned(start, 2));
      default: // map 32
        return this.map(start, this.unsigned(start, 4));
    }
  }

  /** The byte that is no value, but to readers of msgpackr. */
  private reserved(start: number): object {
    if (!this.settings.compat) throw reservedFault(start);
    return C1;
  }

  // --- numbers ----------------------------------------------------------------------------------------------------------

  private uint64(start: number, at: number): unknown {
    const number = this.view.getUint32(at) * TWO_32 + this.view.getUint32(at + 4);
    return number < TWO_32 ? number : this.wide(start, number, at, false);
  }

  private int64(start: number, at: number): unknown {
    const number = this.view.getInt32(at) * TWO_32 + this.view.getUint32(at + 4);
    return number >= -0x8000_0000 && number < TWO_32 ? number : this.wide(start, number, at, true);
  }

  /** An integer beyond 32 bits (option int64AsType). `number` is exact when it is safe. */
  private wide(start: number, number: number, at: number, isSigned: boolean): unknown {
    const { int64AsType } = this.settings;
    if (int64AsType === 'auto' || int64AsType === 'number') {
      if (Number.isSafeInteger(number)) return number;
    }
    const exact = isSigned ? this.view.getBigInt64(at) : this.view.getBigUint64(at);
    if (int64AsType === 'number') throw unsafeFault(start, exact);
    return int64AsType === 'string' ? String(exact) : exact;
  }

  private float32(at: number): unknown {
    const number = this.view.getFloat32(at);
    return this.float(this.settings.useFloat32 >= FLOAT32_OPTIONS.DECIMAL_ROUND ? roundFloat32(number) : number);
  }

  /** In lossless mode a float that the encoder would take for an int becomes a Float. */
  private float(number: number): unknown {
    return this.lossless && Number.isSafeInteger(number) && !Object.is(number, -0) ? new Float(number) : number;
  }

  // --- text and bytes -----------------------------------------------------------------------------------------------------

  private str(start: number, length: number): string {
    return this.text(start, this.offset, length);
  }

  private bin(start: number, length: number): Uint8Array {
    const at = this.offset;
    if (at + length > this.end) this.failBody(start, at, length); // rule 6
    this.offset = at + length;
    return this.data(at, length);
  }

  private data(at: number, length: number): Uint8Array {
    const { bytes } = this;
    return this.settings.copyBuffers ? bytes.slice(at, at + length) : bytes.subarray(at, at + length);
  }

  // --- containers ---------------------------------------------------------------------------------------------------------

  /** Opens a container of so many children: rule 5. */
  protected open(start: number, children: number): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, start);
    if (children + this.owed > this.end - this.offset) this.failCount(start, children);
    if (children > this.budget) this.failValues(start);
    this.budget -= children;
    this.owed += children;
    this.depth++;
  }

  protected array(start: number, count: number): unknown[] {
    this.open(start, count);
    const array: unknown[] = count <= MAX_PREALLOCATED ? new Array(count) : [];
    for (let index = 0; index < count; index++) {
      this.owed--;
      array[index] = this.value();
    }
    this.depth--;
    return array;
  }

  protected map(start: number, count: number): unknown {
    this.open(start, 2 * count);
    const map = this.settings.maps === 'maps' ? this.entries(new Map(), 0, count) : this.object(count, {});
    this.depth--;
    return map;
  }

  /** Reads entries into an object; from the first key that none can hold on, into a Map. */
  protected object(count: number, object: Record<string, unknown>): unknown {
    for (let index = 0; index < count; index++) {
      const keyStart = this.offset;
      let key: string;
      if (this.startsStr()) {
        this.owed--;
        key = this.name();
        if (this.lossless && isIntegerLike(key)) {
          this.offset = keyStart;
          this.owed++;
          return this.entries(mapOf(object), index, count);
        }
      } else {
        if (this.settings.maps === 'auto') return this.entries(mapOf(object), index, count);
        this.owed--;
        key = this.objectKey(keyStart);
      }
      if (this.exact) this.checkKey(keyStart, key, Object.hasOwn(object, key));
      this.owed--;
      setOwn(object, key, this.value());
    }
    return object;
  }

  /** Reads entries `from` … `count` − 1 into a Map. */
  protected entries(map: Map<unknown, unknown>, from: number, count: number): Map<unknown, unknown> {
    let firsts: Map<number, unknown> | null = null;
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
      } else if (this.exact) {
        this.checkKey(keyStart, isStr ? key : null, map.has(key));
      }
      this.owed--;
      map.set(key, this.value());
    }
    if (firsts !== null) this.comparing--;
    // Numbers are compared within one map, and go into the form of the key it is a part of.
    if (firsts !== null && this.comparing === 0 && this.keyNesting === 0) this.forms?.forgetNumbers();
    return map;
  }

  /** The first key of a map that means the same as a key that is an object; `firsts` has those before by their numbers. */
  protected firstOf(key: unknown, start: number, firsts: Map<number, unknown>, map: Map<unknown, unknown>): unknown {
    const number = this.keyForms().numberOf(start, this.keyNesting > 0);
    if (firsts.has(number)) {
      if (this.exact) throw duplicateFault(start);
      return firsts.get(number);
    }
    // An extension may give the same object for different bytes.
    if (this.exact && map.has(key)) throw duplicateFault(start);
    firsts.set(number, key);
    return key;
  }

  private keyForms(): KeyForms {
    this.forms ??= new KeyForms(this.bytes, this.view);
    return this.forms;
  }

  // --- keys ---------------------------------------------------------------------------------------------------------------

  /** Whether a str starts here. */
  protected startsStr(): boolean {
    if (this.offset >= this.end) return false;
    const head = this.bytes[this.offset] as number;
    return (head >= 0xa0 && head < NIL) || (head >= STR8 && head <= STR32);
  }

  /** Reads a key that is no str. */
  protected key(): unknown {
    this.keyNesting++;
    const key = this.value();
    this.keyNesting--;
    // A Map would turn −0 into 0.
    return this.lossless && Object.is(key, -0) ? new Float(-0) : key;
  }

  /** Reads a key that is no str for an object (rule 3): an int as its decimal digits, in default mode. */
  private objectKey(start: number): string {
    if (start < this.end) {
      const head = this.bytes[start] as number;
      const isLow = head < 0x80 && !(this.inline && this.isId(head));
      const isInt = isLow || head >= 0xe0 || (head >= 0xcc && head <= 0xd3);
      if (isLow && head >= 0x40 && this.dictionary !== null) {
        this.value(); // fails, unless the dictionary has grown
        throw keyKindFault(start, head);
      }
      const isArray = (head >= 0x90 && head < 0xa0) || head === ARRAY16 || head === ARRAY32;
      if (isArray && this.settings.allowArraysInMapKeys && !this.exact) return this.arrayKey(start, head);
      if (head !== 0xc1 && (!isInt || this.exact)) throw keyKindFault(start, head);
    }
    return String(this.value());
  }

  /** Reads an array as a name: its elements, and those of arrays in it, with commas between. */
  private arrayKey(start: number, head: number): string {
    const elements = (this.key() as unknown[]).flat();
    for (const element of elements) {
      const kind = typeof element;
      if (kind !== 'string' && kind !== 'number' && kind !== 'bigint' && kind !== 'boolean')
        throw keyKindFault(start, head);
    }
    return elements.join();
  }

  /** Refusals of exact modes: a key that was there before, and in strict mode the str `__proto__`. */
  protected checkKey(start: number, key: unknown, isDuplicate: boolean): void {
    if (key === '__proto__' && !this.lossless) throw prototypeFault(start);
    if (isDuplicate) throw duplicateFault(start);
  }

  // --- records (spec/05) --------------------------------------------------------------------------------------------------

  /** The ids that are declared here, in the message or before it. */
  private ids(): RecordIds<Declared> | null {
    return this.records ?? this.dictionary;
  }

  private isId(head: number): boolean {
    const ids = this.ids();
    return ids !== null && (ids.isPaired(head) || ids.one(head) !== undefined);
  }

  /** A byte 40–7f: an instance, or an int. */
  private lowByte(start: number, head: number): unknown {
    const ids = this.ids();
    if (ids !== null) {
      if (ids.isPaired(head)) {
        if (this.offset === this.end) throw pairFault(start);
        const hi = this.view.getUint8(this.take(start, 1));
        const declared = ids.pair(head, hi);
        if (declared !== undefined) return this.instance(start, declared);
        if (this.reload()) return this.again(start, head);
        throw unknownRecordFault(start, hexByte(head) + hexByte(hi).slice(2), this.dictionary);
      }
      const declared = ids.one(head);
      if (declared !== undefined) return this.instance(start, declared);
      if (this.reload()) return this.again(start, head);
    }
    if (this.dictionary !== null || (this.exact && !this.lossless)) {
      throw unknownRecordFault(start, hexByte(head), this.dictionary);
    }
    return head;
  }

  private again(start: number, head: number): unknown {
    this.offset = start + 1;
    return this.lowByte(start, head);
  }

  /** Gets a larger dictionary if there is one, once in a message. */
  private reload(): boolean {
    if (this.shared === null || !this.mayReload) return false;
    this.mayReload = false;
    if (!this.shared.reload()) return false;
    this.dictionary = this.shared.current();
    if (this.records !== null) this.records.base = this.dictionary;
    return true;
  }

  private instance(start: number, declared: Declared): unknown {
    if (this.exact && !this.lossless && declared.names.includes('__proto__')) throw prototypeFault(start);
    this.open(start, declared.names.length);
    if (this.keyNesting > 0) this.keyForms().noteInstance(start, declared.names, this.offset);
    return this.fields(declared);
  }

  /** A declaration whose head and id are there; it is its own first instance. */
  private declaration(start: number, idLength: number): unknown {
    const idAt = this.offset;
    const head = this.bytes[start] as number;
    const id = this.view.getUint8(idAt);
    if (!this.inline) throw recordsOffFault(start);
    if (head !== 0xd3 + idLength || !isRecordId(id, idLength)) throw recordIdFault(start);
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, start);
    this.offset = idAt + idLength;
    const names = this.declaredNames(start);
    const declared = !this.keeps ? { names, reorders: this.lossless && names.some(isIntegerLike) } : new Shape(names);
    if (this.records === null) {
      this.records = new RecordTable(this.dictionary);
      if (this.keeps) this.records.remember();
    }
    this.hasDeclared = true;
    if (idLength === 1) this.records.declareOne(id, declared);
    else this.records.declarePair(id, this.view.getUint8(idAt + 1), declared);
    // The counts were checked at the array of names.
    this.owed += names.length;
    this.depth++;
    return this.fields(declared);
  }

  /** The array of names of the declaration at `declaration`, which is the container that maxValues counts. */
  private declaredNames(declaration: number): string[] {
    const start = this.offset;
    if (start >= this.end) throw missingFault(this.end);
    const head = this.bytes[start] as number;
    if (head === 0xc1) throw reservedFault(start);
    const isFix = head >= 0x90 && head < 0xa0;
    if (!isFix && head !== 0xdc && head !== 0xdd) throw namesKindFault(start, head);
    this.offset = start + 1;
    const count = isFix ? head & 0x0f : this.unsigned(start, head === 0xdc ? 2 : 4);
    // A name and a value each take a byte.
    if (2 * count + this.owed > this.end - this.offset) this.failCount(start, 2 * count);
    if (count > this.budget) this.failValues(declaration);
    this.budget -= count;
    const names = new Set<string>();
    for (let index = 0; index < count; index++) this.declaredName(names);
    return [...names];
  }

  private declaredName(names: Set<string>): void {
    const start = this.offset;
    if (start >= this.end) throw missingFault(this.end);
    const head = this.bytes[start] as number;
    if (head === 0xc1) throw reservedFault(start);
    if (!this.startsStr()) throw nameKindFault(start, head);
    const name = this.name();
    if (names.has(name)) throw nameTwiceFault(start, name);
    if (this.exact && !this.lossless && name === '__proto__') throw prototypeFault(start);
    names.add(name);
  }

  /** The values of a record that is open. */
  protected fields({ names, reorders }: Declared): unknown {
    if (reorders && this.lossless) return this.fieldsOfMap(names);
    const object: Record<string, unknown> = {};
    for (const name of names) {
      this.owed--;
      setOwn(object, name, this.value());
    }
    this.depth--;
    return object;
  }

  private fieldsOfMap(names: readonly string[]): Map<string, unknown> {
    const map = new Map<string, unknown>();
    for (const name of names) {
      this.owed--;
      map.set(name, this.value());
    }
    this.depth--;
    return map;
  }

  // --- ext values (spec/03) -----------------------------------------------------------------------------------------------

  /** An ext whose type byte is at `offset`. */
  private ext(start: number, length: number): unknown {
    const typeAt = this.take(start, 1);
    const at = this.offset;
    if (at + length > this.end) this.failBody(start, at, length); // rule 6
    const type = this.view.getInt8(typeAt);
    if (type === RECORD_TYPE && (length === 1 || length === 2)) return this.declaration(start, length);
    this.offset = at + length;
    if (type === TIMESTAMP_TYPE) return this.timestamp(start, at, length);
    if (type === UNDEFINED_TYPE && length === 1 && this.bytes[at] === 0) return undefined;
    return this.other(start, type, at, length);
  }

  /** An ext that MessagePack gives no meaning to. */
  protected other(start: number, type: number, at: number, length: number): unknown {
    const definition = this.extensions.forType(type);
    if (definition === undefined) return new ExtData(type, this.data(at, length));
    return this.extension(start, definition, at, length);
  }

  private timestamp(start: number, at: number, length: number): unknown {
    const moment = getTimestamp(this.view, at, length);
    if (moment === null && length === 1 && this.settings.compat) return new Date(Number.NaN);
    if (moment === null) throw timestampFault(start);
    if (this.lossless) return moment;
    const date = dateOf(moment);
    if (date === null) throw dateFault(start);
    return date;
  }

  private extension(start: number, definition: ExtensionDefinition, at: number, length: number): unknown {
    const { type, unpack, read } = definition;
    try {
      if (unpack !== undefined) return unpack(this.data(at, length));
      return read?.(this.inner(at, length));
    } catch (cause) {
      if (isStackExhausted(cause)) throw cause;
      throw extensionFault(start, type, cause);
    }
  }

  /** Decodes the data of an ext as a message of its own. It counts as one level of depth and shares maxValues. */
  private inner(at: number, length: number): unknown {
    const reader = this.another();
    try {
      reader.begin(this.bytes, at, at + length, this.depth + 1);
      reader.budget = this.budget;
      const value = reader.value();
      reader.finish();
      this.budget = reader.budget;
      return value;
    } catch (error) {
      throw error instanceof Fault ? error.toError(reader.pathOf(error), -at) : error;
    }
  }

  /** A Reader for a message inside this one. */
  protected another(): Reader {
    return new Reader(this.settings, this.extensions, this.learned);
  }

  // --- faults -------------------------------------------------------------------------------------------------------------

  private failCount(start: number, children: number): never {
    throw countFault(start, this.bytes[start] as number, children, this.end - this.offset, this.owed);
  }

  private failValues(start: number): never {
    throw valuesFault(this.settings.limits.maxValues, start);
  }
}
