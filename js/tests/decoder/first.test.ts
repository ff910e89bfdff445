// The first tier of decoding gives what the Decoder gives. A new codec is in the first tier; a message that only the
// Decoder reads ends it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { PolypackError, pack, Timestamp, Unpackr, type UnpackrOptions, unpackMultiple } from 'polypack';
import { value as arbitraryValue } from '../_arbitrary.ts';
import { referenceEncode } from '../_reference.ts';
import { QUICK, runs, THOROUGH } from '../_runs.ts';
import { warmUnpackr } from '../_tiers.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { filesOf, requiredBytes } from '../_vectors.ts';

/** The settings that have a first tier, and others that differ from them in one option. */
const ALL_OPTIONS: readonly UnpackrOptions[] = [
  { records: 'off' },
  { mapsAsObjects: true },
  { records: 'off', mapsAsObjects: true, copyBuffers: true, separateStrings: true },
  { records: 'off', limits: { maxDepth: 3, maxValues: 8 }, invalidUtf8: 'replace' },
  { records: 'off', int64AsType: 'bigint' },
  { records: 'off', mode: 'strict' },
  { records: 'off', moreTypes: true },
  { structuredClone: true },
];
const OPTIONS = QUICK ? ALL_OPTIONS.slice(0, 1) : ALL_OPTIONS;

/** Which vectors are tried: every so many. vectors.test.ts tries all of them in the quick run, too. */
const EVERY = QUICK ? 16 : 1;

/** Codecs of these settings whose first tier is over. */
const WARM = OPTIONS.map(warmUnpackr);

/** Values of more bytes are compared without their spelling, which takes long and tells the order of names as well. */
const SPELLED = 256;

/** What a codec makes of bytes: a value, or an error with all that it tells. */
function outcome(unpackr: Unpackr, bytes: Uint8Array): { value: unknown } | { error: string } {
  // Stacks take most of the time of faults, and nobody looks at them. Other files of the process may.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return { value: unpackr.unpack(bytes) };
  } catch (error) {
    assert.ok(error instanceof PolypackError, inspect(error));
    return { error: `${error.code} ${error.offset} ${error.path} ${error.message}` };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function spelled(one: object): string {
  return inspect(one, { depth: null, maxArrayLength: null, maxStringLength: null });
}

/** How many inputs were compared. */
let compared = 0;

/** Compares with the first settings, and with two others, which take turns. */
function compare(bytes: Uint8Array): void {
  const turn = compared++ * 2;
  const others = OPTIONS.length - 1;
  const chosen = others === 0 ? [0] : [0, 1 + (turn % others), 1 + ((turn + 1) % others)];
  for (const at of chosen) compareWith(bytes, at);
}

function compareWith(bytes: Uint8Array, at: number): void {
  const options = OPTIONS[at];
  const expected = outcome(WARM[at] as Unpackr, bytes);
  const text = 'value' in expected && bytes.length <= SPELLED ? spelled(expected) : undefined;
  const cold = new Unpackr(options);
  // The second time, the tier may be over.
  for (let round = 0; round < 2; round++) {
    const got = outcome(cold, bytes);
    const same = text === undefined ? isDeepStrictEqual(got, expected) : spelled(got) === text;
    if (!same) {
      assert.fail(`${hexOf(bytes)}, ${inspect(options)}: ${spelled(got)}, by the Decoder ${spelled(expected)}`);
    }
  }
}

for (const folder of ['valid', 'invalid', 'defaults'] as const) {
  test(`vectors/${folder}: a new codec reads each as one whose first tier is over`, () => {
    for (const { cases } of filesOf(folder)) {
      for (const [at, { bytes, also = [] }] of cases.entries()) {
        if (at % EVERY !== 0) continue;
        for (const one of bytes === undefined ? also : [bytes, ...also]) compare(requiredBytes(one));
      }
    }
  });
}

test('bytes of any value, cut, changed or whole, are read as by a codec whose first tier is over', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat(3) });
  fc.assert(
    fc.property(arbitraryValue, change, (value, { at, byte, cut }) => {
      const bytes = referenceEncode(value);
      compare(bytes);
      const changed = bytes.slice(0, cut === 0 ? at % (bytes.length + 1) : bytes.length);
      if (changed.length > 0) changed[at % changed.length] = byte;
      compare(changed);
    }),
    { numRuns: runs(300) },
  );
});

test('names that objects treat specially, and texts around every length, are read the same', () => {
  const names = [
    '__proto__',
    'toString',
    'valueOf',
    '0',
    '17',
    '01',
    '2d',
    '',
    'é',
    '\ufffd',
    '\ufeffx',
    'n'.repeat(40),
  ];
  for (const name of names) compare(pack([{ a: 1, [name]: { [name]: name } }]));
  for (let length = 0; length < 70; length++) {
    for (const end of ['', 'é', '東', '😀']) compare(pack({ a: ['x'.repeat(length) + end, 'next text'] }));
  }
});

test('a property that a program gives Object.prototype between two messages has no effect', () => {
  const unpackr = new Unpackr({ records: 'off' });
  const bytes = pack([{ later: 1 }, { later: 2 }]);
  assert.deepEqual(unpackr.unpack(bytes), [{ later: 1 }, { later: 2 }]);
  let calls = 0;
  Object.defineProperty(Object.prototype, 'later', { configurable: true, set: () => calls++ });
  try {
    const [first] = unpackr.unpack<[object]>(bytes);
    assert.deepEqual(Object.entries(first), [['later', 1]]);
    assert.equal(calls, 0);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'later');
  }
});

test('a codec stays right when the tier ends in the middle of messages', THOROUGH, () => {
  const unpackr = new Unpackr({ records: 'off' });
  const row = { id: 1, name: 'a name', tags: ['one', 'two'], at: 1.5, ok: true, none: null };
  // More values than the tier reads, in messages of a thousand rows.
  const bytes = pack(Array.from({ length: 1000 }, () => row));
  for (let message = 0; message < 400; message++) {
    const rows = unpackr.unpack<object[]>(bytes);
    assert.equal(rows.length, 1000);
    assert.deepEqual(rows[message], row);
  }
  assert.deepEqual(unpackr.unpack(pack(new Date(0))), new Date(0));
});

test('bytes are views of the input, copies or what wrapBytes makes of them, and moments are Dates', () => {
  const bytes = pack({ bytes: Uint8Array.of(1, 2), short: new Date(1000), long: new Date(1), early: new Date(-1) });
  const expected = { bytes: Uint8Array.of(1, 2), short: new Date(1000), long: new Date(1), early: new Date(-1) };
  for (const records of ['off', 'inline'] as const) {
    const options = { records, mapsAsObjects: true };
    const viewed = new Unpackr(options).unpack<typeof expected>(bytes);
    assert.deepEqual(viewed, expected);
    assert.equal(viewed.bytes.buffer, bytes.buffer);
    const copied = new Unpackr({ ...options, copyBuffers: true }).unpack<typeof expected>(bytes);
    assert.deepEqual(copied, expected);
    assert.notEqual(copied.bytes.buffer, bytes.buffer);
    const wrapped = new Unpackr({ ...options, wrapBytes: (given) => Buffer.from(given) }).unpack<typeof expected>(
      bytes,
    );
    assert.ok(Buffer.isBuffer(wrapped.bytes));
  }
});

test('a call from a callback of unpackMultiple counts the depth around it, also as the first of a codec', () => {
  const unpackr = new Unpackr({ records: 'off', limits: { maxDepth: 2 } });
  const seen: unknown[] = [];
  unpackr.unpackMultiple(Uint8Array.of(1), () => {
    seen.push(outcome(unpackr, bytesOf('91 91 91 00')), outcome(unpackr, bytesOf('91 91 00')));
  });
  const hot = warmUnpackr({ records: 'off', limits: { maxDepth: 2 } });
  const expected: unknown[] = [];
  hot.unpackMultiple(Uint8Array.of(1), () => {
    expected.push(outcome(hot, bytesOf('91 91 91 00')), outcome(hot, bytesOf('91 91 00')));
  });
  assert.deepEqual(seen, expected);
});

test('a part of a buffer, an ArrayBuffer and shared memory are first messages, too', () => {
  const bytes = pack({ a: 'some text', b: [1, 2, 3] });
  const padded = new Uint8Array([0xc1, ...bytes, 0xc1]);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const given = [
    padded.subarray(1, -1),
    bytes.slice().buffer,
    new DataView(bytes.slice().buffer),
    shared,
    shared.buffer,
  ];
  for (const one of given) {
    assert.deepEqual(new Unpackr({ records: 'off' }).unpack(one), { a: 'some text', b: [1, 2, 3] });
  }
  assert.deepEqual(new Unpackr({ records: 'off' }).unpack(padded.subarray(1), bytes.length), {
    a: 'some text',
    b: [1, 2, 3],
  });
  assert.throws(() => new Unpackr({ records: 'off' }).unpack(bytes, bytes.length + 1), RangeError);
  assert.throws(() => new Unpackr({ records: 'off' }).unpack('text' as never), TypeError);
  assert.deepEqual(unpackMultiple(pack(new Timestamp(0, 1))).length, 1);
});

test('deep messages end in the error of the Decoder, not of the call stack', () => {
  compare(new Uint8Array(100_000).fill(0x91));
  const deep = new Uint8Array(50_001).fill(0x91);
  deep[50_000] = 1;
  compare(deep);
});
