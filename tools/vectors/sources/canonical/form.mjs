// Bytes, their canonical form, and where they depart from it (spec/08).

import { bytesOf, canonicalized } from '../../cases.mjs';
import { randomDocument, shuffled } from '../../documents.mjs';
import { randomFrom } from '../../random.mjs';
import { encode, forms } from '../../reference.mjs';
import { array, bin, bool, ext, fields, float, int, map, nil, str, timestamp, undef } from '../../values.mjs';

/** @typedef {import('../../values.mjs').Value} Value */

// biome-ignore format: a table
/** Written by hand: name, bytes, departure. @type {[string, string, number | null][]} */
const BY_HAND = [
  ['spec-example', '84 a1 62 01 a1 61 02 a2 61 61 03 07 04', 1],
  ['spec-example-sorted', '84 07 04 a1 61 02 a1 62 01 a2 61 61 03', null],
  ['spec-float-32', 'ca 3f c0 00 00', 0],
  ['empty-map', '80', null],
  ['empty-map-16', 'de 00 00', 0],
  ['empty-array-32', 'dd 00 00 00 00', 0],
  ['two-keys-swapped', '82 a1 62 01 a1 61 02', 2],
  ['last-keys-swapped', '83 a1 61 01 a1 63 02 a1 62 03', 5],
  ['same-length-keys', '82 a2 61 62 01 a2 61 61 02', 3],
  ['prefix-key-last', '82 a2 61 61 01 a1 61 02', 1],
  ['int-after-str', '82 a1 61 01 05 02', 1],
  ['negative-before-positive', '82 ff 01 01 02', 1],
  ['negative-after-str', '82 a1 61 01 ff 02', null],
  ['negative-ints-ascending', '82 fe 01 ff 02', null],
  ['negative-ints-descending', '82 ff 01 fe 02', 1],
  ['int-127-and-128', '82 7f 01 cc 80 02', null],
  ['int-256-and-128', '82 cd 01 00 01 cc 80 02', 1],
  ['str-32-before-bin', '82 d9 20 61*32 01 c4 00 02', 1],
  ['bin-before-long-str', '82 c4 00 02 d9 20 61*32 01', null],
  ['nil-before-bool', '82 c0 01 c2 02', null],
  ['map-key-before-array-key', '82 80 01 90 02', null],
  ['array-key-before-map-key', '82 90 01 80 02', 1],
  ['map-key-unsorted-inside', '81 82 a1 62 01 a1 61 02 c0', 3],
  ['array-key-with-longer-head', '81 dc 00 01 01 c0', 1],
  ['value-unsorted-inside', '81 a1 61 82 a1 62 01 a1 61 02', 5],
  ['longer-int-in-array', '93 01 cc 02 03', 2],
  ['longer-int-as-key', '81 cc 01 c0', 1],
  ['longer-key-changes-order', '82 cd 00 01 01 02 02', 1],
  ['int-written-signed', 'd1 00 80', 0],
  ['int-64-of-300', 'd3 00 00 00 00 00 00 01 2c', 0],
  ['uint-64-max', 'cf ff*8', null],
  ['float-integral', 'cb 3f f0 00 00 00 00 00 00', null],
  ['float-minus-zero', 'cb 80 00 00 00 00 00 00 00', null],
  ['float-32-minus-zero', 'ca 80 00 00 00', 0],
  ['float-32-nan', 'ca 7f c0 00 00', 0],
  ['float-32-infinity', 'ca 7f 80 00 00', 0],
  ['float-nan', 'cb 7f f8 00 00 00 00 00 00', null],
  ['float-nan-payload', 'cb 7f f8 00 00 00 00 00 01', 8],
  ['float-nan-negative', 'cb ff f8 00 00 00 00 00 00', 1],
  ['float-nan-signalling', 'cb 7f f0 00 00 00 00 00 01', 2],
  ['float-nan-as-key', '81 cb 7f f8 00 00 00 00 12 34 c0', 8],
  ['float-32-as-key', '81 ca 3f c0 00 00 c0', 1],
  ['timestamp-32', 'd6 ff 00 00 00 01', null],
  ['timestamp-32-behind-ext-8', 'c7 04 ff 00 00 00 01', 0],
  ['timestamp-64-without-nanoseconds', 'd7 ff 00 00 00 00 00 00 00 01', 0],
  ['timestamp-64-beyond-32-bits', 'd7 ff 00 00 00 01 00 00 00 00', null],
  ['timestamp-64-with-nanoseconds', 'd7 ff 00 00 00 04 00 00 00 00', null],
  ['timestamp-96-that-fits-32', 'c7 0c ff 00 00 00 00 00 00 00 00 00 00 00 01', 0],
  ['timestamp-96-that-fits-64', 'c7 0c ff 00 00 00 01 00 00 00 00 00 00 00 01', 0],
  ['timestamp-96-negative', 'c7 0c ff 3b 9a c9 ff ff ff ff ff ff ff ff ff', null],
  ['timestamp-96-behind-ext-16', 'c8 00 0c ff 3b 9a c9 ff ff ff ff ff ff ff ff ff', 0],
  ['undefined', 'd4 00 00', null],
  ['undefined-behind-ext-8', 'c7 01 00 00', 0],
  ['ext-empty', 'c7 00 05', null],
  ['ext-1-behind-ext-8', 'c7 01 05 00', 0],
  ['ext-3-behind-ext-16', 'c8 00 03 05 00 00 00', 0],
  ['departs-in-the-last-byte', '92 01 cb 7f f8 00 00 00 00 00 01', 10],
  ['departs-deep', '91 91 91 91 cc 00', 4],
  ['departs-in-the-length', 'd9 1f 61*31', 0],
  ['decomposed-text-stays', 'a3 65 cc 81', null],
  ['bin-stays-bin', 'c4 01 61', null],
];

// biome-ignore format: a table
/** Values, each written canonically and with every longer head. @type {[string, Value][]} */
const VALUES = [
  ['zero', int(0)],
  ['127', int(127)],
  ['128', int(128)],
  ['65536', int(65_536)],
  ['2-to-32', int(1n << 32n)],
  ['minus-1', int(-1)],
  ['minus-33', int(-33)],
  ['minus-129', int(-129)],
  ['half', float(0.5)],
  ['largest-binary32', float(3.4028234663852886e38)],
  ['empty-str', str('')],
  ['str', str('caf\u00e9')],
  ['str-32', str('a', 32)],
  ['str-256', str('a', 256)],
  ['bin', bin('00ff')],
  ['empty-array', array([])],
  ['array', array([int(1), nil, bool(true)])],
  ['array-16', array([nil], 16)],
  ['map', fields([['a', int(1)]])],
  ['ext', ext(5, '0102')],
  ['ext-17', ext(5, '00'.repeat(17))],
  ['timestamp', timestamp(1)],
  ['timestamp-nanoseconds', timestamp(1, 1)],
];

// biome-ignore format: a table
/** Keys of every kind, given in the reverse of the canonical order. */
const EVERY_KEY = [
  ext(5, '00'), timestamp(-1, 1), int(-1), int(-32), array([int(1)]), str('a', 256), str('a', 32), undef, int(-129), int(-33), int(1n << 32n),
  int(70_000), int(300), int(200), float(-0), float(1), bin('00'), bool(true), bool(false), nil, str('aa'), str('b'), str('a'), str(''),
  array([]), fields([['a', nil]]), map([]), int(127), int(1), int(0),
];

/** @param {number} seed */
function document(seed) {
  const random = randomFrom(seed * 31 + 7);
  const value = shuffled(randomDocument(random, seed % 2 === 0), random);
  // Some differ in their order only, some in their heads as well.
  const bytes = encode(value, seed % 3 === 0 ? () => 0 : (count) => random(count), false);
  return canonicalized(`canonical-seed-${seed}`, '08#canonicalize', bytes);
}

/** @param {number} rotation */
function everyKey(rotation) {
  const keys = [...EVERY_KEY.slice(rotation), ...EVERY_KEY.slice(0, rotation)];
  const value = map(keys.map((key, index) => [key, int(index)]));
  return canonicalized(
    `canonical-keys-of-every-kind-rotated-${rotation}`,
    '08#canonical-form-c1',
    encode(value, () => 0, false),
  );
}

export default {
  kind: 'canonical',
  room: 'form',
  about: 'bytes, their canonical form, and where they depart from it',
  cases: [
    ...BY_HAND.map(([name, bytes, departure]) =>
      canonicalized(`canonical-${name}`, '08#is-canonical', bytesOf(bytes), departure),
    ),
    ...VALUES.flatMap(([name, value]) =>
      forms(value).map((bytes, form) =>
        canonicalized(
          `canonical-form-${form + 1}-of-${name}`,
          '08#canonical-form-c1',
          bytes,
          form === 0 ? null : undefined,
        ),
      ),
    ),
    ...[0, 1, 7, 15, 22, 29].map(everyKey),
    ...Array.from({ length: 60 }, (_, index) => document(index + 1)),
  ],
};
