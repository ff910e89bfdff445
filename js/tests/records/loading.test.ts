// Structures that are loaded while a message is read: the loader may overwrite the input, as databases do that read
// everything into one buffer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeElements,
  decodeFirst,
  type ExtensionDefinition,
  get,
  Packr,
  PolypackError,
  Raw,
  StreamDecoder,
  Unpackr,
  type UnpackrOptions,
} from 'polypack';
import { assertFault } from '../_check.ts';

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

/** What an extension of type 9 does with its data. */
class Inside {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Ways to read a message in the data of an extension, and in what follows an extension. */
const READERS: Readonly<Record<string, (unpackr: () => Unpackr) => ExtensionDefinition<Inside>>> = {
  read: () => ({ type: 9, read: (value) => new Inside(value) }),
  unpack: (unpackr) => ({ type: 9, unpack: (data) => new Inside(unpackr().unpack(data)) }),
  'unpack of a copy': (unpackr) => ({ type: 9, unpack: (data) => new Inside(unpackr().unpack(data.slice())) }),
  'unpack at a place': (unpackr) => ({
    type: 9,
    unpack: (data) => new Inside(unpackr().unpack(data, { start: 0 })),
  }),
  unpackMultiple: (unpackr) => ({ type: 9, unpack: (data) => new Inside(unpackr().unpackMultiple(data)[0]) }),
};

/** Ways to read a message. */
const CALLS = {
  unpack: (bytes: Uint8Array, unpackr: Unpackr): unknown => unpackr.unpack(bytes),
  'unpack at a place': (bytes: Uint8Array, unpackr: Unpackr): unknown => unpackr.unpack(bytes, { start: 0 }),
  unpackMultiple: (bytes: Uint8Array, unpackr: Unpackr): unknown => unpackr.unpackMultiple(bytes)[0],
  decodeFirst: (bytes: Uint8Array, unpackr: Unpackr): unknown => decodeFirst(bytes, 0, unpackr).value,
  Raw: (bytes: Uint8Array, unpackr: Unpackr): unknown => new Raw(bytes, unpackr).unpack(),
  get: (bytes: Uint8Array, unpackr: Unpackr): unknown => get(bytes, '', unpackr),
};

/** Runs each way to read, with each way to read inside, and with structures that are loaded when `known` are known. */
function eachReader(
  load: (message: Uint8Array, all: string[][]) => string[][],
  check: (value: readonly unknown[], about: string) => void,
): void {
  const all = [['a'], ['b'], ['c']];
  const writer = new Packr({
    structures: Object.freeze(all.map((names) => [...names])),
    extensions: [{ Class: Inside, type: 9, pack: ({ value }) => writer.pack(value) }],
  });
  for (const depth of [1, 2, 3]) {
    let inside: unknown = { b: 7 };
    for (let index = 0; index < depth; index++) inside = new Inside(inside);
    const bytes = writer.pack([{ a: 1 }, inside, 'good', { c: 2 }]);
    for (const [inner, reader] of Object.entries(READERS)) {
      for (const [outer, call] of Object.entries(CALLS)) {
        const message = Uint8Array.from(bytes);
        let isFirst = true;
        const unpackr: Unpackr = new Unpackr({
          extensions: [reader(() => unpackr)],
          getStructures() {
            if (isFirst) {
              isFirst = false;
              return all.slice(0, 1);
            }
            return load(message, all);
          },
        });
        unpackr.unpack(writer.pack({ a: 5 })); // loads the first structures
        const about = `${outer}, ${depth} times in ${inner}`;
        let value: readonly unknown[] | undefined;
        assert.doesNotThrow(() => {
          value = call(message, unpackr) as unknown[];
        }, about);
        check(value as unknown[], about);
      }
    }
  }
}

function checkRead([first, inside, ...others]: readonly unknown[], about: string): void {
  let value = inside;
  while (value instanceof Inside) value = value.value;
  assert.deepEqual([first, value, ...others], [{ a: 1 }, { b: 7 }, 'good', { c: 2 }], about);
}

test('structures that are loaded for the data of an extension are known to the message around it', () => {
  eachReader((_, all) => all, checkRead);
});

test('structures that are loaded one by one are known where they are needed', () => {
  let count = 1;
  eachReader((_, all) => {
    count = count === 3 ? 2 : count + 1;
    return all.slice(0, count);
  }, checkRead);
});

test('a stream knows structures that a source gets in the middle of a message', () => {
  const all = [['a'], ['b'], ['c']];
  const message = new Packr({ structures: Object.freeze(all) }).pack([{ a: 1 }, { b: 2 }, { c: 3 }]);
  const structures: string[][] = [];
  const stream = new StreamDecoder({ structures: { structures, propose() {} }, records: 'shared' });
  const values: unknown[] = [];
  for (const byte of message) {
    if (byte >= 0x40 && byte < 0x80) structures.push(all[structures.length] as string[]);
    values.push(...stream.push(Uint8Array.of(byte)));
  }
  assert.deepEqual(values, [[{ a: 1 }, { b: 2 }, { c: 3 }]]);
});

test('a loader may overwrite the input while an extension reads its data', () => {
  for (const kept of [0, 1, 3, -10, -4, -1]) {
    for (const byte of [0x05, 0x78, 0xc1, 0xff]) {
      eachReader((message, all) => {
        message.fill(byte, kept);
        return all;
      }, checkRead);
    }
  }
});

test('a loader may overwrite the input while other code of the program runs', () => {
  const all = [['a'], ['b'], ['c']];
  const structures = Object.freeze(all.map((names) => [...names]));
  const inside = new Packr({ structures }).pack({ b: 7 });
  let run = () => {};
  const made = () => {
    run();
    return new Inside(1);
  };
  const write = ({ value }: Inside) => value;
  const cases: Readonly<Record<string, readonly [UnpackrOptions, ExtensionDefinition<Inside> | null]>> = {
    wrapBytes: [
      {
        wrapBytes(bytes) {
          run();
          return bytes;
        },
      },
      null,
    ],
    create: [{ structuredClone: true }, { type: 9, create: made, read: (_, instance) => instance as Inside }],
    read: [{ structuredClone: true }, { type: 9, read: made }],
    'read without structured cloning': [{}, { type: 9, read: made }],
  };
  for (const [about, [options, extension]] of Object.entries(cases)) {
    const written = extension === null ? Uint8Array.of(1, 2, 3) : new Inside(1);
    const packr = new Packr({
      structures,
      ...(options.structuredClone && { structuredClone: true }),
      extensions: [{ Class: Inside, type: 9, write }],
    });
    const message = packr.pack([{ a: 1 }, written, 'good', { c: 2 }]);
    for (const byte of [0x05, 0x78, 0xc1, 0xff]) {
      for (const call of Object.values(CALLS)) {
        const input = Uint8Array.from(message);
        let isFirst = true;
        const unpackr: Unpackr = new Unpackr({
          ...options,
          extensions: extension === null ? [] : [extension],
          getStructures() {
            if (!isFirst) input.fill(byte);
            const loaded = isFirst ? all.slice(0, 1) : all;
            isFirst = false;
            return loaded;
          },
        });
        run = () => {};
        unpackr.unpack(packr.pack({ a: 5 }));
        run = () => assert.deepEqual(unpackr.unpack(inside), { b: 7 });
        if (options.structuredClone && (call === CALLS.Raw || call === CALLS.get)) continue;
        const value = call(input, unpackr) as unknown[];
        assert.deepEqual(value, [{ a: 1 }, written, 'good', { c: 2 }], about);
      }
    }
  }
});

test('a loader may overwrite a message with bundled strings', () => {
  const { messages, structures } = written([FIRST, SECOND]);
  assert.equal(messages.length, 2);
  const packr = new Packr({ structures, bundleStrings: true });
  const value = [FIRST, 'a string of the bundle', SECOND, 'another string of the bundle'];
  const message = packr.pack(value);
  for (const known of [0, 1]) {
    for (const call of [CALLS.unpack, CALLS['unpack at a place'], CALLS.unpackMultiple, CALLS.decodeFirst]) {
      const buffer = Uint8Array.from(message);
      const unpackr = new Unpackr(overwriting(buffer, structures, known, { bundleStrings: true }));
      assert.deepEqual(call(buffer, unpackr), value);
    }
  }
});

test('an extension may give away a view of its data that a loader overwrites', () => {
  const all = [['a'], ['b'], ['c']];
  const writer = new Packr({
    structures: Object.freeze(all.map((names) => [...names])),
    extensions: [{ Class: Inside, type: 9, pack: () => Uint8Array.of(1, 2, 3) }],
  });
  const message = writer.pack([new Inside(1), { c: 2 }, 'good']);
  for (const [about, call] of Object.entries(CALLS)) {
    let kept: Uint8Array = new Uint8Array(0);
    let isFirst = true;
    const unpackr: Unpackr = new Unpackr({
      extensions: [
        {
          type: 9,
          unpack(data) {
            kept = data;
            return 1;
          },
        },
      ],
      getStructures() {
        new Uint8Array(kept.buffer, kept.byteOffset).fill(0x78);
        const loaded = isFirst ? all.slice(0, 1) : all;
        isFirst = false;
        return loaded;
      },
    });
    unpackr.unpack(writer.pack({ a: 1 }));
    const read = () => call(Uint8Array.from(message), unpackr);
    if (call === CALLS.get) assertFault(read, { code: 'invalid_record' });
    else assert.deepEqual(read(), [1, { c: 2 }, 'good'], about);
  }
});
