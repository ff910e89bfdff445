// Tells whether dist/ is what a build would make of src/, so that the verbs of `make test`, which all want a build,
// make one.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const JS = fileURLToPath(new URL('..', import.meta.url));
const STATE = path.join(JS, 'build/dist.state');
const SETTINGS = ['package.json', '../package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.node.json'];
const TOOLS = ['build.mjs', 'build-state.mjs', 'internal-names.mjs', 'object-makers.mjs'];

/** @param {string} folder */
function filesOf(folder) {
  const names = readdirSync(path.join(JS, folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${folder}/${name}`).filter((name) => statSync(path.join(JS, name)).isFile());
}

/** A digest of all that a build reads, and of all that it writes. */
function state() {
  const hash = createHash('sha256');
  for (const name of [
    ...filesOf('src'),
    ...SETTINGS,
    ...TOOLS.map((tool) => `tools/${tool}`),
    ...filesOf('dist'),
  ].sort()) {
    const content = readFileSync(path.join(JS, name));
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whether the last build is still right. Then its files count as made now, also for tools that compare times. */
export function isCurrent() {
  if (!existsSync(STATE) || !existsSync(path.join(JS, 'dist/index.js'))) return false;
  if (readFileSync(STATE, 'utf8') !== state()) return false;
  const now = new Date();
  utimesSync(path.join(JS, 'dist/index.js'), now, now);
  return true;
}

/** Notes that a build has ended well. */
export function noteBuild() {
  mkdirSync(path.dirname(STATE), { recursive: true });
  writeFileSync(STATE, state());
}
