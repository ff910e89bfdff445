// Proves the files of vectors/: each step yields findings, and no finding means the files hold.
//
// Plan: the steps · schema · names, spec references, counts · regen · judge and files · unit tests.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { canonicalOutcome, MODES, write } from './cases.mjs';
import { confirm } from './confirm.mjs';
import { deliveredText } from './cuts.mjs';
import { encodeFault } from './encoding.mjs';
import { fileName, fileText, listFiles, ROOT, readFile } from './files.mjs';
import { judge } from './judge.mjs';
import { LANGUAGES } from './languages.mjs';
import { readBytes, writeBytes } from './notation.mjs';
import { encode, encodeShared, sorted } from './reference.mjs';
import { judgeStream } from './stream.mjs';
import { equal } from './values.mjs';

/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {import('./judge.mjs').Fault} Fault */
/** @typedef {import('./judge.mjs').Language} Language */
/** @typedef {import('./judge.mjs').Mode} Mode */
/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {{kind: string, room: string, cases: Case[]}} VectorFile */

/** The counts promised for each kind. @type {Record<string, number>} */
const PROMISED = { valid: 1_500, invalid: 1_500, stream: 60, records: 300, canonical: 200, defaults: 150, encode: 30 };

const MOST_BYTES = 6_000_000; // of all files together; beyond that a checkout carries more data than it is worth

/**
 * Runs every step and prints what it finds.
 *
 * @returns {Promise<boolean>} whether nothing was found
 */
export async function check() {
  const files = listFiles().map((name) => ({ name, text: readFile(name) }));
  /** @type {VectorFile[]} */
  const parsed = files.map(({ text }) => JSON.parse(text));
  const cases = parsed.flatMap(({ kind, room, cases: list }) => list.map((item) => ({ kind, room, item })));
  /** @type {[string, () => string[] | Promise<string[]>][]} */
  const steps = [
    ['schema', () => checkSchema(files)],
    ['schema of snapshots', checkSnapshots],
    ['names', () => checkNames(cases.map(({ item }) => item))],
    ['spec references', () => checkReferences(cases.map(({ item }) => item))],
    [
      'counts',
      () =>
        checkCounts(
          cases.map(({ kind }) => kind),
          files,
        ),
    ],
    ['regen', () => checkRegen(files)],
    [
      'judge',
      () => cases.flatMap(({ kind, room, item }) => checkCase(kind, item, room).map((what) => `${item.name}: ${what}`)),
    ],
    ['confirmed by others', () => confirm(parsed)],
    ['unit tests', runTests],
  ];
  for (const [step, run] of steps) {
    const findings = await run();
    console.log(`${findings.length === 0 ? 'ok  ' : 'FAIL'} ${step}`);
    for (const finding of findings.slice(0, 20)) console.log(`  ${finding}`);
    if (findings.length > 20) console.log(`  and ${findings.length - 20} more`);
    if (findings.length > 0) return false;
  }
  console.log(`${cases.length} cases in ${files.length} files`);
  return true;
}

/** @param {{name: string, text: string}[]} files */
export function checkSchema(files) {
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false, strictTypes: false });
  const validate = ajv.compile(JSON.parse(readFile('schema.json')));
  return files.flatMap(({ name, text }) => {
    const data = JSON.parse(text);
    const wrongPlace = fileName(data) === name ? [] : [`${name}: its kind and room say ${fileName(data)}`];
    if (validate(data)) return wrongPlace;
    const [error] = validate.errors ?? [];
    return [...wrongPlace, `${name}: ${error?.instancePath} ${error?.message}`];
  });
}

/** The files of snapshots, which PHP makes and judges (vectors/README.md#snapshots). */
function checkSnapshots() {
  const folder = path.join(ROOT, 'vectors/snapshot');
  const parse = (/** @type {string} */ name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false, strictTypes: false });
  const validate = ajv.compile(parse('schema.json'));
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  return names.flatMap((name) => {
    if (validate(parse(name))) return [];
    const [error] = validate.errors ?? [];
    return [`snapshot/${name}: ${error?.instancePath} ${error?.message}`];
  });
}

/** @param {Case[]} cases */
export function checkNames(cases) {
  const seen = new Set();
  return cases.flatMap(({ name }) => (seen.size === seen.add(name).size ? [`${name}: named twice`] : []));
}

/**
 * The references there are: file number and heading, as code hosts write anchors; the title without its number.
 *
 * @returns {Set<string>}
 */
export function specReferences() {
  const folder = path.join(ROOT, 'spec');
  const files = readdirSync(folder).filter((name) => /^\d\d-.*\.md$/.test(name));
  return new Set(
    files.flatMap((name) => {
      const headings = readFileSync(path.join(folder, name), 'utf8').matchAll(/^#{1,3} (?:\d\d )?(.+)$/gm);
      return [...headings].map(([, heading = '']) => {
        const anchor = heading.toLowerCase().replace(/[^\p{L}\p{N}\- ]/gu, '');
        return `${name.slice(0, 2)}#${anchor.replaceAll(' ', '-')}`;
      });
    }),
  );
}

/** @param {Case[]} cases */
function checkReferences(cases) {
  const known = specReferences();
  return cases
    .filter(({ spec }) => !known.has(spec))
    .map(({ name, spec }) => `${name}: ${spec} is no heading of spec/`);
}

/** @param {string[]} kinds of each case @param {{text: string}[]} files */
function checkCounts(kinds, files) {
  const few = Object.entries(PROMISED).flatMap(([kind, promised]) => {
    const count = kinds.filter((other) => other === kind).length;
    return count < promised ? [`${kind}: ${count} cases, promised ${promised}`] : [];
  });
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return bytes > MOST_BYTES ? [...few, `the files are ${bytes} bytes, more than ${MOST_BYTES}`] : few;
}

/** @param {{name: string, text: string}[]} files */
async function checkRegen(files) {
  const { sources } = await import('./sources/index.mjs'); // loaded only here, as making all cases takes long
  const made = new Map(sources.map((source) => [fileName(source), fileText(source)]));
  const differ = files
    .filter(({ name, text }) => made.get(name) !== text)
    .map(({ name }) => `${name}: a regen changes it`);
  const there = new Set(files.map(({ name }) => name));
  const missing = [...made.keys()].filter((name) => !there.has(name)).map((name) => `${name}: a regen adds it`);
  return [...differ, ...missing];
}

/**
 * Checks one case, from the file alone, against the judge and the reference encoder.
 *
 * @param {string} kind
 * @param {Case} item
 * @param {string} [room] of the file, which is the language of defaults
 * @returns {string[]} findings
 */
export function checkCase(kind, item, room = '') {
  const notations = [item.bytes, item.canonical, item.becomes, ...(item.also ?? [])].filter(
    (text) => typeof text === 'string',
  );
  const unlike = notations
    .filter((text) => writeBytes(readBytes(text)) !== text)
    .map((text) => `${text} is not shortest notation`);
  const { records, dictionary, header, limits } = item;
  switch (kind) {
    case 'valid':
      return [...unlike, ...checkValid(item)];
    case 'invalid':
      return [...unlike, ...checkInvalid(item)];
    case 'records':
      return [...unlike, ...(item.error ? checkInvalid(item) : checkRecord(item))];
    case 'stream': {
      // The source is cut at every place when it is made, and the file is the same.
      const delivered = judgeStream([readBytes(item.bytes ?? '')], { records, dictionary, header, limits });
      const error = /** @type {Fault | null} */ (item.error ?? null);
      const expected = deliveredText({ values: item.values ?? [], error });
      return deliveredText(delivered) === expected ? unlike : [...unlike, `the stream is ${deliveredText(delivered)}`];
    }
    case 'canonical':
      return [...unlike, ...checkCanonical(item)];
    case 'encode':
      return checkEncode(item);
    default:
      return [...unlike, ...checkDefault(item, /** @type {Language} */ (room))];
  }
}

/** @param {Case} item */
function checkValid({ value, canonical, also = [], limits }) {
  if (!value || typeof canonical !== 'string') return ['no value or no canonical form'];
  const encoded = writeBytes(encode(value)) === canonical ? [] : ['the reference encoder writes other bytes'];
  const misread = [canonical, ...also].filter((notation) => {
    const judgement = judge(readBytes(notation), { limits });
    return !('value' in judgement) || !equal(judgement.value, value);
  });
  return [...encoded, ...misread.map((notation) => `${notation} is not the value`)];
}

/** @param {Case} item */
function checkInvalid({ bytes, error, languages, modes = MODES, records, dictionary, header, clone, limits }) {
  if (!error) return ['no error'];
  if (clone) return []; // the judge knows nothing of these types
  const input = readBytes(bytes ?? '');
  const unlike = (/** @type {Mode} */ mode, /** @type {Language} */ language) => {
    const judgement = judge(input, { mode, language, records, dictionary, header, limits });
    if ('error' in judgement && write(judgement.error) === write(error)) return [];
    return [`${language ?? 'every language'} in ${mode} mode: the judge says ${JSON.stringify(judgement)}`];
  };
  return MODES.flatMap((mode) => {
    const others = (languages ?? LANGUAGES).flatMap((language) => unlike(mode, language));
    if (modes.includes(mode)) return others;
    return !languages && others.length === 0 ? [`holds in ${mode} mode, too`] : [];
  });
}

/** @param {Case} item */
function checkRecord({ bytes = '', value, records, dictionary, header, limits, encodes }) {
  if (!value) return ['neither value nor error'];
  const judgement = judge(readBytes(bytes), { records, dictionary, header, limits });
  if (!('value' in judgement) || !equal(judgement.value, value)) return ['the judge reads another value'];
  if (!encodes) return [];
  return writeBytes(encodeShared(value, dictionary ?? [])) === bytes
    ? []
    : ['the reference encoder writes other bytes'];
}

/** @param {Case} item */
function checkCanonical({ bytes = '', canonical, departure, error, integralFloatsAsInts, records, limits }) {
  const outcome = canonicalOutcome(readBytes(bytes), { integralFloatsAsInts, records, limits });
  const expected = error ? { error } : { canonical, departure };
  return isDeepStrictEqual(outcome, expected) ? [] : [`the outcome is ${JSON.stringify(outcome)}`];
}

/** @param {Case} item */
function checkEncode({ value, error, languages = [...LANGUAGES], modes = MODES, limits }) {
  if (!value || !error) return ['no value or no error'];
  return MODES.flatMap((mode) => {
    const faults = languages.map((language) => encodeFault(value, { mode, language, limits }));
    const holds = faults.every((fault) => fault !== null && write(fault) === write(error));
    if (holds || !modes.includes(mode)) return [];
    return [`in ${mode} mode the judge says ${JSON.stringify(faults)}`];
  });
}

/**
 * The judge's answer for the language must be the case's: the error, or the bytes that encoding the answer gives. A
 * float 32 has the same value in a wider form, so values are compared, in the order of their entries; heads are not.
 *
 * @param {Case} item
 * @param {Language} language
 */
function checkDefault({ bytes = '', becomes, error, mode = 'default', clone }, language) {
  if (clone) return []; // by hand, like all of 03#structured-cloning
  const judgement = judge(readBytes(bytes), { mode, language });
  if ('error' in judgement) {
    return error && write(judgement.error) === write(error) ? [] : [`the judge says ${write(judgement.error)}`];
  }
  if (!('value' in judgement) || becomes === undefined) return [`the judge says ${JSON.stringify(judgement)}`];
  const lossless = judge(readBytes(becomes));
  const isKept = 'error' in lossless && lossless.error.code === 'invalid_utf8';
  const expected = isKept ? judge(readBytes(becomes), { mode: 'default', language }) : lossless;
  const inOrder = (/** @type {Value} */ value) => writeBytes(encode(value, undefined, false));
  if (!('value' in expected)) return ['it becomes bytes that are not valid'];
  const written = mode === 'strict' ? asBin(judgement.value) : judgement.value;
  const value = language === 'go' ? sorted(written) : written;
  if (inOrder(value) !== inOrder(expected.value)) return [`to the judge it becomes ${inOrder(value)}`];
  return [];
}

/** What strict mode writes of strings that are not UTF-8 (spec/09#lossless). @param {Value} value @returns {Value} */
function asBin(value) {
  if ('notUtf8' in value) return { bin: value.notUtf8 };
  if ('array' in value) return { array: value.array.map(asBin) };
  if ('map' in value) return { map: value.map.map(([key, item]) => [asBin(key), asBin(item)]) };
  return value;
}

/** @returns {Promise<string[]>} */
async function runTests() {
  const folder = path.join(ROOT, 'tools', 'vectors');
  const tests = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
  // A runner that was itself started by a runner would report to it instead of by its exit code.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  try {
    await promisify(execFile)(process.execPath, ['--test', ...tests], { cwd: folder, env: environment });
    return [];
  } catch (error) {
    return [String(/** @type {{stdout?: string}} */ (error).stdout ?? error)];
  }
}
