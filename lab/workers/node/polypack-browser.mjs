// Ours for JavaScript, the build that bundlers take for browsers, in a Node without Buffer.
import { withoutBuffer } from '../node-hosts.mjs';
import { SELECTION } from '../node-scenarios.mjs';

export const about = {
  name: 'Polypack (JS), browser',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'polypack',
  note: 'the build for browsers, in a Node without Buffer',
};

export async function make() {
  const { pack, unpack } = await withoutBuffer(() => import('../../../js/dist/index.js'));
  return { serialize: pack, deserialize: unpack };
}
