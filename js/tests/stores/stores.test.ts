// Stores of shared structures: what SharedStructures promise, and that file and Redis keep it when writers run at the
// same time, crash between any two steps, and readers know less than writers.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import * as msgpackr from 'msgpackr';
import { type ExtensionDefinition, Packr, PolypackError, pack, Unpackr, unpack } from 'polypack';
import { MemoryStore, SharedStructures, type StructureStore } from 'polypack/stores';
import { FileStore } from 'polypack/stores/file';
import { RedisStore } from 'polypack/stores/redis';
import { assertFault } from '../_check.ts';
import { ONCE } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'polypack-stores-'));
const socket = path.join(folder, 'redis.sock');
let server: ChildProcess | undefined;
let redis: Redis;

before(async () => {
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder];
  server = spawn('redis-server', options, { stdio: 'ignore' });
  let failure = '';
  server.on('error', (error) => {
    failure = `${error.message}; tools/setup installs redis-server`;
  });
  for (let tries = 0; !existsSync(socket); tries++) {
    assert.ok(failure === '' && tries < 24_000, failure || 'redis-server does not start');
    await sleep(25);
  }
  redis = new Redis({ path: socket, connectTimeout: 600_000 });
});

after(async () => {
  redis?.disconnect();
  server?.kill();
  rmSync(folder, { recursive: true });
});

let files = 0;
const newFile = () => path.join(folder, `structures-${files++}.mp`);

/** The names of what lies beside a file: locks, and what crashes have left. */
const besides = (file: string) => readdirSync(folder).filter((name) => name.startsWith(`${path.basename(file)}.`));

/** A busy machine may keep a writer waiting for long, and the holder of a lock as well. */
const PATIENT = { lockTimeout: 600_000, staleAfter: 600_000 };

/** A new store of each kind. */
const STORES: Record<string, () => StructureStore> = {
  memory: () => new MemoryStore(),
  file: () => new FileStore(newFile(), PATIENT),
  redis: () => new RedisStore(redis, `key-${files++}`),
};

// --- what every store does -------------------------------------------------------------------------------------------

for (const [kind, newStore] of Object.entries(STORES)) {
  test(`${kind}: keeps bytes by compare-and-set on content`, async () => {
    const store = newStore();
    const every = Uint8Array.from({ length: 512 }, (_, index) => index);
    assert.equal(await store.load(), null);
    assert.equal(await store.replace(every, every), false);
    assert.equal(await store.replace(new Uint8Array(0), every), false, 'nothing is not the empty content');
    assert.equal(await store.replace(null, every), true);
    assert.equal(await store.replace(null, new Uint8Array(1)), false);
    assert.deepEqual(await store.load(), every);
    assert.equal(await store.replace(every.toReversed(), every), false, 'of the same length');
    assert.equal(await store.replace(every, new Uint8Array(0)), true);
    assert.deepEqual(await store.load(), new Uint8Array(0));
    assert.equal(await store.replace(new Uint8Array(0), every), true);
  });

  test(`${kind}: of those who replace at once, one succeeds`, async () => {
    const store = newStore();
    for (let round = 0; round < 3; round++) {
      const expected = await store.load();
      const results = await Promise.all(
        [1, 2, 3, 4, 5].map((one) => store.replace(expected, Uint8Array.of(round, one))),
      );
      assert.equal(results.filter(Boolean).length, 1);
      assert.deepEqual(await store.load(), Uint8Array.of(round, results.indexOf(true) + 1));
    }
  });

  test(`${kind}: structures are published before they are used`, async () => {
    const store = newStore();
    const shared = await SharedStructures.open(store);
    const packr = new Packr({ structures: shared });
    const value = [{ a: 1 }, { b: 2 }];
    const declared = packr.pack(value);
    assert.deepEqual(new Unpackr().unpack(declared), value, 'a message for itself');
    assert.equal(shared.pending, 2);
    assert.equal(await store.load(), null);
    assert.equal(await shared.publish(), 2);
    assert.equal(shared.pending, 0);
    assert.equal(hexOf(packr.pack(value)), '9240014102');
    assert.deepEqual(unpack((await store.load()) ?? new Uint8Array(0)), [['a'], ['b']]);

    const reader = await SharedStructures.open(store);
    const unpackr = new Unpackr({ structures: reader });
    packr.pack({ c: 1 });
    assert.equal(await shared.publish(), 1);
    const late = packr.pack([{ c: 3 }, { a: 4 }]);
    assertFault(() => unpackr.unpack(late), { code: 'unknown_record' }, 'a stale reader');
    assert.deepEqual(await reader.read(() => unpackr.unpack(late)), [{ c: 3 }, { a: 4 }]);
    await assert.rejects(
      reader.read(() => unpackr.unpack(bytesOf('49'))),
      { code: 'unknown_record' },
    );
    await assert.rejects(
      reader.read(() => unpackr.unpack(bytesOf('c1'))),
      { code: 'reserved_byte' },
    );
    for (const bytes of [declared, late]) assert.ok(new Unpackr({ structures: reader }).unpack(bytes));
    const theirs = new msgpackr.Packr({ getStructures: () => msgpackr.unpack(Buffer.from(pack(reader.structures))) });
    assert.deepEqual(theirs.unpack(Buffer.from(late)), [{ c: 3 }, { a: 4 }]);
  });

  test(`${kind}: writers append to what others have appended`, async () => {
    const store = newStore();
    const writers = await Promise.all(
      [1, 2, 3, 4].map(() => SharedStructures.open(store, { maxSharedStructures: 50 })),
    );
    const messages: [Uint8Array, unknown][] = [];
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        writers.map(async (shared, index) => {
          const packr = new Packr({ structures: shared });
          const value = [{ [`n${round}`]: index }, { [`n${round}`]: 1, [`w${index}`]: 2 }];
          messages.push([packr.pack(value), value]);
          await shared.publish();
          const bytes = packr.pack(value);
          assert.ok(bytes.length <= 9, 'without declarations');
          messages.push([bytes, value]);
        }),
      );
    }
    const reader = await SharedStructures.open(store);
    assert.equal(reader.structures.length, 20, 'each once');
    for (const [bytes, value] of messages) assert.deepEqual(new Unpackr({ structures: reader }).unpack(bytes), value);
  });

  test(`${kind}: what is lost comes back, and what contradicts is refused`, async () => {
    const store = newStore();
    const shared = await SharedStructures.open(store);
    const packr = new Packr({ structures: shared });
    packr.pack([{ a: 1 }, { b: 1 }]);
    await shared.publish();
    const old = packr.pack([{ a: 1 }, { b: 2 }]);
    assert.equal(await store.replace(await store.load(), pack([['a']])), true);
    await shared.refresh();
    assert.deepEqual(shared.structures, [['a'], ['b']]);
    assert.equal(await shared.publish(), 0);
    assert.deepEqual(unpack((await store.load()) ?? new Uint8Array(0)), [['a'], ['b']], 'back again');
    assert.deepEqual(packr.unpack(old), [{ a: 1 }, { b: 2 }]);

    assert.equal(await store.replace(await store.load(), pack([['b'], ['a']])), true);
    packr.pack({ c: 1 });
    await assert.rejects(shared.publish(), { name: 'PolypackError', code: 'invalid_record', message: /structure 0/ });
    await assert.rejects(shared.refresh(), { code: 'invalid_record' });
    assert.deepEqual(new Unpackr().unpack(packr.pack([{ a: 1 }])), [{ a: 1 }], 'it costs bytes');
    assertFault(() => packr.unpack(old), { code: 'unknown_record' }, 'and no wrong data');
    assert.deepEqual(unpack((await store.load()) ?? new Uint8Array(0)), [['b'], ['a']], 'nothing is overwritten');
  });

  test(`${kind}: publish() alone restores what the store has lost, and loads what others have added`, async () => {
    const store = newStore();
    const shared = await SharedStructures.open(store);
    new Packr({ structures: shared }).pack([{ a: 1 }, { b: 1 }]);
    await shared.publish();
    for (const content of [[], [['a']]]) {
      assert.equal(await store.replace(await store.load(), pack(content)), true);
      assert.equal(await shared.publish(), 0);
      assert.deepEqual(unpack((await store.load()) ?? new Uint8Array(0)), [['a'], ['b']]);
    }
    assert.equal(await store.replace(await store.load(), pack([['a'], ['b'], ['c']])), true);
    assert.equal(await shared.publish(), 1);
    assert.deepEqual(shared.structures, [['a'], ['b'], ['c']]);
    assert.equal(await store.replace(await store.load(), pack([['z']])), true);
    await assert.rejects(shared.publish(), { code: 'invalid_record', message: /structure 0/ });
  });
}

test('read() loads structures for a message whose header has the fingerprint of a larger dictionary', async () => {
  const store = new MemoryStore(pack([['a']]));
  const [writing, reading] = [await SharedStructures.open(store), await SharedStructures.open(store)];
  const packr = new Packr({ structures: writing, fingerprint: true });
  packr.pack({ b: 1 });
  await writing.publish();
  const bytes = packr.pack({ b: 2 });
  const unpackr = new Unpackr({ structures: reading, fingerprint: true });
  assertFault(() => unpackr.unpack(bytes), { code: 'invalid_record' });
  assert.deepEqual(await reading.read(() => unpackr.unpack(bytes)), { b: 2 });
  assert.deepEqual(reading.structures, [['a'], ['b']]);
});

test('a MemoryStore shares no memory with what it is given and gives, also if these are Buffers', async () => {
  for (const bytesFrom of [Buffer.from, Uint8Array.from.bind(Uint8Array)] as ((bytes: number[]) => Uint8Array)[]) {
    const given = bytesFrom([1, 2]);
    const next = bytesFrom([3, 4]);
    const store = new MemoryStore(given);
    given[0] = 9;
    const loaded = (await store.load()) as Uint8Array;
    assert.deepEqual(loaded, Uint8Array.of(1, 2));
    loaded[1] = 9;
    assert.deepEqual(await store.load(), Uint8Array.of(1, 2));
    assert.ok(await store.replace(bytesFrom([1, 2]), next));
    next[0] = 9;
    assert.deepEqual(await store.load(), Uint8Array.of(3, 4));
  }
  assert.throws(() => new MemoryStore(1000 as never), TypeError);
  await assert.rejects(new MemoryStore().replace(null, 1000 as never), TypeError);
});

class Wrapped {
  readonly inner: unknown;
  constructor(inner: unknown) {
    this.inner = inner;
  }
}

const VALUE_EXTENSION: ExtensionDefinition<Wrapped> = {
  Class: Wrapped,
  type: 5,
  write: ({ inner }) => inner,
  read: (inner) => new Wrapped(inner),
};

for (const fingerprint of [false, true]) {
  for (const structuredClone of [false, true]) {
    test(`read() loads structures for records inside extensions: ${JSON.stringify({ fingerprint, structuredClone })}`, async () => {
      const store = new MemoryStore();
      const options = { fingerprint, structuredClone, extensions: [VALUE_EXTENSION] };
      for (const [depth, wrap] of [(row: object) => row, (row: object) => new Wrapped(row)].entries()) {
        const [writing, reading] = [await SharedStructures.open(store), await SharedStructures.open(store)];
        const packr = new Packr({ ...options, structures: writing });
        const row = { [`id${depth}`]: 1 };
        packr.pack(row);
        assert.equal(await writing.publish(), 1);
        const value = [new Wrapped([wrap(row)])];
        const bytes = packr.pack(value);
        const unpackr = new Unpackr({ ...options, structures: reading });
        assert.deepEqual(await reading.read(() => unpackr.unpack(bytes)), value);
        assert.equal(reading.structures.length, depth + 1);
      }
    });
  }
}

test('read() throws other errors at once, whatever their causes are', async () => {
  const shared = await SharedStructures.open(new MemoryStore());
  const circular = new Error('circular');
  circular.cause = circular;
  for (const error of [circular, new Error('caused', { cause: new TypeError('other') }), 'text', null]) {
    let calls = 0;
    const read = () => {
      calls++;
      throw error;
    };
    await shared.read(read).then(assert.fail, (thrown) => assert.equal(thrown, error));
    assert.equal(calls, 1);
  }
});

test('SharedStructures keep to their limit, and proposals too', async () => {
  const shared = new SharedStructures(new MemoryStore(), { maxSharedStructures: 3 });
  const packr = new Packr({ structures: shared });
  for (let number = 0; number < 10; number++) packr.pack({ [`n${number}`]: 1 });
  assert.equal(shared.pending, 3);
  assert.equal(await shared.publish(), 3);
  packr.pack({ n9: 1 });
  assert.equal(shared.pending, 0);
  assert.equal(await shared.publish(), 0);
  const more = new SharedStructures(new MemoryStore(), { maxSharedStructures: 100 });
  const large = new Packr({ structures: more, shouldShareStructure: (names) => !names.includes('n7') });
  const value = Array.from({ length: 90 }, (_, number) => ({ [`n${number}`]: number }));
  large.pack(value);
  assert.equal(await more.publish(), 89);
  assert.deepEqual(new Unpackr({ structures: more }).unpack(large.pack(value)), value);
});

test('propose() refuses names that no structure can have', async () => {
  const wrong: readonly unknown[] = [
    ...[['a', 'a'], ['a', 'b', 'a'], ['', ''], ['\ud800'], ['a', 'b\udfff'], ['\udc00\ud800']],
    ...[[1], ['a', null], [['a']], [undefined], new Array(2), [new String('a')]],
    ...['ab', null, undefined, 5, {}, { length: 0 }, new Set(['a']), Uint8Array.of(1)],
  ];
  const store = new MemoryStore();
  const shared = await SharedStructures.open(store);
  for (const names of wrong) {
    assert.throws(() => shared.propose(names as string[]), TypeError, JSON.stringify(names));
    assert.equal(shared.pending, 0);
  }
  assert.equal(await shared.publish(), 0);
  assert.equal(await store.load(), null);
  const right = [[], [''], ['a'], ['b', 'a'], ['__proto__'], ['1', '0'], ['\ud83d\ude00'], ['toJSON', 'length']];
  for (const names of [...right, ...right]) shared.propose(names);
  assert.equal(await shared.publish(), right.length);
  assert.deepEqual((await SharedStructures.open(store)).structures, right);
});

test('publish() asks the store once if it has nothing new, and adds nothing to an empty store', async () => {
  const memory = new MemoryStore();
  const calls: string[] = [];
  const store: StructureStore = {
    load: () => {
      calls.push('load');
      return memory.load();
    },
    replace: (...args) => {
      calls.push('replace');
      return memory.replace(...args);
    },
  };
  const callsOf = async (task: () => Promise<unknown>) => {
    calls.length = 0;
    await task();
    return calls.join(' ');
  };
  const shared = new SharedStructures(store);
  assert.equal(await callsOf(() => shared.publish()), 'load');
  assert.equal(await memory.load(), null);
  new Packr({ structures: shared }).pack({ a: 1 });
  assert.equal(await callsOf(() => shared.publish()), 'replace');
  assert.equal(await callsOf(() => shared.publish()), 'load');
  await memory.replace(await memory.load(), pack([]));
  assert.equal(await callsOf(() => shared.publish()), 'load replace');
  // Others have added the same structure, so a lost race has shown already that there is nothing to add.
  new Packr({ structures: shared }).pack({ b: 1 });
  await memory.replace(await memory.load(), pack([['a'], ['b']]));
  assert.equal(await callsOf(() => shared.publish()), 'replace load');
});

test('publish() gives up after as many lost races as its error says', async () => {
  let replaces = 0;
  const store: StructureStore = {
    load: () => Promise.resolve(null),
    replace: () => Promise.resolve(++replaces > 5000),
  };
  const shared = new SharedStructures(store);
  new Packr({ structures: shared }).pack({ a: 1 });
  await assert.rejects(shared.publish(), { message: 'a store was changed by others 1000 times in a row' });
  assert.equal(replaces, 1000);
  assert.equal(shared.pending, 1, 'for the next call');
});

test('a store that fails leaves everything as it is', async () => {
  const memory = new MemoryStore();
  let broken = true;
  const store: StructureStore = {
    load: () => memory.load(),
    replace: (...args) => (broken ? Promise.reject(new Error('no route to host')) : memory.replace(...args)),
  };
  const shared = await SharedStructures.open(store);
  const packr = new Packr({ structures: shared });
  packr.pack({ a: 1 });
  await assert.rejects(shared.publish(), /no route/);
  assert.equal(hexOf(packr.pack({ a: 1 })), 'd4724091a16101');
  broken = false;
  assert.equal(await shared.publish(), 1);
  assert.equal(hexOf(packr.pack({ a: 1 })), '4001');
});

test('nothing is shared once the store has something else than structures', async () => {
  const store = new MemoryStore(pack([['a']]));
  const shared = await SharedStructures.open(store);
  const packr = new Packr({ structures: shared });
  assert.equal(hexOf(packr.pack({ a: 1 })), '4001');
  await store.replace(await store.load(), bytesOf('91'));
  await assert.rejects(shared.refresh(), { code: 'invalid_record' });
  assert.equal(hexOf(packr.pack({ a: 1 })), 'd4724091a16101');
  packr.pack({ b: 1 });
  assert.equal(shared.pending, 0);
  await assert.rejects(shared.publish(), { code: 'invalid_record' });
  assert.equal(hexOf((await store.load()) ?? new Uint8Array(0)), '91', 'nothing is overwritten');
});

test('what is no structure is refused', async () => {
  for (const content of [1, [1], [['a', 'a']], [[1]], { a: 1 }, Array.from({ length: 8161 }, () => null)]) {
    await assert.rejects(SharedStructures.open(new MemoryStore(pack(content))), { code: 'invalid_record' });
  }
  for (const content of ['c1', '91', '', '9191a161c0']) {
    const broken = SharedStructures.open(new MemoryStore(bytesOf(content)));
    await assert.rejects(broken, { code: 'invalid_record', message: /^the store has no structures/ }, content);
  }
  const holes = await SharedStructures.open(new MemoryStore(pack([null, ['a']])));
  assert.deepEqual(new Unpackr({ structures: holes }).unpack(bytesOf('41 01')), { a: 1 });
  assert.throws(() => new SharedStructures({} as never), TypeError);
  assert.throws(() => new SharedStructures(new MemoryStore(), { maxSharedStructures: 9000 }), RangeError);
  assert.throws(() => new FileStore(''), TypeError);
  assert.throws(() => new FileStore('x', { lockTimeout: -1 }), RangeError);
  assert.throws(() => new RedisStore(redis, ''), TypeError);
  assert.throws(() => new RedisStore({} as never, 'key'), TypeError);
});

// --- Redis -----------------------------------------------------------------------------------------------------------

test('ioredis, node-redis and a function are clients of one store', async () => {
  const client = createClient({ socket: { path: socket, tls: false } });
  await client.connect();
  try {
    const key = `key-${files++}`;
    const stores = [
      new RedisStore(redis, key),
      new RedisStore(client, key),
      new RedisStore((script, keys, values) => client.eval(script, { keys, arguments: values }), key),
    ];
    let content: Uint8Array | null = null;
    for (const [index, store] of [...stores, ...stores].entries()) {
      assert.deepEqual(await store.load(), content);
      const next = Uint8Array.from({ length: 300 + index }, (_, at) => (at * 7 + index) & 0xff);
      assert.equal(await store.replace(Uint8Array.of(index), next), false);
      assert.equal(await store.replace(content, next), true);
      content = next;
    }
    assert.deepEqual(new Uint8Array((await redis.getBuffer(key)) ?? []), content, 'the bytes themselves');
  } finally {
    await client.close();
  }
});

// --- the lock of a file ----------------------------------------------------------------------------------------------

test('a file or link at PATH.new is replaced, never written through', async () => {
  const file = newFile();
  const victim = newFile();
  writeFileSync(victim, 'victim');
  const first = await SharedStructures.open(new FileStore(file, PATIENT));
  new Packr({ structures: first }).pack({ a: 1 });
  symlinkSync(victim, `${file}.new`);
  assert.equal(await first.publish(), 1);
  assert.equal(readFileSync(victim, 'utf8'), 'victim');
  assert.ok(lstatSync(file).isFile());

  chmodSync(file, 0o600);
  linkSync(victim, `${file}.new`); // what a crash leaves is such a file
  new Packr({ structures: first }).pack({ b: 1 });
  assert.equal(await first.publish(), 1);
  assert.equal(readFileSync(victim, 'utf8'), 'victim');
  assert.equal(lstatSync(file).mode & 0o777, 0o600);
  assert.equal(existsSync(`${file}.new`), false);
});

test('the lock of a living process is waited for, one of a dead process is removed', async () => {
  const file = newFile();
  const store = new FileStore(file, PATIENT);
  const impatient = new FileStore(file, { ...PATIENT, lockTimeout: 50 });
  await store.replace(null, Uint8Array.of(1));
  assert.deepEqual(besides(file), []);

  const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()']); // lives as long as this process
  try {
    const owner = await ownerSeen(store, file);
    writeFileSync(`${file}.lock`, JSON.stringify({ ...owner, token: 'aa', pid: child.pid, start: '' }));
    await assert.rejects(
      impatient.replace(Uint8Array.of(1), Uint8Array.of(2)),
      new RegExp(`process ${child.pid} .*delete`),
    );
    // Dead, and so are two who wanted to remove its lock.
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    for (const name of ['aa.0', 'aa.1', 'bb']) {
      writeFileSync(`${file}.lock.${name}`, JSON.stringify({ ...owner, token: 'cc', pid: child.pid, start: '' }));
    }
    assert.equal(await store.replace(Uint8Array.of(1), Uint8Array.of(2)), true);
    assert.deepEqual(besides(file), []);
    // Killed before it named itself, or about to do so.
    const longAgo = Date.now() / 1000 - 3600;
    writeFileSync(`${file}.lock.ff`, '');
    utimesSync(`${file}.lock.ff`, longAgo, longAgo);
    writeFileSync(`${file}.lock.ee`, '');
    assert.equal(await store.replace(Uint8Array.of(2), Uint8Array.of(2)), true);
    assert.deepEqual(besides(file), [`${path.basename(file)}.lock.ee`]);
    rmSync(`${file}.lock.ee`);
    // Another process with the same number.
    writeFileSync(`${file}.lock`, JSON.stringify({ ...owner, token: 'dd', pid: process.pid, start: '1' }));
    if (process.platform === 'linux') assert.equal(await store.replace(Uint8Array.of(2), Uint8Array.of(3)), true);
    // Of another machine nobody here can say.
    writeFileSync(`${file}.lock`, JSON.stringify({ ...owner, token: 'ee', host: 'elsewhere' }));
    await assert.rejects(impatient.replace(Uint8Array.of(3), Uint8Array.of(4)), /elsewhere/);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    assert.equal(await store.replace(Uint8Array.of(3), Uint8Array.of(4)), true);
    writeFileSync(`${file}.lock`, 'no JSON');
    await assert.rejects(impatient.replace(Uint8Array.of(4), Uint8Array.of(5)), /delete the file/);
    rmSync(`${file}.lock`);
    // Another boot: before a reboot of this machine, or of another machine with the same name.
    const elsewhere = JSON.stringify({ ...owner, token: 'a1', boot: 'another' });
    for (const suffix of ['', '.a1', '.a2']) writeFileSync(`${file}.lock${suffix}`, elsewhere);
    await assert.rejects(impatient.replace(Uint8Array.of(4), Uint8Array.of(5)), /delete the file/);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    utimesSync(`${file}.lock.a1`, longAgo, longAgo);
    assert.equal(await store.replace(Uint8Array.of(4), Uint8Array.of(5)), true);
    assert.deepEqual(besides(file), [`${path.basename(file)}.lock.a2`]);
    rmSync(`${file}.lock.a2`);
  } finally {
    child.kill('SIGKILL');
  }
});

test('files that were cut while they were written are removed, those of others are not', async () => {
  const file = newFile();
  const store = new FileStore(file, PATIENT);
  // A lock of another host has nothing that could be looked for.
  const whole = JSON.stringify({ ...(await ownerSeen(store, file)), host: 'elsewhere' });
  const kept = { 'aa.txt': '?', txt: '', ee: '?', ff: whole };
  const files = new Map(Object.entries({ ...kept, aa: '', bb: '?', 'cc.now': '?' }));
  for (let length = 1; length < whole.length; length += 7) {
    for (const name of ['aa-', 'bb.']) files.set(name + length, whole.slice(0, length));
  }
  const longAgo = Date.now() / 1000 - 3600;
  for (const [name, content] of files) {
    writeFileSync(`${file}.lock.${name}`, content);
    if (name !== 'ee') utimesSync(`${file}.lock.${name}`, longAgo, longAgo);
  }
  assert.equal(await store.replace(null, Uint8Array.of(1)), true);
  assert.deepEqual(
    besides(file).sort(),
    Object.keys(kept)
      .map((name) => `${path.basename(file)}.lock.${name}`)
      .sort(),
  );
});

test('a lock that cannot be written leaves no file, and one whose own file cannot be removed is given back', async () => {
  const file = newFile();
  const store = new FileStore(file, PATIENT);
  const { writeFile, unlink } = promises;
  promises.writeFile = (async (name: string, content: string, options: object) => {
    await writeFile(name, content.slice(0, 10), options);
    throw new Error('the disk is full');
  }) as typeof writeFile;
  try {
    await assert.rejects(store.replace(null, Uint8Array.of(1)), /the disk is full/);
    assert.deepEqual(besides(file), []);
  } finally {
    promises.writeFile = writeFile;
  }
  promises.unlink = ((name: string) =>
    name.includes('.lock.') ? Promise.reject(new Error('busy')) : unlink(name)) as typeof unlink;
  try {
    for (let round = 0; round < 2; round++) {
      assert.equal(await store.replace(await store.load(), Uint8Array.of(round)), true);
      assert.equal(existsSync(`${file}.lock`), false);
    }
  } finally {
    promises.unlink = unlink;
  }
});

test('the permissions of the file stay, whatever the umask', async () => {
  const file = newFile();
  const store = new FileStore(file, PATIENT);
  await store.replace(null, Uint8Array.of(1));
  for (const mode of process.platform === 'win32' ? [] : [0o664, 0o666, 0o600, 0o640]) {
    chmodSync(file, mode);
    assert.equal(await store.replace(Uint8Array.of(1), Uint8Array.of(1)), true);
    assert.equal(statSync(file).mode & 0o777, mode);
  }
});

test('the age of a lock starts when it is taken, not when its holder began to wait', async () => {
  const file = newFile();
  const store = new FileStore(file, PATIENT);
  writeFileSync(`${file}.lock`, JSON.stringify(await ownerSeen(store, file)));
  const replaced = store.replace(null, Uint8Array.of(1));
  const own = async () => {
    for (;;) {
      const name = besides(file).find((other) => !other.endsWith('.lock'));
      if (name !== undefined) return path.join(folder, name);
      await sleep(1);
    }
  };
  const waiting = await own();
  utimesSync(waiting, 1, 1);
  while (statSync(waiting).mtimeMs === 1000) await sleep(1);
  rmSync(`${file}.lock`);
  assert.equal(await replaced, true);
});

/** What a lock of this process says, read while it holds the lock: it looks through the folder then. */
async function ownerSeen(store: FileStore, file: string): Promise<object> {
  const { readdir } = promises;
  let text = '';
  promises.readdir = ((...args: Parameters<typeof readdir>) => {
    text = readFileSync(`${file}.lock`, 'utf8');
    return readdir(...args);
  }) as typeof readdir;
  try {
    assert.equal(await store.replace(Uint8Array.of(99), Uint8Array.of(98)), false);
  } finally {
    promises.readdir = readdir;
  }
  return JSON.parse(text) as object;
}

// --- many processes --------------------------------------------------------------------------------------------------

interface LogLine {
  readonly value?: unknown;
  readonly bytes?: string;
  readonly structures?: unknown[];
}

const WRITER = fileURLToPath(new URL(`_writer${path.extname(import.meta.url)}`, import.meta.url));

/** Runs a writer; resolves when it has ended or killed itself. */
function write(kind: string, place: string, log: string, seed: number, crashAfter: number): Promise<void> {
  const child = spawn(process.execPath, [WRITER, kind, place, log, String(seed), String(crashAfter)]);
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve();
      else reject(new Error(errors));
    });
  });
}

function linesOf(log: string): LogLine[] {
  if (!existsSync(log)) return [];
  const text = readFileSync(log, 'utf8');
  // A crash may cut the last one.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole === ''
    ? []
    : whole
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LogLine);
}

for (const kind of ['file', 'redis']) {
  test(`${kind}: writers that run at once and crash anywhere lose nothing`, { ...ONCE, timeout: 900_000 }, async () => {
    const place = kind === 'file' ? newFile() : socket;
    const store = kind === 'file' ? new FileStore(place, PATIENT) : new RedisStore(redis, 'structures');
    const logs: string[] = [];
    const stale = new SharedStructures(store);
    const staleUnpackr = new Unpackr({ structures: stale });
    let running = true;
    let wasStale = 0;
    // Reads messages as they appear, with structures that are as old as they may be.
    const reading = (async () => {
      const read = new Map<string, number>();
      for (let isLast = false; !isLast; ) {
        isLast = !running;
        for (const log of logs) {
          for (const { value, bytes } of linesOf(log).slice(read.get(log) ?? 0)) {
            read.set(log, (read.get(log) ?? 0) + 1);
            if (bytes === undefined) continue;
            try {
              assert.deepEqual(staleUnpackr.unpack(bytesOf(bytes)), value);
            } catch (error) {
              if (!(error instanceof PolypackError) || error.code !== 'unknown_record') throw error;
              wasStale++;
              assert.deepEqual(await stale.read(() => staleUnpackr.unpack(bytesOf(bytes))), value);
            }
          }
        }
        await sleep(20);
      }
    })();

    // Four at a time; every crash is at another step, and every fourth writer does not crash.
    let next = 0;
    const CRASHES = 16;
    const workers = [0, 1, 2, 3].map(async () => {
      while (next < CRASHES) {
        const number = next++;
        const log = path.join(folder, `${kind}-${number}.log`);
        logs.push(log);
        await write(kind, place, log, number + 1, number % 4 === 3 ? 0 : 1 + number * 3);
      }
    });
    await Promise.all(workers);
    running = false;
    await reading;
    assert.ok(wasStale > 0, 'readers were stale');

    const final = await SharedStructures.open(store);
    const names = final.structures.map((one) => JSON.stringify(one));
    assert.ok(names.length > 20, `${names.length} structures`);
    assert.equal(new Set(names).size, names.length, 'each once');
    let messages = 0;
    for (const line of logs.flatMap(linesOf)) {
      if (line.structures !== undefined) {
        assert.deepEqual(final.structures.slice(0, line.structures.length), line.structures, 'never but added');
      } else if (line.bytes !== undefined) {
        messages++;
        assert.deepEqual(new Unpackr({ structures: final }).unpack(bytesOf(line.bytes)), line.value);
      }
    }
    assert.ok(messages > 100, `${messages} messages`);
    if (kind === 'file') {
      // The next one to write removes what the dead have left. Who was killed before it named itself is dead for it
      // only after `staleAfter`.
      const longAgo = Date.now() / 1000 - 3600;
      for (const name of readdirSync(folder)) {
        const left = path.join(folder, name);
        if (statSync(left).size === 0) utimesSync(left, longAgo, longAgo);
      }
      assert.equal(await store.replace(await store.load(), (await store.load()) ?? new Uint8Array(0)), true);
      const left = besides(place);
      assert.deepEqual(
        left.filter((name) => !name.endsWith('.new')),
        [],
      );
    }
  });
}
