// Lets Node run tests from their sources: what they import as polypack is src/, and nothing is built.
//
// Loaded with --import, by every process that a test starts as well. Node strips the types; it can since 22.18. What
// it has stripped is kept in build/stripped, since it takes longer than all else that happens before the first test.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeObjectMakers } from './object-makers.mjs';

makeObjectMakers();
const JS = fileURLToPath(new URL('..', import.meta.url));
const STRIPPED = path.join(JS, 'build/stripped');
const settings = new URL('../tsconfig.json', import.meta.url);
/** @type {Record<string, [string]>} */
const doors = JSON.parse(readFileSync(settings, 'utf8')).compilerOptions.paths;

/**
 * The JavaScript of a file below js/: each character stands where it stood.
 *
 * @param {string} file
 */
function strippedOf(file) {
  const source = readFileSync(file, 'utf8');
  const digest = `\n// ${createHash('sha256').update(`${process.version} ${source}`).digest('hex')}\n`;
  const kept = path.join(STRIPPED, `${path.relative(JS, file).replaceAll(path.sep, '-')}.js`);
  const known = existsSync(kept) ? readFileSync(kept, 'utf8') : '';
  if (known.endsWith(digest)) return known;
  const stripped = stripTypeScriptTypes(source) + digest;
  mkdirSync(STRIPPED, { recursive: true });
  // Another process may be reading it.
  writeFileSync(`${kept}.${process.pid}`, stripped);
  renameSync(`${kept}.${process.pid}`, kept);
  return stripped;
}

registerHooks({
  resolve(name, context, next) {
    const [source] = doors[name] ?? [];
    return source === undefined ? next(name, context) : { url: new URL(source, settings).href, shortCircuit: true };
  },
  load(url, context, next) {
    const file = url.startsWith('file:') && url.endsWith('.ts') ? fileURLToPath(url) : '';
    if (!file.startsWith(JS)) return next(url, context);
    return { format: 'module', source: strippedOf(file), shortCircuit: true };
  },
});
