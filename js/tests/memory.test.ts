// What a codec keeps alive after a call: nothing of the input, nothing of the output, no large buffer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { get, Packr, pack, StreamDecoder, Unpackr, unpack } from 'polypack';
import { unpack as unpackCompact } from 'polypack/compact';
import { unserialize } from 'polypack/snapshot';
import { bytesOf } from './_values.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Bytes alive, in the heap and in buffers, after collections. Buffers are let go of by threads that a busy machine may
 * keep waiting, so it collects until there is nothing more to gain.
 */
async function alive(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let steady = 0, round = 0; steady < 3 && round < 40; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const now = heapUsed + arrayBuffers;
    steady = now < least - 10_000 ? 0 : steady + 1;
    least = Math.min(least, now);
  }
  return least;
}

test('a short text that is kept keeps no message alive', async () => {
  const message = pack(Array.from({ length: 2000 }, (_, i) => `a text of twenty-six bytes ${i}`));
  const kept: unknown[] = [];
  unpack(message);
  const before = await alive();
  for (let i = 0; i < 300; i++) kept.push((unpack(message) as string[])[i]);
  const perText = ((await alive()) - before) / kept.length;
  assert.equal(kept.length, 300);
  // A text may keep the window alive that it was cut out of, of 4 KiB; the rest is what the engine compiled meanwhile.
  assert.ok(perText < 5600, `${perText.toFixed(0)} bytes for each text of 30`);
});

test('separate strings that are kept keep nothing else', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => `a text of twenty-six bytes ${i}`);
  const value = [
    texts,
    new Map(texts.map((text) => [`key ${text}`, text])),
    texts.map((text) => ({ [text]: `${text}!` })),
  ];
  const message = pack(value, { records: 'inline' });
  const options = { separateStrings: true, records: 'inline', mapsAsObjects: false } as const;
  const doors: Record<string, (run: number) => unknown> = {
    unpack: (run) => textsOf(unpack(message, options), run),
    Unpackr: (run) => textsOf(unpackr.unpack(message), run),
    strict: (run) => textsOf(unpack(message, { ...options, mode: 'strict' }), run),
    'a stream': (run) => textsOf(new StreamDecoder(options).push(message)[0], run),
    get: (run) => get(message, `/0/${run}`, options),
    compact: (run) => textsOf(unpackCompact(message, { records: 'inline', mapsAsObjects: false }), run),
  };
  const unpackr = new Unpackr(options);
  for (const [name, read] of Object.entries(doors)) {
    const kept: unknown[] = [];
    for (let run = 0; run < 100; run++) read(run);
    const before = await alive();
    for (let run = 0; run < 900; run++) kept.push(read(run % 300));
    const perRun = ((await alive()) - before) / kept.length;
    assert.equal(kept.length, 900);
    // Three texts of 30 to 35 characters, and an array. Otherwise each keeps alive up to 4 KiB. On a busy machine the
    // engine compiles late, so code of up to half a megabyte counts here, too.
    assert.ok(perRun < 1000, `${name}: ${perRun.toFixed(0)} bytes for three texts`);
  }
});

/** One text of each part of a message: an element, a key and the value of a property. */
function textsOf(value: unknown, run: number): unknown[] {
  const [texts, map, objects] = value as [string[], Map<string, string>, Record<string, string>[]];
  return [texts[run], [...map.keys()][run], Object.values(objects[run] as object)[0]];
}

test('a codec at rest keeps neither its input nor a large buffer', async () => {
  const packrs = Array.from({ length: 20 }, () => new Packr());
  const text = 'x'.repeat(1_000_000);
  const before = await alive();
  for (const packr of packrs) {
    packr.unpack(packr.pack([text]));
    assert.throws(() => packr.unpack(packr.pack([text]).subarray(0, -1)));
    assert.throws(() => packr.pack([text, () => 0]));
  }
  const perCodec = ((await alive()) - before) / packrs.length;
  assert.equal(packrs.length, 20);
  assert.ok(perCodec < 200_000, `${perCodec.toFixed(0)} bytes for each codec`);
});

test('a stream at rest keeps nothing of the messages it gave', async () => {
  const streams = Array.from({ length: 20 }, () => new StreamDecoder());
  const message = pack(['x'.repeat(1_000_000)]);
  const before = await alive();
  for (const stream of streams) {
    stream.push(message.slice(0, 500_000));
    assert.equal(stream.push(message.slice(500_000)).length, 1);
  }
  const perStream = ((await alive()) - before) / streams.length;
  assert.equal(streams.length, 20);
  assert.ok(perStream < 200_000, `${perStream.toFixed(0)} bytes for each stream`);
});

test('many different names and shapes leave nothing behind', async () => {
  const packr = new Packr();
  const unpackr = new Unpackr();
  const run = (round: number) => {
    const value = Array.from({ length: 200 }, (_, i) => ({ [`name${round * 200 + i}`]: i }));
    unpackr.unpack(packr.pack(value));
  };
  run(0);
  const before = await alive();
  for (let round = 1; round < 300; round++) run(round);
  const more = (await alive()) - before;
  assert.ok(more < 3_000_000, `${more} bytes after 60 000 names`);
});

test('a large object leaves no shape behind', async () => {
  const packrs = Array.from({ length: 5 }, () => new Packr());
  const large = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`name${i}`, i]));
  const long = Array.from({ length: 100 }, (_, i) => ({ [`${i}${'x'.repeat(20_000)}`]: i }));
  packrs[0]?.pack(large);
  const before = await alive();
  for (const packr of packrs) {
    packr.pack(large);
    packr.pack(long.map((one) => structuredClone(one)));
  }
  const perCodec = ((await alive()) - before) / packrs.length;
  assert.equal(packrs.length, 5);
  assert.ok(perCodec < 200_000, `${perCodec.toFixed(0)} bytes for each codec`);
});

/** The most that a byte of a snapshot and a value that costs none may keep alive, as SECURITY.md says. */
const MOST_PER_BYTE = 260;
const MOST_PER_ELEMENT = 125;

/** A table with a mixed column, of which each cell is the same byte, behind values and a cell that come first. */
function cellsOf(before: string, shape: string, cell: string, first = ''): Uint8Array {
  const count = 10_000;
  const start = bytesOf(`c1 53 01 00 ${before} d5 90 4e ${shape} 00 ${first}`);
  return Uint8Array.of(...start, ...new Uint8Array(count - (first === '' ? 0 : 1)).fill(Number.parseInt(cell, 16)));
}

/** A table of 2,048 arrays with a column that costs a byte for each row, and 31 columns that are charged. */
function wideTable(charged: string): Uint8Array {
  const keys = Array.from({ length: 32 }, (_, i) => `41 ${(0x80 + i).toString(16)}`).join(' ');
  const start = bytesOf(`c1 53 01 00 d5 80 10 ce 20 ${keys} 02 00 08`);
  return Uint8Array.of(...start, ...new Uint8Array(2048), ...bytesOf(charged.repeat(31)));
}

test('a snapshot keeps no more memory than its bytes and maxElements allow', async () => {
  const text = 'ce 01 41 61';
  const bytes = 'ce 01 41 ff'; // a key that isn't UTF-8, so rows are Maps
  const object = 'cf 41 41 00 01 00 00 41 61';
  const empty = '82 cf 41 41 00 00 00 00';
  const cases: Record<string, [bytes: Uint8Array, charged: number]> = {
    'rows of null': [cellsOf('', text, 'c0'), 0],
    'objects of null': [cellsOf('', object, 'c0'), 0],
    'objects of objects': [cellsOf(empty, object, '60'), 0],
    'Maps of lists': [cellsOf('', bytes, '80'), 0],
    'Maps of objects': [cellsOf(empty, bytes, '60'), 0],
    'Maps of Maps again': [cellsOf('', bytes, 'd9', 'ce 01 41 fe 05'), 2 * 10_000],
    'constant Maps': [wideTable('01 d6 01 00 41 ff 05'), 2 * 31 * 2048],
    'constant lists': [wideTable('01 80'), 31 * 2048],
    'a range of bigints': [wideTable('03 fe ff ff ff ff ff ff ff ff 01 00 00'), 31 * 2048],
  };
  const box: unknown[] = []; // a variable might keep the value of the last case alive
  for (const [name, [input, charged]] of Object.entries(cases)) {
    unserialize(input);
    const before = await alive();
    box.push(unserialize(input));
    const kept = (await alive()) - before;
    box.pop();
    const most = MOST_PER_BYTE * input.length + MOST_PER_ELEMENT * charged;
    assert.ok(kept <= most, `${name}: ${kept} bytes, more than ${most}`);
    assert.ok(kept > most / 8, `${name}: only ${kept} bytes of ${most}, so something else was measured`);
  }
});
