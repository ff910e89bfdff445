// Packs and unpacks with the dictionary of a store, for tests/dictionaries.test.mjs: JavaScript.
//
// usage: node js.mjs file|redis PLACE header|plain. Answers one JSON object per line with one, in order:
//
// | request | answer |
// |---|---|
// | `{"op": "pack", "value": …}` | `{"bytes": hex}`: new shapes are published first |
// | `{"op": "unpack", "bytes": hex}` | `{"value": …}`, or `{"error": {code, offset, path}}` |
// | `{"op": "shapes"}` | `{"shapes": [["a"], …]}`: what the store has, as far as it is known here |

import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { Packr, PolypackError, Unpackr } from 'polypack';
import { SharedStructures } from 'polypack/stores';
import { FileStore } from 'polypack/stores/file';
import { RedisStore } from 'polypack/stores/redis';

const [kind = '', place = '', header = ''] = process.argv.slice(2);
const fingerprint = header === 'header';
const redis = kind === 'redis' ? new Redis({ path: place }) : null;
const store = redis === null ? new FileStore(place, { lockTimeout: 120_000 }) : new RedisStore(redis, 'dictionary');
const shared = await SharedStructures.open(store, { maxSharedStructures: 1000 });
const packr = new Packr({ structures: shared, fingerprint });
const unpackr = new Unpackr({ structures: shared, fingerprint });

/** @param {{op: string, value?: unknown, bytes?: string}} request @returns {Promise<Record<string, unknown>>} */
async function answer({ op, value, bytes = '' }) {
  if (op === 'pack') {
    packr.pack(value); // proposes what is new
    await shared.publish();
    return { bytes: Buffer.from(packr.pack(value)).toString('hex') };
  }
  if (op === 'unpack') return unpack(Buffer.from(bytes, 'hex'));
  return { shapes: shared.structures };
}

/** @param {Uint8Array} bytes */
async function unpack(bytes) {
  try {
    return { value: unpackr.unpack(bytes) };
  } catch {
    await shared.refresh(); // for ids, and for fingerprints, that are newer
  }
  try {
    return { value: unpackr.unpack(bytes) };
  } catch (error) {
    if (!(error instanceof PolypackError)) throw error;
    return { error: { code: error.code, offset: error.offset, path: error.path } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
redis?.disconnect();
