// Measures a fresh process: loading a library, its first decoding of one message, and its first twenty.
//
// usage: cold.js KIND ADDRESS FILE            prints {load, first, twenty} in milliseconds, and {verified}
//        cold.js KIND ADDRESS FILE --write    writes the message to FILE, as this library encodes it

import { readFileSync, writeFileSync } from 'node:fs';
import { type Kind, load } from './_contestants.ts';

const [kind, address = '', file = '', mode] = process.argv.slice(2) as [Kind, string?, string?, string?];
const WORKLOAD = 'config';

async function sample(): Promise<unknown> {
  // Not loaded before the measurement: making payloads warms what is measured.
  const { workloads } = await import('./_payloads.ts');
  return workloads().find(({ name }) => name === WORKLOAD)?.value;
}

if (mode === '--write') {
  const value = await sample();
  writeFileSync(file, (await load(kind, address)).make('plain', value)?.pack(value) ?? new Uint8Array());
} else {
  const bytes = readFileSync(file);
  const started = performance.now();
  const library = await load(kind, address);
  const contestant = library.make('plain', null);
  const loaded = performance.now();
  let result = contestant?.unpack(bytes);
  const first = performance.now();
  for (let i = 1; i < 20; i++) result = contestant?.unpack(bytes);
  const ended = performance.now();
  const { isSame } = await import('./_same.ts');
  const verified = isSame(result, await sample());
  console.log(JSON.stringify({ load: loaded - started, first: first - loaded, twenty: ended - loaded, verified }));
}
