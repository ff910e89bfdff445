#!/usr/bin/env node
// Builds the bench of the Go library with the peers that are on this machine, and runs it.
//
// Plan of the file: generated code · main. Which peers there are, and where, stands in go-peers.mjs.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildMsgp, findPeers, generate, go, NAMES, PEERS, readFolders, writeModule } from './go-peers.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = path.join(ROOT, 'go/bench');
const BUILD = path.join(ROOT, 'build/bench-go');

const USAGE = `usage: node tools/bench-go.mjs [--peer NAME=FOLDER]… [--msgp-oldtime] [-- FLAG…]

Builds go/bench with the peers that are on this machine, as a FOLDER with their sources or in the module cache, and runs
it; a peer that is in neither is left out. Rows go to build/bench/go.json. Nothing is downloaded.
  NAME   ${NAMES.join(' ')}
  FLAG   of the bench: -workloads 01,13 -peers msgp,json -operations decode -processes 1 -budget 1s (-help has all)
  --msgp-oldtime   msgp writes timestamps in an extension type of its own, which is quicker, as it does unless told otherwise;
                   without this flag it is told to write those of the specification, so that all write the same bytes
tagparser, fwd and float16 are what vmihailenco, msgp and cbor need; tools, mod and sync (golang.org/x) what the generator
of msgp needs.
`;

// --- generated code --------------------------------------------------------------------------------------------------

/**
 * Lets msgp write its methods for the payloads. They lie in the build folder; the go command sees
 * them where they belong.
 *
 * @param {string} text of the module file of the bench
 * @param {{own: import('./go-peers.mjs').Source[], tools: import('./go-peers.mjs').Source[]}} found
 * @param {boolean} newtime
 * @returns {Record<string, string>} where the go command is to see a file, and where it is, as for an overlay
 */
function generateMsgp(text, found, newtime) {
  const program = buildMsgp(BUILD, BENCH, text, found);
  const written = path.join(BUILD, 'msgp_payload.go');
  const args = ['-file', 'types.go', '-o', written, '-io=false', '-tests=false', ...(newtime ? ['-d', 'newtime'] : [])];
  generate(program, args, path.join(BENCH, 'payload'));
  return { [path.join(BENCH, 'payload/msgp_payload.go')]: written };
}

/**
 * Lets polypack-gen write its methods for a copy of the payloads, a package of its own.
 *
 * @returns {Record<string, string>} as for an overlay
 */
function generateOurs() {
  const program = path.join(BUILD, 'polypack-gen');
  go(['build', '-o', program, './cmd/polypack-gen'], path.join(ROOT, 'go'));
  const folder = path.join(BUILD, 'generated');
  mkdirSync(folder, { recursive: true });
  const types = readFileSync(path.join(BENCH, 'payload/types.go'), 'utf8').replace(
    /^package payload$/m,
    'package generated',
  );
  writeFileSync(path.join(folder, 'types.go'), types);
  writeFileSync(path.join(folder, 'go.mod'), 'module generated\n\ngo 1.24\n');
  const names = [...types.matchAll(/^type (\w+) struct/gm)].map(([, name]) => name);
  generate(program, ['-type', names.join(',')], folder);
  const files = ['types.go', 'polypack_gen.go'];
  return Object.fromEntries(
    files.map((file) => [path.join(BENCH, 'payload/generated', file), path.join(folder, file)]),
  );
}

// --- main -----------------------------------------------------------------------------------------------------------

/** @param {string[]} pairs @param {boolean} newtime @returns {string} the program */
function build(pairs, newtime) {
  mkdirSync(BUILD, { recursive: true });
  /** @type {import('./go-peers.mjs').Source[]} */
  const sources = [];
  const tags = [];
  const flags = [];
  /** @type {Record<string, string>} */
  const overlay = {};
  // Some peers need a newer version of Go than we do, so all are built with that of peers.mod.
  const version = /^go .*$/m.exec(readFileSync(path.join(BENCH, 'peers.mod'), 'utf8'))?.[0] ?? '';
  const text = readFileSync(path.join(BENCH, 'go.mod'), 'utf8').replace(/^go .*$/m, version);
  for (const [peer, found] of findPeers(Object.keys(PEERS), readFolders(pairs))) {
    if (typeof found === 'string') {
      console.log(`${peer} is left out: it is not on this machine (--peer ${found.replaceAll(' ', '=…, ')}=…)`);
      continue;
    }
    if (peer === 'msgp') Object.assign(overlay, generateMsgp(text, found, newtime));
    sources.push(...found.own);
    tags.push(`peer_${peer}`);
  }
  if (existsSync(path.join(ROOT, 'go/cmd/polypack-gen'))) {
    Object.assign(overlay, generateOurs());
    tags.push('generated');
  }
  const overlayFile = path.join(BUILD, 'overlay.json');
  writeFileSync(overlayFile, JSON.stringify({ Replace: overlay }));
  flags.push(
    `-overlay=${overlayFile}`,
    `-modfile=${writeModule(path.join(BUILD, 'bench.mod'), text, sources)}`,
    `-tags=${tags.join(',')}`,
  );
  const program = path.join(BUILD, 'bench');
  go(['build', ...flags, '-o', program, '.'], BENCH);
  return program;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    peer: { type: 'string', multiple: true, default: [] },
    'msgp-oldtime': { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
} else {
  const program = build(values.peer, !values['msgp-oldtime']);
  const { status } = spawnSync(program, ['-out', path.join(ROOT, 'build/bench/go.json'), ...positionals], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
