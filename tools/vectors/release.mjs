// The vectors as an artefact for other projects: written out, so that a reader needs nothing but JSON and hex.
//
// Plan: what is written out · deep cases · files and manifest.
//
// The repository keeps the compact form, which is for people and diffs. Here bytes are hex without spaces or
// repetitions, values have no `times`, and a case with a value or an error deeper than most JSON readers go has a file
// of its own, so that the others can be read with default settings.

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readBytes } from './notation.mjs';
import { expand, toHex } from './values.mjs';

/** @typedef {import('./cases.mjs').Source} Source */
/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {{name: string, text: string, cases: number}} File */

export const VERSIONS = { profile: 1, vectors: 1 };

/** Levels of JSON in a file with other cases: fewer than any reader allows that we know of (64 in .NET). */
export const MOST_LEVELS = 60;

/** Members that hold bytes. */
const BYTES = /** @type {const} */ (['bytes', 'canonical', 'becomes']);

/**
 * A case without shorthand.
 *
 * @param {Case} one
 * @returns {Record<string, unknown>}
 */
export function writtenOut(one) {
  /** @type {Record<string, unknown>} */
  const out = { ...one };
  for (const member of BYTES) if (typeof out[member] === 'string') out[member] = hexOf(String(out[member]));
  if (one.also) out.also = one.also.map(hexOf);
  if (one.value) out.value = expand(one.value);
  if (one.values) out.values = one.values.map(expand);
  return out;
}

/** @param {string} notation */
const hexOf = (notation) => toHex(readBytes(notation));

/**
 * How deep JSON nests; without recursion, since that is what is in question.
 *
 * @param {string} text
 */
export function levelsOf(text) {
  let level = 0;
  let most = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === '{' || character === '[')) most = Math.max(most, ++level);
    else if (!isString && (character === '}' || character === ']')) level--;
  }
  return most;
}

/**
 * The files of a release, its manifest last.
 *
 * @param {Source[]} sources
 * @param {{schema: string, readme: string}} texts of the files beside them
 * @returns {File[]}
 */
export function releaseFiles(sources, { schema, readme }) {
  const files = sources.flatMap(filesOf);
  const beside = [
    { name: 'schema.json', text: schema, cases: 0 },
    { name: 'README.md', text: readme, cases: 0 },
  ];
  const all = [...files, ...beside];
  return [...all, { name: 'manifest.json', text: manifestOf(all), cases: 0 }];
}

/**
 * One file for a room, and one for each of its deep cases.
 *
 * @param {Source} source
 * @returns {File[]}
 */
function filesOf({ kind, room, about, cases }) {
  const head = { schema: 1, kind, room, about };
  const texts = cases.map((one) => ({ name: one.name, text: JSON.stringify(writtenOut(one)) }));
  // Two levels stand around a case.
  const isDeep = (/** @type {{text: string}} */ { text }) => levelsOf(text) + 2 > MOST_LEVELS;
  const fileOf = (/** @type {string} */ name, /** @type {{text: string}[]} */ inside) => ({
    name,
    text: `${JSON.stringify(head).slice(0, -1)},"cases":[\n${inside.map(({ text }) => text).join(',\n')}\n]}\n`,
    cases: inside.length,
  });
  const shallow = texts.filter((one) => !isDeep(one));
  return [
    ...(shallow.length > 0 ? [fileOf(`${kind}/${room}.json`, shallow)] : []),
    ...texts.filter(isDeep).map((one) => fileOf(`${kind}/deep/${one.name}.json`, [one])),
  ];
}

/** @param {File[]} files */
function manifestOf(files) {
  const entries = files.map(({ name, text, cases }) => ({
    file: name,
    ...(cases > 0 && { kind: name.split('/')[0], cases, levels: levelsOf(text) }),
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { kind, cases = 0 } of entries) if (kind) counts[kind] = (counts[kind] ?? 0) + cases;
  const cases = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${JSON.stringify({ schema: 1, ...VERSIONS, cases, counts, files: entries }, null, 1)}\n`;
}

/**
 * Writes the files of a release into a folder, which holds nothing else afterwards.
 *
 * @param {File[]} files
 * @param {string} folder
 */
export function writeRelease(files, folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const { name, text } of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
