// The vectors tell a wrong reading of the specification from the right one: the judge is changed in one place, as an
// implementation once was wrong or could be, and some case must then have another answer.
//
// Plan: the mutants · asking them.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MODES } from './cases.mjs';
import { listFiles, ROOT, readFile } from './files.mjs';
import { judge } from './judge.mjs';
import { LANGUAGES } from './languages.mjs';
import { readBytes } from './notation.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const FOLDER = path.join(ROOT, 'build/mutants', String(process.pid));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

// --- the mutants -----------------------------------------------------------------------------------------------------

/**
 * Name, language it concerns, file, what stands there once, and what takes its place.
 *
 * @type {[string, import('./languages.mjs').Language, string, string, string][]}
 */
const MUTANTS = [
  [
    'the kind of an ext key is known before its type',
    'php',
    'judge.mjs',
    'if (!this.isExtKey) this.judgeKeyKind(family, place);',
    'if (!this.isExtKey || this.habits === HABITS.php) this.judgeKeyKind(family, place);',
  ],
  [
    'with records off, a declaration as a key is judged as a record',
    'go',
    'judge.mjs',
    'if (isKey) this.judgeKeyKind(',
    "if (isKey && !(isRecord && this.records === 'off')) this.judgeKeyKind(",
  ],
  [
    'an undeclared pair as a key is judged as a record',
    'go',
    'judge.mjs',
    "this.records !== 'off' && this.idForm.has(head) ? 'map'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it becomes code
    "this.idForm.has(head) && (this.idForm.get(head) !== 'two' || this.declared.has(`${head},${this.bytes[this.at + 1]}`)) ? 'map'",
  ],
  [
    'ints beyond 2⁵³ are one key if they are one number',
    'javascript',
    'languages.mjs',
    'keyIdentity: (key) => identity(javascriptKey(key)),',
    "keyIdentity: (key) => identity('int' in key ? { int: String(BigInt(Number(key.int))) } : javascriptKey(key)),",
  ],
  [
    '0 and −0 are one key',
    'javascript',
    'languages.mjs',
    'keyIdentity: (key) => identity(javascriptKey(key)),',
    "keyIdentity: (key) => identity('float' in key && floatNumber(key) === 0 ? { int: '0' } : javascriptKey(key)),",
  ],
  [
    'nil and undefined are two keys',
    'go',
    'languages.mjs',
    "  if ('undefined' in key) return { nil: true };\n  return 'bin' in key",
    "  return 'bin' in key",
  ],
  [
    '1 and 1.0 are two keys',
    'javascript',
    'languages.mjs',
    'keyIdentity: (key) => identity(javascriptKey(key)),',
    'keyIdentity: (key) => identity(key),',
  ],
  [
    'a key −0 becomes 0',
    'javascript',
    'languages.mjs',
    '  key: javascriptKey,',
    "  key: (key) => ('float' in key && floatNumber(key) === 0 ? { int: '0' } : javascriptKey(key)),",
  ],
  [
    'a timestamp in a key is floored',
    'javascript',
    'languages.mjs',
    "  if (!('map' in key)) return javascriptNumber(key);",
    "  if ('timestamp' in key) return { timestamp: [key.timestamp[0], key.timestamp[1] - (key.timestamp[1] % 1_000_000)] };\n  if (!('map' in key)) return javascriptNumber(key);",
  ],
  [
    'the text of 2⁶³ is an int key',
    'php',
    'languages.mjs',
    'BigInt.asIntN(64, BigInt(became.str)).toString() === became.str ?',
    "became.str !== '' ?",
  ],
  [
    'bin and str are two keys',
    'php',
    'languages.mjs',
    'keyIdentity: (key) => identity(phpKey(key)),',
    'keyIdentity: (key) => identity(key),',
  ],
  ['the first of folded keys stays', 'go', 'languages.mjs', 'keepsLastKey: true,', 'keepsLastKey: false,'],
  [
    '0.0 and −0.0 are two keys',
    'go',
    'languages.mjs',
    "'float' in key && floatNumber(key) === 0 ? float(0) : goKey(key)",
    'goKey(key)',
  ],
  [
    'a map with an int key keeps no order',
    'javascript',
    'languages.mjs',
    "    if (!entries.every(([key]) => 'str' in key)) return { map: entries };\n",
    '',
  ],
  ['a bin key is refused', 'go', 'languages.mjs', "['array', 'map', 'ext'] : [", "['array', 'map', 'ext', 'bin'] : ["],
  ['the last second of time.Time is refused', 'go', 'languages.mjs', 'seconds <= 9_223', 'seconds < 9_223'],
];

// --- asking them -----------------------------------------------------------------------------------------------------

/** The rooms where a mutant is likely to be found come first. */
const FIRST = ['invalid/key.json', 'invalid/duplicate.json', 'defaults/', 'valid/key.json', 'valid/timestamp.json'];

/**
 * @typedef {{name: string, language: import('./languages.mjs').Language, bytes: Uint8Array, options: object}} Question
 *
 * What the judge is asked for each language: bytes and options.
 *
 * @returns {Generator<Question>}
 */
function* questions() {
  const rank = (/** @type {string} */ file) => (FIRST.findIndex((start) => file.startsWith(start)) + 99) % 99;
  for (const file of listFiles().sort((a, b) => rank(a) - rank(b))) {
    const { kind, room, cases } = JSON.parse(readFile(file));
    if (kind !== 'invalid' && kind !== 'valid' && kind !== 'defaults') continue;
    for (const one of cases.filter((/** @type {{clone?: string}} */ { clone }) => clone === undefined)) {
      const { name, records, dictionary, header, limits } = one;
      const all = kind === 'valid' ? [one.canonical, ...(one.also ?? [])] : [one.bytes];
      const modes = kind === 'defaults' ? [one.mode ?? 'default'] : (one.modes ?? MODES);
      const languages = kind === 'defaults' ? [room] : (one.languages ?? LANGUAGES);
      for (const [bytes, mode, language] of product(all.map(readBytes), modes, languages)) {
        yield { name, language, bytes, options: { mode, language, records, dictionary, header, limits } };
      }
    }
  }
}

/** @param {any[]} first @param {any[]} second @param {any[]} third */
const product = (first, second, third) => first.flatMap((a) => second.flatMap((b) => third.map((c) => [a, b, c])));

/**
 * The judge with one change.
 *
 * @param {number} index
 * @param {string} file
 * @param {string} from
 * @param {string} to
 * @returns {Promise<typeof judge>}
 */
async function mutant(index, file, from, to) {
  const folder = path.join(FOLDER, String(index));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(HERE).filter((one) => one.endsWith('.mjs') && !one.endsWith('.test.mjs'))) {
    const text = readFileSync(path.join(HERE, name), 'utf8');
    if (name === file) assert.equal(text.split(from).length, 2, `${file} has this once: ${from}`);
    writeFileSync(path.join(folder, name), name === file ? text.replace(from, () => to) : text);
  }
  return (await import(pathToFileURL(path.join(folder, 'judge.mjs')).href)).judge;
}

const ASKED = [...questions()].map((question) => ({ ...question, answer: '' }));

/** What the judge answers, as text; once for all mutants. @param {(typeof ASKED)[number]} question */
function answerTo(question) {
  question.answer ||= JSON.stringify(judge(question.bytes, question.options));
  return question.answer;
}

for (const [index, [what, language, file, from, to]] of MUTANTS.entries()) {
  test(`a case finds the ${language} mutant: ${what}`, async () => {
    const mutated = await mutant(index, file, from, to);
    const found = ASKED.find(
      (one) => one.language === language && JSON.stringify(mutated(one.bytes, one.options)) !== answerTo(one),
    );
    assert.notEqual(found, undefined);
  });
}
