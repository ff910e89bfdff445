#!/usr/bin/env node
// Makes and checks vectors/.

import path from 'node:path';
import { readArguments } from '../arguments.mjs';

const USAGE = `usage: node tools/vectors/cli.mjs regen | check | release [FOLDER]

  regen   write every file of vectors/ again from the sources; read git diff afterwards
  check   prove the files: schema, names, spec references, no difference to a regen, the judge, independent
          encoders and decoders, and the unit tests of this folder (exit 1 on the first list of findings)
  release write the vectors out for other projects, without shorthand and with a manifest (default build/vectors)
  --help  this text
`;

const { values, positionals } = readArguments('vectors', {
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
} else if (verb === 'release' && positionals.length <= 2) {
  const { ROOT, readFile } = await import('./files.mjs');
  const { releaseFiles, writeRelease } = await import('./release.mjs');
  const { sources } = await import('./sources/index.mjs');
  const folder = path.resolve(positionals[1] ?? path.join(ROOT, 'build/vectors'));
  const files = releaseFiles(sources, { schema: readFile('schema.json'), readme: readFile('README.md') });
  writeRelease(files, folder);
  const cases = files.reduce((sum, file) => sum + file.cases, 0);
  console.log(`${cases} cases in ${files.length} files: ${path.relative(process.cwd(), folder)}`);
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
