#!/usr/bin/env node
// Measures what bad input costs each implementation (spec/06#cost-of-bad-input); `--help` tells how. The
// rooms are lib/cost*.mjs.

import path from 'node:path';
import { IMPLEMENTATIONS, ROOT } from './lib/adapters.mjs';
import { main } from './lib/cost.mjs';

process.exitCode = await main(process.argv.slice(2), {
  implementations: IMPLEMENTATIONS,
  rows: path.join(ROOT, 'build/bench/cost.json'),
  print: (text) => console.log(text),
});
