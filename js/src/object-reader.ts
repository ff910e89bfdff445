// Maps that become objects.
//
// Plan: ObjectReader: properties one by one · guessed shapes · guesses that fail · fields of records.
//
// Which shape a map has is guessed (map-shapes.ts); when a name turns out to be another one, reading goes on from there, with
// another shape that begins the same or one by one. Nothing is read twice, so no input makes guessing dear.
//
// Own properties are defined whatever their name (see setOwn). Assigning is the quickest way to do so as long as Object.prototype
// has no property of that name, which is asked once in a message for each shape, and again after foreign code ran.

import { ContainerReader } from './container-reader.ts';
import { HOT } from './learned.ts';
import { type MapShape, MOST_NAMES, wordOf } from './map-shapes.ts';
import { isIntegerLike, mapOf, setOwn } from './property.ts';
import type { ShapeReader } from './shape-compiler.ts';
import type { Shape } from './structures.ts';

/** After so many guesses that failed, a shape gives its place to the one that was right. */
const PATIENCE = 16;

export abstract class ObjectReader extends ContainerReader {
  protected abstract array(start: number, count: number): unknown[];
  protected abstract map(start: number, count: number): unknown;

  /** Bytes below are ints. */
  protected readonly limit = this.inline ? 0x40 : 0x80;

  /** A map of `count` entries whose head is read, as what the options say; not yet closed. */
  protected properties(count: number, owed: number): unknown {
    const { offset } = this;
    if (count === 0 || count > MOST_NAMES || this.end - offset < 4) return this.object(count, {});
    const { learned } = this;
    const { shapes } = learned;
    const word = wordOf(this.view, offset);
    learned.objects++;
    for (let shape = shapes.first(word, count); shape !== null; shape = shape.next) {
      if (shape.word !== word || shape.count !== count) continue;
      if (shape.read !== null) return shape.read(this as unknown as ShapeReader, owed);
      if (++shape.hits === HOT) learned.heatMap(shape);
      return this.predicted(shape, 0, {}, owed);
    }
    return this.rest(0, count, {}, word);
  }

  // --- one by one ---------------------------------------------------------------------------------------------------------

  /** Reads entries into an object; from the first key that none can hold on, into a Map. */
  protected object(count: number, object: Record<string, unknown>): unknown {
    return this.rest(0, count, object, null);
  }

  /** Reads entries `from` … `count` − 1 into an object. `word` is what the next guess goes by; null for none. */
  private rest(from: number, count: number, object: Record<string, unknown>, word: number | null): unknown {
    let signature = count ^ from;
    let isLearned = word !== null;
    for (let index = from; index < count; index++) {
      const keyStart = this.offset;
      let key: string;
      if (this.startsStr()) {
        this.owed--;
        key = this.name();
        signature = Math.imul(signature ^ this.nameHash, 0x2c1b3c6d);
        if (this.lossless && isIntegerLike(key)) {
          this.offset = keyStart;
          this.owed++;
          return this.entries(mapOf(object), index, count);
        }
      } else {
        if (this.settings.maps === 'auto') return this.entries(mapOf(object), index, count);
        this.owed--;
        key = this.objectKey(keyStart);
        isLearned = false;
      }
      if (this.exact) this.checkKey(keyStart, key, Object.hasOwn(object, key));
      this.owed--;
      setOwn(object, key, this.value());
    }
    if (isLearned) this.learned.shapes.note(word as number, count, signature, object);
    return object;
  }

  // --- guessed shapes -----------------------------------------------------------------------------------------------------

  /** Reads entries `from` … of a map that may have a shape into an object that has those before. */
  private predicted(shape: MapShape, from: number, object: Record<string, unknown>, owed: number): unknown {
    const { learned } = this;
    const { names, places, program, count } = shape;
    learned.check(shape);
    for (let index = from; index < count; index++) {
      const place = places[index] as number;
      const { offset } = this;
      if (!this.isName(program, place, offset)) return this.mispredicted(shape, index, object, owed);
      const value = this.field(offset + (program[place] as number), owed + 2 * (count - 1 - index));
      if (shape.epoch === learned.epoch) object[names[index] as string] = value;
      else setOwn(object, names[index] as string, value);
    }
    return object;
  }

  /** Reads the value at `at`, behind which so many values are owed. There is a byte; the most frequent heads are judged here. */
  protected field(at: number, owed: number): unknown {
    const head = this.bytes[at] as number;
    if (head < this.limit) {
      this.offset = at + 1;
      return head;
    }
    if (head < 0xc4) {
      if (head >= 0xa0) return head < 0xc0 ? this.text(at, at + 1, head & 0x1f) : this.simple(at, head);
      if (head >= 0x80) {
        this.offset = at + 1;
        this.owed = owed;
        return head < 0x90 ? this.map(at, head & 0x0f) : this.array(at, head & 0x0f);
      }
    }
    this.offset = at;
    this.owed = owed;
    return this.value();
  }

  /** nil, false, true; and the byte that is none of them. */
  private simple(at: number, head: number): unknown {
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
  private isName(program: Int32Array, place: number, at: number): boolean {
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
    const { shapes } = this.learned;
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
    return this.rest(index, count, object, word);
  }

  // --- records ------------------------------------------------------------------------------------------------------------

  /** Reads the values of a record into an object, name by name. */
  protected interpreted(shape: Shape, owed: number): Record<string, unknown> {
    const { learned } = this;
    const { names } = shape;
    const count = names.length;
    const object: Record<string, unknown> = {};
    learned.check(shape);
    for (let index = 0; index < count; index++) {
      const value = this.element(owed + count - 1 - index);
      if (shape.epoch === learned.epoch) object[names[index] as string] = value;
      else setOwn(object, names[index] as string, value);
    }
    return object;
  }
}

function isSameStart(names: readonly string[], others: readonly string[], count: number): boolean {
  for (let index = 0; index < count; index++) if (names[index] !== others[index]) return false;
  return true;
}
