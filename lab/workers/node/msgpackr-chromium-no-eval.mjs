// msgpackr, its build for pages whose policy lets no string become code.
import { SELECTION } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr, Chromium no eval',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'msgpackr',
  page: 'no eval',
  note: 'msgpackr/index-no-eval, in a page of a headless Chromium, by the time of day',
};

export async function make() {
  // @ts-expect-error msgpackr declares no types for it
  const { pack, unpack } = await import('msgpackr/index-no-eval');
  return { serialize: pack, deserialize: unpack };
}
