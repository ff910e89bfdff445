#!/usr/bin/env node
// Builds the bench of the Go library with the peers that are on this machine, and runs it.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { buildBench } from './bench-go-build.mjs';
import { NAMES, PEERS } from './go-peers.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `usage: node tools/bench-go.mjs [--peer NAME=FOLDER]… [--msgp-oldtime] [-- FLAG…]

Builds go/bench with the peers that are on this machine, as a FOLDER with their sources or in the module cache, and runs
it; a peer that is in neither is left out. Rows go to build/bench/go.json. Nothing is downloaded.
  NAME   ${NAMES.join(' ')}
  FLAG   of the bench: -workloads 01,13 -peers msgp,json -operations decode -processes 1 -budget 1s (-help has all)
  --msgp-oldtime   msgp writes timestamps in an extension type of its own, which is quicker, as it does unless told otherwise;
                   without this flag it is told to write those of the specification, so that all write the same bytes
tagparser, fwd and float16 are what vmihailenco, msgp and cbor need; tools, mod and sync (golang.org/x) what the generator
of msgp needs.
`;

const { values, positionals } = readArguments('bench-go', {
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    peer: { type: 'string', multiple: true, default: [] },
    'msgp-oldtime': { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
} else {
  const { program } = buildBench('.', Object.keys(PEERS), values.peer, !values['msgp-oldtime']);
  const { status } = spawnSync(program, ['-out', path.join(ROOT, 'build/bench/go.json'), ...positionals], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
