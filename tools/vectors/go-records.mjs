// What msgpackr writes with records, inline and shared, for the tests of the Go library:
// go/testdata/records/msgpackr.jsonl, one case in a line. Run it to write the file again. The vectors hold more inline
// cases; those here are values that Go structs can be made of.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Packr as Packr2, Unpackr as Unpackr2 } from 'msgpackr';
import { Packr as Packr1, Unpackr as Unpackr1 } from 'msgpackr-1.11';

/** @typedef {{name: string, writer: string, shapes: string[][] | null, value: unknown, bytes: string}} Line */

export const VERSIONS = [
  { writer: 'msgpackr-2.1.3', Packr: Packr2, Unpackr: Unpackr2 },
  { writer: 'msgpackr-1.11.12', Packr: Packr1, Unpackr: Unpackr1 },
];

export const FILE = fileURLToPath(new URL('../../go/testdata/records/msgpackr.jsonl', import.meta.url));

/** @param {number} count @param {(index: number) => unknown} element */
const list = (count, element) => Array.from({ length: count }, (_, index) => element(index));

/** @param {number} number */
const shape = (number) => (number % 3 === 0 ? [`f${number}`] : [`f${number}`, `g${number % 5}`]);

/** The object with shape `number`. @param {number} number @param {unknown} value */
const row = (number, value) => Object.fromEntries(shape(number).map((name) => [name, value]));

// biome-ignore format: a table
/** @type {[string, unknown][]} */
const INLINE = [
  ['one', { foo: 4, bar: 2 }],
  ['rows', list(100, (index) => ({ id: index, name: `n${index}`, ok: index % 2 === 0 }))],
  ['nested', { a: { b: { c: 1 } }, d: { b: { c: 2 } } }],
  ['same shape in itself', { a: { a: { a: 1 } } }],
  ['arrays of records in records', { rows: [{ cells: [{ v: 1 }, { v: 2 }] }, { cells: [{ v: 3 }] }], total: 2 }],
  ['left out', [{ a: 1 }, { a: 1, b: 2 }, { b: 2 }, { a: 1, b: 2, c: 3 }, { a: 3 }, { b: 4 }]],
  ['other order', [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 3, b: 4 }]],
  ['ints', list(140, (index) => ({ n: index }))],
  ['wide ints', { a: 255, b: 256, c: 65_535, d: 65_536, e: 4_294_967_295, f: -1, g: -33, h: -129, i: -32_769 }],
  ['scalars', [{ a: null, b: true, c: 0.5, d: 'text', e: 'x'.repeat(40) }, 64, 'é', -1, { a: 1, b: 2, c: 3, d: 4, e: 5 }]],
  ['names', { 'é': 1, '€uro': 2, ['n'.repeat(40)]: 3 }],
  ['20 names', list(2, () => Object.fromEntries(list(20, (index) => [`f${index}`, index]).map((entry) => /** @type {[string, unknown]} */ (entry))))],
  ['40 shapes', list(80, (index) => row(index % 40, index))],
  ['64 shapes', list(128, (index) => row(index % 64, index))],
  ['65 shapes', list(130, (index) => row(index % 65, index))],
  ['100 shapes', list(300, (index) => row((index * 7) % 100, { inner: row(index % 9, index) }))],
];

/** How many shapes the dictionaries have. */
const SIZES = [1, 32, 33, 40, 64, 100];

/**
 * Messages for a dictionary of that many shapes.
 *
 * @param {number} size @returns {[string, unknown][]}
 */
const shared = (size) => [
  ['known', list(2 * size, (index) => row((index * 11) % size, index))],
  ['one unknown', [row(0, 1), { unknown: row(size - 1, 2) }, { unknown: 3 }, 64]],
  ['many unknown', list(150, (index) => row((index * 17) % (size + 45), [index, row(size + (index % 3), index)]))],
];

/**
 * The options with which msgpackr keeps to the ids that spec/05 has a writer use.
 *
 * @param {string[][]} shapes
 */
export function sharedOptions(shapes) {
  const few = shapes.length <= 32;
  return {
    structures: structuredClone(shapes),
    maxSharedStructures: few ? shapes.length : Math.max(64, shapes.length),
    maxOwnStructures: few ? 64 - shapes.length : Math.min(32, shapes.length - 32),
    shouldShareStructure: () => false,
  };
}

/**
 * Makes one line for each different way of writing a value.
 *
 * @param {string} name @param {string[][] | null} shapes @param {unknown} value
 * @param {(version: typeof VERSIONS[number]) => Uint8Array} write
 * @returns {Line[]}
 */
function linesOf(name, shapes, value, write) {
  /** @type {Line[]} */
  const lines = [];
  for (const version of VERSIONS) {
    const bytes = Buffer.from(write(version)).toString('hex');
    const same = lines.find((line) => line.bytes === bytes);
    if (same) same.writer += ` ${version.writer}`;
    else lines.push({ name, writer: version.writer, shapes, value, bytes });
  }
  return lines;
}

/** A msgpackr that fills the dictionary itself, as it does by default: what it wrote, and with which shapes. */
function grown() {
  /** @type {Line[]} */
  const lines = [];
  for (const [limit, count] of /** @type {const} */ ([
    [32, 1],
    [32, 32],
    [64, 40],
    [128, 100],
  ])) {
    const value = list(2 * count, (index) => row(index % count, index));
    /** @type {string[][]} */
    let saved = [];
    const write = (/** @type {typeof VERSIONS[number]} */ { Packr }) => {
      saved = [];
      const packr = new Packr({
        getStructures: () => structuredClone(saved),
        saveStructures: (/** @type {string[][]} */ structures) => {
          saved = structures.map((names) => Array.from(names));
          return true;
        },
        maxSharedStructures: limit,
      });
      return packr.pack(value);
    };
    const made = linesOf(`grown to ${count}`, null, value, write);
    for (const line of made) lines.push({ ...line, shapes: saved });
  }
  return lines;
}

/** @returns {Line[]} */
export function lines() {
  const inline = INLINE.flatMap(([name, value]) =>
    linesOf(`inline: ${name}`, null, value, ({ Packr }) => new Packr({}).pack(value)),
  );
  const dictionaries = SIZES.flatMap((size) => {
    const shapes = list(size, shape);
    return shared(size).flatMap(([name, value]) =>
      linesOf(`${size} shapes: ${name}`, /** @type {string[][]} */ (shapes), value, ({ Packr }) =>
        new Packr(sharedOptions(/** @type {string[][]} */ (shapes))).pack(value),
      ),
    );
  });
  return [...inline, ...dictionaries, ...grown()];
}

/** @param {Line[]} all */
export const textOf = (all) => all.map((line) => `${JSON.stringify(line)}\n`).join('');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, textOf(lines()));
