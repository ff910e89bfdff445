// Expected failures: one list per implementation that cannot rot (expected-failures/<impl>.txt).
//
// A line is `suite/name[mode]  # reason`. A listed case that fails is a known gap; one that passes, or that no vector
// has, fails the run until the line is removed.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LINE = /^(\S+\/\S+\[\S+\])\s+#\s*(\S.*)$/;

/** A list of expected failures that cannot be read. */
export class ExpectedFailuresError extends Error {}

/**
 * Reads a list; a missing file is an empty one.
 *
 * @param {string} folder
 * @param {string} implementation
 * @returns {Map<string, string>} key of the case → reason
 * @throws {ExpectedFailuresError} for a line without a reason, or a case listed twice
 */
export function readExpected(folder, implementation) {
  const file = fileOf(folder, implementation);
  const expected = new Map();
  if (!existsSync(file)) return expected;
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key = '', reason = ''] = LINE.exec(line.trim()) ?? [];
    const where = `${path.basename(file)}:${index + 1}`;
    if (key === '') throw new ExpectedFailuresError(`${where}: write "suite/name[mode]  # reason", not "${line}"`);
    if (expected.has(key)) throw new ExpectedFailuresError(`${where}: ${key} is listed twice; remove one line`);
    expected.set(key, reason);
  }
  return expected;
}

/**
 * Writes a list, sorted; an empty one leaves no file entries but its heading.
 *
 * @param {string} folder
 * @param {string} implementation
 * @param {Map<string, string>} expected
 */
export function writeExpected(folder, implementation, expected) {
  const lines = [...expected]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, reason]) => `${key}  # ${reason}`);
  mkdirSync(folder, { recursive: true });
  const heading = `# Known gaps of ${implementation}: suite/name[mode]  # reason. A listed case that passes fails the run.`;
  writeFileSync(fileOf(folder, implementation), `${[heading, ...lines].join('\n')}\n`);
}

/**
 * The list after a run: what passed leaves it, what failed joins it, reasons are kept, and what did not run stays.
 *
 * @param {Map<string, string>} expected
 * @param {import('./judge.mjs').Result[]} results of this implementation
 * @param {boolean} complete every case ran, so a listed case without a result exists no longer
 * @returns {Map<string, string>}
 */
export function mendExpected(expected, results, complete) {
  /** @type {Map<string, string>} */
  const mended = new Map(complete ? [] : expected);
  for (const result of results) {
    if (result.suite === 'protocol') continue;
    if (result.verdict === 'passed') mended.delete(result.key);
    else mended.set(result.key, expected.get(result.key) ?? summary(result));
  }
  return mended;
}

/** @param {import('./judge.mjs').Result} result */
function summary({ failures, unsupported }) {
  const [failure] = failures;
  const text = failure ? `expected ${failure.expected}, got ${failure.got}` : `unsupported: ${unsupported[0]}`;
  return text.replaceAll(/\s+/g, ' ').slice(0, 160).trim();
}

/**
 * @param {string} folder
 * @param {string} implementation
 */
function fileOf(folder, implementation) {
  return path.join(folder, `${implementation}.txt`);
}
