// JSON.stringify() and JSON.parse() without Buffer: bytes are made and read by the coders of text that browsers have.
import { SELECTION_OF_TEXT } from '../node-scenarios.mjs';

export const about = {
  name: 'JSON (JS), browser',
  format: 'json',
  scenarios: SELECTION_OF_TEXT,
  kind: 'floor',
  note: 'TextEncoder, TextDecoder',
};

export function make() {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return {
    /** @param {unknown[]} values */
    serialize: (values) => encoder.encode(JSON.stringify(values)),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => JSON.parse(decoder.decode(bytes)),
  };
}
