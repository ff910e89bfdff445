// Maps that become objects.
//
// Plan: ObjectDecoder: properties one by one · guessed shapes · guesses that fail · fields of records.
//
// Which shape a map has is guessed (shapes/map-shapes.ts); when a name turns out to be another one, reading goes on from there, with
// another shape that begins the same or one by one. Nothing is read twice, so no input makes guessing dear.
//
// Own properties are defined whatever their name (see setOwn). Assigning is the quickest way to do so as long as Object.prototype
// has no property of that name, which is asked once in a message for each shape, and again after foreign code ran.

import { FIXSTR, FLOAT64, NEGATIVE_FIXINT, NIL, STR8, TRUE } from '../core/format.ts';
import { isIntegerLike, mapOf, setOwn } from '../core/property.ts';
import type { Shape } from '../records/dictionary.ts';
import { ContainerDecoder } from './containers.ts';
import { HOT } from './shapes/cache.ts';
import { MapShape, MOST_NAME_BYTES, MOST_NAMES, wordOf } from './shapes/map-shapes.ts';

/** After so many guesses that failed, a shape gives its place to the one that was right. */
const PATIENCE = 16;

/** Shapes that found no room beside a shape, after which they are a crowd; and maps that are read so before that is forgotten. */
const CROWD = 128;
const MOST_CROWDED = 65_536;

/** Names of a map that is rather a dictionary. */
const MANY_NAMES = 256;

/** What maps are noted by while there are no shapes. */
const NO_WORD = 0;

/** The digit 0; the others differ from it in their low bits. */
const DIGIT = 0x30;

/** Digits of an array index that is read as a number. */
const LONGEST_INDEX = 9;

export abstract class ObjectDecoder extends ContainerDecoder {
  protected abstract array(start: number, count: number): unknown[];
  protected abstract map(start: number, count: number): unknown;
  protected abstract float64(at: number): unknown;
  /** Reads an array whose head is read, behind which so many values are owed; it leaves `owed` as it happens to be. */
  abstract list(start: number, count: number, owed: number): unknown[];
  /** Reads the record or int that starts with this byte 40–7f, in the same way. */
  abstract nested(start: number, head: number, owed: number): unknown;

  /** Bytes below are ints. */
  protected readonly intsBelow = this.inline ? 0x40 : 0x80;

  /** A map of `count` entries whose head is read, as what the options say; not yet closed. */
  protected properties(count: number, owed: number): unknown {
    const { offset } = this;
    if (count === 0 || count > MOST_NAMES || this.end - offset < 4) return this.object(count, {});
    const { cache } = this;
    const { shapes } = cache;
    cache.objects++;
    if (shapes.isEmpty) return this.entriesFrom(0, count, {}, NO_WORD);
    const word = wordOf(this.view, offset, this.end);
    const first = shapes.first(word, count);
    if (first !== null && first.turnedAway > CROWD) return this.crowded(first, count);
    for (let shape = first; shape !== null; shape = shape.next) {
      if (shape.word !== word || shape.count !== count) continue;
      // Of several shapes that start the same, the second name tells which one it is.
      if (shape.next !== null && count > 1 && this.isOtherSecond(shape)) continue;
      shape.isUsed = true;
      if (shape.read !== null) return shape.read(this as never, owed);
      if (++shape.hits === HOT) cache.heatMap(shape);
      return this.predicted(shape, 0, {}, owed);
    }
    return this.entriesFrom(0, count, {}, word);
  }

  /** Reads a map where there are more shapes than can be told apart, so that guessing costs more than it is worth. */
  private crowded(first: MapShape, count: number): unknown {
    // Now and then there may be others.
    if (++first.turnedAway > MOST_CROWDED) first.turnedAway = 0;
    return this.entriesFrom(0, count, {}, null);
  }

  /** Whether the second name of the map that starts here is another one than the shape says; not if that takes long to tell. */
  private isOtherSecond({ program, places }: MapShape): boolean {
    const { bytes } = this;
    const at = this.offset + (program[0] as number);
    if (at >= this.end) return false;
    const head = bytes[at] as number;
    let length = 1;
    if (head >= 0xa0 && head < 0xc0) length += head & 0x1f;
    else if (head >= 0xcc && head < 0xd0) length += 1 << (head - 0xcc);
    else if (head >= this.intsBelow && head < NIL) return false;
    else if (head > TRUE && head < NEGATIVE_FIXINT) return false;
    return !this.isName(program, places[1] as number, at + length);
  }

  // --- one by one ---------------------------------------------------------------------------------------------------------

  /** Reads entries into an object; from the first key that none can hold on, into a Map. */
  protected object(count: number, object: Record<string, unknown>): unknown {
    return this.entriesFrom(0, count, object, null);
  }

  /**
   * Reads entries `from` … `count` − 1 into an object.
   *
   * @param word what the next guess goes by; null when nothing is to be learned
   */
  private entriesFrom(from: number, count: number, object: Record<string, unknown>, word: number | null): unknown {
    const { bytes, view, end, checksKeys, cache } = this;
    const { names } = cache;
    const isDictionary = count > MANY_NAMES;
    // From which heads on keys are read here, and are looked up among known names.
    const least = checksKeys ? NIL : FIXSTR + 1;
    const leastKnown = isDictionary ? NIL : FIXSTR + 3;
    cache.unguided += count;
    let { owed } = this;
    let signature = count ^ from;
    let isWorthLearning = word !== null;
    for (let index = from; index < count; index++) {
      // What nearly every entry is, in few steps: a program that has just started takes each of them slowly.
      const keyStart = this.offset;
      const head = keyStart < end ? (bytes[keyStart] as number) : 0;
      const at = keyStart + 1 + (head & 0x1f);
      // Where no value is, too, entry must look.
      const letter = at < end ? (bytes[keyStart + 1] as number) : DIGIT;
      if (head >= least && head < NIL && (letter ^ DIGIT) > 9) {
        owed -= 2;
        const known = head < leastKnown ? null : names.find(view, keyStart, at);
        let key: string;
        if (known !== null) key = known.text;
        else key = isDictionary ? this.freshName() : this.newName(keyStart, at);
        signature = ((signature << 5) | (signature >>> 27)) ^ (known === null ? this.nameHash : known.hash);
        this.offset = at;
        this.owed = owed;
        const value = this.value();
        const mayBeOnPrototype = ((cache.prototypeBits[head & 0x1f] as number) >>> letter) & 1;
        if (mayBeOnPrototype !== 0 && cache.isOnObjectPrototype(key)) setOwn(object, key, value);
        else object[key] = value;
        continue;
      }
      this.owed = owed;
      const result = this.entry(object, index, count);
      owed -= 2;
      if (result !== object) return result;
      isWorthLearning &&= this.nameHash !== 0;
      signature = ((signature << 5) | (signature >>> 27)) ^ this.nameHash;
    }
    this.owed = owed;
    if (isWorthLearning && cache.shapes.note(word as number, count, signature)) this.learn(Object.keys(object), count);
    return object;
  }

  /**
   * Reads an entry of any kind into an object; if none can hold it, all entries from there on into a Map, which it returns. `nameHash` is 0
   * behind an entry whose name is not worth learning.
   */
  private entry(object: Record<string, unknown>, index: number, count: number): unknown {
    const { checksKeys } = this;
    const start = this.offset;
    const head = start + 1 < this.end ? (this.bytes[start] as number) : 0;
    const isShort = head > FIXSTR && head < NIL;
    const arrayIndex = isShort && !checksKeys ? this.arrayIndex() : -1;
    if (arrayIndex >= 0) {
      this.owed -= 2;
      const value = this.value();
      if (this.cache.isIndexOnObjectPrototype(arrayIndex)) setOwn(object, String(arrayIndex), value);
      else (object as Record<number, unknown>)[arrayIndex] = value;
      this.nameHash = 0;
      return object;
    }
    let key: string;
    let hash = 0;
    if (isShort || this.startsStr()) {
      this.owed--;
      key = count > MANY_NAMES ? this.freshName() : this.name();
      hash = this.nameHash;
      if (this.lossless && isIntegerLike(key)) {
        this.offset = start;
        this.owed++;
        return this.entries(mapOf(object), index, count);
      }
    } else {
      if (this.settings.maps === 'auto') return this.entries(mapOf(object), index, count);
      this.owed--;
      key = this.objectKey(start);
    }
    if (checksKeys) this.checkKey(start, key, Object.hasOwn(object, key));
    this.owed--;
    const value = this.value();
    if (this.cache.isOnObjectPrototype(key)) setOwn(object, key, value);
    else object[key] = value;
    this.nameHash = hash;
    return object;
  }

  /** Learns the shape of a map. */
  private learn(names: string[], count: number): void {
    if (names.length !== count) return; // a name came twice
    let length = 0;
    for (const name of names) {
      // Names that engines put into another order, or that are no names of properties as others are, are left alone.
      if (name === '__proto__' || isIntegerLike(name)) return;
      length += name.length;
    }
    if (length > MOST_NAME_BYTES) return;
    const shape = new MapShape(names);
    shape.since = this.cache.objects;
    this.cache.shapes.learn(shape);
  }

  /**
   * Goes past a str of 1 to 31 bytes when it is the decimal form of an array index, as which engines
   * know such names. Returns the index; −1 when it is something else.
   */
  private arrayIndex(): number {
    const { bytes, offset } = this;
    const length = (bytes[offset] as number) - 0xa0;
    if (length > LONGEST_INDEX || length >= this.end - offset) return -1;
    const first = (bytes[offset + 1] as number) - 0x30;
    if (first < 0 || first > 9 || (first === 0 && length > 1)) return -1;
    let index = first;
    for (let at = offset + 2; at <= offset + length; at++) {
      const digit = (bytes[at] as number) - 0x30;
      if (digit < 0 || digit > 9) return -1;
      index = 10 * index + digit;
    }
    this.offset = offset + 1 + length;
    return index;
  }

  // --- guessed shapes -----------------------------------------------------------------------------------------------------

  /** Reads entries `from` … of a map that may have a shape into an object that has those before. */
  private predicted(shape: MapShape, from: number, object: Record<string, unknown>, owed: number): unknown {
    const { cache } = this;
    const { names, places, program, count } = shape;
    cache.check(shape);
    for (let index = from; index < count; index++) {
      const place = places[index] as number;
      const { offset } = this;
      if (!this.isName(program, place, offset)) return this.mispredicted(shape, index, object, owed);
      const value = this.field(offset + (program[place] as number), owed + 2 * (count - 1 - index));
      if (shape.epoch === cache.epoch) object[names[index] as string] = value;
      else setOwn(object, names[index] as string, value);
    }
    return object;
  }

  /** Reads the values of a map that may have a shape: all of them, or those before the name that is another one. */
  entryValues({ places, program, count }: MapShape, owed: number): unknown[] {
    const values = new Array<unknown>(count);
    for (let index = 0; index < count; index++) {
      const place = places[index] as number;
      const { offset } = this;
      if (!this.isName(program, place, offset)) return values.slice(0, index);
      values[index] = this.field(offset + (program[place] as number), owed + 2 * (count - 1 - index));
    }
    return values;
  }

  /** Reads the value at `at`, behind which so many values are owed. There is a byte; the most frequent heads are judged here. */
  protected field(at: number, owed: number): unknown {
    const head = this.bytes[at] as number;
    if (head < this.intsBelow) {
      this.offset = at + 1;
      return head;
    }
    if (head < 0xc4) {
      if (head >= 0xa0) return head < 0xc0 ? this.text(at, at + 1, head & 0x1f) : this.simple(at, head);
      if (head < 0x80) return this.nested(at, head, owed);
      this.offset = at + 1;
      if (head >= 0x90) return this.list(at, head & 0x0f, owed);
      this.owed = owed;
      return this.map(at, head & 0x0f);
    }
    if (head === FLOAT64 && this.end - at > 8) {
      this.offset = at + 9;
      return this.float64(at + 1);
    }
    if (head === STR8 && this.end - at > 1) {
      return this.text(at, at + 2, this.bytes[at + 1] as number);
    }
    this.offset = at;
    this.owed = owed;
    return this.value();
  }

  /** nil, false, true; and the byte that is none of them. */
  protected simple(at: number, head: number): unknown {
    this.offset = at;
    if (head === 0xc1) return this.value();
    this.offset = at + 1;
    return head === 0xc0 ? null : head === 0xc3;
  }

  /** Reads the next value, behind which so many values are owed. */
  protected element(owed: number): unknown {
    const { offset } = this;
    return offset < this.end ? this.field(offset, owed) : this.value(); // fails
  }

  /** Whether a name is at `at`, and at least one byte behind it. */
  protected isName(program: Int32Array, place: number, at: number): boolean {
    const length = program[place] as number;
    if (length >= this.end - at) return false;
    if (length < 4) return this.isShortName(program, place + 1, at, length);
    const { view } = this;
    const last = at + length - 4;
    let word = place + 1;
    for (let start = at; start < last; start += 4) {
      if (view.getInt32(start, true) !== program[word++]) return false;
    }
    return view.getInt32(last, true) === program[word];
  }

  private isShortName(program: Int32Array, place: number, at: number, length: number): boolean {
    for (let index = 0; index < length; index++) {
      if (this.bytes[at + index] !== program[place + index]) return false;
    }
    return true;
  }

  /** Goes on where the name number `index` is another one than the shape says. */
  protected mispredicted(shape: MapShape, index: number, object: Record<string, unknown>, owed: number): unknown {
    const { word, count, names } = shape;
    const { shapes } = this.cache;
    for (let other = shapes.first(word, count); other !== null; other = other.next) {
      if (other === shape || other.word !== word || other.count !== count) continue;
      if (!isSameStart(other.names, names, index)) continue;
      if (!this.isName(other.program, other.places[index] as number, this.offset)) continue;
      if (++shape.misses > PATIENCE) {
        shape.misses = 0;
        shapes.prefer(other);
      }
      return this.predicted(other, index, object, owed);
    }
    shape.misses++;
    this.owed = owed + 2 * (count - index);
    return this.entriesFrom(index, count, object, word);
  }

  // --- records ------------------------------------------------------------------------------------------------------------

  /** Reads the values of a record. */
  fieldValues(count: number, owed: number): unknown[] {
    const values = new Array<unknown>(count);
    for (let index = 0; index < count; index++) values[index] = this.element(owed + count - 1 - index);
    return values;
  }

  /** Reads the values of a record into an object, name by name. */
  protected interpreted(shape: Shape, owed: number): Record<string, unknown> {
    const { cache } = this;
    const { names } = shape;
    const count = names.length;
    const object: Record<string, unknown> = {};
    cache.check(shape);
    for (let index = 0; index < count; index++) {
      const value = this.element(owed + count - 1 - index);
      if (shape.epoch === cache.epoch) object[names[index] as string] = value;
      else setOwn(object, names[index] as string, value);
    }
    return object;
  }
}

function isSameStart(names: readonly string[], others: readonly string[], count: number): boolean {
  for (let index = 0; index < count; index++) if (names[index] !== others[index]) return false;
  return true;
}
