// Measures first use: a fresh process loads a library, then encodes or decodes its first messages.
//
// usage: first.js KIND ADDRESS OPERATION VALUES MESSAGES    prints {load, wall, cpu, verified}
//        first.js KIND ADDRESS write FOLDER OWN NAME…       writes FOLDER/NAME.values and OWN/NAME.messages
//
// Times are in milliseconds: of loading, and from there to the end of message number 1, 20 and so on.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Contestant, type Kind, load } from './_contestants.ts';
import { COUNTS, runFirst } from './_counted.ts';

const [kind, address = '', operation = '', values = '', messages = '', ...names] = process.argv.slice(2) as [
  Kind,
  ...string[],
];

interface Clock {
  readonly wall: number;
  readonly cpu: number;
}

/** Time of the clock, and of the processors with all threads. */
function now(): Clock {
  const wall = performance.now();
  const { user, system } = process.cpuUsage();
  return { wall, cpu: (user + system) / 1000 };
}

/** Bytes as a network delivers them: a Buffer with memory of its own. */
function received(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  return Buffer.from(new Uint8Array(bytes).buffer);
}

async function measure(): Promise<void> {
  const isPack = operation === 'pack';
  const list: string[] | unknown[] = JSON.parse(readFileSync(isPack ? values : messages, 'utf8'));
  const given = isPack ? list : (list as string[]).map(received);
  now();
  const started = now();
  const library = await load(kind, address);
  const contestant = library.make('plain', null) as Contestant;
  const loaded = now();
  const { times, results } = runFirst(contestant, isPack, given, now);
  // Loaded only now: it isn't part of what is measured.
  const { isSame } = await import('./_same.ts');
  const since = (clock: keyof Clock) =>
    Object.fromEntries(COUNTS.map((n, i) => [n, (times[i]?.[clock] ?? 0) - loaded[clock]]));
  const loading = { wall: loaded.wall - started.wall, cpu: loaded.cpu - started.cpu };
  const verified = isSame(results, isPack ? given : JSON.parse(readFileSync(values, 'utf8')));
  console.log(JSON.stringify({ load: loading, wall: since('wall'), cpu: since('cpu'), verified }));
}

/** Writes the values, and the messages as this library encodes them. */
async function write(folder: string, own: string): Promise<void> {
  const { firstMessages } = await import('./_first.ts');
  const contestant = (await load(kind, address)).make('plain', null) as Contestant;
  mkdirSync(own, { recursive: true });
  for (const { name, values } of firstMessages(names)) {
    const bytes = values.map((value) => Buffer.from(contestant.pack(value)).toString('base64'));
    writeFileSync(path.join(folder, `${name}.values`), JSON.stringify(values));
    writeFileSync(path.join(own, `${name}.messages`), JSON.stringify(bytes));
  }
}

await (operation === 'write' ? write(values, messages) : measure());
