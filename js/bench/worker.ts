// Measures one library in a process of its own, as tools/bench-js.mjs tells it to, line by line.
//
// Plan: the cells · running and timing · the conversation.
//
// usage: worker.js KIND ADDRESS FORM [--browser]     lines of JSON in and out; nobody starts it by hand

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type Contestant, collect, type Form, type Kind, type Library, load, type Streams } from './_contestants.ts';
import { type Workload, workloads } from './_payloads.ts';
import { isSame } from './_same.ts';
import { streamed } from './_streamed.ts';
import { unfriendly } from './_unfriendly.ts';

/** One thing to measure: `run` does it once, `check` says whether what it gave is right. */
interface Cell {
  readonly run: () => unknown;
  readonly check: (result: unknown) => boolean | Promise<boolean>;
  readonly isAsync: boolean;
}

const CHUNK = 16 * 1024;

/** Bytes as a network delivers them: in memory of their own, and a Buffer where there is that class. */
function received(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  return typeof Buffer === 'undefined' ? copy : Buffer.from(copy.buffer);
}

// --- the cells -------------------------------------------------------------------------------------------------------------

function packCell({ pack, unpack }: Contestant, value: unknown): Cell {
  // Twice, so that shared structures are known when the message that is checked is written.
  pack(value);
  return {
    run: () => pack(value),
    check: (bytes) => isSame(unpack(received(bytes as Uint8Array)), value),
    isAsync: false,
  };
}

function unpackCell({ pack, unpack }: Contestant, value: unknown): Cell {
  pack(value);
  const bytes = received(pack(value));
  return { run: () => unpack(bytes), check: (result) => isSame(result, value), isAsync: false };
}

/** Reads the values of a workload, an array, from a stream of chunks. */
async function readCell(streams: Streams, values: unknown[]): Promise<Cell> {
  const bytes = Buffer.concat(await collect<Buffer>(Readable.from(values).pipe(streams.write())));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(received(bytes.subarray(at, at + CHUNK)));
  return {
    run: () => collect(Readable.from(chunks).pipe(streams.read())),
    check: (result) => isSame(result, values),
    isAsync: true,
  };
}

/** Writes the values of a workload, an array, to a stream. */
function writeCell(streams: Streams, values: unknown[]): Cell {
  return {
    run: () => collect<Buffer>(Readable.from(values).pipe(streams.write())),
    check: async (chunks) => isSame(await collect(Readable.from(chunks as Buffer[]).pipe(streams.read())), values),
    isAsync: true,
  };
}

async function cellOf(library: Library, form: Form, operation: string, { value }: Workload): Promise<Cell | null> {
  if (operation === 'stream' || operation === 'stream-write') {
    if (library.streams === null) return null;
    return operation === 'stream'
      ? readCell(library.streams, value as unknown[])
      : writeCell(library.streams, value as unknown[]);
  }
  const contestant = library.make(form, value);
  if (contestant === null) return null;
  return operation === 'pack' ? packCell(contestant, value) : unpackCell(contestant, value);
}

// --- running and timing -------------------------------------------------------------------------------------------------------

// Results are kept where the optimizer cannot see that nobody reads them.
let sink: unknown;

function runMany(run: () => unknown, calls: number): void {
  for (let i = 0; i < calls; i++) sink = run();
}

/** Milliseconds of so many calls. */
async function time({ run, isAsync }: Cell, calls: number): Promise<number> {
  const started = performance.now();
  if (isAsync) for (let i = 0; i < calls; i++) sink = await run();
  else runMany(run, calls);
  return performance.now() - started;
}

/** Runs for `ms` at least, and returns how many calls take as long as that. */
async function warm(cell: Cell, ms: number): Promise<number> {
  let calls = 1;
  let taken = await time(cell, calls);
  let sum = taken;
  while (sum < ms) {
    if (taken < ms / 8) calls *= 2;
    taken = await time(cell, calls);
    sum += taken;
  }
  return Math.max(1, (calls * ms) / taken);
}

// --- the conversation ---------------------------------------------------------------------------------------------------------

interface Command {
  readonly command: 'verify' | 'warm' | 'time';
  readonly operation: string;
  readonly workload: string;
  /** How long a round is. */
  readonly ms: number;
}

async function main([kind, address, form]: [Kind, string, Form], isBrowser: boolean): Promise<void> {
  const say = (message: object) => console.log(JSON.stringify(message));
  // Both libraries choose what they use of the host when they are loaded.
  if (isBrowser) Reflect.deleteProperty(globalThis, 'Buffer');
  const library = await load(kind, address);
  const sets = [workloads, unfriendly, streamed];
  const all = new Map<string, Workload>();
  const cells = new Map<string, { cell: Cell; calls: number; first: number }>();

  async function verify(operation: string, workload: Workload): Promise<object> {
    if (kind === 'JSON' && !workload.isJson) return { left: 'JSON has no such types' };
    try {
      const cell = await cellOf(library, form, operation, workload);
      if (cell === null) return { left: 'there is no such form' };
      const started = performance.now();
      const result = await cell.run();
      const first = performance.now() - started;
      const isRight = await cell.check(result);
      cells.set(`${operation} ${workload.name}`, { cell, calls: 1, first });
      return { verified: isRight };
    } catch (error) {
      return { left: error instanceof Error ? error.message.slice(0, 200) : String(error) };
    }
  }

  say({ note: library.note });
  for await (const line of createInterface({ input: process.stdin })) {
    const { command, operation, workload, ms } = JSON.parse(line) as Command;
    // A set is made when it is first asked for.
    while (!all.has(workload) && sets.length > 0) for (const one of sets.shift()?.() ?? []) all.set(one.name, one);
    const known = all.get(workload);
    if (known === undefined) throw new Error(`there is no workload ${workload}`);
    if (command === 'verify') {
      say(await verify(operation, known));
      continue;
    }
    const entry = cells.get(`${operation} ${workload}`);
    if (entry === undefined) throw new Error(`${operation} ${workload} has not been verified`);
    if (command === 'warm') {
      // What takes seconds the first time does not warm up, and one call is more than a round.
      if (entry.first < 1000) entry.calls = Math.max(1, Math.round(await warm(entry.cell, ms)));
      say({ calls: entry.calls });
    } else {
      say({ time: (await time(entry.cell, entry.calls)) / entry.calls });
    }
  }
  if (sink === undefined) process.exitCode = 1;
}

const args = process.argv.slice(2);
await main(args as [Kind, string, Form], args.includes('--browser'));
