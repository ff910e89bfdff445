// Structured cloning (spec/03#structured-cloning): types are kept, bytes are those that msgpackr writes and reads, and
// registered classes come back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as newer from 'msgpackr';
import * as older from 'msgpackr-1.11';
import { addExtension, classExtension, Packr, Unpackr } from 'polypack';
import { assertFault } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { cloned, packr, ring, Tree, tree } from './_clone.ts';

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

test('moreTypes keeps types, and takes everything for different', () => {
  const types = new Packr({ moreTypes: true, regExps: true });
  const set = new Set([1]);
  assert.equal(hexOf(types.pack([set, set])), '92d473009101d473009101');
  assert.deepEqual(types.unpack(types.pack([set, /x/g, new Float32Array(2)])), [set, /x/g, new Float32Array(2)]);
  const references = new Packr({ structuredClone: true, moreTypes: false });
  assert.equal(hexOf(references.pack([set, set])), '92d669000000019101d67000000001');
});

// --- the same bytes as msgpackr --------------------------------------------------------------------------------------

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

function hasRing(value: unknown): boolean {
  try {
    new Packr({ moreTypes: true }).pack(value);
    return false;
  } catch {
    return true;
  }
}

// --- registered classes ----------------------------------------------------------------------------------------------

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
