// Generated code for hot shapes: one function that reads all values and makes the object by a literal.
//
// Plan: ShapeCompiler, the strategy · none · generated: records, maps, and what both do with a value.
//
// This is the only room that makes code from text. It does so for shapes that have been read many times, and never again after
// the host has refused once: where a content security policy forbids it nothing is asked before, so that there is nothing to report.
// What the code does is what object-reader.ts and record-reader.ts do step by step, its twins in the tests. Names get into the
// text as JSON only.
//
// A generated function takes the reader and the values owed to the containers around the map or record (`owed`). Its
// caller has opened the container, and closes it.

import { type MapShape, nameBytes, wordsOf } from './map-shapes.ts';
import type { Settings } from './options.ts';
import { setOwn } from './property.ts';

/** What generated code uses of a reader. Its text has these names. */
export interface ShapeReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  offset: number;
  owed: number;
  element(owed: number): unknown;
  text(start: number, at: number, length: number): string;
  mispredicted(shape: MapShape, index: number, object: Record<string, unknown>, owed: number): unknown;
}

export type RecordRead = (reader: ShapeReader, owed: number) => unknown;
export type MapRead = (reader: ShapeReader, owed: number) => unknown;

/** Makes readers for hot shapes; null for shapes that stay with the interpreted one. */
export interface ShapeCompiler {
  record(names: readonly string[]): RecordRead | null;
  map(shape: MapShape): MapRead | null;
}

/** Compiles nothing. */
const INTERPRETED: ShapeCompiler = /* @__PURE__ */ Object.freeze({ record: () => null, map: () => null });

/** The strategy that settings ask for; which one never changes what is decoded. */
export function compilerFor(settings: Settings): ShapeCompiler {
  return settings.generateCode ? new GeneratingCompiler(settings) : INTERPRETED;
}

/** Functions that one compiler makes. */
const MOST_FUNCTIONS = 256;
/** Names of one function. */
const MOST_FIELDS = 96;
/** Names of one function that knows the heads of more values by itself. */
const MOST_INLINE = 20;

class GeneratingCompiler implements ShapeCompiler {
  /** Bytes below are ints. */
  readonly #limit: number;
  readonly #lossless: boolean;
  #left = MOST_FUNCTIONS;

  constructor({ inline, mode }: Settings) {
    this.#limit = inline ? 0x40 : 0x80;
    this.#lossless = mode === 'lossless';
  }

  record(names: readonly string[]): RecordRead | null {
    if (this.#left === 0 || names.length > MOST_FIELDS) return null;
    const fields = names.map(
      (_, index) => `t=p<e?s[p]:193;${this.#value(index, names.length - 1 - index, names.length)}`,
    );
    return this.#make<RecordRead>(`${fields.join('')}${result(names)}`, null);
  }

  map(shape: MapShape): MapRead | null {
    const { names } = shape;
    if (this.#left === 0 || names.length > MOST_FIELDS) return null;
    const entries = names.map((name, index) => {
      const bytes = nameBytes(name);
      const seen = Array.from({ length: index }, (_, i) => `v${i}`).join();
      const miss = `{d.offset=p;return miss(d,owed,${index},[${seen}])}`;
      // A value follows the name, so there is at least a byte behind it.
      const test = `if(p+${bytes.length}>=e||${isOther(bytes)})${miss}`;
      return `${test}p+=${bytes.length};t=s[p];${this.#value(index, 2 * (names.length - 1 - index), names.length)}`;
    });
    const miss = (reader: ShapeReader, owed: number, index: number, values: readonly unknown[]) => {
      const object: Record<string, unknown> = {};
      for (const [i, value] of values.entries()) setOwn(object, names[i] as string, value);
      return reader.mispredicted(shape, index, object, owed);
    };
    return this.#make<MapRead>(`${entries.join('')}${result(names)}`, miss);
  }

  /**
   * Reads the value at p, whose head is t, when `rest` more are owed to a container of `count` fields. What is rarer or wrong,
   * `element` reads; in large functions everything but small ints and short texts, because they would be compiled late.
   */
  #value(index: number, rest: number, count: number): string {
    const v = `v${index}`;
    const int = `if(t<${this.#limit}){${v}=t;p++}else `;
    const str = `if(t>159&&t<192){${v}=d.text(p,p+1,t&31);p=d.offset}else `;
    const simple = `if(t>191&&t<196&&t!==193){${v}=t===192?null:t===195;p++}else `;
    const float = this.#lossless ? '' : `if(t===203&&e-p>8){${v}=w.getFloat64(p+1);p+=9}else `;
    const uint = `if(t===205&&e-p>2){${v}=w.getUint16(p+1);p+=3}else `;
    const more = count > MOST_INLINE ? '' : `${simple}${float}${uint}`;
    return `let ${v};${int}${str}${more}{d.offset=p;${v}=d.element(owed+${rest});p=d.offset}`;
  }

  #make<T>(body: string, miss: unknown): T | null {
    this.#left--;
    const code = `'use strict';return function(d,owed){const w=d.view,s=d.bytes,e=d.end;let p=d.offset,t;${body}}`;
    try {
      return new Function('miss', code)(miss) as T;
    } catch {
      // Refused, now and for ever: a policy of the page or the host.
      this.#left = 0;
      return null;
    }
  }
}

/** Whether other bytes than these are at p. */
function isOther(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length < 4) return Array.from(bytes, (byte, index) => `s[p+${index}]!==${byte}`).join('||');
  const words = wordsOf(bytes).map((word, index) => `w.getInt32(p+${Math.min(4 * index, length - 4)},true)!==${word}`);
  return words.join('||');
}

/** A literal defines properties whatever their names; but `__proto__` only where it is computed, which costs time. */
function result(names: readonly string[]): string {
  const properties = names.map((name, index) => {
    const text = textOf(name);
    return `${name === '__proto__' ? `[${text}]` : text}:v${index}`;
  });
  return `d.offset=p;return{${properties.join()}}`;
}

/** JSON is JavaScript but for two line separators in older engines. */
function textOf(name: string): string {
  return JSON.stringify(name).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
