#!/usr/bin/env node
// Judges the implementations; `--help` tells how. The rooms are in lib/.

import path from 'node:path';
import { IMPLEMENTATIONS, ROOT } from './lib/adapters.mjs';
import { main } from './lib/main.mjs';

process.exitCode = await main(process.argv.slice(2), {
  implementations: IMPLEMENTATIONS,
  vectors: path.join(ROOT, 'vectors'),
  expectedFailures: path.join(ROOT, 'conformance/expected-failures'),
  build: path.join(ROOT, 'build/conformance'),
  print: (text) => console.log(text),
});
