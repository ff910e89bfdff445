// What hostile input can cost, and what stops it (spec/06), in every entry point.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalize,
  encodeCanonical,
  isCanonical,
  Packr,
  pack,
  StreamDecoder,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'polypack';
import { assertFault } from '../_check.ts';
import { cpuMilliseconds } from '../_cost.ts';
import { THOROUGH } from '../_runs.ts';
import { bytesOf } from '../_values.ts';

const nested = (depth: number) => Uint8Array.from([...Array(depth - 1).fill(0x91), 0x90]);

test('512 nested arrays decode and the head of the 513th is the fault, at every entry point', () => {
  const entries: Record<string, (bytes: Uint8Array) => unknown> = {
    unpack,
    unpackMultiple,
    canonicalize,
    isCanonical,
    lossless: (bytes) => new Unpackr({ mode: 'lossless' }).unpack(bytes),
    stream: (bytes) => {
      const stream = new StreamDecoder();
      const values = stream.push(bytes);
      stream.finish();
      return values;
    },
  };
  for (const [name, run] of Object.entries(entries)) {
    run(nested(512));
    assertFault(() => run(nested(513)), { code: 'limit_exceeded', offset: 512, path: '/0'.repeat(512) }, name);
    const maps = Uint8Array.from([...Array.from({ length: 512 }, () => [0x81, 0xa1, 0x61]).flat(), 0x80]);
    assertFault(() => run(maps), { code: 'limit_exceeded', offset: 1536, path: '/a'.repeat(512) }, name);
  }
});

test('the same depth on encode; a cycle ends there', () => {
  const wrap = (depth: number) => {
    let value: unknown = [];
    for (let i = 1; i < depth; i++) value = [value];
    return value;
  };
  for (const run of [pack, encodeCanonical]) {
    assert.deepEqual(run(wrap(512)), nested(512));
    assertFault(() => run(wrap(513)), { code: 'limit_exceeded', offset: null, path: '/0'.repeat(512) });
  }
  const cycle: Record<string, unknown> = { list: [1] };
  (cycle.list as unknown[]).push(cycle);
  const error = assertFault(() => pack(cycle), { code: 'limit_exceeded', offset: null });
  assert.match(error.path, /^(\/list\/1)+(\/list)?$/);
  assertFault(() => new Packr().pack(cycle), { code: 'limit_exceeded' }, 'with records');
  const map = new Map<string, unknown>();
  map.set('self', map);
  assertFault(() => pack(map), { code: 'limit_exceeded', path: '/self'.repeat(512) });
});

test('maxDepth is the number of containers that may be open', () => {
  const unpackr = new Unpackr({ limits: { maxDepth: 3 } });
  assert.deepEqual(unpackr.unpack(nested(3)), [[[]]]);
  assertFault(() => unpackr.unpack(nested(4)), { code: 'limit_exceeded', offset: 3, message: /maxDepth/ });
  const packr = new Packr({ records: 'off', limits: { maxDepth: 1 } });
  assert.equal(packr.pack([1]).length, 2);
  assertFault(() => packr.pack([{}]), { code: 'limit_exceeded', path: '/0', message: /maxDepth/ });
});

test('deep input never exhausts the call stack, however high maxDepth is', () => {
  const high = { limits: { maxDepth: 4096 } };
  for (const head of [[0x91], [0x81, 0xa1, 0x61], [0x81]]) {
    const bytes = Uint8Array.from([...Array.from({ length: 60_000 }, () => head).flat(), 0xc0]);
    for (const mode of ['default', 'lossless'] as const) {
      assertFault(() => new Unpackr({ ...high, mode }).unpack(bytes), { code: 'limit_exceeded' });
    }
  }
  // Called with little stack left, the codec still answers with its own error.
  const atTheEnd = (run: () => unknown): unknown => {
    try {
      return atTheEnd(run);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return run();
    }
  };
  let value: unknown = [];
  for (let i = 0; i < 4000; i++) value = [value];
  const deep = Uint8Array.from([...Array(4000).fill(0x91), 0x90]);
  for (const run of [() => new Packr(high).pack(value), () => new Unpackr(high).unpack(deep)]) {
    try {
      atTheEnd(run);
    } catch (error) {
      // Either our error, or the engine's from the frames of this test; a fault with an odd code is neither.
      if (!(error instanceof RangeError))
        assertFault(
          () => {
            throw error;
          },
          { code: 'limit_exceeded' },
        );
    }
  }
});

test('a count is a promise about bytes, and the outer containers keep theirs', () => {
  for (const [bytes, offset, path] of [
    ['91', 0, ''],
    ['81 01', 0, ''],
    ['dd ff ff ff ff', 0, ''],
    ['df 80 00 00 00', 0, ''],
    ['93 a1 61 91 01', 3, '/1'],
    ['92 92 01 02', 1, '/0'],
    ['82 a1 61 81 01 02 03', 3, '/a'],
    ['81 91 01', 1, ''],
    ['92 80 80', -1, ''],
  ] as const) {
    if (offset < 0) assert.deepEqual(unpack(bytesOf(bytes)), [{}, {}]);
    else assertFault(() => unpack(bytesOf(bytes)), { code: 'unexpected_end', offset, path }, bytes);
  }
  const bomb = bytesOf('(dc ff ff)*24000');
  const started = cpuMilliseconds();
  assertFault(() => unpack(bomb), { code: 'unexpected_end', offset: 3, path: '/0' });
  assert.ok(cpuMilliseconds() - started < 500, 'refused at the second head');
});

test('declared lengths cost nothing until the bytes are there', () => {
  for (const head of ['db ff ff ff ff', 'c6 ff ff ff ff', 'c9 ff ff ff ff 05', 'dd ff ff ff ff', 'df ff ff ff ff']) {
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 50; i++)
      assertFault(() => unpack(bytesOf(`${head} 01 02 03`)), { code: 'unexpected_end', offset: 0 });
    const stream = new StreamDecoder({ limits: { maxBytes: 2 ** 40 } });
    assert.deepEqual(stream.push(bytesOf(`${head} 01 02 03`)), []);
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000, head);
  }
});

test('maxValues counts the top value and every declared child', () => {
  const limit = (maxValues: number) => new Unpackr({ records: 'inline', limits: { maxValues } });
  assert.equal(limit(1).unpack(bytesOf('05')), 5);
  assertFault(() => limit(1).unpack(bytesOf('91 01')), {
    code: 'limit_exceeded',
    offset: 0,
    path: '',
    message: /maxValues/,
  });
  assert.deepEqual(limit(4).unpack(bytesOf('93 01 90 02')), [1, [], 2]);
  assertFault(() => limit(4).unpack(bytesOf('93 01 91 01 02')), { code: 'limit_exceeded', offset: 2, path: '/1' });
  assertFault(() => limit(2).unpack(bytesOf('81 a1 61 01')), { code: 'limit_exceeded', offset: 0 });
  assert.deepEqual(limit(3).unpack(bytesOf('92 d4 72 40 90 40')), [{}, {}]);
  assertFault(() => limit(3).unpack(bytesOf('92 d4 72 40 91 a1 61 01 02')), { code: 'limit_exceeded', path: '/0' });
  const twice = limit(2);
  assert.deepEqual(twice.unpack(bytesOf('91 01')), [1]);
  assert.deepEqual(twice.unpack(bytesOf('91 02')), [2], 'counted for each message anew');
  assert.deepEqual(twice.unpackMultiple(bytesOf('91 01 91 02')), [[1], [2]]);
});

test('bad input is refused quickly', THOROUGH, () => {
  const many = 30_000;
  const inputs = {
    'nested array heads': bytesOf(`91*${many}`),
    'wide then truncated': bytesOf(`dd 00 00 75 30 (a1 61)*${many - 1}`),
    'many short texts, the last invalid': bytesOf(`dd 00 00 75 30 (a1 61)*${many - 1} a1 ff`),
    'many keys, a duplicate at the end': Uint8Array.from([
      ...bytesOf('df 00 00 27 11'),
      ...Array.from({ length: 10_000 }, (_, i) => [0xcd, i >> 8, i & 255, 0xc0]).flat(),
      ...bytesOf('cd 00 00 c0'),
    ]),
    'many declarations': bytesOf(`dd 00 00 27 10 (d4 72 40 91 a1 61 c0)*9999 d4 72 40 c1`),
  };
  for (const [name, bytes] of Object.entries(inputs)) {
    for (const mode of ['strict', 'lossless'] as const) {
      const unpackr = new Unpackr({ mode, records: 'inline' });
      const best = Math.min(
        ...Array.from({ length: 5 }, () => {
          const started = cpuMilliseconds();
          assert.throws(() => unpackr.unpack(bytes), { name: 'PolypackError' });
          return cpuMilliseconds() - started;
        }),
      );
      // A tripwire; spec/06#cost-of-bad-input says 10 ms, which `make bench` measures.
      assert.ok(best < 500, `${name} took ${best.toFixed(1)} ms in mode ${mode}`);
    }
  }
});
