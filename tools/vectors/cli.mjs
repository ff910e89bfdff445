#!/usr/bin/env node
// Makes and checks vectors/.

import { parseArgs } from 'node:util';

const USAGE = `usage: node tools/vectors/cli.mjs regen | check

  regen   write every file of vectors/ again from the sources; read git diff afterwards
  check   prove the files: schema, names, spec references, no difference to a regen, the judge, independent
          encoders and decoders, and the unit tests of this folder (exit 1 on the first list of findings)
  --help  this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
});
const [verb = ''] = positionals;

if (values.help) {
  process.stdout.write(USAGE);
} else if (verb === 'regen' && positionals.length === 1) {
  const { writeFiles } = await import('./files.mjs');
  const { sources } = await import('./sources/index.mjs');
  writeFiles(sources);
  for (const { kind, room, cases } of sources) console.log(`${kind}/${room}.json: ${cases.length} cases`);
} else if (verb === 'check' && positionals.length === 1) {
  const { check } = await import('./check.mjs');
  process.exitCode = (await check()) ? 0 : 1;
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
