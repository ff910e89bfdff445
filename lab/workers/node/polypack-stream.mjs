// Ours for JavaScript, a stream of messages: a StreamDecoder takes each chunk as it arrives.
import { STREAMS } from '../node-scenarios.mjs';
import { chunksOf } from '../node-streams.mjs';

export const about = {
  name: 'Polypack (JS), stream',
  format: 'msgpack',
  scenarios: STREAMS,
  kind: 'realistic',
  state: 'made per call',
  package: 'polypack',
  note: 'StreamDecoder; dates stay text',
};

/** @param {string} scenario */
export async function make(scenario) {
  const { pack, StreamDecoder } = await import('polypack');
  return {
    /** @param {unknown[]} values */
    serialize: (values) => Buffer.concat(values.map((value) => pack(value))),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => {
      const stream = new StreamDecoder();
      const values = [];
      for (const chunk of chunksOf(bytes, scenario)) {
        for (const value of stream.push(chunk)) values.push(value);
      }
      stream.finish();
      return values;
    },
  };
}
