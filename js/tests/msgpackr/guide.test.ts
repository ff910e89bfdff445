// The tables of docs/guides/migrating-from-msgpackr.md: each row is run by a check of the same name, with msgpackr.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import { ExtData, Float, Packr, type PackrOptions, pack, Timestamp, Unpackr, UnpackrStream, unpack } from 'polypack';
import * as door from 'polypack/msgpackr';
import { REPOSITORY } from '../_vectors.ts';

type Checks = Readonly<Record<string, () => unknown>>;

const GUIDE = readFileSync(new URL('docs/guides/migrating-from-msgpackr.md', REPOSITORY), 'utf8');

/** Returns what stands first in each row of the table behind `start`. */
function headsBehind(start: string): string[] {
  const [, table = ''] = /\n\|---.*\n((?:\|.*\n)*)/.exec(GUIDE.slice(GUIDE.indexOf(start))) ?? [];
  return Array.from(table.matchAll(/^\| (.*?) \|/gm), ([, head = '']) => head);
}

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

const DOOR: Checks = {
  "a str that isn't UTF-8": () => {
    fails('invalid_utf8', () => door.unpack(bytesOf('a1ff')));
    assert.equal(typeof msgpackr.unpack(bytesOf('a1ff')), 'string');
  },
  'a lone surrogate': () => {
    fails('invalid_utf8', () => door.pack('\ud800'));
    assert.equal(hex(msgpackr.pack('\ud800')), 'a3eda080');
    assert.ok(hex(msgpackr.pack('\ud800'.repeat(100))).startsWith('da012cefbfbd'));
  },
  "`int64AsType: 'number'` for an unsafe integer": () => {
    const bytes = bytesOf('cf0020000000000001');
    fails('out_of_range', () => new door.Unpackr({ int64AsType: 'number' }).unpack(bytes));
    assert.equal(new msgpackr.Unpackr({ int64AsType: 'number' }).unpack(bytes), 2 ** 53);
  },
  "`int64AsType: 'auto'` for ±2⁵³": () => {
    for (const integer of [2n ** 53n, -(2n ** 53n)]) {
      const bytes = msgpackr.pack(integer);
      assert.equal(new door.Unpackr({ int64AsType: 'auto' }).unpack(bytes), integer);
      assert.equal(new msgpackr.Unpackr({ int64AsType: 'auto' } as object).unpack(bytes), Number(integer));
    }
  },
  "`int64AsType: 'string'` for 64-bit heads of ints that fit 32 bits": () => {
    assert.equal(new door.Unpackr({ int64AsType: 'string' }).unpack(bytesOf('cf0000000000000005')), 5);
    assert.equal(new msgpackr.Unpackr({ int64AsType: 'string' }).unpack(bytesOf('cf0000000000000005')), '5');
  },
  'an invalid Date': () => {
    fails('unsupported_value', () => door.pack(invalidDate));
    assert.equal(hex(msgpackr.pack(invalidDate)), 'd4ffff');
    for (const { unpack } of [door, msgpackr]) {
      assert.ok(Number.isNaN(unpack(bytesOf('d4ffff')).getTime()));
    }
  },
  'a timestamp with 10⁹ nanoseconds': () => {
    const bytes = bytesOf('c70cff3b9aca000000000000000000');
    fails('invalid_timestamp', () => door.unpack(bytes));
    assert.deepEqual(msgpackr.unpack(bytes), new Date(1000));
  },
  'typed arrays without `moreTypes`, SharedArrayBuffer': () => {
    assert.equal(hex(door.pack(Float32Array.of(1.5))), 'c4040000c03f');
    assert.notEqual(hex(msgpackr.pack(Float32Array.of(1.5))), 'c4040000c03f');
    assert.equal(hex(door.pack(new SharedArrayBuffer(2))), 'c4020000');
    assert.deepEqual(msgpackr.unpack(msgpackr.pack(new SharedArrayBuffer(2))), {});
  },
  'iterable instances, subclasses of Map, `new Number(5)` and the like': () => keepsItsOwn(door.pack),
  'holes in arrays, with `structuredClone`': () => {
    const options = { structuredClone: true };
    const holes: unknown[] = [];
    holes[1] = 1;
    const copies = [door, msgpackr].map(({ Packr }) => new Packr(options).unpack(new Packr(options).pack(holes)));
    assert.deepEqual(
      copies.map((copy) => 0 in (copy as unknown[])),
      [false, true],
    );
  },
  'a function with the class of an extension (a callable instance)': () => {
    const callable = Object.setPrototypeOf(() => 1, Callable.prototype);
    for (const { addExtension } of [door, msgpackr]) {
      addExtension({ Class: Callable, type: 40, pack: () => Buffer.of(7), unpack: () => callable } as door.Extension);
    }
    assert.equal(hex(msgpackr.pack(callable)), 'd42807');
    assert.equal(door.unpack(door.pack(callable)), undefined);
    assert.equal(hex(door.pack(callable)), hex(door.pack(() => 1)));
  },
  'an ext of a type without an extension': () => {
    assert.deepEqual(door.unpack(bytesOf('d42a01')), new ExtData(42, Buffer.of(1)));
    failsThere(() => msgpackr.unpack(bytesOf('d42a01')));
  },
  'key `__proto__`': () => {
    const bytes = bytesOf('81a95f5f70726f746f5f5f01');
    assert.deepEqual(Object.keys(door.unpack(bytes)), ['__proto__']);
    assert.deepEqual(Object.keys(msgpackr.unpack(bytes)), ['__proto_']);
  },
  'an extension of type 255, for Date': () => {
    const extension = { Class: Date, type: 255, pack: () => Buffer.of(1) };
    assert.throws(() => door.addExtension(extension), RangeError);
  },
  'bytes of `randomAccessStructure` (1.x)': () => fails('trailing_data', () => door.unpack(bytesOf('2000a161'))),
  'depth, regular expressions': () => {
    fails('limit_exceeded', () => door.unpack(Buffer.alloc(600, 0x91)));
    fails('limit_exceeded', () => door.unpack(LONG_PATTERN));
    assert.equal((msgpackr.unpack(LONG_PATTERN) as RegExp).source.length, 2000);
  },
  '`REUSE_BUFFER_MODE`, `RESET_BUFFER_MODE`': () => {
    const mode = door.REUSE_BUFFER_MODE | door.RESET_BUFFER_MODE;
    const packr = new door.Packr();
    const [first] = [packr.pack('first', mode), packr.pack('later', mode)];
    assert.equal(door.unpack(first as Buffer), 'first');
  },
  'bad input': () => {
    assert.throws(() => door.unpack(bytesOf('91a261')), { code: 'unexpected_end', offset: 1, path: '/0' });
    failsThere(() => msgpackr.unpack(bytesOf('91a261')));
  },
};

const BYTES: Checks = {
  'integral number beyond 32 bits': () => {
    assert.equal(hex(msgpackr.pack(2 ** 40)), 'cb4270000000000000');
    assert.equal(hex(pack(2 ** 40)), 'cf0000010000000000');
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
  ['polypack/msgpackr', '| | msgpackr | polypack/msgpackr |', DOOR],
  ['bytes', '## Bytes', BYTES],
  ['behaviour', '## Behaviour', BEHAVIOUR],
];

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
