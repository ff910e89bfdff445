// The slow twin of the encoder: a tagged value to its shortest bytes (spec/02), entries in their order or sorted as
// canonical form C1 wants them (spec/08). It shares no code with src/.

import { bytesOf, hexOf, type Tagged } from './_values.ts';

/** How a family writes its length: an inclusive upper bound, and the head that goes up to it. */
interface Form {
  readonly most: number;
  readonly head: number;
  readonly width: 0 | 1 | 2 | 4;
}

const STR: readonly Form[] = [
  { most: 31, head: 0xa0, width: 0 },
  { most: 0xff, head: 0xd9, width: 1 },
  { most: 0xffff, head: 0xda, width: 2 },
  { most: 0xffffffff, head: 0xdb, width: 4 },
];
const BIN: readonly Form[] = [
  { most: 0xff, head: 0xc4, width: 1 },
  { most: 0xffff, head: 0xc5, width: 2 },
  { most: 0xffffffff, head: 0xc6, width: 4 },
];
const EXT: readonly Form[] = [
  { most: 0xff, head: 0xc7, width: 1 },
  { most: 0xffff, head: 0xc8, width: 2 },
  { most: 0xffffffff, head: 0xc9, width: 4 },
];
const ARRAY: readonly Form[] = [
  { most: 15, head: 0x90, width: 0 },
  { most: 0xffff, head: 0xdc, width: 2 },
  { most: 0xffffffff, head: 0xdd, width: 4 },
];
const MAP: readonly Form[] = [
  { most: 15, head: 0x80, width: 0 },
  { most: 0xffff, head: 0xde, width: 2 },
  { most: 0xffffffff, head: 0xdf, width: 4 },
];
const FIXEXT: ReadonlyMap<number, string> = new Map([
  [1, 'd4'],
  [2, 'd5'],
  [4, 'd6'],
  [8, 'd7'],
  [16, 'd8'],
]);

/** A number as hex of `width` bytes, two's complement when negative. */
function hex(value: bigint | number, width: number): string {
  return width === 0
    ? ''
    : BigInt.asUintN(width * 8, BigInt(value))
        .toString(16)
        .padStart(width * 2, '0');
}

function head(forms: readonly Form[], length: number): string {
  const form = forms.find(({ most }) => length <= most);
  if (form === undefined) throw new Error(`no form holds ${length}`);
  return form.width === 0 ? hex(form.head + length, 1) : hex(form.head, 1) + hex(length, form.width);
}

function int(value: bigint): string {
  if (value >= -32n && value <= 127n) return hex(value, 1);
  if (value > 0n) {
    if (value <= 0xffn) return `cc${hex(value, 1)}`;
    if (value <= 0xffffn) return `cd${hex(value, 2)}`;
    return value <= 0xffffffffn ? `ce${hex(value, 4)}` : `cf${hex(value, 8)}`;
  }
  if (value >= -0x80n) return `d0${hex(value, 1)}`;
  if (value >= -0x8000n) return `d1${hex(value, 2)}`;
  return value >= -0x80000000n ? `d2${hex(value, 4)}` : `d3${hex(value, 8)}`;
}

function ext(type: number, data: string): string {
  const length = data.length / 2;
  return (FIXEXT.get(length) ?? head(EXT, length)) + hex(type, 1) + data;
}

function timestamp(seconds: bigint, nanoseconds: number): string {
  if (nanoseconds === 0 && seconds >= 0n && seconds < 1n << 32n) return ext(-1, hex(seconds, 4));
  if (seconds >= 0n && seconds < 1n << 34n) return ext(-1, hex((BigInt(nanoseconds) << 34n) | seconds, 8));
  return ext(-1, hex(nanoseconds, 4) + hex(seconds, 8));
}

function encode(value: Tagged, canonical: boolean): string {
  if ('nil' in value) return 'c0';
  if ('undefined' in value) return 'd40000';
  if ('bool' in value) return value.bool ? 'c3' : 'c2';
  if ('int' in value) return int(BigInt(value.int));
  if ('float' in value) return `cb${value.float}`;
  if ('str' in value) {
    const text = hexOf(new TextEncoder().encode(value.str));
    return head(STR, text.length / 2) + text;
  }
  if ('bin' in value) return head(BIN, value.bin.length / 2) + value.bin;
  if ('array' in value) {
    return head(ARRAY, value.array.length) + value.array.map((item) => encode(item, canonical)).join('');
  }
  if ('timestamp' in value) return timestamp(BigInt(value.timestamp[0]), value.timestamp[1]);
  if ('ext' in value) return ext(value.ext[0], value.ext[1]);
  const entries = value.map.map(([key, item]) => [encode(key, canonical), encode(item, canonical)] as const);
  // Lowercase hex compares as the unsigned bytes it means, a prefix first.
  if (canonical) entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return head(MAP, entries.length) + entries.map((entry) => entry.join('')).join('');
}

/** The shortest bytes of a value, entries in their order. */
export function twinEncode(value: Tagged): Uint8Array {
  return bytesOf(encode(value, false));
}

/** The canonical bytes of a value (spec/08). */
export function twinCanonical(value: Tagged): Uint8Array {
  return bytesOf(encode(value, true));
}
