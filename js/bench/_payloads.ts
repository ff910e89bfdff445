// Payloads of the bench, made by a formula, so that every run and every reader has the same.

import { deserialize, serialize } from 'node:v8';

export interface Workload {
  readonly name: string;
  readonly value: unknown;
  /** Whether JSON keeps the value as it is; otherwise it takes no part. */
  readonly isJson: boolean;
}

const WORDS =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu Ångström façade naïve 東京 Москва'.split(' ');

/** Numbers 0 … 1 that are the same in every run. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return ((state >>> 8) & 0xffffff) / 0x1000000;
  };
}

/** Rows of one shape, as an API lists them. */
function rows(count: number): unknown {
  const next = sequence();
  const word = () => WORDS[Math.floor(next() * WORDS.length)] ?? '';
  return Array.from({ length: count }, (_, i) => ({
    id: 100_000 + i,
    name: `${word()} ${word()}`,
    email: `user${i}@example.org`,
    active: next() < 0.7,
    score: Math.round(next() * 10_000) / 100,
    created: 1_700_000_000_000 + Math.floor(next() * 1e9),
    tags: Array.from({ length: Math.floor(next() * 4) }, word),
    address: { street: `${word()} ${Math.floor(next() * 200)}`, city: word(), zip: String(10_000 + i) },
    parent: next() < 0.2 ? null : i >> 1,
  }));
}

/** A tree of many shapes, as a configuration is. */
function tree(depth: number, next: () => number): unknown {
  const object: Record<string, unknown> = {};
  const count = 3 + Math.floor(next() * 6);
  for (let i = 0; i < count; i++) {
    const name = `${WORDS[Math.floor(next() * 12)]}${Math.floor(next() * 10)}`;
    if (depth > 0 && next() < 0.5) object[name] = tree(depth - 1, next);
    else object[name] = [next() < 0.5, Math.floor(next() * 100_000), `${name} value`, null][Math.floor(next() * 4)];
  }
  return object;
}

/** Series of floats with times and raw bytes. */
function telemetry(count: number): unknown {
  const next = sequence();
  return Array.from({ length: count }, (_, i) => ({
    sensor: `s${i % 16}`,
    at: new Date(1_700_000_000_000 + i * 1000),
    values: Array.from({ length: 32 }, () => next() * 200 - 100),
    raw: Uint8Array.from({ length: 64 }, () => Math.floor(next() * 256)),
  }));
}

/** The workloads. Every string is flat, as decoded or received text is; built strings are ropes that cost extra once. */
export function workloads(): Workload[] {
  const flat = (value: unknown) => deserialize(serialize(value));
  return [
    { name: 'rows', value: flat(rows(300)), isJson: true },
    { name: 'tree', value: flat(tree(5, sequence())), isJson: true },
    { name: 'telemetry', value: flat(telemetry(100)), isJson: false },
  ];
}
