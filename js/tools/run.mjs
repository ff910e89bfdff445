#!/usr/bin/env node
// Compiles, then runs one program of fuzz/ with the arguments that follow its name. Needs the build.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined || program === '--help' || program === '-h') {
  console.log(`usage: node tools/run.mjs PROGRAM.ts [ARGUMENT…]    for example fuzz/fuzz.ts --time 10
       node tools/run.mjs --compile                   only compiles`);
  process.exit(program === undefined ? 2 : 0);
}
compile();
if (program === '--compile') process.exit(0);
const file = fileURLToPath(new URL(`../build/${program.replace(/\.ts$/, '.js')}`, import.meta.url));
const { status } = spawnSync(process.execPath, ['--enable-source-maps', file, ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
