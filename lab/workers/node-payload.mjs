#!/usr/bin/env node
// Prints a payload of the bench of the JavaScript package as JSON, for the scenarios that begin with "js-". What JSON
// can't carry has tags (node-values.mjs).
//
// usage: node lab/workers/node-payload.mjs NAME

import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { write } from './node-values.mjs';

const SOURCE = fileURLToPath(new URL('../../js/bench/_payloads.ts', import.meta.url));

const [name] = process.argv.slice(2);
const { outputFiles } = await esbuild.build({ entryPoints: [SOURCE], bundle: true, format: 'esm', write: false });
const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
/** @type {{workloads: () => {name: string, value: unknown}[]}} */
const { workloads } = await import(`data:text/javascript;base64,${code}`);
const found = workloads().find((workload) => workload.name === name);
if (found === undefined) {
  console.error(`js/bench has no payload called ${name}`);
  process.exitCode = 2;
} else {
  process.stdout.write(write(found.value));
}
