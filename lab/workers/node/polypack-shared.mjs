// Ours for JavaScript, with shared records: a dictionary that both sides hold names the fields of an object.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: 'Polypack (JS), shared records',
  format: 'shared records',
  scenarios: EVERYTHING,
  kind: 'realistic',
  package: 'polypack',
  note: 'Packr with structures; dates of lists stay text',
};

export async function make() {
  const { Packr } = await import('polypack');
  const packr = new Packr({ structures: [] });
  return {
    /** @param {unknown[]} values */
    serialize: (values) => packr.pack(values),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => packr.unpack(bytes),
  };
}
