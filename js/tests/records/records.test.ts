// Records (spec/05): the bytes of the declarations and instances, in both directions also with the
// libraries they come from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import * as msgpackrOld from 'msgpackr-1.11';
import { Packr, pack, Unpackr, unpack } from 'polypack';
import { assertFault } from '../_check.ts';
import { THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

const PEERS = { 'msgpackr 2.1.3': msgpackr, 'msgpackr 1.11.12': msgpackrOld };

test('a declaration is its first instance', () => {
  assert.equal(hexOf(new Packr().pack({ foo: 4, bar: 2 })), 'd4724092a3666f6fa36261720402');
  assert.deepStrictEqual(new Unpackr().unpack(bytesOf('d4 72 40 92 a3 66 6f 6f a3 62 61 72 04 02')), {
    foo: 4,
    bar: 2,
  });
  assert.equal(hexOf(new Packr().pack([{ a: 1 }, { a: 2 }])), '92d4724091a161014002');
});

test('an object without properties is a record, and a Map never is', () => {
  assert.equal(hexOf(new Packr().pack([{}, {}, new Map([['a', 1]])])), '93d47240904081a16101');
  assert.equal(hexOf(new Packr({ structures: [[]] }).pack({})), '40');
});

test('an object in a key of a Map comes back as an object', () => {
  const value = new Map([
    [{ a: 1 }, 1],
    [[{ a: 2 }], 2],
  ]);
  const bytes = new Packr().pack(value);
  assert.equal(hexOf(bytes), '82d4724091a161010191400202');
  assert.deepStrictEqual([...(new Unpackr().unpack(bytes) as typeof value)], [...value]);
});

test('names of another order are another record', () => {
  const value = [
    { a: 1, b: 2 },
    { b: 3, a: 4 },
    { a: 5, b: 6 },
  ];
  const bytes = new Packr().pack(value);
  assert.equal(hexOf(bytes), '93d4724092a161a1620102d4724192a162a1610304400506');
  assert.deepStrictEqual(new Unpackr().unpack(bytes), value);
});

test('declarations live until the end of the message', () => {
  const packr = new Packr();
  const first = packr.pack({ a: 1 });
  assert.deepEqual(packr.pack({ a: 1 }), first, 'every message stands alone');
  assert.deepStrictEqual(packr.unpack(first), { a: 1 });
  assert.equal(packr.unpack(bytesOf('40')), 64);
  assert.deepEqual(packr.unpackMultiple(bytesOf('d4 72 40 91 a1 61 01 91 40')), [{ a: 1 }, [64]]);
});

test('the integers 64…127 are written as uint 8, and both forms are read', () => {
  const packr = new Packr();
  for (let value = 0; value < 256; value++) {
    const bytes = packr.pack(value);
    assert.equal(bytes.length, value < 64 ? 1 : 2, String(value));
    assert.equal(packr.unpack(bytes), value);
    assert.equal(new Unpackr().unpack(pack(value)), value, 'as plain MessagePack writes it');
  }
  assert.equal(hexOf(packr.pack([{ a: 64 }, 0x40, { a: 1 }])), '93d4724091a161cc40cc404001');
});

test('an empty object, a Map, and objects inside records', () => {
  const packr = new Packr();
  const value = { empty: {}, map: new Map<unknown, unknown>([['k', { a: 1 }]]), list: [{ a: 2 }, {}] };
  assert.deepStrictEqual(packr.unpack(packr.pack(value)), value);
});

test('two-byte ids', () => {
  const unpackr = new Unpackr();
  assert.deepStrictEqual(unpackr.unpack(bytesOf('92 d5 72 60 00 91 a1 61 01 60 00 02')), [{ a: 1 }, { a: 2 }]);
  assert.deepStrictEqual(
    unpackr.unpack(bytesOf('94 d5 72 7f ff 91 a1 61 01 d5 72 7f 00 91 a1 62 02 7f ff 03 7f 00 04')),
    [{ a: 1 }, { b: 2 }, { a: 3 }, { b: 4 }],
  );
  assertFault(() => unpackr.unpack(bytesOf('92 d5 72 60 00 91 a1 61 01 60 01')), {
    code: 'unknown_record',
    offset: 9,
    path: '/1',
  });
  assertFault(() => unpackr.unpack(bytesOf('92 d5 72 60 00 91 a1 61 01 60')), {
    code: 'unexpected_end',
    offset: 9,
    path: '/1',
  });
});

test('declaring an id again replaces its names from there on', () => {
  const again = '94 d4 72 40 91 a1 61 01 40 02 d4 72 40 92 a1 62 a1 63 03 04 40 05 06';
  assert.deepStrictEqual(new Unpackr().unpack(bytesOf(again)), [{ a: 1 }, { a: 2 }, { b: 3, c: 4 }, { b: 5, c: 6 }]);
});

test('a first byte belongs to the form declared last with it', () => {
  const unpackr = new Unpackr();
  const toPairs = '94 d4 72 60 91 a1 61 01 60 02 d5 72 60 05 91 a1 62 03 60 05 04';
  assert.deepStrictEqual(unpackr.unpack(bytesOf(toPairs)), [{ a: 1 }, { a: 2 }, { b: 3 }, { b: 4 }]);
  const toOne = '94 d5 72 60 05 91 a1 62 03 60 05 04 d4 72 60 91 a1 61 01 60 02';
  assert.deepStrictEqual(unpackr.unpack(bytesOf(toOne)), [{ b: 3 }, { b: 4 }, { a: 1 }, { a: 2 }]);
});

test('a record is known to its own values', () => {
  assert.deepStrictEqual(new Unpackr().unpack(bytesOf('d4 72 40 91 a1 61 91 40 05')), { a: [{ a: 5 }] });
});

test('more shapes than there are ids', THOROUGH, () => {
  for (const count of [10, 63, 64, 65, 200, 3000]) {
    const value = Array.from({ length: count }, (_, i) => ({ [`only${i}`]: i, shared: { [`x${i % 7}`]: i } }));
    const packr = new Packr();
    assert.deepStrictEqual(packr.unpack(packr.pack([value, value])), [value, value], `${count} shapes`);
  }
});

test('the mode off reads no records and says so', () => {
  for (const bytes of ['d4 72 40 91 a1 61 01', 'd5 72 60 00 90', 'c7 01 72 40', 'c8 00 02 72 60 00']) {
    const error = assertFault(() => unpack(bytesOf(`91 ${bytes}`)), { code: 'invalid_record', offset: 1, path: '/0' });
    assert.match(error.message, /records/);
    assert.match(error.message, /inline/);
  }
  assert.equal(unpack(bytesOf('40')), 64);
});

test('strict mode refuses an undeclared id', () => {
  const unpackr = new Unpackr({ mode: 'strict' });
  assertFault(() => unpackr.unpack(bytesOf('92 01 40')), { code: 'unknown_record', offset: 2, path: '/1' });
  assert.deepEqual(unpackr.unpack(bytesOf('92 01 cc 40')), [1, 64]);
  assert.equal(new Unpackr({ mode: 'strict', records: 'off' }).unpack(bytesOf('40')), 64);
});

test('__proto__ and constructor are names like any other', () => {
  const value = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2, "toString": 3}');
  const packr = new Packr();
  const copy = packr.unpack(packr.pack(value)) as object;
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.deepEqual(Object.entries(copy), Object.entries(value));
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  const strict = new Unpackr({ mode: 'strict' });
  assertFault(() => strict.unpack(packr.pack(value)), { code: 'invalid_key', path: '' });
});

test('in lossless mode a record with an integer-like name is a Map', () => {
  const unpackr = new Unpackr({ mode: 'lossless', records: 'inline' });
  assert.deepStrictEqual(
    unpackr.unpack(bytesOf('d4 72 40 92 a1 37 a1 61 01 02')),
    new Map([
      ['7', 1],
      ['a', 2],
    ] as [string, number][]),
  );
  assert.deepStrictEqual(unpackr.unpack(bytesOf('d4 72 40 91 a1 61 02')), { a: 2 });
});

test('a record as a key', () => {
  const bytes = bytesOf('82 d4 72 40 91 a1 61 01 c0 40 02 c0');
  const map = new Unpackr({ mode: 'lossless', records: 'inline' }).unpack(bytes) as Map<unknown, unknown>;
  assert.deepStrictEqual([...map.keys()], [{ a: 1 }, { a: 2 }]);
  const twice = bytesOf('82 d4 72 40 91 a1 61 01 c0 40 01 c0');
  assertFault(() => new Unpackr({ mode: 'strict' }).unpack(twice), { code: 'duplicate_key', offset: 9, path: '/#1' });
  const asMap = bytesOf('82 d4 72 40 91 a1 61 01 c0 81 a1 61 01 c0');
  assertFault(
    () => new Unpackr({ mode: 'lossless', records: 'inline' }).unpack(asMap),
    { code: 'duplicate_key', offset: 9 },
    'a record equals its map',
  );
});

// --- with the libraries the bytes come from --------------------------------------------------------------------------

const SHARED: Record<string, unknown> = {
  scalar: [null, true, false, 1, 63, 64, 100, 127, 128, 255, 256, 65_535, -1, -33, 1.5],
  rows: Array.from({ length: 30 }, (_, i) => ({ id: i, name: `row ${i}`, ok: i % 2 === 0, tags: ['a', 'b'] })),
  nested: { a: { b: { c: [{ d: 1 }, { d: 2 }] } }, list: [] },
  wide: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key${i}`, i])),
  text: { short: 'é', long: 'x'.repeat(300), empty: '' },
  shapes: Array.from({ length: 20 }, (_, i) => ({ [`only${i}`]: i })),
};

for (const [name, peer] of Object.entries(PEERS)) {
  test(`${name} writes what we read, and reads what we write`, () => {
    for (const [about, value] of Object.entries(SHARED)) {
      const theirs = new peer.Packr();
      assert.deepStrictEqual(new Unpackr().unpack(theirs.pack(value)), value, `${about}: theirs to ours`);
      assert.deepStrictEqual(
        new peer.Packr().unpack(Buffer.from(new Packr().pack(value))),
        value,
        `${about}: ours to theirs`,
      );
    }
  });

  test(`${name} writes the same bytes`, () => {
    for (const [about, value] of Object.entries(SHARED)) {
      assert.equal(hexOf(new Packr().pack(value)), hexOf(new peer.Packr().pack(value)), about);
    }
  });

  test(`${name} with more shapes than one-byte ids`, () => {
    const value = Array.from({ length: 300 }, (_, i) => ({ [`only${i}`]: i, again: { [`x${i % 5}`]: i } }));
    const theirs = new peer.Packr();
    assert.deepStrictEqual(new Unpackr().unpack(theirs.pack([value, value])), [value, value]);
    assert.deepStrictEqual(new peer.Packr().unpack(Buffer.from(new Packr().pack([value, value]))), [value, value]);
  });
}
