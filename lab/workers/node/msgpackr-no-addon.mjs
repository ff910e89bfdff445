// msgpackr without its addon, as it is where nobody can compile or load one: in JavaScript alone.
import { SELECTION, UNFRIENDLY } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr, no addon',
  format: 'msgpack',
  scenarios: [...SELECTION, ...UNFRIENDLY],
  kind: 'realistic',
  package: 'msgpackr',
  note: 'in JavaScript alone; dates of lists stay text',
};

export async function make() {
  process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED = 'true'; // msgpackr looks when it's loaded
  const { isNativeAccelerationEnabled, pack, unpack } = await import('msgpackr');
  if (isNativeAccelerationEnabled) throw new Error('msgpackr has loaded its addon all the same');
  return { serialize: pack, deserialize: unpack };
}
