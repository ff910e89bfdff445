// Values without an encoding (spec/07#encoding).

import { unencodable } from '../../cases.mjs';
import { array, ext, int, map, nil, str } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */
/** @typedef {import('../../languages.mjs').Language} Language */
/** @typedef {import('../../judge.mjs').Limits} Limits */

/** @param {number} depth */
const nested = (depth) => Array.from({ length: depth }).reduce((/** @type {Value} */ value) => array([value]), nil);

// biome-ignore format: a table
/** @type {[string, string, Value, string, {languages?: Language[], limits?: Limits}?][]} */
const CASES = [
  ['timestamp-of-no-bytes', '04#invalid', ext(-1, ''), 'invalid_timestamp'],
  ['timestamp-of-1-byte', '04#invalid', ext(-1, '00'), 'invalid_timestamp'],
  ['timestamp-of-5-bytes', '04#invalid', ext(-1, '0000000000'), 'invalid_timestamp'],
  ['timestamp-of-16-bytes', '04#invalid', ext(-1, '00'.repeat(16)), 'invalid_timestamp'],
  ['timestamp-64-nanoseconds', '04#invalid', ext(-1, 'ee6b280000000000'), 'invalid_timestamp'],
  ['timestamp-96-nanoseconds', '04#invalid', ext(-1, '3b9aca000000000000000000'), 'invalid_timestamp'],
  ['timestamp-in-array', '04#invalid', array([nil, ext(-1, '00')]), 'invalid_timestamp /1'],
  ['timestamp-in-map', '04#invalid', map([[str('a'), ext(-1, '00')]]), 'invalid_timestamp /a'],
  ['timestamp-as-key', '04#invalid', map([[ext(-1, '00'), nil]]), 'invalid_timestamp'],
  ['record-of-1-byte', '03#reserved-data-of-type-0x72', ext(0x72, '40'), 'invalid_record'],
  ['record-of-2-bytes', '03#reserved-data-of-type-0x72', ext(0x72, '6000'), 'invalid_record'],
  ['record-in-map', '03#reserved-data-of-type-0x72', map([[str('a'), ext(0x72, '00')]]), 'invalid_record /a'],
  ['ext-type-128', '03#building-extensions', ext(128, '00'), 'out_of_range', { languages: ['php', 'javascript'] }],
  ['ext-type-minus-129', '03#building-extensions', ext(-129, '00'), 'out_of_range', { languages: ['php', 'javascript'] }],
  ['int-2-to-64', '02#int', int(1n << 64n), 'out_of_range', { languages: ['javascript'] }],
  ['int-below-minus-2-to-63', '02#int', array([int(-(1n << 63n) - 1n)]), 'out_of_range /0', { languages: ['javascript'] }],
  ['depth-513', '06#depth', nested(513), `limit_exceeded ${'/0'.repeat(512)}`],
  ['depth-2', '06#depth', map([[str('a'), map([])]]), 'limit_exceeded /a', { limits: { maxDepth: 1 } }],
];

export default {
  kind: 'encode',
  room: 'value',
  about: 'values without an encoding',
  cases: CASES.map(([name, spec, value, meant, options]) => unencodable(`encode-${name}`, spec, value, meant, options)),
};
