// The names that the build may shorten: members that no program may use, since they are private or protected, or their
// class isn't exported.
//
// A name is left as it is if it is also a name of anything public, of the language's or a host's libraries, of another
// bundle, of a string in src/, or of the code that is generated at run time. So an object of a user never loses a
// property.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** The rooms of which index exports nothing. */
const INTERNAL_ROOMS = new RegExp(
  `^(?:(?:${[
    '(?:decoder|encoder|scan|envelope)/.*',
    'records/(?:dictionary|records|fingerprint)',
    'codec/(?:codec|first|one-tier|session|capabilities)',
    'clone/(?:encoder|decoder)',
    'core/(?:collisions|path)',
    'stream/chunks',
  ].join('|')})\\.d)`,
);

/** A member in a declaration, as tsc writes it; `private` or `protected`, if it is, is the first group. */
const MEMBER = /^\s+(private |protected )?(?:(?:readonly|static|abstract|get|set) )*(\w+)\??[(:<;]/;

/** The source whose strings are code that uses members of decoders. */
const GENERATING = 'src/decoder/shapes/compiler.ts';

/** What has an import of index is in another bundle, which could not find members of index under other names. */
const OTHER_BUNDLES = /^(?:msgpackr|stores)\/|^stream\/node\.ts|^[\w-]+\.ts/;

const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/** @param {string} text */
function words(text) {
  return text.match(/[\w$]+/g) ?? [];
}

/**
 * @param {string} folder
 * @param {RegExp} wanted
 * @returns {{name: string, lines: string[]}[]} its files, without comments
 */
function filesOf(folder, wanted) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => wanted.test(name));
  return names.map((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
    return { name, lines: lines.filter((line) => !COMMENT.test(line)) };
  });
}

/**
 * @param {string} declarations the folder with what tsc wrote for src/
 * @returns {RegExp} matches the names that may be shortened
 */
export function internalNames(declarations) {
  const compiler = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const libraries = [
    ...filesOf(path.join(path.dirname(require.resolve(compiler)), 'lib'), /^lib\..*\.d\.ts$/),
    ...filesOf(path.dirname(require.resolve('@types/node/package.json')), /^buffer\.(?:buffer\.)?d\.ts$/),
  ];
  if (libraries.length < 50) throw new Error('the declarations of the language are not where they were');
  const internal = new Set();
  const others = new Set(libraries.flatMap(({ lines }) => lines).flatMap(words));
  for (const { name, lines } of filesOf('src', /\.ts$/)) {
    for (const [, text] of lines.join('\n').matchAll(/'(\w+)'/g)) others.add(text);
    if (name !== GENERATING.slice('src/'.length) && !OTHER_BUNDLES.test(name)) continue;
    for (const word of lines.flatMap(words)) others.add(word);
  }
  for (const { name, lines } of filesOf(declarations, /\.d\.ts$/)) {
    const isInternal = INTERNAL_ROOMS.test(name);
    for (const line of lines) {
      const [, access, member] = MEMBER.exec(line) ?? [];
      if (member !== undefined && (isInternal || access !== undefined)) internal.add(member);
      else if (!isInternal) for (const word of words(line)) others.add(word);
    }
  }
  internal.delete('constructor');
  return new RegExp(`^(?:${[...internal].filter((name) => !others.has(name)).join('|')})$`);
}
