// What a process or a page does that measures one library: it obeys commands, one after the other.
//
// Plan: the cells · running and timing · Session.

import type { Contestant, Form, Kind, Library } from './_contestants.ts';
import { type Workload, workloads } from './_payloads.ts';
import { isSame } from './_same.ts';
import { streamed } from './_streamed.ts';
import { unfriendly } from './_unfriendly.ts';

/** One thing to measure: `run` does it once, `check` says whether what it gave is right. */
export interface Cell {
  readonly run: () => unknown;
  readonly check: (result: unknown) => boolean | Promise<boolean>;
  readonly isAsync: boolean;
}

/** Makes the cell of an operation that a host alone has; null for others, or where the library has no such thing. */
export type OwnCells = (library: Library, operation: string, value: unknown) => Promise<Cell> | Cell | null;

/** Bytes as a network delivers them: in memory of their own, and a Buffer where there is that class. */
export function received(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  return typeof Buffer === 'undefined' ? copy : Buffer.from(copy.buffer);
}

// --- the cells -------------------------------------------------------------------------------------------------------

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

// --- running and timing ----------------------------------------------------------------------------------------------

// Results are kept where the optimizer cannot see that nobody reads them.
let sink: unknown;

/** Whether anything was run. */
export function hasRun(): boolean {
  return sink !== undefined;
}

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

/** So many times a cell is run to know how long it takes: once may be when the machine does something else. */
const FEWEST = 5;

/** Runs for `ms` at least, and returns how many calls take as long as that. */
async function warm(cell: Cell, ms: number): Promise<number> {
  let calls = 1;
  let quickest = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let times = 0; sum < ms || times < FEWEST; times++) {
    const taken = await time(cell, calls);
    sum += taken;
    quickest = Math.min(quickest, taken / calls);
    if (taken < ms / 8) {
      calls *= 2;
      quickest = Number.POSITIVE_INFINITY;
      times = 0;
    }
  }
  return Math.max(1, ms / quickest);
}

// --- the session -----------------------------------------------------------------------------------------------------

export interface Command {
  readonly command: 'verify' | 'warm' | 'time';
  readonly operation: string;
  readonly workload: string;
  /** How long a round is. */
  readonly ms: number;
}

export class Session {
  readonly #kind: Kind;
  readonly #library: Library;
  readonly #form: Form;
  readonly #ownCells: OwnCells;
  readonly #sets = [workloads, unfriendly, streamed];
  readonly #workloads = new Map<string, Workload>();
  readonly #cells = new Map<string, { cell: Cell; calls: number; first: number }>();

  constructor(kind: Kind, library: Library, form: Form, ownCells: OwnCells = () => null) {
    this.#kind = kind;
    this.#library = library;
    this.#form = form;
    this.#ownCells = ownCells;
  }

  /** What is said first. */
  get greeting(): object {
    return { note: this.#library.note };
  }

  /** Does what it is told. Returns the answer. */
  async obey({ command, operation, workload, ms }: Command): Promise<object> {
    const known = this.#workload(workload);
    if (command === 'verify') return await this.#verify(operation, known);
    const entry = this.#cells.get(`${operation} ${workload}`);
    if (entry === undefined) throw new Error(`${operation} ${workload} has not been verified`);
    if (command === 'time') return { time: (await time(entry.cell, entry.calls)) / entry.calls };
    // What takes seconds the first time does not warm up, and one call is more than a round.
    if (entry.first < 1000) entry.calls = Math.max(1, Math.round(await warm(entry.cell, ms)));
    return { calls: entry.calls };
  }

  #workload(name: string): Workload {
    // A set is made when it is first asked for.
    while (!this.#workloads.has(name) && this.#sets.length > 0) {
      for (const one of this.#sets.shift()?.() ?? []) this.#workloads.set(one.name, one);
    }
    const known = this.#workloads.get(name);
    if (known === undefined) throw new Error(`there is no workload ${name}`);
    return known;
  }

  async #verify(operation: string, workload: Workload): Promise<object> {
    if (this.#kind === 'JSON' && !workload.isJson) return { left: 'JSON has no such types' };
    try {
      const cell = await this.#cellOf(operation, workload);
      if (cell === null) return { left: 'there is no such form' };
      const started = performance.now();
      const result = await cell.run();
      const first = performance.now() - started;
      const isRight = await cell.check(result);
      this.#cells.set(`${operation} ${workload.name}`, { cell, calls: 1, first });
      return { verified: isRight };
    } catch (error) {
      return { left: error instanceof Error ? error.message.slice(0, 200) : String(error) };
    }
  }

  async #cellOf(operation: string, { value }: Workload): Promise<Cell | null> {
    if (operation !== 'pack' && operation !== 'unpack') return await this.#ownCells(this.#library, operation, value);
    const contestant = this.#library.make(this.#form, value);
    if (contestant === null) return null;
    return operation === 'pack' ? packCell(contestant, value) : unpackCell(contestant, value);
  }
}
