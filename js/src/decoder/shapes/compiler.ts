// Generated code for hot shapes: one function reads all values and makes the object with a literal.
//
// Plan: compilerFor, the strategy of the settings · GeneratingCompiler: records, maps, one value · pieces of code.
//
// This is the only file that makes code from text. It does so only for shapes that were read many times. If the host
// refuses, the compiler never tries again. By default code is made only in Node, Bun and Deno, because the content
// security policy of a page may forbid it. Elsewhere cloner.ts is used instead. The tests compare the generated code
// with ../objects.ts and ../records.ts, which do the same step by step. Names get into the text only as JSON.
//
// A generated function gets the decoder and the number of values owed after the map or record (`owed`). Its caller
// opens and closes the container.

import { setOwn } from '../../core/property.ts';
import type { Settings } from '../../options/settings.ts';
import type { ShapeRead } from '../../records/dictionary.ts';
import { ShapeCloner } from './cloner.ts';
import type { MapShape } from './map-shapes.ts';
import type { ShapeCompiler, ShapeDecoder } from './strategy.ts';

/** Returns the strategy that the settings ask for. The strategy never changes what is decoded. */
export function compilerFor(settings: Settings): ShapeCompiler {
  return settings.generateCode ? new GeneratingCompiler(settings) : new ShapeCloner();
}

/** One compiler makes at most this many functions. */
const MOST_FUNCTIONS = 256;
/** Shapes with more fields than this get no generated function. */
const MOST_FIELDS = 96;
/** A function with at most this many fields compares names and checks heads inline. */
const MOST_INLINE = 20;

const TWO_32 = 0x1_0000_0000;
const TWO_53 = 0x20_0000_0000_0000;

class GeneratingCompiler implements ShapeCompiler {
  /** Head bytes below this are ints. */
  readonly #intsBelow: number;
  readonly #lossless: boolean;
  /** Whether safe integers beyond 32 bits decode to numbers. */
  readonly #wideInts: boolean;
  #left = MOST_FUNCTIONS;
  /**
   * Makes the functions for shapes that get no generated code: they aren't common, or a limit is reached, or the host
   * has refused.
   */
  readonly #instead = new ShapeCloner();

  constructor({ inline, mode, int64AsType }: Settings) {
    this.#intsBelow = inline ? 0x40 : 0x80;
    this.#lossless = mode === 'lossless';
    this.#wideInts = int64AsType === 'auto' || int64AsType === 'number';
  }

  record(names: readonly string[], isCommon: boolean): ShapeRead | null {
    return (isCommon ? this.#record(names) : null) ?? this.#instead.record(names);
  }

  map(shape: MapShape, isCommon: boolean): ShapeRead | null {
    return (isCommon ? this.#map(shape) : null) ?? this.#instead.map(shape);
  }

  #record(names: readonly string[]): ShapeRead | null {
    const { length } = names;
    if (this.#left === 0 || length > MOST_FIELDS) return null;
    const isLarge = length > MOST_INLINE;
    const fields = names.map((_, index) =>
      isLarge
        ? `const v${index}=d.element(owed+${length - 1 - index});`
        : `t=p<e?s[p]:193;${this.#value(index, length - 1 - index)}`,
    );
    return this.#make<ShapeRead>(`${fields.join('')}${result(names, isLarge)}`, null, null);
  }

  #map(shape: MapShape): ShapeRead | null {
    const { names } = shape;
    const { length } = names;
    if (this.#left === 0 || length > MOST_FIELDS) return null;
    const isLarge = length > MOST_INLINE;
    const entries = names.map((_, index) => (isLarge ? largeEntry(shape, index) : this.#entry(shape, index)));
    const miss = (decoder: ShapeDecoder, owed: number, index: number, values: readonly unknown[]) => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < index; i++) setOwn(object, names[i] as string, values[i]);
      return decoder.mispredicted(shape, index, object, owed);
    };
    return this.#make<ShapeRead>(`${entries.join('')}${result(names, isLarge)}`, miss, shape.program);
  }

  #entry(shape: MapShape, index: number): string {
    const { places, program, count } = shape;
    const length = program[places[index] as number] as number;
    // The test ensures that at least one byte follows the name: the head byte of the value.
    const test = `if(p+${length}>=e||${isOther(shape, index)}){d.offset=p;${missAt(index)}}`;
    return `${test}p+=${length};t=s[p];${this.#value(index, 2 * (count - 1 - index))}`;
  }

  /**
   * Returns code that reads the value at p, whose head is t, with `rest` values of the container after it. Leaves
   * uncommon and faulty heads to `element`.
   */
  #value(index: number, rest: number): string {
    const v = `v${index}`;
    const int = `if(t<${this.#intsBelow}){${v}=t;p++}else `;
    const str = `if(t>159&&t<192){${textInto(v)}}else `;
    const simple = `if(t>191&&t<196&&t!==193){${v}=t===192?null:t===195;p++}else `;
    const float = this.#lossless ? '' : `if(t===203&&e-p>8){${v}=w.getFloat64(p+1);p+=9}else `;
    const uint =
      `if(t===204&&e-p>1){${v}=s[p+1];p+=2}else if(t===205&&e-p>2){${v}=w.getUint16(p+1);p+=3}else ` +
      `if(t===206&&e-p>4){${v}=w.getUint32(p+1);p+=5}else `;
    const safe = `t===207&&e-p>8&&w.getUint32(p+1)<${TWO_53 / TWO_32}`;
    const wide = `if(${safe}){${v}=w.getUint32(p+1)*${TWO_32}+w.getUint32(p+5);p+=9}else `;
    const str8 = `if(t===217&&e-p>1){${v}=d.text(p,p+2,s[p+1]);p=d.offset}else `;
    const nested = `if(t<128){${v}=d.nested(p,t,owed+${rest});p=d.offset}else `;
    const list = `if(t>143&&t<160){d.offset=p+1;${v}=d.list(p,t&15,owed+${rest});p=d.offset}else `;
    return `let ${v};${int}${str}${simple}${float}${uint}${this.#wideInts ? wide : ''}${str8}${nested}${list}{d.offset=p;${v}=d.element(owed+${rest});p=d.offset}`;
  }

  #make<T>(body: string, miss: unknown, program: unknown): T | null {
    this.#left--;
    const code = `'use strict';return function(d,owed){const w=d.view,s=d.bytes,e=d.end;let p=d.offset,t;${body}}`;
    try {
      return new Function('miss', 'program', code)(miss, program) as T;
    } catch {
      // The host refused, for example by the policy of the page. So this compiler never tries again.
      this.#left = 0;
      return null;
    }
  }
}

/**
 * Returns code that reads the fixstr at p into the variable `v`. The decoder's window has the next bytes as one string.
 * If ASCII text of at least two bytes is in the window, the code cuts it out. For other texts it calls `text`, which
 * costs more.
 */
function textInto(v: string): string {
  const call = `${v}=d.text(p,f,l)`;
  const bits = 'b=w.getInt32(f,true)|w.getInt32(n-4,true);if(l>8)b|=w.getInt32(f+4,true);if(l>12)b|=d.bitsOf(f+8,n-4)';
  const cut = `if((b&0x80808080)===0)${v}=d.window.slice(a,a+l);else ${call}`;
  const test = `let b;if(l>3){${bits}}else b=s[f]|s[f+1]|s[n-1];`;
  return `const l=t&31,f=p+1,n=f+l,a=f-d.windowStart;if(l>1&&a>=0&&n<=d.windowEnd){${test}${cut}}else ${call};p=n`;
}

function missAt(index: number): string {
  return `return miss(d,owed,${index},[${Array.from({ length: index }, (_, i) => `v${i}`).join()}])`;
}

/**
 * Returns code for one entry of a map with many fields. The code is short, because engines compile long functions late.
 */
function largeEntry({ places, program, count }: MapShape, index: number): string {
  const place = places[index] as number;
  const test = `if(!d.isName(program,${place},d.offset)){${missAt(index)}}`;
  return `${test}d.offset+=${program[place]};const v${index}=d.element(owed+${2 * (count - 1 - index)});`;
}

/** Returns code that tests whether the bytes at p differ from the name. */
function isOther({ places, program }: MapShape, index: number): string {
  const place = places[index] as number;
  const length = program[place] as number;
  const tests: string[] = [];
  if (length < 4) {
    for (let at = 0; at < length; at++) tests.push(`s[p+${at}]!==${program[place + 1 + at]}`);
  } else {
    for (let at = 0, word = place + 1; at < length; at += 4, word++) {
      tests.push(`w.getInt32(p+${Math.min(at, length - 4)},true)!==${program[word]}`);
    }
  }
  return tests.join('||');
}

/**
 * Returns code that makes the object. A literal defines own properties whatever their names are. Only `__proto__` must
 * be a computed name, which is slower.
 */
function result(names: readonly string[], isLarge: boolean): string {
  const properties = names.map((name, index) => {
    const text = textOf(name);
    return `${name === '__proto__' ? `[${text}]` : text}:v${index}`;
  });
  return `${isLarge ? '' : 'd.offset=p;'}return{${properties.join()}}`;
}

/**
 * Returns a name as a string literal: its JSON, with two line separators escaped, because older engines don't allow
 * them in literals.
 */
function textOf(name: string): string {
  return JSON.stringify(name).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
