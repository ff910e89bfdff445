// Ext type −1 (spec/04): Timestamp, Date, the three forms, floors and ranges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Packr, pack, Timestamp, Unpackr, unpack } from 'polypack';
import { assertFault, assertPacks, packedBy } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';

test('the smallest form that holds the moment', () => {
  for (const [seconds, nanoseconds, bytes] of [
    [0, 0, 'd6 ff 00 00 00 00'],
    [1, 0, 'd6 ff 00 00 00 01'],
    [2 ** 32 - 1, 0, 'd6 ff ff ff ff ff'],
    [2 ** 32, 0, 'd7 ff 00 00 00 01 00 00 00 00'],
    [0, 1, 'd7 ff 00 00 00 04 00 00 00 00'],
    [2 ** 34 - 1, 999_999_999, 'd7 ff ee 6b 27 ff ff ff ff ff'],
    [2 ** 34, 0, 'c7 0c ff 00 00 00 00 00 00 00 04 00 00 00 00'],
    [-1, 0, 'c7 0c ff 00 00 00 00 ff*8'],
    [-1, 999_999_999, 'c7 0c ff 3b 9a c9 ff ff*8'],
    [2n ** 63n - 1n, 1, 'c7 0c ff 00 00 00 01 7f ff*7'],
    [-(2n ** 63n), 0, 'c7 0c ff 00 00 00 00 80 00*7'],
  ] as const) {
    assertPacks(new Timestamp(seconds, nanoseconds), bytes, `${seconds} s ${nanoseconds} ns`);
    const decoded = new Unpackr({ mode: 'lossless' }).unpack(bytesOf(bytes)) as Timestamp;
    assert.deepStrictEqual(decoded, new Timestamp(seconds, nanoseconds));
  }
});

test('seconds are a number when safe, whatever they were given as', () => {
  assert.equal(new Timestamp(5n, 0).seconds, 5);
  assert.equal(new Timestamp(2n ** 53n, 0).seconds, 2n ** 53n);
  assert.deepStrictEqual(new Timestamp(5n, 0), new Timestamp(5, 0));
});

test('a Timestamp outside the format is out of range', () => {
  for (const [seconds, nanoseconds] of [
    [2n ** 63n, 0],
    [-(2n ** 63n) - 1n, 0],
    [0, 1_000_000_000],
    [0, -1],
    [0, 0.5],
    [1.5, 0],
    [Number.NaN, 0],
    [2 ** 53, 0],
  ] as const) {
    assertFault(
      () => new Timestamp(seconds, nanoseconds),
      { code: 'out_of_range', offset: null },
      `${seconds} ${nanoseconds}`,
    );
  }
});

test('a Date is exact to the millisecond, before 1970 too', () => {
  for (const milliseconds of [
    0, 1, 999, 1000, -1, -999, -1000, -1001, 1.7e12, 4_294_967_295_999, 8.64e15, -8.64e15, 253402300799999,
  ]) {
    const date = new Date(milliseconds);
    assert.deepStrictEqual(unpack(pack(date)), date, `${milliseconds} ms`);
    const lossless = new Unpackr({ mode: 'lossless' }).unpack(pack(date)) as Timestamp;
    assert.ok(lossless.nanoseconds >= 0);
    assert.equal(BigInt(lossless.seconds) * 1000n + BigInt(lossless.nanoseconds / 1e6), BigInt(milliseconds));
  }
  assertPacks(new Date(-1), 'c7 0c ff 3b 8b 87 c0 ff*8');
  assert.equal(pack(new Date(4_294_967_296_001)).length, 10, 'after 2106 with milliseconds: timestamp 64');
});

test('a moment between milliseconds is floored', () => {
  const of = (bytes: string) => (unpack(bytesOf(bytes)) as Date).getTime();
  assert.equal(of('c7 0c ff 3b 9a c9 ff ff*8'), -1, '-1 ns');
  assert.equal(of('d7 ff 00 3d 08 fc 00 00 00 00'), 0, '999 999 ns');
  assert.equal(of('d7 ff 00 3d 09 00 00 00 00 00'), 1, '1 000 000 ns');
});

test('the range of Date', () => {
  const of = (bytes: string) => unpack(bytesOf(bytes));
  assert.deepStrictEqual(of('c7 0c ff 00 00 00 00 00 00 07 db a8 21 80 00'), new Date(8.64e15));
  const beyond = '91 c7 0c ff 00 0f 42 40 00 00 07 db a8 21 80 00';
  assertFault(() => of(beyond), { code: 'out_of_range', offset: 1, path: '/0' });
  const within = of('c7 0c ff 00 0f 42 3f 00 00 07 db a8 21 80 00') as Date;
  assert.equal(within.getTime(), 8.64e15, '999 999 ns after the last millisecond');
  assertFault(() => of('c7 0c ff 3b 9a c9 ff ff ff f8 24 57 de 7f ff'), { code: 'out_of_range', offset: 0 });
  assertFault(() => pack([new Date(Number.NaN)]), { code: 'out_of_range', offset: null, path: '/0' });
});

test('fromDate and toDate', () => {
  assert.deepStrictEqual(Timestamp.fromDate(new Date(-1)), new Timestamp(-1, 999_000_000));
  assert.deepStrictEqual(new Timestamp(-1, 999_999_999).toDate(), new Date(-1));
  assertFault(() => new Timestamp(2n ** 60n, 0).toDate(), { code: 'out_of_range' });
  assertFault(() => Timestamp.fromDate(new Date(Number.NaN)), { code: 'out_of_range' });
});

test('every head of these lengths is read, and every other length refused', () => {
  const seconds = '00 00 00 01';
  for (const bytes of [
    `d6 ff ${seconds}`,
    `c7 04 ff ${seconds}`,
    `c8 00 04 ff ${seconds}`,
    `c9 00 00 00 04 ff ${seconds}`,
  ]) {
    assert.deepStrictEqual(unpack(bytesOf(bytes)), new Date(1000), bytes);
  }
  for (const bytes of ['c7 00 ff', 'd4 ff 00', 'd5 ff 00*2', 'c7 03 ff 00*3', 'c7 0d ff 00*13', 'd8 ff 00*16']) {
    assertFault(() => unpack(bytesOf(`91 ${bytes}`)), { code: 'invalid_timestamp', offset: 1, path: '/0' }, bytes);
  }
});

test('nanoseconds above 999 999 999', () => {
  for (const bytes of ['d7 ff ee 6b 28 00 00 00 00 00', 'c7 0c ff 3b 9a ca 00 00*8']) {
    for (const mode of ['default', 'strict', 'lossless'] as const) {
      assertFault(() => new Unpackr({ mode }).unpack(bytesOf(bytes)), { code: 'invalid_timestamp', offset: 0 });
    }
  }
});

test('useTimestamp32 drops milliseconds where timestamp 32 holds the rest', () => {
  assert.equal(packedBy({ useTimestamp32: true }, new Date(1999)), 'd6ff00000001');
  assert.equal(packedBy({ useTimestamp32: true }, new Date(-1)), hexOf(pack(new Date(-1))));
  assert.equal(
    packedBy({ useTimestamp32: true }, new Date(2 ** 32 * 1000 + 1)),
    hexOf(pack(new Date(2 ** 32 * 1000 + 1))),
  );
});

test('a subclass of Date', () => {
  class Day extends Date {}
  assertPacks(new Day(1000), 'd6 ff 00 00 00 01');
  assert.equal(hexOf(new Packr().pack(new Day(1000))), 'd6ff00000001');
});

test('a Temporal.Instant is a timestamp, to the nanosecond', () => {
  // Engines that lack it are given one that looks the same from outside.
  class StandIn {
    readonly epochNanoseconds: bigint;
    constructor(nanoseconds: bigint) {
      this.epochNanoseconds = nanoseconds;
    }
    get [Symbol.toStringTag]() {
      return 'Temporal.Instant';
    }
    toJSON() {
      return 'an instant as text';
    }
  }
  const { Temporal } = globalThis as { Temporal?: { Instant: new (nanoseconds: bigint) => object } };
  for (const Instant of [StandIn, ...(Temporal === undefined ? [] : [Temporal.Instant])]) {
    for (const [nanoseconds, timestamp] of [
      [0n, new Timestamp(0)],
      [1_500_000_000_123_456_789n, new Timestamp(1_500_000_000, 123_456_789)],
      [-1n, new Timestamp(-1, 999_999_999)],
      [8_640_000_000_000_000_000_000n, new Timestamp(8_640_000_000_000)],
    ] as const) {
      assert.equal(hexOf(pack([new Instant(nanoseconds)])), hexOf(pack([timestamp])));
    }
  }
});
