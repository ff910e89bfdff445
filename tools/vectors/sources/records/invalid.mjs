// What is wrong with a declaration or an instance (spec/05), each row of its tables, and truncated ones.

import { bytesOf, invalid } from '../../cases.mjs';
import { writeBytes } from '../../notation.mjs';

/** @typedef {{maxDepth?: number, maxValues?: number}} Limits */
/** @typedef {import('../../cases.mjs').Case} Case */

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const DECLARATIONS = [
  ['ext-8-of-1', 'c7 01 72 40 91 a1 61 01', 'invalid_record@0'],
  ['ext-8-of-2', 'c7 02 72 60 00 91 a1 61 01', 'invalid_record@0'],
  ['ext-16-of-1', 'c8 00 01 72 40 90', 'invalid_record@0'],
  ['ext-16-of-2', 'c8 00 02 72 60 00 90', 'invalid_record@0'],
  ['ext-32-of-1', 'c9 00 00 00 01 72 40 90', 'invalid_record@0'],
  ['ext-32-of-2', 'c9 00 00 00 02 72 60 00 90', 'invalid_record@0'],
  ['id-00', 'd4 72 00 90', 'invalid_record@0'],
  ['id-01', 'd4 72 01 90', 'invalid_record@0'],
  ['id-3f', 'd4 72 3f 90', 'invalid_record@0'],
  ['id-80', 'd4 72 80 90', 'invalid_record@0'],
  ['id-c0', 'd4 72 c0 90', 'invalid_record@0'],
  ['id-c1', 'd4 72 c1 90', 'invalid_record@0'],
  ['id-ff', 'd4 72 ff 90', 'invalid_record@0'],
  ['lo-00', 'd5 72 00 60 90', 'invalid_record@0'],
  ['lo-40', 'd5 72 40 00 90', 'invalid_record@0'],
  ['lo-5f', 'd5 72 5f 00 90', 'invalid_record@0'],
  ['lo-80', 'd5 72 80 00 90', 'invalid_record@0'],
  ['lo-ff', 'd5 72 ff 60 90', 'invalid_record@0'],
  ['names-int', 'd4 72 40 01', 'invalid_record@3'],
  ['names-int-40', 'd4 72 40 40', 'invalid_record@3'],
  ['names-nil', 'd4 72 40 c0', 'invalid_record@3'],
  ['names-bool', 'd4 72 40 c2', 'invalid_record@3'],
  ['names-str', 'd4 72 40 a1 61', 'invalid_record@3'],
  ['names-bin', 'd4 72 40 c4 01 61', 'invalid_record@3'],
  ['names-map', 'd4 72 40 81 a1 61 01', 'invalid_record@3'],
  ['names-ext', 'd4 72 40 d4 05 00', 'invalid_record@3'],
  ['names-declaration', 'd4 72 40 d4 72 41 90', 'invalid_record@3'],
  ['names-float', 'd4 72 40 ca 00 00 00 00', 'invalid_record@3'],
  ['names-truncated-str', 'd4 72 40 d9', 'invalid_record@3'],
  ['names-reserved', 'd4 72 40 c1', 'reserved_byte@3'],
  ['names-int-behind-two-byte-id', 'd5 72 60 00 01', 'invalid_record@4'],
  ['name-int', 'd4 72 40 91 01 02', 'invalid_record@4'],
  ['name-nil', 'd4 72 40 91 c0 01', 'invalid_record@4'],
  ['name-bin', 'd4 72 40 91 c4 01 61 01', 'invalid_record@4'],
  ['name-array', 'd4 72 40 91 90 01', 'invalid_record@4'],
  ['name-map', 'd4 72 40 91 80 01', 'invalid_record@4'],
  ['name-float', 'd4 72 40 91 ca 00 00 00 00 01', 'invalid_record@4'],
  ['name-ext', 'd4 72 40 91 d4 05 00 01', 'invalid_record@4'],
  ['name-truncated-bin', 'd4 72 40 91 c4 05', 'invalid_record@4'],
  ['name-declared-id', '92 d4 72 40 91 a1 61 01 d4 72 41 91 40 01', 'invalid_record@12 /1'],
  ['name-reserved', 'd4 72 40 91 c1 01', 'reserved_byte@4'],
  ['second-name-int', 'd4 72 40 92 a1 61 01 02 03', 'invalid_record@6'],
  ['name-twice', 'd4 72 40 92 a1 61 a1 61 01 02', 'invalid_record@6'],
  ['name-twice-other-head', 'd4 72 40 92 a1 61 d9 01 61 01 02', 'invalid_record@6'],
  ['name-twice-first-and-third', 'd4 72 40 93 a1 61 a1 62 a1 61 01 02 03', 'invalid_record@8'],
  ['empty-name-twice', 'd4 72 40 92 a0 a0 01 02', 'invalid_record@5'],
  ['name-twice-before-its-rest', 'd4 72 40 93 a1 61 a1 61 c1 01 02 03', 'invalid_record@6'],
  ['name-not-utf8', 'd4 72 40 91 a1 80 01', 'invalid_utf8@4'],
  ['second-name-not-utf8', 'd4 72 40 92 a1 61 a1 ff 01 02', 'invalid_utf8@6'],
  ['in-array', '92 01 d4 72 3f 90', 'invalid_record@2 /1'],
  ['in-map', '81 a1 61 d4 72 40 01', 'invalid_record@6 /a'],
  ['in-record', 'd4 72 40 91 a1 61 d4 72 41 91 01 02', 'invalid_record@10 /a'],
  ['in-key', '81 d4 72 3f 90 c0', 'invalid_record@1'],
  ['in-second-field', 'd4 72 40 92 a1 61 a1 62 01 d4 72 3f 90', 'invalid_record@9 /b'],
  ['names-too-many', 'd4 72 40 92 a1 61', 'unexpected_end@3'],
  ['names-more-than-values', 'd4 72 40 92 a0 a0 01', 'unexpected_end@3'],
  ['names-array-16-lie', 'd4 72 40 dc ff ff', 'unexpected_end@3'],
  ['names-array-32-lie', 'd4 72 40 dd ff ff ff ff', 'unexpected_end@3'],
  ['names-array-32-lie-half', 'd4 72 40 dd 80 00 00 00', 'unexpected_end@3'],
  ['names-array-16-truncated', 'd4 72 40 dc 00', 'unexpected_end@3'],
  ['names-over-what-is-owed', '93 d4 72 40 91 a0 01 02', 'unexpected_end@4 /0'],
  ['names-lie-behind-two-byte-id', 'd5 72 60 00 dc ff ff', 'unexpected_end@4'],
  ['name-beyond-input', 'd4 72 40 91 a5 61', 'unexpected_end@4'],
  ['name-eats-the-values', 'd4 72 40 91 a1 61', 'unexpected_end@6 /a'],
  ['nothing-behind', 'd4 72 40', 'unexpected_end@3'],
  ['nothing-behind-in-array', '91 d4 72 40', 'unexpected_end@4 /0'],
  ['trailing', 'd4 72 40 91 a1 61 01 02', 'trailing_data@7'],
  ['trailing-instance', 'd4 72 40 91 a1 61 01 40 02', 'trailing_data@7'],
  ['no-names-trailing', 'd4 72 40 90 00', 'trailing_data@4'],
  ['value-reserved', 'd4 72 40 91 a1 61 c1', 'reserved_byte@6 /a'],
  ['second-value-reserved', 'd4 72 40 92 a1 61 a1 62 01 c1', 'reserved_byte@9 /b'],
  ['value-escaped-path', 'd4 72 40 91 a3 61 2f 7e c1', 'reserved_byte@8 /a~1~0'],
  ['value-empty-name', 'd4 72 40 91 a0 c1', 'reserved_byte@5 /'],
  ['value-not-utf8', 'd4 72 40 91 a1 61 a1 80', 'invalid_utf8@6 /a'],
  ['value-bad-timestamp', 'd4 72 40 91 a1 61 d4 ff 00', 'invalid_timestamp@6 /a'],
  ['value-duplicate-key', 'd4 72 40 91 a1 61 82 01 02 01 03', 'duplicate_key@9 /a/1'],
  ['keys-equal-records', '82 d4 72 40 91 a1 61 01 c0 40 01 c0', 'duplicate_key@9 /#1'],
  ['keys-record-and-map', '82 81 a1 61 01 c0 d4 72 40 91 a1 61 01 c0', 'duplicate_key@6 /#1'],
  ['keys-long-names', '92 d4 72 40 91 d9 20 61*32 c0 82 92 40 c0 40 01 c0 92 40 c0 40 01 c0', 'duplicate_key@47 /1/#1'],
  ['keys-long-name-and-str', '92 d4 72 40 91 d9 20 61*32 c0 82 91 40 c0 c0 91 81 d9 20 61*32 c0 c0', 'duplicate_key@45 /1/#1'],
  ['keys-pair-redeclared-inside', '92 d5 72 60 07 91 a1 61 01 82 92 60 07 02 d5 72 60 07 91 a1 62 03 c0 92 81 a1 61 02 60 07 03 c0', 'duplicate_key@23 /1/#1'],
  ['keys-record-and-map-after', '82 d4 72 40 91 a1 61 01 c0 81 a1 61 01 c0', 'duplicate_key@9 /#1'],
];

// biome-ignore format: a table
/** @type {[string, string, string][]} */
const INSTANCES = [
  ['too-few-values', '92 d4 72 40 92 a1 61 a1 62 01 02 40 03', 'unexpected_end@11 /1'],
  ['no-values', '92 d4 72 40 91 a1 61 01 40', 'unexpected_end@8 /1'],
  ['over-what-is-owed', '93 d4 72 40 92 a1 61 a1 62 01 02 40 03 04', 'unexpected_end@11 /1'],
  ['value-eats-the-next', '92 d4 72 40 92 a1 61 a1 62 01 02 40 cd 03 04', 'unexpected_end@15 /1/b'],
  ['value-reserved', '92 d4 72 40 91 a1 61 01 40 c1', 'reserved_byte@9 /1/a'],
  ['inner-value-reserved', '92 d4 72 40 91 a1 61 01 40 40 c1', 'reserved_byte@10 /1/a/a'],
  ['trailing', '92 d4 72 40 91 a1 61 01 40 02 03', 'trailing_data@10'],
  ['pair-not-declared', '92 d5 72 60 00 91 a1 61 01 60 01', 'unknown_record@9 /1'],
  ['pair-not-declared-in-field', 'd5 72 60 00 91 a1 61 60 01', 'unknown_record@7 /a'],
  ['pair-of-another-lo', '94 d5 72 60 00 91 a1 61 01 d5 72 61 01 91 a1 62 02 60 01 03 04', 'unknown_record@17 /2'],
  ['pair-cut-off', '92 d5 72 60 00 91 a1 61 01 60', 'unexpected_end@9 /1'],
  ['pair-after-one-byte', '93 d4 72 60 91 a1 61 01 d5 72 60 05 91 a1 62 02 60 06', 'unknown_record@16 /2'],
  ['pair-not-declared-as-key', '92 d5 72 60 00 91 a1 61 01 81 60 01 c0', 'unknown_record@10 /1'],
];

// biome-ignore format: a table
/** Only strict mode refuses these. @type {[string, string, string][]} */
const STRICT = [
  ['40-alone', '40', 'unknown_record@0'],
  ['5f-alone', '5f', 'unknown_record@0'],
  ['60-alone', '60', 'unknown_record@0'],
  ['7f-alone', '7f', 'unknown_record@0'],
  ['in-array', '92 01 40', 'unknown_record@2 /1'],
  ['in-map', '81 a1 61 40', 'unknown_record@3 /a'],
  ['as-key', '81 40 01', 'unknown_record@1'],
  ['as-second-key', '82 01 02 40 03', 'unknown_record@3'],
  ['as-field', 'd4 72 40 91 a1 61 41', 'unknown_record@6 /a'],
  ['another-id', '92 d4 72 40 91 a1 61 01 41', 'unknown_record@8 /1'],
  ['before-declaration', '92 40 d4 72 40 90', 'unknown_record@1 /0'],
  ['lo-beside-a-declared-one', '92 d5 72 60 00 91 a1 61 01 61', 'unknown_record@9 /1'],
];

// biome-ignore format: a table
/** @type {[string, string, Limits, string][]} */
const LIMITED = [
  ['depth-declaration', '91 d4 72 40 91 a1 61 01', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-two-byte-declaration', '91 d5 72 60 00 91 a1 61 01', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-declaration-without-names', '91 d4 72 40 90', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-instance', '92 d4 72 40 91 a1 61 01 91 40 02', { maxDepth: 2 }, 'limit_exceeded@9 /1/0'],
  ['depth-instance-of-pair', '92 d5 72 60 00 91 a1 61 01 91 60 00 02', { maxDepth: 2 }, 'limit_exceeded@10 /1/0'],
  ['depth-instance-without-names', '92 d4 72 40 90 91 40', { maxDepth: 2 }, 'limit_exceeded@6 /1/0'],
  ['depth-value', 'd4 72 40 91 a1 61 90', { maxDepth: 1 }, 'limit_exceeded@6 /a'],
  ['depth-inside-its-declaration', 'd4 72 40 91 a1 61 40 01', { maxDepth: 1 }, 'limit_exceeded@6 /a'],
  ['depth-before-names-fault', '91 d4 72 40 01', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-after-id-fault', '91 d4 72 3f 90', { maxDepth: 1 }, 'invalid_record@1 /0'],
  ['depth-after-cut-head', '91 d4 72', { maxDepth: 1 }, 'unexpected_end@1 /0'],
  ['depth-before-count', '92 d4 72 40 91 a0 01 91 40', { maxDepth: 2 }, 'limit_exceeded@8 /1/0'],
  ['max-values-declaration', 'd4 72 40 92 a1 61 a1 62 01 02', { maxValues: 2 }, 'limit_exceeded@0'],
  ['max-values-declaration-inside', '92 c0 d5 72 60 00 91 a1 61 01', { maxValues: 3 }, 'limit_exceeded@2 /1'],
  ['max-values-declaration-after-count', '91 d4 72 40 92 a1 61 01', { maxValues: 2 }, 'unexpected_end@4 /0'],
  ['max-values-declaration-before-names', '91 d4 72 40 91 01 c0', { maxValues: 2 }, 'limit_exceeded@1 /0'],
  ['max-values-instance', '92 d4 72 40 91 a1 61 01 40 02', { maxValues: 4 }, 'limit_exceeded@8 /1'],
  ['max-values-array-behind', '92 d4 72 40 91 a1 61 01 91 02', { maxValues: 4 }, 'limit_exceeded@8 /1'],
  ['max-values-instance-after-count', '92 d4 72 40 91 a1 61 01 40', { maxValues: 4 }, 'unexpected_end@8 /1'],
];

// biome-ignore format: a table
/** Cut at every byte. @type {[string, string][]} */
const CUT = [
  ['one-byte', 'd4 72 40 92 a1 61 a1 62 01 02'],
  ['two-byte', 'd5 72 60 07 91 a1 61 01'],
  ['instances', '93 d4 72 40 91 a1 61 cd 01 00 40 a2 62 62 40 02'],
  ['pairs', '92 d5 72 60 00 91 a1 61 01 60 00 cd 01 00'],
  ['long-names', 'd4 72 40 dd 00 00 00 01 db 00 00 00 02 61 62 cb 00*8'],
  ['nested', 'd4 72 40 92 a1 61 a1 62 d4 72 41 91 a1 63 91 01 41 90'],
];

/** @returns {Case[]} */
function truncated() {
  const seen = new Set();
  return CUT.flatMap(([name, notation]) => {
    const bytes = bytesOf(notation);
    return Array.from({ length: bytes.length - 1 }, (_, index) => ({
      name: `${name}-at-${index + 1}`,
      bytes: bytes.subarray(0, index + 1),
    }));
  })
    .filter(({ bytes }) => !seen.has(writeBytes(bytes)) && seen.add(writeBytes(bytes)))
    .map(({ name, bytes }) =>
      invalid(`record-truncated-${name}`, '07#which-fault-wins', bytes, undefined, { records: 'inline' }),
    );
}

export default {
  kind: 'records',
  room: 'invalid',
  about: 'what is wrong with a declaration or an instance',
  cases: [
    ...DECLARATIONS.map(([name, bytes, meant]) =>
      invalid(`record-bad-declaration-${name}`, '05#declaration', bytes, meant, { records: 'inline' }),
    ),
    ...INSTANCES.map(([name, bytes, meant]) =>
      invalid(`record-bad-instance-${name}`, '05#instance', bytes, meant, { records: 'inline' }),
    ),
    ...STRICT.map(([name, bytes, meant]) =>
      invalid(`record-unknown-${name}`, '05#instance', bytes, meant, { records: 'inline' }),
    ),
    ...LIMITED.map(([name, bytes, limits, meant]) =>
      invalid(`record-limit-${name}`, '05#limits', bytes, meant, { records: 'inline', limits }),
    ),
    invalid(
      'record-limit-depth-513-instances',
      '05#limits',
      'd4 72 40 91 a1 61 40*512 c0',
      `limit_exceeded@517 ${'/a'.repeat(512)}`,
      { records: 'inline' },
    ),
    invalid(
      'record-limit-depth-10000-instances',
      '05#limits',
      'd4 72 40 91 a1 61 40*10000 c0',
      `limit_exceeded@517 ${'/a'.repeat(512)}`,
      { records: 'inline' },
    ),
    invalid(
      'record-limit-depth-513-declarations',
      '05#limits',
      '(d4 72 40 91 a1 61)*513 c0',
      `limit_exceeded@3072 ${'/a'.repeat(512)}`,
      { records: 'inline' },
    ),
    ...truncated(),
    invalid('record-refused-when-off', '05#records', 'd4 72 40 91 a1 61 01', 'invalid_record@0', { records: 'off' }),
    invalid('record-refused-when-off-in-map', '05#records', '81 a1 61 d4 72 40 91 a1 62 01', 'invalid_record@3 /a', {
      records: 'off',
    }),
  ],
};
