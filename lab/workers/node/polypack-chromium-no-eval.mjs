// Ours for JavaScript, in a page whose policy lets no string become code.
import { SELECTION } from '../node-scenarios.mjs';

export { make } from './polypack.mjs';

export const about = {
  name: 'Polypack (JS), Chromium no eval',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'polypack',
  page: 'no eval',
  note: 'in a page of a headless Chromium, by the time of day',
};
