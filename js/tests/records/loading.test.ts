// Structures that are loaded while a message is read: the loader may overwrite the input, as databases do that read
// everything into one buffer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeElements, get, Packr, PolypackError, Raw, StreamDecoder, Unpackr, type UnpackrOptions } from 'polypack';

const FIRST = { id: 1, name: 'one', data: Uint8Array.of(1, 2, 3) };
const SECOND = { x: 2, y: [FIRST, 'text'] };

/** Writes values with structures that a reader must load; the first ones may be known before. */
function written(values: readonly unknown[], fingerprint = false) {
  const structures: string[][] = [];
  const packr = new Packr({ structures, saveStructures: () => true, fingerprint });
  for (const value of values) packr.pack(value); // publishes the structures
  return { messages: values.map((value) => packr.pack(value)), structures };
}

/** Options whose loader overwrites the buffer. */
function overwriting(buffer: Uint8Array, structures: string[][], known = 0, more: UnpackrOptions = {}): UnpackrOptions {
  let loads = 0;
  return {
    ...more,
    structures: structures.slice(0, known),
    ...(known === 0 ? { structures: undefined } : {}),
    getStructures() {
      loads++;
      assert.ok(loads < 4, 'the structures are loaded again and again');
      buffer.fill(5);
      return structures.map((names) => [...names]);
    },
  } as UnpackrOptions;
}

test('a loader may overwrite the input before the first message', () => {
  for (const mode of ['default', 'strict'] as const) {
    const { messages, structures } = written([FIRST]);
    const buffer = Uint8Array.from(messages[0] as Uint8Array);
    const unpackr = new Unpackr(overwriting(buffer, structures, 0, { mode }));
    assert.deepEqual(unpackr.unpack(buffer), FIRST);
  }
});

test('a loader may overwrite the input in the middle of a message', () => {
  const value = [FIRST, [FIRST, SECOND], FIRST, 'end'];
  for (let warm = 0; warm < 40; warm += 13) {
    const { messages, structures } = written([FIRST, SECOND, value]);
    const unpackr = new Unpackr(overwriting(new Uint8Array(0), structures));
    for (let round = 0; round < warm; round++) unpackr.unpack(messages[0] as Uint8Array); // makes code for the shape
    const buffer = Uint8Array.from(messages[2] as Uint8Array);
    const reader = new Unpackr({
      structures: structures.slice(0, 1),
      getStructures() {
        buffer.fill(5);
        return structures.map((names) => [...names]);
      },
    });
    for (let round = 0; round < warm; round++) reader.unpack(messages[0] as Uint8Array);
    assert.deepEqual(reader.unpack(buffer), value);
  }
});

test('a loader may overwrite a buffer that the message fills only in part', () => {
  const { messages, structures } = written([FIRST]);
  const message = messages[0] as Uint8Array;
  const buffer = new Uint8Array(100);
  buffer.set(message);
  const unpackr = new Unpackr(overwriting(buffer, structures));
  assert.deepEqual(unpackr.unpack(buffer, message.length), FIRST);
  buffer.set(message, 10);
  const other = new Unpackr(overwriting(buffer, structures));
  assert.deepEqual(other.unpack(buffer.subarray(10, 10 + message.length)), FIRST);
});

test('a loader may overwrite several messages', () => {
  const { messages, structures } = written([FIRST, SECOND]);
  const all = Buffer.concat([...messages, ...messages]);
  for (const known of [0, 1]) {
    const buffer = Uint8Array.from(all);
    const options = overwriting(buffer, structures, known);
    assert.deepEqual(new Unpackr(options).unpackMultiple(buffer), [FIRST, SECOND, FIRST, SECOND]);
  }
});

test('a loader may overwrite the chunk of a stream', async () => {
  const { messages, structures } = written([FIRST, SECOND, [SECOND, SECOND]]);
  for (const known of [0, 1]) {
    const buffer = Uint8Array.from(Buffer.concat(messages));
    const stream = new StreamDecoder(overwriting(buffer, structures, known, { records: 'shared' }));
    assert.deepEqual(stream.push(buffer), [FIRST, SECOND, [SECOND, SECOND]]);

    const array = Uint8Array.from(messages[2] as Uint8Array);
    const values: unknown[] = [];
    const options = overwriting(array, structures, known, { records: 'shared' });
    for await (const value of decodeElements([array], options)) values.push(value);
    assert.deepEqual(values, [SECOND, SECOND]);
  }
});

test('a loader may overwrite the input of lazy reads', () => {
  const { messages, structures } = written([FIRST, SECOND]);
  for (const known of [0, 1]) {
    const buffer = Uint8Array.from(messages[1] as Uint8Array);
    assert.equal(get(buffer, '/y/0/name', overwriting(buffer, structures, known)), 'one');
    buffer.set(messages[1] as Uint8Array);
    assert.deepEqual(new Raw(buffer, overwriting(buffer, structures, known)).get('/y/1')?.unpack(), 'text');
  }
});

test('a loader may overwrite a message with a fingerprint', () => {
  const { messages, structures } = written([FIRST, SECOND], true);
  for (const known of [0, 1]) {
    const buffer = Uint8Array.from(messages[1] as Uint8Array);
    const unpackr = new Unpackr(overwriting(buffer, structures, known, { fingerprint: true }));
    assert.deepEqual(unpackr.unpack(buffer), SECOND);
  }
});

test('a fault of a message that was read again has its offset and path', () => {
  const { messages, structures } = written([FIRST, [FIRST, SECOND]]);
  const message = messages[1] as Uint8Array;
  const buffer = Uint8Array.from(message.subarray(0, -1));
  const unpackr = new Unpackr(overwriting(buffer, structures, 1));
  const whole = new Unpackr({ structures });
  const expected = failure(() => whole.unpack(message.subarray(0, -1)));
  assert.deepEqual(
    failure(() => unpackr.unpack(buffer)),
    expected,
  );
  assert.equal(expected.code, 'unexpected_end');
});

function failure(run: () => unknown): { code: string; offset: number | null; path: string } {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof PolypackError, String(error));
    return { code: error.code, offset: error.offset, path: error.path };
  }
  throw new Error('it did not fail');
}
