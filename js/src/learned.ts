// What a codec has learned from the messages before: it changes how fast the next one is read, and never what it is.
//
// Plan: Epoch · Learned: memory · hot shapes · names that Object.prototype has.

import { Definitions } from './definitions.ts';
import { type MapShape, MapShapes } from './map-shapes.ts';
import { NameCache } from './names.ts';
import type { ShapeCompiler } from './shape-compiler.ts';
import type { Shape } from './structures.ts';
import { Transcoder } from './transcoder.ts';

/** Objects of a shape, after which it may be hot: when it was at least one object in SHARE. */
export const HOT = 64;
const SHARE = 256;
/** Failed guesses among them that a hot shape may have. */
const MOST_MISSES = 8;

/** So many shapes of a message are checked name by name. */
const FEW_CHECKS = 6;

/** A time in which no foreign code runs, so that Object.prototype stays as it is. */
export class Epoch {}

/** Shared by the Readers of one codec, those of messages within messages included. */
export class Learned {
  readonly names = new NameCache();
  readonly shapes = new MapShapes();
  readonly definitions = new Definitions();
  /** Objects that were read. */
  objects = 0;
  epoch = new Epoch();
  /** A time in which Object.prototype has the same names whenever it is looked at, and what they are. */
  #version = new Epoch();
  #prototypeNames: readonly string[] = [];
  /** Whether that is known for this epoch; and how many shapes it was asked for. */
  #isChecked = false;
  #checks = 0;
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
    if (shape.misses < MOST_MISSES && this.#isFrequent(shape.since)) shape.read = this.#compiler.map(shape);
    shape.hits = 0;
    shape.misses = 0;
    shape.since = this.objects;
  }

  /** A shape of records was read HOT times. */
  heatRecord(shape: Shape): void {
    if (this.#isFrequent(shape.since)) shape.read = this.#compiler.record(shape.names);
    shape.hits = 0;
    shape.since = this.objects;
  }

  #isFrequent(since: number): boolean {
    return this.objects - since < HOT * SHARE;
  }

  // --- names that Object.prototype has (see setOwn)

  /** Foreign code has run, or may have since the message before. */
  startEpoch(): void {
    if (this.#checks === 0) return; // no shape has this one
    this.epoch = new Epoch();
    this.#isChecked = false;
    this.#checks = 0;
  }

  /** Gives a shape the epoch, if Object.prototype has none of its names. */
  check(shape: MapShape | Shape): void {
    if (shape.epoch === this.epoch) return;
    // To look whether Object.prototype is the same as before is worth it for many shapes.
    if (++this.#checks > FEW_CHECKS) {
      this.#checkPrototype();
      if (shape.version !== this.#version) {
        for (const name of shape.names) if (name in Object.prototype) return;
        shape.version = this.#version;
      }
    } else for (const name of shape.names) if (name in Object.prototype) return;
    shape.epoch = this.epoch;
  }

  /** Finds out whether Object.prototype has the same names as in earlier epochs. */
  #checkPrototype(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    const names = Object.getOwnPropertyNames(Object.prototype);
    const before = this.#prototypeNames;
    if (names.length === before.length && names.every((name, index) => name === before[index])) return;
    this.#prototypeNames = names;
    this.#version = new Epoch();
  }
}
