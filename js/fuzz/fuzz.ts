// Fuzzes the decoder, the stream and the encoder against their slow twins and the compact door, starting from
// the bytes of the vectors.
//
// Plan: options · random numbers that a seed repeats · corpus · mutations · what is checked · shrinking · the loop.

import { inspect, parseArgs } from 'node:util';
import { canonicalize, Packr, Unpackr, type UnpackrOptions } from 'polypack';
import { compareDecode, faultOf, streamed } from '../tests/_agree.ts';
import { twinDecode } from '../tests/_twin-decoder.ts';
import { twinCanonical } from '../tests/_twin-encoder.ts';
import { bytesOf, hexOf } from '../tests/_values.ts';
import { filesOf, MODES } from '../tests/_vectors.ts';
import { compareDoors, DECODINGS } from '../tests/compact/_doors.ts';

const USAGE = `usage: npm run fuzz -- [--time SECONDS] [--seed NUMBER]

Changes the bytes of the vectors at random and checks that the library, its slow twin and its compact door agree about them:
the same fault or the same value, the same for every cut of a stream, the same canonical bytes. Stops at the first finding,
prints the smallest input that still shows it, and exits 1.

  --time   how long, in seconds (default 10)
  --seed   repeats a run (default: from the clock; printed)
`;

const MOST_BYTES = 4096;
const RECORDS = ['off', 'inline'] as const;

/** Uniform 32-bit numbers of a seed. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer 0 … limit − 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

function readCorpus(): Uint8Array[] {
  const texts = (['valid', 'invalid', 'stream', 'records', 'canonical'] as const)
    .flatMap((folder) => filesOf(folder))
    .flatMap(({ cases }) => cases)
    .flatMap(({ bytes, canonical, also = [] }) => [bytes, canonical, ...also]);
  const inputs = texts.filter((text) => text !== undefined).map(bytesOf);
  return inputs.filter(({ length }) => length > 0 && length <= MOST_BYTES);
}

const HEADS = bytesOf(
  '00 40 60 72 7f 80 81 8f 90 91 9f a0 a1 bf c0 c1 c2 c4 c5 c6 c7 c8 c9 ca cb cc cf d0 d3 d4 d5 d6 d7 d8 d9 da db dc dd de df e0 ff',
);

function mutate(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  let bytes = Array.from(random.pick(corpus));
  for (let rounds = 1 + random.below(4); rounds > 0; rounds--) {
    const at = random.below(bytes.length + 1);
    const other = Array.from(random.pick(corpus));
    const edits: (() => number[])[] = [
      () => bytes.with(Math.min(at, bytes.length - 1), random.below(256)),
      () => bytes.with(Math.min(at, bytes.length - 1), random.pick([...HEADS])),
      () => bytes.toSpliced(at, 0, random.pick([...HEADS])),
      () => bytes.toSpliced(at, 1 + random.below(4)),
      () => bytes.slice(0, at),
      () => bytes.toSpliced(at, 0, ...other),
      () => [...bytes.slice(0, at), ...other.slice(random.below(other.length))],
      () => [0x90 + random.below(16), ...bytes],
    ];
    bytes = random.pick(edits)().slice(0, MOST_BYTES);
    if (bytes.length === 0) bytes = [random.below(256)];
  }
  return Uint8Array.from(bytes);
}

/** Everything that must hold for any bytes; gives what does not, or null. `salt` chooses cuts and limits. */
function finding(bytes: Uint8Array, salt: number): string | null {
  try {
    const random = new Random(salt);
    const mode = random.pick(MODES);
    const records = random.pick(RECORDS);
    const limits = random.below(4) === 0 ? { maxDepth: random.below(6), maxValues: 1 + random.below(20) } : {};
    const decode = compareDecode(bytes, { mode, records, ...limits });
    if (decode.actual !== decode.expected)
      return report(`decode, mode ${mode}, records ${records}, ${JSON.stringify(limits)}`, decode);

    const options = { ...random.pick(DECODINGS), limits };
    const doors = compareDoors(bytes, options);
    if (doors.actual !== doors.expected) return report(`the compact door, ${JSON.stringify(options)}`, doors);

    // Often enough in one message for its shapes to be hot.
    const hot = random.below(8) === 0 && bytes.length < 200 ? repeated(bytes, 120) : bytes;
    const learned = learnedFinding(hot, `${mode} ${records}`, { mode, records });
    if (learned !== null) return learned;

    const maxBytes = random.below(3) === 0 ? 1 + random.below(40) : 2 ** 26;
    const whole = streamed(bytes, [], { mode, records, maxBytes }).join('; ');
    const cuts = Array.from({ length: random.below(8) }, () => random.below(MOST_BYTES));
    const cut = streamed(bytes, cuts, { mode, records, maxBytes }).join('; ');
    if (cut !== whole) return report(`stream cut at ${cuts}, maxBytes ${maxBytes}`, { actual: cut, expected: whole });

    return canonicalFinding(bytes);
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** An array of a value so many times. */
function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return Uint8Array.from([0xdc, 0, times, ...Array.from({ length: times }, () => [...bytes]).flat()]);
}

/** Codecs that have read everything before, with generated code and without, by what tells their options apart. */
const codecs = new Map<string, readonly Unpackr[]>();

/** Compares them with one that has read nothing. */
function learnedFinding(bytes: Uint8Array, key: string, options: UnpackrOptions): string | null {
  const made = codecs.get(key) ?? [true, false].map((generateCode) => new Unpackr({ ...options, generateCode }));
  codecs.set(key, made);
  const expected = outcome(new Unpackr({ ...options, generateCode: false }), bytes);
  for (const [index, unpackr] of made.entries()) {
    // Twice, since what the first time taught may be wrong.
    for (let round = 0; round < 2; round++) {
      const actual = outcome(unpackr, bytes);
      if (actual !== expected) {
        const way = index === 0 ? 'generated' : 'interpreted';
        return report(`a codec that has learned, ${way}, ${key}`, { actual, expected });
      }
    }
  }
  return null;
}

function outcome(unpackr: Unpackr, bytes: Uint8Array): string {
  let value: unknown;
  const fault = faultOf(() => {
    value = unpackr.unpack(bytes);
  });
  return fault ?? inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null });
}

function canonicalFinding(bytes: Uint8Array): string | null {
  let expected = '';
  const valid = faultOf(() => {
    expected = hexOf(twinCanonical(twinDecode(bytes, { mode: 'lossless' })));
  });
  if (valid !== null) return null;
  const actual = hexOf(canonicalize(bytes));
  if (actual !== expected) return report('canonicalize', { actual, expected });
  const lossless = { mode: 'lossless', records: 'inline' } as const;
  const again = hexOf(
    canonicalize(
      new Packr({ mode: 'lossless', records: 'off' }).pack(
        new Unpackr(lossless).unpack(
          new Packr(lossless).pack(new Unpackr({ mode: 'lossless', records: 'off' }).unpack(bytes)),
        ),
      ),
    ),
  );
  return again === expected ? null : report('records inline and back', { actual: again, expected });
}

function report(about: string, { actual, expected }: { actual: string; expected: string }): string {
  return `${about}\n  expected ${expected}\n  got      ${actual}`;
}

/** Leaves out bytes as long as there is still a finding. */
function shrink(bytes: Uint8Array, salt: number): Uint8Array {
  let smallest = bytes;
  for (let run = smallest.length >> 1; run >= 1; run >>= 1) {
    for (let at = 0; at + run <= smallest.length; ) {
      const shorter = Uint8Array.from([...smallest.subarray(0, at), ...smallest.subarray(at + run)]);
      if (finding(shorter, salt) !== null) smallest = shorter;
      else at += run;
    }
  }
  return smallest;
}

const { values } = parseArgs({
  options: { time: { type: 'string', default: '10' }, seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const seconds = Number(values.time);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
if (values.help) {
  process.stdout.write(USAGE);
} else if (!(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const random = new Random(seed);
  const corpus = readCorpus();
  if (corpus.length === 0) throw new Error('vectors/ holds no bytes to start from');
  console.log(`fuzz: seed ${seed}, ${corpus.length} inputs to start from, ${seconds} s`);
  const end = performance.now() + seconds * 1000;
  let runs = 0;
  while (performance.now() < end) {
    const bytes = mutate(random, corpus);
    const salt = random.below(2 ** 31);
    runs++;
    if (finding(bytes, salt) === null) continue;
    const smallest = shrink(bytes, salt);
    console.error(`fuzz: after ${runs} inputs, ${hexOf(smallest)}\n${finding(smallest, salt)}`);
    process.exitCode = 1;
    break;
  }
  if (process.exitCode !== 1) console.log(`fuzz: ${runs} inputs, no finding`);
}
