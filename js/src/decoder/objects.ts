// Maps that become objects.
//
// Plan: ObjectDecoder: a map by its shape · entries one by one · guessed shapes · wrong guesses · fields of records.
//
// The decoder guesses which shape a map has (shapes/map-shapes.ts). If a name differs from the guess, the decoder
// continues at that name: with another shape that begins with the same names, or entry by entry. Nothing is read twice,
// so no input can make guessing expensive.
//
// Properties are always defined as own properties, whatever their name (see setOwn in core/property.ts). Plain
// assignment is fastest, and safe if Object.prototype has no property of that name. The decoder checks all names of a
// shape once per message, and again after foreign code (such as an extension) has run.

import { FIXSTR, FLOAT64, NEGATIVE_FIXINT, NIL, STR8, TRUE } from '../core/format.ts';
import { allowGaps, isIntegerLike, leavesGap, mapOf, setOwn } from '../core/property.ts';
import { ENCODER, utf8Bytes } from '../core/text.ts';
import type { Shape } from '../records/dictionary.ts';
import { ContainerDecoder } from './containers.ts';
import { HOT } from './shapes/cache.ts';
import { LONGEST_NAME, MapShape, MOST_NAME_BYTES, MOST_NAMES, wordOf } from './shapes/map-shapes.ts';

/**
 * After more than this many wrong guesses of a shape, the decoder moves the shape that it continued with to the front
 * of the chain (the shapes in one slot of the cache), so that it is guessed first.
 */
const PATIENCE = 16;

/**
 * A chain is the shapes in one slot of the cache. When it has turned away more than CROWD shapes, maps with this slot
 * are read without guessing. Each such map adds one to the number of shapes turned away. When the number exceeds
 * MOST_CROWDED, guessing starts again.
 */
const CROWD = 128;
const MOST_CROWDED = 65_536;

/** A map with more entries than this is more likely a look-up table than an object, so its names aren't cached. */
const MANY_NAMES = 256;

/** Stands for a map's word (see `wordOf`) while the cache has no shape. */
const NO_WORD = 0;

/** The character code of the digit 0. `code ^ DIGIT` is at most 9 only if `code` is a digit. */
const DIGIT = 0x30;

/** Names with more digits than this aren't parsed as an array index by `arrayIndex`. */
const LONGEST_INDEX = 9;

export abstract class ObjectDecoder extends ContainerDecoder {
  protected abstract array(start: number, count: number): unknown[];
  protected abstract map(start: number, count: number): unknown;
  protected abstract float64(at: number): unknown;
  /** Reads the elements of an array, with `owed` values owed after it. Doesn't restore the field `owed`. */
  abstract list(start: number, count: number, owed: number): unknown[];
  /**
   * Reads the record or int that starts with `head`, a byte 40–7f, with `owed` values owed after it. Doesn't restore
   * the field `owed`.
   */
  abstract nested(start: number, head: number, owed: number): unknown;

  /** The latest object for which `allowGaps` was called. */
  protected withGaps: object | null = null;
  /** Head bytes below this are ints. */
  protected readonly intsBelow = this.inline ? 0x40 : 0x80;

  /**
   * Reads the entries of a map into an object. If `maps` is 'auto' and an object can't hold one of the keys, returns a
   * Map instead. Doesn't close the map.
   */
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
      // If several shapes start with the same name, the second name distinguishes them.
      if (shape.next !== null && count > 1 && this.isOtherSecond(shape)) continue;
      shape.isUsed = true;
      if (shape.read !== null) return shape.read(this as never, owed);
      if (++shape.hits === HOT) cache.heatMap(shape);
      return this.predicted(shape, 0, {}, owed);
    }
    return this.entriesFrom(0, count, {}, word);
  }

  /** Reads a map without guessing, because its chain has turned away too many shapes. */
  private crowded(first: MapShape, count: number): unknown {
    // Try guessing again from time to time, because later maps may have other shapes.
    if (++first.turnedAway > MOST_CROWDED) first.turnedAway = 0;
    return this.entriesFrom(0, count, {}, null);
  }

  /**
   * Whether the second name of this map differs from the shape's. Compares only if the first value is quick to skip,
   * such as a small int, a short str or nil. Otherwise returns false.
   */
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

  // --- one by one ----------------------------------------------------------------------------------------------------

  /**
   * Reads all entries into `object`. If `maps` is 'auto' and `object` can't hold one of the keys, returns a Map with
   * all entries instead.
   */
  protected object(count: number, object: Record<string, unknown>): unknown {
    return this.entriesFrom(0, count, object, null);
  }

  /**
   * Reads entries `from` … `count` − 1 into an object.
   *
   * @param word the map's word (see `wordOf`), or NO_WORD; null if the shape must not be stored
   */
  private entriesFrom(from: number, count: number, object: Record<string, unknown>, word: number | null): unknown {
    const { bytes, view, end, checksKeys, cache } = this;
    const { names } = cache;
    const isDictionary = count > MANY_NAMES;
    // `least` is the lowest head of a name that this loop reads without `entry`. `leastKnown` is the lowest head of a
    // name that the loop looks up in the cache.
    const least = checksKeys ? NIL : FIXSTR + 1;
    const leastKnown = isDictionary ? NIL : FIXSTR + 3;
    cache.unguided += count;
    let { owed } = this;
    let signature = count ^ from;
    let isWorthLearning = word !== null;
    for (let index = from; index < count; index++) {
      // Read common entries in few steps, because engines run new code slowly at first.
      const keyStart = this.offset;
      const head = keyStart < end ? (bytes[keyStart] as number) : 0;
      const at = keyStart + 1 + (head & 0x1f);
      // If the value is missing, act as if the name started with a digit, so that `entry` reads the entry and reports
      // the fault.
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
        const mayBeInherited = ((cache.inheritedBits[head & 0x1f] as number) >>> letter) & 1;
        if (mayBeInherited !== 0 && cache.isInherited(key)) setOwn(object, key, value);
        else object[key] = value;
        continue;
      }
      this.owed = owed;
      const result = this.entry(object, index, count, null);
      if (result === null) return this.ordered(object, index, count);
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
   * Reads entries `from` … `count` − 1 into an object, and remembers the order of the names. The name of entry `from`
   * is an array index, and engines put such names before all others. If a later key needs a Map, the entries of the Map
   * must be in the order of the message.
   */
  private ordered(object: Record<string, unknown>, from: number, count: number): unknown {
    const order: (string | number)[] = Object.keys(object);
    for (let index = from; index < count; index++) {
      const result = this.entry(object, index, count, order);
      if (result !== object) return result;
    }
    return object;
  }

  /**
   * Reads any entry into an object. If `maps` is 'auto' and the object can't hold the entry, makes a Map of the earlier
   * entries, reads this and all later ones into it, and returns the Map. Sets `nameHash` to 0 if the name isn't worth
   * learning.
   *
   * @param order the names so far, in the order of the message. If it is null, but needed from this entry on, reads
   *   nothing and returns null.
   */
  private entry(
    object: Record<string, unknown>,
    index: number,
    count: number,
    order: (string | number)[] | null,
  ): unknown {
    const { checksKeys } = this;
    const mayBeMap = this.settings.maps === 'auto';
    const start = this.offset;
    const head = start + 1 < this.end ? (this.bytes[start] as number) : 0;
    const isShort = head > FIXSTR && head < NIL;
    const arrayIndex = isShort && !checksKeys ? this.arrayIndex() : -1;
    if (arrayIndex >= 0) {
      if (mayBeMap) {
        if (order === null) {
          this.offset = start;
          return null;
        }
        order.push(arrayIndex);
      }
      this.owed -= 2;
      const value = this.value();
      if (leavesGap(object, arrayIndex)) this.allowGaps(object);
      if (this.cache.isIndexInherited(arrayIndex)) setOwn(object, String(arrayIndex), value);
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
      if (order !== null) order.push(key);
      else if (mayBeMap && isIntegerLike(key)) {
        this.offset = start;
        this.owed++;
        return this.lossless ? this.entries(mapOf(object), index, count) : null;
      }
    } else {
      if (mayBeMap) return this.entries(order === null ? mapOf(object) : mapOf(object, order), index, count);
      this.owed--;
      key = this.objectKey(start);
    }
    if (checksKeys) this.checkKey(start, key, Object.hasOwn(object, key));
    this.owed--;
    const value = this.value();
    this.setAny(object, key, value);
    this.nameHash = hash;
    return object;
  }

  /** Defines a property of any name, which may be an array index. */
  protected setAny(object: Record<string, unknown>, key: string, value: unknown): void {
    if (isIntegerLike(key) && leavesGap(object, Number(key))) this.allowGaps(object);
    if (this.cache.isInherited(key)) setOwn(object, key, value);
    else object[key] = value;
  }

  /** Allows gaps between the array indices of an object. Takes 1 µs, so it isn't repeated for the latest object. */
  private allowGaps(object: object): void {
    if (this.withGaps === object) return;
    allowGaps(object);
    this.withGaps = object;
  }

  /** Learns the shape of a map, on hosts that can encode its names. */
  private learn(names: string[], count: number): void {
    if (names.length !== count || !('encode' in ENCODER)) return; // lengths differ if a name occurred twice
    const utf8: Uint8Array[] = [];
    let total = 0;
    for (const name of names) {
      // Don't store a shape with `__proto__`, which isn't a normal property, or with a name that engines reorder.
      if (name === '__proto__' || isIntegerLike(name)) return;
      const bytes = utf8Bytes(name);
      // U+FFFD in place of a byte that isn't UTF-8 takes three bytes, so the name can be longer than its str was.
      if (bytes.length > LONGEST_NAME) return;
      utf8.push(bytes);
      total += bytes.length;
    }
    if (total > MOST_NAME_BYTES) return;
    const shape = new MapShape(names, utf8);
    shape.since = this.cache.objects;
    this.cache.shapes.learn(shape);
  }

  /**
   * Skips the next value if it is an array index of at most LONGEST_INDEX digits, and returns the index. Otherwise
   * returns −1 and skips nothing. The next value must be a str of 1 to 31 bytes.
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

  // --- guessed shapes ------------------------------------------------------------------------------------------------

  /**
   * Reads entries `from` … `count` − 1 into an object that has the earlier entries. Guesses that their names are those
   * of the shape, and calls `mispredicted` at the first name that differs.
   */
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

  /**
   * Reads the values of a map while its names match the shape. Returns all values, or those before the first name that
   * differs.
   */
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

  /**
   * Reads the value at `at`, with `owed` values owed after it. The caller ensures that there is a byte at `at`. Handles
   * the most frequent heads inline.
   */
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

  /** Reads a value with a head byte c0–c3: nil, false or true. Leaves the reserved byte c1 to `value`. */
  protected simple(at: number, head: number): unknown {
    this.offset = at;
    if (head === 0xc1) return this.value();
    this.offset = at + 1;
    return head === 0xc0 ? null : head === 0xc3;
  }

  /** Reads the next value, with `owed` values owed after it. */
  protected element(owed: number): unknown {
    const { offset } = this;
    return offset < this.end ? this.field(offset, owed) : this.value(); // fails, because no byte is left
  }

  /** Whether the name at `place` of the program (MapShape.program) is at `at`, followed by at least one byte. */
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

  /**
   * Continues a map whose name number `index` differs from the shape's: with another shape that starts with the same
   * names, or entry by entry.
   */
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

  // --- records -------------------------------------------------------------------------------------------------------

  /** Reads the values of a record. */
  fieldValues(count: number, owed: number): unknown[] {
    const values = new Array<unknown>(count);
    for (let index = 0; index < count; index++) values[index] = this.element(owed + count - 1 - index);
    return values;
  }

  /**
   * Reads into an object the values of a record that has array indices among its names. No code is made for such
   * shapes, because a literal reserves memory for the gaps between indices.
   */
  protected indexed({ names, count }: Shape, owed: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (let index = 0; index < count; index++) {
      this.setAny(object, names[index] as string, this.element(owed + count - 1 - index));
    }
    return object;
  }

  /** Reads the values of a record into an object, one after the other. */
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
