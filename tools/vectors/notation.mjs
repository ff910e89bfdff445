// The notation of bytes in the vectors (vectors/README.md): hex bytes separated by spaces, `61*300` and `(c4 00)*20`.

const TOKEN = /^(?:([0-9a-f]{2})|\(([0-9a-f]{2}(?: [0-9a-f]{2})*)\))(?:\*([1-9][0-9]*))?$/;
const SHORTEST_RUN = 8; // fewer equal bytes are read more easily written out
const LONGEST_GROUP = 16;
const SHORTEST_GROUP_RUN = 5;

/**
 * Reads bytes from their notation.
 *
 * @param {string} text
 * @returns {Uint8Array}
 * @throws {Error} at the first token that is not of the notation
 */
export function readBytes(text) {
  const tokens = text.match(/\([^)]*\)\S*|\S+/g) ?? [];
  const parts = tokens.map((token) => {
    const match = TOKEN.exec(token);
    if (!match)
      throw new Error(`cannot read "${token}" of "${text.slice(0, 60)}"; write hex bytes, 61*300 or (c4 00)*20`);
    const group = Buffer.from((match[1] ?? match[2] ?? '').replaceAll(' ', ''), 'hex');
    return Buffer.alloc(group.length * Number(match[3] ?? 1), group);
  });
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * Writes bytes in the notation, long repetitions shortened.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function writeBytes(bytes) {
  const byte = (/** @type {number} */ value) => value.toString(16).padStart(2, '0');
  /** @type {string[]} */
  const tokens = [];
  let at = 0;
  while (at < bytes.length) {
    const { period, count } = repetitionAt(bytes, at);
    const group = [...bytes.subarray(at, at + period)].map(byte).join(' ');
    tokens.push(count === 1 ? group : period === 1 ? `${group}*${count}` : `(${group})*${count}`);
    at += period * count;
  }
  return tokens.join(' ');
}

/**
 * The repetition worth shortening at an offset; `{period: 1, count: 1}` when there is none.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function repetitionAt(bytes, at) {
  for (let period = 1; period <= LONGEST_GROUP; period++) {
    let end = at + period;
    while (end < bytes.length && bytes[end] === bytes[end - period]) end++;
    const count = Math.floor((end - at) / period);
    if (count >= (period === 1 ? SHORTEST_RUN : SHORTEST_GROUP_RUN)) return { period, count };
  }
  return { period: 1, count: 1 };
}
