// First use of the PHP library and its peers: one request of a server with opcache, and one run of the command line
// without it. What bench-first.mjs measures.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { choose } from './bench-js-peers.mjs';

/** @typedef {import('./bench-first.mjs').Language} Language */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = path.join(ROOT, 'php/bench/first.php');
const SOURCE = path.join(ROOT, 'php/src');
const ADDRESS = '127.0.0.1:8317';

/** Where our library is preloaded. */
const PRELOADED = '127.0.0.1:8318';

const PEERS = ['pecl', 'json'];
const MESSAGES = ['small-ack', 'small-session', 'small-event', 'event', 'real-countries'];

// PHP looks at files of the last seconds again in each request, and neither caches nor inherits from them.
const OPCACHE = ['-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1', '-d', 'opcache.file_update_protection=0'];
const PLAIN = ['-d', 'opcache.enable=0', '-d', 'opcache.enable_cli=0'];

/** Our PHP code, not the extension. */
const ENV = { ...process.env, POLYPACK_ENGINE: 'php' };

/** @param {string[]} args */
function php(args) {
  const { status, stdout, stderr } = spawnSync('php', args, { encoding: 'utf8', env: ENV });
  if (status !== 0) throw new Error((stderr + stdout).trim().split('\n').slice(0, 6).join('\n'));
  return stdout;
}

/**
 * Asks the server, and tries again while it doesn't answer yet.
 *
 * @param {string} address
 * @param {Record<string, string>} query
 */
function ask(address, query) {
  const code = `for ($i = 0; $i < 100; ++$i) {
    $answer = @file_get_contents($argv[1]);
    if ($answer !== false) { echo $answer; exit; }
    usleep(50_000);
  }
  exit(1);`;
  return php(['-n', '-r', code, `http://${address}/?${new URLSearchParams(query)}`]);
}

/**
 * @param {string} address
 * @param {string[]} settings of php.ini
 */
function startServer(address, settings = []) {
  const flags = [...OPCACHE, '-d', 'opcache.jit_buffer_size=0', ...settings, '-S', address, PROGRAM];
  const server = spawn('php', flags, { stdio: 'ignore', env: ENV });
  server.unref();
  process.on('exit', () => server.kill());
}

/** @type {Language} */
export const phpLanguage = {
  operations: ['request', 'pack', 'unpack'],
  workloads: ['opcache', 'plain'].flatMap((mode) => MESSAGES.map((name) => `${mode}/${name}`)),
  peers: PEERS,

  start({ peers, others }) {
    const sources = /** @type {Record<string, string>} */ ({ polypack: SOURCE });
    for (const peer of peers === undefined ? PEERS : choose(peers, [...PEERS, 'preloaded'], 'peer')) {
      if (peer === 'preloaded') sources[peer] = SOURCE;
      else if (peer === 'json' || php(['-r', "echo extension_loaded('msgpack');"]) === '1') sources[peer] = '-';
    }
    for (const other of others) {
      const [name = '', folder = ''] = other.split('=');
      if (name !== 'rybakit') throw new RangeError('--peer takes rybakit=FOLDER for PHP');
      sources[name] = path.resolve(folder, 'src');
    }
    startServer(ADDRESS);
    if ('preloaded' in sources) {
      const user = process.getuid?.() === 0 ? ['-d', 'opcache.preload_user=root'] : [];
      startServer(PRELOADED, ['-d', `opcache.preload=${path.join(ROOT, 'php/preload.php')}`, ...user]);
    }
    return Object.entries(sources).map(([name, source]) => {
      const folder = path.join(ROOT, 'build/bench/first-php', name);
      mkdirSync(folder, { recursive: true });
      const [contestant, address] = name === 'preloaded' ? ['polypack', PRELOADED] : [name, ADDRESS];
      php([PROGRAM, 'write', contestant, source, folder]);
      /** @type {Set<string>} */
      const warm = new Set();
      return {
        name,
        run: (operation, workload) => {
          const [mode = '', messages = ''] = workload.split('/');
          const file = path.join(folder, `${messages}.php`);
          if (mode === 'plain') return JSON.parse(php([...PLAIN, PROGRAM, operation, contestant, source, file]));
          const query = { operation, contestant, source, file };
          // A server has answered before: opcache has compiled the files, and has linked the classes.
          for (let i = warm.has(operation + messages) ? 1 : 0; i < 3; i++) ask(address, query);
          warm.add(operation + messages);
          return JSON.parse(ask(address, query));
        },
      };
    });
  },
};
