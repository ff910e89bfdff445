// Paths (spec/07#path): every kind of token, escapes, faults in keys. Each ends in c1 so that only the path differs.

import { invalid, invalidIn } from '../../cases.mjs';
import { encode, join } from '../../reference.mjs';
import { array, bin, bool, ext, fields, float, int, map, nil, str, timestamp, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

// biome-ignore format: a table
/** @type {[string, Value, string][]} */
const TOKENS = [
  ['str', str('name'), 'name'],
  ['empty-str', str(''), ''],
  ['slash', str('a/b'), 'a~1b'],
  ['tilde', str('a~b'), 'a~0b'],
  ['tilde-1', str('~1'), '~01'],
  ['tilde-0', str('~0'), '~00'],
  ['slash-tilde', str('/~'), '~1~0'],
  ['tilde-slash', str('~/'), '~0~1'],
  ['only-slashes', str('//'), '~1~1'],
  ['space', str(' '), ' '],
  ['quote', str('"\\'), '"\\'],
  ['percent', str('%2f'), '%2f'],
  ['nul', str('\0'), '\0'],
  ['newline', str('\n'), '\n'],
  ['two-byte-class', str('\u00e9'), '\u00e9'],
  ['three-byte-class', str('\u20ac'), '\u20ac'],
  ['four-byte-class', str('\u{1f600}'), '\u{1f600}'],
  ['bom', str('\ufeff'), '\ufeff'],
  ['decomposed', str('e\u0301'), 'e\u0301'],
  ['noncharacter', str('\uffff'), '\uffff'],
  ['proto', str('__proto__'), '__proto__'],
  ['constructor', str('constructor'), 'constructor'],
  ['integer-like', str('17'), '17'],
  ['minus-integer-like', str('-1'), '-1'],
  ['leading-zero', str('01'), '01'],
  ['hash', str('#0'), '#0'],
  ['0x', str('0x00'), '0x00'],
  ['long-str', str('a', 300), 'a'.repeat(300)],
  ['int-0', int(0), '0'],
  ['int-7', int(7), '7'],
  ['int-127', int(127), '127'],
  ['int-128', int(128), '128'],
  ['int-65536', int(65_536), '65536'],
  ['int-2-to-53', int(1n << 53n), '9007199254740992'],
  ['int-2-to-53-and-1', int((1n << 53n) + 1n), '9007199254740993'],
  ['int-64-max', int((1n << 63n) - 1n), '9223372036854775807'],
  ['uint-64-max', int((1n << 64n) - 1n), '18446744073709551615'],
  ['int-minus-1', int(-1), '-1'],
  ['int-minus-33', int(-33), '-33'],
  ['int-minus-129', int(-129), '-129'],
  ['int-64-min', int(-(1n << 63n)), '-9223372036854775808'],
  ['bin', bin('00ff'), '0x00ff'],
  ['empty-bin', bin(''), '0x'],
  ['bin-text', bin('61'), '0x61'],
  ['bin-upper', bin('abcdef'), '0xabcdef'],
  ['nil', nil, '#0'],
  ['undefined', undef, '#0'],
  ['bool', bool(false), '#0'],
  ['float', float(1.5), '#0'],
  ['integral-float', float(1), '#0'],
  ['nan', float(Number.NaN), '#0'],
  ['array', array([int(1)]), '#0'],
  ['map', fields([['a', nil]]), '#0'],
  ['timestamp', timestamp(1), '#0'],
  ['ext', ext(5, '00'), '#0'],
];

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const PLACES = [
  ['deep', '81 a5 75 73 65 72 73 93 01 02 81 a4 6e 61 6d 65 c1', 'reserved_byte@16 /users/2/name'],
  ['arrays', '92 01 92 02 92 03 c1', 'reserved_byte@6 /1/1/1'],
  ['index-10', '9f c0*10 c1 c0*4', 'reserved_byte@11 /10'],
  ['index-100', 'dc 00 65 c0*100 c1', 'reserved_byte@103 /100'],
  ['after-closing', '93 91 01 81 a1 61 02 c1', 'reserved_byte@7 /2'],
  ['after-closing-in-map', '82 a1 61 91 01 a1 62 c1', 'reserved_byte@7 /b'],
  ['other-key-by-index', '83 c0 01 c2 02 c3 c1', 'reserved_byte@6 /#2'],
  ['other-key-after-str', '82 a1 61 01 c0 c1', 'reserved_byte@5 /#1'],
  ['other-keys-nested', '81 c0 81 c2 c1', 'reserved_byte@4 /#0/#0'],
  ['in-key', '82 a1 61 01 c1 02', 'reserved_byte@4'],
  ['in-key-below', '81 a1 61 82 a1 62 01 c1 02', 'reserved_byte@7 /a'],
  ['in-value-of-map-in-key', '81 81 a1 61 c1 02', 'reserved_byte@4'],
  ['in-element-of-array-in-key', '81 a1 61 81 92 01 c1 02', 'reserved_byte@6 /a'],
  ['in-key-of-map-in-key', '81 a1 61 81 81 c1 01 02', 'reserved_byte@5 /a'],
  ['after-map-in-key', '81 81 a1 61 01 c1', 'reserved_byte@5 /#0'],
  ['missing-value', '82 a1 61 a2 62 62', 'unexpected_end@6'],
  ['missing-element', '93 01 a1 61', 'unexpected_end@4 /2'],
  ['missing-value-of-key', '81 a1 61', 'unexpected_end@3 /a'],
  ['missing-key', '82 a1 61 cc 07', 'unexpected_end@5'],
  ['truncated-in-key', '82 a1 61 01 a2 62', 'unexpected_end@4'],
  ['trailing', '81 a1 61 01 c0', 'trailing_data@4'],
];

/** Names that are not UTF-8: PHP and Go read them in default mode. @type {[string, string, string][]} */
const PARTS = [
  ['in-name', 'd4 72 42 91 a4 f0 9f 72 80 c1', 'reserved_byte@9 /\ufffdr\ufffd'],
  ['in-name-of-instance', '92 d4 72 40 91 a3 61 e2 82 01 40 c1', 'reserved_byte@11 /1/a\ufffd'],
  ['in-str', '81 a4 f0 9f 72 80 c1', 'reserved_byte@6 /\ufffdr\ufffd'],
  ['of-overlong', '81 a2 c0 af c1', 'reserved_byte@4 /\ufffd\ufffd'],
  ['of-surrogate', '81 a3 ed a0 80 c1', 'reserved_byte@5 /\ufffd\ufffd\ufffd'],
  ['of-f4-8f', '81 a3 f4 8f bf c1', 'reserved_byte@5 /\ufffd'],
];

const A = (/** @type {number} */ times) => 'a'.repeat(times);

/** What fits 4,096 bytes, and what does not. @type {[string, string, string][]} */
const LONG = [
  ['of-4096', '81 da 0f ff 61*4095 c1', `reserved_byte@4099 /${A(4095)}`],
  ['of-4097', '81 da 10 00 61*4096 c1', 'reserved_byte@4100 /…'],
  ['more-below', '81 a1 6b 81 da 10 00 61*4096 c1', 'reserved_byte@4103 /k/…'],
  ['more-above', '81 da 10 00 61*4096 81 a1 6b c1', 'reserved_byte@4103 /…'],
  ['of-4096-with-short-ones', '81 da 0f fb 61*4091 81 a1 6b 81 a1 6c c1', `reserved_byte@4101 /${A(4091)}/k/l`],
  ['of-4097-with-short-ones', '81 da 0f fc 61*4092 81 a1 6b 81 a1 6c c1', `reserved_byte@4102 /${A(4092)}/k/…`],
  ['of-4096-in-utf-8', '81 da 0f ff (e2 82 ac)*1365 c1', `reserved_byte@4099 /${'\u20ac'.repeat(1365)}`],
  ['of-4099-in-utf-8', '81 da 10 02 (e2 82 ac)*1366 c1', 'reserved_byte@4102 /…'],
  ['of-4095-escaped', '81 da 07 ff 7e*2047 c1', `reserved_byte@2051 /${'~0'.repeat(2047)}`],
  ['of-4097-escaped', '81 da 08 00 7e*2048 c1', 'reserved_byte@2052 /…'],
  ['key-like-more', '81 a3 e2 80 a6 81 a1 6b c1', 'reserved_byte@8 /…/k'],
  ['more-entry', '82 da 10 00 61*4096 c0 da 10 00 61*4096 c0', 'duplicate_key@4101 /…'],
];

export default {
  kind: 'invalid',
  room: 'path',
  about: 'paths: every kind of token, escapes, faults in keys',
  cases: [
    ...TOKENS.flatMap(([name, key, token]) => {
      const keyBytes = encode(key);
      return [
        invalid(
          `path-${name}`,
          '07#path',
          join([0x81], keyBytes, [0xc1]),
          `reserved_byte@${1 + keyBytes.length} /${token}`,
        ),
        invalid(
          `path-below-${name}`,
          '07#path',
          join([0x91, 0x81], keyBytes, [0x92, 0x01, 0xc1]),
          `reserved_byte@${4 + keyBytes.length} /0/${token}/1`,
        ),
      ];
    }),
    ...[...PLACES, ...LONG].map(([name, bytes, meant]) => invalid(`path-${name}`, '07#path', bytes, meant)),
    ...PARTS.map(([name, bytes, meant]) =>
      invalidIn(['php', 'go'], `path-subparts-${name}`, '07#path', bytes, meant, { records: 'inline' }),
    ),
    invalid(
      'path-of-nested-map-as-key-owed',
      '07#path',
      encode(map([[map([[nil, nil]]), nil]])).subarray(0, 3),
      'unexpected_end@1',
    ),
  ],
};
