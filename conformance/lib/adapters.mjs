// The implementations that are judged, as data, and how each is made ready. One row is all it takes to add another.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} Build what is made before the adapter can start; paths from the repository's root
 * @property {string} output
 * @property {string[]} sources files and folders; when one is newer than `output`, it is built again
 * @property {string[]} command
 * @property {string} [cwd]
 *
 * @typedef {object} Need something that has to be there
 * @property {string} file from the repository's root
 * @property {string} mend the command that provides it
 *
 * @typedef {object} Judged
 * @property {string} language the room of vectors/defaults
 * @property {boolean} writesRecords its encoder keeps the order of entries, so records/ with `encodes` pins its bytes
 * @property {string[]} [lacks] operations it does not have, and is not asked for; the adapter must not name them. Also
 *   modes, kinds of records, limits and options (FEATURES of judge.mjs), whose cases are left out
 * @property {import('./exam.mjs').Level} [level] how exactly its errors are compared; absent: `full`
 * @property {Need[]} needs
 * @property {Build} [build]
 *
 * @typedef {import('./protocol.mjs').Program & Judged} Implementation
 */

const GO = '.toolchain/bin/go';

/** The build of both JavaScript codecs. */
const JS_BUILD = {
  output: 'js/dist',
  sources: ['js/src', 'js/tools', 'js/package.json', 'js/tsconfig.build.json'],
  command: ['npm', 'run', '--silent', '--workspace', 'js', 'build'],
};

const NO_SNAPSHOTS = ['unserialize', 'unserializeSigned', 'reserialize'];

/** @type {Implementation[]} */
export const IMPLEMENTATIONS = [
  {
    name: 'php',
    language: 'php',
    writesRecords: true,
    lacks: ['clone'],
    command: ['php', 'conformance/adapters/php/adapter.php'],
    cwd: ROOT,
    needs: [
      { file: 'conformance/adapters/php/adapter.php', mend: 'git checkout conformance/adapters/php' },
      { file: 'php/vendor/autoload.php', mend: 'make setup' },
    ],
  },
  {
    name: 'php-ext',
    language: 'php',
    writesRecords: true,
    lacks: ['clone'],
    // The adapter says which engine works, so this fails where the extension can't be loaded.
    command: ['php', '-d', 'extension=build/ext/php/modules/polypack.so', 'conformance/adapters/php/adapter.php'],
    cwd: ROOT,
    needs: [
      { file: 'conformance/adapters/php/adapter.php', mend: 'git checkout conformance/adapters/php' },
      { file: 'php/vendor/autoload.php', mend: 'make setup' },
    ],
    build: {
      output: 'build/ext/php/modules/polypack.so',
      sources: ['ext'],
      command: [path.join(ROOT, 'tools/build-ext')],
    },
  },
  {
    name: 'js',
    language: 'javascript',
    writesRecords: true,
    lacks: ['reserialize'],
    command: [process.execPath, 'conformance/adapters/js/adapter.mjs'],
    cwd: ROOT,
    needs: [
      { file: 'conformance/adapters/js/adapter.mjs', mend: 'git checkout conformance/adapters/js' },
      { file: 'node_modules/typescript', mend: 'make setup' },
    ],
    build: JS_BUILD,
  },
  {
    name: 'js-compact',
    language: 'javascript',
    writesRecords: false,
    lacks: [...NO_SNAPSHOTS, 'canonical', 'isCanonical', 'stream', 'shared', 'clone'],
    command: [process.execPath, 'conformance/adapters/js/compact.mjs'],
    cwd: ROOT,
    needs: [
      { file: 'conformance/adapters/js/compact.mjs', mend: 'git checkout conformance/adapters/js' },
      { file: 'node_modules/typescript', mend: 'make setup' },
    ],
    build: JS_BUILD,
  },
  {
    name: 'go',
    language: 'go',
    writesRecords: false,
    lacks: ['reserialize', 'clone'],
    command: [path.join(ROOT, 'build/conformance/adapter-go')],
    cwd: ROOT,
    needs: [
      { file: 'conformance/adapters/go/go.mod', mend: 'git checkout conformance/adapters/go' },
      { file: GO, mend: 'make setup' },
    ],
    build: {
      output: 'build/conformance/adapter-go',
      sources: ['go', 'conformance/adapters/go'],
      command: [path.join(ROOT, GO), 'build', '-o', path.join(ROOT, 'build/conformance/adapter-go'), '.'],
      cwd: 'conformance/adapters/go',
    },
  },
];

/** An implementation that cannot be asked, with the command that mends it. */
export class NotReadyError extends Error {}

/**
 * Builds an implementation when its sources are newer than what was built last.
 *
 * @param {Implementation} implementation
 * @throws {NotReadyError} when something is missing or does not build
 */
export function prepare({ name, needs, build }) {
  for (const { file, mend } of needs) {
    if (!existsSync(path.join(ROOT, file))) throw new NotReadyError(`${name}: ${file} is missing; run ${mend}`);
  }
  if (build === undefined || !isOlder(build)) return;
  const [program = '', ...args] = build.command;
  try {
    execFileSync(program, args, { cwd: path.join(ROOT, build.cwd ?? ''), stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout = '', stderr = '', message } = /** @type {Error & {stdout?: Buffer, stderr?: Buffer}} */ (error);
    const output = `${stdout}${stderr}`.trim() || message;
    throw new NotReadyError(`${name}: ${path.relative(ROOT, program) || program} ${args.join(' ')} failed:\n${output}`);
  }
}

/** @param {Build} build */
function isOlder({ output, sources }) {
  const file = path.join(ROOT, output);
  if (!existsSync(file)) return true;
  const made = newest(file);
  return sources.some((source) => newest(path.join(ROOT, source)) > made);
}

/**
 * When a file, or the newest file below a folder, was changed: in milliseconds, or 0 if there is none.
 *
 * @param {string} file
 * @returns {number}
 */
function newest(file) {
  if (!existsSync(file)) return 0;
  const { mtimeMs } = statSync(file);
  if (!statSync(file).isDirectory()) return mtimeMs;
  const inside = readdirSync(file).filter((name) => name !== 'node_modules' && name !== 'testdata');
  return Math.max(0, ...inside.map((name) => newest(path.join(file, name))));
}
