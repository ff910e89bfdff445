// Ours for JavaScript, the compact codec: slower, and less than a quarter of the bytes in a bundle.
import { SELECTION } from '../node-scenarios.mjs';

export const about = {
  name: 'Polypack (JS), compact',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'polypack',
  note: 'polypack/compact; dates of lists stay text',
};

export async function make() {
  const { pack, unpack } = await import('polypack/compact');
  return { serialize: pack, deserialize: unpack };
}
