// How many bytes the names of records may take that become maps (spec/06#names-of-records).

import { canonicalized } from '../../cases.mjs';

/** @typedef {{maxBytes: number, maxDepth?: number, maxValues?: number}} Limits */

const TWO = '92 d4 72 40 91 a1 61 01 40 02'; // each record is a map head and a name of two bytes

// biome-ignore format: a table
/** Bytes, limits, and the departure or the error. @type {[string, string, Limits, number | string][]} */
const CASES = [
  ['enough', TWO, { maxBytes: 6 }, 1],
  ['second-is-one-too-many', TWO, { maxBytes: 5 }, 'limit_exceeded@8 /1'],
  ['first-is-too-many', TWO, { maxBytes: 2 }, 'limit_exceeded@1 /0'],
  ['only-first', 'd4 72 40 91 a1 61 01', { maxBytes: 3 }, 0],
  ['of-a-pair', '92 d5 72 60 00 91 a1 61 01 60 00 02', { maxBytes: 5 }, 'limit_exceeded@9 /1'],
  ['no-names', '93 d4 72 40 90 40 40', { maxBytes: 2 }, 'limit_exceeded@6 /2'],
  ['long-name', 'd4 72 40 91 d9 20 61*32 01', { maxBytes: 34 }, 'limit_exceeded@0'],
  ['long-name-enough', 'd4 72 40 91 d9 20 61*32 01', { maxBytes: 35 }, 0],
  ['name-with-a-longer-head', 'd4 72 40 91 d9 01 61 01', { maxBytes: 3 }, 0],
  ['map-16', 'd4 72 40 dc 00 10 a1 61 a1 62 a1 63 a1 64 a1 65 a1 66 a1 67 a1 68 a1 69 a1 6a a1 6b a1 6c a1 6d a1 6e a1 6f a1 70 01*16', { maxBytes: 34 }, 'limit_exceeded@0'],
  ['nested', 'd4 72 40 91 a1 61 40 01', { maxBytes: 5 }, 'limit_exceeded@6 /a'],
  ['maps-are-free', '92 81 a1 61 01 d4 72 40 91 a1 61 01', { maxBytes: 3 }, 5],
  ['depth-comes-first', '91 d4 72 40 91 a1 61 01', { maxBytes: 1, maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['count-comes-first', 'd4 72 40 92 a1 61', { maxBytes: 1 }, 'unexpected_end@3'],
  ['fault-before', '92 c1 d4 72 40 91 a1 61 01', { maxBytes: 1 }, 'reserved_byte@1 /0'],
];

export default {
  kind: 'canonical',
  room: 'names',
  about: 'what the names of records may take in canonical form',
  cases: CASES.map(([name, bytes, limits, meant]) =>
    canonicalized(`canonical-names-${name}`, '06#names-of-records', bytes, meant, { records: 'inline', limits }),
  ),
};
