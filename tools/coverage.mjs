#!/usr/bin/env node
// Prints how many lines of each part its own tests run.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments } from './arguments.mjs';
import { runtimeCommand } from './runtimes.mjs';

const USAGE = `usage: node tools/coverage.mjs [--uncovered] [--root FOLDER] [PART…]

Runs the tests of each part once and prints a row for it: the lines they ran, the lines there are, and the share.
  --uncovered  print the lines that no test ran, too
  --root       measure the checkout in FOLDER, which tools/setup has prepared
  PART         only these: go php js

go   every package but the helpers of tests in internal/, with the engine that uses package unsafe
php  src/, without opcache; needs the extension pcov (tools/setup unpacks it) or xdebug; the tests of the extension run
     again with it if tools/build-ext has built it, and so do the web servers that these tests start
js   src/, run from the sources in Node 22; without the tests of what is built
`;

/** Whether each line of each file was run. @typedef {Map<string, Map<number, boolean>>} Lines */
/** @typedef {{lines: Lines, failures: number, remark?: string} | {missing: string}} Result */

/**
 * Notes a line; one that ran anywhere was run.
 *
 * @param {Lines} lines
 * @param {string} file
 * @param {number} line
 * @param {boolean} wasRun
 */
export function note(lines, file, line, wasRun) {
  const known = lines.get(file) ?? new Map();
  known.set(line, wasRun || (known.get(line) ?? false));
  lines.set(file, known);
}

/**
 * Notes all lines of another run of the same part.
 *
 * @param {Lines} lines
 * @param {Lines} others
 */
export function merge(lines, others) {
  for (const [file, ofFile] of others) {
    for (const [line, wasRun] of ofFile) note(lines, file, line, wasRun);
  }
}

/**
 * Reads a profile of `go test -coverprofile`: blocks of statements with the number of times they ran.
 *
 * @param {string} text
 * @returns {Lines}
 */
export function linesOfGo(text) {
  /** @type {Lines} */
  const lines = new Map();
  for (const [, file = '', first, last, count] of text.matchAll(/^(\S+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/gm)) {
    for (let line = Number(first); line <= Number(last); line++) note(lines, file, line, Number(count) > 0);
  }
  return lines;
}

/**
 * Reads PHPUnit's report in the format of Clover.
 *
 * @param {string} text
 * @returns {Lines}
 */
export function linesOfClover(text) {
  /** @type {Lines} */
  const lines = new Map();
  for (const [, file = '', body = ''] of text.matchAll(/<file name="([^"]+)">(.*?)<\/file>/gs)) {
    for (const [, line, count] of body.matchAll(/<line num="(\d+)" type="stmt" count="(\d+)"\/>/g)) {
      note(lines, file, Number(line), Number(count) > 0);
    }
  }
  return lines;
}

/**
 * Notes the lines that a process ran which the tests had started (php/tests/Support/count-lines.php). PHPUnit has
 * decided which lines there are.
 *
 * @param {Lines} lines
 * @param {string} text
 */
export function noteChild(lines, text) {
  /** @type {Record<string, number[]>} */
  const ofFiles = JSON.parse(text);
  for (const [file, ofFile] of Object.entries(ofFiles)) {
    for (const line of ofFile) if (lines.get(file)?.has(line)) note(lines, file, line, true);
  }
}

/**
 * Reads the report of Node's test runner in the format of lcov.
 *
 * @param {string} text
 * @returns {Lines}
 */
export function linesOfLcov(text) {
  /** @type {Lines} */
  const lines = new Map();
  for (const [, file = '', body = ''] of text.matchAll(/^SF:(.*?)$(.*?)^end_of_record$/gms)) {
    for (const [, line, count] of body.matchAll(/^DA:(\d+),(\d+)/gm))
      note(lines, file, Number(line), Number(count) > 0);
  }
  return lines;
}

/**
 * Whether a package of Go is there for tests only, as the notation of vectors, the client of Redis and the generated
 * methods are. Most of a generated method are the branches of faults and other engines, and generating more of it would
 * change the share though nothing else changed. What it has to do is tested; the generator itself counts.
 *
 * @param {string} name
 */
export function isTestHelper(name) {
  return /\/internal\/(gentest|tagged|resp)(\/|$)/.test(name);
}

/** @param {string} root @param {string} work @returns {Result} */
function measureGo(root, work) {
  const go = path.join(root, '.toolchain/bin/go');
  const options = /** @type {const} */ ({ cwd: path.join(root, 'go'), encoding: 'utf8' });
  const packages = spawnSync(go, ['list', './...'], options)
    .stdout.trim()
    .split('\n')
    .filter((name) => !isTestHelper(name));
  const profile = path.join(work, 'go.out');
  const { status } = spawnSync(
    go,
    ['test', '-count=1', `-coverpkg=${packages.join(',')}`, `-coverprofile=${profile}`, './...'],
    { ...options, stdio: ['ignore', 2, 2] },
  );
  return { lines: linesOfGo(readFileSync(profile, 'utf8')), failures: status === 0 ? 0 : 1 };
}

/** The settings that make PHP count lines, or null. @param {string} root */
function phpCounter(root) {
  const unpacked = path.join(root, '.toolchain/php-extensions/pcov.so');
  const loads = (/** @type {string[]} */ flags, /** @type {string} */ name) =>
    spawnSync('php', [...flags, '-r', `exit(extension_loaded('${name}') ? 0 : 1);`]).status === 0;
  if (loads([], 'pcov')) return [];
  if (existsSync(unpacked) && loads(['-d', `extension=${unpacked}`], 'pcov')) return [`extension=${unpacked}`];
  return loads([], 'xdebug') ? ['xdebug.mode=coverage'] : null;
}

/** Where tools/build-ext puts the PHP extension of a checkout. @param {string} root */
export const builtExtension = (root) => path.join(root, 'build/ext/php/modules/polypack.so');

/** The tests that run code which only the PHP extension calls. */
const OF_EXTENSION = '^Polypack\\\\Tests\\\\(Native|Snapshot)\\\\';

/** @param {string} root @param {string} work @returns {Result} */
function measurePhp(root, work) {
  // Another checkout may have been prepared before tools/setup knew of pcov.
  const counter = phpCounter(root) ?? phpCounter(fileURLToPath(new URL('..', import.meta.url)));
  if (counter === null) return { missing: 'neither pcov nor xdebug is there' };
  const settings = [...counter, `pcov.directory=${path.join(root, 'php/src')}`];
  const report = path.join(work, 'clover.xml');
  /** @type {{lines: Lines, failures: number}} */
  const result = { lines: new Map(), failures: 0 };
  const run = (/** @type {string[]} */ flags, /** @type {string[]} */ options, environment = {}) => {
    const { status } = spawnSync(
      'php',
      [
        ...[...flags, '-d', 'memory_limit=2G', '-d', 'zend.assertions=1'],
        ...['vendor/bin/phpunit', '--no-progress', '--do-not-cache-result', '--coverage-clover', report, ...options],
      ],
      { cwd: path.join(root, 'php'), stdio: ['ignore', 2, 2], env: { ...process.env, ...environment } },
    );
    if (status !== 0) result.failures++;
    merge(result.lines, linesOfClover(readFileSync(report, 'utf8')));
  };
  run(
    settings.flatMap((setting) => ['-d', setting]),
    [],
  );
  const extension = builtExtension(root);
  if (!existsSync(extension)) return { ...result, remark: 'without the PHP extension: run tools/build-ext' };
  // Every PHP reads this, those too that tests start. An empty entry is the folder that PHP would read.
  writeFileSync(path.join(work, 'polypack.ini'), [...settings, `extension=${extension}`, ''].join('\n'));
  const children = path.join(work, 'children');
  mkdirSync(children);
  const environment = { POLYPACK_ENGINE: 'ext', PHP_INI_SCAN_DIR: `:${work}`, COVERAGE_CHILDREN: children };
  run([], ['--exclude-group', 'engineless', '--filter', OF_EXTENSION], environment);
  for (const name of readdirSync(children)) noteChild(result.lines, readFileSync(path.join(children, name), 'utf8'));
  return result;
}

/** Tests of what is built, whose subject isn't src/: the file's name below js/tests, without its end. */
const OF_BUILDS = ['browser', 'core/host', 'imports', 'memory', 'package', 'size'];

/** @param {string} root @param {string} work @returns {Result} */
function measureJs(root, work) {
  const js = path.join(root, 'js');
  // What tests import as the package is src/, also in processes that they start.
  const hook = pathToFileURL(path.join(js, 'tools/sources.mjs')).href;
  const report = path.join(work, 'lcov.info');
  const tests = readdirSync(path.join(js, 'tests'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.test.ts') && !OF_BUILDS.includes(name.slice(0, -'.test.ts'.length)),
  );
  const [node = ''] = runtimeCommand('node22');
  // Parts of src/ are generated.
  spawnSync(process.execPath, [path.join(js, 'tools/object-makers.mjs')], { stdio: 'ignore' });
  const { stdout } = spawnSync(
    path.resolve(node),
    [
      ...['--test', '--test-timeout=3600000', '--test-force-exit'],
      ...['--experimental-test-coverage', '--test-coverage-include=src/**'],
      ...['--test-reporter=lcov', `--test-reporter-destination=${report}`],
      ...['--test-reporter=tap', '--test-reporter-destination=stdout'],
      ...tests.map((name) => `tests/${name}`),
    ],
    {
      ...{ cwd: js, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 2] },
      env: { ...process.env, NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${hook}` },
    },
  );
  const failed = stdout.split('\n').filter((line) => /^ *not ok /.test(line));
  for (const line of failed) console.error(`js: ${line.trim()}`);
  return { lines: linesOfLcov(readFileSync(report, 'utf8')), failures: failed.length };
}

const PARTS = { go: measureGo, php: measurePhp, js: measureJs };

/** Numbers as ranges, 1-3 5. @param {number[]} numbers ascending */
export function ranges(numbers) {
  /** @type {[number, number][]} */
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');
}

function main() {
  const { values, positionals } = readArguments('coverage', {
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      uncovered: { type: 'boolean' },
      root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const unknown = positionals.find((name) => !(name in PARTS));
  if (unknown !== undefined) {
    console.error(`coverage: no part is called ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);
    process.exit(2);
  }
  const root = path.resolve(values.root);
  const work = mkdtempSync(path.join(tmpdir(), 'coverage-'));
  console.log('part | lines run | lines | share');
  for (const [name, measure] of Object.entries(PARTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const result = measure(root, work);
    if ('missing' in result) {
      console.log(`${name} | left out: ${result.missing}`);
      continue;
    }
    const all = [...result.lines.values()].flatMap((lines) => [...lines.values()]);
    const run = all.filter(Boolean).length;
    const failures = result.failures === 0 ? '' : ` | ${result.failures} tests failed, see above`;
    const remark = result.remark === undefined ? '' : ` | ${result.remark}`;
    console.log(`${name} | ${run} | ${all.length} | ${((100 * run) / all.length).toFixed(2)} %${failures}${remark}`);
    if (!values.uncovered) continue;
    for (const [file, lines] of result.lines) {
      const missed = [...lines].filter(([, wasRun]) => !wasRun).map(([line]) => line);
      if (missed.length > 0) console.log(`  ${path.relative(root, file)}: ${ranges(missed.sort((a, b) => a - b))}`);
    }
  }
  rmSync(work, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
