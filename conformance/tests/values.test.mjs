// Tagged values: equality by spec/01, canonical bytes by spec/08, and what isn't a value.

import assert from 'node:assert/strict';
import test from 'node:test';
import { canonical, equal, expand, MalformedValue } from '../lib/values.mjs';

test('canonical bytes of every kind and every head', () => {
  /** @type {[object, string][]} */
  const cases = [
    [{ nil: true }, 'c0'],
    [{ undefined: true }, 'd40000'],
    [{ bool: true }, 'c3'],
    [{ int: '127' }, '7f'],
    [{ int: '128' }, 'cc80'],
    [{ int: '256' }, 'cd0100'],
    [{ int: '65536' }, 'ce00010000'],
    [{ int: '4294967296' }, 'cf0000000100000000'],
    [{ int: '18446744073709551615' }, 'cfffffffffffffffff'],
    [{ int: '-32' }, 'e0'],
    [{ int: '-33' }, 'd0df'],
    [{ int: '-129' }, 'd1ff7f'],
    [{ int: '-32769' }, 'd2ffff7fff'],
    [{ int: '-2147483649' }, 'd3ffffffff7fffffff'],
    [{ float: '8000000000000000' }, 'cb8000000000000000'],
    [{ float: 'fff8000000000001' }, 'cb7ff8000000000000'],
    [{ float: '7ff0000000000000' }, 'cb7ff0000000000000'],
    [{ str: 'é' }, 'a2c3a9'],
    [{ str: 'a', times: 32 }, `d920${'61'.repeat(32)}`],
    [{ bin: '00', times: 256 }, `c50100${'00'.repeat(256)}`],
    [{ array: [{ nil: true }], times: 16 }, `dc0010${'c0'.repeat(16)}`],
    [{ ext: [5, ''] }, 'c70005'],
    [{ ext: [-2, '00010203'] }, 'd6fe00010203'],
    [{ timestamp: ['1', 0] }, 'd6ff00000001'],
    [{ timestamp: ['0', 1] }, 'd7ff0000000400000000'],
    [{ timestamp: ['-1', 999999999] }, 'c70cff3b9ac9ffffffffffffffffff'],
    [{ timestamp: ['17179869184', 0] }, 'c70cff000000000000000400000000'],
  ];
  for (const [value, bytes] of cases) assert.equal(canonical(value), bytes, JSON.stringify(value).slice(0, 80));
});

test('entries are sorted by their encoded keys (08)', () => {
  const one = (/** @type {object} */ key, /** @type {string} */ number) => [key, { int: number }];
  const map = {
    map: [one({ str: 'b' }, '1'), one({ str: 'a' }, '2'), one({ str: 'aa' }, '3'), one({ int: '7' }, '4')],
  };
  assert.equal(canonical(map), '840704a16102a16201a2616103');
});

test('equality is that of spec/01', () => {
  const entry = (/** @type {string} */ key) => [{ str: key }, { nil: true }];
  assert.equal(equal({ map: [entry('a'), entry('b')] }, { map: [entry('b'), entry('a')] }), true);
  assert.equal(equal({ float: '7ff8000000000000' }, { float: 'fff0000000000001' }), true);
  assert.equal(equal({ float: '0000000000000000' }, { float: '8000000000000000' }), false);
  assert.equal(equal({ int: '1' }, { float: '3ff0000000000000' }), false);
  assert.equal(equal({ str: '1' }, { bin: '31' }), false);
  assert.equal(equal({ array: [] }, { map: [] }), false);
  assert.equal(equal({ map: [entry('a'), entry('a')] }, { map: [entry('a')] }), false);
  assert.equal(equal({ timestamp: ['1', 0] }, { timestamp: ['1', 1] }), false);
});

test('what is no tagged value is refused, whatever it is', () => {
  const wrong = [
    null,
    5,
    'text',
    [],
    {},
    { integer: '5' },
    { int: '1', str: '1' },
    { int: 5 },
    { int: '01' },
    { int: '18446744073709551616' },
    { float: '3ff8' },
    { str: '\ud800' },
    { bin: 'F0' },
    { bin: '0' },
    { nil: false },
    { array: { 0: { nil: true } } },
    { map: [[{ nil: true }]] },
    { timestamp: ['0', 1_000_000_000] },
    { ext: [128, ''] },
    { ext: [-1, '00000001'] },
    { int: '1', times: 2 },
    { str: 'a', times: 2 ** 53 - 1 },
    { bin: '00', times: 2 ** 28 },
    { array: [{ nil: true }], times: 2 ** 53 - 1 },
  ];
  for (const value of wrong) assert.throws(() => canonical(value), MalformedValue, JSON.stringify(value));
});

test('expand writes times out and keeps the rest', () => {
  const value = { array: [{ str: 'ab', times: 2 }, { map: [[{ bin: '00', times: 3 }, { int: '1' }]] }], times: 2 };
  const once = [{ str: 'abab' }, { map: [[{ bin: '000000' }, { int: '1' }]] }];
  assert.deepEqual(expand(value), { array: [...once, ...once] });
});
