// The names that the build may shorten: private and protected members of classes, which no program may use.
//
// A name is left as it is if it is also a public name of any declaration, a name of the language's or a host's
// libraries, or a word of the code that is generated at run time. So an object of a user never loses a property.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A member in a declaration, as tsc writes it. */
const INTERNAL = /^\s+(?:private|protected)(?: (?:readonly|static|abstract|get|set))* (\w+)/;

/** The source whose strings are code that uses members of decoders. */
const GENERATING = 'src/decoder/shapes/compiler.ts';

/** @param {string} text */
function words(text) {
  return text.match(/[\w$]+/g) ?? [];
}

/**
 * @param {string} folder
 * @param {RegExp} wanted
 * @returns {string[]} the texts of its files
 */
function textsOf(folder, wanted) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => wanted.test(name)).map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

/**
 * @param {string} declarations the folder with what tsc wrote for src/
 * @returns {RegExp} matches the names that may be shortened
 */
export function internalNames(declarations) {
  const libraries = path.dirname(fileURLToPath(import.meta.resolve('typescript')));
  const internal = new Set();
  const others = new Set(textsOf(libraries, /^lib\..*\.d\.ts$/).flatMap(words));
  for (const word of words(readFileSync(GENERATING, 'utf8'))) others.add(word);
  for (const line of textsOf(declarations, /\.d\.ts$/).flatMap((text) => text.split('\n'))) {
    const name = INTERNAL.exec(line)?.[1];
    if (name !== undefined) internal.add(name);
    else for (const word of words(line)) others.add(word);
  }
  return new RegExp(`^(?:${[...internal].filter((name) => !others.has(name)).join('|')})$`);
}
