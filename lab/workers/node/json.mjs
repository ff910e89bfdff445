// JSON.stringify() and JSON.parse(), a floor: written in C++ beside the engine.
export const about = {
  name: 'JSON (JS)',
  format: 'json',
  scenarios: ['person', 'order', 'rows', 'countries'],
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
