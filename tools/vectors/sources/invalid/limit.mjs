// One container too many, one value too many (spec/06), and which limit is met first.

import { invalid } from '../../cases.mjs';

/** @typedef {import('../../cases.mjs').Case} Case */

// biome-ignore format: a table
/** What opens one container around the next: bytes, closing bytes, and the token it adds to the path (null: a key). */
const AROUND = [
  { name: 'arrays', open: '91', close: '', token: '/0' },
  { name: 'arrays-16', open: 'dc 00 01', close: '', token: '/0' },
  { name: 'arrays-32', open: 'dd 00 00 00 01', close: '', token: '/0' },
  { name: 'maps', open: '81 a1 61', close: '', token: '/a' },
  { name: 'maps-16', open: 'de 00 01 a1 61', close: '', token: '/a' },
  { name: 'maps-32', open: 'df 00 00 00 01 a1 61', close: '', token: '/a' },
  { name: 'int-key-maps', open: '81 07', close: '', token: '/7' },
  { name: 'keys', open: '81', close: 'c0', token: null },
  { name: 'arrays-before-elements', open: '92', close: 'c0', token: '/0' },
  { name: 'arrays-after-elements', open: '92 c0', close: '', token: '/1' },
  { name: 'maps-and-arrays', open: '81 a1 61 91', close: '', token: '/a/0', levels: 2 },
];

const INNERMOST = ['90', '80', '91 c0', '81 01 02', 'dc 00 00', 'df 00 00 00 00'];

/** @param {string} open @param {number} times */
const repeat = (open, times) => (open.includes(' ') ? `(${open})*${times}` : `${open}*${times}`);

/** @param {typeof AROUND[number]} around @param {number} depth @param {string} inner @returns {Case} */
function tooDeep({ name, open, close, token, levels = 1 }, depth, inner) {
  const times = depth / levels;
  const bytes = [repeat(open, times), inner, ...(close === '' ? [] : [repeat(close, times)])].join(' ');
  const offset = open.split(' ').length * times;
  const path = token === null ? '' : ` ${token.repeat(times)}`;
  const limits = depth === 512 ? {} : { limits: { maxDepth: depth } };
  const label = `limit-depth-${depth + 1}-${name}-around-${inner.replaceAll(' ', '')}`;
  return invalid(label, '06#depth', bytes, `limit_exceeded@${offset}${path}`, limits);
}

// biome-ignore format: a table
/** @type {[string, string, {maxDepth?: number, maxValues?: number}, string][]} */
const LIMITS = [
  ['depth-1-nested-array', '91 90', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-1-nested-map', '81 a1 61 80', { maxDepth: 1 }, 'limit_exceeded@3 /a'],
  ['depth-1-array-key', '81 90 c0', { maxDepth: 1 }, 'limit_exceeded@1'],
  ['depth-2-second-branch', '92 90 91 90', { maxDepth: 2 }, 'limit_exceeded@3 /1/0'],
  ['depth-2-after-closing', '93 91 01 91 02 91 91 03', { maxDepth: 2 }, 'limit_exceeded@6 /2/0'],
  ['depth-before-count', '91 91 ff', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-before-impossible-count', '91 dc ff ff', { maxDepth: 1 }, 'limit_exceeded@1 /0'],
  ['depth-after-missing-count-bytes', '91 dc ff', { maxDepth: 1 }, 'unexpected_end@1 /0'],
  ['depth-before-max-values', '91 91 c0', { maxDepth: 1, maxValues: 2 }, 'limit_exceeded@1 /0'],
  ['count-before-max-values', '9f c0', { maxValues: 2 }, 'unexpected_end@0'],
  ['max-values-1-array', '91 c0', { maxValues: 1 }, 'limit_exceeded@0'],
  ['max-values-1-map', '81 a0 c0', { maxValues: 1 }, 'limit_exceeded@0'],
  ['max-values-2-map', '81 a0 c0', { maxValues: 2 }, 'limit_exceeded@0'],
  ['max-values-9-array-of-9', '99 c0*9', { maxValues: 9 }, 'limit_exceeded@0'],
  ['max-values-4-map-of-2', '82 a0 c0 a1 61 c0', { maxValues: 4 }, 'limit_exceeded@0'],
  ['max-values-inner-array', '92 01 92 02 03', { maxValues: 4 }, 'limit_exceeded@2 /1'],
  ['max-values-inner-map', '91 81 a1 61 01', { maxValues: 3 }, 'limit_exceeded@1 /0'],
  ['max-values-last-of-three', '93 93 c0 c0 c0 93 c0 c0 c0 93 c0 c0 c0', { maxValues: 12 }, 'limit_exceeded@9 /2'],
  ['max-values-in-key', '81 91 01 02', { maxValues: 3 }, 'limit_exceeded@1'],
  ['max-values-array-16', 'dc 00 02 c0 c0', { maxValues: 2 }, 'limit_exceeded@0'],
  ['max-values-array-32', 'dd 00 00 00 02 c0 c0', { maxValues: 2 }, 'limit_exceeded@0'],
  ['max-values-map-16', 'de 00 01 a0 c0', { maxValues: 2 }, 'limit_exceeded@0'],
  ['max-values-map-32', 'df 00 00 00 01 a0 c0', { maxValues: 2 }, 'limit_exceeded@0'],
  ['max-values-array-of-65536', 'dd 00 01 00 00 c0*65536', { maxValues: 65_536 }, 'limit_exceeded@0'],
  ['max-values-empty-inner-is-free', '93 90 80 91 01', { maxValues: 4 }, 'limit_exceeded@3 /2'],
  ['max-values-before-trailing', '91 c0 c0', { maxValues: 1 }, 'limit_exceeded@0'],
  ['max-values-before-fault-in-element', '92 c1 c0', { maxValues: 2 }, 'limit_exceeded@0'],
  ['fault-in-element-before-max-values', '92 c1 92 c0 c0', { maxValues: 3 }, 'reserved_byte@1 /0'],
];

export default {
  kind: 'invalid',
  room: 'limit',
  about: 'one container or one value too many, with the default limits and with others',
  cases: [
    ...AROUND.flatMap((around) => INNERMOST.map((inner) => tooDeep(around, 512, inner))),
    ...AROUND.flatMap((around) => [2, 4, 10].map((depth) => tooDeep(around, depth, '90'))),
    ...LIMITS.map(([name, bytes, limits, meant]) => invalid(`limit-${name}`, '06#limits', bytes, meant, { limits })),
    invalid('limit-depth-10000-arrays', '06#depth', '91*10000 c0', `limit_exceeded@512 ${'/0'.repeat(512)}`),
    invalid('limit-depth-100000-arrays', '06#depth', '91*100000 c0', `limit_exceeded@512 ${'/0'.repeat(512)}`),
    invalid('limit-depth-100000-arrays-of-15', '06#depth', '(91 90)*50000', 'trailing_data@2'),
    invalid('limit-depth-10000-maps', '06#depth', '(81 a1 61)*10000 c0', `limit_exceeded@1536 ${'/a'.repeat(512)}`),
    invalid('limit-depth-10000-keys', '06#depth', '81*10000 c0*10001', 'limit_exceeded@512'),
  ],
};
