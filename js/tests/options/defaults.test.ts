// "Options" of the README: which writers and readers have records by default, and what readers make of a map.

import assert from 'node:assert/strict';
import { ReadableStream, type ReadableWritablePair } from 'node:stream/web';
import { test } from 'node:test';
import * as polypack from 'polypack';
import { PolypackError } from 'polypack';
import { hexOf } from '../_values.ts';

const VALUE = { a: 1 };
const RECORD = new polypack.Packr().pack(VALUE);
const MAP = polypack.pack(VALUE);
const inList = (bytes: Uint8Array): Uint8Array => Uint8Array.of(0x91, ...bytes);

type Options = { readonly mode?: 'lossless' };
type Reader = (message: Uint8Array, options: Options) => unknown;

async function piped(chunk: unknown, transform: object): Promise<unknown> {
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue(chunk);
      controller.close();
    },
  });
  const { value } = await source
    .pipeThrough(transform as ReadableWritablePair)
    .getReader()
    .read();
  return value;
}

async function ended(stream: NodeJS.ReadWriteStream, chunk: unknown): Promise<unknown> {
  stream.end(chunk as Uint8Array);
  for await (const value of stream as AsyncIterable<unknown>) return value;
  return undefined;
}

/** The first value, or the fault. */
function firstOf(decoder: { push(chunk: Uint8Array): unknown[]; readonly error: unknown }, chunk: Uint8Array): unknown {
  const [value] = decoder.push(chunk);
  if (decoder.error !== null && decoder.error !== undefined) throw decoder.error;
  return value;
}

const READERS_OF_RECORDS: Record<string, Reader> = {
  Unpackr: (message, options) => new polypack.Unpackr(options).unpack(message),
  decodeIter: (message, options) => [...polypack.decodeIter([message], options)][0],
  decodeElements: (message, options) => [...polypack.decodeElements([inList(message)], options)][0],
  unpackTransform: (message, options) => piped(message, polypack.unpackTransform(options)),
  elementsTransform: (message, options) => piped(inList(message), polypack.elementsTransform(options)),
  UnpackrStream: (message, options) => ended(new polypack.UnpackrStream(options), message),
};

const READERS_OF_MAPS: Record<string, Reader> = {
  unpack: (message, options) => polypack.unpack(message, options),
  unpackMultiple: (message) => polypack.unpackMultiple(message)[0],
  decodeFirst: (message, options) => polypack.decodeFirst(message, 0, options).value,
  get: (message, options) => polypack.get(inList(message), '/0', options),
  StreamDecoder: (message, options) => firstOf(new polypack.StreamDecoder(options), message),
  ElementsDecoder: (message, options) => firstOf(new polypack.ElementsDecoder(options), inList(message)),
};

const WRITERS_OF_RECORDS: Record<string, (options: Options) => unknown> = {
  Packr: (options) => new polypack.Packr(options).pack(VALUE),
  encodeIter: (options) => [...polypack.encodeIter([VALUE], options)][0],
  packTransform: (options) => piped(VALUE, polypack.packTransform(options)),
  PackrStream: (options) => ended(new polypack.PackrStream(options), VALUE),
};

/** Readers that make a Map of a map with str keys. */
const MAKES_MAPS = ['Unpackr', 'UnpackrStream'];

const isRecordFault = (error: unknown): boolean => error instanceof PolypackError && error.code === 'invalid_record';

for (const [name, read] of Object.entries(READERS_OF_RECORDS)) {
  test(`${name} reads records, except in lossless mode`, async () => {
    assert.deepEqual(await read(RECORD, {}), VALUE);
    const lossless = async () => read(RECORD, { mode: 'lossless' });
    await assert.rejects(lossless, isRecordFault);
  });
}

for (const [name, read] of Object.entries(READERS_OF_MAPS)) {
  test(`${name} refuses records`, async () => {
    await assert.rejects(async () => read(RECORD, {}), isRecordFault);
  });
}

for (const [name, read] of Object.entries({ ...READERS_OF_RECORDS, ...READERS_OF_MAPS })) {
  test(`${name} makes ${MAKES_MAPS.includes(name) ? 'a Map' : 'an object'} of a map`, async () => {
    const expected = MAKES_MAPS.includes(name) ? new Map(Object.entries(VALUE)) : VALUE;
    assert.deepEqual(await read(MAP, {}), expected);
  });
}

for (const [name, write] of Object.entries(WRITERS_OF_RECORDS)) {
  test(`${name} writes records, except in lossless mode`, async () => {
    assert.equal(hexOf((await write({})) as Uint8Array), hexOf(RECORD));
    assert.equal(hexOf((await write({ mode: 'lossless' })) as Uint8Array), hexOf(MAP));
  });
}
