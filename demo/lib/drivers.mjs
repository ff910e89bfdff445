/**
 * Drivers: one long-lived process per language, which decodes and encodes files when asked.
 *
 * Plan of the file: the protocol · how each language is started · the process · frames.
 *
 * One JSON object per line in each direction, answered in order. `in` and `out` are paths of files.
 *
 * | request | the driver |
 * |---|---|
 * | `{"id", "op": "hello"}` | answers `{"id", "language": "PHP 8.2.1"}` |
 * | `{"id", "op": "relay", "in", "out", "repeat"}` | decodes and encodes in lossless mode `repeat` times, writes the bytes, answers `{"id", "decode": [ms …], "encode": [ms …]}` |
 * | `{"id", "op": "canonical", "in", "out"}` | writes the canonical form (08#canonicalize) |
 * | `{"id", "op": "records", "in", "out"}` | decodes losslessly, encodes with records inline (only asked of JavaScript) |
 * | `{"id", "op": "trip", "from", "through", "in", "out"}` | takes each frame of `in` (json or msgpack, as `from` says) through the language's usual `through` (json or msgpack) and back, in the language's habits, and writes one result frame each |
 *
 * A failure is `{"id", "error": {"code", "path", "message"}}`; code and path are null when the language gave none.
 */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {'php' | 'js' | 'go'} Language
 * @typedef {{ code: string | null, path: string | null, message: string }} DriverFailure
 * @typedef {{ op: 'hello' } | { op: 'relay', in: string, out: string, repeat: number }
 *   | { op: 'canonical' | 'records', in: string, out: string }
 *   | { op: 'trip', from: 'json' | 'msgpack', through: 'json' | 'msgpack', in: string, out: string }} DriverRequest
 * @typedef {{ id: number, language?: string, decode?: number[], encode?: number[], error?:
 *   DriverFailure }} DriverAnswer
 */

/** @type {readonly Language[]} the order of rows and columns everywhere */
export const LANGUAGES = ['php', 'js', 'go'];

/** @type {Readonly<Record<Language, string>>} */
export const LANGUAGE_NAMES = { php: 'PHP', js: 'JavaScript', go: 'Go' };

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DRIVERS = fileURLToPath(new URL('../drivers/', import.meta.url));
const TIMEOUT_MS = 900_000; // for one request; the largest set takes a few seconds on an idle machine
const STDERR_KEPT = 2000; // characters of what a driver said last

/** A part of the checkout that is not there or does not build; the message says what mends it. */
export class MissingTool extends Error {}

/** A driver ended, or broke the protocol: nothing more can be asked of it. */
export class DriverEnded extends Error {}

/** A driver answered that it could not do what it was asked. */
export class DriverError extends Error {
  /** @param {DriverFailure} failure */
  constructor({ code, path, message }) {
    super([code, path === null || path === '' ? null : `at path "${path}"`, message].filter(Boolean).join(': '));
    this.name = 'DriverError';
    this.code = code;
    this.path = path;
  }
}

// --- how each language is started ------------------------------------------------------------------------------------

/**
 * Makes what the driver of a language needs and returns the command that starts it.
 *
 * @param {Language} language
 * @returns {string[]}
 * @throws {MissingTool}
 */
export function prepareDriver(language) {
  switch (language) {
    case 'php':
      return preparePhp();
    case 'js':
      return prepareJs();
    case 'go':
      return prepareGo();
  }
}

function preparePhp() {
  if (spawnSync('php', ['-v'], { stdio: 'ignore' }).status !== 0)
    throw new MissingTool('missing: php; run: make setup');
  if (!existsSync(join(ROOT, 'php/vendor/autoload.php'))) {
    throw new MissingTool('missing: php/vendor/autoload.php; run: make setup');
  }
  return ['php', '-d', 'memory_limit=-1', '-d', 'display_errors=stderr', join(DRIVERS, 'php/driver.php')];
}

function prepareJs() {
  if (!existsSync(join(ROOT, 'js/package.json'))) throw new MissingTool('missing: js/; check out the whole repository');
  if (newest(join(ROOT, 'js/src')) > newest(join(ROOT, 'js/dist'))) {
    build('the JavaScript package', 'npm', ['run', '--silent', '--workspace', 'js', 'build'], ROOT);
  }
  return [process.execPath, '--max-old-space-size=4096', join(DRIVERS, 'js/driver.mjs')];
}

function prepareGo() {
  const go = join(ROOT, '.toolchain/bin/go');
  if (!existsSync(go)) throw new MissingTool('missing: .toolchain/bin/go; run: make setup');
  const folder = join(ROOT, 'build/demo');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'driver-go');
  build('the Go driver', go, ['build', '-o', program, '.'], join(DRIVERS, 'go'));
  return [program];
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 * @param {string} folder
 */
function build(what, command, args, folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim();
  throw new MissingTool(
    `missing: ${what} does not build (${said.split('\n')[0]}); run make setup, then ` +
      `(cd ${relative(ROOT, folder) || '.'} && ${command} ${args.join(' ')})`,
  );
}

/**
 * @param {string} folder
 * @returns {number} when the newest file below was written, in milliseconds; 0 when there is none
 */
function newest(folder) {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

// --- the process -----------------------------------------------------------------------------------------------------

/** A running driver. Requests may be sent at once; they are answered in order. */
export class Driver {
  /** @type {Map<number, { resolve: (answer: DriverAnswer) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #nextId = 1;
  #stderr = '';
  /** @type {DriverEnded | null} */
  #ended = null;
  #process;

  /**
   * @param {Language} language
   * @param {string[]} command program and arguments
   */
  constructor(language, command) {
    this.language = language;
    this.name = LANGUAGE_NAMES[language];
    const [program = '', ...args] = command;
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process.stdin.on('error', () => {}); // a driver that died is reported by 'close', with what it said
    this.#process.on('error', (error) => this.#end(`did not start: ${error.message}`));
    this.#process.on('close', (code, signal) => this.#end(`ended with ${signal ?? `status ${code}`}`));
    this.#process.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#answer(line));
  }

  /**
   * Sends one request.
   *
   * @param {DriverRequest} request
   * @returns {Promise<DriverAnswer>}
   * @throws {DriverError} when the driver answers with a failure
   * @throws {DriverEnded} when it ends, breaks the protocol or does not answer in time
   */
  async request(request) {
    if (this.#ended !== null) throw this.#ended;
    const id = this.#nextId++;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    try {
      /** @type {DriverAnswer} */
      const answer = await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        timer = setTimeout(() => {
          this.#end(`gave no answer to ${request.op} within ${TIMEOUT_MS / 1000} s`);
          this.close();
        }, TIMEOUT_MS);
        this.#process.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      });
      if (answer.error !== undefined) throw new DriverError(answer.error);
      return answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Ends the process. Requests without an answer fail. */
  close() {
    this.#process.stdin.end();
    this.#process.kill();
  }

  /** @param {string} line */
  #answer(line) {
    /** @type {DriverAnswer} */
    let answer;
    try {
      answer = JSON.parse(line);
    } catch {
      this.#end(`wrote a line that is no answer: ${line.slice(0, 200)}`);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) this.#end(`answered request ${answer.id}, which nobody asked`);
    else waiting.resolve(answer);
  }

  /** @param {string} what happened */
  #end(what) {
    if (this.#ended !== null) return;
    const said = this.#stderr.trim();
    this.#ended = new DriverEnded(`the ${this.name} driver ${what}${said === '' ? '' : `; it said: ${said}`}`);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
  }
}

// --- frames ----------------------------------------------------------------------------------------------------------

/**
 * @typedef {{ refused: false, bytes: Uint8Array } | { refused: true, message: string }} TripResult
 */

/**
 * Joins messages: for each its length (uint 32, big-endian) and its bytes.
 *
 * @param {readonly Uint8Array[]} messages
 * @returns {Buffer}
 */
export function writeFrames(messages) {
  return Buffer.concat(
    messages.flatMap((message) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(message.length);
      return [length, message];
    }),
  );
}

/**
 * Splits what a trip wrote: for each message a status (00 carried, 01 refused), a length (uint 32, big-endian), and the
 * bytes, which are the library's own words when it refused.
 *
 * @param {Buffer} buffer
 * @returns {TripResult[]}
 * @throws {RangeError} when the file is cut short
 */
export function readResultFrames(buffer) {
  /** @type {TripResult[]} */
  const results = [];
  for (let offset = 0; offset < buffer.length; ) {
    const end = offset + 5 + buffer.readUInt32BE(offset + 1);
    if (end > buffer.length) throw new RangeError(`a trip's file ends early, at byte ${offset}`);
    const bytes = buffer.subarray(offset + 5, end);
    results.push(buffer[offset] === 0 ? { refused: false, bytes } : { refused: true, message: bytes.toString() });
    offset = end;
  }
  return results;
}
