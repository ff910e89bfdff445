// Decoding for structured cloning (spec/03-extensions.md#structured-cloning).
//
// Plan: CloneDecoder: ext values by type · labels and pointers · containers · types with a prefix · views and buffers ·
// faults.
//
// A label is an ext that numbers the value after it. A pointer is an ext that stands for the value with a label. A Slot
// holds the value of a label, and `#pending` is the slot of the label that was just read. Code that reads a labelled
// container takes this slot before the first element. It stores the container in the slot as soon as the container
// exists, so that elements can point to the container.
//
// Input can't run code of the program, except extensions and functions that are options of the codec. Error classes
// come from a fixed table, and this decoder calls no setters.

import { type Counter, UNCOUNTED } from '../core/collisions.ts';
import { Fault } from '../core/errors.ts';
import type { ExtensionDefinition } from '../core/extension.ts';
import {
  collisionsFault,
  duplicateFault,
  duplicateMemberFault,
  extensionFault,
  patternFault,
  regExpFault,
} from '../core/faults.ts';
import {
  ARRAY_BUFFER_CODE,
  BIGINT_TYPE,
  ERROR_TYPE,
  FIXEXT1,
  LABEL_LENGTH,
  LABEL_TYPE,
  MAX_PREALLOCATED,
  POINTER_TYPE,
  REGEXP_TYPE,
  SET_TYPE,
  SHARED_VIEW_TYPE,
  UNDEFINED_TYPE,
  VIEW_TYPE,
} from '../core/format.ts';
import { newAccount } from '../core/limits.ts';
import { defineOwn } from '../core/property.ts';
import { Float } from '../core/values.ts';
import { Decoder } from '../decoder/decoder.ts';
import type { Shape } from '../records/dictionary.ts';
import { EXT_HEAD, Head, readHead } from '../scan/head.ts';
import type { PrefixTest } from '../scan/scan.ts';
import { prefixTest, viewConstructor } from './format.ts';

/** The data byte of an ext of type 0 that stands for a hole in an array. */
const HOLE = 1;

/** The key of `firsts` under which `firstOf` keeps the key −0. */
const ZERO = 0;

/** The encoded array of an error has at most this many elements. */
const MOST_ERROR_MEMBERS = 6;

const ERRORS: ReadonlyMap<unknown, new (message: string) => Error> = /* @__PURE__ */ new Map([
  ['Error', Error],
  ['EvalError', EvalError],
  ['RangeError', RangeError],
  ['ReferenceError', ReferenceError],
  ['SyntaxError', SyntaxError],
  ['TypeError', TypeError],
  ['URIError', URIError],
]);

/** Holds the value of a label. A value with several labels has one Slot. */
class Slot {
  value: unknown = undefined;
  isKnown = false;
  /** Whether a pointer to the value was read. */
  isUsed = false;
}

export class CloneDecoder extends Decoder {
  readonly #prefixes = prefixTest(this.settings, this);
  readonly #slots = new Map<number, Slot>();
  readonly #head = new Head();
  /** The slot for the value that is read next; null if that value has no label. */
  #pending: Slot | null = null;
  /** Counts the comparisons of looking up labels; null while there are at most UNCOUNTED labels. */
  #exceedsWith: Counter | null = null;

  protected override restart(depth: number): void {
    this.#forget();
    super.restart(depth);
  }

  override release(): void {
    super.release();
    this.#forget();
  }

  #forget(): void {
    // Clearing an empty Map isn't free in every engine.
    if (this.#slots.size > 0) this.#slots.clear();
    this.#pending = null;
    this.#exceedsWith = null;
  }

  protected override prefixes(): PrefixTest | null {
    return this.#prefixes;
  }

  protected override another(): Decoder {
    return new CloneDecoder(this.settings, this.extensions, this.cache);
  }

  // --- ext values by type --------------------------------------------------------------------------------------------

  protected override other(start: number, type: number, at: number, length: number): unknown {
    const { references } = this.settings;
    if (references && length === LABEL_LENGTH) {
      if (type === LABEL_TYPE) return this.#labelled(start, at);
      if (type === POINTER_TYPE) return this.#pointed(start, at);
    }
    const definition = this.definitionFor(type);
    const isPrefix = this.#prefixes?.(type, length, this.bytes[at] ?? 0) === true;
    if (definition === undefined) return this.#typed(start, type, at, length, isPrefix);
    return isPrefix ? this.#instance(start, definition) : super.other(start, type, at, length);
  }

  #typed(start: number, type: number, at: number, length: number, isPrefix: boolean): unknown {
    const { moreTypes, useBigIntExtension } = this.settings;
    if (isPrefix) {
      switch (type) {
        case SET_TYPE:
          return this.#set(start);
        case ERROR_TYPE:
          return this.#error(start);
        case REGEXP_TYPE:
          return this.#regExp(start);
        case SHARED_VIEW_TYPE:
          return this.#sharedView(start, at);
      }
    }
    if (moreTypes && type === VIEW_TYPE) return this.#view(start, at, length);
    if (useBigIntExtension && type === BIGINT_TYPE && length > 0) return this.#bigInt(start, at, length);
    return super.other(start, type, at, length);
  }

  /**
   * With `moreTypes` and `int64AsType: 'auto'`, an int 64 outside keys becomes a bigint, because writers with
   * `moreTypes` write only bigints as int 64. With `compat`, `wideBigInts` must also be on. It is off in
   * polypack/msgpackr with `int64AsType: 'auto'`. The base class converts all other 64-bit integers.
   */
  protected override wide(start: number, number: number, at: number, isSigned: boolean): unknown {
    const { compat, moreTypes, wideBigInts, int64AsType } = this.settings;
    const isKept = wideBigInts || !compat;
    const isBigInt = isKept && isSigned && moreTypes && int64AsType === 'auto' && this.keyNesting === 0;
    return isBigInt ? this.view.getBigInt64(at) : super.wide(start, number, at, isSigned);
  }

  #bigInt(start: number, at: number, length: number): bigint {
    let hex = '0x';
    for (let index = at; index < at + length; index++) {
      hex += (this.bytes[index] as number).toString(16).padStart(2, '0');
    }
    try {
      return BigInt.asIntN(8 * length, BigInt(hex));
    } catch (cause) {
      // Engines limit the size of bigints.
      throw extensionFault(start, BIGINT_TYPE, cause);
    }
  }

  // --- labels and pointers -------------------------------------------------------------------------------------------

  #labelled(start: number, at: number): unknown {
    const slot = new Slot();
    this.#name(start, at, slot);
    // A value may have several labels, for example one for an object that toJSON replaced and one for the replacement.
    for (let next = this.offset; this.#isLabel(next); next = this.offset) {
      this.offset = next + this.#head.length + LABEL_LENGTH;
      this.#name(next, next + this.#head.length, slot);
    }
    this.#pending = slot;
    const value = this.value();
    this.#pending = null;
    give(slot, value);
    return value;
  }

  /** Whether a complete label, of fixext 4 or ext 8, 16 or 32, starts at `at`. Reads the head into `#head`. */
  #isLabel(at: number): boolean {
    const head = this.#head;
    if (!readHead(this.view, at, this.end, head)) return false;
    const { kind, length, body, type } = head;
    const isLabel = kind === EXT_HEAD && type === LABEL_TYPE && body === LABEL_LENGTH;
    return isLabel && at + length + body <= this.end;
  }

  #name(start: number, at: number, slot: Slot): void {
    const label = this.view.getUint32(at);
    this.#countLookUp(start, label);
    if (this.#slots.has(label)) throw contentFault(start, `the label ${label} occurs twice`);
    this.#slots.set(label, slot);
  }

  #pointed(start: number, at: number): unknown {
    const label = this.view.getUint32(at);
    this.#countLookUp(start, label);
    const slot = this.#slots.get(label);
    if (slot === undefined) throw contentFault(start, `nothing has the label ${label}`);
    if (!slot.isKnown) throw contentFault(start, `the value with the label ${label} is not made yet`);
    slot.isUsed = true;
    return slot.value;
  }

  /** Counts the comparisons of looking up a label. The sender chooses the labels, so it could make them collide. */
  #countLookUp(start: number, label: number): void {
    const slots = this.#slots;
    if (slots.size <= UNCOUNTED) return;
    this.#exceedsWith ??= this.comparisonsOf(slots, slots.size);
    if (this.#exceedsWith?.(label)) throw collisionsFault(this.settings.limits.maxCollisions, start);
  }

  /** Takes the slot of the current value, so that no element of the value gets the slot. */
  #takeSlot(): Slot | null {
    const slot = this.#pending;
    this.#pending = null;
    return slot;
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  protected override array(start: number, count: number): unknown[] {
    this.open(start, count);
    const array: unknown[] = count <= MAX_PREALLOCATED ? new Array(count) : [];
    give(this.#takeSlot(), array);
    for (let index = 0; index < count; index++) {
      this.owed--;
      if (this.#isHole()) this.offset += 3;
      else array[index] = this.value();
    }
    // Nothing is assigned for holes. So after holes at the end, the array may still be too short.
    if (array.length !== count) array.length = count;
    this.depth--;
    return array;
  }

  #isHole(): boolean {
    const { bytes, offset } = this;
    if (bytes[offset] !== FIXEXT1 || this.end - offset < 3 || !this.settings.references) return false;
    return bytes[offset + 1] === UNDEFINED_TYPE && bytes[offset + 2] === HOLE;
  }

  protected override map(start: number, count: number): unknown {
    this.open(start, 2 * count);
    const slot = this.#takeSlot();
    const { maps } = this.settings;
    const isMap = maps === 'maps' || (maps === 'auto' && count > 0 && !this.startsStr());
    const container: object = isMap ? new Map() : {};
    give(slot, container);
    const map =
      container instanceof Map
        ? this.entries(container, 0, count)
        : this.object(count, container as Record<string, unknown>);
    if (map !== container) replace(slot, map, start);
    this.depth--;
    return map;
  }

  /**
   * Returns the earlier key that equals `key`, or `key` if there is none. With references, compares objects by
   * identity, but Float(−0) by value, because it stands for the number −0. Without references, compares by content.
   */
  protected override firstOf(
    key: unknown,
    start: number,
    firsts: Map<number, unknown>,
    map: Map<unknown, unknown>,
  ): unknown {
    if (!this.settings.references) return super.firstOf(key, start, firsts, map);
    const isZero = key instanceof Float && Object.is(key.value, -0);
    const first = isZero ? (firsts.get(ZERO) ?? key) : key;
    if (this.checksKeys && map.has(first)) throw duplicateFault(start);
    if (isZero) firsts.set(ZERO, first);
    return first;
  }

  protected override fields({ names }: Shape): unknown {
    const object: Record<string, unknown> = {};
    give(this.#takeSlot(), object);
    for (const name of names) {
      this.owed--;
      this.setAny(object, name, this.value());
    }
    this.depth--;
    return object;
  }

  // --- types whose ext value stands before an array ------------------------------------------------------------------

  /** Opens the array after a prefix. Returns how many elements the array has. */
  #openArray(prefix: number, least: number, most: number): number {
    const start = this.offset;
    const head = start < this.end ? (this.bytes[start] as number) : -1;
    const isFix = head >= 0x90 && head < 0xa0;
    if (!isFix && head !== 0xdc && head !== 0xdd) {
      if (head === -1 || head === 0xc1) this.value(); // fails, but not for c1 with `compat`
      throw contentFault(prefix, 'its array does not follow');
    }
    this.offset = start + 1;
    const count = isFix ? head & 0x0f : this.unsigned(start, head === 0xdc ? 2 : 4);
    this.open(start, count);
    if (count < least || count > most) throw contentFault(prefix, `its array has ${count} elements`);
    return count;
  }

  #element(): unknown {
    this.owed--;
    return this.value();
  }

  #set(start: number): Set<unknown> {
    const count = this.#openArray(start, 0, Number.POSITIVE_INFINITY);
    const set = new Set<unknown>();
    give(this.#takeSlot(), set);
    const exceedsWith = this.comparisonsOf(set, count);
    for (let index = 0; index < count; index++) {
      const at = this.offset;
      const element = this.#element();
      if (this.checksKeys && set.has(element)) throw duplicateMemberFault(at);
      if (exceedsWith?.(element)) throw collisionsFault(this.settings.limits.maxCollisions, start);
      set.add(element);
    }
    this.depth--;
    return set;
  }

  #regExp(start: number): RegExp {
    const { regExps, limits } = this.settings;
    if (!regExps) throw regExpFault(start);
    this.#openArray(start, 2, 2);
    const slot = this.#takeSlot();
    const sourceAt = this.offset;
    const source = this.#element();
    this.account ??= newAccount();
    this.account.patternBytes += this.offset - sourceAt;
    const flags = this.#element();
    this.depth--;
    if (typeof source !== 'string' || typeof flags !== 'string') throw contentFault(start, 'it is not made of strings');
    if (this.account.patternBytes > limits.maxPatternBytes) throw patternFault(limits.maxPatternBytes, start);
    try {
      const expression = new RegExp(source, flags);
      give(slot, expression);
      return expression;
    } catch (cause) {
      throw extensionFault(start, REGEXP_TYPE, cause);
    }
  }

  #error(start: number): Error {
    const count = this.#openArray(start, 2, MOST_ERROR_MEMBERS);
    const slot = this.#takeSlot();
    const name = this.#element();
    const message = this.#element();
    if (typeof name !== 'string' || typeof message !== 'string')
      throw contentFault(start, 'it has no name and message');
    const error = emptyError(name, message);
    give(slot, error);
    const cause = count > 2 ? this.#element() : undefined;
    const code = count > 3 ? this.#element() : undefined;
    const stack = count > 4 ? this.#element() : undefined;
    const errors = count > 5 ? this.#element() : undefined;
    this.depth--;
    if (cause !== undefined) defineOwn(error, 'cause', cause, false);
    if (typeof code === 'string' || typeof code === 'number') defineOwn(error, 'code', code);
    // Replaces the stack of the decoder, which says nothing about this error.
    defineOwn(error, 'stack', typeof stack === 'string' ? stack : `${name}: ${message}`, false);
    if (Array.isArray(errors)) defineOwn(error, 'errors', errors, false);
    return error;
  }

  /** Reads an instance of a registered class from the value that its `write` returned. */
  #instance(start: number, { type, create, read }: ExtensionDefinition): unknown {
    this.open(start, 1);
    const slot = this.#takeSlot();
    const call = <T>(run: () => T): T => {
      try {
        return run();
      } catch (cause) {
        throw extensionFault(start, type, cause);
      } finally {
        this.cache.foreignCodeRan();
      }
    };
    const guard = <T>(run: () => T): T => (this.watches ? this.watched(() => call(run)) : call(run));
    const instance = create === undefined ? undefined : guard(create);
    if (create !== undefined) give(slot, instance);
    const value = this.#element();
    const made = guard(() => read?.(value, instance));
    if (made !== instance) replace(slot, made, start);
    this.depth--;
    return made;
  }

  // --- views and buffers ---------------------------------------------------------------------------------------------

  /** Reads a view or ArrayBuffer. Copies the bytes, because views need aligned memory, and users may change a view. */
  #view(start: number, at: number, length: number): unknown {
    if (length === 0) throw contentFault(start, 'it has no view code');
    const code = this.bytes[at] as number;
    const { buffer } = this.bytes.slice(at + 1, at + length);
    if (code === ARRAY_BUFFER_CODE) return buffer;
    return this.#viewOf(start, code, buffer as ArrayBuffer);
  }

  #sharedView(start: number, at: number): unknown {
    this.#openArray(start, 3, 3);
    const slot = this.#takeSlot();
    const buffer = this.#element();
    const byteOffset = this.#element();
    const length = this.#element();
    this.depth--;
    if (!(buffer instanceof ArrayBuffer) || typeof byteOffset !== 'number' || typeof length !== 'number') {
      throw contentFault(start, 'it is not made of a buffer, an offset and a length');
    }
    const view = this.#viewOf(start, this.bytes[at] as number, buffer, byteOffset, length);
    give(slot, view);
    return view;
  }

  #viewOf(start: number, code: number, buffer: ArrayBuffer, byteOffset = 0, length?: number): ArrayBufferView {
    const View = viewConstructor(code);
    if (View === undefined) throw contentFault(start, `this engine has no view with the code ${code}`);
    try {
      return new View(buffer, byteOffset, length);
    } catch (cause) {
      throw extensionFault(start, VIEW_TYPE, cause);
    }
  }
}

function give(slot: Slot | null, value: unknown): void {
  if (slot === null) return;
  slot.value = value;
  slot.isKnown = true;
}

/** Replaces the value of a slot. Fails if a pointer was already decoded to the old value. */
function replace(slot: Slot | null, value: unknown, start: number): void {
  if (slot?.isUsed === true) throw contentFault(start, 'it became another object after something had pointed to it');
  give(slot, value);
}

/**
 * Returns an error of the built-in class with this name. For an unknown name, returns an Error with this name.
 * Keeps V8 from recording a stack, because recording is slow, and the stack would show the decoder.
 */
function emptyError(name: string, message: string): Error {
  const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  // Engines other than V8 may have no stackTraceLimit, and programs may have frozen Error.
  if (limit?.writable !== true) return newError(name, message);
  const host = Error as { stackTraceLimit?: unknown };
  host.stackTraceLimit = 0;
  try {
    return newError(name, message);
  } finally {
    host.stackTraceLimit = limit.value;
  }
}

function newError(name: string, message: string): Error {
  if (name === 'AggregateError') return new AggregateError([], message);
  const Class = ERRORS.get(name);
  if (Class !== undefined) return new Class(message);
  const error = new Error(message);
  defineOwn(error, 'name', name);
  return error;
}

// --- faults ----------------------------------------------------------------------------------------------------------

function contentFault(start: number, what: string): Fault {
  const mend = 'the writer is at fault, or has other extensions';
  return new Fault('unsupported_value', start, `an ext of structured cloning cannot be read: ${what}`, mend);
}
