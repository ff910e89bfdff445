// The package as users get it: what dist/ holds, what it needs, and what `npm pack` would publish.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { build } from 'esbuild';
import * as esm from 'polypack';
import { ONCE } from './_runs.ts';
import { hexOf } from './_values.ts';
import { REPOSITORY } from './_vectors.ts';

const JS = new URL('js/', REPOSITORY);
const BUNDLES = ['dist/index.js', 'dist/index.cjs'];
const read = (name: string) => readFileSync(new URL(name, JS), 'utf8');

test('the doors have exactly the public names', async () => {
  const names = [
    ...[
      'Decoder',
      'ElementsDecoder',
      'C1',
      'CANONICAL_VERSION',
      'Encoder',
      'ExtData',
      'FLOAT32_OPTIONS',
      'FORMAT',
      'Float',
      'Packr',
      'PolypackError',
      'Raw',
      'StreamDecoder',
    ],
    ...[
      'Timestamp',
      'Unpackr',
      'addExtension',
      'canonicalize',
      'classExtension',
      'clearSource',
      'decode',
      'decodeElements',
      'decodeFirst',
      'decodeIter',
      'encode',
      'elementsTransform',
      'encodeCanonical',
      'encodeIter',
      'get',
      'isCanonical',
      'isNativeAccelerationEnabled',
    ],
    ...['pack', 'packInto', 'packTransform', 'roundFloat32', 'unpack', 'unpackMultiple', 'unpackTransform'],
  ];
  const index = await import(new URL('dist/index.mjs', JS).href);
  assert.deepEqual(Object.keys(index).sort(), names.sort());
  const streams = ['DecoderStream', 'EncoderStream', 'PackrStream', 'UnpackrStream'];
  assert.deepEqual(Object.keys(esm).sort(), [...names, ...streams].sort());
});

test('the doors for one direction are parts of the public door', async () => {
  const index = await import(new URL('dist/index.mjs', JS).href);
  const parts = { pack: await import('polypack/pack'), unpack: await import('polypack/unpack') };
  assert.deepEqual(Object.keys(parts.pack).sort(), [
    ...['C1', 'Encoder', 'ExtData', 'FLOAT32_OPTIONS', 'Float', 'Packr', 'PolypackError', 'Timestamp', 'addExtension'],
    ...['classExtension', 'encode', 'pack', 'packInto'],
  ]);
  assert.deepEqual(Object.keys(parts.unpack).sort(), [
    ...[
      'C1',
      'Decoder',
      'ExtData',
      'FLOAT32_OPTIONS',
      'Float',
      'PolypackError',
      'Timestamp',
      'Unpackr',
      'addExtension',
    ],
    ...['classExtension', 'decode', 'decodeFirst', 'roundFloat32', 'unpack', 'unpackMultiple'],
  ]);
  for (const part of Object.values(parts)) {
    for (const [name, value] of Object.entries(part)) assert.equal(value, index[name], name);
  }
});

test('the compact door has its own codec, and the classes of the public door', async () => {
  const index = await import(new URL('dist/index.mjs', JS).href);
  const compact: Record<string, unknown> = await import('polypack/compact');
  const shared = ['ExtData', 'Float', 'PolypackError', 'Timestamp'];
  const own = ['Decoder', 'Encoder', 'Packr', 'Unpackr', 'decode', 'decodeFirst', 'encode', 'pack', 'unpack'];
  assert.deepEqual(Object.keys(compact).sort(), [...shared, ...own, 'unpackMultiple'].sort());
  for (const name of shared) assert.equal(compact[name], index[name], name);
  for (const name of own) assert.notEqual(compact[name], index[name], name);
  const load = createRequire(import.meta.url);
  assert.equal(load('polypack/compact').PolypackError, load('polypack').PolypackError);
});

test('the door of snapshots has its functions, and the errors of the public door', async () => {
  const index = await import(new URL('dist/index.mjs', JS).href);
  const snapshot: Record<string, unknown> = await import('polypack/snapshot');
  const names = ['PhpCase', 'PhpObject', 'PolypackError', 'unserialize', 'unserializeSigned'];
  assert.deepEqual(Object.keys(snapshot).sort(), names);
  assert.equal(snapshot.PolypackError, index.PolypackError);
});

test('a page without modules has a script that makes a global', () => {
  const script = read('dist/polypack.min.js');
  const context = vm.createContext({ TextEncoder, TextDecoder });
  const hex = vm.runInContext(`${script}; Array.from(polypack.pack({ a: [1, 'é'] })).join()`, context);
  assert.equal(hex, Array.from(esm.pack({ a: [1, 'é'] })).join());
});

test('methods of a Packr need no object in front of them in any build', async () => {
  const load = createRequire(import.meta.url);
  const context = vm.createContext({ TextEncoder, TextDecoder });
  const builds: Record<string, typeof esm> = {
    'ESM in Node': esm,
    CommonJS: load('polypack'),
    'ESM of bundlers': await import(new URL('dist/index.js', JS).href),
    script: vm.runInContext(`${read('dist/polypack.min.js')}; polypack`, context),
  };
  for (const [name, { Packr }] of Object.entries(builds)) {
    const { pack, encode, unpack, decode, unpackMultiple } = new Packr();
    const bytes = pack([{ a: 'é' }, { a: 'x' }]);
    assert.equal(hexOf(encode([{ a: 'é' }, { a: 'x' }])), hexOf(bytes), name);
    for (const values of [unpack(bytes), decode(bytes), unpackMultiple(bytes)[0]]) {
      assert.equal(JSON.stringify(values), '[{"a":"é"},{"a":"x"}]', name);
    }
  }
});

test('the door of Node is made of the public door, not of a copy', async () => {
  const index = await import(new URL('dist/index.mjs', JS).href);
  assert.equal(esm.Packr, index.Packr);
  const load = createRequire(import.meta.url);
  assert.equal(load('polypack').Packr, load(fileURLToPath(new URL('dist/index.cjs', JS))).Packr);
  assert.equal(load('polypack/node').PackrStream, load('polypack').PackrStream);
});

test('modules of both kinds have one instance in Node', async () => {
  const load = createRequire(import.meta.url);
  for (const door of [
    'polypack',
    'polypack/pack',
    'polypack/unpack',
    'polypack/compact',
    'polypack/snapshot',
    'polypack/node',
    'polypack/msgpackr',
    'polypack/stores',
  ]) {
    const required = load(door) as Record<string, unknown>;
    const imported = (await import(door)) as Record<string, unknown>;
    assert.deepEqual(Object.keys(imported), Object.keys(required).sort(), door);
    for (const [name, member] of Object.entries(required)) assert.equal(imported[name], member, `${door}: ${name}`);
  }
  const { pack, unpack, Float, Raw, addExtension } = await import('polypack');
  const required = load('polypack') as typeof import('polypack');
  assert.deepEqual(required.pack([new Float(1), new Raw(Uint8Array.of(2))]), pack([new Float(1), 2]));
  class Both {}
  addExtension({ Class: Both, type: 99, pack: () => new Uint8Array(1), unpack: () => new Both() });
  assert.ok(required.unpack(required.pack(new Both())) instanceof Both);
  assert.throws(() => required.unpack(Uint8Array.of(0xc1)), { constructor: (await import('polypack')).PolypackError });
  assert.equal(unpack, required.unpack);
});

test('code is made from strings in one place', () => {
  const makesCode = /\beval\b|\bFunction\s*\(|\bimport\s*\(/g;
  // Comments may name what the code may not do.
  const codeOf = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
  for (const bundle of BUNDLES) {
    assert.deepEqual(codeOf(read(bundle)).match(makesCode), ['Function('], bundle);
  }
  for (const room of readdirSync(new URL('src/', JS), { recursive: true, encoding: 'utf8' })) {
    if (!room.endsWith('.ts')) continue;
    if (room === 'stores/redis.ts') continue; // eval is a command of Redis
    const found = codeOf(read(`src/${room}`)).match(makesCode) ?? [];
    assert.deepEqual(found, room === 'decoder/shapes/compiler.ts' ? ['Function('] : [], room);
  }
});

test('fields are born with their values', () => {
  // One that is declared alone is undefined first; engines then hold a number in it like any value, and
  // codecs take a tenth longer.
  const alone = /^ {2,4}(?!return|break|continue)[A-Za-z_$][\w$]*;$/m;
  for (const bundle of BUNDLES) assert.equal(alone.exec(read(bundle))?.[0], undefined);
});

test('no bundle imports anything', () => {
  for (const bundle of BUNDLES) {
    assert.doesNotMatch(read(bundle), /^\s*import\b|\bfrom\s*["']|\brequire\s*\(|node:/m, bundle);
  }
});

test('the second run of the suite is without code generation, the first is not', () => {
  const generate = () => new Function('return 1')();
  if (process.env.POLYPACK_TESTS_WITHOUT_EVAL === '1') assert.throws(generate, EvalError);
  else assert.equal(generate(), 1);
});

test('the bundle works where there is nothing but the language and the platform’s text coders', () => {
  const context = vm.createContext(
    { TextEncoder, TextDecoder, module: { exports: {} } },
    { codeGeneration: { strings: false, wasm: false } },
  );
  const hex = vm.runInContext(
    `${read('dist/index.cjs')}
    const packr = new module.exports.Packr();
    const copied = packr.unpack(packr.pack([{ a: 'é'.repeat(100), n: 2n ** 60n }, { a: 'x', n: -0 }]));
    Array.from(packr.pack(copied.reverse()), (byte) => byte.toString(16).padStart(2, '0')).join('')`,
    context,
  );
  assert.equal(
    hex,
    hexOf(
      new esm.Packr().pack([
        { a: 'x', n: -0 },
        { a: 'é'.repeat(100), n: 2n ** 60n },
      ]),
    ),
  );
});

test('CommonJS has the same door', () => {
  const cjs = createRequire(import.meta.url)('polypack');
  assert.deepEqual(Object.keys(cjs).sort(), Object.keys(esm).sort());
  assert.deepEqual(cjs.unpack(cjs.pack({ a: [1] })), { a: [1] });
});

test('no own or inherited property of a built-in is changed', () => {
  const script = `
    const own = () => [Object, Array, Map, Uint8Array, Number, String, Date, Error, globalThis].map((one) =>
      [one, one.prototype].map((each) => each && Reflect.ownKeys(each).length).join());
    const before = own();
    const { pack, unpack } = await import('polypack');
    unpack(pack({ a: [1, 'é', new Date(0), new Map([[1, 2]])] }));
    if (own().join(';') !== before.join(';')) throw new Error(before.join(';') + ' became ' + own().join(';'));
  `;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: fileURLToPath(JS), stdio: 'pipe' });
});

test('what would be published is dist, README, LICENSE, the changelog and package.json', () => {
  execFileSync('npm', ['run', '--silent', 'prepack'], { cwd: fileURLToPath(JS), stdio: 'pipe' });
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: fileURLToPath(JS),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(listed.toString()) as [{ files: { path: string }[] }];
  const names = files.map(({ path }) => path);
  const others = names.filter((name) => !name.startsWith('dist/')).sort();
  assert.deepEqual(others, ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  assert.equal(read('CHANGELOG.md'), readFileSync(new URL('CHANGELOG.md', REPOSITORY), 'utf8'));
  for (const name of ['index.js', 'index.mjs', 'index.cjs', 'index.d.ts', 'index.d.cts'])
    assert.ok(names.includes(`dist/${name}`), name);
});

test('the licence is the one of the repository', () => {
  assert.equal(read('LICENSE'), readFileSync(new URL('LICENSE', REPOSITORY), 'utf8'));
  assert.equal(read('msgpackr/LICENSE'), read('LICENSE'));
});

test('the package for overrides has the version of this one, and needs just that', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const other = JSON.parse(read('msgpackr/package.json')) as { version: string; dependencies: object };
  assert.equal(other.version, version);
  assert.deepEqual(other.dependencies, { polypack: version });
});

test('declarations import only each other, with the extension of their own side', () => {
  const files = readdirSync(new URL('dist/', JS), { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((one) => /\.d\.c?ts$/.test(one))) {
    const extension = name.endsWith('.d.cts') ? '.cjs' : '.js';
    for (const [, target = ''] of read(`dist/${name}`).matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (target.startsWith('node:')) continue;
      assert.match(target, /^\.\.?\//, `${name} imports ${target}`);
      assert.ok(target.endsWith(extension), `${name} imports ${target}`);
      const declared = target.replace(extension, extension === '.js' ? '.d.ts' : '.d.cts');
      const place = new URL(declared, new URL(`dist/${name}`, JS));
      assert.ok(existsSync(place), `${name} imports ${target}`);
    }
    // msgpackr's own types say any, and programs written for them must compile.
    if (name.startsWith('msgpackr')) continue;
    assert.doesNotMatch(read(`dist/${name}`), /\bany\b(?![^\n]*\*\/)(?=\s*[;,)>\]|=])/, `${name} says any`);
  }
});

test('publint and attw find nothing wrong with the archive', ONCE, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'polypack-'));
  try {
    const bin = (name: string) => fileURLToPath(new URL(`node_modules/.bin/${name}`, REPOSITORY));
    const options = { cwd: fileURLToPath(JS), stdio: 'pipe', encoding: 'utf8' } as const;
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], options);
    const [archive = ''] = readdirSync(folder).map((name) => path.join(folder, name));
    execFileSync(bin('publint'), ['run', archive, '--strict'], options);
    // Also as resolvers older than "exports" see it.
    execFileSync(bin('attw'), [archive, '--no-definitely-typed', '--format', 'ascii'], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs something in the folder of an empty project, which is removed afterwards. */
async function inProject(run: (folder: string) => unknown): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'polypack-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('resolvers that know no "exports" get the streams in Node, and nothing of Node in a page', () =>
  inProject(async (folder) => {
    const home = path.join(folder, 'node_modules/polypack');
    mkdirSync(home);
    cpSync(new URL('dist/', JS), path.join(home, 'dist'), { recursive: true });
    const { exports: _, ...older } = JSON.parse(read('package.json')) as Record<string, unknown>;
    writeFileSync(path.join(home, 'package.json'), JSON.stringify(older));
    const load = createRequire(path.join(folder, 'program.cjs'));
    assert.deepEqual(Object.keys(load('polypack')).sort(), Object.keys(esm).sort());
    for (const mainFields of [
      ['browser', 'main'],
      ['browser', 'module', 'main'],
    ]) {
      const { outputFiles } = await build({
        stdin: { contents: "import { pack } from 'polypack'; globalThis.pack = pack;", resolveDir: folder },
        mainFields,
        bundle: true,
        write: false,
        platform: 'browser',
        tsconfigRaw: '{}',
      });
      assert.doesNotMatch(outputFiles[0]?.text ?? 'node:', /node:/, mainFields.join());
    }
  }));

const TYPED = `
import { pack, Packr, PackrStream, UnpackrStream, unpackTransform } from 'polypack';
import { PackrStream as DropIn, pack as dropIn } from 'polypack/msgpackr';
import * as others from './others.mjs';
export const { pack: bound } = new Packr();
export const bytes: Uint8Array = bound(pack(1));
export const buffer: Uint8Array = dropIn(others);
export const streams = [new PackrStream({ sequential: true }), new UnpackrStream(), new DropIn(), unpackTransform()];
`;

const OTHERS = `
export * as compact from 'polypack/compact';
export * as node from 'polypack/node';
export * as pack from 'polypack/pack';
export * as snapshot from 'polypack/snapshot';
export * as file from 'polypack/stores/file';
export * as redis from 'polypack/stores/redis';
export * as stores from 'polypack/stores';
export * as unpack from 'polypack/unpack';
`;

const PAGE = `
import { packTransform, unpackTransform } from 'polypack';
export const values = async (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ReadableStream<{ id: number }>> =>
  body.pipeThrough(unpackTransform<{ id: number }>());
export const bytes = (rows: ReadableStream<unknown>): ReadableStream<Uint8Array> => rows.pipeThrough(packTransform());
`;

test('declarations hold without skipLibCheck, with any types of hosts, however they are found', ONCE, () =>
  inProject((folder) => {
    symlinkSync(fileURLToPath(JS), path.join(folder, 'node_modules/polypack'));
    const files = { 'typed.mts': TYPED, 'others.mts': OTHERS, 'page.mts': PAGE };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const tsc = fileURLToPath(new URL('node_modules/.bin/tsc', REPOSITORY));
    for (const resolution of [{ module: 'nodenext' }, { module: 'preserve', moduleResolution: 'bundler' }]) {
      for (const hosts of [{}, { lib: ['es2022', 'dom'] }, { lib: ['es2022', 'webworker'] }, { types: ['node'] }]) {
        const typeRoots = [fileURLToPath(new URL('node_modules/@types', REPOSITORY))];
        // The language's own libraries would take most of the time, and are the same for everybody.
        const checked = { strict: true, skipDefaultLibCheck: true };
        const common = { ...checked, target: 'es2022', lib: ['es2022'], types: [], noEmit: true, typeRoots };
        const hasStreams = Object.keys(hosts).length > 0;
        const project = {
          compilerOptions: { ...common, ...resolution, ...hosts },
          files: ['typed.mts', ...(hasStreams ? ['page.mts'] : [])],
        };
        writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
        const { stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
        assert.equal(stdout, '', JSON.stringify(project.compilerOptions));
      }
    }
  }),
);

test('a bundle for pages that names a stream of Node fails to build', async () => {
  const contents = "import { PackrStream } from 'polypack'; new PackrStream();";
  const options = { stdin: { contents, resolveDir: fileURLToPath(JS) }, bundle: true, write: false } as const;
  await assert.rejects(
    build({ ...options, format: 'esm', platform: 'browser', tsconfigRaw: '{}', logLevel: 'silent' }),
    /No matching export in "dist\/index\.js" for import "PackrStream"/,
  );
});

test('bundles are readable, since they have no source maps', () => {
  for (const bundle of BUNDLES) {
    assert.doesNotMatch(read(bundle), /sourceMappingURL/);
    assert.match(read(bundle), /\nfunction depthFault\(maxDepth, start\) \{\n/, bundle);
  }
});
