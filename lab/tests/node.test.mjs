import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keptBy, peakOf } from '../workers/node.mjs';
import { fault, read } from '../workers/node-compare.mjs';
import { withoutBuffer } from '../workers/node-hosts.mjs';
import { read as readData, write } from '../workers/node-values.mjs';
import { Work } from '../workers/page.mjs';

const MB = 1 << 20;
const floats = (/** @type {number} */ count) => new Array(count).fill(0.5);

test('equal documents have no fault', () => {
  const document = () => [{ a: 1, b: [1.5, null, { c: 'x' }] }, { a: -0 }];
  assert.equal(fault(document(), document()), null);
});

test('a difference in the last element is found, with its place', () => {
  assert.equal(fault([1, [2, { a: 3 }]], [1, [2, { a: 4 }]]), '/1/1/a: number 3 expected, got number 4');
});

test('missing and additional elements and keys are found', () => {
  assert.equal(fault([1, 2], [1]), '/1: missing');
  assert.equal(fault([1], [1, 2]), '/1: nothing expected here');
  assert.equal(fault({ a: 1 }, { a: 1, b: 2 }), '/b: nothing expected here');
});

test('an object of another class is another value', () => {
  assert.equal(fault({ a: 1 }, new Map([['a', 1]])), "the whole: Object expected, got Map(1) { 'a' => 1 }");
  assert.equal(fault([1], { 0: 1 }), 'the whole: array of 1 expected, got Object');
});

test('a number is not its text, nor a bigint, and zero has a sign', () => {
  assert.equal(fault(1, '1'), 'the whole: number 1 expected, got "1"');
  assert.equal(fault({ a: [1] }, { a: [1n] }), '/a/0: number 1 expected, got bigint 1n');
  assert.equal(fault(2n ** 60n, 2n ** 60n), null);
  assert.equal(
    fault(2n ** 60n, 2n ** 60n + 1n),
    'the whole: bigint 1152921504606846976n expected, got bigint 1152921504606846977n',
  );
  assert.equal(fault(0, -0), 'the whole: number 0 expected, got number -0');
  assert.equal(fault([Number.NaN], [Number.NaN]), null);
  assert.equal(fault([0], [Number.NaN]), '/0: number 0 expected, got number NaN');
});

test('what is not among the keys of an object counts: dates, maps, sets, bytes, the length of an array', () => {
  const date = (/** @type {number} */ at) => [{ date: new Date(at) }];
  assert.equal(fault(date(5), date(5)), null);
  assert.equal(fault(date(0), date(1)), '/0/date: 1970-01-01T00:00:00.000Z expected, got 1970-01-01T00:00:00.001Z');
  assert.equal(fault(new Map([['a', 1]]), new Map([['a', 1]])), null);
  assert.equal(
    fault(new Map([['a', 1]]), new Map([['a', 2]])),
    "the whole: Map(1) { 'a' => 1 } expected, got Map(1) { 'a' => 2 }",
  );
  assert.equal(fault(new Set([1]), new Set([2])), 'the whole: Set(1) { 1 } expected, got Set(1) { 2 }');
  assert.equal(
    fault([Uint8Array.of(1, 2)], [Uint8Array.of(1, 3)]),
    '/0: Uint8Array(2) [ 1, 2 ] expected, got Uint8Array(2) [ 1, 3 ]',
  );
  assert.equal(fault([Uint8Array.of(1, 2)], [Buffer.of(1, 2)]), null, 'bytes are bytes');
  assert.match(fault([{}], [{ [Symbol.iterator]: 1 }]) ?? '', /^\/0: Object expected/);
  assert.match(fault([Uint8Array.of(1, 2)], [Buffer.of(1, 3)]) ?? '', /^\/0: Uint8Array\(2\) \[ 1, 2 \] expected/);
  assert.match(fault([Uint8Array.of(1)], [[1]]) ?? '', /^\/0: Uint8Array/);
  assert.equal(fault(new Array(1), new Array(2)), 'the whole: array of 1 expected, got array of 2');
});

test('data keeps the Dates and bytes of JavaScript', () => {
  const value = () => [{ at: new Date(5), bytes: Uint8Array.of(0, 255), text: '1970', list: [], none: {} }];
  assert.equal(fault(value(), readData(write(value()), 'js-logs')), null);
  assert.deepEqual(readData('[{"$date":5}]', 'rows'), [{ $date: 5 }], 'elsewhere a name is a name');
});

test('a stream has every message and nothing else', async () => {
  const one = Buffer.of(0x81, 0xa1, 0x61, 0x01);
  const times = (/** @type {number} */ count) => Buffer.concat(new Array(count).fill(one));
  for (const writer of ['Polypack (JS), stream', '@msgpack/msgpack, stream']) {
    assert.equal(fault([{ a: 1 }, { a: 1 }], await read('msgpack', times(2), writer, 2)), null);
    await assert.rejects(read('msgpack', times(1), writer, 2), `${writer}: one is missing`);
    await assert.rejects(read('msgpack', times(3), writer, 2), `${writer}: there is one more`);
  }
  assert.deepEqual(await read('ndjson', Buffer.from('{"a":1}\n{"b":"Å"}\n'), 'NDJSON (JS)', 2), [{ a: 1 }, { b: 'Å' }]);
  await assert.rejects(read('ndjson', Buffer.from('{"a":1}\n{"b":2}'), 'NDJSON (JS)', 2), 'the last line has no end');
});

test('a library that is loaded without Buffer finds none, and everything else has it', async () => {
  assert.equal(await withoutBuffer(async () => typeof globalThis.Buffer), 'undefined');
  await assert.rejects(withoutBuffer(() => Promise.reject(new Error('no such library'))));
  assert.equal(typeof globalThis.Buffer, 'function');
});

test('a page says whether a result is right, the values are as they were, and what was printed', async () => {
  const reads = (/** @type {(value: any) => unknown} */ change) => ({
    about: { name: 'x', format: 'json', scenarios: [] },
    make: () => ({
      serialize: () => Uint8Array.of(),
      deserialize: (/** @type {Uint8Array} */ bytes) => change(JSON.parse(`${Buffer.from(bytes)}`)),
    }),
  });
  const saidOf = async (/** @type {ReturnType<typeof reads>} */ contestant) => {
    const work = new Work(contestant, isDeepStrictEqual);
    await work.obey({ do: 'prepare', text: '[1,[2]]', scenario: 'rows', operation: 'deserialize' });
    assert.equal(typeof (await work.obey({ do: 'run', times: 3 })).wall, 'number');
    return work.obey({ do: 'result' });
  };
  await assert.rejects(saidOf(reads((value) => value)), /the page is not isolated/);
  Object.assign(globalThis, { crossOriginIsolated: true });
  try {
    const right = { isChanged: false, isRight: true, printed: undefined };
    assert.deepEqual(await saidOf(reads((value) => value)), right);
    assert.deepEqual(await saidOf(reads((value) => value.slice(1))), { ...right, isRight: false });
  } finally {
    Reflect.deleteProperty(globalThis, 'crossOriginIsolated');
  }
});

/** Runs something with the function that collects garbage. @param {() => Promise<void>} run */
async function withGc(run) {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
  try {
    await run();
  } finally {
    Reflect.deleteProperty(globalThis, 'gc');
  }
}

/** @param {number | null} bytes @param {number} low in MB @param {number} high */
function within(bytes, low, high) {
  assert.ok(bytes !== null && bytes >= low * MB && bytes < high * MB, `${bytes} bytes, not ${low} to ${high} MB`);
}

test('the peak of memory has the result and what is held meanwhile, but no garbage that was collected', async () => {
  assert.equal(await peakOf(() => []), null, 'without --expose-gc nobody knows what was there before');
  await withGc(async () => {
    within(await peakOf(() => undefined), 0, 0.1);
    within(await peakOf(() => Buffer.alloc(32 * MB)), 32, 33);
    within(await peakOf(() => floats(MB)), 8, 40);
    let sum = 0;
    within(
      await peakOf(() => {
        for (let i = 0; i < 60; i++) sum += floats(MB).length;
        return sum;
      }),
      8,
      240,
    );
    within(
      await peakOf(() => {
        const held = Buffer.alloc(16 * MB);
        for (let i = 0; i < 20; i++) sum += floats(MB / 16).length;
        return held.length;
      }),
      16,
      60,
    );
  });
});

test('what a result keeps is all that it refers to, and nothing else', async () => {
  assert.equal(await keptBy(() => []), null, 'without --expose-gc nothing is collected in time');
  await withGc(async () => {
    within(await keptBy(() => floats(MB / 8)), 1, 1.1);
    within(await keptBy(async () => Buffer.alloc(4 * MB)), 4, 4.1);
    within(await keptBy(() => Buffer.alloc(4 * MB).subarray(0, 1)), 4, 4.1);
    within(await keptBy(() => floats(MB / 8).length), 0, 0.01);
    // Beside other work the heap's own objects have added a third.
    within(await keptBy(() => [0.5, floats(100)]), 800 / MB, 1600 / MB);
  });
});
