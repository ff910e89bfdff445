// What a decoder keeps between messages. The cache changes only the speed of decoding, never the result.
//
// Plan: Epoch · DecoderCache: its parts · hot shapes · names on Object.prototype.

import { isIntegerLike } from '../../core/property.ts';
import type { Shape } from '../../records/dictionary.ts';
import { Transcoder } from '../text/transcoder.ts';
import { DeclarationCache } from './declarations.ts';
import { type MapShape, MapShapes } from './map-shapes.ts';
import { NameCache } from './names.ts';
import type { ShapeCompiler } from './strategy.ts';

/**
 * The cache checks a shape after every HOT objects that had it or were guessed to have it. The shape is hot if these
 * objects were more than one in SHARE of all objects read since the previous check.
 */
export const HOT = 64;
const SHARE = 256;
/**
 * Code is generated for a hot shape only if more than one in COMMON of the objects since the previous check had the
 * shape. Engines keep interpreting code that seldom runs, and interpreting it costs ten times as much as reading the
 * objects without it.
 */
const COMMON = 32;
/** A shape of maps is hot only if its `misses` are fewer than this. */
const MOST_MISSES = 8;

/** After this many look-ups on Object.prototype in an epoch, the names on Object.prototype are indexed. */
const FEW_CHECKS = 24;

/** A period in which no foreign code runs, so that Object.prototype can't change. */
export class Epoch {}

/** Holds what a Decoder keeps between messages. The Decoders that `Decoder.another` makes share the cache. */
export class DecoderCache {
  readonly names = new NameCache();
  readonly shapes = new MapShapes();
  readonly declarations = new DeclarationCache();
  /** How many objects were read, except those that code is never made for, such as large maps. */
  objects = 0;
  /** Number of entries in maps of the current message whose shape wasn't guessed, or was guessed wrongly. */
  unguided = 0;
  epoch = new Epoch();
  /** Whether Object.prototype was indexed in this epoch, and how many names were looked up before that. */
  #isChecked = false;
  #checks = 0;
  #prototypeNames: readonly string[] = [];
  /** The index of the names on Object.prototype, in the layout of `inheritedBits`. */
  readonly #foundBits = new Int32Array(32);
  readonly #all = new Int32Array(32).fill(-1);
  /**
   * Tells which names Object.prototype may have. The index is the length of a name (below 32). The number of the bit is
   * the low 5 bits of the name's first byte. All bits are set until the names are indexed.
   */
  inheritedBits: Int32Array = this.#all;
  #hasIndex = false;
  /** Whether all names on Object.prototype are ASCII, so that each character is one byte. */
  #areAscii = true;
  readonly #compiler: ShapeCompiler;
  #transcoder: Transcoder | null = null;

  constructor(compiler: ShapeCompiler) {
    this.#compiler = compiler;
  }

  /** The transcoder that the Decoders of this cache share. Each Decoder uses the result before it decodes more. */
  get transcoder(): Transcoder {
    this.#transcoder ??= new Transcoder();
    return this.#transcoder;
  }

  // --- hot shapes: generating code is expensive, so only frequent shapes get it

  /** Makes code for a shape of maps if the shape is hot. Called after HOT guesses of the shape. */
  heatMap(shape: MapShape): void {
    if (shape.misses < MOST_MISSES && this.#isOneIn(SHARE, shape.since)) {
      shape.read = this.#compiler.map(shape, this.#isOneIn(COMMON, shape.since));
    }
    shape.hits = 0;
    shape.misses = 0;
    shape.since = this.objects;
  }

  /** Makes code for a shape of records if the shape is hot. Called after HOT records of the shape. */
  heatRecord(shape: Shape): void {
    if (this.#isOneIn(SHARE, shape.since)) {
      shape.read = this.#compiler.record(shape.names, this.#isOneIn(COMMON, shape.since));
    }
    shape.hits = 0;
    shape.since = this.objects;
  }

  /** Whether more than one object in `count` had the shape, which was read HOT times since object number `since`. */
  #isOneIn(count: number, since: number): boolean {
    return this.objects - since < HOT * count;
  }

  // --- names on Object.prototype (see setOwn in core/property.ts)

  /** Starts a message. Foreign code may have run since the previous one. */
  startMessage(): void {
    const { unguided } = this;
    this.foreignCodeRan();
    if (unguided === 0) return;
    this.unguided = 0;
    // This message will probably look up as many names as the previous one, so index the names on Object.prototype now.
    if (unguided > FEW_CHECKS) this.#checkPrototype();
  }

  /** Starts another epoch, because foreign code may have changed Object.prototype. */
  foreignCodeRan(): void {
    if (this.#checks === 0 && !this.#isChecked) return; // no name was looked up in this epoch
    this.epoch = new Epoch();
    this.#isChecked = false;
    this.inheritedBits = this.#all;
    this.#checks = 0;
  }

  /** Marks the shape with the current epoch if Object.prototype has none of its names. */
  check(shape: MapShape | Shape): void {
    if (shape.epoch === this.epoch) return;
    const { names } = shape;
    for (let index = 0; index < names.length; index++) if (this.isInherited(names[index] as string)) return;
    shape.epoch = this.epoch;
  }

  /** Whether Object.prototype has a property of this name. */
  isInherited(name: string): boolean {
    if (!this.#isChecked && ++this.#checks <= FEW_CHECKS) return Object.hasOwn(Object.prototype, name);
    if (!this.#isChecked) this.#checkPrototype();
    const { length } = name;
    // The length and first character rule out most names. Only the other names are looked up.
    if (length > 0 && length < 32) {
      const bits = this.#foundBits[length] as number;
      if (((bits >>> (name.charCodeAt(0) & 31)) & 1) === 0) return false;
    }
    return Object.hasOwn(Object.prototype, name);
  }

  /** Whether Object.prototype has a property with this array index as its name. */
  isIndexInherited(index: number): boolean {
    if (!this.#isChecked && ++this.#checks <= FEW_CHECKS) return Object.hasOwn(Object.prototype, index);
    if (!this.#isChecked) this.#checkPrototype();
    return this.#hasIndex && Object.hasOwn(Object.prototype, index);
  }

  /** Indexes the names that Object.prototype has in this epoch. */
  #checkPrototype(): void {
    this.#isChecked = true;
    const names = Object.getOwnPropertyNames(Object.prototype);
    const before = this.#prototypeNames;
    if (names.length !== before.length || names.some((name, index) => name !== before[index])) this.#note(names);
    if (this.#areAscii) this.inheritedBits = this.#foundBits;
  }

  #note(names: readonly string[]): void {
    this.#prototypeNames = names;
    this.#foundBits.fill(0);
    for (const name of names) {
      if (name.length < 32)
        this.#foundBits[name.length] = (this.#foundBits[name.length] as number) | (1 << (name.charCodeAt(0) & 31));
    }
    this.#hasIndex = names.some(isIntegerLike);
    this.#areAscii = names.every((name) => /^[\0-\x7f]*$/.test(name));
  }
}
