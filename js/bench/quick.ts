// The quick bench: polypack against its peers on three payloads, in alternating rounds, every output verified.
//
// Plan: contestants · verification · measuring in alternating rounds · the table and build/bench/js.json.
//
// A ratio says how many times faster polypack is: the peer's time divided by ours, both of one round, so that a slow
// phase of the machine hits both. The row has the median of the rounds, and their lower and upper quartile.

import { mkdirSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as messagepack from '@msgpack/msgpack';
import * as msgpackr from 'msgpackr';
import * as polypack from 'polypack';
import { type Workload, workloads } from './_payloads.ts';

const ROUNDS = 15;
const ROUND_MS = 12;
const ROWS_FILE = new URL('../../../build/bench/js.json', import.meta.url);

interface Contestant {
  readonly name: string;
  readonly pack: (value: unknown) => Uint8Array;
  readonly unpack: (bytes: Uint8Array) => unknown;
}

interface Row {
  readonly workload: string;
  readonly operation: string;
  readonly against: string;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly verified: boolean;
}

/** Contestants of one discipline; the first is ours. */
interface Discipline {
  readonly suffix: string;
  readonly contestants: readonly Contestant[];
}

const native = msgpackr.isNativeAccelerationEnabled ? 'native' : 'no addon';

function disciplines(isJson: boolean): Discipline[] {
  const json: Contestant = {
    name: 'JSON and Buffer',
    pack: (value) => Buffer.from(JSON.stringify(value)),
    unpack: (bytes) => JSON.parse((bytes as Buffer).toString()),
  };
  const plain: Contestant[] = [
    { name: 'polypack', pack: (value) => polypack.pack(value), unpack: (bytes) => polypack.unpack(bytes) },
    { name: `msgpackr (${native})`, pack: (value) => msgpackr.pack(value), unpack: (bytes) => msgpackr.unpack(bytes) },
    {
      name: '@msgpack/msgpack',
      pack: (value) => messagepack.encode(value),
      unpack: (bytes) => messagepack.decode(bytes),
    },
  ];
  const ours = new polypack.Packr();
  const theirs = new msgpackr.Packr();
  return [
    { suffix: '', contestants: isJson ? [...plain, json] : plain },
    {
      suffix: ' with records',
      contestants: [
        { name: 'polypack', pack: (value) => ours.pack(value), unpack: (bytes) => ours.unpack(bytes) },
        { name: `msgpackr (${native})`, pack: (value) => theirs.pack(value), unpack: (bytes) => theirs.unpack(bytes) },
      ],
    },
  ];
}

/** Element by element; a Buffer and a Uint8Array of the same bytes are one value. */
function isSame(actual: unknown, expected: unknown): boolean {
  if (expected instanceof Uint8Array) {
    return (
      actual instanceof Uint8Array &&
      actual.length === expected.length &&
      actual.every((byte, i) => byte === expected[i])
    );
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((item, i) => isSame(actual[i], item))
    );
  }
  if (typeof expected !== 'object' || expected === null || expected instanceof Date)
    return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null || Object.getPrototypeOf(actual) !== Object.prototype) return false;
  const names = Object.keys(expected);
  return (
    isDeepStrictEqual(Object.keys(actual), names) &&
    names.every((name) =>
      isSame((actual as Record<string, unknown>)[name], (expected as Record<string, unknown>)[name]),
    )
  );
}

/** Milliseconds of one call, from as many calls as fill a round. */
function time(run: () => unknown, calls: number): number {
  const started = performance.now();
  for (let i = 0; i < calls; i++) sink = run();
  return (performance.now() - started) / calls;
}

// Results are kept where the optimizer cannot see that nobody reads them.
let sink: unknown;

function quartile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Measures one operation of all contestants; the order turns by one each round. */
function measure(
  runs: readonly { name: string; run: () => unknown }[],
): Map<string, { ratio: number; low: number; high: number }> {
  const calls = runs.map(({ run }) => {
    const warm = performance.now();
    let done = 0;
    while (performance.now() - warm < 60) {
      run();
      done++;
    }
    return Math.max(1, Math.round((done * ROUND_MS) / 60));
  });
  const times = runs.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < runs.length; turn++) {
      const index = (turn + round) % runs.length;
      const one = runs[index];
      if (one !== undefined) times[index]?.push(time(one.run, calls[index] ?? 1));
    }
  }
  const ours = times[0] ?? [];
  const results = new Map<string, { ratio: number; low: number; high: number }>();
  runs.slice(1).forEach(({ name }, index) => {
    const ratios = (times[index + 1] ?? [])
      .map((theirs, round) => theirs / (ours[round] ?? Number.NaN))
      .sort((a, b) => a - b);
    results.set(name, { ratio: quartile(ratios, 0.5), low: quartile(ratios, 0.25), high: quartile(ratios, 0.75) });
  });
  return results;
}

function rowsOf({ name: workload, value, isJson }: Workload): Row[] {
  const rows: Row[] = [];
  for (const { suffix, contestants } of disciplines(isJson)) {
    const packed = contestants.map((one) => ({ one, bytes: one.pack(value) }));
    const verified = new Map(packed.map(({ one, bytes }) => [one.name, isSame(one.unpack(bytes), value)]));
    if (verified.get('polypack') !== true) throw new Error(`polypack does not give ${workload}${suffix} back`);
    const runs = {
      pack: contestants.map(({ name, pack }) => ({ name, run: () => pack(value) })),
      unpack: packed.map(({ one, bytes }) => ({ name: one.name, run: () => one.unpack(bytes) })),
    };
    for (const [operation, list] of Object.entries(runs)) {
      for (const [against, { ratio, low, high }] of measure(list)) {
        rows.push({
          workload,
          operation: `${operation}${suffix}`,
          against,
          ratio,
          low,
          high,
          verified: verified.get(against) === true,
        });
      }
    }
  }
  return rows;
}

const rows = workloads().flatMap(rowsOf);
mkdirSync(new URL('.', ROWS_FILE), { recursive: true });
writeFileSync(ROWS_FILE, `${JSON.stringify(rows, null, 2)}\n`);
console.log(`Node ${process.version}; ratio: how many times faster polypack is (quartiles of ${ROUNDS} rounds)`);
for (const { workload, operation, against, ratio, low, high, verified } of rows) {
  const range = `${ratio.toFixed(2)} (${low.toFixed(2)} – ${high.toFixed(2)})`;
  console.log(
    `${workload.padEnd(10)} ${operation.padEnd(20)} ${against.padEnd(20)} ${range}${verified ? '' : '  not verified'}`,
  );
}
if (sink === undefined) process.exitCode = 1;
