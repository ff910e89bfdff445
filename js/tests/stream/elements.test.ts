// The elements of one long array: every cut, the records of the whole message, the limits, and faults with whole paths.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as msgpackr from 'msgpackr';
import { decodeElements, ElementsDecoder, elementsTransform, Packr, type PolypackError, pack } from 'polypack';
import { assertFault, type ExpectedFault } from '../_check.ts';
import { THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { piecesOf } from '../_vectors.ts';

type Options = Parameters<typeof decodeElements>[1];

function outcome(bytes: Uint8Array, length: number, options: Options): { values: unknown[]; error: unknown } {
  const values: unknown[] = [];
  try {
    for (const value of decodeElements(piecesOf(bytes, length), options)) values.push(value);
    return { values, error: null };
  } catch (error) {
    return { values, error };
  }
}

/** Checks elements and fault for every cut. */
function assertElements(bytes: string, values: unknown[], fault: ExpectedFault | null, options?: Options): void {
  for (const length of [1, 2, 3, 5, 100_000]) {
    const about = `${bytes} in pieces of ${length}`;
    const result = outcome(bytesOf(bytes), length, options);
    assert.deepStrictEqual(result.values, values, about);
    if (fault === null) assert.equal(result.error, null, about);
    else {
      assertFault(
        () => {
          throw result.error;
        },
        fault,
        about,
      );
    }
  }
}

const unexpected = (offset: number, path: string) => ({ code: 'unexpected_end', offset, path });

const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}`, sub: id % 3 ? { a: id } : { b: [id] } }));

test('elements come when their last byte does', () => {
  const decoder = new ElementsDecoder();
  assert.deepEqual(decoder.push(bytesOf('dc')), []);
  assert.deepEqual(decoder.push(bytesOf('00 03 01')), [1]);
  assert.deepEqual(decoder.push(bytesOf('92 02')), []);
  assert.deepEqual(decoder.push(bytesOf('03 a1 61')), [[2, 3], 'a']);
  decoder.finish();
  assert.equal(decoder.error, null);
});

test('arrays of every head, and nil', () => {
  assertElements('90', [], null);
  assertElements('c0', [], null);
  assertElements('93 01 a1 61 c0', [1, 'a', null], null);
  assertElements('dc 00 02 01 02', [1, 2], null);
  assertElements('dd 00 00 00 02 01 90', [1, []], null);
});

test('elements with the records of the whole array, cut everywhere', THOROUGH, () => {
  for (const options of [undefined, { records: 'inline', mode: 'strict' }] as const) {
    const bytes = new Packr().pack(rows);
    for (const length of [1, 7, 64, 1 << 20]) {
      const { values, error } = outcome(bytes, length, options);
      assert.equal(error, null);
      assert.deepEqual(values, rows);
    }
    for (let cut = 0; cut < 200; cut++) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      assert.deepEqual([...decodeElements(pieces, options)], rows);
    }
  }
  const theirs = new msgpackr.Packr().pack(rows);
  assert.deepEqual([...decodeElements(piecesOf(theirs, 100))], rows);
});

test('elements without records, and in lossless mode', () => {
  assert.deepEqual([...decodeElements(piecesOf(pack(rows), 100), { records: 'off' })], rows);
  assert.deepEqual([...decodeElements(piecesOf(pack(rows), 100), { mode: 'lossless' })], rows);
});

test('records that are declared anew, and pairs', () => {
  assertElements('93 d4 72 40 91 a1 61 01 d4 72 40 91 a1 62 02 40 03', [{ a: 1 }, { b: 2 }, { b: 3 }], null);
  assertElements('93 d5 72 61 07 91 a1 61 01 61 07 02 41', [{ a: 1 }, { a: 2 }, 0x41], null);
  assertElements('92 d4 72 40 90 81 40 05', [{}, new Map([[{}, 5]])], null);
});

test('faults behind complete elements, with the path from the array', () => {
  assertElements('93 01 02 c1', [1, 2], { code: 'reserved_byte', offset: 3, path: '/2' });
  assertElements('92 01 91 a1 ff', [1], { code: 'invalid_utf8', offset: 3, path: '/1/0' });
  assertElements('92 01 82 a1 61 01 a1 62 c1', [1], { code: 'reserved_byte', offset: 8, path: '/1/b' });
  assertElements('92 01', [1], { code: 'unexpected_end', offset: 2, path: '/1' });
  assertElements('92 01 92 02', [1], { code: 'unexpected_end', offset: 2, path: '/1' });
  assertElements('91', [], { code: 'unexpected_end', offset: 1, path: '/0' });
  assertElements('', [], { code: 'unexpected_end', offset: 0, path: '' });
  assertElements('dc 00', [], { code: 'unexpected_end', offset: 0, path: '' });
  assertElements('91 01 02 03', [1], { code: 'trailing_data', offset: 2, path: '' });
  assertElements('c0 c0', [], { code: 'trailing_data', offset: 1, path: '' });
  assertElements('c1', [], { code: 'reserved_byte', offset: 0, path: '' });
  for (const other of ['01', '80', 'a1 61', 'c4 01 00', 'c4', 'd4 72 40 90', 'de 00 01', 'cb']) {
    assertElements(other, [], { code: 'type_mismatch', offset: 0, path: '' });
  }
});

test('paths of faults in records that an earlier element has declared', () => {
  const declare = '93 d4 72 40 92 a1 61 a1 62 01 02';
  assertElements(`${declare} 40 05 a1 ff`, [{ a: 1, b: 2 }], { code: 'invalid_utf8', offset: 13, path: '/1/b' });
  assertElements(`${declare} 40 91 c1`, [{ a: 1, b: 2 }], { code: 'reserved_byte', offset: 13, path: '/1/a/0' });
  assertElements(`${declare} 40 91`, [{ a: 1, b: 2 }], { code: 'unexpected_end', offset: 11, path: '/1' });
  // The faulty element declares the id anew behind the place that was meant by the earlier one.
  const anew = `${declare} 92 40 05 91 a1 ff d4 72 40 90`;
  assertElements(anew, [{ a: 1, b: 2 }], { code: 'invalid_utf8', offset: 15, path: '/1/0/b/0' });
  const later = `${declare} 93 40 05 06 d4 72 40 91 a1 63 07 91 a1 ff`;
  assertElements(later, [{ a: 1, b: 2 }], { code: 'invalid_utf8', offset: 23, path: '/1/2/0' });
  assertElements('92 01 d5 72 61 07 c0', [1], { code: 'invalid_record', offset: 6, path: '/1' });
  assertElements('93 d5 72 61 07 90 61 08', [{}], { code: 'unknown_record', offset: 6, path: '/1' });
});

test('limits count the whole array', () => {
  const at = (bytes: string, values: unknown[], limits: object, fault: ExpectedFault) =>
    assertElements(bytes, values, fault, { limits });
  at('92 91 01 91 02', [[1]], { maxValues: 4 }, { code: 'limit_exceeded', offset: 3, path: '/1' });
  at('95 01 02 03 04 05', [], { maxValues: 5 }, { code: 'limit_exceeded', offset: 0, path: '' });
  assertElements('92 91 01 91 02', [[1], [2]], null, { limits: { maxValues: 5 } });
  at('92 01 91 91 90', [1], { maxDepth: 3 }, { code: 'limit_exceeded', offset: 4, path: '/1/0/0', message: /depth 4/ });
  at('91 01', [], { maxDepth: 0 }, { code: 'limit_exceeded', offset: 0, path: '' });
  at('92 01 a4 61 61 61 61', [1], { maxBytes: 4 }, { code: 'limit_exceeded', offset: 2, path: '/1' });
  assertElements('93 a3 616161 a3 626262 01', ['aaa', 'bbb', 1], null, { limits: { maxBytes: 4 } });
  const declaring = '93 d4 72 40 91 a1 61 01 d4 72 41 91 a1 62 02 05';
  at(declaring, [{ a: 1 }], { maxBytes: 10 }, { code: 'limit_exceeded', offset: 8, path: '/1' });
  assertElements(declaring, [{ a: 1 }, { b: 2 }, 5], null, { limits: { maxBytes: 14 } });
});

test('elements with shared records, cut everywhere', () => {
  const structures = [['a'], ['b', 'c']];
  const values = [{ a: 1 }, { b: { a: 2 }, c: 3 }, { d: 4 }, { a: 5 }, { d: { e: 6 } }, 64];
  // A writer with fewer structures declares the others.
  for (const known of [structures, [['a']], []]) {
    const bytes = new Packr({ structures: known.slice(), maxSharedStructures: known.length }).pack(values);
    for (let length = 1; length <= bytes.length; length++) {
      assert.deepEqual(outcome(bytes, length, { structures: known }), { values, error: null });
    }
  }
  const options = { structures };
  assertElements('93 40 01 41 02 03 40', [{ a: 1 }, { b: 2, c: 3 }], unexpected(6, '/2'), options);
  assertElements('92 40 01 42 05', [{ a: 1 }], { code: 'unknown_record', offset: 3, path: '/1' }, options);
  const declare = '93 d4 72 42 91 a1 78 01';
  assertElements(`${declare} 42 02 40 03`, [{ x: 1 }, { x: 2 }, { a: 3 }], null, options);
  assertElements(`${declare} 43 02`, [{ x: 1 }], { code: 'unknown_record', offset: 8, path: '/1' }, options);
  assertElements(`${declare} 41 02 a1 ff`, [{ x: 1 }], { code: 'invalid_utf8', offset: 10, path: '/1/c' }, options);
  assertElements('92 d4 72 42 91 a1 78 01 91 42 ff', [{ x: 1 }, [{ x: -1 }]], null, options);
});

test('a dictionary that grows while the elements arrive', () => {
  let saved = [['a']];
  for (const declare of ['', 'd4 72 7f 91 a1 78 01']) {
    for (const length of [1, 2, 100]) {
      saved = [['a']];
      const elements = new ElementsDecoder({ getStructures: () => saved });
      const first = bytesOf(`95 40 01 ${declare === '' ? '02' : declare}`);
      const read = piecesOf(first, length).flatMap((piece) => elements.push(piece));
      assert.deepEqual(read, [{ a: 1 }, declare === '' ? 2 : { x: 1 }]);
      saved = [['a'], ['b'], ['c']];
      const rest = piecesOf(bytesOf('41 03 92 42 04 40 05 06'), length).flatMap((piece) => elements.push(piece));
      assert.deepEqual(rest, [{ b: 3 }, [{ c: 4 }, { a: 5 }], 6]);
      elements.finish();
    }
  }
});

test('elements behind the header of their dictionary', () => {
  const structures = [['a']];
  const options = { structures, fingerprint: true };
  const bytes = new Packr({ ...options, maxSharedStructures: 1 }).pack([{ a: 1 }, { b: 2 }, { b: { a: 3 } }]);
  const header = hexOf(bytes).slice(0, 20);
  for (let length = 1; length <= bytes.length; length++) {
    const result = outcome(bytes, length, options);
    assert.deepEqual(result, { values: [{ a: 1 }, { b: 2 }, { b: { a: 3 } }], error: null });
  }
  assertElements(`${header} 92 40 01 c1`, [{ a: 1 }], { code: 'reserved_byte', offset: 13, path: '/1' }, options);
  assertElements(`${header} 05`, [], { code: 'type_mismatch', offset: 10, path: '' }, options);
  assertElements(`${header}`, [], { code: 'unexpected_end', offset: 10, path: '' }, options);
  assertElements(`${header} dc`, [], { code: 'unexpected_end', offset: 10, path: '' }, options);
  assertElements('92 40 01 05', [{ a: 1 }, 5], null, options);
  assertElements('c1', [], { code: 'unexpected_end', offset: 0, path: '' }, options);
  assertElements('c1 50 00', [], { code: 'unexpected_end', offset: 0, path: '' }, options);
  assertElements('c1 51', [], { code: 'reserved_byte', offset: 0, path: '' }, options);
  const foreign = { structures: [['z']], fingerprint: true };
  assertElements(`${header} 90`, [], { code: 'invalid_record', offset: 0, path: '' }, foreign);
});

test('elements of more types', () => {
  const values = [
    new Set([1, new Set(['a'])]),
    /a+/g,
    new Float32Array([1, 2]),
    2n ** 70n,
    { error: new RangeError('x') },
  ];
  const bytes = new Packr({ moreTypes: true }).pack(values);
  for (const length of [1, 2, 3, 7, bytes.length]) {
    assert.deepEqual(outcome(bytes, length, { moreTypes: true, regExps: true }), { values, error: null });
  }
  const extensions = [{ type: 5, unpack: (data: Uint8Array) => data.length }];
  assertElements('92 d4 05 00 91 d5 05 00 00', [1, [2]], null, { extensions });
});

test('a head that promises billions costs nothing', () => {
  assertElements('dd ff ff ff ff 01', [1], { code: 'unexpected_end', offset: 6, path: '/1' });
});

test('any source, and Web Streams', async () => {
  const pieces = piecesOf(new Packr().pack(rows), 100);
  const read: unknown[] = [];
  for await (const row of decodeElements(Readable.from(pieces))) read.push(row);
  assert.deepEqual(read, rows);
  const web = new Response(Buffer.from('930102c1', 'hex')).body as ReadableStream<Uint8Array>;
  const reader = web.pipeThrough(elementsTransform()).getReader();
  assert.equal((await reader.read()).value, 1);
  assert.equal((await reader.read()).value, 2);
  await assert.rejects(reader.read(), { code: 'reserved_byte', offset: 3, path: '/2' });
});

test('the error stays, and wrong use is told', () => {
  const decoder = new ElementsDecoder();
  assert.deepEqual(decoder.push(bytesOf('92 01 c1 02')), [1]);
  assert.equal((decoder.error as PolypackError).code, 'reserved_byte');
  assertFault(() => decoder.push(bytesOf('04')), { code: 'reserved_byte', offset: 2 });
  assertFault(() => decoder.finish(), { code: 'reserved_byte', offset: 2 });
  assert.throws(() => new ElementsDecoder({ structuredClone: true }), /structuredClone: .*unpack the whole message/);
  assert.throws(() => new ElementsDecoder({ bundleStrings: true }), /bundleStrings: .*unpack the whole message/);
  assert.throws(() => decodeElements([], { nonsense: 1 } as never), TypeError);
  assert.throws(() => decodeElements(5 as never), TypeError);
});
