#!/usr/bin/env node
// Prints a payload of the bench of the JavaScript package as JSON, for the scenarios that begin with "js-". A name that
// begins with "stream-" is that of a stream, as the list of its values. What JSON can't carry has tags
// (node-values.mjs).
//
// usage: node lab/workers/node-payload.mjs NAME

import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { write } from './node-values.mjs';

const BENCH = fileURLToPath(new URL('../../js/bench', import.meta.url));
const STREAM = 'stream-';

const [name = ''] = process.argv.slice(2);
const isStream = name.startsWith(STREAM);
const contents = isStream
  ? "export { streamed as all } from './_streamed.ts'"
  : "export { workloads as all } from './_payloads.ts'";
const { outputFiles } = await esbuild.build({
  stdin: { contents, resolveDir: BENCH },
  bundle: true,
  format: 'esm',
  write: false,
});
const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
/** @type {{all: () => {name: string, value: unknown}[]}} */
const { all } = await import(`data:text/javascript;base64,${code}`);
const found = all().find((workload) => workload.name === (isStream ? name.slice(STREAM.length) : name));
if (found === undefined) {
  console.error(`js/bench has no payload called ${name}`);
  process.exitCode = 2;
} else {
  process.stdout.write(write(found.value));
}
