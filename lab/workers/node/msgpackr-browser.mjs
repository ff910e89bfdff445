// msgpackr, the build that bundlers take for browsers, in a Node without Buffer.
import { fileOf, withoutBuffer } from '../node-hosts.mjs';
import { SELECTION } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr, browser',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'msgpackr',
  note: 'the build for browsers, in a Node without Buffer',
};

export async function make() {
  const { pack, unpack } = await withoutBuffer(() => import(fileOf('msgpackr', '../index.js')));
  return { serialize: pack, deserialize: unpack };
}
