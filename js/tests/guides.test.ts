// The guides from @msgpack/msgpack, notepack.io and msgpack-lite, beside these packages. What their tables say of
// values and bytes is what the packages do, cell by cell; a value that differs and has no row fails.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as msgpack from '@msgpack/msgpack';
import lite from 'msgpack-lite';
import notepack from 'notepack.io';
import {
  decodeElements,
  decodeIter,
  ExtData,
  encodeCanonical,
  FLOAT32_OPTIONS,
  Float,
  PackrStream,
  PolypackError,
  pack,
  StreamDecoder,
  Timestamp,
  Unpackr,
  UnpackrStream,
  unpack,
  unpackMultiple,
} from 'polypack';
import { ONCE } from './_runs.ts';
import { bytesOf, hexOf } from './_values.ts';
import { REPOSITORY } from './_vectors.ts';

class Json {
  toJSON() {
    return { j: 1 };
  }
}

/** What is written, by the first cell of its row. */
const VALUES: Record<string, unknown> = {
  undefined: undefined,
  '{ a: undefined }': { a: undefined },
  'a function': () => 1,
  '{ f() {} }': { f() {} },
  'a symbol': Symbol('a'),
  '5n': 5n,
  '2n ** 63n': 2n ** 63n,
  '2 ** 32': 2 ** 32,
  '2 ** 53': 2 ** 53,
  '-0': -0,
  '0.1': 0.1,
  'new Date(1000)': new Date(1000),
  'an invalid Date': new Date(Number.NaN),
  "new Map([['a', 1]])": new Map([['a', 1]]),
  'new Set([1])': new Set([1]),
  'an iterable of 1': { [Symbol.iterator]: () => [1].values() },
  'new Uint8Array([1, 2])': Uint8Array.of(1, 2),
  'its buffer': Uint8Array.of(1, 2).buffer,
  'new Int16Array([1])': Int16Array.of(1),
  'a class with toJSON': new Json(),
  '{ toJSON() { return 5 } }': {
    toJSON() {
      return 5;
    },
  },
  '/a/g': /a/g,
  'a Promise': Promise.resolve(),
  'a lone surrogate': '\ud800',
  "new String('a')": Object('a'),
  'new Boolean(true)': Object(true),
  '[, 1]': Array(2).fill(1, 1),
  '{ a: [null, true, 1.5, 300] }': { a: [null, true, 1.5, 300] },
};

/** What is read, by the first cell of its row. */
const BYTES: Record<string, string> = {
  'no bytes': '',
  '`01 02`, bytes behind the value': '01 02',
  '`92 01`, cut': '92 01',
  '`c1`': 'c1',
  '`a1 ff`, a str that is not UTF-8': 'a1 ff',
  '`cf 00 20 00 00 00 00 00 01`, an unsafe int': 'cf 00 20 00 00 00 00 00 01',
  '`c4 01 01`, bin': 'c4 01 01',
  '`81 01 02`, an int as a key': '81 01 02',
  '`81 c3 02`, true as a key': '81 c3 02',
  '`81 90 01`, an array as a key': '81 90 01',
  '`81 c4 01 61 01`, bin as a key': '81 c4 01 61 01',
  '`82 a1 61 01 a1 61 02`, a key twice': '82 a1 61 01 a1 61 02',
  '`d6 ff 00 00 00 01`, a timestamp': 'd6 ff 00 00 00 01',
  '`d4 ff 00`, a timestamp of one byte': 'd4 ff 00',
  '`c7 0c ff 3b 9a ca 00 …`, 10⁹ nanoseconds': 'c7 0c ff 3b 9a ca 00 00 00 00 00 00 00 00 00',
  '`d4 00 00`, an ext of type 0': 'd4 00 00',
  '`d4 2a 01`, an ext of type 42': 'd4 2a 01',
  '`d4 72 40 91 a1 61 01`, a record': 'd4 72 40 91 a1 61 01',
  '600 arrays in each other': `${'91 '.repeat(600)} c0`,
};

interface Peer {
  readonly guide: string;
  readonly encode: (value: unknown) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
}

const PEERS: Record<string, Peer> = {
  '@msgpack/msgpack': { guide: 'msgpack', encode: msgpack.encode, decode: msgpack.decode },
  'notepack.io': { guide: 'notepack', encode: notepack.encode, decode: notepack.decode },
  'msgpack-lite': {
    guide: 'msgpack-lite',
    encode: (value) => lite.encode(value),
    decode: (bytes) => lite.decode(bytes),
  },
};

/** Returns what a cell says: the result, or the code of an error. */
function cellOf(run: () => string): string {
  try {
    return `\`${run()}\``;
  } catch (error) {
    return error instanceof PolypackError ? `\`${error.code}\`` : 'an error';
  }
}

const written = (bytes: Uint8Array): string => hexOf(bytes).match(/../g)?.join(' ') ?? '';
const shown = (value: unknown): string =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 0 }).replaceAll('\n', ' ').replace(/ {2,}/g, ' ');

/** Returns the rows that a guide must have: where the two differ. */
function rowsOf({ encode, decode }: Peer): string[] {
  const rows = [];
  for (const [name, value] of Object.entries(VALUES)) {
    const theirs = cellOf(() => written(encode(value)));
    const ours = cellOf(() => written(pack(value)));
    const head = /^(an? |its )/.test(name) ? name : `\`${name}\``;
    if (theirs !== ours) rows.push(`| ${head} | ${theirs} | ${ours} |`);
  }
  for (const [name, hex] of Object.entries(BYTES)) {
    // A Buffer, as in Node; every one gets its own.
    const theirs = cellOf(() => shown(decode(Buffer.from(bytesOf(hex)))));
    const ours = cellOf(() => shown(unpack(Buffer.from(bytesOf(hex)))));
    if (theirs !== ours) rows.push(`| ${name} | ${theirs} | ${ours} |`);
  }
  return rows;
}

/** Returns the rows of a guide, without those of the tables of names. */
function guideRows(guide: string): { rows: string[]; names: string[] } {
  const text = readFileSync(new URL(`docs/guides/migrating-from-${guide}.md`, REPOSITORY), 'utf8');
  const [names = '', differences = ''] = text.split('\n## Values and bytes\n');
  const bodyOf = (part: string) => part.match(/^\| (?!.*\| Polypack \|).*$/gm) ?? [];
  return { rows: bodyOf(differences), names: bodyOf(names) };
}

for (const [name, peer] of Object.entries(PEERS)) {
  test(`${name}: the guide has every difference of these values and bytes, and what it says is so`, ONCE, (context) => {
    const rows = rowsOf(peer);
    if (process.env.POLYPACK_PRINT_GUIDES) context.diagnostic(`\n${rows.join('\n')}`);
    assert.deepEqual(guideRows(peer.guide).rows, rows);
  });
}

class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}

const POINT = {
  Class: Point,
  type: 5,
  pack: ({ x }: Point) => pack(x),
  unpack: (data: Uint8Array) => new Point(unpack(data)),
};

async function collected(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const values = [];
  for await (const value of source) values.push(value);
  return values;
}

const stream = () => Readable.from([bytesOf('92 01'), bytesOf('02')]);
const several = () => Readable.from([bytesOf('01 92'), bytesOf('01 02')]);
const hex = (bytes: Uint8Array) => hexOf(bytes);

/** Does what the row of a name says with both packages, by the first cell of the row. */
const NAMES: Record<string, Record<string, () => unknown>> = {
  msgpack: {
    '`decode([0x01])`': () => assert.equal(unpack(Uint8Array.from([0x01])), msgpack.decode([0x01])),
    '`decodeMulti(bytes)`': () =>
      assert.deepEqual(unpackMultiple(bytesOf('01 02')), [...msgpack.decodeMulti(bytesOf('01 02'))]),
    '`decodeAsync(stream)`': async () =>
      assert.deepEqual(await collected(decodeIter(stream())), [await msgpack.decodeAsync(stream())]),
    '`decodeMultiStream(stream)`': async () =>
      assert.deepEqual(await collected(decodeIter(several())), await collected(msgpack.decodeMultiStream(several()))),
    '`decodeArrayStream(stream)`': async () =>
      assert.deepEqual(await collected(decodeElements(stream())), await collected(msgpack.decodeArrayStream(stream()))),
    '`ExtensionCodec`, `register`': () => {
      const extensionCodec = new msgpack.ExtensionCodec();
      extensionCodec.register({
        type: 5,
        encode: (value) => (value instanceof Point ? msgpack.encode(value.x) : null),
        decode: (data) => new Point(msgpack.decode(data) as number),
      });
      const bytes = msgpack.encode(new Point(7), { extensionCodec });
      assert.equal(hex(pack(new Point(7), { extensions: [POINT] })), hex(bytes));
      assert.deepEqual(unpack(bytes, { extensions: [POINT] }), msgpack.decode(bytes, { extensionCodec }));
    },
    '`encodeTimestampExtension`, `encodeTimeSpecToTimestamp`': () => {
      const data = msgpack.encodeTimeSpecToTimestamp({ sec: 5, nsec: 7 });
      assert.equal(hex(pack(new Timestamp(5, 7))), `d7ff${hex(data)}`);
    },
    '`decodeTimestampExtension`, `decodeTimestampToTimeSpec`': () => {
      const { seconds, nanoseconds } = unpack<Timestamp>(pack(new Timestamp(5, 7)), { mode: 'lossless' });
      const spec = msgpack.decodeTimestampToTimeSpec(msgpack.encodeTimeSpecToTimestamp({ sec: 5, nsec: 7 }));
      assert.deepEqual({ sec: seconds, nsec: nanoseconds }, { sec: spec.sec, nsec: spec.nsec });
    },
    '`DecodeError`, `RangeError`': () => {
      assert.throws(() => msgpack.decode(bytesOf('c1')), msgpack.DecodeError);
      assert.throws(() => msgpack.decode(bytesOf('92 01')), RangeError);
      for (const bytes of ['c1', '92 01']) assert.throws(() => unpack(bytesOf(bytes)), PolypackError);
    },
    '`useBigInt64`': () => {
      const bytes = msgpack.encode(-5n, { useBigInt64: true });
      assert.equal(hex(pack(-5n, { wideBigInts: true })), hex(bytes));
      assert.equal(unpack(bytes, { int64AsType: 'bigint' }), msgpack.decode(bytes, { useBigInt64: true }));
    },
    '`sortKeys`': () =>
      assert.equal(hex(encodeCanonical({ b: 1, a: 2 })), hex(msgpack.encode({ b: 1, a: 2 }, { sortKeys: true }))),
    '`forceFloat32`': () =>
      assert.equal(
        hex(pack(1.1, { useFloat32: FLOAT32_OPTIONS.ALWAYS })),
        hex(msgpack.encode(1.1, { forceFloat32: true })),
      ),
    '`forceIntegerToFloat`': () =>
      assert.equal(hex(pack(new Float(1))), hex(msgpack.encode(1, { forceIntegerToFloat: true }))),
    '`ignoreUndefined`': () => {
      const value = { a: undefined, b: 1 };
      assert.equal(
        hex(pack(value, { skipValues: [undefined] })),
        hex(msgpack.encode(value, { ignoreUndefined: true })),
      );
    },
    'undefined as nil': () =>
      assert.equal(hex(pack({ a: undefined }, { encodeUndefinedAsNil: true })), hex(msgpack.encode({ a: undefined }))),
    '`maxDepth`, 100 when encoding': () => {
      const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
      assert.throws(() => msgpack.encode(nested(101)));
      assert.ok(Array.isArray(unpack(pack(nested(512)))));
      assert.throws(() => pack(nested(101), { limits: { maxDepth: 100 } }), PolypackError);
      assert.throws(() => unpack(pack(nested(101)), { limits: { maxDepth: 100 } }), PolypackError);
    },
    '`rawStrings`': () => {
      const bytes = bytesOf('a1 ff');
      assert.deepEqual(unpack(bytes, { invalidUtf8: 'bytes' }), msgpack.decode(bytes, { rawStrings: true }));
      assert.equal(unpack(bytesOf('a1 61'), { invalidUtf8: 'bytes' }), 'a');
    },
    '`maxStrLength` and the like': () => {
      assert.throws(() => msgpack.decode(bytesOf('a2 61 61'), { maxStrLength: 1 }));
      assert.throws(() => unpack(bytesOf('93 01 01 01'), { limits: { maxValues: 2 } }), PolypackError);
    },
    '`mapKeyConverter`': () => {
      const bytes = bytesOf('81 01 02');
      assert.deepEqual(unpack(bytes, { mapsAsObjects: true }), msgpack.decode(bytes));
      assert.deepEqual(unpack(bytesOf('81 c3 02')), new Map([[true, 2]]));
      assert.deepEqual(msgpack.decode(bytesOf('81 c3 02'), { mapKeyConverter: String }), { true: 2 });
    },
  },
  notepack: {
    'undefined is left out of objects': () => {
      const value = { a: undefined, b: 1 };
      assert.equal(hex(pack(value, { skipValues: [undefined] })), hex(notepack.encode(value)));
    },
    'undefined elsewhere is nil': () =>
      assert.equal(hex(pack([undefined], { encodeUndefinedAsNil: true })), hex(notepack.encode([undefined]))),
    '`toJSON` of BigInt, Set and Map': () => {
      assert.equal(unpack(pack(5n)), 5);
      assert.deepEqual(unpack(pack([new Set([1]), new Map([['a', 1]])])), [[1], { a: 1 }]);
    },
    'an ext is `[type, data]`': () => {
      const [type, data] = notepack.decode(Buffer.from(bytesOf('d4 2a 01')));
      const ext = unpack<ExtData>(bytesOf('d4 2a 01'));
      assert.deepEqual([ext.type, hex(ext.data)], [type, hex(data)]);
      assert.ok(ext instanceof ExtData);
    },
    'bin is a Buffer': () => {
      const bytes = Buffer.from(bytesOf('c4 01 01'));
      const wrapBytes = (data: Uint8Array) => Buffer.from(data.buffer, data.byteOffset, data.length);
      assert.deepEqual(unpack(bytes, { wrapBytes }), notepack.decode(bytes));
    },
    'a str that is not UTF-8': () => {
      const bytes = Buffer.from(bytesOf('a1 ff'));
      assert.equal(unpack(bytes, { invalidUtf8: 'replace' }), notepack.decode(bytes));
    },
  },
  'msgpack-lite': {
    '`createCodec()`, `addExtPacker`, `addExtUnpacker`': () => {
      const codec = lite.createCodec();
      codec.addExtPacker(5, Point, ({ x }: Point) => lite.encode(x));
      codec.addExtUnpacker(5, (data) => new Point(lite.decode(data) as number));
      const bytes = lite.encode(new Point(7), { codec });
      assert.equal(hex(pack(new Point(7), { extensions: [POINT] })), hex(bytes));
      assert.deepEqual(unpack(bytes, { extensions: [POINT] }), lite.decode(bytes, { codec }));
    },
    '`int64: true`': () => {
      const bytes = Buffer.from(bytesOf('cf 00 20 00 00 00 00 00 01'));
      const theirs = lite.decode(bytes, { codec: lite.createCodec({ int64: true }) });
      assert.equal(String(unpack(bytes, { int64AsType: 'bigint' })), String(theirs));
    },
    '`usemap: true`': () => {
      const bytes = Buffer.from(bytesOf('81 a1 61 01'));
      const theirs = lite.decode(bytes, { codec: lite.createCodec({ usemap: true }) });
      assert.deepEqual(unpack(bytes, { mapsAsObjects: false }), theirs);
    },
    '`uint8array: true`': () => {
      const theirs = lite.encode([1], { codec: lite.createCodec({ uint8array: true }) });
      assert.deepEqual([pack([1]).constructor, theirs.constructor], [Uint8Array, Uint8Array]);
    },
    '`binarraybuffer: true`': () => {
      const bytes = Buffer.from(bytesOf('c4 01 07'));
      const theirs = lite.decode(bytes, { codec: lite.createCodec({ binarraybuffer: true, preset: true }) });
      const wrapBytes = (data: Uint8Array) => data.slice().buffer;
      assert.deepEqual(unpack(bytes, { wrapBytes } as object), theirs);
    },
    '`useraw: true`': () => {
      const bytes = lite.encode(Buffer.from(bytesOf('ff')), { codec: lite.createCodec({ useraw: true }) });
      assert.deepEqual(hex(unpack(bytes, { invalidUtf8: 'bytes' })), 'ff');
    },
    "`new Decoder()`, `on('data')`": () => {
      const decoder = new StreamDecoder();
      assert.deepEqual([decoder.push(bytesOf('01 92')), decoder.push(bytesOf('01 02'))], [[1], [[1, 2]]]);
    },
    '`createEncodeStream()`, `createDecodeStream()`': async () => {
      const rows = [{ a: 1 }, [2]];
      const bytes = Readable.from(rows).pipe(new PackrStream({ records: 'off' }));
      const chunks = await collected(bytes);
      const expected = rows.map((row) => hex(lite.encode(row))).join('');
      assert.equal(chunks.map((chunk) => hex(chunk as Uint8Array)).join(''), expected);
      const read = Readable.from(chunks).pipe(new UnpackrStream({ records: 'off' }));
      assert.deepEqual(await collected(read), rows);
    },
    'undefined, a function as nil': () => {
      const options = { encodeUndefinedAsNil: true, writeFunction: () => undefined };
      assert.equal(hex(pack([undefined, () => 1], options)), hex(lite.encode([undefined, () => 1])));
    },
    'ext 13, a Date': () => {
      const date = { type: 13, unpack: (data: Uint8Array) => new Date(unpack<number>(data)) };
      const value = { at: new Date(5001) };
      const unpackr = new Unpackr({ records: 'off', extensions: [date] });
      assert.deepEqual(unpackr.unpack(lite.encode(value)), value);
    },
    'ext 17 to 26, typed arrays': () => {
      const floats = { type: 24, unpack: (data: Uint8Array) => new Float64Array(data.slice().buffer) };
      assert.deepEqual(unpack(lite.encode(Float64Array.of(0.5)), { extensions: [floats] }), Float64Array.of(0.5));
    },
  },
};

for (const [guide, checks] of Object.entries(NAMES)) {
  test(`${guide}: every row of the guide about names and options is true`, ONCE, async () => {
    const heads = guideRows(guide).names.map((row) => row.split(' | ')[0]?.slice(2) ?? '');
    assert.deepEqual(heads, Object.keys(checks));
    for (const check of Object.values(checks)) await check();
  });
}
