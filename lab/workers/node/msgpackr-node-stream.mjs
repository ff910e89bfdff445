// msgpackr with its addon, through Node's streams: PackrStream and UnpackrStream, which declare a record once for all
// messages.
import { STREAMS_OF_SHORT_MESSAGES } from '../node-scenarios.mjs';
import { chunksOf, through } from '../node-streams.mjs';

export const about = {
  name: 'msgpackr, Node stream',
  format: 'records',
  scenarios: STREAMS_OF_SHORT_MESSAGES,
  kind: 'realistic',
  state: 'made per call',
  package: 'msgpackr',
  isAsync: true,
  note: 'with its addon in C; PackrStream, UnpackrStream; dates stay text',
};

/** @param {string} scenario */
export async function make(scenario) {
  const { PackrStream, UnpackrStream } = await import('msgpackr');
  return {
    /** @param {unknown[]} values */
    serialize: async (values) => Buffer.concat(await through(values, new PackrStream())),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => through(chunksOf(bytes, scenario), new UnpackrStream()),
  };
}
