#!/usr/bin/env node
// Builds dist/: for every door an ESM bundle, a CJS bundle, and the declarations of both; and a script
// for pages without modules.
//
// The public door, index, needs nothing but the language. Other doors import it and whatever their host has: no bundle
// holds a second copy of the codec, whose registry of extensions is one.
//
// The declarations come from tsc, one file per room; the .d.cts of the CommonJS side are the same files with their
// relative imports pointed at each other, so that neither side borrows the other's types.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUILD, isCurrent, noteState } from './build-state.mjs';
import { internalNames } from './internal-names.mjs';
import { makeObjectMakers } from './object-makers.mjs';

const USAGE = `usage: node tools/build.mjs

Builds dist/ from src/: for every door .js (ESM), .cjs (CommonJS) and .mjs (ESM for Node, with what .cjs has), .d.ts
and .d.cts for every room.
polypack.min.js is index as a script that makes the global polypack. Does nothing when dist/ is what it would make.
`;

/** The rooms that package.json opens, beside index; of these some use what Node has. */
const OTHER_DOORS = ['node', 'msgpackr', 'msgpackr-node', 'stores-file', 'stores', 'stores-redis'];

/** The rooms that package.json opens beside it, and that are parts of index. */
const PART_DOORS = ['pack', 'unpack', 'compact', 'snapshot'];

const RELATIVE_IMPORT = /((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*?)\.(?:ts|js)(['"])/g;

/** An import of a host's types. A project without them may use everything else, so it must not fail there. */
const HOST_IMPORT = /^(?=import [^\n]*from ['"]node:)/gm;

/**
 * Instead of tsconfig.json: fields become assignments in the constructor, which V8 runs faster than the class fields
 * that are left where types are only stripped (docs/decisions/0021-class-fields-in-the-build.md).
 */
const TYPESCRIPT = { compilerOptions: { strict: true, useDefineForClassFields: false, verbatimModuleSyntax: true } };

/** Runs tsc, which writes the declarations to build/types. */
function emitDeclarations() {
  const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
  // In this order: what index reaches is checked without the types of any host.
  for (const project of ['tsconfig.build.json', 'tsconfig.node.json']) {
    const { status } = spawnSync(tsc, ['-p', project], { stdio: 'inherit' });
    if (status !== 0) throw new Error('tsc found faults in src/; mend them and build again');
  }
}

/**
 * Copies the declarations for both module kinds.
 *
 * @returns {string[]} the names written
 */
function copyDeclarations() {
  /** @type {string[]} */
  const written = [];
  for (const name of readdirSync('build/types', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(`build/types/${name}`, 'utf8').replace(HOST_IMPORT, '// @ts-ignore\n');
    const room = name.slice(0, -'.d.ts'.length);
    mkdirSync(path.dirname(`dist/${room}`), { recursive: true });
    writeFileSync(`dist/${room}.d.ts`, text.replace(RELATIVE_IMPORT, '$1.js$2'));
    writeFileSync(`dist/${room}.d.cts`, text.replace(RELATIVE_IMPORT, '$1.cjs$2'));
    written.push(`${room}.d.ts`, `${room}.d.cts`);
  }
  return written;
}

/**
 * Bundles a door. "neutral" keeps index free of any host's modules: an import of one would fail the build.
 *
 * @param {string} door
 * @param {'esm' | 'cjs'} format
 * @returns {Promise<string>} the name written
 */
async function bundle(door, format) {
  const extension = format === 'esm' ? 'js' : 'cjs';
  await build({
    entryPoints: [`src/${door}.ts`],
    outfile: `dist/${door}.${extension}`,
    format,
    bundle: true,
    platform: 'neutral',
    external: door === 'index' ? [] : ['node:*'],
    plugins: door === 'index' ? oneTier(format) : [importIndex(`./index.${extension}`)],
    // Constants become what they are: a bundler of an application would otherwise keep a variable for each.
    minifySyntax: true,
    // Nor can it shorten names of members. Only index has classes that it shares with no other door.
    mangleProps: door === 'index' ? internalNames('build/types') : undefined,
    target: 'es2022',
    tsconfigRaw: TYPESCRIPT,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return `${door}.${extension}`;
}

/**
 * Writes the module of a door for programs that Node runs. It gives what the CommonJS bundle has, so that a program
 * with both kinds of modules has each class, and the registry of extensions, once. Bundlers get the real module.
 *
 * @param {string} door
 * @returns {string} the name written
 */
function writeBridge(door) {
  const names = Object.keys(createRequire(import.meta.url)(path.resolve(`dist/${door}.cjs`)));
  const text = `import door from './${door}.cjs';\n\nexport const {\n  ${names.join(',\n  ')},\n} = door;\n`;
  writeFileSync(`dist/${door}.mjs`, text);
  return `${door}.mjs`;
}

/**
 * Bundles index for pages without modules: a script that makes the global `polypack`.
 *
 * @returns {Promise<string>} the name written
 */
async function bundleScript() {
  await build({
    entryPoints: ['src/index.ts'],
    outfile: 'dist/polypack.min.js',
    format: 'iife',
    globalName: 'polypack',
    bundle: true,
    minify: true,
    mangleProps: internalNames('build/types'),
    plugins: oneTier('iife'),
    platform: 'neutral',
    target: 'es2022',
    tsconfigRaw: TYPESCRIPT,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return 'polypack.min.js';
}

/**
 * Leaves the public door out of a bundle, which imports it from where it is built to.
 *
 * @param {string} file
 * @returns {import('esbuild').Plugin}
 */
function importIndex(file) {
  return {
    name: 'import-index',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\/(.*\/)?index\.ts$/ }, ({ kind }) =>
        kind === 'entry-point' ? null : { path: file, external: true },
      );
    },
  };
}

/**
 * Leaves the first tier of decoding out of builds whose bytes go over a network: bundlers take the ESM build, and Node
 * runs the CommonJS one (docs/decisions/0026-first-tier.md).
 *
 * @param {'esm' | 'cjs' | 'iife'} format
 * @returns {import('esbuild').Plugin[]}
 */
function oneTier(format) {
  if (format === 'cjs') return [];
  const path = fileURLToPath(new URL('../src/codec/one-tier.ts', import.meta.url));
  const setup = (/** @type {import('esbuild').PluginBuild} */ { onResolve }) =>
    onResolve({ filter: /^\.\/first\.ts$/ }, () => ({ path }));
  return [{ name: 'one-tier', setup }];
}

/** Builds all of dist/. */
async function buildDist() {
  rmSync('build/types', { recursive: true, force: true });
  emitDeclarations();
  mkdirSync('dist', { recursive: true });
  // Files are replaced, never first removed: another program may be importing dist/ right now.
  const kept = new Set(copyDeclarations());
  for (const door of ['index', ...PART_DOORS, ...OTHER_DOORS]) {
    for (const format of /** @type {const} */ (['esm', 'cjs'])) kept.add(await bundle(door, format));
    kept.add(writeBridge(door));
  }
  kept.add(await bundleScript());
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    if (!kept.has(name) && statSync(`dist/${name}`).isFile()) rmSync(`dist/${name}`);
  }
  noteState(BUILD);
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(USAGE);
} else {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  makeObjectMakers();
  // Files that are still right count as made now, also for tools that compare times.
  if (isCurrent(BUILD)) utimesSync('dist/index.js', new Date(), new Date());
  else await buildDist();
}
