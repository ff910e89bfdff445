// Ours for JavaScript, in a page of a browser.
import { SELECTION } from '../node-scenarios.mjs';

export { make } from './polypack.mjs';

export const about = {
  name: 'Polypack (JS), Chromium',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'polypack',
  page: 'eval',
  note: 'in a page of a headless Chromium, by the time of day',
};
