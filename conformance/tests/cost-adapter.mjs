// An adapter that answers what conformance/cost.mjs asks, and can be told to answer wrongly or to need too much.
//
//   node cost-adapter.mjs [FAULT]

import { createInterface } from 'node:readline';
import { costInputs } from '../lib/cost-inputs.mjs';

const [fault = 'none'] = process.argv.slice(2);

const SPOILT = 'int keys, the last twice';

/** The errors by mode and bytes. @type {Map<string, object>} */
const errors = new Map();

function prepare() {
  for (const { name, mode, bytes, error, decoded } of costInputs()) {
    const isSpoilt = name === SPOILT;
    const wrong = {
      code: fault === 'wrong-code' ? 'limit_exceeded' : error.code,
      offset: fault === 'wrong-offset' ? 0 : error.offset,
    };
    if (!(isSpoilt && fault === 'accepts')) errors.set(`${mode} ${bytes.toString('hex')}`, isSpoilt ? wrong : error);
    if (isSpoilt && fault === 'refuses-twin') errors.set(`${mode} ${decoded.toString('hex')}`, error);
  }
}

/** The doors of the fuzzer of costs, and what the message of a fault needs beyond others, per byte. */
const DOORS = [{ name: 'plain' }, { name: 'records', records: 'inline' }];
/** @type {Record<string, object>} */
const NEEDS = {
  retains: { retained: 5000 },
  allocates: { bytes: 5000 },
  resides: { resident: 50_000 },
  computes: { cpu: 1 },
};
const EXPENSIVE = /81a3393939/;

/** @param {string} bytes */
function costOf(bytes) {
  const length = bytes.length / 2;
  const cost = { cpu: length / 1e5, bytes: 20 * length, retained: 10 * length, resident: 0 };
  if (!EXPENSIVE.test(bytes)) return cost;
  if (fault === 'dies') process.exit(3);
  const needs = Object.entries(NEEDS[fault] ?? {}).map(([what, perByte]) => [what, perByte * length]);
  return { ...cost, ...Object.fromEntries(needs) };
}

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (text) => {
  const { id, op, mode, door, bytes } = JSON.parse(text);
  if (mode !== undefined && errors.size === 0) prepare();
  const error = errors.get(`${mode} ${bytes}`) ?? null;
  const milliseconds = { first: 2, median: 1 };
  const answer =
    op === 'doors' ? { doors: DOORS } : door ? { ...costOf(bytes), error } : { milliseconds, bytes: 1000, error };
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
});
