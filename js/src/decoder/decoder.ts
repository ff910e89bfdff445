// The decoder: bytes to values (spec/02, 06, 07, 09).
//
// Plan: Decoder: the start and end of messages · value, the dispatch · numbers · bytes · maps · ext values. The faults
// are in core/faults.ts.
//
// A Decoder inherits from a chain of classes: Source (the input, heads) · StrDecoder (text, names) · KeyDecoder (keys
// of maps) · ContainerDecoder (counts, limits, Maps) · ObjectDecoder (objects, shapes) · RecordDecoder (records) ·
// ArrayDecoder (arrays) · Decoder.
//
// `value`, the dispatch, has no loops. Engines may compile a function while one of its loops runs, and a large function
// compiled that way stays slow. Many methods that seldom run are #private, because minifiers shorten such names.
// Methods that often run are `private` instead, which is faster before engines have compiled them.

import { type ErrorCode, Fault } from '../core/errors.ts';
import type { ExtensionDefinition, ExtensionTable } from '../core/extension.ts';
import {
  collisionsFault,
  dateRangeFault,
  depthFault,
  earlierFault,
  extensionFault,
  foreignCodeFault,
  missingFault,
  reservedFault,
  timestampFault,
  trailingFault,
  unsafeFault,
} from '../core/faults.ts';
import { DECIMAL_ROUND, roundFloat32 } from '../core/float32.ts';
import { isArrayPrefix, LABEL_TYPE, RECORD_TYPE, TIMESTAMP_TYPE, UNDEFINED_TYPE } from '../core/format.ts';
import { type Account, newAccount } from '../core/limits.ts';
import { locate, walkTo } from '../core/path.ts';
import { dateOf, getTimestamp } from '../core/timestamp.ts';
import { C1, ExtData, Float } from '../core/values.ts';
import type { Settings } from '../options/settings.ts';
import type { Shape } from '../records/dictionary.ts';
import type { RecordTable } from '../records/records.ts';
import { NO_LIMITS, type PrefixTest, Scanner } from '../scan/scan.ts';
import { ArrayDecoder } from './arrays.ts';
import type { Sequence } from './sequence.ts';
import { DecoderCache } from './shapes/cache.ts';
import { compilerFor } from './shapes/compiler.ts';

const TWO_32 = 0x1_0000_0000;

/** Thrown while `isAhead` is true, instead of calling an extension or the user's `wrapBytes`. */
export const FOREIGN_CODE_AHEAD = /* @__PURE__ */ Symbol('foreign code');

/** Decodes one message at a time. An extension that decodes must use another Decoder than the one that calls it. */
export class Decoder extends ArrayDecoder {
  /** The index of the current element when elements of a long array are read one by one; −1 for a whole message. */
  private index = -1;
  /**
   * Whether messages are read before their end is known (`#ahead` in stream/chunks.ts). Such a message may be read a
   * second time, so no extension and no `wrapBytes` of the user may be called.
   */
  isAhead = false;
  /** The budget and the account from before the current element, which `takeBack` restores. */
  private kept = 0;
  private keptAccount: Account | null = null;
  /**
   * The scanner of the latest fault. Kept alive on purpose: if no Scanner survives a GC, V8 discards its optimised code
   * and the next error costs ten times as much.
   */
  private scanner: Scanner | null = null;
  /**
   * The option that seems to be missing, because an ext of this message looks like a prefix of the value after it
   * (spec/03#structured-cloning); null if no ext does.
   */
  option: string | null = null;
  /** How many values a message may have, not counting the outermost. */
  private readonly most = this.settings.limits.maxValues - 1;

  constructor(settings: Settings, extensions: ExtensionTable, cache = new DecoderCache(compilerFor(settings))) {
    super(settings, extensions, cache);
  }

  /**
   * Prepares to read the message at `start`, which ends at or before `end`.
   *
   * @param depth the depth of the message: 0, or more if it is inside another message or an element of a long array
   */
  begin(bytes: Uint8Array, start: number, end: number, depth: number): void {
    this.openInput(bytes, start, end);
    this.restart(depth);
  }

  /** Starts the message at `offset`. Forgets the previous one, except its declarations if `keeps` is true. */
  protected restart(depth: number): void {
    this.start = this.offset;
    this.depth = depth;
    this.owed = 0;
    this.budget = this.most;
    this.account = null;
    if (!this.keeps) this.records = null;
    this.option = null;
    this.keyNesting = 0;
    this.comparing = 0;
    this.forms = null;
    if (this.shared !== null) {
      if (!this.shared.isLoaded) this.#keepInput();
      this.dictionary = this.shared.current();
      this.mayReload = true;
    }
    this.cache.startMessage();
    if (this.keeps) this.#startNext();
    if (this.earlier?.option != null) throw earlierFault(this.start, this.earlier.option);
    if (depth > this.maxDepth) throw depthFault(this.maxDepth, this.start);
  }

  /** Starts another message of a sequence, where records that earlier messages declared stay declared. */
  #startNext(): void {
    const { records } = this;
    this.hasDeclared = false;
    if (records === null) return;
    if (this.dictionary !== null) records.base = this.dictionary;
    records.remember();
  }

  /** Makes declarations stay valid in all later messages of the sequence. */
  follow(sequence: Sequence): this {
    this.keeps = true;
    this.sequence = sequence;
    return this;
  }

  /** Notes what the message just read means for later ones. Fails if the kept declarations take too much memory. */
  endMessage(): void {
    if (this.hasDeclared && this.records !== null) {
      this.sequence?.end(this.start, this.offset - this.start, this.records);
    }
    if (this.earlier === null || this.lossless) return;
    this.earlier.declared ||= !this.keeps && this.records !== null;
    this.earlier.option = this.option;
  }

  /** Called after a fault. In a sequence, forgets all declarations, except after `unexpected_end`. */
  lose(code: ErrorCode): void {
    if (this.sequence === null) return;
    this.sequence.isLost = true;
    if (code !== 'unexpected_end') this.records = null;
  }

  /** Replaces the input by a copy, because getStructures is about to run and may change the input. */
  #keepInput(): void {
    const { offset, origin } = this;
    const copy = this.bytes.slice(origin, this.end);
    this.openInput(copy, offset - origin, copy.length);
    this.start = this.offset;
  }

  /**
   * Counts all elements of a long array at once. `beginElement` then prepares for each element.
   *
   * @param start where the array starts in the bytes that `begin` was given
   */
  openElements(start: number, count: number): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, this.origin + start);
    if (count > this.budget) this.failValues(this.origin + start);
    this.budget -= count;
  }

  /** Prepares for the next element of a long array. Records that earlier elements declared stay declared. */
  beginElement(bytes: Uint8Array, start: number, end: number, index: number): void {
    const { budget, account } = this;
    this.begin(bytes, start, end, 1);
    this.budget = budget;
    this.kept = budget;
    this.account = account && { ...account };
    this.keptAccount = account;
    this.index = index;
  }

  /** Undoes the declarations and counts of the latest message or element, because it will be read again. */
  takeBack(): void {
    this.budget = this.kept;
    this.account = this.keptAccount;
    this.records?.undo();
  }

  /** The declarations of the message, and with `keeps` also those of earlier messages; null if there are none. */
  get declared(): RecordTable<Shape> | null {
    return this.records;
  }

  /** Forgets the message, and releases its input if the input's ArrayBuffer is large. */
  release(): void {
    this.closeInput();
    if (!this.keeps) this.records = null;
    this.earlier = null;
    this.dictionary = null;
    this.forms = null;
    this.withGaps = null;
  }

  /**
   * Returns the path of a fault in the current message (spec/07#path). Returns "" for trailing bytes, for a fault
   * without an offset, and if an extension has overwritten the message.
   */
  pathOf({ code, offset }: Fault): string {
    if (offset === null || code === 'trailing_data') return '';
    try {
      return locate(this.#newScanner(), this.#message(), code, offset - this.start);
    } catch {
      return '';
    }
  }

  /** Returns the bytes of the current message. */
  #message(): DataView {
    const { bytes, start, end } = this;
    // A transferred ArrayBuffer has no bytes left, and a view of it would throw.
    return bytes.length === 0 ? new DataView(new ArrayBuffer(0)) : new DataView(bytes.buffer, start, end - start);
  }

  /** Returns a scanner at the start of the current message. In a sequence, undoes the message's declarations. */
  #newScanner(): Scanner {
    this.scanner = new Scanner(this.inline, NO_LIMITS, this.prefixes(), this.dictionary, this.settings.compat);
    if (this.keeps) {
      this.records?.undo();
      this.scanner.enter({ index: this.index, declared: this.declared });
    }
    return this.scanner;
  }

  protected override failCollisions(offset: number): never {
    const scanner = this.#newScanner();
    walkTo(scanner, this.#message(), offset - this.start);
    throw collisionsFault(this.settings.limits.maxCollisions, this.start + scanner.containerStart);
  }

  protected override prefixes(): PrefixTest | null {
    return null;
  }

  /** Called after the value. In a sequence, ends the message. Then fails if bytes follow the value. */
  finish(): void {
    if (this.sequence !== null) this.endMessage();
    if (this.offset < this.end) this.#failTrailing();
  }

  #failTrailing(): never {
    const { start, offset } = this;
    const head = offset - start === 1 ? (this.bytes[start] as number) : 0;
    throw trailingFault(offset, this.end - offset, this.option, head);
  }

  override value(): unknown {
    const start = this.offset;
    if (start >= this.end) throw missingFault(this.end); // truncated: rule 1 of spec/07#which-fault-wins
    const head = this.bytes[start] as number;
    this.offset = start + 1;
    if (head < 0x80) return head < this.intsBelow ? head : this.lowByte(start, head);
    if (head >= 0xe0) return head - 256;
    if (head < 0xc0) {
      if (head >= 0xa0) return this.text(start, start + 1, head & 0x1f);
      return head < 0x90 ? this.map(start, head & 0x0f) : this.array(start, head & 0x0f);
    }
    switch (head) {
      case 0xc0: // nil
        return null;
      case 0xc1: // reserved, rule 2 of spec/07#which-fault-wins
        return this.#reserved(start);
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
        return this.float64(this.take(start, 8));
      case 0xcc: // uint 8
        return this.bytes[this.take(start, 1)];
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
        return this.text(start, start + 2, this.bytes[this.take(start, 1)] as number);
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

  /** Reads the byte `c1`, which is a value only with `compat: 'msgpackr'`. */
  #reserved(start: number): object {
    if (!this.settings.compat) throw reservedFault(start);
    return C1;
  }

  // --- numbers -------------------------------------------------------------------------------------------------------

  private uint64(start: number, at: number): unknown {
    const number = this.view.getUint32(at) * TWO_32 + this.view.getUint32(at + 4);
    return this.wide(start, number, at, false);
  }

  private int64(start: number, at: number): unknown {
    const number = this.view.getInt32(at) * TWO_32 + this.view.getUint32(at + 4);
    return this.wide(start, number, at, true);
  }

  /**
   * Returns what an int 64 or uint 64 becomes (option int64AsType). `number` is its value, rounded if it isn't a safe
   * integer. In a key, an integer that fits 32 bits always becomes a number. Otherwise two equal keys could become 5
   * and 5n, which a Map tells apart.
   */
  protected wide(start: number, number: number, at: number, isSigned: boolean): unknown {
    const { int64AsType } = this.settings;
    const isShort = number >= -0x8000_0000 && number < TWO_32;
    if (isShort && (int64AsType !== 'bigint' || this.keyNesting > 0)) return number;
    if (int64AsType === 'auto' || int64AsType === 'number') {
      if (Number.isSafeInteger(number)) return number;
    }
    const integer = isSigned ? this.view.getBigInt64(at) : this.view.getBigUint64(at);
    if (int64AsType === 'number') throw unsafeFault(start, integer);
    return int64AsType === 'string' ? String(integer) : integer;
  }

  private float32(at: number): unknown {
    const number = this.view.getFloat32(at);
    return this.float(this.settings.useFloat32 >= DECIMAL_ROUND ? roundFloat32(number) : number);
  }

  protected override float64(at: number): unknown {
    const number = this.view.getFloat64(at);
    return this.lossless ? this.float(number) : number;
  }

  /** Returns the number. In lossless mode, returns a Float instead if the encoder would write the number as an int. */
  private float(number: number): unknown {
    return this.lossless && Number.isSafeInteger(number) && !Object.is(number, -0) ? new Float(number) : number;
  }

  // --- text and bytes ------------------------------------------------------------------------------------------------

  private str(start: number, length: number): string {
    return this.text(start, this.offset, length);
  }

  private bin(start: number, length: number): Uint8Array {
    const at = this.offset;
    if (at + length > this.end) this.failBody(start, at, length); // truncated: rule 6 of spec/07#which-fault-wins
    this.offset = at + length;
    return this.data(start, at, length);
  }

  protected override data(start: number, at: number, length: number): Uint8Array {
    const { copyBuffers, wrapBytes } = this.settings;
    // `subarray` would take twice as long, because it looks up the constructor's species.
    const data = copyBuffers ? this.bytes.slice(at, at + length) : new Uint8Array(this.buffer, at, length);
    return wrapBytes === null ? data : this.#wrapped(start, data, wrapBytes);
  }

  #wrapped(start: number, data: Uint8Array, wrapBytes: (data: Uint8Array) => Uint8Array): Uint8Array {
    if (this.settings.wrapsPurely) return wrapBytes(data);
    if (this.isAhead) throw FOREIGN_CODE_AHEAD;
    if (!this.watches) return this.#callWrap(start, data, wrapBytes);
    return this.watched(() => this.#callWrap(start, data, wrapBytes));
  }

  #callWrap(start: number, data: Uint8Array, wrapBytes: (data: Uint8Array) => Uint8Array): Uint8Array {
    try {
      return wrapBytes(data);
    } catch (cause) {
      throw foreignCodeFault(start, 'the option wrapBytes failed', cause);
    } finally {
      this.cache.foreignCodeRan();
    }
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  protected override map(start: number, count: number): unknown {
    const { owed } = this;
    this.open(start, 2 * count);
    const map = this.settings.maps === 'maps' ? this.entries(new Map(), 0, count) : this.properties(count, owed);
    this.owed = owed;
    this.depth--;
    return map;
  }

  // --- ext values (spec/03) ------------------------------------------------------------------------------------------

  /** Reads an ext whose type byte is at `offset`. */
  private ext(start: number, length: number): unknown {
    const typeAt = this.take(start, 1);
    const at = this.offset;
    if (at + length > this.end) this.failBody(start, at, length); // truncated: rule 6 of spec/07#which-fault-wins
    const type = this.view.getInt8(typeAt);
    if (type === RECORD_TYPE && (length === 1 || length === 2)) return this.declaration(start, length);
    this.offset = at + length;
    if (type === TIMESTAMP_TYPE) return this.timestamp(start, at, length);
    if (type === UNDEFINED_TYPE && length === 1 && this.bytes[at] === 0) return undefined;
    return this.other(start, type, at, length);
  }

  /** Reads any ext but records, timestamps and undefined: with its registered extension, otherwise as ExtData. */
  protected other(start: number, type: number, at: number, length: number): unknown {
    const definition = this.definitionFor(type);
    if (definition !== undefined) return this.extension(start, definition, at, length);
    // If the ext looks like a prefix of structured cloning (spec/03#structured-cloning), note the missing option.
    // Labels count from 1, so the first two bytes of a label are usually 0.
    if (length === 1 && isArrayPrefix(type, this.bytes[at] as number)) this.option = 'moreTypes';
    if (length === 4 && type === LABEL_TYPE && this.view.getUint16(at) === 0) this.option = 'structuredClone';
    return new ExtData(type, this.data(start, at, length));
  }

  /**
   * Returns the extension registered for a type; undefined if there is none. While `isAhead` is true, throws
   * FOREIGN_CODE_AHEAD instead of returning an extension.
   */
  protected definitionFor(type: number): ExtensionDefinition | undefined {
    const definition = this.extensions.forType(type);
    if (definition !== undefined && this.isAhead) throw FOREIGN_CODE_AHEAD;
    return definition;
  }

  private timestamp(start: number, at: number, length: number): unknown {
    const moment = getTimestamp(this.view, at, length);
    if (moment === null && length === 1 && this.settings.compat) return new Date(Number.NaN);
    if (moment === null) throw timestampFault(start);
    if (this.lossless) return moment;
    const date = dateOf(moment);
    if (date === null) throw dateRangeFault(start);
    // In a key, a moment that a Date can't hold to the nanosecond stays a Timestamp. Otherwise two different keys could
    // become equal Dates.
    return this.keyNesting > 0 && moment.nanoseconds % 1_000_000 !== 0 ? moment : date;
  }

  private extension(start: number, definition: ExtensionDefinition, at: number, length: number): unknown {
    if (!this.watches) return this.callExtension(start, definition, at, length);
    return this.watched(() => this.callExtension(start, definition, at, length));
  }

  private callExtension(start: number, definition: ExtensionDefinition, at: number, length: number): unknown {
    const { type, unpack, read, write } = definition;
    const data = unpack === undefined ? null : this.data(start, at, length);
    try {
      if (data !== null) return unpack?.(data);
      const value = read?.(this.#inner(at, length));
      if (write !== undefined && length === 1 && this.bytes[at] === 0) {
        // The data is the value 0. If `write` returns something else for the instance, the ext is probably a prefix,
        // and the data of the instance follows as the next value (spec/03#structured-cloning).
        const written = write(value as never);
        if (written !== 0 && written !== 0n) this.option ??= "compat: 'msgpackr'";
      }
      return value;
    } catch (cause) {
      throw extensionFault(start, type, cause);
    } finally {
      this.cache.foreignCodeRan();
    }
  }

  /** Decodes the data of an ext as a message at `depth` + 1. Both messages share the budget and the account. */
  #inner(at: number, length: number): unknown {
    const decoder = this.another();
    decoder.isInner = true;
    try {
      decoder.begin(this.bytes, at, at + length, this.depth + 1);
      decoder.dictionary = this.dictionary; // code of the user may have replaced the current one
      decoder.budget = this.budget;
      decoder.account = this.account ??= newAccount();
      const value = decoder.value();
      decoder.finish();
      this.budget = decoder.budget;
      return value;
    } catch (error) {
      throw error instanceof Fault ? error.toError(decoder.pathOf(error), -at) : error;
    }
  }

  /** Makes a Decoder for a message inside this one. */
  protected another(): Decoder {
    return new Decoder(this.settings, this.extensions, this.cache);
  }
}
