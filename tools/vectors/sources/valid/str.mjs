// Text at every head boundary and of every UTF-8 length class (spec/02#str).

import { valid } from '../../cases.mjs';
import { array, str } from '../../values.mjs';

const LENGTHS = [
  0, 1, 2, 3, 7, 8, 15, 16, 17, 23, 24, 30, 31, 32, 33, 63, 64, 65, 127, 128, 200, 201, 254, 255, 256, 257, 300,
];
const LARGE = [
  511, 512, 1_023, 1_024, 4_095, 4_096, 4_097, 32_767, 32_768, 65_534, 65_535, 65_536, 65_537, 70_000, 1_000_000,
];

// biome-ignore format: a table
/** One scalar value at each edge of each UTF-8 length, and the ones that software likes to lose. */
const SCALARS = [
  0x00, 0x01, 0x08, 0x09, 0x0a, 0x0d, 0x1b, 0x1f, 0x20, 0x22, 0x27, 0x2f, 0x5c, 0x7e, 0x7f, 0x80, 0x85, 0xa0, 0xad, 0xe9, 0xff, 0x100, 0x301,
  0x3c0, 0x5d0, 0x600, 0x7fe, 0x7ff, 0x800, 0x801, 0xfff, 0x1000, 0x200b, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x20ac, 0x2060, 0x3042,
  0xac00, 0xcfff, 0xd000, 0xd7fe, 0xd7ff, 0xe000, 0xe001, 0xf8ff, 0xfdcf, 0xfdd0, 0xfdef, 0xfdf0, 0xfe0f, 0xfeff, 0xfff9, 0xfffc, 0xfffd,
  0xfffe, 0xffff, 0x10000, 0x10001, 0x1f600, 0x1fffe, 0x1ffff, 0x20000, 0x2fffe, 0x3ffff, 0x40000, 0x7ffff, 0x80000, 0xe0001, 0xe0100,
  0xeffff, 0xf0000, 0xfffff, 0x100000, 0x10fffd, 0x10fffe, 0x10ffff,
];

// biome-ignore format: a table
/** @type {[string, string][]} */
const TEXTS = [
  ['bom-first', '\ufefftext'],
  ['bom-inside', 'te\ufeffxt'],
  ['nul-first', '\0abc'],
  ['nul-inside', 'abc\0def'],
  ['nul-last', 'abc\0'],
  ['composed', 'caf\u00e9'],
  ['decomposed', 'cafe\u0301'],
  ['hangul-jamo', '\u1100\u1161\u11a8'],
  ['right-to-left', '\u05e9\u05dc\u05d5\u05dd'],
  ['emoji-family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['emoji-flag', '\u{1f1e9}\u{1f1ea}'],
  ['emoji-skin-tone', '\u{1f44d}\u{1f3fd}'],
  ['variation-selector', '\u2764\ufe0f'],
  ['mixed-classes', 'a\u00e9\u20ac\u{1f600}a'],
  ['proto', '__proto__'],
  ['number-like', '12345678901234567890'],
  ['newlines', 'a\r\nb\nc\r'],
  ['tabs', '\t\t'],
  ['json-like', '{"a": [1, "\\u0000"]}'],
  ['replacement-character', '\ufffd'],
  ['looks-like-bin', '\u00c4\u0000'],
];

/** @param {string} unit bytes of UTF-8 are 1 … 4 */
const unitBytes = (unit) => Buffer.byteLength(unit);

const classes = ['a', '\u00e9', '\u20ac', '\u{1f600}'].flatMap((unit) =>
  [31, 32, 33, 34, 255, 256, 257, 258]
    .filter((bytes) => bytes % unitBytes(unit) === 0 && unit !== 'a')
    .map((bytes) =>
      valid(`str-${unitBytes(unit)}-byte-class-${bytes}-bytes`, '02#str', str(unit, bytes / unitBytes(unit))),
    ),
);

/** A character that ends, or starts, at each place of the words that a fast check reads at once. */
const shifted = ['\u00e9', '\u20ac', '\u{1f600}'].flatMap((unit) =>
  Array.from({ length: 34 }, (_, before) =>
    valid(`str-${unitBytes(unit)}-byte-class-after-${before}`, '02#str', str(`${'a'.repeat(before)}${unit}b`)),
  ),
);

/** @param {number} scalar */
const scalarName = (scalar) => `str-u-${scalar.toString(16).padStart(4, '0')}`;

export default {
  kind: 'valid',
  room: 'str',
  about: 'text at every head boundary and of every UTF-8 length class',
  cases: [
    ...LENGTHS.map((length) =>
      valid(`str-${length}-bytes`, '02#str', str('abcdefghijklmnopqrstuvwxyz'.repeat(12).slice(0, length))),
    ),
    ...LARGE.map((length) => valid(`str-${length}-bytes`, '02#str', str('a', length))),
    ...SCALARS.map((scalar) => valid(scalarName(scalar), '02#str', str(String.fromCodePoint(scalar)))),
    ...classes,
    ...shifted,
    ...TEXTS.map(([name, text]) => valid(`str-${name}`, '02#str', str(text))),
    valid('str-two-byte-class-65536-bytes', '02#str', str('\u00e9', 32_768)),
    valid('str-three-byte-class-65535-bytes', '02#str', str('\u20ac', 21_845)),
    valid('str-four-byte-class-65536-bytes', '02#str', str('\u{1f600}', 16_384)),
    valid('str-empty-many', '02#str', array([str('')], 20)),
  ],
};
