// The header with the fingerprint of the dictionary: a wrong dictionary is an error, never wrong data (spec/05#header).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFirst, get, Packr, pack, packInto, type StreamDecoderOptions, Unpackr, unpack } from 'polypack';
import { assertFault } from '../_check.ts';
import { streamed } from '../_streams.ts';
import { bytesOf, hexOf } from '../_values.ts';

const fingerprint = true;

/** FNV-1a with 64 bits, the slow way. */
function fnv(hex: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytesOf(hex)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  return hash.toString(16).padStart(16, '0');
}

test('the header is c1 50 and FNV-1a of the structures', () => {
  const bytes = new Packr({ structures: [['a'], ['b', 'cd']], fingerprint }).pack({ b: 1, cd: 2 });
  assert.equal(hexOf(bytes), `c150${fnv('91 a1 61 92 a1 62 a2 63 64')}410102`);
  assert.equal(hexOf(new Packr({ structures: [['a']], fingerprint }).pack({ a: 1 })), 'c150aeb58c1b289380324001');
  // A place without a structure counts as nil; no structures give what the hash starts with.
  assert.equal(hexOf(new Packr({ structures: [['a'], null], fingerprint }).pack(5)), `c150${fnv('91 a1 61 c0')}05`);
  const none = new Packr({ structures: [], maxSharedStructures: 0, fingerprint });
  assert.equal(hexOf(none.pack(5)), 'c150cbf29ce48422232505');
});

test('a message says what it was written with, new structures included', () => {
  const structures: string[][] = [];
  const packr = new Packr({ structures, fingerprint });
  const first = packr.pack([{ a: 1 }, { b: 2 }]);
  const second = packr.pack({ c: 3 });
  for (const known of [structures, structures.slice(0, 3), [...structures, ['later']]]) {
    const unpackr = new Unpackr({ structures: known, fingerprint });
    assert.deepEqual(unpackr.unpack(first), [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(unpackr.unpack(second), { c: 3 });
  }
  assert.deepEqual(packr.unpack(first), [{ a: 1 }, { b: 2 }]);
});

test('another dictionary is refused, also where its structures would fit', () => {
  const bytes = new Packr({ structures: [['price', 'tax']], fingerprint }).pack([{ price: 1, tax: 2 }]);
  for (const structures of [[['tax', 'price']], [], [['price']], [['x'], ['price', 'tax']]]) {
    const unpackr = new Unpackr({ structures, fingerprint });
    assertFault(() => unpackr.unpack(bytes), { code: 'invalid_record', offset: 0, path: '' });
    assert.equal(unpackr.unpack(bytesOf('05')), 5);
  }
  // Without the option the same bytes would be taken for something else, or are refused at once.
  assertFault(() => new Unpackr({ structures: [['tax', 'price']] }).unpack(bytes), {
    code: 'reserved_byte',
    offset: 0,
  });
  assertFault(() => unpack(bytes), { code: 'reserved_byte', offset: 0 });
});

test('a reader gets a larger dictionary when it needs one', () => {
  let saved: string[][] = [['a']];
  const getStructures = () => saved;
  const reader = new Unpackr({ getStructures, fingerprint });
  assert.deepEqual(reader.unpack(new Packr({ structures: [['a']], fingerprint }).pack({ a: 1 })), { a: 1 });
  const writer = new Packr({
    getStructures,
    saveStructures: (structures) => {
      saved = structures;
    },
    fingerprint,
  });
  assert.deepEqual(reader.unpack(writer.pack([{ b: 1 }, { a: 2 }])), [{ b: 1 }, { a: 2 }]);
  assert.deepEqual(saved, [['a'], ['b']]);
  saved = [['z']];
  assertFault(() => reader.unpack(new Packr({ structures: [['z']], fingerprint }).pack({ z: 1 })), {
    code: 'invalid_record',
  });
});

test('messages in a row, faults behind the header, and prefixes', () => {
  const packr = new Packr({ structures: [], fingerprint });
  const values = [{ a: 1 }, 5, { b: [{ a: 2 }] }];
  const messages = values.map((value) => packr.pack(value));
  const row = new Uint8Array(messages.flatMap((message) => [...message]));
  assert.deepEqual(packr.unpackMultiple(row), values);
  const places: number[] = [];
  packr.unpackMultiple(row, (_, start, end) => void places.push(start, end));
  const [one, two, three] = messages.map(({ length }) => length) as [number, number, number];
  assert.deepEqual(places, [0, one, one, one + two, one + two, one + two + three]);
  const last = messages[2] as Uint8Array;
  for (let end = 0; end < last.length; end++) {
    assertFault(() => packr.unpack(last.subarray(0, end)), { code: 'unexpected_end' });
  }
  const broken = last.slice();
  broken[broken.length - 1] = 0xc1;
  assertFault(() => packr.unpack(broken), { code: 'reserved_byte', offset: broken.length - 1, path: '/b/0/a' });
  assert.deepEqual(decodeFirst(row, one, packr), { value: 5, end: one + two });
  // Messages that were written without the header are read, too.
  assert.deepEqual(packr.unpack(new Packr({ structures: [['a']] }).pack({ a: 7 })), { a: 7 });
});

test('no value before a faulty message is lost', () => {
  const packr = new Packr({ structures: [], fingerprint });
  const messages = [{ a: 1 }, [{ a: 2 }]].map((value) => packr.pack(value));
  const [first, second] = messages as [Uint8Array, Uint8Array];
  const foreign = new Packr({ structures: [['z']], fingerprint }).pack({ z: 1 });
  const cases = [
    { bytes: second.subarray(0, 9), code: 'unexpected_end', offset: first.length, path: '' },
    { bytes: second.subarray(0, 1), code: 'unexpected_end', offset: first.length, path: '' },
    { bytes: second.subarray(0, -1), code: 'unexpected_end', offset: first.length + 11, path: '/0' },
    { bytes: foreign, code: 'invalid_record', offset: first.length, path: '' },
    { bytes: bytesOf('c1 51'), code: 'reserved_byte', offset: first.length, path: '' },
  ] as const;
  for (const { bytes, ...fault } of cases) {
    const row = new Uint8Array([...first, ...bytes]);
    assert.deepEqual(assertFault(() => packr.unpackMultiple(row), fault).values, [{ a: 1 }]);
    const seen: unknown[] = [];
    assertFault(() => packr.unpackMultiple(row, (value) => void seen.push(value)), fault);
    assert.deepEqual(seen, [{ a: 1 }]);
    assertFault(() => decodeFirst(row, first.length, packr), fault);
  }
});

test('streams of messages with headers, cut everywhere', () => {
  const structures: string[][] = [];
  const packr = new Packr({ structures, fingerprint });
  const values = [{ a: 1 }, 5, { b: [{ a: 2 }], c: 'text' }, [{ a: 3 }]];
  const messages = values.map((value) => packr.pack(value));
  messages.splice(1, 0, new Packr({ structures: [['a']] }).pack({ a: 7 })); // without one
  const expected = [values[0], { a: 7 }, ...values.slice(1)];
  const row = new Uint8Array(messages.flatMap((message) => [...message]));
  const read = (bytes: Uint8Array, length: number, options: StreamDecoderOptions = {}) => {
    const { values, error } = streamed(bytes, length, { structures, fingerprint, ...options });
    return error === null ? values : [...values, `${error.code} ${error.offset} ${error.path}`];
  };
  for (let length = 1; length <= row.length; length++) assert.deepEqual(read(row, length), expected);
  const { length: first } = messages[0] as Uint8Array;
  const foreign = new Packr({ structures: [['z']], fingerprint }).pack({ z: 1 });
  const limits = { maxDepth: 2 };
  for (const [hex, fault, options] of [
    [hexOf(foreign), `invalid_record ${first} `],
    ['c1', `unexpected_end ${first} `],
    ['c1 50 00 01', `unexpected_end ${first} `],
    ['c1 51', `reserved_byte ${first} `],
    [`${hexOf(messages[0] as Uint8Array).slice(0, 20)} 92 01 c1`, `reserved_byte ${first + 12} /1`],
    [`${hexOf(messages[0] as Uint8Array).slice(0, 20)} 92 01`, `unexpected_end ${first + 10} `],
    [`${hexOf(messages[0] as Uint8Array).slice(0, 20)} 91 40 91 c0`, `limit_exceeded ${first + 12} /0/a`, { limits }],
  ] as const) {
    const bytes = new Uint8Array([...(messages[0] as Uint8Array), ...bytesOf(hex)]);
    for (const length of [1, 2, 3, bytes.length]) {
      assert.deepEqual(read(bytes, length, options), [{ a: 1 }, fault], `${hex} by ${length}`);
    }
  }
});

test('where there is no header', () => {
  const bytes = bytesOf('05');
  const structures = [['a']];
  assert.throws(() => get(bytes, '', { structures, fingerprint }), TypeError);
  assert.throws(() => new Packr({ fingerprint }), TypeError);
  assert.throws(() => new Packr({ structures, fingerprint, bundleStrings: true }), TypeError);
  const target = new Uint8Array(20);
  const packr = new Packr({ structures, fingerprint });
  const end = packInto(target, 2, { a: 1 }, packr);
  assert.deepEqual(packr.unpack(target.subarray(2, end)), { a: 1 });
});

class Wrapped {
  readonly inner: unknown;
  constructor(inner: unknown) {
    this.inner = inner;
  }
}

const WRAPPED = {
  Class: Wrapped,
  type: 5,
  write: ({ inner }: Wrapped) => inner,
  read: (inner: unknown) => new Wrapped(inner),
};

test('a message has the fingerprint of the dictionary that it relies on', () => {
  const options = { fingerprint, extensions: [WRAPPED] };
  // Their data are messages of their own, which the header covers, too.
  const rows = [{ a: 1 }, { b: 1 }, { x: 1 }, { q: 1 }, { more: 1 }];
  const parts = [new Wrapped(rows), new Wrapped([new Wrapped(rows)]), new Map([[new Wrapped(rows), 1]])];
  const original = [['a'], ['b']];
  const other = [['x'], ['y']];
  const copy = () => original.map((names) => [...names]);
  const replaced = (more: object) => {
    let now = original;
    const packr = new Packr({ getStructures: () => now, ...options, ...more });
    const change = () => {
      now = other;
      assertFault(() => packr.unpack(bytesOf('45 01')), { code: 'invalid_record', offset: null });
    };
    return { packr, change };
  };
  /** Each makes a Packr, and a function that changes its dictionary, called while the Packr packs. */
  const changes: Readonly<Record<string, () => { packr: Packr; change: () => void }>> = {
    'other structures are loaded': () => replaced({}),
    'other structures are loaded by a writer': () => replaced({ saveStructures: () => true }),
    'the array is emptied': () => {
      const structures = copy();
      const packr = new Packr({ structures, ...options });
      const change = () => {
        structures.length = 0;
        packr.pack({ q: 1 });
      };
      return { packr, change };
    },
    'the source starts over': () => {
      const source = { structures: original, propose() {} };
      const packr = new Packr({ structures: source, ...options });
      const change = () => {
        source.structures = [];
        packr.pack({ q: 1 });
      };
      return { packr, change };
    },
    'another codec adds structures': () => {
      const structures = copy();
      const another = new Packr({ structures });
      return { packr: new Packr({ structures, ...options }), change: () => void another.pack({ more: 1 }) };
    },
    'the source has others': () => {
      const source = { structures: original, propose() {} };
      const change = () => {
        source.structures = other;
      };
      return { packr: new Packr({ structures: source, ...options }), change };
    },
    'the structures are forgotten': () => {
      const packr = new Packr({ structures: copy(), ...options });
      return { packr, change: () => packr.clearSharedData() };
    },
    'structures are added': () => {
      const packr = new Packr({ structures: copy(), ...options });
      return { packr, change: () => void packr.pack({ more: 1 }) };
    },
  };
  const target = new Uint8Array(300);
  const calls: readonly ((packr: Packr, value: unknown) => Uint8Array)[] = [
    (packr, value) => packr.pack(value),
    (packr, value) => pack(value, packr),
    (packr, value) => target.slice(0, packInto(target, 0, value, packr)),
    (packr, value) => {
      packr.useBuffer(new Uint8Array(300));
      return packr.pack(value);
    },
  ];
  for (const [about, make] of Object.entries(changes)) {
    for (const call of calls) {
      const { packr, change } = make();
      packr.pack({ a: 1 }); // loads the structures
      class Changing {
        toJSON(): number {
          change();
          return 1;
        }
      }
      const bytes = call(packr, [{ a: 1 }, { b: 2 }, new Changing(), ...parts]);
      for (const structures of [original, [...original, ['later']]]) {
        const reader = new Unpackr({ structures, ...options });
        assert.deepEqual(reader.unpack(bytes), [{ a: 1 }, { b: 2 }, 1, ...parts], about);
      }
      for (const structures of [other, [['q']], []]) {
        const stranger = new Unpackr({ structures, ...options });
        assertFault(() => stranger.unpack(bytes), { code: 'invalid_record', offset: 0 }, about);
      }
    }
  }
});

test('data of extensions are read with the dictionary of the message around them', () => {
  const original = [['a'], ['b']];
  const replacing = {
    source: () => {
      const source = { structures: original, propose() {} };
      const change = () => {
        source.structures = [['x'], ['y']];
      };
      return { structures: source, change };
    },
    getStructures: () => {
      let now = original;
      const change = () => {
        now = [['x'], ['y']];
        assertFault(() => new Unpackr({ getStructures: () => now }).unpack(bytesOf('45')), { code: 'unknown_record' });
      };
      return { getStructures: () => now, change };
    },
  };
  for (const [about, make] of Object.entries(replacing)) {
    for (const structuredClone of [false, true]) {
      const value = [new Wrapped({ a: 1 }), new Wrapped([{ b: 2 }]), { a: 3 }];
      const extensions = [WRAPPED];
      const bytes = new Packr({ structures: original, fingerprint, structuredClone, extensions }).pack(value);
      const { change, ...shared } = make();
      const read = (inner: unknown) => {
        change();
        return new Wrapped(inner);
      };
      const options = { ...shared, fingerprint, structuredClone, extensions: [{ ...WRAPPED, read }] };
      assert.deepEqual(new Unpackr(options).unpack(bytes), value, `${about} ${structuredClone}`);
    }
  }
});
