/**
 * The data set JSON cannot carry: every kind, every edge of the profile, from a fixed seed.
 *
 * Plan of the file: the generator · the random source · one function per feature.
 *
 * It is an array of rows {"row": n, "feature": name, "value": …}; the features take turns, so each is met with many
 * values and a trip that refuses one feature shows it row by row.
 */

import { Entries, Ext, Float, integer, Timestamp } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

const SEED = 0x9e3779b9;
const ROWS = 3000;
const DEEPEST = 510; // arrays inside the two containers of a row: together the 512 of spec/06-limits.md

/** @returns {Tree[]} the rows; the same ones on every call */
export function beyondJson() {
  const random = new Random(SEED);
  const features = Object.entries(FEATURES);
  return Array.from({ length: ROWS }, (_, row) => {
    const [name, make] = /** @type {(typeof features)[number]} */ (features[row % features.length]);
    const value = make(random, Math.floor(row / features.length));
    return map([
      ['row', row],
      ['feature', name],
      ['value', value],
    ]);
  });
}

/** @param {[Tree, Tree][]} entries */
function map(entries) {
  return new Entries(
    entries.map(([key]) => key),
    entries.map(([, value]) => value),
  );
}

/** xorshift32: enough for test data, and the same everywhere. */
class Random {
  /** @param {number} seed any number but 0 */
  constructor(seed) {
    this.state = seed | 0;
  }

  /** @returns {number} 0 … 2³²−1, but never 0 for the state */
  uint32() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state >>> 0;
  }

  /** @param {number} limit exclusive */
  below(limit) {
    return this.uint32() % limit;
  }

  uint64() {
    return (BigInt(this.uint32()) << 32n) | BigInt(this.uint32());
  }

  /** @param {number} length */
  bytes(length) {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /**
   * @template T
   * @param {readonly T[]} list of at least one element
   * @returns {T}
   */
  pick(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }
}

/**
 * Gives the edge cases first, one per turn, then random values.
 *
 * @template T
 * @param {readonly T[]} edges
 * @param {number} turn
 * @param {() => T} random
 * @returns {T}
 */
function edgeOr(edges, turn, random) {
  return turn < edges.length ? /** @type {T} */ (edges[turn]) : random();
}

const TEXTS = [
  '',
  'é',
  '日本語',
  '🙂',
  '\ufeffwith a byte order mark',
  'a\0b',
  '\uffff\ufdd0',
  'e\u0301',
  '\u2028',
  '~/',
];
const LENGTHS = [0, 1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 31, 32, 33, 255, 256, 257, 65_535, 65_536];

/** @type {Record<string, (random: Random, turn: number) => Tree>} */
const FEATURES = {
  'uint 64': (random, turn) =>
    integer(edgeOr([2n ** 64n - 1n, 2n ** 63n, 2n ** 63n - 1n, 2n ** 53n], turn, () => random.uint64())),
  'int 64': (random, turn) =>
    integer(
      edgeOr([-(2n ** 63n), -(2n ** 53n), -(2n ** 53n) - 1n, -(2n ** 31n) - 1n], turn, () => -(random.uint64() >> 1n)),
    ),
  'width of int': (random) => {
    const bits = BigInt(random.pick([5, 7, 8, 15, 16, 31, 32, 53]));
    const near = (1n << bits) + BigInt(random.below(5)) - 2n;
    return integer(random.below(2) === 0 ? near : -near);
  },
  float: (random, turn) =>
    new Float(
      edgeOr([5e-324, 1.7976931348623157e308, 0.1, 1e-7], turn, () => (random.uint32() - 2 ** 31) / 1024 + 0.1),
    ),
  'integral float': (random, turn) =>
    new Float(edgeOr([0, 1, -1, 2 ** 53, 2 ** 63, 2 ** 64, 1e21, -1e300], turn, () => random.below(1e6))),
  'float NaN, ∞ and −0': (_, turn) => new Float(/** @type {number} */ ([NaN, Infinity, -Infinity, -0][turn % 4])),
  'timestamp with nanoseconds': (random) =>
    new Timestamp(1_500_000_000n + BigInt(random.below(5e8)), 1 + random.below(999_999_999)),
  'timestamp before 1970': (random, turn) =>
    edgeOr(
      [new Timestamp(-1n, 999_999_999), new Timestamp(-1n, 0), new Timestamp(-62_135_596_801n, 1)],
      turn,
      () => new Timestamp(-BigInt(random.uint32()), random.below(1e9)),
    ),
  'timestamp far away': (random, turn) =>
    edgeOr(
      [
        new Timestamp(2n ** 63n - 1n, 999_999_999),
        new Timestamp(-(2n ** 63n), 0),
        new Timestamp(2n ** 34n, 0),
        new Timestamp(2n ** 34n - 1n, 999_999_999),
        new Timestamp(2n ** 32n, 0),
        new Timestamp(8_640_000_000_001n, 0),
      ],
      turn,
      () => new Timestamp((random.uint64() >> 1n) - (1n << 62n), random.below(1e9)),
    ),
  'timestamp in milliseconds': (random) => new Timestamp(BigInt(random.uint32()), random.below(1000) * 1_000_000),
  bin: (random, turn) => random.bytes(edgeOr(LENGTHS, turn, () => random.below(64))),
  'bin that is text': (random) => new TextEncoder().encode(random.pick(TEXTS)),
  str: (random, turn) =>
    edgeOr(
      LENGTHS.map((length) => 'x'.repeat(length)),
      turn,
      () => random.pick(TEXTS) + random.uint32(),
    ),
  'empty map beside empty array': () =>
    map([
      ['map', map([])],
      ['array', []],
      ['maps', [map([]), [], map([])]],
    ]), // prettier-ignore
  'int keys in order': (random) => map(Array.from({ length: 1 + random.below(5) }, (_, i) => [i, random.uint32()])),
  'int keys': (random, turn) =>
    map([
      [integer(edgeOr([2n ** 64n - 1n, -(2n ** 63n)], turn, () => random.uint64())), 'far'],
      [-1, 'below'],
      [7, null],
    ]),
  'numeric-string keys': (random) =>
    map(['10', '9', '0', '01', '-1', '-0', '1.0', '9223372036854775808'].map((key) => [key, random.uint32()])),
  'int and str key of one name': (random) =>
    map([
      [1, random.uint32()],
      ['1', 'text'],
      [new Float(1), true],
    ]), // prettier-ignore
  'other keys': (random, turn) =>
    map([
      [
        edgeOr(
          [null, true, false, undefined, new Float(NaN), new Float(-0)],
          turn,
          () => new Float(random.below(99) + 0.5),
        ),
        'scalar',
      ],
      [[1, ['a']], 'array'],
      [map([['k', turn]]), 'map'],
      [new Timestamp(BigInt(random.uint32()), 1), 'timestamp'],
      [new Ext(5, random.bytes(3)), 'ext'],
    ]),
  'bin keys': (random) =>
    map([
      [random.bytes(4), 'bytes'],
      [new TextEncoder().encode('a'), 'bin a'],
      ['a', 'str a'],
    ]),
  'names of the host': () =>
    map(
      ['__proto__', 'constructor', 'toString', 'length', '', '\0hidden', 'hasOwnProperty'].map((key) => [
        key,
        map([[key, 1]]),
      ]),
    ),
  undefined: () =>
    map([
      ['in a map', undefined],
      ['in an array', [undefined, null]],
    ]), // prettier-ignore
  ext: (random, turn) => {
    const types = [...Array(256).keys()].map((n) => n - 128).filter((type) => ![-1, 0, 0x72].includes(type));
    return new Ext(random.pick(types), random.bytes(edgeOr(LENGTHS, turn, () => random.below(40))));
  },
  'ext of a reserved type': (random) =>
    random.pick([new Ext(0, Uint8Array.of(1)), new Ext(0, new Uint8Array(0)), new Ext(0x72, Uint8Array.of(1, 2, 3))]),
  'wide and deep': (random, turn) => {
    if (turn === 0) return nest(DEEPEST);
    const count = edgeOr([0, 15, 16, 65_535, 65_536], turn - 1, () => random.below(40));
    return turn % 2 === 0
      ? Array.from({ length: count }, (_, i) => i % 100)
      : map(Array.from({ length: Math.min(count, 300) }, (_, i) => [`k${i}`, i])); // prettier-ignore
  },
};

/**
 * @param {number} depth arrays around a nil, at least 1
 * @returns {Tree}
 */
function nest(depth) {
  /** @type {Tree} */
  let value = null;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
