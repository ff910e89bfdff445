// Streams that end in an error (spec/06#streams): complete values are delivered, then the error.

import { streamed } from '../../cases.mjs';

/** @typedef {{maxDepth?: number, maxValues?: number, maxBytes?: number}} Limits */

// biome-ignore format: a table
/** Found when the message is complete, or when the input ends. @type {[string, string, number, string][]} */
const FAULTS = [
  ['ends-in-int', '01 cd 01', 1, 'unexpected_end@1'],
  ['ends-after-head-byte', '01 cf', 1, 'unexpected_end@1'],
  ['ends-in-float', 'cb 00 00 00', 0, 'unexpected_end@0'],
  ['ends-in-str', '01 a3 61 62', 1, 'unexpected_end@1'],
  ['ends-in-str-length', 'db 00 00', 0, 'unexpected_end@0'],
  ['ends-in-bin', 'c4 05 00', 0, 'unexpected_end@0'],
  ['ends-in-ext', '90 d8 05 00*15', 1, 'unexpected_end@1'],
  ['ends-before-element', '92 01', 0, 'unexpected_end@0'],
  ['ends-before-second-element', '01 02 92 cd 01 02', 2, 'unexpected_end@6 /1'],
  ['ends-before-value', '81 a1 61', 0, 'unexpected_end@3 /a'],
  ['ends-before-key', '82 a1 61 01', 0, 'unexpected_end@0'],
  ['ends-before-second-key', '82 a1 61 cc 05', 0, 'unexpected_end@5'],
  ['ends-in-inner-array', '91 93 01', 0, 'unexpected_end@1 /0'],
  ['ends-in-count', '91 dc 00', 0, 'unexpected_end@1 /0'],
  ['ends-in-large-str', '01 db 00 01 00 00 61*65535', 1, 'unexpected_end@1'],
  ['ends-with-lying-count', 'dd 00 ff ff ff 01 02 03', 0, 'unexpected_end@0'],
  ['ends-in-nested-bomb', '(dc ff ff)*100', 0, 'unexpected_end@0'],
  ['ends-with-bad-text-before', '93 a1 80', 0, 'unexpected_end@0'],
  ['ends-with-bad-text-and-enough-bytes', '92 a1 80 cd 01', 0, 'invalid_utf8@1 /0'],
  ['ends-with-duplicate-before', '82 01 02 01 cd 00', 0, 'duplicate_key@3 /1'],
  ['ends-with-bad-timestamp-before', '92 d4 ff 00 cd 00', 0, 'invalid_timestamp@1 /0'],
  ['reserved-at-once', 'c1', 0, 'reserved_byte@0'],
  ['reserved-second-message', '01 c1', 1, 'reserved_byte@1'],
  ['reserved-after-array', '92 01 02 c1 01', 1, 'reserved_byte@3'],
  ['reserved-in-array', '93 01 c1 02', 0, 'reserved_byte@2 /1'],
  ['reserved-deep-in-unfinished', '01 9f 81 a1 61 92 05 c1', 1, 'reserved_byte@7 /0/a/1'],
  ['reserved-in-unfinished-bomb', 'dd 00 ff ff ff c1', 0, 'reserved_byte@5 /0'],
  ['count-beyond-max-bytes-before-reserved', 'dd ff ff ff ff c1', 0, 'limit_exceeded@0'],
  ['reserved-as-key', '82 a1 61 01 c1', 0, 'reserved_byte@4'],
  ['reserved-in-array-key', '91 82 91 c1', 0, 'reserved_byte@3 /0'],
  ['reserved-below-int-key', '9f 81 05 c1', 0, 'reserved_byte@3 /0/5'],
  ['reserved-below-negative-key', '9f 81 d0 80 c1', 0, 'reserved_byte@4 /0/-128'],
  ['reserved-below-bin-key', '9f 81 c4 02 00 ff c1', 0, 'reserved_byte@6 /0/0x00ff'],
  ['reserved-below-other-key', '9f 82 05 c0 c2 c1', 0, 'reserved_byte@5 /0/#1'],
  ['reserved-below-escaped-key', '9f 81 a2 2f 7e c1', 0, 'reserved_byte@5 /0/~1~0'],
  ['reserved-below-bad-text', '9f 81 a1 80 c1', 0, 'reserved_byte@4 /0/\ufffd'],
  ['reserved-below-truncated-text', '9f 81 a3 f0 90 62 c1', 0, 'reserved_byte@6 /0/\ufffdb'],
  ['reserved-below-surrogate', '9f 81 a3 ed a0 80 c1', 0, 'reserved_byte@6 /0/\ufffd\ufffd\ufffd'],
  ['reserved-before-count-fault', '93 91 c1', 0, 'reserved_byte@2 /0/0'],
  ['reserved-after-bad-text', '92 a1 80 c1', 0, 'reserved_byte@3 /1'],
  ['reserved-after-duplicate', '82 01 02 01 c1', 0, 'reserved_byte@4 /1'],
  ['reserved-after-large-str', '92 da 10 00 61*4096 c1', 0, 'reserved_byte@4100 /1'],
  ['reserved-byte-in-bin-is-data', 'c4 01 c1 c1', 1, 'reserved_byte@3'],
  ['reserved-byte-in-ext-is-data', 'd4 05 c1 c1', 1, 'reserved_byte@3'],
  ['bad-text', 'a1 80', 0, 'invalid_utf8@0'],
  ['bad-text-second-message', '01 a1 80 02', 1, 'invalid_utf8@1'],
  ['bad-text-in-complete-map', '90 81 a1 61 a1 80 01', 1, 'invalid_utf8@4 /a'],
  ['duplicate-key', '82 a1 61 01 a1 61 02', 0, 'duplicate_key@4 /a'],
  ['duplicate-key-second-message', '80 82 01 02 cc 01 03', 1, 'duplicate_key@4 /1'],
  ['bad-timestamp', '01 d4 ff 00', 1, 'invalid_timestamp@1'],
  ['record-when-off', '01 92 d4 72 40 90', 1, 'invalid_record@2 /0'],
  ['record-at-top-when-off', '01 d4 72 40 91 a1 61 01', 1, 'invalid_record@1'],
  ['depth-513', '01 91*513 c0', 1, `limit_exceeded@513 ${'/0'.repeat(512)}`],
  ['depth-in-unfinished', '91*600', 0, `limit_exceeded@512 ${'/0'.repeat(512)}`],
  ['depth-of-maps', '(81 a1 61)*513 c0', 0, `limit_exceeded@1536 ${'/a'.repeat(512)}`],
  ['depth-of-keys', '81*513', 0, 'limit_exceeded@512'],
  ['many-then-fault', '(81 a1 61 01)*100 c1', 100, 'reserved_byte@400'],
];

// biome-ignore format: a table
/** @type {[string, string, number, string, Limits][]} */
const LIMITED = [
  ['depth-1', '90 91 90', 1, 'limit_exceeded@2 /0', { maxDepth: 1 }],
  ['depth-1-unfinished', '9f 80', 0, 'limit_exceeded@1 /0', { maxDepth: 1 }],
  ['depth-after-bad-text', '92 a1 80 90', 0, 'limit_exceeded@3 /1', { maxDepth: 1 }],
  ['depth-before-max-bytes', '91 9f', 0, 'limit_exceeded@1 /0', { maxDepth: 1, maxBytes: 3 }],
  ['max-values', '91 01 92 01 02', 1, 'limit_exceeded@2', { maxValues: 2 }],
  ['max-values-when-complete', '92 01 02', 0, 'limit_exceeded@0', { maxValues: 2 }],
  ['max-values-after-reserved', '92 01 c1', 0, 'reserved_byte@2 /1', { maxValues: 2 }],
  ['max-bytes-str', '01 a5 61 62 63 64 65', 1, 'limit_exceeded@1', { maxBytes: 5 }],
  ['max-bytes-str-unfinished', 'd9 ff 61', 0, 'limit_exceeded@0', { maxBytes: 256 }],
  ['max-bytes-str-32', 'db ff ff ff ff', 0, 'limit_exceeded@0', { maxBytes: 1_000_000 }],
  ['max-bytes-bin-32', '01 c6 7f ff ff ff', 1, 'limit_exceeded@1', { maxBytes: 1_000_000 }],
  ['max-bytes-ext', 'c7 04 05', 0, 'limit_exceeded@0', { maxBytes: 6 }],
  ['max-bytes-array', '95 01 02 03 04 05', 0, 'limit_exceeded@0', { maxBytes: 5 }],
  ['max-bytes-array-32', 'dd ff ff ff ff', 0, 'limit_exceeded@0', { maxBytes: 1_000_000 }],
  ['max-bytes-map', '83 01', 0, 'limit_exceeded@0', { maxBytes: 6 }],
  ['max-bytes-map-32', 'df 80 00 00 00', 0, 'limit_exceeded@0', { maxBytes: 1_000_000 }],
  ['max-bytes-inner-with-owed', '93 01 92 01 02 03', 0, 'limit_exceeded@2 /1', { maxBytes: 5 }],
  ['max-bytes-inner-map-value', '81 a1 61 a3 62 62 62', 0, 'limit_exceeded@3 /a', { maxBytes: 6 }],
  ['max-bytes-in-key', '81 a3 61 61 61 01', 0, 'limit_exceeded@1', { maxBytes: 5 }],
  ['max-bytes-by-int', '92 cd 00 01 01', 0, 'limit_exceeded@1 /0', { maxBytes: 4 }],
  ['max-bytes-second-message', '92 01 02 93 01 02 03', 1, 'limit_exceeded@3', { maxBytes: 3 }],
  ['max-bytes-after-bad-text', '92 a1 80 a2 61 61', 0, 'limit_exceeded@3 /1', { maxBytes: 5 }],
  ['max-bytes-default', 'c6 04 00 00 00', 0, 'limit_exceeded@0', {}],
  ['max-bytes-default-exact-then-ends', 'c6 03 ff ff fb 00', 0, 'unexpected_end@0', {}],
];

// biome-ignore format: a table
/** With records inline. @type {[string, string, number, string, Limits?][]} */
const RECORDS = [
  ['id-in-unfinished', '9f d4 72 3f', 0, 'invalid_record@1 /0'],
  ['behind-ext-8-in-unfinished', '9f 01 c7 01 72 40', 0, 'invalid_record@2 /1'],
  ['names-not-an-array-in-unfinished', '9f d4 72 40 01', 0, 'invalid_record@4 /0'],
  ['name-not-a-str-in-unfinished', 'd4 72 40 93 a1 61 00', 0, 'invalid_record@6'],
  ['names-begin-no-array', '01 d4 72 40 db', 1, 'invalid_record@4'],
  ['name-begins-no-str', 'd4 72 40 91 c7', 0, 'invalid_record@4'],
  ['name-twice-when-complete', 'd4 72 40 92 a1 61 a1 61 c1', 0, 'reserved_byte@8 /a'],
  ['unknown-pair-in-unfinished', '9f d5 72 60 00 90 60 01', 0, 'unknown_record@6 /1'],
  ['int-key-that-becomes-an-id', '82 60 92 d4 72 60 90 c1', 0, 'reserved_byte@7 /96/1'],
  ['instance-as-key', '92 d4 72 40 90 82 40 92 d4 72 40 91 a1 61 00 c1', 0, 'reserved_byte@15 /1/#0/1'],
  ['id-after-bad-text', '92 a1 80 d4 72 a0', 0, 'invalid_record@3 /1'],
  ['behind-ext-8-after-duplicate', '83 00 00 00 c7 01 72 40', 0, 'invalid_record@4 /0'],
  ['name-not-a-str-after-bad-text', 'd4 72 40 93 a1 80 01', 0, 'invalid_record@6'],
  ['unknown-pair-after-bad-text', '93 a1 80 d5 72 60 00 90 60 01', 0, 'unknown_record@8 /2'],
  ['max-bytes-at-declaration', '01 d4 72 40', 1, 'limit_exceeded@1', { maxBytes: 3 }],
  ['max-bytes-at-names', 'd5 72 60 01 dc 00 00', 0, 'limit_exceeded@4', { maxBytes: 5 }],
  ['max-bytes-at-name', 'd4 72 40 91 a2', 0, 'limit_exceeded@4', { maxBytes: 7 }],
];

export default {
  kind: 'stream',
  room: 'fault',
  about: 'what is complete is delivered, then the one error',
  cases: [
    ...FAULTS.map(([name, bytes, count, meant]) => streamed(`stream-${name}`, bytes, count, meant)),
    ...LIMITED.map(([name, bytes, count, meant, limits]) =>
      streamed(`stream-${name}`, bytes, count, meant, Object.keys(limits).length > 0 ? { limits } : {}),
    ),
    ...RECORDS.map(([name, bytes, count, meant, limits]) =>
      streamed(`stream-record-${name}`, bytes, count, meant, { records: 'inline', ...(limits && { limits }) }),
    ),
    streamed('stream-record-reserved', '92 d4 72 40 91 a1 61 01 40 c1', 0, 'reserved_byte@9 /1/a', {
      records: 'inline',
    }),
    streamed('stream-record-depth', '91 d4 72 40 91 a1 61 90', 0, 'limit_exceeded@7 /0/a', {
      records: 'inline',
      limits: { maxDepth: 2 },
    }),
    streamed('stream-record-instance-depth', '92 d4 72 40 91 a1 61 01 40 40 05', 0, 'limit_exceeded@9 /1/a', {
      records: 'inline',
      limits: { maxDepth: 2 },
    }),
    streamed('stream-record-ends-in-names', '01 d4 72 40 92 a1', 1, 'unexpected_end@4', { records: 'inline' }),
    streamed('stream-record-ends-in-head', '01 d5 72 60', 1, 'unexpected_end@1', { records: 'inline' }),
    streamed('stream-record-ends-before-value', 'd4 72 40 91 a1 61', 0, 'unexpected_end@6 /a', { records: 'inline' }),
  ],
};
