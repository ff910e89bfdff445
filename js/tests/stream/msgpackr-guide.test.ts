// The documentation of msgpackr, run with this package: what it says about streams and about several values.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import {
  DecoderStream,
  decodeIter,
  EncoderStream,
  encodeIter,
  Packr,
  PackrStream,
  Unpackr,
  UnpackrStream,
  unpackMultiple,
} from 'polypack';

const myData = { id: 1, name: 'é', list: [{ id: 2, name: 'b', list: [] }], when: new Date(1_700_000_000_123) };

test('a PackrStream is written to', async () => {
  const stream = new PackrStream();
  stream.write(myData);
  const [bytes] = (await once(stream, 'data')) as [Buffer];
  assert.deepEqual(new Unpackr().unpack(bytes), myData);
});

test('a sending stream is piped to a receiving one', async () => {
  const sendingStream = new PackrStream();
  const receivingStream = new UnpackrStream();
  sendingStream.pipe(receivingStream);
  const received: unknown[] = [];
  receivingStream.on('data', (data) => {
    received.push(data);
  });
  sendingStream.write(myData);
  sendingStream.end(myData);
  await once(receivingStream, 'end');
  assert.deepEqual(received, [myData, myData]);
});

test('EncoderStream and DecoderStream are the same under other names', async () => {
  const stream = new EncoderStream();
  const read = stream.pipe(new DecoderStream());
  stream.end(myData);
  assert.deepEqual(await read.toArray(), [myData]);
});

test('useRecords: false makes standard MessagePack of a stream', async () => {
  const stream = new PackrStream({ useRecords: false });
  stream.end({ a: 1 });
  const [bytes] = (await stream.toArray()) as Buffer[];
  assert.deepEqual(bytes, Buffer.from('81a16101', 'hex'));
  const read = Readable.from([bytes]).pipe(new UnpackrStream({ useRecords: false }));
  assert.deepEqual(await read.toArray(), [{ a: 1 }]);
});

test('unpackMultiple returns all values', () => {
  const data = new Uint8Array([1, 2, 3]);
  const values = unpackMultiple(data);
  assert.deepEqual(values, [1, 2, 3]);
});

test('unpackMultiple calls back with each value and its offsets, until it returns false', () => {
  const data = new Uint8Array([1, 0x91, 2, 3]);
  const seen: unknown[] = [];
  const returned: unknown = unpackMultiple(data, (value, start, end) => {
    seen.push([value, start, end]);
  });
  assert.equal(returned, undefined);
  assert.deepEqual(seen, [
    [1, 0, 1],
    [[2], 1, 3],
    [3, 3, 4],
  ]);
  const some: unknown[] = [];
  new Unpackr().unpackMultiple(data, (value) => some.push(value) < 2);
  assert.deepEqual(some, [1, [2]]);
});

test('encodeIter and decodeIter, of iterables and of async iterables', async () => {
  assert.deepEqual([...decodeIter(encodeIter([myData, 2]))], [myData, 2]);
  async function* source() {
    yield myData;
    yield 2;
  }
  const read: unknown[] = [];
  for await (const value of decodeIter(encodeIter(source()))) read.push(value);
  assert.deepEqual(read, [myData, 2]);
});

test('maxIncompleteBufferSize bounds what a stream holds', async () => {
  const stream = new UnpackrStream({ maxIncompleteBufferSize: 1000 });
  stream.write(Buffer.from('c600100000', 'hex'));
  const error = await new Promise((resolve) => stream.on('error', resolve));
  assert.equal((error as { code?: string }).code, 'limit_exceeded');
});

test('msgpackr reads our streams and iterables, and we read its', async () => {
  const values = [myData, myData, [1, 'b'], 64, 300];
  const sent = new PackrStream();
  const read = sent.pipe(new msgpackr.UnpackrStream());
  for (const value of values) sent.write(value);
  sent.end();
  assert.deepEqual(await read.toArray(), values);
  const theirs = msgpackr.encodeIter(values as never) as Iterable<Uint8Array>;
  assert.deepEqual([...decodeIter(theirs)], values);
  const ours = msgpackr.decodeIter(encodeIter(values) as never) as unknown as Iterable<unknown>;
  assert.deepEqual([...ours], values);
});

test('every option that msgpackr documents has the same name here', () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.resolve('msgpackr')), 'utf8');
  const [, members = ''] = /interface Options \{(.*?)\n\}/s.exec(read('index.d.ts')) ?? [];
  const types = Array.from(members.matchAll(/^\s+(\w+)\??[(:]/gm), ([, name = '']) => name);
  // In capitals it lists values of useFloat32.
  const listed = Array.from(read('README.md').matchAll(/^\* `([a-z]\w+)`/gm), ([, name = '']) => name);
  const names = new Set([...types, ...listed]);
  assert.ok(types.length >= 30 && listed.length >= 20 && names.has('skipValues'));
  for (const name of names) {
    // Names are looked at even if their values are undefined.
    const Class = name === 'maxIncompleteBufferSize' ? UnpackrStream : Packr;
    assert.doesNotThrow(() => new Class({ [name]: undefined }), name);
    assert.throws(() => new Class({ [`${name}s`]: undefined }), /unknown option/);
  }
});
