// Makes objects of hot shapes for which no code is generated.
//
// Plan: ShapeCloner, the strategy · reading values, then making the object.
//
// An object starts as a copy of a template with all properties. So each value is stored in an existing property, and
// names on Object.prototype don't matter. Functions from makers.gen.ts, the makers, store the values. No two shapes of
// a decoder share a maker. The makers are chosen by a hash of the shape, so decoders that know the same shape usually
// use the same makers for it.

import { setOwn } from '../../core/property.ts';
import type { ShapeRead } from '../../records/dictionary.ts';
import { MAKERS, type Maker, MOST_MADE, type Properties } from './makers.gen.ts';
import type { MapShape } from './map-shapes.ts';
import type { ShapeCompiler, ShapeDecoder } from './strategy.ts';

/** A shape with more names than this gets no makers, because it would take too many of them. */
const MOST_NAMES = 64;

/** Tells how to make the objects of a shape, or how to fill some of their properties. */
interface Plan {
  readonly names: readonly string[];
  /** The index of the first name that the maker fills in, and the number of names from this index on. */
  readonly from: number;
  readonly count: number;
  readonly template: Properties;
  readonly maker: Maker;
  readonly next: Plan | null;
}

/** Gives each shape its own makers, until none are left. */
export class ShapeCloner implements ShapeCompiler {
  /** Which makers are taken. Empty at first, because most codecs take none. */
  readonly #isTaken: boolean[] = [];
  #left = MAKERS.length;

  record(names: readonly string[]): ShapeRead | null {
    const plan = this.#plan(names);
    if (plan === null) return null;
    return (decoder: ShapeDecoder, owed: number) => made(plan, decoder.fieldValues(names.length, owed));
  }

  map(shape: MapShape): ShapeRead | null {
    const plan = this.#plan(shape.names);
    return plan === null ? null : (decoder: ShapeDecoder, owed: number) => readMap(decoder, shape, plan, owed);
  }

  #plan(names: readonly string[]): Plan | null {
    const { length } = names;
    const makerCount = Math.ceil(length / MOST_MADE);
    if (length === 0 || length > MOST_NAMES || makerCount > this.#left) return null;
    const template = templateOf(names);
    const hash = hashOf(names);
    let plan: Plan | null = null;
    for (let index = makerCount - 1; index >= 0; index--) {
      const from = index * MOST_MADE;
      plan = { names, from, count: length - from, template, maker: this.#take(hash + index), next: plan };
    }
    return plan;
  }

  #take(hash: number): Maker {
    let place = hash % MAKERS.length;
    while (this.#isTaken[place]) place = (place + 1) % MAKERS.length;
    this.#isTaken[place] = true;
    this.#left--;
    return MAKERS[place] as Maker;
  }
}

/** Returns an object with these properties. JSON.parse reserves space for exactly the properties in its text. */
function templateOf(names: readonly string[]): Properties {
  const template = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:0`).join()}}`) as Properties;
  // Replace each number by a value of another kind. Then engines expect any kind of value in the properties from the
  // start. Otherwise they would adapt in several steps.
  for (const name of names) template[name] = '';
  return template;
}

function hashOf(names: readonly string[]): number {
  let hash = 0;
  for (const name of names) {
    for (let index = 0; index < name.length; index++) {
      hash = Math.imul(hash ^ name.charCodeAt(index), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
  }
  return hash >>> 0;
}

// --- reading and making ----------------------------------------------------------------------------------------------

function readMap(decoder: ShapeDecoder, shape: MapShape, plan: Plan, owed: number): unknown {
  const values = decoder.entryValues(shape, owed);
  return values.length === shape.count ? made(plan, values) : mispredicted(decoder, shape, owed, values);
}

function made(plan: Plan, values: readonly unknown[]): Properties {
  const { maker, template, names, count, next } = plan;
  const object = maker(null, template, names, values, 0, count);
  if (next !== null) fillRest(next, object, values);
  return object;
}

function fillRest(first: Plan, object: Properties, values: readonly unknown[]): void {
  for (let plan: Plan | null = first; plan !== null; plan = plan.next) {
    plan.maker(object, plan.template, plan.names, values, plan.from, plan.count);
  }
}

/** Continues after the values that were read, at the first name that differs from the shape's. */
function mispredicted(decoder: ShapeDecoder, shape: MapShape, owed: number, values: readonly unknown[]): unknown {
  const object: Properties = {};
  for (const [index, value] of values.entries()) setOwn(object, shape.names[index] as string, value);
  return decoder.mispredicted(shape, values.length, object, owed);
}
