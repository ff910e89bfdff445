// Measures memory in a fresh process: what decoded results hold, and what one string of each holds.
//
// usage: node --expose-gc memory.js KIND ADDRESS WORKLOAD prints {result, string} in bytes for one
// message, and {verified}

import { type Kind, load } from './_contestants.ts';
import { workloads } from './_payloads.ts';
import { isSame } from './_same.ts';

const [kind, address = '', wanted] = process.argv.slice(2) as [Kind, string?, string?];
const LENGTH = 16;

/** Bytes in use after everything unreachable is gone. */
function used(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The first string of at least so many characters, in any depth. */
function longString(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length >= LENGTH ? value : undefined;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  for (const one of Object.values(value)) {
    const found = longString(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Bytes that each of `count` calls leaves behind as long as what it gave is kept. */
function held(make: () => unknown, count: number): number {
  // Caches and compiled code belong to no message.
  for (let i = 0; i < count; i++) make();
  const kept: unknown[] = new Array(count).fill(null);
  const before = used();
  for (let i = 0; i < count; i++) kept[i] = make();
  const bytes = (used() - before) / count;
  return kept.includes(null) ? Number.NaN : bytes;
}

const workload = workloads().find(({ name }) => name === wanted);
if (workload === undefined || globalThis.gc === undefined)
  throw new Error('usage: node --expose-gc memory.js KIND ADDRESS WORKLOAD');
const contestant = (await load(kind, address)).make('plain', workload.value);
if (contestant === null) throw new Error(`${kind} has no plain form`);
const packed = new Uint8Array(contestant.pack(workload.value));
// Each message arrives in bytes of its own, which a result may hold on to.
const decode = () => contestant.unpack(Buffer.from(packed));
const verified = isSame(decode(), workload.value);
const result = held(decode, 40);
// Against so little the rest of the heap is noise, but a string has its characters.
const string = Math.max(
  LENGTH,
  held(() => longString(decode()), 400),
);
console.log(JSON.stringify({ result, string, verified }));
