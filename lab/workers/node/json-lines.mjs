// A stream as lines of JSON, a floor: JSON.stringify() and JSON.parse(), with bytes made of text and text of bytes.
import { STREAMS } from '../node-scenarios.mjs';
import { chunksOf } from '../node-streams.mjs';

export const about = {
  name: 'NDJSON (JS)',
  format: 'ndjson',
  scenarios: STREAMS,
  kind: 'floor',
  note: 'a line of JSON for each message; dates stay text',
};

/** @param {string} scenario */
export function make(scenario) {
  return {
    /** @param {unknown[]} values */
    serialize: (values) => Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')),
    /** @param {Uint8Array} bytes */
    deserialize: (bytes) => {
      const decoder = new TextDecoder();
      const values = [];
      let rest = '';
      for (const chunk of chunksOf(bytes, scenario)) {
        const text = decoder.decode(chunk, { stream: true });
        rest += text;
        if (!text.includes('\n')) continue;
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) values.push(JSON.parse(line));
      }
      return values;
    },
  };
}
