// JSON.stringify() and JSON.parse(), in a page of a browser.
import { SELECTION_OF_TEXT } from '../node-scenarios.mjs';

export { make } from './json-browser.mjs';

export const about = {
  name: 'JSON (JS), Chromium',
  format: 'json',
  scenarios: SELECTION_OF_TEXT,
  kind: 'floor',
  page: 'eval',
  note: 'in a page of a headless Chromium, by the time of day',
};
