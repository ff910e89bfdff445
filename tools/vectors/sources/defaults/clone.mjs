// Structured cloning (spec/03#structured-cloning), which only JavaScript has: what decode then encode makes of these
// bytes, and what it refuses. By hand, and confirmed by msgpackr; the judge knows nothing of these types.

import { readBytes, writeBytes } from '../../notation.mjs';

/** @typedef {import('../../cases.mjs').Case} Case */
/** @typedef {'moreTypes' | 'structuredClone'} Clone */

const SAME = '=';

// biome-ignore format: a table
/** The option, bytes, and what they become. @type {[string, Clone, string, string][]} */
const KEPT = [
  ['set', 'moreTypes', 'd4 73 00 92 01 02', SAME],
  ['set-empty', 'moreTypes', 'd4 73 00 90', SAME],
  ['set-in-set', 'moreTypes', 'd4 73 00 91 d4 73 00 91 01', SAME],
  ['set-in-map', 'moreTypes', '81 a1 61 d4 73 00 91 01', SAME],
  ['set-behind-ext-8', 'moreTypes', 'c7 01 73 00 91 01', 'd4 73 00 91 01'],
  ['error', 'moreTypes', 'd4 65 00 93 a5 45 72 72 6f 72 a1 6d d4 00 00', SAME],
  ['error-of-2', 'moreTypes', 'd4 65 00 92 a5 45 72 72 6f 72 a1 6d', 'd4 65 00 93 a5 45 72 72 6f 72 a1 6d d4 00 00'],
  ['error-with-cause', 'moreTypes', 'd4 65 00 93 a9 54 79 70 65 45 72 72 6f 72 a1 6d 05', SAME],
  ['error-with-code', 'moreTypes', 'd4 65 00 94 a5 45 72 72 6f 72 a1 6d d4 00 00 a1 63', SAME],
  ['uint-8', 'moreTypes', 'c7 03 74 01 00 ff', SAME],
  ['uint-8-behind-fixext', 'moreTypes', 'd5 74 01 ff', 'c7 02 74 01 ff'],
  ['uint-8-clamped', 'moreTypes', 'c7 03 74 02 00 ff', SAME],
  ['int-8', 'moreTypes', 'c7 03 74 00 00 ff', SAME],
  ['int-16', 'moreTypes', 'c7 05 74 03 00 01 02 03', SAME],
  ['uint-32', 'moreTypes', 'c7 05 74 06 01 02 03 04', SAME],
  ['float-64', 'moreTypes', 'c7 09 74 08 00 00 00 00 00 00 f0 3f', SAME],
  ['bigint-64', 'moreTypes', 'c7 09 74 09 01 00 00 00 00 00 00 00', SAME],
  ['array-buffer', 'moreTypes', 'c7 03 74 10 00 ff', SAME],
  ['data-view', 'moreTypes', 'c7 03 74 11 00 ff', SAME],
  ['bigint', 'moreTypes', 'd8 42 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00', SAME],
  ['bigint-of-9-bytes', 'moreTypes', 'c7 09 42 01 00 00 00 00 00 00 00 00', 'd8 42 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00'],
  ['bigint-negative', 'moreTypes', 'd8 42 ff ff ff ff ff ff ff fe 00 00 00 00 00 00 00 00', SAME],
  ['int-64', 'moreTypes', '92 d3 00 00 00 00 00 00 00 05 05', SAME],
  ['int-64-negative', 'structuredClone', 'd3 ff ff ff 00 00 00 00 00', SAME],
  ['int-64-of-a-safe-integer', 'structuredClone', 'd3 00 00 01 00 00 00 00 00', SAME],
  ['int-64-in-key', 'moreTypes', '81 d3 00 00 00 00 00 00 00 05 01', '81 05 01'],
  ['uint-64', 'moreTypes', 'cf 80 00 00 00 00 00 00 00', SAME],
  ['uint-64-of-a-number', 'moreTypes', 'cf 00 00 01 00 00 00 00 00', 'cb 42 70 00 00 00 00 00 00'],
  ['float-64-of-an-integer', 'moreTypes', 'cb 42 70 00 00 00 00 00 00', SAME],
  ['pointer', 'structuredClone', '92 d6 69 00 00 00 01 91 05 d6 70 00 00 00 01', SAME],
  ['pointer-to-another-label', 'structuredClone', '92 d6 69 00 00 00 07 90 d6 70 00 00 00 07', '92 d6 69 00 00 00 01 90 d6 70 00 00 00 01'],
  ['array-in-itself', 'structuredClone', 'd6 69 00 00 00 01 91 d6 70 00 00 00 01', SAME],
  ['map-in-itself', 'structuredClone', 'd6 69 00 00 00 01 81 a1 61 d6 70 00 00 00 01', SAME],
  ['set-in-itself', 'structuredClone', 'd6 69 00 00 00 01 d4 73 00 91 d6 70 00 00 00 01', SAME],
  ['label-without-pointer', 'structuredClone', '91 d6 69 00 00 00 01 05', '91 05'],
  ['hole', 'structuredClone', '92 01 d4 00 01', SAME],
];

// biome-ignore format: a table
/** @type {[string, Clone, string, string, number, string][]} */
const REFUSED = [
  ['set-of-int', 'moreTypes', 'd4 73 00 05', 'unsupported_value', 0, ''],
  ['set-of-nil-in-array', 'moreTypes', '91 d4 73 00 c0', 'unsupported_value', 1, '/0'],
  ['set-of-nothing', 'moreTypes', 'd4 73 00', 'unexpected_end', 3, ''],
  ['set-prefix-with-other-data', 'moreTypes', 'd4 73 01 90', 'trailing_data', 3, ''],
  ['set-with-fault', 'moreTypes', 'd4 73 00 91 c1', 'reserved_byte', 4, '/0'],
  ['error-of-1', 'moreTypes', 'd4 65 00 91 a1 61', 'unsupported_value', 0, ''],
  ['error-of-map', 'moreTypes', 'd4 65 00 80', 'unsupported_value', 0, ''],
  ['regexp-without-its-option', 'moreTypes', 'd4 78 00 92 a1 61 a0', 'unsupported_value', 0, ''],
  ['regexp-in-array-without-its-option', 'structuredClone', '91 d4 78 00 92 a1 61 a0', 'unsupported_value', 1, '/0'],
  ['unknown-view', 'moreTypes', 'c7 03 74 0c 00 ff', 'unsupported_value', 0, ''],
  ['view-of-half-an-element', 'moreTypes', 'c7 04 74 03 00 01 02', 'unsupported_value', 0, ''],
  ['pointer-to-nothing', 'structuredClone', 'd6 70 00 00 00 01', 'unsupported_value', 0, ''],
  ['pointer-to-a-later-label', 'structuredClone', '92 d6 70 00 00 00 01 d6 69 00 00 00 01 90', 'unsupported_value', 1, '/0'],
  ['label-twice', 'structuredClone', '92 d6 69 00 00 00 01 90 d6 69 00 00 00 01 90', 'unsupported_value', 8, '/1'],
  ['label-of-nothing', 'structuredClone', 'd6 69 00 00 00 01', 'unexpected_end', 6, ''],
];

const SPEC = '03#structured-cloning';

/** @type {Case[]} */
export const CLONED = KEPT.map(([name, clone, bytes, becomes]) => ({
  name: `javascript-clone-${name}`,
  spec: SPEC,
  bytes: writeBytes(readBytes(bytes)),
  becomes: writeBytes(readBytes(becomes === SAME ? bytes : becomes)),
  clone,
}));

export const invalidClone = {
  kind: 'invalid',
  room: 'clone',
  about: 'contents of extensions of structured cloning that fit no row of its table',
  cases: REFUSED.map(([name, clone, bytes, code, offset, path]) => ({
    name: `clone-${name}`,
    spec: SPEC,
    bytes,
    error: { code, offset, path },
    languages: [/** @type {const} */ ('javascript')],
    modes: /** @type {import('../../judge.mjs').Mode[]} */ (['default', 'strict']), // lossless mode excludes the option
    clone,
  })),
};
