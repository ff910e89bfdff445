// Bytes at every head boundary, and bytes that look like something else (spec/02#bin).

import { valid } from '../../cases.mjs';
import { array, bin } from '../../values.mjs';

const LENGTHS = [
  0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 129, 200, 254, 255, 256, 257, 300, 4_096, 32_767,
  32_768,
];
const LARGE = [65_534, 65_535, 65_536, 65_537, 70_000, 1_000_000];

// biome-ignore format: a table
/** @type {[string, string][]} */
const CONTENTS = [
  ['zero', '00'],
  ['ff', 'ff'],
  ['reserved', 'c1'],
  ['two-bytes', '00ff'],
  ['text', '68656c6c6f'],
  ['digit-one', '31'],
  ['utf8', 'c3a9'],
  ['not-utf8', '80ff'],
  ['surrogate', 'eda080'],
  ['overlong', 'c0af'],
  ['message', '93010203'],
  ['map', '81a16101'],
  ['declaration', 'd472409161'],
  ['nul-bytes', '00000000'],
  ['uuid', '123e4567e89b12d3a456426614174000'],
  ['every-byte', Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('')],
];

export default {
  kind: 'valid',
  room: 'bin',
  about: 'bytes at every head boundary, and bytes that look like something else',
  cases: [
    ...[...LENGTHS, ...LARGE].map((length) =>
      valid(`bin-${length}-bytes`, '02#bin', length === 0 ? bin('') : bin('a5', length)),
    ),
    ...CONTENTS.map(([name, hex]) => valid(`bin-${name}`, '02#bin', bin(hex))),
    valid('bin-empty-many', '02#bin', array([bin('')], 20)),
  ],
};
