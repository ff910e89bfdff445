// Whole documents: some as people send them, and many from seeds, each also with other heads in another order.

import { valid } from '../../cases.mjs';
import { randomDocument, shuffled } from '../../documents.mjs';
import { randomFrom } from '../../random.mjs';
import { encode, sorted } from '../../reference.mjs';
import { array, bin, bool, ext, fields, float, int, map, nil, str, timestamp } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

const SEEDS = 150;

/** @param {number} id @param {string} name @param {Value} email */
const user = (id, name, email) =>
  fields([
    ['id', int(id)],
    ['name', str(name)],
    ['email', email],
    ['active', bool(id % 2 === 0)],
    ['score', float(id / 4)],
  ]);

// biome-ignore format: a table
/** @type {[string, Value][]} */
const DOCUMENTS = [
  ['user', user(1, 'Zo\u00eb', str('zoe@example.org'))],
  ['users', fields([['users', array([user(1, 'Ada', nil), user(2, 'Grace', str('g@example.org')), user(300, 'Edsger', nil)])], ['next', nil]])],
  ['request', fields([['id', int(4_294_967_296)], ['method', str('get')], ['params', array([str('a/b'), map([])])]])],
  ['response', fields([['id', int(4_294_967_296)], ['error', nil], ['result', fields([['bytes', bin('00ff')]])]])],
  ['rpc', array([int(0), int(1), str('sum'), array([int(1), int(2)])])],
  ['point', fields([['type', str('Point')], ['coordinates', array([float(8.5417), float(47.3769)])]])],
  ['log-line', array([str('app.access'), timestamp(1_700_000_000, 123_456_789), fields([['status', int(200)], ['path', str('/')]])])],
  ['sensor', map([[int(1), float(21.5)], [int(2), float(-0)], [int(-1), str('ok')]])],
  ['money', fields([['amount', ext(1, '0c')], ['currency', str('EUR')], ['at', timestamp(1_709_164_800)]])],
  ['tree', fields([['left', fields([['left', nil], ['right', nil]])], ['right', fields([['left', nil], ['right', fields([])]])]])],
  ['translations', fields([['de', str('Gr\u00fc\u00dfe')], ['ja', str('\u3053\u3093\u306b\u3061\u306f')], ['ar', str('\u0645\u0631\u062d\u0628\u0627')], ['emoji', str('\u{1f44b}')]])],
  ['settings', fields([['theme', str('dark')], ['ratio', float(1)], ['zoom', int(1)], ['seen', array([])], ['flags', map([])]])],
  ['sparse', map([[int(0), nil], [int(1_000_000), str('far')], [str('length'), int(2)]])],
  ['table', array(Array.from({ length: 20 }, (_, row) => array([int(row), float(row / 8), str(`row ${row}`), bool(row % 3 === 0)])))],
  ['rows', array(Array.from({ length: 20 }, (_, row) => fields([['id', int(row + 60)], ['value', float(row * 1.5)], ['label', str(`r${row}`)]])))],
  ['big-integers', array([int(2n ** 53n - 1n), int(2n ** 53n), int(2n ** 63n - 1n), int(2n ** 63n), int(2n ** 64n - 1n), int(-(2n ** 63n))])],
];

/**
 * A case with its entries shuffled and its heads chosen at random as another form.
 *
 * @param {string} name
 * @param {Value} value
 * @param {number} seed
 */
function document(name, value, seed) {
  const random = randomFrom(seed);
  const other = encode(shuffled(value, random), (count) => random(count), false);
  return valid(name, '02#wire', sorted(value), { also: [other] });
}

export default {
  kind: 'valid',
  room: 'document',
  about: 'whole documents: some as people send them, and many from seeds',
  cases: [
    ...DOCUMENTS.map(([name, value], index) => document(`document-${name}`, value, index + 1)),
    ...Array.from({ length: SEEDS }, (_, seed) =>
      document(`document-seed-${seed + 1}`, randomDocument(randomFrom(seed * 7_919 + 13), seed % 2 === 0), seed + 101),
    ),
  ],
};
