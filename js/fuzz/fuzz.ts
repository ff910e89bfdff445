// Fuzzes the decoder, the stream and the encoder against the slow reference and the compact door, starting from the
// bytes of the vectors.
//
// Plan: options · changed bytes of the vectors · what must hold · the run.

import { inspect, parseArgs } from 'node:util';
import fc from 'fast-check';
import { canonicalize, Packr, Unpackr, type UnpackrOptions } from 'polypack';
import { type Comparison, compareDecode, faultOf, streamed } from '../tests/_agree.ts';
import { referenceCanonical, referenceDecode } from '../tests/_reference.ts';
import { warmUnpackr } from '../tests/_tiers.ts';
import { bytesOf, hexOf } from '../tests/_values.ts';
import { filesOf, MODES, type Mode } from '../tests/_vectors.ts';
import { compareDoors, DECODINGS } from '../tests/compact/_doors.ts';

const USAGE = `usage: npm run --workspace js fuzz -- [--time SECONDS] [--seed NUMBER [--path PATH]]

Changes the bytes of the vectors at random and checks that the library, the slow reference and the compact door agree
about them: the same fault or the same value, the same for every cut of a stream, the same canonical bytes. Stops at the
first finding, prints the smallest input that still shows it with its seed and path, and exits 1.

  --time   how long, in seconds (default 10)
  --seed   repeats a run (default: from the clock; printed)
  --path   with --seed: starts at one input of that run, as a finding prints it. Leave it out for a finding that needs
           what the codecs have read before.
`;

const MOST_BYTES = 4096;

// --- changed bytes of the vectors ------------------------------------------------------------------------------------

function readCorpus(): Uint8Array[] {
  const texts = (['valid', 'invalid', 'stream', 'records', 'canonical'] as const)
    .flatMap((folder) => filesOf(folder))
    .flatMap(({ cases }) => cases)
    .flatMap(({ bytes, canonical, also = [] }) => [bytes, canonical, ...also]);
  const inputs = texts.filter((text) => text !== undefined).map(bytesOf);
  return inputs.filter(({ length }) => length > 0 && length <= MOST_BYTES);
}

const HEADS = [
  ...bytesOf('00 40 60 72 7f 80 81 8f 90 91 9f a0 a1 bf c0 c1 c2 c4 c5 c6 c7 c8 c9 ca cb cc cf'),
  ...bytesOf('d0 d3 d4 d5 d6 d7 d8 d9 da db dc dd de df e0 ff'),
];

type Edit = (bytes: number[]) => number[];

/** One change of bytes; places and lengths are taken modulo what there is. */
function edits(corpus: readonly Uint8Array[]): fc.Arbitrary<Edit> {
  const any = fc.nat(MOST_BYTES);
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(...HEADS));
  const other = fc.constantFrom(...corpus);
  return fc.oneof(
    fc.tuple(any, byte).map(
      ([at, one]): Edit =>
        (bytes) =>
          bytes.with(at % bytes.length, one),
    ),
    fc.tuple(any, byte).map(
      ([at, one]): Edit =>
        (bytes) =>
          bytes.toSpliced(at % (bytes.length + 1), 0, one),
    ),
    fc.tuple(any, fc.integer({ min: 1, max: 4 })).map(
      ([at, count]): Edit =>
        (bytes) =>
          bytes.toSpliced(at % bytes.length, count),
    ),
    any.map(
      (at): Edit =>
        (bytes) =>
          bytes.slice(0, at % (bytes.length + 1)),
    ),
    fc.tuple(any, other).map(
      ([at, more]): Edit =>
        (bytes) =>
          bytes.toSpliced(at % (bytes.length + 1), 0, ...more),
    ),
    fc.tuple(any, other, any).map(
      ([at, tail, from]): Edit =>
        (bytes) => [...bytes.slice(0, at % (bytes.length + 1)), ...tail.slice(from % tail.length)],
    ),
    fc.nat(15).map(
      (count): Edit =>
        (bytes) => [0x90 + count, ...bytes],
    ),
  );
}

function changedBytes(corpus: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(edits(corpus), { minLength: 1, maxLength: 4 }))
    .map(([start, changes]) => {
      let bytes = Array.from(start);
      for (const change of changes) if (bytes.length > 0) bytes = change(bytes).slice(0, MOST_BYTES);
      return Uint8Array.from(bytes);
    });
}

/** Made as another arbitrary makes them, but shrunk as what they are: bytes. */
class ShrunkAsBytes extends fc.Arbitrary<Uint8Array> {
  readonly #source: fc.Arbitrary<Uint8Array>;
  readonly #bytes = fc.uint8Array({ maxLength: MOST_BYTES });

  constructor(source: fc.Arbitrary<Uint8Array>) {
    super();
    this.#source = source;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<Uint8Array> {
    return new fc.Value(this.#source.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is Uint8Array {
    return this.#bytes.canShrinkWithoutContext(value);
  }

  shrink(value: Uint8Array, context: unknown): fc.Stream<fc.Value<Uint8Array>> {
    return this.#bytes.shrink(value as Uint8Array<ArrayBuffer>, context);
  }
}

// --- what must hold --------------------------------------------------------------------------------------------------

function assertSame(about: string, { actual, expected }: Comparison): void {
  if (actual !== expected) throw new Error(`${about}\n  expected ${expected}\n  got      ${actual}`);
}

interface Choices {
  readonly mode: Mode;
  readonly records: 'off' | 'inline';
  readonly limits: { readonly maxDepth?: number; readonly maxValues?: number };
  readonly compact: (typeof DECODINGS)[number];
  readonly isRepeated: boolean;
  readonly maxBytes: number;
  readonly cuts: readonly number[];
}

const choices: fc.Arbitrary<Choices> = fc.record({
  mode: fc.constantFrom(...MODES),
  records: fc.constantFrom('off' as const, 'inline' as const),
  limits: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ maxDepth: fc.nat(5), maxValues: fc.integer({ min: 1, max: 20 }) }) },
  ),
  compact: fc.constantFrom(...DECODINGS),
  isRepeated: fc.nat(7).map((one) => one === 7),
  maxBytes: fc.oneof(
    { weight: 2, arbitrary: fc.constant(2 ** 26) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
  ),
  cuts: fc.array(fc.nat(MOST_BYTES - 1), { maxLength: 7 }),
});

/** Everything that must hold for any bytes; throws what does not. */
function judge(bytes: Uint8Array, { mode, records, limits, compact, isRepeated, maxBytes, cuts }: Choices): void {
  const about = `mode ${mode}, records ${records}`;
  assertSame(`decode, ${about}, ${JSON.stringify(limits)}`, compareDecode(bytes, { mode, records, limits }));
  const options = { ...compact, limits };
  assertSame(`the compact door, ${JSON.stringify(options)}`, compareDoors(bytes, options));

  // Often enough in one message for its shapes to be hot.
  judgeExperienced(isRepeated && bytes.length < 200 ? repeated(bytes, 120) : bytes, about, { mode, records });

  const expected = streamed(bytes, [], { mode, records, maxBytes }).join('; ');
  const actual = streamed(bytes, cuts, { mode, records, maxBytes }).join('; ');
  assertSame(`stream cut at ${cuts}, maxBytes ${maxBytes}, ${about}`, { actual, expected });
  judgeCanonical(bytes);
}

/** An array of a value so many times. */
function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return Uint8Array.from([0xdc, 0, times, ...Array.from({ length: times }, () => [...bytes]).flat()]);
}

/** Codecs that have read everything before, with generated code and without, by what tells their options apart. */
const codecs = new Map<string, readonly Unpackr[]>();

/** Compares them with one that has read nothing. */
function judgeExperienced(bytes: Uint8Array, key: string, options: UnpackrOptions): void {
  const made = codecs.get(key) ?? [true, false].map((generateCode) => warmUnpackr({ ...options, generateCode }));
  codecs.set(key, made);
  const expected = outcome(new Unpackr({ ...options, generateCode: false }), bytes);
  for (const [index, unpackr] of made.entries()) {
    // Twice, since what it learned the first time may be wrong.
    for (let round = 0; round < 2; round++) {
      const way = index === 0 ? 'generated' : 'interpreted';
      assertSame(`a codec that has read much, ${way}, ${key}`, { actual: outcome(unpackr, bytes), expected });
    }
  }
}

function outcome(unpackr: Unpackr, bytes: Uint8Array): string {
  let value: unknown;
  const fault = faultOf(() => {
    value = unpackr.unpack(bytes);
  });
  return fault ?? inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null });
}

function judgeCanonical(bytes: Uint8Array): void {
  const decoded = referenceDecode(bytes, { mode: 'lossless' });
  if ('error' in decoded) return;
  const expected = hexOf(referenceCanonical(decoded.value));
  assertSame('canonicalize', { actual: hexOf(canonicalize(bytes)), expected });
  const plain = new Packr({ mode: 'lossless', records: 'off' });
  const inline = new Packr({ mode: 'lossless', records: 'inline' });
  const value = inline.unpack(inline.pack(plain.unpack(bytes)));
  assertSame('records inline and back', { actual: hexOf(canonicalize(plain.pack(value))), expected });
}

// --- the run ---------------------------------------------------------------------------------------------------------

function fuzz(seconds: number, seed: number, path: string | undefined): void {
  const corpus = readCorpus();
  if (corpus.length === 0) throw new Error('vectors/ holds no bytes to start from');
  console.log(`fuzz: seed ${seed}, ${corpus.length} inputs to start from, ${seconds} s`);
  const found = fc.check(fc.property(new ShrunkAsBytes(changedBytes(corpus)), choices, judge), {
    seed,
    ...(path !== undefined && { path }),
    numRuns: Number.POSITIVE_INFINITY,
    interruptAfterTimeLimit: seconds * 1000,
  });
  if (!found.failed || found.counterexample === null) {
    console.log(`fuzz: ${found.numRuns} inputs, no finding`);
    return;
  }
  const { numRuns, counterexample, counterexamplePath, errorInstance } = found;
  const what = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  console.error(`fuzz: after ${numRuns} inputs, ${hexOf(counterexample[0])}\n${what}`);
  console.error(`repeat it with --seed ${seed} --path ${counterexamplePath}`);
  process.exitCode = 1;
}

const { values } = parseArgs({
  options: {
    time: { type: 'string', default: '10' },
    seed: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const seconds = Number(values.time);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
if (values.help) {
  process.stdout.write(USAGE);
} else if (!(seconds > 0) || !Number.isInteger(seed) || (values.path !== undefined && values.seed === undefined)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  fuzz(seconds, seed, values.path);
}
