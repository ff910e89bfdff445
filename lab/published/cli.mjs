#!/usr/bin/env node
// Publishes results of the lab: the summary that git keeps, and what README, page and picture say of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArguments, refuse } from '../../tools/arguments.mjs';
import { picture } from './picture.mjs';
import { jsonOf, summaryOf } from './summary.mjs';
import { contestantsText, measurementText, readmeText } from './tables.mjs';

const USAGE = `usage: node lab/published/cli.mjs [--check] [RESULT.json…]

RESULT.json is what lab --json wrote. The first is a run of all languages, which README and picture show; those behind it
stand in docs/measurements/lab.md only. They become docs/measurements/lab.json; without any, the one that git has is
taken. From it follow the tables between <!-- lab … --> and <!-- /lab --> in README.md and docs/measurements/lab.md, and
docs/images/lab.svg. --check writes nothing, and exits 1 if one of them says something else.
`;

/** @param {string} name */
const inRoot = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const SUMMARY = inRoot('docs/measurements/lab.json');

/**
 * Puts a text between the marks of its name.
 *
 * @param {string} old
 * @param {string} name
 * @param {string} text
 */
function between(old, name, text) {
  const [start, end] = [`<!-- lab ${name} -->`, '<!-- /lab -->'];
  const from = old.indexOf(start);
  const to = old.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`there is no place for "${name}": put ${start} and ${end} there`);
  return `${old.slice(0, from)}${start}\n\n${text}\n\n${old.slice(to)}`;
}

/**
 * What follows from the summary, by the name of the file.
 *
 * @param {import('./summary.mjs').Run[]} runs
 * @param {(name: string) => string} read a file of the checkout
 * @returns {Record<string, string>}
 */
export function publishedFiles(runs, read) {
  const [first] = runs;
  if (first === undefined) throw new Error('nothing is published');
  let page = between(read('docs/measurements/lab.md'), 'contestants', contestantsText(runs));
  runs.forEach((run, index) => {
    page = between(page, `run ${index + 1}`, measurementText(run));
  });
  return {
    'README.md': between(read('README.md'), 'table', readmeText(first)),
    'docs/measurements/lab.md': page,
    'docs/images/lab.svg': picture(first),
  };
}

/**
 * Reads a result that is named on the command line.
 *
 * @param {string} file
 */
function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return refuse('published', `${file} is no result: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} name */
export const readPublished = (name) => readFileSync(inRoot(name), 'utf8');

/** @returns {import('./summary.mjs').Run[]} those that git has */
export const publishedRuns = () => JSON.parse(readFileSync(SUMMARY, 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals: results } = readArguments('published', {
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const isCheck = values.check;
  if (isCheck && results.length > 0) refuse('published', '--check takes no results');
  if (results.length > 0) {
    writeFileSync(SUMMARY, jsonOf(results.map((file) => summaryOf(readResult(file)))));
  }
  let status = 0;
  for (const [name, text] of Object.entries(publishedFiles(publishedRuns(), readPublished))) {
    if (!isCheck) {
      writeFileSync(inRoot(name), text);
    } else if (text !== readPublished(name)) {
      console.error(`${name} says something else than docs/measurements/lab.json; node lab/published/cli.mjs mends it`);
      status = 1;
    }
  }
  process.exit(status);
}
