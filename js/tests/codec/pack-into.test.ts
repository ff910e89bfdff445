// packInto and decodeFirst: a value among other bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFirst, Packr, pack, packInto, Unpackr } from 'polypack';
import { assertFault } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';

const values = [
  0,
  -1,
  2 ** 40,
  1.5,
  'a',
  'é'.repeat(20),
  'x'.repeat(100),
  'ж'.repeat(70_000),
  new Uint8Array(300),
  [1, [2, ['three']]],
  { a: 1, b: { c: 'd' } },
  new Date(5),
  2n ** 60n,
];

test('what packInto writes is what pack returns, at any place, with any room', () => {
  for (const value of values) {
    const expected = pack(value);
    for (const offset of [0, 1, 5]) {
      for (const spare of [0, 1, 1000]) {
        const target = new Uint8Array(offset + expected.length + spare).fill(0xee);
        assert.equal(packInto(target, offset, value), offset + expected.length);
        assert.equal(hexOf(target.subarray(offset, offset + expected.length)), hexOf(expected));
        assert.ok(target.subarray(0, offset).every((byte) => byte === 0xee));
      }
      if (expected.length < 2000) assertRefuses(value, expected.length, offset);
    }
  }
});

function assertRefuses(value: unknown, length: number, offset: number): void {
  for (let room = 0; room < length; room++) {
    const whole = new Uint8Array(offset + length + 3).fill(0xee);
    const target = whole.subarray(0, offset + room);
    assert.throws(() => packInto(target, offset, value), new RegExp(`^RangeError.* ${length} bytes.* ${room}$`));
    assert.ok(whole.subarray(0, offset).every((byte) => byte === 0xee));
    assert.ok(whole.subarray(offset + room).every((byte) => byte === 0xee));
  }
}

test('every kind of memory is written in place', () => {
  const memory = new ArrayBuffer(16);
  const shared = new SharedArrayBuffer(16);
  const targets = [memory, new DataView(memory, 2, 10), new Uint16Array(memory), Buffer.from(memory), shared];
  for (const target of [...targets, new Uint8Array(shared, 1, 8)]) {
    assert.equal(packInto(target, 3, [1, 'ab']), 8);
    const bytes =
      'buffer' in target ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength) : new Uint8Array(target);
    assert.equal(hexOf(bytes.slice(3, 8)), hexOf(bytesOf('92 01 a2 61 62')));
  }
});

test('several values after each other', () => {
  const packr = new Packr();
  const target = new Uint8Array(1000);
  let end = 0;
  for (const value of values.slice(0, 7)) end = packInto(target, end, value, packr);
  const read: unknown[] = [];
  for (let at = 0; at < end; ) {
    const first = decodeFirst(target.subarray(0, end), at, packr);
    read.push(first.value);
    at = first.end;
  }
  assert.deepEqual(read, values.slice(0, 7));
});

test('a Packr goes on with its own memory afterwards, also after a failure', () => {
  const packr = new Packr({ records: 'off' });
  const target = new Uint8Array(8);
  assert.equal(packInto(target, 0, [1, 2], packr), 3);
  assert.throws(() => packInto(target, 0, [() => 1], packr), { code: 'unsupported_value', path: '/0' });
  assert.throws(() => packInto(target, 0, 'far too long', packr), RangeError);
  const before = hexOf(target);
  assert.equal(hexOf(packr.pack('hello')), 'a568656c6c6f');
  assert.equal(hexOf(target), before);
});

test('structured clones, whose bytes are put together at the end', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle, { a: 1 });
  const packr = new Packr({ structuredClone: true });
  const expected = packr.pack(cycle);
  const target = new Uint8Array(expected.length + 2);
  assert.equal(packInto(target, 2, cycle, packr), target.length);
  assert.equal(hexOf(target.subarray(2)), hexOf(expected));
  assert.throws(() => packInto(target, 3, cycle, packr), RangeError);
});

test('packInto within toJSON of a value that is packed into the same target', () => {
  const packr = new Packr({ records: 'off' });
  const target = new Uint8Array(20);
  class Inner {
    toJSON(): number {
      return packInto(target, 10, 'in', packr);
    }
  }
  assert.equal(packInto(target, 0, [new Inner()], packr), 2);
  assert.equal(hexOf(target.subarray(0, 2)), '910d');
  assert.equal(hexOf(target.subarray(10, 13)), 'a2696e');
});

test('wrong places and targets are wrong use', () => {
  for (const offset of [-1, 9, 1.5, Number.NaN]) {
    assert.throws(() => packInto(new Uint8Array(8), offset, 1), RangeError);
    assert.throws(() => decodeFirst(new Uint8Array(8), offset), RangeError);
  }
  for (const wrong of ['text', null, 5, [1]]) {
    assert.throws(() => packInto(wrong as never, 0, 1), TypeError);
    assert.throws(() => decodeFirst(wrong as never), TypeError);
  }
  assert.throws(() => packInto(new Uint8Array(8), '1' as never, 1), TypeError);
  assert.throws(() => packInto(new Uint8Array(8), 0, 1, { nonsense: 1 } as never), TypeError);
});

test('decodeFirst gives the value and its end', () => {
  assert.deepEqual(decodeFirst(bytesOf('92 01 02 c1 ff')), { value: [1, 2], end: 3 });
  assert.deepEqual(decodeFirst(bytesOf('c1 92 01 02 c1'), 1), { value: [1, 2], end: 4 });
  assert.deepEqual(decodeFirst(bytesOf('c0')), { value: null, end: 1 });
  const records = bytesOf('d4 72 40 91 a1 61 01 40');
  assert.deepEqual(decodeFirst(records, 0, { records: 'inline' }), { value: { a: 1 }, end: 7 });
  assert.deepEqual(decodeFirst(records, 7, new Unpackr()), { value: 64, end: 8 });
  assertFault(() => decodeFirst(records), { code: 'invalid_record', offset: 0, path: '' });
});

test('faults of decodeFirst count from the start of the data', () => {
  assertFault(() => decodeFirst(bytesOf('01 92 01 a1 ff'), 1), { code: 'invalid_utf8', offset: 3, path: '/1' });
  assertFault(() => decodeFirst(bytesOf('01'), 1), { code: 'unexpected_end', offset: 1, path: '' });
  assertFault(() => decodeFirst(bytesOf('91 91 90'), 0, { limits: { maxDepth: 2 } }), { code: 'limit_exceeded' });
});
