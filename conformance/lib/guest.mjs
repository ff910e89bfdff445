// A library from outside (`--adapter`): its hello says what it can do, and so what it is judged by.
//
// Plan of the file: the hello · levels · the result and the badge.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NotReadyError } from './adapters.mjs';
import { FEATURES, OPS } from './judge.mjs';
import { Adapter, Incident } from './protocol.mjs';

/**
 * @typedef {import('./adapters.mjs').Implementation} Implementation
 * @typedef {import('./report.mjs').Judgement} Judgement
 * @typedef {Implementation & {version: string}} Guest
 */

/**
 * Starts the adapter of a library and asks it what it is.
 *
 * @param {string} command a command line for the shell
 * @param {import('./exam.mjs').Level} level
 * @returns {Promise<Guest>}
 * @throws {NotReadyError} when it doesn't answer, or its hello is none
 */
export async function invite(command, level) {
  // After `exec` the process is the adapter itself, whose time is watched.
  const program = { name: 'adapter', command: ['sh', '-c', `exec ${command}`] };
  const adapter = new Adapter(program);
  let hello;
  try {
    hello = await adapter.ask({ op: 'hello' });
  } catch (error) {
    if (!(error instanceof Incident)) throw error;
    throw new NotReadyError(`${command}: ${error.message}`);
  }
  await adapter.close();
  const { name, version = '', language = 'unknown', keepsOrder = false } = hello;
  if (typeof name !== 'string' || !/^[A-Za-z0-9][\w.+-]{0,60}$/.test(name)) {
    throw new NotReadyError(`${command}: the name of its hello must be letters, digits, and . _ + -`);
  }
  const ops = wordsOf(hello, 'ops', OPS);
  if (!ops.includes('decode')) throw new NotReadyError(`${command}: the ops of its hello lack decode`);
  const modes = wordsOf(hello, 'modes', FEATURES.modes);
  if (modes.length === 0) throw new NotReadyError(`${command}: its hello names none of the modes ${FEATURES.modes}`);
  const has = [
    ...ops,
    ...modes,
    ...wordsOf(hello, 'records', FEATURES.records),
    ...wordsOf(hello, 'limits', FEATURES.limits),
    ...wordsOf(hello, 'options', FEATURES.options),
  ];
  const lacks = [OPS, ...Object.values(FEATURES)].flat().filter((feature) => !has.includes(feature));
  return {
    ...program,
    name,
    version: String(version),
    language: String(language),
    writesRecords: keepsOrder === true,
    lacks,
    level,
    needs: [],
  };
}

/**
 * The words of a member of hello that are known; none if it is absent.
 *
 * @param {Record<string, unknown>} hello
 * @param {string} member
 * @param {readonly string[]} known
 */
function wordsOf(hello, member, known) {
  const words = hello[member] ?? [];
  if (!Array.isArray(words)) throw new NotReadyError(`${member} of its hello is no list`);
  return words.filter((word) => known.includes(word));
}

// --- the result ------------------------------------------------------------------------------------------------------

/**
 * Writes result.json, and badge.json in the form of shields.io endpoints.
 *
 * @param {Guest} guest
 * @param {Judgement[]} judgements
 * @param {string} folder
 * @returns {string} one line for people
 */
export function writeResult({ name, version, language, level = 'full', lacks = [] }, judgements, folder) {
  const counts = { passed: 0, expected: 0, failed: 0 };
  /** @type {Record<string, {passed: number, failed: number}>} */
  const suites = {};
  for (const { suite, outcome } of judgements) {
    const isPassed = outcome === 'passed';
    counts[isPassed ? 'passed' : outcome === 'expected' ? 'expected' : 'failed']++;
    const { passed, failed } = suites[suite] ?? { passed: 0, failed: 0 };
    suites[suite] = { passed: passed + Number(isPassed), failed: failed + Number(!isPassed) };
  }
  const share = Math.floor((1000 * counts.passed) / Math.max(1, judgements.length)) / 10;
  const result = { schema: 1, vectors: 1, name, version, language, level, lacks, ...counts, percent: share, suites };
  const color = share === 100 ? 'brightgreen' : share >= 95 ? 'green' : share >= 80 ? 'yellow' : 'orange';
  const message = `${share} % of ${judgements.length} (${level})`;
  const badge = { schemaVersion: 1, label: 'MessagePack vectors', message, color };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(path.join(folder, 'badge.json'), `${JSON.stringify(badge)}\n`);
  return `${name} ${version}, level ${level}: ${counts.passed} of ${judgements.length} checks passed (${share} %)`;
}
