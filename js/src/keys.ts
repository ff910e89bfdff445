// Equality of map keys that JavaScript compares by identity: arrays, maps, records, bin, ext, timestamps, Floats.
//
// Plan: KeyTrace, what a reader notes inside keys · KeyLedger, the keys of one map · KeyWalker, the wide form of a
// value.
//
// Two keys are equal when their canonical encodings are (spec/01#map). Comparing any other one-to-one form gives the same
// answer, so keys are brought to a form that is cheaper to make from bytes: the wide form, in which every value has one
// fixed, mostly widest head. It is private to this room and never leaves it.
//
// A key may hold maps with such keys, and those again. The trace keeps the forms of inner keys until the outer one takes
// them over, so no byte is walked once per level. An instance of a record is short and its names may be long: so names, and
// with them every str key of a map inside a key, are numbered once per message, and forms hold their numbers.

import {
  ARRAY32,
  BIN32,
  EXT32,
  FLOAT64,
  INT64,
  MAP32,
  NEGATIVE_FIXINT,
  NIL,
  RECORD_TYPE,
  RESERVED,
  STR32,
  TIMESTAMP_TYPE,
  UINT64,
} from './format.ts';
import { Head, HeadKind, readHead } from './head.ts';
import { getTimestamp } from './timestamp.ts';

/** What has been found inside the key that is being read. */
export class KeyTrace {
  /** By offset of the id, as the declarations may stand before the key: the names, and the offset of the first value. */
  readonly instances = new Map<number, { readonly names: readonly string[]; readonly values: number }>();
  /** Wide forms of keys inside the key, by offset. */
  readonly forms = new Map<number, { readonly end: number; readonly form: Uint8Array }>();

  /** Forgets everything, when no key is open. */
  clear(): void {
    // Clearing an empty Map is not free in every engine.
    if (this.instances.size > 0) this.instances.clear();
    if (this.forms.size > 0) this.forms.clear();
  }
}

/**
 * The keys of one map that are objects, by what they mean. Forms are compared as strings, which engines hash, but only where
 * lengths agree: so a large key that holds large keys costs no more than copying.
 */
export class KeyLedger {
  /** The first key of each length of forms, until a second one comes. */
  readonly #lone = new Map<number, { readonly form: Uint8Array; readonly key: unknown }>();
  readonly #keys = new Map<string, unknown>();

  /**
   * Notes a key. Returns the equal key that was noted before, or the key itself when there is none.
   *
   * @param form the wide form of the key
   */
  note(form: Uint8Array, key: unknown): unknown {
    const lone = this.#lone.get(form.length);
    if (lone === undefined) {
      this.#lone.set(form.length, { form, key });
      return key;
    }
    if (compareBytes(lone.form, form) === 0) return lone.key;
    const text = LATIN1.decode(form);
    if (this.#keys.has(text)) return this.#keys.get(text);
    this.#keys.set(text, key);
    return key;
  }
}

/** Bytes to code units one to one, which is all that is asked of it here. Holds no state between calls. */
const LATIN1 = /* @__PURE__ */ new TextDecoder('latin1');

/** UTF-8 that a reader has accepted. */
const UTF8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

const TIMESTAMP_MARK = 0xd8;
const NAME_MARK = RESERVED;
const NAN_BITS = 0x7ff8_0000_0000_0000n;
const FIRST_CAPACITY = 64;

/** Brings values of one message to their wide form. A reader has accepted them, so nothing is checked again. */
export class KeyWalker {
  readonly #view: DataView;
  readonly #trace: KeyTrace;
  readonly #head = new Head();
  /** The numbers of names, and those of the names of a record together. */
  readonly #numbers = new Map<string, number>();
  readonly #numbersOf = new Map<readonly string[], readonly number[]>();
  #at = 0;
  #out = new Uint8Array(FIRST_CAPACITY);
  #outView = new DataView(this.#out.buffer);
  #length = 0;

  constructor(view: DataView, trace: KeyTrace) {
    this.#view = view;
    this.#trace = trace;
  }

  /** The wide form of the value at `start`. */
  formOf(start: number): Uint8Array {
    this.#at = start;
    this.#length = 0;
    this.#value();
    return this.#out.slice(0, this.#length);
  }

  #value(): void {
    const start = this.#at;
    const known = this.#trace.forms.get(start);
    if (known !== undefined) {
      this.#trace.forms.delete(start);
      this.#append(known.form);
      this.#at = known.end;
      return;
    }
    const instance = this.#trace.instances.get(start);
    if (instance !== undefined) {
      this.#at = instance.values;
      this.#record(instance.names);
      return;
    }
    readHead(this.#view, start, this.#view.byteLength, this.#head);
    const { kind, length, body, children, type } = this.#head;
    this.#at = start + length + body;
    switch (kind) {
      case HeadKind.ARRAY:
        this.#mark(ARRAY32, children);
        for (let index = 0; index < children; index++) this.#value();
        break;
      case HeadKind.MAP:
        this.#map(children / 2);
        break;
      case HeadKind.STR:
        this.#mark(STR32, body);
        this.#copy(start + length, body);
        break;
      case HeadKind.BIN:
        this.#mark(BIN32, body);
        this.#copy(start + length, body);
        break;
      case HeadKind.EXT:
        if (type === RECORD_TYPE && (body === 1 || body === 2)) this.#record(this.#names());
        else this.#ext(type, start + length, body);
        break;
      case HeadKind.FLOAT:
        this.#float(start + 1, length - 1);
        break;
      default:
        this.#scalar(start, length - 1);
    }
  }

  /** nil, a bool or an int: a fixint stays one byte, every other int becomes eight. */
  #scalar(start: number, width: number): void {
    const head = this.#view.getUint8(start);
    const isInt = width > 0 || head < NIL || head >= NEGATIVE_FIXINT;
    const number = isInt ? integerAt(this.#view, start) : 0n;
    if (!isInt || (number >= -32n && number <= 127n)) {
      this.#byte(isInt ? Number(number & 0xffn) : head);
      return;
    }
    this.#byte(number < 0n ? INT64 : UINT64);
    this.#ensure(8);
    this.#outView.setBigUint64(this.#length, BigInt.asUintN(64, number));
    this.#length += 8;
  }

  #float(at: number, width: number): void {
    const number = width === 4 ? this.#view.getFloat32(at) : this.#view.getFloat64(at);
    this.#byte(FLOAT64);
    this.#ensure(8);
    if (Number.isNaN(number)) this.#outView.setBigUint64(this.#length, NAN_BITS);
    else this.#outView.setFloat64(this.#length, number);
    this.#length += 8;
  }

  #ext(type: number, at: number, length: number): void {
    const moment = type === TIMESTAMP_TYPE ? getTimestamp(this.#view, at, length) : null;
    if (moment === null) {
      this.#mark(EXT32, length);
      this.#byte(type & 0xff);
      this.#copy(at, length);
      return;
    }
    this.#mark(TIMESTAMP_MARK, moment.nanoseconds);
    this.#ensure(8);
    this.#outView.setBigInt64(this.#length, BigInt(moment.seconds));
    this.#length += 8;
  }

  #map(count: number): void {
    const entries: Uint8Array[] = [];
    this.#mark(MAP32, count);
    for (let index = 0; index < count; index++) {
      const start = this.#length;
      readHead(this.#view, this.#at, this.#view.byteLength, this.#head);
      if (this.#head.kind === HeadKind.STR) this.#mark(NAME_MARK, this.#numberOf(this.#text()));
      else this.#value();
      this.#value();
      entries.push(this.#cut(start));
    }
    this.#sorted(entries);
  }

  /** A record is the map with the same entries. */
  #record(names: readonly string[]): void {
    const entries: Uint8Array[] = [];
    const numbers = this.#numbersOf.get(names) ?? names.map((name) => this.#numberOf(name));
    this.#numbersOf.set(names, numbers);
    this.#mark(MAP32, names.length);
    for (const number of numbers) {
      const start = this.#length;
      this.#mark(NAME_MARK, number);
      this.#value();
      entries.push(this.#cut(start));
    }
    this.#sorted(entries);
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  /** The array of names of a declaration. */
  #names(): string[] {
    readHead(this.#view, this.#at, this.#view.byteLength, this.#head);
    const count = this.#head.children;
    this.#at += this.#head.length;
    const names: string[] = [];
    for (let index = 0; index < count; index++) {
      readHead(this.#view, this.#at, this.#view.byteLength, this.#head);
      names.push(this.#text());
    }
    return names;
  }

  /** The str whose head was read just now. */
  #text(): string {
    const { length, body } = this.#head;
    const { buffer, byteOffset } = this.#view;
    const text = UTF8.decode(new Uint8Array(buffer, byteOffset + this.#at + length, body));
    this.#at += length + body;
    return text;
  }

  /** Takes back what was written since `start`. */
  #cut(start: number): Uint8Array {
    const cut = this.#out.slice(start, this.#length);
    this.#length = start;
    return cut;
  }

  #sorted(entries: Uint8Array[]): void {
    entries.sort(compareBytes);
    for (const entry of entries) this.#append(entry);
  }

  #mark(head: number, number: number): void {
    this.#byte(head);
    this.#ensure(4);
    this.#outView.setUint32(this.#length, number);
    this.#length += 4;
  }

  #byte(byte: number): void {
    this.#ensure(1);
    this.#out[this.#length] = byte;
    this.#length++;
  }

  #copy(at: number, length: number): void {
    this.#append(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length));
  }

  #append(bytes: Uint8Array): void {
    this.#ensure(bytes.length);
    this.#out.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #ensure(more: number): void {
    if (this.#length + more <= this.#out.length) return;
    const grown = new Uint8Array(2 * this.#out.length + more);
    grown.set(this.#out.subarray(0, this.#length));
    this.#out = grown;
    this.#outView = new DataView(grown.buffer);
  }
}

/** Compares byte by byte as unsigned numbers, a prefix first. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The int whose head byte, complete, is at `start`. */
export function integerAt(view: DataView, start: number): bigint {
  const head = view.getUint8(start);
  switch (head) {
    case 0xcc: // uint 8
      return BigInt(view.getUint8(start + 1));
    case 0xcd: // uint 16
      return BigInt(view.getUint16(start + 1));
    case 0xce: // uint 32
      return BigInt(view.getUint32(start + 1));
    case 0xcf: // uint 64
      return view.getBigUint64(start + 1);
    case 0xd0: // int 8
      return BigInt(view.getInt8(start + 1));
    case 0xd1: // int 16
      return BigInt(view.getInt16(start + 1));
    case 0xd2: // int 32
      return BigInt(view.getInt32(start + 1));
    case 0xd3: // int 64
      return view.getBigInt64(start + 1);
    default: // fixints
      return BigInt((head << 24) >> 24);
  }
}
