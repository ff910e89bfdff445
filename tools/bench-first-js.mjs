// First use of the JavaScript package and its peers, in a fresh process of Node, or in a fresh browser: what
// bench-first.mjs measures.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { choose, oursOf, peerAt, peerOf } from './bench-js-peers.mjs';
import { runtimeCommand } from './runtimes.mjs';

/** @typedef {import('./bench-first.mjs').Language} Language */
/** @typedef {import('./bench-js-peers.mjs').Peer} Peer */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = path.join(ROOT, 'js/build/bench/first.js');
const PAGE_PROGRAM = path.join(ROOT, 'js/tools/bench-first-page.mjs');

const PEERS = ['msgpackr', 'msgpackr-noaddon', '@msgpack/msgpack', 'JSON'];
const WORKLOADS = [
  'ex1',
  'ex3',
  'ex4',
  'sampleLarge',
  'call',
  'real-countries',
  'real-emoji',
  'real-cities',
  'real-compat',
];

/** @param {string[]} runtime @param {Peer} peer @param {string[]} args */
function run(runtime, { kind, file, env }, args) {
  return start([...runtime, PROGRAM, kind, file === '' ? '-' : pathToFileURL(file).href, ...args], env);
}

/** What a page takes is the build for pages: of ours the one beside that of Node, of others what a bundler finds. */
/** @param {Peer} peer @param {string[]} args */
function visit({ kind, file }, args) {
  const library = kind === 'polypack' ? path.join(path.dirname(file), 'index.js') : kind;
  return start([process.execPath, PAGE_PROGRAM, kind, library, ...args]);
}

/** @param {string[]} command @param {Record<string, string>} [env] */
function start([program = '', ...args], env = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(stderr.trim().split('\n').slice(0, 6).join('\n'));
  return stdout;
}

/**
 * Ours as Node loads it: by the CommonJS build, which alone has the first tier of decoding.
 *
 * @param {Peer} peer
 * @returns {Peer}
 */
function asNodeLoads(peer) {
  return peer.kind === 'polypack' ? { ...peer, file: peer.file.replace(/node\.js$/, 'node.mjs') } : peer;
}

/** @type {Language} */
export const js = {
  operations: ['unpack', 'pack'],
  workloads: WORKLOADS,
  peers: PEERS,

  start({ peers, others, workloads, runtime, build }) {
    const steps = build ? [['npm', 'run', '--silent', '--workspace', 'js', 'build']] : [];
    for (const [program = '', ...args] of [...steps, ['node', 'js/tools/run.mjs', '--compile']]) {
      const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
    }
    const isPage = runtime === 'chromium';
    const command = runtime === undefined || isPage ? [process.execPath] : runtimeCommand(runtime);
    const known = isPage ? PEERS.filter((name) => name !== 'msgpackr-noaddon') : PEERS;
    const folder = path.join(ROOT, 'build/bench/first-js');
    return [
      asNodeLoads(oursOf()),
      ...choose(peers, known, 'peer').map(peerOf),
      ...others.map(peerAt).map(asNodeLoads),
    ].map((peer) => {
      const own = path.join(folder, peer.name.replaceAll('/', '-'));
      mkdirSync(own, { recursive: true });
      run(command, peer, ['write', folder, own, ...workloads]);
      return {
        name: peer.name,
        run: (operation, workload) => {
          const files = [path.join(folder, `${workload}.values`), path.join(own, `${workload}.messages`)];
          return JSON.parse(isPage ? visit(peer, [operation, ...files]) : run(command, peer, [operation, ...files]));
        },
      };
    });
  },
};
