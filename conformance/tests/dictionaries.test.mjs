// A dictionary that one language writes is used by the others: processes of all languages share a file, or a key of a
// real Redis, at the same time.
//
// Plan: the languages · Program, one of their processes · the store of each kind · the tests.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { IMPLEMENTATIONS, prepare, ROOT } from '../lib/adapters.mjs';

const PROGRAMS = fileURLToPath(new URL('../dictionaries/', import.meta.url));

const folder = mkdtempSync(path.join(tmpdir(), 'polypack-dictionaries-'));
const socket = path.join(folder, 'redis.sock');
const goProgram = path.join(folder, 'dictionaries-go');

/** How to start a program of each language; js.mjs has their protocol. */
const COMMANDS = {
  javascript: [process.execPath, `${PROGRAMS}js.mjs`],
  php: ['php', `${PROGRAMS}php.php`],
  go: [goProgram],
};

/** @typedef {keyof typeof COMMANDS} Language */

const LANGUAGES = /** @type {Language[]} */ (Object.keys(COMMANDS));
const KINDS = ['file', 'redis'];

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
/** @type {Redis | undefined} */
let redis;

/** Of the package, once it is built. @type {(bytes: Uint8Array) => unknown} */
let unpack;

before(async () => {
  for (const one of IMPLEMENTATIONS) prepare(one);
  ({ unpack } = await import('polypack'));
  const build = { cwd: `${PROGRAMS}go`, env: { ...process.env, GOFLAGS: '-mod=mod' } };
  execFileSync(path.join(ROOT, '.toolchain/bin/go'), ['build', '-o', goProgram, '.'], build);
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder];
  server = spawn('redis-server', options, { stdio: 'ignore' });
  let failure = '';
  server.on('error', (error) => {
    failure = `${error.message}; tools/setup installs redis-server`;
  });
  for (let tries = 0; !existsSync(socket); tries++) {
    assert.ok(failure === '' && tries < 4000, failure || 'redis-server does not start');
    await sleep(25);
  }
  redis = new Redis({ path: socket });
});

after(() => {
  redis?.disconnect();
  server?.kill();
  rmSync(folder, { recursive: true });
});

// --- the programs ----------------------------------------------------------------------------------------------------

class Program {
  #child;
  #lines;

  /** @param {Language} language @param {string} kind @param {string} place */
  constructor(language, kind, place) {
    const [command = '', ...options] = COMMANDS[language];
    this.language = language;
    this.#child = spawn(command, [...options, kind, place, 'header'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {}); // of a program that was killed; ask() notices
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** @param {Record<string, unknown>} request @returns {Promise<any>} */
  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    assert.ok(!done, `the program of ${this.language} has ended`);
    return JSON.parse(value);
  }

  end() {
    this.#child.stdin.end();
  }

  kill() {
    this.#child.kill('SIGKILL');
  }
}

/**
 * Runs a test with two programs of each language, and a store that nobody has used.
 *
 * @param {string} kind
 * @param {(programs: Program[], content: () => Promise<Uint8Array>, place: string) => Promise<void>} run
 */
async function withPrograms(kind, run) {
  const place = kind === 'file' ? path.join(folder, `dictionary-${readdirSync(folder).length}.mp`) : socket;
  await redis?.flushall();
  const programs = [...LANGUAGES, ...LANGUAGES].map((language) => new Program(language, kind, place));
  const content = async () =>
    kind === 'file' ? readFileSync(place) : ((await redis?.getBuffer('dictionary')) ?? new Uint8Array(0));
  try {
    await run(programs, content, place);
  } finally {
    for (const program of programs) program.end();
  }
}

// --- the tests -------------------------------------------------------------------------------------------------------

for (const kind of KINDS) {
  test(`${kind}: what one language publishes, the others read and write`, async () => {
    await withPrograms(kind, async (programs, content) => {
      const values = programs.map(({ language }, index) => [
        { [`${language}${index}`]: index },
        { id: 64 + index, both: { x: [1, null, 'é'] } },
      ]);
      for (const [index, writer] of programs.entries()) {
        const { bytes } = await writer.ask({ op: 'pack', value: values[index] });
        assert.ok(bytes.length <= 2 * 32, `${writer.language} declares nothing: ${bytes}`);
        for (const reader of programs) {
          const about = `${writer.language} to ${reader.language}: ${bytes}`;
          assert.deepEqual(await reader.ask({ op: 'unpack', bytes }), { value: values[index] }, about);
        }
      }
      // Each shape has the same place for all, so equal values have equal bytes, but for the order of publishing.
      const [first, ...others] = await Promise.all(programs.map((one) => one.ask({ op: 'shapes' })));
      for (const other of others) assert.deepEqual(other, first);
      assert.deepEqual(unpack(await content()), first.shapes, 'the content of the store');
      assert.equal(first.shapes.length, programs.length + 2, 'each shape once');
      for (const value of values) {
        const packed = await Promise.all(programs.map((one) => one.ask({ op: 'pack', value })));
        assert.equal(new Set(packed.map(({ bytes }) => bytes)).size, 1, 'the same bytes from all');
      }
    });
  });

  test(`${kind}: all languages publish at the same time`, async () => {
    await withPrograms(kind, async (programs, content) => {
      /** @type {{bytes: string, value: unknown}[]} */
      const messages = [];
      await Promise.all(
        programs.map(async (program, index) => {
          for (let round = 0; round < 24; round++) {
            const value = [{ [`shared${round}`]: index }, { [`own${(index + round) % 30}`]: round, common: true }];
            const { bytes } = await program.ask({ op: 'pack', value });
            messages.push({ bytes, value });
          }
        }),
      );
      assert.equal(messages.length, 24 * programs.length);
      for (const { bytes, value } of messages) {
        for (const program of programs) {
          assert.deepEqual(await program.ask({ op: 'unpack', bytes }), { value }, `${program.language}: ${bytes}`);
        }
      }
      const { shapes } = await /** @type {Program} */ (programs[0]).ask({ op: 'shapes' });
      const names = shapes.map((/** @type {string[]} */ one) => one.join());
      assert.equal(new Set(names).size, names.length, 'each shape once');
      assert.ok(names.length > 50, `${names.length} shapes`);
      assert.deepEqual(unpack(await content()), shapes);
    });
  });

  test(`${kind}: writers that are killed stop nobody and lose nothing`, async () => {
    await withPrograms(kind, async (programs, content, place) => {
      /** @type {{bytes: string, value: unknown}[]} */
      const messages = [];
      for (const round of [0, 1, 2]) {
        const victims = LANGUAGES.map((language) => new Program(language, kind, place));
        await Promise.all([
          ...victims.map(async (victim, index) => {
            await victim.ask({ op: 'shapes' }); // it is at work
            setTimeout(() => victim.kill(), 7 * round + 3 * index);
            for (let number = 0; ; number++) {
              const value = { [`victim${round}-${index}-${number}`]: number };
              const answer = await victim.ask({ op: 'pack', value }).catch(() => null);
              if (answer === null) break;
              messages.push({ bytes: answer.bytes, value });
            }
          }),
          ...programs.map(async (program, index) => {
            for (let number = 0; number < 8; number++) {
              const value = { [`round${round}-${index}-${number}`]: number };
              messages.push({ bytes: (await program.ask({ op: 'pack', value })).bytes, value });
            }
          }),
        ]);
      }
      for (const { bytes, value } of messages) {
        for (const program of programs) assert.deepEqual(await program.ask({ op: 'unpack', bytes }), { value }, bytes);
      }
      const { shapes } = await /** @type {Program} */ (programs[0]).ask({ op: 'shapes' });
      assert.ok(shapes.length >= 3 * 8 * programs.length, `${shapes.length} shapes`);
      const kept = /** @type {unknown[]} */ (unpack(await content()));
      assert.deepEqual(kept.slice(0, shapes.length), shapes);
    });
  });

  test(`${kind}: another dictionary is refused at the same place`, async () => {
    await withPrograms(kind, async (programs) => {
      await /** @type {Program} */ (programs[0]).ask({ op: 'pack', value: { a: 1 } });
      for (const [bytes, error] of [
        ['c150000000000000000040', { code: 'invalid_record', offset: 0, path: '' }],
        ['c150aeb58c1b289380', { code: 'unexpected_end', offset: 0, path: '' }],
        ['c150aeb58c1b28938032914140', { code: 'unknown_record', offset: 11, path: '/0' }],
        ['9240c041', { code: 'unknown_record', offset: 3, path: '/1' }],
        ['c150aeb58c1b2893803240c1', { code: 'reserved_byte', offset: 11, path: '/a' }],
      ]) {
        for (const program of programs) {
          assert.deepEqual(await program.ask({ op: 'unpack', bytes }), { error }, `${program.language}: ${bytes}`);
        }
      }
    });
  });
}
