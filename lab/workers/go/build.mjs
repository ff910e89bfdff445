#!/usr/bin/env node
// Builds the worker of contestants in Go with our generated code and the peers that are on this machine. Prints as JSON
// which are not, and the names of the folders that would bring them.
//
// usage: node lab/workers/go/build.mjs PROGRAM [NAME=FOLDER]…

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateOurs } from '../../../tools/bench-go-build.mjs';
import { buildMsgp, findPeers, generate, go, readFolders, writeModule } from '../../../tools/go-peers.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const [program, ...pairs] = process.argv.slice(2);
if (program === undefined) {
  console.error('usage: node lab/workers/go/build.mjs PROGRAM [NAME=FOLDER]…');
  process.exit(2);
}
const BUILD = `${path.resolve(program)}-build`;
mkdirSync(BUILD, { recursive: true });

/**
 * Lets msgp write its methods for types.go and for the payloads of the bench. It knows the names of fields by a tag of
 * its own.
 *
 * @param {string} generator
 * @returns {Record<string, string>} where the go command is to see a file, and where it is
 */
function generateMsgp(generator) {
  const types = path.join(BUILD, 'types.go');
  const text = readFileSync(path.join(HERE, 'types.go'), 'utf8');
  writeFileSync(types, text.replaceAll('msgpack:"', 'msg:"'));
  writeFileSync(path.join(BUILD, 'go.mod'), 'module types\n\ngo 1.24\n');
  const written = path.join(BUILD, 'msgp_types.go');
  generate(generator, ['-file', types, '-o', written, '-tests=false'], BUILD);
  const bench = path.join(HERE, '../../../go/bench/payload');
  const payload = path.join(BUILD, 'msgp_payload.go');
  // With timestamps as the specification has them, as all others write them.
  generate(generator, ['-file', 'types.go', '-o', payload, '-io=false', '-tests=false', '-d', 'newtime'], bench);
  return { [path.join(HERE, 'msgp_types.go')]: written, [path.join(bench, 'msgp_payload.go')]: payload };
}

const text = readFileSync(path.join(HERE, 'go.mod'), 'utf8').replaceAll('../../../go', path.join(HERE, '../../../go'));
const sources = [];
const tags = ['generated'];
const overlay = generateOurs(BUILD);
/** @type {Record<string, string>} */
const missing = {};
for (const [peer, found] of findPeers(['vmihailenco', 'msgp'], readFolders(pairs))) {
  if (typeof found === 'string') {
    missing[peer] = found;
    continue;
  }
  if (peer === 'msgp') Object.assign(overlay, generateMsgp(buildMsgp(BUILD, HERE, text, found)));
  sources.push(...found.own);
  tags.push(`peer_${peer}`);
}
const seen = path.join(BUILD, 'overlay.json');
writeFileSync(seen, JSON.stringify({ Replace: overlay }));
const module = writeModule(path.join(BUILD, 'worker.mod'), text, sources);
go(
  ['build', `-modfile=${module}`, `-overlay=${seen}`, `-tags=${tags.join(',')}`, '-o', path.resolve(program), '.'],
  HERE,
);
console.log(JSON.stringify(missing));
