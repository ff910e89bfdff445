// Lets Node run tests from their sources: what they import as polypack is src/, and nothing is built.
//
// Loaded with --import, by every process that a test starts as well. Node strips the types; it can since 22.18.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { makeObjectMakers } from './object-makers.mjs';

makeObjectMakers();
const settings = new URL('../tsconfig.json', import.meta.url);
/** @type {Record<string, [string]>} */
const doors = JSON.parse(readFileSync(settings, 'utf8')).compilerOptions.paths;

registerHooks({
  resolve(name, context, next) {
    const [source] = doors[name] ?? [];
    return source === undefined ? next(name, context) : { url: new URL(source, settings).href, shortCircuit: true };
  },
});
