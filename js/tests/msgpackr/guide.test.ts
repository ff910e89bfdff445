// The tables of docs/guides/migrating-from-msgpackr.md: each row is run by a check of the same name, with msgpackr.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as msgpackrOld from 'msgpackr-1.11';
import * as polypack from 'polypack';
import {
  C1,
  decodeIter,
  ExtData,
  FLOAT32_OPTIONS,
  Float,
  Packr,
  type PackrOptions,
  PackrStream,
  pack,
  packInto,
  Timestamp,
  Unpackr,
  UnpackrStream,
  unpack,
} from 'polypack';
import * as door from 'polypack/msgpackr';
import { REPOSITORY } from '../_vectors.ts';

type Checks = Readonly<Record<string, () => unknown>>;

const GUIDE = readFileSync(new URL('docs/guides/migrating-from-msgpackr.md', REPOSITORY), 'utf8');

/** Returns what stands first in each row of the table behind `start`. */
function headsBehind(start: string): string[] {
  const [, table = ''] = /\n\|---.*\n((?:\|.*\n)*)/.exec(GUIDE.slice(GUIDE.indexOf(start))) ?? [];
  return Array.from(table.matchAll(/^\| (.*?) \|/gm), ([, head = '']) => head);
}

/** What it exports, also what its types don't know. */
const UNTYPED: Readonly<Record<string, unknown>> = { ...msgpackr };

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'hex');
const fails = (code: string, run: () => unknown): void => assert.throws(run, { code });
/** What `run` does in msgpackr has no code of ours. */
const failsThere = (run: () => unknown): void =>
  assert.throws(run, (error) => error instanceof Error && !('offset' in error));

class Private {
  readonly #value = 1;
  static valueOf(instance: Private): number {
    return instance.#value;
  }
}
class Three {
  *[Symbol.iterator](): Generator<number> {
    yield 3;
  }
}
class Ages extends Map<string, number> {}
class Callable extends Function {}
class Point {
  readonly x = 7;
}

/** Values whose properties aren't what they hold, and what we write. */
const ITS_OWN: readonly (readonly [object, string])[] = [
  [new Three(), '9103'],
  [new Ages([['a', 1]]), '81a16101'],
  [new Number(5), '05'],
  [new String('a'), 'a161'],
  [new Boolean(false), 'c2'],
];

/** Holds what their value is, with a writer of ours. */
function keepsItsOwn(write: (value: unknown) => Uint8Array): void {
  for (const [value, expected] of ITS_OWN) {
    assert.equal(hex(write(value)), expected);
    assert.ok(/^d(e00|47240)/.test(hex(msgpackr.pack(value))) || hex(msgpackr.pack(value)).startsWith('8'));
  }
}

const plain: PackrOptions = { records: 'off' };
const invalidDate = new Date(Number.NaN);
const PATTERN = new msgpackr.Packr({ moreTypes: true }).pack([/a/]);
const LONG_PATTERN = new msgpackr.Packr({ moreTypes: true }).pack(new RegExp('a'.repeat(2000)));

/** Checks rows of the first table: with polypack/msgpackr, and with polypack where they hold there, too. */
const DOOR: Readonly<Record<string, (ours: typeof door) => unknown>> = {
  "a str that isn't UTF-8": (ours) => {
    fails('invalid_utf8', () => ours.unpack(bytesOf('a1ff')));
    assert.equal(typeof msgpackr.unpack(bytesOf('a1ff')), 'string');
  },
  'a lone surrogate': (ours) => {
    fails('invalid_utf8', () => ours.pack('\ud800'));
    assert.equal(hex(msgpackr.pack('\ud800')), 'a3eda080');
    assert.ok(hex(msgpackr.pack('\ud800'.repeat(100))).startsWith('da012cefbfbd'));
  },
  "`int64AsType: 'number'` for an unsafe integer": (ours) => {
    const bytes = bytesOf('cf0020000000000001');
    fails('out_of_range', () => new ours.Unpackr({ int64AsType: 'number' }).unpack(bytes));
    assert.equal(new msgpackr.Unpackr({ int64AsType: 'number' }).unpack(bytes), 2 ** 53);
  },
  "`int64AsType: 'auto'` for ±2⁵³": (ours) => {
    for (const integer of [2n ** 53n, -(2n ** 53n)]) {
      const bytes = msgpackr.pack(integer);
      assert.equal(new ours.Unpackr({ int64AsType: 'auto' }).unpack(bytes), integer);
      assert.equal(new msgpackr.Unpackr({ int64AsType: 'auto' } as object).unpack(bytes), Number(integer));
    }
  },
  "`int64AsType: 'string'` for 64-bit heads of ints that fit 32 bits": (ours) => {
    assert.equal(new ours.Unpackr({ int64AsType: 'string' }).unpack(bytesOf('cf0000000000000005')), 5);
    assert.equal(new msgpackr.Unpackr({ int64AsType: 'string' }).unpack(bytesOf('cf0000000000000005')), '5');
  },
  'an invalid Date': (ours) => {
    fails('unsupported_value', () => ours.pack(invalidDate));
    assert.equal(hex(msgpackr.pack(invalidDate)), 'd4ffff');
    for (const { unpack } of [ours, msgpackr]) {
      assert.ok(Number.isNaN(unpack(bytesOf('d4ffff')).getTime()));
    }
  },
  'a timestamp of a wrong length from 2 bytes on, or with 10⁹ nanoseconds': (ours) => {
    fails('invalid_timestamp', () => ours.unpack(bytesOf('d5ff0001')));
    assert.ok(Number.isNaN(msgpackr.unpack(bytesOf('d5ff0001')).getTime()));
    const bytes = bytesOf('c70cff3b9aca000000000000000000');
    fails('invalid_timestamp', () => ours.unpack(bytes));
    assert.deepEqual(msgpackr.unpack(bytes), new Date(1000));
  },
  'an ext of type 0 with another byte than 0': (ours) => {
    assert.equal(msgpackr.unpack(bytesOf('d40001')), undefined);
    const ext: ExtData = ours.unpack(bytesOf('d40001'));
    assert.deepEqual([ext.type, hex(ext.data)], [0, '01']);
  },
  'typed arrays without `moreTypes`, SharedArrayBuffer': (ours) => {
    assert.equal(hex(ours.pack(Float32Array.of(1.5))), 'c4040000c03f');
    assert.notEqual(hex(msgpackr.pack(Float32Array.of(1.5))), 'c4040000c03f');
    assert.equal(hex(ours.pack(new SharedArrayBuffer(2))), 'c4020000');
    assert.deepEqual(msgpackr.unpack(msgpackr.pack(new SharedArrayBuffer(2))), {});
  },
  'iterable instances, subclasses of Map, `new Number(5)` and the like': (ours) => keepsItsOwn(ours.pack),
  'holes in arrays, with `structuredClone`': (ours) => {
    const options = { structuredClone: true };
    const holes: unknown[] = [];
    holes[1] = 1;
    const copies = [ours, msgpackr].map(({ Packr }) => new Packr(options).unpack(new Packr(options).pack(holes)));
    assert.deepEqual(
      copies.map((copy) => 0 in (copy as unknown[])),
      [false, true],
    );
  },
  'a function with the class of an extension (a callable instance)': (ours) => {
    const callable = Object.setPrototypeOf(() => 1, Callable.prototype);
    for (const { addExtension } of [ours, msgpackr]) {
      addExtension({
        Class: Callable,
        type: 40,
        pack: () => Buffer.of(7),
        unpack: () => callable,
      } as door.Extension);
    }
    assert.equal(hex(msgpackr.pack(callable)), 'd42807');
    assert.equal(ours.unpack(ours.pack(callable)), undefined);
    assert.equal(hex(ours.pack(callable)), hex(ours.pack(() => 1)));
  },
  'an ext of a type without an extension': (ours) => {
    const ext: ExtData = ours.unpack(bytesOf('d42a01'));
    assert.ok(ext instanceof ExtData);
    assert.deepEqual([ext.type, hex(ext.data)], [42, '01']);
    failsThere(() => msgpackr.unpack(bytesOf('d42a01')));
  },
  'key `__proto__`': (ours) => {
    const bytes = bytesOf('81a95f5f70726f746f5f5f01');
    assert.deepEqual(Object.keys(ours.unpack(bytes)), ['__proto__']);
    assert.deepEqual(Object.keys(msgpackr.unpack(bytes)), ['__proto_']);
  },
  '`coercibleKeyAsNumber`': (ours) => {
    const value = { '': 1, '0x10': 2, NaN: 3, '-1.5': 4 };
    const [names, numbers] = [ours, msgpackr].map(({ Packr }) => {
      const { pack } = new Packr({ coercibleKeyAsNumber: true, useRecords: false });
      return [...new polypack.Unpackr({ mapsAsObjects: false }).unpack<Map<unknown, unknown>>(pack(value)).keys()];
    });
    assert.deepEqual(names, ['', '0x10', 'NaN', -1.5]);
    assert.deepEqual(numbers, [0, 16, 'NaN', -1.5]);
  },
  '`skipValues` in records': (ours) => {
    const [left, kept] = [ours, msgpackr].map(({ Packr }) => hex(new Packr({ skipValues: [1] }).pack({ a: 1, b: 2 })));
    assert.deepEqual([left, kept], ['d4724091a16202', 'd4724092a161a1620102']);
  },
  'an extension of type 255, for Date': (ours) => {
    const extension = { Class: Date, type: 255, pack: () => Buffer.of(1) };
    assert.throws(() => ours.addExtension(extension), RangeError);
  },
  'bytes of `randomAccessStructure` (1.x)': (ours) => fails('trailing_data', () => ours.unpack(bytesOf('2000a161'))),
  'depth, regular expressions': (ours) => {
    fails('limit_exceeded', () => ours.unpack(Buffer.alloc(600, 0x91)));
    fails('limit_exceeded', () => ours.unpack(LONG_PATTERN));
    assert.equal((msgpackr.unpack(LONG_PATTERN) as RegExp).source.length, 2000);
  },
  '`REUSE_BUFFER_MODE`, `RESET_BUFFER_MODE`': (ours) => {
    const mode = ours.REUSE_BUFFER_MODE | ours.RESET_BUFFER_MODE;
    const packr = new ours.Packr();
    const [first] = [packr.pack('first', mode), packr.pack('later', mode)];
    assert.equal(ours.unpack(first as Buffer), 'first');
  },
  '`unpackMultiple` of no bytes': (ours) => {
    assert.deepEqual(ours.unpackMultiple(Buffer.alloc(0)), []);
    failsThere(() => msgpackr.unpackMultiple(Buffer.alloc(0)));
  },
  'bad input': (ours) => {
    assert.throws(() => ours.unpack(bytesOf('91a261')), { code: 'unexpected_end', offset: 1, path: '/0' });
    failsThere(() => msgpackr.unpack(bytesOf('91a261')));
  },
};

/** Rows of the first table that polypack itself has in others. */
const ELSEWHERE = [
  'an invalid Date',
  'a function with the class of an extension (a callable instance)',
  'depth, regular expressions',
  '`REUSE_BUFFER_MODE`, `RESET_BUFFER_MODE`',
];

const NAMES: Checks = {
  '`new Packr().offset`, `position`': () => {
    const theirs = new msgpackr.Packr();
    theirs.useBuffer(Buffer.alloc(8192));
    assert.equal(hex(theirs.pack(300)), 'cd012c');
    assert.equal(theirs.offset, 3);
    assert.equal(packInto(new Uint8Array(10), 0, 300), 3);
  },
  '`pack(value, RESERVE_START_SPACE + n)`': () => {
    const theirs = new msgpackr.Packr().pack(7, msgpackr.RESERVE_START_SPACE + 4);
    const ours = new Uint8Array(5);
    assert.equal(packInto(ours, 4, 7), 5);
    assert.equal(hex(ours.subarray(4)), hex(theirs.subarray(4)));
  },
  '`useBuffer(buffer)`': () => {
    const packr = new Packr();
    const buffer = new Uint8Array(100);
    packr.useBuffer(buffer);
    assert.equal(packr.pack('a').buffer, buffer.buffer);
    for (const write of [pack, new Packr().pack]) assert.notEqual(write('a').buffer, buffer.buffer);
    // Of all: a later Packr writes into the same memory.
    const shared = Buffer.alloc(8192);
    new msgpackr.Packr().useBuffer(shared);
    assert.equal(new msgpackr.Packr().pack('a').buffer, shared.buffer);
  },
  '`REUSE_BUFFER_MODE`, `RESET_BUFFER_MODE`': () => {
    const theirs = new msgpackr.Packr();
    const first = theirs.pack('first', msgpackr.RESET_BUFFER_MODE);
    theirs.pack('later', msgpackr.RESET_BUFFER_MODE);
    const packr = new Packr();
    const kept = packr.pack('first');
    packr.pack('later');
    assert.deepEqual([msgpackr.unpack(first), unpack(kept)], ['later', 'first']);
  },
  '`NEVER`, `ALWAYS`, `DECIMAL_ROUND`, `DECIMAL_FIT`': () => {
    const { NEVER, ALWAYS, DECIMAL_ROUND, DECIMAL_FIT } = UNTYPED;
    assert.deepEqual(FLOAT32_OPTIONS, { NEVER, ALWAYS, DECIMAL_ROUND, DECIMAL_FIT });
  },
  '`useRecords`, `mapsAsObjects` as exports': () => {
    assert.deepEqual([UNTYPED.useRecords, UNTYPED.mapsAsObjects], [false, true]);
    assert.equal(hex(new Packr({ useRecords: false }).pack({ a: 1 })), '81a16101');
    assert.deepEqual(unpack(bytesOf('810102'), { mapsAsObjects: true }), { 1: 2 });
  },
  '`Unpackr` for plain maps as objects': () => {
    const map = new Map([['a', 1]]);
    const bytes = bytesOf('81a16101');
    for (const { Unpackr } of [polypack, msgpackr]) {
      assert.deepEqual(new Unpackr().unpack(bytes), map);
      assert.deepEqual(new Unpackr({ mapsAsObjects: true }).unpack(bytes), { a: 1 });
    }
    assert.deepEqual(unpack(bytes), { a: 1 });
    assert.deepEqual([...decodeIter([bytes])], [{ a: 1 }]);
    assert.deepEqual([...decodeIter([bytes], { records: 'inline' })], [map]);
    assert.deepEqual([...(msgpackr.decodeIter([bytes]) as unknown as Iterable<unknown>)], [map]);
  },
};

const OPTIONS: Checks = {
  '`variableMapSize`': () => {
    assert.deepEqual([hex(msgpackr.pack({ a: 1 })), hex(pack({ a: 1 }))], ['de0001a16101', '81a16101']);
    const theirs = new msgpackr.Packr({ useRecords: false, variableMapSize: true });
    assert.equal(hex(theirs.pack({ a: 1 })), '81a16101');
    assert.equal(hex(new Packr({ ...plain, variableMapSize: false }).pack({ a: 1 })), 'de0001a16101');
  },
  none: () => {
    const bytes = bytesOf('a1ff');
    assert.equal(typeof msgpackr.unpack(bytes), 'string');
    fails('invalid_utf8', () => unpack(bytes));
    fails('invalid_utf8', () => unpack(bytes, { invalidUtf8: 'error' }));
    assert.equal(unpack(bytes, { invalidUtf8: 'replace' }), '\ufffd');
    assert.equal(hex(unpack(bytes, { invalidUtf8: 'bytes' })), 'ff');
  },
  '`int64AsType`': () => {
    const [five, unsafe] = [bytesOf('d30000000000000005'), bytesOf('cf0020000000000001')];
    const inKey = Buffer.concat([bytesOf('81'), five, bytesOf('02')]);
    assert.deepEqual([msgpackr.unpack(five), unpack(five)], [5n, 5]);
    assert.deepEqual([msgpackr.unpack(unsafe), unpack(unsafe)], [2n ** 53n + 1n, 2n ** 53n + 1n]);
    assert.equal(unpack(msgpackr.pack(5n), { int64AsType: 'bigint' }), 5n);
    assert.deepEqual(unpack(inKey, { int64AsType: 'bigint' }), new Map([[5, 2]]));
    assert.deepEqual(new msgpackr.Unpackr().unpack(inKey), new Map([[5n, 2]]));
    fails('out_of_range', () => unpack(unsafe, { int64AsType: 'number' }));
    assert.equal(hex(pack(5n)), '05');
    for (const option of ['wideBigInts', 'moreTypes', 'structuredClone']) {
      const packr = new Packr({ [option]: true });
      assert.equal(hex(packr.pack(5n)), hex(five));
      assert.equal(packr.unpack(five), option === 'wideBigInts' ? 5 : 5n);
    }
  },
  '`sequential` of `PackrStream`': async () => {
    const bytes = async (stream: NodeJS.ReadWriteStream): Promise<string> => {
      for (const id of [1, 2]) stream.write({ id } as never);
      stream.end();
      return hex(Buffer.concat(await Readable.from(stream).toArray()));
    };
    const alone = [1, 2].map((id) => hex(new Packr().pack({ id })));
    assert.equal(await bytes(new PackrStream()), alone.join(''));
    assert.equal(await bytes(new PackrStream({ sequential: true })), `${alone[0]}4002`);
    assert.equal(await bytes(new msgpackr.PackrStream()), `${alone[0]}4002`);
  },
};

const BYTES: Checks = {
  'integral number beyond 32 bits': () => {
    assert.equal(hex(msgpackr.pack(2 ** 40)), 'cb4270000000000000');
    assert.equal(hex(pack(2 ** 40)), 'cf0000010000000000');
    assert.equal(msgpackr.unpack(Buffer.from(pack(2 ** 40))), 2n ** 40n);
    for (const option of ['moreTypes', 'structuredClone']) {
      assert.equal(hex(new Packr({ ...plain, [option]: true }).pack(2 ** 40)), 'cb4270000000000000');
    }
  },
  bigint: () => {
    assert.equal(hex(msgpackr.pack(5n)), 'd30000000000000005');
    assert.equal(hex(pack(5n)), '05');
    for (const option of ['wideBigInts', 'moreTypes', 'structuredClone']) {
      assert.equal(hex(new Packr({ [option]: true }).pack(5n)), 'd30000000000000005');
    }
  },
  '−0': () => assert.deepEqual([hex(msgpackr.pack(-0)), hex(pack(-0))], ['00', 'cb8000000000000000']),
  'a Date with milliseconds after 2106': () => {
    const date = new Date(2 ** 32 * 1000 + 5);
    assert.deepEqual([msgpackr.pack(date).length, pack(date).length], [15, 10]);
  },
  'typed array, without `moreTypes`': () => assert.equal(hex(pack(Int16Array.of(1, 2))), 'c40401000200'),
  'a lone surrogate': () => fails('invalid_utf8', () => pack('\ud800')),
  'function, invalid Date': () => {
    assert.deepEqual([hex(msgpackr.pack(() => 1)), hex(msgpackr.pack(invalidDate))], ['d40000', 'd4ffff']);
    fails('unsupported_value', () => pack(() => 1));
    fails('out_of_range', () => pack(invalidDate));
    const options = { writeFunction: () => 1, onInvalidDate: () => 2 };
    assert.equal(hex(pack([() => 1, invalidDate], options)), '920102');
  },
  'Error, RegExp, without `moreTypes`': () => {
    for (const value of [new Error('x'), /a/]) {
      assert.match(hex(msgpackr.pack(value)), /^9[23]/);
      fails('unsupported_value', () => pack(value));
    }
  },
  'iterable instances, subclasses of Map, `new Number(5)` and the like': () => {
    keepsItsOwn(pack);
    const compatible = new Packr({ compat: 'msgpackr', records: 'off' });
    keepsItsOwn((value) => compatible.pack(value));
  },
  'instance without properties (`#private` only)': () => {
    const value = new Private();
    assert.equal(Private.valueOf(value), 1);
    assert.deepEqual(msgpackr.unpack(msgpackr.pack(value)), {});
    assert.equal(hex(pack(value)), '80');
    for (const mode of ['strict', 'lossless'] as const) fails('unsupported_value', () => pack(value, { mode }));
  },
  'instance of a class whose extension has `write` and a `type`': () => {
    const extension = { Class: Point, type: 43, write: ({ x }: Point) => [x], read: () => new Point() };
    msgpackr.addExtension(extension as Parameters<typeof msgpackr.addExtension>[0]);
    assert.equal(hex(msgpackr.pack(new Point())), 'd42b009107');
    assert.equal(hex(pack(new Point(), { extensions: [extension as never] })), 'd52b9107');
  },
};

const BEHAVIOUR: Checks = {
  'bytes behind the value': () => {
    assert.throws(() => unpack(bytesOf('0102')), { code: 'trailing_data', offset: 1 });
    failsThere(() => msgpackr.unpack(bytesOf('0102')));
  },
  'bad input': () => assert.throws(() => unpack(bytesOf('91a261')), { code: 'unexpected_end', offset: 1, path: '/0' }),
  'stream with bad input': async () => {
    const seen: unknown[] = [];
    const stream = Readable.from([bytesOf('0102c1'), bytesOf('03')]).pipe(new UnpackrStream());
    stream.on('data', (value) => seen.push(value));
    await new Promise((resolve) => {
      stream.on('error', (error: Error & { code?: string }) => seen.push(error.code)).on('close', resolve);
    });
    assert.deepEqual(seen, [1, 2, 'reserved_byte']);
    const old = async (text: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      const stream = Readable.from([bytesOf(text)]).pipe(new msgpackrOld.UnpackrStream());
      stream.on('data', (value) => seen.push(value)).on('error', () => seen.push('an error'));
      await new Promise((resolve) => stream.on('close', resolve));
      return seen;
    };
    assert.deepEqual([await old('0102d42a01'), await old('010292a1')], [['an error'], [1, 2]]);
  },
  'a large value in small chunks': async () => {
    // That it takes linear time is tested in stream/stream.
    const chunks = Array.from({ length: 2000 }, (_, at) => (at === 0 ? bytesOf('dc07cf') : bytesOf('05')));
    const values = await Readable.from(chunks).pipe(new UnpackrStream()).toArray();
    assert.deepEqual(values, [Array(1999).fill(5)]);
  },
  'key `__proto__`': () => {
    const bytes = bytesOf('81a95f5f70726f746f5f5f01');
    assert.deepEqual(Object.keys(unpack(bytes)), ['__proto__']);
    assert.deepEqual(Object.keys(msgpackr.unpack(bytes)), ['__proto_']);
    fails('invalid_key', () => unpack(bytes, { mode: 'strict' }));
  },
  'structured clones and errors': () => {
    const bytes = new msgpackr.Packr({ structuredClone: true, useRecords: false }).pack([new Error('x')]);
    assert.ok((msgpackr.unpack(bytes) as unknown[])[0] instanceof Error);
    assert.throws(() => unpack(bytes), /use the option moreTypes/);
    for (const option of ['structuredClone', 'moreTypes']) {
      assert.ok((new Unpackr({ [option]: true }).unpack(bytes) as unknown[])[0] instanceof Error);
    }
  },
  'regular expressions': () => {
    assert.deepEqual(msgpackr.unpack(PATTERN), [/a/]);
    fails('unsupported_value', () => new Unpackr({ moreTypes: true }).unpack(PATTERN));
    assert.deepEqual(new Unpackr({ moreTypes: true, regExps: true }).unpack(PATTERN), [/a/]);
    fails('limit_exceeded', () => new Unpackr({ moreTypes: true, regExps: true }).unpack(LONG_PATTERN));
  },
  'a key −0; timestamps as keys that differ by nanoseconds': () => {
    const zeros = bytesOf('82cb800000000000000001' + '0002');
    assert.deepEqual([...unpack<Map<unknown, number>>(zeros).keys()], [new Float(-0), 0]);
    assert.deepEqual([...(new msgpackr.Unpackr().unpack(zeros) as Map<unknown, number>).keys()], [0]);
    const moments = bytesOf('82d7ff000000040000000101d7ff000000080000000102');
    const keys = [...unpack<Map<unknown, number>>(moments).keys()];
    assert.ok(keys.every((key) => key instanceof Timestamp));
    const theirs = [...(new msgpackr.Unpackr().unpack(moments) as Map<Date, number>).keys()];
    assert.equal(theirs[0]?.getTime(), theirs[1]?.getTime());
  },
  'Blob, File, Request, streams': () => {
    for (const value of [new Blob([]), new Request('http://localhost/'), new ReadableStream()]) {
      assert.doesNotThrow(() => new msgpackr.Packr({ useRecords: false }).pack(value));
      fails('unsupported_value', () => pack(value));
    }
  },
  'duplicate names in a record': () => {
    const bytes = bytesOf('d4724092a161a1610102');
    assert.deepEqual(msgpackr.unpack(bytes), { a: 2 });
    fails('invalid_record', () => new Unpackr().unpack(bytes));
  },
  'a map with keys that are no str, by `unpack`': () => {
    for (const [head, key] of Object.entries({ '01': 1, cb3ff8000000000000: 1.5, c3: true, c0: null })) {
      assert.deepEqual(msgpackr.unpack(bytesOf(`81${head}02`)), { [String(key)]: 2 });
      assert.deepEqual(unpack(bytesOf(`81${head}02`)), new Map([[key, 2]]));
    }
    failsThere(() => msgpackr.unpack(bytesOf('819001')));
    assert.deepEqual(unpack(bytesOf('819001')), new Map([[[], 1]]));
    assert.deepEqual(unpack(bytesOf('810102'), { mapsAsObjects: true }), { 1: 2 });
  },
  'the byte 0xc1, a timestamp of one byte': () => {
    const [c1, noDate] = [bytesOf('c1'), bytesOf('d4ffff')];
    assert.equal(msgpackr.unpack(c1), msgpackr.C1);
    assert.ok(Number.isNaN(msgpackr.unpack(noDate).getTime()));
    fails('reserved_byte', () => unpack(c1));
    fails('invalid_timestamp', () => unpack(noDate));
    const compatible = new Unpackr({ compat: 'msgpackr' });
    assert.equal(compatible.unpack(c1), C1);
    assert.ok(Number.isNaN(compatible.unpack<Date>(noDate).getTime()));
  },
  results: () => {
    const bytes = pack(1);
    assert.deepEqual([bytes.constructor, msgpackr.pack(1).constructor], [Uint8Array, Buffer]);
    assert.deepEqual(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), Buffer.of(1));
  },
  'the input': () => {
    const [ours, theirs] = [Uint8Array.of(1), Uint8Array.of(1)];
    unpack(ours);
    msgpackr.unpack(theirs);
    assert.deepEqual(['dataView' in ours, 'dataView' in theirs], [false, true]);
  },
};

const TABLES: readonly (readonly [string, string, Checks])[] = [
  ['polypack/msgpackr', '| | msgpackr | polypack/msgpackr |', bound(DOOR, door)],
  ['names', '## Names', NAMES],
  ['options', '## Options', OPTIONS],
  ['bytes', '## Bytes', BYTES],
  ['behaviour', '## Behaviour', BEHAVIOUR],
];

/** Returns the checks for an entry point. */
function bound(checks: typeof DOOR, ours: typeof door): Checks {
  return Object.fromEntries(Object.entries(checks).map(([head, check]) => [head, () => check(ours)]));
}

test('what the first table says holds for polypack, too, but for rows of other tables', () => {
  assert.deepEqual(
    ELSEWHERE.filter((head) => !Object.hasOwn(DOOR, head)),
    [],
  );
  for (const [head, check] of Object.entries(DOOR)) {
    if (!ELSEWHERE.includes(head)) check(polypack as unknown as typeof door);
  }
  fails('limit_exceeded', () => unpack(Buffer.alloc(600, 0x91)));
});

for (const [name, start, checks] of TABLES) {
  test(`every row of the guide about ${name} has a check`, () => {
    assert.deepEqual(headsBehind(start).sort(), Object.keys(checks).sort());
  });
  for (const [head, check] of Object.entries(checks)) {
    test(`${name}: ${head}`, async () => {
      await check();
    });
  }
}
