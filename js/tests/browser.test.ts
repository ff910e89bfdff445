// The stand-in for node:assert/strict, with which the suite runs in a browser, gives the verdicts of Node's.

import nodeAssert from 'node:assert/strict';
import { test } from 'node:test';
import standIn from './browser/assert.ts';

class Point {
  readonly x: number;

  constructor(x: number) {
    this.x = x;
  }
}

class Special extends Error {
  readonly code = 'E_SPECIAL';
}

/** An array that holds itself. */
function cycle(first: unknown): unknown[] {
  const list = [first];
  list.push(list);
  return list;
}

/**
 * Pairs of these are compared, each value made twice. Invalid dates are not there: versions of Node differ about them.
 */
const MAKERS: (() => unknown)[] = [
  ...[() => 0, () => -0, () => 1, () => 1n, () => '1', () => true, () => null, () => undefined, () => Number.NaN],
  ...[
    () => [],
    () => [1],
    () => [1, 2],
    () => Object.assign(new Array(2), { 1: 1 }),
    () => [undefined, 1],
    () => ({}),
    () => ({ a: 1 }),
    () => ({ a: 2 }),
  ],
  ...[() => ({ a: undefined }), () => ({ b: undefined }), () => ({ a: 1, b: 2 }), () => Object.create(null)],
  ...[() => ({ a: -0 }), () => ({ a: 0 }), () => ({ [Symbol.iterator]: 1 }), () => new Point(1), () => new Point(2)],
  ...[() => ({ x: 1 }), () => Object.assign([1], { name: 'x' }), () => new Date(0), () => new Date(1)],
  ...[() => new Map(), () => new Map([[1, 2]]), () => new Map([[1, 3]]), () => new Map([[{ a: 1 }, [1]]])],
  ...[
    () => new Map([['1', 2]]),
    () => new Set(),
    () => new Set([1]),
    () => new Set([{ a: 1 }]),
    () => new Set([{ a: 2 }]),
  ],
  ...[
    () => new Set([1, 2]),
    () => Uint8Array.of(1),
    () => Uint8Array.of(2),
    () => Int8Array.of(1),
    () => Buffer.from([1]),
  ],
  ...[() => Uint8Array.of(), () => new ArrayBuffer(1), () => new ArrayBuffer(2), () => Float64Array.of(1)],
  ...[() => new DataView(new ArrayBuffer(1)), () => new DataView(new ArrayBuffer(2)), () => new Error('a')],
  ...[() => new Error('b'), () => new TypeError('a'), () => new Error('a', { cause: 1 }), () => new Special('a')],
  ...[() => cycle(1), () => cycle(2), () => [[1, [1]]], () => ({ a: { b: [new Date(0)] } }), () => ({ a: { b: [0] } })],
];

/** Whether an assertion holds. */
function holds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

test('equality of any two values', () => {
  for (const [i, left] of MAKERS.entries()) {
    for (const [j, right] of MAKERS.entries()) {
      const about = `${i} ${left} and ${j} ${right}`;
      for (const name of ['deepEqual', 'notDeepEqual', 'equal', 'notEqual'] as const) {
        const [a, b] = [left(), right()];
        nodeAssert.equal(
          holds(() => standIn[name](a, b)),
          holds(() => nodeAssert[name](a, b)),
          `${name} of ${about}`,
        );
      }
    }
    nodeAssert.ok(
      holds(() => standIn.deepEqual(left(), left())),
      `${left}`,
    );
  }
});

test('what was thrown', async () => {
  const thrown = [new Error('a word'), new TypeError('a word'), new Special('other'), new RangeError('a')];
  const expected = [
    ...[undefined, /word/, /^Error/, Error, TypeError, Special, { message: 'a word' }, { code: 'E_SPECIAL' }],
    ...[{ name: 'TypeError', message: /wo/ }, () => true, (error: unknown) => error instanceof Special, () => 1],
  ];
  for (const error of thrown) {
    const fail = () => {
      throw error;
    };
    for (const one of expected) {
      const verdict = holds(() => nodeAssert.throws(fail, one as RegExp));
      nodeAssert.equal(
        holds(() => standIn.throws(fail, one as RegExp)),
        verdict,
        `${error} and ${one}`,
      );
      const [ours, theirs] = await Promise.allSettled([
        standIn.rejects(Promise.reject(error), one as RegExp),
        nodeAssert.rejects(Promise.reject(error), one as RegExp),
      ]);
      nodeAssert.equal(ours.status, theirs.status, `${error} and ${one}, rejected`);
    }
    nodeAssert.ok(!holds(() => standIn.doesNotThrow(fail)));
  }
  nodeAssert.ok(!holds(() => standIn.throws(() => 1)));
  nodeAssert.ok(holds(() => standIn.doesNotThrow(() => 1)));
  await nodeAssert.rejects(standIn.rejects(Promise.resolve(1)), /nothing was rejected/);
  await nodeAssert.rejects(standIn.doesNotReject(Promise.reject(new Error('a word'))), /a word was rejected/);
  await standIn.doesNotReject(Promise.resolve(1));
});

test('the rest, and the messages', () => {
  for (const value of [0, 1, '', 'a', null, {}, Number.NaN]) {
    nodeAssert.equal(
      holds(() => standIn.ok(value)),
      holds(() => nodeAssert.ok(value)),
    );
    nodeAssert.equal(
      holds(() => standIn(value)),
      Boolean(value),
    );
  }
  for (const pattern of [/a/, /b/]) {
    nodeAssert.equal(
      holds(() => standIn.match('a', pattern)),
      pattern.test('a'),
    );
    nodeAssert.equal(
      holds(() => standIn.doesNotMatch('a', pattern)),
      !pattern.test('a'),
    );
  }
  nodeAssert.throws(() => standIn.equal(1, 2, 'the sum'), /AssertionError: the sum: 1 is not 2/);
  nodeAssert.throws(() => standIn.equal(1, 2, new TypeError('own')), /TypeError: own/);
  nodeAssert.throws(() => standIn.fail('why'), /why/);
});
