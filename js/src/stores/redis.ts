// Shared structures under a key of Redis: polypack/stores/redis.
//
// Plan: RedisClient, the kinds of clients · RedisStore · scripts.
//
// The key holds the bytes of the structures, so that every language can read them. Clients and scripts exchange these
// bytes as hexadecimal digits, because clients handle binary replies differently, but all of them handle text. Redis
// runs a script atomically, so a script can compare and set.

import type { Bytes } from '../index.ts';
import type { StructureStore } from './store.ts';

/** A client like ioredis. */
export interface IoRedisClient {
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  defineCommand(name: string, definition: never): unknown;
}

/** A connected client like node-redis (`redis`, `@redis/client`). */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Runs a Lua script in Redis. */
export type RedisEval = (script: string, keys: string[], values: string[]) => Promise<unknown>;

/** A client of ioredis or node-redis, or a function that runs a script with any other client. */
export type RedisClient = IoRedisClient | NodeRedisClient | RedisEval;

/** Keeps structures under one key of Redis. The key must never expire or be evicted. */
export class RedisStore implements StructureStore {
  readonly #key: string;
  readonly #eval: RedisEval;

  /**
   * @param client the client to use; the store never closes it
   * @throws TypeError for an invalid key or client
   */
  constructor(client: RedisClient, key: string) {
    if (typeof key !== 'string' || key === '') throw new TypeError('the key must be a string that is not empty');
    this.#key = key;
    this.#eval = evalOf(client);
  }

  async load(): Promise<Bytes | null> {
    const reply = await this.#eval(LOAD, [this.#key], []);
    if (reply === null || reply === undefined) return null;
    return bytesOf(String(reply));
  }

  async replace(expected: Uint8Array | null, next: Uint8Array): Promise<boolean> {
    const before = expected === null ? NOTHING : hexOf(expected);
    return Number(await this.#eval(REPLACE, [this.#key], [before, hexOf(next)])) === 1;
  }
}

function evalOf(client: RedisClient): RedisEval {
  if (typeof client === 'function') return client;
  if (typeof client?.eval !== 'function') throw new TypeError('the client must have a method eval, or be a function');
  if ('defineCommand' in client) return (script, keys, values) => client.eval(script, keys.length, ...keys, ...values);
  return (script, keys, values) => client.eval(script, { keys, arguments: values });
}

// --- scripts ---------------------------------------------------------------------------------------------------------

/** The argument of REPLACE that stands for a missing key. */
const NOTHING = '-';

const HEX = `local function hex(bytes)
  return (bytes:gsub('.', function(byte) return string.format('%02x', byte:byte()) end))
end
local kept = redis.call('GET', KEYS[1])
`;

const LOAD = `${HEX}return kept and hex(kept)`;

const REPLACE = `${HEX}if (kept and hex(kept) or '${NOTHING}') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], (ARGV[2]:gsub('..', function(digits) return string.char(tonumber(digits, 16)) end)))
return 1`;

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Bytes {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}
