// msgpackr with its addon, a stream of messages: decodeIter takes each chunk as it arrives.
import { STREAMS_OF_SHORT_MESSAGES } from '../node-scenarios.mjs';
import { chunksOf } from '../node-streams.mjs';

export const about = {
  name: 'msgpackr, stream',
  format: 'msgpack',
  scenarios: STREAMS_OF_SHORT_MESSAGES,
  kind: 'realistic',
  state: 'made per call',
  package: 'msgpackr',
  note: 'with its addon in C; decodeIter; dates stay text',
};

/** @param {string} scenario */
export async function make(scenario) {
  const { decodeIter, pack } = await import('msgpackr');
  const read = /** @type {(chunks: Iterable<Buffer>, options: object) => Iterable<unknown>} */ (
    /** @type {unknown} */ (decodeIter)
  );
  return {
    /** @param {unknown[]} values */
    serialize: (values) => Buffer.concat(values.map((value) => pack(value))),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => [...read(chunksOf(bytes, scenario), { useRecords: false })],
  };
}
