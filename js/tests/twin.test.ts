// The twins are judged by the vectors like any implementation, before anything is judged by them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TwinFault, twinDecode } from './_twin-decoder.ts';
import { twinCanonical } from './_twin-encoder.ts';
import { hexOf, identityOf, writtenOut } from './_values.ts';
import { type Fault, filesOf, modesOf, requiredBytes } from './_vectors.ts';

function faultOf(run: () => unknown): Fault | null {
  try {
    run();
    return null;
  } catch (error) {
    if (!(error instanceof TwinFault)) throw error;
    return { code: error.code, offset: error.offset, path: error.path };
  }
}

for (const { file, cases } of filesOf('valid')) {
  test(file, () => {
    for (const one of cases) {
      const value = writtenOut(one.value);
      assert.equal(hexOf(twinCanonical(value)), hexOf(requiredBytes(one.canonical)), one.name);
      for (const bytes of [one.canonical, ...(one.also ?? [])]) {
        const decoded = twinDecode(requiredBytes(bytes), { ...one.limits, mode: 'lossless' });
        assert.equal(identityOf(decoded), identityOf(value), one.name);
      }
    }
  });
}

for (const { file, cases } of [...filesOf('invalid'), ...filesOf('records')]) {
  test(file, () => {
    for (const one of cases) {
      const bytes = requiredBytes(one.bytes);
      const options = { ...one.limits, records: one.records ?? 'off' };
      if (one.error) {
        for (const mode of modesOf(one)) {
          const fault = faultOf(() => twinDecode(bytes, { ...options, mode }));
          assert.deepEqual(fault, one.error, `${one.name} in mode ${mode}`);
        }
      } else {
        const decoded = twinDecode(bytes, { ...options, mode: 'lossless' });
        assert.equal(identityOf(decoded), identityOf(writtenOut(one.value)), one.name);
      }
    }
  });
}

for (const { file, cases } of filesOf('canonical')) {
  test(file, () => {
    for (const one of cases) {
      const bytes = twinCanonical(twinDecode(requiredBytes(one.bytes), { mode: 'lossless' }));
      assert.equal(hexOf(bytes), hexOf(requiredBytes(one.canonical)), one.name);
    }
  });
}
