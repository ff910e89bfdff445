// An adapter that knows the answers by heart and can be told to answer wrongly, so that the judge itself is tested.
//
//   node fake-adapter.mjs VECTORS [FAULT]
//
// Plan of the file: the book of right answers · faults · the loop.

import { createInterface } from 'node:readline';
import { SIGNED } from '../lib/suites/snapshot.mjs';
import { canonical } from '../lib/values.mjs';
import { loadVectors } from '../lib/vectors.mjs';

const [folder = '', fault = 'none'] = process.argv.slice(2);

// --- the book --------------------------------------------------------------------------------------------------------

/** @type {Map<string, object>} */
const book = new Map();

/**
 * The line of a request in the book: what it asks, not how its bytes are cut.
 *
 * @param {Record<string, any>} request
 */
function lineOf({ op, mode = '', records = '', integralFloatsAsInts = '', bytes, value, chunks }) {
  return [op, mode, records, integralFloatsAsInts, bytes ?? chunks?.join('') ?? canonical(value)].join(' ');
}

/** @param {Record<string, unknown>} request @param {object} answer */
function note(request, answer) {
  book.set(lineOf(request), answer);
}

const MODES = ['default', 'strict', 'lossless'];
const vectors = loadVectors(folder);
for (const mode of MODES) {
  for (const records of [{}, { records: 'inline' }, { records: 'off' }]) {
    const value = { array: [{ int: '1' }, { str: 'a' }, { nil: true }] };
    note({ op: 'decode', mode, ...records, bytes: '9301a161c0' }, { value });
  }
}
for (const { value, canonical: shortest, also, options } of vectors.valid) {
  note({ op: 'encode', mode: 'lossless', ...options, value }, { bytes: shortest });
  for (const bytes of [shortest, ...also]) {
    for (const mode of MODES) note({ op: 'decode', mode, ...options, bytes }, { value });
    note({ op: 'transcode', mode: 'lossless', ...options, bytes }, { bytes: shortest });
    note({ op: 'canonical', ...options, bytes }, { bytes: shortest });
    note({ op: 'isCanonical', ...options, bytes }, { departure: departure(bytes, shortest) });
  }
}
for (const one of vectors.records) {
  if ('error' in one) {
    for (const mode of one.modes) note({ op: 'decode', mode, ...one.options, bytes: one.bytes }, { error: one.error });
  } else {
    const { bytes, value, options } = one;
    note({ op: 'decode', mode: 'lossless', ...options, bytes }, { value });
    note({ op: 'canonical', ...options, bytes }, { bytes: canonical(value) });
    note({ op: 'encode', mode: 'lossless', ...options, value }, { bytes });
  }
}
for (const { bytes, error, modes, options } of vectors.invalid) {
  for (const mode of modes) note({ op: 'decode', mode, ...options, bytes }, { error });
}
for (const { bytes, values, error, options } of vectors.stream) {
  note({ op: 'stream', mode: 'lossless', ...options, chunks: [bytes] }, { values, error });
}
for (const { bytes, options, outcome } of vectors.canonical) {
  if ('error' in outcome) {
    note({ op: 'canonical', ...options, bytes }, { error: { offset: null, ...outcome.error } });
    continue;
  }
  note({ op: 'canonical', ...options, bytes }, { bytes: outcome.canonical });
  note({ op: 'isCanonical', ...options, bytes }, { departure: outcome.departure });
  note({ op: 'isCanonical', ...options, bytes: outcome.canonical }, { departure: null });
}
for (const { value, error, modes, languages, options } of vectors.encode) {
  if (languages) continue;
  for (const mode of modes) note({ op: 'encode', mode, ...options, value }, { error });
}
for (const { room, bytes, outcome } of vectors.defaults) {
  const answer = 'error' in outcome ? outcome : { bytes: outcome.becomes };
  if (room === 'fake') note({ op: 'transcode', mode: 'default', bytes }, answer);
}
for (const { room, bytes, value, error } of vectors.snapshot) {
  const answer = error === undefined ? { value: value ?? SIGNED } : { error };
  note({ op: room === 'signed' ? 'unserializeSigned' : 'unserialize', bytes }, answer);
  note({ op: 'reserialize', bytes }, { bytes });
}

/** @param {string} bytes @param {string} shortest */
function departure(bytes, shortest) {
  if (bytes === shortest) return null;
  return [...bytes].findIndex((digit, index) => digit !== shortest[index]) >> 1;
}

// --- faults ----------------------------------------------------------------------------------------------------------

/** @param {Record<string, any>} request */
const isAboutInt5 = ({ bytes }) => bytes === '05';
/** @param {Record<string, any>} request */
const isAboutReserved = ({ bytes }) => bytes === 'c1';

/**
 * Whether a request transcodes any form of int 5.
 *
 * @param {Record<string, any>} request
 */
const isTranscodedInt5 = ({ op, mode, bytes }) =>
  op === 'transcode' && mode === 'lossless' && ['05', 'cc05', 'd30000000000000005'].includes(bytes);

let afterError = false;

/**
 * Each takes a request and its right answer, and gives a wrong answer: data, or text that is written as it is.
 *
 * @type {Record<string, (request: Record<string, any>, answer: Record<string, any>) => unknown>}
 */
const FAULTS = {
  none: (_, answer) => answer,
  'wrong-value': (request, answer) =>
    request.op === 'decode' && request.mode === 'lossless' && isAboutInt5(request) ? { value: { int: '6' } } : answer,
  'wrong-kind': (request, answer) =>
    request.op === 'decode' && isAboutInt5(request) ? { value: { float: '4014000000000000' } } : answer,
  'no-value': (request, answer) =>
    request.op === 'decode' && isAboutInt5(request) ? { value: { integer: 5 } } : answer,
  'deep-list': (request, answer) => deepAnswer(request, answer, '[', ']'),
  'deep-array': (request, answer) => deepAnswer(request, answer, '{"array":[', ']}'),
  'deep-map': (request, answer) => deepAnswer(request, answer, '{"map":[[{"nil":true},', ']]}'),
  'deep-reason': (request, answer) =>
    request.op === 'decode' && isAboutInt5(request) ? { unsupported: [{ toString: 'no reason' }] } : answer,
  'many-times': (request, answer) =>
    request.op === 'decode' && isAboutInt5(request) ? { value: { str: 'a', times: 2 ** 53 - 1 } } : answer,
  'empty-answer': (request, answer) => (request.op === 'decode' && isAboutInt5(request) ? {} : answer),
  'rejects-in-strict': (request, answer) =>
    request.mode === 'strict' && isAboutInt5(request)
      ? { error: { code: 'invalid_utf8', offset: 0, path: '' } }
      : answer,
  'wrong-code': (request, answer) => spoilError(request, answer, { code: 'unexpected_end' }),
  'wrong-offset': (request, answer) => spoilError(request, answer, { offset: 1 }),
  'wrong-path': (request, answer) => spoilError(request, answer, { path: '/0' }),
  'accepts-invalid': (request, answer) => (isAboutReserved(request) ? { value: { nil: true } } : answer),
  'broken-after-error': (_, answer) => {
    const wasBroken = afterError;
    afterError = 'error' in answer && answer.error !== null;
    return wasBroken && 'value' in answer ? { value: { nil: true } } : answer;
  },
  'long-head': (request, answer) => (request.op === 'encode' && answer.bytes === '05' ? { bytes: 'cc05' } : answer),
  lacks: (request, answer) => lacking(request, answer),
  'lacks-and-encodes-wrongly': (request, answer) =>
    request.op === 'encode' && answer.bytes === '05' ? { bytes: '06' } : lacking(request, answer),
  'wrong-encode': (request, answer) => (request.op === 'encode' && answer.bytes === '05' ? { bytes: '06' } : answer),
  'writes-equal-keys': (_, answer) => (answer.error?.code === 'duplicate_key' ? { bytes: '82' } : answer),
  'encode-error-with-offset': (request, answer) =>
    request.op === 'encode' && answer.error ? { error: { ...answer.error, offset: 0 } } : answer,
  'keeps-integral-floats': (request, answer) =>
    request.integralFloatsAsInts && 'bytes' in answer ? { bytes: request.bytes } : answer,
  'wrong-canonical': (request, answer) =>
    request.op === 'canonical' && request.bytes === '82a162c0a161c0' ? { bytes: request.bytes } : answer,
  'wrong-departure': (request, answer) =>
    request.op === 'isCanonical' && request.bytes === '82a162c0a161c0' ? { departure: 1 } : answer,
  'wrong-default': (request, answer) =>
    request.op === 'transcode' && request.bytes === '80' ? { bytes: '80' } : answer,
  'wrong-record': (request, answer) =>
    request.op === 'encode' && request.records === 'inline' ? { bytes: canonical(request.value) } : answer,
  'loses-at-cut': (request, answer) =>
    request.op === 'stream' && request.chunks.length === 2 && request.chunks[0].length === 6
      ? { ...answer, values: answer.values.slice(1) }
      : answer,
  'error-hides-message': (request, answer) =>
    request.op === 'stream' && answer.error ? { ...answer, values: [] } : answer,
  'long-transcode': (request, answer) => (isTranscodedInt5(request) ? { bytes: 'cc05' } : answer),
  'wrong-snapshot': (request, answer) =>
    request.op === 'unserialize' && answer.value ? { value: { int: '1' } } : answer,
  'wrong-snapshot-bytes': (request, answer) => (request.op === 'reserialize' ? { bytes: 'c1530100c0' } : answer),
  'wrong-snapshot-offset': (request, answer) =>
    request.op === 'unserialize' && answer.error ? { error: { ...answer.error, offset: 4 } } : answer,
  'verifies-all': (request, answer) =>
    request.op === 'unserializeSigned' && answer.error ? { value: SIGNED } : answer,
  'verifies-nothing': (request, answer) =>
    request.op === 'unserializeSigned' && answer.value
      ? { error: { code: 'invalid_signature', offset: 0, path: '' } }
      : answer,
  'wrong-transcode': (request, answer) => (isTranscodedInt5(request) ? { bytes: '96c0c3c0c3c0c3' } : answer),
  'refuses-transcode': (request, answer) =>
    isTranscodedInt5(request) ? { error: { code: 'out_of_range', offset: 0, path: '' } } : answer,
  unsupported: (request, answer) => (request.op === 'stream' ? { unsupported: 'no streams yet' } : answer),
  garbage: (request, answer) => (isAboutReserved(request) ? 'Warning: something happened\n' : answer),
  'wrong-id': (request, answer) => (isAboutReserved(request) ? '{"id": 0, "value": {"nil": true}}\n' : answer),
  'extra-line': (request, answer) =>
    request.op === 'hello' ? `${JSON.stringify({ id: request.id, ...answer })}\nhello\n` : answer,
  crash: (request, answer) => {
    if (isAboutReserved(request)) {
      process.stderr.write('fatal: out of luck\n');
      process.exit(3);
    }
    return answer;
  },
  hang: (request, answer) => {
    if (isAboutReserved(request)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return answer;
  },
  'crash-at-start': () => process.exit(4),
  'bad-exit': (_, answer) => answer,
  lingers: (_, answer) => answer,
  'one-mode': (request, answer) =>
    request.op === 'hello'
      ? { ...answer, modes: ['lossless'], ops: ['decode'], language: 'python', version: '7' }
      : request.op !== 'decode' || request.mode !== 'lossless' || request.records === 'inline' || request.limits
        ? { unsupported: 'it must not be asked' }
        : answer,
  'refuses-only': (_, answer) =>
    answer.error ? { ...answer, error: { code: 'refused', offset: null, path: '' } } : answer,
  'no-hello': (request, answer) => (request.op === 'hello' ? { unsupported: 'hello' } : answer),
  'wrong-name': (request, answer) => (request.op === 'hello' ? { ...answer, name: 'someone' } : answer),
};

/**
 * Answers with JSON that is nested too deep for a recursive reader.
 *
 * @param {Record<string, any>} request
 * @param {Record<string, any>} answer
 * @param {string} open
 * @param {string} close
 */
function deepAnswer({ id, op, bytes }, answer, open, close) {
  if (op !== 'decode' || !isAboutInt5({ bytes })) return answer;
  return `{"id": ${id}, "value": ${open.repeat(6000)}{"nil":true}${close.repeat(6000)}}\n`;
}

/**
 * Has no streams and no canonical form.
 *
 * @param {Record<string, any>} request
 * @param {Record<string, any>} answer
 */
function lacking(request, answer) {
  const lacked = ['canonical', 'isCanonical', 'stream'];
  if (request.op === 'hello') return { ...answer, ops: OPS.filter((op) => !lacked.includes(op)) };
  return lacked.includes(request.op) ? { unsupported: `no operation ${request.op}` } : answer;
}

/**
 * @param {Record<string, any>} request
 * @param {Record<string, any>} answer
 * @param {object} change
 */
function spoilError(request, answer, change) {
  return isAboutReserved(request) ? { error: { ...answer.error, ...change } } : answer;
}

// --- the loop --------------------------------------------------------------------------------------------------------

const OPS = [
  ...['decode', 'encode', 'transcode', 'canonical', 'isCanonical', 'stream'],
  ...['unserialize', 'unserializeSigned', 'reserialize'],
];
const HELLO = { name: 'fake', version: '1', ops: OPS, modes: MODES };
const spoil = FAULTS[fault];
if (spoil === undefined) throw new Error(`no fault ${fault}; there are ${Object.keys(FAULTS).join(', ')}`);

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (text) => {
    const request = JSON.parse(text);
    const known = request.op === 'hello' ? HELLO : book.get(lineOf(request));
    const answer = spoil(request, known ?? { unsupported: 'not in the book' });
    process.stdout.write(
      typeof answer === 'string' ? answer : `${JSON.stringify({ id: request.id, ...Object(answer) })}\n`,
    );
  })
  .on('close', () => {
    if (fault === 'bad-exit') process.exitCode = 7;
    if (fault === 'lingers') setInterval(() => {}, 1000);
  });
