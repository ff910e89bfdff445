// c1 in every kind of position (spec/02#wire), and where it loses to a fault before it.

import { invalid } from '../../cases.mjs';

// biome-ignore format: a table
/** Bytes before c1, bytes after it, and the error. @type {[string, string, string, string][]} */
const POSITIONS = [
  ['at-top', '', '', 'reserved_byte@0'],
  ['at-top-before-trailing', '', '00', 'reserved_byte@0'],
  ['as-only-element', '91', '', 'reserved_byte@1 /0'],
  ['as-first-element', '92', '01', 'reserved_byte@1 /0'],
  ['as-last-element', '92 01', '', 'reserved_byte@2 /1'],
  ['as-element-of-array-16', 'dc 00 02 01', '', 'reserved_byte@4 /1'],
  ['as-element-of-array-32', 'dd 00 00 00 02 01', '', 'reserved_byte@6 /1'],
  ['as-16th-element', 'dc 00 10 c0*15', '', 'reserved_byte@18 /15'],
  ['as-1025th-element', 'dc 04 01 c0*1024', '', 'reserved_byte@1027 /1024'],
  ['as-map-value', '81 a1 61', '', 'reserved_byte@3 /a'],
  ['as-second-map-value', '82 a1 61 01 a1 62', '', 'reserved_byte@6 /b'],
  ['as-map-value-of-int-key', '81 07', '', 'reserved_byte@2 /7'],
  ['as-map-16-value', 'de 00 01 a1 61', '', 'reserved_byte@5 /a'],
  ['as-map-32-value', 'df 00 00 00 01 a1 61', '', 'reserved_byte@7 /a'],
  ['as-key', '81', '01', 'reserved_byte@1'],
  ['as-second-key', '82 a1 61 01', '01', 'reserved_byte@4'],
  ['as-key-of-map-16', 'de 00 01', '01', 'reserved_byte@3'],
  ['as-key-of-map-32', 'df 00 00 00 01', '01', 'reserved_byte@5'],
  ['as-key-of-inner-map', '91 81', '01', 'reserved_byte@2 /0'],
  ['as-key-deep', '81 a1 61 81 a1 62 81', '01', 'reserved_byte@7 /a/b'],
  ['in-array-key', '81 91', '01', 'reserved_byte@2'],
  ['in-map-key', '81 81 a1 61', '01', 'reserved_byte@4'],
  ['as-key-in-map-key', '81 81', '01 01', 'reserved_byte@2'],
  ['in-array-key-of-inner-map', '91 81 92 01', '01', 'reserved_byte@4 /0'],
  ['after-array-key', '81 91 01', '', 'reserved_byte@3 /#0'],
  ['after-nil-key', '81 c0', '', 'reserved_byte@2 /#0'],
  ['after-bin-key', '81 c4 02 00 ff', '', 'reserved_byte@5 /0x00ff'],
  ['nested-in-arrays', '91*10', '', 'reserved_byte@10 /0/0/0/0/0/0/0/0/0/0'],
  ['nested-in-maps', '(81 a1 61)*5', '', 'reserved_byte@15 /a/a/a/a/a'],
  ['after-str', '92 a3 61 62 63', '', 'reserved_byte@5 /1'],
  ['after-bin', '92 c4 02 00 ff', '', 'reserved_byte@5 /1'],
  ['after-ext', '92 d4 05 00', '', 'reserved_byte@4 /1'],
  ['after-timestamp', '92 d6 ff 00 00 00 01', '', 'reserved_byte@7 /1'],
  ['after-float', '92 cb 3f f8 00 00 00 00 00 00', '', 'reserved_byte@10 /1'],
  ['after-long-str', '92 da 01 2c 61*300', '', 'reserved_byte@304 /1'],
  ['in-str-is-not-utf8', 'a1', '', 'invalid_utf8@0'],
  ['twice', '92 c1', '', 'reserved_byte@1 /0'],
  ['after-empty-array', '92 90', '', 'reserved_byte@2 /1'],
  ['after-empty-map', '92 80', '', 'reserved_byte@2 /1'],
  ['after-inner-array', '92 92 01 02', '', 'reserved_byte@4 /1'],
  ['after-inner-map', '92 81 a1 61 01', '', 'reserved_byte@5 /1'],
  ['loses-to-count', '93 91', '', 'unexpected_end@0'],
  ['loses-to-inner-count', '92 93', '', 'unexpected_end@1 /0'],
];

export default {
  kind: 'invalid',
  room: 'reserved',
  about: 'c1 in every kind of position',
  cases: POSITIONS.map(([name, before, after, meant]) =>
    invalid(`reserved-${name}`, '02#wire', [before, 'c1', after].filter(Boolean).join(' '), meant),
  ),
};
