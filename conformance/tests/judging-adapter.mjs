// An adapter that asks the judge of tools/vectors and can be told to answer wrongly, so that the
// fuzzer itself is tested.
//
//   node judging-adapter.mjs [FAULT]

import { createInterface } from 'node:readline';
import { judge } from '../../tools/vectors/judge.mjs';
import { judgeStream, LanguagesDiffer } from '../../tools/vectors/stream.mjs';
import { canonical } from '../lib/values.mjs';

const [, , fault = 'none'] = process.argv;

/** @param {string} hex */
const fromHex = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));

/**
 * Faults as data: each changes a right answer.
 *
 * @type {Record<string, (answer: Record<string, any>, request: Record<string, any>) => object>}
 */
const FAULTS = {
  none: (answer) => answer,
  'accepts-reserved': (answer) => (answer.error?.code === 'reserved_byte' ? { value: { nil: true } } : answer),
  crash: (answer) => (answer.error?.code === 'reserved_byte' ? process.exit(3) : answer),
};

/** @param {Record<string, any>} request */
function answer({ op, bytes, chunks, ...options }) {
  if (op === 'stream') return stream(chunks.map(fromHex), options);
  const judgement = judge(fromHex(bytes), options);
  if ('error' in judgement) return judgement;
  if ('varies' in judgement) return { value: { nil: true } };
  const form = canonical(judgement.value);
  if (op === 'isCanonical') return { departure: departure(bytes, form) };
  return op === 'decode' ? judgement : { bytes: form };
}

/** @param {Uint8Array[]} chunks @param {object} options */
function stream(chunks, options) {
  try {
    return judgeStream(chunks, options);
  } catch (error) {
    if (!(error instanceof LanguagesDiffer)) throw error;
    return { values: [], error: null };
  }
}

/** @param {string} bytes @param {string} form */
function departure(bytes, form) {
  if (bytes === form) return null;
  return [...bytes].findIndex((digit, index) => digit !== form[index]) >> 1;
}

const spoil = FAULTS[fault];
if (spoil === undefined) throw new Error(`no fault ${fault}; there are ${Object.keys(FAULTS).join(', ')}`);

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const request = JSON.parse(line);
  const { id, ...asked } = request;
  process.stdout.write(`${JSON.stringify({ id, ...spoil(answer(asked), asked) })}\n`);
});
