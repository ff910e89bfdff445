// Streams that end well: one message after the other (spec/06#streams).

import { streamed } from '../../cases.mjs';
import { randomDocument } from '../../documents.mjs';
import { randomFrom } from '../../random.mjs';
import { encode, join } from '../../reference.mjs';

// biome-ignore format: a table
/** @type {[string, string, number][]} */
const STREAMS = [
  ['empty', '', 0],
  ['one-int', '01', 1],
  ['one-nil', 'c0', 1],
  ['one-array', '92 01 02', 1],
  ['three-ints', '01 02 03', 3],
  ['every-int-width', 'cc 80 cd 01 00 ce 00 01 00 00 cf 00 00 00 01 00 00 00 00 d0 80 d1 80 00 d2 80 00 00 00 d3 80 00 00 00 00 00 00 00', 8],
  ['floats', 'ca 3f c0 00 00 cb 3f f8 00 00 00 00 00 00', 2],
  ['strs', 'a0 a3 61 62 63 d9 03 61 62 63 da 00 03 61 62 63 db 00 00 00 03 61 62 63', 5],
  ['str-with-long-characters', 'aa f0 9f 98 80 e2 82 ac c3 a9 61 a2 c3 a9', 2],
  ['bins', 'c4 00 c4 02 00 ff c5 00 01 aa c6 00 00 00 01 bb', 4],
  ['empty-containers', '90 80 dc 00 00 dd 00 00 00 00 de 00 00 df 00 00 00 00', 6],
  ['maps', '81 a1 61 01 81 a1 62 02', 2],
  ['nested', '91 91 91 90 81 a1 61 81 a1 62 80', 2],
  ['int-keys', '82 01 02 ff 03', 1],
  ['key-of-every-width', '81 cd 01 00 c0 81 d9 01 61 c0 81 c4 01 61 c0', 3],
  ['array-key', '81 91 01 c0', 1],
  ['exts', 'd4 05 00 d5 05 00 00 d6 05 00*4 d7 05 00*8 d8 05 00*16 c7 00 05 c8 00 01 05 00 c9 00 00 00 01 05 00', 8],
  ['timestamps', 'd6 ff 00 00 00 01 d7 ff 00 00 00 04 00 00 00 00 c7 0c ff 3b 9a c9 ff ff ff ff ff ff ff ff ff', 3],
  ['undefined', 'd4 00 00 c7 01 00 00', 2],
  ['scalars-after-containers', '91 01 02 81 a1 61 03 04', 4],
  ['many-nils', 'c0*1000', 1_000],
  ['many-small-maps', '(81 a1 61 01)*200', 200],
  ['large-array', 'dc 10 00 c0*4096 01', 2],
  ['large-str', 'db 00 01 00 00 61*65536 01', 2],
  ['large-bin', 'c6 00 01 11 70 00*70000 01', 2],
  ['two-large-strs', 'da ff ff 61*65535 da ff ff 62*65535', 2],
  ['large-array-of-arrays', 'dc 03 e8 (91 01)*1000 c0', 2],
  ['depth-512', '91*512 c0 c0', 2],
  ['long-key', '81 da 01 2c 61*300 01', 1],
  ['long-heads', 'dd 00 00 00 01 df 00 00 00 01 db 00 00 00 01 61 cf 00 00 00 00 00 00 00 01', 1],
];

/** @param {number} seed */
function documents(seed) {
  const random = randomFrom(seed);
  const count = 2 + random(4);
  const messages = Array.from({ length: count }, () =>
    encode(randomDocument(random, false), (forms) => random(forms), false),
  );
  return streamed(`stream-seed-${seed}`, join(...messages), count, null);
}

export default {
  kind: 'stream',
  room: 'message',
  about: 'one message after the other, and the input ends behind one',
  cases: [
    ...STREAMS.map(([name, bytes, count]) => streamed(`stream-${name}`, bytes, count, null)),
    ...Array.from({ length: 12 }, (_, index) => documents(index + 11)),
    streamed('stream-max-bytes-exact', '94 01 02 03 04 94 01 02 03 04', 2, null, { limits: { maxBytes: 5 } }),
    streamed('stream-max-bytes-is-for-one-message', '01*100', 100, null, { limits: { maxBytes: 1 } }),
    streamed('stream-max-bytes-exact-str', 'a4 61 62 63 64', 1, null, { limits: { maxBytes: 5 } }),
    streamed('stream-max-bytes-exact-nested', '92 91 a1 61 c0', 1, null, { limits: { maxBytes: 5 } }),
    streamed('stream-max-bytes-exact-large', 'db 00 01 00 00 61*65536 01', 2, null, { limits: { maxBytes: 65_541 } }),
    streamed('stream-max-depth-exact', '91 91 90 91 91 90', 2, null, { limits: { maxDepth: 3 } }),
    streamed('stream-max-values-is-for-one-message', '92 01 02 92 01 02', 2, null, { limits: { maxValues: 3 } }),
    streamed('stream-record', 'd4 72 40 91 a1 61 01 d4 72 40 91 a1 62 02', 2, null, { records: 'inline' }),
    streamed('stream-record-instances', '92 d4 72 40 91 a1 61 01 40 02 c0', 2, null, { records: 'inline' }),
    streamed('stream-record-ends-with-its-message', 'd4 72 40 91 a1 61 01 40 02', 3, null, { records: 'inline' }),
    streamed('stream-record-two-byte-id', '92 d5 72 60 07 91 a1 61 01 60 07 02 60', 2, null, { records: 'inline' }),
    streamed('stream-record-nested', 'd4 72 40 91 a1 61 d4 72 41 91 a1 62 92 40 01 41 02 c0', 2, null, {
      records: 'inline',
    }),
    streamed('stream-ids-are-ints-when-off', '40 41 7f 91 40', 4, null),
  ],
};
