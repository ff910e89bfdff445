// Runtimes and packages that only some tools need: brought by npm into .toolchain/, each into a
// folder of its own, once.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuse } from './arguments.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SYSTEM = `${process.platform}-${process.arch}`;

/**
 * The packages that a runtime comes in, and its program there.
 *
 * @typedef {{packages: Record<string, string>, program: string, args: string[]}} Runtime
 */

/** @param {string} version @returns {Runtime} */
function node(version) {
  const name = `node-${SYSTEM}`;
  return { packages: { [name]: version }, program: `${name}/bin/node`, args: [] };
}

// Bun calls the processor by its other name.
const BUN = `@oven/bun-${SYSTEM.replace('arm64', 'aarch64')}`;

/** @type {Record<string, Runtime>} */
const RUNTIMES = {
  node20: node('20.20.2'),
  node22: node('22.23.3'),
  node24: node('24.9.0'),
  node26: node('26.9.0'),
  bun: { packages: { [BUN]: '1.4.5' }, program: `${BUN}/bin/bun`, args: [] },
  // Deno's packages name the C library, of which Linux has two.
  deno: {
    packages: { [`@deno/${SYSTEM}${process.platform === 'linux' ? '-glibc' : ''}`]: '2.9.6' },
    program: `@deno/${SYSTEM}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
    args: ['run', '--allow-all', '--quiet'],
  },
};

export const RUNTIME_NAMES = Object.keys(RUNTIMES);

/**
 * Installs packages, unless the folder has exactly these already.
 *
 * @param {string} folder below .toolchain/
 * @param {Record<string, string>} packages their versions by name
 * @returns {string} its node_modules
 */
export function install(folder, packages) {
  const target = path.join(ROOT, '.toolchain', folder);
  const manifest = `${JSON.stringify({ private: true, dependencies: packages }, null, 2)}\n`;
  const file = path.join(target, 'package.json');
  const modules = path.join(target, 'node_modules');
  if (existsSync(modules) && existsSync(file) && readFileSync(file, 'utf8') === manifest) return modules;
  // Installed elsewhere and then renamed, so that other processes see all of it or nothing.
  const fresh = `${target}.new.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(path.join(fresh, 'package.json'), manifest);
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--ignore-scripts'];
  const run = () => spawnSync('npm', args, { cwd: fresh, encoding: 'utf8' });
  let result = run();
  if (result.status !== 0) result = run();
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`npm could not install ${Object.keys(packages).join(', ')}:\n${result.stderr}`);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
  return modules;
}

/**
 * The command that runs a script in a runtime, which is brought if it is not here.
 *
 * @param {string} name one of RUNTIME_NAMES, or the path of a program that takes a script as node does
 * @returns {string[]}
 */
export function runtimeCommand(name) {
  const known = RUNTIMES[name];
  if (known === undefined) {
    if (!existsSync(name))
      throw new Error(`no runtime is called ${name}; there are ${RUNTIME_NAMES.join(', ')}, or a path`);
    return [path.resolve(name)];
  }
  return [path.join(install(`runtimes/${name}`, known.packages), known.program), ...known.args];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(`usage: node tools/runtimes.mjs NAME [SCRIPT ARGUMENT…]

Brings a runtime into .toolchain/runtimes, and runs a script in it. NAME is one of ${RUNTIME_NAMES.join(' ')}.`);
    process.exit(name === undefined ? 2 : 0);
  }
  if (RUNTIMES[name] === undefined && !existsSync(name)) refuse('runtimes', `no runtime is called ${name}`);
  const [program = '', ...flags] = runtimeCommand(name);
  if (args.length > 0) process.exitCode = spawnSync(program, [...flags, ...args], { stdio: 'inherit' }).status ?? 1;
}
