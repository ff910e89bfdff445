// msgpackr with its addon, and shared records: a dictionary that both sides hold names the fields of an object.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr, shared records',
  format: 'shared records',
  scenarios: EVERYTHING,
  kind: 'realistic',
  package: 'msgpackr',
  note: 'with its addon in C; Packr with structures; dates of lists stay text',
};

export async function make() {
  const { Packr } = await import('msgpackr');
  const packr = new Packr({ structures: [] });
  return {
    /** @param {unknown[]} values */
    serialize: (values) => packr.pack(values),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => packr.unpack(bytes),
  };
}
