// The door polypack/msgpackr beside msgpackr itself: its names, bytes and habits.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as older from 'msgpackr-1.11';
import { ExtData, PolypackError } from 'polypack';
import type { Options } from 'polypack/msgpackr';
import * as door from 'polypack/msgpackr';

const VALUES: Record<string, unknown> = {
  row: { id: 1, name: 'Zoë', tags: ['a', '€'], inner: { x: 0.1, y: null }, on: true, at: new Date(1_500_000_000_000) },
  rows: Array.from({ length: 50 }, (_, id) => ({ id, name: `name ${id}`, more: id % 2 ? { a: id } : { b: [id] } })),
  bytes: { bin: Buffer.from([1, 2, 255]), empty: Buffer.alloc(0) },
  numbers: [0, -1, 127, 128, 65_536, 2 ** 32, 2 ** 53 - 1, 1.5, -0.25, 1e300, 2n ** 63n],
  texts: ['', 'short', 'x'.repeat(300), 'ünï'.repeat(40), '🚀'],
  nothing: [null, undefined, true, false, [], {}],
};

const OPTIONS: readonly Options[] = [
  {},
  { useRecords: false },
  { useRecords: true, variableMapSize: true },
  { structuredClone: true },
  { moreTypes: true },
  { bundleStrings: true },
  { bundleStrings: true, useRecords: false },
  { sequential: true },
  { useFloat32: 1 },
  { useRecords: false, encodeUndefinedAsNil: true, mapsAsObjects: true },
  { structures: [] },
  { maxOwnStructures: 0 },
];

for (const options of OPTIONS) {
  test(`bytes are those of msgpackr, and both read them: ${JSON.stringify(options)}`, () => {
    for (const [name, value] of Object.entries(VALUES)) {
      const given = () => structuredClone(options) as object;
      const ours = new door.Packr(given());
      const theirs = new msgpackr.Packr(given());
      const [bytes, expected] = [ours.pack(value), theirs.pack(value)];
      assert.ok(Buffer.isBuffer(bytes));
      assert.equal(bytes.toString('hex'), expected.toString('hex'), name);
      assert.deepEqual(ours.unpack(expected), theirs.unpack(expected), name);
    }
  });
}

test('functions are those of msgpackr, without and with this', () => {
  for (const [name, value] of Object.entries(VALUES)) {
    assert.deepEqual(door.pack(value), msgpackr.pack(value), name);
    assert.deepEqual(door.unpack(msgpackr.pack(value)), msgpackr.unpack(msgpackr.pack(value)), name);
  }
  const { pack, encode } = new door.Packr();
  assert.deepEqual([1, 2].map(pack), [Buffer.of(1), Buffer.of(2)]);
  assert.deepEqual([1, 2].map(encode), [Buffer.of(1), Buffer.of(2)]);
  const { unpack, decode, unpackMultiple } = door.Unpackr.prototype;
  assert.equal(Reflect.apply(unpack, undefined, [Buffer.of(7)]), 7);
  assert.equal(Reflect.apply(decode, new door.Unpackr(), [Buffer.of(7)]), 7);
  assert.deepEqual(Reflect.apply(unpackMultiple, undefined, [Buffer.of(7, 8)]), [7, 8]);
});

test('all of its names are here', async () => {
  for (const name of Object.keys(msgpackr)) assert.ok(name in door, name);
  for (const name of ['NEVER', 'ALWAYS', 'DECIMAL_ROUND', 'DECIMAL_FIT', 'useRecords', 'mapsAsObjects'] as const) {
    assert.equal((door as any)[name], (msgpackr as any)[name], name);
  }
});

test('records are read without an option, and int keys are names', () => {
  const rows = [{ a: 1 }, { a: 2 }];
  assert.deepEqual(door.unpack(new msgpackr.Packr().pack(rows)), rows);
  assert.deepEqual(new door.Unpackr({ useRecords: false }).unpack(new older.Packr().pack(rows)), rows);
  for (const hex of ['810102', '81ff02', '81cd010002']) {
    const bytes = Buffer.from(hex, 'hex');
    assert.deepEqual(door.unpack(bytes), msgpackr.unpack(bytes), hex);
  }
  assert.deepEqual(new door.Unpackr().unpack(Buffer.from('810102', 'hex')), new Map([[1, 2]]));
});

test('strings of a bundle are read without an option', () => {
  const { rows } = VALUES;
  for (const useRecords of [true, false]) {
    const bytes = new msgpackr.Packr({ bundleStrings: true, useRecords }).pack(rows);
    assert.deepEqual(new door.Unpackr({ useRecords }).unpack(bytes), rows);
    assert.deepEqual(door.unpackMultiple(Buffer.concat([bytes, bytes])), [rows, rows]);
  }
});

test('strings of a bundle are read without an option by unpackMultiple with a callback, each value once', () => {
  const values = [{ hello: 'world wide', more: 'something' }, 5, ['hello there', 'again']];
  const packr = new msgpackr.Packr({ bundleStrings: true, useRecords: false });
  const parts = values.map((value) => Buffer.from(packr.pack(value)));
  const bytes = Buffer.concat(parts);
  const seen: [unknown, number?, number?][] = [];
  const each = (value: unknown, start?: number, end?: number) => void seen.push([value, start, end]);
  let at = 0;
  const expected = values.map((value, index) => {
    const start = at;
    at += parts[index]?.length ?? 0;
    return [value, start, at];
  });
  door.unpackMultiple(bytes, each);
  assert.deepEqual(seen, expected);
  // A fault after them, and a callback that doesn't want to go so far.
  seen.length = 0;
  assert.throws(
    () => door.unpackMultiple(Buffer.concat([bytes, Buffer.of(0xa1, 0xff)]), each),
    (error: { lastPosition?: number }) => error instanceof PolypackError && error.lastPosition === bytes.length,
  );
  assert.deepEqual(seen, expected);
  seen.length = 0;
  door.unpackMultiple(Buffer.concat([bytes, Buffer.of(0xa1, 0xff)]), (value) => seen.push([value]) < 2);
  assert.deepEqual(seen, [[values[0]], [5]]);
  // Not bundled, although it may be: the ext is nobody's.
  seen.length = 0;
  const plain = Buffer.from('07d66200000001a1ff', 'hex');
  assert.throws(() => door.unpackMultiple(plain, each), PolypackError);
  assert.deepEqual(
    seen.map(([, start, end]) => [start, end]),
    [
      [0, 1],
      [1, 7],
    ],
  );
});

const BUNDLED: Record<string, unknown> = {
  array: ['abcd'],
  'nested arrays': [['abcd'], ['efgh', 'ij']],
  object: { a: 'some text' },
  rows: [
    { id: 1, name: 'Anna Lee' },
    { id: 2, name: 'Bobby' },
  ],
  map: new Map([['long key', 'long value']]),
  'not ASCII': ['wide ünï text', 1, 'plain'],
  'no text in a bundle': { a: 'x'.repeat(5000) },
  'two bundles': Array.from({ length: 30 }, (_, index) => `${index}`.repeat(900)),
};

/** Ways to read values that follow each other. */
const READ_MANY: Record<string, (bytes: Buffer, options: Options) => unknown[]> = {
  method: (bytes, options) => new door.Unpackr(options).unpackMultiple(bytes),
  function: (bytes) => door.unpackMultiple(bytes),
  callback: (bytes, options) => {
    const values: unknown[] = [];
    new door.Unpackr(options).unpackMultiple(bytes, (value) => void values.push(value));
    return values;
  },
  iterator: (bytes, options) => [...door.decodeIter([bytes], options)],
};

for (const useRecords of [true, false]) {
  for (const [name, value] of Object.entries(BUNDLED)) {
    test(`bundled strings are read without an option, however many messages: ${name}, records ${useRecords}`, () => {
      const options = { useRecords };
      const one = Buffer.from(new msgpackr.Packr({ ...options, bundleStrings: true }).pack(value));
      const expected = new msgpackr.Unpackr(options).unpack(one);
      assert.deepEqual(new door.Unpackr(options).unpack(one), expected);
      for (const [way, read] of Object.entries(READ_MANY)) {
        if (way === 'function' && useRecords) continue; // it makes objects of maps
        for (const count of [1, 2, 3]) {
          const bytes = Buffer.concat(Array(count).fill(one));
          assert.deepEqual(read(bytes, options), Array(count).fill(expected), `${way}, ${count}`);
        }
      }
    });
  }
}

test('bundled strings that are cut off are incomplete, and no piece of them is a value', () => {
  const one = Buffer.from(new msgpackr.Packr({ bundleStrings: true }).pack({ a: 'some text', b: ['more of it'] }));
  const both = Buffer.concat([one, one]);
  const unpackr = new door.Unpackr();
  const value = unpackr.unpack(one);
  for (let end = one.length + 1; end < both.length; end++) {
    const seen: unknown[] = [];
    const expected = { incomplete: true, lastPosition: one.length };
    assert.throws(() => unpackr.unpackMultiple(both.subarray(0, end)), { ...expected, values: [value] }, `${end}`);
    assert.throws(() => unpackr.unpackMultiple(both.subarray(0, end), (each) => seen.push(each)), expected, `${end}`);
    assert.deepEqual(seen, [value], `${end}`);
  }
  const texts = Buffer.from('some textmore of it');
  for (let end = one.indexOf(texts); end < one.length; end++) {
    assert.throws(() => unpackr.unpack(one.subarray(0, end)), { incomplete: true }, `${end}`);
  }
});

test('bundled strings are found wherever they stand, also behind bytes that look like their head', () => {
  const bundled = Buffer.from(new msgpackr.Packr({ bundleStrings: true }).pack(['some text']));
  for (const filler of [[0xd6], [0xd6, 0x62], [0xd6, 0], [0]])
    for (let length = 0; length < 140; length++) {
      const bin = Buffer.from(Array.from({ length }, (_, at) => filler[at % filler.length] as number));
      const values = door.unpackMultiple(Buffer.concat([door.pack(bin), bundled]));
      assert.deepEqual(values, [bin, ['some text']], `${length} bytes of ${filler}`);
    }
});

test('an Unpackr of a sequence reads bundled strings, and keeps the records', () => {
  const messages = ['d4724091a16101', '40d66200000006c10ba0ab68656c6c6f20776f726c64', '4002'];
  for (const { Unpackr } of [msgpackr, door]) {
    const unpackr = new Unpackr({ sequential: true });
    const values = messages.map((hex) => unpackr.unpack(Buffer.from(hex, 'hex')));
    assert.deepEqual(values, [{ a: 1 }, { a: 'hello world' }, { a: 2 }]);
  }
  const unpackr = new door.Unpackr({ sequential: true });
  const all = unpackr.unpackMultiple(Buffer.from(messages.join(''), 'hex'));
  assert.deepEqual(all, [{ a: 1 }, { a: 'hello world' }, { a: 2 }]);
  assert.deepEqual(unpackr.unpack(Buffer.from('4003', 'hex')), { a: 3 });
});

test('a length of its own says where bytes end, and so do a number and a range', () => {
  const bytes = Buffer.from('0102ffff', 'hex');
  Object.defineProperty(bytes, 'length', { value: 2, writable: true, configurable: true });
  assert.deepEqual(door.unpackMultiple(bytes), [1, 2]);
  Object.defineProperty(bytes, 'length', { value: 1, writable: true, configurable: true });
  assert.equal(door.unpack(bytes), 1);
  const plain = Buffer.from('0102ffff', 'hex');
  assert.equal(door.unpack(plain, 1), 1);
  assert.equal(door.unpack(plain, { start: 1, end: 2 }), 2);
  assert.equal(door.unpack(Buffer.of(5), 100), 5);
  assert.equal(door.unpack(plain.buffer.slice(plain.byteOffset, plain.byteOffset + 1)), 1);
});

test('so does a length of a chunk in iterators and streams', async () => {
  // The last byte of each chunk isn't part of it.
  const chunks = (...lengths: number[]) => {
    let from = 0;
    return lengths.map((length) => {
      const chunk = Buffer.of(...[0x92, 1, 2, 3, 0x91, 4].slice(from, from + length), 0xc1);
      from += length;
      return Object.defineProperty(chunk, 'length', { value: length, writable: true });
    });
  };
  const expected = [[1, 2], 3, [4]];
  const all = async (source: any) => {
    const values: unknown[] = [];
    for await (const value of source) values.push(value);
    return values;
  };
  // In Node 20, msgpackr can't join such chunks.
  assert.deepEqual([...(msgpackr.decodeIter(chunks(6)) as any)], expected);
  for (const lengths of [[6], [2, 4], [3, 1, 2], [1, 1, 1, 1, 1, 1]]) {
    assert.deepEqual([...door.decodeIter(chunks(...lengths))], expected);
    const slow = async function* () {
      yield* chunks(...lengths);
    };
    for (const source of [slow(), Promise.resolve(slow()), Promise.resolve(chunks(...lengths)), Readable.from(slow())])
      assert.deepEqual(await all(door.decodeIter(source)), expected);
    const stream = new door.UnpackrStream();
    for (const chunk of chunks(...lengths)) stream.write(chunk);
    stream.end();
    assert.deepEqual(await all(stream), expected);
  }
  assert.deepEqual([...door.decodeIter(chunks(6)[0] as any)], expected);
  assert.throws(() => [...door.decodeIter(['text'] as any)], /the input must be/);
  assert.throws(() => door.decodeIter(Promise.resolve([]), { useFloat32: 7 }), TypeError);
  for (const source of [null, 5, 'text', {}]) assert.throws(() => door.decodeIter(source as any), /the source must be/);
});

test('flags: room in front, and those without an effect', () => {
  const bytes = door.pack({ a: 1 }, door.RESERVE_START_SPACE | 8);
  assert.equal(bytes.length, 8 + msgpackr.pack({ a: 1 }).length);
  assert.deepEqual(door.unpack(bytes, { start: 8 }), { a: 1 });
  assert.deepEqual(door.pack(1, door.REUSE_BUFFER_MODE | door.RESET_BUFFER_MODE), Buffer.of(1));
});

test('errors have the members that programs look for', () => {
  const fails = (run: () => unknown): any => {
    try {
      run();
    } catch (error) {
      assert.ok(error instanceof PolypackError);
      return error;
    }
    assert.fail('nothing was thrown');
  };
  const cut = fails(() => door.unpackMultiple(Buffer.from('01029201', 'hex')));
  assert.deepEqual([cut.incomplete, cut.lastPosition, cut.values], [true, 2, [1, 2]]);
  const faulty = fails(() => door.unpackMultiple(Buffer.from('0102a1ff', 'hex')));
  assert.deepEqual([faulty.incomplete, faulty.lastPosition, faulty.values], [undefined, 2, [1, 2]]);
  assert.equal(fails(() => door.unpack(Buffer.of(0x92))).incomplete, true);
  // No bundled str follows the ext, so it isn't the head of a bundle.
  const twice = fails(() => door.unpackMultiple(Buffer.from('0708d66200000001a1ff', 'hex')));
  const all = [7, 8, new ExtData(0x62, Buffer.from('00000001', 'hex'))];
  assert.deepEqual([twice.lastPosition, twice.values], [2 + 6, all], `${twice.message}`);
  const seen: unknown[] = [];
  const last = fails(() => door.unpackMultiple(Buffer.from('0792', 'hex'), (value) => seen.push(value)));
  assert.deepEqual([seen, last.lastPosition], [[7], 1]);
  // Data of structs of 1.x starts with what is an int to everybody else.
  assert.match(fails(() => door.unpack(Buffer.from('2000a161', 'hex'))).message, /randomAccessStructure/);
  assert.equal(fails(() => door.unpack(Buffer.from('a1ff', 'hex'))).code, 'invalid_utf8');
  const noDate = fails(() => door.pack({ at: new Date(Number.NaN) }));
  assert.deepEqual([noDate.code, noDate.path], ['unsupported_value', '/at']);
});

test('options of others are ignored, null is none, and flags are what they are worth', () => {
  const options: any = { objectMode: true, freezeData: true, trusted: true, randomAccessStructure: false, lazy: 1 };
  const packr = new door.Packr({ ...options, structures: null, useRecords: false, copyBuffers: 1 });
  assert.deepEqual(packr.unpack(packr.pack({ a: 1 })), { a: 1 });
  assert.equal((packr as any).copyBuffers, 1);
  assert.throws(() => new door.Packr({ useFloat32: 7 }), TypeError);
  assert.deepEqual(new door.Packr(null).unpack(Buffer.of(1)), 1);
  const stream = new door.UnpackrStream(null);
  stream.end(Buffer.of(1));
  assert.equal(stream.read(), 1);
});

test('structures are shared through functions and arrays, with msgpackr on the other side', () => {
  const rows = Array.from({ length: 5 }, (_, id) => ({ id, [`name${id}`]: id }));
  let saved: unknown[] = [];
  const options = () => ({
    getStructures: () => structuredClone(saved.map((one) => [...(one as string[])])),
    saveStructures: (structures: any) => {
      saved = structures.map((one: string[]) => [...one]);
    },
  });
  const [ours, theirs] = [new door.Packr(options()), new msgpackr.Packr(options() as object)];
  const bytes = ours.pack(rows.slice(0, 3));
  assert.deepEqual(theirs.unpack(bytes), rows.slice(0, 3));
  const more = theirs.pack(rows);
  assert.deepEqual(ours.unpack(more), rows);
  assert.deepEqual(ours.unpack(ours.pack(rows)), rows);
  const array: {}[] = [];
  const writer = new door.Packr({ structures: array, maxSharedStructures: 40 });
  const shared = writer.pack(rows);
  assert.equal(array.length, 5);
  assert.equal(writer.structures, array);
  assert.equal((array as any).sharedLength, 5);
  assert.deepEqual(new msgpackr.Unpackr({ structures: structuredClone(array) }).unpack(shared), rows);
  writer.clearSharedData();
  assert.notEqual(writer.structures, array);
  assert.deepEqual(writer.unpack(writer.pack(rows)), rows);
});

class Point {
  x: number;
  constructor(x: number) {
    this.x = x;
  }
}

test('an extension may write the instance itself, and types from 128 on are negative', () => {
  const extension: door.Extension = { Class: Point, type: 200, write: (point) => point, read: ({ x }) => new Point(x) };
  door.addExtension(extension);
  const bytes = door.pack(new Point(5));
  assert.equal(bytes[1], 200);
  assert.deepEqual(door.unpack(bytes), new Point(5));
});

test('an object whose toJSON returns it is its properties', () => {
  const itself = new (class Kept {
    list = [1, 2];
    toJSON() {
      return this;
    }
  })();
  assert.deepEqual(door.unpack(door.pack(itself)), { list: [1, 2] });
});

test('streams declare records once, as those of msgpackr', async () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `name ${id}`, none: null }));
  const bytesOf = async (stream: any) => {
    for (const row of rows) stream.write(row);
    stream.end();
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const ours = await bytesOf(new door.PackrStream());
  const theirs = await bytesOf(new msgpackr.PackrStream());
  assert.deepEqual(ours, theirs);
  for (const stream of [new door.UnpackrStream(), new msgpackr.UnpackrStream()]) {
    const read = [];
    for await (const row of Readable.from([ours.subarray(0, 77), ours.subarray(77)]).pipe(stream as any))
      read.push(row);
    assert.deepEqual(read, rows);
  }
});

test('iterables of values and bytes, also asynchronous ones', async () => {
  const rows = [{ a: 1 }, { a: 2, b: 'x' }, [1, 2]];
  const chunks: Buffer[] = [...door.encodeIter(rows)];
  assert.ok(chunks.every((chunk) => Buffer.isBuffer(chunk)));
  assert.deepEqual([...door.decodeIter(chunks)], rows);
  const awaited = [];
  const source = (async function* () {
    yield* rows;
  })();
  for await (const value of door.decodeIter(door.encodeIter(source))) awaited.push(value);
  assert.deepEqual(awaited, rows);
});

test('what programs meet beside the rows of the guide', () => {
  const invalid = Buffer.from('d4ffff', 'hex');
  assert.ok(Number.isNaN(door.unpack(invalid).getTime()));
  assert.equal(door.unpack(new door.Packr({ onInvalidDate: () => 5 }).pack(new Date(Number.NaN))), 5);
  // Keys that are no scalars have no text.
  for (const key of ['9101', '8101a161', 'c40161', 'd60500000000']) {
    assert.throws(() => door.unpack(Buffer.from(`81${key}01`, 'hex')), { code: 'invalid_key' }, key);
  }
});

test("int64AsType: 'auto' makes numbers of safe integers, whatever their heads", () => {
  const unpackr = new door.Unpackr({ int64AsType: 'auto' });
  for (const hex of ['d30000000000000005', 'd3ffffffffffffffff', 'd30010000000000000', 'cf0000000000000005']) {
    const bytes = Buffer.from(hex, 'hex');
    assert.equal(unpackr.unpack(bytes), new msgpackr.Unpackr({ int64AsType: 'auto' } as object).unpack(bytes), hex);
    assert.equal(typeof door.unpack(bytes), 'bigint');
  }
});

test('keys that are scalars become names, as with msgpackr', () => {
  const numbers = [
    'cb3ff8000000000000',
    'cabfc00000',
    'cb7ff8000000000000',
    'cb8000000000000000',
    'ff',
    'cf0020000000000001',
  ];
  for (const key of [...numbers, 'c2', 'c3', 'c0']) {
    const map = Buffer.from(`82${key}01a16102`, 'hex');
    assert.deepEqual(door.unpack(map), msgpackr.unpack(map), key);
    const options = { mapsAsObjects: true };
    assert.deepEqual(new door.Unpackr(options).unpack(map), new msgpackr.Unpackr(options).unpack(map), key);
  }
  const values = { a: 1, 2: 'test', '-3.45': 'test2' };
  const packr = new door.Packr({ coercibleKeyAsNumber: true, useRecords: false });
  assert.deepEqual(packr.unpack(packr.pack(values)), values);
});

test('an extension for the type of bundles gets what it wrote, in streams, too', () => {
  class Custom {
    readonly text: string;
    constructor(text: string) {
      this.text = text;
    }
  }
  const extension = {
    Class: Custom,
    type: 0x62,
    pack: ({ text }: Custom) => Buffer.from(text),
    unpack: (data: Uint8Array) => new Custom(String(data)),
  };
  msgpackr.addExtension(extension as never);
  door.addExtension(extension);
  const values = [new Custom('abcdef')];
  const bytes = msgpackr.pack(values);
  assert.deepEqual(door.unpack(bytes), values);
  assert.deepEqual([...(msgpackr.decodeIter([bytes]) as unknown as Iterable<unknown>)], [values]);
  assert.deepEqual([...door.decodeIter([bytes])], [values]);
});

test('bytes with a length of their own, as lmdb gives, are written whole', () => {
  const packr = new door.Packr({ useRecords: false });
  for (const make of [Uint8Array.from.bind(Uint8Array), Buffer.from] as ((bytes: number[]) => Uint8Array)[]) {
    const bytes = make([1, 2, 3]);
    const expected = packr.pack([bytes, 5]);
    Object.defineProperty(bytes, 'length', { value: 2 });
    assert.deepEqual(packr.pack([bytes, 5]), expected);
  }
});
