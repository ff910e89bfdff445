// Ours for JavaScript: plain MessagePack.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: 'Polypack (JS)',
  format: 'msgpack',
  scenarios: EVERYTHING,
  kind: 'realistic',
  package: 'polypack',
  note: 'dates of lists stay text',
};

export async function make() {
  const { pack, unpack } = await import('polypack');
  return { serialize: pack, deserialize: unpack };
}
