// First use of the Go library and encoding/json: what bench-first.mjs measures. A Go program is one binary, so there is
// no loading to compare: its rows are 1.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { choose } from './bench-js-peers.mjs';

/** @typedef {import('./bench-first.mjs').Language} Language */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PEERS = ['json'];

/** @type {Language} */
export const goLanguage = {
  operations: ['encode', 'decode'],
  workloads: ['01Small', '02Medium', '03Large', '13Config'],
  peers: PEERS,

  start({ peers, others }) {
    if (others.length > 0) throw new RangeError('--peer is not known for Go');
    const folder = path.join(ROOT, 'build/bench/first-go');
    const binary = path.join(folder, 'first');
    mkdirSync(folder, { recursive: true });
    execFileSync(path.join(ROOT, '.toolchain/bin/go'), ['build', '-o', binary, './first'], {
      cwd: path.join(ROOT, 'go/bench'),
    });
    return ['polypack', ...choose(peers, PEERS, 'peer')].map((name) => {
      for (const workload of goLanguage.workloads)
        execFileSync(binary, [name, 'write', workload, path.join(folder, `${name}-${workload}`)]);
      return {
        name,
        run: (operation, workload) =>
          JSON.parse(
            execFileSync(binary, [name, operation, workload, path.join(folder, `${name}-${workload}`)], {
              encoding: 'utf8',
            }),
          ),
      };
    });
  },
};
