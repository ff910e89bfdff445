#!/usr/bin/env node
// Checks which room of src/ imports which, and that no files import each other in a circle.
//
// Plan: ROOMS, the rule · reading imports · the checks · main.
//
// A room is a folder; a file at the root is a room of its own. What a room may import, types included, stands in ROOMS,
// lowest rooms first. A permission that no file uses is a fault, too, so the table says what is true.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `usage: node tools/check-imports.mjs [--src DIR] [--rooms FILE]

  --src    the sources, instead of src/
  --rooms  a JSON file with the rule, instead of the one in this program: for each room the rooms that it may import

Prints what breaks the rule and ends with status 1; prints nothing when all is well.
`;

/**
 * For each room the others that it may import. A key is a folder or a file; for a file the longest key holds.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const ROOMS = {
  core: [],
  'encoder/output': ['core'],
  records: ['core', 'encoder/output'],
  options: ['core', 'records'],
  scan: ['core', 'records'],
  'decoder/text': ['core'],
  'decoder/shapes': ['core', 'decoder/text', 'options', 'records'],
  decoder: ['core', 'decoder/shapes', 'decoder/text', 'options', 'records', 'scan'],
  encoder: ['core', 'encoder/output', 'options', 'records'],
  clone: ['core', 'decoder', 'encoder', 'options', 'records', 'scan'],
  envelope: ['clone', 'core', 'encoder/output', 'options', 'records', 'scan'],
  codec: ['clone', 'core', 'decoder', 'encoder', 'envelope', 'options', 'records', 'scan'],
  raw: ['codec', 'core', 'decoder', 'encoder', 'options', 'records', 'scan'],
  stream: ['codec', 'core', 'decoder', 'envelope', 'options', 'records', 'scan'],
  'canonical.ts': ['codec', 'core', 'decoder', 'encoder', 'options'],
  'index.ts': ['canonical.ts', 'clone', 'codec', 'core', 'options', 'raw', 'records', 'stream'],
  'pack.ts': ['index.ts'],
  'unpack.ts': ['index.ts'],
  // Bundles of their own, which take values from the built index and so hold no second copy of them.
  'stream/node.ts': ['index.ts'],
  'node.ts': ['index.ts', 'stream/node.ts'],
  'msgpackr/streams.ts': ['msgpackr', 'stream/node.ts'],
  msgpackr: ['index.ts'],
  'msgpackr.ts': ['index.ts', 'msgpackr'],
  'msgpackr-node.ts': ['msgpackr.ts', 'msgpackr/streams.ts'],
  stores: ['index.ts'],
  'stores.ts': ['stores'],
  'stores-file.ts': ['stores'],
  'stores-redis.ts': ['stores'],
  snapshot: ['core', 'index.ts'],
  'snapshot.ts': ['index.ts', 'snapshot'],
  compact: ['core', 'index.ts', 'options'],
  'compact.ts': ['compact', 'index.ts'],
};

/** An import, an export from another file, or a type that is asked for in place. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/**
 * The files that each file imports.
 *
 * @param {string} src
 * @returns {Map<string, string[]>} by paths in src, with slashes
 */
function readImports(src) {
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts')) continue;
    const file = name.split(path.sep).join('/');
    const text = readFileSync(path.join(src, name), 'utf8');
    const found = Array.from(text.matchAll(IMPORT), ([, target = '']) =>
      path.posix.join(path.posix.dirname(file), target),
    );
    imports.set(file, found);
  }
  return imports;
}

/**
 * The room of a file: the longest key of the table that it is, or is in.
 *
 * @param {string} file
 * @param {Readonly<Record<string, readonly string[]>>} rooms
 * @returns {string | undefined}
 */
function roomOf(file, rooms) {
  for (let place = file; place !== '.'; place = path.posix.dirname(place)) {
    if (Object.hasOwn(rooms, place)) return place;
  }
  return undefined;
}

/**
 * What breaks the rule.
 *
 * @param {Map<string, string[]>} imports
 * @param {Readonly<Record<string, readonly string[]>>} rooms
 * @returns {string[]}
 */
function forbidden(imports, rooms) {
  /** @type {string[]} */
  const faults = [];
  const used = new Set();
  for (const [file, targets] of imports) {
    const room = roomOf(file, rooms);
    if (room === undefined) {
      faults.push(`${file} is in no room; add its folder to the table in tools/check-imports.mjs`);
      continue;
    }
    used.add(room);
    for (const target of targets) {
      const other = roomOf(target, rooms);
      if (other === room) continue;
      used.add(`${room} > ${other}`);
      if (other === undefined || !rooms[room]?.includes(other)) {
        faults.push(`${file} imports ${target}: the room ${room} may not import ${other ?? 'that'}`);
      }
    }
  }
  for (const [room, others] of Object.entries(rooms)) {
    if (!used.has(room)) faults.push(`the table has the room ${room}, and there is no such file`);
    for (const other of others) {
      if (!used.has(`${room} > ${other}`)) faults.push(`the table lets ${room} import ${other}, and no file does`);
    }
  }
  return faults;
}

/**
 * Circles of files, or of rooms in the table.
 *
 * @param {Map<string, readonly string[]>} arrows
 * @returns {string[]} one line for each circle that is found; no circle is left out altogether
 */
function circles(arrows) {
  /** @type {string[]} */
  const faults = [];
  /** @type {Map<string, 'open' | 'closed'>} */
  const states = new Map();
  /** @type {string[]} */
  const way = [];
  /** @param {string} place */
  const visit = (place) => {
    if (states.get(place) === 'closed') return;
    if (states.get(place) === 'open') {
      faults.push(`a circle of imports: ${[...way.slice(way.indexOf(place)), place].join(' > ')}`);
      return;
    }
    states.set(place, 'open');
    way.push(place);
    for (const target of arrows.get(place) ?? []) visit(target);
    way.pop();
    states.set(place, 'closed');
  };
  for (const place of arrows.keys()) visit(place);
  return faults;
}

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, src: { type: 'string' }, rooms: { type: 'string' } },
});
if (values.help) {
  process.stdout.write(USAGE);
} else {
  const rooms = values.rooms === undefined ? ROOMS : JSON.parse(readFileSync(values.rooms, 'utf8'));
  const imports = readImports(values.src ?? fileURLToPath(new URL('../src', import.meta.url)));
  const faults = [...forbidden(imports, rooms), ...circles(imports), ...circles(new Map(Object.entries(rooms)))];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
