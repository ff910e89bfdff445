// Tells whether dist/, or what is compiled beside it, is what would be made of the sources now, so that the verbs of
// `make test`, which all want a build, make one.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const JS = fileURLToPath(new URL('..', import.meta.url));
const SETTINGS = ['package.json', '../package-lock.json', 'tsconfig.json'];

/** A step of making: the file that holds the state after it, and the names of all that it reads and writes. */
/** @typedef {{file: string, names: () => string[]}} Step */

/** @type {Step} */
export const BUILD = {
  file: 'build/dist.state',
  names: () => [
    ...filesOf('src'),
    ...SETTINGS,
    ...['tsconfig.build.json', 'tsconfig.node.json'],
    ...['build', 'build-state', 'internal-names', 'object-makers'].map((tool) => `tools/${tool}.mjs`),
    ...filesOf('dist'),
  ],
};

/** Folders of what runs on dist/, each compiled to a folder of build/. */
export const COMPILED = ['tests', 'fuzz', 'bench'];

/** @type {Step} */
export const COMPILE = {
  file: 'build/tests.state',
  names: () => [
    ...COMPILED.flatMap(filesOf),
    ...SETTINGS,
    ...['tsconfig.tests.json', 'tools/compile.mjs', 'tools/build-state.mjs'],
    ...filesOf('dist').filter((name) => /\.d\.c?ts$/.test(name)),
    ...COMPILED.flatMap((folder) => filesOf(`build/${folder}`)).filter((name) => name.endsWith('.js')),
  ],
};

/** @param {string} folder */
function filesOf(folder) {
  if (!existsSync(path.join(JS, folder))) return [];
  const names = readdirSync(path.join(JS, folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${folder}/${name}`).filter((name) => statSync(path.join(JS, name)).isFile());
}

/** A digest of all that a step reads, and of all that it writes. @param {Step} step */
function state({ names }) {
  const hash = createHash('sha256');
  for (const name of names().sort()) {
    const content = readFileSync(path.join(JS, name));
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whether a step would make what is there already. @param {Step} step */
export function isCurrent(step) {
  const file = path.join(JS, step.file);
  return existsSync(file) && readFileSync(file, 'utf8') === state(step);
}

/** Notes that a step has ended well. @param {Step} step */
export function noteState(step) {
  const file = path.join(JS, step.file);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, state(step));
}
