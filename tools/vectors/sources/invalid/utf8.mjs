// Text that is not UTF-8 (spec/02#str): every sort of fault, at every place of the words that a
// fast check reads at once.

import { bytesOf, invalid } from '../../cases.mjs';
import { encode, join } from '../../reference.mjs';
import { bin } from '../../values.mjs';

/** @typedef {import('../../cases.mjs').Case} Case */

// biome-ignore format: a table
/** @type {[string, string][]} */
const FAULTS = [
  ['continuation-80', '80'],
  ['continuation-bf', 'bf'],
  ['overlong-slash-2', 'c0 af'],
  ['overlong-nul-2', 'c0 80'],
  ['overlong-7f-2', 'c1 bf'],
  ['overlong-slash-3', 'e0 80 af'],
  ['overlong-7ff-3', 'e0 9f bf'],
  ['overlong-slash-4', 'f0 80 80 af'],
  ['overlong-ffff-4', 'f0 8f bf bf'],
  ['five-bytes', 'f8 88 80 80 80'],
  ['six-bytes', 'fc 84 80 80 80 80'],
  ['fe', 'fe'],
  ['ff', 'ff'],
  ['bom-utf16', 'ff fe'],
  ['surrogate-first', 'ed a0 80'],
  ['surrogate-last', 'ed bf bf'],
  ['surrogate-high-last', 'ed af bf'],
  ['surrogate-low-first', 'ed b0 80'],
  ['surrogate-pair', 'ed a0 bd ed b8 80'],
  ['beyond-last', 'f4 90 80 80'],
  ['far-beyond-last', 'f5 80 80 80'],
  ['f7', 'f7 bf bf bf'],
  ['truncated-2', 'c3'],
  ['truncated-3-after-1', 'e2'],
  ['truncated-3-after-2', 'e2 82'],
  ['truncated-4-after-1', 'f0'],
  ['truncated-4-after-2', 'f0 9f'],
  ['truncated-4-after-3', 'f0 9f 98'],
  ['bad-second-of-2', 'c3 28'],
  ['bad-second-of-2-lead', 'c3 c3'],
  ['bad-second-of-3', 'e2 28 a1'],
  ['bad-third-of-3', 'e2 82 28'],
  ['bad-second-of-4', 'f0 28 8c bc'],
  ['bad-third-of-4', 'f0 90 28 bc'],
  ['bad-fourth-of-4', 'f0 9f 98 28'],
  ['latin-1', 'e9 74 e9'],
  ['windows-1252-quote', '93 61 94'],
  ['extra-continuation', 'c3 a9 a9'],
  ['lead-then-text', 'c3 61'],
];

/** A str of these bytes, which need not be text. @param {Uint8Array} bytes */
function strOf(bytes) {
  const [head = 0, ...rest] = encode(bin(Buffer.from(bytes).toString('hex')));
  if (bytes.length <= 31) return join([0xa0 + bytes.length], bytes);
  return join([{ 196: 0xd9, 197: 0xda, 198: 0xdb }[head] ?? 0], rest);
}

/** @param {string} name @param {Uint8Array | string} content @returns {Case} */
const top = (name, content) => invalid(`utf8-${name}`, '02#str', strOf(bytesOf(content)), 'invalid_utf8@0');

/**
 * The fault at the start, in the middle and at the end of text of a length. @param {number} length @returns {Case[]}
 */
function atLength(length) {
  return FAULTS.filter((_, index) => [0, 2, 14, 19, 24, 30].includes(index)).flatMap(([name, fault]) => {
    const bytes = bytesOf(fault);
    const rest = length - bytes.length;
    if (rest < 0) return [];
    const places = [...new Set([0, Math.floor(rest / 2), rest])];
    return places.map((before) =>
      top(
        `${name}-at-${before}-of-${length}`,
        join(bytesOf(`61*${Math.max(1, before)}`).subarray(before ? 0 : 1), bytes, Buffer.alloc(rest - before, 0x61)),
      ),
    );
  });
}

/** One bad byte at every place of text of 40 bytes. @returns {Case[]} */
function everyPlace() {
  return Array.from({ length: 40 }, (_, at) => {
    const bytes = Buffer.alloc(40, 0x61);
    bytes[at] = 0x80;
    return top(`one-byte-at-${at}-of-40`, bytes);
  });
}

/** One bad byte in text of two-byte characters, at every place. @returns {Case[]} */
function everyPlaceAmongPairs() {
  return Array.from({ length: 32 }, (_, at) => {
    const bytes = Buffer.from('\u00e9'.repeat(16));
    bytes[at] = 0xff;
    return top(`ff-at-${at}-of-pairs`, bytes);
  });
}

/** @param {string} name @param {string} bytes @param {string} meant */
const placed = (name, bytes, meant) => invalid(`utf8-${name}`, '02#str', bytes, meant);

const FORMS = ['d9 01 80', 'da 00 01 80', 'db 00 00 00 01 80'];

export default {
  kind: 'invalid',
  room: 'utf8',
  about: 'text that is not UTF-8, of every sort, at every place and length',
  cases: [
    ...FAULTS.flatMap(([name, fault]) => [
      top(`${name}-alone`, fault),
      top(`${name}-first`, `${fault} 61 62`),
      top(`${name}-last`, `61 62 ${fault}`),
      top(`${name}-between`, `c3 a9 ${fault} e2 82 ac`),
      top(`${name}-in-long-text`, `61*100 ${fault} 61*100`),
      invalid(`utf8-${name}-in-key`, '07#path', join([0x81], strOf(bytesOf(fault)), [0xc0]), 'invalid_utf8@1'),
      invalid(`utf8-${name}-in-value`, '07#path', join([0x81, 0xa1, 0x61], strOf(bytesOf(fault))), 'invalid_utf8@3 /a'),
    ]),
    ...Array.from({ length: 40 }, (_, index) => atLength(index + 1)).flat(),
    ...everyPlace(),
    ...everyPlaceAmongPairs(),
    ...[300, 4_096, 70_000].flatMap((length) => [
      top(`first-of-${length}`, join([0x80], Buffer.alloc(length - 1, 0x61))),
      top(
        `middle-of-${length}`,
        join(Buffer.alloc(length / 2, 0x61), [0xc0, 0xaf], Buffer.alloc(length / 2 - 2, 0x61)),
      ),
      top(`last-of-${length}`, join(Buffer.alloc(length - 1, 0x61), [0xff])),
      top(`truncated-at-end-of-${length}`, join(Buffer.alloc(length - 2, 0x61), [0xe2, 0x82])),
      invalid(
        `utf8-key-of-${length}`,
        '07#path',
        join([0x81], strOf(join(Buffer.alloc(length - 1, 0x61), [0xff])), [0xc0]),
        'invalid_utf8@1',
      ),
    ]),
    ...FORMS.map((bytes, index) => placed(`form-${index + 1}`, bytes, 'invalid_utf8@0')),
    ...FORMS.map((bytes, index) => placed(`form-${index + 1}-in-array`, `92 01 ${bytes}`, 'invalid_utf8@2 /1')),
    placed('in-second-key', '82 a1 61 01 a1 80 02', 'invalid_utf8@4'),
    placed('in-key-of-inner-map', '81 a1 61 81 a1 80 02', 'invalid_utf8@4 /a'),
    placed('in-array-key', '81 91 a1 80 c0', 'invalid_utf8@2'),
    placed('in-map-key', '81 81 a1 61 a1 80 c0', 'invalid_utf8@4'),
    placed('before-trailing', 'a1 80 00', 'invalid_utf8@0'),
    placed('before-reserved', '92 a1 80 c1', 'invalid_utf8@1 /0'),
    placed('after-reserved', '92 c1 a1 80', 'reserved_byte@1 /0'),
    placed('same-bad-key-twice', '82 a1 80 01 a1 80 02', 'invalid_utf8@1'),
    placed('split-between-two-strs', '92 a1 c3 a1 a9', 'invalid_utf8@1 /0'),
    placed('length-cuts-a-character', '92 a2 61 c3 a9', 'invalid_utf8@1 /0'),
  ],
};
