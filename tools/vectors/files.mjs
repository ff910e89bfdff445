// The files of vectors/: one case per line, so that a diff shows cases.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./cases.mjs').Source} Source */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const VECTORS = path.join(ROOT, 'vectors');
export const KINDS = ['valid', 'invalid', 'stream', 'records', 'canonical', 'defaults', 'encode'];

// Characters a reader could not see or tell apart are escaped: controls, formats, marks, unassigned, private.
const UNSEEN = /(?! )[\p{C}\p{M}\p{Z}]/gu;

/**
 * JSON on one line, with a space after commas and colons.
 *
 * @param {unknown} data
 * @returns {string}
 */
export function line(data) {
  if (Array.isArray(data)) return `[${data.map(line).join(', ')}]`;
  if (typeof data === 'object' && data !== null) {
    const members = Object.entries(data).map(([name, member]) => `${JSON.stringify(name)}: ${line(member)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(data).replace(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The text of a file. @param {Source} source */
export function fileText({ kind, room, about, cases }) {
  const head = [`"schema": 1`, `"kind": ${line(kind)}`, `"room": ${line(room)}`, `"about": ${line(about)}`];
  return `{\n  ${head.join(',\n  ')},\n  "cases": [\n    ${cases.map(line).join(',\n    ')}\n  ]\n}\n`;
}

/** @param {{kind: string, room: string}} source */
export const fileName = ({ kind, room }) => `${kind}/${room}.json`;

/** The names of the files there are, `kind/room.json`. */
export function listFiles() {
  return KINDS.flatMap((kind) => {
    try {
      const names = readdirSync(path.join(VECTORS, kind)).filter((name) => name.endsWith('.json'));
      return names.sort().map((name) => `${kind}/${name}`);
    } catch {
      return []; // a kind without a folder has no files
    }
  });
}

/** @param {string} name @returns {string} */
export const readFile = (name) => readFileSync(path.join(VECTORS, name), 'utf8');

/**
 * Writes the files of all sources and removes those no source makes.
 *
 * @param {Source[]} sources
 */
export function writeFiles(sources) {
  const wanted = new Set(sources.map(fileName));
  for (const name of listFiles()) if (!wanted.has(name)) rmSync(path.join(VECTORS, name));
  for (const source of sources) {
    const file = path.join(VECTORS, fileName(source));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, fileText(source));
  }
}
