/**
 * A driver for tests that answers by the references of tools/vectors, and that can be told to break one value.
 *
 * usage: node tests/driver.mjs [--corrupt POINTER] [--refuse] [--long-heads] [--die]
 *
 *   --corrupt POINTER   add 1 to the int at this path, or replace another value by "broken", whenever it decodes
 *   --refuse            answer every relay with a failure
 *   --long-heads        write a top map of 16 to 65 535 entries with a 4-byte count
 *   --die               end without an answer to the first relay
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { read, write, writeCanonical } from '../lib/bytes.mjs';
import { readJson, writeJson } from '../lib/json.mjs';
import { Entries } from '../lib/tree.mjs';

/** @typedef {import('../lib/tree.mjs').Tree} Tree */

const args = process.argv.slice(2);
const pointer = args.includes('--corrupt') ? (args[args.indexOf('--corrupt') + 1] ?? '') : null;

// Honest drivers are asked for the same form again and again.
/** Canonical forms by the bytes they were made of. @type {Map<string, Buffer>} */
const canonicalForms = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.op === 'relay' && args.includes('--die')) {
    process.stderr.write('told to die\n');
    process.exit(3);
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}

/** @param {any} request */
function answer(request) {
  switch (request.op) {
    case 'hello':
      return { language: 'the reference' };
    case 'relay': {
      if (args.includes('--refuse')) return { error: { code: 'out_of_range', path: '/7', message: 'told to refuse' } };
      /** @type {Buffer} */
      let bytes = readFileSync(request.in);
      if (pointer !== null) bytes = write(corrupt(read(bytes), segmentsOf(pointer)));
      if (args.includes('--long-heads') && bytes[0] === 0xde) {
        bytes = Buffer.concat([Buffer.from([0xdf, 0, 0]), bytes.subarray(1)]);
      }
      writeFileSync(request.out, bytes);
      return { decode: Array(request.repeat).fill(1), encode: Array(request.repeat).fill(1) };
    }
    case 'canonical':
      writeFileSync(request.out, canonicalOf(readFileSync(request.in)));
      return {};
    case 'records':
      writeFileSync(request.out, readFileSync(request.in));
      return {};
    case 'trip':
      writeFileSync(request.out, trip(readFileSync(request.in), request));
      return {};
  }
  return { error: { code: null, path: null, message: `no such op ${request.op}` } };
}

/** @param {Buffer} bytes @returns {Buffer} */
function canonicalOf(bytes) {
  const key = bytes.toString('latin1');
  const canonical = canonicalForms.get(key) ?? writeCanonical(read(bytes));
  canonicalForms.set(key, canonical);
  return canonical;
}

/**
 * @param {Buffer} frames
 * @param {{ from: string, through: string }} request
 */
function trip(frames, { from, through }) {
  const out = [];
  for (let offset = 0; offset < frames.length; ) {
    const end = offset + 4 + frames.readUInt32BE(offset);
    const bytes = frames.subarray(offset + 4, end);
    offset = end;
    const head = Buffer.alloc(5);
    let result;
    try {
      if (from === through) {
        result = bytes;
      } else {
        const value = from === 'json' ? readJson(bytes.toString()) : read(bytes);
        result = through === 'json' ? Buffer.from(writeJson(value)) : write(value);
      }
    } catch (error) {
      head[0] = 1;
      result = Buffer.from(String(error));
    }
    head.writeUInt32BE(result.length, 1);
    out.push(head, result);
  }
  return Buffer.concat(out);
}

/** @param {string} text a JSON pointer */
function segmentsOf(text) {
  const segments = text.split('/').slice(1);
  return segments.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * @param {Tree} value
 * @param {string[]} path str keys and indexes
 * @returns {Tree}
 */
function corrupt(value, [segment, ...rest]) {
  if (segment === undefined) return typeof value === 'number' ? value + 1 : 'broken';
  if (Array.isArray(value)) return value.with(Number(segment), corrupt(value[Number(segment)], rest));
  if (!(value instanceof Entries)) throw new TypeError(`no container at ${segment}`);
  const index = value.keys.indexOf(segment);
  if (index < 0) return value; // another data set
  return new Entries(value.keys, value.values.with(index, corrupt(value.values[index], rest)));
}
