/**
 * The relay's driver for JavaScript. The protocol is described in demo/lib/drivers.mjs: one JSON object per
 * line in each direction.
 *
 * Plan of the file: the loop · answers · trips.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { canonicalize, Packr, pack, Unpackr, unpack } from 'polypack';

/** @typedef {import('../../lib/drivers.mjs').DriverRequest & { id: number }} Request */

const packr = new Packr({ mode: 'lossless', records: 'off' });
const unpackr = new Unpackr({ mode: 'lossless', records: 'off' });
const recordPackr = new Packr({ mode: 'lossless', records: 'inline' });

for await (const line of createInterface({ input: process.stdin })) {
  /** @type {Request} */
  const request = JSON.parse(line);
  let given;
  try {
    given = answer(request);
  } catch (failure) {
    given = { error: describe(failure) };
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...given })}\n`);
}

/**
 * @param {Request} request
 * @returns {object}
 */
function answer(request) {
  switch (request.op) {
    case 'hello':
      return { language: `Node ${process.versions.node}` };
    case 'relay':
      return relay(readFileSync(request.in), request.out, request.repeat);
    case 'canonical':
      writeFileSync(request.out, canonicalize(readFileSync(request.in)));
      return {};
    case 'records':
      writeFileSync(request.out, recordPackr.pack(unpackr.unpack(readFileSync(request.in))));
      return {};
    case 'trip':
      writeFileSync(request.out, trips(readFileSync(request.in), request.from, request.through));
      return {};
  }
}

/** @param {unknown} failure */
function describe(failure) {
  if (!(failure instanceof Error)) return { code: null, path: null, message: String(failure) };
  const { code = null, path = null } = /** @type {{ code?: string, path?: string }} */ (failure);
  return { code, path, message: failure.message };
}

/**
 * Decodes and encodes losslessly, several times; each step's time in milliseconds.
 *
 * @param {Uint8Array} bytes
 * @param {string} out
 * @param {number} repeat
 */
function relay(bytes, out, repeat) {
  /** @type {{ decode: number[], encode: number[] }} */
  const times = { decode: [], encode: [] };
  /** @type {Uint8Array} */
  let encoded = new Uint8Array(0);
  for (let i = 0; i < repeat; i++) {
    const start = performance.now();
    const value = unpackr.unpack(bytes);
    const middle = performance.now();
    encoded = packr.pack(value);
    times.decode.push(middle - start);
    times.encode.push(performance.now() - middle);
  }
  writeFileSync(out, encoded);
  return times;
}

/**
 * Takes every frame through the trip, and gives a result frame for each.
 *
 * @param {Buffer} frames
 * @param {'json' | 'msgpack'} from
 * @param {'json' | 'msgpack'} through
 */
function trips(frames, from, through) {
  const out = [];
  for (let offset = 0; offset < frames.length; ) {
    const end = offset + 4 + frames.readUInt32BE(offset);
    const head = Buffer.alloc(5);
    let result;
    try {
      result = trip(frames.subarray(offset + 4, end), from, through);
    } catch (refusal) {
      head[0] = 1;
      result = Buffer.from(refusal instanceof Error ? refusal.message : String(refusal));
    }
    head.writeUInt32BE(result.length, 1);
    out.push(head, result);
    offset = end;
  }
  return Buffer.concat(out);
}

/**
 * What JavaScript programs do: JSON.parse and JSON.stringify, MessagePack without options.
 *
 * @param {Buffer} bytes
 * @param {'json' | 'msgpack'} from
 * @param {'json' | 'msgpack'} through
 * @returns {Uint8Array}
 */
function trip(bytes, from, through) {
  const value = from === 'json' ? JSON.parse(bytes.toString()) : unpack(bytes);
  if (through === 'json') return Buffer.from(JSON.stringify(JSON.parse(JSON.stringify(value))));
  return pack(unpack(pack(value)));
}
