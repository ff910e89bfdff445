// Builds a program of go/bench with the libraries of others that are on this machine, and with generated code.
//
// Plan of the file: generated code · the program. Which peers there are, and where, stands in go-peers.mjs.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildMsgp, findPeers, generate, go, readFolders, writeModule } from './go-peers.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = path.join(ROOT, 'go/bench');
const BUILD = path.join(ROOT, 'build/bench-go');

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
 * @param {string} build the folder that both go to
 * @returns {Record<string, string>} as for an overlay
 */
export function generateOurs(build) {
  const program = path.join(build, 'polypack-gen');
  go(['build', '-o', program, './cmd/polypack-gen'], path.join(ROOT, 'go'));
  const folder = path.join(build, 'generated');
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

// --- the program -----------------------------------------------------------------------------------------------------

/**
 * Builds a program of go/bench. A peer that takes part has its build tag set, `generated` is ours.
 *
 * @param {string} from the folder of its main package, from go/bench
 * @param {Iterable<string>} peers which take part if they are on this machine
 * @param {string[]} pairs NAME=FOLDER, where sources are
 * @param {boolean} newtime whether msgp writes timestamps of the specification
 * @returns {{program: string, built: string[]}} the file, and which peers are in it
 */
export function buildBench(from, peers, pairs, newtime) {
  mkdirSync(BUILD, { recursive: true });
  /** @type {import('./go-peers.mjs').Source[]} */
  const sources = [];
  const built = [];
  /** @type {Record<string, string>} */
  const overlay = generateOurs(BUILD);
  // Some peers need a newer version of Go than we do, so all are built with that of peers.mod.
  const version = /^go .*$/m.exec(readFileSync(path.join(BENCH, 'peers.mod'), 'utf8'))?.[0] ?? '';
  const text = readFileSync(path.join(BENCH, 'go.mod'), 'utf8').replace(/^go .*$/m, version);
  for (const [peer, found] of findPeers([...peers], readFolders(pairs))) {
    if (typeof found === 'string') {
      console.log(`${peer} is left out: it is not on this machine (--peer ${found.replaceAll(' ', '=…, ')}=…)`);
      continue;
    }
    if (peer === 'msgp') Object.assign(overlay, generateMsgp(text, found, newtime));
    sources.push(...found.own);
    built.push(peer);
  }
  const overlayFile = path.join(BUILD, 'overlay.json');
  writeFileSync(overlayFile, JSON.stringify({ Replace: overlay }));
  const flags = [
    `-overlay=${overlayFile}`,
    `-modfile=${writeModule(path.join(BUILD, 'bench.mod'), text, sources)}`,
    `-tags=${[...built.map((peer) => `peer_${peer}`), 'generated'].join(',')}`,
  ];
  const program = path.join(BUILD, from === '.' ? 'bench' : path.basename(from));
  go(['build', ...flags, '-o', program, from], BENCH);
  return { program, built };
}
