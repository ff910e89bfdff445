#!/usr/bin/env node
// Builds the lab's images without a Docker daemon, and uses them.
//
// Plan: reading a Dockerfile · the base image · an image · using it · main.
//
// debootstrap makes what stands for Debian's image. Each instruction is then done in a copy of it, in a namespace of
// its own, as root: packages are installed for real, and the machine stays as it is.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';

const USAGE = `usage: node tools/test-images.mjs [--keep]

Does what lab/docker/Dockerfile and lab/docker/Dockerfile.debug say, runs the lab as docker run would, and lets xdebug
call a debugger. Takes about two minutes and 1 GB in build/images, of which Debian's base stays for the next time.

Needs root on a Debian of the same release, whose mirror it uses. Elsewhere it says so and ends well.
  --keep  leave the images in build/images
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'build/images');
const DOCKER = path.join(ROOT, 'lab/docker');

/** What stands for the images of Docker's registry, by the name behind FROM. @type {Record<string, string>} */
const SUITES = { 'debian:12-slim': 'bookworm' };

/** Where xdebug calls a debugger unless told otherwise. */
const DEBUGGER_PORT = 9003;

/** What the machine's tools need to reach the network; a docker build gets it by --build-arg. */
const PROXIES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** What names the certificates that Composer and git trust, and where an image has those of the machine. */
const TRUST = ['SSL_CERT_FILE', 'GIT_SSL_CAINFO'];
const CERTIFICATES = 'etc/machine.crt';

// --- reading a Dockerfile --------------------------------------------------------------------------------------------

/**
 * @typedef {{from: string, steps: [instruction: string, rest: string][], entrypoint: string[], command: string[]}}
 *   Dockerfile
 */

/**
 * Reads a Dockerfile of one stage.
 *
 * @param {string} text
 * @returns {Dockerfile}
 */
export function readDockerfile(text) {
  /** @type {Dockerfile} */
  const file = { from: '', steps: [], entrypoint: [], command: [] };
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  for (const line of lines.map((one) => one.trim()).filter((one) => one !== '')) {
    const [, instruction = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      if (file.from !== '') throw new Error('a Dockerfile of several stages');
      file.from = rest;
    } else if (instruction === 'ENTRYPOINT') file.entrypoint = JSON.parse(rest);
    else if (instruction === 'CMD') file.command = JSON.parse(rest);
    else if (['RUN', 'COPY', 'WORKDIR', 'ENV'].includes(instruction)) file.steps.push([instruction, rest]);
    else throw new Error(`this tool doesn't know the instruction "${line}"`);
  }
  return file;
}

/**
 * Reads the variables of ENV, each in double quotes.
 *
 * @param {string} rest
 * @returns {Record<string, string>}
 */
export function readVariables(rest) {
  const found = [...rest.matchAll(/(\w+)="([^"]*)"\s*/g)];
  if (found.map(([whole]) => whole).join('') !== rest) throw new Error(`ENV ${rest}: each value in double quotes`);
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

// --- the base image --------------------------------------------------------------------------------------------------

/** @param {string} program @param {string[]} args @param {import('node:child_process').ExecFileSyncOptions} [options] */
const run = (program, args, options = {}) => execFileSync(program, args, { stdio: 'inherit', ...options });

/**
 * The mirror from which the machine itself gets a release of Debian, if it does.
 *
 * @param {string} suite
 */
function mirror(suite) {
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(RELEASE) $(SITE)']).toString();
  return new RegExp(`^${suite} (https?:\\S+/debian/?)$`, 'm').exec(targets)?.[1];
}

/**
 * Makes the root of a Debian, or finds the one that was made before.
 *
 * @param {string} suite
 * @param {string} site the mirror
 */
function base(suite, site) {
  const root = path.join(FOLDER, suite);
  if (existsSync(root)) return root;
  const making = `${root}.making`;
  rmSync(making, { recursive: true, force: true });
  const tool = path.join(FOLDER, 'debootstrap');
  if (!existsSync(tool)) {
    run('sh', ['-ec', 'apt-get download -qq debootstrap && dpkg -x debootstrap_*.deb debootstrap'], { cwd: FOLDER });
  }
  run(path.join(tool, 'usr/sbin/debootstrap'), ['--variant=minbase', suite, making, site], {
    env: { ...process.env, DEBOOTSTRAP_DIR: path.join(tool, 'usr/share/debootstrap') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(making, root);
  return root;
}

// --- an image --------------------------------------------------------------------------------------------------------

class Image {
  /** @type {Record<string, string>} */
  #variables = { HOME: '/root', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  #folder = '/';
  #root;
  /** @type {string[]} */ command = [];

  /** @param {string} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * A copy of this image, with what a Dockerfile does to it.
   *
   * @param {string} name
   * @param {Dockerfile} file
   */
  with(name, file) {
    const root = path.join(FOLDER, name);
    rmSync(root, { recursive: true, force: true });
    run('cp', ['-a', this.#root, root]);
    const image = new Image(root);
    image.#variables = { ...this.#variables };
    image.#folder = this.#folder;
    image.command = file.entrypoint.length > 0 ? file.entrypoint : this.command;
    for (const [instruction, rest] of file.steps) {
      console.log(`${name}: ${instruction} ${rest}`);
      if (instruction === 'ENV') Object.assign(image.#variables, readVariables(rest));
      else if (instruction === 'RUN') execFileSync(...image.call(['sh', '-ec', rest]), { stdio: 'inherit' });
      else if (instruction === 'COPY') image.#copy(rest);
      else image.#enter(rest);
    }
    return image;
  }

  /** @param {string} folder */
  #enter(folder) {
    mkdirSync(path.join(this.#root, folder), { recursive: true });
    this.#folder = folder;
  }

  /** @param {string} rest */
  #copy(rest) {
    if (rest !== '. .') throw new Error(`COPY ${rest}: this tool copies only ". ."`);
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT }).toString();
    for (const name of listed.split('\0').filter((one) => one !== '' && existsSync(path.join(ROOT, one)))) {
      cpSync(path.join(ROOT, name), path.join(this.#root, this.#folder, name));
    }
  }

  /** @param {string} name of a file @param {string} text */
  write(name, text) {
    const file = path.join(this.#root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /**
   * What starts a program in the image, with its variables and those that lead to the network.
   *
   * @param {string[]} command
   * @returns {[program: string, args: string[]]}
   */
  call(command) {
    const network = PROXIES.flatMap((name) =>
      process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`],
    );
    if (existsSync(path.join(this.#root, CERTIFICATES)))
      network.push(...TRUST.map((name) => `${name}=/${CERTIFICATES}`));
    const variables = Object.entries(this.#variables).map(([name, value]) => `${name}=${value}`);
    const isolated = ['--mount', '--pid', '--fork', `--root=${this.#root}`, '--mount-proc', `--wd=${this.#folder}`];
    return ['unshare', [...isolated, 'env', '-i', ...network, ...variables, ...command]];
  }
}

/**
 * Gives a root what docker build gives to every image, and what a network of one's own asks for: the package sources of
 * the machine's Composer, and its certificates if SSL_CERT_FILE names them.
 */
function prepare(/** @type {Image} */ image) {
  image.write('etc/resolv.conf', readFileSync('/etc/resolv.conf', 'utf8'));
  // The second name is what --add-host gives.
  image.write('etc/hosts', `${readFileSync('/etc/hosts', 'utf8')}\n127.0.0.1 host.docker.internal\n`);
  const { SSL_CERT_FILE: certificates } = process.env;
  if (certificates !== undefined) image.write(CERTIFICATES, readFileSync(certificates, 'utf8'));
  const home = execFileSync('composer', ['config', '--global', 'home'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();
  for (const name of ['config.json', 'auth.json']) {
    const file = path.join(home.trim(), name);
    if (existsSync(file)) image.write(`root/.composer/${name}`, readFileSync(file, 'utf8'));
  }
}

// --- using it --------------------------------------------------------------------------------------------------------

/**
 * Runs a command, and returns what it prints.
 *
 * @param {Image} image
 * @param {string[]} args
 * @returns {Promise<string>}
 */
function output(image, args) {
  const child = spawn(...image.call([...image.command, ...args]), { stdio: ['ignore', 'pipe', 'pipe'] });
  let [text, errors] = ['', ''];
  child.stdout.on('data', (data) => {
    text += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(`${image.command.join(' ')} ${args.join(' ')}: exit code ${code}\n${text}${errors}`));
    });
  });
}

/** @param {string} text @param {RegExp} wanted @param {string} what */
function expect(text, wanted, what) {
  if (!wanted.test(text)) throw new Error(`${what}: ${wanted} expected in\n${text}`);
}

/** The table of the seed, with each vendor that Composer can install anywhere. */
async function useLab(/** @type {Image} */ image) {
  const text = await output(image, ['serialize', '-s', '1']);
  for (const vendor of ['JMS', 'Symfony', 'Symfony\\*']) {
    expect(text, new RegExp(`^\\W*\\d+=?\\W+${vendor}\\W`, 'm'), 'lab serialize');
  }
}

/** The debugger is called, is told which program runs, and lets it run to its end. */
async function useDebugger(/** @type {Image} */ image) {
  let heard = '';
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      heard += data;
      socket.write('detach -i 1\0');
    });
    socket.on('error', () => {});
  });
  await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(DEBUGGER_PORT, '127.0.0.1', () => resolve(undefined));
  });
  try {
    const text = await output(image, ['doctor']);
    expect(text, /xdebug/i, 'lab doctor');
  } finally {
    server.close();
  }
  expect(heard, /<init .*fileuri="file:\/\/\/polypack\/lab\/bin\/lab"/, 'what the debugger was told');
}

// --- main ------------------------------------------------------------------------------------------------------------

/** Why it can't be done here, or null. */
function missing() {
  if (process.getuid?.() !== 0) return 'only root may make images';
  for (const needed of [
    'apt-get --version',
    'dpkg --version',
    'composer --version',
    'unshare --mount --pid --fork true',
  ]) {
    try {
      execFileSync('sh', ['-c', needed], { stdio: 'ignore' });
    } catch {
      return `"${needed}" fails`;
    }
  }
  return null;
}

async function main() {
  const { values } = readArguments('test-images', {
    options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return console.log(USAGE);
  const why = missing();
  if (why !== null) return console.log(`images: not tested, since ${why}`);
  mkdirSync(FOLDER, { recursive: true });
  const read = (/** @type {string} */ name) => readDockerfile(readFileSync(path.join(DOCKER, name), 'utf8'));
  const [file, forDebugging] = [read('Dockerfile'), read('Dockerfile.debug')];
  const suite = SUITES[file.from];
  if (suite === undefined) throw new Error(`nothing stands for the image ${file.from}`);
  const site = mirror(suite);
  if (site === undefined) return console.log(`images: not tested, since the packages here aren't Debian's ${suite}`);
  const root = base(suite, site);
  const debian = new Image(root);
  prepare(debian);
  const lab = debian.with('polypack-lab', file);
  await useLab(lab);
  if (forDebugging.from !== 'polypack-lab') throw new Error('Dockerfile.debug does not begin with the other image');
  await useDebugger(lab.with('polypack-lab-debug', forDebugging));
  if (!values.keep)
    for (const name of ['polypack-lab', 'polypack-lab-debug']) rmSync(path.join(FOLDER, name), { recursive: true });
  return console.log('ok   images: both are built, the lab runs, and xdebug calls the debugger');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    console.error(`test-images: ${error.message}`);
    process.exitCode = 1;
  });
}
