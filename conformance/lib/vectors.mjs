// Loads the vectors and writes their notation out: hex without spaces, values without `times` (vectors/README.md).
//
// The files are checked against their schema by `make vectors`; here only what a case cannot be
// run without is looked at.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readBytes } from '../../tools/vectors/notation.mjs';
import { expand } from './values.mjs';

/**
 * @typedef {import('./exam.mjs').ErrorData} ErrorData
 * @typedef {import('./exam.mjs').PlacelessError} PlacelessError
 * @typedef {import('./values.mjs').Tagged} Tagged
 *
 * @typedef {object} About what every case has
 * @property {string} name
 * @property {string} spec
 * @property {string} room
 * @property {Record<string, unknown>} options `records`, `limits` and others, as requests carry them
 * @property {string[]} [languages] the languages it holds for; absent: all
 *
 * @typedef {About & {value: Tagged, canonical: string, also: string[]}} ValidCase
 * @typedef {About & {bytes: string, error: ErrorData, modes: string[]}} InvalidCase
 * @typedef {About & {bytes: string, values: Tagged[], error: ErrorData | null}} StreamCase
 * @typedef {About & {bytes: string, value: Tagged, encodes: boolean}} ReadableRecords
 * @typedef {ReadableRecords | InvalidCase} RecordsCase
 * @typedef {{canonical: string, departure: number | null}} CanonicalForm
 * @typedef {About & {bytes: string, outcome: CanonicalForm | {error: PlacelessError}}} CanonicalCase
 * @typedef {About & {bytes: string, mode: string, outcome: {becomes: string} | {error: ErrorData}}} DefaultsCase
 * @typedef {About & {value: Tagged, error: ErrorData, modes: string[]}} EncodeCase
 * @typedef {About & {bytes: string, value?: Record<string, unknown>, error?: ErrorData, keys: string[] | null,
 *   written: boolean}} SnapshotCase its options are named as in PHP
 *
 * @typedef {object} Vectors
 * @property {ValidCase[]} valid
 * @property {InvalidCase[]} invalid
 * @property {StreamCase[]} stream
 * @property {RecordsCase[]} records
 * @property {CanonicalCase[]} canonical
 * @property {DefaultsCase[]} defaults their room is the language
 * @property {EncodeCase[]} encode
 * @property {SnapshotCase[]} snapshot their room is the file
 */

/** Vectors that cannot be read. */
export class VectorsError extends Error {}

const ALL_MODES = ['default', 'strict', 'lossless'];

/** @typedef {Record<string, any>} Raw a case as it stands in its file */

/** @param {Raw} raw @returns {InvalidCase} */
const invalid = (raw) => ({ ...about(raw), bytes: bytes(raw.bytes), error: raw.error, modes: raw.modes ?? ALL_MODES });

/** How the cases of each kind are read. */
const READERS = {
  /** @param {Raw} raw @returns {ValidCase} */
  valid: (raw) => ({
    ...about(raw),
    value: expand(raw.value),
    canonical: bytes(raw.canonical),
    also: (raw.also ?? []).map(bytes),
  }),
  invalid,
  /** @param {Raw} raw @returns {StreamCase} */
  stream: (raw) => ({ ...about(raw), bytes: bytes(raw.bytes), values: raw.values.map(expand), error: raw.error }),
  /** @param {Raw} raw @returns {RecordsCase} */
  records: (raw) => {
    if ('error' in raw) return invalid(raw);
    return { ...about(raw), bytes: bytes(raw.bytes), value: expand(raw.value), encodes: raw.encodes === true };
  },
  /** @param {Raw} raw @returns {CanonicalCase} */
  canonical: (raw) => ({
    ...about(raw),
    bytes: bytes(raw.bytes),
    outcome: 'error' in raw ? { error: raw.error } : { canonical: bytes(raw.canonical), departure: raw.departure },
  }),
  /** @param {Raw} raw @returns {DefaultsCase} */
  defaults: (raw) => ({
    ...about(raw),
    bytes: bytes(raw.bytes),
    mode: raw.mode ?? 'default',
    outcome: 'error' in raw ? { error: raw.error } : { becomes: bytes(raw.becomes) },
  }),
  /** @param {Raw} raw @returns {EncodeCase} */
  encode: (raw) => ({
    ...about(raw),
    value: expand(raw.value),
    error: { ...raw.error, offset: null },
    modes: raw.modes ?? ALL_MODES,
  }),
  /** @param {Raw} raw @returns {SnapshotCase} */
  snapshot: ({ name, spec, room, bytes, value, error, keys = null, written = false, options }) => ({
    ...{ name, spec, room, bytes, value, error, keys, written },
    options: Array.isArray(options) ? {} : { ...options }, // PHP writes an empty array as a list
  }),
};

/**
 * Loads every case below a folder.
 *
 * @param {string} folder
 * @returns {Vectors}
 * @throws {VectorsError} naming the file and the case that cannot be read
 */
export function loadVectors(folder) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {Record<string, About[]>} */
  const vectors = {};
  for (const [kind, read] of Object.entries(READERS)) {
    vectors[kind] = filesOf(folder, kind).flatMap((file) => loadFile(file, kind, read, names));
  }
  return /** @type {Vectors} */ (/** @type {unknown} */ (vectors));
}

/**
 * @param {string} folder
 * @param {string} kind
 */
function filesOf(folder, kind) {
  const inside = path.join(folder, kind);
  try {
    return readdirSync(inside)
      .filter((file) => file.endsWith('.json') && file !== 'schema.json')
      .sort()
      .map((file) => path.join(inside, file));
  } catch {
    return []; // a kind without vectors has no folder
  }
}

/**
 * @param {string} file
 * @param {string} kind
 * @param {(raw: Raw) => About} read
 * @param {Set<string>} names already taken
 * @returns {About[]}
 */
function loadFile(file, kind, read, names) {
  const where = path.join(kind, path.basename(file));
  /** @type {Raw} */
  let data;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new VectorsError(`${where} is no JSON (${error instanceof Error ? error.message : error}); run make vectors`);
  }
  if (data.schema !== 1 || data.kind !== kind)
    throw new VectorsError(`${where} is not of schema 1 and kind ${kind}; run make vectors`);
  return data.cases.map((/** @type {Raw} */ raw) => {
    if (names.has(raw.name)) throw new VectorsError(`${where}: ${raw.name} is a second case of that name; rename one`);
    names.add(raw.name);
    try {
      return read({ ...raw, room: data.room });
    } catch (error) {
      throw new VectorsError(
        `${where}: ${raw.name}: ${error instanceof Error ? error.message : error}; run make vectors`,
      );
    }
  });
}

/** The members of a case that its requests carry. */
const OPTIONS = ['records', 'dictionary', 'header', 'clone', 'integralFloatsAsInts', 'limits'];

/** @param {Raw} raw @returns {About} */
function about(raw) {
  const { name, spec, room, languages } = raw;
  const options = Object.fromEntries(OPTIONS.flatMap((option) => (option in raw ? [[option, raw[option]]] : [])));
  return { name, spec, room, options, ...(languages && { languages }) };
}

/** @param {string} notation */
function bytes(notation) {
  return Buffer.from(readBytes(notation)).toString('hex');
}
