// Application extensions (spec/03): registered for one codec or for all, by bytes or by value.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addExtension,
  clearSource,
  decodeFirst,
  ExtData,
  type ExtensionDefinition,
  get,
  Packr,
  pack,
  Raw,
  Unpackr,
  unpack,
  unpackMultiple,
} from 'polypack';
import { assertFault } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
}

const money = {
  Class: Money,
  type: 11,
  pack: (value: Money) => Uint8Array.of(value.cents),
  unpack: (data: Uint8Array) => new Money(data[0] ?? 0),
};

test('pack and unpack work on the bytes', () => {
  const packr = new Packr({ records: 'off', extensions: [money] });
  const bytes = packr.pack([new Money(5), { m: new Money(6) }]);
  assert.equal(hexOf(bytes), '92d40b0581a16dd40b06');
  assert.deepStrictEqual(packr.unpack(bytes), [new Money(5), { m: new Money(6) }]);
});

test('an extension of one codec is unknown to every other', () => {
  const bytes = new Packr({ extensions: [money] }).pack(new Money(5));
  assert.deepStrictEqual(unpack(bytes), new ExtData(11, Uint8Array.of(5)));
  assert.deepStrictEqual(new Unpackr().unpack(bytes), new ExtData(11, Uint8Array.of(5)));
});

test('write and read work on a value', () => {
  class Pair {
    readonly left: unknown;
    readonly right: unknown;
    constructor(left: unknown, right: unknown) {
      this.left = left;
      this.right = right;
    }
  }
  const packr = new Packr({
    records: 'off',
    extensions: [
      {
        Class: Pair,
        type: 12,
        write: ({ left, right }: Pair) => [left, right],
        read: (value) => new Pair((value as unknown[])[0], (value as unknown[])[1]),
      },
    ],
  });
  const value = [new Pair(1, new Pair('a', { b: null })), 'after'];
  const bytes = packr.pack(value);
  assert.deepStrictEqual(packr.unpack(bytes), value);
  assert.equal(
    hexOf(new Packr({ records: 'off', extensions: [] }).pack(new Unpackr().unpack(bytes))),
    hexOf(bytes),
    'an ext of bytes',
  );
});

test('a Class with write and no type is written as what write returns', () => {
  class Secret {
    readonly text: string;
    constructor(text: string) {
      this.text = text;
    }
  }
  const packr = new Packr({ extensions: [{ Class: Secret, write: ({ text }: Secret) => '*'.repeat(text.length) }] });
  assert.equal(packr.unpack(packr.pack(new Secret('abc'))), '***');
});

test('a subclass is an instance; the later definition wins', () => {
  class Cash extends Money {}
  const first = { ...money, pack: () => Uint8Array.of(1) };
  const second = { ...money, pack: () => Uint8Array.of(2) };
  assert.equal(hexOf(new Packr({ extensions: [first, second] }).pack(new Cash(9))), 'd40b02');
});

test('addExtension reaches codecs that exist, and their own extensions win over it', () => {
  class Global {}
  const before = new Packr();
  const own = new Packr({
    extensions: [{ Class: Global, type: 98, pack: () => Uint8Array.of(2), unpack: () => 'own' }],
  });
  addExtension({ Class: Global, type: 99, pack: () => Uint8Array.of(1), unpack: () => new Global() });
  assert.equal(hexOf(pack(new Global())), 'd46301');
  assert.ok(unpack(bytesOf('d4 63 01')) instanceof Global);
  assert.ok(before.unpack(before.pack(new Global())) instanceof Global);
  assert.equal(own.unpack(own.pack(new Global())), 'own');
});

test('an error of encoding keeps its code when foreign code throws it, and its path goes on', () => {
  const fails = () => pack({ 'a/~': [2n ** 70n] });
  const refuses = () => unpack(bytesOf('91 c1'));
  for (const [thrower, code, path] of [
    [fails, 'out_of_range', '/x/0/a~1~0/0'],
    [refuses, 'unsupported_value', '/x/0'],
  ] as const) {
    class Packs {}
    class Writes {}
    const packr = new Packr({
      records: 'off',
      extensions: [
        { Class: Packs, type: 1, pack: thrower as () => Uint8Array },
        { Class: Writes, write: thrower },
      ],
    });
    const getter = {
      get x(): unknown {
        return thrower();
      },
    };
    class Converts {
      toJSON = thrower;
    }
    for (const value of [new Packs(), new Writes(), new Converts()]) {
      const failed = () => packr.pack({ x: [value] });
      assertFault(failed, { code, offset: null, path });
    }
    assertFault(() => packr.pack(getter), { code, path: path.replace('/0', '') });
    assertFault(() => packr.pack(new Map([[[new Packs()], 1]])), { code, path: '' });
  }
});

test('the data of an ext is a message of its own, and none of the sequence', () => {
  class Written {
    readonly value: unknown;
    constructor(value: unknown) {
      this.value = value;
    }
  }
  const extension = {
    Class: Written,
    type: 5,
    write: ({ value }: Written) => value,
    read: (value: unknown) => new Written(value),
  };
  const packr = new Packr({ records: 'inline', sequential: true, extensions: [extension] });
  const reader = new Unpackr({ records: 'inline', sequential: true, extensions: [extension] });
  const first = [{ a: 1 }, new Written({ a: 2 }), { a: 3 }];
  const second = [new Written({ b: 4 }), { b: 5 }, new Written({ a: 6 })];
  const messages = [first, second].map((value) => packr.pack(value));
  assert.deepEqual(messages.map(hexOf), [
    '93d4724091a16101c70705d4724091a161024003',
    '93c70705d4724091a16204d4724191a16205c70705d4724091a16106',
  ]);
  for (const [index, value] of [first, second].entries()) {
    assert.deepEqual(reader.unpack(messages[index] as Uint8Array), value);
  }
});

test('an extension that fails is unsupported_value with its failure as the cause', () => {
  const cause = new TypeError('mine');
  const failing = {
    Class: Money,
    type: 11,
    pack: () => {
      throw cause;
    },
    unpack: () => {
      throw cause;
    },
  };
  const packr = new Packr({ records: 'off', extensions: [failing] });
  const encoding = assertFault(() => packr.pack({ a: [new Money(1)] }), {
    code: 'unsupported_value',
    offset: null,
    path: '/a/0',
  });
  assert.equal(encoding.cause, cause);
  const decoding = assertFault(() => packr.unpack(bytesOf('92 01 d4 0b 05')), {
    code: 'unsupported_value',
    offset: 2,
    path: '/1',
  });
  assert.equal(decoding.cause, cause);
  assert.deepEqual(packr.unpack(packr.pack([1])), [1]);
});

test('an encoder that returns no bytes, or bytes that mean something else, is refused', () => {
  const returning = (type: number, data: unknown) => () =>
    new Packr({ extensions: [{ Class: Money, type, pack: () => data as Uint8Array }] }).pack(new Money(1));
  assertFault(returning(11, 'text'), { code: 'unsupported_value' });
  assertFault(returning(11, undefined), { code: 'unsupported_value' });
  assertFault(returning(0x72, Uint8Array.of(0x40)), { code: 'invalid_record' });
  assert.equal(hexOf(returning(0x72, Uint8Array.of(1, 2, 3))()), 'c70372010203');
  assert.equal(hexOf(returning(11, new Uint8Array(0))()), 'c7000b');
});

test('an extension that packs itself again ends in an error, not in the call stack', () => {
  class Loop {}
  const packr: Packr = new Packr({
    extensions: [
      { Class: Loop, type: 13, pack: (value: Loop) => packr.pack(value), unpack: (data) => packr.unpack(data) },
    ],
  });
  assert.throws(() => packr.pack(new Loop()), { name: 'PolypackError' });
  const writing = new Packr({ extensions: [{ Class: Loop, write: (value: Loop) => value }] });
  assertFault(() => writing.pack(new Loop()), { code: 'unsupported_value' });
  assert.equal(hexOf(packr.pack(1)), '01');
});

test('every ext type nobody registered goes through unchanged', () => {
  for (let type = -128; type < 128; type++) {
    // −1 is the timestamp, and 99 was registered for every codec above.
    if (type === -1 || type === 99) continue;
    for (const length of [0, 3, 4, 17]) {
      const ext = new ExtData(type, new Uint8Array(length).fill(7));
      assert.deepStrictEqual(unpack(pack(ext)), ext, `type ${type}`);
    }
  }
});

test('ExtData checks what it is given', () => {
  for (const type of [128, -129, 1.5, Number.NaN])
    assertFault(() => new ExtData(type, new Uint8Array(1)), { code: 'out_of_range' });
  assert.throws(() => new ExtData(5, 'text' as never), TypeError);
});

test('members of a definition are read once', () => {
  class Point {}
  let reads = 0;
  const definition = {
    Class: Point,
    type: 9,
    get pack() {
      reads++;
      return () => new Uint8Array([reads]);
    },
  };
  assert.deepEqual(new Packr({ extensions: [definition] }).pack(new Point()), bytesOf('d4 09 01'));
});

// --- registrations during a call: last, because these stay registered ------------------------------------------------

/** An extension of one codec that registers another one for every codec when it is read or written. */
function registering(type: number, definition: ExtensionDefinition): ExtensionDefinition<Money> {
  const register = () => addExtension(definition);
  return {
    Class: Money,
    type,
    pack(): Uint8Array {
      register();
      return Uint8Array.of(0);
    },
    unpack(): Money {
      register();
      return new Money(type);
    },
  };
}

test('an extension that is registered meanwhile changes nothing in the message that is being read', () => {
  const late = { type: 0x73, unpack: () => 'late' };
  const unpackr = new Unpackr({ moreTypes: true, extensions: [registering(20, late) as ExtensionDefinition] });
  const bytes = bytesOf('92 d4 14 00 d4 73 00 91 01');
  assert.deepEqual(unpackr.unpack(bytes), [new Money(20), new Set([1])]);
  assertFault(() => unpackr.unpack(bytes), { code: 'trailing_data', offset: 7 });
});

test('nor in the path of its fault', () => {
  const late = { type: 21, read: (value: unknown) => value };
  const unpackr = new Unpackr({ structuredClone: true, extensions: [registering(22, late) as ExtensionDefinition] });
  // The ext of type 21 is a value, and no prefix of the 5.
  const bytes = bytesOf('94 d4 16 00 d4 15 00 05 d9');
  assertFault(() => unpackr.unpack(bytes), { code: 'unexpected_end', path: '/3' });
});

test('nor in the messages that the same call reads', () => {
  const late = { type: 0x76, unpack: () => 'late' };
  const options = { moreTypes: true, bundleStrings: true } as const;
  const unpackr = new Unpackr({ ...options, extensions: [registering(25, late) as ExtensionDefinition] });
  const buffer = 'c7 02 74 10 07';
  const bytes = bytesOf(`d4 19 00 d4 76 01 93 ${buffer} 00 01`);
  assert.deepEqual(unpackr.unpackMultiple(bytes), [new Money(25), Uint8Array.of(7)]);
});

test('nor in a sequence whose codec is used in a call-back', () => {
  const late = { type: 26, unpack: () => 'late' };
  const nested = {
    type: 27,
    unpack(): number {
      addExtension(late);
      return unpackr.unpack<number>(bytesOf('07'));
    },
  };
  const unpackr = new Unpackr({ sequential: true, extensions: [nested] });
  assert.deepEqual(unpackr.unpack(bytesOf('92 d4 1b 00 d4 1a 00')), [7, new ExtData(26, Uint8Array.of(0))]);
  assert.equal(unpackr.unpack(bytesOf('d4 1a 00')), 'late');
});

test('nor in what is being written', () => {
  const late = { Class: Money, type: 29, write: () => 1, read: () => new Money(1) };
  const packr = new Packr({
    structuredClone: true,
    extensions: [registering(28, late as ExtensionDefinition) as ExtensionDefinition],
  });
  const value = [new Money(1), new ExtData(29, Uint8Array.of(0))];
  assert.equal(hexOf(packr.pack(value)), '92d41c00d41d00');
  assertFault(() => packr.pack(value), { code: 'unsupported_value', path: '/1' });
});

test('nor in how its strings are bundled', () => {
  const late = { type: 31, read: (value: unknown) => value };
  const options = { structuredClone: true, bundleStrings: true } as const;
  const packr = new Packr({ ...options, extensions: [registering(30, late) as ExtensionDefinition] });
  const bytes = packr.pack([new Money(1), new ExtData(31, Uint8Array.of(0)), 'a text']);
  const plain = new Unpackr({ ...options, extensions: [{ type: 31, unpack: () => 'own' }] });
  assert.deepEqual(plain.unpack<unknown[]>(bytes).slice(1), ['own', 'a text']);
});

test('an extension may release the inputs of earlier calls', () => {
  let calls = 0;
  addExtension({
    type: 33,
    unpack(data) {
      calls++;
      clearSource();
      assert.deepEqual(unpack(bytesOf('93 01 02 a1 61')), [1, 2, 'a']);
      clearSource();
      return [...data];
    },
  });
  const bytes = bytesOf('93 01 c7 03 21 07 08 09 a2 61 62');
  const value = [1, [7, 8, 9], 'ab'];
  assert.deepEqual(unpack(bytes), value);
  assert.deepEqual(unpackMultiple(bytes), [value]);
  unpackMultiple(Buffer.concat([bytes, bytes]), (each) => {
    clearSource();
    assert.deepEqual(each, value);
  });
  assert.deepEqual(decodeFirst(bytes, 0), { value, end: bytes.length });
  assert.deepEqual(get(bytes, ''), value);
  assert.deepEqual(get(bytes, '/1'), value[1]);
  assert.deepEqual(new Raw(bytes).unpack(), value);
  assert.ok(calls >= 8);
  clearSource();
  assert.deepEqual(unpack(bytes), value);
});
