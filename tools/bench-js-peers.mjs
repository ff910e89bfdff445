// The libraries that the benches of the JavaScript package measure, and where each is.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './runtimes.mjs';

/** A library, and how its process is started: what `load` of js/bench/_contestants.ts takes. */
/** @typedef {{name: string, kind: string, file: string, env?: Record<string, string>}} Peer */

const JS = fileURLToPath(new URL('../js', import.meta.url));

export const PEER_NAMES = ['msgpackr', 'msgpackr-noaddon', '@msgpack/msgpack', 'cbor-x', 'notepack.io', 'avsc', 'JSON'];

/** @param {string} name of a package that js/ or the bench needs */
function fileOf(name) {
  const fromJs = createRequire(path.join(JS, 'package.json'));
  try {
    return fromJs.resolve(name);
  } catch {
    const { dependencies } = JSON.parse(readFileSync(path.join(JS, 'bench/peers/package.json'), 'utf8'));
    const modules = install('bench-js', dependencies);
    return createRequire(path.join(modules, 'none.js')).resolve(name);
  }
}

/** @param {string} name one of PEER_NAMES @returns {Peer} */
export function peerOf(name) {
  if (name === 'JSON') return { name, kind: 'JSON', file: '' };
  if (name === 'msgpackr-noaddon') {
    return { name, kind: 'msgpackr', file: fileOf('msgpackr'), env: { MSGPACKR_NATIVE_ACCELERATION_DISABLED: 'true' } };
  }
  return { name, kind: name, file: fileOf(name) };
}

/** @returns {Peer} */
export function oursOf() {
  return { name: 'polypack', kind: 'polypack', file: path.join(JS, 'dist/node.js') };
}

/**
 * @param {string} pair NAME=FOLDER
 * @returns {Peer}
 * @throws {RangeError} if the folder holds no library that is known here
 */
export function peerAt(pair) {
  const [name = '', folder = ''] = pair.split(/=(.*)/s);
  const manifest = path.join(folder, 'package.json');
  if (folder === '' || !existsSync(manifest)) throw new RangeError(`${pair}: there is no package.json`);
  const { name: kind, main = 'index.js' } = JSON.parse(readFileSync(manifest, 'utf8'));
  if (!['polypack', ...PEER_NAMES].includes(kind))
    throw new RangeError(`${pair} holds ${kind}, which is not known here`);
  const file = path.resolve(folder, kind === 'polypack' ? 'dist/node.js' : main);
  if (!existsSync(file)) throw new RangeError(`${file} is not there; build it first`);
  return { name, kind, file };
}

/**
 * Chooses from a list that an option takes.
 *
 * @param {string | undefined} list names with commas between them
 * @param {string[]} known
 * @param {string} what
 * @throws {RangeError} for a name that nothing has
 */
export function choose(list, known, what) {
  const chosen = list?.split(',') ?? known;
  const unknown = chosen.find((name) => !known.includes(name));
  if (unknown === undefined) return chosen;
  throw new RangeError(`no ${what} is called ${unknown}; there are ${known.join(', ')}`);
}
