// Bytes after the one value (spec/02#one-value-no-more).

import { bytesOf, invalid, write } from '../../cases.mjs';
import { join } from '../../reference.mjs';

// biome-ignore format: a table
/** @type {[string, string][]} */
const VALUES = [
  ['int', '00'],
  ['negative-int', 'ff'],
  ['uint-16', 'cd 01 2c'],
  ['int-64', 'd3 80 00 00 00 00 00 00 00'],
  ['nil', 'c0'],
  ['false', 'c2'],
  ['float-32', 'ca 3f c0 00 00'],
  ['float-64', 'cb 3f f8 00 00 00 00 00 00'],
  ['empty-str', 'a0'],
  ['str', 'a3 61 62 63'],
  ['str-8', 'd9 01 61'],
  ['long-str', 'da 01 2c 61*300'],
  ['bin', 'c4 02 00 ff'],
  ['empty-bin', 'c4 00'],
  ['empty-array', '90'],
  ['array', '92 01 02'],
  ['array-16', 'dc 00 01 01'],
  ['array-32', 'dd 00 00 00 00'],
  ['nested-array', '91 91 90'],
  ['empty-map', '80'],
  ['map', '81 a1 61 01'],
  ['map-16', 'de 00 01 07 01'],
  ['ext', 'd4 05 00'],
  ['empty-ext', 'c7 00 05'],
  ['undefined', 'd4 00 00'],
  ['timestamp', 'd6 ff 00 00 00 01'],
];

// biome-ignore format: a table
/** @type {[string, string][]} */
const EXTRA = [
  ['zero', '00'],
  ['nil', 'c0'],
  ['reserved', 'c1'],
  ['newline', '0a'],
  ['another-value', '92 01 02'],
  ['truncated-value', 'cd 01'],
  ['zeros', '00*100'],
];

export default {
  kind: 'invalid',
  room: 'trailing',
  about: 'bytes after the one value',
  cases: VALUES.flatMap(([name, value]) =>
    EXTRA.map(([extraName, extra]) => {
      const offset = bytesOf(value).length;
      const meant = write({ code: 'trailing_data', offset, path: '' });
      const bytes = join(bytesOf(value), bytesOf(extra));
      return invalid(`trailing-${extraName}-after-${name}`, '02#one-value-no-more', bytes, meant);
    }),
  ),
};
