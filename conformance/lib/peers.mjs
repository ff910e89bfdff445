// Other libraries that are asked when they are installed, as data: how each is found, started and installed.
//
// Hostile bytes kill some of them, so each runs with limited memory, in processes that nothing else depends on.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { ROOT } from './adapters.mjs';

/**
 * @typedef {import('./protocol.mjs').Program} Program
 *
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} install how to install it, for people
 * @property {(folder: string | undefined) => string[] | null} find the command of its adapter, given the folder that
 *   `--peer` named; null when it is not installed
 */

const HERE = path.join(ROOT, 'conformance/adapters/third-party');
const GO = path.join(ROOT, '.toolchain/bin/go');

/** Memory of one adapter: the heap in MiB for the language's own limit, the address space in KiB for the kernel's. */
const MAX_HEAP = 512;
const MAX_ADDRESS_SPACE = 6 << 20;

/** @type {Peer[]} */
export const PEERS = [
  { name: 'msgpackr', install: 'make setup', find: () => findNpm('msgpackr') },
  { name: '@msgpack/msgpack', install: 'make setup', find: () => findNpm('@msgpack/msgpack') },
  { name: 'pecl-msgpack', install: 'pecl install msgpack, or the package php-msgpack of the system', find: findPecl },
  { name: 'rybakit', install: 'composer global require rybakit/msgpack, or --peer rybakit=DIR', find: findRybakit },
  {
    name: 'vmihailenco',
    install: '--peer vmihailenco=DIR with a checkout of github.com/vmihailenco/msgpack v5, and tagparser beside it',
    find: findVmihailenco,
  },
];

/**
 * Runs a command with limited address space.
 *
 * @param {string[]} command
 * @returns {string[]}
 */
function limited(command) {
  return ['sh', '-c', `ulimit -v ${MAX_ADDRESS_SPACE} && exec "$@"`, 'sh', ...command];
}

/** @param {string} name */
function findNpm(name) {
  try {
    createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
  return limited([process.execPath, `--max-old-space-size=${MAX_HEAP}`, path.join(HERE, 'npm.mjs'), name]);
}

/** @param {string[]} args */
function php(...args) {
  return limited(['php', '-d', `memory_limit=${MAX_HEAP}M`, ...args]);
}

function findPecl() {
  for (const loading of [[], ['-d', 'extension=msgpack']]) {
    const loaded = output(['php', ...loading, '-r', 'echo extension_loaded("msgpack") ? "yes" : "no";']);
    if (loaded === 'yes') return php(...loading, path.join(HERE, 'php.php'), 'pecl-msgpack');
  }
  return null;
}

/** @param {string | undefined} folder */
function findRybakit(folder) {
  const sources =
    folder === undefined ? composerGlobals().map((home) => path.join(home, 'vendor/rybakit/msgpack')) : [folder];
  const found = sources.find((source) => existsSync(path.join(source, 'src/MessagePack.php')));
  return found === undefined ? null : php(path.join(HERE, 'php.php'), 'rybakit', path.join(found, 'src'));
}

/** The folders where `composer global` may install. */
function composerGlobals() {
  const homes = [
    process.env.COMPOSER_HOME,
    path.join(homedir(), '.config/composer'),
    path.join(homedir(), '.composer'),
  ];
  return homes.flatMap((home) => (home ? [home] : []));
}

/**
 * Builds the adapter in a GOPATH of links, where no module has to name a version of the library or of its tests.
 *
 * @param {string | undefined} folder
 */
function findVmihailenco(folder) {
  const beside = folder === undefined ? '' : path.join(path.dirname(folder), 'tagparser');
  const library = folder ?? findGoSources('github.com/vmihailenco/msgpack', 'v5');
  const tags = existsSync(beside) ? beside : findGoSources('github.com/vmihailenco/tagparser', 'v2');
  if (library === null || tags === null) return null;
  const root = path.join(ROOT, 'build/conformance/peer-vmihailenco');
  const owner = path.join(root, 'src/github.com/vmihailenco');
  rmSync(root, { recursive: true, force: true });
  for (const [name, sources] of Object.entries({ 'msgpack/v5': library, 'tagparser/v2': tags })) {
    mkdirSync(path.join(owner, path.dirname(name)), { recursive: true });
    symlinkSync(path.resolve(sources), path.join(owner, name));
  }
  const binary = path.join(root, 'adapter');
  const environment = { GO111MODULE: 'off', GOPATH: root, GOFLAGS: '' };
  const built = output([GO, 'build', '-o', binary, path.join(HERE, 'vmihailenco/main.go')], root, environment);
  return built === null ? null : limited([binary]);
}

/**
 * Finds the sources of a Go package where Go keeps them: the module cache, then the GOPATHs,
 * then the system's packages.
 *
 * @param {string} name
 * @param {string} major
 * @returns {string | null}
 */
function findGoSources(name, major) {
  const [cache = '', paths = ''] = (output([GO, 'env', 'GOMODCACHE', 'GOPATH']) ?? '').split('\n');
  const folder = path.join(cache, name);
  const cached = existsSync(folder)
    ? readdirSync(folder)
        .filter((entry) => entry.startsWith(`${major}@`))
        .sort()
    : [];
  const roots = [...paths.split(path.delimiter), '/usr/share/gocode'].map((root) => path.join(root, 'src', name));
  const candidates = [
    ...cached.reverse().map((entry) => path.join(folder, entry)),
    ...roots.flatMap((root) => [path.join(root, major), root]),
  ];
  return candidates.find(holdsGo) ?? null;
}

/** @param {string} folder */
function holdsGo(folder) {
  return existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.go'));
}

/**
 * What a command prints, or null when it fails or is not there.
 *
 * @param {string[]} command
 * @param {string} [cwd]
 * @param {Record<string, string>} [environment] added to the environment
 */
function output([program = '', ...args], cwd, environment = {}) {
  try {
    const env = { ...process.env, ...environment };
    return execFileSync(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
