// Measures one library in a process of its own, as tools/bench-js.mjs tells it to, line by line.
//
// Plan: streams · the conversation.
//
// usage: worker.js KIND ADDRESS FORM [--browser]     lines of JSON in and out; nobody starts it by hand

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { collect, type Form, type Kind, type Library, load, type Streams } from './_contestants.ts';
import { isSame } from './_same.ts';
import { type Cell, type Command, hasRun, received, Session } from './_session.ts';

const CHUNK = 16 * 1024;

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

function streamCell(library: Library, operation: string, value: unknown): Promise<Cell> | Cell | null {
  const isSequential = operation.endsWith('-sequential');
  const streams = isSequential ? library.sequential : library.streams;
  if (streams === null) return null;
  return operation.startsWith('stream-write')
    ? writeCell(streams, value as unknown[])
    : readCell(streams, value as unknown[]);
}

async function main([kind, address, form]: [Kind, string, Form], isBrowser: boolean): Promise<void> {
  const say = (message: object) => console.log(JSON.stringify(message));
  // Both libraries choose what they use of the host when they are loaded.
  if (isBrowser) Reflect.deleteProperty(globalThis, 'Buffer');
  const session = new Session(kind, await load(kind, address), form, streamCell);
  say(session.greeting);
  for await (const line of createInterface({ input: process.stdin })) {
    say(await session.obey(JSON.parse(line) as Command));
  }
  if (!hasRun()) process.exitCode = 1;
}

const args = process.argv.slice(2);
await main(args as [Kind, string, Form], args.includes('--browser'));
