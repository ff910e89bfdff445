// msgpackr with its addon, a stream of messages: decodeIter takes each chunk as it arrives.
import { STREAMS } from '../node-scenarios.mjs';
import { chunksOf } from '../node-streams.mjs';

export const about = {
  name: 'msgpackr, stream',
  format: 'msgpack',
  scenarios: STREAMS,
  kind: 'realistic',
  state: 'made per call',
  package: 'msgpackr',
  note: 'with its addon in C; decodeIter; dates stay text',
};

export async function make() {
  const { decodeIter, pack } = await import('msgpackr');
  const read = /** @type {(chunks: Iterable<Buffer>, options: object) => Iterable<unknown>} */ (
    /** @type {unknown} */ (decodeIter)
  );
  return {
    /** @param {unknown[]} values */
    serialize: (values) => Buffer.concat(values.map((value) => pack(value))),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => [...read(chunksOf(bytes), { useRecords: false })],
  };
}
