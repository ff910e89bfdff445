// msgpackr with its addon and records: each message names the fields of an object once.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr, records',
  format: 'records',
  scenarios: EVERYTHING,
  kind: 'realistic',
  package: 'msgpackr',
  note: 'with its addon in C; Packr; dates of lists stay text',
};

export async function make() {
  const { Packr } = await import('msgpackr');
  const packr = new Packr();
  return {
    /** @param {unknown[]} values */
    serialize: (values) => packr.pack(values),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => packr.unpack(bytes),
  };
}
