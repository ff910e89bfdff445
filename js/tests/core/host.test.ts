// Hosts that lack what others have: React Native had no TextDecoder for long, and Jest's jsdom has none. Every build
// can be imported there, and does what needs none.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '../_vectors.ts';

const DIST = new URL('js/dist/', REPOSITORY);
const BUILDS = readdirSync(DIST).filter((name) => /\.[cm]?js$/.test(name));

/** Runs a module in a process whose globals lack these names. Returns what it prints. */
function runWithout(missing: readonly string[], body: string): string {
  const script = `
    import assert from 'node:assert/strict';
    ${missing.map((name) => `delete globalThis.${name};`).join('\n')}
    const load = (name) => import(${JSON.stringify(DIST.href)} + name);
    ${body}
  `;
  const options = { cwd: fileURLToPath(DIST), encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], options);
}

for (const missing of [['TextDecoder'], ['TextEncoder'], ['Buffer'], ['TextDecoder', 'TextEncoder', 'Buffer']]) {
  test(`every build can be imported without ${missing.join(', ')}`, () => {
    assert.ok(BUILDS.length >= 30);
    const printed = runWithout(
      missing,
      `for (const name of ${JSON.stringify(BUILDS)}) await load(name);
      assert.ok(${JSON.stringify(missing)}.every((name) => globalThis[name] === undefined));
      console.log('all of them');`,
    );
    assert.equal(printed, 'all of them\n');
  });
}

/** The codecs, by the files that bundlers and Node take. */
const CODECS = ['index.js', 'index.mjs', 'compact.js', 'compact.mjs', 'msgpackr.mjs'];

test('without Buffer, TextEncoder and TextDecoder short texts are written and read, and faults have their paths', () => {
  runWithout(
    ['TextDecoder', 'TextEncoder', 'Buffer'],
    `for (const name of ${JSON.stringify(CODECS)}) {
      const { pack, unpack } = await load(name);
      const value = { id: 5, name: 'Ann', tags: ['a', null, 1.5], when: new Date(0) };
      assert.deepEqual(unpack(pack(value)), value, name);
      const bytes = Uint8Array.of(0x81, 0xa1, 0x61, 0x92, 0x01, 0xd9, 0x05);
      assert.throws(() => unpack(bytes), { code: 'unexpected_end', offset: 5, path: '/a/1' }, name);
    }`,
  );
});

test('a Buffer without utf8Write writes every text, also after a message that has left its slab', () => {
  runWithout(
    ['Buffer.prototype.utf8Write'],
    `for (const name of ['node.js', 'index.mjs', 'msgpackr-node.mjs']) {
      const { pack, unpack } = await load(name);
      const long = Array.from({ length: 60 }, (_, index) => String(index).repeat(50));
      const short = ['a text of so many characters that the host writes it, '.repeat(3)];
      assert.deepEqual(unpack(pack(long)), long, name);
      // After some short messages, the next ones are expected to fit into slabs again.
      for (let round = 0; round < 20; round++) assert.deepEqual(unpack(pack(short)), short, name);
    }`,
  );
});

test('without TextEncoder maps are read however often they come', () => {
  runWithout(
    ['TextDecoder', 'TextEncoder', 'Buffer'],
    `for (const name of ${JSON.stringify(CODECS)}) {
      const { unpack } = await load(name);
      const bytes = Uint8Array.of(0x82, 0xa2, 0x69, 0x64, 5, 0xa2, 0x6e, 0x6f, 7);
      for (let round = 0; round < 500; round++) assert.deepEqual(unpack(bytes), { id: 5, no: 7 }, name);
    }`,
  );
});

test('what needs a TextDecoder or TextEncoder says that there is none', () => {
  runWithout(
    ['TextDecoder', 'TextEncoder', 'Buffer'],
    `for (const name of ${JSON.stringify(CODECS)}) {
      const { pack, unpack, PolypackError } = await load(name);
      const wide = Uint8Array.of(0xda, 2, 0, ...new Array(256).fill([0xc3, 0xa9]).flat());
      assert.throws(() => unpack(wide), (error) => {
        assert.ok(!/Polypack|TypeError/.test(error.name), name + ' ' + error.name);
        assert.match(error.message, /TextDecoder/);
        return true;
      });
      assert.throws(() => pack(['é'.repeat(1000)]), ({ code, path, cause }) => {
        assert.deepEqual([code, path], ['unsupported_value', '/0'], name);
        assert.match(cause.message, /TextEncoder/);
        return true;
      });
    }`,
  );
});

test('a TextDecoder that lacks what is needed counts as none', () => {
  // As polyfills do that know UTF-8 alone, and no option "fatal".
  const printed = runWithout(
    ['Buffer'],
    `globalThis.TextDecoder = class { constructor() { throw new RangeError('unsupported'); } };
    const { unpack } = await load('index.js');
    console.log(unpack(Uint8Array.of(0xa1, 0x61)));`,
  );
  assert.equal(printed, 'a\n');
});
