// Arbitrary values and bytes for the property tests: every kind of spec/01, with the edges of its
// ranges over-represented.

import fc from 'fast-check';
import { bitsOf, hexOf, identityOf, type Tagged } from './_values.ts';

const INT_EDGES = [5n, 6n, 7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n, 64n]
  .flatMap((power) => [1n << power, -(1n << power)])
  .flatMap((edge) => [edge - 1n, edge, edge + 1n])
  .filter((value) => value >= -(1n << 63n) && value < 1n << 64n);

const SECONDS_EDGES = [0n, 32n, 34n, 40n, 63n]
  .flatMap((power) => [(1n << power) - 1n, 1n << power, -(1n << power)])
  .filter((value) => value >= -(1n << 63n) && value < 1n << 63n);

const hex = (most: number) => fc.uint8Array({ maxLength: most }).map(hexOf);

const int = fc
  .oneof(
    fc.constantFrom(...INT_EDGES),
    fc.bigInt({ min: -(1n << 63n), max: (1n << 64n) - 1n }),
    fc.integer().map(BigInt),
  )
  .map((value): Tagged => ({ int: value.toString() }));

const float = fc
  .oneof(fc.double(), fc.float(), fc.integer(), fc.constantFrom(-0, 0, 1, 2 ** 53, -(2 ** 53), 2 ** 64, 1e300))
  .map((value): Tagged => ({ float: bitsOf(value) }));

/**
 * A code point that is no surrogate. The unit 'binary' of fast-check makes a table of all of them, which takes seconds.
 */
export const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

/**
 * Text with every length of UTF-8 sequence, names that objects treat specially, and lengths around the heads' limits.
 */
export const text = fc.oneof(
  fc.string({ unit: character, maxLength: 40 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 80 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '17', '01', '-1', '4294967294', '4294967295', 'a/b~c'),
  fc
    .record({ unit: fc.constantFrom('a', 'é', '漢', '😀'), times: fc.constantFrom(7, 8, 31, 32, 63, 64, 255, 256) })
    .map(({ unit, times }) => unit.repeat(times)),
);

const timestamp = fc
  .tuple(
    fc.oneof(fc.constantFrom(...SECONDS_EDGES), fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n })),
    fc.oneof(fc.constantFrom(0, 1, 999_999, 1_000_000, 999_999_999), fc.integer({ min: 0, max: 999_999_999 })),
  )
  .map(([seconds, nanoseconds]): Tagged => ({ timestamp: [seconds.toString(), nanoseconds] }));

/** An ext that means nothing else: not a timestamp, not undefined, not a declaration (spec/03). */
const ext = fc
  .tuple(fc.integer({ min: -128, max: 127 }), hex(40))
  .filter(([type, data]) => type !== -1 && !(type === 0 && data === '00') && !(type === 0x72 && /^..(..)?$/.test(data)))
  .map(([type, data]): Tagged => ({ ext: [type, data] }));

const scalar: fc.Arbitrary<Tagged> = fc.oneof(
  fc.constantFrom<Tagged>({ nil: true }, { undefined: true }, { bool: true }, { bool: false }),
  int,
  float,
  text.map((str): Tagged => ({ str })),
  hex(40).map((bin): Tagged => ({ bin })),
  timestamp,
  ext,
);

function valueWith(otherKeys: number): fc.Arbitrary<Tagged> {
  return fc.letrec<{ value: Tagged }>((tie) => {
    const key = fc.oneof(
      { weight: 4, arbitrary: text.map((str): Tagged => ({ str })) },
      { weight: otherKeys, arbitrary: tie('value') },
    );
    const selector = ([one]: [Tagged, Tagged]) => identityOf(one);
    return {
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        scalar,
        fc.array(tie('value'), { maxLength: 20 }).map((array): Tagged => ({ array })),
        fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 20, selector }).map((map): Tagged => ({ map })),
      ),
    };
  }).value;
}

/** Any value of the data model, its maps without duplicate keys. */
export const value: fc.Arbitrary<Tagged> = valueWith(1);

/**
 * The same with str keys alone. In default mode two other keys may become one: timestamps a
 * nanosecond apart, 1 and 1.0.
 */
export const textKeyed: fc.Arbitrary<Tagged> = valueWith(0);

// Bytes that decide most: heads of every format, short counts, ids of records.
const telling = fc.constantFrom(
  ...[0x00, 0x01, 0x40, 0x41, 0x60, 0x72, 0x7f, 0x80, 0x81, 0x82, 0x90, 0x91, 0x92, 0xa0, 0xa1, 0xa2, 0xbf, 0xc0, 0xc1],
  ...[0xc2, 0xc4, 0xc5, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xcf, 0xd0, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9],
  ...[0xda, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xff, 0x61, 0x62],
);

/** Bytes of a kind that random bytes rarely are: plausible heads, close to valid. */
export const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc
    .array(fc.oneof({ weight: 5, arbitrary: telling }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) }), {
      maxLength: 64,
    })
    .map((all) => Uint8Array.from(all)),
);

/** A few changes to make to bytes: where (taken modulo the length), and what to put there. */
export const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(telling, fc.integer({ min: 0, max: 255 }))), {
  maxLength: 4,
});

/** Bytes with changes made to a copy of them. */
export function changed(original: Uint8Array, list: readonly (readonly [number, number])[]): Uint8Array {
  const copy = original.slice();
  for (const [where, what] of list) if (copy.length > 0) copy[where % copy.length] = what;
  return copy;
}

/** Declarations and instances put together at random, some of them wrong (spec/05). */
export const recordBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.constantFrom(
      ...[
        [0x92],
        [0x93],
        [0x81, 0xa1, 0x6b],
        [0x01],
        [0xc0],
        [0xa1, 0x7a],
        [0xcc, 0x40],
        [0x40],
        [0x41],
        [0x61],
        [0x61, 0x01],
      ],
      ...[
        [0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61],
        [0xd4, 0x72, 0x40, 0x92, 0xa1, 0x61, 0xa1, 0x62],
        [0xd4, 0x72, 0x41, 0x90],
      ],
      ...[
        [0xd4, 0x72, 0x61, 0x91, 0xa1, 0x63],
        [0xd5, 0x72, 0x61, 0x01, 0x91, 0xa1, 0x64],
        [0xd5, 0x72, 0x40, 0x01, 0x90],
      ],
      ...[
        [0xd4, 0x72, 0x3f, 0x90],
        [0xd4, 0x72, 0x40, 0xc0],
        [0xc7, 0x01, 0x72, 0x40, 0x90],
        [0xc7, 0x03, 0x72, 1, 2, 3],
      ],
      ...[
        [0xd4, 0x72, 0x40, 0x92, 0xa1, 0x61, 0xa1, 0x61],
        [0xd4, 0x72, 0x40, 0x91, 0x01],
        [0xd4, 0x72, 0x40, 0x91, 0xa1, 0xff],
      ],
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));
