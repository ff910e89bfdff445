// msgpackr, in a page of a browser.
import { SELECTION } from '../node-scenarios.mjs';

export { make } from './msgpackr.mjs';

export const about = {
  name: 'msgpackr, Chromium',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'msgpackr',
  page: 'eval',
  note: 'in a page of a headless Chromium, by the time of day',
};
