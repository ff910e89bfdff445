// useBuffer: a Packr writes into memory that it was given, and nobody else does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Packr } from 'polypack';
import { hexOf } from '../_values.ts';

test('messages stand one behind the other in the buffer', () => {
  const packr = new Packr({ useRecords: false });
  const buffer = new Uint8Array(16);
  packr.useBuffer(buffer);
  const first = packr.pack([1, 2]);
  const second = packr.encode('abc');
  assert.deepEqual([first.buffer, first.byteOffset, second.byteOffset], [buffer.buffer, 0, 3]);
  assert.equal(hexOf(buffer.subarray(0, 7)), '920102a3616263');
  const large = packr.pack('0123456789');
  assert.notEqual(large.buffer, buffer.buffer);
  assert.equal(packr.unpack(large), '0123456789');
  assert.equal(packr.pack(5).buffer, buffer.buffer);
  packr.useBuffer(buffer);
  assert.equal(packr.pack('again').byteOffset, 0);
  assert.equal(hexOf(first), 'a56167');
  packr.useBuffer(null);
  assert.notEqual(packr.pack(1).buffer, buffer.buffer);
});

test('a buffer belongs to one Packr, a fault leaves it usable, a view of one is enough', () => {
  const memory = new Uint8Array(32).fill(0xee);
  const packr = new Packr({ useRecords: false });
  packr.useBuffer(memory.subarray(8, 24));
  assert.notEqual(new Packr().pack(1).buffer, memory.buffer);
  assert.throws(() => packr.pack([() => 1]), { code: 'unsupported_value' });
  const bytes = packr.pack(Array.from({ length: 15 }, () => 7));
  assert.deepEqual([bytes.byteOffset, bytes.length], [8, 16]);
  assert.deepEqual([memory[7], memory[24]], [0xee, 0xee]);
  assert.equal(hexOf(packr.pack(1)), '01');
  assert.equal(packr.pack(1).buffer === memory.buffer, false);
  assert.throws(() => packr.useBuffer(new ArrayBuffer(8) as never), TypeError);
  assert.throws(() => packr.useBuffer('text' as never), TypeError);
});

test('pack inside toJSON and references do not disturb what is being written', () => {
  const packr = new Packr({ structuredClone: true });
  packr.useBuffer(new Uint8Array(200));
  class Inner {
    toJSON(): string {
      return hexOf(packr.pack({ inner: true }));
    }
  }
  const shared = { a: 1 };
  const value = [shared, new Inner(), shared];
  const copy = packr.unpack<unknown[]>(packr.pack(value));
  assert.equal(copy[0], copy[2]);
  assert.equal(copy[1], hexOf(new Packr().pack({ inner: true })));
  assert.deepEqual(packr.unpack(packr.pack('next')), 'next');
});
