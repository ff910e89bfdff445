#!/usr/bin/env node
// Compares the names in code with the glossary (spec/glossary.md): none may contain a word of its "not" column.
//
// Plan: EXEMPT, the names that may · readGlossary · findings in one file · main.

import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { languageOf, splitSource } from './source-text.mjs';

const USAGE = `usage: node tools/check-words.mjs [--root FOLDER] [--exemptions] [FILE…]

Reports, as file:line: what, and exits 1 on
  - an identifier or a file name with a word that the "not" column of spec/glossary.md lists
  - a file or folder that the glossary names and that does not exist
Comments and literals are not read. Without FILE it reads every source file that git tracks or would track. --exemptions
also reports the exemptions that nothing needs.
`;

/**
 * Names that may contain a listed word. An exemption names an identifier exactly, or a word; `in` limits it to
 * files whose path it matches.
 *
 * @type {{name?: string, word?: string, in?: RegExp, reason: string}[]}
 */
export const EXEMPT = [
  ...[
    'SharedStructures',
    'SharedStructuresOptions',
    'Structures',
    'StructureStore',
    'StructureSource',
    'getStructures',
    'saveStructures',
    'maxSharedStructures',
    'maxOwnStructures',
    'shouldShareStructure',
  ].map((name) => ({
    name,
    in: /^(js|tools|conformance\/(adapters\/js|dictionaries))\//,
    reason: 'a public name of the JavaScript package, most of them msgpackr’s',
  })),
  {
    name: 'structures',
    in: /^js\/(?:(?!src\/)|src\/(?:codec|msgpackr|options|records|stores|stream)\/)|^(tools|lab\/workers\/node|conformance\/(adapters\/js|dictionaries))\//,
    reason: 'an option of the JavaScript package, and of msgpackr, and the variables that carry it',
  },
  { name: 'sharedStructuresKey', in: /^js\/consumers\//, reason: 'an option of lmdb' },
  ...['sec', 'nsec'].map((name) => ({
    name,
    in: /^js\/tests\/guides\.test\.ts/,
    reason: 'members of @msgpack/msgpack',
  })),
  { name: 'randomAccessStructure', in: /^js\/tests\/msgpackr\//, reason: 'an option of msgpackr 1.x' },
  ...['ExtensionDefinition', 'definition', 'definitionFor'].map((name) => ({
    name,
    in: /^js\//,
    reason: 'ExtensionDefinition is public: what a program registers for a type',
  })),
  { word: 'registry', in: /^tools\//, reason: 'a registry of packages' },
  { word: 'registry', in: /^go\/extension_registry/, reason: 'the registry of codecs for Go types' },
  { name: 'module_registry', in: /^ext\//, reason: 'a table of PHP' },
  { name: 'schema', in: /vectors|conformance|report/, reason: 'the JSON Schema of the vectors, and its version' },
  { name: 'schemaVersion', in: /^conformance\//, reason: 'a member of the badges of shields.io' },
  { name: 'checkSchema', reason: 'the JSON Schema of the vectors' },
  { name: 'Schema', in: /vectors_test\.go$/, reason: 'the version of the vectors’ JSON Schema' },
  { name: 'Pos', in: /^go\/cmd\//, reason: 'a method of go/ast' },
  { name: 'forSchema', in: /^js\/bench\//, reason: 'a method of avsc' },
  { name: 'isMarker', in: /^go\//, reason: 'a field that stands for the whole struct is called a marker field in Go' },
  { name: 'DefinitionProvider', in: /^lab\/src\/Contestant\//, reason: 'a class of EventSauce' },
  { name: 'dump', in: /^lab\/src\/Contestant\//, reason: 'a method of EventSauce' },
  { name: 'stream_wrapper_register', in: /^php\/tests\//, reason: 'a function of PHP' },
  { name: 'stream_wrapper_unregister', in: /^php\/tests\//, reason: 'a function of PHP' },
  { name: 'sec', in: /^tools\//, reason: 'a property of @msgpack/msgpack' },
  { name: 'nsec', in: /^tools\//, reason: 'a property of @msgpack/msgpack' },
];

/** @typedef {{words: string[], alone: boolean, folders: string[], instead: string}} Rule */

/**
 * The rules of the "not" columns: `word`, `twoWords`, `word` alone, `word` in folder, folder.
 *
 * @param {string} text the glossary
 * @returns {{rules: Rule[], places: {line: number, place: string}[]}}
 */
export function readGlossary(text) {
  const folders = { PHP: 'php/src', JS: 'js/src', Go: 'go' };
  /** @type {Rule[]} */
  const rules = [];
  /** @type {{line: number, place: string}[]} */
  const places = [];
  text.split('\n').forEach((content, index) => {
    const cells = content.split('|').map((cell) => cell.trim());
    if (cells.length !== 6 || cells[1] === 'word' || cells[1]?.startsWith('---')) return;
    const [, instead = '', , where = '', not = ''] = cells;
    for (const part of where.split(';').map((one) => one.trim())) {
      const language = /** @type {keyof typeof folders} */ (part.split(' ')[0]);
      for (const [, name] of part.matchAll(/`([^`]+)`/g)) {
        places.push({ line: index + 1, place: `${folders[language]}/${name}` });
      }
    }
    for (const part of not.split(';')) {
      const inside = / in (.+)$/.exec(part)?.[1]?.split(',') ?? [];
      for (const [, name = '', alone] of part.matchAll(/`([^`]+)`( alone)?/g)) {
        const limits = inside.map((folder) => folder.trim());
        rules.push({ words: wordsOf(name), alone: alone !== undefined, folders: limits, instead });
      }
    }
  });
  return { rules, places };
}

/**
 * The words of a name in camelCase, PascalCase, snake_case or kebab-case, in lower case.
 *
 * @param {string} name
 */
export function wordsOf(name) {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_$#.-]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

/**
 * @param {Rule} rule
 * @param {string} file
 * @param {string[]} words
 */
function breaks(rule, file, words) {
  if (rule.folders.length > 0 && !rule.folders.some((folder) => file === folder || file.startsWith(`${folder}/`))) {
    return false;
  }
  if (rule.alone && words.length !== rule.words.length) return false;
  return words.some((_, at) => rule.words.every((word, step) => words[at + step] === word));
}

/**
 * The names of one file that break a rule, and what exempts the others.
 *
 * @param {string} file
 * @param {string} text
 * @param {Rule[]} rules
 */
function checkNames(file, text, rules) {
  const language = languageOf(file, text);
  if (language === undefined || language === 'sh') return { findings: [], used: [] };
  /** @type {{line: number, name: string, rule: Rule}[]} */
  const broken = [];
  /** @type {Set<typeof EXEMPT[number]>} */
  const used = new Set();
  /** @type {Map<string, Rule | undefined>} */
  const judged = new Map();
  const judge = (/** @type {string} */ name, /** @type {number} */ line) => {
    if (!judged.has(name)) {
      const words = wordsOf(name);
      const rule = rules.find((one) => breaks(one, file, words));
      const exemption =
        rule &&
        EXEMPT.find((one) => (one.name === name || words.includes(one.word ?? '')) && (one.in?.test(file) ?? true));
      if (exemption !== undefined) used.add(exemption);
      judged.set(name, exemption === undefined ? rule : undefined);
    }
    const rule = judged.get(name);
    if (rule !== undefined) broken.push({ line, name, rule });
  };
  judge(path.posix.basename(file).replace(/\..*$/, ''), 1);
  const { code } = splitSource(text, language);
  code.split('\n').forEach((content, index) => {
    for (const [name] of content.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) judge(name, index + 1);
  });
  const findings = broken.map(({ line, name, rule }) => {
    const word = rule.words.join(' ');
    return `${file}:${line}: ${name}: the glossary has another word for "${word}": ${rule.instead.replaceAll('*', '')}`;
  });
  return { findings, used: [...used] };
}

/**
 * @param {string} root
 * @param {{exemptions: boolean, chosen: string[]}} options
 */
function main(root, { exemptions, chosen }) {
  process.chdir(root);
  const glossary = 'spec/glossary.md';
  const { rules, places } = readGlossary(readFileSync(glossary, 'utf8'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { maxBuffer: 1 << 28 });
  const tracked = [...new Set(listed.toString('utf8').split('\0'))].filter(
    (name) => name !== '' && existsSync(name) && lstatSync(name).isFile(),
  );
  const findings = places
    .filter(({ place }) => !existsSync(place))
    .map(({ line, place }) => `${glossary}:${line}: ${place} does not exist; name the file that has it`);
  const used = new Set();
  for (const file of chosen.length > 0 ? chosen : tracked.sort()) {
    const result = checkNames(file, readFileSync(file, 'utf8'), rules);
    findings.push(...result.findings);
    for (const exemption of result.used) used.add(exemption);
  }
  if (exemptions) {
    for (const exemption of EXEMPT.filter((one) => !used.has(one))) {
      findings.push(`tools/check-words.mjs: nothing needs the exemption of ${exemption.name ?? exemption.word}`);
    }
  }
  for (const finding of findings) console.log(finding);
  return findings.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = readArguments('check-words', {
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      root: { type: 'string' },
      exemptions: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(USAGE);
  else {
    const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));
    process.exitCode = main(root, { exemptions: values.exemptions, chosen: positionals });
  }
}
