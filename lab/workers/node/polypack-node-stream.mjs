// Ours for JavaScript, through Node's streams: PackrStream and UnpackrStream, with records in each message.
import { STREAMS } from '../node-scenarios.mjs';
import { chunksOf, through } from '../node-streams.mjs';

export const about = {
  name: 'Polypack (JS), Node stream',
  format: 'records',
  scenarios: STREAMS,
  kind: 'realistic',
  state: 'made per call',
  package: 'polypack',
  isAsync: true,
  note: 'PackrStream, UnpackrStream; dates stay text',
};

/** @param {string} scenario */
export async function make(scenario) {
  const { PackrStream, UnpackrStream } = await import('polypack');
  return {
    /** @param {unknown[]} values */
    serialize: async (values) => Buffer.concat(await through(values, new PackrStream())),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => through(chunksOf(bytes, scenario), new UnpackrStream()),
  };
}
