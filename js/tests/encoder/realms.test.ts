// Values of another realm, such as a vm context or a frame, are encoded as those of this one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext, runInThisContext } from 'node:vm';
import {
  decodeIter,
  ExtData,
  type ExtensionDefinition,
  encodeCanonical,
  get,
  Packr,
  type PackrOptions,
  pack,
  packInto,
  Raw,
  StreamDecoder,
  Unpackr,
  unpack,
} from 'polypack';
import { pack as compactPack, unpack as compactUnpack } from 'polypack/compact';
import * as msgpackr from 'polypack/msgpackr';
import { assertFault, assertPacks, packedBy } from '../_check.ts';
import { bytesOf, hexOf } from '../_values.ts';

test('errors, regular expressions and promises of another realm have no encoding either', () => {
  for (const code of ['new Error("e")', '/a/', 'Promise.resolve()']) {
    const value: unknown = runInNewContext(code);
    assertFault(() => pack([value]), { code: 'unsupported_value', offset: null, path: '/0' });
    assertFault(() => compactPack([value]), { code: 'unsupported_value', offset: null, path: '/0' });
  }
});

test('bytes of another realm are taken as those of this one', () => {
  type Bytes = Uint8Array & ArrayBuffer; // each call takes either
  const data = '[0x93, 1, 2, 3]';
  const ext = { type: 5, Class: class Held {}, unpack: (bytes: Uint8Array) => bytes };
  const held = new ext.Class();
  /** Each makes a result from bytes, and says whether it takes an ArrayBuffer. */
  const uses: Record<string, [boolean, (bytes: Bytes) => unknown]> = {
    unpack: [true, (bytes) => unpack(bytes)],
    'unpack of compact': [true, (bytes) => compactUnpack(bytes)],
    'unpack of polypack/msgpackr': [true, (bytes) => msgpackr.unpack(bytes)],
    'unpackMultiple of polypack/msgpackr': [true, (bytes) => msgpackr.unpackMultiple(bytes)],
    'unpack with a range': [true, (bytes) => new Unpackr().unpack(bytes, { start: 1, end: 2 })],
    get: [true, (bytes) => get(bytes, '/1')],
    Raw: [true, (bytes) => new Raw(bytes).unpack()],
    StreamDecoder: [true, (bytes) => new StreamDecoder().push(bytes)],
    decodeIter: [true, (bytes) => [...decodeIter(bytes)]],
    packInto: [true, (bytes) => packInto(bytes, 1, [7])],
    useBuffer: [false, (bytes) => packedInto(bytes)],
    ExtData: [false, (bytes) => hexOf(pack(new ExtData(5, bytes)))],
    'pack of an extension': [false, (bytes) => pack(held, { extensions: [{ ...ext, pack: () => bytes }] })],
    'compact, an extension': [false, (bytes) => compactPack(held, { extensions: [{ ...ext, pack: () => bytes }] })],
    'path of a key': [false, (bytes) => pathOf(() => pack(new Map([[bytes, Symbol()]])))],
    'path of a key, compact': [false, (bytes) => pathOf(() => compactPack(new Map([[bytes, Symbol()]])))],
  };
  const packedInto = (bytes: Uint8Array) => {
    const packr = new Packr();
    packr.useBuffer(bytes as Uint8Array<ArrayBuffer>);
    return [...packr.pack([1])];
  };
  const pathOf = (run: () => unknown) => assertFault(run, { code: 'unsupported_value' }).path;
  const kinds = [`new Uint8Array(${data})`, `new Uint8Array(${data}).buffer`];
  const shared = `(() => { const bytes = new Uint8Array(new SharedArrayBuffer(4)); bytes.set(${data}); return bytes; })()`;
  for (const [about, [takesBuffer, use]] of Object.entries(uses)) {
    for (const code of takesBuffer ? [...kinds, shared, `${shared}.buffer`] : [kinds[0] as string, shared]) {
      const of = (value: unknown) => use(value as Bytes);
      assert.deepEqual(of(runInNewContext(code)), of(runInThisContext(code)), `${about} of ${code}`);
    }
  }
  const memory = runInNewContext(`${shared}.buffer`) as ArrayBuffer;
  const [kept] = unpack([0x91, 0xc4, 1, 5].reduce((all, byte, at) => all.fill(byte, at), new Uint8Array(memory))) as [
    Uint8Array,
  ];
  assert.notEqual(kept.buffer, memory, 'shared memory is copied');
  for (const none of [null, 5, 'text', {}, { [Symbol.toStringTag]: 'ArrayBuffer' }]) {
    assert.throws(() => unpack(none as never), TypeError);
    assert.throws(() => compactUnpack(none as never), TypeError);
  }
});

test('an exhausted stack of another realm is a limit that is exceeded, too', () => {
  const code = '(function deeper() { return deeper(); })';
  for (const deeper of [runInNewContext(code), runInThisContext(code)] as (() => void)[]) {
    const value = new (class Deep {
      toJSON() {
        deeper();
      }
    })();
    const ext: ExtensionDefinition = { type: 5, read: deeper as never };
    const options = { extensions: [ext] };
    for (const run of [
      () => pack(value),
      () => compactPack(value),
      () => unpack(bytesOf('d4 05 01'), options),
      () => compactUnpack(bytesOf('d4 05 01'), options),
    ]) {
      assertFault(run, { code: 'limit_exceeded', path: '' });
    }
  }
  // What isn't about the stack, or can't even be shown as text.
  for (const thrown of [
    null,
    undefined,
    5,
    Symbol('s'),
    Object.create(null),
    new RangeError('other'),
    { message: 5 },
  ]) {
    const value = new (class Failing {
      toJSON() {
        throw thrown;
      }
    })();
    assert.equal(assertFault(() => pack([value]), { code: 'unsupported_value', path: '/0' }).cause, thrown);
    assert.equal(assertFault(() => compactPack([value]), { code: 'unsupported_value', path: '/0' }).cause, thrown);
  }
});

test('bytes stay bytes, whatever tag or properties they have', () => {
  class Tagged extends Uint8Array {
    override get [Symbol.toStringTag](): 'Uint8Array' {
      return 'Tagged' as 'Uint8Array';
    }
  }
  const bytes = Tagged.of(1, 2);
  const ext = { type: 5, Class: class Held {}, unpack: (data: Uint8Array) => data, pack: () => bytes };
  const packr = new Packr();
  packr.useBuffer(new Tagged(10));
  assert.deepEqual([...packr.pack(7)], [7]);
  for (const write of [pack, compactPack]) {
    assert.equal(hexOf(write(new ExtData(5, bytes))), 'd5050102');
    assert.equal(hexOf(write(new ext.Class(), { extensions: [ext] })), 'd5050102');
    assertFault(() => write(new Map([[bytes, Symbol()]])), { code: 'unsupported_value', path: '/0x0102' });
    for (const code of ['new ArrayBuffer(2)', 'new SharedArrayBuffer(2)'])
      for (const buffer of [runInNewContext(code), runInThisContext(code)])
        assert.equal(hexOf(write(Object.assign(buffer, { about: 'text' }))), 'c4020000', code);
  }
  const memory = Object.defineProperty(new SharedArrayBuffer(4), Symbol.toStringTag, { value: 'Other' });
  new Uint8Array(memory).set([0x91, 0xc4, 1, 5]);
  const [kept] = unpack(memory) as [Uint8Array];
  assert.notEqual(kept.buffer, memory, 'shared memory is copied');
});

test('objects of another realm are written as those of this one', () => {
  const codes = [
    ...[
      'new Map([[1, 2], ["a", [3]]])',
      'new Map()',
      'new (class Other extends Map {})([[1, 2]])',
      'new Set([1, "a"])',
    ],
    ...['new Date(1500)', 'new (class Other extends Date {})(0)', 'new Date(5e12 + 1)', '({ a: { b: 1 } })', '({})'],
    ...['new String("s")', 'Object(5)', 'Object(true)', 'Object(2n ** 60n)', '[{}, new Map([[new Date(0), {}]])]'],
    ...[
      'new Uint16Array([1, 2])',
      'new Map([[{}, new Map()]])',
      'Object.create(null)',
      'new Map([[new String("a"), 1]])',
    ],
    ...['new Map([[Object(1), 1], [2, new Set()]])', 'new (class Other { a = 1; toJSON() { return [1]; } })()'],
    ...['new Uint8Array([1, 2])', 'new Uint8Array([1, 2]).buffer', 'new ArrayBuffer(0)', 'new SharedArrayBuffer(2)'],
    ...['{ b: new Float32Array([1]).buffer }', 'new Map([[new Uint8Array([1]), 1], [new ArrayBuffer(2), 2]])'],
    ...['(function () { return arguments; })(1, "a")', '(function () { return arguments; })()'],
    ...['({ n: 2, *[Symbol.iterator]() { yield 1; } })', '({ [Symbol.toStringTag]: "Other", a: 1 })', 'Math'],
  ];
  const cloned = ['/a.b/giu', 'new TypeError("t", { cause: 5 })', 'new AggregateError([new Error("e")], "m")'];
  const kinds: PackrOptions[] = [
    ...[{ records: 'off' }, {}, { useTimestamp32: true }, { useToJSON: false }, { compat: 'msgpackr' }],
    ...[{ moreTypes: true }, { structuredClone: true }, { structuredClone: true, compat: 'msgpackr' }],
  ] as PackrOptions[];
  for (const options of kinds) {
    const clones = options.moreTypes === true || options.structuredClone === true;
    for (const code of clones ? [...codes, ...cloned] : codes) {
      const here: unknown = runInThisContext(`(${code})`);
      const there: unknown = runInNewContext(`(${code})`);
      for (const mode of [
        'default',
        'strict',
        ...(clones || 'compat' in options || 'useTimestamp32' in options ? [] : ['lossless']),
      ]) {
        const given = { ...options, mode } as PackrOptions;
        assert.equal(packedBy(given, [there]), packedBy(given, [here]), `${code} with ${JSON.stringify(given)}`);
      }
    }
  }
  for (const code of codes) {
    assert.deepEqual(
      encodeCanonical(runInNewContext(`(${code})`)),
      encodeCanonical(runInThisContext(`(${code})`)),
      code,
    );
  }
  assertFault(() => pack(runInNewContext('[new Date(NaN)]')), { code: 'out_of_range', path: '/0' });
  assertFault(() => pack(runInNewContext('new Map([["a", Symbol()]])')), { code: 'unsupported_value', path: '/a' });
  const equal = runInNewContext('new Map([[new Date(0), 1], [new Date(0), 2]])');
  assertFault(() => pack(equal, { mode: 'strict' }), { code: 'duplicate_key', path: '/#1' });
  // Neither a tag nor a prototype makes a Map.
  for (const name of ['Map', 'Set', 'Date', 'String', 'Number', 'Boolean', 'BigInt', 'RegExp', 'Error']) {
    class Tagged {
      get [Symbol.toStringTag]() {
        return name;
      }
      readonly a = 1;
    }
    if (name !== 'RegExp' && name !== 'Error') assertPacks(new Tagged(), '81 a1 61 01');
    else assertFault(() => new Packr({ moreTypes: true }).pack(new Tagged()), { code: 'unsupported_value' });
  }
  const inherits = Object.create(
    Object.create(null, { inherited: { value: 1, enumerable: true } }) as object,
  ) as object;
  assertFault(() => pack(inherits, { mode: 'strict' }), { code: 'unsupported_value', path: '' });
});
