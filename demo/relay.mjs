#!/usr/bin/env node
/**
 * The relay's command line: `node demo/relay.mjs --help`.
 *
 * Exit status: 0 everything arrived identical; 1 a difference, a failure or a missing part; 2 wrong usage.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MissingDataset, SOURCES } from './lib/datasets.mjs';
import { DriverEnded, LANGUAGES, MissingTool, prepareDriver } from './lib/drivers.mjs';
import { htmlReport } from './lib/html.mjs';
import { picture } from './lib/picture.mjs';
import { Progress } from './lib/progress.mjs';
import { runRelay, STEPS_PER_DATASET } from './lib/relay.mjs';
import { textReport } from './lib/report.mjs';

/** @typedef {import('./lib/drivers.mjs').Language} Language */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PICTURE = 'docs/images/relay.svg';

const HELP = `usage: node demo/relay.mjs [options]

Sends real data through PHP, JavaScript and Go, in every order, and checks that what comes back is what was sent.
Writes build/demo/report.html and build/demo/report.json.

  --small        ${SOURCES.filter((source) => source.small)
    .map((source) => source.name)
    .join(', ')} only: a few seconds
  --only NAME    one data set (repeatable): ${SOURCES.map((source) => source.name).join(', ')}
  --no-html      write no report.html
  --picture      also write ${PICTURE} (full run only)
  --out DIR      where reports and bytes go (default: build/demo)
  --driver LANGUAGE=JSON
                 start another driver for php, js or go: a JSON array of program and arguments (for tests)
  --help         this text

Exit status: 0 all identical, 1 a difference or a missing part, 2 wrong usage. NO_COLOR=1 turns colour off.
`;

/** Wrong use of the command line. */
class UsageError extends Error {}

// Whoever closes the pipe, such as head, has read enough. The reports are written all the same.
// Other errors, such as a full disk, are told at the end.
/** @type {Error | null} */
let lost = null;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
}
process.on('exit', () => {
  if (lost === null) return;
  process.exitCode ||= 1;
  process.stderr.write(`relay: the output can't be written: ${lost.message}\n`);
});

process.exitCode = await main(process.argv.slice(2));

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit status
 */
async function main(args) {
  try {
    const options = readOptions(args);
    if (options === null) {
      process.stdout.write(HELP);
      return 0;
    }
    return await relay(options);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`relay: ${error.message}; see node demo/relay.mjs --help\n`);
      return 2;
    }
    if ([MissingDataset, MissingTool, DriverEnded].some((kind) => error instanceof kind)) {
      process.stderr.write(`relay: ${/** @type {Error} */ (error).message}\n`);
      return 1;
    }
    process.stderr.write(`relay: ${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}

/**
 * @typedef {{
 *   sources: readonly import('./lib/datasets.mjs').Source[], html: boolean, picture: boolean, out: string,
 *   drivers: Partial<Record<Language, string[]>>,
 * }} Options
 */

/**
 * @param {string[]} args
 * @returns {Options | null} null when only the help is wanted
 * @throws {UsageError}
 */
function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        small: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        'no-html': { type: 'boolean', default: false },
        picture: { type: 'boolean', default: false },
        out: { type: 'string', default: join(ROOT, 'build/demo') },
        driver: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return null;
  const unknown = values.only.find((name) => !SOURCES.some((source) => source.name === name));
  if (unknown !== undefined) throw new UsageError(`there is no data set ${unknown}`);
  const partial = values.small || values.only.length > 0;
  if (values.picture && partial) throw new UsageError('--picture shows the full run; drop --small and --only');
  return {
    sources: SOURCES.filter(
      ({ name, small }) => (!values.small || small) && (values.only.length === 0 || values.only.includes(name)),
    ),
    html: !values['no-html'],
    picture: values.picture,
    out: resolve(values.out),
    drivers: Object.fromEntries(values.driver.map(readDriver)),
  };
}

/**
 * @param {string} text LANGUAGE=JSON
 * @returns {[Language, string[]]}
 */
function readDriver(text) {
  const [name, ...rest] = text.split('=');
  const language = LANGUAGES.find((candidate) => candidate === name);
  if (language === undefined) throw new UsageError(`--driver ${text} names no language (${LANGUAGES.join(', ')})`);
  try {
    const command = JSON.parse(rest.join('='));
    const isText = (/** @type {unknown} */ part) => typeof part === 'string' && !part.includes('\0');
    if (Array.isArray(command) && command.every(isText) && command[0]) return [language, command];
  } catch {
    // falls through to the one message for both faults
  }
  throw new UsageError(`--driver ${language} wants a JSON array of strings, a program and its arguments`);
}

/**
 * @param {Options} options
 * @returns {Promise<number>}
 */
async function relay({ sources, html, picture: draw, out, drivers }) {
  if (sources.length === 0) throw new UsageError('--small and --only leave no data set');
  const folder = join(out, 'bytes');
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`--out ${out} takes no files: ${error instanceof Error ? error.message : error}`);
  }
  const commands = startCommands(drivers);
  const progress = new Progress(process.stderr, sources.length * STEPS_PER_DATASET);
  let result;
  try {
    result = await runRelay({
      sources,
      commands,
      folder,
      onDataset: (name) => progress.begin(name),
      onStep: (label) => progress.step(label),
    });
  } finally {
    progress.end();
  }
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  process.stdout.write(textReport(result, { color }));
  /** @type {string[]} */
  const written = [];
  /** @param {string} path @param {string} text */
  const put = (path, text) => {
    writeFileSync(path, text);
    written.push(relative(process.cwd(), path) || path);
  };
  put(join(out, 'report.json'), `${JSON.stringify(result, null, 2)}\n`);
  if (html) put(join(out, 'report.html'), await htmlReport(result));
  if (draw && result.ok) {
    mkdirSync(join(ROOT, 'docs/images'), { recursive: true });
    put(join(ROOT, PICTURE), picture(result));
  }
  process.stdout.write(`\nwritten: ${written.join(', ')}\n`);
  return result.ok ? 0 : 1;
}

/**
 * @param {Partial<Record<Language, string[]>>} given commands that replace the language's own driver
 * @returns {Record<Language, string[]>}
 * @throws {MissingTool} naming everything that is missing, one line each
 */
function startCommands(given) {
  /** @type {string[]} */
  const missing = [];
  /** @type {Record<Language, string[]>} */
  const commands = { php: [], js: [], go: [] };
  for (const language of LANGUAGES) {
    try {
      commands[language] = given[language] ?? prepareDriver(language);
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error;
      missing.push(error.message);
    }
  }
  if (missing.length > 0) throw new MissingTool(missing.join('\nrelay: '));
  return commands;
}
