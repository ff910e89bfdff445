// msgpackr with bundleStrings, which its manual recommends for browsers, in a page of one.
import { SELECTION } from '../node-scenarios.mjs';

export const about = {
  name: 'msgpackr bundled, Chromium',
  format: 'bundled strings',
  scenarios: SELECTION,
  kind: 'tuned',
  package: 'msgpackr',
  page: 'eval',
  note: 'bundleStrings, in a page of a headless Chromium, by the time of day',
};

export async function make() {
  const { Packr } = await import('msgpackr');
  const packr = new Packr({ bundleStrings: true, useRecords: false });
  return {
    /** @param {unknown[]} values */
    serialize: (values) => packr.pack(values),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => packr.unpack(bytes),
  };
}
