// Reads a snapshot as data (spec/10-snapshot.md). Names of classes and other names in it are never looked up.
//
// Plan: read · value, the dispatch · lists and maps · shapes · objects · references · arrays again · tables · header.
//
// `owed` is how many values the containers around the current value still have to deliver after it (spec/06#counts). A
// container may contain a reference to itself. So the container is made before its values are read, and `#claim` makes
// it the value of the reference.

import { hexByte, isStackExhausted } from '../core/errors.ts';
import { MAX_PREALLOCATED } from '../core/format.ts';
import { setOwn } from '../core/property.ts';
import { type Column, DELTAS, INTS, MIXED, readColumn, STRINGS } from './columns.ts';
import { ended, Failure, failedAt, invalid } from './failure.ts';
import { type Container, containerFor, copyOf, fill, isIntKey, type Key, sizeOf, tokenOf } from './keys.ts';
import type { SnapshotLimits } from './options.ts';
import { identityOf, Source } from './source.ts';
import { type ObjectShape, PhpCase, PhpObject, type PhpText } from './values.ts';

const NEW_ARRAY = 0xce;
const NEW_OBJECT = 0xcf;
const NEW_DATA = 0xd0;
const NEW_LEGACY = 0xd1;
const ANY_SHAPE = 0xcd;
const NEW_REFERENCE = 0xda;
const REFERENCE = 0xdb;
const DOUBLE = 0xc8;

const MOST_KEYS = 64;
const MOST_SHARED = 255;
const NONE: readonly never[] = [];
/** The empty list of values that all objects without properties share. */
const NO_VALUES: unknown[] = [];

/** A shape. `latest` has the latest array at each place, which the head `d9` repeats (spec/10-snapshot.md#same). */
interface Shape {
  readonly keys: readonly PhpText[];
  /** What the objects of the shape have in common; undefined for a shape of arrays or a case. */
  readonly object?: ObjectShape;
  readonly case?: PhpCase;
  /** Whether all keys of an array are text. Used only for arrays. */
  readonly isText: boolean;
  /** Whether all keys of an array are text and one is a name on Object.prototype, which needs setOwn. */
  readonly isSpecial: boolean;
  readonly latest: (Container | undefined)[];
}

/** A reference (`&`) of PHP. */
interface Reference {
  value: unknown;
}

export class Reader extends Source {
  readonly #shapes: Shape[] = [];
  readonly #cases = new Map<string, PhpCase>();
  readonly #objects: PhpObject[] = [];
  readonly #references: Reference[] = [];
  readonly #account = { comparisons: 0 };
  /** The reference that the next value belongs to; null if there is none, or if a container has claimed it. */
  #waiting: Reference | null = null;
  /** Whether the latest array has a float or a reference as an element, so that it isn't flat; see `isFlat`. */
  #isRough = false;

  constructor(bytes: Uint8Array, limits: SnapshotLimits) {
    checkHeader(bytes);
    super(bytes, limits);
  }

  read(): unknown {
    try {
      const value = this.#value(0, 0);
      if (this.at === this.end) return value;
    } catch (error) {
      if (!isStackExhausted(error)) throw error;
      const what = 'the containers are nested deeper than the call stack allows';
      throw new Failure('limit_exceeded', what, this.at, 'lower maxDepth, or call with more stack free');
    }
    throw new Failure('trailing_data', `${this.end - this.at} bytes follow the value`, this.at);
  }

  /** @param shape the shape that has the value at `place`; undefined if the value belongs to no shape */
  #value(owed: number, depth: number, shape?: Shape, place = 0): unknown {
    const { at } = this;
    if (at >= this.end) throw ended(at);
    const head = this.bytes[at] as number;
    this.at = at + 1;
    if (head < 0x40) return head;
    if (head >= 0xe0) return head - 256;
    if (head >= 0x60 && head < 0x80) return this.#shaped(head & 0x1f, owed, depth, at, shape, place);
    const array = this.#arrayOf(head, owed, depth, at);
    if (array !== undefined) {
      if (shape !== undefined && sizeOf(array) > 0) shape.latest[place] = this.#isRough ? undefined : array;
      return array;
    }
    const text = this.stringOf(head, at);
    if (text !== undefined) return text;
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return head === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
      case 0xc7:
        return this.int(1 << (head - 0xc4), at);
      case DOUBLE:
        return this.double(this.take(8, at));
      case ANY_SHAPE:
        return this.#shaped(32 + this.uint(at), owed, depth, at, shape, place);
      case NEW_ARRAY:
      case NEW_OBJECT:
      case NEW_DATA:
      case NEW_LEGACY:
      case 0xd2:
        return this.#shaped(this.#newShape(head, at), owed, depth, at, shape, place);
      case 0xd9:
        return this.#same(shape, place, at);
      case NEW_REFERENCE:
      case REFERENCE:
        throw invalid('a reference stands where none may', at);
      case 0xdc:
        return this.#objectAgain(this.uint(at), at);
      default:
        throw invalid(`the head byte ${hexByte(head)} is reserved`, at);
    }
  }

  /** Reads a list or map; returns undefined for any other head. */
  #arrayOf(head: number, owed: number, depth: number, at: number): Container | undefined {
    if (head >= 0x80 && head < 0x90) return this.#list(head & 0x0f, owed, depth, at);
    if (head < 0xd3 || head > 0xd8) return undefined;
    if (head === 0xd3) return this.#list(this.uint(at), owed, depth, at);
    if (head > 0xd5) return this.#map(head, owed, depth, at);
    const count = this.count(depth, at);
    const list = this.#claim<unknown[]>([]);
    if (head === 0xd5) this.#table(list, count, null, owed, depth, at);
    else this.#columnInto(list, count, depth, at);
    return list;
  }

  // Lists and maps

  /** Makes a container the value of the waiting reference, if there is one. Returns the container. */
  #claim<T>(container: T): T {
    if (this.#waiting !== null) {
      this.#waiting.value = container;
      this.#waiting = null;
    }
    return container;
  }

  #list(count: number, owed: number, depth: number, at: number): unknown[] {
    this.open(owed + count, depth, at);
    const list = this.#claim(emptyList(count));
    this.#elements(list, count, null, owed + count, depth);
    return list;
  }

  /** Reads the values of a list or map one by one. `keys` is for paths, and null for a list. */
  #elements(list: unknown[], count: number, keys: readonly Key[] | null, owed: number, depth: number): void {
    let left = owed;
    let isRough = false;
    let index = 0;
    try {
      for (; index < count; index++) {
        const head = this.bytes[this.at];
        if (head === DOUBLE || head === NEW_REFERENCE || head === REFERENCE) isRough = true;
        list[index] = this.#element(--left, depth + 1);
      }
    } catch (failure) {
      throw failedAt(failure, tokenOf(keys?.[index] ?? index));
    }
    this.#isRough = isRough;
  }

  /** Reads a value that may be a reference. */
  #element(owed: number, depth: number, shape?: Shape, place?: number): unknown {
    const head = this.bytes[this.at];
    if (head === NEW_REFERENCE || head === REFERENCE) return this.#reference(owed, depth);
    return this.#value(owed, depth, shape, place);
  }

  #columnInto(list: unknown[], count: number, depth: number, at: number): void {
    const { cells, hasFloats } = this.#column(count, depth, at);
    for (const cell of cells ?? NONE) list.push(cell);
    this.#isRough = hasFloats;
  }

  #column(count: number, depth: number, at: number, mayBeMixed = false): Column {
    return readColumn(this, count, depth, at, mayBeMixed);
  }

  #map(head: number, owed: number, depth: number, at: number): Container {
    const count = this.count(depth, at);
    const keys = this.#keys(count);
    const container = this.#claim(containerFor(keys));
    const values: unknown[] = [];
    if (head === 0xd6) {
      this.open(owed + count, depth, at);
      this.#elements(values, count, keys, owed + count, depth);
    } else if (head === 0xd7) this.#columnInto(values, count, depth, at);
    else this.#table(values, count, keys, owed, depth, at);
    fill(container, keys, values, this.#account, this.limits.maxCollisions, at);
    return container;
  }

  #keys(count: number): readonly Key[] {
    const { at } = this;
    const kind = this.bytes[at] ?? MIXED;
    if (kind !== MIXED && kind !== INTS && kind !== DELTAS && kind !== STRINGS) {
      throw invalid(`keys have the kind ${hexByte(kind)}`, at);
    }
    const { cells } = this.#column(count, 0, at, true);
    if (cells !== null) return cells as Key[];
    if (count > this.end - this.at) throw ended(at, `a map promises ${count} keys but fewer bytes remain`);
    const keys: Key[] = [];
    while (keys.length < count) keys.push(this.#key());
    return keys;
  }

  #key(): Key {
    const { at } = this;
    const key = isKeyHead(this.bytes[at] ?? 0) ? this.#value(0, 0) : undefined;
    if (key === undefined) throw new Failure('invalid_key', 'a key of a map is neither int nor string', at);
    return key as Key;
  }

  // Shapes

  /** Reads a shape, and returns its number. */
  #newShape(head: number, at: number): number {
    if (head === NEW_ARRAY) return this.#shapes.push(this.#arrayShape(at)) - 1;
    const className = this.text();
    if (head === NEW_OBJECT) return this.#addObjectShape(className, at);
    if (head === NEW_DATA || head === NEW_LEGACY) {
      const flags = head === NEW_DATA ? this.byte(at) : 0;
      if (flags > 1) throw invalid('a shape of an object has flags that this version does not know', at);
      const form = head === NEW_LEGACY ? 'bytes' : flags === 1 ? 'many' : 'data';
      return this.#addShape({ class: className, names: NONE, absent: NONE, form });
    }
    const name = this.text();
    const identity = `${className.length}:${identityOf(className)}${identityOf(name)}`;
    const value = this.#cases.get(identity) ?? new PhpCase(className, name);
    this.#cases.set(identity, value);
    return this.#shapes.push({ keys: NONE, case: value, isText: true, isSpecial: false, latest: [] }) - 1;
  }

  #arrayShape(at: number): Shape {
    const count = this.byte(at);
    if (count === 0 || count > MOST_KEYS) throw invalid(`a shape of an array has ${count} keys`, at);
    const keys = this.#names(count, true);
    const isText = keys.every((key) => typeof key === 'string');
    const isSpecial = isText && keys.some((key) => Object.hasOwn(Object.prototype, key as string));
    return { keys, isText, isSpecial, latest: [] };
  }

  #addObjectShape(className: PhpText, at: number): number {
    const flags = this.byte(at);
    const count = this.byte(at);
    const declared = this.byte(at);
    const missing = this.byte(at);
    if (flags > 1 || declared > count) throw invalid('a shape of an object has no valid head', at);
    const all = this.#names(count + missing, false);
    const absent = all.slice(count);
    return this.#addShape({ class: className, names: all.slice(0, count), absent, form: 'properties' });
  }

  #addShape(object: ObjectShape): number {
    return this.#shapes.push({ keys: object.names, object, isText: false, isSpecial: false, latest: [] }) - 1;
  }

  /** Reads the names of a shape. Refuses equal names, and keys of arrays that PHP would turn into an int. */
  #names(count: number, isArray: boolean): PhpText[] {
    const names: PhpText[] = [];
    const seen = new Set<string>();
    while (names.length < count) {
      const { at } = this;
      const name = this.text();
      const identity = identityOf(name);
      if (seen.has(identity)) throw new Failure('duplicate_key', 'a name occurs twice in a shape', at);
      seen.add(identity);
      if (isArray && isIntKey(name)) throw new Failure('invalid_key', 'a key of a shape should be an int', at);
      names.push(name);
    }
    return names;
  }

  #shaped(number: number, owed: number, depth: number, at: number, outer: Shape | undefined, place: number): unknown {
    const shape = this.#shapes[number];
    if (shape === undefined) throw invalid(`shape ${number} has not been there`, at);
    if (shape.case !== undefined) return shape.case;
    if (shape.object !== undefined) return this.#object(shape, shape.object, owed, depth, at);
    const array = this.#claim<Container>(shape.isText ? {} : new Map());
    const isRough = this.#entries(shape, array, owed, depth, at);
    if (outer !== undefined) outer.latest[place] = isRough ? undefined : array;
    this.#isRough = isRough;
    return array;
  }

  /** Reads the values of an array that has a shape. Returns whether one of them is a float or a reference. */
  #entries(shape: Shape, array: Container, owed: number, depth: number, at: number): boolean {
    const { keys } = shape;
    let left = owed + keys.length;
    this.open(left, depth, at);
    let isRough = false;
    let place = 0;
    try {
      for (; place < keys.length; place++) {
        const head = this.bytes[this.at];
        if (head === DOUBLE || head === NEW_REFERENCE || head === REFERENCE) isRough = true;
        setEntry(shape, array, place, this.#element(--left, depth + 1, shape, place));
      }
    } catch (failure) {
      throw failedAt(failure, tokenOf(keys[place] as PhpText));
    }
    return isRough;
  }

  // Objects

  #object(shape: Shape, common: ObjectShape, owed: number, depth: number, at: number): PhpObject {
    const { keys } = shape;
    const isProperties = common.form === 'properties';
    this.open(owed + (isProperties ? keys.length : 1), depth, at);
    const values = keys.length === 0 && isProperties ? NO_VALUES : emptyList(isProperties ? keys.length : 1);
    const object = this.#claim(new PhpObject(common, values));
    this.#objects.push(object);
    if (isProperties) this.#properties(shape, values, owed + keys.length, depth + 1);
    else values[0] = common.form === 'bytes' ? this.text() : this.#data(owed, depth + 1);
    return object;
  }

  #properties(shape: Shape, values: unknown[], owed: number, depth: number): void {
    const { keys } = shape;
    let left = owed;
    let place = 0;
    try {
      for (; place < keys.length; place++) values[place] = this.#element(--left, depth, shape, place);
    } catch (failure) {
      throw failedAt(failure, propertyToken(keys[place] as PhpText));
    }
  }

  #data(owed: number, depth: number): unknown {
    const { at } = this;
    const data = this.#value(owed, depth);
    if (!isContainer(data)) throw invalid('the data of an object are no array', at);
    return data;
  }

  #objectAgain(number: number, at: number): PhpObject {
    const object = this.#objects[number];
    if (object === undefined) throw invalid(`object ${number} has not been there`, at);
    return object;
  }

  // References

  #reference(owed: number, depth: number): unknown {
    const at = this.at++;
    if (this.bytes[at] === REFERENCE) {
      const number = this.uint(at);
      const reference = this.#references[number];
      if (reference === undefined) throw invalid(`reference ${number} has not been there`, at);
      return reference.value;
    }
    const reference: Reference = { value: undefined };
    this.#references.push(reference);
    this.#waiting = reference;
    const value = this.#value(owed, depth);
    this.#waiting = null;
    reference.value = value;
    return value;
  }

  // Arrays again

  #same(shape: Shape | undefined, place: number, at: number): Container {
    const array = shape?.latest[place];
    if (array === undefined || !isFlat(array)) throw invalid('no array that may be shared has been at this place', at);
    this.charge(sizeOf(array) + 1, at);
    return copyOf(array);
  }

  constant(count: number, depth: number, at: number): unknown[] {
    const start = this.at;
    const value = this.#value(0, depth + 1);
    const cells: unknown[] = [];
    if (!isContainer(value)) {
      if (value instanceof PhpObject) throw invalid('an object can not be constant', start);
      this.charge(count, at);
      while (cells.length < count) cells.push(value);
      return cells;
    }
    const isRough = sizeOf(value) > 0 && this.#isRough;
    if (isRough || !isFlat(value)) throw invalid('an array of a constant column may not be shared', start);
    this.charge(count * (sizeOf(value) + 1), at);
    while (cells.length < count) cells.push(copyOf(value));
    return cells;
  }

  // Tables

  /** @param keys the keys of the rows, for paths; null for a list */
  #table(rows: unknown[], count: number, keys: readonly Key[] | null, owed: number, depth: number, at: number): void {
    const shape = this.#tableShape(at);
    this.checkDepth(depth + 1, at);
    let pays = false;
    const columns: (unknown[] | null)[] = [];
    for (const _ of shape.keys) {
      const column = this.#column(count, depth + 1, at, true);
      pays ||= column.pays;
      columns.push(column.cells);
    }
    if (!pays) throw invalid('the rows of a table cost no bytes', at);
    const mixed = columns.filter((cells) => cells === null).length;
    const all = owed + count * mixed;
    const remaining = this.end - this.at;
    if (all > remaining) {
      throw ended(at, `a table and the containers around it promise ${all} values but ${remaining} bytes remain`);
    }
    this.#rows(shape, rows, count, columns, keys, all, depth + 2);
    this.#isRough = false; // isFlat refuses arrays with rows anyway
  }

  #tableShape(at: number): Shape {
    const start = this.at;
    const head = this.byte(at);
    let number: number;
    if (head >= 0x60 && head < 0x80) number = head & 0x1f;
    else if (head === ANY_SHAPE) number = 32 + this.uint(start);
    else if (head === NEW_ARRAY || head === NEW_OBJECT) number = this.#newShape(head, start);
    else throw invalid('a table has no shape', start);
    const shape = this.#shapes[number];
    if (shape === undefined) throw invalid(`shape ${number} has not been there`, start);
    if (shape.keys.length === 0) throw invalid('a table has no shape with values', start);
    return shape;
  }

  #rows(
    shape: Shape,
    rows: unknown[],
    count: number,
    columns: readonly (readonly unknown[] | null)[],
    keys: readonly Key[] | null,
    owed: number,
    depth: number,
  ): void {
    const { object } = shape;
    const content: unknown[][] = [];
    if (object !== undefined) {
      // A cell of one row may be another row, even a later one. So make all rows before filling any of them.
      for (let index = 0; index < count; index++) {
        const values = emptyList(shape.keys.length);
        content.push(values);
        this.#objects.push(new PhpObject(object, values));
      }
    }
    const first = this.#objects.length - count;
    let left = owed;
    let place = 0;
    try {
      while (rows.length < count) {
        const index = rows.length;
        const values = content[index];
        const row: Container = shape.isText ? {} : new Map();
        for (place = 0; place < columns.length; place++) {
          const cells = columns[place];
          const cell = cells ? cells[index] : this.#element(--left, depth, shape, place);
          if (values === undefined) setEntry(shape, row, place, cell);
          else values[place] = cell;
        }
        rows.push(values === undefined ? row : this.#objects[first + index]);
      }
    } catch (failure) {
      const key = shape.keys[place] as PhpText;
      const token = object === undefined ? tokenOf(key) : propertyToken(key);
      throw failedAt(failedAt(failure, token), tokenOf(keys?.[rows.length] ?? rows.length));
    }
  }
}

/** Checks the first four bytes. */
function checkHeader(bytes: Uint8Array): void {
  const [first, second, version, flags] = bytes;
  if (first === undefined || (first === 0xc1 && second === undefined)) {
    throw ended(bytes.length, 'a snapshot should start here');
  }
  if (first === 0xc1 && second === 0x45) {
    throw new Failure('invalid_snapshot', 'the input is a signed envelope', 0, 'read it with unserializeSigned');
  }
  if (first !== 0xc1 || second !== 0x53) throw invalid('the input does not start as a snapshot does', 0);
  if (flags === undefined) throw ended(bytes.length, 'a snapshot has no complete header');
  const mend = 'update the reader';
  if (version !== 1) throw new Failure('invalid_snapshot', `the snapshot has version ${version}`, 2, mend);
  if (flags !== 0) {
    throw new Failure('invalid_snapshot', 'the snapshot has flags that this version does not know', 3, mend);
  }
}

/**
 * Returns a list to fill by index. If `count` is at most MAX_PREALLOCATED, the list has memory for exactly `count`
 * values. push() would reserve memory for at least 17 values.
 */
function emptyList(count: number): unknown[] {
  return count > MAX_PREALLOCATED ? [] : new Array(count);
}

function isKeyHead(head: number): boolean {
  const isString = (head >= 0x40 && head < 0x60) || (head >= 0x90 && head < 0xc0) || (head >= 0xc9 && head <= 0xcc);
  return isString || head < 0x40 || head >= 0xe0 || (head >= 0xc4 && head <= 0xc7);
}

/** Whether a value is the container of a PHP array. */
function isContainer(value: unknown): value is Container {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof PhpObject || value instanceof PhpCase || value instanceof Uint8Array)
  );
}

/** Whether an array is flat (spec/10-snapshot.md#same). The caller knows that it has no floats or references. */
function isFlat(array: Container): boolean {
  if (sizeOf(array) > MOST_SHARED) return false;
  const values = array instanceof Map ? array.values() : Object.values(array);
  for (const value of values) {
    if (isContainer(value) || value instanceof PhpObject) return false;
  }
  return true;
}

function setEntry(shape: Shape, array: Container, place: number, value: unknown): void {
  const key = shape.keys[place] as PhpText;
  if (array instanceof Map) array.set(key, value);
  else if (shape.isSpecial) setOwn(array as Record<string, unknown>, key as string, value);
  else (array as Record<string, unknown>)[key as string] = value;
}

/** Returns the path token of a property: its bare name, without the class that a private property has in front. */
function propertyToken(name: PhpText): string {
  const token = tokenOf(name);
  return token.slice(token.lastIndexOf('\0') + 1);
}
