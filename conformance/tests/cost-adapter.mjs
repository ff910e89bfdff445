// An adapter that answers what conformance/cost.mjs asks, and can be told to answer one input wrongly.
//
//   node cost-adapter.mjs [FAULT]

import { createInterface } from 'node:readline';
import { costInputs } from '../lib/cost-inputs.mjs';

const [fault = 'none'] = process.argv.slice(2);

const SPOILT = 'int keys, the last twice';

/** The errors by mode and bytes. @type {Map<string, object>} */
const errors = new Map();
for (const { name, mode, bytes, error, decoded } of costInputs()) {
  const isSpoilt = name === SPOILT;
  const wrong = {
    code: fault === 'wrong-code' ? 'limit_exceeded' : error.code,
    offset: fault === 'wrong-offset' ? 0 : error.offset,
  };
  if (!(isSpoilt && fault === 'accepts')) errors.set(`${mode} ${bytes.toString('hex')}`, isSpoilt ? wrong : error);
  if (isSpoilt && fault === 'refuses-twin') errors.set(`${mode} ${decoded.toString('hex')}`, error);
}

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (text) => {
  const { id, mode, bytes } = JSON.parse(text);
  const error = errors.get(`${mode} ${bytes}`) ?? null;
  const milliseconds = { first: 2, median: 1 };
  process.stdout.write(`${JSON.stringify({ id, milliseconds, bytes: 1000, error })}\n`);
});
