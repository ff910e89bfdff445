#!/usr/bin/env node
// Writes the table of bundle sizes into the README, from the programs of size-budget.json, or
// checks that it is still true.
//
// Plan: ROWS and COLUMNS · measure · tableOf · differences · main.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { bundleForBrowser } from './bundle-for-browser.mjs';

const USAGE = `usage: node js/tools/size-table.mjs [--check]

Bundles the programs of js/size-budget.json, and the same ones of @msgpack/msgpack, and writes their sizes between
<!-- sizes --> and <!-- /sizes --> in js/README.md, in steps of 100 bytes. With --check it writes nothing, and exits 1
when a number there is more than 2 % off. Needs the build (npm run --workspace js build).
`;

const JS = fileURLToPath(new URL('..', import.meta.url));
const README = `${JS}README.md`;
const TOLERANCE = 0.02;
const MARKED = /(?<=<!-- sizes -->\n\n)[\s\S]*?(?=\n\n<!-- \/sizes -->)/;

/** The rows of the table; in the budget a program of the compact codec is called "compact: …". */
const ROWS = [
  { title: '`pack` and `unpack`', name: 'pack and unpack', peer: 'encode, decode' },
  { title: '`unpack` alone', name: 'unpack', peer: 'decode' },
  { title: '`pack` alone', name: 'pack', peer: 'encode' },
];

/** @typedef {{main: number, compact: number, peer: number}} Sizes of one row, in bytes */

/** @returns {Promise<Sizes[]>} a row's sizes for each of ROWS */
async function measure() {
  /** @type {{budgets: Record<string, {source: string}>}} */
  const { budgets } = JSON.parse(readFileSync(`${JS}size-budget.json`, 'utf8'));
  const sizeOf = async (/** @type {string | undefined} */ source) => {
    if (source === undefined) throw new Error('size-budget.json has no program of this name');
    return brotliCompressSync(await bundleForBrowser(source, JS)).length;
  };
  return Promise.all(
    ROWS.map(async ({ name, peer }) => ({
      main: await sizeOf(budgets[name]?.source),
      compact: await sizeOf(budgets[`compact: ${name}`]?.source),
      peer: await sizeOf(`export { ${peer} } from '@msgpack/msgpack';`),
    })),
  );
}

/**
 * The table in Markdown.
 *
 * @param {Sizes[]} sizes
 */
export function tableOf(sizes) {
  const bytes = (/** @type {number} */ size) => (Math.round(size / 100) * 100).toLocaleString('en-US');
  const rows = sizes.map(({ main, compact, peer }, row) => {
    const share = Math.round((100 * compact) / main);
    return `| ${ROWS[row]?.title} | ${bytes(main)} | ${bytes(compact)} | ${share} % | ${bytes(peer)} |`;
  });
  const head = '| | `polypack` | `polypack/compact` | of it | `@msgpack/msgpack` |\n|---|---:|---:|---:|---:|';
  return [head, ...rows].join('\n');
}

/**
 * What in a table isn't true any more: numbers that are too far from the sizes, or another form.
 *
 * @param {string} table
 * @param {Sizes[]} sizes
 * @returns {string[]}
 */
export function differences(table, sizes) {
  const current = tableOf(sizes);
  const words = (/** @type {string} */ text) => text.replace(/[\d,]+/g, '#');
  if (words(table) !== words(current)) return ['the table has another form'];
  const [said, real] = [table, current].map((text) =>
    (text.match(/\d[\d,]*/g) ?? []).map((number) => Number(number.replaceAll(',', ''))),
  );
  return (real ?? []).flatMap((number, index) => {
    const claim = said?.[index] ?? 0;
    // A step of the rounding is always allowed: 100 bytes, or one per cent.
    const allowed = Math.max(number * TOLERANCE, number < 100 ? 1 : 100);
    return Math.abs(claim - number) <= allowed ? [] : [`it says ${claim}, and it is ${number}`];
  });
}

/** @param {boolean} check */
async function main(check) {
  const readme = readFileSync(README, 'utf8');
  const table = MARKED.exec(readme)?.[0];
  if (table === undefined) throw new Error('js/README.md has no <!-- sizes --> … <!-- /sizes -->');
  const sizes = await measure();
  if (!check) {
    writeFileSync(
      README,
      readme.replace(MARKED, () => tableOf(sizes)),
    );
    return 0;
  }
  const found = differences(table, sizes);
  for (const difference of found)
    console.log(`js/README.md: ${difference}; node js/tools/size-table.mjs writes it anew`);
  return found.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) process.stdout.write(USAGE);
  else process.exitCode = await main(values.check);
}
