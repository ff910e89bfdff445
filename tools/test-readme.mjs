#!/usr/bin/env node
// Runs what the READMEs tell a reader to type: the blocks marked <!-- run -->, compared with the block marked
// <!-- output --> after them. Blocks marked <!-- ci --> name make verbs that CI runs by itself; for them it checks
// that .ci/run really reaches the verb.
//
// Plan of the file: reading the marked blocks · running one by its language · CI verbs · main.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';

const USAGE = `usage: node tools/test-readme.mjs [--root FOLDER] [FILE…]

Runs the marked blocks of README.md, of each part's README.md and of docs/guides (or of the FILEs named):
  <!-- run -->      before a sh block: each command must exit 0, from the repository's root
                    before a js, ts, php or go block: the program must exit 0; if it asks for REDIS_URL in its
                    environment, a Redis server of its own runs there
  <!-- output -->   before the text block that follows: what the run must print
  <!-- ci -->       before a sh block of make verbs: .ci/run must reach each of them
FOLDER is the checkout; by default this one.
`;

const { values, positionals } = readArguments('test-readme', {
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, root: { type: 'string' } },
});
const ROOT = path.resolve(values.root ?? fileURLToPath(new URL('..', import.meta.url)));
process.chdir(ROOT);
/** Milliseconds for one block; building takes minutes where the machine does much else. */
const TIMEOUT = 60 * 60 * 1000;
const GUIDES = 'docs/guides';

/**
 * A fenced block that a comment marks.
 *
 * @typedef {{file: string, line: number, mark: 'run' | 'ci', language: string, code: string, output?: string}} Block
 */

// --- reading the marked blocks --------------------------------------------------------------------------------------

/**
 * Reads the marked blocks of one file, each with the output that belongs to it.
 *
 * @param {string} file
 * @returns {Block[]}
 */
function readBlocks(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  /** @type {Block[]} */
  const blocks = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^(`{3,})\s*(\w*)/.exec(lines[at] ?? '');
    const mark = /^<!--\s*(run|ci|output)\s*-->$/.exec((lines[at] ?? '').trim())?.[1];
    if (fence) at = closing(lines, at, file);
    if (mark === undefined) continue;
    let start = at + 1;
    while (lines[start]?.trim() === '') start++;
    const open = /^(`{3,})\s*(\w*)/.exec(lines[start] ?? '');
    if (!open) throw new Error(`${file}:${at + 1}: <!-- ${mark} --> stands before no fenced block`);
    const end = closing(lines, start, file);
    const code = lines.slice(start + 1, end).join('\n');
    if (mark === 'output') {
      const last = blocks.at(-1);
      if (!last || last.output !== undefined) throw new Error(`${file}:${at + 1}: <!-- output --> follows no run`);
      last.output = code;
    } else {
      blocks.push({ file, line: start + 1, mark: mark === 'ci' ? 'ci' : 'run', language: open[2] ?? '', code });
    }
    at = end;
  }
  return blocks;
}

/**
 * The line that closes the fence opened at `start`.
 *
 * @param {string[]} lines
 * @param {number} start
 * @param {string} file
 */
function closing(lines, start, file) {
  const fence = /^`{3,}/.exec(lines[start] ?? '')?.[0] ?? '```';
  const end = lines.findIndex((line, index) => index > start && line.trim() === fence);
  if (end < 0) throw new Error(`${file}:${start + 1}: the block is never closed`);
  return end;
}

// --- running one by its language ------------------------------------------------------------------------------------

/**
 * @param {string[]} command
 * @param {string} cwd
 * @returns {{status: number | null, output: string, errors: string}}
 */
function run(command, cwd) {
  const [program = '', ...args] = command;
  const env = { ...process.env, PATH: `${ROOT}/.toolchain/bin:${process.env.PATH ?? ''}`, NO_COLOR: '1' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: TIMEOUT });
  return { status, output: stdout ?? '', errors: error ? error.message : (stderr ?? '') };
}

/**
 * Calls a function while an empty Redis server runs, on a socket in the folder.
 *
 * @template T
 * @param {string} folder
 * @param {() => T} call
 */
function withRedis(folder, call) {
  const socket = path.join(folder, 'redis.sock');
  const pidFile = path.join(folder, 'redis.pid');
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder, '--pidfile', pidFile];
  const started = spawnSync('redis-server', [...options, '--daemonize', 'yes'], { encoding: 'utf8' });
  if (started.status !== 0) throw new Error('redis-server does not start; tools/setup installs it');
  const waits = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !existsSync(socket) || !existsSync(pidFile); tries++) {
    if (tries > 2400) throw new Error('redis-server does not answer');
    Atomics.wait(waits, 0, 0, 25);
  }
  process.env.REDIS_URL = `unix:${socket}`;
  try {
    return call();
  } finally {
    delete process.env.REDIS_URL;
    process.kill(Number(readFileSync(pidFile, 'utf8')));
  }
}

/** @type {Record<string, (code: string, scratch: string) => ReturnType<typeof run>>} */
const RUNNERS = {
  sh: (code) => run(['bash', '-euo', 'pipefail', '-c', code], ROOT),
  js: runJavaScript,
  php: runPhp,
  go: runGo,
};

/**
 * An example imports the package by name, so it runs where the workspace's node_modules is found.
 *
 * @param {string} code
 */
function runJavaScript(code) {
  const folder = path.join(ROOT, 'build', 'readme');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, /^(?:const|let|var) .*\brequire\(/m.test(code) ? 'example.cjs' : 'example.mjs');
  writeFileSync(file, code);
  return run(['node', file], ROOT);
}

/**
 * @param {string} code
 * @param {string} scratch
 */
function runPhp(code, scratch) {
  const file = path.join(scratch, 'example.php');
  const body = code.replace(/^<\?php\s*/, '').replace(/^require .*vendor\/autoload\.php.*$/m, '');
  const declare = /^declare\(strict_types=1\);\s*/.exec(body)?.[0] ?? '';
  const autoload = path.join(ROOT, 'php', 'vendor', 'autoload.php');
  const uses = body.slice(declare.length);
  writeFileSync(file, `<?php\n${declare}\nrequire ${JSON.stringify(autoload)};\n${uses}`);
  return run(['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', file], ROOT);
}

/**
 * @param {string} code
 * @param {string} scratch
 */
function runGo(code, scratch) {
  const module = 'github.com/polypack/polypack/go';
  writeFileSync(path.join(scratch, 'main.go'), /^package /m.test(code) ? code : `package main\n\n${code}`);
  writeFileSync(
    path.join(scratch, 'go.mod'),
    `module example\n\ngo 1.24\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ${path.join(ROOT, 'go')}\n`,
  );
  return run([path.join(ROOT, '.toolchain/bin/go'), 'run', '.'], scratch);
}

/**
 * Runs one block in a scratch folder of its own.
 *
 * @param {Block} block
 * @returns {string | undefined} what is wrong
 */
function tryBlock(block) {
  const runner = RUNNERS[block.language === 'bash' ? 'sh' : block.language];
  if (!runner) return `cannot run a block in "${block.language}"; one of ${Object.keys(RUNNERS).join(', ')}`;
  const scratch = mkdtempSync(path.join(tmpdir(), 'polypack-readme-'));
  try {
    const call = () => runner(block.code, scratch);
    const { status, output, errors } = block.code.includes('REDIS_URL') ? withRedis(scratch, call) : call();
    if (status !== 0) return `exits with ${status ?? 'a time-out'}\n${indent(output + errors)}`;
    if (block.output !== undefined && tidy(output) !== tidy(block.output)) {
      return `prints something else\n  written:\n${indent(tidy(block.output))}\n  printed:\n${indent(tidy(output))}`;
    }
    return undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const tidy = (/** @type {string} */ text) => text.replace(/[ \t]+$/gm, '').trim();
const indent = (/** @type {string} */ text) => text.trimEnd().replace(/^/gm, '    ');

// --- CI verbs -------------------------------------------------------------------------------------------------------

/** The make verbs .ci/run reaches, those that other verbs depend on included. */
function verbsOfCi() {
  const makefile = readFileSync('Makefile', 'utf8').replaceAll('\\\n', ' ');
  const needs = new Map(
    [...makefile.matchAll(/^([a-z-]+):([^#\n]*)/gm)].map(([, verb = '', list = '']) => [
      verb,
      list.trim().split(/\s+/),
    ]),
  );
  const called = [...readFileSync('.ci/run', 'utf8').matchAll(/^\s*make\s+([a-z -]+)$/gm)].flatMap(([, list = '']) =>
    list.trim().split(/\s+/),
  );
  const reached = new Set(called);
  for (const verb of reached) for (const need of needs.get(verb) ?? []) reached.add(need);
  return reached;
}

/**
 * @param {Block} block
 * @param {Set<string>} reached
 * @returns {string | undefined} what is wrong
 */
function checkCi(block, reached) {
  for (const command of block.code.split('\n').map((line) => line.replace(/\s+#.*/, '').trim())) {
    if (command === '' || command.startsWith('#') || command.startsWith('git clone') || command.startsWith('cd '))
      continue;
    const verb = /^make ([a-z-]+)$/.exec(command)?.[1];
    if (verb === undefined) return `"${command}" is marked <!-- ci --> and is no make verb; mark it <!-- run -->`;
    if (!reached.has(verb)) return `"${command}" is marked <!-- ci --> but .ci/run never reaches it`;
  }
  return undefined;
}

// --- main -----------------------------------------------------------------------------------------------------------

/** README.md, the README.md of every folder at the root, and the guides. */
function readmes() {
  const folders = readdirSync('.', { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
  );
  const files = ['README.md', ...folders.map((entry) => `${entry.name}/README.md`).sort()].filter((file) =>
    existsSync(file),
  );
  const guides = existsSync(GUIDES) ? readdirSync(GUIDES).filter((name) => name.endsWith('.md')) : [];
  return [...files, ...guides.map((name) => `${GUIDES}/${name}`).sort()];
}

/** @param {string[]} files */
function main(files) {
  const blocks = files.flatMap(readBlocks);
  const reached = verbsOfCi();
  let failures = 0;
  for (const block of blocks) {
    const wrong = block.mark === 'ci' ? checkCi(block, reached) : tryBlock(block);
    const place = `${block.file}:${block.line} ${block.language}`;
    console.log(wrong === undefined ? `ok   ${place}` : `FAIL ${place} ${wrong}`);
    if (wrong !== undefined) failures++;
  }
  console.log(`${blocks.length} blocks of ${files.length} files, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  process.exitCode = main(positionals.length > 0 ? positionals : readmes());
}
