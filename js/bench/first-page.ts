// Measures first use in a page: js/tools/bench-first-page.mjs opens a fresh one for each sample.

import { type Kind, wrap } from './_contestants.ts';
import { COUNTS, runFirst } from './_counted.ts';
import { isSame } from './_same.ts';

const jsonOf = async (path: string) => (await fetch(path)).json() as Promise<unknown[]>;

/** Bytes as a network delivers them: a Uint8Array with memory of its own. */
function received(base64: unknown): Uint8Array {
  return Uint8Array.from(atob(base64 as string), (character) => character.charCodeAt(0));
}

/** Loads the library, if there is a file to load, and measures its first messages. */
async function measure(kind: Kind, isPack: boolean): Promise<object> {
  // The clock of other pages has steps of 100 µs, in which some libraries read several messages.
  if (Reflect.get(globalThis, 'crossOriginIsolated') !== true) throw new Error('the page is not isolated');
  const values = await jsonOf('/values.json');
  const given = isPack ? values : (await jsonOf('/messages.json')).map(received);
  const file = '/library.js';
  const now = () => performance.now();
  now();
  const started = now();
  const contestant = wrap(kind, kind === 'JSON' ? null : await import(file)).make('plain', null);
  if (contestant === null) throw new Error(`${kind} has no plain form`);
  const loaded = now();
  const { times, results } = runFirst(contestant, isPack, given, now);
  const wall = Object.fromEntries(COUNTS.map((count, index) => [count, (times[index] ?? 0) - loaded]));
  return { load: { wall: loaded - started }, wall, verified: isSame(results, values) };
}

export async function report(kind: Kind, isPack: boolean): Promise<void> {
  const answer = await measure(kind, isPack).catch((error: unknown) => ({ fault: String(error) }));
  await fetch('/done', { method: 'POST', body: JSON.stringify(answer) });
}
