// JSON.stringify() and JSON.parse(), a floor: written in C++ beside the engine.
import { TEXT } from '../node-scenarios.mjs';

export const about = {
  name: 'JSON (JS)',
  format: 'json',
  scenarios: TEXT,
  kind: 'floor',
  note: 'bytes are UTF-8; dates stay text',
};

export function make() {
  return {
    /** @param {unknown[]} values */
    serialize: (values) => Buffer.from(JSON.stringify(values)),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
  };
}
