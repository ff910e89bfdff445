// Declarations where records are off (spec/05#declaration): refused whatever they hold.

import { invalid } from '../../cases.mjs';

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const CASES = [
  ['declaration', 'd4 72 40 91 a1 61 01', 'invalid_record@0'],
  ['spec-example', 'd4 72 40 92 a3 66 6f 6f a3 62 61 72 04 02', 'invalid_record@0'],
  ['two-byte-id', 'd5 72 60 00 91 a1 61 01', 'invalid_record@0'],
  ['no-names', 'd4 72 40 90', 'invalid_record@0'],
  ['nothing-behind', 'd4 72 40', 'invalid_record@0'],
  ['two-byte-nothing-behind', 'd5 72 60 00', 'invalid_record@0'],
  ['id-00', 'd4 72 00', 'invalid_record@0'],
  ['id-3f', 'd4 72 3f 90', 'invalid_record@0'],
  ['id-7f', 'd4 72 7f 90', 'invalid_record@0'],
  ['id-80', 'd4 72 80 90', 'invalid_record@0'],
  ['lo-5f', 'd5 72 5f 00 90', 'invalid_record@0'],
  ['ext-8-of-1', 'c7 01 72 40 90', 'invalid_record@0'],
  ['ext-8-of-2', 'c7 02 72 60 00 90', 'invalid_record@0'],
  ['ext-16-of-1', 'c8 00 01 72 40', 'invalid_record@0'],
  ['ext-16-of-2', 'c8 00 02 72 60 00', 'invalid_record@0'],
  ['ext-32-of-1', 'c9 00 00 00 01 72 40', 'invalid_record@0'],
  ['ext-32-of-2', 'c9 00 00 00 02 72 60 00', 'invalid_record@0'],
  ['names-not-an-array', 'd4 72 40 01', 'invalid_record@0'],
  ['before-reserved', 'd4 72 40 c1', 'invalid_record@0'],
  ['in-array', '92 01 d4 72 40 91 a1 61 01', 'invalid_record@2 /1'],
  ['in-map', '81 a1 61 d4 72 40 91 a1 62 01', 'invalid_record@3 /a'],
  ['after-int-40', '92 40 d4 72 40 90', 'invalid_record@2 /1'],
  ['instance-behind', '92 d4 72 40 91 a1 61 01 40 02', 'invalid_record@1 /0'],
  ['truncated-head', 'd4 72', 'unexpected_end@0'],
  ['truncated-two-byte', 'd5 72 60', 'unexpected_end@0'],
  ['truncated-ext-8', 'c7 02 72 60', 'unexpected_end@0'],
  ['truncated-in-array', '91 d5 72 60', 'unexpected_end@1 /0'],
  ['as-key', '81 d4 72 40 90 c0', 'invalid_record@1'],
  ['in-array-key', '81 91 d4 72 40 90 c0', 'invalid_record@2'],
];

export default {
  kind: 'invalid',
  room: 'record',
  about: 'declarations where records are off',
  cases: CASES.map(([name, bytes, meant]) => invalid(`record-off-${name}`, '05#declaration', bytes, meant)),
};
