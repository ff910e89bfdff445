// Encoding for structured cloning (spec/03-extensions.md#structured-cloning).
//
// Plan: CloneEncoder: objects and their references · types · containers · views and buffers · the patched result.
//
// When an object is written, the encoder doesn't know whether the object will occur again. So it writes the object
// normally and keeps its offset. When the message is complete, the encoder patches in labels, and replaces views that
// share a buffer. If no object or buffer occurs twice, keeping offsets costs only Map entries, and no copy.

import { changedFault, equalKeysFault, equalMembersFault, faultAt } from '../core/encode-faults.ts';
import { Fault } from '../core/errors.ts';
import { type ExtensionDefinition, type ExtensionTable, NO_EXTENSIONS } from '../core/extension.ts';
import { prototypeFault } from '../core/faults.ts';
import { NEVER } from '../core/float32.ts';
import { callExtension, keyToken, tagOf } from '../core/foreign-values.ts';
import {
  ARRAY_BUFFER_CODE,
  BIGINT_TYPE,
  DATA_VIEW_CODE,
  ERROR_TYPE,
  EXT8,
  EXT16,
  EXT32,
  FIXEXT1,
  INT64,
  LABEL_LENGTH,
  LABEL_TYPE,
  NIL,
  POINTER_TYPE,
  REGEXP_TYPE,
  SET_TYPE,
  SHARED_VIEW_TYPE,
  TRUE,
  UNDEFINED_TYPE,
  VIEW_TYPE,
} from '../core/format.ts';
import { codeUnits } from '../core/text.ts';
import type { Encoded } from '../core/values.ts';
import { lengthOf } from '../core/views.ts';
import { isShared } from '../decoder/source.ts';
import { Encoder } from '../encoder/encoder.ts';
import { PROTO } from '../encoder/objects.ts';
import type { Settings } from '../options/settings.ts';
import { EXT_HEAD, FLOAT_HEAD, Head, integerAt, readHead, SCALAR_HEAD, STR_HEAD } from '../scan/head.ts';
import type { PrefixTest } from '../scan/scan.ts';
import { prefixTest, viewCode } from './format.ts';

/** The data byte of an ext of type 0 that stands for a hole in an array. */
const HOLE = 1;

/**
 * Settings that leave out and change no part of a value, and write no records. Formats may still change: integral
 * numbers beyond 32 bits become floats with `moreTypes` or `compat`, and a Uint8Array becomes an ext with `moreTypes`.
 */
const FAITHFUL = {
  skipValues: null,
  recordTest: null,
  useFloat32: NEVER,
  useTimestamp32: false,
  encodeUndefinedAsNil: false,
  mapAsEmptyObject: false,
  setAsEmptyObject: false,
  coercibleKeyAsNumber: false,
  keepsNegativeZero: true,
  shared: null,
  maxOwnStructures: 0,
  sequential: false,
} as const;

/** Where an object was written. */
interface Place {
  readonly offset: number;
  /** The label of the object; 0 before the first pointer to the object is written, or if `#share` writes the label. */
  label: number;
}

/** A view or ArrayBuffer, and the range of the message that has its bytes. */
interface Occurrence {
  readonly object: object;
  readonly start: number;
  readonly end: number;
  readonly code: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Number of elements; for a DataView or ArrayBuffer, number of bytes. */
  readonly length: number;
}

/** Replaces the bytes `[at, until)` of the message by the bytes `[from, to)`, which are written after the message. */
interface Patch {
  readonly at: number;
  readonly until: number;
  readonly from: number;
  readonly to: number;
}

export class CloneEncoder extends Encoder {
  readonly #prefixes: PrefixTest | null;
  readonly #places = new Map<object, Place>();
  /** A place for each label. The label is 1 + the index in this list. */
  readonly #labelled: Place[] = [];
  readonly #buffers = new Map<ArrayBufferLike, Occurrence[]>();
  /** How many keys the current value is nested in. Counts only keys that are compared. */
  #keyNesting = 0;
  readonly #head = new Head();
  /** The encoder for values that are already encoded; null until it is needed. */
  #faithful: CloneEncoder | null = null;

  /** @param prefixes default: the prefixes that a reader with these settings and extensions knows */
  constructor(settings: Settings, extensions: ExtensionTable, prefixes?: PrefixTest | null) {
    super(settings, extensions);
    this.#prefixes = prefixes === undefined ? prefixTest(settings, this) : prefixes;
  }

  protected override another(settings: Settings): Encoder {
    return new CloneEncoder(settings, this.extensions);
  }

  override reset(): void {
    super.reset();
    // Clearing an empty Map is not free in every engine.
    if (this.#places.size > 0) this.#places.clear();
    if (this.#buffers.size > 0) this.#buffers.clear();
    this.#labelled.length = 0;
    this.#keyNesting = 0;
  }

  // --- objects and their references ----------------------------------------------------------------------------------

  protected override object(value: object, replacements: number): void {
    if (!this.settings.references) {
      super.object(value, replacements);
      return;
    }
    const place = this.#places.get(value);
    if (place === undefined) {
      this.#places.set(value, { offset: this.offset, label: 0 });
      super.object(value, replacements);
    } else {
      if (place.label === 0) place.label = this.#labelled.push(place);
      this.#numbered(POINTER_TYPE, place.label);
    }
  }

  /** Writes a label or a pointer. */
  #numbered(type: number, label: number): void {
    this.extHead(type, LABEL_LENGTH);
    this.ensure(LABEL_LENGTH);
    this.view.setUint32(this.offset, label);
    this.offset += LABEL_LENGTH;
  }

  /**
   * Decodes an encoded value and encodes it again, because its ext values and 64-bit ints could mean something else in
   * this message. Outside canonical form, another encoder writes it, so that no option or extension changes the value.
   */
  protected override encoded(value: Encoded): void {
    const plain = value.toValue(this.settings, this.depth);
    if (this.settings.canonical) {
      this.value(plain);
      return;
    }
    this.#faithful ??= new CloneEncoder({ ...this.settings, ...FAITHFUL }, NO_EXTENSIONS, this.#prefixes);
    const encoder = this.#faithful;
    encoder.begin(this.depth);
    encoder.#keyNesting = this.#keyNesting;
    encoder.areCompared = this.areCompared;
    try {
      encoder.value(plain);
      encoder.finish();
      this.append(encoder.take());
    } catch (error) {
      throw faultAt(error, null); // the place in the bytes doesn't count
    } finally {
      encoder.reset();
    }
  }

  // --- types ---------------------------------------------------------------------------------------------------------

  protected override instance(value: object, replacements: number): void {
    const { moreTypes } = this.settings;
    const knowsMore = moreTypes || this.compat;
    if (!knowsMore || this.extensions.forInstance(value) !== undefined) super.instance(value, replacements);
    else if (moreTypes && ArrayBuffer.isView(value)) this.#view(value);
    else if (value instanceof RegExp && this.toJSONOf(value as object) === undefined) this.#regExp(value);
    else if (value instanceof Error && this.toJSONOf(value as object) === undefined) this.#error(value);
    else super.instance(value, replacements);
  }

  /** With `moreTypes` or `compat`, writes a RegExp or Error of another realm like one of this realm. */
  protected override opaque(value: object): void {
    const { moreTypes } = this.settings;
    // An object without the property Symbol.toStringTag can't pretend to be of another class.
    const tag = (moreTypes || this.compat) && !(Symbol.toStringTag in value) ? tagOf(value) : '';
    if (tag === '[object RegExp]') this.#regExp(value as RegExp);
    else if (tag === '[object Error]') this.#error(value as Error);
    else super.opaque(value);
  }

  /** Writes a prefix and the head of an array of `count` elements, and opens the array. */
  #prefixed(type: number, data: number, count: number): void {
    this.open();
    this.#prefix(type, data);
    this.arrayHead(count);
  }

  #prefix(type: number, data: number): void {
    this.byte(FIXEXT1);
    this.byte(type);
    this.byte(data);
  }

  protected override set(set: ReadonlySet<unknown>): void {
    const { moreTypes, setAsEmptyObject } = this.settings;
    // A copy, because encoding a member may change the set.
    if (moreTypes && !setAsEmptyObject) this.#members(SET_TYPE, Array.from(set));
    else super.set(set);
  }

  #regExp({ source, flags }: RegExp): void {
    this.#members(REGEXP_TYPE, [source, flags]);
  }

  #error(error: Error): void {
    const { name, message, cause, stack } = error;
    const code: unknown = Object.hasOwn(error, 'code') ? Reflect.get(error, 'code') : undefined;
    const members: unknown[] = [
      String(name),
      String(message),
      cause,
      typeof code === 'string' || typeof code === 'number' ? code : undefined,
      this.settings.errorStack && typeof stack === 'string' ? stack : undefined,
      isAggregate(error) ? error.errors : undefined,
    ];
    if (this.compat) members.length = 3;
    while (members.length > 3 && members.at(-1) === undefined) members.pop();
    this.#members(ERROR_TYPE, members);
  }

  #members(type: number, members: readonly unknown[]): void {
    if (!this.settings.moreTypes) {
      this.array(members); // msgpackr also writes a plain array here
      return;
    }
    this.#prefixed(type, 0, members.length);
    const known = type === SET_TYPE ? this.#newKnown(members, new Set(members).size < members.length) : null;
    let index = 0;
    try {
      for (const member of members) {
        const start = this.offset;
        this.value(member);
        if (known !== null && isTwice(known, this.#readAs(start, false))) throw equalMembersFault();
        index++;
      }
    } catch (error) {
      throw faultAt(error, String(index));
    }
    this.depth--;
  }

  /**
   * With `moreTypes` or `compat`, writes a number beyond 32 bits as a float, because msgpackr and readers with
   * `moreTypes` decode an int 64 to a bigint. In canonical form, which this class uses only to compare keys, writes an
   * int.
   */
  protected override int64(head: number, number: number): void {
    const { moreTypes, canonical } = this.settings;
    if ((moreTypes || this.compat) && !canonical) this.float64(number);
    else super.int64(head, number);
  }

  protected override largeBigInt(number: bigint): void {
    const { useBigIntExtension, largeBigIntToFloat, largeBigIntToString } = this.settings;
    if (!useBigIntExtension || largeBigIntToFloat || largeBigIntToString) super.largeBigInt(number);
    else super.ext(BIGINT_TYPE, bigIntBytes(number));
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  /** Writes an array. With references, a hole becomes an ext that msgpackr reads as undefined. */
  protected override array(array: readonly unknown[]): void {
    this.open();
    const { length } = array;
    this.arrayHead(length);
    let index = 0;
    try {
      for (; index < length; index++) {
        const element = array[index];
        if (element === undefined && this.settings.references && !(index in array)) this.#prefix(UNDEFINED_TYPE, HOLE);
        else this.value(element);
      }
    } catch (error) {
      throw faultAt(error, String(index));
    }
    this.depth--;
  }

  protected override entries(map: ReadonlyMap<unknown, unknown>): void {
    const { references, mode } = this.settings;
    const known = references && mode !== 'default' ? this.#newKnown(Array.from(map.keys())) : null;
    if (known === null) super.entries(map);
    else this.#comparedEntries(map, known);
  }

  /**
   * Writes entries and refuses equal keys. Compares a key after writing it, because the bytes show whether the key is
   * an object that was written before.
   */
  #comparedEntries(map: ReadonlyMap<unknown, unknown>, known: Set<string | number>): void {
    const { size } = map;
    this.mapHead(size);
    let token: string | null = null;
    let index = 0;
    try {
      for (const [key, value] of map) {
        token = null;
        if (index === size) throw changedFault();
        const start = this.offset;
        this.#keyNesting++;
        this.key(key);
        const read = this.#readAs(start, true);
        this.#keyNesting--;
        // A pointer to the str; `key` has found the str itself.
        if (this.settings.mode === 'strict' && PROTO.test(String(read))) throw prototypeFault(null);
        const isKnown = isTwice(known, read);
        token = keyToken(key, index);
        if (isKnown) throw equalKeysFault();
        this.value(value);
        index++;
      }
    } catch (error) {
      throw faultAt(error, token);
    }
    if (index !== size) throw changedFault();
  }

  /**
   * Returns a set for the results of `#readAs`. Returns null if keys or members needn't be compared: in default mode,
   * in canonical form, or if none can be equal.
   *
   * @param areTwice whether a value occurs twice, which needs a subclass of Set with its own iterator
   */
  #newKnown(values: readonly unknown[], areTwice = false): Set<string | number> | null {
    const { mode, canonical } = this.settings;
    return mode === 'default' || canonical || (!areTwice && this.stayDifferent(values)) ? null : new Set();
  }

  /**
   * Returns what identifies the value that was written at `start`. Two values have the same result if readers treat
   * them as equal keys (`isKey`) or as equal members of a Set. For an object, the result is the offset where it was
   * first written.
   */
  #readAs(start: number, isKey: boolean): string | number {
    const { bytes, view } = this;
    readHead(view, start, this.offset, this.#head);
    const { kind, length, body, type } = this.#head;
    const byte = bytes[start] as number;
    const at = start + length;
    if (kind === FLOAT_HEAD) {
      const float = length === 5 ? view.getFloat32(start + 1) : view.getFloat64(start + 1);
      // As members of a JavaScript Set, −0 and 0 are equal.
      return Object.is(float, -0) && isKey ? '-0' : String(float);
    }
    if (kind === EXT_HEAD && this.settings.references && type === POINTER_TYPE && body === LABEL_LENGTH)
      return this.#readAs((this.#labelled[view.getUint32(at) - 1] as Place).offset, isKey);
    const isInt = kind === SCALAR_HEAD && (byte < this.lowInts || byte > TRUE);
    if (isInt) {
      const int = integerAt(view, start);
      const isInKey = this.#keyNesting > 0 || this.areCompared;
      const isBigInt = (byte === INT64 && !isInKey) || !Number.isSafeInteger(Number(int));
      return isBigInt ? `${int}n` : String(int);
    }
    const isScalar = kind === STR_HEAD || (kind === SCALAR_HEAD && byte >= NIL);
    const isScalarExt = kind === EXT_HEAD && this.#isScalar(type, body, bytes[at] as number);
    // The text starts with the head byte, which is above 7f. So it differs from the text of every number.
    return isScalar || isScalarExt ? codeUnits(bytes, start, at + body) : start;
  }

  /** Whether readers decode an ext to undefined or a bigint. */
  #isScalar(type: number, length: number, first: number): boolean {
    if (type === UNDEFINED_TYPE) return length === 1 && first === 0;
    return type === BIGINT_TYPE && this.settings.useBigIntExtension && this.extensions.forType(type) === undefined;
  }

  /**
   * Writes an instance. With references or `compat`, writes a prefix, then the value that `write` returns. So, with
   * references, this value and objects outside it can refer to each other. The base class handles extensions with
   * `pack` or without a type.
   */
  protected override extension(definition: ExtensionDefinition, value: object, replacements: number): void {
    const { type, pack, write } = definition;
    if (!(this.settings.references || this.compat) || pack !== undefined || type === undefined) {
      super.extension(definition, value, replacements);
      return;
    }
    const written = callExtension(write, value);
    this.open();
    this.#prefix(type, 0);
    if (written === value) this.plain(value as Record<string, unknown>);
    else this.value(written);
    this.depth--;
  }

  /** Writes an ext. Refuses one that readers with the same settings would read as something else. */
  protected override ext(type: number, data: Uint8Array): void {
    const first = data[0] ?? 0;
    const length = lengthOf(data);
    const isPointer = this.settings.references && type === POINTER_TYPE && length === LABEL_LENGTH;
    const isHole = this.settings.references && type === UNDEFINED_TYPE && length === 1 && first === HOLE;
    if (isPointer || isHole || this.#prefixes?.(type, length, first) === true) throw reservedExtFault(type);
    super.ext(type, data);
  }

  // --- views and buffers ---------------------------------------------------------------------------------------------

  #view(view: ArrayBufferView): void {
    const code = viewCode(view);
    const { buffer, byteOffset, byteLength } = view;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    // A view of an unknown kind is written as bin. A subclass of Uint8Array is also written as bin, because it is
    // usually a Buffer, and the pool of a Buffer isn't part of its value.
    if (code < 0 || (view instanceof Uint8Array && Object.getPrototypeOf(view) !== Uint8Array.prototype)) {
      this.bin(bytes);
      return;
    }
    const length = code === DATA_VIEW_CODE ? byteLength : lengthOf(view as Uint8Array);
    this.#viewBytes(buffer, { object: view, code, byteOffset, byteLength, length }, bytes);
  }

  protected override buffer(buffer: ArrayBufferLike): void {
    if (!this.settings.moreTypes || isShared(buffer)) {
      super.buffer(buffer);
      return;
    }
    const { byteLength } = buffer;
    const whole = { object: buffer, code: ARRAY_BUFFER_CODE, byteOffset: 0, byteLength, length: byteLength };
    this.#viewBytes(buffer, whole, new Uint8Array(buffer));
  }

  #viewBytes(buffer: ArrayBufferLike, what: Omit<Occurrence, 'start' | 'end'>, bytes: Uint8Array): void {
    const start = this.offset;
    this.#codedBytes(what.code, bytes);
    if (!this.settings.references) return;
    const occurrence = { ...what, start, end: this.offset };
    const others = this.#buffers.get(buffer);
    if (others === undefined) this.#buffers.set(buffer, [occurrence]);
    else others.push(occurrence);
  }

  /** Writes an ext 8, 16 or 32, never a fixext, so that the bytes are the same as msgpackr's. */
  #codedBytes(code: number, bytes: Uint8Array): void {
    const length = bytes.length + 1;
    if (length < 0x100) this.head8(EXT8, length);
    else if (length < 0x1_0000) this.head16(EXT16, length);
    else this.head32(EXT32, length);
    this.byte(VIEW_TYPE);
    this.byte(code);
    this.append(bytes);
  }

  // --- the patched result --------------------------------------------------------------------------------------------

  /** Patches in the labels and shared buffers, once the message is complete. */
  override finish(): boolean {
    if (!super.finish()) return false;
    const shared = this.#sharedBuffers();
    if (this.#labelled.length === 0 && shared.length === 0) return true;
    const length = this.offset;
    const patches: Patch[] = [];
    const add = (at: number, until: number, from: number) => patches.push({ at, until, from, to: this.offset });
    for (const occurrences of shared) this.#share(occurrences, add);
    // If a value has several labels, the highest label comes first, as in msgpackr.
    for (const place of [...this.#labelled].reverse()) {
      const from = this.offset;
      if (place.label !== 0) this.#numbered(LABEL_TYPE, place.label);
      add(place.offset, place.offset, from);
    }
    // At the same offset, a label comes before the patch for its value.
    patches.sort((left, right) => left.at - right.at || left.until - right.until);
    const patched = this.#patched(length, patches);
    this.exchange(patched);
    this.offset = patched.length;
    return true;
  }

  /**
   * Returns the occurrences of each buffer that occurs several times. Leaves out a buffer if no single view or
   * ArrayBuffer covers all of it, because writing the buffer could reveal bytes that belong to no value.
   */
  #sharedBuffers(): Occurrence[][] {
    const shared: Occurrence[][] = [];
    for (const [buffer, occurrences] of this.#buffers) {
      const isWhole = occurrences.some(({ byteLength }) => byteLength === buffer.byteLength);
      if (occurrences.length > 1 && isWhole) shared.push(occurrences);
    }
    return shared;
  }

  /** Adds patches that write the buffer at its first occurrence, and pointers to it at all others. */
  #share(occurrences: readonly Occurrence[], add: (at: number, until: number, from: number) => void): void {
    const whole = occurrences.find(({ code }) => code === ARRAY_BUFFER_CODE);
    const place = whole === undefined ? undefined : this.#places.get(whole.object);
    const [first] = occurrences;
    let label = place?.label ?? 0;
    if (label === 0) label = this.#labelled.push({ offset: 0, label: 0 });
    // The patch below writes the label, so `finish` must not write it at the recorded place.
    else if (place !== undefined) place.label = 0;
    for (const occurrence of occurrences) {
      const from = this.offset;
      const { code, start, end, byteOffset, length } = occurrence;
      if (code !== ARRAY_BUFFER_CODE) {
        this.#prefix(SHARED_VIEW_TYPE, code);
        this.arrayHead(3);
      }
      if (occurrence === first) {
        this.#numbered(LABEL_TYPE, label);
        this.#codedBytes(ARRAY_BUFFER_CODE, wholeBytes(occurrence));
      } else this.#numbered(POINTER_TYPE, label);
      if (code !== ARRAY_BUFFER_CODE) {
        this.int(byteOffset);
        this.int(length);
      }
      add(start, end, from);
    }
  }

  #patched(length: number, patches: readonly Patch[]): Uint8Array {
    let total = length;
    for (const { at, until, from, to } of patches) total += to - from - (until - at);
    const result = new Uint8Array(total);
    let read = 0;
    let written = 0;
    const copy = (from: number, to: number) => {
      result.set(this.bytes.subarray(from, to), written);
      written += to - from;
    };
    for (const { at, until, from, to } of patches) {
      copy(read, at);
      copy(from, to);
      read = until;
    }
    copy(read, length);
    return result;
  }
}

function isAggregate(error: Error): error is AggregateError {
  if (error instanceof Error) return error instanceof AggregateError;
  return (error as Error).name === 'AggregateError';
}

/** Adds a value to a set. Returns whether the set already had the value. */
function isTwice(known: Set<string | number>, value: string | number): boolean {
  return known.size === known.add(value).size;
}

/** Returns all bytes of a buffer, or of a view's buffer. */
function wholeBytes({ object }: Occurrence): Uint8Array {
  return new Uint8Array(ArrayBuffer.isView(object) ? object.buffer : (object as ArrayBuffer));
}

/** Returns a bigint in two's complement, big-endian, in as few groups of 8 bytes as possible. */
function bigIntBytes(number: bigint): Uint8Array {
  const digits = (number < 0n ? -1n - number : number).toString(16).length;
  // The sign bit may need one more group.
  let groups = Math.ceil(digits / 16);
  if (BigInt.asIntN(64 * groups, number) !== number) groups++;
  const hex = BigInt.asUintN(64 * groups, number)
    .toString(16)
    .padStart(16 * groups, '0');
  const bytes = new Uint8Array(8 * groups);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
  }
  return bytes;
}

function reservedExtFault(type: number): Fault {
  const what = `an ext of type ${type} with such data means something else in structured cloning`;
  return new Fault('unsupported_value', null, what, 'use another type');
}
