// The option bundleStrings: strings behind the message, in both directions with the library that thought of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as newer from 'msgpackr';
import * as older from 'msgpackr-1.11';
import {
  C1,
  decodeFirst,
  ElementsDecoder,
  ExtData,
  get,
  Packr,
  type PackrOptions,
  pack,
  packInto,
  Raw,
  StreamDecoder,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'polypack';
import { assertFault } from '../_check.ts';
import { cpuMilliseconds } from '../_cost.ts';
import { runs, THOROUGH } from '../_runs.ts';
import { streamed } from '../_streams.ts';
import { bytesOf, hexOf } from '../_values.ts';

const RUNS = runs(100);
const PLAIN = { bundleStrings: true, useRecords: false } as const;

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary-ascii', minLength: 3, maxLength: 40 }),
  fc.constantFrom(
    '',
    'abc',
    'abcd',
    'é',
    'éàüö',
    '日本語テキスト',
    '😀😀',
    'x'.repeat(63),
    'y'.repeat(200),
    'é'.repeat(130),
  ),
);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(null, true, 1.5, 64, 127),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 12 }),
  object: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    tie('value'),
    { maxKeys: 8, noNullPrototype: true },
  ),
}));

for (const options of [{ useRecords: false }, {}, { structures: [] }, { structuredClone: true }] as PackrOptions[]) {
  test(`random values are bundled as msgpackr does it with ${JSON.stringify(options)}`, () => {
    const full = { ...options, bundleStrings: true };
    const packr = new Packr({ ...full, compat: 'msgpackr', mapsAsObjects: true });
    const ours = new Packr({ ...full, mapsAsObjects: true });
    fc.assert(
      fc.property(anything, (value) => {
        const peer = new newer.Packr({ ...full, structures: undefined, mapsAsObjects: true } as newer.Options);
        const theirs = new Uint8Array(peer.pack(value));
        if (options.structures === undefined) assert.equal(hexOf(packr.pack(value)), hexOf(theirs));
        assert.deepEqual(ours.unpack(ours.pack(value)), plainly(value));
        assert.deepEqual(
          new Unpackr({ ...full, structures: undefined, mapsAsObjects: true }).unpack(theirs),
          plainly(value),
        );
      }),
      { numRuns: Math.min(RUNS, 150) },
    );
  });
}

/** Buffers are bytes to a decoder. */
function plainly(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainly(member)]));
}

test('a message with many long strings has several bundles, which both versions read', () => {
  const value = Array.from({ length: 200 }, (_, index) => ({
    name: `name ${index} ${'n'.repeat(index)}`,
    text: index % 3 === 0 ? 'ä'.repeat(index) : `text ${index}`,
  }));
  for (const options of [PLAIN, { bundleStrings: true, mapsAsObjects: true }]) {
    const bytes = new Packr(options).pack(value);
    assert.ok(hexOf(bytes).includes('62'));
    for (const peer of [newer, older]) {
      assert.deepEqual(new peer.Unpackr({ ...options } as newer.Options).unpack(bytes), value);
      const theirs = new Uint8Array(new peer.Packr({ ...options } as newer.Options).pack(value));
      assert.deepEqual(new Packr(options).unpack(theirs), value);
      if (peer === newer) assert.equal(hexOf(new Packr({ ...options, compat: 'msgpackr' }).pack(value)), hexOf(theirs));
    }
  }
});

test('the longest str that is bundled, and the shortest', () => {
  for (const length of [3, 4, 4095, 4096]) {
    for (const letter of ['x', 'é']) {
      const value = [letter.repeat(length), 'abcd'];
      assert.equal(
        hexOf(new Packr(PLAIN).pack(value)),
        hexOf(new Uint8Array(new newer.Packr(PLAIN as newer.Options).pack(value))),
      );
    }
  }
});

test('texts that 16 bits are too few for', () => {
  const value = Array.from({ length: 20 }, (_, index) => '漢字'.repeat(2000) + index);
  const packr = new Packr(PLAIN);
  const bytes = packr.pack(value);
  assert.deepEqual(packr.unpack(bytes), value);
  assert.deepEqual(new newer.Unpackr({ useRecords: false }).unpack(bytes), value);
});

test('one str, and messages without long ones, are plain', () => {
  assert.equal(hexOf(new Packr(PLAIN).pack('abcdef')), 'a6616263646566');
  assert.equal(hexOf(new Packr(PLAIN).pack({ abc: 'é' })), '81a3616263a2c3a9');
  assert.equal(hexOf(new Packr(PLAIN).pack(['abcd'])), '91d66200000006c104a0a461626364');
  assert.deepEqual(new Unpackr(PLAIN).unpack(bytesOf('81 a3 61 62 63 a1 64')), { abc: 'd' });
});

test('values in a row, bundled or not', () => {
  const packr = new Packr(PLAIN);
  const values = [['abcd', 'éàüö'], 'long enough', { plain: 1, field: 'value' }, 5, ['wxyz']];
  const messages = values.map((value) => packr.pack(value));
  const bytes = new Uint8Array(messages.flatMap((message) => [...message]));
  assert.deepEqual(packr.unpackMultiple(bytes), values);
  const places: [number, number][] = [];
  packr.unpackMultiple(bytes, (_, start, end) => void places.push([start, end]));
  let at = 0;
  for (const [index, { length }] of messages.entries()) {
    assert.deepEqual(places[index], [at, at + length]);
    at += length;
  }
  assertFault(() => packr.unpack(bytes), { code: 'trailing_data', offset: messages[0]?.length ?? 0, path: '' });
  const from = messages[0]?.length ?? 0;
  assert.deepEqual(decodeFirst(bytes, from, PLAIN), { value: values[1], end: from + (messages[1]?.length ?? 0) });
  const theirs = new newer.Packr({ useRecords: false, bundleStrings: true });
  const rows = Buffer.concat(values.map((value) => Buffer.from(theirs.pack(value))));
  assert.deepEqual(packr.unpackMultiple(rows), values);
});

test('ids of two bytes are not taken for heads', () => {
  const structures = Array.from({ length: 8000 }, (_, index) => [`name${index}`]);
  const packr = new Packr({ structures, maxSharedStructures: 8160, bundleStrings: true, mapsAsObjects: true });
  const value = [
    { name33: 'text' },
    { name6200: ['more text'] },
    { name7999: 'text' },
    { other: 'text' },
    { name6177: 'last' },
  ];
  assert.deepEqual(packr.unpack(packr.pack(value)), value);
  assert.deepEqual(
    new newer.Packr({ getStructures: () => structures, maxSharedStructures: 8160 }).unpack(packr.pack(value)),
    value,
  );
});

test('bundles that lie are refused, with their place', () => {
  for (const [hex, code, offset, path] of [
    ['92 01 d6 62 00 00', 'unexpected_end', 2, '/1'],
    ['91 d6 62 ff ff ff ff c1 04 a0 a4 61 62 63 64', 'unexpected_end', 1, '/0'],
    // The texts stand in the ext itself, or elsewhere than behind the message.
    ['91 d6 62 00 00 00 00 c1 04 a0 a4 61 62 63 64', 'unsupported_value', 1, '/0'],
    ['91 d6 62 00 00 00 07 c1 04 c0 a0 a4 61 62 63 64', 'unsupported_value', 9, ''],
    ['91 d6 62 00 00 00 06 c1 04 01 a4 61 62 63 64', 'unsupported_value', 1, '/0'],
    ['91 d6 62 00 00 00 06 c1 04 a0', 'unexpected_end', 1, '/0'],
    ['91 d6 62 00 00 00 06 c1 05 a0 a4 61 62 63 64', 'unsupported_value', 7, '/0'],
    ['91 d6 62 00 00 00 06 c1 c0 a0 a4 61 62 63 64', 'unsupported_value', 7, '/0'],
    // A character that is cut in two, and bytes that are no text.
    ['91 d6 62 00 00 00 06 c1 ff a4 f0 9f 98 80 a0', 'unsupported_value', 7, '/0'],
    ['91 d6 62 00 00 00 06 c1 fe a2 c3 28 a0', 'unsupported_value', 7, '/0'],
    ['91 d6 62 00 00 00 06 c1 ff a2 c3 28 a0', 'invalid_utf8', 7, '/0'],
    ['92 c1 04', 'reserved_byte', 1, '/0'],
    ['81 d6 62 00 00 00 0c c1 04 92 01 d5 ff 00 00 a0 a4 6e 61 6d 65', 'invalid_timestamp', 11, '/name/1'],
  ] as const) {
    assertFault(() => new Unpackr(PLAIN).unpack(bytesOf(hex)), { code, offset, path });
  }
});

test('no value before a faulty message is lost', () => {
  const unpackr = new Unpackr(PLAIN);
  const first = new Packr(PLAIN).pack(['abcd']);
  const { length } = first;
  for (const [hex, code, offset, path] of [
    ['91 d6 62 00 00 00 07 c1 04 c0 a0 a4 61 62 63 64', 'unsupported_value', 9, ''],
    ['91 d6 62 00 00 00 06 c1 05 a0 a4 61 62 63 64', 'unsupported_value', 7, '/0'],
    ['91 d6 62 00 00 00 06 c1 04 a0 a4 61 62', 'unexpected_end', 1, '/0'],
    ['91 d6 62 00 00 00 06 c1 ff a2 c3 28 a0', 'invalid_utf8', 7, '/0'],
    ['92 a4 61 62 63 64 c1', 'reserved_byte', 6, '/1'],
  ] as const) {
    const row = new Uint8Array([...first, ...first, ...bytesOf(hex)]);
    const fault = { code, offset: 2 * length + offset, path };
    assert.deepEqual(assertFault(() => unpackr.unpackMultiple(row), fault).values, [['abcd'], ['abcd']]);
    const seen: unknown[] = [];
    assertFault(() => unpackr.unpackMultiple(row, (value) => void seen.push(value)), fault);
    assert.deepEqual(seen, [['abcd'], ['abcd']]);
  }
});

test('bundles give each byte once', () => {
  // One long text, and thousands of bundles that all claim it.
  const claim = bytesOf('d6 62 00 00 00 00 c1 cd 03 e8');
  const count = 2000;
  const bytes = new Uint8Array(3 + count * claim.length + 1 + 1003);
  bytes.set([0xdc, count >> 8, count & 0xff]);
  for (let index = 0; index < count; index++) {
    const at = 3 + index * claim.length;
    bytes.set(claim, at);
    new DataView(bytes.buffer).setUint32(at + 2, bytes.length - 1004 - at - 2);
  }
  bytes.set([0xa0, 0xda, 0x03, 0xe8], bytes.length - 1004);
  bytes.fill(0x61, bytes.length - 1000);
  assertFault(() => new Unpackr(PLAIN).unpack(bytes), {
    code: 'unsupported_value',
    offset: 3 + claim.length,
    path: '/1',
  });
});

test('every prefix and every changed byte is a value or a fault', THOROUGH, () => {
  const message = new Packr({ bundleStrings: true }).pack([
    { name: 'some text', other: 'ünïcödé' },
    { name: 'more text', other: ['x'.repeat(300), 70] },
  ]);
  const unpackr = new Unpackr({ bundleStrings: true });
  for (let end = 0; end < message.length; end++) {
    assertFault(() => unpackr.unpack(message.subarray(0, end)), { code: 'unexpected_end' });
  }
  for (let at = 0; at < message.length; at++) {
    for (const byte of [0, 0x40, 0x62, 0x7f, 0xc1, 0xd6, 0xff]) {
      const changed = message.slice();
      changed[at] = byte;
      try {
        unpackr.unpack(changed);
      } catch (error) {
        assert.equal((error as Error).name, 'PolypackError', `byte ${at}`);
      }
    }
  }
});

const MESSAGES = [
  { name: 'some text', list: ['more text', 'ünï cödé', 'abc'] },
  'one long str',
  [Array.from({ length: 12 }, (_, index) => '漢字'.repeat(900) + index), 'text'.repeat(500)],
  5,
  { name: 'x'.repeat(300), list: [64, new Uint8Array(400)] },
  ['😀😀😀', { 漢字漢字: 'a key', other: null }],
];

test('streams of bundled messages, cut everywhere', THOROUGH, () => {
  for (const options of [PLAIN, { bundleStrings: true }, { bundleStrings: true, structuredClone: true }] as const) {
    const packr = new Packr({ ...options, mapsAsObjects: true });
    const bytes = Uint8Array.from(MESSAGES.flatMap((value) => [...packr.pack(value)]));
    const reading = { useRecords: true, mapsAsObjects: true, ...options } as const;
    for (const length of [1, 2, 7, 100, 16_384, bytes.length]) {
      assert.deepEqual(streamed(bytes, length, reading), { values: MESSAGES, error: null });
    }
    for (let cut = 0; cut < 200; cut++) {
      const stream = new StreamDecoder(reading);
      const values = [...stream.push(bytes.subarray(0, cut)), ...stream.push(bytes.subarray(cut))];
      stream.finish();
      assert.deepEqual(values, MESSAGES);
    }
  }
});

test('the streams of msgpackr, whose bundled records are declared once', () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ name: `name ${index}`, inner: [{ text: 'ünï cödé' }] }));
  for (const sequential of [true, false]) {
    const peer = new newer.Packr({ bundleStrings: true, sequential } as newer.Options);
    const bytes = Uint8Array.from(rows.flatMap((value) => [...peer.pack(value)]));
    for (const length of [1, 3, 50, bytes.length]) {
      const result = streamed(bytes, length, { records: 'inline', bundleStrings: true, sequential });
      assert.deepEqual(result, { values: rows, error: null });
    }
  }
});

test('faults in a stream of bundled messages', () => {
  const first = '91 d6 62 00 00 00 06 c1 04 a0 a4 61 62 63 64';
  const at = bytesOf(first).length;
  for (const [hex, code, offset, path, limits] of [
    ['91 d6 62 00 00 00 06 c1 c0 a0 a4 61 62 63 64', 'unsupported_value', 7, '/0'],
    ['91 d6 62 00 00 00 07 c1 04 c0 a0 a4 61 62 63 64', 'unsupported_value', 9, ''],
    ['91 d6 62 00 00 00 06 c1 04 a0 c0', 'unsupported_value', 9, ''],
    ['91 d6 62 00 00 00 06 c1 05 a0 a4 61 62 63 64', 'unsupported_value', 7, '/0'],
    ['91 d6 62 00 00 00 06 c1 04 a0 a4 61 62', 'unexpected_end', 1, '/0'],
    ['91 d6 62 00 00 00 06 c1 04', 'unexpected_end', 1, '/0'],
    ['91 d6 62 00 00', 'unexpected_end', 1, '/0'],
    ['92 c1 04', 'reserved_byte', 1, '/0'],
    // The text of the key has not come.
    ['81 d6 62 00 00 00 09 c1 04 92 01 c1 c0', 'unsupported_value', 11, '/…/1'],
    ['81 d6 62 00 00 00 0c c1 04 92 01 d5 ff 00 00 a0 a4 6e 61 6d 65', 'invalid_timestamp', 11, '/name/1'],
    ['93 d6 62 00 00 00 08 c1 04 91 91 90 05 a0 a4 61 62 63 64', 'limit_exceeded', 11, '/1/0/0', { maxDepth: 3 }],
    ['91 d6 62 00 00 00 06 c1 08 a0 a8 61 62 63 64 61 62 63 64', 'limit_exceeded', 9, '', { maxBytes: 18 }],
    ['91 d6 62 00 00 00 ff c1 04', 'limit_exceeded', 1, '/0', { maxBytes: 100 }],
    ['92 c6 00 00 01 00', 'limit_exceeded', 1, '/0', { maxBytes: 100 }],
  ] as const) {
    const bytes = bytesOf(`${first} ${hex}`);
    for (const length of [1, 2, 3, bytes.length]) {
      const { values, error } = streamed(bytes, length, { ...PLAIN, ...(limits && { limits }) });
      assert.deepEqual(values, [['abcd']]);
      assert.deepEqual([error?.code, error?.offset, error?.path], [code, at + offset, path], `${hex} by ${length}`);
    }
  }
});

class Custom {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const CUSTOM = {
  Class: Custom,
  type: 0x62,
  pack: ({ text }: Custom) => Buffer.from(text),
  unpack: (data: Uint8Array) => new Custom(String(Buffer.from(data))),
};

test('an extension for the type of bundles gets every ext of the type, and nothing is bundled', () => {
  const values = ['hello', new Custom('abcdef'), 'world', new Custom('a')];
  const options = { ...PLAIN, extensions: [CUSTOM] };
  const packr = new Packr(options);
  const bytes = packr.pack(values);
  assert.equal(hexOf(bytes), hexOf(new Packr({ ...options, bundleStrings: false }).pack(values)));
  assert.deepEqual(packr.unpack(bytes), values);
  assert.deepEqual(packr.unpackMultiple(bytes), [values]);
  for (const length of [1, 5, bytes.length]) assert.deepEqual(streamed(bytes, length, options).values, [values]);
});

test('what readers would take for a part of a bundle is refused', () => {
  const packr = new Packr({ ...PLAIN, moreTypes: true });
  const fault = { code: 'unsupported_value', offset: null };
  const ext = new ExtData(0x62, Uint8Array.of(1, 2, 3, 4, 5));
  assertFault(() => packr.pack([1, { a: ext }]), { ...fault, path: '/1/a' });
  assertFault(() => packr.pack(ext), { ...fault, path: '' });
  assertFault(() => packr.pack(['hello', new Raw(pack([ext]))]), { ...fault, path: '/1/0' });
  const short = [new ExtData(0x62, Uint8Array.of(1, 2, 3)), 'hello'];
  assert.deepEqual(packr.unpack(packr.pack(short)), short);
  const compat = new Packr({ ...PLAIN, compat: 'msgpackr' });
  assert.deepEqual(compat.unpack(compat.pack([C1, 'hello', 5])), [C1, 'hello', 5]);
  assertFault(() => compat.pack(['hello', C1, 5, 'abcdefg']), { ...fault, path: '/1' });
});

test('maxBytes is the same for a stream of bundled messages however it is cut', () => {
  const packr = new Packr(PLAIN);
  for (const bytes of [
    packr.pack(['hello', 'hello', 'world']),
    packr.pack({ name: 'é'.repeat(9), list: ['abcd', { more: 1 }] }),
    // Texts of no and of one code unit.
    bytesOf(`9a d6 62 00 00 00 18 ${'c1 00 '.repeat(6)} ${'c1 01 '.repeat(4)} a0 a4 61 62 63 64`),
  ]) {
    const whole = streamed(bytes, bytes.length, PLAIN);
    for (let maxBytes = 1; maxBytes <= bytes.length; maxBytes++) {
      const outcomes = [1, 2, 7, bytes.length].map((length) => {
        const { values, error } = streamed(bytes, length, { ...PLAIN, limits: { maxBytes } });
        return { values, code: error?.code, offset: error?.offset };
      });
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0], `${hexOf(bytes)} with ${maxBytes}`);
      const isWhole = maxBytes === bytes.length;
      assert.deepEqual(outcomes[0]?.values, isWhole ? whole.values : [], String(maxBytes));
      assert.equal(outcomes[0]?.code, isWhole ? undefined : 'limit_exceeded', String(maxBytes));
    }
  }
});

test(
  'a stream of bundled messages is linear in the bytes, and gives every changed byte the same way for every cut',
  THOROUGH,
  () => {
    const packr = new Packr(PLAIN);
    const bytes = Uint8Array.from(
      [['abcd', 'é'.repeat(9)], { key: 'text', name: [1, 'name'] }, 7].flatMap((v) => [...packr.pack(v)]),
    );
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of [0, 0x62, 0x7f, 0x91, 0xa4, 0xc1, 0xd6, 0xd9, 0xff]) {
        const changed = bytes.slice();
        changed[at] = byte;
        const [one, many] = [1, bytes.length].map((length) => streamed(changed, length, PLAIN));
        assert.deepEqual(one?.values, many?.values, `byte ${at} is ${byte}`);
        assert.deepEqual([one?.error?.code, one?.error?.offset], [many?.error?.code, many?.error?.offset]);
      }
    }
    const large = packr.pack(['x'.repeat(4000), new Uint8Array(2_000_000)]);
    const started = cpuMilliseconds();
    assert.equal(streamed(large, 500, PLAIN).values.length, 1);
    assert.ok(cpuMilliseconds() - started < 2000);
  },
);

test('what cannot read bundles says so', () => {
  const bytes = new Packr(PLAIN).pack(['abcd']);
  assertFault(() => unpack(bytes), { code: 'trailing_data', offset: 7 });
  assertFault(() => unpack(new Packr(PLAIN).pack({ abcd: 1 })), { code: 'reserved_byte', offset: 7 });
  assert.throws(() => new ElementsDecoder(PLAIN), TypeError);
  assert.throws(() => get(bytes, '/0', PLAIN), TypeError);
  assert.throws(() => new Packr({ bundleStrings: 1 } as never), TypeError);
  // Into memory that is there they go all the same.
  const target = new Uint8Array(bytes.length + 1);
  assert.equal(packInto(target, 1, ['abcd'], PLAIN), bytes.length + 1);
  assert.equal(hexOf(target.subarray(1)), hexOf(bytes));
  const packr = new Packr(PLAIN);
  packr.useBuffer(new Uint8Array(20));
  assert.deepEqual([packr.pack(['abcd']), packr.pack(['abcd'])].map(hexOf), [hexOf(bytes), hexOf(bytes)]);
  assert.deepEqual(unpackMultiple(new Uint8Array()), []);
});
