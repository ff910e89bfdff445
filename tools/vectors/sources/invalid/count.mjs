// Heads that promise more than there is: counts of array and map, lengths of str, bin and ext (spec/06#counts).

import { bytesOf, invalid } from '../../cases.mjs';
import { arrayHeads, bigEndian, join, mapHeads } from '../../reference.mjs';

/** @typedef {import('../../cases.mjs').Case} Case */

// biome-ignore format: a table
/** What stands around the head that lies, and the path to it. @type {[string, string, string][]} */
const PLACES = [
  ['at-top', '', ''],
  ['in-array', '91', '/0'],
  ['second-in-array', '92 01', '/1'],
  ['in-map', '81 a1 61', '/a'],
  ['in-array-in-map', '81 a1 61 91', '/a/0'],
  ['in-map-in-array', '91 81 07', '/0/7'],
  ['ten-deep', '91*10', '/0/0/0/0/0/0/0/0/0/0'],
  ['a-hundred-deep', '91*100', '/0'.repeat(100)],
];

// biome-ignore format: a table
/** Heads with nothing, or too little, behind them. @type {[string, string][]} */
const HEADS = [
  ['fixarray-of-1', '91'],
  ['fixarray-of-15', '9f'],
  ['fixarray-of-15-with-14', '9f c0*14'],
  ['array-16-of-1', 'dc 00 01'],
  ['array-16-of-65535', 'dc ff ff'],
  ['array-16-of-65535-with-100', 'dc ff ff c0*100'],
  ['array-32-of-1', 'dd 00 00 00 01'],
  ['array-32-of-65536', 'dd 00 01 00 00'],
  ['array-32-of-2-to-24', 'dd 01 00 00 00'],
  ['array-32-of-2-to-31-minus-1', 'dd 7f ff ff ff'],
  ['array-32-of-2-to-31', 'dd 80 00 00 00'],
  ['array-32-of-2-to-32-minus-1', 'dd ff ff ff ff'],
  ['array-32-of-2-to-32-minus-1-with-100', 'dd ff ff ff ff 00*100'],
  ['fixmap-of-1', '81'],
  ['fixmap-of-1-with-a-key', '81 a0'],
  ['fixmap-of-15', '8f'],
  ['fixmap-of-15-with-29', '8f c0*29'],
  ['map-16-of-1', 'de 00 01'],
  ['map-16-of-65535', 'de ff ff'],
  ['map-16-of-32768-with-100', 'de 80 00 c0*100'],
  ['map-32-of-1', 'df 00 00 00 01'],
  ['map-32-of-2-to-30', 'df 40 00 00 00'],
  ['map-32-of-2-to-31', 'df 80 00 00 00'],
  ['map-32-of-2-to-31-and-1', 'df 80 00 00 01 00 00'],
  ['map-32-of-2-to-32-minus-1', 'df ff ff ff ff'],
  ['map-32-of-2-to-32-minus-1-with-100', 'df ff ff ff ff 00*100'],
  ['fixstr-of-1', 'a1'],
  ['fixstr-of-31-with-30', 'bf 61*30'],
  ['str-8-of-1', 'd9 01'],
  ['str-8-of-255-with-254', 'd9 ff 61*254'],
  ['str-16-of-1', 'da 00 01'],
  ['str-16-of-65535', 'da ff ff 61 62 63'],
  ['str-32-of-1', 'db 00 00 00 01'],
  ['str-32-of-65536', 'db 00 01 00 00 61*100'],
  ['str-32-of-2-to-31-minus-1', 'db 7f ff ff ff'],
  ['str-32-of-2-to-31', 'db 80 00 00 00 61'],
  ['str-32-of-2-to-32-minus-1', 'db ff ff ff ff'],
  ['str-8-not-utf8-and-too-short', 'd9 05 ff'],
  ['bin-8-of-1', 'c4 01'],
  ['bin-8-of-255-with-254', 'c4 ff 00*254'],
  ['bin-16-of-1', 'c5 00 01'],
  ['bin-16-of-65535', 'c5 ff ff 00'],
  ['bin-32-of-1', 'c6 00 00 00 01'],
  ['bin-32-of-2-to-31-minus-1', 'c6 7f ff ff ff 00'],
  ['bin-32-of-2-to-31', 'c6 80 00 00 00 00'],
  ['bin-32-of-2-to-32-minus-1', 'c6 ff ff ff ff'],
  ['fixext-1', 'd4 05'],
  ['fixext-2', 'd5 05 00'],
  ['fixext-4', 'd6 05 00 00 00'],
  ['fixext-8', 'd7 05 00*7'],
  ['fixext-16', 'd8 05 00*15'],
  ['fixext-4-timestamp', 'd6 ff 00 00 00'],
  ['fixext-1-declaration', 'd4 72'],
  ['ext-8-of-1', 'c7 01 05'],
  ['ext-8-of-255', 'c7 ff 05 00*254'],
  ['ext-8-timestamp', 'c7 0c ff 00*11'],
  ['ext-8-timestamp-of-bad-length', 'c7 05 ff 00*4'],
  ['ext-16-of-1', 'c8 00 01 05'],
  ['ext-16-of-65535', 'c8 ff ff 05 00'],
  ['ext-32-of-1', 'c9 00 00 00 01 05'],
  ['ext-32-of-2-to-31-minus-1', 'c9 7f ff ff ff 05'],
  ['ext-32-of-2-to-31', 'c9 80 00 00 00 05 00'],
  ['ext-32-of-2-to-32-minus-1', 'c9 ff ff ff ff 05'],
];

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const OWED = [
  ['inner-array-over-what-outer-owes', '93 a1 61 91 01', 'unexpected_end@3 /1'],
  ['inner-array-exactly-what-remains', '92 91 01', 'unexpected_end@1 /0'],
  ['inner-map-over-what-outer-owes', '92 81 a0 01', 'unexpected_end@1 /0'],
  ['inner-array-in-map-over', '82 a1 61 92 01 02 a1', 'unexpected_end@3 /a'],
  ['inner-array-as-first-value-of-two', '82 a1 61 91 01 02', 'unexpected_end@3 /a'],
  ['third-level', '92 92 91 01 02', 'unexpected_end@2 /0/0'],
  ['owed-through-levels', '92 92 01 92 03 04', 'unexpected_end@3 /0/1'],
  ['owed-by-map-levels', '82 01 82 02 91 03 04 05 06', 'unexpected_end@4 /1/2'],
  ['key-array-over', '81 92 01', 'unexpected_end@1'],
  ['key-array-over-value-owed', '81 92 01 02', 'unexpected_end@1'],
  ['key-map-over-value-owed', '81 81 01 02', 'unexpected_end@1'],
  ['second-key-over', '82 01 02 92 03 04', 'unexpected_end@3'],
  ['array-before-empty-owed', '93 91 90 90', 'unexpected_end@1 /0'],
  ['scalar-eats-what-is-owed', '92 cd 01 02', 'unexpected_end@4 /1'],
  ['str-eats-what-is-owed', '92 a2 61 62', 'unexpected_end@4 /1'],
  ['key-eats-the-value', '81 a2 61 62', 'unexpected_end@4 /ab'],
  ['value-eats-the-next-key', '82 01 cd 02 03', 'unexpected_end@5'],
  ['empty-array-where-more-is-owed', '93 cd 01 02 90', 'unexpected_end@4 /1'],
  ['empty-map-where-more-is-owed', '93 cd 01 02 80', 'unexpected_end@4 /1'],
  ['empty-array-in-map-where-more-is-owed', '82 a2 61 62 90 90', 'unexpected_end@4 /ab'],
  ['empty-map-in-key-where-more-is-owed', '81 92 a1 61 80', 'unexpected_end@4'],
  ['str-beyond-what-is-owed', '92 a3 61 62', 'unexpected_end@1 /0'],
  ['ext-eats-what-is-owed', '92 d4 05 00', 'unexpected_end@4 /1'],
  ['float-without-its-bytes', '92 cb 00 00 00', 'unexpected_end@1 /0'],
  ['count-bytes-missing-array-16', '91 dc 00', 'unexpected_end@1 /0'],
  ['count-bytes-missing-map-32', '91 df 00 00 00', 'unexpected_end@1 /0'],
];

/** @param {string} around @param {string} head */
const place = (around, head) => (around === '' ? head : `${around} ${head}`);

/** The same bomb at each level: it must be refused at the second head. @param {string} head @param {number} times */
const nested = (head, times) =>
  invalid(`count-nested-${head.replaceAll(' ', '')}-${times}-times`, '06#counts', `(${head})*${times}`);

/** One child too few, for every count at the edge of a head. @returns {Case[]} */
function oneTooFew() {
  return [1, 2, 15, 16, 17, 255, 256, 1_024].flatMap((count) => [
    ...arrayHeads(count).map((head) =>
      invalid(
        `count-array-${count}-one-too-few-behind-${head.length}`,
        '06#counts',
        join(head, bytesOf(`c0*${count}`).subarray(1)),
        'unexpected_end@0',
      ),
    ),
    ...mapHeads(count).map((head) =>
      invalid(
        `count-map-${count}-one-too-few-behind-${head.length}`,
        '06#counts',
        join(head, bytesOf(`c0*${2 * count}`).subarray(1)),
        'unexpected_end@0',
      ),
    ),
  ]);
}

/** Heads whose number is itself cut off inside a container that seems long enough. @returns {Case[]} */
function cutNumbers() {
  const heads = [
    'c4',
    'c5',
    'c6',
    'c7',
    'c8',
    'c9',
    'ca',
    'cb',
    'cc',
    'cd',
    'ce',
    'cf',
    'd0',
    'd1',
    'd2',
    'd3',
    'd4',
    'd8',
    'd9',
    'da',
    'db',
    'dc',
    'dd',
    'de',
    'df',
  ];
  return heads.map((head) =>
    invalid(`count-number-missing-${head}`, '07#which-fault-wins', `93 01 02 ${head}`, 'unexpected_end@3 /2'),
  );
}

/** @returns {Case[]} */
function bodiesOneShort() {
  return [1, 31, 32, 255, 256, 65_535, 65_536].flatMap((length) => [
    invalid(
      `count-str-32-${length}-one-short`,
      '02#str',
      join([0xdb], bigEndian(length, 4), bytesOf(`61*${length}`).subarray(1)),
      'unexpected_end@0',
    ),
    invalid(
      `count-bin-32-${length}-one-short`,
      '02#bin',
      join([0xc6], bigEndian(length, 4), bytesOf(`00*${length}`).subarray(1)),
      'unexpected_end@0',
    ),
    invalid(
      `count-ext-32-${length}-one-short`,
      '02#ext',
      join([0xc9], bigEndian(length, 4), [5], bytesOf(`00*${length}`).subarray(1)),
      'unexpected_end@0',
    ),
  ]);
}

export default {
  kind: 'invalid',
  room: 'count',
  about: 'heads that promise more than there is',
  cases: [
    ...PLACES.flatMap(([placeName, around, path]) =>
      HEADS.map(([name, head]) => {
        const meant = `unexpected_end@${bytesOf(around).length}${path === '' ? '' : ` ${path}`}`;
        // A map whose key is there but whose value is not, and the like, may be found at a place of its own.
        return invalid(`count-${name}-${placeName}`, '06#counts', place(around, head), meant);
      }),
    ),
    ...OWED.map(([name, bytes, meant]) => invalid(`count-${name}`, '06#counts', bytes, meant)),
    ...oneTooFew(),
    ...cutNumbers(),
    ...bodiesOneShort(),
    nested('dc ff ff', 2),
    nested('dc ff ff', 24_000),
    nested('de ff ff', 24_000),
    nested('dd ff ff ff ff', 10_000),
    nested('dd 00 00 ff ff', 10_000),
    nested('9f', 1_000),
    nested('9f', 100_000),
    nested('8f', 1_000),
    nested('81', 100_000),
    nested('dc 01 00', 1_000),
  ],
};
