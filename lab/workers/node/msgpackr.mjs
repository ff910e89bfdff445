// msgpackr with its addon: plain MessagePack, as ours.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr',
  format: 'msgpack',
  scenarios: EVERYTHING,
  kind: 'realistic',
  package: 'msgpackr',
  note: 'with its addon in C; dates of lists stay text',
};

export async function make() {
  const { pack, unpack } = await import('msgpackr');
  return { serialize: pack, deserialize: unpack };
}
