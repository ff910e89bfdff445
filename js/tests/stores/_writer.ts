// A process that writes with shared structures of a store, for stores.test.ts, and may crash in the middle of it.
//
// Arguments: file|redis, the path of the file or of the server's socket, a log, a seed, and after how many steps in
// the store it kills itself; 0 for never. To the log it adds a line of JSON for each message, and for the structures
// after each publication.

import { appendFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { Redis } from 'ioredis';
import { Packr } from 'polypack';
import { SharedStructures, type StructureStore } from 'polypack/stores';
import { FileStore } from 'polypack/stores/file';
import { RedisStore } from 'polypack/stores/redis';

const [kind = '', place = '', log = '', seed = '1', crashAfter = '0'] = process.argv.slice(2);
const ROUNDS = 12;
const SHAPES = 40;

let left = Number(crashAfter);
function step(): void {
  left--;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

/** Calls a method of the file system, and counts the steps before and after it. */
function counting<A extends unknown[], R>(method: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    step();
    const result = await method(...args);
    step();
    return result;
  };
}

let close = () => {};

function storeOf(): StructureStore {
  if (kind === 'file') {
    for (const name of ['link', 'unlink', 'rename', 'open', 'writeFile', 'readdir'] as const) {
      (fs as unknown as Record<string, unknown>)[name] = counting(fs[name] as (...args: unknown[]) => Promise<unknown>);
    }
    return new FileStore(place, { lockTimeout: 600_000, staleAfter: 600_000 });
  }
  const client = new Redis({ path: place, maxRetriesPerRequest: 5, connectTimeout: 600_000 });
  close = () => client.disconnect();
  return new RedisStore(async (script, keys, values) => {
    step();
    const reply = client.eval(script, keys.length, ...keys, ...values);
    setImmediate(step); // it is sent, and the answer is not there
    const answer = await reply;
    step();
    return answer;
  }, 'structures');
}

let state = Number(seed) * 2654435761;
function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function row(): object {
  const number = random(SHAPES);
  return number % 2 === 0 ? { [`f${number}`]: random(200) } : { [`f${number}`]: random(200), common: { deep: number } };
}

const shared = await SharedStructures.open(storeOf(), { maxSharedStructures: 36 });
const packr = new Packr({ structures: shared });
for (let round = 0; round < ROUNDS; round++) {
  const value = Array.from({ length: 3 }, row);
  const bytes = Buffer.from(packr.pack(value)).toString('hex');
  appendFileSync(log, `${JSON.stringify({ value, bytes })}\n`);
  if (round % 2 === 1) {
    await shared.publish();
    appendFileSync(log, `${JSON.stringify({ structures: shared.structures })}\n`);
  }
}
close();
