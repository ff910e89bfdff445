// Structured cloning (spec/03-extensions.md#structured-cloning): what is the same stays the same, types are kept, bytes
// are those that msgpackr writes and reads, and hostile bytes cost nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as newer from 'msgpackr';
import * as older from 'msgpackr-1.11';
import {
  addExtension,
  classExtension,
  decodeElements,
  ExtData,
  get,
  Packr,
  packInto,
  Raw,
  StreamDecoder,
  Unpackr,
} from 'polypack';
import { assertFault } from '../_check.ts';
import { runs } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

const packr = new Packr({ structuredClone: true, regExps: true });
const plain = new Packr({ structuredClone: true, regExps: true, records: 'off' });

function cloned<T>(value: T, by = packr): T {
  return by.unpack<T>(by.pack(value));
}

interface Ring {
  readonly name: string;
  self?: unknown;
}

test('the example everybody knows', () => {
  const object: { set: Set<string>; regular: RegExp; self?: unknown } = {
    set: new Set(['a', 'b']),
    regular: /a\spattern/,
  };
  object.self = object;
  for (const by of [packr, plain]) {
    const copy = cloned(object, by);
    assert.equal(copy.self, copy);
    assert.ok(copy.set.has('a'));
    assert.deepEqual(copy.regular, /a\spattern/);
  }
});

test('objects that were the same are the same', () => {
  const shared = { a: 1 };
  const date = new Date(5);
  const copy = cloned({ list: [shared, { shared }, date, date], again: shared });
  assert.equal(copy.list[0], copy.again);
  assert.equal((copy.list[1] as { shared: unknown }).shared, copy.again);
  assert.equal(copy.list[2], copy.list[3]);
  const two = cloned([
    [1, 2],
    [1, 2],
  ]);
  assert.notEqual(two[0], two[1]);
});

test('every container may contain itself', () => {
  const object: Ring = { name: 'o' };
  object.self = object;
  const array: unknown[] = [1];
  array.push(array);
  const map = new Map<unknown, unknown>([[1, 2]]);
  map.set('m', map).set(map, 'key');
  const set = new Set<unknown>(['s']);
  set.add(set);
  const error = new Error('e');
  error.cause = [error];
  for (const by of [packr, plain]) {
    const ring = cloned(object, by);
    assert.equal(ring.self, ring);
    const list = cloned(array, by);
    assert.equal(list[1], list);
    const entries = cloned(map, by);
    assert.equal(entries.get('m'), entries);
    assert.equal(entries.get(entries), 'key');
    const elements = cloned(set, by);
    assert.ok(elements.has(elements) && elements.has('s') && elements.size === 2);
    const fault = cloned(error, by);
    assert.equal((fault.cause as unknown[])[0], fault);
  }
});

test('a map that turns out to have other keys cannot have been pointed to', () => {
  const map = new Map<unknown, unknown>([['first', 1]]);
  map.set('self', map).set(5, 5);
  const bytes = plain.pack(map);
  assertFault(() => plain.unpack(bytes), { code: 'unsupported_value', message: /another object/ });
  const maps = new Unpackr({ structuredClone: true, mapsAsObjects: false });
  const copy = maps.unpack<Map<unknown, unknown>>(bytes);
  assert.equal(copy.get('self'), copy);
  const late = new Map<unknown, unknown>([
    ['a', 1],
    [5, 5],
  ]);
  const [one, two] = cloned([late, late], plain);
  assert.equal(one, two);
  assert.deepEqual(one, late);
});

test('objects as keys are compared by what they are', () => {
  const key = { a: 1 };
  const map = new Map([
    [key, 1],
    [{ a: 1 }, 2],
  ]);
  const [copy, same] = cloned([map, key] as const);
  assert.equal(copy.size, 2);
  assert.equal(copy.get(same), 1);
});

const TYPED: readonly (readonly [string, () => ArrayBufferView])[] = [
  ['Int8Array', () => Int8Array.of(-1, 2)],
  ['Uint8Array', () => Uint8Array.of(1, 2)],
  ['Uint8ClampedArray', () => Uint8ClampedArray.of(1, 255)],
  ['Int16Array', () => Int16Array.of(-300, 2)],
  ['Uint16Array', () => Uint16Array.of(65_535)],
  ['Int32Array', () => Int32Array.of(-70_000, 1)],
  ['Uint32Array', () => Uint32Array.of(4_000_000_000)],
  ['Float32Array', () => Float32Array.of(1.5, -0)],
  ['Float64Array', () => Float64Array.of(0.1, Number.NaN)],
  ['BigInt64Array', () => BigInt64Array.of(-5n)],
  ['BigUint64Array', () => BigUint64Array.of(2n ** 63n)],
  ['DataView', () => new DataView(Uint8Array.of(1, 2, 3).buffer, 1)],
];

test('views and buffers keep their types and bytes', () => {
  for (const [name, make] of TYPED) {
    const copy = cloned([make(), 'after']);
    assert.deepEqual(copy, [make(), 'after'], name);
    assert.equal(copy[0]?.constructor.name, name);
  }
  assert.deepEqual(cloned(Uint8Array.of(1, 2).buffer), Uint8Array.of(1, 2).buffer);
  assert.deepEqual(cloned(new Float64Array(0)), new Float64Array(0));
  for (const length of [253, 254, 255, 65_534, 65_535, 65_536]) {
    assert.deepEqual(cloned(new Int8Array(length).fill(3)), new Int8Array(length).fill(3));
  }
  const part = new Uint16Array(Uint16Array.of(1, 2, 3, 4).buffer, 2, 2);
  assert.deepEqual(cloned(part), Uint16Array.of(2, 3));
  assert.equal(cloned(part).buffer.byteLength, 4);
});

test('views share a buffer that is whole in the message', () => {
  const buffer = new ArrayBuffer(16);
  const value = {
    before: new Int16Array(buffer, 2, 3),
    buffer,
    whole: new Uint8Array(buffer),
    again: buffer,
    view: new DataView(buffer, 8, 4),
  };
  for (const by of [packr, plain]) {
    const copy = cloned(value, by);
    assert.equal(copy.before.buffer, copy.buffer);
    assert.equal(copy.view.buffer, copy.buffer);
    assert.equal(copy.again, copy.buffer);
    copy.whole[2] = 7;
    assert.equal(copy.before[0], 7);
    assert.equal(copy.before.length, 3);
    assert.deepEqual([copy.view.byteOffset, copy.view.byteLength], [8, 4]);
  }
  const shared = new Uint8Array(buffer);
  const views = cloned([shared, new Float64Array(buffer), shared]);
  assert.equal(views[0], views[2]);
  assert.equal(views[0]?.buffer, views[1]?.buffer);
});

test('no byte is written that is in no value', () => {
  const pool = new Uint8Array(64).fill(0x55);
  const views = [new Uint8Array(pool.buffer, 0, 2), new Uint8Array(pool.buffer, 32, 2)];
  const bytes = packr.pack(views);
  assert.equal(hexOf(bytes), '92c70374015555c70374015555');
  assert.deepEqual(packr.unpack(bytes), views);
  assert.equal(hexOf(packr.pack([Buffer.from('a'), Buffer.from('b')])), '92c40161c40162');
});

test('errors keep name, message, cause, code, and by option the stack', () => {
  class OddError extends Error {
    override name = 'OddError';
    code = 'E_ODD';
  }
  const odd = new OddError('why', { cause: new TypeError('because') });
  const copy = cloned(odd);
  assert.ok(copy instanceof Error);
  assert.deepEqual([copy.name, copy.message, copy.code], ['OddError', 'why', 'E_ODD']);
  assert.ok(copy.cause instanceof TypeError);
  assert.equal(copy.stack, 'OddError: why');
  const withStack = new Packr({ structuredClone: true, errorStack: true });
  assert.equal(withStack.unpack<Error>(withStack.pack(odd)).stack, odd.stack);
  for (const Class of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    const one = cloned(new Class('m'));
    assert.equal(Object.getPrototypeOf(one), Class.prototype);
    assert.equal(Object.hasOwn(one, 'cause'), false);
    assert.deepEqual(Object.keys(one), []);
  }
  const many = cloned(new AggregateError([new Error('a'), 5], 'm'));
  assert.ok(many instanceof AggregateError);
  assert.ok(many.errors[0] instanceof Error);
  assert.equal(many.errors[1], 5);
});

test('holes stay holes, and other readers see undefined', () => {
  const holes: unknown[] = [1];
  holes[2] = undefined;
  holes.length = 4;
  const bytes = packr.pack(holes);
  assert.equal(hexOf(bytes), '9401d40001d40000d40001');
  const copy = packr.unpack<unknown[]>(bytes);
  assert.deepEqual(Object.keys(copy), ['0', '2']);
  assert.equal(copy.length, 4);
  assert.deepEqual(newer.unpack(bytes), [1, undefined, undefined, undefined]);
  const long: unknown[] = [];
  long[3000] = 'end';
  assert.deepEqual(cloned(long), long);
  assert.equal(Object.keys(cloned(long)).length, 1);
});

test('bigints of any size', () => {
  for (const number of [
    2n ** 64n,
    -(2n ** 63n) - 1n,
    2n ** 127n,
    2n ** 128n,
    -(2n ** 127n),
    -(2n ** 128n),
    7n ** 9000n,
  ]) {
    assert.equal(cloned(number), number);
    assert.equal(cloned(-number), -number);
  }
  const only = new Packr({ useBigIntExtension: true });
  assert.equal(only.unpack(only.pack(2n ** 70n)), 2n ** 70n);
  assert.equal(hexOf(only.pack(new Set([1]))), '9101');
});

test('bigints of 64 bits stay bigints, and numbers numbers', () => {
  const value = [5n, -5n, 0n, 2n ** 40n, -(2n ** 40n), 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 2n ** 64n - 1n];
  const numbers = value.map(Number);
  for (const options of [{ structuredClone: true }, { moreTypes: true }, { structuredClone: true, useFloat32: true }]) {
    assert.deepEqual(cloned([value, numbers], new Packr(options)), [value, numbers]);
  }
  const peer = new newer.Packr({ structuredClone: true });
  assert.deepEqual(peer.unpack(packr.pack([value, numbers])), [value, numbers]);
  assert.deepEqual(packr.unpack(peer.pack([value, numbers])), [value, numbers]);
});

test('a uint 64 in a clone goes by its value, and so do keys and int64AsType', () => {
  assert.equal(packr.unpack(bytesOf('cf 00 00 01 00 00 00 00 00')), 2 ** 40);
  assert.equal(packr.unpack(bytesOf('cf 80 00 00 00 00 00 00 00')), 2n ** 63n);
  assert.deepEqual(cloned(new Map([[5n, 5n]])), new Map([[5, 5n]]));
  assert.deepEqual(new Unpackr({ moreTypes: true, int64AsType: 'number' }).unpack(packr.pack([5n])), [5]);
  assert.deepEqual(new Unpackr({ moreTypes: true, int64AsType: 'string' }).unpack(packr.pack([2n ** 40n])), [
    '1099511627776',
  ]);
  for (const options of [{ moreTypes: true }, { structuredClone: true }]) {
    const strict = new Packr({ ...options, mode: 'strict' });
    for (const keys of [
      [5, 5n],
      [2 ** 40, 2n ** 40n],
    ]) {
      const map = new Map(keys.map((key) => [key, 1]));
      assertFault(() => strict.pack(map), { code: 'duplicate_key', offset: null });
      assertFault(() => strict.pack(new Map([[map, 1]])), { code: 'duplicate_key', offset: null });
    }
  }
});

test('in a strict clone, objects that look alike are different keys', () => {
  const strict = new Packr({ structuredClone: true, mode: 'strict' });
  const shared = [1];
  const map = new Map<unknown, unknown>([
    [shared, 1],
    [[1], 2],
    ['shared', shared],
  ]);
  const copy = cloned(map, strict);
  assert.deepEqual(copy, map);
  const [first, second] = copy.keys();
  assert.equal(copy.get('shared'), first);
  assert.notEqual(first, second);
});

test('moreTypes keeps types, and takes everything for different', () => {
  const types = new Packr({ moreTypes: true, regExps: true });
  const set = new Set([1]);
  assert.equal(hexOf(types.pack([set, set])), '92d473009101d473009101');
  assert.deepEqual(types.unpack(types.pack([set, /x/g, new Float32Array(2)])), [set, /x/g, new Float32Array(2)]);
  const references = new Packr({ structuredClone: true, moreTypes: false });
  assert.equal(hexOf(references.pack([set, set])), '92d669000000019101d67000000001');
});

/** Whether two graphs have the same form; `twins` are the objects of the one that stand for those of the other. */
function areAlike(left: unknown, right: unknown, twins: Map<unknown, unknown>): boolean {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return left === right;
  if (twins.has(left) || twins.has(right)) return twins.get(left) === right && twins.get(right) === left;
  twins.set(left, right).set(right, left);
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  const parts = partsOf(left);
  const others = partsOf(right);
  return parts.length === others.length && parts.every((part, index) => areAlike(part, others[index], twins));
}

function partsOf(value: object): unknown[] {
  if (value instanceof Map) return [...value].flat();
  if (value instanceof Set || Array.isArray(value)) return [...value];
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (value instanceof Date || value instanceof RegExp) return [String(value)];
  return Object.entries(value).flat();
}

/** A graph of containers that refer to each other at random. */
function randomGraph(random: () => number): unknown {
  const pick = (count: number) => Math.floor(random() * count);
  const nodes = Array.from({ length: 2 + pick(10) }, () => [{}, [], new Map(), new Set()][pick(4)] as object);
  const leaves = [
    new Date(pick(1e9)),
    /le(af)?/giu,
    Int16Array.of(1, 2),
    new DataView(new ArrayBuffer(3)),
    'text',
    2n ** 80n,
  ];
  const any = () => (pick(3) === 0 ? leaves[pick(leaves.length)] : nodes[pick(nodes.length)]);
  for (const node of nodes) {
    for (let count = pick(5); count > 0; count--) {
      if (Array.isArray(node)) node.push(any());
      else if (node instanceof Map) node.set(any(), any());
      else if (node instanceof Set) node.add(any());
      else Object.assign(node, { [`name ${pick(4)}`]: any() });
    }
  }
  return nodes;
}

test('graphs of any form come back, and are written the same again', () => {
  let state = 20_251_121;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
  const codecs = [packr, new Packr({ structuredClone: true, regExps: true, records: 'off', mapsAsObjects: false })];
  for (let run = 0; run < runs(300); run++) {
    const graph = randomGraph(random);
    const bytes = packr.pack(graph);
    const copy = packr.unpack(bytes);
    assert.ok(areAlike(copy, graph, new Map()), hexOf(bytes));
    for (const codec of codecs) {
      const first = codec.pack(graph);
      const again = codec.pack(codec.unpack(first));
      if (codec === packr) assert.equal(hexOf(again), hexOf(first));
    }
    const peer = new newer.Packr({ structuredClone: true });
    assert.equal(hexOf(new Uint8Array(peer.pack(graph))), hexOf(bytes));
  }
});

// --- the same bytes as msgpackr --------------------------------------------------------------------------------------

function ring(): Ring {
  const object: Ring = { name: 'o' };
  object.self = object;
  return object;
}

const SAME: readonly (() => unknown)[] = [
  ...TYPED.map(([, make]) => make),
  () => [new Set([1, 'a']), new Set()],
  () => [/a\sb/gi, /x/],
  () => new TypeError('bad'),
  () => new Error('m', { cause: { a: [1] } }),
  ring,
  () => [ring(), ring()],
  () => {
    const [a, b] = [{ x: 1 }, { y: [2] }];
    return [a, b, b, a, { a, b }];
  },
  () => {
    const list: unknown[] = [1];
    list.push(list, new Map<unknown, unknown>([['k', list]]));
    return list;
  },
  () => {
    const shared = [new Date(0), /r/, new Error('e'), new Float64Array(2), new Set([3])];
    return [shared, ...shared];
  },
  () => {
    const key = [1];
    return new Map([[key, key]]);
  },
  () => Uint8Array.of(1, 2).buffer,
  () => [2n ** 64n, -(2n ** 63n) - 1n, 2n ** 70n, -(2n ** 1000n)],
  () => [new Int8Array(300), new Float64Array(9000)],
];

for (const [version, msgpackr] of Object.entries({ newer, older })) {
  test(`the bytes are those of the ${version} msgpackr, in both directions`, () => {
    for (const options of [
      { structuredClone: true },
      { structuredClone: true, useRecords: false, variableMapSize: true },
      { moreTypes: true },
    ]) {
      const ours = new Packr({ ...options, regExps: true });
      const theirs = new msgpackr.Packr(options);
      for (const make of SAME) {
        if (!('structuredClone' in options) && hasRing(make())) continue;
        const bytes = ours.pack(make());
        const peer = new Uint8Array(theirs.pack(make()));
        assert.equal(hexOf(bytes), hexOf(peer), String(make));
        const again = ours.unpack(peer);
        assert.equal(hexOf(ours.pack(again)), hexOf(peer), String(make));
      }
    }
  });
}

test('what toJSON returns has a label beside that of the object', () => {
  class Speaker {
    readonly words = { q: 1 };
    toJSON() {
      return this.words;
    }
  }
  const speaker = new Speaker();
  const value = [speaker, speaker, speaker.words, speaker.words];
  const bytes = packr.pack(value);
  for (const msgpackr of [newer, older]) {
    assert.equal(hexOf(new Uint8Array(new msgpackr.Packr({ structuredClone: true }).pack(value))), hexOf(bytes));
  }
  const copy = packr.unpack<unknown[]>(bytes);
  assert.ok(copy.every((one) => one === copy[0]));
});

function hasRing(value: unknown): boolean {
  try {
    new Packr({ moreTypes: true }).pack(value);
    return false;
  } catch {
    return true;
  }
}

// --- registered classes ----------------------------------------------------------------------------------------------

class Tree {
  parent: Tree | null = null;
  readonly children: Tree[] = [];
}

const tree = {
  Class: Tree,
  type: 20,
  write: ({ parent, children }: Tree) => [parent, children],
  create: () => new Tree(),
  read(value: unknown, instance = new Tree()) {
    const [parent, children] = value as [Tree | null, Tree[]];
    instance.parent = parent;
    instance.children.push(...children);
    return instance;
  },
};

test('instances of registered classes may contain themselves', () => {
  const root = new Tree();
  const child = new Tree();
  child.parent = root;
  root.children.push(child, child);
  const codec = new Packr({ structuredClone: true, extensions: [tree] });
  const copy = codec.unpack<Tree>(codec.pack(root));
  assert.ok(copy instanceof Tree);
  assert.equal(copy.children[0]?.parent, copy);
  assert.equal(copy.children[0], copy.children[1]);
  const { create: _, ...without } = tree;
  const unpackr = new Packr({ structuredClone: true, extensions: [without] });
  assertFault(() => unpackr.unpack(codec.pack(root)), { code: 'unsupported_value', message: /not made yet/ });
  assert.equal(unpackr.unpack<Tree[]>(unpackr.pack([child.parent.children.length])).length, 1);
});

test('write and read have the bytes of msgpackr', () => {
  class Wrapped {
    readonly inside: unknown;
    constructor(inside: unknown) {
      this.inside = inside;
    }
  }
  const definition = {
    Class: Wrapped,
    type: 31,
    write: ({ inside }: Wrapped) => inside,
    read: (inside: unknown) => new Wrapped(inside),
  };
  const codec = new Packr({ structuredClone: true, extensions: [definition] });
  const shared = { a: 1 };
  const value = [new Wrapped(shared), shared, new Wrapped([new Wrapped(0)])];
  const bytes = codec.pack(value);
  const copy = codec.unpack<[Wrapped, unknown]>(bytes);
  assert.deepEqual(copy, value);
  assert.equal(copy[0].inside, copy[1]);
  for (const msgpackr of [newer, older]) {
    msgpackr.addExtension(definition as never);
    const peer = new msgpackr.Packr({ structuredClone: true });
    assert.equal(hexOf(new Uint8Array(peer.pack(value))), hexOf(bytes));
    assert.deepEqual(peer.unpack(Buffer.from(bytes)), value);
  }
});

test('classExtension makes instances from their properties', () => {
  class Point {
    readonly x: number;
    next: unknown = null;
    constructor(x: number) {
      if (typeof x !== 'number') throw new TypeError('x must be a number');
      this.x = x;
    }
    get double(): number {
      return 2 * this.x;
    }
  }
  const point = new Point(4);
  point.next = [point];
  for (const options of [{}, { records: 'off' }, { records: 'off', mapsAsObjects: false }] as const) {
    const codec = new Packr({ structuredClone: true, ...options, extensions: [classExtension(Point, 7)] });
    const copy = codec.unpack<Point>(codec.pack(point));
    assert.ok(copy instanceof Point);
    assert.equal((copy.next as unknown[])[0], copy);
    assert.equal(copy.double, 8);
    // Without references, too.
    const simple = new Packr({ ...options, extensions: [classExtension(Point, 7)] });
    assert.deepEqual(simple.unpack(simple.pack(new Point(5))), new Point(5));
    for (const bytes of ['d4 07 00 05', 'd4 07 00 81 01 02', 'd4 07 00 c0']) {
      assertFault(() => codec.unpack(bytesOf(bytes)), { code: 'unsupported_value', offset: 0 });
    }
    const forged = codec.unpack<Point>(bytesOf('d4 07 00 81 a9 5f5f70726f746f5f5f 80'));
    assert.equal(Object.getPrototypeOf(forged), Point.prototype);
    // {"double": 5}: an own property, as the accessor of the class isn't asked.
    assert.equal(
      Object.getOwnPropertyDescriptor(codec.unpack(bytesOf('c7 09 07 81 a6 646f75626c65 05')), 'double')?.value,
      5,
    );
  }
});

test('an extension that fails to create or read is the cause', () => {
  const cause = new Error('mine');
  const failing = () => {
    throw cause;
  };
  const bytes = new Packr({ structuredClone: true, extensions: [tree] }).pack([new Tree()]);
  for (const definition of [
    { type: 20, read: failing },
    { type: 20, read: () => new Tree(), create: failing },
  ]) {
    const codec = new Unpackr({ structuredClone: true, extensions: [definition] });
    assert.equal(
      assertFault(() => codec.unpack(bytes), { code: 'unsupported_value', offset: 1, path: '/0' }).cause,
      cause,
    );
  }
  assert.throws(() => addExtension({ type: 5, unpack: () => 1, create: () => 1 }), TypeError);
});

// --- hostile bytes ---------------------------------------------------------------------------------------------------

test('nothing is decoded without being asked for', () => {
  const bytes = packr.pack([new Set([1]), /x/]);
  assert.throws(() => new Unpackr().unpack(bytes), { name: 'PolypackError' });
  assert.deepEqual(new Unpackr().unpack(packr.pack(new Float32Array(1))), new ExtData(0x74, bytesOf('07 00 00 00 00')));
  assert.deepEqual(
    new Unpackr({ moreTypes: true }).unpack(bytesOf('d6 70 00 00 00 01')),
    new ExtData(0x70, bytesOf('00 00 00 01')),
  );
});

test('what follows a prefix must be an array, not c1, which compat reads as undefined', () => {
  for (const content of ['c1 00 00 00 01 05', 'c1', '05', 'a0']) {
    const bytes = bytesOf(`d4 73 00 ${content}`);
    for (const options of [{ structuredClone: true }, { structuredClone: true, compat: 'msgpackr' as const }]) {
      assert.throws(() => new Unpackr(options).unpack(bytes), { name: 'PolypackError' }, content);
    }
  }
});

test('regular expressions of strangers are refused', () => {
  const bytes = bytesOf('92 07 d4 78 00 92 a1 61 a1 67');
  const refused = { code: 'unsupported_value', offset: 2, path: '/1', message: /regExps/ };
  for (const options of [{ moreTypes: true }, { structuredClone: true }, { structuredClone: true, regExps: false }]) {
    assertFault(() => new Unpackr(options).unpack(bytes), refused);
    assertFault(() => new Unpackr({ ...options, compat: 'msgpackr' }).unpack(bytes), refused);
    assertFault(() => new Unpackr({ ...options, mode: 'strict' }).unpack(bytes), refused);
    const stream = new StreamDecoder(options);
    stream.push(bytes);
    assertFault(() => stream.finish(), refused);
    if (!('structuredClone' in options)) assertFault(() => [...decodeElements([bytes], options)], refused);
    assert.deepEqual(new Unpackr({ ...options, regExps: true }).unpack(bytes), [7, /a/g]);
  }
  // The refusal is the first thing: nothing behind the prefix is read.
  assertFault(() => new Unpackr({ moreTypes: true }).unpack(bytesOf('d4 78 00 c1')), {
    ...refused,
    offset: 0,
    path: '',
  });
});

test('the patterns of a message are bounded together', () => {
  const pattern = (length: number) => new RegExp('a'.repeat(length));
  const codec = new Packr({ moreTypes: true, regExps: true });
  // A str of 1,021 bytes has a head of 3.
  const most = codec.pack(pattern(1021));
  assert.deepEqual(codec.unpack(most), pattern(1021));
  const fault = { code: 'limit_exceeded', message: /maxPatternBytes/ };
  assertFault(() => codec.unpack(codec.pack(pattern(1022))), { ...fault, offset: 0, path: '' });
  const several = [pattern(500), { b: pattern(500) }, pattern(20)];
  assertFault(() => codec.unpack(codec.pack(several)), { ...fault, path: '/2' });
  assertFault(() => [...decodeElements([codec.pack(several)], { moreTypes: true, regExps: true })], {
    ...fault,
    path: '/2',
  });
  const trusting = new Packr({ moreTypes: true, regExps: true, limits: { maxPatternBytes: 1026 } });
  assert.deepEqual(trusting.unpack(trusting.pack(several.slice(0, 2))), several.slice(0, 2));
  assertFault(() => trusting.unpack(trusting.pack(several)), fault);
  // The next message has a budget of its own, and inner messages have a part of this one.
  assert.deepEqual(codec.unpackMultiple(new Uint8Array([...most, ...most])).length, 2);
  const inner = { type: 9, read: (value: unknown) => value };
  const nesting = new Packr({ moreTypes: true, regExps: true, extensions: [inner] });
  const ext = (value: unknown) => new ExtData(9, codec.pack(value));
  assert.deepEqual(nesting.unpack(new Packr().pack([ext(pattern(1000))])), [pattern(1000)]);
  assertFault(() => nesting.unpack(new Packr().pack([ext(pattern(1000)), ext(pattern(30))])), {
    code: 'unsupported_value',
    path: '/1',
  });
  assert.throws(() => new Unpackr({ limits: { maxPatternBytes: 0 } }), RangeError);
});

test('errors are made without recording the stack of the decoder', () => {
  const bytes = plain.pack([new RangeError('r'), Object.assign(new Error('m'), { name: 'Mine' })]);
  const limits: unknown[] = [];
  const host = globalThis as { Error: ErrorConstructor };
  const original = Error;
  const before = Object.getOwnPropertyDescriptor(original, 'stackTraceLimit');
  const check = () => {
    const [range, mine] = plain.unpack<[RangeError, Error]>(bytes);
    assert.ok(range instanceof RangeError && mine.name === 'Mine');
    assert.equal(mine.stack, 'Mine: m');
  };
  check();
  if (before === undefined) return; // the engine knows no such limit
  try {
    host.Error = new Proxy(original, {
      construct(target, args) {
        limits.push(Reflect.get(target, 'stackTraceLimit'));
        return Reflect.construct(target, args) as object;
      },
    });
    check();
    assert.deepEqual(limits, [0]);
    assert.deepEqual(Object.getOwnPropertyDescriptor(original, 'stackTraceLimit'), before);
  } finally {
    host.Error = original;
  }
  const others: PropertyDescriptor[] = [
    { value: 5, writable: false },
    { get: () => 5, set: assert.fail },
  ];
  for (const descriptor of others) {
    Object.defineProperty(original, 'stackTraceLimit', { ...descriptor, configurable: true });
    try {
      check();
    } finally {
      Reflect.deleteProperty(original, 'stackTraceLimit');
      check();
      assert.equal('stackTraceLimit' in original, false);
      Object.defineProperty(original, 'stackTraceLimit', before);
    }
  }
});

test('malformed ext values are faults at their heads', () => {
  for (const [bytes, offset, path] of [
    ['91 d6 70 00 00 00 01', 1, '/0'],
    ['92 d6 69 00 00 00 01 01 d6 69 00 00 00 01 01', 8, '/1'],
    ['d6 69 00 00 00 01 c7 04 69 00 00 00 02 01', 6, ''],
    ['91 d4 73 00 80', 1, '/0'],
    ['91 d4 73 00 d4 73 00 90', 1, '/0'],
    ['d4 78 00 91 a1 78', 0, ''],
    ['d4 78 00 92 a1 78 01', 0, ''],
    ['d4 78 00 92 a1 28 a0', 0, ''],
    ['d4 78 00 92 a1 78 a2 67 67', 0, ''],
    ['d4 65 00 91 a1 78', 0, ''],
    ['d4 65 00 92 01 a1 78', 0, ''],
    ['d4 65 00 97 a0 a0 c0 c0 c0 c0 c0', 0, ''],
    ['91 d4 74 0c', 1, '/0'],
    ['d5 74 03 00', 0, ''],
    ['c7 00 74', 0, ''],
    ['d4 76 01 93 c0 00 00', 0, ''],
    ['d4 76 01 93 d5 74 10 00 00 02', 0, ''],
    ['d4 76 01 93 d5 74 10 00 ff 01', 0, ''],
    ['d4 76 03 93 c7 05 74 10 00 00 00 00 01 01', 0, ''],
    ['d4 76 63 93 d5 74 10 00 00 01', 0, ''],
    ['d6 69 00 00 00 01 d4 78 00 92 d6 70 00 00 00 01 a0', 10, '/0'],
  ] as const) {
    assertFault(() => packr.unpack(bytesOf(bytes)), { code: 'unsupported_value', offset, path }, bytes);
  }
  assertFault(() => packr.unpack(bytesOf('d4 73 00')), { code: 'unexpected_end', offset: 3 });
  assertFault(() => packr.unpack(bytesOf('d4 73 00 c1')), { code: 'reserved_byte', offset: 3 });
  assertFault(() => packr.unpack(bytesOf('d4 73 00 dd ff ff ff ff')), { code: 'unexpected_end', offset: 3 });
  assertFault(() => packr.unpack(bytesOf('92 d4 73 00 92 01 c1 02')), {
    code: 'reserved_byte',
    offset: 6,
    path: '/0/1',
  });
});

test('every prefix of a message is a fault, and no byte changed to another is anything else', () => {
  const buffer = new ArrayBuffer(4);
  const value = [ring(), new Set([1]), new Error('e', { cause: /x/ }), buffer, new Int8Array(buffer), [1, 2n ** 70n]];
  const bytes = packr.pack(value);
  for (let end = 0; end < bytes.length; end++) {
    assert.throws(() => packr.unpack(bytes, end), { name: 'PolypackError' }, `${end} bytes`);
  }
  for (let at = 0; at < bytes.length; at++) {
    for (const bits of [0x01, 0x10, 0x80, 0xff]) {
      const changed = bytes.slice();
      changed[at] = (bytes[at] as number) ^ bits;
      try {
        packr.unpack(changed);
      } catch (error) {
        assert.equal((error as Error).name, 'PolypackError');
      }
    }
  }
});

test('names are only names', () => {
  const forged = plain.unpack<Error>(bytesOf('d4 65 00 92 ab 636f6e7374727563746f72 a1 6d'));
  assert.equal(Object.getPrototypeOf(forged), Error.prototype);
  assert.equal(forged.name, 'constructor');
  const object = plain.unpack<object>(bytesOf('d6 69 00 00 00 01 81 a9 5f5f70726f746f5f5f d6 70 00 00 00 01'));
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.ok(Object.hasOwn(object, '__proto__'));
});

test('limits hold', () => {
  const shallow = new Packr({ structuredClone: true, limits: { maxDepth: 2 }, extensions: [tree] });
  assert.throws(() => shallow.unpack(bytesOf('d4 73 00 91 d4 73 00 91 d4 73 00 90')), { code: 'limit_exceeded' });
  assert.throws(() => shallow.pack(new Set([new Set([new Set()])])), { code: 'limit_exceeded', path: '/0/0' });
  const few = new Unpackr({ structuredClone: true, limits: { maxValues: 3 } });
  assert.throws(() => few.unpack(bytesOf('d4 73 00 93 01 02 03')), { code: 'limit_exceeded' });
  const nested = bytesOf('(d4 14 00)*20000 c0');
  const registered = new Unpackr({ structuredClone: true, extensions: [tree] });
  assert.throws(() => registered.unpack(nested), { code: 'limit_exceeded' });
  assert.throws(() => packr.unpack(bytesOf('(d6 69 00 00 00 01)*20000')), { code: 'unsupported_value' });
  assert.throws(() => packr.unpack(bytesOf('(d4 73 00 91)*20000')), { code: 'limit_exceeded' });
});

test('lazy reads refuse what they cannot know', () => {
  assert.throws(() => get(packr.pack([1]), '/0', packr), TypeError);
  assert.throws(() => new Raw(packr.pack([1]), { moreTypes: true }), TypeError);
});

test('strict mode refuses what would collapse', () => {
  const strict = new Unpackr({ structuredClone: true, mode: 'strict' });
  assertFault(() => strict.unpack(bytesOf('d4 73 00 92 01 01')), { code: 'duplicate_key', offset: 5, path: '/1' });
  assert.throws(() => new Packr({ structuredClone: true, mode: 'lossless' }), TypeError);
  assert.throws(() => new Packr({ moreTypes: true, mode: 'lossless' }), TypeError);
});

test('ext values that would mean something else are not written', () => {
  for (const [type, data] of [
    [0x73, '00'],
    [0x69, '00 00 00 01'],
    [0x70, '00 00 00 01'],
    [0x76, '05'],
    [0x00, '01'],
  ] as const) {
    assertFault(() => packr.pack([new ExtData(type, bytesOf(data))]), { code: 'unsupported_value', path: '/0' });
  }
  assert.equal(hexOf(packr.pack(new ExtData(0x73, bytesOf('01')))), 'd47301');
});

test('a stream finds the ends of messages', () => {
  const values = [ring(), [new Set([1]), new Set([[]])], new Error('e'), [tree.create(), 5]];
  const codec = new Packr({ structuredClone: true, extensions: [tree] });
  const bytes = Uint8Array.from(values.flatMap((value) => [...codec.pack(value)]));
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const decoder = new StreamDecoder({ structuredClone: true, records: 'inline', extensions: [tree] });
    const read: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...decoder.push(bytes.subarray(at, at + size)));
    decoder.finish();
    assert.equal(read.length, values.length);
    assert.deepEqual(read[1], values[1]);
    const [first] = read as [Ring];
    assert.equal(first.self, first);
  }
});

test('packInto and an ext inside an ext are complete, too', () => {
  const value = [ring(), new Set([1])];
  const target = new Uint8Array(100);
  const end = packInto(target, 5, value, packr);
  assert.equal(hexOf(target.subarray(5, end)), hexOf(packr.pack(value)));
  const exact = new Uint8Array(packr.pack(value).length);
  assert.equal(packInto(exact, 0, value, packr), exact.length);
  assert.throws(() => packInto(exact, 1, value, packr), RangeError);
  const types = new Packr({ moreTypes: true, extensions: [{ ...tree, write: () => [null, [new Set([1])]] }] });
  assert.deepEqual(types.unpack<Tree>(types.pack(new Tree())).children, [new Set([1])]);
});

test('an extension and toJSON may use the codec that is using them', () => {
  const shared = { a: 1 };
  class Packing {
    toJSON(): string {
      return hexOf(packr.pack([shared, shared]));
    }
  }
  const value = { list: [shared, new Packing(), shared] };
  const copy = cloned(value);
  assert.equal(copy.list[0], copy.list[2]);
  assert.deepEqual(packr.unpack(bytesOf(copy.list[1] as unknown as string)), [shared, shared]);
});

test('references stay what they are in rows whose shape is hot, as records and as maps', () => {
  type Row = { id: number; shared: object; own: { x: number[] }; self?: Row; list: unknown[] };
  const shared = { name: 'shared', of: [1, 2] };
  const rows = Array.from({ length: 150 }, (_, id): Row => {
    const list: unknown[] = [shared];
    list[2] = id;
    const row: Row = { id, shared, own: { x: [id] }, list };
    if (id % 3 === 0) row.self = row;
    return row;
  });
  for (const options of [{}, { records: 'off' }, { structures: [] }, { mapsAsObjects: true }] as const) {
    for (const generateCode of [true, false]) {
      const given = 'structures' in options ? { structures: [] as string[][] } : options;
      const packr = new Packr({ structuredClone: true, mapsAsObjects: true, ...given, generateCode });
      const bytes = packr.pack(rows);
      for (let round = 0; round < 4; round++) {
        const read = packr.unpack<Row[]>(bytes);
        assert.deepEqual(read, rows);
        for (const row of read) {
          assert.equal(row.shared, read[0]?.shared);
          assert.equal(row.list[0], row.shared);
          assert.equal(1 in row.list, false);
          assert.equal(row.self, row.id % 3 === 0 ? row : undefined);
        }
      }
    }
  }
});
