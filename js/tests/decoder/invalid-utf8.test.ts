// The option invalidUtf8: a str that isn't UTF-8, at every place of a message and of every length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeIter, get, PolypackError, pack, StreamDecoder, Unpackr, type UnpackrOptions, unpack } from 'polypack';
import { THOROUGH } from '../_runs.ts';

/** Bytes that aren't UTF-8: alone, cut off, too long, surrogates, above U+10FFFF. */
const FAULTY = ['ff', 'c3', 'e282', 'c0af', 'eda080', 'f4908080', '80'].map((hex) => Buffer.from(hex, 'hex'));
const LENGTHS = [0, 1, 2, 3, 20, 40, 70, 300, 5000, 70_000];

/** A str with the shortest head. */
function str(body: Uint8Array): Buffer {
  const { length } = body;
  if (length < 32) return Buffer.from([0xa0 + length, ...body]);
  if (length < 256) return Buffer.concat([Buffer.of(0xd9, length), body]);
  if (length < 65_536) return Buffer.concat([Buffer.of(0xda, length >> 8, length & 0xff), body]);
  return Buffer.concat([Buffer.of(0xdb, 0, length >> 16, (length >> 8) & 0xff, length & 0xff), body]);
}

const replaced = (body: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);

function* bodies(): Generator<Buffer> {
  for (const faulty of FAULTY) {
    for (const length of LENGTHS) {
      yield Buffer.concat([Buffer.alloc(length, 'a'), faulty]);
      yield Buffer.concat([faulty, Buffer.from('é'), Buffer.alloc(length, 'b')]);
    }
  }
}

test('values become text with U+FFFD, or bytes, or stay errors', THOROUGH, () => {
  for (const body of bodies()) {
    const value = str(body);
    for (const [place, bytes, find] of [
      ['alone', value, (found: unknown) => found],
      [
        'in an array',
        Buffer.concat([Buffer.of(0x92), value, Buffer.of(1)]),
        (found: unknown) => (found as unknown[])[0],
      ],
      [
        'in a map',
        Buffer.concat([Buffer.from('81a161', 'hex'), value]),
        (found: unknown) => (found as { a: unknown }).a,
      ],
      [
        'in a record',
        Buffer.concat([Buffer.from('d4724091a161', 'hex'), value]),
        (found: unknown) => (found as { a: unknown }).a,
      ],
    ] as const) {
      const records = place === 'in a record' ? 'inline' : 'off';
      assert.throws(() => unpack(bytes, { records }), { code: 'invalid_utf8' });
      assert.equal(find(unpack(bytes, { records, invalidUtf8: 'replace' })), replaced(body), place);
      const kept = find(unpack(bytes, { records, invalidUtf8: 'bytes' }));
      assert.ok(kept instanceof Uint8Array);
      assert.deepEqual(Buffer.from(kept), body, place);
    }
  }
});

test('names are replaced, and refused as bytes', () => {
  for (const body of bodies()) {
    const map = Buffer.concat([Buffer.of(0x81), str(body), Buffer.of(7)]);
    const record = Buffer.concat([Buffer.from('d4724091', 'hex'), str(body), Buffer.of(7)]);
    for (const [bytes, records] of [
      [map, 'off'],
      ...(body.length < 400 ? [[record, 'inline'] as const] : []),
    ] as const) {
      const one = new Unpackr({ records, mapsAsObjects: true, invalidUtf8: 'replace' });
      // Once more, since names are remembered.
      for (let round = 0; round < 3; round++) assert.deepEqual(one.unpack(bytes), { [replaced(body)]: 7 });
      for (const mapsAsObjects of [true, false]) {
        const other = new Unpackr({ records, mapsAsObjects, invalidUtf8: 'bytes' });
        for (let round = 0; round < 2; round++) {
          assert.throws(
            () => other.unpack(bytes),
            (error) => error instanceof PolypackError && error.offset !== null,
          );
        }
      }
    }
  }
});

test('hot shapes, streams and lazy reads do the same', () => {
  const body = Buffer.from('61ff62', 'hex');
  const row = Buffer.concat([Buffer.from('82a26964cc05a474657874', 'hex'), str(body)]);
  const rows = Buffer.concat([Buffer.of(0xdc, 0, 200), ...Array.from({ length: 200 }, () => row)]);
  for (const [invalidUtf8, expected] of [
    ['replace', replaced(body)],
    ['bytes', new Uint8Array(body)],
  ] as const) {
    // By default, code is generated where that is allowed.
    for (const options of [{}, { generateCode: false }]) {
      const unpackr = new Unpackr({ records: 'off', invalidUtf8, ...options });
      for (let round = 0; round < 5; round++) {
        for (const { id, text } of unpackr.unpack<{ id: number; text: unknown }[]>(rows)) {
          assert.equal(id, 5);
          assert.deepEqual(text, expected);
        }
      }
    }
    const stream = new StreamDecoder({ invalidUtf8 });
    const values = [...rows].flatMap((byte) => stream.push(Uint8Array.of(byte))) as { text: unknown }[][];
    assert.deepEqual(values[0]?.[199]?.text, expected);
    const [first] = decodeIter([rows.subarray(0, 50), rows.subarray(50)], { records: 'off', invalidUtf8 });
    assert.deepEqual((first as { text: unknown }[])[0]?.text, expected);
    assert.deepEqual(get(rows, '/7/text', { invalidUtf8 }), expected);
    if (invalidUtf8 === 'bytes') assert.equal(Buffer.from(pack(values[0]?.[0]?.text)).toString('hex'), 'c40361ff62');
  }
});

test('a name that has more than 255 bytes as text is no name of a known shape', () => {
  const options = { records: 'off', invalidUtf8: 'replace' } as const;
  const name = Buffer.alloc(255, 0xff);
  const map = Buffer.concat([Buffer.of(0x81), str(name), Buffer.of(7)]);
  const one = new Unpackr(options);
  for (let round = 0; round < 200; round++) assert.deepEqual(one.unpack(map), { [replaced(name)]: 7 });
  // The text has 765 bytes. These are a str 8 of 253 bytes and what follows it, of which nothing is a name.
  const text = Buffer.from(replaced(name));
  const other = Buffer.concat([Buffer.of(0x81, 0xd9, text.length & 0xff), text, Buffer.of(7)]);
  for (const unpackr of [new Unpackr(options), one]) {
    assert.throws(() => unpackr.unpack(other), { code: 'trailing_data', offset: 288 });
  }
});

test('keys of a Map that differ in bytes stay apart', () => {
  // {[{<ff>: 1}]: 1, [{<fe>: 1}]: 2}: keys that are arrays of maps.
  const bytes = Buffer.from('829181a1ff01019181a1fe0102', 'hex');
  const map = unpack<Map<unknown, unknown>>(bytes, { invalidUtf8: 'replace', mapsAsObjects: false });
  assert.deepEqual([...map.values()], [1, 2]);
});

test('strict and lossless mode refuse the option, and others are no values of it', () => {
  for (const mode of ['strict', 'lossless'] as const) {
    assert.throws(() => new Unpackr({ mode, invalidUtf8: 'replace' }), /one of 'error'/);
    assert.doesNotThrow(() => new Unpackr({ mode, invalidUtf8: 'error' }));
  }
  const options = { invalidUtf8: 'ignore' } as unknown as UnpackrOptions;
  assert.throws(() => new Unpackr(options), /'error', 'replace', 'bytes'/);
});
