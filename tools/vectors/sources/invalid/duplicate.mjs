// The same key twice (spec/01#map, spec/07#which-fault-wins), however it is written.

import { bytesOf, invalid, invalidIn } from '../../cases.mjs';
import { forms, join } from '../../reference.mjs';
import { array, bin, bool, ext, fields, float, int, map, nil, str, timestamp, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */
/** @typedef {import('../../cases.mjs').Case} Case */

// biome-ignore format: a table
/** Keys, and the token of the second entry. @type {[string, Value, string][]} */
const KEYS = [
  ['str', str('a'), '/a'],
  ['empty-str', str(''), '/'],
  ['long-str', str('a', 40), `/${'a'.repeat(40)}`],
  ['slash-str', str('a/b~c'), '/a~1b~0c'],
  ['two-byte-class-str', str('\u00e9'), '/\u00e9'],
  ['integer-like-str', str('1'), '/1'],
  ['proto', str('__proto__'), '/__proto__'],
  ['constructor', str('constructor'), '/constructor'],
  ['nul-str', str('\0a'), '/\0a'],
  ['int', int(1), '/1'],
  ['zero', int(0), '/0'],
  ['int-200', int(200), '/200'],
  ['int-32768', int(32_768), '/32768'],
  ['negative-int', int(-1), '/-1'],
  ['int-minus-200', int(-200), '/-200'],
  ['int-64-max', int((1n << 63n) - 1n), '/9223372036854775807'],
  ['uint-64-max', int((1n << 64n) - 1n), '/18446744073709551615'],
  ['int-64-min', int(-(1n << 63n)), '/-9223372036854775808'],
  ['nil', nil, '/#1'],
  ['undefined', undef, '/#1'],
  ['bool', bool(true), '/#1'],
  ['float', float(1.5), '/#1'],
  ['float-zero', float(0), '/#1'],
  ['float-minus-zero', float(-0), '/#1'],
  ['nan', float(Number.NaN), '/#1'],
  ['infinity', float(Number.POSITIVE_INFINITY), '/#1'],
  ['bin', bin('00ff'), '/0x00ff'],
  ['empty-bin', bin(''), '/0x'],
  ['empty-array', array([]), '/#1'],
  ['array', array([int(1), str('a')]), '/#1'],
  ['nested-array', array([array([array([])])]), '/#1'],
  ['empty-map', map([]), '/#1'],
  ['map', fields([['a', int(1)]]), '/#1'],
  ['timestamp', timestamp(1), '/#1'],
  ['timestamp-96', timestamp(-1, 1), '/#1'],
  ['ext', ext(5, '00'), '/#1'],
  ['ext-empty', ext(5, ''), '/#1'],
];

/** Every two forms of a key: canonical first and each form second, and each form first. @returns {Case[]} */
function inEveryForm() {
  return KEYS.flatMap(([name, key, path]) => {
    const [canonical = bytesOf('c0'), ...longer] = forms(key);
    const pairs = [
      [canonical, canonical],
      ...longer.flatMap((form) => [
        [canonical, form],
        [form, canonical],
        [form, form],
      ]),
    ];
    return pairs.map(([first = canonical, second = canonical], index) =>
      invalid(
        `duplicate-${name}${index === 0 ? '' : `-forms-${index}`}`,
        '01#map',
        join([0x82], first, [0x01], second, [0x02]),
        `duplicate_key@${first.length + 2} ${path}`,
      ),
    );
  });
}

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const PLACES = [
  ['third-of-three', '83 a1 61 01 a1 62 02 a1 61 03', 'duplicate_key@7 /a'],
  ['first-found-wins', '84 a1 61 01 a1 62 02 a1 62 03 a1 61 04', 'duplicate_key@7 /b'],
  ['after-17-keys', 'de 00 12 00 c0 01 c0 02 c0 03 c0 04 c0 05 c0 06 c0 07 c0 08 c0 09 c0 0a c0 0b c0 0c c0 0d c0 0e c0 0f c0 10 c0 00 c0', 'duplicate_key@37 /0'],
  ['in-map-16', 'de 00 02 a1 61 01 a1 61 02', 'duplicate_key@6 /a'],
  ['in-map-32', 'df 00 00 00 02 a1 61 01 a1 61 02', 'duplicate_key@8 /a'],
  ['in-array', '91 82 a1 61 01 a1 61 02', 'duplicate_key@5 /0/a'],
  ['in-map', '81 a1 6d 82 a1 61 01 a1 61 02', 'duplicate_key@7 /m/a'],
  ['in-map-key', '81 82 a1 61 01 a1 61 02 c0', 'duplicate_key@5'],
  ['in-array-key', '81 91 82 01 02 01 03 c0', 'duplicate_key@5'],
  ['key-that-is-a-map-in-another-order', '82 82 01 c0 02 c0 01 82 02 c0 01 c0 02', 'duplicate_key@7 /#1'],
  ['key-that-is-a-map-with-longer-heads', '82 81 01 c0 01 de 00 01 cc 01 c0 02', 'duplicate_key@5 /#1'],
  ['key-that-is-an-array-with-longer-heads', '82 91 01 01 dc 00 01 cd 00 01 02', 'duplicate_key@4 /#1'],
  ['nan-of-another-payload', '82 cb 7f f8 00 00 00 00 00 00 01 cb ff f8 00 00 00 00 00 01 02', 'duplicate_key@11 /#1'],
  ['nan-signalling', '82 cb 7f f8 00 00 00 00 00 00 01 cb 7f f0 00 00 00 00 00 01 02', 'duplicate_key@11 /#1'],
  ['nan-of-binary32', '82 cb 7f f8 00 00 00 00 00 00 01 ca 7f c0 00 01 02', 'duplicate_key@11 /#1'],
  ['minus-zero-after-zeros', '84 00 c0 cb 00 00 00 00 00 00 00 00 c0 cb 80 00 00 00 00 00 00 00 c0 ca 80 00 00 00 c0', 'duplicate_key@23 /#3'],
  ['before-the-value', '82 a1 61 01 a1 61 c1', 'duplicate_key@4 /a'],
  ['before-a-missing-value', '82 a1 61 01 a1 61', 'unexpected_end@6 /a'],
  ['after-a-fault-in-the-value', '82 a1 61 c1 a1 61 01', 'reserved_byte@3 /a'],
  ['before-trailing', '82 01 c0 01 c0 c0', 'duplicate_key@3 /1'],
  ['same-keys-in-different-maps-then-one', '82 a1 61 81 a1 61 c0 a1 61 c0', 'duplicate_key@7 /a'],
  ['uint-8-and-int-16', '82 cc 05 01 d1 00 05 02', 'duplicate_key@4 /5'],
  ['uint-64-and-int-64', '82 cf 00 00 00 00 00 00 00 05 01 d3 00 00 00 00 00 00 00 05 02', 'duplicate_key@11 /5'],
  ['negative-of-two-widths', '82 ff 01 d3 ff ff ff ff ff ff ff ff 02', 'duplicate_key@3 /-1'],
  ['str-of-two-heads', '82 a1 61 01 db 00 00 00 01 61 02', 'duplicate_key@4 /a'],
  ['undefined-of-two-heads', '82 d4 00 00 01 c7 01 00 00 02', 'duplicate_key@5 /#1'],
  ['timestamp-of-two-forms', '82 d6 ff 00 00 00 01 01 d7 ff 00 00 00 00 00 00 00 01 02', 'duplicate_key@8 /#1'],
];

// biome-ignore format: a table
/**
 * Keys that only one language folds, in strict mode (spec/09#modes).
 *
 * @type {[import('../../languages.mjs').Language, string, string, string][]}
 */
const FOLDED = [
  ['php', 'int-and-str', '82 01 c0 a1 31 c0', 'duplicate_key@3 /1'],
  ['php', 'str-and-bin', '82 a1 61 c0 c4 01 61 c0', 'duplicate_key@4 /0x61'],
  ['php', 'uint-and-its-digits', '82 cf 80 00 00 00 00 00 00 00 c0 b3 39 32 32 33 33 37 32 30 33 36 38 35 34 37 37 35 38 30 38 c0', 'duplicate_key@11 /9223372036854775808'],
  ['javascript', 'int-and-float', '82 01 c0 cb 3f f0 00 00 00 00 00 00 c0', 'duplicate_key@3 /#1'],
  ['javascript', 'arrays', '82 91 01 c0 91 cb 3f f0 00 00 00 00 00 00 c0', 'duplicate_key@4 /#1'],
  ['javascript', 'zeros', '82 00 c0 cb 00 00 00 00 00 00 00 00 c0', 'duplicate_key@3 /#1'],
  ['go', 'nil-and-undefined', '82 c0 c0 d4 00 00 c0', 'duplicate_key@3 /#1'],
  ['go', 'undefined-and-nil', '82 d4 00 00 c0 c0 c0', 'duplicate_key@5 /#1'],
  ['go', 'zeros', '82 cb 00 00 00 00 00 00 00 00 c0 cb 80 00 00 00 00 00 00 00 c0', 'duplicate_key@11 /#1'],
];

/** What a map of this many keys is searched with must not matter. @param {number} count @returns {Case} */
function amongMany(count) {
  const keys = Array.from({ length: count }, (_, index) => forms(str(`key-${index}`))[0] ?? new Uint8Array());
  const entries = keys.flatMap((key) => [key, Uint8Array.of(0xc0)]);
  const bytes = join([0xde, (count + 1) >> 8, (count + 1) & 255], ...entries, keys[0] ?? [], [0xc0]);
  return invalid(`duplicate-of-first-among-${count}`, '01#map', bytes);
}

export default {
  kind: 'invalid',
  room: 'duplicate',
  about: 'the same key twice, however it is written',
  cases: [
    ...inEveryForm(),
    // Without its value the input is too short by then: the count of the map says so first, or the missing value.
    ...PLACES.filter(([name]) => name !== 'before-a-missing-value').map(([name, bytes, meant]) =>
      invalid(`duplicate-${name}`, '01#map', bytes, meant),
    ),
    invalid('duplicate-before-a-missing-value', '07#which-fault-wins', '82 a1 61 01 a1 61', 'duplicate_key@4 /a'),
    ...FOLDED.map(([language, name, bytes, meant]) =>
      invalidIn([language], `duplicate-fold-${language}-${name}`, '09#modes', bytes, meant),
    ),
    ...[2, 8, 9, 16, 17, 100].map(amongMany),
  ],
};
