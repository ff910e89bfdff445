// Turns results into what people and programs read: outcomes, the table on the terminal, report.json, report.md and
// report.html.
//
// Plan of the file: outcomes · counts · table · failures · files · the page.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { shorten } from './exam.mjs';
import { SUITES } from './judge.mjs';

/**
 * @typedef {import('./judge.mjs').Result} Result
 *
 * What a result means beside the list of expected failures: `expected` is a listed failure, `surplus` a listed pass,
 * `stale` a listed case that no vector has.
 * @typedef {'passed' | 'failed' | 'expected' | 'unsupported' | 'surplus' | 'stale'} Outcome
 *
 * @typedef {Result & {outcome: Outcome, reason: string | null}} Judgement
 *
 * @typedef {object} Report
 * @property {string[]} implementations
 * @property {Judgement[]} judgements
 * @property {string} thirdParty tables for people, in markdown; empty when nothing was asked
 */

/** Outcomes that fail the run. @type {Outcome[]} */
const FAILING = ['failed', 'unsupported', 'surplus', 'stale'];

/** Failures of one implementation shown on the terminal unless all are asked for. */
const MAX_SHOWN = 20;

/** Failures of one case that are shown. */
const MAX_OF_CASE = 3;

/**
 * Judges results by the lists of expected failures.
 *
 * @param {Result[]} results
 * @param {Map<string, Map<string, string>>} expected by implementation: key → reason
 * @param {boolean} complete every case ran, so a listed case without a result is stale
 * @returns {Judgement[]}
 */
export function weigh(results, expected, complete) {
  const judgements = results.map((result) => {
    // A broken protocol is never a known gap.
    const reason = result.suite === 'protocol' ? null : (expected.get(result.implementation)?.get(result.key) ?? null);
    return { ...result, outcome: outcomeOf(result, reason !== null), reason };
  });
  if (!complete) return judgements;
  const listable = results.filter(({ suite }) => suite !== 'protocol');
  const seen = new Set(listable.map(({ implementation, key }) => `${implementation} ${key}`));
  for (const [implementation, list] of expected) {
    for (const [key, reason] of list) {
      if (!seen.has(`${implementation} ${key}`)) judgements.push(staleJudgement(implementation, key, reason));
    }
  }
  return judgements;
}

/**
 * @param {Result} result
 * @param {boolean} isListed
 * @returns {Outcome}
 */
function outcomeOf({ verdict }, isListed) {
  if (verdict === 'passed') return isListed ? 'surplus' : 'passed';
  return isListed ? 'expected' : verdict;
}

/**
 * @param {string} implementation
 * @param {string} key
 * @param {string} reason
 * @returns {Judgement}
 */
function staleJudgement(implementation, key, reason) {
  const [suite = '', name = '', mode = ''] = key.split(/[/[\]]/);
  const about = { implementation, suite, name, mode, key, spec: '', room: '' };
  return { ...about, verdict: 'failed', failures: [], unsupported: [], outcome: 'stale', reason };
}

/**
 * Whether the run fails.
 *
 * @param {Judgement[]} judgements
 */
export function hasFailed(judgements) {
  return judgements.length === 0 || judgements.some(({ outcome }) => FAILING.includes(outcome));
}

// --- counts ----------------------------------------------------------------------------------------------------------

/**
 * @param {Judgement[]} judgements
 * @returns {{passed: number, failed: number, expected: number, unsupported: number}}
 */
function count(judgements) {
  const counts = { passed: 0, failed: 0, expected: 0, unsupported: 0 };
  for (const { outcome } of judgements) counts[shownOutcome(outcome)]++;
  return counts;
}

/** @param {Outcome} outcome */
const shownOutcome = (outcome) => (outcome === 'surplus' || outcome === 'stale' ? 'failed' : outcome);

/** @param {Judgement[]} judgements */
function countText(judgements) {
  const { passed, ...others } = count(judgements);
  if (judgements.length === 0) return '–';
  const parts = Object.entries(others)
    .filter(([, number]) => number > 0)
    .map(([word, number]) => `${number} ${word}`);
  return [`${passed} passed`, ...parts].join(', ');
}

/**
 * @param {Judgement[]} judgements
 * @param {(judgement: Judgement) => string} keyOf
 */
function group(judgements, keyOf) {
  /** @type {Map<string, Judgement[]>} */
  const groups = new Map();
  for (const judgement of judgements) {
    const key = keyOf(judgement);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [judgement]);
    else members.push(judgement);
  }
  return groups;
}

/**
 * Suites by implementations.
 *
 * @param {Report} report
 * @returns {string[][]}
 */
function suiteTable({ implementations, judgements }) {
  const groups = group(judgements, ({ suite, implementation }) => `${suite} ${implementation}`);
  const cell = (/** @type {string} */ suite) => (/** @type {string} */ name) =>
    countText(groups.get(`${suite} ${name}`) ?? []);
  const suites = SUITES.filter((suite) => implementations.some((name) => groups.has(`${suite} ${name}`)));
  return [['suite', ...implementations], ...suites.map((suite) => [suite, ...implementations.map(cell(suite))])];
}

/**
 * Writers by readers.
 *
 * @param {Report} report
 * @returns {string[][]}
 */
function pairTable({ implementations, judgements }) {
  const pairs = judgements.filter(({ suite }) => suite === 'pairs');
  const groups = group(pairs, ({ implementation, mode }) => `${implementation} ${mode}`);
  const cell = (/** @type {string} */ writer) => (/** @type {string} */ reader) =>
    countText(groups.get(`${writer} ${reader}`) ?? []);
  return [
    ['writer \\ reader', ...implementations],
    ...implementations.map((writer) => [writer, ...implementations.map(cell(writer))]),
  ];
}

// --- text ------------------------------------------------------------------------------------------------------------

/**
 * Rows as aligned columns.
 *
 * @param {string[][]} rows
 */
function align(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Rows as a markdown table, the first its head.
 *
 * @param {string[][]} rows
 */
export function markdown(rows) {
  const [heads = [], ...body] = rows;
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...body.map(line)].join('\n');
}

/**
 * One judgement that fails the run, with request, expected and got.
 *
 * @param {Judgement} judgement
 */
function failureText({ implementation, key, spec, outcome, reason, failures, unsupported }) {
  const title = `${implementation}: ${key}${spec === '' ? '' : ` (spec ${spec})`}`;
  const list = `expected-failures/${implementation}.txt`;
  if (outcome === 'surplus')
    return `${title}\n    passes, but ${list} lists it (${reason}); remove the line or run with --fix`;
  if (outcome === 'stale')
    return `${title}\n    no vector has this case, but ${list} lists it; remove the line or run with --fix`;
  const shown = failures
    .slice(0, MAX_OF_CASE)
    .map(
      ({ request, expected, got }) =>
        `    request   ${shorten(request)}\n    expected  ${expected}\n    got       ${got}`,
    );
  if (failures.length > MAX_OF_CASE)
    shown.push(`    … and ${failures.length - MAX_OF_CASE} more requests of this case`);
  if (unsupported.length > 0) shown.push(`    unsupported: ${[...new Set(unsupported)].join('; ')}`);
  return [title, ...shown].join('\n');
}

/**
 * What the terminal shows.
 *
 * @param {Report} report
 * @param {boolean} verbose every failure and every known gap
 */
export function terminalText(report, verbose) {
  const { implementations, judgements } = report;
  const sections = [];
  for (const name of implementations) {
    const failing = judgements.filter((one) => one.implementation === name && FAILING.includes(one.outcome));
    const shown = verbose ? failing : failing.slice(0, MAX_SHOWN);
    sections.push(...shown.map(failureText));
    if (shown.length < failing.length) {
      sections.push(
        `${name}: ${failing.length - shown.length} more; --verbose shows them, build/conformance/report.md has them all`,
      );
    }
  }
  if (verbose) {
    const known = judgements.filter(({ outcome }) => outcome === 'expected');
    sections.push(
      ...known.map(({ implementation, key, reason }) => `${implementation}: ${key} fails as expected: ${reason}`),
    );
  }
  sections.push(align(suiteTable(report)));
  return sections.join('\n\n');
}

/**
 * Writes report.json and report.md.
 *
 * @param {Report} report
 * @param {string} folder
 */
export function writeReport(report, folder) {
  const { implementations, judgements, thirdParty } = report;
  mkdirSync(folder, { recursive: true });
  const groups = group(judgements, ({ suite, implementation }) => `${suite} ${implementation}`);
  const countsOf = (/** @type {string} */ name) =>
    Object.fromEntries(SUITES.map((suite) => [suite, count(groups.get(`${suite} ${name}`) ?? [])]));
  const suites = Object.fromEntries(implementations.map((name) => [name, countsOf(name)]));
  const failing = judgements.filter(({ outcome }) => FAILING.includes(outcome));
  const known = judgements.filter(({ outcome }) => outcome === 'expected');
  const data = {
    schema: 1,
    failed: hasFailed(judgements),
    suites,
    failures: failing.map(({ implementation, key, spec, outcome, failures, unsupported }) => ({
      implementation,
      case: key,
      spec,
      outcome,
      failures: failures.map(({ request, ...rest }) => ({ request: shorten(request), ...rest })),
      unsupported,
    })),
    expected: known.map(({ implementation, key, reason }) => ({ implementation, case: key, reason })),
  };
  writeFileSync(path.join(folder, 'report.json'), `${JSON.stringify(data, null, 2)}\n`);
  const parts = ['# Conformance', markdown(suiteTable(report)), '## Pairs', markdown(pairTable(report))];
  if (thirdParty !== '') parts.push('## Other libraries', thirdParty);
  if (failing.length > 0) parts.push('## Failures', `\`\`\`\n${failing.map(failureText).join('\n\n')}\n\`\`\``);
  writeFileSync(path.join(folder, 'report.md'), `${parts.join('\n\n')}\n`);
}

// --- the page --------------------------------------------------------------------------------------------------------

/**
 * What the page shows: how many cases came out how, by what a reader may filter by, and each that did not pass.
 *
 * @param {Report} report
 */
export function pageDocument({ implementations, judgements, thirdParty }) {
  const groups = group(judgements, ({ implementation, suite, mode, room, outcome }) =>
    JSON.stringify({ implementation, suite, mode, room, outcome: shownOutcome(outcome) }),
  );
  const failing = judgements.filter(({ outcome }) => FAILING.includes(outcome));
  const known = judgements.filter(({ outcome }) => outcome === 'expected');
  return {
    failed: hasFailed(judgements),
    implementations,
    suites: SUITES.filter((suite) => judgements.some((one) => one.suite === suite)),
    groups: [...groups].map(([key, members]) => ({ ...JSON.parse(key), count: members.length })),
    failures: failing.map(({ implementation, key, suite, mode, spec, outcome, reason, failures, unsupported }) => ({
      ...{ implementation, case: key, suite, mode, spec },
      why: reason === null ? [outcome, ...new Set(unsupported)].join('; ') : `${outcome}, listed as: ${reason}`,
      failures: failures
        .slice(0, MAX_OF_CASE)
        .map(({ request, expected, got }) => ({ request: shorten(request), expected, got })),
    })),
    known: known.map(({ implementation, key, suite, mode, reason }) => ({
      ...{ implementation, case: key, suite, mode, reason: reason ?? '' },
    })),
    others: thirdParty,
  };
}

/**
 * @param {Report} report
 * @param {string} folder
 */
export async function writePage(report, folder) {
  // Guests and the tests of the judge need no page, nor what makes it.
  const { pageOf } = await import('../../lab/templates/build.mjs');
  writeFileSync(path.join(folder, 'report.html'), await pageOf('conformance', pageDocument(report)));
}
