// Lone surrogates in long text, which the host writes, and the path of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExtension, encodeCanonical, Packr, type PackrOptions, packInto } from 'polypack';
import { pack as compactPack } from 'polypack/compact';
import { assertFault } from '../_check.ts';

/**
 * Texts that the host writes: of every number of bytes a character, and with U+FFFD, which is what it
 * makes of lone surrogates.
 */
const GOOD = [
  'Привет, '.repeat(9),
  '漢字，か'.repeat(30),
  `${'é'.repeat(60)}\ufffd`,
  '🚀 '.repeat(40),
  'plain '.repeat(20),
];
const BAD = `${'ж'.repeat(70)}\udfff`;

const many = Array.from({ length: 40 }, (_, index) => `${GOOD[index % GOOD.length]}${index}`);
const manyWithout = many.map((text) => text.replaceAll('\ufffd', ''));

class Wrapped {
  readonly inside: unknown;

  constructor(inside: unknown) {
    this.inside = inside;
  }
}
addExtension({
  type: 77,
  Class: Wrapped,
  write: ({ inside }: Wrapped) => [inside],
  read: (list: unknown) => new Wrapped((list as unknown[])[0]),
});

const KINDS: Record<string, () => PackrOptions> = {
  'inline records': () => ({}),
  maps: () => ({ useRecords: false }),
  'shared records': () => ({ structures: [] }),
  sequential: () => ({ sequential: true }),
  'structured cloning': () => ({ structuredClone: true }),
};

/** Values with a text that is none, and where it is. */
function faulty(others: unknown[]): [unknown, string][] {
  return [
    [BAD, ''],
    [[BAD], '/0'],
    [[...others, BAD, ...others], `/${others.length}`],
    [{ a: others, b: { c: [1, BAD], d: others } }, '/b/c/1'],
    [[others, { x: others, y: { [BAD]: others } }], '/1/y'],
    [[others, { toJSON: null, at: new Date(0) }, [[[{ deep: BAD }]]]], '/2/0/0/0/deep'],
    [
      [
        others,
        new (class {
          toJSON = () => ({ json: BAD });
        })(),
      ],
      '/1/json',
    ],
    [{ others, e: new Wrapped({ inner: [...others, BAD] }) }, `/e/0/inner/${others.length}`],
  ];
}

test('the path of a lone surrogate is that of its text', () => {
  for (const [kind, options] of Object.entries(KINDS)) {
    for (const others of [[], many, manyWithout]) {
      const packr = new Packr(options());
      for (const [value, path] of faulty(others)) {
        assertFault(() => packr.pack(value), { code: 'invalid_utf8', offset: null, path }, `${kind} ${path}`);
        // Nothing of it is left for the next message.
        const good = { others, last: ['ж'.repeat(70)] };
        assert.deepEqual(packr.unpack(packr.pack(good)), good, kind);
      }
    }
  }
});

test('a lone surrogate from an iterator that is used up has its path, too', () => {
  function* texts(last: string): Generator<string> {
    yield* many;
    yield last;
  }
  const packr = new Packr();
  for (const last of [BAD, '\ud800']) {
    const path = `/1/${many.length}`;
    assertFault(() => packr.pack([1, texts(last)]), { code: 'invalid_utf8', offset: null, path });
  }
  assert.deepEqual(packr.unpack(packr.pack([1, many])), [1, many]);
});

test('U+FFFD in texts and bytes is no lone surrogate', () => {
  const packr = new Packr({ useRecords: false });
  const value = { many, bytes: Uint8Array.of(0xef, 0xbf, 0xbd), last: many.map((text) => `${text}\ufffd`) };
  for (let round = 0; round < 3; round++) {
    const bytes = packr.pack(value);
    assert.deepEqual(bytes, compactPack(value));
    assert.deepEqual(packr.unpack(bytes), value);
  }
});

test('memory of the program, exactly as long as the message', () => {
  const packr = new Packr({ useRecords: false });
  for (let more = 0; more < 60; more++) {
    const value = [...many, 'я'.repeat(41 + more)];
    const expected = compactPack(value);
    const room = new Uint8Array(expected.length);
    assert.equal(packInto(room, 0, value, packr), expected.length);
    assert.deepEqual(room, expected);
    assertFault(() => packInto(room, 0, [...value, BAD], packr), { code: 'invalid_utf8', path: '/41' });
  }
});

test('toJSON is called once, also where the message has a lone surrogate', () => {
  let calls = 0;
  const packr = new Packr();
  class Counting {
    readonly texts: readonly string[];

    constructor(texts: readonly string[]) {
      this.texts = texts;
    }

    toJSON(): unknown {
      calls++;
      return this.texts;
    }
  }
  assert.deepEqual(packr.unpack(packr.pack([new Counting(many), new Counting(many)])), [many, many]);
  assert.equal(calls, 2);
  const value = [new Counting(many), new Counting([...many, BAD]), new Counting(many)];
  assertFault(() => packr.pack(value), { code: 'invalid_utf8', offset: null, path: `/1/${many.length}` });
  assert.equal(calls, 4);
});

test('of two faults the first one counts', () => {
  const packr = new Packr();
  assertFault(() => packr.pack([many, BAD, Symbol('later')]), { code: 'invalid_utf8', path: '/1' });
  assertFault(() => packr.pack([many, Symbol('sooner'), BAD]), { code: 'unsupported_value', path: '/1' });
});

test('the canonical encoding refuses them, too', () => {
  for (const others of [[], manyWithout]) {
    for (const value of [BAD, { b: others, a: { c: [...others, BAD] } }, [others, { [BAD]: others }]]) {
      assertFault(() => encodeCanonical(value), { code: 'invalid_utf8' });
    }
  }
});
