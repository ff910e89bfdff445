// Keys of maps (spec/01#map): what a key becomes, which keys are refused, and which are equal.
//
// Plan: KeyDecoder: a key for a Map · a name for an object · duplicates. KeyForms: notes of the decoder · the number of
// a key · the form of a value, one dispatch by kind · maps and records.
//
// StrDecoder.name reads a str as a name. ContainerDecoder.entries reads the entries of a Map, and objects.ts those of
// an object. With references, clone/decoder.ts compares the keys of a Map instead.
//
// A Map finds equal numbers and texts, but compares arrays, maps, records, bin, ext, timestamps and Floats by identity.
// KeyForms finds equal keys among these. Keys are equal if their canonical encodings are the same (spec/01#map).
// Outside lossless mode, 1 and 1.0 are also the same key. The options int64AsType and useFloat32 can make more keys the
// same.
//
// To compare keys, KeyForms makes a text of each, called the form, which is cheaper to make than the canonical
// encoding. Equal keys have the same form. A form starts with a letter for the kind, and each number in it ends with
// ";". Each form gets a number.
//
// Forms are made from the inside out. A key inside a key gets its number first, and the form of the outer key contains
// only this number. So no byte is visited once more for each key around it. Forms are looked up in a Map, where the
// engine hashes them with a seed.

import { duplicateFault, keyKindFault, prototypeFault } from '../core/faults.ts';
import { DECIMAL_ROUND, roundFloat32 } from '../core/float32.ts';
import { FALSE, isArrayHead, NIL, RECORD_TYPE, RESERVED, STR8, STR32, TIMESTAMP_TYPE, TRUE } from '../core/format.ts';
import { codeUnits, decodeText } from '../core/text.ts';
import { getTimestamp } from '../core/timestamp.ts';
import { Float } from '../core/values.ts';
import type { Int64Type, Settings } from '../options/settings.ts';
import {
  ARRAY_HEAD,
  BIN_HEAD,
  EXT_HEAD,
  FLOAT_HEAD,
  Head,
  integerAt,
  MAP_HEAD,
  readHead,
  SCALAR_HEAD,
  STR_HEAD,
} from '../scan/head.ts';
import type { PrefixTest } from '../scan/scan.ts';
import type { DecoderCache } from './shapes/cache.ts';
import { StrDecoder } from './str.ts';

const LONG_FORM = 256;

/** Reads the keys of maps. */
export abstract class KeyDecoder extends StrDecoder {
  /** How many keys that aren't str are being read: the current key and the keys around it. */
  protected keyNesting = 0;
  protected forms: KeyForms | null = null;
  protected readonly settings: Settings;
  protected readonly inline: boolean;
  protected readonly lossless: boolean;
  /** Whether duplicate keys are refused, as in strict and lossless mode. */
  protected readonly checksKeys: boolean;

  constructor(settings: Settings, cache: DecoderCache) {
    super(cache, settings);
    this.settings = settings;
    this.inline = settings.inline;
    this.lossless = settings.mode === 'lossless';
    this.checksKeys = settings.mode !== 'default';
  }

  /** Whether a byte 40–7f is the id of a record at this point of the message, or the first byte of an id. */
  protected abstract isId(head: number): boolean;
  /** Called for a byte 40–7f that starts a key and isn't a known id. Fails if it may be the id of a record. */
  protected abstract refuseId(start: number, head: number): void;
  /** Returns a test for ext values that are prefixes of the value after them; null if there are no such prefixes. */
  protected abstract prefixes(): PrefixTest | null;

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
    return Object.is(key, -0) ? new Float(-0) : key;
  }

  /**
   * Reads a key that isn't a str, and returns the property name that it becomes. In default mode an int becomes its
   * decimal text, and the options allowArraysInMapKeys and compat allow more kinds of keys. Keys of every other kind
   * are `invalid_key` (rule 3 of spec/07#which-fault-wins).
   */
  protected objectKey(start: number): string {
    if (start < this.end) {
      const head = this.bytes[start] as number;
      const isLow = head < 0x80 && !(this.inline && this.isId(head));
      const isInt = isLow || head >= 0xe0 || (head >= 0xcc && head <= 0xd3);
      if (isLow && head >= 0x40) this.refuseId(start, head);
      if (isArrayHead(head) && this.settings.allowArraysInMapKeys && !this.checksKeys)
        return this.arrayKey(start, head);
      // msgpackr also makes text of nil, booleans and floats.
      const isScalar = head >= NIL && head < 0xcc && (head < 0xc4 || head >= 0xca) && this.settings.compat;
      if (head !== 0xc1 && (!(isInt || isScalar) || this.checksKeys)) throw keyKindFault(start, head);
    }
    return String(this.value());
  }

  /** Reads an array as a name: its elements and those of arrays directly in it, joined by commas. */
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

  /**
   * Returns the earlier key of the map that equals `key`, or `key` if there is none. `key` is an object. `firsts` maps
   * the number of a form to the first key with that form. Outside mode 'default', an equal key is `duplicate_key`.
   */
  protected firstOf(key: unknown, start: number, firsts: Map<number, unknown>, map: Map<unknown, unknown>): unknown {
    const number = this.keyForms().numberOf(start, this.keyNesting > 0);
    if (firsts.has(number)) {
      if (this.checksKeys) throw duplicateFault(start);
      return firsts.get(number);
    }
    // An extension may return the same object for different bytes, whose forms differ.
    if (this.checksKeys && map.has(key)) throw duplicateFault(start);
    firsts.set(number, key);
    return key;
  }

  protected keyForms(): KeyForms {
    this.forms ??= new KeyForms(this.bytes, this.view, this.settings, this.prefixes());
    return this.forms;
  }
}

// --- forms -----------------------------------------------------------------------------------------------------------

/** Makes the texts (forms) by which keys of one message are compared. The decoder has already checked the keys. */
export class KeyForms {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Whether 1.0 is the same key as 1: false in lossless mode. In the other modes, both become the same number. */
  readonly #folds: boolean;
  /** Whether a map may have equal keys, as in mode 'default'. */
  readonly #mayRepeat: boolean;
  readonly #int64AsType: Int64Type;
  /** Whether a float 32 is the same key as the decimal number that it is rounded to. */
  readonly #rounds: boolean;
  readonly #prefixes: PrefixTest | null;
  readonly #head = new Head();
  /** The records inside the current key whose names stand elsewhere, by offset. `values` is where the values start. */
  readonly #instances = new Map<number, { readonly names: readonly string[]; readonly values: number }>();
  /** The keys inside the current key that have a number, by offset. `end` is where such a key ends. */
  readonly #inner = new Map<number, { readonly end: number; readonly number: number }>();
  /** The number of each form, and of each name. */
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<string, number>();
  /** For the names of a record, the form of each name. */
  readonly #namesOf = new Map<readonly string[], readonly string[]>();
  #at = 0;

  constructor(bytes: Uint8Array, view: DataView, settings: Settings, prefixes: PrefixTest | null) {
    const { mode, int64AsType, useFloat32 } = settings;
    this.#bytes = bytes;
    this.#view = view;
    this.#folds = mode !== 'lossless';
    this.#mayRepeat = mode === 'default';
    this.#int64AsType = int64AsType;
    this.#rounds = useFloat32 >= DECIMAL_ROUND;
    this.#prefixes = prefixes;
  }

  /** Notes a record inside a key whose names stand elsewhere, because the form of the record needs the names. */
  noteInstance(start: number, names: readonly string[], values: number): void {
    this.#instances.set(start, { names, values });
  }

  /** Forgets the noted records and inner keys. Called when no key is being read. */
  forgetNotes(): void {
    // Clearing an empty Map isn't free in every engine.
    if (this.#instances.size > 0) this.#instances.clear();
    if (this.#inner.size > 0) this.#inner.clear();
  }

  /** Forgets the numbers of forms and names. Called when no open map compares keys by them. */
  forgetNumbers(): void {
    this.#numbers.clear();
    if (this.#names.size > 0) this.#names.clear();
    if (this.#namesOf.size > 0) this.#namesOf.clear();
  }

  /**
   * Returns the number of the key that starts at `start`. Equal keys have equal numbers.
   *
   * @param isInner whether the key is part of another key, whose form will need the number
   */
  numberOf(start: number, isInner: boolean): number {
    this.#at = start;
    const number = numberIn(this.#numbers, this.#value());
    if (isInner) this.#inner.set(start, { end: this.#at, number });
    return number;
  }

  // --- the form of a value -------------------------------------------------------------------------------------------

  /** Returns the form of the value at `#at`, and moves `#at` to the end of the value. */
  #value(): string {
    const start = this.#at;
    const instance = this.#instances.get(start);
    if (instance !== undefined) {
      this.#at = instance.values;
      return this.#record(instance.names);
    }
    readHead(this.#view, start, this.#view.byteLength, this.#head);
    const { kind, length, body, children, type } = this.#head;
    const at = start + length;
    this.#at = at + body;
    switch (kind) {
      case ARRAY_HEAD:
        return this.#array(children);
      case MAP_HEAD:
        return this.#map(children / 2);
      case STR_HEAD:
        return `s${body};${codeUnits(this.#bytes, at, this.#at)}`;
      case BIN_HEAD:
        return `b${body};${codeUnits(this.#bytes, at, this.#at)}`;
      case EXT_HEAD:
        if (type !== RECORD_TYPE || (body !== 1 && body !== 2)) return this.#ext(type, at, body);
        return this.#record(this.#declaredNames());
      case FLOAT_HEAD:
        return this.#float(length === 5 ? this.#float32(start + 1) : this.#view.getFloat64(start + 1));
      default:
        return this.#scalar(start, length);
    }
  }

  /** Returns the form of nil, a bool, an int, or the byte c1, which is a value of msgpackr. */
  #scalar(start: number, length: number): string {
    if (length > 1) return this.#int(integerAt(this.#view, start));
    const head = this.#bytes[start] as number;
    if (head === NIL) return 'n;';
    if (head === FALSE) return 'f;';
    if (head === RESERVED) return 'r;';
    return head === TRUE ? 't;' : `i${(head << 24) >> 24};`;
  }

  /** Returns the form of an int. Beyond 32 bits, int64AsType may make it a text, or a bigint, which equals no float. */
  #int(integer: bigint): string {
    const digits = String(integer);
    const type = integer > 0xffff_ffffn || integer < -0x8000_0000n ? this.#int64AsType : 'auto';
    return type === 'string' ? `s${digits.length};${digits}` : `${type === 'bigint' ? 'g' : 'i'}${digits};`;
  }

  #float32(at: number): number {
    const number = this.#view.getFloat32(at);
    return this.#rounds ? roundFloat32(number) : number;
  }

  /** Returns the form of a float. All NaNs are one value; −0 and 0 are two. */
  #float(number: number): string {
    if (Object.is(number, -0)) return 'd-0;';
    return this.#folds && Number.isSafeInteger(number) ? `i${number};` : `d${number};`;
  }

  #array(count: number): string {
    let form = `a${count};`;
    for (let index = 0; index < count; index++) form += this.#value();
    return form;
  }

  #ext(type: number, at: number, length: number): string {
    const moment = type === TIMESTAMP_TYPE ? getTimestamp(this.#view, at, length) : null;
    if (moment !== null) return `m${moment.seconds};${moment.nanoseconds};`;
    const form = `e${type};${length};${codeUnits(this.#bytes, at, at + length)}`;
    const isPrefix = this.#prefixes?.(type, length, this.#bytes[at] as number) === true;
    return isPrefix ? form + this.#value() : form;
  }

  // --- maps and records ----------------------------------------------------------------------------------------------

  #map(count: number): string {
    const entries: string[] = [];
    for (let index = 0; index < count; index++) entries.push(this.#key() + this.#value());
    return this.#entries(this.#mayRepeat ? withoutRepeats(entries) : entries.sort());
  }

  /**
   * Returns the part of a map's form that stands for a key: for nil, bools and ints their form; for a str the number of
   * the name; for other keys the number of their form. A float that is the same key as an int is treated like this int,
   * and an int that is the same key as a str like this str. The part has one ";", at its end.
   */
  #key(): string {
    const start = this.#at;
    const inner = this.#inner.get(start);
    if (inner !== undefined) {
      this.#at = inner.end;
      return `k${inner.number};`;
    }
    readHead(this.#view, start, this.#view.byteLength, this.#head);
    if (this.#head.kind === STR_HEAD) return this.#nameForm(this.#name());
    const isScalar = this.#head.kind === SCALAR_HEAD && !this.#instances.has(start);
    const form = this.#value();
    if (isScalar && form.startsWith('s')) return this.#nameForm(form.slice(form.indexOf(';') + 1));
    // A float that is the same key as an int has the form of this int, which starts with i.
    return isScalar || form.startsWith('i') ? form : `k${numberIn(this.#numbers, form)};`;
  }

  /** Returns the form of a record, which is the form of the map with the same entries. */
  #record(names: readonly string[]): string {
    const forms = this.#namesOf.get(names) ?? names.map((name) => this.#nameForm(name));
    this.#namesOf.set(names, forms);
    return this.#entries(forms.map((form) => form + this.#value()).sort());
  }

  /**
   * Returns the form of a map from the sorted forms of its entries. A long form is replaced by its number, so that maps
   * around this one don't sort and copy it again.
   */
  #entries(entries: string[]): string {
    const form = `o${entries.length};${entries.join('')}`;
    return form.length > LONG_FORM ? `k${numberIn(this.#numbers, form)};` : form;
  }

  #nameForm(name: string): string {
    // The letter p makes V8 hash the text with a seed, because a text of digits alone may be hashed without one.
    return `p${numberIn(this.#names, `p${name}`)};`;
  }

  /** Reads the array of names of a declaration. */
  #declaredNames(): string[] {
    readHead(this.#view, this.#at, this.#view.byteLength, this.#head);
    const { children, length } = this.#head;
    this.#at += length;
    return Array.from({ length: children }, () => {
      readHead(this.#view, this.#at, this.#view.byteLength, this.#head);
      return this.#name();
    });
  }

  /** Reads the str whose head was just read. */
  #name(): string {
    const start = this.#at + this.#head.length;
    this.#at = start + this.#head.body;
    // A name that isn't UTF-8 gets a lone surrogate in front. Decoded text has no lone surrogates, so it never equals
    // such a name.
    return decodeText(this.#bytes, start, this.#at) ?? `\ud800${codeUnits(this.#bytes, start, this.#at)}`;
  }
}

/** Sorts the forms of entries. Of entries with equal keys, keeps only the last, because its value wins. */
function withoutRepeats(entries: string[]): string[] {
  const sorted = entries.slice().sort();
  const repeats = sorted.some((entry, index) => sorted[index + 1]?.startsWith(keyOf(entry)));
  return repeats ? Array.from(new Map(entries.map((entry) => [keyOf(entry), entry])).values()).sort() : sorted;
}

/** Returns the key from the form of an entry. The key ends at the first ";". */
function keyOf(entry: string): string {
  return entry.slice(0, entry.indexOf(';') + 1);
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const number = numbers.size;
  numbers.set(text, number);
  return number;
}
