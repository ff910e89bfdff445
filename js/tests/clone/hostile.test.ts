// Structured cloning (spec/03#structured-cloning): hostile bytes cost nothing, and what isn't asked for is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeElements, ExtData, get, Packr, Raw, StreamDecoder, Unpackr } from 'polypack';
import { assertFault } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';
import { packr, plain, ring, tree } from './_clone.ts';

test('nothing is decoded without being asked for', () => {
  const bytes = packr.pack([new Set([1]), /x/]);
  assert.throws(() => new Unpackr().unpack(bytes), { name: 'PolypackError' });
  assert.deepEqual(new Unpackr().unpack(packr.pack(new Float32Array(1))), new ExtData(0x74, bytesOf('07 00 00 00 00')));
  assert.deepEqual(
    new Unpackr({ moreTypes: true }).unpack(bytesOf('d6 70 00 00 00 01')),
    new ExtData(0x70, bytesOf('00 00 00 01')),
  );
});

test('what follows a prefix must be an array, not c1, which compat reads as undefined', () => {
  for (const content of ['c1 00 00 00 01 05', 'c1', '05', 'a0']) {
    const bytes = bytesOf(`d4 73 00 ${content}`);
    for (const options of [{ structuredClone: true }, { structuredClone: true, compat: 'msgpackr' as const }]) {
      assert.throws(() => new Unpackr(options).unpack(bytes), { name: 'PolypackError' }, content);
    }
  }
});

test('regular expressions of strangers are refused', () => {
  const bytes = bytesOf('92 07 d4 78 00 92 a1 61 a1 67');
  const refused = { code: 'unsupported_value', offset: 2, path: '/1', message: /regExps/ };
  for (const options of [{ moreTypes: true }, { structuredClone: true }, { structuredClone: true, regExps: false }]) {
    assertFault(() => new Unpackr(options).unpack(bytes), refused);
    assertFault(() => new Unpackr({ ...options, compat: 'msgpackr' }).unpack(bytes), refused);
    assertFault(() => new Unpackr({ ...options, mode: 'strict' }).unpack(bytes), refused);
    const stream = new StreamDecoder(options);
    stream.push(bytes);
    assertFault(() => stream.finish(), refused);
    if (!('structuredClone' in options)) assertFault(() => [...decodeElements([bytes], options)], refused);
    assert.deepEqual(new Unpackr({ ...options, regExps: true }).unpack(bytes), [7, /a/g]);
  }
  // The refusal is the first thing: nothing behind the prefix is read.
  assertFault(() => new Unpackr({ moreTypes: true }).unpack(bytesOf('d4 78 00 c1')), {
    ...refused,
    offset: 0,
    path: '',
  });
});

test('the patterns of a message are bounded together', () => {
  const pattern = (length: number) => new RegExp('a'.repeat(length));
  const codec = new Packr({ moreTypes: true, regExps: true });
  // A str of 1,021 bytes has a head of 3.
  const most = codec.pack(pattern(1021));
  assert.deepEqual(codec.unpack(most), pattern(1021));
  const fault = { code: 'limit_exceeded', message: /maxPatternBytes/ };
  assertFault(() => codec.unpack(codec.pack(pattern(1022))), { ...fault, offset: 0, path: '' });
  const several = [pattern(500), { b: pattern(500) }, pattern(20)];
  assertFault(() => codec.unpack(codec.pack(several)), { ...fault, path: '/2' });
  assertFault(() => [...decodeElements([codec.pack(several)], { moreTypes: true, regExps: true })], {
    ...fault,
    path: '/2',
  });
  const trusting = new Packr({ moreTypes: true, regExps: true, limits: { maxPatternBytes: 1026 } });
  assert.deepEqual(trusting.unpack(trusting.pack(several.slice(0, 2))), several.slice(0, 2));
  assertFault(() => trusting.unpack(trusting.pack(several)), fault);
  // The next message has a budget of its own, and inner messages have a part of this one.
  assert.deepEqual(codec.unpackMultiple(new Uint8Array([...most, ...most])).length, 2);
  const inner = { type: 9, read: (value: unknown) => value };
  const nesting = new Packr({ moreTypes: true, regExps: true, extensions: [inner] });
  const ext = (value: unknown) => new ExtData(9, codec.pack(value));
  assert.deepEqual(nesting.unpack(new Packr().pack([ext(pattern(1000))])), [pattern(1000)]);
  assertFault(() => nesting.unpack(new Packr().pack([ext(pattern(1000)), ext(pattern(30))])), {
    code: 'unsupported_value',
    path: '/1',
  });
  assert.throws(() => new Unpackr({ limits: { maxPatternBytes: 0 } }), RangeError);
});

test('errors are made without recording the stack of the decoder', () => {
  const bytes = plain.pack([new RangeError('r'), Object.assign(new Error('m'), { name: 'Mine' })]);
  const limits: unknown[] = [];
  const host = globalThis as { Error: ErrorConstructor };
  const original = Error;
  const before = Object.getOwnPropertyDescriptor(original, 'stackTraceLimit');
  const check = () => {
    const [range, mine] = plain.unpack<[RangeError, Error]>(bytes);
    assert.ok(range instanceof RangeError && mine.name === 'Mine');
    assert.equal(mine.stack, 'Mine: m');
  };
  check();
  if (before === undefined) return; // the engine knows no such limit
  try {
    host.Error = new Proxy(original, {
      construct(target, args) {
        limits.push(Reflect.get(target, 'stackTraceLimit'));
        return Reflect.construct(target, args) as object;
      },
    });
    check();
    assert.deepEqual(limits, [0]);
    assert.deepEqual(Object.getOwnPropertyDescriptor(original, 'stackTraceLimit'), before);
  } finally {
    host.Error = original;
  }
  const others: PropertyDescriptor[] = [
    { value: 5, writable: false },
    { get: () => 5, set: assert.fail },
  ];
  for (const descriptor of others) {
    Object.defineProperty(original, 'stackTraceLimit', { ...descriptor, configurable: true });
    try {
      check();
    } finally {
      Reflect.deleteProperty(original, 'stackTraceLimit');
      check();
      assert.equal('stackTraceLimit' in original, false);
      Object.defineProperty(original, 'stackTraceLimit', before);
    }
  }
});

test('malformed ext values are faults at their heads', () => {
  for (const [bytes, offset, path] of [
    ['91 d6 70 00 00 00 01', 1, '/0'],
    ['92 d6 69 00 00 00 01 01 d6 69 00 00 00 01 01', 8, '/1'],
    ['d6 69 00 00 00 01 c7 04 69 00 00 00 01 01', 6, ''],
    ['91 d4 73 00 80', 1, '/0'],
    ['91 d4 73 00 d4 73 00 90', 1, '/0'],
    ['d4 78 00 91 a1 78', 0, ''],
    ['d4 78 00 92 a1 78 01', 0, ''],
    ['d4 78 00 92 a1 28 a0', 0, ''],
    ['d4 78 00 92 a1 78 a2 67 67', 0, ''],
    ['d4 65 00 91 a1 78', 0, ''],
    ['d4 65 00 92 01 a1 78', 0, ''],
    ['d4 65 00 97 a0 a0 c0 c0 c0 c0 c0', 0, ''],
    ['91 d4 74 0c', 1, '/0'],
    ['d5 74 03 00', 0, ''],
    ['c7 00 74', 0, ''],
    ['d4 76 01 93 c0 00 00', 0, ''],
    ['d4 76 01 93 d5 74 10 00 00 02', 0, ''],
    ['d4 76 01 93 d5 74 10 00 ff 01', 0, ''],
    ['d4 76 03 93 c7 05 74 10 00 00 00 00 01 01', 0, ''],
    ['d4 76 63 93 d5 74 10 00 00 01', 0, ''],
    ['d6 69 00 00 00 01 d4 78 00 92 d6 70 00 00 00 01 a0', 10, '/0'],
  ] as const) {
    assertFault(() => packr.unpack(bytesOf(bytes)), { code: 'unsupported_value', offset, path }, bytes);
  }
  assertFault(() => packr.unpack(bytesOf('d4 73 00')), { code: 'unexpected_end', offset: 3 });
  assertFault(() => packr.unpack(bytesOf('d4 73 00 c1')), { code: 'reserved_byte', offset: 3 });
  assertFault(() => packr.unpack(bytesOf('d4 73 00 dd ff ff ff ff')), { code: 'unexpected_end', offset: 3 });
  assertFault(() => packr.unpack(bytesOf('92 d4 73 00 92 01 c1 02')), {
    code: 'reserved_byte',
    offset: 6,
    path: '/0/1',
  });
});

test('every prefix of a message is a fault, and no byte changed to another is anything else', () => {
  const buffer = new ArrayBuffer(4);
  const value = [ring(), new Set([1]), new Error('e', { cause: /x/ }), buffer, new Int8Array(buffer), [1, 2n ** 70n]];
  const bytes = packr.pack(value);
  for (let end = 0; end < bytes.length; end++) {
    assert.throws(() => packr.unpack(bytes, end), { name: 'PolypackError' }, `${end} bytes`);
  }
  for (let at = 0; at < bytes.length; at++) {
    for (const bits of [0x01, 0x10, 0x80, 0xff]) {
      const changed = bytes.slice();
      changed[at] = (bytes[at] as number) ^ bits;
      try {
        packr.unpack(changed);
      } catch (error) {
        assert.equal((error as Error).name, 'PolypackError');
      }
    }
  }
});

test('names are only names', () => {
  const forged = plain.unpack<Error>(bytesOf('d4 65 00 92 ab 636f6e7374727563746f72 a1 6d'));
  assert.equal(Object.getPrototypeOf(forged), Error.prototype);
  assert.equal(forged.name, 'constructor');
  const object = plain.unpack<object>(bytesOf('d6 69 00 00 00 01 81 a9 5f5f70726f746f5f5f d6 70 00 00 00 01'));
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.ok(Object.hasOwn(object, '__proto__'));
});

test('limits hold', () => {
  const shallow = new Packr({ structuredClone: true, limits: { maxDepth: 2 }, extensions: [tree] });
  assert.throws(() => shallow.unpack(bytesOf('d4 73 00 91 d4 73 00 91 d4 73 00 90')), { code: 'limit_exceeded' });
  assert.throws(() => shallow.pack(new Set([new Set([new Set()])])), { code: 'limit_exceeded', path: '/0/0' });
  const few = new Unpackr({ structuredClone: true, limits: { maxValues: 3 } });
  assert.throws(() => few.unpack(bytesOf('d4 73 00 93 01 02 03')), { code: 'limit_exceeded' });
  const nested = bytesOf('(d4 14 00)*20000 c0');
  const registered = new Unpackr({ structuredClone: true, extensions: [tree] });
  assert.throws(() => registered.unpack(nested), { code: 'limit_exceeded' });
  assert.throws(() => packr.unpack(bytesOf('(d6 69 00 00 00 01)*20000')), { code: 'unsupported_value' });
  assert.throws(() => packr.unpack(bytesOf('(d4 73 00 91)*20000')), { code: 'limit_exceeded' });
});

test('lazy reads refuse what they cannot know', () => {
  assert.throws(() => get(packr.pack([1]), '/0', packr), TypeError);
  assert.throws(() => new Raw(packr.pack([1]), { moreTypes: true }), TypeError);
});

test('strict mode refuses what would collapse', () => {
  const strict = new Unpackr({ structuredClone: true, mode: 'strict' });
  assertFault(() => strict.unpack(bytesOf('d4 73 00 92 01 01')), { code: 'duplicate_key', offset: 5, path: '/1' });
  assert.throws(() => new Packr({ structuredClone: true, mode: 'lossless' }), TypeError);
  assert.throws(() => new Packr({ moreTypes: true, mode: 'lossless' }), TypeError);
});

test('ext values that would mean something else are not written', () => {
  for (const [type, data] of [
    [0x73, '00'],
    [0x69, '00 00 00 01'],
    [0x70, '00 00 00 01'],
    [0x76, '05'],
    [0x00, '01'],
  ] as const) {
    assertFault(() => packr.pack([new ExtData(type, bytesOf(data))]), { code: 'unsupported_value', path: '/0' });
  }
  assert.equal(hexOf(packr.pack(new ExtData(0x73, bytesOf('01')))), 'd47301');
});
