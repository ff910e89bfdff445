// Values to bytes: spec/02 and spec/09#javascript, and what JavaScript can hand an encoder beyond the data model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ExtData,
  type ExtensionDefinition,
  encode,
  encodeCanonical,
  FLOAT32_OPTIONS,
  Float,
  Packr,
  PolypackError,
  pack,
  unpack,
} from 'polypack';
import { Packr as CompactPackr, pack as compactPack, unpack as compactUnpack } from 'polypack/compact';
import { assertFault, assertPacks, packedBy } from '../_check.ts';
import { QUICK, THOROUGH } from '../_runs.ts';
import { bytesOf, hexOf } from '../_values.ts';

test('outside default mode, an instance without properties is an error', () => {
  class Secret {
    #value = 5;
    get value() {
      return this.#value;
    }
  }
  assert.equal(hexOf(new Packr({ records: 'off' }).pack(new Secret())), '80'); // like JSON and msgpackr
  for (const mode of ['strict', 'lossless'] as const) {
    const packr = new Packr({ mode, records: 'off' });
    assertFault(() => packr.pack([new Secret()]), { code: 'unsupported_value', offset: null, path: '/0' });
    assert.throws(() => packr.pack(new Secret()), /Secret.*toJSON or an extension/);
    assert.equal(hexOf(packr.pack([{}, Object.create(null)])), '928080');
  }
  assert.throws(() => encodeCanonical(new Secret()), PolypackError);
});

test('an object that contains itself is an error that names structuredClone', () => {
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  assert.throws(() => pack(ring), /contains itself.*structuredClone/);
});

test('nil, undefined and bool', () => {
  assertPacks(null, 'c0');
  assertPacks(undefined, 'd4 00 00');
  assertPacks(false, 'c2');
  assertPacks(true, 'c3');
  assertPacks({ a: undefined }, '81 a1 61 d4 00 00', 'a property that is undefined stays');
  assert.equal(packedBy({ encodeUndefinedAsNil: true, records: 'off' }, [undefined, { a: undefined }]), '92c081a161c0');
});

test('integral numbers within ±(2⁵³−1) are ints of the shortest head', () => {
  for (const [value, bytes] of [
    [0, '00'],
    [127, '7f'],
    [128, 'cc 80'],
    [255, 'cc ff'],
    [256, 'cd 01 00'],
    [65_535, 'cd ff ff'],
    [65_536, 'ce 00 01 00 00'],
    [2 ** 31, 'ce 80 00 00 00'],
    [2 ** 32 - 1, 'ce ff ff ff ff'],
    [2 ** 32, 'cf 00 00 00 01 00 00 00 00'],
    [1_700_000_000_000, 'cf 00 00 01 8b cf e5 68 00'],
    [Number.MAX_SAFE_INTEGER, 'cf 00 1f ff ff ff ff ff ff'],
    [-1, 'ff'],
    [-32, 'e0'],
    [-33, 'd0 df'],
    [-128, 'd0 80'],
    [-129, 'd1 ff 7f'],
    [-32_768, 'd1 80 00'],
    [-32_769, 'd2 ff ff 7f ff'],
    [-(2 ** 31), 'd2 80 00 00 00'],
    [-(2 ** 31) - 1, 'd3 ff ff ff ff 7f ff ff ff'],
    [-(2 ** 32), 'd3 ff ff ff ff 00 00 00 00'],
    [Number.MIN_SAFE_INTEGER, 'd3 ff e0 00 00 00 00 00 01'],
  ] as const) {
    assertPacks(value, bytes, String(value));
    assertPacks(BigInt(value), bytes, `${value}n`);
  }
});

test('every other number is a float 64', () => {
  assertPacks(-0, 'cb 80 00 00 00 00 00 00 00');
  assertPacks(1.5, 'cb 3f f8 00 00 00 00 00 00');
  assertPacks(2 ** 53, 'cb 43 40 00 00 00 00 00 00', 'the first integral number that is not safe');
  assertPacks(-(2 ** 53), 'cb c3 40 00 00 00 00 00 00');
  assertPacks(1e300, 'cb 7e 37 e4 3c 88 00 75 9c');
  assertPacks(Number.POSITIVE_INFINITY, 'cb 7f f0 00 00 00 00 00 00');
  assertPacks(Number.NaN, 'cb 7f f8 00 00 00 00 00 00');
  const negativeNaN = new Float64Array(new BigUint64Array([0xfff8_0000_dead_beefn]).buffer)[0];
  assertPacks(negativeNaN, 'cb 7f f8 00 00 00 00 00 00', 'one NaN, whatever its payload');
  assertPacks(new Float(1), 'cb 3f f0 00 00 00 00 00 00');
  assertPacks(new Float(-0), 'cb 80 00 00 00 00 00 00 00');
});

test('a bigint is an int, or out of range', () => {
  assertPacks(2n ** 64n - 1n, 'cf ff ff ff ff ff ff ff ff');
  assertPacks(-(2n ** 63n), 'd3 80 00 00 00 00 00 00 00');
  for (const value of [2n ** 64n, -(2n ** 63n) - 1n, 10n ** 40n]) {
    assertFault(() => pack({ a: [value] }), { code: 'out_of_range', offset: null, path: '/a/0' });
  }
  assert.equal(packedBy({ largeBigIntToFloat: true }, 2n ** 64n), 'cb43f0000000000000');
  assert.equal(packedBy({ largeBigIntToFloat: true }, 5n), '05', 'the option is for what no int holds');
});

test('useFloat32', () => {
  const { NEVER, ALWAYS, DECIMAL_ROUND, DECIMAL_FIT } = FLOAT32_OPTIONS;
  const hex = (useFloat32: boolean | number, value: unknown) => packedBy({ useFloat32 } as object, value);
  assert.equal(hex(NEVER, 7.99), hexOf(pack(7.99)));
  for (const always of [ALWAYS, true]) assert.equal(hex(always, 7.99), 'ca40ffae14');
  assert.equal(hex(DECIMAL_ROUND, 7.99), 'ca40ffae14');
  assert.equal(hex(DECIMAL_FIT, 7.99), 'ca40ffae14');
  assert.equal(hex(DECIMAL_FIT, 7.990000123), hexOf(pack(7.990000123)), 'more digits than a float 32 has');
  assert.equal(hex(ALWAYS, 3), '03', 'integral numbers stay ints');
  for (const option of [DECIMAL_ROUND, DECIMAL_FIT]) {
    const packr = new Packr({ useFloat32: option });
    for (const value of [7.99, 0.1, -0.3, 1234.567, 1e-5, 99999.5, 0.007]) {
      assert.equal(packr.unpack(packr.pack(value)), value, `${value} with option ${option}`);
    }
  }
});

test('strings at every change of head, and every length of UTF-8 sequence', () => {
  for (const unit of ['a', 'é', '漢', '😀']) {
    const width = new TextEncoder().encode(unit).length;
    for (const length of [0, 1, 2, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 65_535, 65_536]) {
      const text = unit.repeat(Math.ceil(length / width));
      const utf8 = new TextEncoder().encode(text);
      const packed = pack(text);
      const head = utf8.length < 32 ? 1 : utf8.length < 256 ? 2 : utf8.length < 65_536 ? 3 : 5;
      assert.equal(packed.length, head + utf8.length, `head of ${utf8.length} bytes`);
      assert.deepEqual(packed.subarray(head), utf8);
      assert.equal(unpack(packed), text);
    }
  }
});

test('one wide character anywhere in a text of any length', () => {
  for (let length = 1; length < 80; length++) {
    for (const at of new Set([0, length >> 1, length - 1])) {
      const text = `${'x'.repeat(at)}é${'y'.repeat(length - at - 1)}`;
      assert.deepEqual(pack([text]).subarray(length + 1 < 32 ? 2 : 3), new TextEncoder().encode(text));
    }
  }
});

test('characters of every length beside each other', () => {
  // The first and the last of those with 1, 2, 3 and 4 bytes, and those around the surrogates.
  const units = [...'\0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}', '\ud800'];
  for (let number = 0; number < units.length ** 4; number++) {
    const whole = [0, 1, 2, 3].map((at) => units[Math.floor(number / units.length ** at) % units.length] as string);
    const some = whole.slice(number % 4);
    const text = some.join('');
    if (some.includes('\ud800')) assertFault(() => pack(text), { code: 'invalid_utf8', offset: null, path: '' });
    else assert.equal(hexOf(pack(text).subarray(1)), hexOf(new TextEncoder().encode(text)), JSON.stringify(text));
  }
});

test('a lone surrogate is no text, wherever it stands', () => {
  for (const length of [0, 1, 5, 31, 40, 70, 300, 70_000]) {
    for (const lone of ['\ud800', '\udfff', '\udc00\ud800']) {
      for (const text of [lone + 'x'.repeat(length), 'x'.repeat(length) + lone, `é${'x'.repeat(length)}${lone}`]) {
        assertFault(() => pack([text]), { code: 'invalid_utf8', offset: null, path: '/0' });
      }
    }
  }
  assertFault(
    () => pack({ '\ud800': 1 }),
    { code: 'invalid_utf8', offset: null, path: '' },
    'a key: the path of the map',
  );
});

test('long text of every kind is exact, and a lone surrogate is found among characters of any bytes', () => {
  // U+FFFD is what a host writes for a lone surrogate; the others after it share bytes with it.
  for (const unit of ['a', 'é', '漢', '😀', '\ufffd', '，', '\uffbd', '\ufffc\ufffd', 'x，é\ufffd']) {
    for (const count of [10, 21, 25, 41, 49, 86, 100, 255, 300, 22_000]) {
      const text = unit.repeat(count);
      const utf8 = new TextEncoder().encode(text);
      assert.deepEqual(pack([text]).subarray(-utf8.length), utf8);
      assert.equal((unpack(pack([text])) as string[])[0], text);
      for (const lone of ['\ud83d', '\ude00']) {
        for (const at of [0, unit.length * (count >> 1), text.length]) {
          const broken = text.slice(0, at) + lone + text.slice(at);
          assertFault(() => pack([broken]), { code: 'invalid_utf8', offset: null, path: '/0' });
        }
      }
    }
  }
});

test('a head that is longer than some characters let expect', () => {
  // Memory for the text alone, and characters that are looked at have fewer bytes than all the others.
  for (const [unit, counts] of [
    ['漢', [60, 84, 85, 86, 100, 21_840, 21_845, 21_846, 21_850, 21_900]],
    ['é', [86, 127, 128, 130, 32_766, 32_768, 32_770]],
  ] as const) {
    for (const count of counts) {
      for (const first of ['', 'a', 'é', 'aa']) {
        for (const last of ['', 'a', 'é']) {
          const text = first + unit.repeat(count) + last;
          const utf8 = new TextEncoder().encode(text);
          const bytes = new Packr().pack(text);
          assert.deepEqual(bytes.subarray(-utf8.length), utf8, `${first} ${unit} ${count} ${last}`);
          assert.equal(bytes.length - utf8.length, utf8.length < 0x100 ? 2 : utf8.length < 0x1_0000 ? 3 : 5);
        }
      }
    }
  }
});

test('binary data by its exact bytes', () => {
  assertPacks(new Uint8Array(0), 'c4 00');
  assertPacks(Uint8Array.of(0, 255), 'c4 02 00 ff');
  assertPacks(Uint8Array.of(9, 1, 2, 9).subarray(1, 3), 'c4 02 01 02', 'a window on a larger buffer');
  assertPacks(Uint8Array.of(1, 2).buffer, 'c4 02 01 02');
  assertPacks(Buffer.from([1, 2]), 'c4 02 01 02');
  assertPacks(new Uint16Array(Uint8Array.of(1, 2, 3, 4).buffer, 2), 'c4 02 03 04');
  assertPacks(new DataView(Uint8Array.of(1, 2, 3).buffer, 1, 1), 'c4 01 02');
  assertPacks(new Float32Array(0), 'c4 00');
  for (const [length, head] of [
    [255, 'c4 ff'],
    [256, 'c5 01 00'],
    [65_535, 'c5 ff ff'],
    [65_536, 'c6 00 01 00 00'],
  ] as const) {
    assertPacks(new Uint8Array(length).fill(7), `${head} 07*${length}`);
  }
});

test('bytes with a length of their own, as lmdb gives, are written whole', () => {
  class Held {
    readonly data: Uint8Array;
    constructor(data: Uint8Array) {
      this.data = data;
    }
  }
  const held = { Class: Held, type: 7, pack: ({ data }: Held) => data, unpack: (data: Uint8Array) => new Held(data) };
  const extensions = [held as ExtensionDefinition];
  const options = { records: 'off', extensions } as const;
  const doors = {
    full: new Packr(options),
    compat: new Packr({ ...options, compat: 'msgpackr' }),
    moreTypes: new Packr({ ...options, moreTypes: true }),
    structuredClone: new Packr({ ...options, structuredClone: true }),
    compact: new CompactPackr({ extensions }),
    canonical: { pack: (value: unknown) => encodeCanonical(value) },
  };
  const made: ((data: Uint8Array) => unknown)[] = [
    (data) => data,
    (data) => new ExtData(5, data),
    (data) => new ExtData(0x72, data),
    (data) => new ExtData(-1, data),
    (data) => new Held(data),
  ];
  const outcome = (run: () => Uint8Array) => {
    try {
      return hexOf(run());
    } catch (error) {
      return (error as PolypackError).code;
    }
  };
  for (const [door, codec] of Object.entries(doors)) {
    for (const [index, make] of made.entries()) {
      // It doesn't have the extension.
      if (make(new Uint8Array()) instanceof Held && door === 'canonical') continue;
      for (const length of [0, 1, 2, 3, 4, 8, 256]) {
        for (const said of [0, 1, 2, length + 1, 65_536]) {
          for (const bytes of [
            new Uint8Array(length),
            ...(typeof Buffer === 'undefined' ? [] : [Buffer.alloc(length)]),
          ]) {
            const expected = outcome(() => codec.pack([make(bytes), 5]));
            Object.defineProperty(bytes, 'length', { value: said });
            const about = `${door}, ${index}: ${length} bytes, and length ${said}`;
            assert.equal(
              outcome(() => codec.pack([make(bytes), 5])),
              expected,
              about,
            );
          }
        }
      }
    }
  }
});

test('arrays, holes, sets and other iterables', () => {
  assertPacks([], '90');
  assertPacks([1, null], '92 01 c0');
  assertPacks(Array(3), '93 (d4 00 00)*3', 'a hole is undefined');
  assertPacks(Array(15).fill(1), '9f 01*15');
  assertPacks(Array(16).fill(1), 'dc 00 10 01*16');
  assertPacks(Array(65_536).fill(1), 'dd 00 01 00 00 01*65536');
  assertPacks(new Set([1, 'a']), '92 01 a1 61');
  assertPacks(Object.assign([1], { extra: 2 }), '91 01', 'only the elements of an array');
});

test('points are written as any other arrays, whatever is among them', () => {
  const alone = (array: readonly unknown[]) => array.map((element) => hexOf(pack(element))).join('');
  const odd: unknown[] = [1, 1.5, null, 'a', [], [1.5], [1, 2.5], [1.5, -0], [Number.NaN, 2.5], [2.5, 2 ** 40]];
  odd.push([1.5, 'a'], ['a', 1.5], [1.5, null], [1.5, 2.5, 3.5], [[1.5, 2.5]], new Array(2), { x: 1.5 }, new Date(0));
  for (const length of [4, 15, 16, 32, 33, 64, 100]) {
    const points: unknown[] = Array.from({ length }, (_, index) => [index + 0.5, -index / 3 - 0.1]);
    const head = length < 16 ? (0x90 + length).toString(16) : `dc00${length.toString(16).padStart(2, '0')}`;
    assert.equal(hexOf(pack(points)), head + alone(points), `${length} points`);
    for (const one of odd) {
      for (const at of [0, 1, length >> 1, length - 1]) {
        const mixed = points.map((point, index) => (index === at ? one : point));
        assert.equal(hexOf(pack(mixed)), head + alone(mixed), `${JSON.stringify(one)} at ${at} of ${length}`);
      }
    }
  }
});

test('points have the depth and the faults of any other arrays', () => {
  const points = Array.from({ length: 40 }, () => [0.5, 1.5]);
  const limited = (maxDepth: number) => new Packr({ records: 'off', limits: { maxDepth } });
  assert.equal(limited(2).pack(points).length, 3 + 19 * 40);
  assertFault(() => limited(1).pack(points), { code: 'limit_exceeded', offset: null, path: '/0' });
  const failing = Object.defineProperty([0.5, 1.5], 1, {
    get() {
      throw new Error('no');
    },
  });
  assertFault(() => pack(points.map((point, index) => (index === 33 ? failing : point))), {
    code: 'unsupported_value',
    offset: null,
    path: '/33/1',
  });
});

test('floats and points with getters have the paths of any other arrays, and never more elements than their head says', () => {
  for (const at of [0, 1, 5, 64, 70]) {
    const floats = Array.from({ length: 72 }, (_, index) => index + 0.5);
    Object.defineProperty(floats, at, {
      get() {
        throw new Error('no');
      },
    });
    assertFault(() => pack(['before', floats]), { code: 'unsupported_value', offset: null, path: `/1/${at}` });
  }
  for (const start of [0.5, [0.5, 1.5]] as const) {
    const growing: unknown[] = Array.from({ length: 8 }, () => start);
    const point = [0.5, 1.5];
    if (typeof start !== 'number') growing[0] = point;
    const element = typeof start === 'number' ? growing : point;
    Object.defineProperty(element, 0, {
      get() {
        growing.push(start);
        return 0.5;
      },
    });
    assert.deepEqual(
      unpack(pack(growing)),
      Array.from({ length: 8 }, () => start),
    );
  }
});

test('maps and objects', () => {
  assertPacks({}, '80');
  assertPacks({ a: 1 }, '81 a1 61 01');
  assertPacks(new Map<unknown, unknown>(Object.entries({ a: null })).set(1, 2).set(null, 3), '83 a1 61 c0 01 02 c0 03');
  for (const [count, head] of [
    [15, 1],
    [16, 3],
    [65_535, 3],
    [65_536, 5],
  ] as const) {
    if (QUICK && count > 16) continue;
    const object = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]));
    const body = Object.keys(object).reduce((sum, key) => sum + key.length + 2, 0);
    assert.equal(pack(object).length, head + body, `${count} entries`);
    assert.equal(pack(new Map(Object.entries(object))).length, head + body, `${count} entries of a Map`);
  }
});

test('variableMapSize: false writes map 16, as the library it is named after does', () => {
  assert.equal(packedBy({ variableMapSize: false, records: 'off' }, { a: 1 }), 'de0001a16101');
  assert.equal(packedBy({ variableMapSize: true, records: 'off' }, { a: 1 }), '81a16101');
});

test('only own enumerable string keys', () => {
  const object = Object.create({ inherited: 1 });
  object.own = 1;
  object[Symbol('s')] = 2;
  Object.defineProperty(object, 'hidden', { value: 3, enumerable: false });
  assertPacks(object, '81 a3 6f 77 6e 01');
  assertPacks(Object.assign(Object.create(null), { a: 1 }), '81 a1 61 01');
});

test('__proto__ is a key like any other', () => {
  const bytes = bytesOf('81 a9 5f 5f 70 72 6f 74 6f 5f 5f 81 a1 61 01');
  const value = unpack(bytes) as object;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal((value as { a?: number }).a, undefined);
  assert.equal(hexOf(pack(value)), hexOf(bytes));
});

test('toJSON of an object that is not plain', () => {
  class Celsius {
    readonly degrees: number;
    constructor(degrees: number) {
      this.degrees = degrees;
    }
    toJSON() {
      return `${this.degrees}°C`;
    }
  }
  assertPacks([new Celsius(20)], '91 a5 32 30 c2 b0 43');
  class Point {
    x = 1;
    y = 2;
  }
  assertPacks(new Point(), '82 a1 78 01 a1 79 02');
});

test('functions and symbols have no encoding', () => {
  assertFault(() => pack({ jobs: [{ run: () => 1 }] }), {
    code: 'unsupported_value',
    offset: null,
    path: '/jobs/0/run',
  });
  assertFault(() => pack([Symbol('s')]), { code: 'unsupported_value', offset: null, path: '/0' });
  assertFault(() => pack(class Nothing {}), { code: 'unsupported_value', path: '' });
});

test('objects that hold what no property tells have no encoding, unless something says one', () => {
  const opaque = [new TypeError('lost'), /lost/u, Promise.resolve(1), new WeakMap(), new WeakSet(), new WeakRef({})];
  for (const value of opaque) {
    assertFault(() => pack({ a: [value] }), { code: 'unsupported_value', offset: null, path: '/a/0' });
    assertPacks(Object.assign(value, { toJSON: () => 'kept' }), 'a4 6b 65 70 74');
  }
  const objects = [
    ...[new Blob(['a']), new File(['a'], 'a'), new ReadableStream(), new Request('http://a.example'), new Response()],
    ...[new AbortController().signal, new Intl.NumberFormat()],
    (async function* nothing() {})(),
  ];
  for (const value of objects) {
    assertFault(() => pack([value]), { code: 'unsupported_value', offset: null, path: '/0' });
    assertFault(() => compactPack([value]), { code: 'unsupported_value', offset: null, path: '/0' });
  }
  // A tag with such a word in it says nothing.
  for (const tag of ['Tagged', 'ErrorReport', 'MyError', 'WeakSignal', 'Weak', 'PromiseLike', 'RegExp2']) {
    const tagged = new (class Tagged {
      get [Symbol.toStringTag]() {
        return tag;
      }
      readonly a = 1;
    })();
    assertPacks(tagged, '81 a1 61 01');
    assert.equal(hexOf(compactPack(tagged)), '81a16101');
  }
  class HttpError extends Error {
    get [Symbol.toStringTag]() {
      return 'HttpError';
    }
    readonly status = 404;
  }
  assertFault(() => pack([new HttpError('lost')]), { code: 'unsupported_value', path: '/0' });
  assertFault(() => compactPack([new HttpError('lost')]), { code: 'unsupported_value', path: '/0' });
  assertFault(() => pack([Object.assign(new Error('lost'), { status: 404 })]), {
    code: 'unsupported_value',
    path: '/0',
  });
  for (const value of [new RangeError('kept'), /kept/g]) {
    const packr = new Packr({ structuredClone: true, regExps: true });
    assert.deepEqual(packr.unpack(packr.pack(value)), value);
  }
});

test('whatever user code throws, it becomes an error of this package, with what was thrown as the cause', () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const unreadable = {
    get name() {
      throw new Error('no name');
    },
  };
  const odd: unknown[] = [{ name: Symbol() }, new RangeError(), { name: 'RangeError', message: Symbol() }, unreadable];
  // Names and texts that only begin like those of an exhausted stack.
  const alike = ['InternalErrorException', 'RangeErrorOfMine', ''].map((name) =>
    Object.assign(new Error('InternalError: the call stack'), { name }),
  );
  for (const thrown of [...odd, ...alike, revoked.proxy]) {
    const fail = () => {
      throw thrown;
    };
    const options = { extensions: [{ type: 5, read: fail } as ExtensionDefinition] };
    const value = new (class Failing {
      toJSON = fail;
    })();
    const ext = bytesOf('91 d4 05 01');
    const runs = [() => unpack(ext, options), () => compactPack([value]), () => compactUnpack(ext, options)];
    // Reading the class of a revoked Proxy fails, too, and then that is the cause.
    if (thrown !== revoked.proxy) runs.push(() => pack([value]) as unknown as Uint8Array);
    for (const run of runs) assert.equal(assertFault(run, { code: 'unsupported_value' }).cause, thrown);
  }
});

test('ext values get the shortest head', () => {
  for (const [length, head] of [
    [0, 'c7 00 05'],
    [1, 'd4 05'],
    [2, 'd5 05'],
    [3, 'c7 03 05'],
    [4, 'd6 05'],
    [8, 'd7 05'],
    [16, 'd8 05'],
    [17, 'c7 11 05'],
    [255, 'c7 ff 05'],
    [256, 'c8 01 00 05'],
    [65_536, 'c9 00 01 00 00 05'],
  ] as const) {
    assertPacks(new ExtData(5, new Uint8Array(length)), length === 0 ? head : `${head} 00*${length}`);
  }
  assertPacks(new ExtData(-128, Uint8Array.of(1)), 'd4 80 01');
  for (const length of [1, 2]) {
    assertFault(() => pack([new ExtData(0x72, new Uint8Array(length))]), { code: 'invalid_record', path: '/0' });
  }
  assertPacks(new ExtData(0x72, new Uint8Array(3)), 'c7 03 72 00*3');
  assertPacks(new ExtData(0, Uint8Array.of(0)), 'd4 00 00');
});

test('a result is independent, and transferring it harms no other', () => {
  const packr = new Packr({ useRecords: false });
  const first = packr.pack({ a: 1 });
  const second = packr.pack({ b: 2 });
  try {
    structuredClone(first, { transfer: [first.buffer as ArrayBuffer] });
  } catch (error) {
    // The pool of Buffers: newer hosts refuse it, older ones clone it.
    assert.equal((error as Error).name, 'DataCloneError');
  }
  assert.equal(hexOf(second), '81a16202');
  assert.equal(hexOf(packr.pack([1])), '9101');
  second.fill(0xff);
  assert.equal(hexOf(packr.pack({ b: 2 })), '81a16202');
  assert.equal(hexOf(first.length === 0 ? packr.pack({ a: 1 }) : first), '81a16101');
});

test('a large result has memory of its own, and little more than it needs', () => {
  const packr = new Packr({ useRecords: false });
  for (const length of [5000, 20_000, 100_000, 120_000, 90_000, 1_000_000, 3000, 1_100_000]) {
    const value = ['x'.repeat(length), length];
    for (let round = 0; round < 3; round++) {
      const bytes = packr.pack(value);
      const { buffer } = bytes;
      assert.ok(buffer.byteLength <= 1.25 * bytes.length, `${buffer.byteLength} bytes for ${bytes.length}`);
      // What is behind the message is nothing that was in the memory before.
      assert.ok(new Uint8Array(buffer, bytes.length).every((byte) => byte === 0));
      assert.deepEqual(packr.unpack(bytes), value);
      structuredClone(bytes, { transfer: [buffer as ArrayBuffer] });
      assert.equal(bytes.length, 0);
    }
  }
});

test('a message with no room in the rest of a slab does not send all after it to memory of their own', () => {
  // Text of 300 units is given room for three times as many bytes, which the end of a slab does not have.
  const value = ['x'.repeat(300), 'y'.repeat(300)];
  const results = Array.from({ length: 300 }, () => pack(value));
  const memories = new Set(results.map(({ buffer }) => buffer)).size;
  assert.ok(memories < 60, `${memories} memories for 300 results of 600 bytes`);
  for (const result of results) assert.deepEqual(unpack(result), value);
});

test('results keep their bytes while thousands of others are written, at every length', () => {
  const packr = new Packr({ useRecords: false });
  const values = Array.from({ length: 3000 }, (_, index) => ({ index, text: 'y'.repeat((index * 37) % 900) }));
  const messages = values.map((value) => packr.pack(value));
  assert.deepEqual(
    messages.map((bytes) => packr.unpack(bytes)),
    values,
  );
});

test('results of all lengths in any order keep their bytes, also when messages between them fail', THOROUGH, () => {
  // Structured cloning has no slabs, and neither has a browser.
  for (const structuredClone of [false, true]) {
    const packr = new Packr({ useRecords: false, structuredClone });
    const values = Array.from({ length: 400 }, (_, index) => {
      const length = [3, 700, 2040, 2060, 9000, 70_000, 40, 200_000][(index * 7 + (index >> 4)) % 8] as number;
      return [index, String.fromCharCode(0x61 + (index % 26)).repeat(length), index];
    });
    const messages = values.map((value, index) => {
      if (index % 3 === 0) assertFault(() => packr.pack([value, value, '\ud800']), { code: 'invalid_utf8' });
      return packr.pack(value);
    });
    const own = new Set(messages.filter(({ length }) => length > 5000).map(({ buffer }) => buffer));
    assert.equal(own.size, messages.filter(({ length }) => length > 5000).length);
    for (const [index, bytes] of messages.entries()) assert.deepEqual(packr.unpack(bytes), values[index]);
  }
});

test('every short result has memory of its own where there are no slabs, and all of it', () => {
  const packr = new Packr({ useRecords: false, structuredClone: true });
  const twin = new Packr({ useRecords: false });
  const values = Array.from({ length: 300 }, (_, index) => String.fromCharCode(0x61 + (index % 26)).repeat(index % 75));
  const messages = values.map((value, index) => {
    // Some that make the memory larger come between.
    if (index % 50 === 49) packr.pack('z'.repeat(20 * index));
    return packr.pack(value);
  });
  for (const [index, bytes] of messages.entries()) {
    assert.equal(hexOf(bytes), hexOf(twin.pack(values[index])));
    assert.equal(bytes.constructor, Uint8Array);
    assert.equal(bytes.byteOffset, 0);
    assert.equal(bytes.buffer.byteLength, bytes.length);
    structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
  }
  assert.equal(new Set(messages.map(({ buffer }) => buffer)).size, messages.length);
  assert.equal(hexOf(packr.pack('again')), hexOf(twin.pack('again')));
});

test('objects of every number of names, twice, and names of every length', THOROUGH, () => {
  const packr = new Packr({ useRecords: false });
  const wide = new Packr({ useRecords: false, variableMapSize: false });
  for (let round = 0; round < 2; round++) {
    for (const count of [0, 1, 2, 15, 16, 17, 31, 63, 64, 65, 70, 300]) {
      const object = Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, index]));
      for (const order of [object, Object.fromEntries(Object.entries(object).reverse())]) {
        assert.equal(hexOf(packr.pack(order)), hexOf(packr.pack(new Map(Object.entries(order)))));
        assert.deepEqual(packr.unpack(wide.pack([order, order])), [order, order]);
      }
    }
    for (let length = 0; length < 70; length++) {
      for (const letter of ['x', 'é', '漢', '😀']) {
        const object = { [letter.repeat(length)]: length, [`${letter}${'z'.repeat(length)}`]: 1 };
        assert.equal(hexOf(packr.pack(object)), hexOf(packr.pack(new Map(Object.entries(object)))));
      }
    }
  }
  const large = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`n${index}`, index]));
  assert.deepEqual(packr.unpack(packr.pack({ large, again: large })), { large, again: large });
});

test('an object that changes while it is encoded is a fault, or encoded as it was met', () => {
  const changing = () => {
    const object: Record<string, unknown> = { a: 1 };
    Object.defineProperty(object, 'b', {
      enumerable: true,
      get() {
        delete object.c;
        object.d = 4;
        return 2;
      },
    });
    object.c = 3;
    return object;
  };
  const plain = new Packr({ useRecords: false });
  assert.deepEqual(plain.unpack(plain.pack(changing())), { a: 1, b: 2 });
  assertFault(() => new Packr().pack([changing()]), { code: 'unsupported_value', path: '/0/b' });
  const inherited = Object.create({ own: false }, { x: { value: 1, enumerable: true }, y: { value: 2 } }) as object;
  assert.deepEqual(plain.unpack(plain.pack(inherited)), { x: 1 });
  const proxy = new Proxy({ p: 1, q: [2] }, {});
  assert.deepEqual(plain.unpack(plain.pack([proxy, proxy])), [proxy, proxy]);
  assert.deepEqual(new Packr().unpack(new Packr().pack([proxy, proxy])), [proxy, proxy]);
});

test('ever new names do not slow the encoder down for good, and known ones come back', () => {
  const packr = new Packr({ useRecords: false });
  for (let index = 0; index < (QUICK ? 3_000 : 30_000); index++) {
    const object = { [`first${index}`]: 1, [`second${index}`]: 2 };
    assert.equal(packr.pack(object).length, 1 + 2 * `first${index}`.length + 1 + 2 + 2);
  }
  assert.equal(hexOf(packr.pack({ a: 1, b: 2 })), '82a16101a16202');
});

test('an encoder works on after an error, and inside its own callbacks', () => {
  const packr = new Packr({ records: 'off' });
  assertFault(() => packr.pack([1, 2, () => 3]), { code: 'unsupported_value', path: '/2' });
  assert.equal(hexOf(packr.pack([1])), '9101');
  class Nested {
    toJSON() {
      return hexOf(packr.pack({ inner: [1, 2, 3] }));
    }
  }
  const text = '81a5696e6e657293010203';
  assert.deepEqual(packr.unpack(packr.pack([new Nested(), 'after', new Nested()])), [text, 'after', text]);
});

test('an exception thrown by a getter is the cause of unsupported_value, and the encoder works on', () => {
  const packr = new Packr();
  const cause = new SyntaxError('mine');
  const object = {
    get broken(): number {
      throw cause;
    },
  };
  const error = assertFault(() => packr.pack({ a: object }), {
    code: 'unsupported_value',
    offset: null,
    path: '/a/broken',
  });
  assert.equal(error.cause, cause);
  assert.deepEqual(packr.unpack(packr.pack({ a: 1 })), { a: 1 });
});

test('encode is pack under another name', () => {
  assert.equal(hexOf(encode([1])), '9101');
  assert.equal(hexOf(new Packr({ records: 'off' }).encode({ a: 1 })), '81a16101');
});

test('what an object says of itself is asked once', () => {
  let asked = 0;
  class Named {
    get toJSON(): () => string {
      asked++;
      return () => 'name';
    }
  }
  assert.equal(unpack(pack(new Named())), 'name');
  assert.equal(asked, 1);
});

test('a boxed value that leads to itself is a fault, not a loop', () => {
  class Loop extends Number {
    override valueOf(): number {
      return this as unknown as number;
    }
  }
  assertFault(() => pack([new Loop(1)]), { code: 'unsupported_value', path: '/0' });
  assert.equal(unpack(pack(new Number(5))), 5);
});
