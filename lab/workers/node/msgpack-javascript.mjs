// @msgpack/msgpack: one Encoder and Decoder for all calls, as its manual says.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: '@msgpack/msgpack',
  format: 'msgpack',
  scenarios: EVERYTHING,
  kind: 'realistic',
  package: '@msgpack/msgpack',
  note: 'dates of lists stay text',
};

export async function make() {
  const { Decoder, Encoder } = await import('@msgpack/msgpack');
  const [encoder, decoder] = [new Encoder(), new Decoder()];
  return {
    /** @param {unknown[]} values */
    serialize: (values) => encoder.encode(values),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => decoder.decode(bytes),
  };
}
