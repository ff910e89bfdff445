// Keys that are array indices, with gaps between them: every reader needs little more memory than for other keys.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  classExtension,
  decodeElements,
  decodeFirst,
  decodeIter,
  get,
  pack,
  Raw,
  StreamDecoder,
  Unpackr,
  type UnpackrOptions,
  UnpackrStream,
  unpack,
  unpackMultiple,
  unpackTransform,
} from 'polypack';
import { unpack as unpackCompact } from 'polypack/compact';
import { AGAIN, THOROUGH } from '../_runs.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Objects per message. */
const COUNT = 2000;
/**
 * What an object may take beyond its twin, in bytes; and one with many keys for each of them. A sparse array of the
 * engine takes 12 KB.
 */
const MOST = 256;
const MOST_PER_KEY = 72;
/** How often a message is read for one measurement. What looks too large is measured again with more objects. */
const TIMES = [1, 4, 16, 16];

type Reader = (message: Uint8Array) => unknown;

/** Frees what nothing needs, and lets the jobs of the engine that work beside the program end. */
async function freeAll(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    collect();
    await setImmediate();
  }
}

/** Reads each message so often, and returns the bytes that the results keep, for each object. */
async function kept(times: number, ...readings: [Reader, Uint8Array][]): Promise<number[]> {
  const results: unknown[] = [];
  // The first results stay, too: they must not be collected between the measurements.
  for (const [read, message] of readings) results.push(await read(message));
  // Collecting takes most of the time here. What one collection leaves only makes the measurement be taken again.
  const turns = times === 1 ? 1 : 2;
  await freeAll(turns);
  const used = [process.memoryUsage().heapUsed];
  for (const [read, message] of readings) {
    for (let time = 0; time < times; time++) results.push(await read(message));
    await freeAll(turns);
    used.push(process.memoryUsage().heapUsed);
  }
  assert.equal(results.length, (1 + times) * readings.length);
  return readings.map((_, index) => ((used[index + 1] as number) - (used[index] as number)) / (times * COUNT));
}

/**
 * Checks that a reading keeps at most `most` bytes per object more than its twin. The engine takes and frees memory for
 * itself in between. With few objects that may look like some hundred bytes for each, so what is too much must be too
 * much with many objects as well.
 */
async function checkKept(what: string, read: [Reader, Uint8Array], twin: [Reader, Uint8Array], most: number) {
  const found: string[] = [];
  for (const times of TIMES) {
    const [others = 0, own = 0] = await kept(times, twin, read);
    if (own - others <= most) return;
    found.push(`${own.toFixed(0)} bytes per object, its twin ${others.toFixed(0)}`);
  }
  assert.fail(`${what}: ${found.join('; ')}`);
}

/** An array of maps with these names, each with an int behind it. */
function maps(names: readonly string[], key: (name: string) => number[] = strKey): Uint8Array {
  const head = names.length < 16 ? [0x80 + names.length] : [0xde, 0, names.length];
  const one = [...head, ...names.flatMap((name, index) => [...key(name), index])];
  return Uint8Array.from([0xdd, 0, 0, COUNT >> 8, COUNT & 0xff, ...Array.from({ length: COUNT }, () => one).flat()]);
}

function strKey(name: string): number[] {
  return [0xa0 + name.length, ...new TextEncoder().encode(name)];
}

/** The key as a longer str head, or an int. */
const longKey = (name: string) => [0xd9, name.length, ...new TextEncoder().encode(name)];
const intKey = (name: string) => [0xcd, Number(name) >> 8, Number(name) & 0xff];

/** An array of records: one declaration, then instances; with declarations again after every `period` of them. */
function records(names: readonly string[], period = COUNT): Uint8Array {
  const count = names.length < 16 ? [0x90 + names.length] : [0xdc, 0, names.length];
  const first = [0xd4, 0x72, 0x40, ...count, ...names.flatMap(strKey), ...names.map((_, index) => index)];
  const other = [0x40, ...names.map((_, index) => index)];
  const all = Array.from({ length: COUNT }, (_, index) => (index % period === 0 ? first : other)).flat();
  return Uint8Array.from([0xdd, 0, 0, COUNT >> 8, COUNT & 0xff, ...all]);
}

/** The same with declarations so often that no shape becomes hot before its next one. */
const redeclared = (names: readonly string[]) => records(names, 63);

async function streamed(message: Uint8Array): Promise<unknown[]> {
  const stream = new Blob([message as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(unpackTransform({ mapsAsObjects: true }));
  const values: unknown[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/** Reads an array element by element, or a stream value by value. */
const collected =
  (read: (chunks: Uint8Array[]) => Iterable<unknown>): Reader =>
  (message) => [...read([message.subarray(0, 1000), message.subarray(1000)])];

async function piped(message: Uint8Array): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of Readable.from([message]).pipe(new UnpackrStream({ mapsAsObjects: true })))
    values.push(value);
  return values;
}

const unpackr = (options: UnpackrOptions): Reader => {
  const reader = new Unpackr(options);
  return (message) => reader.unpack(message);
};

const MAPS: Record<string, Reader> = {
  unpack,
  strict: (message) => unpack(message, { mode: 'strict', mapsAsObjects: true }),
  'without generated code': unpackr({ records: 'off', mapsAsObjects: true, generateCode: false }),
  'structured cloning': unpackr({ structuredClone: true, mapsAsObjects: true }),
  compact: (message) => unpackCompact(message, { mapsAsObjects: true }),
  unpackMultiple,
  'a stream': (message) => new StreamDecoder({ mapsAsObjects: true }).push(message),
  'a transform of the platform': streamed,
  'a stream of Node': piped,
  decodeIter: collected((chunks) => decodeIter(chunks, { mapsAsObjects: true })),
  decodeElements: collected((chunks) => decodeElements(chunks, { mapsAsObjects: true })),
  decodeFirst: (message) => decodeFirst(message, 0, { mapsAsObjects: true }).value,
  get: (message) => get(message, ''),
  raw: (message) => new Raw(message).get('')?.unpack(),
};

const RECORDS: Record<string, Reader> = {
  Unpackr: unpackr({}),
  'a strict Unpackr': unpackr({ mode: 'strict' }),
  'an Unpackr without generated code': unpackr({ generateCode: false }),
  'structured cloning': unpackr({ structuredClone: true }),
  compact: (message) => unpackCompact(message, { records: 'inline' }),
  'a stream': (message) => new StreamDecoder({ records: 'inline' }).push(message),
  decodeElements: collected((chunks) => decodeElements(chunks, { records: 'inline' })),
  get: (message) => get(message, '', { records: 'inline' }),
  'an extension': (message) => ofExtension.unpack(message),
};

/** Reads messages inside of an ext. */
const ofExtension = {
  unpack: (message: Uint8Array) => {
    const { length } = message;
    const head = [0xc9, length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff, 9];
    const reader = new Unpackr({ extensions: [{ type: 9, read: (value: unknown) => value }] });
    return reader.unpack(Uint8Array.from([...head, ...message]));
  },
};

const NAMES = [
  ...[['999'], ['999', '2499'], ['7'], ['0', '1', '30'], ['6', '900', 'abc'], ['4294967290']],
  Array.from({ length: 18 }, (_, index) => String(17 - index)),
];

/** A name of the same length without digits. */
const twinOf = (name: string) => name.replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] as string);

/** Readers that hand their message to another one's code: kinds of names are enough, not each number of them. */
const FEW = [['999'], ['6', '900', 'abc'], NAMES.at(-1) as string[]];
const WHOLE = new Set(['unpack', 'strict', 'without generated code', 'structured cloning', 'compact', 'Unpackr']);

const namesFor = (reader: string) => (AGAIN || !WHOLE.has(reader) ? FEW : NAMES);

const mostFor = (names: readonly string[]) => (names.length < 6 ? MOST : MOST_PER_KEY * names.length);

async function compare(
  read: Reader,
  bytes: (names: readonly string[]) => Uint8Array,
  among: readonly string[][] = FEW,
): Promise<void> {
  for (const names of among) {
    await checkKept(`${names}`, [read, bytes(names)], [read, bytes(names.map(twinOf))], mostFor(names));
  }
}

for (const [name, read] of Object.entries(MAPS)) {
  test(`maps with index keys take little memory: ${name}`, THOROUGH, () => compare(read, maps, namesFor(name)));
}

test('maps with index keys take little memory behind longer heads', THOROUGH, () =>
  compare(unpack, (names) => maps(names, longKey)),
);

test('int keys of objects take as little memory', THOROUGH, async () => {
  const read = (message: Uint8Array) => unpack(message, { mapsAsObjects: true });
  await checkKept('999', [read, maps(['999'], intKey)], [read, maps(['abc'])], MOST);
});

for (const [name, read] of Object.entries(RECORDS)) {
  test(`records with index names take little memory: ${name}`, THOROUGH, () => compare(read, records, namesFor(name)));
  test(`records that are declared again take little memory: ${name}`, THOROUGH, () =>
    compare(read, redeclared, namesFor(name)),
  );
}

test('shared records with index names take little memory', THOROUGH, async () => {
  for (const names of NAMES) {
    const read = (shape: readonly string[]) => new Unpackr({ structures: [[...shape]] });
    const [own, twin] = [read(names), read(names.map(twinOf))];
    const instances = Uint8Array.from([
      0xdd,
      0,
      0,
      COUNT >> 8,
      COUNT & 0xff,
      ...Array.from({ length: COUNT }, () => [0x40, ...names.map(() => 1)]).flat(),
    ]);
    const reads: Reader = (message) => own.unpack(message);
    const readsTwin: Reader = (message) => twin.unpack(message);
    await checkKept(`${names}`, [reads, instances], [readsTwin, instances], mostFor(names));
  }
});

test('instances of classes with index names take as little memory', THOROUGH, async () => {
  class Mine {}
  const extensions = [classExtension(Mine, 9)];
  const plainly = [unpackr({ extensions }), [0xc7, 6, 9]] as const;
  const cloning = [unpackr({ extensions, structuredClone: true }), [0xd4, 9, 0]] as const;
  for (const [read, head] of [plainly, cloning]) {
    const instances = (name: string) => {
      const one = [...head, 0x81, ...strKey(name), 0xc0];
      return Uint8Array.from([
        0xdd,
        0,
        0,
        COUNT >> 8,
        COUNT & 0xff,
        ...Array.from({ length: COUNT }, () => one).flat(),
      ]);
    };
    await checkKept('999', [read, instances('999')], [read, instances('abc')], MOST);
  }
});

test('the largest index stays when an inner object has gaps, too', () => {
  const inner = { 999: 0 };
  // Written by hand, because an object would have its largest index last.
  const key = strKey('4294967294');
  const bytes = Uint8Array.from([0x83, ...key, 1, ...strKey('999'), ...pack(inner), ...strKey('3000'), 2]);
  const record = Uint8Array.from([
    ...[0xd4, 0x72, 0x40, 0x93, ...key, ...strKey('999'), ...strKey('3000')],
    ...[1, ...pack(inner), 2],
  ]);
  const expected = { 4294967294: 1, 999: inner, 3000: 2 };
  for (const options of [{}, { mode: 'strict' }, { mapsAsObjects: true }] as const) {
    assert.deepEqual(unpack(bytes, options), expected);
    assert.deepEqual(unpackCompact(bytes, options), expected);
    assert.deepEqual(unpack(record, { ...options, mapsAsObjects: true, records: 'inline' }), expected);
    assert.deepEqual(unpackCompact(record, { ...options, mapsAsObjects: true, records: 'inline' }), expected);
  }
  assert.deepEqual(new Unpackr({ structuredClone: true, mapsAsObjects: true }).unpack(bytes), expected);
});

test('objects with index keys hold what was packed', () => {
  const values = [
    { 999: 1 },
    { 5: 1, 7: 2, 8: 3, 2499: 4, a: 5 },
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [index, index])),
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [index * 37 + 1000, index])),
    { 4294967294: 1, 4294967295: 2, '007': 3 },
    { 999: { 999: { 1999: 1 }, 3000: 2 }, 4000: 3 },
  ];
  for (const value of values) {
    assert.deepEqual(unpack(pack(value)), value);
    assert.deepEqual(unpackCompact(pack(value)), value);
    const inline = new Unpackr({ records: 'inline' });
    assert.deepEqual(inline.unpack(pack([value, value], { records: 'inline' })), [value, value]);
  }
});

test('an object with gaps has ordinary properties', () => {
  const value = unpack(pack({ 999: 1 })) as Record<string, unknown>;
  assert.deepEqual(Object.getOwnPropertyDescriptor(value, 999), {
    value: 1,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  assert.deepEqual(Object.keys(value), ['999']);
  assert.equal(4_294_967_294 in value, false);
});
