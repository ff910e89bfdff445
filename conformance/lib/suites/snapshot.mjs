// snapshot: values of PHP in bytes (vectors/snapshot, spec/10 and 11), read as data: no class is looked for. Where PHP
// is the language they are also written again. The rest is asked by PHP's own tests, which have the classes.

import { aDescription, anyDescription, theBytes, theError } from '../exam.mjs';

/**
 * @typedef {import('../exam.mjs').Exam} Exam
 * @typedef {import('../vectors.mjs').SnapshotCase} SnapshotCase
 */

export const name = 'snapshot';

/** The keys that have signed (php/tests/Support/Snapshot/Cases.php). @type {Record<string, string>} */
const KEYS = {
  k2: 'a key for vectors only, 32 bytes',
  k1: 'an older key for vectors, 32 byte',
  zz: 'a key that has signed nothing at all',
};

/** What every envelope holds that verifies. */
export const SIGNED = {
  map: [
    [{ str: 'id' }, { int: '7' }],
    [{ str: 'name' }, { str: 'Ann' }],
  ],
};

/**
 * @param {import('../vectors.mjs').Vectors} vectors
 * @param {import('../adapters.mjs').Implementation} implementation
 * @returns {Generator<import('../judge.mjs').Case>}
 */
export function* cases({ snapshot }, { language }) {
  for (const one of snapshot) {
    const isAboutClasses = one.error?.code.startsWith('class_') ?? false;
    if (isAboutClasses || (one.room === 'v1' && language !== 'php' && one.error !== undefined)) continue;
    const options = {};
    yield { ...one, options, mode: 'data', run: (exam) => ROOMS[one.room]?.(exam, one, language) ?? Promise.resolve() };
  }
}

/**
 * What is asked about the cases of each file.
 *
 * @type {Record<string, (exam: Exam, one: SnapshotCase, language: string) => Promise<unknown>>}
 */
const ROOMS = {
  values: (exam, one, language) => Promise.all([read(exam, one, language), write(exam, one)]),
  objects: (exam, one, language) => Promise.all([read(exam, one, language), write(exam, one)]),
  accepted: read,
  invalid: refuse,
  evolution: (exam, one) =>
    Promise.all([exam.expect({ op: 'unserialize', bytes: one.bytes }, anyDescription()), write(exam, one)]),
  v1(exam, one, language) {
    if (language !== 'php') {
      const error = { code: 'invalid_snapshot', offset: 0, path: '' };
      return exam.expect({ op: 'unserialize', bytes: one.bytes }, theError(error));
    }
    const options = { version: 1 };
    if (one.error !== undefined) return refuse(exam, { ...one, options });
    if (one.written) return write(exam, { ...one, options });
    return exam.expect({ op: 'unserialize', bytes: one.bytes, options }, anyDescription());
  },
  signed(exam, { bytes, error, options, keys }) {
    const hex = (/** @type {string} */ id) => Buffer.from(KEYS[id] ?? '').toString('hex');
    const ring = keys === null ? { '': hex('k2') } : Object.fromEntries(keys.map((id) => [id, hex(id)]));
    const request = { op: 'unserializeSigned', bytes, keys: ring, purpose: '', frame: 'envelope', ...options };
    return exam.expect(request, error === undefined ? aDescription(SIGNED, false) : theError(error));
  },
};

/**
 * @param {Exam} exam
 * @param {SnapshotCase} one
 * @param {string} language
 */
function read(exam, { bytes, value = {} }, language) {
  return exam.expect({ op: 'unserialize', bytes }, aDescription(value, language !== 'javascript'));
}

/**
 * @param {Exam} exam
 * @param {SnapshotCase} one
 */
function write(exam, { bytes, options }) {
  return exam.expect({ op: 'reserialize', bytes, options }, theBytes(bytes));
}

/**
 * @param {Exam} exam
 * @param {SnapshotCase} one
 */
function refuse(exam, { bytes, options, error }) {
  if (error === undefined) throw new TypeError('an invalid snapshot without an error');
  return exam.expect({ op: 'unserialize', bytes, options }, theError(error));
}
