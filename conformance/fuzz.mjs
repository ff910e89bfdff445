#!/usr/bin/env node
// Asks all implementations about random inputs and compares; `--help` tells how. The rooms are lib/fuzz*.mjs.

import path from 'node:path';
import { IMPLEMENTATIONS, ROOT } from './lib/adapters.mjs';
import { main } from './lib/fuzz.mjs';

process.exitCode = await main(process.argv.slice(2), {
  implementations: IMPLEMENTATIONS,
  vectors: path.join(ROOT, 'vectors'),
  print: (text) => console.log(text),
});
