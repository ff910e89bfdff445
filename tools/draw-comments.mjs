#!/usr/bin/env node
// Draws comments of one language at random and prints them with the code below them, for someone who did not write
// them to read. A comment is a block of adjacent comment lines, or one behind code. The same seed draws the same
// comments from the same sources.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { languageOf, splitSource } from './source-text.mjs';

const USAGE = `usage: node tools/draw-comments.mjs --language js|go|php [--count N] [--seed N] [--root FOLDER]

Prints comments drawn at random, as file:line, the comment, and the next line of code.
  --language  js reads js/src, php reads php/src, go reads go without tests, test data and generated files
  --count     how many to draw; 20 unless given
  --seed      a whole number; without it the tool takes one from the clock. It prints the seed either way.
  --root      the checkout; by default this one
Leaves out comments that are for tools (//go:, biome-ignore) and those without words, such as a lone @param.
`;

/** Which files are read. Comments that occur more than once, as in the generated loops of PHP, count once. */
const SOURCES = {
  js: { folder: 'js/src', ext: '.ts', without: /^$/ },
  php: { folder: 'php/src', ext: '.php', without: /^$/ },
  go: { folder: 'go', ext: '.go', without: /_test\.go$|\/testdata\// },
};
const GENERATED = /^\/\/ Code generated .* DO NOT EDIT/m;
const FOR_TOOLS = /^(?:\/\/go:|\/\/ ?\+build|(?:\/\/|\/\*+) ?(?:biome-|@phpstan-|@ts-|@codeCoverage))/;
const SIGNS = /^[\s/*#]+|\*\/\s*$/g;
const MIN_WORDS = 3;

/** @typedef {{file: string, line: number, text: string, code: string}} Comment */

/**
 * Returns the comments of one source text, each with the line of code it stands before or behind.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Comment[]}
 */
export function commentsOf(file, text) {
  const language = languageOf(file, text);
  if (language === undefined) return [];
  const lines = text.split('\n');
  const comments = splitSource(text, language).comments.split('\n');
  const isWhole = lines.map((line, index) => line.trim() !== '' && line.trim() === comments[index]?.trim());
  /** @type {Comment[]} */
  const found = [];
  for (let at = 0; at < lines.length; at++) {
    const start = at;
    const behind = comments[at]?.trim() ?? '';
    if (behind === '') continue;
    while (isWhole[start] && isWhole[at + 1]) at++;
    const code = isWhole[start] ? lines.slice(at + 1).find((line) => line.trim() !== '') : lines[start];
    const comment = isWhole[start] ? lines.slice(start, at + 1).join('\n') : behind;
    if (hasWords(comment)) found.push({ file, line: start + 1, text: comment, code: code ?? '' });
  }
  return found;
}

/**
 * Reports whether somebody has to read a comment: it has words, and they are not for a tool.
 *
 * @param {string} comment
 */
function hasWords(comment) {
  const lines = comment.split('\n').filter((line) => !FOR_TOOLS.test(line.trim()));
  const words = lines
    .map((line) => line.replace(SIGNS, '').replace(/^@\w.*/, ''))
    .join(' ')
    .match(/\p{L}{2,}/gu);
  return (words?.length ?? 0) >= MIN_WORDS;
}

/**
 * Draws without putting back, by mulberry32.
 *
 * @template T
 * @param {T[]} items
 * @param {number} count
 * @param {number} seed
 */
export function draw(items, count, seed) {
  let state = seed | 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = [...items];
  /** @type {T[]} */
  const drawn = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}

/** @param {keyof typeof SOURCES} language */
function readComments(language) {
  const { folder, ext, without } = SOURCES[language];
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', folder], { maxBuffer: 1 << 28 });
  const files = [...new Set(listed.toString('utf8').split('\0'))].filter(
    (file) => file.endsWith(ext) && !without.test(file) && existsSync(file),
  );
  /** @type {Map<string, Comment>} */
  const comments = new Map();
  for (const file of files.sort()) {
    const text = readFileSync(file, 'utf8');
    if (GENERATED.test(text.slice(0, 400))) continue;
    for (const comment of commentsOf(file, text)) {
      if (!comments.has(comment.text)) comments.set(comment.text, comment);
    }
  }
  return [...comments.values()];
}

/**
 * @param {string} option
 * @param {string} value
 */
function wholeNumber(option, value) {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  console.error(`draw-comments: --${option} must be a whole number below 10^9, not ${value}`);
  process.exit(2);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      language: { type: 'string' },
      count: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    },
  });
  const { language } = values;
  if (values.help) {
    process.stdout.write(USAGE);
  } else if (language !== 'js' && language !== 'go' && language !== 'php') {
    console.error('draw-comments: --language must be js, go or php; see --help');
    process.exitCode = 2;
  } else {
    const count = wholeNumber('count', values.count);
    const seed = wholeNumber('seed', values.seed);
    process.chdir(values.root);
    const comments = readComments(language);
    console.log(`${language}: ${Math.min(count, comments.length)} of ${comments.length} comments, seed ${seed}`);
    for (const { file, line, text, code } of draw(comments, count, seed)) {
      console.log(`\n${file}:${line}\n${text}\n=> ${code.trim()}`);
    }
  }
}
