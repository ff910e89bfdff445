#!/usr/bin/env node
// Prints payloads of the bench of the JavaScript package, for the scenarios that begin with "js-". Each has a line: its
// name, a space, and its value as JSON, which is the list of its values for a stream. What JSON can't carry has tags
// (node-values.mjs).
//
// usage: node lab/workers/node-payload.mjs payloads|streams|unfriendly

import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { write } from './node-values.mjs';

const BENCH = fileURLToPath(new URL('../../js/bench', import.meta.url));
/** @type {Record<string, string>} */
const SETS = {
  payloads: "export { workloads as all } from './_payloads.ts'",
  streams: "export { streamed as all } from './_streamed.ts'",
  unfriendly: "export { unfriendly as all } from './_unfriendly.ts'",
};

const [set = ''] = process.argv.slice(2);
const contents = SETS[set];
if (contents === undefined) {
  console.error(`js/bench has no set of payloads called ${set}`);
  process.exitCode = 2;
} else {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: BENCH },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  /** @type {{all: () => {name: string, value: unknown}[]}} */
  const { all } = await import(`data:text/javascript;base64,${code}`);
  for (const { name, value } of all()) process.stdout.write(`${name} ${write(value)}\n`);
}
