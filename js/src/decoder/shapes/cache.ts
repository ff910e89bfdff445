// What a codec has learned from the messages before: it changes how fast the next one is read, and never what it is.
//
// Plan: Epoch · DecoderCache: memory · hot shapes · names that Object.prototype has.

import { isIntegerLike } from '../../core/property.ts';
import type { Shape } from '../../records/dictionary.ts';
import { Transcoder } from '../text/transcoder.ts';
import { DeclarationCache } from './declarations.ts';
import { type MapShape, MapShapes } from './map-shapes.ts';
import { NameCache } from './names.ts';
import type { ShapeCompiler } from './strategy.ts';

/** Objects of a shape, after which it may be hot: when it was at least one object in SHARE. */
export const HOT = 64;
const SHARE = 256;
/**
 * A shape is worth code of its own when it was one object in so many. Code that runs seldom is interpreted for long, at ten times what
 * it costs without.
 */
const COMMON = 32;
/** Failed guesses among them that a hot shape may have. */
const MOST_MISSES = 8;

/** So many names of a message are looked up one by one. */
const FEW_CHECKS = 24;

/** A time in which no foreign code runs, so that Object.prototype stays as it is. */
export class Epoch {}

/** Shared by the Decoders of one codec, those of messages within messages included. */
export class DecoderCache {
  readonly names = new NameCache();
  readonly shapes = new MapShapes();
  readonly declarations = new DeclarationCache();
  /** Objects that were read. */
  objects = 0;
  /** Entries of the current message that were read one by one. */
  unguided = 0;
  epoch = new Epoch();
  /** Whether the names of Object.prototype were looked at in this epoch; and how many were asked for before. */
  #isChecked = false;
  #checks = 0;
  #prototypeNames: readonly string[] = [];
  /** For each length of a name, a bit for the first character of each name that Object.prototype has. */
  readonly #foundBits = new Int32Array(32);
  readonly #all = new Int32Array(32).fill(-1);
  /**
   * By the bytes of a name that are fewer than 32, and the low bits of the first: whether Object.prototype may have it. Every bit is
   * set while that was not looked at.
   */
  prototypeBits = this.#all;
  #hasIndex = false;
  /** Whether characters of those names are bytes. */
  #areAscii = true;
  readonly #compiler: ShapeCompiler;
  #transcoder: Transcoder | null = null;

  constructor(compiler: ShapeCompiler) {
    this.#compiler = compiler;
  }

  /** Nobody holds on to what it decoded while something else is read. */
  get transcoder(): Transcoder {
    this.#transcoder ??= new Transcoder();
    return this.#transcoder;
  }

  // --- hot shapes: code is generated for what makes a difference, since making it is dear

  /** A shape of maps was read HOT times. */
  heatMap(shape: MapShape): void {
    if (shape.misses < MOST_MISSES && this.#isOneIn(SHARE, shape.since)) {
      shape.read = this.#compiler.map(shape, this.#isOneIn(COMMON, shape.since));
    }
    shape.hits = 0;
    shape.misses = 0;
    shape.since = this.objects;
  }

  /** A shape of records was read HOT times. */
  heatRecord(shape: Shape): void {
    if (this.#isOneIn(SHARE, shape.since)) {
      shape.read = this.#compiler.record(shape.names, this.#isOneIn(COMMON, shape.since));
    }
    shape.hits = 0;
    shape.since = this.objects;
  }

  /** Whether one object in so many was of a shape that was read HOT times since. */
  #isOneIn(count: number, since: number): boolean {
    return this.objects - since < HOT * count;
  }

  // --- names that Object.prototype has (see setOwn)

  /** Another message starts, and foreign code may have run since the one before. */
  startMessage(): void {
    const { unguided } = this;
    this.foreignCodeRan();
    if (unguided === 0) return;
    this.unguided = 0;
    // Likely there are as many again.
    if (unguided > FEW_CHECKS) this.#checkPrototype();
  }

  /** Foreign code has run. */
  foreignCodeRan(): void {
    if (this.#checks === 0 && !this.#isChecked) return; // no shape has this one
    this.epoch = new Epoch();
    this.#isChecked = false;
    this.prototypeBits = this.#all;
    this.#checks = 0;
  }

  /** Gives a shape the epoch, if Object.prototype has none of its names. */
  check(shape: MapShape | Shape): void {
    if (shape.epoch === this.epoch) return;
    const { names } = shape;
    for (let index = 0; index < names.length; index++) if (this.isOnObjectPrototype(names[index] as string)) return;
    shape.epoch = this.epoch;
  }

  /** Whether Object.prototype has a property of this name. */
  isOnObjectPrototype(name: string): boolean {
    if (!this.#isChecked && ++this.#checks <= FEW_CHECKS) return Object.hasOwn(Object.prototype, name);
    if (!this.#isChecked) this.#checkPrototype();
    const { length } = name;
    // Names are told apart by their length and the low bits of their first characters; few need to be looked up.
    if (length > 0 && length < 32) {
      const bits = this.#foundBits[length] as number;
      if (((bits >>> (name.charCodeAt(0) & 31)) & 1) === 0) return false;
    }
    return Object.hasOwn(Object.prototype, name);
  }

  /** Whether Object.prototype has a property that is an array index. */
  isIndexOnObjectPrototype(index: number): boolean {
    if (!this.#isChecked && ++this.#checks <= FEW_CHECKS) return Object.hasOwn(Object.prototype, index);
    if (!this.#isChecked) this.#checkPrototype();
    return this.#hasIndex && Object.hasOwn(Object.prototype, index);
  }

  /** Finds out which names Object.prototype has in this epoch. */
  #checkPrototype(): void {
    this.#isChecked = true;
    const names = Object.getOwnPropertyNames(Object.prototype);
    const before = this.#prototypeNames;
    if (names.length !== before.length || names.some((name, index) => name !== before[index])) this.#note(names);
    if (this.#areAscii) this.prototypeBits = this.#foundBits;
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
