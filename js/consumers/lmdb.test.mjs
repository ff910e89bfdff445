// lmdb on this package: shared structures, cursors, compression, other processes, and files that msgpackr writes, too.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { open } from 'lmdb';
import * as original from 'original';

const folder = mkdtempSync(path.join(tmpdir(), 'polypack-lmdb-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SHARED = { sharedStructuresKey: Symbol.for('structures') };
/** What makes lmdb use msgpackr itself. */
const ORIGINAL = { encoder: { Encoder: original.Encoder } };

let files = 0;
const newPath = () => path.join(folder, `${files++}.lmdb`);

/** Values of several shapes, types and sizes. */
function sampleOf(index) {
  const row = { id: index, name: `name ${index}`, at: new Date(index * 1000), tags: ['a', 'é', index] };
  if (index % 3 === 0) return { ...row, bytes: Buffer.from([index & 0xff, 0xff]), inner: { x: index / 4, y: null } };
  if (index % 3 === 1) return [row, { [`only${index % 7}`]: index }];
  return { ...row, text: 'long '.repeat(index % 50), big: 2n ** 60n + BigInt(index) };
}

test('lmdb imports this package', () => {
  const require = createRequire(import.meta.url);
  assert.equal(require('msgpackr/package.json').name, 'polypack-msgpackr');
  assert.notEqual(require('msgpackr').Packr, original.Packr);
});

for (const [name, options] of Object.entries({
  plain: {},
  shared: SHARED,
  compressed: { ...SHARED, compression: true },
})) {
  test(`${name}: values are what they were, by get, by ranges, and after a reopening`, async () => {
    const place = newPath();
    let db = open({ path: place, ...options });
    for (let index = 0; index < 300; index++) db.put(index, sampleOf(index));
    await db.flushed;
    const check = () => {
      for (let index = 0; index < 300; index++) assert.deepEqual(db.get(index), sampleOf(index));
      const some = [...db.getRange({ start: 10, end: 40, reverse: false })];
      assert.deepEqual(
        some,
        Array.from({ length: 30 }, (_, at) => ({ key: at + 10, value: sampleOf(at + 10) })),
      );
    };
    check();
    await db.close();
    db = open({ path: place, ...options });
    check();
    db.transactionSync(() => db.putSync(5, { changed: true }));
    assert.deepEqual(db.get(5), { changed: true });
    await db.clearAsync();
    await db.put(1, sampleOf(1));
    assert.deepEqual(db.get(1), sampleOf(1));
    await db.close();
  });
}

test('another process adds structures, and both read everything', async () => {
  const place = newPath();
  const db = open({ path: place, ...SHARED });
  for (let index = 0; index < 50; index++) db.put(index, sampleOf(index));
  await db.flushed;
  const program = `
    const { open } = await import(${JSON.stringify(import.meta.resolve('lmdb'))});
    const db = open({ path: ${JSON.stringify(place)}, sharedStructuresKey: Symbol.for('structures') });
    const read = Array.from({ length: 50 }, (_, index) => db.get(index).id ?? db.get(index)[0].id);
    for (let index = 0; index < 20; index++) db.put(1000 + index, { ['other' + index]: index, again: { [index]: 'x' } });
    await db.flushed;
    await db.close();
    console.log(JSON.stringify(read));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.deepEqual(
    JSON.parse(printed),
    Array.from({ length: 50 }, (_, index) => index),
  );
  for (let index = 0; index < 20; index++) {
    assert.deepEqual(db.get(1000 + index), { [`other${index}`]: index, again: { [index]: 'x' } });
  }
  await db.put(2000, { another: 1 });
  assert.deepEqual(db.get(2000), { another: 1 });
  await db.close();
});

for (const [name, options] of Object.entries({ plain: {}, shared: SHARED })) {
  test(`${name}: files that msgpackr wrote are read and continued, and it reads them again`, async () => {
    const place = newPath();
    let db = open({ path: place, ...options, ...ORIGINAL });
    assert.ok(db.encoder instanceof original.Packr);
    for (let index = 0; index < 100; index++) db.put(index, sampleOf(index));
    await db.flushed;
    await db.close();
    db = open({ path: place, ...options });
    assert.ok(!(db.encoder instanceof original.Packr));
    for (let index = 0; index < 100; index++) assert.deepEqual(db.get(index), sampleOf(index));
    for (let index = 100; index < 200; index++) db.put(index, sampleOf(index));
    await db.flushed;
    await db.close();
    db = open({ path: place, ...options, ...ORIGINAL });
    // Its bin values are of the class of what they are read from: clones have no class of their own.
    for (let index = 0; index < 200; index++) {
      assert.deepEqual(structuredClone(db.get(index)), structuredClone(sampleOf(index)));
    }
    await db.close();
  });
}
