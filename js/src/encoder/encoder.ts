// The encoder: values to bytes (spec/02, 05, 09).
//
// Plan: Encoder: begin, finish · value, the dispatch by typeof · objects by class · containers · canonical form · ext
// values.
//
// Encoder inherits from a chain of classes: Sink (output/sink.ts: bytes, heads, numbers) · StrEncoder (output/str.ts:
// text, names) · NumberEncoder · FloatEncoder (arrays of floats) · ObjectEncoder (plain objects).
//
// A fault passes through the containers from the inside out. Each container adds the index or key of the faulty child
// to the path. So paths cost nothing until something fails.

import {
  c1Fault,
  changedFault,
  equalKeysFault,
  faultAt,
  invalidDateFault,
  kindFault,
  momentFault,
  opaqueFault,
  packFault,
  recordFault,
  replacementFault,
} from '../core/encode-faults.ts';
import type { ExtensionDefinition, ExtensionTable } from '../core/extension.ts';
import { depthFault } from '../core/faults.ts';
import {
  bufferView,
  callExtension,
  callOption,
  callToJSON,
  classAnywhere,
  floorDivide,
  instantOf,
  isBoxed,
  isOpaque,
  isPlainElsewhere,
  keyToken,
  namesWithout,
  tagOf,
} from '../core/foreign-values.ts';
import { FALSE, FIXARRAY, FIXMAP, NIL, RECORD_TYPE, RESERVED, TIMESTAMP_TYPE, TRUE } from '../core/format.ts';
import { momentOf, nanosecondsOf, putTimestamp, secondsOf, Timestamp, timestampLength } from '../core/timestamp.ts';
import { C1, Encoded, ExtData, Float, isBytes } from '../core/values.ts';
import { lengthOf } from '../core/views.ts';
import type { RecordTest, Settings } from '../options/settings.ts';
import type { ShapeTable } from '../records/records.ts';
import { ObjectEncoder } from './objects.ts';

const TWO_32 = 0x1_0000_0000;

/** The data of the timestamp that msgpackr writes for an invalid Date. */
const INVALID_DATE = /* @__PURE__ */ new Uint8Array([0xff]);

/** A value may be replaced this many times in a row, for example by `toJSON` or by an extension without a type. */
const MAX_REPLACEMENTS = 100;

/** Arrays with fewer elements don't use the separate loops for floats and points (floats.ts). */
const FEWEST_FLOATS = 4;

/** An entry of a map in canonical form, with its encoded key and the path token of its key. */
interface Entry {
  readonly key: Uint8Array;
  readonly token: string;
  readonly value: unknown;
}

/**
 * Encodes one message at a time. While an Encoder calls an extension, the extension must encode with another Encoder.
 */
export class Encoder extends ObjectEncoder {
  /** Number of open containers. */
  depth = 0;
  readonly extensions: ExtensionTable;
  /** Whether any extension encodes instances of a class. */
  private readonly knowsClasses: boolean;
  private readonly maxDepth: number;
  /**
   * True if no option leaves out properties, changes or sorts names, or decides which objects are records. `usualMap`
   * or `usualRecord` then writes plain objects.
   */
  private readonly isUsual: boolean;
  private readonly skipValues: readonly unknown[] | null;
  private readonly recordTest: RecordTest | null;
  /** Finds equal keys by their canonical form; null until it is needed. */
  private canonical: Encoder | null = null;
  /** Whether the current value is part of a key whose inner Maps were already checked for equal keys. */
  protected areCompared = false;
  /** The Encoder for which this Encoder compares keys; null if it writes a message. */
  private comparesFor: Encoder | null = null;

  constructor(settings: Settings, extensions: ExtensionTable) {
    // Subclasses don't use slabs (sink.ts): CloneEncoder keeps offsets, which change when a message leaves a slab.
    super(settings, new.target === Encoder);
    const { skipValues, recordTest, coercibleKeyAsNumber, canonical } = settings;
    this.isUsual = skipValues === null && recordTest === null && !coercibleKeyAsNumber && !canonical;
    this.extensions = extensions;
    this.knowsClasses = extensions.encodes;
    this.maxDepth = settings.limits.maxDepth;
    this.skipValues = settings.skipValues;
    this.recordTest = settings.recordTest;
  }

  /**
   * Prepares for a message.
   *
   * @param depth the depth at which the message starts; 0 if it isn't inside another message
   * @param around the shapes of the message whose header covers this one; default: null for none
   */
  begin(depth: number, around: ShapeTable | null = null): void {
    this.reset();
    this.prepare();
    this.depth = depth;
    this.areCompared = false;
    this.shapes?.startMessage(depth > 0, around);
    if (depth > this.maxDepth) throw depthFault(this.maxDepth, null);
  }

  /** Completes a message. Returns false if it must be written again, starting with `begin`. */
  finish(): boolean {
    return this.shapes === null || this.shapes.endMessage();
  }

  /**
   * Writes a value.
   *
   * @param replacements how many replacements in a row have led to this value
   */
  value(value: unknown, replacements = 0): void {
    switch (typeof value) {
      case 'string':
        this.str(value);
        break;
      case 'number':
        this.number(value);
        break;
      case 'object':
        if (value === null) this.byte(NIL);
        else this.object(value, replacements);
        break;
      case 'boolean':
        this.byte(value ? TRUE : FALSE);
        break;
      case 'undefined':
        this.undefined();
        break;
      case 'bigint':
        this.bigInteger(value);
        break;
      default:
        this.#strange(value, replacements);
    }
  }

  /** Writes a function as `writeFunction` or `compat` says. Refuses symbols, and functions without these options. */
  #strange(value: unknown, replacements: number): void {
    const { writeFunction } = this.settings;
    if (this.compat && typeof value === 'function' && writeFunction === null) {
      this.undefined();
      return;
    }
    if (typeof value !== 'function' || writeFunction === null) throw kindFault(value);
    const replacement = callOption('writeFunction', () => writeFunction(value as (...args: never[]) => unknown));
    this.#replacement(value, replacement, replacements);
  }

  private undefined(): void {
    if (this.settings.encodeUndefinedAsNil) {
      this.byte(NIL);
      return;
    }
    this.extHead(0, 1);
    this.byte(0);
  }

  /** Forgets what was written. Also empties the caches of names if they are too full. */
  override reset(): void {
    super.reset();
    this.shapes?.forgetMany();
    this.keys.forgetMany();
  }

  // --- objects by class ----------------------------------------------------------------------------------------------

  protected object(value: object, replacements: number): void {
    if (Array.isArray(value)) {
      // Looking up the prototype costs as much as writing two numbers, so skip it if no extension encodes a class.
      if (this.knowsClasses && Object.getPrototypeOf(value) !== Array.prototype) this.instance(value, replacements);
      else this.array(value);
      return;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) this.plain(value as Record<string, unknown>);
    else this.instance(value, replacements);
  }

  /** Writes an object that isn't plain, or an array whose class may have an extension. */
  protected instance(value: object, replacements: number): void {
    const definition = this.extensions.forInstance(value);
    if (definition !== undefined) this.extension(definition, value, replacements);
    else if (Array.isArray(value)) this.array(value);
    else if (value instanceof Map) this.map(value);
    else if (value instanceof Set) this.set(value);
    else if (value instanceof Date) this.date(value, replacements);
    else if (value instanceof Uint8Array) this.bin(value);
    else if (ArrayBuffer.isView(value)) this.bin(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (value instanceof ArrayBuffer) this.buffer(value);
    else if (value === C1) this.#reserved();
    else if (value instanceof Encoded) this.encoded(value);
    else if (value instanceof ExtData) this.extData(value);
    else if (value instanceof Float) this.float(value.value);
    else if (value instanceof Timestamp) this.timestamp(value.seconds, value.nanoseconds);
    else this.#foreign(value, replacements);
  }

  protected buffer(buffer: ArrayBufferLike): void {
    this.bin(new Uint8Array(buffer));
  }

  /** Writes a value that is already encoded. */
  protected encoded(value: Encoded): void {
    if (this.settings.canonical) this.value(value.toValue(this.settings, this.depth));
    else this.append(value.plainBytes(this.settings, this.depth));
  }

  #reserved(): void {
    if (!this.compat) throw c1Fault();
    this.byte(RESERVED);
  }

  /** Writes an object of a class that `instance` doesn't handle. */
  #foreign(value: object, replacements: number): void {
    if (isBoxed(value)) {
      this.#replacement(value, value.valueOf(), replacements);
      return;
    }
    if (tagOf(value) === '[object Object]') this.#custom(value, replacements, false);
    else this.#tagged(value, replacements);
  }

  /** Writes an object whose tag isn't `[object Object]`, such as a Temporal.Instant, or a Map of another realm. */
  #tagged(value: object, replacements: number): void {
    const instant = instantOf(value);
    if (instant !== null) {
      const seconds = floorDivide(instant, 1_000_000_000n);
      this.timestamp(seconds, Number(instant - seconds * 1_000_000_000n));
      return;
    }
    const name = classAnywhere(value);
    if (name === '') this.#custom(value, replacements, true);
    else if (name === 'Map') this.map(value as Map<unknown, unknown>);
    else if (name === 'Set') this.set(value as Set<unknown>);
    else if (name === 'Date') this.date(value as Date, replacements);
    else this.#replacement(value, value.valueOf(), replacements);
  }

  /**
   * Writes an object by toJSON, as an array if it is iterable, or by its properties. Calls `opaque` if the properties
   * may not have the content of the object.
   *
   * @param isTagged whether the object's tag isn't `[object Object]`
   */
  #custom(value: object, replacements: number, isTagged: boolean): void {
    if (isPlainElsewhere(value)) {
      this.plain(value as Record<string, unknown>);
      return;
    }
    const toJSON = this.toJSONOf(value);
    const replacement = toJSON === undefined ? value : callToJSON(value, toJSON);
    if (replacement !== value) this.#replacement(value, replacement, replacements);
    else if (Symbol.iterator in value && typeof value[Symbol.iterator] === 'function')
      this.array(Array.from(value as Iterable<unknown>));
    else if ((isTagged && isOpaque(value)) || this.#isEmpty(value)) this.opaque(value);
    else this.plain(value as Record<string, unknown>);
  }

  /**
   * Writes a buffer that isn't an ArrayBuffer of this realm. Refuses any other object whose content may not be in its
   * properties; with `compat`, writes the properties.
   */
  protected opaque(value: object): void {
    const view = bufferView(value);
    if (view !== null) this.buffer(view.buffer);
    else if (this.compat) this.plain(value as Record<string, unknown>);
    else throw opaqueFault(value);
  }

  /** Whether an instance has no properties, so that `{}` may lose private fields. Always false in default mode. */
  #isEmpty(value: object): boolean {
    return this.settings.mode !== 'default' && Object.keys(value).length === 0;
  }

  /** Returns the method toJSON of an object; undefined if there is none, or if the option `useToJSON` is false. */
  protected toJSONOf(value: { toJSON?: unknown }): (() => unknown) | undefined {
    const toJSON = this.settings.useToJSON ? value.toJSON : undefined;
    return typeof toJSON === 'function' ? (toJSON as () => unknown) : undefined;
  }

  #replacement(value: object, replacement: unknown, replacements: number): void {
    if (replacement === value || replacements === MAX_REPLACEMENTS) throw replacementFault(value);
    this.value(replacement, replacements + 1);
  }

  private date(date: Date, replacements: number): void {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) {
      const { onInvalidDate } = this.settings;
      if (onInvalidDate === null) {
        if (!this.compat) throw invalidDateFault();
        this.ext(TIMESTAMP_TYPE, INVALID_DATE);
        return;
      }
      this.#replacement(date, callOption('onInvalidDate', onInvalidDate), replacements);
      return;
    }
    const seconds = secondsOf(milliseconds);
    const isShort = this.settings.useTimestamp32 && timestampLength(seconds, 0) === 4;
    this.timestamp(seconds, isShort ? 0 : nanosecondsOf(milliseconds, seconds));
  }

  private timestamp(seconds: number | bigint, nanoseconds: number): void {
    const isWide = this.compat && seconds >= TWO_32;
    const length = isWide ? 12 : timestampLength(seconds, nanoseconds);
    this.extHead(TIMESTAMP_TYPE, length);
    this.ensure(length);
    putTimestamp(this.view, this.offset, length, seconds, nanoseconds);
    this.offset += length;
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  protected open(): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, null);
    this.depth++;
  }

  /** Writes an array. Reads elements by index, so holes become undefined. */
  protected array(array: readonly unknown[]): void {
    if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, null);
    this.depth++;
    const { length } = array;
    if (length < 16 && this.offset < this.capacity) {
      this.bytes[this.offset] = FIXARRAY | length;
      this.offset++;
    } else this.arrayHead(length);
    let index = 0;
    try {
      for (; index < length; index++) {
        const element = array[index];
        if (typeof element === 'string') this.str(element);
        else if (typeof element === 'number') {
          const mayBeFloats = index === 0 && length >= FEWEST_FLOATS && this.hasFloat64 && !Number.isInteger(element);
          const written = mayBeFloats ? this.bulk(array, length, false) : 0;
          if (written > 0) index = written - 1;
          else this.number(element);
        } else if (typeof element === 'object' && element !== null) {
          const mayBePoints = index === 0 && length >= FEWEST_FLOATS && this.isPoint(element);
          const written = mayBePoints ? this.bulk(array, length, true) : 0;
          if (written > 0) index = written - 1;
          else this.object(element, 0);
        } else this.value(element);
      }
    } catch (error) {
      throw faultAt(error, String(index));
    }
    this.depth--;
  }

  /**
   * Whether `bulk` may write this element and the elements after it as points. This is true for an array of two values
   * whose first value is a non-integral number, if no extension, option or limit prevents it.
   */
  private isPoint(element: object): boolean {
    if (!Array.isArray(element) || this.knowsClasses || !this.hasFloat64 || this.depth >= this.maxDepth) return false;
    const first: unknown = element.length === 2 ? element[0] : null;
    return typeof first === 'number' && !Number.isInteger(first);
  }

  /** Writes an object's own enumerable properties as a map or record. Leaves out symbol keys and `skipValues`. */
  protected plain(object: Record<string, unknown>): void {
    if (this.isUsual) {
      if (this.depth >= this.maxDepth) throw depthFault(this.maxDepth, null);
      this.depth++;
      if (this.shapes === null) this.usualMap(object);
      else this.usualRecord(this.shapes, object);
      this.depth--;
    } else this.otherPlain(object);
  }

  private otherPlain(object: Record<string, unknown>): void {
    const { skipValues } = this;
    const names = skipValues === null ? Object.keys(object) : namesWithout(skipValues, object);
    this.open();
    if (this.shapes !== null && this.isRecord(object, this.areCompared)) this.record(this.shapes, object, names);
    else this.properties(object, names);
    this.depth--;
  }

  /**
   * Whether to write an object as a record, if there is an id for it. With `coercibleKeyAsNumber`, an object inside a
   * compared key of a Map becomes a map if the message can't declare shapes. Keys are compared before ids are assigned,
   * when it isn't known yet whether the object gets an id.
   */
  private isRecord(object: object, isInKey: boolean): boolean {
    const { recordTest, settings, shapes } = this;
    if (isInKey && settings.coercibleKeyAsNumber && shapes?.declares !== true) return false;
    return recordTest === null || callOption('useRecords', () => recordTest(object)) === true;
  }

  /**
   * Writes an object as a map. With `coercibleKeyAsNumber`, a name that is a printed number ("17", "-1.5") is written
   * as that number.
   */
  protected properties(object: Record<string, unknown>, names: readonly string[]): void {
    const { coercibleKeyAsNumber, variableMapSize, canonical, mode } = this.settings;
    const coerces = coercibleKeyAsNumber && this.comparesFor?.isRecord(object, true) !== true;
    if (canonical) {
      this.#sorted(names.map((name, index) => this.#entry(coerces ? coerced(name) : name, index, object[name])));
      return;
    }
    // Different numbers may become equal as float 32.
    const mayBeEqual = coerces && !this.hasFloat64 && mode !== 'default' && !this.areCompared;
    if (mayBeEqual) this.refuseEqualKeys(names.map(coerced));
    if (variableMapSize) this.mapHead(names.length);
    else this.wideMapHead(names.length);
    let index = 0;
    let isInKey = true;
    try {
      for (const name of names) {
        isInKey = true;
        const key = coerces ? coerced(name) : name;
        this.checkKey(key);
        if (typeof key === 'number') this.number(key);
        else this.str(key);
        isInKey = false;
        this.value(object[name]);
        index++;
      }
    } catch (error) {
      const name = names[index] as string;
      throw faultAt(error, isInKey ? null : keyToken(coerces ? coerced(name) : name, index));
    }
  }

  private map(map: ReadonlyMap<unknown, unknown>): void {
    if (this.settings.mapAsEmptyObject && this.compat) this.byte(FIXMAP);
    else if (this.settings.mapAsEmptyObject) this.plain({});
    else {
      this.open();
      this.entries(this.settings.mode === 'default' || hasUsualIterators(map) ? map : withDistinctKeys(map));
      this.depth--;
    }
  }

  protected set(set: ReadonlySet<unknown>): void {
    if (this.settings.setAsEmptyObject) this.plain({});
    else this.array(Array.from(set));
  }

  protected entries(map: ReadonlyMap<unknown, unknown>): void {
    const { canonical, mode, references } = this.settings;
    if (canonical) {
      const entries: Entry[] = [];
      for (const [key, value] of map) entries.push(this.#entry(key, entries.length, value));
      this.#sorted(entries);
      return;
    }
    const { areCompared } = this;
    // With `structuredClone`, objects are equal keys only if they are the same object. CloneEncoder checks this.
    const mayCompare = mode !== 'default' && !references;
    const compares = areCompared || (mayCompare && this.refuseEqualKeys(Array.from(map.keys())));
    const { size } = map;
    this.mapHead(size);
    let token: string | null = null;
    let index = 0;
    try {
      for (const [key, value] of map) {
        token = null;
        if (index === size) throw changedFault();
        this.areCompared = compares;
        this.key(key);
        this.areCompared = areCompared;
        token = keyToken(key, index);
        this.value(value);
        index++;
      }
    } catch (error) {
      throw faultAt(error, token);
    }
    if (index !== size) throw changedFault();
  }

  /**
   * Fails if two keys of a map have the same canonical form (spec/07#encoding). Also checks maps inside the keys. In
   * strict mode, also fails for an int and a float of the same value, because strict readers decode both to the same
   * number. Skips the comparison if `stayDifferent` is true for the keys.
   *
   * @returns whether the keys were compared
   */
  private refuseEqualKeys(keys: readonly unknown[]): boolean {
    if (this.stayDifferent(keys)) return false;
    this.canonical ??= this.another({
      ...this.settings,
      inline: false,
      shared: null,
      canonical: true,
      wideBigInts: false,
    });
    this.canonical.comparesFor = this;
    this.canonical.begin(this.depth);
    this.canonical.entries(new Map(keys.map((key) => [key, null])));
    return true;
  }

  /**
   * Whether different values surely stay different when they are written. True only if all are strings or numbers, and
   * no option rounds numbers to float 32.
   */
  protected stayDifferent(values: readonly unknown[]): boolean {
    return values.every((value) => typeof value === 'string' || (typeof value === 'number' && this.hasFloat64));
  }

  // --- canonical form (spec/08) --------------------------------------------------------------------------------------

  /** Returns the encoding of a key. Writes it at the current offset, copies it, and moves the offset back. */
  #encodedKey(key: unknown): Uint8Array {
    const start = this.offset;
    try {
      this.value(key);
    } catch (error) {
      throw faultAt(error, null);
    }
    const bytes = this.bytes.slice(start, this.offset);
    this.offset = start;
    return bytes;
  }

  #entry(key: unknown, index: number, value: unknown): Entry {
    return { key: this.#encodedKey(key), token: keyToken(key, index), value };
  }

  #sorted(entries: Entry[]): void {
    entries.sort((left, right) => compareBytes(left.key, right.key));
    this.mapHead(entries.length);
    let before: Uint8Array | null = null;
    for (const { key, token, value } of entries) {
      try {
        if (before !== null && compareBytes(before, key) === 0) throw equalKeysFault();
        before = key;
        this.append(key);
        this.value(value);
      } catch (error) {
        const { integralFloatsAsInts } = this.settings;
        const written = integralFloatsAsInts ? integralFloatsAsInts(error, key) : null;
        throw faultAt(error, written ?? token);
      }
    }
  }

  // --- ext values (spec/03) ------------------------------------------------------------------------------------------

  private extData({ type, data }: ExtData): void {
    const moment = type === TIMESTAMP_TYPE ? momentOf(data) : undefined;
    if (moment === null) throw momentFault();
    if (moment && this.settings.canonical) this.timestamp(moment.seconds, moment.nanoseconds);
    else this.ext(type, data);
  }

  protected ext(type: number, data: Uint8Array): void {
    const length = lengthOf(data);
    if (type === RECORD_TYPE && (length === 1 || length === 2)) throw recordFault();
    this.extHead(type, length);
    this.append(data, length);
  }

  protected extension(definition: ExtensionDefinition, value: object, replacements: number): void {
    const { type, pack, write } = definition;
    if (pack !== undefined && type !== undefined) {
      const data = callExtension(pack, value);
      if (!isBytes(data)) throw packFault(type);
      this.ext(type, data);
    } else if (type !== undefined) this.ext(type, this.inner(callExtension(write, value)));
    else this.#replacement(value, callExtension(write, value), replacements);
  }

  /** Makes an Encoder with the same extensions. */
  protected another(settings: Settings): Encoder {
    return new Encoder(settings, this.extensions);
  }

  /** Encodes a value as the data of an ext: a separate message that starts at the current depth + 1. */
  protected inner(value: unknown): Uint8Array {
    const { settings, comparesFor } = this;
    // An ext in a key is compared by the bytes that it will have in the message, so use the settings of the message.
    // Mode 'default' skips comparing the keys inside the ext. They are compared when the message is written.
    const encoder = this.another(comparesFor === null ? settings : { ...comparesFor.settings, mode: 'default' });
    // Code of the user may have replaced the dictionary that the message around this one relies on.
    encoder.begin(this.depth + 1, (comparesFor ?? this).shapes);
    encoder.value(value);
    encoder.finish(); // always true, because a message inside another message publishes no shapes
    return encoder.take();
  }
}

/** Whether a Map has the built-in iterators. A subclass may replace them, so that a loop yields other keys. */
function hasUsualIterators(map: ReadonlyMap<unknown, unknown>): boolean {
  return map[Symbol.iterator] === Map.prototype[Symbol.iterator] && map.keys === Map.prototype.keys;
}

/** Copies the entries that a loop over `map` yields. Fails if the loop yields a key twice. */
function withDistinctKeys(map: ReadonlyMap<unknown, unknown>): ReadonlyMap<unknown, unknown> {
  const copy = new Map<unknown, unknown>();
  for (const [key, value] of map) {
    const { size } = copy;
    copy.set(Object.is(key, -0) ? new Float(-0) : key, value);
    if (copy.size === size) throw faultAt(equalKeysFault(), keyToken(key, size));
  }
  return copy;
}

/** Converts a name that is a printed number ("17") to the number. Returns any other name unchanged, also "NaN". */
function coerced(name: string): string | number {
  const number = Number(name);
  return String(number) === name && !Number.isNaN(number) ? number : name;
}

/** Orders byte strings by their unsigned bytes; a prefix comes first. */
function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
