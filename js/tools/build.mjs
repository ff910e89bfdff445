#!/usr/bin/env node
// Builds dist/: one ESM bundle, one CJS bundle, and the declarations of both.
//
// The declarations come from tsc, one file per room; the .d.cts of the CommonJS side are the same files with their
// relative imports pointed at each other, so that neither side borrows the other's types.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const USAGE = `usage: node tools/build.mjs

Builds dist/ from src/: index.js (ESM), index.cjs (CommonJS), and .d.ts and .d.cts for every room.
`;

const RELATIVE_IMPORT = /((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*?)\.(?:ts|js)(['"])/g;

/** Runs tsc, which writes the declarations to build/types. */
function emitDeclarations() {
  const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('tsc found faults in src/; mend them and build again');
}

/**
 * Copies the declarations for both module kinds.
 *
 * @returns {string[]} the names written
 */
function copyDeclarations() {
  /** @type {string[]} */
  const written = [];
  for (const name of readdirSync('build/types')) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(`build/types/${name}`, 'utf8');
    const room = name.slice(0, -'.d.ts'.length);
    writeFileSync(`dist/${room}.d.ts`, text.replace(RELATIVE_IMPORT, '$1.js$2'));
    writeFileSync(`dist/${room}.d.cts`, text.replace(RELATIVE_IMPORT, '$1.cjs$2'));
    written.push(`${room}.d.ts`, `${room}.d.cts`);
  }
  return written;
}

/**
 * Bundles the door. "neutral" keeps the bundle free of any host's modules: an import of one would fail the build.
 *
 * @param {'esm' | 'cjs'} format
 * @param {string} outfile
 */
async function bundle(format, outfile) {
  await build({
    entryPoints: ['src/index.ts'],
    outfile,
    format,
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(USAGE);
} else {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  rmSync('build/types', { recursive: true, force: true });
  emitDeclarations();
  mkdirSync('dist', { recursive: true });
  await bundle('esm', 'dist/index.js');
  await bundle('cjs', 'dist/index.cjs');
  // Files are replaced, never first removed: another program may be importing dist/ right now.
  const kept = new Set(['index.js', 'index.cjs', ...copyDeclarations()]);
  for (const name of readdirSync('dist')) if (!kept.has(name)) rmSync(`dist/${name}`, { recursive: true });
}
