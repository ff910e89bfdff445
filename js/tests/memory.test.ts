// What a codec keeps alive after a call: nothing of the input, nothing of the output, no large buffer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { get, Packr, pack, StreamDecoder, Unpackr, unpack } from 'polypack';
import { unpack as unpackCompact } from 'polypack/compact';

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
    for (let run = 0; run < 300; run++) kept.push(read(run));
    const perRun = ((await alive()) - before) / kept.length;
    assert.equal(kept.length, 300);
    // Three texts of 30 to 35 characters, and an array. Otherwise each keeps alive up to 4 KiB.
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
