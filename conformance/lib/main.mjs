// The command behind run.mjs: options, the run, the report, the exit status.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { NotReadyError, prepare } from './adapters.mjs';
import { ExpectedFailuresError, mendExpected, readExpected, writeExpected } from './expected.mjs';
import { invite, writeResult } from './guest.mjs';
import { judge } from './judge.mjs';
import { hasFailed, terminalText, weigh, writePage, writeReport } from './report.mjs';
import { askThirdParty } from './third-party.mjs';
import { loadVectors, VectorsError } from './vectors.mjs';

const USAGE = `usage: node conformance/run.mjs [options]

Judges implementations by the vectors, and every ordered pair of them by the valid values. Exits 0 when every case passes
or fails as listed in conformance/expected-failures, 1 when not or when something is missing, 2 for wrong use.

  --impl NAME        judge only this implementation; may be repeated
  --adapter CMD      judge the library that this command line answers for, instead of ours. What its hello doesn't
                     name isn't asked; writes result.json and badge.json
  --level LEVEL      with --adapter: how exactly errors are compared. accept: an error; code: its code; full: code,
                     offset and path (default)
  --out DIR          where reports are written (default build/conformance)
  --expected DIR     with --adapter: the folder of NAME.txt, its list of expected failures; --fix writes it
  --filter TEXT      only cases whose suite/name contains TEXT
  --turns            ask each of valid and invalid in one of the modes where it asks the same in several, in turn: the
                     own tests of each implementation try all of them
  --fix              rewrite the lists of expected failures to fit this run; reasons are kept
  --verbose          show every failure and every known gap
  --third-party      ask the other libraries that are installed, too, however long it takes
  --peer NAME=DIR    where the sources of another library are (rybakit, vmihailenco); may be repeated
  --help             this text
`;

/**
 * What a run works on.
 *
 * @typedef {object} Setting
 * @property {import('./adapters.mjs').Implementation[]} implementations
 * @property {string} vectors folder
 * @property {string} expectedFailures folder
 * @property {string} build folder for report.json, report.md and report.html
 * @property {(text: string) => void} print
 * @property {Partial<import('./protocol.mjs').Limits>} [limits]
 */

/** Wrong use of the command. */
class UsageError extends Error {}

/**
 * Runs the command.
 *
 * @param {string[]} args
 * @param {Setting} setting
 * @returns {Promise<number>} exit status
 */
export async function main(args, setting) {
  try {
    return await run(parse(args), setting);
  } catch (error) {
    if (error instanceof UsageError) {
      setting.print(`conformance: ${error.message}; see --help`);
      return 2;
    }
    if (error instanceof NotReadyError || error instanceof VectorsError || error instanceof ExpectedFailuresError) {
      setting.print(`conformance: ${error.message}`);
      return 1;
    }
    throw error;
  }
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        impl: { type: 'string', multiple: true, default: [] },
        adapter: { type: 'string' },
        level: { type: 'string', default: 'full' },
        out: { type: 'string' },
        expected: { type: 'string' },
        filter: { type: 'string', default: '' },
        turns: { type: 'boolean', default: false },
        fix: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        'third-party': { type: 'boolean', default: false },
        peer: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {ReturnType<typeof parse>} options
 * @param {Setting} setting
 * @returns {Promise<number>}
 */
async function run(options, setting) {
  const { print } = setting;
  if (options.help) {
    print(USAGE.trimEnd());
    return 0;
  }
  if (options.adapter !== undefined) return judgeGuest(options.adapter, options, setting);
  if (options.level !== 'full' || options.expected !== undefined) {
    throw new UsageError('--level and --expected go with --adapter');
  }
  const build = options.out ?? setting.build;
  const peers = new Map(options.peer.map(parsePeer));
  const implementations = choose(setting.implementations, options.impl);
  const vectors = loadVectors(setting.vectors);
  const expected = new Map(implementations.map(({ name }) => [name, readExpected(setting.expectedFailures, name)]));
  for (const implementation of implementations) prepare(implementation);

  const { filter, turns } = options;
  const results = await judge({ implementations, vectors, filter, turns, limits: setting.limits });
  if (!results.some(({ suite }) => suite !== 'protocol')) {
    throw new VectorsError(
      filter === '' ? `no vectors in ${setting.vectors}` : `no case has "${filter}" in its suite/name`,
    );
  }
  const complete = filter === '' && !turns && implementations.length === setting.implementations.length;
  if (options.fix) {
    for (const [name, list] of expected) {
      const mended = mendExpected(
        list,
        results.filter(({ implementation }) => implementation === name),
        complete,
      );
      expected.set(name, mended);
      writeExpected(setting.expectedFailures, name, mended);
    }
  }
  const judgements = weigh(results, expected, complete);
  const names = implementations.map(({ name }) => name);
  print(terminalText({ implementations: names, judgements, thirdParty: '' }, options.verbose));

  let thirdParty = '';
  if (options['third-party']) {
    thirdParty = await askThirdParty({ vectors, filter }, implementations, peers);
    print(`\n${thirdParty}`);
  }
  writeReport({ implementations: names, judgements, thirdParty }, build);
  await writePage({ implementations: names, judgements, thirdParty }, build);
  return conclude(judgements, build, print);
}

/**
 * Prints the last line, and returns the exit status.
 *
 * @param {import('./report.mjs').Judgement[]} judgements
 * @param {string} build
 * @param {(text: string) => void} print
 */
function conclude(judgements, build, print) {
  const failed = hasFailed(judgements);
  const reports = path.relative(process.cwd(), path.join(build, 'report.md'));
  print(`\nconformance: ${failed ? 'FAILED' : 'passed'}; the full report is ${reports}`);
  return failed ? 1 : 0;
}

/**
 * Judges a library from outside.
 *
 * @param {string} command
 * @param {ReturnType<typeof parse>} options
 * @param {Setting} setting
 * @returns {Promise<number>} exit status
 */
async function judgeGuest(command, { level, out, expected: lists, filter, fix, impl, verbose }, setting) {
  const { print } = setting;
  if (level !== 'accept' && level !== 'code' && level !== 'full') {
    throw new UsageError(`no level ${level}; there are accept, code and full`);
  }
  if (impl.length > 0) throw new UsageError('--impl and --adapter exclude each other');
  if (fix && lists === undefined) throw new UsageError('--fix needs --expected, the folder to write to');
  const vectors = loadVectors(setting.vectors);
  const guest = await invite(command, level);
  let list = lists === undefined ? new Map() : readExpected(lists, guest.name);
  const results = await judge({ implementations: [guest], vectors, filter, limits: setting.limits });
  const complete = filter === '';
  if (fix && lists !== undefined) {
    list = mendExpected(list, results, complete);
    writeExpected(lists, guest.name, list);
  }
  const judgements = weigh(results, new Map([[guest.name, list]]), complete);
  const build = out ?? setting.build;
  print(terminalText({ implementations: [guest.name], judgements, thirdParty: '' }, verbose));
  writeReport({ implementations: [guest.name], judgements, thirdParty: '' }, build);
  print(`\n${writeResult(guest, judgements, build)}`);
  return conclude(judgements, build, print);
}

/**
 * @param {import('./adapters.mjs').Implementation[]} implementations
 * @param {string[]} names none: all
 */
function choose(implementations, names) {
  for (const name of names) {
    if (!implementations.some((one) => one.name === name)) {
      throw new UsageError(`no implementation ${name}; there are ${implementations.map((one) => one.name).join(', ')}`);
    }
  }
  return names.length === 0 ? implementations : implementations.filter(({ name }) => names.includes(name));
}

/**
 * @param {string} text NAME=DIR
 * @returns {[string, string]}
 */
function parsePeer(text) {
  const [, name = '', folder = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
  if (name === '') throw new UsageError(`--peer wants NAME=DIR, not ${text}`);
  return [name, path.resolve(folder)];
}
