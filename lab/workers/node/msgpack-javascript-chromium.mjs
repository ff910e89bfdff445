// @msgpack/msgpack, in a page of a browser.
import { SELECTION } from '../node-scenarios.mjs';

export { make } from './msgpack-javascript.mjs';

export const about = {
  name: '@msgpack/msgpack, Chromium',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: '@msgpack/msgpack',
  page: 'eval',
  note: 'in a page of a headless Chromium, by the time of day',
};
