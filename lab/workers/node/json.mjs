// JSON.stringify() and JSON.parse(), a floor: written in C++ beside the engine.
import { EVERYTHING } from '../node-scenarios.mjs';

export const about = {
  name: 'JSON (JS)',
  format: 'json',
  scenarios: EVERYTHING,
  kind: 'floor',
  note: 'dates stay text',
};

export function make() {
  return {
    /** @param {unknown[]} values */
    serialize: (values) => JSON.stringify(values),
    /** @param {string} bytes */
    deserialize: (bytes) => JSON.parse(bytes),
  };
}
