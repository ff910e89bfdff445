// Go libraries of others, to be compared with ours: which there are, where their sources are, and how a program is
// built with them. Nothing is downloaded: sources come from a folder, or from the module cache.
//
// Plan of the file: which peers there are · where their sources are · the module file · msgp's generator.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const GO = fileURLToPath(new URL('../.toolchain/bin/go', import.meta.url));
const VERSIONS = fileURLToPath(new URL('../go/bench/peers.mod', import.meta.url));
const MSGP = 'github.com/tinylib/msgp';

/**
 * The modules of a peer: its own first, then those that it needs, by the name that --peer takes. generator names the
 * modules that the program needs which writes the peer's code.
 *
 * @type {Record<string, {modules: Record<string, string>, generator?: Record<string, string>}>}
 */
export const PEERS = {
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
export const NAMES = Object.values(PEERS).flatMap(({ modules, generator }) =>
  Object.keys({ ...modules, ...generator }),
);

/** @typedef {{module: string, version: string, folder?: string}} Source */

/** @param {string} message @returns {never} */
export function fail(message) {
  console.error(`go peers: ${message}`);
  process.exit(2);
}

/**
 * Runs the go command, offline, and stops if it fails.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
export function go(args, cwd) {
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
export function generate(program, args, cwd) {
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
export function readFolders(pairs) {
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
export function readVersions() {
  const text = readFileSync(VERSIONS, 'utf8');
  return new Map([...text.matchAll(/^\t(\S+) (v\S+)$/gm)].map(([, module = '', version = '']) => [module, version]));
}

/**
 * Finds the modules of peers.
 *
 * @param {string[]} peers
 * @param {Map<string, string>} folders
 * @returns {Map<string, {own: Source[], tools: Source[]} | string>} or the names of folders that are missing
 */
export function findPeers(peers, folders) {
  const versions = readVersions();
  const cache = go(['env', 'GOMODCACHE'], path.dirname(VERSIONS));
  /** @param {Record<string, string>} modules @returns {(Source | string)[]} */
  const find = (modules) =>
    Object.entries(modules).map(([name, module]) => {
      const version = versions.get(module) ?? fail(`go/bench/peers.mod does not name ${module}`);
      const folder = folders.get(name);
      // The cache writes a capital letter as "!" and the small one; no module here has one.
      return folder === undefined && !existsSync(path.join(cache, `${module}@${version}`))
        ? name
        : { module, version, folder };
    });
  return new Map(
    peers.map((peer) => {
      const { modules, generator = {} } = PEERS[peer] ?? fail(`no peer is called ${peer}`);
      const [own, tools] = [find(modules), find(generator)];
      const missing = [...own, ...tools].filter((source) => typeof source === 'string');
      return [peer, missing.length > 0 ? missing.join(' ') : { own: sourcesOf(own), tools: sourcesOf(tools) }];
    }),
  );
}

/** @param {(Source | string)[]} found */
const sourcesOf = (found) => found.filter((source) => typeof source !== 'string');

// --- the module file ------------------------------------------------------------------------------------------------

/**
 * Writes a module file that has the sources besides what stands in the text of another one.
 *
 * @param {string} file
 * @param {string} text
 * @param {Source[]} sources
 */
export function writeModule(file, text, sources) {
  const required = new Set(sources.map(({ module }) => module));
  const kept = text.split('\n').filter((line) => ![...required].some((module) => line.includes(`${module} v`)));
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = sources.flatMap(({ module, version, folder }) => [
    `require ${module} ${version}`,
    ...(folder === undefined ? [] : [`replace ${module} => ${folder}`]),
  ]);
  writeFileSync(file, [...kept, ...lines, ''].join('\n'));
  const sums = file.replace(/mod$/, 'sum');
  if (!existsSync(sums)) writeFileSync(sums, '');
  return file;
}

// --- msgp's generator ------------------------------------------------------------------------------------------------

/**
 * Builds the generator of msgp.
 *
 * @param {string} build the folder that the program goes to
 * @param {string} folder of a module
 * @param {string} text of a module file
 * @param {{own: Source[], tools: Source[]}} found
 * @returns {string} the program
 */
export function buildMsgp(build, folder, text, { own, tools }) {
  const program = path.join(build, 'msgp');
  const module = writeModule(path.join(build, 'msgp.mod'), text.replace(/^go .*$/m, 'go 1.26.0'), [...own, ...tools]);
  go(['build', `-modfile=${module}`, '-o', program, MSGP], folder);
  return program;
}
