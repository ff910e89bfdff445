#!/usr/bin/env node
// Compares the JavaScript package with its peers, each in a process of its own.
//
// Plan of the file: how they are started · what is compared · main.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments } from './arguments.mjs';
import { rowsOf, runSet } from './bench-js-measure.mjs';
import { choose, oursOf, PEER_NAMES, peerAt, peerOf } from './bench-js-peers.mjs';
import { memory } from './bench-js-singles.mjs';
import { RUNTIME_NAMES, runtimeCommand } from './runtimes.mjs';

/** @typedef {import('./bench-js-measure.mjs').Entrant} Entrant */
/** @typedef {import('./bench-js-measure.mjs').Group} Group */
/** @typedef {import('./bench-js-measure.mjs').Row} Row */
/** @typedef {import('./bench-js-peers.mjs').Peer} Peer */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const JS = path.join(ROOT, 'js');
const PAYLOADS = 'ex1 ex2 ex3 ex4 ex5 sampleLarge apiList config geo text logs blobs'.split(' ');
/** What memory is measured with: rows, texts, floats. */
const RETAINED = ['apiList', 'logs', 'text', 'geo'];
const UNFRIENDLY =
  'uniqueKeys bigDictionary intKeys optionalFields unionTypes mixedArray longKeys wideKeys smallInts shortStrings uuids longAscii deep wide64'.split(
    ' ',
  );
const GROUP_NAMES = [
  'plain',
  'records',
  'shared',
  'noeval',
  'browser',
  'chromium',
  'chromium-noeval',
  'unfriendly',
  'compact',
  'stream',
  'memory',
];
const STREAMING = ['stream', 'stream-write', 'stream-sequential', 'stream-write-sequential'];
const NO_EVAL = '--disallow-code-generation-from-strings';

/**
 * Rounds so short that both of a pair find the same machine, and so many that their median
 * forgets what disturbed a few. Warming up takes longer than the first tier of our decoding lasts.
 */
const EFFORT = { warm: 800, round: 5, rounds: 61, sets: 3, best: false };
const QUICK = { warm: 500, round: 6, rounds: 5, sets: 1, best: false };
/** Rounds so short that some of many go undisturbed. */
const BEST = { round: 2, rounds: 25, best: true };

const USAGE = `usage: node tools/bench-js.mjs [OPTION…]

Builds the package, compares it with its peers and writes rows to build/bench/js.json. A ratio is the peer's time divided by
ours: above 1 we are faster (for memory: need less). Each library runs in a process of its own, the processes take turns
round by round, and what they give is compared with the value, element by element, before it is timed. The tables are made
by node tools/bench-table.mjs js.

  --groups NAME,…      ${GROUP_NAMES.join(' ')}
                       (all; with --quick: plain records shared)
  --workloads NAME,…   only these: ${PAYLOADS.join(' ')}, and shapes
                       that are unfriendly: ${UNFRIENDLY.slice(0, 6).join(' ')} …
  --operations NAME,…  pack unpack (both)
  --peers NAME,…       ${PEER_NAMES.join(' ')}
                       (all; with --quick: msgpackr)
  --peer NAME=FOLDER   one more, from a folder that holds a package: a checkout of ours (built) or of msgpackr
  --node NAME          the runtime: ${RUNTIME_NAMES.join(' ')}, or a path (brought by npm if need be)
  --quick              one set of processes and short rounds, for a look while working
  --best               compare the best of many short rounds: for a machine that does other things meanwhile
  --sets NUMBER        sets of processes (${EFFORT.sets})
  --warm NUMBER        milliseconds of each cell before it is timed (${EFFORT.warm}; with --quick ${QUICK.warm})
  --out FILE           where the rows go
  --no-build           measure dist/ as it is

msgpackr-noeval is msgpackr where strings cannot become code; rows of pack-noeval and unpack-noeval have ours so, too. Rows of
pack-compact and unpack-compact are of polypack/compact, against the public door as well.
`;

/** @param {string} line */
function note(line) {
  if (noted.has(line)) return;
  noted.add(line);
  console.log(`  ${line}`);
}
/** @type {Set<string>} */
const noted = new Set();

// --- how they are started --------------------------------------------------------------------------------------------

/**
 * @param {string[]} runtime
 * @param {Peer} peer
 * @param {string} form
 * @param {{flags?: string[], file?: string, args?: string[]}} [how]
 * @returns {Entrant}
 */
function entrant(runtime, { name, kind, file, env }, form, { flags = [], file: other, args = [] } = {}) {
  const worker = path.join(JS, 'build/bench/worker.js');
  const address = file === '' ? '-' : pathToFileURL(other ?? file).href;
  const command = [...runtime, ...flags, worker, kind, address, form, ...args];
  return env === undefined ? { name, command } : { name, command, env };
}

/**
 * A library in a page of its own, as bundlers for browsers take it.
 *
 * @param {Peer} peer
 * @param {string} form
 * @param {boolean} [hasPolicy] whether the page lets no string become code; msgpackr has a build for such pages
 * @returns {Entrant}
 */
function pageOf({ name, kind, file }, form, hasPolicy = false) {
  const noEval = hasPolicy && kind === 'msgpackr' ? 'msgpackr/index-no-eval' : kind;
  const library = kind === 'polypack' ? path.join(path.dirname(file), 'index.js') : noEval;
  const program = path.join(JS, 'tools/bench-page.mjs');
  const command = [process.execPath, program, kind, library, form];
  return { name, command: hasPolicy ? [...command, '--policy'] : command };
}

// --- what is compared ------------------------------------------------------------------------------------------------

/**
 * @param {string} name
 * @param {string[]} runtime
 * @param {Peer[]} peers
 * @param {{operations: string[], workloads: string[] | undefined}} chosen
 * @returns {Group[]}
 */
function groupsOf(name, runtime, peers, chosen) {
  const ours = oursOf();
  const wanted = (/** @type {string[]} */ list) => list.filter((one) => chosen.workloads?.includes(one) ?? true);
  const cells = (/** @type {string[]} */ list) =>
    wanted(list).flatMap((workload) => chosen.operations.map((operation) => ({ operation, workload })));
  const all = [ours, ...peers];
  const withRecords = all.filter(({ kind }) => ['polypack', 'msgpackr', 'cbor-x'].includes(kind));
  const msgpackr = peers.find((peer) => peer.name === 'msgpackr');
  const versions = peers.filter(({ kind }) => kind === 'polypack');
  const plain = (/** @type {Peer} */ peer) => entrant(runtime, peer, 'plain');
  switch (name) {
    case 'plain':
      return [{ title: name, suffix: '', entrants: all.map(plain), cells: cells(PAYLOADS) }];
    case 'records':
    case 'shared': {
      const entrants = withRecords.map((peer) => entrant(runtime, peer, name));
      return [{ title: name, suffix: `-${name}`, entrants, cells: cells(PAYLOADS) }];
    }
    case 'noeval': {
      const flags = { flags: [NO_EVAL] };
      const noEval = [ours, ...versions].map((one) => entrant(runtime, one, 'plain', flags));
      const noeval = (/** @type {Peer} */ peer) =>
        entrant(runtime, { ...peer, name: 'msgpackr-noeval' }, 'plain', flags);
      const entrants = msgpackr === undefined ? noEval : [...noEval, plain(msgpackr), noeval(msgpackr)];
      return [{ title: name, suffix: '-noeval', entrants, cells: cells(PAYLOADS) }];
    }
    case 'browser': {
      // The builds that bundlers take for browsers, without Buffer.
      const web = peers.flatMap((peer) => {
        if (peer.name === 'msgpackr') return [{ peer, file: path.join(path.dirname(peer.file), '../index.js') }];
        if (peer.kind === 'polypack') return [{ peer, file: path.join(path.dirname(peer.file), 'index.js') }];
        return ['@msgpack/msgpack', 'JSON'].includes(peer.kind) ? [{ peer, file: peer.file }] : [];
      });
      const list = [{ peer: ours, file: path.join(JS, 'dist/index.js') }, ...web];
      const entrants = list.map(({ peer, file }) => entrant(runtime, peer, 'plain', { file, args: ['--browser'] }));
      return [{ title: name, suffix: '-browser', entrants, cells: cells(PAYLOADS) }];
    }
    case 'chromium': {
      const wanted = peers.filter(({ name: peer }) => ['msgpackr', '@msgpack/msgpack', 'JSON'].includes(peer));
      const entrants = [ours, ...versions, ...wanted].map((peer) => pageOf(peer, 'plain'));
      if (msgpackr !== undefined) {
        // What its authors recommend for browsers, against our plain bytes.
        entrants.push(pageOf({ ...msgpackr, name: 'msgpackr-bundled' }, 'bundled'));
      }
      return [{ title: name, suffix: `-${name}`, entrants, cells: cells(PAYLOADS) }];
    }
    case 'chromium-noeval': {
      if (msgpackr === undefined) return [];
      const noeval = pageOf({ ...msgpackr, name: 'msgpackr-noeval' }, 'plain', true);
      const entrants = [pageOf(ours, 'plain', true), pageOf(msgpackr, 'plain'), noeval];
      return [{ title: name, suffix: `-${name}`, entrants, cells: cells(PAYLOADS) }];
    }
    case 'unfriendly': {
      const entrants = all.filter(({ kind }) => !['avsc', 'notepack.io', 'cbor-x'].includes(kind)).map(plain);
      return [{ title: name, suffix: '-unfriendly', entrants, cells: cells(UNFRIENDLY) }];
    }
    case 'compact': {
      // Its natural peers: small, and of JavaScript alone. And the public door, to see what its bytes buy.
      const natural = peers.filter((peer) => ['msgpackr-noaddon', '@msgpack/msgpack'].includes(peer.name));
      const compact = { name: 'compact', kind: 'polypack', file: path.join(JS, 'dist/compact.js') };
      const others = versions.map((one) => ({ ...one, file: path.join(path.dirname(one.file), 'compact.js') }));
      const entrants = [compact, ...others, ours, ...natural].map(plain);
      return [{ title: name, suffix: '-compact', entrants, cells: cells(PAYLOADS) }];
    }
    case 'stream': {
      // The addon has no part in what makes msgpackr slow here, and once is enough to wait for it.
      const streams = peers.filter(({ kind, name: peer }) => kind === 'polypack' || peer === 'msgpackr');
      const entrants = [ours, { ...ours, name: 'one-shot' }, ...streams].map((peer) =>
        entrant(runtime, peer, 'records'),
      );
      const cell = (/** @type {string} */ operation) => (/** @type {string} */ workload) => ({ operation, workload });
      const group = { title: name, suffix: '', entrants: entrants.filter((one) => one.name !== 'one-shot') };
      return [
        { ...group, entrants, cells: wanted(['large']).map(cell('stream')), instead: { 'one-shot': 'unpack' } },
        { ...group, cells: wanted(['small']).flatMap((one) => STREAMING.map((operation) => cell(operation)(one))) },
      ];
    }
    default:
      return [];
  }
}

// --- main ------------------------------------------------------------------------------------------------------------

/** @param {string[]} runtime @param {Peer[]} peers @param {typeof EFFORT} effort @param {string[]} names @param {Parameters<typeof groupsOf>[3]} chosen */
async function measure(runtime, peers, effort, names, chosen) {
  /** @type {Row[]} */
  const rows = [];
  const retained = (chosen.workloads ?? RETAINED).filter((one) => PAYLOADS.includes(one));
  for (const name of names) {
    const libraries = [oursOf(), ...peers];
    // Memory does not vary as time does.
    if (name === 'memory') rows.push(...memory(runtime, libraries, retained, { rounds: 1, note }));
    for (const group of groupsOf(name, runtime, peers, chosen)) {
      if (group.cells.length === 0 || group.entrants.length < 2) continue;
      console.log(`${group.title}: ${group.entrants.map((one) => one.name).join(', ')}`);
      const sets = [];
      // Values of megabytes take long enough by themselves.
      const isLarge = group.cells.some(({ workload }) => workload === 'large');
      const own = isLarge ? { ...effort, warm: 1, rounds: Math.min(effort.rounds, 3) } : effort;
      for (let set = 0; set < effort.sets; set++) sets.push(await runSet(group, own, note));
      rows.push(...rowsOf(sets));
    }
  }
  return rows;
}

/** @param {Row[]} rows */
function print(rows) {
  for (const { workload, operation, against, ratio, low, high, verified } of rows) {
    const range = `${ratio.toFixed(2)} (${low.toFixed(2)} – ${high.toFixed(2)})`;
    console.log(
      `${workload.padEnd(14)} ${operation.padEnd(19)} ${against.padEnd(18)} ${range}${verified ? '' : '  differs'}`,
    );
  }
  for (const key of new Set(rows.map(({ operation, against }) => `${operation}\t${against}`))) {
    const of = rows.filter(({ operation, against }) => `${operation}\t${against}` === key);
    const mean = Math.exp(of.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / of.length);
    const least = of.reduce((a, b) => (a.ratio < b.ratio ? a : b));
    const [operation = '', against = ''] = key.split('\t');
    const losses = of.filter(({ ratio }) => ratio < 1).length;
    console.log(
      `geometric mean ${operation.padEnd(19)} ${against.padEnd(18)} ${mean.toFixed(2)}, least ${least.ratio.toFixed(2)} (${least.workload}), losses ${losses} of ${of.length}`,
    );
  }
}

const { values } = readArguments('bench-js', {
  options: {
    help: { type: 'boolean', short: 'h' },
    groups: { type: 'string' },
    workloads: { type: 'string' },
    operations: { type: 'string' },
    peers: { type: 'string' },
    peer: { type: 'string', multiple: true, default: [] },
    node: { type: 'string' },
    quick: { type: 'boolean' },
    best: { type: 'boolean' },
    sets: { type: 'string' },
    warm: { type: 'string' },
    out: { type: 'string', default: path.join(ROOT, 'build/bench/js.json') },
    'no-build': { type: 'boolean' },
  },
});
async function main() {
  const effort = { ...(values.quick ? QUICK : EFFORT), ...(values.best ? BEST : {}) };
  if (values.sets !== undefined) effort.sets = Number(values.sets);
  if (values.warm !== undefined) effort.warm = Number(values.warm);
  for (const name of /** @type {const} */ (['sets', 'warm'])) {
    if (!Number.isInteger(effort[name]) || effort[name] < 1) throw new RangeError(`--${name} takes a number from 1`);
  }
  const names = choose(values.groups ?? (values.quick ? 'plain,records,shared' : undefined), GROUP_NAMES, 'group');
  const chosen = {
    operations: choose(values.operations, ['pack', 'unpack'], 'operation'),
    workloads:
      values.workloads === undefined
        ? undefined
        : choose(values.workloads, [...PAYLOADS, ...UNFRIENDLY, 'large', 'small'], 'workload'),
  };
  const listed = values.peers ?? (values.quick ? 'msgpackr' : undefined);
  const peers = [
    ...choose(listed === '' ? undefined : listed, PEER_NAMES, 'peer').map(peerOf),
    ...values.peer.map(peerAt),
  ];
  const runtime = values.node === undefined ? [process.execPath] : runtimeCommand(values.node);
  const steps = values['no-build'] ? [] : [['npm', 'run', '--silent', '--workspace', 'js', 'build']];
  for (const [program = '', ...args] of [...steps, ['node', 'js/tools/run.mjs', '--compile']]) {
    if (spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0) process.exit(1);
  }
  const rows = await measure(runtime, peers, effort, names, chosen);
  print(rows);
  mkdirSync(path.dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`);
}

if (values.help) process.stdout.write(USAGE);
else {
  await main().catch((error) => {
    if (!(error instanceof RangeError)) throw error;
    console.error(`bench-js: ${error.message}`);
    process.exit(2);
  });
}
