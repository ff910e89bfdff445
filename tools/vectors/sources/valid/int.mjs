// Integers at and around every boundary of every width (spec/02#int), each with every longer form.

import { valid } from '../../cases.mjs';
import { int } from '../../values.mjs';

const WIDTHS = [5n, 6n, 7n, 8n, 15n, 16n, 24n, 31n, 32n, 33n, 40n, 48n, 52n, 53n, 54n, 62n, 63n, 64n];
const AROUND = [-2n, -1n, 0n, 1n, 2n];
const LEAST = -(1n << 63n);
const MOST = (1n << 64n) - 1n;

const boundaries = WIDTHS.flatMap((bits) =>
  AROUND.flatMap((distance) => [(1n << bits) + distance, -(1n << bits) + distance]),
);
const powersOfTen = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power)).flatMap((power) => [power, -power]);
const small = Array.from({ length: 20 }, (_, number) => BigInt(number) - 4n);
const everyFixint = Array.from({ length: 160 }, (_, number) => BigInt(number) - 32n);
const chosen = [
  300n,
  1_000n,
  1_234_567_890n,
  9_007_199_254_740_993n,
  0x0102030405060708n,
  0x80808080n,
  0x7f7f7f7f7f7f7f7fn,
];

const numbers = [...new Set([...everyFixint, ...small, ...boundaries, ...powersOfTen, ...chosen])]
  .filter((number) => number >= LEAST && number <= MOST)
  .sort((a, b) => (a < b ? -1 : 1));

/** @param {bigint} number */
const nameOf = (number) => `int-${number < 0n ? `minus-${-number}` : number}`;

export default {
  kind: 'valid',
  room: 'int',
  about: 'integers at and around every boundary of every width, in every accepted form',
  cases: numbers.map((number) => valid(nameOf(number), '02#int', int(number))),
};
