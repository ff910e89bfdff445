// Messages that rely on those before them, in every reader of several values; and readers that don't know that they do.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import {
  decodeFirst,
  decodeIter,
  get,
  Packr,
  type PolypackError,
  pack,
  Raw,
  StreamDecoder,
  type StreamDecoderOptions,
  Unpackr,
  type UnpackrOptions,
  unpack,
} from 'polypack';
import { assertFault } from '../_check.ts';
import { streamed } from '../_streams.ts';
import { bytesOf } from '../_values.ts';

/** More shapes than msgpackr gives ids to, so that ids are declared again. */
const ROWS = Array.from({ length: 150 }, (_, row) =>
  Object.fromEntries(Array.from({ length: 1 + (row % 70) }, (_, name) => [`name${name}`, row])),
);

/** What a stream of a peer writes, message by message. */
async function framesOf(options: object): Promise<Uint8Array[]> {
  const packr = new msgpackr.Packr({ ...options, sequential: true } as msgpackr.Options);
  const frames = ROWS.map((row) => Uint8Array.from(packr.pack(row)));
  const stream = Readable.from(ROWS).pipe(new msgpackr.PackrStream(options as msgpackr.Options));
  assert.deepEqual(Buffer.concat((await stream.toArray()) as Buffer[]), Buffer.concat(frames));
  return frames;
}

test('every reader of several values reads what a sequential writer wrote', async () => {
  const settings: [object, UnpackrOptions][] = [
    [{}, {}],
    [{ maxOwnStructures: 100 }, {}],
    [{ structuredClone: true }, { structuredClone: true }],
    [{ bundleStrings: true }, { bundleStrings: true }],
  ];
  for (const [writing, reading] of settings) {
    const frames = await framesOf(writing);
    const bytes = Buffer.concat(frames);
    const options = { ...reading, sequential: true };
    assert.deepEqual(new Unpackr(options).unpackMultiple(bytes), ROWS);
    const unpackr = new Unpackr(options);
    const [first, ...others] = frames;
    assert.deepEqual(unpackr.unpack(first as Uint8Array), ROWS[0]);
    assert.deepEqual(decodeFirst(others[0] as Uint8Array, 0, unpackr).value, ROWS[1], 'decodeFirst continues');
    assert.deepEqual(
      others.slice(1).map((frame) => unpackr.unpack(frame)),
      ROWS.slice(2),
    );
    assert.deepEqual([...decodeIter(frames, options)], ROWS);
    assert.deepEqual(streamed(bytes, 7, options), { values: ROWS, error: null }, 'records are inline by default');
  }
  const packr = new Packr({ sequential: true });
  const ours = ROWS.map((row) => packr.pack(row));
  assert.deepEqual(
    ours.map((frame) => packr.unpack(frame)),
    ROWS,
    'a Packr reads, too',
  );
});

test('after a message that failed, a record that it may have declared is refused', () => {
  const unpackr = new Unpackr({ sequential: true });
  assert.equal(unpackr.unpack(bytesOf('40')), 64, 'nothing was declared yet');
  assert.deepEqual(unpackr.unpack(bytesOf('d4 72 40 91 a1 61 01')), { a: 1 });
  for (const [bad, code] of [
    ['d4 72 40 91 a1 62 c1', 'reserved_byte'],
    ['d4 72 40 91 a1 62 01 02', 'trailing_data'],
  ] as const) {
    assertFault(() => unpackr.unpack(bytesOf(bad)), { code });
    assertFault(() => unpackr.unpack(bytesOf('91 40 05')), { code: 'unknown_record', offset: 1 });
    assert.deepEqual(unpackr.unpack(bytesOf('d4 72 40 91 a1 63 01')), { c: 1 }, 'a new declaration is read');
  }
  // A message that is only incomplete may come again, complete.
  assertFault(() => unpackr.unpack(bytesOf('d4 72 40 91 a1 64')), { code: 'unexpected_end' });
  assert.deepEqual(unpackr.unpack(bytesOf('40 07')), { c: 7 });
  assertFault(() => unpackr.unpack(bytesOf('41')), { code: 'unknown_record', message: /option sequential/ });

  const several = new Unpackr({ sequential: true });
  const error = assertFault(() => several.unpackMultiple(bytesOf('d4 72 40 91 a1 61 01 40 02 92 40 03')), {
    code: 'unexpected_end',
    offset: 10,
  });
  assert.deepEqual(error.values, [{ a: 1 }, { a: 2 }]);
  assert.deepEqual(several.unpackMultiple(bytesOf('92 40 03 40 04')), [[{ a: 3 }, { a: 4 }]]);
});

test('a sequence keeps no more than maxBytes of what was declared', () => {
  const pair = (hi: number) => Uint8Array.of(0xd5, 0x72, 0x60, hi, 0x91, 0xaa, ...new Uint8Array(10).fill(0x61), 1);
  for (const read of [
    (unpackr: Unpackr, bytes: Uint8Array) => unpackr.unpack(bytes),
    (unpackr: Unpackr, bytes: Uint8Array) => unpackr.unpackMultiple(bytes),
    (unpackr: Unpackr, bytes: Uint8Array) => decodeFirst(bytes, 0, unpackr),
  ]) {
    const unpackr = new Unpackr({ sequential: true, limits: { maxBytes: 1000 } });
    // The same again and again costs nothing.
    for (let count = 0; count < 200; count++) read(unpackr, pair(7));
    let accepted = 0;
    const error = assertFault(
      () => {
        for (; accepted < 200; accepted++) read(unpackr, pair(accepted));
      },
      { code: 'limit_exceeded', offset: 0 },
    );
    assert.match(error.message, /maxBytes/);
    assert.ok(accepted > 10 && accepted < 100, String(accepted));
  }
});

test('declarations that are too large come before trailing data, however unpack is called', () => {
  const packr = new Packr({ sequential: true });
  const bytes = Uint8Array.of(...packr.pack({ ['x'.repeat(30)]: 1 }), 1, 2);
  for (const [maxBytes, code, offset] of [
    [20, 'limit_exceeded', 0],
    [1000, 'trailing_data', bytes.length - 2],
  ] as const) {
    for (const place of [undefined, bytes.length, { start: 0 }]) {
      const unpackr = new Unpackr({ sequential: true, limits: { maxBytes } });
      assertFault(() => unpackr.unpack(bytes, place), { code, offset, path: '' });
    }
  }
});

test('sequential is refused where each call is on its own', () => {
  const bytes = bytesOf('01');
  const refusal = /sequential/;
  assert.throws(() => unpack(bytes, { sequential: true } as never), refusal);
  assert.throws(() => pack(1, { sequential: true } as never), refusal);
  assert.throws(() => decodeFirst(bytes, 0, { sequential: true }), refusal);
  assert.throws(() => get(bytes, '', { sequential: true }), refusal);
  assert.throws(() => get(bytes, '', new Unpackr({ sequential: true })), refusal);
  assert.throws(() => new Raw(bytes, new Unpackr({ sequential: true })), refusal);
  assert.throws(() => new Unpackr({ sequential: 1 } as never), TypeError);
  assert.throws(() => new StreamDecoder({ sequential: 1 } as never), TypeError);
});

// --- readers without the option --------------------------------------------------------------------------------------

/** What each reader of several values makes of bytes. */
function readings(
  bytes: Uint8Array,
  options: StreamDecoderOptions = {},
): [string, { values: unknown[]; error: unknown }][] {
  const of = (run: () => unknown[]): { values: unknown[]; error: unknown } => {
    try {
      return { values: run(), error: null };
    } catch (error) {
      return { values: [...((error as PolypackError).values ?? [])], error };
    }
  };
  const inline = { records: 'inline', mapsAsObjects: true, ...options } as const;
  return [
    ['unpackMultiple', of(() => new Unpackr(inline).unpackMultiple(bytes))],
    ...[1, 3, 1000].map((length): [string, { values: unknown[]; error: unknown }] => [
      `pieces of ${length}`,
      streamed(bytes, length, inline),
    ]),
  ];
}

test('an id at the top, after a record, is refused with a hint, and nowhere else', () => {
  const bytes = bytesOf('d4 72 40 91 a1 61 01 40 02');
  for (const [about, { values, error }] of readings(bytes)) {
    assert.deepEqual(values, [{ a: 1 }], about);
    const fault = error as PolypackError;
    assert.deepEqual([fault.code, fault.offset, fault.path], ['unknown_record', 7, ''], about);
    assert.match(fault.message, /option sequential/);
  }
  for (const [hex, values, options] of [
    ['40 41', [64, 65], {}],
    ['d4 72 40 91 a1 61 01 91 40 cc 40', [{ a: 1 }, [64], 64], {}],
    ['d4 72 40 91 a1 61 01 40 02', [{ a: 1 }, 64, 2], { mode: 'lossless', mapsAsObjects: undefined }],
  ] as const) {
    for (const reading of readings(bytesOf(hex), options)) assert.deepEqual(reading[1], { values, error: null }, hex);
  }
  // One call doesn't matter to the next, nor within a callback.
  const unpackr = new Unpackr();
  unpackr.unpackMultiple(bytesOf('d4 72 40 91 a1 61 01'));
  assert.deepEqual(unpackr.unpackMultiple(bytesOf('40')), [64]);
  assert.equal(unpackr.unpack(bytesOf('40')), 64);
});

test('an ext that stands before its value, behind which another value follows, is refused with the option', () => {
  const cases: [string, number, RegExp][] = [
    ['82 a1 73 d4 73 00 a1 6e 92 01 02 05', 11, /moreTypes/],
    ['d4 73 00 92 01 02', 3, /moreTypes/],
    ['91 d4 65 00 92 a5 45 72 72 6f 72 a1 6d', 4, /moreTypes/],
    ['91 d4 78 00 92 a1 61 a1 67', 4, /moreTypes/],
    ['91 d4 76 01 93 c4 01 00 00 01', 4, /moreTypes/],
    ['92 d6 69 00 00 00 01 90 d6 70 00 00 00 01', 8, /structuredClone/],
  ];
  for (const [hex, offset, mend] of cases) {
    const bytes = bytesOf(hex);
    for (const mode of ['default', 'strict'] as const) {
      for (const [about, { values, error }] of readings(bytes, { mode, mapsAsObjects: mode === 'default' })) {
        const fault = error as PolypackError;
        assert.deepEqual(
          [fault.code, fault.offset, fault.path, values.length],
          ['unsupported_value', offset, '', 1],
          about,
        );
        assert.match(fault.message, mend);
      }
      const fault = assertFault(() => unpack(bytes, { mode }), { code: 'trailing_data', offset });
      assert.match(fault.message, mend);
      assert.match(
        assertFault(() => unpack(bytes, { mode, start: 0 }), { code: 'trailing_data', offset }).message,
        mend,
      );
    }
    // Alone, or where no type is lost, such an ext is a value like any other.
    assert.doesNotThrow(() => new Unpackr({ mode: 'lossless' }).unpackMultiple(bytes));
    assert.doesNotThrow(() => new Unpackr().unpackMultiple(bytes.subarray(0, offset)));
  }
  for (const hex of [
    'd4 73 01 01',
    'd4 05 00 01',
    'c7 02 73 00 00 01',
    'd6 69 00 01 00 00 01',
    'd6 70 00 00 00 01 01',
  ]) {
    assert.equal(new Unpackr().unpackMultiple(bytesOf(hex)).length, 2, hex);
  }
});

test('an ext of msgpackr before what write returned is refused with the option compat', () => {
  class Point {
    readonly x: number;

    constructor(x: number) {
      this.x = x;
    }
  }
  const writer = new msgpackr.Packr();
  const extension = {
    Class: Point,
    type: 0x28,
    write: (point: Point): unknown => [point.x],
    read: (value: unknown) => new Point((value as number[])[0] as number),
  };
  msgpackr.addExtension(extension as never);
  const bytes = writer.pack([new Point(5), 7]);
  const extensions = [extension];
  assert.deepEqual(new Unpackr({ extensions, compat: 'msgpackr' }).unpackMultiple(bytes), [[new Point(5), 7]]);
  for (const [, { values, error }] of readings(bytes, { extensions })) {
    assert.equal(values.length, 1);
    assertFault(
      () => {
        throw error;
      },
      { code: 'unsupported_value', offset: 6, message: /compat: 'msgpackr'/ },
    );
  }
  assertFault(() => new Unpackr({ extensions }).unpack(bytes), {
    code: 'trailing_data',
    message: /compat: 'msgpackr'/,
  });
  // 0 is what this one writes, so the ext is complete.
  const zeros = [
    { ...extension, write: (point: Point) => point.x, read: (value: unknown) => new Point(value as number) },
  ];
  const packr = new Packr({ extensions: zeros });
  const several = Buffer.concat([packr.pack(new Point(0)), packr.pack(new Point(0))]);
  assert.deepEqual(packr.unpackMultiple(several), [new Point(0), new Point(0)]);
});

test('a message that is packed inside another one is not a part of the sequence', () => {
  class Inside {
    readonly value: unknown;
    constructor(value: unknown) {
      this.value = value;
    }
  }
  const apart: Uint8Array[] = [];
  class Apart {
    toJSON(): string {
      apart.push(packr.pack({ b: 8, c: 9 }));
      return 'apart';
    }
  }
  const extension = {
    Class: Inside,
    type: 9,
    pack: ({ value }: Inside) => packr.pack(value),
    unpack: (data: Uint8Array) => new Inside(unpackr.unpack(data)),
  };
  const packr: Packr = new Packr({ sequential: true, extensions: [extension] });
  const unpackr: Unpackr = new Unpackr({ sequential: true, extensions: [extension] });
  const values = [
    { a: 1 },
    [{ a: 2 }, new Inside([{ b: 3 }, new Inside({ a: 4 }), { b: 5 }]), { a: 6 }, { b: 7 }],
    [new Inside({ c: 1 }), { b: 2 }, { c: 3 }],
    { c: 4 },
  ];
  for (const value of values) assert.deepEqual(unpackr.unpack(packr.pack(value)), value);
  const before = packr.pack([{ a: 1 }, new Apart(), { b: 2 }]);
  assert.deepEqual(unpackr.unpack(before), [{ a: 1 }, 'apart', { b: 2 }]);
  assert.equal(apart.length, 1);
  // It relies on nothing, so every reader outside the sequence reads it.
  assert.deepEqual(new Unpackr().unpack(apart[0] as Uint8Array), { b: 8, c: 9 });
  assert.deepEqual(unpackr.unpack(packr.pack({ a: 10 })), { a: 10 });
});
