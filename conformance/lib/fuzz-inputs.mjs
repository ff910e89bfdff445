// Inputs for the fuzzer: random values written with random heads, then broken in small ways.
//
// Plan of the file: what an input is · one input from a seed · random values · writing them · breaking them.
//
// An input depends on the seed, its number and the corpus alone, so that a finding can be made again. Values
// are made first and written afterwards, so that one value can be written twice in different ways: equal
// keys with different bytes.

import { fingerprint, sharedIds } from '../../tools/vectors/judge.mjs';
import { pickFrom, randomFrom } from '../../tools/vectors/random.mjs';

/**
 * @typedef {import('../../tools/vectors/random.mjs').Random} Random
 * @typedef {{maxDepth?: number, maxValues?: number, maxBytes?: number}} Limits
 *
 * @typedef {{dictionary: import('../../tools/vectors/judge.mjs').Dictionary, header?: boolean}} Shared
 *
 * @typedef {object} Input
 * @property {number[]} bytes
 * @property {'off' | 'inline' | 'shared'} records
 * @property {Shared} [shared] with records `shared`
 * @property {Limits} limits
 * @property {number[]} cuts where a stream of these bytes is cut, ascending
 *
 * @typedef {Pick<Input, 'bytes' | 'records' | 'shared' | 'limits'>} Seed an input of the corpus
 *
 * @typedef {{kind: 'raw', bytes: number[]} | {kind: 'int', value: bigint} | {kind: 'text', bytes: number[]}
 *   | {kind: 'bin', bytes: number[]} | {kind: 'ext', type: number, bytes: number[]}
 *   | {kind: 'array', elements: Tree[]} | {kind: 'map', entries: [Tree, Tree][]}} Tree a value to be written
 */

const MAX_BYTES = 2000;

/** Shapes of the names that random maps have, in dictionaries without pairs, with them, and without shapes. */
const SHAPES = [['a'], [], null, ['b', 'a'], ['a', 'b'], ['constructor'], ['0', 'a'], ['\0'], ['a', 'aa', 'é']];
const DICTIONARIES = [SHAPES, [...SHAPES, ...Array(26).fill(null), ['b'], ['aa'], null, ['', '~']], []];

/**
 * Makes the input of a number.
 *
 * @param {number} seed
 * @param {number} index
 * @param {Seed[]} corpus
 * @returns {Input}
 */
export function makeInput(seed, index, corpus) {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  for (let warm = 0; warm < 8; warm++) random(2); // the first numbers of neighbouring seeds are alike
  const fromCorpus = corpus.length > 0 && random(4) === 0;
  const { bytes, records, shared, limits } = fromCorpus ? pickFrom(random, corpus) : grow(random, index % 6 === 5);
  const mutations = fromCorpus ? 1 + random(3) : pickFrom(random, [0, 0, 0, 1, 1, 2]);
  let mutated = bytes;
  for (let count = 0; count < mutations; count++) mutated = mutate(random, mutated, corpus);
  mutated = mutated.slice(0, MAX_BYTES);
  const changed = fromCorpus && random(4) === 0;
  return {
    bytes: mutated,
    records: changed && records !== 'shared' ? pickFrom(random, ['off', 'inline']) : records,
    ...(shared !== undefined && { shared }),
    limits: changed ? randomLimits(random) : limits,
    cuts: randomCuts(random, mutated.length),
  };
}

/** @param {Random} random @param {boolean} isShared whether records are those of a dictionary @returns {Seed} */
function grow(random, isShared) {
  const plain = pickFrom(random, /** @type {const} */ (['off', 'inline', 'inline']));
  const records = isShared ? 'shared' : plain;
  const shared = isShared ? { dictionary: pickFrom(random, DICTIONARIES), header: random(3) === 0 } : undefined;
  const limits = randomLimits(random);
  const writer = new Writer(random, records !== 'off', shared);
  for (let messages = pickFrom(random, [1, 1, 1, 1, 1, 3]); messages > 0; messages--) {
    writer.startMessage();
    writer.write(new Grower(random, limits.maxDepth).message());
  }
  return { bytes: writer.bytes, records, ...(shared !== undefined && { shared }), limits };
}

/** @param {Random} random @returns {Limits} */
function randomLimits(random) {
  return {
    ...(random(4) === 0 && { maxDepth: 1 + random(8) }),
    ...(random(8) === 0 && { maxValues: 1 + random(40) }),
    ...(random(5) === 0 && { maxBytes: 1 + random(80) }),
  };
}

/** @param {Random} random @param {number} length */
function randomCuts(random, length) {
  const positions = Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1);
  const way = random(4);
  if (way === 0) return [];
  if (way === 1) return positions;
  const one = 1 + random(8);
  return positions.filter(() => random(one + 1) === 0);
}

// --- random values ---------------------------------------------------------------------------------------------------

const MANY = 40;

/** Powers of two, where heads and host types change; with neighbours and both signs. */
const EDGES = [0n, 5n, 6n, 7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n, 64n].map((power) => 2n ** power);

/** Names that languages treat in ways of their own, and ordinary ones. */
const NAMES = ['a', 'b', 'aa', '', '__proto__', 'constructor', '0', '1', '01', '-1', '7', '/', '~', '\0', '\0a', 'é'];

/** Pieces of text: ordinary, then at the edges of what UTF-8 may be, in hex. */
const PIECES = [
  '61',
  '62',
  'c3a9',
  'e282ac',
  'f0908d88',
  '00',
  'efbbbf',
  'efbfbf',
  'efbfbd',
  'c280',
  'f48fbfbf',
  'ed9fbf',
];
const NEAR_MISSES = [
  '80',
  'c080',
  'c1bf',
  'e08080',
  'eda080',
  'f4908080',
  'f0808080',
  'f888808080',
  'e282',
  'ff',
  'edbfbf',
];

/** Seconds around the bounds of the three forms, of Date, and of time.Time. */
const MOMENTS = [
  0n,
  2n ** 32n,
  2n ** 34n,
  -(2n ** 63n),
  2n ** 63n - 1n,
  8_640_000_000_000n,
  -8_640_000_000_000n,
  -62_135_596_800n,
  253_402_300_800n,
  -9_223_372_028_715_321_600n,
  9_223_371_974_719_179_007n,
];
const NANOSECONDS = [0, 0, 0, 1, 999_999, 1_000_000, 999_000_000, 999_999_999];
const TOO_MANY = [1_000_000_000, 0x3fff_ffff, 0xffff_ffff];

/** Makes random values. */
class Grower {
  /** @param {Random} random @param {number} [maxDepth] of the limits; towers end near it */
  constructor(random, maxDepth) {
    this.random = random;
    this.maxDepth = maxDepth;
    this.left = MANY;
    /** The names of maps, used again and again so that records have instances. @type {Tree[][]} */
    this.shapes = Array.from({ length: 3 }, () => Array.from({ length: random(4) }, () => this.name()));
  }

  message() {
    if (this.maxDepth !== undefined && this.random(3) === 0) return this.tower(this.maxDepth + this.random(4) - 2);
    return this.random(200) === 0 ? this.tower(510 + this.random(5)) : this.value(0);
  }

  /** Containers in containers. @param {number} depth @returns {Tree} */
  tower(depth) {
    if (depth <= 0) return this.value(3);
    const below = this.tower(depth - 1);
    const way = this.random(8);
    if (way === 0) return { kind: 'map', entries: [[below, this.scalar()]] };
    if (way < 3) return { kind: 'map', entries: [[this.name(), below]] };
    const shape = pickFrom(this.random, this.shapes);
    if (way === 3) return { kind: 'map', entries: shape.map((name, at) => [name, at === 0 ? below : this.scalar()]) };
    return { kind: 'array', elements: way === 4 ? [this.scalar(), below] : [below] };
  }

  /** @param {number} depth @returns {Tree} */
  value(depth) {
    if (this.left-- <= 0 || depth > 6 || this.random(8) < depth) return this.scalar();
    const count = pickFrom(this.random, [0, 1, 1, 2, 2, 3, 4, 16]);
    switch (this.random(4)) {
      case 0:
        return { kind: 'array', elements: Array.from({ length: count }, () => this.value(depth + 1)) };
      case 1:
        return { kind: 'map', entries: this.entries(count, depth) };
      case 2: {
        const shape = pickFrom(this.random, this.shapes);
        return { kind: 'map', entries: shape.map((name) => [name, this.value(depth + 1)]) };
      }
      default:
        return this.scalar();
    }
  }

  /** @param {number} count @param {number} depth @returns {[Tree, Tree][]} */
  entries(count, depth) {
    /** @type {Tree[]} */
    const keys = [];
    for (let index = 0; index < count; index++) {
      const again = index > 0 && this.random(25) === 0;
      keys.push(again ? pickFrom(this.random, keys) : this.key(depth));
    }
    return keys.map((key) => [key, this.value(depth + 1)]);
  }

  /** @param {number} depth @returns {Tree} */
  key(depth) {
    const way = this.random(10);
    if (way < 5) return this.name();
    return way < 7 ? this.int() : this.value(depth + 1);
  }

  /** @returns {Tree} */
  name() {
    return { kind: 'text', bytes: [...Buffer.from(pickFrom(this.random, NAMES), 'utf8')] };
  }

  /** @returns {Tree} */
  int() {
    if (this.random(3) > 0) return { kind: 'int', value: BigInt(this.random(200) - 40) };
    const near = pickFrom(this.random, EDGES) + BigInt(this.random(3) - 1);
    return { kind: 'int', value: this.random(2) === 0 ? near : -near };
  }

  /** @returns {Tree} */
  scalar() {
    const { random } = this;
    switch (random(9)) {
      case 0:
        return { kind: 'raw', bytes: [pickFrom(random, [0xc0, 0xc2, 0xc3])] };
      case 1:
        return { kind: 'raw', bytes: this.float() };
      case 2:
        return { kind: 'text', bytes: this.text() };
      case 3:
        return { kind: 'bin', bytes: this.noise(random(4)) };
      case 4:
        return this.timestamp();
      case 5:
        return this.ext();
      case 6:
        return random(12) === 0 ? { kind: 'raw', bytes: this.stray() } : this.name();
      default:
        return this.int();
    }
  }

  float() {
    const { random } = this;
    const number = pickFrom(random, [
      0,
      -0,
      1,
      1.5,
      -1,
      2 ** 53,
      2 ** 63,
      -(2 ** 63),
      2 ** 64,
      Infinity,
      NaN,
      0.1,
      5e-324,
    ]);
    const bytes = Buffer.alloc(9);
    if (random(2) === 0) {
      bytes[0] = 0xca;
      bytes.writeFloatBE(number, 1);
      if (Number.isNaN(number)) bytes.writeUInt32BE(pickFrom(random, [0x7f800001, 0xffc00000, 0x7fffffff]), 1);
      return [...bytes.subarray(0, 5)];
    }
    bytes[0] = 0xcb;
    bytes.writeDoubleBE(number, 1);
    if (Number.isNaN(number)) bytes.writeUInt16BE(pickFrom(random, [0x7ff8, 0xfff8, 0x7ff4]), 1);
    return [...bytes];
  }

  text() {
    const { random } = this;
    const pieces = Array.from({ length: pickFrom(random, [0, 1, 2, 3, 5, 31, 32, 33]) }, () =>
      pickFrom(random, PIECES),
    );
    if (random(25) === 0) pieces.splice(random(pieces.length + 1), 0, pickFrom(random, NEAR_MISSES));
    return [...Buffer.from(pieces.join(''), 'hex')];
  }

  /** @param {number} length */
  noise(length) {
    return Array.from({ length }, () => pickFrom(this.random, [0, 1, 0x40, 0x60, 0x72, 0x7f, 0x80, 0xc1, 0xff]));
  }

  /** @returns {Tree} */
  timestamp() {
    const { random } = this;
    const seconds = pickFrom(random, MOMENTS) + BigInt(random(3) - 1);
    const nanoseconds = BigInt(pickFrom(random, random(20) === 0 ? TOO_MANY : NANOSECONDS));
    const [width, bits] = pickFrom(random, [
      [4, seconds],
      [8, (nanoseconds << 34n) | BigInt.asUintN(34, seconds)],
      [12, (nanoseconds << 64n) | BigInt.asUintN(64, seconds)],
      [12, (nanoseconds << 64n) | BigInt.asUintN(64, seconds)],
    ]);
    return { kind: 'ext', type: -1, bytes: bigEndian(bits, Number(width)) };
  }

  /** @returns {Tree} */
  ext() {
    const { random } = this;
    const type = pickFrom(random, [0, 0, 1, 5, 5, 0x72, -2, -128, 127, random(8) === 0 ? -1 : 7]);
    const length = pickFrom(random, [0, 1, 1, 2, 3, 4, 5, 8, 12, 16, 17]);
    return { kind: 'ext', type, bytes: random(3) === 0 ? Array(length).fill(0) : this.noise(length) };
  }

  /** What may be an instance, or may begin a declaration. */
  stray() {
    const { random } = this;
    const id = 0x40 + random(0x40);
    return pickFrom(random, [[id], [id, random(256)], [0xd4, 0x72, id], [0xd5, 0x72, id, random(256)], [0xc1]]);
  }
}

/** @param {bigint} number @param {number} width bytes */
function bigEndian(number, width) {
  const hex = BigInt.asUintN(8 * width, number).toString(16);
  return [...Buffer.from(hex.padStart(2 * width, '0'), 'hex')];
}

// --- writing ---------------------------------------------------------------------------------------------------------

/** The forms of an int: head byte, bytes, least and greatest value. @type {[number, number, bigint, bigint][]} */
const INT_FORMS = [1, 2, 4, 8].flatMap((width, index) => {
  const bits = BigInt(8 * width);
  return [
    [0xcc + index, width, 0n, 2n ** bits - 1n],
    [0xd0 + index, width, -(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n],
  ];
});

/** Writes values with heads that are not always the shortest, and maps as records where those are read. */
class Writer {
  /** @type {number[]} */
  bytes = [];
  /** Names that are declared, as one text, by id. @type {Map<string, string>} */
  declared = new Map();

  /** @param {Random} random @param {boolean} records @param {Shared} [shared] */
  constructor(random, records, shared) {
    this.random = random;
    this.records = records;
    this.shared = shared;
  }

  startMessage() {
    this.declared.clear();
    if (this.shared === undefined) return;
    const { dictionary, header } = this.shared;
    for (const { id, names } of sharedIds(dictionary)) {
      const trees = names.map((name) => ({ kind: 'text', bytes: [...Buffer.from(name)] }));
      this.declared.set(id.join(','), JSON.stringify(trees));
    }
    if (!header || this.random(3) === 0) return;
    const start = this.random(4) > 0 ? dictionary : dictionary.slice(0, this.random(dictionary.length + 1));
    this.bytes.push(0xc1, 0x50, ...Buffer.from(fingerprint(start), 'hex'));
  }

  /** @param {Tree} tree */
  write(tree) {
    switch (tree.kind) {
      case 'raw':
        this.bytes.push(...tree.bytes);
        break;
      case 'int':
        this.int(tree.value);
        break;
      case 'text':
        this.head(tree.bytes.length, 0xa0, 31, [0xd9, 0xda, 0xdb]);
        this.bytes.push(...tree.bytes);
        break;
      case 'bin':
        this.head(tree.bytes.length, 0, -1, [0xc4, 0xc5, 0xc6]);
        this.bytes.push(...tree.bytes);
        break;
      case 'ext':
        this.ext(tree.type, tree.bytes);
        break;
      case 'array':
        this.head(tree.elements.length, 0x90, 15, [null, 0xdc, 0xdd]);
        for (const element of tree.elements) this.write(element);
        break;
      case 'map':
        this.map(tree.entries);
    }
  }

  /** @param {bigint} value */
  int(value) {
    const isFix = value >= -32n && value <= 127n;
    const forms = INT_FORMS.filter(([, , least, greatest]) => value >= least && value <= greatest);
    if (isFix && (forms.length === 0 || this.random(3) > 0)) return this.bytes.push(Number(BigInt.asUintN(8, value)));
    const [head, width] = pickFrom(this.random, forms.length > 0 ? forms : INT_FORMS);
    return this.bytes.push(head, ...bigEndian(value, width));
  }

  /**
   * The head of a length or count, usually the shortest.
   *
   * @param {number} number
   * @param {number} fix head byte of the form that holds the number itself
   * @param {number} fixMax
   * @param {(number | null)[]} heads with 1, 2 and 4 bytes
   */
  head(number, fix, fixMax, heads) {
    const forms = heads.flatMap((head, index) => {
      const width = 2 ** index;
      return head !== null && number < 256 ** width ? [[head, ...bigEndian(BigInt(number), width)]] : [];
    });
    if (number <= fixMax) forms.unshift([fix + number]);
    this.bytes.push(...(this.random(4) > 0 ? (forms[0] ?? []) : pickFrom(this.random, forms)));
  }

  /** @param {number} type @param {number[]} data */
  ext(type, data) {
    const fixed = [1, 2, 4, 8, 16].indexOf(data.length);
    if (fixed >= 0 && this.random(4) > 0) this.bytes.push(0xd4 + fixed);
    else this.head(data.length, 0, -1, [0xc7, 0xc8, 0xc9]);
    this.bytes.push(type & 0xff, ...data);
  }

  /** @param {[Tree, Tree][]} entries */
  map(entries) {
    const names = entries.map(([key]) => key);
    if (this.records && this.random(4) > 0 && names.every(({ kind }) => kind === 'text')) {
      this.record(names);
      for (const [, value] of entries) this.write(value);
      return;
    }
    this.head(entries.length, 0x80, 15, [null, 0xde, 0xdf]);
    const start = this.random(3) === 0 ? this.random(entries.length + 1) : 0; // equal maps differ in their order, too
    for (const [key, value] of [...entries.slice(start), ...entries.slice(0, start)]) {
      this.write(key);
      this.write(value);
    }
  }

  /** An instance where the names are declared, usually; else a declaration. @param {Tree[]} names */
  record(names) {
    const text = JSON.stringify(names);
    const known = [...this.declared].find(([, declared]) => declared === text);
    if (known !== undefined && this.random(6) > 0) {
      const [id = 0, ...hi] = known[0].split(',').map(Number);
      // Seldom a pair that nobody declared.
      this.bytes.push(id, ...hi.map((byte) => (this.random(20) === 0 ? byte + 1 : byte)));
      return;
    }
    const id = this.random(3) === 0 ? [0x60 + this.random(3), this.random(3)] : [0x40 + this.random(0x40)];
    if (this.random(3) === 0) id[0] = 0x60 + this.random(3); // so that the two forms meet in one byte
    this.bytes.push(id.length === 1 ? 0xd4 : 0xd5, 0x72, ...id);
    this.head(names.length, 0x90, 15, [null, 0xdc, 0xdd]);
    for (const name of names) this.write(name);
    if (id.length === 1)
      for (const key of this.declared.keys()) if (key.startsWith(`${id[0]},`)) this.declared.delete(key);
    if (id.length === 2) this.declared.delete(`${id[0]}`);
    this.declared.set(id.join(','), text);
  }
}

// --- breaking --------------------------------------------------------------------------------------------------------

/** Head bytes that start something larger. */
const HEADS = [
  0xc1, 0x81, 0x91, 0x92, 0xa1, 0xc4, 0xc7, 0xca, 0xcf, 0xd4, 0xd5, 0xd6, 0xd9, 0xdc, 0xdd, 0xde, 0xdf, 0x40, 0x60,
];

/**
 * Breaks bytes in one small way.
 *
 * @param {Random} random
 * @param {number[]} bytes
 * @param {Seed[]} corpus
 * @returns {number[]}
 */
function mutate(random, bytes, corpus) {
  const at = random(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random(4));
  const old = bytes[at] ?? 0;
  const before = bytes.slice(0, at);
  const after = bytes.slice(at);
  const replaced = (/** @type {number} */ byte) => [...before, byte & 0xff, ...after.slice(1)];
  switch (random(10)) {
    case 0:
      return replaced(old ^ (1 << random(8)));
    case 1:
      return before;
    case 2:
      return [...before, 0xc1, ...after];
    case 3:
      return replaced(old + (random(2) === 0 ? 1 : -1)); // a count or a length that lies, if it is one
    case 4:
      return replaced(pickFrom(random, HEADS));
    case 5:
      return [...before, pickFrom(random, HEADS), ...after];
    case 6:
      return [...before, ...bytes.slice(end)];
    case 7:
      return [...before, ...bytes.slice(random(bytes.length + 1)).slice(0, 16), ...after];
    case 8: {
      const other = corpus.length > 0 ? pickFrom(random, corpus).bytes : bytes;
      return [...before, ...other.slice(random(other.length + 1)).slice(0, 32), ...bytes.slice(end)];
    }
    default:
      return [...before, random(256), ...after];
  }
}
