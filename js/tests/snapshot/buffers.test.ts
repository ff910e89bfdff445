// Snapshots in Buffers, whose slices are views and no copies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unserialize, unserializeSigned } from 'polypack/snapshot';

test('a Buffer that is signed stays as it is, and its changes after the call have no effect', async () => {
  const hex =
    'c145010100000000000000000000e3b0c44298fc1c1400' +
    'dad5837518931d99e1c5f7378ad6346c557d9204f5210213d41e0bef1c13cea7c1530100c0';
  const keys = Buffer.alloc(16, 0x6b);
  const bytes = Buffer.from(hex, 'hex');
  await assert.rejects(unserializeSigned(bytes, { keys, purpose: 'another' }), { code: 'invalid_signature' });
  assert.equal(bytes.toString('hex'), hex);
  const purpose = Buffer.alloc(0);
  const reading = unserializeSigned(bytes, { keys, purpose });
  bytes[bytes.length - 1] = 0xc3;
  keys.fill(0);
  assert.equal(await reading, null);
});

test('strings that are not UTF-8 are copies of their bytes, also of a Buffer', () => {
  const bytes = Buffer.from('c153010041ff', 'hex');
  const value = unserialize(bytes) as Uint8Array;
  bytes.fill(0);
  assert.deepEqual(value, Uint8Array.of(0xff));
});
