#!/usr/bin/env node
// Builds the bench of the Go library with the peers that are on this machine, and runs it.
//
// Plan of the file: which peers there are · where their sources are · the module file · generated code · main.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = path.join(ROOT, 'go/bench');
const BUILD = path.join(ROOT, 'build/bench-go');
const GO = path.join(ROOT, '.toolchain/bin/go');
const MSGP = 'github.com/tinylib/msgp';

/**
 * The modules of a peer: its own first, then those that it needs, by the name that --peer takes. generator names the
 * modules that the program needs which writes the peer's code.
 *
 * @type {Record<string, {modules: Record<string, string>, generator?: Record<string, string>}>}
 */
const PEERS = {
  msgpck: { modules: { msgpck: 'github.com/freeeve/msgpck' } },
  vmihailenco: {
    modules: { vmihailenco: 'github.com/vmihailenco/msgpack/v5', tagparser: 'github.com/vmihailenco/tagparser/v2' },
  },
  msgp: {
    modules: { msgp: MSGP, fwd: 'github.com/philhofer/fwd' },
    generator: { tools: 'golang.org/x/tools', mod: 'golang.org/x/mod', sync: 'golang.org/x/sync' },
  },
  shamaton: { modules: { shamaton: 'github.com/shamaton/msgpack/v3' } },
  ugorji: { modules: { ugorji: 'github.com/ugorji/go/codec' } },
  hashicorp: { modules: { hashicorp: 'github.com/hashicorp/go-msgpack/v2' } },
  cbor: { modules: { cbor: 'github.com/fxamacker/cbor/v2', float16: 'github.com/x448/float16' } },
};
const NAMES = Object.values(PEERS).flatMap(({ modules, generator }) => Object.keys({ ...modules, ...generator }));

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

/** @typedef {{module: string, version: string, folder?: string}} Source */

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(`bench-go: ${message}`);
  process.exit(2);
}

/**
 * Runs the go command, offline, and stops if it fails.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
function go(args, cwd) {
  // The module cache was verified when it was filled.
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOSUMDB: 'off', GOWORK: 'off' };
  const { status, stdout, stderr } = spawnSync(GO, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) fail(`go ${args.join(' ')} in ${cwd}:\n${stdout}${stderr}`);
  return stdout.trim();
}

/**
 * Runs a generator of code, with our go command, and stops if it fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
function generate(program, args, cwd) {
  const env = { ...process.env, PATH: `${path.dirname(GO)}:${process.env.PATH}`, GOWORK: 'off' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) fail(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
}

// --- where their sources are ----------------------------------------------------------------------------------------

/**
 * Reads the arguments NAME=FOLDER. A repository may hold its module in a folder of its own.
 *
 * @param {string[]} pairs
 * @returns {Map<string, string>}
 */
function readFolders(pairs) {
  const folders = new Map();
  for (const pair of pairs) {
    const [name = '', folder = ''] = pair.split(/=(.*)/s);
    if (!NAMES.includes(name)) fail(`no peer is called ${name}; one of ${NAMES.join(' ')}`);
    const found = [folder, path.join(folder, 'codec')].find((at) => existsSync(path.join(at, 'go.mod')));
    if (folder === '' || found === undefined) fail(`${pair}: there is no go.mod`);
    folders.set(name, path.resolve(found));
  }
  return folders;
}

/** The versions that go/bench/peers.mod names, by module. */
function readVersions() {
  const text = readFileSync(path.join(BENCH, 'peers.mod'), 'utf8');
  return new Map([...text.matchAll(/^\t(\S+) (v\S+)$/gm)].map(([, module = '', version = '']) => [module, version]));
}

/**
 * Finds the modules of a peer, or says by undefined that one is missing.
 *
 * @param {Record<string, string>} modules
 * @param {Map<string, string>} folders
 * @param {Map<string, string>} versions
 * @param {string} cache
 * @returns {Source[] | undefined}
 */
function findSources(modules, folders, versions, cache) {
  /** @type {Source[]} */
  const sources = [];
  for (const [name, module] of Object.entries(modules)) {
    const version = versions.get(module) ?? fail(`go/bench/peers.mod does not name ${module}`);
    const folder = folders.get(name);
    // The cache writes a capital letter as "!" and the small one; no module here has one.
    if (folder === undefined && !existsSync(path.join(cache, `${module}@${version}`))) return undefined;
    sources.push({ module, version, folder });
  }
  return sources;
}

// --- the module file ------------------------------------------------------------------------------------------------

/**
 * Writes a module file that has the sources besides what stands in the text of another one.
 *
 * @param {string} name
 * @param {string} text
 * @param {Source[]} sources
 */
function writeModule(name, text, sources) {
  const required = new Set(sources.map(({ module }) => module));
  const kept = text.split('\n').filter((line) => ![...required].some((module) => line.includes(`${module} v`)));
  const file = path.join(BUILD, `${name}.mod`);
  const lines = sources.flatMap(({ module, version, folder }) => [
    `require ${module} ${version}`,
    ...(folder === undefined ? [] : [`replace ${module} => ${folder}`]),
  ]);
  writeFileSync(file, [...kept, ...lines, ''].join('\n'));
  const sums = file.replace(/mod$/, 'sum');
  if (!existsSync(sums)) writeFileSync(sums, '');
  return file;
}

// --- generated code --------------------------------------------------------------------------------------------------

/**
 * Lets msgp write its methods for the payloads. They lie in the build folder; the go command sees
 * them where they belong.
 *
 * @param {string} text of the module file of the bench
 * @param {Source[]} sources
 * @param {boolean} newtime
 * @returns {Record<string, string>} where the go command is to see a file, and where it is, as for an overlay
 */
function generateMsgp(text, sources, newtime) {
  const program = path.join(BUILD, 'msgp');
  const module = writeModule('msgp', text.replace(/^go .*$/m, 'go 1.26.0'), sources);
  go(['build', `-modfile=${module}`, '-o', program, MSGP], BENCH);
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
  const folders = readFolders(pairs);
  const versions = readVersions();
  const cache = go(['env', 'GOMODCACHE'], BENCH);
  /** @type {Source[]} */
  const sources = [];
  const tags = [];
  const flags = [];
  /** @type {Record<string, string>} */
  const overlay = {};
  // Some peers need a newer version of Go than we do, so all are built with that of peers.mod.
  const version = /^go .*$/m.exec(readFileSync(path.join(BENCH, 'peers.mod'), 'utf8'))?.[0] ?? '';
  const text = readFileSync(path.join(BENCH, 'go.mod'), 'utf8').replace(/^go .*$/m, version);
  for (const [peer, { modules, generator = {} }] of Object.entries(PEERS)) {
    const own = findSources(modules, folders, versions, cache);
    const tools = findSources(generator, folders, versions, cache);
    if (own === undefined || tools === undefined) {
      const needs = Object.keys({ ...modules, ...generator }).filter((name) => !folders.has(name));
      console.log(`${peer} is left out: it is not on this machine (--peer ${needs.join('=…, ')}=…)`);
      continue;
    }
    if (peer === 'msgp') Object.assign(overlay, generateMsgp(text, [...own, ...tools], newtime));
    sources.push(...own);
    tags.push(`peer_${peer}`);
  }
  if (existsSync(path.join(ROOT, 'go/cmd/polypack-gen'))) {
    Object.assign(overlay, generateOurs());
    tags.push('generated');
  }
  const overlayFile = path.join(BUILD, 'overlay.json');
  writeFileSync(overlayFile, JSON.stringify({ Replace: overlay }));
  flags.push(`-overlay=${overlayFile}`, `-modfile=${writeModule('bench', text, sources)}`, `-tags=${tags.join(',')}`);
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
