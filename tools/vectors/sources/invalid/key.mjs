// Every head as a map key, complete and cut at each byte, with records off and inline: what a target can't hold is
// judged at the head, before anything behind it (spec/07#which-fault-wins, step 3).

import { bytesOf, invalidByLanguage } from '../../cases.mjs';
import { writeBytes } from '../../notation.mjs';

/** @typedef {import('../../cases.mjs').Case} Case */
/** @typedef {'off' | 'inline'} Records */

// biome-ignore format: a table
/** @type {[string, string][]} */
const KEYS = [
  ['fixint', '05'],
  ['fixint-40', '40'],
  ['fixint-60', '60'],
  ['negative-fixint', 'e0'],
  ['uint-8', 'cc 80'],
  ['uint-16', 'cd 01 00'],
  ['uint-32', 'ce 00 01 00 00'],
  ['uint-64', 'cf 00 00 00 01 00 00 00 00'],
  ['int-8', 'd0 80'],
  ['int-16', 'd1 80 00'],
  ['int-32', 'd2 80 00 00 00'],
  ['int-64', 'd3 80 00 00 00 00 00 00 00'],
  ['nil', 'c0'],
  ['reserved', 'c1'],
  ['false', 'c2'],
  ['true', 'c3'],
  ['float-32', 'ca 3f c0 00 00'],
  ['float-64', 'cb 3f f8 00 00 00 00 00 00'],
  ['fixstr-empty', 'a0'],
  ['fixstr', 'a2 c3 a9'],
  ['fixstr-not-utf8', 'a2 61 ff'],
  ['str-8', 'd9 01 61'],
  ['str-16', 'da 00 01 61'],
  ['str-32', 'db 00 00 00 01 61'],
  ['bin-8', 'c4 01 ff'],
  ['bin-16', 'c5 00 01 61'],
  ['bin-32', 'c6 00 00 00 01 61'],
  ['fixarray-empty', '90'],
  ['fixarray', '91 c0'],
  ['array-16', 'dc 00 01 c0'],
  ['array-32', 'dd 00 00 00 01 c0'],
  ['fixmap-empty', '80'],
  ['fixmap', '81 01 c0'],
  ['map-16', 'de 00 01 01 c0'],
  ['map-32', 'df 00 00 00 01 01 c0'],
  ['fixext-1', 'd4 05 00'],
  ['fixext-1-undefined', 'd4 00 00'],
  ['fixext-1-type-0', 'd4 00 01'],
  ['fixext-1-timestamp', 'd4 ff 00'],
  ['fixext-2', 'd5 05 00 00'],
  ['fixext-4', 'd6 05 00 00 00 00'],
  ['fixext-4-timestamp', 'd6 ff 00 00 00 01'],
  ['fixext-8', 'd7 05 00 00 00 00 00 00 00 00'],
  ['fixext-8-timestamp', 'd7 ff 00 00 00 04 00 00 00 01'],
  ['fixext-8-bad-timestamp', 'd7 ff ff ff ff ff 00 00 00 00'],
  ['fixext-16', 'd8 05 00*16'],
  ['ext-8-empty', 'c7 00 05'],
  ['ext-8-undefined', 'c7 01 00 00'],
  ['ext-8-timestamp', 'c7 0c ff 00 00 00 00 00 00 00 00 00 00 00 01'],
  ['ext-16', 'c8 00 03 05 01 02 03'],
  ['ext-32', 'c9 00 00 00 03 05 01 02 03'],
  ['ext-8-type-72-of-3', 'c7 03 72 40 90 00'],
  ['declaration', 'd4 72 40 91 a1 61 01'],
  ['declaration-without-names', 'd4 72 40 90'],
  ['declaration-of-pair', 'd5 72 60 00 91 a1 61 01'],
  ['declaration-of-bad-id', 'd4 72 3f 90'],
  ['declaration-behind-ext-8', 'c7 01 72 40 90'],
  ['declaration-behind-ext-16', 'c8 00 02 72 60 00 90'],
  ['declaration-behind-ext-32', 'c9 00 00 00 01 72 40 90'],
];

/** Before the map: what declares 40 and the pair 60 00. */
const DECLARED = '93 d4 72 40 91 a1 61 01 d5 72 60 00 91 a1 62 02';

// biome-ignore format: a table
/** Instances as keys of the last element's map. @type {[string, string][]} */
const INSTANCES = [
  ['instance', '40 01'],
  ['instance-of-pair', '60 00 01'],
  ['pair-not-declared', '60 01 01'],
  ['lo-not-declared', '61 00'],
  ['id-not-declared', '41'],
];

/** @param {string} name @param {string} before the map @param {string} key @param {string} value @param {Records} records @returns {Case[]} */
function everyCut(name, before, key, value, records) {
  const start = bytesOf(before).length;
  const whole = bytesOf(`${before} 81 ${key} ${value}`);
  const options = records === 'off' ? {} : { records };
  const suffix = records === 'off' ? '' : '-inline';
  return Array.from({ length: whole.length - start - 1 }, (_, index) => start + index + 2).flatMap((end) =>
    invalidByLanguage(
      `key-${name}${end < whole.length ? `-at-${end - start}` : ''}${suffix}`,
      '07#which-fault-wins',
      whole.subarray(0, end),
      options,
    ),
  );
}

/** The same bytes come from several keys that are cut. @param {Case[]} cases */
function unique(cases) {
  const seen = new Set();
  return cases.filter(({ bytes = '', records, languages, modes }) => {
    const key = JSON.stringify([writeBytes(bytesOf(bytes)), records, languages, modes]);
    return !seen.has(key) && seen.add(key);
  });
}

export default {
  kind: 'invalid',
  room: 'key',
  about: 'every head as a map key, complete and cut at each byte, with records off and inline',
  cases: unique([
    ...KEYS.flatMap(([name, key]) => everyCut(name, '', key, 'c0', 'off')),
    ...KEYS.flatMap(([name, key]) => everyCut(name, '', key, 'c0', 'inline')),
    ...INSTANCES.flatMap(([name, key]) => everyCut(name, DECLARED, key, 'c0', 'inline')),
  ]),
};
