// @msgpack/msgpack, a stream of messages: its Decoder awaits each chunk, as there's no other way to give it chunks.
import { STREAMS } from '../node-scenarios.mjs';
import { arriving } from '../node-streams.mjs';

export const about = {
  name: '@msgpack/msgpack, stream',
  format: 'msgpack',
  scenarios: STREAMS,
  kind: 'realistic',
  package: '@msgpack/msgpack',
  isAsync: true,
  note: 'decodeStream(), which awaits; dates stay text',
};

/** @param {string} scenario */
export async function make(scenario) {
  const { Decoder, Encoder } = await import('@msgpack/msgpack');
  const [encoder, decoder] = [new Encoder(), new Decoder()];
  return {
    /** @param {unknown[]} values */
    serialize: (values) => Buffer.concat(values.map((value) => encoder.encode(value))),
    /** @param {Uint8Array} bytes */
    deserialize: async (bytes) => {
      const values = [];
      for await (const value of decoder.decodeStream(arriving(bytes, scenario))) values.push(value);
      return values;
    },
  };
}
