// Structured cloning (spec/03#structured-cloning): what is the same stays the same, in graphs of any form, in streams
// and in nested calls.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as newer from 'msgpackr';
import * as older from 'msgpackr-1.11';
import { Packr, packInto, StreamDecoder, Unpackr } from 'polypack';
import { assertFault } from '../_check.ts';
import { runs } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { cloned, packr, plain, type Ring, ring, Tree, tree } from './_clone.ts';

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

test('labels and pointers may have a head of any length, also several labels before one value', () => {
  const heads = ['d6', 'c7 04', 'c8 00 04', 'c9 00 00 00 04'];
  const label = (head: string, number: number) => `${head} 69 00*3 0${number}`;
  const reader = new Unpackr({ structuredClone: true });
  const messages = heads.flatMap((first) =>
    heads.flatMap((second) =>
      heads.map((third) => {
        const labels = label(first, 1) + label(second, 2) + label(third, 3);
        return bytesOf(`94 ${labels} 90 ${first} 70 00*3 01 ${second} 70 00*3 02 ${third} 70 00*3 03`);
      }),
    ),
  );
  for (const bytes of messages) {
    const [array, ...others] = reader.unpack<unknown[]>(bytes);
    assert.deepEqual(array, []);
    assert.ok(others.every((one) => one === array));
    const stream = new StreamDecoder({ structuredClone: true });
    const read = [...bytes].flatMap((byte) => stream.push(Uint8Array.of(byte)));
    assert.deepEqual([read, stream.error], [[[[], [], [], []]], null]);
    for (let length = 1; length < bytes.length; length++) {
      assertFault(() => reader.unpack(bytes.subarray(0, length)), { code: 'unexpected_end' }, `${length} bytes`);
    }
  }
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
